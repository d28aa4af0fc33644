// tsr_read_guard: whatever the memory sends, the channel gets the beats that it asked for; after a fault
// nothing more goes to the bus and nothing hangs; a memory that is right and quick makes no fault.
`include "proof.svh"

module read_guard_proof
  import tsr_fabric_pkg::*;
#(
  parameter  int unsigned Late        = 0,
  localparam int unsigned Outstanding = 2,
  localparam int unsigned Silence     = 4
) (
  input logic       clk_i,
  input logic       rst_ni,
  input logic       open_i,
  input logic       clear_i,
  input logic       tick_i,
  input logic       doubt_i,
  input logic [7:0] arlen_i,
  input logic       arvalid_i,
  input logic       rready_i,
  input logic       arready_i,
  input logic [1:0] rresp_i,
  input logic       rlast_i,
  input logic       rvalid_i,
  input logic [1:0] kept_i,
  input logic       stalls_i,
  input logic       held_i
);

  `TSR_PROOF_RESET

  bus_state_t state;
  r_status_t r;
  fault_e fault_o;
  logic idle_o, clearable_o, shows, back_o, arready_o, rlast_o, rvalid_o, arvalid_o, rready_o;
  logic [1:0] rresp_o;
  assign {rresp_o, rlast_o}                    = r;
  assign {idle_o, clearable_o, shows, fault_o} = state;

  tsr_read_guard #(
    .Outstanding(Outstanding),
    .Silence    (Silence),
    .Late       (Late),
    .MostBeats  (4)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .control_i ('{open: open_i, clear: clear_i, tick: tick_i}),
    .doubt_i,
    .state_o   (state),
    .back_o,
    .kept_i,
    .stalls_i,
    .held_i,
    .ar_len_i  (arlen_i),
    .ar_valid_i(arvalid_i),
    .ar_ready_o(arready_o),
    .r_o       (r),
    .r_valid_o (rvalid_o),
    .r_ready_i (rready_i),
    .ar_valid_o(arvalid_o),
    .ar_ready_i(arready_i),
    .r_i       ('{resp: rresp_i, last: rlast_i}),
    .r_valid_i (rvalid_i),
    .r_ready_o (rready_o)
  );

  // The channel: bursts it waits for, 0 the oldest, and those of them that went to the bus.
  logic [2:0] len_q, len_d, passed_q, passed_d;
  logic [1:0] count_q, count_d;
  logic beat_q, ask, last;
  assign ask  = arvalid_i && arready_o;
  assign last = rvalid_o && rready_i && rlast_o;
  always_comb begin
    len_d    = len_q;
    passed_d = passed_q;
    count_d  = count_q;
    if (last) begin
      len_d    = len_q >> 1;
      passed_d = passed_q >> 1;
      count_d  = count_d - 1'b1;
    end
    if (ask) begin
      len_d[count_d]    = arlen_i[0];
      passed_d[count_d] = arvalid_o;
      count_d = count_d + 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    len_q    <= len_d;
    passed_q <= passed_d;
    if (!rst_ni || clear_i) begin
      count_q <= '0;
      beat_q  <= 1'b0;
    end else begin
      count_q <= count_d;
      if (rvalid_o && rready_i) beat_q <= !rlast_o;
    end
  end

  `TSR_ASSUME(Short, arlen_i < 8'd2)
  `TSR_ASSUME(FewOpen, !arvalid_i || count_q < 2'(Outstanding))
  `TSR_ASSUME_NEXT(Asks, arvalid_i && !arready_o && !clear_i, arvalid_i && $stable(arlen_i))
  `TSR_ASSUME(ClearsWhatIsClearable, !clear_i || (clearable_o && !open_i))

  `TSR_ASSERT(AnswersWhatWasAsked, !rvalid_o || count_q != '0)
  `TSR_ASSERT(AnswersWhole, !rvalid_o || rlast_o == (beat_q == len_q[0]))

  logic failed_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) failed_q <= 1'b0;
    else failed_q <= failed_q || fault_o != FaultNone;
  end

  // Beats of the bus: given to the channel with the beat, or lent before it because it is late.
  logic settled;
  logic [2:0] due, lent_q;
  assign settled = rvalid_o && rready_i && passed_q[0];
  always_comb begin
    due = '0;
    for (int unsigned n = 0; n < Outstanding; n++) begin
      if (n < 32'(count_q) && passed_q[n]) due = due + 3'(len_q[n]) + 1'b1;
    end
    if (count_q != '0 && passed_q[0]) due = due - 3'(beat_q);
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) lent_q <= '0;
    else lent_q <= lent_q + 3'(back_o) - 3'(settled);
  end
  `TSR_ASSERT(NoMoreThanIsDue, lent_q <= due && (!back_o || settled || lent_q < due))
  `TSR_ASSERT(NeverLost, !settled || back_o || lent_q != '0)
  if (Late == 0) begin : gen_patient
    `TSR_ASSERT(BackIsOfTheBus, back_o == settled)
  end else begin : gen_late
    logic [3:0] still_q;  // cycles in which nothing came of what is due
    logic late_q, told_q;  // it was so for too long, and not everything has come since
    always_ff @(posedge clk_i) begin
      if (!rst_ni || rvalid_i || clear_i || due == '0) still_q <= '0;
      else if (!held_i && still_q != '1) still_q <= still_q + 1'b1;
      told_q <= rst_ni && 32'(still_q) >= Late;
      if (!rst_ni) late_q <= 1'b0;
      else late_q <= (late_q || 32'(still_q) >= Late) && !clearable_o;
    end
    `TSR_ASSERT(LentWhenLate,
                failed_q || !back_o || settled || late_q || told_q || 32'(still_q) >= Late)
    // A burst that was shown all the time may be taken late, and is lent then.
    logic [2:0] since_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || (arvalid_o && arready_i)) since_q <= '0;
      else if (since_q != '1) since_q <= since_q + 1'b1;
    end
    `TSR_ASSERT(EverythingIsLent, 32'(still_q) < Late + 6 || since_q < 3'd6 || lent_q == due)
    `TSR_ASSERT_NEXT(NothingNewWhenLate, lent_q != '0 && !(arvalid_o && !arready_i),
                     !arvalid_o || lent_q == '0)
    `TSR_COVER(Lends, lent_q == 3'd4)
    `TSR_COVER(LendsAgain, lent_q == '0 && $past(lent_q) != '0 && count_q == '0 && !failed_q)
  end
  `TSR_ASSERT_NEXT(AddressStays, arvalid_o && !arready_i && !clear_i, arvalid_o)

  // After a fault.
  `TSR_ASSERT_NEXT(NothingNewGoesOut, failed_q && !(arvalid_o && !arready_i),
                   !arvalid_o || !failed_q)
  `TSR_ASSERT(NobodyWaits, !failed_q || count_q == '0 || rvalid_o)
  `TSR_ASSERT(NothingIsHeldUp, !failed_q || (rready_o && (!arvalid_i || arready_o || arvalid_o)))
  `TSR_ASSERT(AnErrorEach, !failed_q || !rvalid_o || rresp_o == RespSlvErr)
  `TSR_ASSERT(ToldOnce, !failed_q || fault_o == FaultNone)
  `TSR_ASSERT(WhatNobodyAskedForIsTaken, !rvalid_i || count_q != '0 || rready_o)
  `TSR_ASSERT_NEXT(ClosedMeansClosed, !open_i && !(arvalid_o && !arready_i), !arvalid_o || open_i)

  // A memory that has been right so far.
  logic right, right_q;
  logic [2:0] owed_q;  // bursts on the bus without their last beat
  assign right = !rvalid_i || (count_q != '0 && rlast_i == (beat_q == len_q[0]));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      right_q <= 1'b1;
      owed_q  <= '0;
    end else begin
      right_q <= right_q && right && !clear_i;
      owed_q  <= owed_q + 3'(arvalid_o && arready_i) - 3'(rvalid_i && rready_o && rlast_i);
    end
  end
  logic trusted;
  assign trusted = right_q && right && !failed_q;
  `TSR_ASSERT(NoFaultOfTheRight,
              !trusted || fault_o == FaultNone || fault_o == FaultBusTime || doubt_i)
  `TSR_ASSERT(WrongIsToldAtOnce, right || failed_q || !rready_o || fault_o != FaultNone)
  `TSR_ASSERT(ResponsesPass, !trusted || doubt_i || !rvalid_o || rresp_o == rresp_i)
  `TSR_ASSERT(IdleIsIdle, !(right_q && !failed_q) || idle_o == (owed_q == '0 && !arvalid_o))

  `TSR_ASSERT(ShowsWhatShows, shows == arvalid_o)

  // Silence is told after so many cycles that count, and not before. What waits for other channels does not.
  logic waits;
  assign waits = count_q > kept_i || (stalls_i && (count_q != '0 || (arvalid_o && !arready_i)));
  logic [3:0] quiet_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || rvalid_i || clear_i || !waits || (arvalid_o && arready_i && count_q == '0))
      quiet_q <= '0;
    else if (tick_i && !held_i && quiet_q != '1) quiet_q <= quiet_q + 1'b1;
  end
  `TSR_ASSERT(SilenceIsTold, failed_q || 32'(quiet_q) < Silence || fault_o != FaultNone)
  `TSR_ASSERT(NotTooSoon, fault_o != FaultBusTime || 32'(quiet_q) >= Silence)

  `TSR_COVER(EarlyLast, fault_o == FaultEarlyLast)
  `TSR_COVER(LateLast, fault_o == FaultLateLast)
  `TSR_COVER(Unasked, fault_o == FaultUnasked)
  `TSR_COVER(Silent, fault_o == FaultBusTime && count_q == 2'd2)
  `TSR_COVER(AnsweredAfterFault, failed_q && last && !passed_q[0])
  logic cleared_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) cleared_q <= 1'b0;
    else cleared_q <= cleared_q || (clear_i && failed_q);
  end
  `TSR_COVER(WorksAgain, cleared_q && !failed_q && last && rresp_o == '0)

endmodule
