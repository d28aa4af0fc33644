// Holds a stream while it is paused: a beat that is shown stays until it is accepted, and none follows.
//
// Contract: stands in a handshake. Latency: 0 cycles. Throughput: a beat a cycle.
`include "tsr_assert.svh"
module tsr_aieml_pause (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic pause_i,
  input  logic valid_i,
  output logic ready_o,
  output logic valid_o,
  input  logic ready_i
);

  logic shown_q, open;
  assign open    = !pause_i || shown_q;
  assign valid_o = valid_i && open;
  assign ready_o = ready_i && open;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) shown_q <= 1'b0;
    else shown_q <= valid_o && !ready_i;
  end

  `TSR_ASSERT_NEXT(BeatStays, valid_o && !ready_i && valid_i, !valid_i || valid_o)

endmodule
