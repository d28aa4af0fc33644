// Cuts both directions of a stream: every output is a register.
//
// Contract: valid/ready on both sides, order kept, nothing dropped; the output is stable until taken.
// No combinational path from any input to any output.
// Latency: 1 cycle. Throughput: one item a cycle.
`include "tsr_assert.svh"
module tsr_slice #(
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

  T out_q, spare_q;
  logic out_valid_q, spare_valid_q;
  logic out_free;

  assign out_free = ready_i || !out_valid_q;
  assign ready_o  = !spare_valid_q;
  assign valid_o  = out_valid_q;
  assign data_o   = out_q;

  always_ff @(posedge clk_i) begin
    if (out_free) out_q <= spare_valid_q ? spare_q : data_i;
    if (ready_o) spare_q <= data_i;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      out_valid_q   <= 1'b0;
      spare_valid_q <= 1'b0;
    end else begin
      if (out_free) out_valid_q <= spare_valid_q || valid_i;
      spare_valid_q <= (spare_valid_q || valid_i) && !out_free;
    end
  end

  `TSR_STABLE(OutStays, valid_o, ready_i, data_o)

endmodule
