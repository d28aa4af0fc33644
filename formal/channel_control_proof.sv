// tsr_channel_control: what was offered stays, nothing new is taken that must not be, an abort is held
// until the engine is idle, a reset comes through when the bus lets it and cuts nothing that is on it, and
// a fault stays as it was first told.
`include "proof.svh"

module channel_control_proof
  import tsr_pkg::*;
  import tsr_fabric_pkg::*;
#(
  localparam int unsigned Patience = 3
) (
  input logic             clk_i,
  input logic             rst_ni,
  input channel_control_t control_i,
  input logic             abort_i,
  input logic             quiesce_i,
  input logic             tick_i,
  input logic             valid_i,
  input logic             ready_i,
  input done_t            done_i,
  input logic             done_valid_i,
  input logic             done_ready_i,
  input logic             idle_i,
  input bus_state_t       bus_i,
  input fault_e           stream_fault_i
);

  `TSR_PROOF_RESET

  channel_state_t state_o;
  bus_control_t   bus_o;
  logic ready_o, valid_o, abort_o, clear, open;
  assign clear = bus_o.clear;
  assign open  = bus_o.open;

  tsr_channel_control #(.Patience(Patience)) u_dut (.*);

  `TSR_ASSUME_NEXT(TransferStays, valid_i && !ready_o, valid_i)
  `TSR_ASSUME_NEXT(AbortIsHeld, abort_i && !idle_i, abort_i)
  `TSR_ASSUME_NEXT(ResetIsHeld, control_i.reset && !state_o.in_reset, control_i.reset)

  logic resets_q, clear_q, held_q;  // a reset is on; cleared, in reset in the last cycle

  // Transfers.
  logic offered_q;
  always_ff @(posedge clk_i) offered_q <= rst_ni && valid_o && !ready_i;
  `TSR_ASSERT(OfferedStays, !offered_q || valid_o || clear)
  `TSR_ASSERT(TakenTogether, !clear && valid_o ? ready_o == ready_i : !(ready_o && valid_i))
  `TSR_ASSERT(DrainTakesNoMore, !control_i.drain || offered_q || !valid_o)
  `TSR_ASSERT(FaultTakesNoMore, !state_o.faulted || offered_q || !valid_o)
  `TSR_ASSERT(QuiesceTakesNoMore, !quiesce_i || offered_q || !valid_o)

  // The bus.
  `TSR_ASSERT(PauseKeepsBack, !control_i.pause || abort_o || !open)
  `TSR_ASSERT(QuiesceKeepsBack, !quiesce_i || !open)
  `TSR_ASSERT(PausedIsQuiet, !state_o.paused || (bus_i.idle && !open))
  `TSR_ASSERT(OpenOtherwise, open || control_i.pause || quiesce_i || control_i.reset || resets_q)

  `TSR_ASSERT(IdleShowsNothing, !state_o.idle || !bus_i.shows)

  // Abort.
  logic wanted;
  assign wanted = abort_i || quiesce_i;
  `TSR_ASSERT(AbortsAtOnce, !wanted || abort_o)
  `TSR_ASSERT_NEXT(AbortIsHeldOn, abort_o && !idle_i && !clear, abort_o || clear)

  // Reset.
  always_ff @(posedge clk_i) begin
    clear_q <= rst_ni && clear;
    if (!rst_ni) begin
      resets_q <= 1'b0;
    end else begin
      resets_q <= control_i.reset || (resets_q && !state_o.in_reset);
    end
  end
  logic begins;
  assign begins = clear && !clear_q;
  logic may_clear, may_clear_q;
  assign may_clear = bus_i.clearable && !open && (bus_i.idle || control_i.give_up);
  always_ff @(posedge clk_i) may_clear_q <= rst_ni && may_clear;
  `TSR_ASSERT(ClearsWhatIsClearable, !begins || may_clear_q)
  `TSR_ASSERT(ClearsOnRequest, !begins || resets_q)
  `TSR_ASSERT(ClosedWhileCleared, !clear || (!open && !valid_o))
  `TSR_ASSERT(ClearsForTwoCycles, !clear_q || clear || held_q)
  always_ff @(posedge clk_i) held_q <= rst_ni && state_o.in_reset;
  // With a bus at rest it comes within patience and some cycles that all count, whatever engine and stream do.
  logic [3:0] rests_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !tick_i || !control_i.reset || clear || !(bus_i.clearable && bus_i.idle))
      rests_q <= '0;
    else if (rests_q != '1) rests_q <= rests_q + 1'b1;
  end
  `TSR_ASSERT(ResetComes, 32'(rests_q) <= Patience + 4)

  // Faults.
  logic   faulted_q;
  fault_e cause_q;
  always_ff @(posedge clk_i) begin
    faulted_q <= rst_ni && state_o.faulted && !clear;
    cause_q   <= state_o.cause;
  end
  `TSR_ASSERT(FaultStays, !faulted_q || (state_o.faulted && state_o.cause == cause_q))
  `TSR_ASSERT_NEXT(FaultIsTold, bus_i.fault != FaultNone && !clear, state_o.faulted)
  `TSR_ASSERT(CauseWithFault, state_o.faulted || state_o.cause == FaultNone)

  `TSR_COVER(InReset, state_o.in_reset)
  `TSR_COVER(Stuck, state_o.stuck)
  `TSR_COVER(Named, state_o.named && state_o.cause == FaultBusTime && state_o.transfer == 16'd1)
  `TSR_COVER(RunsAgain, !clear && clear_q && valid_o)

endmodule
