// Holds an abort and a reset of a channel until they are done, however short the request was.
//
// Contract: `abort_i` and `reset_i` are levels of software; `abort_o` and `reset_o` begin with them.
// `stopped_i`: the tasks are dropped, nothing that was loaded of them is left, and the engine rests.
// An abort ends with it, a reset when the channel is cleared besides; neither before its request ends.
// Latency: 0 cycles.
`include "tsr_assert.svh"
module tsr_stop (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic abort_i,
  input  logic reset_i,
  input  logic stopped_i,
  input  logic in_reset_i,
  output logic abort_o,
  output logic reset_o
);

  logic abort_q, reset_q;
  assign abort_o = abort_i || abort_q;
  assign reset_o = reset_i || reset_q;
  always_ff @(posedge clk_i) begin
    abort_q <= rst_ni && abort_o && !stopped_i;
    reset_q <= rst_ni && reset_o && !(stopped_i && in_reset_i);
  end

  `TSR_ASSERT_NEXT(AbortIsTakenThrough, abort_o && !stopped_i, abort_o)
  `TSR_ASSERT_NEXT(ResetIsTakenThrough, reset_o && !(stopped_i && in_reset_i), reset_o)

endmodule
