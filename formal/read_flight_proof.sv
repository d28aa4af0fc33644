// tsr_read_flight: not more words are asked for than the longest window and one piece, and none is
// forgotten: when all have come there is room again.
`include "proof.svh"

module read_flight_proof #(
  localparam int unsigned Most    = 6,
  localparam int unsigned Brief   = 1,
  localparam int unsigned Longest = 3
) (
  input logic       clk_i,
  input logic       rst_ni,
  input logic       brief_i,
  input logic       fire_i,
  input logic [1:0] taken_i,   // words of the piece that fires
  input logic       came_i,
  input logic       stalled_i
);

  `TSR_PROOF_RESET

  logic ready;
  logic [1:0] fired_q;
  logic [1:0][1:0] taken_q;
  tsr_read_flight #(
    .Most      (Most),
    .Brief     (Brief),
    .Longest   (Longest),
    .Decay     (2),
    .TakenWidth(2)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .brief_i,
    .fire_i,
    .ready_o      (ready),
    .taken_valid_i(fired_q[1]),
    .taken_i      (taken_q[1]),
    .came_i,
    .stalled_i
  );

  // Words that were asked for and did not come; of these, those of pieces that have gone out.
  logic [4:0] flight_q, out_q;
  logic [2:0] quiet_q;  // cycles in which nothing was asked for or came, with nothing in flight
  always_ff @(posedge clk_i) begin
    taken_q <= {taken_q[0], taken_i};
    if (!rst_ni) begin
      fired_q  <= '0;
      flight_q <= '0;
      out_q    <= '0;
      quiet_q  <= '0;
    end else begin
      fired_q  <= {fired_q[0], fire_i};
      flight_q <= flight_q + (fire_i ? 5'(taken_i) : '0) - 5'(came_i);
      out_q    <= out_q + (fired_q[1] ? 5'(taken_q[1]) : '0) - 5'(came_i);
      quiet_q  <= fire_i || flight_q != '0 ? '0 : quiet_q + 3'(quiet_q != '1);
    end
  end

  `TSR_ASSUME(FiresWhileReady, !fire_i || ready)
  `TSR_ASSUME(TakesItsKind, taken_i <= 2'(brief_i ? Brief : Longest))
  `TSR_ASSUME(ComesWhenAskedFor, !came_i || out_q != '0)

  `TSR_ASSERT(NeverTooMany, flight_q <= 5'(Most + Longest))
  `TSR_ASSERT(RoomAgain, quiet_q < 3'd4 || ready)

  `TSR_COVER(AlmostTooMany, flight_q == 5'(Most + Longest - 1))
  logic was_held_q;
  always_ff @(posedge clk_i)
    was_held_q <= rst_ni && (was_held_q || (!ready && flight_q >= 5'(Most)));
  `TSR_COVER(EmptyAgain, was_held_q && flight_q == '0 && ready)

endmodule
