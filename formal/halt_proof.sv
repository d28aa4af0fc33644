// tsr_halt: an abort stops the engine at once, waits for the bus, closes the packet, gives every record
// that is owed, and only then is idle; nothing of this happens without an abort.
`include "proof.svh"

module halt_proof #(
  parameter  int unsigned Transfers  = 8,
  localparam int unsigned CountWidth = $clog2(Transfers)
) (
  input logic clk_i,
  input logic rst_ni,
  input logic abort_i,
  input logic accept_i,
  input logic record_i,
  input logic retired_i,
  input logic quiet_i,
  input logic closed_i
);

  `TSR_PROOF_RESET

  logic kill_o, halted_o, close_o, give_o, owed_o, idle_o;

  tsr_halt #(
    .Transfers(Transfers)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .abort_i,
    .accept_i,
    .record_i,
    .retired_i,
    .quiet_i,
    .kill_o,
    .halted_o,
    .close_o,
    .closed_i,
    .give_o,
    .owed_o,
    .idle_o
  );

  // Transfers: accepted without a record; with a record that waits to be taken.
  logic [CountWidth:0] owed_q, waiting_q;
  logic accept_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      accept_q  <= 1'b0;
      owed_q    <= '0;
      waiting_q <= '0;
    end else begin
      accept_q  <= accept_i;
      owed_q    <= owed_q + (CountWidth + 1)'(accept_i) - (CountWidth + 1)'(record_i);
      waiting_q <= waiting_q + (CountWidth + 1)'(record_i) - (CountWidth + 1)'(retired_i);
    end
  end

  // How far an abort has come, as the engine sees it.
  logic aborted_q, quiet_seen_q, closed_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || (aborted_q && closed_q && !abort_i)) begin
      {aborted_q, quiet_seen_q, closed_q} <= '0;
    end else begin
      aborted_q    <= aborted_q || abort_i;
      quiet_seen_q <= quiet_seen_q || (aborted_q && quiet_i);
      closed_q     <= closed_q || (quiet_seen_q && closed_i);
    end
  end

  `TSR_ASSUME_NEXT(AbortHeld, abort_i && !idle_o, abort_i)
  `TSR_ASSUME(AcceptsWhileRunning, !(accept_i && halted_o && !kill_o))
  `TSR_ASSUME(CountsFit, !accept_i || owed_q + waiting_q < (CountWidth + 1)'((1 << CountWidth) - 1))
  `TSR_ASSUME(RecordsWhatIsOwed, !record_i || owed_q != '0)
  logic killed_q;  // a transfer may have ended in the cycle in which the abort began
  always_ff @(posedge clk_i) killed_q <= rst_ni && kill_o;
  `TSR_ASSUME(RecordsWhenAsked, !(record_i && aborted_q) || give_o || killed_q)
  `TSR_ASSUME(RetiresRecords, !retired_i || waiting_q != '0)
  `TSR_ASSUME(StaysQuiet, !quiet_seen_q || quiet_i)

  `TSR_ASSERT(StopsAtOnce, !abort_i || halted_o)
  `TSR_ASSERT(HaltedWhileAborted, halted_o == (abort_i || aborted_q))
  `TSR_ASSERT(KillsOnce, kill_o == (abort_i && !aborted_q))
  `TSR_ASSERT(ClosesWhenQuiet, close_o == (quiet_seen_q && !closed_q))
  `TSR_ASSERT(Owes, owed_o == (owed_q != (CountWidth + 1)'(accept_q)))  // told a cycle late
  `TSR_ASSERT(GivesWhatIsOwed, give_o == (closed_q && owed_q != '0))
  `TSR_ASSERT(IdleWithoutTransfers, !idle_o || (owed_q == '0 && waiting_q == '0 && quiet_i))
  `TSR_ASSERT(IdleAfterItsSteps, !(idle_o && abort_i) || closed_q)
  logic idle_comes;
  assign idle_comes = idle_o || owed_q != '0 || waiting_q != '0 || !quiet_i || (abort_i &&
      !closed_q) || (aborted_q && !closed_q);
  `TSR_ASSERT(IdleComes, idle_comes)
  `TSR_ASSERT_NEXT(RunsAfterwards, aborted_q && idle_o && !abort_i, halted_o == abort_i)

  `TSR_COVER(OwesTwo, give_o && owed_q == 2)
  `TSR_COVER(WaitsForTaking, closed_q && owed_q == '0 && waiting_q != '0)
  logic [1:0] aborts_q;
  always_ff @(posedge clk_i) aborts_q <= rst_ni ? aborts_q + 2'(kill_o) : '0;
  `TSR_COVER(IdleAfterAbort, idle_o && abort_i)
  `TSR_COVER(SecondAbort, aborts_q == 2 && idle_o && abort_i)
  `TSR_COVER(Full, owed_q + waiting_q == (CountWidth + 1)'((1 << CountWidth) - 1))

endmodule
