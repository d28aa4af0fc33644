// Walks the tasks of all channels: chains, repeats, triggers, lists; one job of the preparation after
// the other.
//
// Contract. A channel that may go on (`ask`) is picked in turn and looked at; then it waits, or becomes
// the job. A job stays until it is accepted. The next one is offered when the preparation has
// shown both pairs of words, in any order, or has refused the descriptor. A look of a channel
// with `clean` ends its abort: tasks are dropped, what was not begun is forgotten. Else a look with `due`
// gives the next context of the transfer at work. `launch_o` goes with the acceptance
// and again, with the lock, with words 12 and 13; `due_o` goes with these, `style_o` with words 14 and 15.
// `seat_o` counts transfers and is the place of `due_o` and `style_o`.
// Latency: 2 cycles from the pick to the job. Throughput: a job in 4 cycles if both pairs of words come
// within 3 cycles of its acceptance; one channel alone takes 2 more.
`include "tsr_assert.svh"
module tsr_task_walk
  import tsr_core_pkg::slot_t;
  import tsr_channel_pkg::*;
  import tsr_program_pkg::*;
#(
  parameter  int unsigned Reads    = 1,                                    // 0..16
  parameter  int unsigned Channels = 2,                                    // 1..32, reads first
  parameter  int unsigned Tasks    = 4,                                    // of a queue
  parameter  int unsigned Slots    = 2,                                    // 2 or 4
  parameter  int unsigned Flight   = 8,                                    // transfers of a channel
  parameter  bit          Lists    = 1'b0,
  localparam int unsigned Index    = Channels > 1 ? $clog2(Channels) : 1,
  localparam int unsigned Place    = $clog2(Tasks) + 1,
  localparam int unsigned Seat     = $clog2(Flight) + 1
) (
  input logic clk_i,
  input logic rst_ni,
  input sweep_t sweep_i,
  input walk_channel_t [Channels-1:0] channel_i,
  output logic [Index-1:0] look_o,  // channel at the look
  output logic [Index-1:0] job_channel_o,
  output logic [Channels-1:0] look_hot_o,  // of `step_o`, a cycle behind its look
  output logic [Channels-1:0] job_hot_o,
  output walk_step_t step_o,
  // Of the channel at the look.
  input task_t task_i,
  input logic [Place-1:0] place_i,
  input logic [Seat-1:0] seat_given_i,  // transfers and records that are gone
  input logic [Seat-1:0] seat_ended_i,  // transfers that have ended
  input slot_t launch_slot_i,  // next to the engine
  input list_head_t list_head_i,
  output logic list_open_o,  // its task takes descriptors from the list,
  output logic list_again_o,  // and goes on behind this turn
  // Of the channel of the job.
  output logic [Place-1:0] place_o,
  input logic left_i,  // more tasks
  input logic [31:0] tag_i,
  // Preparation.
  output job_t job_o,
  output logic job_valid_o,
  input logic job_ready_i,
  input shown_t shown_i,
  input logic shown_valid_i,
  input logic refused_i,  // the job was
  // What becomes of it.
  output logic [Seat-1:0] seat_o,
  output launch_t launch_o,
  output logic launch_valid_o,
  output due_t due_o,
  output listed_t listed_o,
  output logic due_valid_o,
  output style_t style_o,
  output side_t side_o,
  output logic style_valid_o,
  // View.
  input logic [Index-1:0] view_i,
  output descriptor_id_t view_descriptor_o,
  output logic view_in_task_o
);

  `TSR_STATIC_ASSERT(Slots, Slots == 2 || Slots == 4, ("Slots = %0d; legal is 2 or 4", Slots))

  typedef logic [Index-1:0] index_t;
  typedef struct packed {
    logic            chained;  // `next` follows in the turn
    logic            later;    // not the first turn of the task
    descriptor_id_t  next;
    logic [15:0]     turns;
    logic [Seat-1:0] seat;
  } state_t;
  typedef struct packed {
    logic [7:0]     descriptor;  // or place of the list
    descriptor_id_t name;        // of a list: low bits of its index
    logic           from_list;
    logic           final_turn;
  } current_t;
  typedef struct packed {
    index_t           channel;
    slot_t            slot;
    logic             clean;
    logic             further;
    logic             cut;
    logic             token;
    logic             turn_end;  // of a list
    logic [15:0]      index;
    logic [15:0]      turns;
    logic [Place-1:0] place;
    logic [Seat-1:0]  seat;
    current_t         current;
  } work_t;

  (* ram_style = "distributed" *) logic [$bits(state_t)-1:0] state_q[2**Index];
  (* ram_style = "distributed" *) logic [$bits(current_t)-1:0] current_q[2**Index];
  (* ram_style = "distributed" *) logic [$clog2(Slots)-1:0] slot_q[2**Index];
  (* ram_style = "distributed" *) logic [7:0] view_name_q[2**Index];
  (* ram_style = "distributed" *) logic view_in_task_q[2**Index];

  function automatic logic [Channels-1:0] hot(input logic valid, input index_t index);
    for (int unsigned c = 0; c < Channels; c++) hot[c] = valid && index == index_t'(c);
  endfunction

  // ---- Pick and look ----------------------------------------------------------------------------

  logic [Channels-1:0] ask, look_hot, unused_hot;
  logic look_q, valid_q, looks, done, loads, full, wants_trigger, further;
  index_t pick, look_channel_q;
  walk_channel_t channel;
  state_t state;
  work_t work_d, work_q;
  wait_e waits;
  always_comb begin
    for (int unsigned c = 0; c < Channels; c++) ask[c] = channel_i[c].ask;
  end
  tsr_pick #(
    .Inputs(Channels)
  ) u_pick (
    .clk_i,
    .rst_ni,
    .ask_i  (ask & ~look_hot & ~job_hot_o),
    .take_i (!look_q || looks),
    .hot_o  (unused_hot),
    .index_o(pick)
  );
  always_ff @(posedge clk_i) begin
    if (!rst_ni) look_q <= 1'b0;
    else if (!look_q || looks) look_q <= unused_hot != '0 && !sweep_i.valid;
    if (!look_q || looks) look_channel_q <= pick;
  end
  assign look_o        = look_channel_q;
  assign look_hot      = hot(look_q, look_channel_q);
  assign channel       = channel_i[look_channel_q];
  assign state         = state_t'(state_q[look_channel_q]);

  assign further       = channel.due && !channel.clean;
  assign wants_trigger = !state.chained && (task_i.paced || (task_i.trigger && !state.later));
  assign full          = state.seat == {~seat_given_i[Seat-1], seat_given_i[Seat-2:0]};
  always_comb begin
    if (further || channel.clean) waits = WaitTask;
    else if (!channel.open) waits = WaitReset;  // for nothing: to be looked at again
    else if (full) waits = channel.seat ? WaitReset : WaitRecord;
    else if (wants_trigger && !channel.trigger) waits = WaitTrigger;
    else if (Lists && task_i.from_list && !channel.list_ready) waits = WaitList;
    else waits = WaitTask;
  end
  assign loads = waits == WaitTask;
  assign looks = look_q && (!valid_q || done);

  logic final_turn, begun;
  assign begun = state.chained || state.later;
  assign final_turn = task_i.endless ? channel.stop : state.turns == task_i.repeats;

  // What a look has found, a cycle later.
  typedef struct packed {
    logic  valid;
    wait_e waits;
    logic  take;
    logic  list_open;
    logic  list_again;
  } found_t;
  found_t found_q;
  index_t found_channel_q;
  always_ff @(posedge clk_i) begin
    found_q <= '{
        valid: rst_ni && looks,
        waits: waits,
        take: loads && !further && !channel.clean && wants_trigger,
        list_open: Lists && channel.open && task_i.from_list && !further,
        list_again: !final_turn
    };
    found_channel_q <= look_channel_q;
  end
  assign look_hot_o   = hot(found_q.valid, found_channel_q);
  assign list_open_o  = found_q.list_open;
  assign list_again_o = found_q.list_again;

  always_comb begin
    work_d = '{
        channel: look_channel_q,
        slot: channel.clean ? launch_slot_i : slot_t'(slot_q[look_channel_q]),
        clean: channel.clean,
        further: further,
        cut: channel.cut,
        token: task_i.token,
        turn_end: list_head_i.turn_end,
        index: list_head_i.index,
        turns: state.turns,
        place: place_i,
        seat: channel.clean ? seat_ended_i : state.seat,
        current: current_t'(current_q[look_channel_q])
    };
    if (!further) begin
      work_d.current = '{
          descriptor: state.chained ? state.next : task_i.start,
          name: '0,
          from_list: Lists && task_i.from_list,
          final_turn: final_turn
      };
      if (Lists && task_i.from_list) begin
        work_d.current.descriptor = list_head_i.place;
        work_d.current.name       = list_head_i.index[7:0];
      end
    end
  end

  // ---- Job and its words ------------------------------------------------------------------------

  logic taken_q, lower_q, upper_q, lower, upper, accepts, chained, task_end, keeps;
  state_t state_d;
  descriptor_id_t name;  // for software
  assign job_channel_o = work_q.channel;
  assign job_hot_o = hot(valid_q, work_q.channel);
  assign place_o = work_q.place;
  assign seat_o = work_q.seat;
  assign job_valid_o = valid_q && !taken_q && !work_q.clean;
  assign job_o = '{
          channel: channel_t'(work_q.channel),
          slot: work_q.slot,
          receives: 32'(work_q.channel) >= Reads,
          from_list: work_q.current.from_list,
          descriptor: work_q.current.descriptor,
          final_turn: work_q.current.final_turn,
          continues: work_q.further,
          cut: work_q.further && work_q.cut
      };
  assign name = work_q.current.from_list ? work_q.current.name : work_q.current.descriptor;
  assign accepts = job_valid_o && job_ready_i;
  assign lower = valid_q && taken_q && shown_valid_i && !shown_i.upper;
  assign upper = valid_q && taken_q && shown_valid_i && shown_i.upper;
  assign done    = valid_q && (work_q.clean || (accepts && work_q.further) ||
                               (taken_q && (refused_i || ((lower_q || lower) && (upper_q || upper)))));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
    end else begin
      valid_q <= (look_q && loads) || (valid_q && !done);
    end
    if (sweep_i.valid) begin
      // Memories are cleared by an abort of each channel.
      work_q       <= '0;
      work_q.clean <= 1'b1;
    end else if (!valid_q || done) begin
      work_q  <= work_d;
      taken_q <= 1'b0;
      lower_q <= 1'b0;
      upper_q <= 1'b0;
    end else begin
      taken_q <= taken_q || accepts;
      lower_q <= lower_q || lower;
      upper_q <= upper_q || upper;
    end
  end

  // Words 12 and 13.
  logic [31:0] word12, word13, word14, word15;
  assign {word13, word12} = shown_i.data;
  assign {word15, word14} = shown_i.data;
  assign chained  = work_q.current.from_list ? !work_q.turn_end : word13[8];
  assign task_end = work_q.current.final_turn && !chained;
  assign keeps    = lower || (valid_q && work_q.clean);
  always_comb begin
    state_d = '{
        chained: chained,
        later: !task_end,
        next: word13[7:0],
        turns: chained ? work_q.turns : work_q.turns + 1'b1,
        seat: work_q.seat + 1'b1
    };
    if (work_q.clean || task_end) begin
      state_d.chained = 1'b0;
      state_d.later   = 1'b0;
      state_d.turns   = '0;
    end
    if (work_q.clean) state_d.seat = work_q.seat;
  end
  index_t at;
  assign at = sweep_i.valid ? index_t'(sweep_i.channel) : work_q.channel;
  always_ff @(posedge clk_i) begin
    if (keeps || sweep_i.valid) begin
      state_q[at]        <= state_d;
      view_in_task_q[at] <= state_d.chained || state_d.later;
    end
    if (accepts || (valid_q && work_q.clean) || sweep_i.valid)
      slot_q[at] <= $clog2(Slots)'(work_q.slot + slot_t'(!work_q.clean));
    if (accepts || sweep_i.valid) begin
      current_q[at]   <= work_q.current;
      view_name_q[at] <= name;
    end
  end
  assign view_descriptor_o = view_name_q[view_i];
  assign view_in_task_o = view_in_task_q[view_i];

  assign launch_valid_o = lower || accepts;
  assign launch_o = '{
          channel: channel_t'(work_q.channel),
          slot: work_q.slot,
          descriptor: name,
          first: !work_q.further,
          has_acquire: lower && word12[15],
          acquire: '{id: word12[5:0], value: word12[14:8]}
      };
  assign due_valid_o = lower;
  assign due_o = '{
          descriptor: name,
          task_end: task_end,
          token: work_q.token,
          drop: '{id: word12[21:16], value: word12[30:24]},
          tag: tag_i
      };
  assign listed_o = '{from_list: work_q.current.from_list, index: work_q.index};
  assign style_valid_o = upper;
  assign style_o = '{
          interrupts: word15[12],
          no_record: word15[13],
          finish: word15[10],
          element: word15[2:0]
      };
  assign side_o = side_t'(word14);

  assign step_o = '{
          look: found_q.valid,
          waits: found_q.waits,
          take: found_q.take,
          accepted: accepts,
          further: work_q.further,
          tiled: upper && word15[15],
          cleaned: valid_q && work_q.clean,
          popped: lower && task_end,
          empty: lower && task_end && !left_i
      };

  logic unused_words;
  assign unused_words = ^{word12, word13, word14, word15, task_i, channel, sweep_i, work_q};

  `TSR_STABLE(JobStays, job_valid_o, job_ready_i, job_o)
  `TSR_ASSUME(WordsOfTheJob, !shown_valid_i || !valid_q || !work_q.clean)
  `TSR_ASSERT(WordsOnce, !(lower && lower_q) && !(upper && upper_q))
  `TSR_ASSERT(OneChannelOnce, (look_hot & job_hot_o) == '0)

endmodule
