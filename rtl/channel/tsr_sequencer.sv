// Makes transfers of the tasks of one channel: chains, repeats, triggers, locks, in order.
//
// Contract: the oldest task stays on `task_i` until `task_ready_o`, with which its last descriptor has been loaded.
// For each descriptor the loader is asked once; what it answers waits in `Slots` entries for its lock, then
// is offered to the engine, and with its acceptance `after_o` tells what has to be done at its end (valid
// for that cycle; only while `after_ready_i`). The transfer of an answer is on `transfer_i` in the cycle before
// the answer if Slots = 1, where the entry follows `transfer_i` while it is free, else with the answer. The next
// descriptors are loaded, and their locks acquired, while transfers run. `abort_i` is held until `stopped_o`: no
// descriptor is loaded any more, tasks go (`flush_o`), what the engine has not begun is taken back when `idle_i`
// says that it is at rest and takes nothing, a lock that was acquired for it is given back (`give_back_o`), if
// the acquire took something. With `by_id_i` each turn waits for an id (of the next packet of the channel's
// stream) and begins with the descriptor that it names; the start of the task does not count. A task of a list
// waits until `by_id_i` is 0. A descriptor that could not be loaded, or `fail_i`, stops the sequencer
// (`failed_o`) until `clear_i`.
// Latency: 0 cycles from task to request, 0 from answer to offer, 1 to the acquire of a lock, 1 from its grant
// to the offer. Throughput with Slots = 1: a transfer in 2 cycles, if its descriptor is loaded in one; with
// more: a cycle a transfer.
`include "tsr_assert.svh"
module tsr_sequencer
  import tsr_pkg::*;
  import tsr_channel_pkg::*;
#(
  parameter int unsigned Slots      = 1,    // 1, or a power of two
  parameter bit          EqualTakes = 1'b0  // an equal acquire takes what it waited for
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  clear_i,            // with abort_i: forget a failure too
  input  logic                  abort_i,
  input  logic                  stop_i,             // an endless task ends with its turn
  input  logic                  fail_i,             // stop as after a failure
  input  logic                  idle_i,             // of the engine
  // Tasks.
  input  task_t                 task_i,
  input  logic                  task_valid_i,
  output logic                  task_ready_o,
  output logic                  flush_o,
  input  logic                  trigger_i,          // there is one
  output logic                  trigger_take_o,
  input  logic                  by_id_i,
  input  logic            [5:0] id_i,
  input  logic                  id_valid_i,
  output logic                  id_take_o,
  // The loader.
  output load_request_t         request_o,
  output logic                  request_valid_o,
  input  logic                  request_ready_i,
  input  loaded_t               loaded_i,
  input  transfer_t             transfer_i,
  input  logic                  loaded_valid_i,
  // The list of the channel: a task takes its descriptors from it; another turn follows.
  output logic                  list_open_o,
  output logic                  list_again_o,
  // Locks.
  output lock_op_t              acquire_o,
  output logic                  acquire_valid_o,
  input  logic                  acquire_ready_i,
  output lock_op_t              give_back_o,
  output logic                  give_back_valid_o,
  input  logic                  give_back_ready_i,
  // The engine, and the end of its transfers.
  output transfer_t             transfer_o,
  output header_request_t       header_o,
  output logic                  valid_o,
  input  logic                  ready_i,
  output after_t                after_o,
  input  logic                  after_ready_i,
  // How it is.
  output logic                  failed_o,
  output logic                  stopped_o,          // an abort has left nothing
  output wait_e                 waits_o,
  output logic                  busy_o,
  output logic                  running_o           // a task is in hand
);

  typedef enum logic [1:0] {
    Ask,
    Loading,
    Stopping,  // by an abort
    Failed
  } state_e;

  state_e state_q, state_d;
  logic chained_q, first_q, room, takes, answered, triggered, wants_trigger, wants_id, drops;
  logic task_valid;
  descriptor_id_t next_q;
  logic [15:0] turns_q;

  // ---- Descriptors, one after the other ---------------------------------------------------------

  // Headers were taken off what a list would receive.
  assign task_valid = task_valid_i && !(by_id_i && task_i.from_list);
  assign wants_trigger = !chained_q && (task_i.paced || (task_i.trigger && first_q));
  assign triggered = !wants_trigger || trigger_i;
  assign wants_id = by_id_i && !chained_q;
  assign request_valid_o = state_q == Ask && task_valid && triggered && room && !abort_i &&
      (!wants_id || id_valid_i);
  assign id_take_o = request_valid_o && request_ready_i && wants_id;
  assign trigger_take_o = request_valid_o && request_ready_i && wants_trigger;
  assign request_o = '{
          descriptor: chained_q ? next_q : wants_id ? descriptor_id_t'(id_i) : task_i.start,
          from_list: task_i.from_list,
          final_turn: task_i.endless ? stop_i : turns_q == task_i.repeats
      };
  assign answered = state_q == Loading && loaded_valid_i;
  assign task_ready_o = answered && loaded_i.error == '0 && loaded_i.task_end && !abort_i;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Ask: begin
        if (request_valid_o && request_ready_i) state_d = Loading;
        else if (abort_i) state_d = Stopping;
        else if (fail_i) state_d = Failed;
      end
      Loading: begin
        if (loaded_valid_i) begin
          if (abort_i) state_d = Stopping;
          else state_d = loaded_i.error == '0 && !fail_i ? Ask : Failed;
        end
      end
      Stopping: if (!abort_i) state_d = Ask;
      Failed:   if (clear_i) state_d = Stopping;
      default:  state_d = Ask;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q   <= Ask;
      chained_q <= 1'b0;
      first_q   <= 1'b1;
      turns_q   <= '0;
    end else begin
      state_q <= state_d;
      if (state_q == Stopping) begin
        chained_q <= 1'b0;
        first_q   <= 1'b1;
        turns_q   <= '0;
      end else if (answered) begin
        chained_q <= loaded_i.chained;
        first_q   <= loaded_i.task_end;
        if (loaded_i.task_end) turns_q <= '0;
        else if (!loaded_i.chained) turns_q <= turns_q + 1'b1;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (answered) next_q <= loaded_i.next;
  end

  // An abort drops what there is, behind a failure too.
  logic aborts_q;
  assign drops = state_q == Stopping || (state_q == Failed && abort_i && aborts_q);
  always_ff @(posedge clk_i) aborts_q <= rst_ni && abort_i;

  // Between two tasks the list is closed for a cycle.
  assign list_open_o = task_valid && task_i.from_list && !task_ready_o && !abort_i &&
      (state_q == Ask || state_q == Loading);
  assign list_again_o = task_i.endless ? !stop_i : turns_q != task_i.repeats;

  assign flush_o = drops;
  assign failed_o = state_q == Failed;

  // ---- Slots ------------------------------------------------------------------------------------

  entry_t loaded, head;
  transfer_t head_transfer;
  logic load, head_valid, head_kept, withdraw;

  assign load = answered && loaded_i.error == '0 && !abort_i;
  assign loaded = '{
          has_acquire: loaded_i.has_acquire,
          acquire: loaded_i.acquire,
          header: loaded_i.header,
          after: '{
              descriptor: loaded_i.descriptor,
              task_end: loaded_i.task_end,
              token: task_i.token,
              interrupts: loaded_i.interrupts,
              no_record: loaded_i.no_record,
              from_list: task_i.from_list,
              index: loaded_i.index,
              drop: loaded_i.drop,
              side: loaded_i.side,
              tag: task_i.tag
          }
      };

  if (Slots == 1) begin : gen_slot
    // The transfer is here already when its answer comes: nothing stands between it and the engine.
    entry_t slot_q;
    transfer_t transfer_q;
    logic slot_valid_q;
    assign head          = slot_valid_q ? slot_q : loaded;
    assign head_transfer = transfer_q;
    assign head_valid    = slot_valid_q || load;
    assign head_kept     = slot_valid_q;
    assign room          = !slot_valid_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || withdraw) slot_valid_q <= 1'b0;
      else slot_valid_q <= slot_valid_q ? load || !takes : load && !takes;
      if (load) slot_q <= loaded;
      if (!head_valid) transfer_q <= transfer_i;
    end
  end else begin : gen_slots
    typedef struct packed {
      transfer_t transfer;
      entry_t    entry;
    } pair_t;
    pair_t pair;
    logic [$clog2(Slots):0] used_q;
    logic unused_ready;
    // A descriptor is asked for when an entry is there for it; one is on its way at most.
    assign room = used_q != ($clog2(Slots) + 1)'(Slots);
    assign head_kept = used_q != '0;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || withdraw) used_q <= '0;
      else used_q <= used_q + ($clog2(Slots) + 1)'(load) - ($clog2(Slots) + 1)'(takes);
    end
    tsr_fifo #(
      .Depth      (Slots),
      .T          (pair_t),
      .FallThrough(1'b1)
    ) u_slots (
      .clk_i,
      .rst_ni,
      .flush_i(withdraw),
      .data_i ('{transfer: transfer_i, entry: loaded}),
      .valid_i(load),
      .ready_o(unused_ready),
      .data_o (pair),
      .valid_o(head_valid),
      .ready_i(takes)
    );
    assign head          = pair.entry;
    assign head_transfer = pair.transfer;
  end

  // ---- Lock, engine -----------------------------------------------------------------------------

  logic granted_q, granted, counts, returns, withdraws, returning_q, halts, offered_q;

  // After `fail_i` nothing is begun: only an offer that was made before stays.
  assign halts = fail_i && !offered_q;

  assign acquire_o = head.acquire;
  // A lock is asked for from the cycle after the answer on, and until the one after an abort begins.
  assign acquire_valid_o = head_kept && head.has_acquire && !granted_q && !aborts_q && !fail_i;
  assign granted = granted_q || !head.has_acquire;
  assign valid_o = head_valid && granted && after_ready_i && !returning_q && !halts;
  always_ff @(posedge clk_i) offered_q <= rst_ni && valid_o && !ready_i;
  assign takes = valid_o && ready_i;
  assign transfer_o = head_transfer;
  assign after_o = head.after;
  assign header_o = head.header;

  // What an abort leaves is taken back once the engine rests; so is what was acquired for it. What the engine
  // takes in that cycle is the engine's.
  assign stopped_o = drops && idle_i && !head_valid && !returning_q;
  assign counts = head.acquire.value < 0;
  assign returns = granted_q && head.has_acquire &&
      (counts || (EqualTakes && head.acquire.value != '0));
  assign give_back_o = '{
          id: head.acquire.id,
          value: counts ? -head.acquire.value : head.acquire.value
      };
  assign withdraws = drops && idle_i && head_valid && !takes && !returning_q;
  assign give_back_valid_o = returning_q;
  assign withdraw = returning_q ? give_back_ready_i : withdraws && !returns;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) returning_q <= 1'b0;
    else returning_q <= (withdraws && returns) || (returning_q && !give_back_ready_i);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || takes || withdraw) granted_q <= 1'b0;
    else if (acquire_valid_o && acquire_ready_i) granted_q <= 1'b1;
  end

  // ---- How it is --------------------------------------------------------------------------------

  assign busy_o = state_q == Loading || task_valid_i || head_valid;
  assign running_o = chained_q || !first_q || state_q == Loading;

  always_comb begin
    if (state_q == Failed) waits_o = WaitFault;
    else if (state_q == Stopping) waits_o = WaitReset;
    else if (head_valid && !granted) waits_o = WaitLock;
    else if (head_valid) waits_o = WaitEngine;
    else if (state_q == Loading) waits_o = WaitLoad;
    else if (task_valid_i && !triggered) waits_o = WaitTrigger;
    else if (task_valid && wants_id && !id_valid_i) waits_o = WaitHeader;
    else if (task_valid_i) waits_o = task_i.from_list ? WaitList : WaitLoad;
    else waits_o = WaitTask;
  end

`ifndef SYNTHESIS
  logic [63:0] addr_q;  // a whole transfer is too wide for $past in Verilator 5.006
  always_ff @(posedge clk_i) addr_q <= transfer_o.addr;
  `TSR_ASSERT_NEXT(OfferStays, valid_o && !ready_i && !withdraw && !withdraws,
                   valid_o && transfer_o.addr == addr_q)
`endif
  `TSR_ASSERT(NothingTakenIsWithdrawn, !(withdraw && takes))
  `TSR_ASSERT(AnswersToQuestions, !loaded_valid_i || state_q == Loading)
  `TSR_ASSERT(NoTransferWithoutItsLock, !valid_o || granted)

endmodule
