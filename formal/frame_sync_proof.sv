// tsr_frame_sync: of the beats before the mark none passes and each is counted, all others pass in order,
// and the marked one is the first after a hunt. With Hold no marked beat passes that no hunt has found, and
// nothing passes and nothing is dropped while it is shut.
`include "proof.svh"

module frame_sync_proof #(
  parameter  bit          Hold = 1'b0,
  localparam int unsigned Bits = 2
) (
  input logic            clk_i,
  input logic            rst_ni,
  input logic            hunt_i,
  input logic            shut_i,
  input logic            clear_i,
  input logic [Bits-1:0] data_i,
  input logic            marked_i,
  input logic            valid_i,
  input logic            ready_i
);

  `TSR_PROOF_RESET

  logic mark_o, ready_o, valid_o, shut;
  assign shut = shut_i && Hold;
  logic [31:0] dropped_o;
  logic [Bits-1:0] data_o;

  tsr_frame_sync #(
    .T(logic [Bits-1:0])
  ) u_dut (
    .hold_i(Hold),
    .shut_i(shut),
    .*
  );

  `TSR_ASSUME_STABLE(InStays, valid_i, ready_o, {marked_i, data_i})

  logic taken, passed, shown_q, hunted_q;
  logic [31:0] count_q;
  assign taken  = valid_i && ready_o;
  assign passed = valid_o && ready_i;
  always_ff @(posedge clk_i) begin
    shown_q  <= rst_ni && valid_o && !ready_i;
    hunted_q <= rst_ni && hunt_i;
    count_q  <= !rst_ni || clear_i ? '0 : count_q + 32'(taken && !passed);
  end

  `TSR_ASSERT(NothingIsMadeUp, !passed || (taken && data_o == data_i))
  `TSR_ASSERT(DropsOnlyWhileItHunts, !(taken && !passed) || (hunt_i && !shut && !marked_i))
  `TSR_ASSERT(Counts, dropped_o == count_q)
  `TSR_ASSERT(NothingPassesTheHunt, !(hunt_i && (Hold || !shown_q)) || !valid_o)
  `TSR_ASSERT(PassesOtherwise,
              hunt_i || shut || (Hold && marked_i) || (valid_o == valid_i && ready_o == ready_i))
  `TSR_ASSERT(ShownStays, Hold || !shown_q || (valid_o && data_o == $past(data_o)))
  `TSR_ASSERT(HuntsOn, !(hunt_i && !shut && (Hold || !shown_q) && valid_i && !marked_i) || taken)
  `TSR_ASSERT(NothingMovesWhileItIsShut, !shut || (!valid_o && !ready_o && !mark_o))
  // After a hunt that found its mark, that beat is next.
  logic found_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || passed) found_q <= 1'b0;
    else if (mark_o) found_q <= 1'b1;
  end
  `TSR_ASSERT(AMarkWaitsForItsHunt, !Hold || !(passed && marked_i) || found_q)
  `TSR_ASSERT(WhatWasFoundPasses, !Hold || !(found_q && !hunt_i && !shut && valid_i) || valid_o)
  `TSR_ASSERT(TheMarkIsFirst, !(found_q && passed) || marked_i)
  `TSR_ASSERT_NEXT(OnePulse, mark_o, !mark_o)
  `TSR_ASSERT(MarkIsThere, !mark_o || (hunt_i && valid_i && marked_i))
  `TSR_ASSERT_NEXT(MarkIsTold, hunt_i && !valid_i,
                   !(hunt_i && !shut && valid_i && marked_i) || mark_o)

  `TSR_COVER(FoundAfterThree, mark_o && dropped_o == 32'd3)
  `TSR_COVER(GoesOn, found_q && passed && !hunt_i)
  `TSR_COVER(ShownWhenTheHuntBegan, Hold || shown_q && hunt_i && passed && !hunted_q)

endmodule
