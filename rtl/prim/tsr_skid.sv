// Cuts the ready path of a stream and leaves the data path open.
//
// Contract: valid/ready on both sides, order kept, nothing dropped; what is shown on the output stays
// until it is taken. `ready_o` is a register; there is a combinational path from valid_i and data_i to
// valid_o and data_o while the spare register is empty.
// Latency: 0 cycles. Throughput: one item a cycle.
`include "tsr_assert.svh"
module tsr_skid #(
  parameter type T = logic
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  T     data_i,
  input  logic valid_i,
  output logic ready_o,
  output T     data_o,
  output logic valid_o,
  input  logic ready_i
);

  T     spare_q;
  logic spare_valid_q;

  assign ready_o = !spare_valid_q;
  assign valid_o = valid_i || spare_valid_q;
  assign data_o  = spare_valid_q ? spare_q : data_i;

  // The spare follows the input while it is empty, so that its enable is a register, not `ready_i`.
  always_ff @(posedge clk_i) begin
    if (ready_o) spare_q <= data_i;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) spare_valid_q <= 1'b0;
    else spare_valid_q <= valid_o && !ready_i;
  end

  `TSR_STABLE(OutStays, valid_o, ready_i, data_o)

endmodule
