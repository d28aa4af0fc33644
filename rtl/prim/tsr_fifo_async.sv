// First in, first out, from one clock to another: Gray pointers and a memory of `Depth` entries.
//
// Contract: valid/ready on both sides, order kept. The clocks need no relation. Each side has its own
// reset; resetting either clears both (tsr_restart): entries inside are lost, the other side is not
// ready or has nothing new meanwhile (`*_run_o` low) and works again by itself. What is shown on the
// output stays until it is taken even then: only `rd_rst_ni` takes it back. All outputs but `rd_run_o`
// and `wr_run_o` depend on registers of their own side alone; no combinational path through.
// Latency: 1 cycle of wr_clk_i and Stages + 2 of rd_clk_i, one of either more or less. Throughput: one
// entry a cycle of the slower clock if Depth is at least 4 + 2 * Stages.
// Constraints: constraints/tsr_fifo_async.tcl.
`include "tsr_assert.svh"
module tsr_fifo_async #(
  parameter int unsigned Depth  = 8,      // a power of two, 4..64
  parameter type         T      = logic,
  parameter int unsigned Stages = 2       // synchroniser flops, 2..4
) (
  input  logic wr_clk_i,
  input  logic wr_rst_ni,
  input  T     wr_data_i,
  input  logic wr_valid_i,
  output logic wr_ready_o,
  output logic wr_run_o,
  input  logic rd_clk_i,
  input  logic rd_rst_ni,
  output T     rd_data_o,
  output logic rd_valid_o,
  input  logic rd_ready_i,
  output logic rd_run_o
);

  `TSR_STATIC_ASSERT(Depth, $onehot(Depth) && Depth >= 4 && Depth <= 64,
                     ("Depth = %0d; legal is 4, 8, 16, 32 or 64", Depth))
  `TSR_STATIC_ASSERT(Stages, Stages >= 2 && Stages <= 4, ("Stages = %0d; legal is 2 to 4", Stages))

  localparam int unsigned IndexWidth = $clog2(Depth);

  // One bit more than an index: equal pointers are empty, pointers half a turn apart are full.
  typedef logic [IndexWidth:0] ptr_t;

  function automatic ptr_t gray(ptr_t binary);
    return binary ^ (binary >> 1);
  endfunction
  // In Gray code half a turn is the two highest bits.
  localparam ptr_t HalfTurn = ptr_t'(3) << (IndexWidth - 1);

  logic [$bits(T)-1:0] mem_q[Depth];
  ptr_t wr_q, wr_next, wr_gray_q, wr_gray_seen;
  ptr_t rd_q, rd_next, rd_gray_q, rd_gray_seen;
  logic wr_ask, wr_stopped, rd_ask, rd_stopped;
  logic wr_clear, rd_clear, push, pop, out_ready, show, rd_run, left_q;

  // ---- Writing side -----------------------------------------------------------------------------

  tsr_restart #(
    .Stages(Stages)
  ) u_wr_restart (
    .clk_i    (wr_clk_i),
    .rst_ni   (wr_rst_ni),
    .ask_o    (wr_ask),
    .stopped_o(wr_stopped),
    .ask_i    (rd_ask),
    .stopped_i(rd_stopped),
    .clear_o  (wr_clear),
    .run_o    (wr_run_o)
  );

  tsr_sync #(
    .Width (IndexWidth + 1),
    .Stages(Stages)
  ) u_rd_to_wr (
    .clk_i (wr_clk_i),
    .data_i(rd_gray_q),
    .data_o(rd_gray_seen)
  );

  assign wr_ready_o = wr_run_o && wr_gray_q != (rd_gray_seen ^ HalfTurn);
  // In the first cycle of a reset the side still seems to run: nothing may come in any more.
  assign push       = wr_valid_i && wr_ready_o && wr_rst_ni;
  assign wr_next    = wr_clear ? '0 : wr_q + ptr_t'(push);

  always_ff @(posedge wr_clk_i) begin
    wr_q      <= wr_next;
    wr_gray_q <= gray(wr_next);
    if (push) mem_q[wr_q[IndexWidth-1:0]] <= wr_data_i;
  end

  // ---- Reading side -----------------------------------------------------------------------------

  tsr_restart #(
    .Stages(Stages)
  ) u_rd_restart (
    .clk_i    (rd_clk_i),
    .rst_ni   (rd_rst_ni),
    .ask_o    (rd_ask),
    .stopped_o(rd_stopped),
    .ask_i    (wr_ask),
    .stopped_i(wr_stopped),
    .clear_o  (rd_clear),
    .run_o    (rd_run)
  );

  tsr_sync #(
    .Width (IndexWidth + 1),
    .Stages(Stages)
  ) u_wr_to_rd (
    .clk_i (rd_clk_i),
    .data_i(wr_gray_q),
    .data_o(wr_gray_seen)
  );

  // What was shown before a restart goes first.
  always_ff @(posedge rd_clk_i) left_q <= !rd_run || (left_q && rd_valid_o);
  assign rd_run_o = rd_run && !left_q;

  assign show     = rd_run_o && rd_gray_q != wr_gray_seen;
  assign pop      = show && out_ready;
  assign rd_next  = rd_clear ? '0 : rd_q + ptr_t'(pop);

  always_ff @(posedge rd_clk_i) begin
    rd_q      <= rd_next;
    rd_gray_q <= gray(rd_next);
  end

  // The memory's outputs are of the other clock: they end in registers here.
  tsr_slice #(
    .T(T)
  ) u_out (
    .clk_i  (rd_clk_i),
    .rst_ni (rd_rst_ni),
    .data_i (T'(mem_q[rd_q[IndexWidth-1:0]])),
    .valid_i(show),
    .ready_o(out_ready),
    .data_o (rd_data_o),
    .valid_o(rd_valid_o),
    .ready_i(rd_ready_i)
  );

endmodule
