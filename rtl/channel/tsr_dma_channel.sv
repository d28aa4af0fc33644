// One programmed channel: its queue of tasks, its sequencer, what happens at the end of its transfers, and
// how it is. The engine is outside; so are loader, locks and tokens, which channels share.
//
// Wiring, and the view for the registers. Contract: tsr_sequencer, tsr_completion. A task keeps its entry
// in the queue until its last descriptor has been loaded. An abort and a reset of the channel drop tasks and
// what has not begun, and refuse new tasks until they are done; records stay until they are taken. What an
// abort drops is no error. A change of `setup_i.by_id` waits until the channel has nothing in hand, and
// tasks that have not begun wait for it.
// With Marks a task may wait for the frame mark of the channel's own stream. Before each frame the engine, and
// what stands in front of it, forget what they took behind the frame before: they rest, and are aborted.
// Only a trigger that comes then counts.
// Latency, throughput: those of tsr_sequencer and tsr_completion.
`include "tsr_assert.svh"
module tsr_dma_channel
  import tsr_pkg::*;
  import tsr_fabric_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_register_pkg::*;
  import tsr_list_pkg::*;
#(
  parameter int unsigned TaskDepth   = 4,     // a power of two, 2..16
  parameter int unsigned RecordDepth = 8,     // a power of two, 2..16
  parameter int unsigned AfterDepth  = 32,    // transfers in the engine, a power of two
  parameter int unsigned Slots       = 1,     // transfers in front of the engine
  parameter bit          Direct      = 1'b0,  // a task is seen in the cycle in which it comes
  parameter bit          Lists       = 1'b1,
  parameter bit          EqualTakes  = 1'b0,  // of the locks
  parameter bit          ById        = 1'b0,  // headers of packets may choose descriptors
  parameter bit          Marks       = 1'b0,  // tasks may wait for a frame of the stream
  parameter bit          TakesSide   = 1'b0   // records have the side information of the stream
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic            [31:0] cycles_i,
  // Registers.
  input  channel_setup_t         setup_i,
  output channel_view_t          view_o,
  input  task_t                  task_i,
  input  logic                   task_valid_i,
  output logic                   task_ready_o,
  output record_t                record_o,
  output logic            [ 4:0] record_level_o,
  input  logic                   record_pop_i,
  output channel_events_t        events_o,
  output error_report_t          report_o,
  output logic                   report_valid_o,
  input  logic                   report_ready_i,
  // Triggers, loader, locks, tokens.
  input  logic                   trigger_i,
  input  logic                   trigger_missed_i,
  output logic                   trigger_take_o,
  output logic                   finished_o,        // a transfer
  output logic                   delivered_o,       // one with its data, as an event for others

  output load_request_t           request_o,
  output logic                    request_valid_o,
  input  logic                    request_ready_i,
  input  loaded_t                 loaded_i,
  input  transfer_t               transfer_i,
  input  logic                    loaded_valid_i,
  input  logic             [63:0] loaded_addr_i,    // of a descriptor of a list
  output lock_op_t                acquire_o,
  output logic                    acquire_valid_o,
  input  logic                    acquire_ready_i,
  output lock_op_t                release_o,
  output logic                    release_valid_o,
  input  logic                    release_ready_i,
  input  logic                    release_over_i,
  input  logic                    release_under_i,
  output logic                    token_valid_o,
  input  logic                    token_ready_i,
  // Its list.
  output logic                    list_open_o,
  output logic                    list_again_o,
  input  list_state_t             list_state_i,
  input  list_told_t              list_told_i,
  output list_done_t              listed_o,
  output logic                    listed_valid_o,
  input  logic                    listed_ready_i,
  // The engine, behind its control; an abort and a reset are held until they are done.
  output channel_request_t        asked_o,
  output transfer_t               transfer_o,
  output header_request_t         header_o,
  output side_t                   side_o,
  output logic                    valid_o,
  input  logic                    ready_i,
  input  done_t                   done_i,
  input  side_t                   done_side_i,
  input  logic                    done_valid_i,
  output logic                    done_ready_o,
  input  logic                    idle_i,
  input  logic                    denied_i,
  input  channel_state_t          state_i,
  input  logic                    stream_waits_i,   // it could go on, and the stream does not
  // Of a channel that writes memory: what stands in front of its engine.
  output receive_control_t        receive_o,
  input  receive_state_t          receive_i,
  output logic                    id_take_o
);

  // ---- Tasks ------------------------------------------------------------------------------------

  task_t head;
  logic room, head_valid, head_take, flush, clear, aborts, resets, stops, stopped, accepts;
  logic [4:0] used_q;
  logic by_id, turns_by_id, holds_tasks;
  logic marks, waits_frame, hunts, forgets, holds_trigger;

  assign clear   = state_i.in_reset;
  assign stops   = aborts || resets || clear;
  assign accepts = !stops && !flush;

  tsr_stop u_stop (
    .clk_i,
    .rst_ni,
    .abort_i   (setup_i.aborts),
    .reset_i   (setup_i.control.reset),
    .stopped_i (stopped),
    .in_reset_i(clear),
    .abort_o   (aborts),
    .reset_o   (resets)
  );
  always_comb begin
    asked_o               = '{aborts: aborts || forgets, control: setup_i.control};
    asked_o.control.reset = resets;
  end

  tsr_fifo #(
    .Depth      (TaskDepth),
    .T          (task_t),
    .FallThrough(Direct)
  ) u_tasks (
    .clk_i,
    .rst_ni,
    .flush_i(flush),
    .data_i (task_i),
    .valid_i(task_valid_i && accepts),
    .ready_o(room),
    .data_o (head),
    .valid_o(head_valid),
    .ready_i(head_take)
  );
  assign task_ready_o = room && accepts;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || flush) used_q <= '0;
    else used_q <= used_q + 5'(task_valid_i && task_ready_o) - 5'(head_take && head_valid);
  end

  // ---- Transfers --------------------------------------------------------------------------------

  task_t task_in;
  after_t after_in, after;
  logic write_failed;
  logic after_room, after_valid, after_take, taken, failed, running, sequencing;
  wait_e sequencer_waits, completion_waits;
  lock_op_t give_back, drop;
  logic give_back_valid, give_back_ready, drop_valid, drop_ready;

  tsr_sequencer #(
    .Slots     (Slots),
    .EqualTakes(EqualTakes)
  ) u_sequencer (
    .clk_i,
    .rst_ni,
    .clear_i          (clear),
    .abort_i          (stops),
    .stop_i           (setup_i.stop),
    .fail_i           (write_failed),
    .idle_i           (idle_i || clear),
    .list_open_o,
    .list_again_o,
    .task_i           (task_in),
    .task_valid_i     (head_valid && (!holds_tasks || running)),
    .task_ready_o     (head_take),
    .flush_o          (flush),
    .trigger_i        (trigger_i && !holds_trigger),
    .trigger_take_o,
    .by_id_i          (by_id),
    .id_i             (receive_i.id),
    .id_valid_i       (receive_i.id_valid),
    .id_take_o,
    .request_o,
    .request_valid_o,
    .request_ready_i,
    .loaded_i,
    .transfer_i,
    .loaded_valid_i,
    .acquire_o,
    .acquire_valid_o,
    .acquire_ready_i,
    .give_back_o      (give_back),
    .give_back_valid_o(give_back_valid),
    .give_back_ready_i(give_back_ready),
    .transfer_o,
    .header_o,
    .valid_o,
    .ready_i,
    .after_o          (after_in),
    .after_ready_i    (after_room),
    .failed_o         (failed),
    .stopped_o        (stopped),
    .waits_o          (sequencer_waits),
    .busy_o           (sequencing),
    .running_o        (running)
  );
  assign side_o = after_in.side;
  assign taken = valid_o && ready_i;

  // Each turn of a task that waits for frames is a frame.
  assign marks = Marks && setup_i.trigger_select.kind == TriggerOwn &&
      setup_i.trigger_select.number == 4'd1;
  always_comb begin
    task_in       = head;
    task_in.paced = head.paced || (head.trigger && marks);
  end

  // ---- Frames -----------------------------------------------------------------------------------

  assign waits_frame = marks && sequencer_waits == WaitTrigger && !after_valid && !stops;

  if (Marks) begin : gen_frames
    typedef enum logic [2:0] {
      Pass,
      Forget,   // an abort begins
      Forgets,  // until the engine rests
      Hunt,
      Found     // its descriptor is asked for: that may wait for a header, the list, other channels
    } frame_e;
    frame_e frame_q, frame_d;
    logic asks_frame;
    assign asks_frame = marks && sequencing && !failed && !stops && !trigger_take_o;

    always_comb begin
      frame_d = frame_q;
      unique case (frame_q)
        Pass:    if (waits_frame) frame_d = Forget;
        Forget:  frame_d = Forgets;
        Forgets: if (idle_i) frame_d = waits_frame ? Hunt : Pass;
        Hunt:    if (!waits_frame) frame_d = asks_frame ? Found : Pass;
        Found:   if (!asks_frame) frame_d = Pass;
        default: frame_d = Pass;
      endcase
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear) frame_q <= Pass;
      else frame_q <= frame_d;
    end
    assign forgets       = frame_q inside {Forget, Forgets};
    assign hunts         = frame_q == Hunt && waits_frame;
    assign holds_trigger = marks && !(frame_q inside {Hunt, Found});
  end else begin : gen_no_frames
    assign forgets       = 1'b0;
    assign hunts         = 1'b0;
    assign holds_trigger = 1'b0;
  end

  // ---- Headers choose descriptors, or not -------------------------------------------------------

  if (ById) begin : gen_by_id
    logic by_id_q;
    assign by_id       = by_id_q;
    assign holds_tasks = setup_i.by_id != by_id_q;
    assign turns_by_id = holds_tasks && !running && !sequencing && !after_valid && state_i.idle;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) by_id_q <= 1'b0;
      else if (turns_by_id) by_id_q <= setup_i.by_id;
    end
  end else begin : gen_not_by_id
    assign by_id       = 1'b0;
    assign holds_tasks = 1'b0;
    assign turns_by_id = 1'b0;
  end

  tsr_fifo #(
    .Depth(AfterDepth),
    .T    (after_t)
  ) u_after (
    .clk_i,
    .rst_ni,
    .flush_i(clear),
    .data_i (after_in),
    .valid_i(taken),
    .ready_o(after_room),
    .data_o (after),
    .valid_o(after_valid),
    .ready_i(after_take)
  );

  // ---- Their end --------------------------------------------------------------------------------

  record_t record_in;
  descriptor_id_t descriptor_q;
  error_report_t done_report;
  logic done_report_valid, tells_write, write_told_q, tells_load, done_waits_q;
  logic [5:0] error_q;
  descriptor_id_t error_descriptor_q;
  logic [63:0] load_addr;
  logic record_push, record_room, task_done, interrupts;

  tsr_completion u_completion (
    .clk_i,
    .rst_ni         (rst_ni && !clear),
    .cycles_i,
    .stop_on_i      (setup_i.control.stop_on),
    .done_i,
    .done_valid_i,
    .done_ready_o,
    .after_i        (after),
    .side_i         (TakesSide ? done_side_i : after.side),
    .after_valid_i  (after_valid),
    .after_ready_o  (after_take),
    .release_o      (drop),
    .release_valid_o(drop_valid),
    .release_ready_i(drop_ready),
    .record_o       (record_in),
    .record_valid_o (record_push),
    .record_ready_i (record_room),
    .token_valid_o,
    .token_ready_i,
    .listed_o,
    .listed_valid_o,
    .listed_ready_i,
    .report_o       (done_report),
    .report_valid_o (done_report_valid),
    .report_ready_i (report_ready_i && !tells_write && !tells_load),
    .finished_o,
    .delivered_o,
    .task_done_o    (task_done),
    .interrupts_o   (interrupts),
    .waits_o        (completion_waits)
  );

  // The first error of the completion entries stops the channel, and is reported once.
  assign write_failed   = list_state_i.write_error != WriteOk;
  assign tells_write    = write_failed && !write_told_q && !done_waits_q;
  assign report_valid_o = done_report_valid || tells_write || tells_load;

  // A descriptor of a list that was not loaded is reported with its address; the view has no room for that.
  if (Lists) begin : gen_listed
    logic listed_q, load_told_q;
    logic [63:0] load_addr_q;
    assign tells_load = error_q != '0 && listed_q && !load_told_q && !done_waits_q && !tells_write;
    assign load_addr  = load_addr_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear) load_told_q <= 1'b0;
      else load_told_q <= load_told_q || (tells_load && report_ready_i);
      if (loaded_valid_i) begin
        listed_q    <= head.from_list;
        load_addr_q <= loaded_addr_i;
      end
    end
  end else begin : gen_not_listed
    logic unused_addr;
    assign unused_addr = ^loaded_addr_i;
    assign tells_load  = 1'b0;
    assign load_addr   = '0;
  end

  always_comb begin
    report_o = done_report;
    if (tells_write) begin
      report_o                   = '0;
      report_o.causes.write_back = 1'b1;
      report_o.reason            = {3'(LoadEntryBase >> 3), list_state_i.write_error};
      report_o.descriptor        = descriptor_id_t'(list_state_i.failed_index);
      report_o.addr              = list_state_i.failed_addr;
    end
    if (tells_load) begin
      report_o                  = '0;
      report_o.causes.load      = 1'b1;
      report_o.causes.from_list = 1'b1;
      report_o.reason           = error_q;
      report_o.descriptor       = error_descriptor_q;
      report_o.addr             = load_addr;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear) begin
      write_told_q <= 1'b0;
      done_waits_q <= 1'b0;
    end else begin
      write_told_q <= write_told_q || (tells_write && report_ready_i);
      done_waits_q <= done_report_valid && !tells_write && !tells_load && !report_ready_i;
    end
  end

  // Both never ask at once: what is given back waits until the engine rests, and its records are taken. A
  // reset may withdraw a release that waits; a cycle without one stands between it and what is given back.
  logic drop_waits_q, gives_back;
  always_ff @(posedge clk_i) drop_waits_q <= rst_ni && drop_valid && !drop_ready;
  assign gives_back      = give_back_valid && !drop_valid && !drop_waits_q;
  assign release_o       = drop_valid ? drop : give_back;
  assign release_valid_o = drop_valid || gives_back;
  assign drop_ready      = release_ready_i;
  assign give_back_ready = release_ready_i && gives_back;

  logic [$clog2(RecordDepth):0] level;
  logic unused_record_valid;
  tsr_record_queue #(
    .Depth(RecordDepth)
  ) u_records (
    .clk_i,
    .rst_ni,
    .clear_i (1'b0),
    .record_i(record_in),
    .valid_i (record_push),
    .ready_o (record_room),
    .record_o,
    .valid_o (unused_record_valid),
    .ready_i (record_pop_i),
    .level_o (level)
  );
  assign record_level_o = 5'(level);

  assign events_o = '{
          task_done: task_done,
          interrupts: interrupts,
          record: record_push && record_room,
          denied: denied_i,
          lock_over: release_valid_o && release_ready_i && release_over_i,
          lock_under: release_valid_o && release_ready_i && release_under_i,
          entries: list_told_i.interrupts,
          entry: list_told_i.quiet
      };

  // ---- How it is --------------------------------------------------------------------------------

  wait_e waits;
  channel_state_t state;
  descriptor_id_t oldest;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) descriptor_q <= '0;
    else if (loaded_valid_i) descriptor_q <= loaded_i.descriptor;
    // What an abort drops has not failed.
    if (!rst_ni || clear) begin
      error_q <= '0;
    end else if (loaded_valid_i && !stops) begin
      error_q <= loaded_i.error;
      error_descriptor_q <= loaded_i.descriptor;
    end
  end

  always_comb begin
    if (clear || resets) waits = WaitReset;
    else if (failed || state_i.faulted) waits = WaitFault;
    else if (state_i.paused) waits = WaitPause;
    else if (completion_waits != WaitTask) waits = completion_waits;
    else if (after_valid) waits = stream_waits_i ? WaitStream : WaitMemory;
    else waits = sequencer_waits;
  end

  // A fault is that of the oldest transfer that has no record.
  assign oldest = after_valid ? after.descriptor : descriptor_q;

  assign view_o = '{
          waits: waits,
          next_waits: sequencer_waits,
          lock: sequencer_waits == WaitLock ? acquire_o.id : '0,
          descriptor: descriptor_q,
          room: 5'(TaskDepth) - used_q,
          busy: sequencing || head_valid || after_valid,
          running: running,
          halted: failed,
          error: error_q,
          error_descriptor: error_descriptor_q,
          oldest: oldest,
          trigger_missed: trigger_missed_i,
          state: state
      };
  // Done is what new tasks may follow, or what software still asks for.
  logic asks, stopped_as_asked;
  assign asks = setup_i.aborts || setup_i.control.reset;
  assign stopped_as_asked = asks && stopped && (clear || !resets);
  always_comb begin
    state          = state_i;
    state.idle     = state_i.idle && (stopped_as_asked || accepts);
    state.in_reset = clear && stopped;
  end

  logic turned_q, restarts;
  assign restarts = forgets || (waits_frame && !hunts);
  always_ff @(posedge clk_i) turned_q <= rst_ni && turns_by_id;
  assign receive_o = '{
          by_id: by_id,
          clear: stops || turns_by_id,
          marks: marks || forgets,
          hunt: hunts,
          restart: restarts,
          retakes: hunts || restarts || (by_id && stops) || turned_q
      };

  logic unused_setup;
  assign unused_setup = ^{setup_i, list_state_i, done_side_i, receive_i};

  `TSR_ASSERT(EveryTransferIsFollowed, !taken || after_room)
  `TSR_ASSERT(OneRelease, !(drop_valid && give_back_valid))
  `TSR_ASSERT_NEXT(OfferStays, valid_o && !ready_i && !stops, valid_o)

endmodule
