// tsr_pieces: a channel that is swapped out and in again gives the same pieces of the same segments as one that
// stays at work.
//
// One instance is swapped at any legal time; the other one has channel 0 alone. That gets the segments of channel 0
// when the first takes them, and may fire when the first does: then their pieces come in the same cycles.
`include "proof.svh"
`include "tsr_core_types.svh"

module swap_pieces_proof
  import tsr_core_pkg::*;
#(
  localparam int unsigned AddrWidth = 3,
  localparam int unsigned BurstLog  = 1,
  localparam int unsigned DataWidth = 3,
  localparam type         segment_t = `TSR_SEGMENT_T(AddrWidth, SizeWidth),
  localparam type         piece_t   = `TSR_PIECE_T(AddrWidth, BurstLog)
) (
  input logic                 clk_i,
  input logic                 rst_ni,
  input logic                 swap_i,
  input logic                 word_valid_i,
  input logic                 word_channel_i,
  input logic                 word_slot_i,
  input logic                 go_i,
  input row_t                 row_i,
  input logic                 first_i,
  input logic                 ends_i,
  input logic                 data_i,
  input logic [AddrWidth-1:0] addr_i,
  input logic [DataWidth-1:0] size_i,
  input logic                 segment_valid_i
);

  `TSR_PROOF_RESET
  OneReset :
  assume property (@(posedge clk_i) rst_ni == started_q);

  // ---- Swaps

  logic channel_q, refresh_q, still, swap;
  pieces_state_t state;
  pieces_state_t [1:0] state_q;
  assign swap = rst_ni && swap_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {channel_q, refresh_q, state_q} <= '0;
    else begin
      channel_q <= channel_q ^ swap;
      refresh_q <= swap;
      if (swap) state_q[channel_q] <= state;
    end
  end
  `TSR_ASSUME(SwapsWhileStill, !swap_i || (still && !refresh_q))
  `TSR_ASSUME(HoldsBeforeASwap, !swap_i || !go_i)

  // ---- Segments of a channel: transfers of one context each

  context_word_t word;
  segment_t segment;
  logic [1:0] open_q, length_q, begun_q;
  logic ready, takes, kill, final_;
  always_comb begin
    word = '{
        channel: 4'(word_channel_i),
        slot: slot_t'(word_slot_i),
        word: WordLength,
        data: 64'(size_i)
    };
    segment = '{
        row: row_i,
        first: first_i,
        ends: ends_i,
        data: data_i,
        addr: addr_i,
        big: size_i >= DataWidth'(2 ** BurstLog),
        size: SizeWidth'(size_i)
    };
  end
  assign takes  = segment_valid_i && ready && !swap;  // in a swap nothing moves
  assign final_ = row_i.final_ && ends_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {open_q, begun_q} <= '0;
    else if (kill) open_q[channel_q] <= 1'b0;
    else if (takes) begin
      open_q[channel_q]   <= !final_;
      length_q[channel_q] <= row_i.has_length;
      begun_q[channel_q]  <= 1'b1;
    end
  end
  `TSR_ASSUME(LengthsBefore, !word_valid_i || !begun_q[word_channel_i])
  `TSR_ASSUME(StartsOnce, !segment_valid_i || (row_i.start && first_i) == !open_q[channel_q])
  `TSR_ASSUME(OneLength,
              !segment_valid_i || !open_q[channel_q] || row_i.has_length == length_q[channel_q])
  `TSR_ASSUME(EmptyRows, !row_i.empty || (ends_i && !data_i))
  `TSR_ASSUME(Contexts, row_i.slot < 2'd2 && !row_i.more && row_i.number == '0)
  // Behind a final row with a length nothing comes before the context has ended.
  logic [1:0] waits_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) waits_q <= '0;
    else if (kill) waits_q[channel_q] <= 1'b0;
    else if (takes && final_ && row_i.has_length) waits_q[channel_q] <= 1'b1;
  end
  `TSR_ASSUME(WaitsForItsEnd, !segment_valid_i || !waits_q[channel_q])

  // ---- The two instances

  logic fire, fire_alone, valid, valid_alone, kill_alone, ready_alone, dropped, dropped_alone;
  piece_t piece, piece_alone;
  logic [BytesWidth-1:0] bytes, bytes_alone;
  tsr_pieces #(
    .Channels (2),
    .AddrWidth(AddrWidth),
    .BurstLog (BurstLog),
    .BriefLog (0),
    .Walk     (1'b0)
  ) u_swapped (
    .clk_i,
    .rst_ni,
    .word_valid_i,
    .word_i         (word),
    .channel_i      (channel_q),
    .go_i,
    .kill_o         (kill),
    .discard_i      ('0),
    .fire_o         (fire),
    .brief_o        (),
    .still_o        (still),
    .swap_i         (swap),
    .refresh_i      (refresh_q),
    .state_i        (state_q[!channel_q]),
    .state_o        (state),
    .segment_i      (segment),
    .segment_valid_i,
    .segment_ready_o(ready),
    .piece_o        (piece),
    .bytes_o        (bytes),
    .piece_valid_o  (valid),
    .dropped_o      (dropped)
  );
  tsr_pieces #(
    .Channels (1),
    .AddrWidth(AddrWidth),
    .BurstLog (BurstLog),
    .BriefLog (0),
    .Walk     (1'b0)
  ) u_alone (
    .clk_i,
    .rst_ni,
    .word_valid_i   (word_valid_i && !word_channel_i),
    .word_i         (word),
    .channel_i      ('0),
    .go_i           (fire && !channel_q),
    .kill_o         (kill_alone),
    .discard_i      ('0),
    .fire_o         (fire_alone),
    .brief_o        (),
    .still_o        (),
    .swap_i         ('0),
    .refresh_i      ('0),
    .state_i        ('0),
    .state_o        (),
    .segment_i      (segment),
    .segment_valid_i(takes && !channel_q),
    .segment_ready_o(ready_alone),
    .piece_o        (piece_alone),
    .bytes_o        (bytes_alone),
    .piece_valid_o  (valid_alone),
    .dropped_o      (dropped_alone)
  );

  function automatic piece_t meant(piece_t made);
    meant = made;
    if (made.empty) {meant.data, meant.addr, meant.size} = '0;
  endfunction
  `TSR_ASSERT(TakesWhatTheOtherTakes, !(takes && !channel_q) || ready_alone)
  `TSR_ASSERT(FiresTogether, (fire && !channel_q) == fire_alone)
  `TSR_ASSERT(KillsTogether, (kill && !channel_q) == kill_alone)
  `TSR_ASSERT(PiecesTogether, (valid && !channel_q) == valid_alone)
  `TSR_ASSERT(DropsTogether, (dropped && !channel_q) == dropped_alone)
  `TSR_ASSERT(SamePiece, !valid_alone || meant(piece) == meant(piece_alone))
  `TSR_ASSERT(SameBytes, !valid_alone || !piece.final_ || bytes == bytes_alone)

  logic away_q;  // channel 0 was swapped out within a segment
  always_ff @(posedge clk_i) begin
    if (!rst_ni || (valid && !channel_q)) away_q <= 1'b0;
    else if (swap && !channel_q && state.valid && !state.start) away_q <= 1'b1;
  end
  `TSR_COVER(GoesOn, away_q && valid && !channel_q && !piece.empty && !piece.start)
  `TSR_COVER(EndsByLength, away_q && kill && !channel_q)

endmodule
