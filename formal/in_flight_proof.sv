// tsr_in_flight: there is room exactly while fewer than `Limit` bursts are in flight, and it is quiet
// exactly while there is none.
`include "proof.svh"

module in_flight_proof #(
  parameter int unsigned Limit = 4
) (
  input logic clk_i,
  input logic rst_ni,
  input logic start_i,
  input logic end_i
);

  `TSR_PROOF_RESET

  logic room_o, none_o;

  tsr_in_flight #(
    .Limit(Limit)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .start_i,
    .end_i,
    .room_o,
    .none_o
  );

  logic [7:0] flying_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) flying_q <= '0;
    else flying_q <= flying_q + 8'(start_i) - 8'(end_i);
  end

  `TSR_ASSUME(StartsWithRoom, !start_i || room_o)
  `TSR_ASSUME(EndsWhatStarted, !end_i || start_i || flying_q != '0)

  `TSR_ASSERT(NeverMoreThanLimit, flying_q <= 8'(Limit))
  `TSR_ASSERT(RoomBelowLimit, room_o == (flying_q < 8'(Limit)))
  `TSR_ASSERT(NoneWhenEmpty, none_o == (flying_q == '0))
  `TSR_ASSERT_NEXT(RoomStays, room_o && !start_i, room_o)

  logic full_q;
  always_ff @(posedge clk_i) full_q <= rst_ni && (full_q || !room_o);
  `TSR_COVER(Full, !room_o)
  `TSR_COVER(EmptyAfterFull, full_q && none_o)
  `TSR_COVER(StartAndEnd, start_i && end_i)
  `TSR_COVER_NEXT(EndMakesRoom, !room_o && end_i, room_o)

endmodule
