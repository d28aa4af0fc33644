// First in, first out: a FIFO of `Depth` entries in a memory that tools map to LUTRAM.
//
// Contract: valid/ready on both sides, order kept; `flush_i` empties it at the next edge and wins over
// a push in the same cycle. `ready_o` depends on registers only. With ReadyMargin it is a register, which
// says that so many entries were free in the cycle before: who keeps up to ReadyMargin - 1 entries under
// way may push them whatever it says by then.
// Latency: 1 cycle; 0 with FallThrough, and then there is a combinational path from valid_i and data_i
// to valid_o and data_o while the FIFO is empty. Throughput: one entry a cycle.
`include "tsr_assert.svh"
module tsr_fifo #(
  parameter int unsigned Depth       = 4,      // a power of two, at least 2
  parameter type         T           = logic,
  parameter bit          FallThrough = 1'b0,
  parameter int unsigned ReadyMargin = 0       // 0, or 2 .. Depth
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic flush_i,
  input  T     data_i,
  input  logic valid_i,
  output logic ready_o,
  output T     data_o,
  output logic valid_o,
  input  logic ready_i
);

  localparam int unsigned PtrWidth = $clog2(Depth);

  (* ram_style = "distributed" *)
  // a block RAM answers too late
  logic [$bits(T)-1:0] mem_q[Depth];
  // One bit more than an index: equal pointers are empty, pointers half a turn apart are full.
  logic [PtrWidth:0] wr_q, rd_q;
  logic empty, full, writes, push, pop, single, empty_q;

  // Who keeps to a margin never pushes into a full one: the test stays off the path to the memory.
  assign writes = valid_i && (ReadyMargin != 0 || !full);
  assign empty  = empty_q;
  assign single = wr_q == rd_q + 1'b1;
  assign full   = wr_q == {~rd_q[PtrWidth], rd_q[PtrWidth-1:0]};

  if (ReadyMargin == 0) begin : gen_ready
    assign ready_o = !full;
  end else begin : gen_early_ready
    logic [PtrWidth:0] used;
    logic ready_q;
    assign used    = wr_q - rd_q;
    assign ready_o = ready_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || flush_i) ready_q <= 1'b1;
      else ready_q <= used <= (PtrWidth + 1)'(Depth - ReadyMargin);
    end
  end

  if (FallThrough) begin : gen_fall_through
    assign valid_o = valid_i || !empty;
    assign data_o  = empty ? data_i : T'(mem_q[rd_q[PtrWidth-1:0]]);
    assign push    = writes && !(empty && ready_i);
    assign pop     = ready_i && !empty;
  end else begin : gen_registered
    assign valid_o = !empty;
    assign data_o  = T'(mem_q[rd_q[PtrWidth-1:0]]);
    assign push    = writes;
    assign pop     = ready_i && !empty;
  end

  // Also what falls through is written, for nothing: that it does is known late.
  always_ff @(posedge clk_i) begin
    if (writes) mem_q[wr_q[PtrWidth-1:0]] <= data_i;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || flush_i) begin
      wr_q    <= '0;
      rd_q    <= '0;
      empty_q <= 1'b1;
    end else begin
      empty_q <= !push && (empty_q || (single && pop));
      if (push) wr_q <= wr_q + 1'b1;
      if (pop) rd_q <= rd_q + 1'b1;
    end
  end

  `TSR_ASSERT(EmptyIsTrue, empty_q == (wr_q == rd_q))
  `TSR_ASSERT(NothingIsLost, ReadyMargin == 0 || !(valid_i && full))

endmodule
