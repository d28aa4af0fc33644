// Writes memory for all channels of a port: contexts and streams in, bursts of AXI4 out, ends of
// transfers.
//
// Contract: see tsr_plan for contexts. One ID: responses come in the order of bursts. A burst goes
// out when all its bytes are in the buffer of its channel, so that a stream that stalls holds up no
// other and W never waits for one. Finish by length and on TLAST: see tsr_write_choose.
// Beats of a stream are taken from a launch until all transfers have their bytes, while `takes_o`. With Side each
// part of a beat has side information, and an end that of the part with the last byte.
// Latency: `go` to AW 24 cycles for a burst of 16 beats, the last byte of a burst to AW 7.
`include "tsr_assert.svh"
`include "tsr_core_types.svh"
`include "tsr_types.svh"
module tsr_writer
  import tsr_core_pkg::*;
#(
  parameter int unsigned Channels = 1,  // 1 .. 16
  parameter int unsigned Slots = 2,  // contexts of a channel, 2 or 4
  parameter int unsigned AddrWidth = 64,  // 32 .. 64
  parameter int unsigned BusLog = 3,  // log2 of the bytes of the bus and of the streams, 2 .. 7
  parameter int unsigned MaxBurst = 16,  // words of a burst, a power of two; at most 4 KiB
  parameter int unsigned Outstanding = 64,  // bursts, a power of two from 8 on
  parameter int unsigned BufferBeats = 32,  // of a channel, a power of two
  parameter int unsigned Queue = 16,  // pieces of a channel planned ahead, a power of two
  parameter int unsigned Flight = 16,  // transfers of a channel in flight, a power of two
  parameter int unsigned WeightWidth = 4,
  parameter bit Walk = 1'b1,  // transfers of several contexts
  parameter bit Bounds = 1'b1,  // levels with parts before and behind their bounds, rows with fill
  parameter bit Side = 1'b0,
  parameter bit Firsts = 1'b0,  // bursts say which is the first of its transfer
  parameter int unsigned Parts = 1,  // of a beat, a power of two, at most one a lane
  localparam int unsigned Lanes = 2 ** BusLog,
  localparam type aw_t = `TSR_PORT_BURST_T(AddrWidth),
  localparam type w_t = `TSR_PORT_W_T(Lanes),
  localparam type beat_t = `TSR_WRITE_BEAT_T(Lanes, Parts)
) (
  input logic clk_i,
  input logic rst_ni,
  // Contexts
  input contexts_t contexts_i,
  output freed_t freed_o,
  output end_t end_o,
  output logic end_valid_o,
  input logic dropped_i,  // end_o.bytes are those that were dropped
  input logic end_ready_i,
  // Channels
  input logic [Channels-1:0] pause_i,
  input logic [Channels-1:0] abort_i,  // end all transfers soon, drop the beats that came
  output logic [Channels-1:0] busy_o,  // bytes of the stream are there
  output logic [Channels-1:0] cut_o,
  input logic [Channels-1:0][WeightWidth-1:0] weight_i,
  // AXI4
  output claim_t claim_o,
  output aw_t aw_o,
  output logic aw_valid_o,
  input logic aw_ready_i,
  output w_t w_o,
  output logic w_valid_o,
  input logic w_ready_i,
  input logic [1:0] b_resp_i,
  input logic b_valid_i,
  output logic b_ready_o,
  // Streams
  input beat_t [Channels-1:0] beat_i,
  input logic [Channels-1:0] valid_i,
  output logic [Channels-1:0] ready_o,
  output logic [Channels-1:0] takes_o
);

  localparam int unsigned Index = Channels > 1 ? $clog2(Channels) : 1;
  localparam int unsigned BurstLog = $clog2(MaxBurst) + BusLog;
  localparam int unsigned Words = BurstLog - BusLog;
  localparam int unsigned RoomLog = $clog2(BufferBeats);
  localparam int unsigned QueueLog = $clog2(Queue);
  localparam int unsigned FlightLog = $clog2(Flight);
  localparam int unsigned FlightIndex = $clog2(Channels * Flight);
  localparam int unsigned PlaceWidth = RoomLog + 1 + BusLog;
  localparam type queued_t = `TSR_WRITE_PIECE_T(BurstLog);
  localparam type mark_t = `TSR_MARK_T(BusLog, RoomLog);
  localparam type stop_t = `TSR_STOP_T(BusLog, RoomLog);
  localparam type move_t = `TSR_WRITE_MOVE_T(BurstLog, PlaceWidth);
  localparam type item_t = `TSR_WRITE_ITEM_T(Words, BusLog, RoomLog);
  localparam type due_t = `TSR_WRITE_DUE_T(AddrWidth - BusLog);
  typedef struct packed {
    logic [Index-1:0]          channel;
    logic                      first;
    logic [AddrWidth-1:BusLog] addr;
    logic [Words-1:0]          words;
  } burst_t;

  // ---- Pieces, planned ahead

  queued_t head;
  logic [Channels-1:0][QueueLog:0] queued;
  logic [Channels-1:0] discard, planned, started, came;
  logic [Index-1:0] channel, channel_next, discard_channel;
  logic [QueueLog-1:0] read_at, move_at;
  logic [AddrWidth-1:BurstLog] move_base;
  number_t discard_number;
  logic read, pop, refresh;
  tsr_write_plan #(
    .Channels (Channels),
    .Slots    (Slots),
    .AddrWidth(AddrWidth),
    .BusLog   (BusLog),
    .BurstLog (BurstLog),
    .QueueLog (QueueLog),
    .Walk     (Walk),
    .Bounds   (Bounds)
  ) u_plan (
    .clk_i,
    .rst_ni,
    .contexts_i,
    .freed_o,
    .abort_i,
    .cut_o,
    .discard_i        (discard),
    .discard_channel_o(discard_channel),
    .discard_number_i (discard_number),
    .came_o           (planned),
    .started_o        (started),
    .queued_o         (queued),
    .channel_i        (channel),
    .channel_next_i   (channel_next),
    .read_at_i        (read_at),
    .read_i           (read),
    .head_o           (head),
    .pop_i            (pop),
    .base_at_i        (move_at),
    .base_o           (move_base)
  );

  // ---- Choice

  stop_t stop;
  move_t move;
  logic move_valid, room, ahead_room, aw_room, item_room, due_room, due_valid, owes, gone;
  logic [RoomLog:0] mark_at, move_free;
  logic [BusLog-1:0] from;
  item_t item, item_head;
  due_t due, due_stored, due_head;
  logic unused_due_ready;
  logic burst_valid, item_valid, item_head_valid, item_head_ready;
  logic due_stored_valid, due_head_valid, due_taken;
  assign came = (valid_i & ready_o) | planned;
  assign room = aw_room && item_room && due_room && ahead_room;
  tsr_write_choose #(
    .Channels   (Channels),
    .BusLog     (BusLog),
    .BurstLog   (BurstLog),
    .RoomLog    (RoomLog),
    .QueueLog   (QueueLog),
    .WeightWidth(WeightWidth)
  ) u_choose (
    .clk_i,
    .rst_ni,
    .pause_i,
    .abort_i,
    .weight_i,
    .channel_o        (channel),
    .channel_next_o   (channel_next),
    .refresh_o        (refresh),
    .queued_i         (queued),
    .read_at_o        (read_at),
    .read_o           (read),
    .piece_i          (head),
    .pop_o            (pop),
    .discard_o        (discard),
    .discard_channel_i(discard_channel),
    .discard_number_o (discard_number),
    .came_i           (came),
    .mark_o           (mark_at),
    .from_o           (from),
    .stop_i           (stop),
    .room_i           (room),
    .used_i           (burst_valid),
    .words_i          ((Words + 1)'(item.words) + 1'b1),
    .owes_o           (owes),
    .move_o           (move),
    .move_valid_o     (move_valid),
    .at_o             (move_at),
    .free_o           (move_free)
  );

  logic [FlightIndex-1:0] flight, moved;
  logic [BytesWidth-1:0] bytes;
  tsr_write_items #(
    .Channels (Channels),
    .AddrWidth(AddrWidth),
    .BusLog   (BusLog),
    .BurstLog (BurstLog),
    .RoomLog  (RoomLog),
    .FlightLog(FlightLog)
  ) u_items (
    .clk_i,
    .rst_ni,
    .channel_i    (channel),
    .refresh_i    (refresh),
    .move_i       (move),
    .move_valid_i (move_valid),
    .base_i       (move_base),
    .free_i       (move_free),
    .burst_valid_o(burst_valid),
    .item_o       (item),
    .item_valid_o (item_valid),
    .due_o        (due),
    .due_valid_o  (due_valid),
    .moved_o      (moved),
    .flight_i     (flight),
    .dropped_i    (dropped_i),
    .bytes_o      (bytes)
  );

  // ---- Addresses, words, responses: a move takes its places when it is chosen

  burst_t aw;
  logic first_q;
  logic [Channels-1:0] begun_q;  // bursts of the transfer at work
  always_ff @(posedge clk_i) begin
    first_q <= Firsts && !begun_q[channel];
    if (!rst_ni) begun_q <= '0;
    else if (move_valid && (move.ends || move.data)) begun_q[channel] <= !move.ends;
  end
  tsr_fifo #(
    .Depth      (16),
    .T          (burst_t),
    .ReadyMargin(5)
  ) u_bursts (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .data_i ({item.channel[Index-1:0], first_q, due.addr, item.words}),
    .valid_i(burst_valid),
    .ready_o(aw_room),
    .data_o (aw),
    .valid_o(aw_valid_o),
    .ready_i(aw_ready_i)
  );
  assign claim_o = '{valid: burst_valid, channel: item.channel};
  assign aw_o = '{
          channel: 4'(aw.channel),
          first: aw.first,
          addr: {aw.addr, BusLog'(0)},
          len: 8'(aw.words)
      };
  tsr_fifo #(
    .Depth      (16),
    .T          (item_t),
    .ReadyMargin(5)
  ) u_queue (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .data_i (item),
    .valid_i(item_valid),
    .ready_o(item_room),
    .data_o (item_head),
    .valid_o(item_head_valid),
    .ready_i(item_head_ready)
  );
  // A port that fails may show one address more.
  tsr_room #(
    .Slots(Outstanding - 1)
  ) u_places (
    .clk_i,
    .rst_ni,
    .claim_i(owes),
    .free_i (due_head_valid && gone),
    .room_o (due_room)
  );
  tsr_fifo #(
    .Depth      (Outstanding),
    .T          (due_t),
    .ReadyMargin(1)
  ) u_due (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .data_i (due),
    .valid_i(due_valid),
    .ready_o(unused_due_ready),
    .data_o (due_stored),
    .valid_o(due_stored_valid),
    .ready_i(due_taken)
  );
  // Of many channels what ends is looked up for the channel of the head: it comes from a register.
  if (Channels > LutChannels) begin : gen_head
    due_t due_q;
    logic due_valid_q;
    always_ff @(posedge clk_i) begin
      if (due_taken) due_q <= due_stored;
      if (!rst_ni) due_valid_q <= 1'b0;
      else if (due_taken) due_valid_q <= due_stored_valid;
    end
    assign due_head       = due_q;
    assign due_head_valid = due_valid_q;
    assign due_taken      = gone || !due_valid_q;
  end else begin : gen_no_head
    assign due_head       = due_stored;
    assign due_head_valid = due_stored_valid;
    assign due_taken      = gone;
  end

  // The choice is a few words ahead, no more: what has been chosen keeps its room in the buffers.
  if (Channels == 1) begin : gen_one
    assign ahead_room = 1'b1;
  end else begin : gen_ahead
    localparam int unsigned Ahead = 13;
    logic [Words+3:0] ahead_q, ahead;
    logic ahead_room_q, gone_q;  // a word counts a cycle later
    assign ahead_room = ahead_room_q;
    assign ahead = ahead_q + (burst_valid ? (Words + 4)'(item.words) + 1'b1 : '0) -
        (Words + 4)'(gone_q);
    always_ff @(posedge clk_i) begin
      gone_q       <= rst_ni && w_valid_o && w_ready_i;
      ahead_q      <= rst_ni ? ahead : '0;
      ahead_room_q <= ahead < (Words + 4)'(Ahead);
    end
  end

  logic [Lanes-1:0][RoomLog-1:0] at;
  logic [Channels-1:0][Lanes-1:0][7:0] lanes;
  logic [RoomLog:0] free;
  logic [Channels-1:0] free_valid;
  logic [Channels-1:0][RoomLog:0] beats, marks;
  mark_t [Channels-1:0] mark;
  tsr_write_words #(
    .Channels(Channels),
    .BusLog  (BusLog),
    .Words   (Words),
    .RoomLog (RoomLog)
  ) u_words (
    .clk_i,
    .rst_ni,
    .item_i      (item_head),
    .item_valid_i(item_head_valid),
    .item_ready_o(item_head_ready),
    .at_o        (at),
    .lanes_i     (lanes),
    .free_o      (free),
    .free_valid_o(free_valid),
    .data_o      (w_o.data),
    .strobe_o    (w_o.strobe),
    .last_o      (w_o.last),
    .valid_o     (w_valid_o),
    .ready_i     (w_ready_i)
  );

  // Beats are taken for transfers that were launched. An abort drops what the channel has taken.
  logic [Channels-1:0] ready, ended;
  assign ready_o = ready & takes_o;
  always_comb
    for (int unsigned i = 0; i < Channels; i++)
      ended[i] = move_valid && move.ends && 32'(channel) == i;
  tsr_write_takes #(
    .Channels (Channels),
    .FlightLog($clog2(Flight))
  ) u_takes (
    .clk_i,
    .rst_ni,
    .contexts_i,
    .planned_i(freed_o),
    .started_i(started),
    .ended_i  (ended),
    .abort_i,
    .takes_o
  );
  logic [RoomLog-1:0] side_at;
  logic [Channels-1:0][Parts-1:0][31:0] sides;
  for (genvar i = 0; i < Channels; i++) begin : gen_buffer
    tsr_write_buffer #(
      .BusLog (BusLog),
      .RoomLog(RoomLog),
      .Side   (Side),
      .Parts  (Parts)
    ) u_buffer (
      .clk_i,
      .rst_ni,
      .data_i      (beat_i[i].data),
      .keep_i      (beat_i[i].keep),
      .sparse_i    (beat_i[i].sparse),
      .last_i      (beat_i[i].last),
      .side_i      (beat_i[i].side),
      .valid_i     (valid_i[i] && takes_o[i]),
      .ready_o     (ready[i]),
      .beats_o     (beats[i]),
      .busy_o      (busy_o[i]),
      .at_i        (at),
      .lanes_o     (lanes[i]),
      .free_valid_i(free_valid[i]),
      .free_i      (free),
      .marks_o     (marks[i]),
      .mark_at_i   (mark_at[RoomLog-1:0]),
      .mark_o      (mark[i]),
      .side_at_i   (side_at),
      .side_o      (sides[i])
    );
  end
  tsr_write_stop #(
    .Channels(Channels),
    .BusLog  (BusLog),
    .RoomLog (RoomLog)
  ) u_stop (
    .clk_i,
    .rst_ni,
    .channel_i(channel_next),
    .mark_i   (mark_at),
    .from_i   (from),
    .beats_i  (beats),
    .marks_i  (marks),
    .mark_of_i(mark),
    .stop_o   (stop)
  );

  logic [31:0] side;
  if (Side) begin : gen_side
    tsr_write_side #(
      .Channels (Channels),
      .BusLog   (BusLog),
      .BurstLog (BurstLog),
      .RoomLog  (RoomLog),
      .FlightLog(FlightLog),
      .Parts    (Parts)
    ) u_side (
      .clk_i,
      .rst_ni,
      .channel_i   (channel),
      .move_i      (move),
      .move_valid_i(move_valid),
      .flight_i    (moved),
      .at_o        (side_at),
      .side_i      (sides),
      .read_i      (flight),
      .side_o      (side)
    );
  end else begin : gen_no_side
    logic unused_side;
    assign unused_side = ^{moved, sides};
    assign side_at     = '0;
    assign side        = '0;
  end

  tsr_write_ends #(
    .Channels (Channels),
    .AddrWidth(AddrWidth),
    .BusLog   (BusLog),
    .FlightLog(FlightLog)
  ) u_ends (
    .clk_i,
    .rst_ni,
    .due_i       (due_head),
    .due_valid_i (due_head_valid),
    .gone_o      (gone),
    .resp_i      (b_resp_i),
    .resp_valid_i(b_valid_i),
    .resp_ready_o(b_ready_o),
    .flight_o    (flight),
    .bytes_i     (bytes),
    .side_i      (side),
    .end_o,
    .end_valid_o,
    .end_ready_i
  );

  `TSR_STATIC_ASSERT(Channels, Channels >= 1 && Channels <= 16,
                     ("Channels = %0d; legal is 1 to 16", Channels))
  `TSR_STATIC_ASSERT(Outstanding, Outstanding >= 8 && $onehot(Outstanding),
                     ("Outstanding = %0d; legal is a power of two from 8 on", Outstanding))
  `TSR_STATIC_ASSERT(
      MaxBurst, MaxBurst >= 2 && MaxBurst <= 256 && MaxBurst * Lanes <= 4096 && 2 ** $clog2
      (MaxBurst) == MaxBurst,
      ("MaxBurst = %0d; legal is 2 to 256, a power of two, of 4 KiB at most", MaxBurst))
  `TSR_STATIC_ASSERT(
      BufferBeats, 2 ** RoomLog == BufferBeats && BufferBeats >= 2 * MaxBurst,
      ("BufferBeats = %0d; legal is a power of two of two bursts at least", BufferBeats))
  `TSR_STABLE(BurstStays, aw_valid_o, aw_ready_i, aw)
  `TSR_STABLE(WordStays, w_valid_o, w_ready_i, w_o)

endmodule
