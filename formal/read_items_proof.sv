// tsr_read_items and tsr_read_words: each piece of memory is one burst and one item of the same channel and length,
// in the same order, and its words are those of the burst; no burst crosses the longest burst. The bytes of the
// pieces of a channel are what its beats hold, whatever channels come between.
`include "proof.svh"
`include "tsr_core_types.svh"

module read_items_proof
  import tsr_core_pkg::*;
#(
  localparam int unsigned Channels  = 2,
  localparam int unsigned AddrWidth = 5,
  localparam int unsigned BusLog    = 1,
  localparam int unsigned BurstLog  = 3,
  localparam int unsigned Words     = BurstLog - BusLog,
  localparam type         piece_t   = `TSR_PIECE_T(AddrWidth, BurstLog),
  localparam type         item_t    = `TSR_READ_ITEM_T(Words, BusLog),
  localparam type         word_t    = `TSR_READ_WORD_T(BusLog, AddrWidth)
) (
  input logic                 clk_i,
  input logic                 rst_ni,
  input logic                 swap_i,
  input logic [ Channels-1:0] abort_i,
  input logic                 piece_valid_i,
  input logic                 empty_i,
  input logic                 start_i,
  input logic                 last_i,
  input logic                 flush_i,
  input logic [AddrWidth-1:0] addr_i,
  input logic [ BurstLog-1:0] size_i,
  input logic                 word_ready_i
);

  `TSR_PROOF_RESET

  // ---- Pieces, as tsr_pieces gives them: each within a burst

  logic channel_q, refresh_q, valid;
  piece_t piece;
  logic [BurstLog:0] last_byte;
  assign last_byte = {1'b0, addr_i[BurstLog-1:0]} + {1'b0, size_i};
  assign valid = rst_ni && piece_valid_i;
  always_comb begin
    piece = '0;
    piece.empty = empty_i;
    piece.data = !empty_i;
    piece.start = start_i;
    piece.last = last_i;
    piece.flush = flush_i;
    piece.addr = addr_i;
    piece.size = size_i;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {channel_q, refresh_q} <= '0;
    else begin
      channel_q <= channel_q ^ swap_i;
      refresh_q <= swap_i;
    end
  end
  `TSR_ASSUME(NoPieceInARefresh, !refresh_q || (!piece_valid_i && !swap_i))
  `TSR_ASSUME(WithinABurst, empty_i || !last_byte[BurstLog])
  `TSR_ASSUME(LastFlushes, !last_i || flush_i)

  logic [AddrWidth-1:BusLog] burst_addr;
  logic [Words-1:0] burst_words;
  logic [Words+1:0] beats;
  logic burst_valid, beats_valid, item_valid;
  item_t item;
  tsr_read_items #(
    .Channels (Channels),
    .AddrWidth(AddrWidth),
    .BusLog   (BusLog),
    .BurstLog (BurstLog),
    .Bounds   (1'b0)
  ) u_items (
    .clk_i,
    .rst_ni,
    .word_valid_i ('0),
    .word_i       ('0),
    .abort_i,
    .channel_i    (channel_q),
    .refresh_i    (refresh_q),
    .piece_i      (piece),
    .piece_valid_i(valid),
    .dropped_i    ('0),
    .burst_addr_o (burst_addr),
    .burst_words_o(burst_words),
    .burst_valid_o(burst_valid),
    .beats_o      (beats),
    .beats_valid_o(beats_valid),
    .item_o       (item),
    .item_valid_o (item_valid)
  );

  // ---- A burst: in one page, with every byte of its piece

  logic [AddrWidth:0] from, to;  // words
  assign from = (AddrWidth + 1)'(addr_i >> BusLog);
  assign to   = ((AddrWidth + 1)'(addr_i) + (AddrWidth + 1)'(size_i)) >> BusLog;
  `TSR_ASSERT(OneBurstAPiece, burst_valid == (valid && !empty_i))
  `TSR_ASSERT(FromItsFirstByte, !burst_valid || (AddrWidth + 1)'(burst_addr) == from)
  `TSR_ASSERT(ToItsLastByte, !burst_valid || from + (AddrWidth + 1)'(burst_words) == to)
  `TSR_ASSERT(NotAcrossABurst,
              !burst_valid || 32'(burst_addr[BurstLog-1:BusLog]) + 32'(burst_words) < 2 ** Words)

  // ---- Its item, two cycles later, and its beats, one cycle later

  typedef struct packed {
    logic             valid, data, channel, last;
    logic [Words-1:0] words;
  } step_t;
  step_t [1:0] step_q;
  logic [1:0][BusLog-1:0] level_q;  // bytes of the open beat of each channel
  logic [BurstLog+1:0] total, total_q;
  logic flush_q;
  logic [BurstLog:0] bytes;
  assign bytes = empty_i ? '0 : {1'b0, size_i} + 1'b1;
  // Behind an abort a beat begins anew.
  logic [Channels-1:0] anew_q;
  logic [  BusLog-1:0] open;
  assign open  = anew_q[channel_q] ? '0 : level_q[channel_q];
  assign total = (BurstLog + 2)'(open) + (BurstLog + 2)'(bytes);
  always_ff @(posedge clk_i) begin
    step_q <= {step_q[0], {valid, !empty_i, channel_q, last_i, burst_words}};
    if (!rst_ni) begin
      step_q  <= '0;
      level_q <= '0;
      anew_q  <= '0;
    end else begin
      anew_q <= abort_i | anew_q;
      if (valid) begin
        level_q[channel_q] <= flush_i ? '0 : total[BusLog-1:0];
        anew_q[channel_q]  <= abort_i[channel_q];
      end
    end
    total_q <= total;
    flush_q <= flush_i;
  end
  `TSR_ASSERT(BeatsFollow, beats_valid == step_q[0].valid)
  logic [BurstLog+1:0] complete;
  assign complete = (total_q >> BusLog) + (BurstLog + 2)'(flush_q && total_q[BusLog-1:0] != '0);
  `TSR_ASSERT(AsManyBeats, !beats_valid || (BurstLog + 2)'(beats) == complete)
  `TSR_ASSERT(ItemFollows, item_valid == step_q[1].valid)
  `TSR_ASSERT(ItsChannel, !item_valid || item.channel == 4'(step_q[1].channel))
  `TSR_ASSERT(ItsKind, !item_valid || item.data == step_q[1].data)
  `TSR_ASSERT(ItsLength, !item_valid || !item.data || item.words == step_q[1].words)
  `TSR_ASSERT(ItsEnd, !item_valid || item.last == step_q[1].last)

  // ---- Its words: so many as the burst has, at its addresses; so many beats are completed

  // Where items are, in the order of pieces; and the words of the burst at work.
  logic [7:0][AddrWidth-1:0] places_q, bursts_q;
  logic [7:0][Words-1:0] lengths_q;
  logic [2:0] put_q, at_q, burst_put_q, burst_at_q;
  logic [Words-1:0] word_q;
  logic item_ready, item_done, word_valid, takes;
  word_t word;
  tsr_read_words #(
    .BusLog    (BusLog),
    .Words     (Words),
    .PlaceWidth(AddrWidth)
  ) u_words (
    .clk_i,
    .rst_ni,
    .item_i      (item),
    .item_valid_i(item_valid),
    .item_ready_o(item_ready),
    .place_i     (places_q[at_q]),
    .done_o      (item_done),
    .word_o      (word),
    .word_valid_o(word_valid),
    .word_ready_i(word_ready_i)
  );
  `TSR_ASSUME(ItemsAreTaken, !item_valid || item_ready)

  // Beats and words that are owed, by what was asked for.
  logic [5:0] words_q, beats_q;
  assign takes = word_valid && word_ready_i;
  always_ff @(posedge clk_i) begin
    if (valid) places_q[put_q] <= addr_i;
    if (burst_valid) bursts_q[burst_put_q] <= addr_i;
    if (burst_valid) lengths_q[burst_put_q] <= burst_words;
    if (!rst_ni) {words_q, beats_q, put_q, at_q, burst_put_q, burst_at_q, word_q} <= '0;
    else begin
      put_q       <= put_q + 3'(valid);
      at_q        <= at_q + 3'(item_done);
      burst_put_q <= burst_put_q + 3'(burst_valid);
      if (takes && word.data) begin
        word_q     <= word_q == lengths_q[burst_at_q] ? '0 : word_q + 1'b1;
        burst_at_q <= burst_at_q + 3'(word_q == lengths_q[burst_at_q]);
      end
      words_q <= words_q + (burst_valid ? 6'(burst_words) + 1'b1 : '0) - 6'(takes && word.data);
      beats_q <= beats_q + (beats_valid ? 6'(beats) : '0) - 6'(takes && word.emit);
    end
  end
  `TSR_ASSERT(WordsOfBursts, !(word_valid && word.data) || words_q != '0)
  logic [AddrWidth-1:BusLog] at;
  assign at = bursts_q[burst_at_q][AddrWidth-1:BusLog] + (AddrWidth - BusLog)'(word_q);
  `TSR_ASSERT(AtItsAddress, !(word_valid && word.data) || word.place[AddrWidth-1:BusLog] == at)
  `TSR_ASSERT(BeatsOfPieces, !(word_valid && word.emit) || beats_q != '0)
  logic quiet;
  logic [2:0] quiet_q;
  assign quiet = !valid && !word_valid && !item_valid;
  always_ff @(posedge clk_i) quiet_q <= !rst_ni || !quiet ? '0 : quiet_q + 3'(quiet_q != '1);
  `TSR_ASSERT(NothingIsLeft, quiet_q < 3'd4 || (words_q == '0 && beats_q == '0))

  `TSR_COVER(SecondChannel, takes && word.channel == 4'd1 && word.emit && !word.data)
  `TSR_COVER(AllDone, quiet_q == 3'd4 && level_q[0] != '0 && level_q[1] != '0)
  logic unused;
  assign unused = ^{item, word};

endmodule
