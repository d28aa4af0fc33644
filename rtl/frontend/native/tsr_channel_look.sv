// What a look at a channel finds beside its events: faults, saturated locks, missed triggers, orders that are carried out.
//
// Contract. One channel a cycle, `channel_i`; with `look_i` what has happened since the last look is taken. `next_i` is the
// channel of the next look, to which `fault_i` belongs. A fault that stays is told once; one that comes again is another
// one. A trigger that is missed while ERROR is cleared is told again.
// Latency: 0 cycles, of `fault_i` 1. Throughput: a look a cycle.
`include "tsr_assert.svh"
module tsr_channel_look
  import tsr_descriptor_pkg::*;
  import tsr_program_pkg::*;
  import tsr_cause_pkg::*;
#(
  parameter  int unsigned Channels = 2,                                   // 1..32
  localparam int unsigned Index    = Channels > 1 ? $clog2(Channels) : 1
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  sweep_t                      sweep_i,
  input  logic         [   Index-1:0] next_i,
  input  logic         [   Index-1:0] channel_i,
  input  logic                        look_i,
  input  logic                        clear_i,         // ERROR is written
  input  logic                        missed_clear_i,  // its bit of missed triggers is
  input  report_t                     report_i,
  input  logic         [Channels-1:0] ordered_i,
  input  order_state_t [Channels-1:0] order_i,
  input  logic         [Channels-1:0] missed_i,
  input  fault_e                      fault_i,
  output found_t                      found_o
);

  // ---- What comes in between --------------------------------------------------------------------

  slow_causes_t [Channels-1:0] slow_q;
  logic [Channels-1:0] told, told_q;
  logic faulted_q;
  for (genvar c = 0; c < Channels; c++) begin : gen_channel
    logic looks, locks, enters;
    slow_causes_t slow;
    assign looks = look_i && 32'(channel_i) == c;
    assign locks = report_i.locks.by_channel && 32'(report_i.locks.channel) == c;
    assign enters = report_i.entry.valid && 32'(report_i.entry.channel) == c;
    assign slow = '{
            lock_over: report_i.locks.over && locks,
            lock_under: report_i.locks.under && locks,
            entries: report_i.entry.interrupts && enters,
            ordered: ordered_i[c]
        };
    assign told[c] = order_i[c].faulted && (told_q[c] || (looks && faulted_q));
    always_ff @(posedge clk_i) begin
      slow_q[c] <= rst_ni ? slow | (looks ? '0 : slow_q[c]) : '0;
      told_q[c] <= rst_ni && told[c];
    end
  end

  // ---- What was there at the last look ----------------------------------------------------------

  typedef struct packed {
    logic pending;  // orders are not carried out
    logic stuck;
    logic missed;   // a trigger
  } looked_t;
  (* ram_style = "distributed" *) looked_t looked_mem[2**Index];
  looked_t seen, looked;
  order_state_t order;
  fault_e fault_q;
  logic ordered, done, reached;
  assign seen = looked_mem[channel_i];
  assign order = order_i[channel_i];
  assign ordered = order.pause || order.drain || order.aborts || order.reset;
  assign done    = (!order.pause || order.paused) &&
      (!(order.drain || order.aborts) || order.idle) && (!order.reset || order.in_reset);
  assign reached = seen.pending && !slow_q[channel_i].ordered && ordered && done;
  always_ff @(posedge clk_i) begin
    fault_q   <= rst_ni && !told[next_i] ? fault_i : FaultNone;
    faulted_q <= rst_ni && !told[next_i] && fault_i != FaultNone;
  end
  assign found_o = '{
          slow: slow_q[channel_i],
          faulted: faulted_q,
          fault: fault_q,
          missed: missed_i[channel_i] && !seen.missed,
          reached: reached,
          stuck: order.stuck && !seen.stuck
      };
  always_comb begin
    looked        = seen;
    looked.missed = seen.missed && !missed_clear_i;
    if (look_i) begin
      looked = '{
          pending: ordered && (slow_q[channel_i].ordered || (seen.pending && !reached)),
          stuck: order.stuck,
          missed: missed_i[channel_i]
      };
    end
    if (sweep_i.valid) looked = '0;
  end
  always_ff @(posedge clk_i) begin
    if (look_i || clear_i || sweep_i.valid)
      looked_mem[sweep_i.valid?Index'(sweep_i.channel) : channel_i] <= looked;
  end

  logic unused_report;
  assign unused_report = ^{report_i, order};

  `TSR_ASSERT(FaultedIsTrue, !look_i || faulted_q == (fault_q != FaultNone))
  `TSR_ASSERT(LookOrClear, !(look_i && clear_i))

endmodule
