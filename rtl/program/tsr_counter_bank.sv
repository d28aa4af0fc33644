// The counters of all channels, and their registers from 0xc0 of a channel on.
//
// Contract: an access is held until `ready_o`, and answered in that cycle; else the answer is 0. Read channels
// stand first in the arrays. What streams and ports do comes a cycle late (tsr_stream_watch), and so do cycles
// and the rest here, that all counters speak of the same cycle. A channel is stalled by its stream while a
// transfer runs and the stream does not go on that could; by the memory while a transfer runs and the stream
// could go on alone. What lies above the low bits of tsr_counters is in a memory: one word a cycle is visited,
// in turn or for an access, and gets its low bits, and a carry if they are less than at the last visit.
// `clear_i` begins a round of visits that make words 0.
// Latency: 2 cycles to the answer, behind a clear the 16 cycles a channel of a round; an event shows 2 cycles later.
// Throughput: an access in three cycles.
`include "tsr_assert.svh"
module tsr_counter_bank
  import tsr_descriptor_pkg::*;
  import tsr_fabric_pkg::*;
  import tsr_register_pkg::*;
#(
  parameter  int unsigned Reads    = 1,
  parameter  int unsigned Writes   = 1,
  localparam int unsigned Channels = Reads + Writes
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  bus_request_t                  request_i,
  input  logic                          valid_i,
  input  logic           [         4:0] channel_i,
  output logic                          ready_o,
  output bus_answer_t                   answer_o,
  input  logic                          freeze_i,
  input  logic                          clear_i,
  input  logic           [        31:0] cycles_i,
  input  activity_t      [Channels-1:0] activity_i,
  input  stream_events_t [Channels-1:0] stream_i,    // a cycle late
  input  bus_events_t    [Channels-1:0] bus_i
);

  localparam int unsigned Index = Channels > 1 ? $clog2(Channels) : 1;
  // Accesses take a cycle in three from the round: between two visits of a word lie less than 2**Low cycles.
  localparam int unsigned Low = Index + 5;
  typedef struct packed {
    logic [Index-1:0] channel;
    counter_word_e    word;
  } place_t;
  typedef struct packed {
    logic [31-Low:0] high;
    logic [Low-1:0]  low;
  } count_t;

  count_t cycles_q;
  activity_t [Channels-1:0] activity_q;
  bus_events_t [Channels-1:0] bus_q;
  always_ff @(posedge clk_i) begin
    cycles_q <= cycles_i;
    if (!rst_ni) begin
      activity_q <= '0;
      bus_q      <= '0;
    end else begin
      activity_q <= activity_i;
      bus_q      <= bus_i;
    end
  end

  // ---- Accesses -----------------------------------------------------------------------------------

  counter_word_e number;
  logic missing, take, taken_q, answers_q;
  logic [31:0] data_q;
  assign number   = counter_word_e'(request_i.word[5:2]);
  assign ready_o  = valid_i && answers_q;
  assign missing  = number > CounterFirst || (request_i.write && number != CounterLimit);
  assign answer_o = '{error: valid_i && missing, data: data_q};

  // ---- A visit: the place, then what stands there -------------------------------------------------

  place_t next_q, at, at_q;
  logic clears_q, cleared_q, round, first_q, carry, borrow;
  logic [Low-1:0] low_q;
  count_t old, now;
  assign take  = valid_i && !taken_q && !answers_q && !clears_q;
  assign at    = take ? '{channel: channel_i[Index-1:0], word: number} : next_q;
  assign round = next_q == {Index'(Channels - 1), 4'hf};

  logic [Channels-1:0] first;
  logic [Channels-1:0][31:0] bytes, limit;
  logic [Channels-1:0][13:0][Low-1:0] low;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) next_q <= '0;
    else if (!take) next_q <= round ? '0 : next_q + 1'b1;
    clears_q  <= !rst_ni || clear_i || (clears_q && !round);
    cleared_q <= clears_q;
    taken_q   <= rst_ni && take;
    answers_q <= rst_ni && taken_q;
    at_q      <= at;
    first_q   <= first[at.channel] && at.word == CounterFirst;
    low_q     <= low[at.channel][at.word];  // where no word is, anything
  end

  // The low bits of the first beat's cycle are known, and that it was not long ago.
  assign carry   = !cleared_q && low_q < old.low;
  assign borrow  = cycles_q.low < low_q;
  assign now.low = low_q;
  always_comb begin
    logic unused_bit;
    logic [31-Low:0] high;
    high = first_q ? cycles_q.high : cleared_q ? '0 : old.high;
    {now.high, unused_bit} = {high, 1'b1} + {{(32 - Low) {first_q && borrow}}, !first_q && carry};
  end
  always_ff @(posedge clk_i) begin
    unique case (at_q.word)
      CounterBytesLow: data_q <= bytes[at_q.channel];
      CounterLimit:    data_q <= limit[at_q.channel];
      default:         data_q <= now;
    endcase
    if (!taken_q || missing) data_q <= '0;
  end
  tsr_memory #(
    .Depth(16 * 2 ** Index),
    .Width(32)
  ) u_words (
    .clk_i,
    .write_i   (1'b1),
    .write_at_i(at_q),
    .data_i    (now),
    .read_i    (1'b1),
    .read_at_i (at),
    .data_o    (old)
  );

  // ---- Channels -----------------------------------------------------------------------------------

  for (genvar c = 0; c < Channels; c++) begin : gen_channel
    localparam bit IsRead = c < Reads;
    counter_events_t events;
    stream_events_t  stream;
    logic running, writes;

    assign stream  = stream_i[c];
    assign running = activity_q[c].running;
    assign writes  = ready_o && request_i.write && number == CounterLimit && 32'(channel_i) == c;
    always_comb begin
      events = '0;
      events[CounterBusy] = activity_q[c].busy;
      events[CounterMemory] = running && (IsRead ? !stream.valid : !stream.ready);
      events[CounterStream]    = running &&
          (IsRead ? stream.valid && !stream.ready : stream.ready && !stream.valid);
      events[CounterLock] = activity_q[c].lock;
      events[CounterCredit] = bus_q[c].blocked;
      events[CounterBeats] = stream.valid && stream.ready;
      events[CounterBursts] = bus_q[c].burst;
      events[CounterPackets] = stream.valid && stream.ready && stream.last;
      events[CounterTransfers] = activity_q[c].transfer;
    end

    tsr_counters #(
      .Low(Low)
    ) u_counters (
      .clk_i,
      .rst_ni,
      .freeze_i,
      .clear_i,
      .cycles_i     (cycles_q.low),
      .events_i     (events),
      .bytes_i      (stream.bytes),
      .limit_write_i(request_i.strobe & {4{writes}}),
      .limit_i      (request_i.data),
      .low_o        (low[c]),
      .bytes_o      (bytes[c]),
      .limit_o      (limit[c]),
      .first_o      (first[c]),
      .first_kept_i (first_q && 32'(at_q.channel) == c)
    );
  end

  logic unused_request;
  assign unused_request = ^{request_i.word, channel_i};

  `TSR_ASSUME(AccessExists, !valid_i || 32'(channel_i) < Channels)
  `TSR_ASSERT(OneAnswer, !(taken_q && answers_q))
  `TSR_ASSERT(NothingElse, ready_o || answer_o.data == '0)

endmodule
