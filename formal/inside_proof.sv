// tsr_inside: exactly enter <= index < leave, at every position of every turn.
`include "proof.svh"

module inside_proof
  import tsr_pkg::*;
#(
  parameter int unsigned StepLog2 = 0  // bytes of an element, of dimension 0
) (
  input logic                         clk_i,
  input logic                         rst_ni,
  input logic                         begin_i,
  input logic                         step_i,
  input logic signed [IndexWidth-1:0] enter_i,
  input logic signed [IndexWidth-1:0] leave_i
);

  `TSR_PROOF_RESET

  typedef logic signed [IndexWidth:0] index_t;
  localparam logic [31:0] Step = 32'd1 << StepLog2;

  logic inside_o;
  logic [31:0] index_q, next;

  assign next = index_q + Step;
  tsr_inside u_dut (
    .clk_i,
    .enter_i,
    .leave_i,
    .begin_i,
    .step_i,
    .next_i(next),
    .inside_o
  );

  logic known_q;  // a turn has begun
  logic signed [IndexWidth-1:0] enter_q, leave_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) known_q <= 1'b0;
    else if (begin_i) known_q <= 1'b1;
    if (begin_i) index_q <= '0;
    else if (step_i) index_q <= next;
    enter_q <= enter_i;
    leave_q <= leave_i;
  end

  // Bounds stay for a turn, are counted as positions are, and an index does not wrap.
  `TSR_ASSUME(Bounds, enter_i <= leave_i)
  `TSR_ASSUME(Whole, ((enter_i | leave_i) & IndexWidth'(Step - 1)) == '0)
  `TSR_ASSUME(BoundsStay, begin_i || !known_q || (enter_i == enter_q && leave_i == leave_q))
  `TSR_ASSUME(NoWrap, begin_i || !step_i || next != '0)

  index_t index;
  assign index = index_t'({1'b0, index_q});
  `TSR_ASSERT(WholeIndex, !known_q || (index_q & (Step - 1)) == '0)
  `TSR_ASSERT(InsideTheBounds,
              !known_q || inside_o == (index_t'(enter_q) <= index && index < index_t'(leave_q)))

  `TSR_COVER(Enters, known_q && enter_q > 0 && inside_o)
  `TSR_COVER(Leaves, known_q && index_q != '0 && leave_q > 0 && index >= leave_q)
  `TSR_COVER(NothingValid, known_q && enter_q == leave_q && index >= enter_q && enter_q > 0)
  `TSR_COVER(AllBefore, known_q && leave_q < 0 && index_q != '0)
  `TSR_COVER_NEXT(BeginsInside, inside_o && index_q != '0 && begin_i, inside_o && enter_q < 0)

endmodule
