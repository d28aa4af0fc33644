// tsr_inside: exactly ahead < index <= last unless unbounded, at every position of every turn.
`include "proof.svh"

module inside_proof
  import tsr_pkg::*;
(
  input logic                         clk_i,
  input logic                         rst_ni,
  input logic                         load_i,
  input logic                         begin_i,
  input logic                         step_i,
  input logic signed [IndexWidth-1:0] ahead_i,
  input logic signed [IndexWidth-1:0] last_i,
  input logic                         unbounded_i
);

  `TSR_PROOF_RESET

  typedef logic signed [IndexWidth:0] index_t;

  logic next_o, inside_o;  // of the position to come, of the one at hand
  always_ff @(posedge clk_i) if (load_i) inside_o <= next_o;
  logic [31:0] index_q;

  tsr_inside u_dut (
    .clk_i,
    .ahead_i,
    .last_i,
    .unbounded_i,
    .load_i,
    .begin_i,
    .step_i,
    .index_i(index_q),
    .next_o
  );

  logic known_q;  // a turn has begun
  logic signed [IndexWidth-1:0] ahead_q, last_q;
  logic unbounded_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) known_q <= 1'b0;
    else if (load_i && begin_i) known_q <= 1'b1;
    if (load_i && begin_i) index_q <= '0;
    else if (load_i && step_i) index_q <= index_q + 1'b1;
    ahead_q <= ahead_i;
    last_q <= last_i;
    unbounded_q <= unbounded_i;
  end

  // Bounds stay for a turn, and an index does not wrap.
  `TSR_ASSUME(Bounds, ahead_i <= last_i)
  logic stay;
  assign stay = ahead_i == ahead_q && last_i == last_q && unbounded_i == unbounded_q;
  `TSR_ASSUME(BoundsStay, (load_i && begin_i) || !known_q || stay)
  `TSR_ASSUME(NoWrap, begin_i || !step_i || index_q != '1)

  index_t index;
  assign index = index_t'({1'b0, index_q});
  logic is_inside;
  assign is_inside = index_t'(ahead_q) < index && index <= index_t'(last_q);
  `TSR_ASSERT(KeepsWhatItTold, !known_q || u_dut.inside_q == inside_o)
  `TSR_ASSERT(InsideTheBounds, !known_q || inside_o == (unbounded_q || is_inside))

  `TSR_COVER(Enters, known_q && !unbounded_q && ahead_q > 0 && inside_o)
  `TSR_COVER(StaysUnbounded, known_q && unbounded_q && index > last_q)
  `TSR_COVER(Leaves, known_q && last_q >= 0 && index > last_q)
  `TSR_COVER(NothingValid, known_q && ahead_q == last_q && index > ahead_q && ahead_q > 0)
  `TSR_COVER(AllBefore, known_q && last_q < 0 && index_q != '0)
  `TSR_COVER_NEXT(BeginsInside, inside_o && index_q != '0 && load_i && begin_i,
                  inside_o && ahead_q < -1)

endmodule
