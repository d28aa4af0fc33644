// Reads memory for all channels of a port: contexts in, bursts of AXI4 out, streams out, ends of
// transfers.
//
// Contract: see tsr_plan for contexts. One ID: data come in the order of bursts. With several
// channels a burst is requested only when its channel has room for its beats, so that a stream that
// stalls holds up no other. With one channel data are held back by `r_ready_o` instead.
// With Side a beat has the number of the transfer, modulo Flight, that its last byte is of.
// Latency: launch to AR 11 cycles, one more if a dimension moves; R to the stream 3 cycles.
`include "tsr_assert.svh"
`include "tsr_core_types.svh"
`include "tsr_types.svh"
module tsr_reader
  import tsr_core_pkg::*;
#(
  parameter int unsigned Channels = 1,  // 1 .. 16
  parameter int unsigned Slots = 2,  // contexts of a channel, 2 or 4
  parameter int unsigned AddrWidth = 64,  // 32 .. 64
  parameter int unsigned BusLog = 3,  // log2 of the bytes of the bus and of the streams, 2 .. 7
  parameter int unsigned MaxBurst = 16,  // words of a burst, a power of two; at most 4 KiB
  parameter int unsigned Outstanding = 64,  // bursts, a power of two
  parameter int unsigned BufferBeats = 32,  // of a channel, a power of two
  parameter int unsigned Flight = 16,  // transfers of a channel in flight, a power of two
  parameter bit Reserve = Channels > 1,  // no burst without room for its data
  parameter int unsigned WeightWidth = 4,
  parameter bit Walk = 1'b1,  // transfers of several contexts
  parameter bit Bounds = 1'b1,  // levels with parts before and behind their bounds, rows with fill
  parameter bit Side = 1'b0,
  parameter bit Kept = 1'b0,  // cells behind keep bytes for more of them
  parameter bit Firsts = 1'b0,  // bursts say which is the first of its transfer
  localparam int unsigned Lanes = 2 ** BusLog,
  localparam type ar_t = `TSR_PORT_BURST_T(AddrWidth),
  localparam type r_t = `TSR_PORT_DATA_T(Lanes),
  localparam type beat_t = `TSR_READ_BEAT_T(Lanes, $clog2(Flight))
) (
  input logic clk_i,
  input logic rst_ni,
  // Contexts
  input contexts_t contexts_i,
  output freed_t freed_o,
  output end_t end_o,
  output logic end_valid_o,
  input logic end_ready_i,
  // Channels
  input logic [Channels-1:0] pause_i,
  input logic [Channels-1:0] abort_i,  // end all transfers soon, drop their beats
  output logic [Channels-1:0] busy_o,  // beats of the stream are there
  output logic [Channels-1:0] cut_o,
  input logic [Channels-1:0][WeightWidth-1:0] weight_i,
  // AXI4
  output claim_t claim_o,
  output ar_t ar_o,
  output logic ar_valid_o,
  input logic ar_ready_i,
  input r_t r_i,
  input logic r_valid_i,
  output logic r_ready_o,
  // Streams
  output beat_t [Channels-1:0] beat_o,
  output logic [Channels-1:0] valid_o,
  input logic [Channels-1:0] ready_i
);

  localparam int unsigned Index = Channels > 1 ? $clog2(Channels) : 1;
  localparam int unsigned BurstLog = $clog2(MaxBurst) + BusLog;
  localparam int unsigned Words = BurstLog - BusLog;
  localparam int unsigned Brief = MaxBurst > 2 ? 2 : 1;  // words of a brief piece
  localparam int unsigned RoomLog = $clog2(BufferBeats);
  // Between two looks at the ends of a channel as many beats may leave as there are channels, at each of its transfers.
  localparam int unsigned LooksLog = $clog2(Channels * (Flight + 2));
  localparam int unsigned MarkLog = Channels > 1 && LooksLog > RoomLog ? LooksLog : RoomLog;
  localparam int unsigned PlaceWidth = Bounds ? 64 : AddrWidth;
  localparam type piece_t = `TSR_PIECE_T(PlaceWidth, BurstLog);
  localparam type item_t = `TSR_READ_ITEM_T(Words, BusLog);
  localparam type word_t = `TSR_READ_WORD_T(BusLog, PlaceWidth);
  localparam type put_t = `TSR_READ_PUT_T(BusLog, RoomLog);
  typedef struct packed {
    logic [Index-1:0]          channel;
    logic                      first;
    logic [AddrWidth-1:BusLog] addr;
    logic [Words-1:0]          words;
  } burst_t;

  // ---- Plan

  logic [Index-1:0] channel;
  logic refresh, brief, fire, piece_valid, dropped, room, full, starved;
  logic bursts_ready, items_ready, flight_ready;
  logic [Channels-1:0] wake, pop, buffer_room;
  piece_t piece;
  logic [BytesWidth-1:0] bytes;
  tsr_plan #(
    .Channels   (Channels),
    .Slots      (Slots),
    .AddrWidth  (AddrWidth),
    .BusLog     (BusLog),
    .BurstLog   (BurstLog),
    .BriefLog   (BusLog + $clog2(Brief)),
    .WeightWidth(WeightWidth),
    .Walk       (Walk),
    .Bounds     (Bounds),
    .Fill       (Bounds)
  ) u_plan (
    .clk_i,
    .rst_ni,
    .contexts_i,
    .freed_o         (freed_o.valid),
    .pause_i,
    .abort_i,
    .discard_i       ('0),
    .discard_number_i('0),
    .cut_o,
    .wake_i          (wake),
    .weight_i,
    .channel_o       (channel),
    .refresh_o       (refresh),
    .brief_o         (brief),
    .ready_i         (items_ready && flight_ready),
    .early_ready_i   (bursts_ready),
    .room_i          (room),
    .full_i          (full),
    .fired_o         (fire),
    .piece_o         (piece),
    .bytes_o         (bytes),
    .piece_valid_o   (piece_valid),
    .dropped_o       (dropped),
    .starved_i       (starved)
  );
  assign freed_o.channel = 4'(channel);

  // ---- Bursts and items

  burst_t burst, ar;
  logic burst_valid, item_valid, head_valid, head_ready, beats_valid;
  logic [Channels-1:0] begun_q;  // bursts of the transfer at work
  logic [Words+1:0] beats;
  item_t item, head;
  tsr_read_items #(
    .Channels (Channels),
    .Slots    (Slots),
    .AddrWidth(AddrWidth),
    .BusLog   (BusLog),
    .BurstLog (BurstLog),
    .Bounds   (Bounds)
  ) u_items (
    .clk_i,
    .rst_ni,
    .word_valid_i (contexts_i.word_valid),
    .word_i       (contexts_i.word),
    .abort_i,
    .channel_i    (channel),
    .refresh_i    (refresh),
    .piece_i      (piece),
    .piece_valid_i(piece_valid),
    .dropped_i    (dropped),
    .burst_addr_o (burst.addr),
    .burst_words_o(burst.words),
    .burst_valid_o(burst_valid),
    .beats_o      (beats),
    .beats_valid_o(beats_valid),
    .item_o       (item),
    .item_valid_o (item_valid)
  );

  assign burst.channel = channel;
  assign burst.first   = Firsts && (piece.start || !begun_q[channel]);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begun_q <= '0;
    else if (piece_valid && (piece.start || piece.data)) begun_q[channel] <= piece.data;
  end
  assign claim_o = '{valid: burst_valid, channel: 4'(channel)};

  // A piece fires while room for it and for those on their way was seen in the cycle before.
  tsr_fifo #(
    .Depth      (16),
    .T          (burst_t),
    .ReadyMargin(6)
  ) u_bursts (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .data_i (burst),
    .valid_i(burst_valid),
    .ready_o(bursts_ready),
    .data_o (ar),
    .valid_o(ar_valid_o),
    .ready_i(ar_ready_i)
  );
  assign ar_o = '{
          channel: 4'(ar.channel),
          first: ar.first,
          addr: {ar.addr, BusLog'(0)},
          len: 8'(ar.words)
      };

  // The place of an item is taken when its piece fires: all of them can be in use. Two more items are at
  // its words.
  logic item_gone, popped_q, unused_ready;
  logic [1:0] gone_late_q, gone;  // of pieces that were dropped
  assign gone      = gone_late_q + 2'(dropped);
  assign item_gone = popped_q || gone != '0;
  always_ff @(posedge clk_i) begin
    popped_q <= rst_ni && head_valid && head_ready;
    if (!rst_ni) gone_late_q <= '0;
    else gone_late_q <= gone - 2'(gone != '0 && !popped_q);
  end
  tsr_room #(
    .Slots(Outstanding - 2)
  ) u_places (
    .clk_i,
    .rst_ni,
    .claim_i(fire),
    .free_i (item_gone),
    .room_o (items_ready)
  );
  tsr_fifo #(
    .Depth      (Outstanding),
    .T          (item_t),
    .ReadyMargin(2)
  ) u_queue (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .data_i (item),
    .valid_i(item_valid),
    .ready_o(unused_ready),
    .data_o (head),
    .valid_o(head_valid),
    .ready_i(head_ready)
  );

  // Where items are, in the order of pieces: as many as places, and what is at the words.
  localparam int unsigned PlaceLog = $clog2(Outstanding);
  (* ram_style = "distributed" *) logic [PlaceWidth-1:0] place_mem[Outstanding];
  logic [PlaceLog-1:0] place_put_q, place_at_q;
  logic item_done;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {place_put_q, place_at_q} <= '0;
    else begin
      place_put_q <= place_put_q + PlaceLog'(piece_valid);
      place_at_q  <= place_at_q + PlaceLog'(item_done);
    end
    if (piece_valid) place_mem[place_put_q] <= piece.addr;
  end

  if (!Reserve) begin : gen_no_room
    logic unused_room;
    assign unused_room = ^{brief, refresh, beats, beats_valid, pop};
    assign room = 1'b1;
    assign full = 1'b0;
    assign starved = 1'b0;
    assign wake = '0;
    assign flight_ready = 1'b1;
  end else begin : gen_room
    tsr_plan_room #(
      .Channels  (Channels),
      .Room      (BufferBeats - 1),
      .Brief     (Brief + 1),
      .Longest   (MaxBurst + 1),
      .TakenWidth(Words + 2)
    ) u_room (
      .clk_i,
      .rst_ni,
      .channel_i    (channel),
      .refresh_i    (refresh),
      .brief_i      (brief),
      .fire_i       (fire),
      .room_o       (room),
      .full_o       (full),
      .starved_o    (starved),
      .taken_valid_i(beats_valid),
      .taken_i      (beats),
      .free_i       (pop),
      .wake_o       (wake)
    );
    tsr_read_flight #(
      .Most      (Channels * BufferBeats),
      .Brief     (Brief + 1),
      .Longest   (MaxBurst),
      .TakenWidth(Words + 1)
    ) u_flight (
      .clk_i,
      .rst_ni,
      .brief_i      (brief),
      .fire_i       (fire),
      .ready_o      (flight_ready),
      .taken_valid_i(piece_valid || dropped),
      .taken_i      (burst_valid ? (Words + 1)'(burst.words) + 1'b1 : '0),
      .came_i       (r_valid_i && r_ready_o),
      .stalled_i    (ar_valid_o && !ar_ready_i)
    );
  end

  // ---- Data

  word_t word;
  put_t  put;
  logic word_valid, word_ready, word_fire, put_valid;
  logic [MarkLog:0] mark;
  logic [Channels-1:0][MarkLog:0] popped;
  tsr_read_words #(
    .BusLog    (BusLog),
    .Words     (Words),
    .PlaceWidth(PlaceWidth)
  ) u_words (
    .clk_i,
    .rst_ni,
    .item_i      (head),
    .item_valid_i(head_valid),
    .item_ready_o(head_ready),
    .place_i     (place_mem[place_at_q]),
    .done_o      (item_done),
    .word_o      (word),
    .word_valid_o(word_valid),
    .word_ready_i(word_ready)
  );
  tsr_read_lanes #(
    .Channels  (Channels),
    .BusLog    (BusLog),
    .RoomLog   (RoomLog),
    .MarkLog   (MarkLog),
    .Bounds    (Bounds),
    .Side      (Side),
    .PlaceWidth(PlaceWidth)
  ) u_lanes (
    .clk_i,
    .rst_ni,
    .word_i      (word),
    .word_valid_i(word_valid),
    .word_ready_o(word_ready),
    .data_i      (r_i.data),
    .data_valid_i(r_valid_i),
    .data_ready_o(r_ready_o),
    .room_i      (Reserve || buffer_room[0]),
    .put_o       (put),
    .put_valid_o (put_valid),
    .word_fire_o (word_fire),
    .mark_o      (mark)
  );
  logic unused_buffer_room;
  assign unused_buffer_room = ^buffer_room;
  for (genvar i = 0; i < Channels; i++) begin : gen_buffer
    tsr_read_buffer #(
      .Channel  (i),
      .BusLog   (BusLog),
      .RoomLog  (RoomLog),
      .MarkLog  (MarkLog),
      .Side     (Side),
      .Kept     (Kept),
      .FlightLog($clog2(Flight))
    ) u_buffer (
      .clk_i,
      .rst_ni,
      .abort_i    (abort_i[i]),
      .busy_o     (busy_o[i]),
      .put_i      (put),
      .put_valid_i(put_valid),
      .room_o     (buffer_room[i]),
      .pop_o      (pop[i]),
      .popped_o   (popped[i]),
      .data_o     (beat_o[i].data),
      .keep_o     (beat_o[i].keep),
      .last_o     (beat_o[i].last),
      .ends_o     (beat_o[i].ends),
      .owner_o    (beat_o[i].owner),
      .valid_o    (valid_o[i]),
      .ready_i    (ready_i[i])
    );
  end

  tsr_read_ends #(
    .Channels  (Channels),
    .AddrWidth (AddrWidth),
    .BusLog    (BusLog),
    .MarkLog   (MarkLog),
    .FlightLog ($clog2(Flight)),
    .PlaceWidth(PlaceWidth)
  ) u_ends (
    .clk_i,
    .rst_ni,
    .abort_i,
    .channel_i  (channel),
    .planned_i  (piece_valid && piece.final_),
    .bytes_i    (bytes),
    .word_i     (word),
    .word_fire_i(word_fire),
    .mark_i     (mark),
    .resp_i     (r_i.resp),
    .popped_i   (popped),
    .end_o,
    .end_valid_o,
    .end_ready_i
  );

  `TSR_STATIC_ASSERT(Channels, Channels >= 1 && Channels <= 16,
                     ("Channels = %0d; legal is 1 to 16", Channels))
  `TSR_STATIC_ASSERT(AddrWidth, AddrWidth >= 32 && AddrWidth <= 64,
                     ("AddrWidth = %0d; legal is 32 to 64", AddrWidth))
  `TSR_STATIC_ASSERT(BusLog, BusLog >= 2 && BusLog <= 7, ("BusLog = %0d; legal is 2 to 7", BusLog))
  `TSR_STATIC_ASSERT(
      MaxBurst, MaxBurst >= 2 && MaxBurst <= 256 && MaxBurst * Lanes <= 4096 && 2 ** $clog2
      (MaxBurst) == MaxBurst,
      ("MaxBurst = %0d; legal is 2 to 256, a power of two, of 4 KiB at most", MaxBurst))
  `TSR_STATIC_ASSERT(
      BufferBeats, 2 ** RoomLog == BufferBeats && BufferBeats >= (Reserve ? 2 * MaxBurst + 6 : 16),
      ("BufferBeats = %0d; legal is a power of two, 16 or above two bursts", BufferBeats))
  `TSR_STATIC_ASSERT(Reserve, Channels == 1 || Reserve,
                     ("Reserve = 0; legal is 1 for several channels"))
  `TSR_STATIC_ASSERT(Flight, $onehot(Flight) && Flight >= 2 && Flight <= 16,
                     ("Flight = %0d; legal is 2, 4, 8 or 16", Flight))
  `TSR_STABLE(BurstStays, ar_valid_o, ar_ready_i, ar)

endmodule
