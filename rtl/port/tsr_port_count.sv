// Counter of bursts that wait for something, with a flag that says whether any does.
//
// Contract: `down_i` only while `some_o`. `clear_i` wins. `some_o` is a register; `left_o`: any is left behind
// `down_i` of this cycle.
`include "tsr_assert.svh"
module tsr_port_count #(
  parameter int unsigned Most = 64
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic clear_i,
  input  logic up_i,
  input  logic down_i,
  output logic some_o,
  output logic left_o
);

  localparam int unsigned Width = $clog2(Most + 1);
  logic [Width-1:0] count_q;
  assign left_o = some_o && !(down_i && count_q == Width'(1'b1));
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      count_q <= '0;
      some_o  <= 1'b0;
    end else begin
      count_q <= count_q + Width'(up_i) - Width'(down_i);
      some_o  <= up_i || left_o;
    end
  end

  `TSR_ASSERT(SomeIsTrue, some_o == (count_q != '0))
  `TSR_ASSERT(NotBelowZero, !down_i || some_o)
  `TSR_ASSERT(NotAboveMost, !up_i || down_i || clear_i || 32'(count_q) < Most)

endmodule
