// tsr_plan_turn: a channel gets back the state that it left, however long others were at work; a turn passes only
// to another channel that wanted one, and while the one at work allows it.
`include "proof.svh"

module plan_turn_proof #(
  localparam int unsigned Channels   = 3,
  localparam int unsigned WordsWidth = 2
) (
  input logic                  clk_i,
  input logic                  rst_ni,
  input logic [  Channels-1:0] wants_i,
  input logic [  Channels-1:0] weight_i,
  input logic                  idle_i,
  input logic                  stuck_i,
  input logic                  still_i,
  input logic                  used_i,
  input logic [WordsWidth-1:0] words_i,
  input logic                  state_i
);

  `TSR_PROOF_RESET

  logic [1:0] channel, channel_next, before_q;
  logic hold, swap, refresh, state;
  tsr_plan_turn #(
    .Channels   (Channels),
    .WeightWidth(1),
    .Quantum    (2),
    .WordsWidth (WordsWidth)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .wants_i,
    .weight_i,
    .channel_o     (channel),
    .channel_next_o(channel_next),
    .idle_i,
    .stuck_i,
    .still_i,
    .used_i,
    .words_i,
    .over_o        (),
    .hold_o        (hold),
    .swap_o        (swap),
    .refresh_o     (refresh),
    .state_i,
    .state_o       (state)
  );

  logic [2**2-1:0] kept_q;
  logic [3:0][2:0] wanted_q;  // of each channel: in the last cycles
  logic swapped_q;
  always_ff @(posedge clk_i) begin
    before_q <= channel_next;
    if (!rst_ni) begin
      kept_q    <= '0;
      swapped_q <= 1'b0;
      wanted_q  <= '0;
    end else begin
      if (swap) kept_q[channel] <= state_i;
      swapped_q <= swap;
      for (int unsigned c = 0; c < Channels; c++) wanted_q[c] <= {wanted_q[c][1:0], wants_i[c]};
    end
  end

  // The channel at work goes on by itself: its words are at most those of a burst.
  `TSR_ASSUME(AtMostABurst, words_i <= 2'd2)

  `TSR_ASSERT(ItsOwnState, !swap || state == kept_q[channel_next])
  `TSR_ASSERT(AnotherChannel, !swap || (channel_next != channel && channel_next < 2'(Channels)))
  `TSR_ASSERT(OneThatWants, !swap || wanted_q[channel_next] != '0)
  `TSR_ASSERT(OnlyWhileStill, !swap || (still_i && hold))
  `TSR_ASSERT(RefreshFollows, refresh == swapped_q)
  `TSR_ASSERT_NEXT(OnlyBySwaps, 1'b1, channel == before_q)
  `TSR_ASSERT(StaysOtherwise, swap || channel_next == channel)

  logic [3:0] left_q;  // channels that were at work before, with a state
  always_ff @(posedge clk_i) begin
    if (!rst_ni) left_q <= '0;
    else if (swap) left_q[channel] <= 1'b1;
  end
  `TSR_COVER(ComesBack, swap && left_q[channel_next] && state)
  `TSR_COVER(SkipsAChannel, swap && channel == 2'd0 && channel_next == 2'd2)

endmodule
