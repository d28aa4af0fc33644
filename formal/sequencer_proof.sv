// tsr_sequencer: the descriptors of a task are executed in its order, each once a turn, none twice and none skipped;
// a transfer is offered only with its lock, and stays offered, and is that of its descriptor; behind a failure nothing
// is begun; after an abort nothing of the old tasks runs.
`include "proof.svh"

module sequencer_proof
  import tsr_pkg::*;
  import tsr_channel_pkg::*;
#(
  parameter int unsigned Slots      = 1,
  parameter bit          EqualTakes = 1'b0
) (
  input logic          clk_i,
  input logic          rst_ni,
  input logic          clear_i,
  input logic          abort_i,
  input logic          stop_i,
  input logic          fail_i,
  input logic          idle_i,
  input task_t         task_i,
  input logic          task_valid_i,
  input logic          trigger_i,
  input logic          by_id_i,
  input logic    [5:0] id_i,
  input logic          id_valid_i,
  input logic          request_ready_i,
  input loaded_t       loaded,
  input logic          loaded_valid_i,
  input logic    [7:0] addr_i,             // of the transfer that the loader shows
  input logic          acquire_ready_i,
  input logic          give_back_ready_i,
  input logic          ready_i,
  input logic          after_ready_i
);

  `TSR_PROOF_RESET

  logic task_ready_o, flush_o, trigger_take_o, id_take_o, list_open_o, list_again_o;
  logic request_valid_o, acquire_valid_o, give_back_valid_o;
  logic valid_o, failed_o, stopped_o, busy_o, running_o;
  load_request_t request_o;
  lock_op_t acquire_o, give_back_o;
  transfer_t transfer_o, transfer_i;
  header_request_t header_o;
  after_t after_o;
  wait_e waits_o;
  loaded_t loaded_i;

  tsr_sequencer #(
    .Slots     (Slots),
    .EqualTakes(EqualTakes)
  ) u_dut (
    .*
  );

  // ---- What the surroundings do -----------------------------------------------------------------

  // The loader answers a request once, and knows whether the descriptor ends its task.
  load_request_t request_q;
  logic waits_q, aborted_q;
  logic [7:0] addr_q, loaded_addr;  // of the transfer that belongs to an answer
  always_comb begin
    transfer_i      = '0;
    transfer_i.addr = 64'(addr_i);
  end
  always_ff @(posedge clk_i) addr_q <= addr_i;
  assign loaded_addr = Slots == 1 ? addr_q : addr_i;
  always_comb begin
    loaded_i            = loaded;
    loaded_i.descriptor = request_q.descriptor;
    loaded_i.task_end   = request_q.final_turn && !loaded.chained;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) waits_q <= 1'b0;
    else waits_q <= (request_valid_o && request_ready_i) || (waits_q && !loaded_valid_i);
    if (request_valid_o && request_ready_i) request_q <= request_o;
  end
  `TSR_ASSUME(AnswersWhatWasAsked, !loaded_valid_i || waits_q)
  `TSR_ASSUME_NEXT(TaskStays, task_valid_i && !task_ready_o && !flush_o, task_valid_i && $stable
                   (task_i))
  `TSR_ASSUME_NEXT(RoomStays, after_ready_i && !(valid_o && ready_i), after_ready_i)
  `TSR_ASSUME_NEXT(AbortIsHeld, abort_i && !stopped_o, abort_i)
  `TSR_ASSUME(ClearWithAbort, !clear_i || (abort_i && idle_i))

  // ---- Order ------------------------------------------------------------------------------------

  // What has to be asked for next: by the definition of a task.
  logic middle_q;  // of a chain
  descriptor_id_t next_q;
  logic [15:0] turns_q;
  logic ends, begun_q;  // of an endless task, whose turns come round
  assign ends = task_i.endless ? request_q.final_turn : turns_q == task_i.repeats;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || flush_o) begin
      middle_q <= 1'b0;
      turns_q  <= '0;
      begun_q  <= 1'b0;
    end else if (loaded_valid_i && loaded_i.error == '0 && !abort_i) begin
      middle_q <= loaded_i.chained;
      next_q   <= loaded_i.next;
      begun_q  <= loaded_i.chained || !ends;
      if (!loaded_i.chained) turns_q <= ends ? '0 : turns_q + 1'b1;
    end
  end
  logic asks, from_id;
  assign asks = request_valid_o;
  assign from_id = by_id_i;
  // What the sequencer knows is this; the induction rests on it.
  `TSR_ASSERT(KnowsItsTurn, flush_o || failed_o || u_dut.turns_q == turns_q)
  `TSR_ASSERT(
      KnowsItsPlace,
      flush_o || failed_o || (u_dut.chained_q == middle_q && (!middle_q || u_dut.next_q == next_q)))
  `TSR_ASSERT(KnowsTheFirst, flush_o || failed_o || u_dut.first_q == !begun_q)
  `TSR_ASSERT(KnowsItWaits, waits_q == (u_dut.state_q == 2'd1))
  `TSR_ASSERT(OneQuestionAtATime, !asks || !waits_q)
  `TSR_ASSERT(KnowsItsTask, !waits_q || task_valid_i)
  `TSR_ASSERT(KnowsTheLastTurn,
              !waits_q || task_i.endless || request_q.final_turn == (turns_q == task_i.repeats))
  descriptor_id_t expected;
  assign expected = middle_q ? next_q : from_id ? descriptor_id_t'(id_i) : task_i.start;
  `TSR_ASSERT(AsksInOrder, !asks || request_o.descriptor == expected)
  `TSR_ASSERT(AsksForATask, !asks || task_valid_i)
  `TSR_ASSERT(LastTurn,
              !asks || task_i.endless || request_o.final_turn == (turns_q == task_i.repeats))
  `TSR_ASSERT(WaitsForItsTrigger,
              !asks || middle_q || trigger_i || !(task_i.paced || (task_i.trigger && !begun_q)))
  `TSR_ASSERT(WaitsForItsPacket, !asks || middle_q || !from_id || id_valid_i)
  `TSR_ASSERT(TakesThePacketOfATurn, id_take_o == (asks && request_ready_i && from_id && !middle_q))
  `TSR_ASSERT(TaskGoesAtItsEnd, !task_ready_o || (loaded_valid_i && !loaded_i.chained && ends))
  `TSR_ASSERT(NothingInAnAbort, !abort_i || !asks)
  `TSR_ASSERT(NothingAfterAFailure, !failed_o || !asks)
  // With `fail_i` only an offer of the cycle before stays, and no lock is asked for.
  logic stands_q;
  always_ff @(posedge clk_i) stands_q <= rst_ni && valid_o && !ready_i;
  `TSR_ASSERT(NothingBegunBehindAFailure, !fail_i || !valid_o || stands_q)
  `TSR_ASSERT(NothingAcquiredBehindAFailure, !fail_i || !acquire_valid_o)

  // ---- One transfer a descriptor ----------------------------------------------------------------

  // One descriptor, any, is followed from its answer to the engine.
  logic [3:0] waiting_q, ahead_q;  // loaded and not taken; of these before the one that is followed
  logic follow, followed_q, loads, takes;
  descriptor_id_t id_q;
  logic [7:0] id_addr_q;
  assign loads = loaded_valid_i && loaded_i.error == '0 && !abort_i;
  assign takes = valid_o && ready_i;
  // What is offered in the cycle of its answer may be taken there.
  logic passes;
  assign passes = loads && takes && waiting_q == '0;
  assign follow = loads && !passes && !followed_q && loaded.no_record;  // a free bit
  logic gone;
  assign gone = flush_o && idle_i && !u_dut.head_valid;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      waiting_q  <= '0;
      followed_q <= 1'b0;
    end else begin
      waiting_q <= u_dut.withdraw ? '0 : waiting_q + 4'(loads) - 4'(takes);
      if (u_dut.withdraw) followed_q <= 1'b0;
      else if (follow) followed_q <= 1'b1;
      else if (takes && followed_q && ahead_q == '0) followed_q <= 1'b0;
    end
    if (follow) begin
      id_q      <= loaded_i.descriptor;
      id_addr_q <= loaded_addr;
      ahead_q   <= waiting_q - 4'(takes);
    end else if (takes && followed_q) begin
      ahead_q <= ahead_q - 1'b1;
    end
  end
  `TSR_ASSERT(NoMoreThanSlots, 32'(waiting_q) <= Slots)
  `TSR_ASSERT(OffersWhatWasLoaded, !valid_o || waiting_q != '0 || loads)
  `TSR_ASSERT(HeadIsThere, u_dut.head_valid == (waiting_q != '0 || loads))
  `TSR_ASSERT(AheadIsWaiting, !followed_q || ahead_q < waiting_q)
  `TSR_ASSERT(RoomForTheAnswer, !waits_q || 32'(waiting_q) < Slots)
  `TSR_ASSERT(KnowsWhatWaits, u_dut.head_kept == (waiting_q != '0))
  // Where the one that is followed lies.
  if (Slots == 1) begin : gen_slot
    `TSR_ASSERT(HoldsWhatIsFollowed, !followed_q || u_dut.gen_slot.slot_q.after.descriptor == id_q)
    `TSR_ASSERT(HoldsItsTransfer, !followed_q || u_dut.gen_slot.transfer_q.addr == 64'(id_addr_q))
    `TSR_ASSERT(FollowsTheLoader, !waits_q || u_dut.gen_slot.transfer_q.addr == 64'(addr_q))
  end else begin : gen_slots
    localparam int unsigned Bits = $clog2(Slots);
    logic [Bits:0] place;
    entry_t entry;
    logic [$bits(transfer_t)+$bits(entry_t)-1:0] pair;
    transfer_t transfer;
    assign place = u_dut.gen_slots.u_slots.rd_q + (Bits + 1)'(ahead_q);
    assign pair = u_dut.gen_slots.u_slots.mem_q[place[Bits-1:0]];
    assign {transfer, entry} = pair;
    `TSR_ASSERT(HoldsWhatIsFollowed, !followed_q || entry.after.descriptor == id_q)
    `TSR_ASSERT(HoldsItsTransfer, !followed_q || transfer.addr == 64'(id_addr_q))
    `TSR_ASSERT(CountsWhatWaits, 32'(u_dut.gen_slots.used_q) == 32'(waiting_q))
    logic [Bits:0] used;
    assign used = u_dut.gen_slots.u_slots.wr_q - u_dut.gen_slots.u_slots.rd_q;
    `TSR_ASSERT(QueueHoldsWhatWaits, 32'(used) == 32'(waiting_q))
  end
  `TSR_ASSERT(PassesWhatWasLoaded, !passes || after_o.descriptor == loaded_i.descriptor)
  `TSR_ASSERT(PassesItsTransfer, !passes || transfer_o.addr == 64'(loaded_addr))
  `TSR_ASSERT(InOrder, !(followed_q && takes && ahead_q == '0) || after_o.descriptor == id_q)
  `TSR_ASSERT(WithItsTransfer,
              !(followed_q && takes && ahead_q == '0) || transfer_o.addr == 64'(id_addr_q))

  // ---- Locks ------------------------------------------------------------------------------------

  logic acquired_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || takes || u_dut.withdraw) acquired_q <= 1'b0;
    else if (acquire_valid_o && acquire_ready_i) acquired_q <= 1'b1;
  end
  `TSR_ASSERT(KnowsItsLock, u_dut.granted_q == acquired_q)
  `TSR_ASSERT(AcquiredForTheHead, !acquired_q || (waiting_q != '0 && u_dut.head.has_acquire))
  `TSR_ASSERT(AbortLeavesNothing, !flush_o || abort_i || waiting_q == '0)
  `TSR_ASSERT(GivesBackInAnAbort, !u_dut.returning_q || (abort_i && flush_o && u_dut.returns))
  `TSR_ASSERT(OffersWithItsLock, !valid_o || !u_dut.head.has_acquire || acquired_q)
  `TSR_ASSERT(AcquiresOnce, !acquire_valid_o || !acquired_q)
  `TSR_ASSERT(GivesBackWhatItHas, !give_back_valid_o || acquired_q)
  logic owed;
  lock_amount_t amount;
  assign owed   = acquired_q && (acquire_o.value < 0 || (EqualTakes && acquire_o.value != '0));
  assign amount = acquire_o.value < 0 ? -acquire_o.value : acquire_o.value;
  `TSR_ASSERT(
      GivesBackAsMuch,
      !give_back_valid_o || (owed && give_back_o.id == acquire_o.id && give_back_o.value == amount))
  `TSR_ASSERT(GivesBackAll, !(u_dut.withdraw && owed) || (give_back_valid_o && give_back_ready_i))

  `TSR_ASSERT(GivesBackOnce,
              !(give_back_valid_o && give_back_ready_i) || (u_dut.withdraw && !takes))
  `TSR_ASSERT(TakenOrWithdrawn, !(takes && u_dut.withdraw))
  `TSR_ASSERT(StoppedIsEmpty,
              !stopped_o || !(asks || waits_q || valid_o || give_back_valid_o || acquired_q))

  `TSR_COVER(PassesAtOnce, passes && after_o.task_end)
  `TSR_COVER(TakenWithItsLock, takes && acquired_q && u_dut.head.has_acquire)
  `TSR_COVER(TwoTurns, takes && after_o.task_end && turns_q == '0 && followed_q)
  `TSR_COVER(ThirdOfAChain, asks && middle_q && turns_q == 16'd1)
  `TSR_COVER(TakenBehindAFailure, fail_i && takes)
  `TSR_COVER(GaveBack, give_back_valid_o && give_back_ready_i)
  `TSR_COVER(AfterAnAbort, takes && aborted_q)
  always_ff @(posedge clk_i) aborted_q <= rst_ni && (aborted_q || flush_o);

endmodule
