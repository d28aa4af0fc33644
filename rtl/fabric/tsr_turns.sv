// Remembers whose turn it is: the channels of bursts in the order in which they went out.
//
// Contract: `taken_i` reserves a place for a burst, legal while `room_o`; `put_i` puts its channel in,
// later and in order. `turn_o` is the channel whose turn it is while `valid_o`, until `next_i`.
// Latency: `put_i` to `valid_o` 0 cycles, 1 with Cut, and then outputs are registers. Throughput: one
// turn a cycle.
`include "tsr_assert.svh"
module tsr_turns #(
  parameter int unsigned Depth      = 4,    // a power of two, at least 2
  parameter int unsigned IndexWidth = 4,
  parameter bit          Cut        = 1'b0
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  output logic                  room_o,
  input  logic                  taken_i,
  input  logic                  put_i,
  input  logic [IndexWidth-1:0] index_i,
  output logic [IndexWidth-1:0] turn_o,
  output logic                  valid_o,
  input  logic                  next_i
);

  localparam int unsigned CountWidth = $clog2(Depth) + 1;

  `TSR_STATIC_ASSERT(
      Depth, Depth >= 2 && $onehot(Depth),
      ("AheadBursts or FlightBursts = %0d; legal is a power of two from 2 on", Depth))

  logic [CountWidth-1:0] reserved_q;
  logic [IndexWidth-1:0] head;
  logic head_valid, head_ready, fifo_ready;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) reserved_q <= '0;
    else reserved_q <= reserved_q + CountWidth'(taken_i) - CountWidth'(next_i && valid_o);
  end
  assign room_o = !reserved_q[CountWidth-1];

  tsr_fifo #(
    .Depth      (Depth),
    .T          (logic [IndexWidth-1:0]),
    .FallThrough(1'b1)
  ) u_turns (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .data_i (index_i),
    .valid_i(put_i),
    .ready_o(fifo_ready),
    .data_o (head),
    .valid_o(head_valid),
    .ready_i(head_ready)
  );

  if (Cut) begin : gen_cut
    logic [IndexWidth-1:0] turn_q;
    logic valid_q;
    assign head_ready = !valid_q || next_i;
    assign turn_o     = turn_q;
    assign valid_o    = valid_q;
    always_ff @(posedge clk_i) begin
      if (head_ready) turn_q <= head;
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) valid_q <= 1'b0;
      else if (head_ready) valid_q <= head_valid;
    end
  end else begin : gen_direct
    assign head_ready = next_i;
    assign turn_o     = head;
    assign valid_o    = head_valid;
  end

  `TSR_ASSERT(TakesWithRoom, !taken_i || room_o)
  `TSR_ASSERT(EveryTurnHasAPlace, !put_i || fifo_ready)

endmodule
