// Flags of channels: which lists are open, and which may have something to fetch.
//
// Contract. A list is `active_o` from the visit that opens it (`opened_i`) until `open_i` falls.
// `ask_o`: a visit of the channel may find something to do. A visit that finds nothing (`rests`)
// is repeated when something has happened to the channel: a doorbell, a place that is free, a
// further turn, what a closed list was owed. `zero_o`: channels that were reset and are to begin
// anew, until their visit. `fault_o`: the port has failed since the reset of the channel.
// `gives_up_o`: a channel does whose list was busy when the port failed, or since.
// Latency: 1 cycle.
`include "tsr_assert.svh"
module tsr_list_channels
  import tsr_program_pkg::channel_t;
  import tsr_descriptor_pkg::*;
  import tsr_list_unit_pkg::*;
#(
  parameter int unsigned Channels = 2  // 1..32
) (
  input logic clk_i,
  input logic rst_ni,
  input logic [Channels-1:0] open_i,
  input list_reset_t [Channels-1:0] reset_i,
  output logic [Channels-1:0] active_o,
  output logic [Channels-1:0] ask_o,
  output logic [Channels-1:0] zero_o,
  output logic [Channels-1:0] fault_o,
  output logic gives_up_o,  // a channel whose list was involved in a fault
  input list_step_t step_i,
  input list_does_t does_i,
  input logic doorbell_i,
  input list_opened_t opened_i,
  // Events.
  input channel_t freed_channel_i,
  input logic freed_i,
  input list_came_t came_i,
  input logic [Channels-1:0] turned_i,  // the last descriptor of a turn was handed on
  input logic failed_i,  // a direction of the port has
  input logic fails_i
);

  typedef logic [Channels-1:0] set_t;

  function automatic set_t hot(input logic valid, input channel_t channel);
    for (int unsigned c = 0; c < Channels; c++) hot[c] = valid && channel == channel_t'(c);
  endfunction

  set_t active_q, maybe_q, zero_q, was_q, fault_q, involved_q;
  set_t visit, freed, came, opens, wakes, in_reset;
  logic woken_q, rests, lost;
  always_comb for (int unsigned c = 0; c < Channels; c++) in_reset[c] = reset_i[c].in_reset;
  assign rests = does_i.rests && !woken_q;
  assign lost  = step_i.visit.kind == VisitLost && step_i.visit.reason[2:0] == EntryFault;
  assign visit = hot(1'b1, step_i.visit.channel);
  assign freed = hot(freed_i, freed_channel_i);
  assign came  = hot(came_i.whole, came_i.channel);
  // Whatever has happened since the visit made its look: it is repeated.
  assign opens = hot(opened_i.valid, opened_i.channel) & ~maybe_q & open_i;
  assign wakes = freed | turned_i | (came & ~active_q) | opens | (visit & {Channels{doorbell_i}});

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      active_q   <= '0;
      maybe_q    <= '0;
      zero_q     <= '0;
      was_q      <= '0;
      fault_q    <= '0;
      involved_q <= '0;
    end else begin
      active_q <= open_i & (active_q | opens);
      maybe_q <= ~open_i | wakes | (maybe_q & ~(visit &{Channels{rests}}));
      was_q <= in_reset;
      zero_q <= (in_reset & ~was_q) | (zero_q & ~(visit &{Channels{does_i.zero}}));
      fault_q <= {Channels{fails_i}} | (fault_q & ~(visit &{Channels{does_i.zero}}));
      involved_q <= {Channels{failed_i}} &
          (involved_q | open_i | (came & {Channels{came_i.spoilt}}) | (visit & {Channels{lost}}));
    end
    woken_q <= (step_i.hold && woken_q) || (wakes & (step_i.hold ? visit : hot(
        1'b1, step_i.look.channel
    ))) != '0;
  end
  assign active_o = active_q;
  assign ask_o    = maybe_q & open_i;
  assign zero_o   = zero_q;
  assign fault_o  = fault_q;
  always_comb begin
    gives_up_o = 1'b0;
    for (int unsigned c = 0; c < Channels; c++)
    gives_up_o = gives_up_o || (reset_i[c].give_up && involved_q[c]);
  end

  logic unused_in;
  assign unused_in = ^{came_i, step_i, does_i, opened_i};

  `TSR_STATIC_ASSERT(Channels, Channels >= 1 && Channels <= 32,
                     ("Channels = %0d; legal is 1 to 32", Channels))
  `TSR_ASSERT(ActiveIsOpen, (active_q & ~open_i & ~$past(open_i)) == '0 || !rst_ni)

endmodule
