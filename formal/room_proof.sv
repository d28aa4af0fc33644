// tsr_room: there is room exactly while a slot is free, from the next cycle on.
`include "proof.svh"

module room_proof #(
  parameter int unsigned Slots = 4
) (
  input logic clk_i,
  input logic rst_ni,
  input logic claim_i,
  input logic free_i
);

  `TSR_PROOF_RESET

  localparam int unsigned Width = $clog2(Slots + 1) + 1;
  typedef logic [Width-1:0] count_t;

  logic room_o;
  count_t used_q, used;

  tsr_room #(
    .Slots(Slots)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .claim_i,
    .free_i,
    .room_o
  );

  assign used = used_q + count_t'(claim_i) - count_t'(free_i);
  always_ff @(posedge clk_i) used_q <= rst_ni ? used : '0;

  `TSR_ASSUME(OnlyIntoRoom, !claim_i || room_o)
  `TSR_ASSUME(FreesWhatIsUsed, !free_i || used_q != '0)

  `TSR_ASSERT(NeverTooMany, used_q <= count_t'(Slots))
  `TSR_ASSERT(RoomWhileFree, room_o == (used_q != count_t'(Slots)))

  `TSR_COVER_NEXT(Full, claim_i, !room_o)
  `TSR_COVER_NEXT(RoomAgain, !room_o && free_i, claim_i)
  logic streak_q;
  always_ff @(posedge clk_i) streak_q <= rst_ni && claim_i && free_i;
  `TSR_COVER(EveryCycle, streak_q && claim_i && free_i)

endmodule
