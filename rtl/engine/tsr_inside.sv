// Tells whether the position of one dimension lies inside its bounds.
//
// Contract: `begin_i` goes to index 0, `step_i` to index `next_i`; `inside_o` belongs to the position
// reached. Positions go up one by one (or by the same step as `enter_i` and `leave_i` are multiples of).
// Latency: 1 cycle. Throughput: one step a cycle.
module tsr_inside
  import tsr_pkg::*;
(
  input  logic                         clk_i,
  input  logic signed [IndexWidth-1:0] enter_i,  // inside: enter_i <= index < leave_i
  input  logic signed [IndexWidth-1:0] leave_i,
  input  logic                         begin_i,
  input  logic                         step_i,
  input  logic        [          31:0] next_i,   // index of the next position
  output logic                         inside_o
);

  localparam int unsigned Sign = IndexWidth - 1;
  logic entered, left, begins_inside;

  assign begins_inside = (enter_i[Sign] || enter_i == '0) && !leave_i[Sign] && leave_i != '0;
  assign entered       = enter_i == IndexWidth'(next_i);
  assign left          = leave_i == IndexWidth'(next_i);

  always_ff @(posedge clk_i) begin
    if (begin_i) inside_o <= begins_inside;
    else if (step_i && (entered || left)) inside_o <= !left;
  end

endmodule
