// Tells whether the position of one dimension lies inside its bounds.
//
// Contract: inside are the indices ahead_i < index <= last_i, all if `unbounded_i`. `begin_i` goes to index 0,
// `step_i` from index_i to the one after it; `next_o` belongs to the position reached, and to the one stayed
// at if neither. With `load_i` it counts.
// Latency: 0 cycles. Throughput: one step a cycle.
`include "tsr_assert.svh"
module tsr_inside
  import tsr_pkg::*;
(
  input  logic                         clk_i,
  input  logic signed [IndexWidth-1:0] ahead_i,
  input  logic signed [IndexWidth-1:0] last_i,
  input  logic                         unbounded_i,
  input  logic                         load_i,
  input  logic                         begin_i,
  input  logic                         step_i,
  input  logic        [          31:0] index_i,
  output logic                         next_o
);

  `TSR_STATIC_ASSERT(
      IndexWidth, IndexWidth > 32,
      ("IndexWidth = %0d; legal is what holds an index of 32 bits and a sign", IndexWidth))

  localparam int unsigned Sign = IndexWidth - 1;
  logic enters, leaves, inside_q;

  assign enters = ahead_i == IndexWidth'(index_i);
  assign leaves = last_i == IndexWidth'(index_i);

  always_comb begin
    next_o = inside_q;
    if (begin_i) next_o = unbounded_i || (ahead_i[Sign] && !last_i[Sign]);
    else if (step_i && !unbounded_i && (enters || leaves)) next_o = !leaves;
  end
  always_ff @(posedge clk_i) begin
    if (load_i) inside_q <= next_o;
  end

endmodule
