// Cuts segments into pieces, each a burst that ends at a multiple of the longest burst, and ends a
// transfer after its length.
//
// Contract: pieces come in the order of segments and cover them exactly, up to the length. A piece
// fires while `go_i`, and is on `piece_o` two cycles later; it cannot be refused. `kill_o`: the
// context at work has ended by its length, or with its last row where it has one: what is held of
// it upstream has to go, and the next may start. The context in which the length ends is the last one.
// A transfer of `discard_i` takes no byte of its others. `bytes_o` is with a final
// piece: bytes of its transfer. With Fill the address of a piece of fill is the value of fill.
// `swap_i` is legal while `still_o`: the last piece that fired is on `piece_o` or gone.
// Latency: 3 cycles from a segment to its first piece, 4 for the first of a transfer. Throughput: a
// piece a cycle.
`include "tsr_assert.svh"
`include "tsr_core_types.svh"
module tsr_pieces
  import tsr_core_pkg::*;
#(
  parameter int unsigned Channels = 1,  // 1 .. 16
  parameter int unsigned Slots = 2,  // contexts of a channel, 2 or 4
  parameter int unsigned AddrWidth = 64,  // 32 .. 64
  parameter bit CountBytes = 1'b1,  // bytes_o is wanted
  parameter int unsigned BurstLog = 9,  // log2 of the bytes of the longest burst, at most 12
  parameter int unsigned BriefLog = 3,
  parameter bit Walk = 1'b1,  // transfers have several contexts
  parameter bit Bounds = 1'b1,  // segments without data have bytes
  parameter bit Fill = 1'b0,  // and a value
  localparam int unsigned Index = Channels > 1 ? $clog2(Channels) : 1,
  localparam int unsigned PlaceWidth = Fill ? 64 : AddrWidth,
  localparam type segment_t = `TSR_SEGMENT_T(AddrWidth, SizeWidth),
  localparam type piece_t = `TSR_PIECE_T(PlaceWidth, BurstLog)
) (
  input logic clk_i,
  input logic rst_ni,
  // Words of contexts
  input logic word_valid_i,
  input context_word_t word_i,
  // The channel at work
  input logic [Index-1:0] channel_i,
  input logic go_i,
  output logic kill_o,
  input discard_t discard_i,
  output logic fire_o,
  output logic brief_o,  // the piece that would fire has at most 2 ** BriefLog bytes
  output logic still_o,
  input logic swap_i,
  input logic refresh_i,
  input pieces_state_t state_i,
  output pieces_state_t state_o,
  // Segments
  input segment_t segment_i,
  input logic segment_valid_i,
  output logic segment_ready_o,
  // Pieces
  output piece_t piece_o,
  output logic [BytesWidth-1:0] bytes_o,
  output logic piece_valid_o,
  output logic freed_o,  // with a piece that is the last of its context
  output logic dropped_o  // instead of the piece of a transfer that has ended
);

  typedef logic [SizeWidth-1:0] rest_t;
  typedef struct packed {
    slot_t                 slot;
    number_t               number;
    logic                  has_length, empty, data, start, packet, frees, more, last, flush;
    logic [PlaceWidth-1:0] addr;
    logic [BurstLog-1:0]   size;
  } cut_t;

  pieces_state_t s_q;

  // ---- What is kept of each channel. The low part of a size counts from the aligned address, the
  // high part the bursts that follow, without the one that `carry` stands for; it is kept inverted,
  // to count up. `rest` counts up from the negative length.

  typedef struct packed {
    logic [PlaceWidth-1:0]       addr;
    logic [SizeWidth-1:BurstLog] bursts;  // inverted
  } place_t;
  typedef struct packed {
    row_t                row;
    logic [BurstLog-1:0] low;
  } kept_t;
  kept_t part, kept_part;
  place_t place, place_next;
  rest_t rest, rest_next;
  logic part_write, place_write, rest_write;
  logic [BurstLog:0] low;
  tsr_by_channel #(
    .Channels(Channels),
    .T       (kept_t)
  ) u_part (
    .clk_i,
    .rst_ni,
    .channel_i,
    .write_i(part_write),
    .data_i ({segment_i.row, low[BurstLog-1:0]}),
    .data_o (kept_part)
  );
  tsr_by_channel #(
    .Channels(Channels),
    .T       (place_t)
  ) u_place (
    .clk_i,
    .rst_ni,
    .channel_i,
    .write_i(place_write),
    .data_i (place_next),
    .data_o (place)
  );
  tsr_by_channel #(
    .Channels(Channels),
    .T       (rest_t)
  ) u_rest (
    .clk_i,
    .rst_ni,
    .channel_i,
    .write_i(rest_write),
    .data_i (rest_next),
    .data_o (rest)
  );

  always_comb begin
    part = kept_part;
    if (!Walk) part.row.more = 1'b0;
  end

  // ---- Length: that of the first context of a transfer counts; `far`: longer than a burst

  (* ram_style = "distributed" *) logic [SizeWidth:0] length_mem[Channels*Slots];
  localparam int unsigned SlotLog = $clog2(Slots);
  localparam int unsigned LengthIndex = $clog2(Channels * Slots);
  logic far, word_far;
  logic [SizeWidth-1:0] length;  // of the transfer at work
  assign {far, length} = length_mem[LengthIndex'({channel_i, part.row.slot[SlotLog-1:0]})];
  assign word_far = |word_i.data[SizeWidth-1:BurstLog];
  always_ff @(posedge clk_i) begin
    if (word_valid_i && word_i.word == WordLength)
      length_mem[LengthIndex'({
        word_i.channel[Index-1:0], word_i.slot[SlotLog-1:0]
      })] <= {
        word_far, word_i.data[SizeWidth-1:0]
      };
  end

  // ---- What is left of a segment

  logic fire, starts, same;
  assign starts = segment_i.row.start && segment_i.first;
  logic [BurstLog-1:0] offset;
  assign fire            = s_q.armed && go_i && !refresh_i;
  assign fire_o          = fire;
  assign brief_o         = s_q.brief;
  assign segment_ready_o = (!s_q.valid || (fire && !s_q.big)) && !refresh_i;
  assign offset          = segment_i.data ? segment_i.addr[BurstLog-1:0] : '0;
  assign low             = {1'b0, segment_i.size[BurstLog-1:0]} + {1'b0, offset};
  assign part_write      = segment_ready_o && !swap_i;
  assign place_write     = (segment_ready_o || fire) && !swap_i;
  // A multiplexer before each sum shares its LUTs. It is known early which one comes next.
  assign same            = s_q.valid && s_q.big;
  logic [PlaceWidth-1:0] first, now;  // of a segment, and at work
  logic moves;  // to the next address: fill stays
  logic [SizeWidth-1:BurstLog] bursts;
  if (Fill) begin : gen_fill
    (* ram_style = "distributed" *) logic [63:0] fill_mem[Channels*Slots];
    always_ff @(posedge clk_i)
      if (word_valid_i && word_i.word == WordFill)
        fill_mem[LengthIndex'({
          word_i.channel[Index-1:0], word_i.slot[SlotLog-1:0]
        })] <= word_i.data;
    assign first = segment_i.data ? PlaceWidth'(segment_i.addr) :
        PlaceWidth'(fill_mem[LengthIndex'({channel_i, segment_i.row.slot[SlotLog-1:0]})]);
    assign moves = same && s_q.data;
  end else begin : gen_no_fill
    assign first = {segment_i.addr[AddrWidth-1:BurstLog], offset};
    assign moves = same;
  end
  assign now = same ? place.addr : first;
  assign bursts = same ? place.bursts : ~segment_i.size[SizeWidth-1:BurstLog];
  assign place_next = '{
          addr: {
            now[PlaceWidth-1:BurstLog] + (PlaceWidth - BurstLog)'(moves),
            moves ? BurstLog'(0) : now[BurstLog-1:0]
          },
          bursts: bursts + (SizeWidth - BurstLog)'(same && !s_q.carry)
      };

  // A transfer begins a cycle late, so that the bytes of the one before are counted first.
  logic kill, kill_q, ended, frees, done;
  logic [BurstLog:0] rest_low;
  logic high_is_last, high_is_next;

  cut_t cut_q;
  logic cut_valid_q, cut_dropped_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      s_q <= pieces_state_t'(0);
    end else if (swap_i) begin
      s_q <= state_i;
    end else if (!refresh_i) begin
      s_q.begins <= segment_ready_o && segment_valid_i && starts && !kill_q;
      s_q.loads  <= s_q.begins;
      s_q.armed  <= (segment_ready_o ? segment_valid_i && !starts : s_q.valid) && !kill_q;
      if (segment_ready_o) begin
        s_q.valid <= segment_valid_i;
        s_q.ends <= segment_i.ends;
        s_q.empty <= segment_i.row.empty;
        s_q.data <= segment_i.data;
        s_q.big <= !segment_i.row.empty && (segment_i.big || low[BurstLog]);
        s_q.carry <= low[BurstLog];
        s_q.start <= starts;
        s_q.brief <= segment_i.row.empty ||
                     (!segment_i.big && segment_i.size[BurstLog-1:BriefLog] == '0);
      end else if (fire) begin
        s_q.start <= 1'b0;
        s_q.brief <= 1'b0;
        s_q.big <= !(&place.bursts[SizeWidth-1:BurstLog+1]) ||
                   (s_q.carry && !place.bursts[BurstLog]);
        s_q.carry <= 1'b0;
      end
      if (!segment_ready_o && discards(discard_i, part.row.number)) begin
        s_q.empty <= 1'b1;
        s_q.data  <= 1'b0;
        s_q.big   <= 1'b0;
        s_q.brief <= 1'b1;
      end
      if (kill_q) s_q.valid <= 1'b0;
      if (s_q.loads) s_q.near_ <= part.row.has_length && !far;
      else if (cut_valid_q && !cut_q.empty)
        s_q.near_ <= cut_q.has_length && (rest_low[BurstLog] ? high_is_next : high_is_last);
    end
  end
  assign state_o = s_q;

  assign rest_write = !swap_i && !refresh_i && (s_q.loads || (cut_valid_q && !cut_q.empty));
  logic [SizeWidth-1:BurstLog] rest_high;
  assign rest_high = s_q.loads ? ~length[SizeWidth-1:BurstLog] : rest[SizeWidth-1:BurstLog];
  // Where the length ends the high part is all ones, and becomes 0.
  assign rest_next = {
    rest_high + (SizeWidth - BurstLog)'(rest_low[BurstLog] && !s_q.loads),
    s_q.loads ? ~length[BurstLog-1:0] : ended ? BurstLog'(0) : rest_low[BurstLog-1:0]
  };

  // ---- A piece, and whether the length ends in it

  assign rest_low = {1'b0, rest[BurstLog-1:0]} + {1'b0, cut_q.size} + 1'b1;
  assign high_is_last = &rest[SizeWidth-1:BurstLog];
  assign high_is_next = &rest[SizeWidth-1:BurstLog+1] && !rest[BurstLog];
  assign ended = s_q.near_ && rest_low[BurstLog] && !cut_q.empty;
  assign frees = cut_q.frees || ended;
  assign done = ended || (cut_q.frees && !cut_q.more);
  assign kill = cut_valid_q && cut_q.has_length && frees;

  always_ff @(posedge clk_i) begin
    cut_valid_q <= rst_ni && fire && !kill && !kill_q;
    cut_dropped_q <= rst_ni && fire && (kill || kill_q);
    dropped_o <= rst_ni && cut_dropped_q;
    cut_q <= '{
        slot: part.row.slot,
        number: part.row.number,
        more: part.row.more,
        has_length: part.row.has_length,
        empty: s_q.empty,
        data: Bounds ? s_q.data : !s_q.empty,
        start: s_q.start,
        packet: part.row.packet && s_q.ends && !s_q.big,
        frees: part.row.final_ && s_q.ends && !s_q.big,
        last: part.row.last,
        flush: part.row.flush,
        addr: place.addr,
        size: (s_q.big ? '1 : part.low) - (Fill && !s_q.data ? '0 : place.addr[BurstLog-1:0])
    };
    kill_q <= rst_ni && kill;
    piece_valid_o <= rst_ni && cut_valid_q;
    freed_o <= rst_ni && cut_valid_q && frees;
    piece_o <= '{
        slot: cut_q.slot,
        empty: cut_q.empty,
        data: Bounds ? cut_q.data : !cut_q.empty,
        start: cut_q.start,
        final_: frees && !cut_q.more,
        last: cut_q.packet || (done && cut_q.last),
        flush: cut_q.packet || (done && (cut_q.flush || discard_i.all)),
        rule: cut_q.last,
        number: cut_q.number,
        addr: cut_q.addr,
        size: ended ? ~rest[BurstLog-1:0] : cut_q.size
    };
  end

  assign kill_o  = kill_q;
  assign still_o = !fire && !cut_valid_q && !cut_dropped_q && !kill_q;

  // ---- Bytes of the transfer

  if (CountBytes) begin : gen_bytes
    logic [BytesWidth-1:0] bytes;  // before the piece
    assign bytes_o = (piece_o.start ? '0 : bytes) +
        (piece_o.empty ? '0 : BytesWidth'(piece_o.size)) + BytesWidth'(!piece_o.empty);
    tsr_by_channel #(
      .Channels(Channels),
      .T       (logic [BytesWidth-1:0])
    ) u_bytes (
      .clk_i,
      .rst_ni,
      .channel_i,
      .write_i(piece_valid_o),
      .data_i (bytes_o),
      .data_o (bytes)
    );
  end else begin : gen_no_bytes
    assign bytes_o = '0;
  end

  `TSR_ASSERT(ArmedIsTrue, s_q.armed == (s_q.valid && !s_q.begins))
  `TSR_ASSERT(SwapIsStill, !swap_i || still_o)
  `TSR_ASSERT(NoMoreBehindTheLength, !(cut_valid_q && ended && cut_q.more))
  `TSR_ASSERT(EndsAtZero, !(cut_valid_q && ended) || &rest[SizeWidth-1:BurstLog])
  logic [BurstLog:0] last_byte;
  assign last_byte = (Fill && !piece_o.data ? '0 : {1'b0, piece_o.addr[BurstLog-1:0]}) +
      {1'b0, piece_o.size};
  `TSR_ASSERT(NeverAcrossABurst, !piece_valid_o || piece_o.empty || !last_byte[BurstLog])

endmodule
