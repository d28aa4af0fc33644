// The counters of all channels, and their registers from 0xc0 of a channel on.
//
// Contract: an access is held until `ready_o`, and answered in that cycle. Read channels stand first in the
// arrays. What streams and ports do comes a cycle late (tsr_stream_watch), and so do cycles and the rest here,
// that all counters speak of the same cycle. A channel is stalled by its stream while a transfer runs and the
// stream does not go on that could; by the memory while a transfer runs and the stream could go on alone.
// Without Enable every access is refused at once, and nothing is built.
// Latency: 1 cycle to the answer; an event shows 2 cycles later. Throughput: an access in two cycles.
`include "tsr_assert.svh"
module tsr_counter_bank
  import tsr_descriptor_pkg::*;
  import tsr_fabric_pkg::*;
  import tsr_register_pkg::*;
#(
  parameter  bit          Enable   = 1'b1,
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

  if (Enable) begin : gen_bank
    logic [31:0] cycles_q;
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

    // ---- Registers ------------------------------------------------------------------------------

    localparam int unsigned Words = $bits(counter_events_t);
    counter_word_e number;
    logic answers_q, write;
    logic [Channels-1:0] here;
    counters_t [Channels-1:0] words;
    counters_t chosen;
    logic [31:0] data_q, mask;

    assign number  = counter_word_e'(request_i.word[5:2]);
    assign ready_o = valid_i && answers_q;
    assign write   = ready_o && request_i.write && number == CounterLimit;
    logic missing;
    assign missing  = 32'(number) >= Words || (request_i.write && number != CounterLimit);
    assign answer_o = '{error: missing, data: data_q};
    for (genvar i = 0; i < 4; i++) begin : gen_mask
      assign mask[8*i+:8] = {8{request_i.strobe[i]}};
    end
    always_comb begin
      chosen = '0;
      for (int unsigned c = 0; c < Channels; c++) if (here[c]) chosen = chosen | words[c];
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) answers_q <= 1'b0;
      else answers_q <= valid_i && !answers_q;
      data_q <= '0;
      for (int unsigned w = 0; w < Words; w++) if (32'(number) == w) data_q <= chosen[w];
    end

    // ---- Channels -------------------------------------------------------------------------------

    for (genvar c = 0; c < Channels; c++) begin : gen_channel
      localparam bit IsRead = c < Reads;
      logic [31:0] limit_q;
      counter_events_t events;
      stream_events_t stream;
      logic running;

      assign here[c] = 32'(channel_i) == c;
      assign stream  = stream_i[c];
      assign running = activity_q[c].running;
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

      tsr_counters u_counters (
        .clk_i,
        .rst_ni,
        .freeze_i,
        .clear_i,
        .cycles_i  (cycles_q),
        .limit_i   (limit_q),
        .events_i  (events),
        .bytes_i   (stream.bytes),
        .counters_o(words[c])
      );

      always_ff @(posedge clk_i) begin
        if (!rst_ni) limit_q <= '0;
        else if (write && here[c]) limit_q <= (limit_q & ~mask) | (request_i.data & mask);
      end
    end

    logic unused_request;
    assign unused_request = ^request_i.word;

    `TSR_ASSERT(OneChannel, $onehot0(here))
  end else begin : gen_none
    assign ready_o  = valid_i;
    assign answer_o = '{error: 1'b1, data: '0};
    logic unused_inputs;
    assign unused_inputs = ^{clk_i, rst_ni, request_i, channel_i, freeze_i, clear_i, cycles_i} ^
        ^{activity_i, stream_i, bus_i};
  end

endmodule
