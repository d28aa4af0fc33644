// tsr_nest: a channel that is swapped out and in again gives the same runs of the same contexts as one that stays at
// work. As in swap_pieces_proof one of two instances has channel 0 alone, and contexts and runs of channel 0 go in
// and out of both in the same cycles.
`include "proof.svh"

module swap_nest_proof
  import tsr_core_pkg::*;
(
  input logic         clk_i,
  input logic         rst_ni,
  input logic         swap_i,
  input logic         word_valid_i,
  input logic         word_channel_i,
  input logic         word_slot_i,
  input logic   [3:0] word_i,
  input logic   [1:0] word_data_i,
  input logic         word_flags_i,
  input flags_t       flags_i,
  input logic         start_i,
  input logic         kill_i,
  input logic         run_ready_i
);

  `TSR_PROOF_RESET
  OneReset :
  assume property (@(posedge clk_i) rst_ni == started_q);

  logic channel_q, refresh_q, swap, safe;
  nest_state_t state;
  nest_state_t [1:0] state_q;
  logic [1:0] begun_q;
  assign swap = rst_ni && swap_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {channel_q, refresh_q, state_q, begun_q} <= '0;
    else begin
      channel_q <= channel_q ^ swap;
      refresh_q <= swap;
      if (swap) state_q[channel_q] <= state;
      if (start_i) begun_q[channel_q] <= 1'b1;
    end
  end
  `TSR_ASSUME(SwapsWhileSafe, !swap_i || (safe && !refresh_q && !start_i && !kill_i))
  // A context is killed by its last piece: behind its first run.
  logic [1:0] runs_q;
  `TSR_ASSUME(Kills, !kill_i || (!refresh_q && runs_q[channel_q]))

  // ---- Contexts of up to three levels, written before the channel begins

  context_word_t word;
  flags_t [1:0][1:0] flags_q;
  logic word_valid;
  assign word_valid = rst_ni && word_valid_i;
  always_comb begin
    word = '0;
    word.channel = 4'(word_channel_i);
    word.slot = slot_t'(word_slot_i);
    word.word = word_flags_i ? WordFlags : word_e'({1'b0, word_i});
    word.data = word_flags_i ? 64'(flags_i) : 64'(word_data_i);
  end
  always_ff @(posedge clk_i)
    if (word_valid && word_flags_i)
      flags_q[word_channel_i][word_slot_i] <= flags_i;
  `TSR_ASSUME(WordsBefore, !word_valid_i || !begun_q[word_channel_i])
  `TSR_ASSUME(WordsBeforeAStart, !word_valid_i || !start_i)
  `TSR_ASSUME(LevelsInARow, flags_i.levels inside {4'd0, 4'd1, 4'd3, 4'd7})
  `TSR_ASSUME(Positions, word_data_i != '0)
  for (genvar l = 0; l < Levels; l++) begin : gen_level
    `TSR_ASSUME(Phases, flags_i.levels[l] ? flags_i.phases[l] != '0 : flags_i.phases[l] == 3'b010)
  end
  logic slot;
  assign slot = state.slot[0];
  `TSR_ASSUME(StartsWhatIsWritten, !start_i || flags_q[channel_q][slot].phases[3] == 3'b010)

  // ---- The two instances

  logic ready, valid, ready_alone, valid_alone, starts, takes;
  run_t run, alone;
  assign starts = start_i && ready && !swap;
  assign takes  = valid && run_ready_i && !swap;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) runs_q <= '0;
    else if (starts || kill_i) runs_q[channel_q] <= 1'b0;
    else if (takes) runs_q[channel_q] <= 1'b1;
  end
  tsr_nest #(
    .Channels(2)
  ) u_swapped (
    .clk_i,
    .rst_ni,
    .word_valid_i (word_valid),
    .word_i       (word),
    .channel_i    (channel_q),
    .start_valid_i(start_i),
    .start_ready_o(ready),
    .kill_i,
    .discard_i    ('0),
    .swap_i       (swap),
    .refresh_i    (refresh_q),
    .state_i      (state_q[!channel_q]),
    .state_o      (state),
    .safe_o       (safe),
    .run_o        (run),
    .run_valid_o  (valid),
    .run_ready_i
  );
  tsr_nest #(
    .Channels(1)
  ) u_alone (
    .clk_i,
    .rst_ni,
    .word_valid_i (word_valid && !word_channel_i),
    .word_i       (word),
    .channel_i    ('0),
    .start_valid_i(starts && !channel_q),
    .start_ready_o(ready_alone),
    .kill_i       (kill_i && !channel_q),
    .discard_i    ('0),
    .swap_i       ('0),
    .refresh_i    ('0),
    .state_i      ('0),
    .state_o      (),
    .safe_o       (),
    .run_o        (alone),
    .run_valid_o  (valid_alone),
    .run_ready_i  (takes && !channel_q)
  );

  `TSR_ASSERT(StartsTogether, !(starts && !channel_q) || ready_alone)
  `TSR_ASSERT(RunsTogether, !(takes && !channel_q) || valid_alone)
  `TSR_ASSERT(SameRun, !(takes && !channel_q) || run == alone)

  logic away_q, other_q;  // channel 0 was swapped out within a context, and the other one had a run
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {away_q, other_q} <= '0;
    else begin
      if (swap && !channel_q && runs_q[0]) away_q <= 1'b1;
      if (takes && channel_q) other_q <= 1'b1;
    end
  end
  `TSR_COVER(GoesOn, away_q && takes && !channel_q && run.first == 3'd0)
  `TSR_COVER(BothGoOn, other_q && takes && !channel_q && run.row.final_ && runs_q[0])

endmodule
