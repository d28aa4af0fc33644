// Flags of channels: which lists are open, and which may have something to fetch.
//
// Contract. A list is `active_o` from the visit that opens it (`opened_i`) until `open_i` falls.
// `ask_o`: a visit of the channel may find something to do. A visit that finds nothing (`rests_i`)
// is repeated when something has happened to the channel: a doorbell, a place that is free, a
// further turn, what a closed list was owed. `zero_o`: channels that were reset and are to begin
// anew, until `cleared_i`. `fault_o`: the port has failed since the reset of the channel.
// `involved_o`: the list was busy when the port failed, or since.
// Latency: 1 cycle.
`include "tsr_assert.svh"
module tsr_list_channels
  import tsr_program_pkg::channel_t;
#(
  parameter int unsigned Channels = 2  // 1..32
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic     [Channels-1:0] open_i,
  input  logic     [Channels-1:0] in_reset_i,
  output logic     [Channels-1:0] active_o,
  output logic     [Channels-1:0] ask_o,
  output logic     [Channels-1:0] zero_o,
  output logic     [Channels-1:0] fault_o,
  output logic     [Channels-1:0] involved_o,
  // The visit that begins, and what the one in its second step finds.
  input  channel_t                look_i,
  input  logic                    hold_i,            // the visit stays in its second step
  output logic                    woken_o,           // since the look
  input  channel_t                visit_i,
  input  logic                    rests_i,
  input  logic                    doorbell_i,
  input  logic                    cleared_i,
  // The end of the visit that opens.
  input  channel_t                opened_channel_i,
  input  logic                    opened_i,
  // Events.
  input  channel_t                freed_channel_i,
  input  logic                    freed_i,
  input  channel_t                came_channel_i,
  input  logic                    came_i,
  input  logic     [Channels-1:0] turned_i,          // the last descriptor of a turn was handed on
  input  logic                    failed_i,          // a direction of the port has
  input  logic                    spoilt_i,          // what has come, by that
  input  logic                    lost_i,            // the entry of the visit, by that
  input  logic                    fails_i
);

  typedef logic [Channels-1:0] set_t;

  function automatic set_t hot(input logic valid, input channel_t channel);
    for (int unsigned c = 0; c < Channels; c++) hot[c] = valid && channel == channel_t'(c);
  endfunction

  set_t active_q, maybe_q, zero_q, was_q, fault_q, involved_q;
  set_t visit, freed, came, opens, wakes;
  assign visit = hot(1'b1, visit_i);
  assign freed = hot(freed_i, freed_channel_i);
  assign came  = hot(came_i, came_channel_i);
  // Whatever has happened since the visit made its look: it is repeated.
  assign opens = hot(opened_i, opened_channel_i) & ~maybe_q & open_i;
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
      maybe_q <= ~open_i | wakes | (maybe_q & ~(visit &{Channels{rests_i}}));
      was_q <= in_reset_i;
      zero_q <= (in_reset_i & ~was_q) | (zero_q & ~(visit &{Channels{cleared_i}}));
      fault_q <= {Channels{fails_i}} | (fault_q & ~(visit &{Channels{cleared_i}}));
      involved_q <= {Channels{failed_i}} & (involved_q | open_i | (came & {Channels{spoilt_i}}) |
                                            (visit & {Channels{lost_i}}));
    end
    woken_o <= (hold_i && woken_o) || (wakes & (hold_i ? visit : hot(1'b1, look_i))) != '0;
  end
  assign active_o   = active_q;
  assign ask_o      = maybe_q & open_i;
  assign zero_o     = zero_q;
  assign fault_o    = fault_q;
  assign involved_o = involved_q;

  `TSR_STATIC_ASSERT(Channels, Channels >= 1 && Channels <= 32,
                     ("Channels = %0d; legal is 1 to 32", Channels))
  `TSR_ASSERT(ActiveIsOpen, (active_q & ~open_i & ~$past(open_i)) == '0 || !rst_ni)

endmodule
