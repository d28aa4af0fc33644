// Product of two words of a descriptor, modulo 2 ** 64.
//
// Contract: operands are taken from `word_i` one at a time, and stay.
// Latency: 3 cycles from an operand to its product. Throughput: an operand a cycle.
`include "tsr_assert.svh"
module tsr_prep_product
  import tsr_prep_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  mul_e        operand_i,
  input  logic [31:0] word_i,
  input  logic        high_i,     // strides have high halves: the lower ones are unsigned
  input  logic        clamp_i,    // of MStart: 0
  input  logic        padded_i,   // of MPad: not 0
  input  logic        still_i,    // of MStep: 0
  input  logic        turns_i,    // of MTurns: they count
  output logic [63:0] product_o
);

  // Digits: 16 bits, the upper one with the sign.
  logic signed [32:0] a_q, b_q;
  logic signed [33:0] high_low_q, low_high_q;
  logic signed [31:0] high_high_q;
  logic [31:0] low_low_q;
  logic [63:0] p_q;
  logic clear_b;
  assign clear_b = (operand_i == MStart && clamp_i) || (operand_i == MTurns && !turns_i) ||
                   (operand_i == MPad && (!padded_i || word_i[31])) ||
                   (operand_i == MStep && still_i);

  always_ff @(posedge clk_i) begin
    if (operand_i == MStride || operand_i == MSigned || operand_i == MHigh ||
        operand_i == MUnsigned)
      a_q <= signed'({
        word_i[31] && (operand_i == MSigned || (operand_i == MStride && !high_i)), word_i
      });
    if (operand_i == MHigh && !high_i) a_q <= '0;
    if (operand_i == MCount || operand_i == MStart || operand_i == MStep || operand_i == MPad ||
        operand_i == MTurns)
      b_q <= signed'({word_i[31] && operand_i != MCount && operand_i != MTurns, word_i});
    if (clear_b) b_q <= '0;
    low_low_q <= 32'(a_q[15:0]) * 32'(b_q[15:0]);
    high_low_q <= 34'($signed(a_q[32:16])) * 34'($signed({1'b0, b_q[15:0]}));
    low_high_q <= 34'($signed({1'b0, a_q[15:0]})) * 34'($signed(b_q[32:16]));
    high_high_q <= 32'($signed(a_q[32:16])) * 32'($signed(b_q[32:16]));
    p_q <= {high_high_q, low_low_q} + {{14{high_low_q[33]}}, high_low_q, 16'b0} +
           {{14{low_high_q[33]}}, low_high_q, 16'b0};
  end
  assign product_o = p_q;

  `TSR_ASSERT(IsOperand, operand_i <= MTurns)

endmodule
