// Sequencer of all channels: tasks, chains, repeats, locks, launches, ends, records, aborts.
//
// Contract. Channels count reads first, then writes.
// *Tasks*: a push is taken with `push_ready_o`, which belongs to the channel of `push_i`; without it the
// task is refused (queue full, abort, reset, or the first cycles after reset).
// *Preparation*: one `prepared_i` for each job, in their order, two cycles behind the words that it shows and its
// acceptance at the earliest, and words of a job before the next job is accepted. A job that is accepted always
// ends. A new transfer of a channel may follow one with further contexts that were never asked for: those are
// dropped by an abort.
// *Engine*: contexts of a channel lie in its slots in rotation; `go` launches the next one. `freed_i`
// returns a slot, in order. Each transfer that was launched gives one end. While `dropping` the engine ends all
// transfers that it has; contexts of one that has begun are launched nevertheless, the last one of them with
// flags.more = 0 (`cut`); no other transfer is launched from the second cycle of an abort on. Contexts
// that were prepared and not launched are dropped, and their slots are used again: the engine's next
// slot does not move.
// *Locks, records, view*: see tsr_lock_port, tsr_record_memory, tsr_sequencer_view. A pop and a read are of
// the oldest record of the channel that reads name; reads see a pop two cycles later.
// *Streams*: `beside_o` comes before the launch of its transfer, and its place is used again when the record of that one has
// gone. `receive_o`: see tsr_receive_turn.
// *Lists*: `list_head_i` belongs to `list_channel_o`; it is taken in the cycle after. Of a descriptor that
// was refused the list makes the report.
// *Orders*: see tsr_channel_stop. `drain` starts no transfer; its lock is acquired all the same.
// Latency: from a push to its job 3 cycles, from `prepared_i` to `go` 1, with a free lock 5; from a release by
// registers to the `go` that it permits 7, from an end 9, with more than 4 channels a cycle more.
// Throughput: see tsr_task_walk and tsr_transfer_retire: 4 cycles a descriptor.
`include "tsr_assert.svh"
module tsr_program_sequencer
  import tsr_core_pkg::slot_t;
  import tsr_descriptor_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_register_pkg::*;
  import tsr_program_pkg::*;
#(
  parameter int unsigned Reads = 1,  // 0..16
  parameter int unsigned Writes = 1,  // 0..16
  parameter int unsigned TaskDepth = 4,  // a power of two, 2..16
  parameter int unsigned RecordDepth = 8,  // also transfers of a channel in flight, 2..16
  parameter int unsigned Slots = 2,  // contexts of a channel, 2 or 4
  parameter int unsigned Locks = 16,  // 0..64
  parameter bit EqualTakes = 1'b0,
  parameter bit Side = 1'b0,  // records have side information
  parameter bit OutOfOrder = 1'b0,  // headers of packets may choose descriptors
  parameter bit Marks = 1'b0,  // tasks may wait for a frame of their stream
  parameter bit Lists = 1'b0,
  parameter bit Walk = 1'b1,  // transfers of several contexts
  parameter bit Ordered = 1'b0,  // `shown_ordered_i` counts
  parameter bit Settles = Lists,  // a reset waits for what is beside the engine
  parameter bit Far = 1'b0,  // bits 23:22 and 7:6 of word 12 are a lock_side_e
  localparam int unsigned Channels = Reads + Writes
) (
  input logic clk_i,
  input logic rst_ni,
  input logic [31:0] cycles_i,
  // Registers, and what surrounds the engine.
  input push_t push_i,
  input logic push_valid_i,
  output logic push_ready_o,
  input sequencer_request_t program_i,
  output sequencer_answer_t program_o,
  input orders_t [Channels-1:0] orders_i,
  output channel_levels_t [Channels-1:0] levels_o,
  output lock_report_t lock_report_o,
  output far_request_t far_o,
  input far_answer_t far_i,
  output channel_t end_channel_o,
  input logic [6:0] stop_on_i,  // of that channel
  output sequencer_event_t event_o,
  output logic event_valid_o,
  // Preparation.
  output job_t job_o,
  output logic job_valid_o,
  input logic job_ready_i,
  input logic [127:0] shown_i,  // words 12 to 15 of the descriptor
  input logic shown_ordered_i,  // the transfer waits until those before it are done
  input logic shown_valid_i,
  input prepared_t prepared_i,
  input logic prepared_valid_i,
  // Engines.
  output channel_t go_channel_o,
  output logic go_valid_o,
  input logic [Channels-1:0] freed_i,
  input engine_state_t [Channels-1:0] engine_i,
  input transfer_end_t end_i,
  input logic end_valid_i,
  output logic end_ready_o,
  output end_word_e end_word_o,
  // Streams: what goes beside the beats of a transfer; what stands in front of the engines.
  output beside_t beside_o,
  output logic beside_valid_o,
  output receive_control_t [Channels-1:0] receive_o,
  // Triggers, tokens.
  output logic [Channels-1:0] trigger_take_o,
  output logic token_valid_o,
  // Lists.
  output list_order_t [Channels-1:0] list_o,
  input list_state_t [Channels-1:0] list_i,
  output channel_t list_channel_o,
  input list_head_t list_head_i,  // of that channel
  output logic list_refused_o,  // the descriptor of `prepared_i` is from a list: it has no event
  output list_entry_t entry_o,  // a completion entry is due
  output logic entry_valid_o,
  input logic entry_ready_i
);

  `TSR_STATIC_ASSERT(Reads, Reads <= 16, ("Reads = %0d; legal is 0 to 16", Reads))
  `TSR_STATIC_ASSERT(Writes, Writes <= 16 && Channels >= 1,
                     ("Writes = %0d; legal is 0 to 16, and a channel of any kind", Writes))

  `TSR_STATIC_ASSERT(TaskDepth, TaskDepth >= 2 && TaskDepth <= 16 && $onehot(TaskDepth),
                     ("TaskDepth = %0d; legal is 2, 4, 8 or 16", TaskDepth))
  `TSR_STATIC_ASSERT(RecordDepth, RecordDepth >= 2 && RecordDepth <= 16 && $onehot(RecordDepth),
                     ("RecordDepth = %0d; legal is 2, 4, 8 or 16", RecordDepth))
  `TSR_STATIC_ASSERT(Locks, Locks <= 64, ("Locks = %0d; legal is 0 to 64", Locks))

  localparam int unsigned Index = Channels > 1 ? $clog2(Channels) : 1;
  localparam int unsigned Place = $clog2(TaskDepth) + 1;
  localparam int unsigned Seat = $clog2(RecordDepth) + 1;
  typedef logic [Index-1:0] index_t;
  typedef logic [Channels-1:0] set_t;

  // ---- Memories begin with 0 --------------------------------------------------------------------

  logic [Index:0] sweep_q;
  sweep_t sweep;
  assign sweep = '{valid: !sweep_q[Index], channel: channel_t'(sweep_q[Index-1:0])};
  always_ff @(posedge clk_i) begin
    if (!rst_ni) sweep_q <= '0;
    else if (sweep.valid) sweep_q <= sweep_q + 1'b1;
  end

  // ---- Tasks ------------------------------------------------------------------------------------

  walk_channel_t [Channels-1:0] walk_channel;
  walk_found_t found;
  walk_step_t step;
  set_t look_hot, step_hot, job_hot, stop, halted, clean, pushed, seats, running;
  set_t skips, faults, go_hot, start_hot, refused, lost_q, zeroes;
  set_t outer_faults, entry_lost;  // of orders_i, of list_i
  walk_flag_t [Channels-1:0] flag;
  stop_state_t [Channels-1:0] stops;
  launch_state_t [Channels-1:0] launch_state;
  index_t pick, look, step_channel, view_channel;
  task_t head;
  logic [Place-1:0] pick_place, look_place, job_place;
  logic [Seat-1:0] given, ended;
  logic [31:0] tag;
  logic [4:0] room, level;
  logic queue_ready, left;
  slot_t launch_slot;
  assign view_channel = index_t'(program_i.view_channel);

  // Whether a channel may be pushed; one whose queue is full has tasks anyway.
  set_t may_push;
  logic pushed_q;
  assign may_push     = sweep.valid || pushed_q ? '0 : pushed & ~stop;
  assign push_ready_o = queue_ready && may_push != '0;
  always_ff @(posedge clk_i) pushed_q <= rst_ni && push_valid_i && push_ready_o;
  always_comb begin
    for (int unsigned c = 0; c < Channels; c++) begin
      pushed[c] = 32'(push_i.channel) == c;
      stop[c]   = stops[c].stop;
      halted[c] = stops[c].halted;
    end
  end
  tsr_task_memory #(
    .Channels(Channels),
    .Depth   (TaskDepth)
  ) u_tasks (
    .clk_i,
    .rst_ni,
    .sweep_i     (sweep),
    .push_i,
    .push_valid_i(push_valid_i && may_push != '0),
    .push_ready_o(queue_ready),
    .pick_i      (pick),
    .place_o     (pick_place),
    .look_i      (look),
    .look_place_i(look_place),
    .head_o      (head),
    .pop_i       (step_channel),
    .pop_place_i (job_place),
    .pop_valid_i (step.popped || step.cleaned),
    .flush_i     (step.cleaned),
    .left_o      (left),
    .tag_o       (tag),
    .view_i      (view_channel),
    .room_o      (room)
  );

  // ---- Jobs -------------------------------------------------------------------------------------

  launch_t launch;
  loaded_t loaded;
  logic launch_valid;
  descriptor_id_t view_descriptor, view_oldest;
  logic view_in_task;
  assign list_channel_o = channel_t'(look);
  tsr_task_walk #(
    .Reads   (Reads),
    .Channels(Channels),
    .Tasks   (TaskDepth),
    .Slots   (Slots),
    .Flight  (RecordDepth),
    .Lists   (Lists),
    .Walk    (Walk)
  ) u_walk (
    .clk_i,
    .rst_ni,
    .sweep_i(sweep),
    .channel_i(walk_channel),
    .pick_o(pick),
    .pick_place_i(pick_place),
    .look_o(look),
    .look_place_o(look_place),
    .step_channel_o(step_channel),
    .look_hot_o(look_hot),
    .found_o(found),
    .step_hot_o(step_hot),
    .step_o(step),
    .job_hot_o(job_hot),
    .view_i(
    '{
        head: head,
        next: list_head_i,
        given: 5'(given),
        ended: 5'(ended),
        launch_slot: launch_slot
    }
    ),
    .place_o(job_place),
    .left_i(left),
    .tag_i(tag),
    .job_o,
    .job_valid_o,
    .job_ready_i,
    .shown_i('{valid: shown_valid_i, ordered: shown_ordered_i, row: shown_i}),
    .loaded_o(loaded),
    .launch_o(launch),
    .launch_valid_o(launch_valid),
    .view_channel_i(view_channel),
    .view_descriptor_o(view_descriptor),
    .view_in_task_o(view_in_task)
  );

  assign beside_valid_o = Side && loaded.valid;
  assign beside_o = '{
          channel: loaded.channel,
          number: 4'(loaded.seat[Seat-2:0]),
          side: loaded.side,
          header: loaded.header
      };

  set_t forget;
  receive_turn_t [Channels-1:0] turn;
  orders_t [Channels-1:0] order;  // without a trigger that does not count
  always_comb begin
    order = orders_i;
    for (int unsigned c = 0; c < Channels; c++) if (turn[c].hold_trigger) order[c].trigger = 1'b0;
  end
  tsr_walk_flags #(
    .Channels  (Channels),
    .Slots     (Slots),
    .Lists     (Lists),
    .Walk      (Walk),
    .OutOfOrder(OutOfOrder)
  ) u_flags (
    .clk_i,
    .rst_ni,
    .channel_o (walk_channel),
    .look_hot_i(look_hot),
    .found_i   (found),
    .job_hot_i (job_hot),
    .step_hot_i(step_hot),
    .step_i    (step),
    .pushed_i  (push_valid_i ? may_push : '0),
    .seat_i    (seats),
    .prepared_i,
    .prepared_valid_i,
    .freed_i,
    .launch_i  (launch_state),
    .running_i (running),
    .stop_i    (stops),
    .engine_i,
    .orders_i  (order),
    .list_i,
    .turn_i    (turn),
    .clean_o   (clean),
    .flag_o    (flag),
    .list_o
  );

  tsr_channel_stop #(
    .Channels(Channels),
    .Settles (Settles)
  ) u_stop (
    .clk_i,
    .rst_ni,
    .orders_i,
    .clean_i  (clean),
    .refused_i(refused),
    .lost_i   (entry_lost),
    .lasts_i  (zeroes),
    .fault_i  (faults | outer_faults),
    .state_o  (stops)
  );

  // ---- Channels that receive --------------------------------------------------------------------

  for (genvar c = 0; c < Channels; c++) begin : gen_receive
    logic rests;
    assign rests = !flag[c].loading && !running[c] && launch_state[c].made == '0;
    if (c >= Reads && (OutOfOrder || Marks)) begin : gen_turn
      tsr_receive_turn #(
        .OutOfOrder(OutOfOrder),
        .Marks     (Marks)
      ) u_turn (
        .clk_i,
        .rst_ni,
        .stop_i   (stops[c]),
        .orders_i (orders_i[c]),
        .flag_i   (flag[c]),
        .rests_i  (rests),
        .idle_i   (engine_i[c].idle),
        .turn_o   (turn[c]),
        .receive_o(receive_o[c])
      );
    end else begin : gen_no_turn
      logic unused_rests;
      assign unused_rests = rests;
      assign turn[c]      = '0;
      assign receive_o[c] = '0;
    end
    assign forget[c] = receive_o[c].forget;
    assign trigger_take_o[c] = flag[c].take;
    `TSR_ASSERT(ForgetsWhatIsNoTransfers, !forget[c] || !running[c])
  end

  // ---- Launches and locks -----------------------------------------------------------------------

  launch_channel_t [Channels-1:0] launch_channel;
  refusal_t refusal;
  bank_access_t acquire;
  bank_answer_t answer;
  lock_wake_t wake;
  lock_op_t drop;
  lock_side_e acquire_side, drop_side;
  lock_id_t view_lock;
  logic refusal_valid, acquire_valid, acquire_ready, acquire_open, drop_valid, drop_ready, go_first;
  always_comb begin
    for (int unsigned c = 0; c < Channels; c++) begin
      launch_channel[c] = '{
          closed: orders_i[c].drain || stops[c].faulted,
          stop: stop[c] || lost_q[c],
          clean: clean[c],
          running: running[c]
      };
      refused[c] = refusal_valid && 32'(refusal.channel) == c;
      start_hot[c] = go_hot[c] && go_first;
      entry_lost[c] = Lists && list_i[c].halt;
      zeroes[c] = Lists && list_i[c].zeroes;
      outer_faults[c] = orders_i[c].fault;
    end
  end
  // Behind an entry that was not written nothing begins.
  always_ff @(posedge clk_i) lost_q <= rst_ni && Lists ? entry_lost | (lost_q & halted) : '0;

  tsr_launch #(
    .Channels  (Channels),
    .Slots     (Slots),
    .EqualTakes(EqualTakes),
    .Ordered   (Ordered),
    .Far       (Far)
  ) u_launch (
    .clk_i,
    .rst_ni,
    .sweep_i        (sweep),
    .channel_i      (launch_channel),
    .state_o        (launch_state),
    .launch_i       (launch),
    .launch_valid_i (launch_valid),
    .prepared_i,
    .prepared_valid_i,
    .refusal_o      (refusal),
    .refusal_valid_o(refusal_valid),
    .access_o       (acquire),
    .access_side_o  (acquire_side),
    .access_valid_o (acquire_valid),
    .access_ready_i (acquire_ready),
    .access_open_i  (acquire_open),
    .answer_i       (answer),
    .wake_i         (wake),
    .go_channel_o,
    .go_hot_o       (go_hot),
    .go_valid_o,
    .go_first_o     (go_first),
    .look_i         (look),
    .look_slot_o    (launch_slot),
    .view_i         (view_channel),
    .view_lock_o    (view_lock)
  );

  tsr_lock_port #(
    .Channels  (Channels),
    .Locks     (Locks),
    .EqualTakes(EqualTakes)
  ) u_locks (
    .clk_i,
    .rst_ni,
    .release_i        (drop),
    .release_side_i   (drop_side),
    .release_channel_i(end_i.channel),
    .release_valid_i  (drop_valid),
    .release_ready_o  (drop_ready),
    .reg_i            (program_i.lock),
    .reg_valid_i      (program_i.lock_valid),
    .reg_ready_o      (program_o.lock_ready),
    .reg_answer_o     (program_o.lock),
    .acquire_i        (acquire),
    .acquire_side_i   (acquire_side),
    .acquire_valid_i  (acquire_valid),
    .acquire_ready_o  (acquire_ready),
    .acquire_open_o   (acquire_open),
    .answer_o         (answer),
    .report_o         (lock_report_o),
    .wake_o           (wake),
    .far_o,
    .far_i
  );

  // ---- Ends and records -------------------------------------------------------------------------

  record_put_t put;
  sequencer_event_t retired;
  logic retired_valid, retired_ready;
  wait_e end_waits;
  assign end_channel_o = end_i.channel;
  // Pops, a cycle later, with their channel.
  logic   pop_q;
  index_t pop_channel_q;
  always_ff @(posedge clk_i) begin
    pop_q         <= rst_ni && program_i.pop;
    pop_channel_q <= index_t'(program_i.read_channel);
  end
  tsr_transfer_retire #(
    .Reads   (Reads),
    .Channels(Channels),
    .Flight  (RecordDepth),
    .Side    (Side),
    .Lists   (Lists),
    .Far     (Far)
  ) u_retire (
    .clk_i,
    .rst_ni,
    .sweep_i        (sweep),
    .cycles_i,
    .loaded_i       (loaded),
    .go_channel_i   (index_t'(go_channel_o)),
    .go_hot_i       (start_hot),
    .running_o      (running),
    .end_i,
    .end_valid_i,
    .end_ready_o,
    .end_word_o,
    .stop_on_i,
    .release_o      (drop),
    .release_side_o (drop_side),
    .release_valid_o(drop_valid),
    .release_ready_i(drop_ready),
    .token_valid_o,
    .entry_o,
    .entry_valid_o,
    .entry_ready_i,
    .put_o          (put),
    .popped_i       (pop_q),
    .event_o        (retired),
    .event_valid_o  (retired_valid),
    .event_ready_i  (retired_ready),
    .stops_o        (faults),
    .skips_o        (skips),
    .waits_o        (end_waits),
    .look_i         (look),
    .ended_o        (ended),
    .view_i         (view_channel),
    .view_oldest_o  (view_oldest)
  );

  tsr_record_memory #(
    .Channels(Channels),
    .Depth   (RecordDepth),
    .Side    (Side)
  ) u_records (
    .clk_i,
    .rst_ni,
    .sweep_i      (sweep),
    .put_i        (put),
    .read_i       (index_t'(program_i.read_channel)),
    .read_word_i  (program_i.read_word),
    .read_o       (program_o.read),
    .pop_channel_i(pop_channel_q),
    .pop_i        (pop_q),
    .view_i       (view_channel),
    .level_o      (level),
    .look_i       (look),
    .given_o      (given)
  );

  channel_t emptied;
  logic empties;
  always_comb begin
    emptied = '0;
    empties = 1'b0;
    for (int unsigned c = 0; c < Channels; c++) begin
      if (flag[c].empty) emptied = emptied | channel_t'(c);
      empties  = empties || flag[c].empty;
      seats[c] = skips[c] || (pop_q && 32'(pop_channel_q) == c);
    end
  end
  tsr_event_port u_events (
    .clk_i,
    .rst_ni,
    .refusal_i      (refusal),
    .refusal_valid_i(refusal_valid && (refused & stop) == '0 && !prepared_i.from_list),
    .empty_i        (emptied),
    .empty_valid_i  (empties),
    .retired_i      (retired),
    .retired_valid_i(retired_valid),
    .retired_ready_o(retired_ready),
    .event_o,
    .event_valid_o
  );

  assign list_refused_o = Lists && refusal_valid && (refused & stop) == '0 && prepared_i.from_list;

  // ---- View -------------------------------------------------------------------------------------

  always_comb begin
    for (int unsigned c = 0; c < Channels; c++) begin
      levels_o[c] = '{
          idle: (engine_i[c].idle || c >= Reads) && !running[c] && (!stop[c] || stops[c].done),
          in_reset: stops[c].in_reset,
          halted: halted[c],
          faulted: stops[c].faulted,
          busy: flag[c].loading || running[c] || launch_state[c].made != '0 || flag[c].wants,
          running: running[c],
          locked: launch_state[c].locked && launch_state[c].made != '0,
          tasks: flag[c].wants,
          full: flag[c].waits == WaitRecord || flag[c].waits == WaitToken,
          dropping: stops[c].aborts || forget[c]
      };
    end
  end
  tsr_sequencer_view #(
    .Channels(Channels)
  ) u_view (
    .clk_i,
    .rst_ni,
    .view_i       (view_channel),
    .levels_i     (levels_o),
    .stop_i       (stops),
    .flag_i       (flag),
    .launch_i     (launch_state),
    .end_channel_i(end_i.channel),
    .end_waits_i  (end_waits),
    .descriptor_i (view_descriptor),
    .oldest_i     (view_oldest),
    .lock_i       (view_lock),
    .room_i       (room),
    .records_i    (level),
    .in_task_i    (view_in_task),
    .view_o       (program_o.view)
  );

  logic unused_view;
  assign unused_view = ^{program_i, orders_i, list_i};

endmodule
