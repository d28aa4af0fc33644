// tsr_round_robin: one of those that ask, the nearest behind the last.
`include "proof.svh"

module round_robin_proof #(
  parameter  int unsigned Channels = 5,
  localparam int unsigned Width    = $clog2(Channels + 1)
) (
  input logic                clk_i,
  input logic                rst_ni,
  input logic [Channels-1:0] request_i,
  input logic [   Width-1:0] last_i,     // who went last
  input logic [   Width-1:0] winner_i,   // any channel
  input logic [   Width-1:0] other_i     // any other
);

  `TSR_PROOF_RESET

  logic [Channels-1:0] next_o;

  tsr_round_robin #(
    .Channels(Channels)
  ) u_dut (
    .request_i,
    .last_i(Channels'(1) << last_i),
    .next_o
  );

  `TSR_ASSUME(Channel,
              32'(last_i) < Channels && 32'(winner_i) < Channels && 32'(other_i) < Channels)

  function automatic int unsigned distance(logic [Width-1:0] from, logic [Width-1:0] to);
    return to > from ? 32'(to) - 32'(from) : 32'(to) + Channels - 32'(from);
  endfunction

  `TSR_ASSERT(OneOfThem, $onehot0(next_o) && (next_o & ~request_i) == '0)
  `TSR_ASSERT(SomebodyIfAsked, (next_o != '0) == (request_i != '0))
  `TSR_ASSERT(TheNearest, !(next_o[winner_i] && request_i[other_i]) || distance(last_i, winner_i
              ) <= distance(last_i, other_i))

  `TSR_COVER(TheSameAgain, next_o[last_i])
  `TSR_COVER(AroundTheEnd, next_o[0] && 32'(last_i) == Channels - 1)

endmodule
