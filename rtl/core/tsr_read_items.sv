// Turns pieces of reads into bursts and into items, which say how their words go to the stream.
//
// Contract: counts the bytes in the open beat of each channel, so that nothing behind it has to. Behind an abort
// there are none: bytes of a transfer whose packet does not go on are lost.
// The burst is in the cycle of its piece, the item two cycles later, in between `beats_o`: how many
// beats the piece completes. Nothing can be refused.
`include "tsr_assert.svh"
`include "tsr_core_types.svh"
module tsr_read_items
  import tsr_core_pkg::*;
#(
  parameter int unsigned Channels = 1,  // 1 .. 16
  parameter int unsigned Slots = 2,  // contexts of a channel, 2 or 4
  parameter int unsigned AddrWidth = 64,
  parameter int unsigned BusLog = 3,  // log2 of the bytes of a word of the bus and of a beat
  parameter int unsigned BurstLog = 9,  // log2 of the bytes of the longest burst
  parameter bit Bounds = 1'b1,  // there is fill
  localparam int unsigned Index = Channels > 1 ? $clog2(Channels) : 1,
  localparam int unsigned Words = BurstLog - BusLog,
  localparam int unsigned PlaceWidth = Bounds ? 64 : AddrWidth,
  localparam type piece_t = `TSR_PIECE_T(PlaceWidth, BurstLog),
  localparam type item_t = `TSR_READ_ITEM_T(Words, BusLog)
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,
  // Flags of contexts
  input  logic                               word_valid_i,
  input  context_word_t                      word_i,
  input  logic          [      Channels-1:0] abort_i,
  // Pieces
  input  logic          [         Index-1:0] channel_i,
  input  logic                               refresh_i,
  input  piece_t                             piece_i,
  input  logic                               piece_valid_i,
  input  logic                               dropped_i,      // counts as a piece without beats
  // AR: address of a word, words - 1
  output logic          [AddrWidth-1:BusLog] burst_addr_o,
  output logic          [         Words-1:0] burst_words_o,
  output logic                               burst_valid_o,
  output logic          [         Words+1:0] beats_o,
  output logic                               beats_valid_o,
  output item_t                              item_o,
  output logic                               item_valid_o
);

  typedef logic [BusLog-1:0] lane_t;

  localparam int unsigned SlotLog = $clog2(Slots);
  localparam int unsigned SlotIndex = $clog2(Channels * Slots);
  logic [SlotIndex-1:0] written, read;
  flags_t flags;
  assign written = SlotIndex'({word_i.channel[Index-1:0], word_i.slot[SlotLog-1:0]});
  assign read    = SlotIndex'({channel_i, piece_i.slot[SlotLog-1:0]});
  assign flags   = flags_t'(word_i.data[$bits(flags_t)-1:0]);
  (* ram_style = "distributed" *) logic [0:0] closes_mem[Channels*Slots];
  always_ff @(posedge clk_i)
    if (word_valid_i && word_i.word == WordFlags)
      closes_mem[written] <= flags.closes;

  logic unused_bits;
  assign unused_bits = ^piece_i ^ ^word_i ^ ^flags;

  // ---- The open beat: its bytes, and where in it the transfer began

  lane_t offset, level, level_d, phase, phase_d, kept_level, kept_phase;
  logic [Channels-1:0] anew_q;
  logic [BurstLog+1:0] total;  // bytes of the open beat and of the piece
  logic [  BurstLog:0] bytes;
  logic [BurstLog-1:0] end_;  // of the last byte, from the word of the first
  assign offset = piece_i.data ? piece_i.addr[BusLog-1:0] : '0;
  assign end_   = piece_i.size + BurstLog'(offset);
  assign bytes  = piece_i.empty ? '0 : {1'b0, piece_i.size} + 1'b1;
  assign total  = (BurstLog + 2)'(level) + (BurstLog + 2)'(bytes);
  always_comb begin
    level_d = level;
    phase_d = phase;
    if (piece_valid_i) begin
      level_d = piece_i.flush ? '0 : total[BusLog-1:0];
      if (piece_i.flush) phase_d = '0;
      else if (piece_i.start) phase_d = level;
    end
  end
  tsr_swapped #(
    .Channels(Channels),
    .T       (logic [2*BusLog-1:0])
  ) u_level (
    .clk_i,
    .rst_ni,
    .channel_i,
    .refresh_i,
    .data_i({phase_d, level_d}),
    .data_o({kept_phase, kept_level})
  );
  // In a refresh the value is that of the channel before.
  assign {phase, level} = anew_q[channel_i] && !refresh_i ? '0 : {kept_phase, kept_level};
  always_ff @(posedge clk_i) begin
    for (int unsigned c = 0; c < Channels; c++)
    anew_q[c] <= rst_ni && (abort_i[c] || (anew_q[c] && !(piece_valid_i && 32'(channel_i) == c)));
  end

  assign burst_addr_o  = piece_i.addr[AddrWidth-1:BusLog];
  assign burst_words_o = end_[BurstLog-1:BusLog];
  assign burst_valid_o = piece_valid_i && piece_i.data;

  // ---- A cycle later: beats

  typedef struct packed {
    logic [Index-1:0]    channel;
    logic                empty,   data,  final_, last, closes, flush;
    lane_t               offset,  level, phase;
    logic [BurstLog-1:0] size,    end_;
    logic [BurstLog+1:0] total;
  } step_t;
  step_t s_q;
  logic valid_q, dropped_q, partial;
  logic [Words+1:0] beats;
  always_ff @(posedge clk_i) begin
    valid_q <= rst_ni && piece_valid_i;
    dropped_q <= rst_ni && dropped_i;
    s_q <= '{
        channel: channel_i,
        empty: piece_i.empty,
        data: piece_i.data,
        final_: piece_i.final_,
        last: piece_i.last,
        closes: closes_mem[read][0],
        flush: piece_i.flush,
        offset: offset,
        level: level,
        phase: piece_i.start ? level : phase,
        size: piece_i.size,
        end_: end_,
        total: total
    };
  end
  assign partial       = s_q.flush && s_q.total[BusLog-1:0] != '0;
  assign beats_o       = dropped_q ? '0 : beats;
  assign beats         = (Words + 2)'(s_q.total[BurstLog+1:BusLog]) + (Words + 2)'(partial);
  assign beats_valid_o = valid_q || dropped_q;

  // ---- Another cycle later: the item

  logic single, full;
  lane_t last_level, last_size;
  logic [BusLog+1:0] last_total;
  assign single = s_q.end_[BurstLog-1:BusLog] == '0 || s_q.empty;
  assign last_level = single ? s_q.level : s_q.level - s_q.offset;
  assign last_total = (BusLog + 2)'(last_level) + (s_q.empty ? '0 :
                      (BusLog + 2)'(last_size) + 1'b1);
  assign last_size = single ? s_q.size[BusLog-1:0] : s_q.end_[BusLog-1:0];
  logic unused_lanes;
  assign unused_lanes = ^last_total[BusLog-1:0];
  assign full = |last_total[BusLog+1:BusLog];

  always_ff @(posedge clk_i) begin
    item_valid_o <= rst_ni && valid_q;
    item_o <= '{
        channel: 4'(s_q.channel),
        data: s_q.data && !s_q.empty,
        final_: s_q.final_,
        last: s_q.last,
        closes: s_q.closes,
        ends: s_q.flush,
        lead_emits: s_q.level >= s_q.offset,
        emits: full || partial,
        full: full,
        more: full && partial,
        words: s_q.empty ? '0 : s_q.end_[BurstLog-1:BusLog],
        level: s_q.level,
        turn: s_q.data ? s_q.level - s_q.offset : s_q.phase,
        keep: s_q.total[BusLog-1:0] - 1'b1
    };
  end

  `TSR_ASSERT(NoBurstIsEmpty, !burst_valid_o || !piece_i.empty)

endmodule
