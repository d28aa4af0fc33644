// tsr_port_gate: of the bursts that are loaded only permitted ones are shown, each once, in order, and unchanged until
// the memory takes it; in the failed state nothing new is shown. It is left with nothing owed or on show.
`include "proof.svh"
`include "tsr_port_types.svh"

module port_gate_proof
  import tsr_descriptor_pkg::*;
  import tsr_fabric_pkg::*;
  import tsr_port_pkg::*;
#(
  parameter  bit          Guard     = 1'b1,
  localparam int unsigned AddrWidth = 4,
  localparam int unsigned IdWidth   = 2,
  localparam type         burst_t   = `TSR_PORT_BURST_T(AddrWidth),
  localparam type         ax_t      = `TSR_PORT_AX_T(AddrWidth, IdWidth)
) (
  input logic                 clk_i,
  input logic                 rst_ni,
  input logic                 clear_i,
  input logic                 forget_i,
  input logic                 quiesce_i,
  input logic                 tick_i,
  input logic [AddrWidth-1:0] addr_i,
  input logic                 load_i,
  input logic                 permitted_i,
  input logic                 release_i,
  input logic                 drained_i,
  input logic                 ax_ready_i,
  input logic                 answer_i,
  input logic                 wrong_i
);

  `TSR_PROOF_RESET

  burst_t burst, held;
  port_control_t control;
  port_state_t state;
  port_fault_t fault;
  port_event_t happens;
  ax_t ax;
  logic [IdWidth-1:0] id;
  logic room, held_valid, ax_valid, owed, failed, closing, left;
  always_comb begin
    burst = '0;
    burst.addr = addr_i;
    burst.len = {4'd0, ~addr_i};
    control = '{clear: clear_i, forget: forget_i, quiesce: quiesce_i, tick: tick_i};
  end
  tsr_port_gate #(
    .AddrWidth  (AddrWidth),
    .IdWidth    (IdWidth),
    .Outstanding(3),
    .Guard      (Guard),
    .Timeout    (3)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .control_i   (control),
    .state_o     (state),
    .fault_o     (fault),
    .event_o     (happens),
    .burst_i     (burst),
    .attr_i      ('0),
    .load_i,
    .room_o      (room),
    .held_o      (held),
    .held_valid_o(held_valid),
    .permitted_i,
    .release_i,
    .drained_i,
    .ax_o        (ax),
    .ax_valid_o  (ax_valid),
    .ax_ready_i,
    .id_o        (id),
    .owed_o      (owed),
    .left_o      (left),
    .answer_i,
    .unpaid_i    (1'b0),
    .moves_i     (answer_i),
    .wrong_i     (wrong_i ? FaultEarlyLast : FaultNone),
    .stray_i     (1'b0),
    .failed_o    (failed),
    .closing_o   (closing)
  );

  // ---- The burst that is held, and those that the memory owes -------------------------------------

  logic has_q, shown_q, failed_q, shows, sent;
  logic [AddrWidth-1:0] addr_q;
  logic [2:0] owed_q;
  logic [IdWidth-1:0] id_q;
  assign shows = has_q && permitted_i;
  assign sent  = shows && ax_ready_i;
  always_ff @(posedge clk_i) begin
    failed_q <= rst_ni && failed;
    id_q     <= id;
    if (!rst_ni) {has_q, shown_q, owed_q} <= '0;
    else begin
      // Goes when it is sent or released, or with a fault if it is not on show.
      has_q   <= load_i || (has_q && !sent && !release_i && !(failed && !shows));
      shown_q <= shows && !sent;
      owed_q  <= failed_q && !failed ? 3'(sent) - 3'(answer_i) : owed_q + 3'(sent) - 3'(answer_i);
    end
    if (load_i) addr_q <= addr_i;
  end

  `TSR_ASSUME(LoadsIntoRoom, !load_i || (room && !failed && !closing))
  `TSR_ASSUME(AnswersWhatIsOwed, !answer_i || owed)
  `TSR_ASSUME(PermittedStays, !shown_q || permitted_i)
  `TSR_ASSUME(ReleasesWhatIsHeld, !release_i || (has_q && !permitted_i))
  `TSR_ASSUME(AtMostThree, !load_i || owed_q + 3'(has_q) < 3'd3)

  `TSR_ASSERT(LeftIsTrue, (failed_q && !failed) || left == (owed_q > 3'(answer_i)))
  `TSR_ASSERT(OnlyWhatIsPermitted, ax_valid == shows)
  `TSR_ASSERT(ItsBurst,
              !ax_valid || (ax.addr == addr_q && ax.len == {4'd0, ~addr_q} && ax.id == id))
  `TSR_ASSERT(HeldIsTrue, held_valid == has_q)
  `TSR_ASSERT(RoomIsTrue, room == ((!has_q || sent || release_i) && !quiesce_i))
  `TSR_ASSERT(TellsOnce, happens.burst == sent)
  `TSR_ASSERT(QuietIsTrue, !state.quiet || (!has_q && !owed))
  logic leaves;
  assign leaves = failed_q && !failed;
  `TSR_ASSERT(LeavesWithNothing, !leaves || !ax_valid)
  `TSR_ASSERT(AnotherIdBehindAFault, id == (leaves ? id_q + 1'b1 : id_q) || !$past(rst_ni))
  `TSR_ASSERT(OneFault, !fault.valid || (failed && !failed_q))
  if (Guard) begin : gen_guard
    `TSR_ASSERT(FaultsAtOnce, !(failed && !failed_q) || fault.valid)
    `TSR_COVER(FailsAndLeaves, leaves && id != '0)
    `TSR_COVER(FailsOnShow, failed && ax_valid && ax_ready_i)
    `TSR_COVER(TimesOut, fault.valid && fault.cause == FaultBusTime)
  end else begin : gen_trust
    `TSR_ASSERT(NeverFails, !failed && !fault.valid)
  end
  `TSR_COVER(WaitsForItsVerdict, sent && !$past(permitted_i) && owed_q == 3'd2)
  logic unused;
  assign unused = ^{held, state, happens, fault};

endmodule
