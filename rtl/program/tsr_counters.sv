// Counts what a channel does.
//
// Contract: each word of `counters_o` counts the cycles in which its event is true, modulo 2**32. Words without
// an event: bytes are the sum of those of beats, modulo 2**64; `reached` is the number of cycles from the first
// beat to the beat with which bytes reach `limit_i`, and runs until then; `first` is `cycles_i` at the first
// beat; the limit is `limit_i`. `clear_i` sets all to 0 and awaits a first beat anew, and wins; `freeze_i` lets all
// stay as they are, an event in that cycle is not counted. Without Enable all are 0, at no cost.
// Latency: an event shows in the next cycle. Throughput: an event of each kind a cycle.
`include "tsr_assert.svh"
module tsr_counters
  import tsr_descriptor_pkg::*;
  import tsr_register_pkg::*;
#(
  parameter bit Enable = 1'b1
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   freeze_i,
  input  logic                   clear_i,
  input  logic            [31:0] cycles_i,
  input  logic            [31:0] limit_i,
  input  counter_events_t        events_i,
  input  logic            [ 7:0] bytes_i,    // of the beat
  output counters_t              counters_o
);

  if (!Enable) begin : gen_none
    logic unused_events;
    assign counters_o = '0;
    assign unused_events = ^{clk_i, rst_ni, freeze_i, clear_i, cycles_i, limit_i} ^
        ^{events_i, bytes_i};
  end else begin : gen_counters
    // Words that have an event.
    localparam counter_events_t Counts = ~(counter_events_t'(1) << CounterBytesLow |
                                           counter_events_t'(1) << CounterBytesHigh |
                                           counter_events_t'(1) << CounterLimit |
                                           counter_events_t'(1) << CounterReached |
                                           counter_events_t'(1) << CounterFirst);
    localparam int unsigned Words = $bits(counter_events_t);
    counters_t counters_q;
    logic [63:0] bytes;
    logic started_q;
    assign bytes = {counters_q[CounterBytesHigh], counters_q[CounterBytesLow]};

    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear_i) begin
        counters_q <= '0;
        started_q  <= 1'b0;
      end else if (!freeze_i) begin
        for (int unsigned w = 0; w < Words; w++)
        if (Counts[w]) counters_q[w] <= counters_q[w] + 32'(events_i[w]);
        if (events_i[CounterBeats]) begin
          {counters_q[CounterBytesHigh], counters_q[CounterBytesLow]} <= bytes + 64'(bytes_i);
          started_q <= 1'b1;
          if (!started_q) counters_q[CounterFirst] <= cycles_i;
        end
        // The bytes are those up to the cycle before, which is what makes this a difference.
        if (started_q && bytes < 64'(limit_i)) begin
          counters_q[CounterReached] <= counters_q[CounterReached] + 32'd1;
        end
      end
    end
    always_comb begin
      counters_o               = counters_q;
      counters_o[CounterLimit] = limit_i;
    end

    `TSR_ASSERT(StartsWithABeat,
                started_q == (counters_q[CounterBeats] != '0) || counters_q[CounterBeats] == '0)
  end

endmodule
