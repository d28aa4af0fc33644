// Counts what a channel does, modulo a power of two: what lies above is kept by tsr_counter_bank.
//
// Contract: each word of `low_o` counts the cycles in which its event is true, modulo 2**Low. Words without
// an event: the high half of the bytes counts carries of `bytes_o`, the bytes of beats modulo 2**32; `reached`
// counts from the first beat to the beat with which bytes reach `limit_o`; `first` is `cycles_i` at the first
// beat, and `first_o` is true from then on until `first_kept_i`. `clear_i` sets all but the limit to 0 and awaits a
// first beat anew, and wins; `freeze_i` lets all stay as they are, an event in that cycle is not counted.
// Latency: an event shows in the next cycle. Throughput: an event of each kind a cycle.
`include "tsr_assert.svh"
module tsr_counters
  import tsr_descriptor_pkg::*;
#(
  parameter int unsigned Low = 6  // bits of a word
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,
  input  logic                               freeze_i,
  input  logic                               clear_i,
  input  logic            [Low-1:0]          cycles_i,
  input  counter_events_t                    events_i,
  input  logic            [    7:0]          bytes_i,        // of the beat
  input  logic            [    3:0]          limit_write_i,  // bytes of it
  input  logic            [   31:0]          limit_i,
  output logic            [   13:0][Low-1:0] low_o,
  output logic            [   31:0]          bytes_o,
  output logic            [   31:0]          limit_o,
  output logic                               first_o,
  input  logic                               first_kept_i
);

  localparam int unsigned Words = $bits(counter_events_t);
  logic [32:0] bytes;
  logic started_q, over_q, begins;
  counter_events_t counts;
  assign bytes  = 33'(bytes_o) + 33'(bytes_i);
  assign begins = events_i[CounterBeats] && !started_q && !freeze_i;
  always_comb begin
    counts = events_i;
    counts[CounterBytesHigh] = events_i[CounterBeats] && bytes[32];
    // The bytes are those up to the cycle before, which is what makes this a difference.
    counts[CounterReached] = started_q && !over_q && bytes_o < limit_o;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      low_o <= '0;
      bytes_o <= '0;
      {started_q, over_q, first_o} <= '0;
    end else begin
      if (!freeze_i) begin
        for (int unsigned w = 0; w < Words; w++) low_o[w] <= low_o[w] + Low'(counts[w]);
      end
      if (!freeze_i && events_i[CounterBeats]) begin
        bytes_o   <= bytes[31:0];
        started_q <= 1'b1;
        over_q    <= over_q || bytes[32];
      end
      if (begins) low_o[CounterFirst] <= cycles_i;
      first_o <= begins || (first_o && !first_kept_i);
    end
    for (int unsigned i = 0; i < 4; i++) begin
      if (!rst_ni) limit_o[8*i+:8] <= '0;
      else if (limit_write_i[i]) limit_o[8*i+:8] <= limit_i[8*i+:8];
    end
  end

  `TSR_ASSERT(FirstOfOne, !first_o || started_q)

endmodule
