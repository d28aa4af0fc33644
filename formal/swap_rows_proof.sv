// tsr_rows: a channel that is swapped out and in again gives the same segments of the same runs as one that stays
// at work. As in swap_pieces_proof one of two instances has channel 0 alone, and runs and segments of channel 0 go
// in and out of both in the same cycles.
`include "proof.svh"
`include "tsr_core_types.svh"

module swap_rows_proof
  import tsr_core_pkg::*;
#(
  localparam int unsigned AddrWidth = 3,
  localparam type         segment_t = `TSR_SEGMENT_T(AddrWidth, SizeWidth)
) (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        swap_i,
  input logic        word_valid_i,
  input logic        word_channel_i,
  input logic        word_slot_i,
  input word_e       word_i,
  input logic  [2:0] word_data_i,
  input logic        two_i,           // rows of a run
  input logic  [2:0] first_i,
  input logic        packets_i,
  input row_t        row_i,
  input logic        run_valid_i,
  input logic        segment_ready_i
);

  `TSR_PROOF_RESET
  OneReset :
  assume property (@(posedge clk_i) rst_ni == started_q);

  logic channel_q, refresh_q, swap;
  rows_state_t state;
  rows_state_t [1:0] state_q;
  logic [1:0] begun_q;
  assign swap = rst_ni && swap_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {channel_q, refresh_q, state_q, begun_q} <= '0;
    else begin
      channel_q <= channel_q ^ swap;
      refresh_q <= swap;
      if (swap) state_q[channel_q] <= state;
      if (run_valid_i) begun_q[channel_q] <= 1'b1;
    end
  end
  `TSR_ASSUME(Swaps, !swap_i || !refresh_q)

  logic ready, valid, ready_alone, valid_alone, takes, gives;
  segment_t segment, alone;
  assign takes = run_valid_i && ready && !swap;
  assign gives = valid && segment_ready_i && !swap;
  context_word_t word;
  run_t run;
  logic word_valid;
  assign word_valid = rst_ni && word_valid_i;
  always_comb begin
    word = '{
        channel: 4'(word_channel_i),
        slot: slot_t'(word_slot_i),
        word: word_i,
        data: 64'(word_data_i)
    };
    run = '0;
    run.turns = {(CountWidth + 1) {two_i}};
    run.first = first_i;
    run.packets = packets_i;
    run.row = row_i;
  end
  `TSR_ASSUME(WordsBefore, !word_valid_i || !begun_q[word_channel_i])
  // The first run begins at an address.
  logic [1:0] fresh_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) fresh_q <= '1;
    else if (takes) fresh_q[channel_q] <= 1'b0;
  end
  `TSR_ASSUME(BeginsAtItsAddress, !fresh_q[channel_q] || first_i == 3'd4)
  `TSR_ASSUME(EmptyRuns, !row_i.empty || !two_i)
  `TSR_ASSUME(Jumps, first_i inside {3'd0, 3'd1, 3'd4})
  `TSR_ASSUME(Contexts, row_i.slot < 2'd2 && row_i.number == '0 && !row_i.more)
  `TSR_ASSUME(PassedOn, !row_i.has_length && !row_i.last && !row_i.flush)

  // ---- The two instances

  tsr_rows #(
    .Channels (2),
    .AddrWidth(AddrWidth),
    .BurstLog (1)
  ) u_swapped (
    .clk_i,
    .rst_ni,
    .word_valid_i   (word_valid),
    .word_i         (word),
    .channel_i      (channel_q),
    .kill_i         ('0),
    .discard_i      ('0),
    .swap_i         (swap),
    .refresh_i      (refresh_q),
    .state_i        (state_q[!channel_q]),
    .state_o        (state),
    .run_i          (run),
    .run_valid_i,
    .run_ready_o    (ready),
    .segment_o      (segment),
    .segment_valid_o(valid),
    .segment_ready_i
  );
  tsr_rows #(
    .Channels (1),
    .AddrWidth(AddrWidth),
    .BurstLog (1)
  ) u_alone (
    .clk_i,
    .rst_ni,
    .word_valid_i   (word_valid && !word_channel_i),
    .word_i         (word),
    .channel_i      ('0),
    .kill_i         ('0),
    .discard_i      ('0),
    .swap_i         ('0),
    .refresh_i      ('0),
    .state_i        ('0),
    .state_o        (),
    .run_i          (run),
    .run_valid_i    (takes && !channel_q),
    .run_ready_o    (ready_alone),
    .segment_o      (alone),
    .segment_valid_o(valid_alone),
    .segment_ready_i(gives && !channel_q)
  );

  function automatic segment_t meant(segment_t made);
    meant = made;
    if (made.row.empty) {meant.big, meant.addr, meant.size} = '0;
  endfunction
  `TSR_ASSERT(TakesWhatTheOtherTakes, !(takes && !channel_q) || ready_alone)
  `TSR_ASSERT(GivesWhatTheOtherGives, !(gives && !channel_q) || valid_alone)
  `TSR_ASSERT(SameSegment, !(gives && !channel_q) || meant(segment) == meant(alone))

  logic away_q, other_q;  // channel 0 was swapped out within a row, and the other one had a row
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {away_q, other_q} <= '0;
    else begin
      if (swap && !channel_q && state.row_valid) away_q <= 1'b1;
      if (gives && channel_q) other_q <= 1'b1;
    end
  end
  `TSR_COVER(GoesOn, away_q && gives && !channel_q && segment.data)
  `TSR_COVER(BothGoOn, other_q && gives && !channel_q && segment.row.tail && segment.ends)

endmodule
