// Where the sum of the instruction before goes: the word of the context, and its data.
//
// Contract: a word of a level is one only if the dimension is a level, the fill value is
// repeated. Sizes are made bytes: a number of elements - 1 becomes bytes - 1.
// Latency: combinational from A. Throughput: a word a cycle.
`include "tsr_assert.svh"
module tsr_prep_output
  import tsr_core_pkg::*;
  import tsr_prep_pkg::*;
#(
  parameter int unsigned BusLog = 3  // log2 of the bytes of the bus, 2 .. 7
) (
  input  logic           clk_i,
  input  logic           rst_ni,
  input  out_e           out_i,
  input  logic    [ 1:0] dim_i,
  input  levels_t        levels_i,
  input  logic    [ 2:0] elem_i,    // log2 of its bytes
  input  logic    [63:0] sum_i,     // A
  output word_e          word_o,
  output logic           valid_o,
  output logic    [63:0] data_o
);

  out_e out_q;
  logic [1:0] dim_q;
  logic sized, fill;
  logic [2:0] shift;
  always_ff @(posedge clk_i) begin
    out_q <= rst_ni ? out_i : ONone;
    dim_q <= dim_i;
  end
  // The code of ONone is left for WordFlags.
  always_comb begin
    word_o  = word_e'({2'b10, out_q[2], out_q[2] ? out_q[1:0] : ~out_q[1:0]});
    valid_o = out_q != ONone;
    if (out_q[3]) begin
      word_o  = word_e'({1'b0, levels_i.at[dim_q], out_q[1:0]});
      valid_o = levels_i.there[dim_q];
    end
    sized = out_q == OLength || out_q[3:2] == 2'b01;
  end
  // Nothing that is sized has bits above the lower half. No element is larger than the bus.
  assign shift = sized ? elem_i & {BusLog > 3, 2'b11} : 3'd0;
  // The fill of an element of 1, 2 or 4 bytes is repeated.
  assign fill  = out_q == OFill;
  always_comb begin
    data_o = {sum_i[63:39], (sum_i[38:0] << shift) | {32'b0, ~(7'h7f << shift)}};
    if (fill && elem_i == 3'd0) data_o[15:8] = data_o[7:0];
    if (fill && elem_i <= 3'd1) data_o[31:16] = data_o[15:0];
    if (fill && elem_i <= 3'd2) data_o[63:32] = data_o[31:0];
  end

  `TSR_ASSERT(AddressIsAddr, out_q != OAddr || word_o == WordAddr)
  `TSR_ASSERT(LengthIsLength, out_q != OLength || word_o == WordLength)
  `TSR_ASSERT(FillIsFill, out_q != OFill || word_o == WordFill)
  `TSR_ASSERT(WholeIsWhole, out_q != OWhole || word_o == WordWhole)
  `TSR_ASSERT(ALevelHasAPlace, levels_i.count <= 3'd4)

endmodule
