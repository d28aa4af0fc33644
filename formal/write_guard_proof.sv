// tsr_write_guard: whatever the memory answers, the channel gets one answer for each burst, after its
// data; the bus gets whole bursts, also after a fault, and then nothing new; nothing hangs.
`include "proof.svh"

module write_guard_proof
  import tsr_fabric_pkg::*;
#(
  localparam int unsigned Outstanding = 2,
  localparam int unsigned Silence     = 4
) (
  input logic       clk_i,
  input logic       rst_ni,
  input logic       open_i,
  input logic       clear_i,
  input logic       tick_i,
  input logic       doubt_i,
  input logic       awvalid_i,
  input logic       wlast_i,
  input logic       wvalid_i,
  input logic       awready_i,
  input logic       wready_i,
  input logic [1:0] bresp_i,
  input logic       bvalid_i,
  input logic       stalls_i
);

  `TSR_PROOF_RESET

  bus_state_t state;
  fault_e fault_o;
  logic idle_o, clearable_o, shows, awready_o, wready_o, bvalid_o, awvalid_o, wvalid_o;
  logic [1:0] bresp_o;
  assign {idle_o, clearable_o, shows, fault_o} = state;

  tsr_write_guard #(
    .Outstanding(Outstanding),
    .Silence    (Silence)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .control_i ('{open: open_i, clear: clear_i, tick: tick_i}),
    .doubt_i,
    .state_o   (state),
    .stalls_i,
    .aw_valid_i(awvalid_i),
    .aw_ready_o(awready_o),
    .w_last_i  (wlast_i),
    .w_valid_i (wvalid_i),
    .w_ready_o (wready_o),
    .b_resp_o  (bresp_o),
    .b_valid_o (bvalid_o),
    .aw_valid_o(awvalid_o),
    .aw_ready_i(awready_i),
    .w_valid_o (wvalid_o),
    .w_ready_i (wready_i),
    .b_resp_i  (bresp_i),
    .b_valid_i (bvalid_i)
  );

  // The channel: bursts asked for, of these without all data, and with data but no answer.
  logic [2:0] open_q, unsent_q, due_q;
  logic ask, last;
  assign ask  = awvalid_i && awready_o;
  assign last = wvalid_i && wready_o && wlast_i;
  // The bus: bursts without all data.
  logic [2:0] ahead_q;
  logic pass;
  assign pass = wvalid_o && wready_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      open_q   <= '0;
      unsent_q <= '0;
      due_q    <= '0;
      ahead_q  <= '0;
    end else begin
      open_q   <= open_q + 3'(ask) - 3'(bvalid_o);
      unsent_q <= unsent_q + 3'(ask) - 3'(last);
      due_q    <= due_q + 3'(last) - 3'(bvalid_o);
      ahead_q  <= ahead_q + 3'(awvalid_o && awready_i) - 3'(pass && wlast_i);
    end
  end

  `TSR_ASSUME(FewOpen, !awvalid_i || open_q < 3'(Outstanding))
  `TSR_ASSUME_NEXT(Asks, awvalid_i && !awready_o && !clear_i, awvalid_i)
  `TSR_ASSUME_NEXT(Gives, wvalid_i && !wready_o && !clear_i, wvalid_i && $stable(wlast_i))
  `TSR_ASSUME(TheBusTakesDataOfItsBursts, !wready_i || ahead_q != '0)
  `TSR_ASSUME(ClearsWhatIsClearable, !clear_i || (clearable_o && !open_i))

  `TSR_ASSERT(AnswersAfterTheData, !bvalid_o || due_q != '0)
  `TSR_ASSERT(DataHaveABurst, !(wvalid_i && wready_o) || unsent_q != '0)
  `TSR_ASSERT_NEXT(AddressStays, awvalid_o && !awready_i && !clear_i, awvalid_o)
  `TSR_ASSERT_NEXT(DataStay, wvalid_o && !wready_i && ahead_q != '0 && !clear_i, wvalid_o)
  `TSR_ASSERT(TheBusComesFirst, ahead_q == '0 || (wvalid_o == wvalid_i && wready_o == wready_i))

  logic failed_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) failed_q <= 1'b0;
    else failed_q <= failed_q || fault_o != FaultNone;
  end
  `TSR_ASSERT_NEXT(NothingNewGoesOut, failed_q && !(awvalid_o && !awready_i),
                   !awvalid_o || !failed_q)
  `TSR_ASSERT(NobodyWaits, !failed_q || due_q == '0 || bvalid_o)
  `TSR_ASSERT(AddressesAreTaken, !failed_q || !awvalid_i || awready_o || awvalid_o)
  `TSR_ASSERT(DataAreTaken, !failed_q || unsent_q == '0 || ahead_q != '0 || wready_o)
  `TSR_ASSERT(DataOfKeptBurstsStayHere, !wvalid_o || ahead_q != '0 || unsent_q == '0)
  `TSR_ASSERT(AnErrorEach, !failed_q || !bvalid_o || bresp_o == RespSlvErr)
  `TSR_ASSERT(ToldOnce, !failed_q || fault_o == FaultNone)

  // A memory that has been right so far.
  logic right, right_q;
  logic [2:0] owed_q;
  assign right = !bvalid_i || due_q != '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      right_q <= 1'b1;
      owed_q  <= '0;
    end else begin
      right_q <= right_q && right && !clear_i;
      owed_q  <= owed_q + 3'(awvalid_o && awready_i) - 3'(bvalid_i);
    end
  end
  logic trusted;
  assign trusted = right_q && right && !failed_q;
  `TSR_ASSERT(NoFaultOfTheRight,
              !trusted || fault_o == FaultNone || fault_o == FaultBusTime || doubt_i)
  `TSR_ASSERT(WrongIsToldAtOnce, right || failed_q || fault_o != FaultNone)
  `TSR_ASSERT(AnswersPass, !trusted || doubt_i || !bvalid_o || bresp_o == bresp_i)
  `TSR_ASSERT(IdleIsIdle, !(right_q && !failed_q) || idle_o == (owed_q == '0 && !awvalid_o))

  `TSR_ASSERT(ShowsWhatShows, shows == awvalid_o)
  `TSR_ASSERT(IdleAfterTheData, !idle_o || (ahead_q == '0 && !awvalid_o))

  `TSR_COVER(Early, fault_o == FaultEarly)
  `TSR_COVER(Unasked, fault_o == FaultUnasked)
  `TSR_COVER(Silent, fault_o == FaultBusTime && due_q == 3'd2)
  `TSR_COVER(TakenAfterFault, failed_q && last && ahead_q == '0)
  `TSR_COVER(SentAfterFault, failed_q && last && ahead_q != '0)

endmodule
