// Counts what a channel does.
//
// Contract: each field of `counters_o` counts the cycles in which its event is true, bytes their sum, modulo
// 2**32 (bytes 2**64). `reached` is the number of cycles from the first beat to the beat with which bytes
// reach `limit`, which is `limit_i`; until then it runs. `first` is `cycles_i` at the first beat. `clear_i` sets all to 0 and
// awaits a first beat anew, and wins; `freeze_i` lets all stay as they are, an event in that cycle is
// not counted. Without Enable all are 0, at no cost.
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
  output counters_t              counters_o
);

  if (!Enable) begin : gen_none
    logic unused_events;
    assign counters_o = '0;
    assign unused_events = ^{clk_i, rst_ni, freeze_i, clear_i, cycles_i, limit_i, events_i};
  end else begin : gen_counters
    counters_t counters_q;
    logic [63:0] bytes;
    logic started_q;
    assign bytes = {counters_q.bytes_high, counters_q.bytes_low};

    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear_i) begin
        counters_q <= '0;
        started_q  <= 1'b0;
      end else if (!freeze_i) begin
        counters_q.busy      <= counters_q.busy + 32'(events_i.busy);
        counters_q.memory    <= counters_q.memory + 32'(events_i.memory);
        counters_q.stream    <= counters_q.stream + 32'(events_i.on_stream);
        counters_q.lock      <= counters_q.lock + 32'(events_i.lock);
        counters_q.credit    <= counters_q.credit + 32'(events_i.credit);
        counters_q.beats     <= counters_q.beats + 32'(events_i.beat);
        counters_q.bursts    <= counters_q.bursts + 32'(events_i.burst);
        counters_q.packets   <= counters_q.packets + 32'(events_i.packet);
        counters_q.transfers <= counters_q.transfers + 32'(events_i.transfer);
        if (events_i.beat) begin
          {counters_q.bytes_high, counters_q.bytes_low} <= bytes + 64'(events_i.bytes);
          started_q <= 1'b1;
          if (!started_q) counters_q.first <= cycles_i;
        end
        // The bytes are those up to the cycle before, which is what makes this a difference.
        if (started_q && bytes < 64'(limit_i)) begin
          counters_q.reached <= counters_q.reached + 32'd1;
        end
      end
    end
    always_comb begin
      counters_o       = counters_q;
      counters_o.limit = limit_i;
    end

    `TSR_ASSERT(StartsWithABeat, started_q == (counters_q.beats != '0) || counters_q.beats == '0)
  end

endmodule
