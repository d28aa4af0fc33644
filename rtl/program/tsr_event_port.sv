// Joins events of channels to one a cycle: refused descriptors, empty task queues, retired transfers.
//
// Contract: refusals and empty queues are kept until they are sent, one of each; they come too rarely to
// meet another. A retired transfer waits meanwhile.
// Latency: 1 cycle for refusals and empty queues, 0 for retired transfers.
`include "tsr_assert.svh"
module tsr_event_port
  import tsr_program_pkg::*;
(
  input  logic             clk_i,
  input  logic             rst_ni,
  input  refusal_t         refusal_i,
  input  logic             refusal_valid_i,
  input  channel_t         empty_i,
  input  logic             empty_valid_i,
  input  sequencer_event_t retired_i,
  input  logic             retired_valid_i,
  output logic             retired_ready_o,
  output sequencer_event_t event_o,
  output logic             event_valid_o
);

  refusal_t refusal_q;
  channel_t empty_q;
  logic refuses_q, empties_q;
  always_ff @(posedge clk_i) begin
    refuses_q <= rst_ni && refusal_valid_i;
    refusal_q <= refusal_i;
    empties_q <= rst_ni && (empty_valid_i || (empties_q && refuses_q));
    if (empty_valid_i) empty_q <= empty_i;
  end

  assign retired_ready_o = !refuses_q && !empties_q;
  assign event_valid_o   = refuses_q || empties_q || retired_valid_i;
  always_comb begin
    event_o = retired_i;
    if (refuses_q || empties_q) begin
      event_o.finished   = 1'b0;
      event_o.delivered  = 1'b0;
      event_o.task_done  = 1'b0;
      event_o.interrupts = 1'b0;
      event_o.record     = 1'b0;
      event_o.causes     = '0;
    end
    event_o.empty  = !refuses_q && empties_q;
    event_o.reason = refuses_q ? refusal_q.reason : '0;
    if (refuses_q) begin
      event_o.channel     = refusal_q.channel;
      event_o.descriptor  = refusal_q.descriptor;
      event_o.causes.load = 1'b1;
    end else if (empties_q) begin
      event_o.channel = empty_q;
    end
  end

  `TSR_ASSERT(NoEmptyIsLost, !(empty_valid_i && empties_q && refuses_q))

endmodule
