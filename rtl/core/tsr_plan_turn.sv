// Decides which channel is at work in a planner: deficit round robin by weight, with a swap of the
// channel's state.
//
// Contract: a channel has its turn while it has credit and can go on: `idle_i` says that it has
// nothing to do, `stuck_i` that it waits for room or data. Each turn adds its weight times a
// quantum of words; words that it used too many are taken from its next turn, credit of a channel
// that ran out of work is lost. `hold_o`, known a cycle ahead by `over_o`, stops new pieces; once
// `still_i` the swap comes, then `refresh_o`, and a piece may fire in the cycle after that. A turn
// passes only to a channel that `wants_i`. The state of the next channel is read ahead.
// Throughput: a swap costs 3 cycles without a piece.
`include "tsr_assert.svh"
module tsr_plan_turn #(
  parameter  int unsigned Channels    = 4,                // 2 .. 16
  parameter  int unsigned WeightWidth = 4,
  parameter  int unsigned Quantum     = 16,               // words, a power of two
  parameter  int unsigned WordsWidth  = 7,                // of the words of a piece
  parameter  type         state_t     = logic,
  localparam int unsigned Index       = $clog2(Channels)
) (
  input logic clk_i,
  input logic rst_ni,
  input logic [Channels-1:0] wants_i,  // has work and can go on; of the one at work ignored
  input logic [Channels-1:0][WeightWidth-1:0] weight_i,  // 0 counts as 1
  // The channel at work
  output logic [Index-1:0] channel_o,
  output logic [Index-1:0] channel_next_o,  // that of the next cycle
  input logic idle_i,
  input logic stuck_i,
  input logic still_i,
  input logic used_i,  // words of a piece
  input logic [WordsWidth-1:0] words_i,
  output logic over_o,  // hold_o or a swap comes
  output logic hold_o,
  output logic swap_o,
  output logic refresh_o,
  input state_t state_i,  // of the channel at work
  output state_t state_o  // of the next
);

  localparam int unsigned QuantumLog = $clog2(Quantum);
  localparam int unsigned CreditWidth = WeightWidth + QuantumLog + 3;
  typedef logic signed [CreditWidth-1:0] credit_t;

  // ---- Choice of the next: the first that wants behind the one at work, found in three cycles

  logic [Channels-1:0] wants_q, behind_q;
  logic [Index-1:0] channel_q, next_q, next2_q, low, high;
  logic next_valid_q, next2_valid_q, any_behind;
  logic [1:0] fresh_q;  // what was chosen may be the one at work by now
  always_comb begin
    low = '0;
    high = '0;
    any_behind = |(wants_q & behind_q);
    for (int unsigned i = Channels; i > 0; i--) begin
      if (wants_q[i-1]) low = Index'(i - 1);
      if (wants_q[i-1] && behind_q[i-1]) high = Index'(i - 1);
    end
  end

  // ---- States of the channels that are not at work

  (* ram_style = "distributed" *) logic [$bits(state_t)-1:0] mem[Channels];
  logic [Channels-1:0] kept_q;
  state_t state_q;
  logic known_q;
  assign state_o = known_q ? state_q : '0;

  always_ff @(posedge clk_i) begin
    if (swap_o) mem[channel_q] <= state_i;
    state_q <= state_t'(mem[next_q]);
  end

  // ---- Turns

  credit_t credit_q, credit_d, quantum;
  logic hold_q, refresh_q;
  assign over_o         = next2_valid_q && (idle_i || stuck_i || credit_q <= 0);
  assign swap_o         = hold_q && still_i && next2_valid_q;
  assign hold_o         = hold_q;
  assign refresh_o      = refresh_q;
  assign channel_o      = channel_q;
  assign channel_next_o = swap_o ? next2_q : channel_q;

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Channels; i++) begin
      wants_q[i]  <= wants_i[i] && channel_q != Index'(i);
      behind_q[i] <= Index'(i) > channel_q;
    end
    next_q  <= any_behind ? high : low;
    next2_q <= next_q;
    known_q <= kept_q[next_q];
    if (!rst_ni) begin
      channel_q     <= '0;
      kept_q        <= '0;
      fresh_q       <= '0;
      next_valid_q  <= 1'b0;
      next2_valid_q <= 1'b0;
      hold_q        <= 1'b0;
      refresh_q     <= 1'b0;
    end else begin
      fresh_q       <= {fresh_q[0], !swap_o};
      next_valid_q  <= |wants_q && !swap_o && &fresh_q;
      next2_valid_q <= next_valid_q && !swap_o;
      hold_q        <= over_o && !swap_o;
      refresh_q     <= swap_o;
      if (swap_o) begin
        channel_q         <= next2_q;
        kept_q[channel_q] <= 1'b1;
      end
    end
  end

  // ---- Credit

  logic gains_q;
  logic [WeightWidth-1:0] weight_q;
  assign quantum = credit_t'({weight_q, QuantumLog'(0)});
  always_comb begin
    credit_d = credit_q;
    if (gains_q) credit_d = credit_q > 0 ? quantum : credit_q + quantum;
    else if (used_i) credit_d = credit_q - credit_t'({1'b0, words_i});
    // Credit is not saved up, and there is no debt to channels that want nothing.
    if (credit_q > 0 ? idle_i : wants_q == '0) credit_d = gains_q ? quantum : credit_t'(0);
  end
  always_ff @(posedge clk_i) begin
    gains_q  <= refresh_q;
    weight_q <= weight_i[channel_q] == '0 ? WeightWidth'(1) : weight_i[channel_q];
  end
  tsr_swapped #(
    .Channels(Channels),
    .T       (credit_t)
  ) u_credit (
    .clk_i,
    .rst_ni,
    .channel_i(channel_q),
    .refresh_i(refresh_q),
    .data_i   (credit_d),
    .data_o   (credit_q)
  );

  `TSR_ASSERT(AnotherChannel, !swap_o || next2_q != channel_q)
  `TSR_ASSERT(StateIsRead, !swap_o || !refresh_q)

endmodule
