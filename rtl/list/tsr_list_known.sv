// What is known of channels: registers, numbers, places, flags.
//
// Contract. `known_o` belongs to the visit in its second step (`step_i`); `does_i` is what that does.
// Accesses of software: tsr_list_setup. `list_*`, `lists_i` and `head_o` are the sequencer and the
// preparation; a descriptor is handed on as tsr_list_places says. `read_i`, `write_i`: the directions of
// the port. `restart_done_o`: the ring of entries of the channel begins anew. What was lost before a reset
// halts nothing behind it.
// Latency: 1 cycle from an event to what is known.
`include "tsr_assert.svh"
module tsr_list_known
  import tsr_descriptor_pkg::*;
  import tsr_program_pkg::*;
  import tsr_list_unit_pkg::*;
#(
  parameter  int unsigned Channels = 2,                                   // 1..32
  parameter  int unsigned Ahead    = 16,                                  // places of a channel
  localparam int unsigned Index    = Channels > 1 ? $clog2(Channels) : 1
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  // Software.
  input  list_access_t                access_i,
  output list_answer_t                answer_o,
  input  list_reset_t  [Channels-1:0] reset_i,
  // Visits.
  input  list_step_t                  step_i,
  input  list_does_t                  does_i,
  output list_known_t                 known_o,
  output logic         [Channels-1:0] active_o,
  output logic         [Channels-1:0] ask_o,
  output logic         [Channels-1:0] zero_o,
  output logic                        restart_done_o,
  input  list_opened_t                opened_i,
  // The port.
  input  list_came_t                  came_i,
  input  logic         [Channels-1:0] entries_owed_i,
  input  list_way_t                   read_i,
  input  list_way_t                   write_i,
  input  logic                        tick_i,
  output list_watch_t                 watch_o,
  // Sequencer and preparation.
  input  list_order_t  [Channels-1:0] list_i,
  output list_state_t  [Channels-1:0] list_o,
  input  to_lists_t                   lists_i,
  output list_head_t                  head_o
);

  typedef logic [Channels-1:0] set_t;

  list_setup_t  setup;
  list_places_t places;
  list_number_t number;
  set_t open, take, ready, coming, faults, turned;
  logic doorbell, restart, ends;
  logic [15:0] count, place_index;
  logic [Index-1:0] channel;
  fault_e fault, last_fault_q;
  assign known_o = '{setup: setup, places: places, number: number};
  assign ends = lists_i.prepared_valid && lists_i.prepared.from_list;
  assign channel = step_i.visit.channel[Index-1:0];
  assign fault = read_i.fault != FaultNone ? read_i.fault : write_i.fault;
  always_ff @(posedge clk_i) if (fault != FaultNone) last_fault_q <= fault;
  assign watch_o.tick   = tick_i;
  assign watch_o.closed = open == '0;
  always_comb begin
    for (int unsigned c = 0; c < Channels; c++) begin
      open[c] = list_i[c].open;
      take[c] = list_i[c].take;
      coming[c] = came_i.coming && 32'(came_i.coming_channel) == c;
      list_o[c] = '{
          ready: ready[c],
          coming: coming[c],
          halt: does_i.loses && 32'(step_i.visit.channel) == c && !zero_o[c],
          zeroes: zero_o[c]
      };
    end
  end

  tsr_list_channels #(
    .Channels(Channels)
  ) u_channels (
    .clk_i,
    .rst_ni,
    .open_i         (open),
    .reset_i,
    .active_o,
    .ask_o,
    .zero_o,
    .fault_o        (faults),
    .gives_up_o     (watch_o.give_up),
    .step_i,
    .does_i,
    .doorbell_i     (doorbell),
    .opened_i,
    .freed_channel_i(lists_i.prepared.channel),
    .freed_i        (ends),
    .came_i,
    .turned_i       (turned),
    .failed_i       (read_i.failed || write_i.failed),
    .fails_i        (fault != FaultNone)
  );

  tsr_list_setup #(
    .Channels(Channels)
  ) u_setup (
    .clk_i,
    .rst_ni,
    .step_i,
    .count_o   (count),
    .setup_o   (setup),
    .access_i,
    .answer_o,
    .busy_i    (open[channel] || active_o[channel] || places.owed || entries_owed_i[channel]),
    .head_i    (places.head),
    .fault_i   (faults[channel] ? last_fault_q : FaultNone),
    .in_reset_i(reset_i[channel].in_reset),
    .doorbell_o(doorbell),
    .restart_o (restart),
    .restart_done_o,
    .loses_i   (does_i.loses)
  );

  tsr_list_index #(
    .Channels(Channels)
  ) u_index (
    .clk_i,
    .rst_ni,
    .step_i,
    .place_index_i(place_index),
    .count_i      (count),
    .number_o     (number),
    .setup_i      (setup),
    .next_i       (does_i.asks || does_i.numbers),
    .open_i       (does_i.opens),
    .head_i       (setup.ring ? places.head : '0),
    .zero_i       (does_i.zero || restart_done_o)
  );

  tsr_list_places #(
    .Channels(Channels),
    .Ahead   (Ahead)
  ) u_places (
    .clk_i,
    .rst_ni,
    .open_i        (open),
    .active_i      (active_o),
    .step_i,
    .does_i,
    .restart_i     (restart),
    .number_i      (number),
    .index_o       (place_index),
    .places_o      (places),
    .opened_i,
    .came_i,
    .ready_o       (ready),
    .head_channel_i(lists_i.head_channel),
    .head_o,
    .take_i        (take),
    .turned_o      (turned),
    .ended_i       (lists_i.prepared),
    .ended_valid_i (ends)
  );

  logic unused_in;
  assign unused_in = ^{list_i, lists_i, read_i, write_i};

  `TSR_ASSERT(RefusedIsTheEnd, !lists_i.refused || ends)
  `TSR_ASSERT(OneChannelIsComing, $countones(coming) == 32'(came_i.coming))
  `TSR_ASSERT(TakesOfOpenLists, (take & ~open) == '0)

endmodule
