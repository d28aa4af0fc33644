// Picks a channel that may go on and looks at it: it waits, or becomes the next job.
//
// Contract: see tsr_task_walk. A look lasts until `work_ready_i`; it ends with a job (`work_valid_o`), or
// only with `waits_o`, in the cycle behind it, together with what else was found.
// Latency: 1 cycle from the pick to the job, with more than 4 channels 2, with more than 8 3. Throughput: a look a cycle.
`include "tsr_assert.svh"
module tsr_task_look
  import tsr_core_pkg::slot_t;
  import tsr_descriptor_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_program_pkg::*;
#(
  parameter int unsigned Channels = 2,  // 1..32
  parameter int unsigned Place = 3,  // bits of a place in a task queue
  parameter int unsigned Seat = 4,  // bits that count of a number of transfers
  parameter bit Lists = 1'b0,
  localparam int unsigned Index = Channels > 1 ? $clog2(Channels) : 1
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  sweep_t                       sweep_i,
  input  walk_channel_t [Channels-1:0] channel_i,
  input  logic          [Channels-1:0] busy_i,        // channel of the job
  output logic          [   Index-1:0] pick_o,        // channel of the next look,
  output logic                         moves_o,       // which comes in the next cycle
  input  logic          [   Place-1:0] pick_place_i,
  output logic          [   Index-1:0] look_o,        // channel at the look
  output logic          [   Place-1:0] look_place_o,
  input  walk_place_t                  place_i,       // of that channel
  input  walk_view_t                   view_i,
  // The job.
  output walk_work_t                   work_o,
  output logic          [Channels-1:0] work_hot_o,    // its channel
  output logic                         work_valid_o,
  input  logic                         work_ready_i,
  // What was found.
  output logic          [Channels-1:0] look_hot_o,    // the channel; 0 if no look has ended
  output walk_found_t                  found_o
);

  typedef logic [Index-1:0] index_t;

  logic [Channels-1:0]
      ask, free, next_hot, look_hot_q, found_hot_q;  // no decoders before the arbiter
  logic look_q, looks, moves, loads, full, wants_trigger, wants_id, further;
  index_t look_channel_q;
  logic [Channels-1:0] unused_picked;
  logic [Place-1:0] place_q;
  logic [Seat-1:0] seat, given;
  walk_state_t state;
  task_t head;
  walk_channel_t channel;
  wait_e waits;
  always_comb begin
    for (int unsigned c = 0; c < Channels; c++) ask[c] = channel_i[c].ask;
  end
  assign free  = ~look_hot_q & ~busy_i;
  assign moves = !look_q || looks;
  tsr_pick_channel #(
    .Channels(Channels)
  ) u_pick (
    .clk_i,
    .rst_ni  (rst_ni && !sweep_i.valid),
    .ask_i   (ask & free),
    .still_i (free),
    .take_i  (moves),
    .picked_o(unused_picked),
    .hot_o   (next_hot),
    .index_o (pick_o)
  );
  always_ff @(posedge clk_i) begin
    if (!rst_ni || sweep_i.valid) begin
      look_q     <= 1'b0;
      look_hot_q <= '0;
    end else if (moves) begin
      look_q     <= next_hot != '0;
      look_hot_q <= next_hot;
    end
    if (moves) begin
      look_channel_q <= pick_o;
      place_q        <= pick_place_i;
    end
  end
  assign moves_o = moves;
  assign look_o = look_channel_q;
  assign look_place_o = place_q;
  assign channel = channel_i[look_channel_q];
  assign state = place_i.state;
  assign head = view_i.head;
  assign seat = Seat'(place_i.seat);
  assign given = Seat'(view_i.given);

  assign further = channel.due && !channel.clean;
  assign wants_trigger = !state.chained &&
      (head.paced || (head.trigger && (!state.later || channel.frames)));
  assign wants_id = channel.by_id && !state.chained;
  assign full = seat == {~given[Seat-1], given[Seat-2:0]};
  always_comb begin
    if (further || channel.clean) waits = WaitTask;
    else if (!channel.open) waits = WaitReset;  // for nothing: to be looked at again
    else if (full) waits = channel.seat ? WaitReset : WaitRecord;
    else if (wants_trigger && !channel.trigger) waits = WaitTrigger;
    else if (Lists && channel.by_id && head.from_list) waits = WaitList;
    else if (wants_id && !channel.id_valid) waits = WaitHeader;
    else if (head.token && !channel.tokens) waits = WaitToken;
    else if (Lists && head.from_list && !channel.list_ready) waits = WaitList;
    else waits = WaitTask;
  end
  assign loads = waits == WaitTask;
  assign looks = look_q && work_ready_i;

  logic final_turn;
  logic [3:0] same;
  for (genvar d = 0; d < 4; d++) begin : gen_digit
    assign same[d] = state.turns[4*d+:4] == head.repeats[4*d+:4];
  end
  assign final_turn = head.endless ? channel.stop : same == '1;

  // What a look has found, a cycle later.
  always_ff @(posedge clk_i) begin
    found_o <= '{
        waits: waits,
        take: loads && !further && !channel.clean && wants_trigger,
        take_id: loads && !further && !channel.clean && wants_id,
        list_open: Lists && channel.open && head.from_list && !further && !channel.by_id,
        list_again: !final_turn
    };
    found_hot_q <= rst_ni && looks ? look_hot_q : '0;
  end
  assign look_hot_o   = found_hot_q;
  assign work_valid_o = look_q && loads;
  assign work_hot_o   = look_hot_q;

  always_comb begin
    work_o = '{
        channel: channel_t'(look_channel_q),
        slot: channel.clean ? view_i.launch_slot : place_i.slot,
        clean: channel.clean,
        further: further,
        cut: channel.cut,
        token: head.token,
        turn_end: view_i.next.turn_end,
        index: view_i.next.index,
        turns: state.turns,
        place: 5'(place_q),
        seat: channel.clean ? view_i.ended : place_i.seat,
        current: place_i.current,
        same: same | {4{further || head.endless}}
    };
    if (!further) begin
      work_o.current = '{
          descriptor: state.chained ? state.next : wants_id ? {2'b0, channel.id} : head.start,
          name: '0,
          from_list: Lists && head.from_list,
          final_turn: !head.endless || channel.stop
      };
      if (Lists && head.from_list) begin
        work_o.current.descriptor = view_i.next.place;
        work_o.current.name       = view_i.next.index[7:0];
      end
    end
  end

  logic unused_in;
  assign unused_in = ^{channel, sweep_i, view_i, head};

  `TSR_ASSERT(OneChannelOnce, (look_hot_q & busy_i) == '0 && (look_hot_q != '0) == look_q)

endmodule
