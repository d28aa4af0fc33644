// Plans the bursts of all channels of a direction: contexts in, pieces out, one channel at work at
// a time.
//
// Contract: the words of a context are written in any order, launched last; then the transfer runs,
// in the order of launches for each channel. `freed_o`: its words are not read any more. Pieces of a
// channel come in order. A piece fires only while `room_i` holds for the channel at work, `ready_i`
// for all, and `early_ready_i` did in the cycle before; `fired_o` tells at once, the piece follows two cycles later with `channel_o`. `pause_i` keeps a channel
// from firing.
// Latency: launch to the piece 9 cycles, one more with a level. Throughput: a piece a
// cycle.
`include "tsr_assert.svh"
`include "tsr_core_types.svh"
module tsr_plan
  import tsr_core_pkg::*;
#(
  parameter int unsigned Channels = 1,  // 1 .. 16
  parameter int unsigned Slots = 2,  // contexts of a channel, 2 or 4
  parameter int unsigned AddrWidth = 64,  // 32 .. 64
  parameter int unsigned BusLog = 3,  // log2 of the bytes of a word of the bus
  parameter int unsigned BurstLog = 9,  // log2 of the bytes of the longest burst, at most 12
  parameter int unsigned BriefLog = BusLog,
  parameter int unsigned WeightWidth = 4,
  parameter bit CountBytes = 1'b1,  // bytes_o is wanted
  parameter bit Walk = 1'b1,  // transfers of several contexts
  parameter bit Bounds = 1'b1,  // levels with parts before and behind their bounds, rows with fill
  parameter bit Fill = 1'b0,  // fill has a value, see tsr_pieces
  localparam int unsigned Index = Channels > 1 ? $clog2(Channels) : 1,
  localparam int unsigned PlaceWidth = Fill ? 64 : AddrWidth,
  localparam type segment_t = `TSR_SEGMENT_T(AddrWidth, SizeWidth),
  localparam type piece_t = `TSR_PIECE_T(PlaceWidth, BurstLog)
) (
  input logic clk_i,
  input logic rst_ni,
  // Contexts
  input contexts_t contexts_i,  // a context that is launched is whole with this cycle
  output logic freed_o,
  // Channels
  input logic [Channels-1:0] pause_i,
  input logic [Channels-1:0] abort_i,  // no transfer of the channel is wanted
  input logic [Channels-1:0] discard_i,  // nor is the rest of the one with discard_number_i
  input number_t discard_number_i,  // of channel_o
  output logic [Channels-1:0] cut_o,  // a further context is due, and moves nothing
  input logic [Channels-1:0] wake_i,  // a channel that had no room has some
  input logic [Channels-1:0][WeightWidth-1:0] weight_i,
  // Pieces of the channel at work
  output logic [Index-1:0] channel_o,
  output logic refresh_o,  // it is another one since this cycle
  output logic brief_o,  // the piece that would fire has at most 2 ** BriefLog bytes
  input logic ready_i,  // of the port
  input logic early_ready_i,
  input logic room_i,  // of this channel
  input logic full_i,  // there will be none in the next cycle
  input logic starved_i,  // no room, and none comes in this cycle
  output logic fired_o,
  output piece_t piece_o,
  output logic [BytesWidth-1:0] bytes_o,  // of a final piece: of its transfer
  output logic piece_valid_o,
  output logic dropped_o  // instead of a piece: its transfer has ended
);

  typedef struct packed {
    nest_state_t   nest;
    rows_state_t   rows;
    pieces_state_t pieces;
  } state_t;

  state_t state, state_next;

  // ---- Transfers that wait

  logic [Index-1:0] channel;
  logic hold, swap, refresh, paused;  // the channel at work is
  logic [Channels-1:0] pause_q, cut_q;
  typedef logic [$clog2(Slots):0] slots_t;
  slots_t [Channels-1:0] waits_q;
  logic start_valid, start_ready;
  nest_state_t nest;
  assign start_valid = waits_q[channel] != '0 && !paused && !hold;
  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Channels; i++) begin
      if (!rst_ni) waits_q[i] <= '0;
      else
        waits_q[i] <= waits_q[i] + slots_t'(contexts_i.go_valid && contexts_i.go_channel == 4'(i)) -
            slots_t'(start_valid && start_ready && channel == Index'(i));
    end
  end

  discard_t discard, discard_q;
  assign discard = refresh ? '0 : discard_q;
  assign cut_o   = cut_q;
  always_ff @(posedge clk_i) begin
    pause_q   <= pause_i & ~abort_i;
    discard_q <= '{all: abort_i[channel], one: discard_i[channel], number: discard_number_i};
    if (!rst_ni) cut_q <= '0;
    else if (!refresh)
      // The next context can only be of the transfer that is cut.
      cut_q[channel] <= Walk && discard.one && discard.number == nest.number && nest.goes_on &&
          nest.at == NestIdle && waits_q[channel] == '0;
  end

  // ---- The pipe

  logic goes, goes_q;
  logic safe, still, kill, run_valid, run_ready, segment_valid, segment_ready, fire;
  run_t run;
  segment_t segment;

  tsr_nest #(
    .Channels(Channels),
    .Slots   (Slots),
    .Walk    (Walk),
    .Bounds  (Bounds)
  ) u_nest (
    .clk_i,
    .rst_ni,
    .word_valid_i (contexts_i.word_valid),
    .word_i       (contexts_i.word),
    .channel_i    (channel),
    .start_valid_i(start_valid),
    .start_ready_o(start_ready),
    .kill_i       (kill),
    .discard_i    (discard),
    .swap_i       (swap),
    .refresh_i    (refresh),
    .state_i      (state_next.nest),
    .state_o      (nest),
    .safe_o       (safe),
    .run_o        (run),
    .run_valid_o  (run_valid),
    .run_ready_i  (run_ready)
  );

  tsr_rows #(
    .Channels (Channels),
    .Slots    (Slots),
    .AddrWidth(AddrWidth),
    .BurstLog (BurstLog),
    .Walk     (Walk),
    .Bounds   (Bounds)
  ) u_rows (
    .clk_i,
    .rst_ni,
    .word_valid_i   (contexts_i.word_valid),
    .word_i         (contexts_i.word),
    .channel_i      (channel),
    .kill_i         (kill),
    .discard_i      (discard),
    .swap_i         (swap),
    .refresh_i      (refresh),
    .state_i        (state_next.rows),
    .state_o        (state.rows),
    .run_i          (run),
    .run_valid_i    (run_valid),
    .run_ready_o    (run_ready),
    .segment_o      (segment),
    .segment_valid_o(segment_valid),
    .segment_ready_i(segment_ready)
  );

  tsr_pieces #(
    .Channels  (Channels),
    .Slots     (Slots),
    .AddrWidth (AddrWidth),
    .CountBytes(CountBytes),
    .BurstLog  (BurstLog),
    .BriefLog  (BriefLog),
    .Walk      (Walk),
    .Bounds    (Bounds),
    .Fill      (Fill)
  ) u_pieces (
    .clk_i,
    .rst_ni,
    .word_valid_i   (contexts_i.word_valid),
    .word_i         (contexts_i.word),
    .channel_i      (channel),
    .go_i           (goes),
    .kill_o         (kill),
    .discard_i      (discard),
    .fire_o         (fire),
    .brief_o,
    .still_o        (still),
    .swap_i         (swap),
    .refresh_i      (refresh),
    .state_i        (state_next.pieces),
    .state_o        (state.pieces),
    .segment_i      (segment),
    .segment_valid_i(segment_valid),
    .segment_ready_o(segment_ready),
    .piece_o,
    .bytes_o,
    .piece_valid_o,
    .freed_o,
    .dropped_o
  );
  assign state.nest = nest;

  // ---- Whose turn it is

  if (Channels == 1) begin : gen_one
    logic unused_turn;
    assign unused_turn = ^{wake_i, full_i, starved_i, weight_i, safe, still, state};
    assign {channel, hold, swap, refresh} = '0;
    assign paused = pause_q[0];
    assign state_next = '0;
    always_ff @(posedge clk_i) goes_q <= early_ready_i && (!pause_i[0] || abort_i[0]);
    assign goes = goes_q && room_i && ready_i;
  end else begin : gen_many
    logic busy, over, pauses, idle_q, stuck_q, used_q, paused_q;
    logic [Index-1:0] channel_next;
    assign paused = paused_q;
    assign pauses = pause_i[channel_next] && !abort_i[channel_next];
    always_ff @(posedge clk_i) paused_q <= pauses;
    logic [Channels-1:0] busy_q, wants, waits_for_room_q, discarded_q, look_q;
    typedef logic [BurstLog-BusLog:0] words_t;
    words_t words_q;
    logic [BurstLog:0] offset, last_byte;  // of a piece, from its first word
    logic unused_lanes;
    assign unused_lanes = ^last_byte[BusLog-1:0];
    assign offset = piece_o.data ? (BurstLog + 1)'(piece_o.addr[BusLog-1:0]) : '0;
    assign last_byte = {1'b0, piece_o.size} + offset;
    always_ff @(posedge clk_i) goes_q <= early_ready_i && !over && !pauses;
    assign goes = goes_q && room_i && ready_i;
    assign busy = state.nest.at != NestIdle || state.rows.run_valid || state.rows.jumps != '0 ||
                  state.rows.row_valid || state.pieces.valid;
    always_ff @(posedge clk_i) begin
      idle_q  <= rst_ni && !swap && !refresh && (paused || (!busy && waits_q[channel] == '0));
      stuck_q <= rst_ni && !swap && !refresh && state.pieces.valid && (!room_i || full_i);
      used_q  <= piece_valid_o && !piece_o.empty;
      words_q <= words_t'(last_byte[BurstLog:BusLog]) + 1'b1;
      for (int unsigned i = 0; i < Channels; i++) begin
        if (!rst_ni) begin
          busy_q[i] <= 1'b0;
          waits_for_room_q[i] <= 1'b0;
        end else if (swap && channel == Index'(i)) begin
          busy_q[i] <= busy;
          waits_for_room_q[i] <= stuck_q && starved_i;
        end else if (wake_i[i]) begin
          waits_for_room_q[i] <= 1'b0;
        end
        // A discard is looked at once, for cut_o.
        discarded_q[i] <= discard_i[i];
        if (!rst_ni) look_q[i] <= 1'b0;
        else if (discard_i[i] && !discarded_q[i]) look_q[i] <= 1'b1;
        else if (channel == Index'(i) && !refresh) look_q[i] <= 1'b0;
        wants[i] <= (busy_q[i] || look_q[i] || waits_q[i] != '0) && !waits_for_room_q[i] &&
            !pause_q[i];
      end
    end
    tsr_plan_turn #(
      .Channels   (Channels),
      .WeightWidth(WeightWidth),
      .Quantum    (2 ** (BurstLog - BusLog)),
      .WordsWidth (BurstLog - BusLog + 1),
      .state_t    (state_t)
    ) u_turn (
      .clk_i,
      .rst_ni,
      .wants_i       (wants),
      .weight_i,
      .channel_o     (channel),
      .channel_next_o(channel_next),
      .idle_i        (idle_q),
      .stuck_i       (stuck_q),
      .still_i       (still && safe),
      .used_i        (used_q),
      .words_i       (words_q),
      .over_o        (over),
      .hold_o        (hold),
      .swap_o        (swap),
      .refresh_o     (refresh),
      .state_i       (state),
      .state_o       (state_next)
    );
  end

  assign channel_o = channel;
  assign refresh_o = refresh;
  assign fired_o   = fire;

  `TSR_ASSERT(SlotIsFree,
              !contexts_i.go_valid || waits_q[contexts_i.go_channel[Index-1:0]] != slots_t'(Slots))

endmodule
