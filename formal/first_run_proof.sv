// tsr_first_run: the run from lane 0 on, else the lowest lane alone, with its beginning and its size.
`include "proof.svh"

module first_run_proof #(
  parameter int unsigned Lanes = 8,
  parameter int unsigned Width = 4
) (
  input logic                     clk_i,
  input logic                     rst_ni,
  input logic [        Lanes-1:0] lanes_i,
  input logic [$clog2(Lanes)-1:0] lane_i    // any lane
);

  `TSR_PROOF_RESET

  logic [Lanes-1:0] piece_o, upto, below;
  logic [Width-1:0] first_o, size_o;

  tsr_first_run #(
    .Lanes(Lanes),
    .Width(Width)
  ) u_dut (
    .lanes_i,
    .piece_o,
    .first_o,
    .size_o
  );

  assign below = (Lanes'(1) << lane_i) - 1'b1;
  assign upto  = below | (Lanes'(1) << lane_i);

  `TSR_ASSERT(RunFromLaneZero, !lanes_i[0] || piece_o[lane_i] == ((lanes_i & upto) == upto))
  `TSR_ASSERT(ElseTheLowest,
              lanes_i[0] || piece_o[lane_i] == (lanes_i[lane_i] && (lanes_i & below) == '0))
  `TSR_ASSERT(BeginsThere, !piece_o[lane_i] || (piece_o & below) != '0 || first_o == Width'(lane_i))
  `TSR_ASSERT(Counted, 32'(size_o) == $countones(piece_o))
  `TSR_ASSERT(NothingOfNothing, lanes_i != '0 || (piece_o == '0 && size_o == '0))

  `TSR_COVER(All, &piece_o)
  `TSR_COVER(EndsAtAHole, piece_o == Lanes'(3) && lanes_i[Lanes-1])
  `TSR_COVER(TheLastLane, piece_o[Lanes-1] && !piece_o[0])

endmodule
