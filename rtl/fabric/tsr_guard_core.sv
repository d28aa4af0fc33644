// The part that the guards of both directions share: the gate of the addresses, the fault, the time-out.
//
// Contract: `fault_o` names the first fault, in one cycle: `wrong_i` (what the memory did wrong in this
// cycle), `doubt_i`, or `Silence` ticks with `waits_i` and without `moves_i`. From then on `failed_o` is
// high, no new address goes to the bus, and addresses are accepted without it, until `control_i.clear`.
// `hold_i` keeps new addresses back too. The rest is as in tsr_burst_gate.
// Latency: 0. Throughput: one address a cycle.
`include "tsr_assert.svh"
module tsr_guard_core
  import tsr_fabric_pkg::*;
#(
  parameter int unsigned Outstanding = FabricDefaults.Outstanding,
  parameter int unsigned Silence     = FabricDefaults.Silence
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  bus_control_t       control_i,
  input  logic               hold_i,
  input  logic         [1:0] kept_i,
  // Addresses: the channel, and the bus.
  input  logic               valid_i,
  output logic               ready_o,
  output logic               valid_o,
  input  logic               ready_i,
  input  logic               answer_i,   // a burst has ended
  output logic               passes_o,   // the address of the channel goes to the bus
  output logic               idle_o,
  output logic               owes_o,
  // Faults.
  input  fault_e             wrong_i,
  input  logic               doubt_i,
  input  logic               waits_i,
  input  logic               moves_i,
  output fault_e             fault_o,
  output logic               failed_o
);

  logic failed_q, gate_ready, silent;

  tsr_burst_gate #(
    .Limit  (1 << $clog2(Outstanding < 2 ? 2 : Outstanding)),
    .Control(1'b1)
  ) u_gate (
    .clk_i,
    .rst_ni,
    .open_i  (control_i.open && !failed_q && !hold_i),
    .forget_i(control_i.clear),
    .kept_i,
    .valid_i,
    .ready_o (gate_ready),
    .valid_o,
    .ready_i,
    .answer_i,
    .passes_o,
    .idle_o,
    .owes_o
  );
  assign ready_o = gate_ready || (failed_q && !passes_o);

  tsr_silence #(
    .Cycles(Silence)
  ) u_silence (
    .clk_i,
    .rst_ni,
    .tick_i(control_i.tick),
    .waits_i,
    .moves_i,
    .over_o(silent)
  );

  always_comb begin
    fault_o = FaultNone;
    if (!failed_q) begin
      if (wrong_i != FaultNone) fault_o = wrong_i;
      else if (doubt_i) fault_o = FaultDoubt;
      else if (silent) fault_o = FaultBusTime;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || control_i.clear) failed_q <= 1'b0;
    else if (fault_o != FaultNone) failed_q <= 1'b1;
  end
  assign failed_o = failed_q;

  `TSR_ASSERT(ClearsWhatIsClosed, !control_i.clear || (!valid_o && !waits_i && !control_i.open))

endmodule
