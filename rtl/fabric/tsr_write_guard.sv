// Stands between a channel and what the memory may do wrong when it writes.
//
// Contract: the channel gets one answer for each of its bursts, after the last beat, whatever comes
// from the bus; the bus gets whole bursts and nothing else. An answer without a burst, or before the
// last beat of its burst was taken, and `Silence` cycles without an answer that is due, or in which an
// address or data wait, are faults: `fault_o` says which, in one cycle. From then on no address goes to
// the bus (one that shows stays until it is taken, and every burst that the bus knows gets its data), what the memory
// still answers is thrown away, and the guard answers itself, with SLVERR, and takes the data of
// bursts that it keeps from the bus: so the transfers in hand end, and their record says where.
// `doubt_i` makes a fault of what is due. `open_i` low keeps new bursts back. `none_o`: no address
// shows, the memory has all data and owes nothing. `clear_i`, with `open_i` low and while `calm_o` (the channel
// waits for nothing, and the memory has the data of all bursts), is a reset: it ends a fault, and what
// the memory owes is forgotten. The channel is reset with it.
// Answers to the channel wait for nobody: it has room for `Outstanding` of them.
// Latency: 0. Throughput: one burst, one beat, one answer a cycle.
`include "tsr_assert.svh"
module tsr_write_guard
  import tsr_fabric_pkg::*;
#(
  parameter int unsigned Outstanding = 64,
  parameter int unsigned Silence     = 4096
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         open_i,
  input  logic         clear_i,
  input  logic         doubt_i,
  output fault_e       fault_o,
  output logic         none_o,
  output logic         calm_o,
  // The channel.
  input  logic         awvalid_i,
  output logic         awready_o,
  input  logic         wlast_i,
  input  logic         wvalid_i,
  output logic         wready_o,
  output logic   [1:0] bresp_o,
  output logic         bvalid_o,
  // The bus; addresses and data do not pass through here.
  output logic         awvalid_o,
  input  logic         awready_i,
  output logic         wvalid_o,
  input  logic         wready_i,
  input  logic   [1:0] bresp_i,
  input  logic         bvalid_i
);

  localparam int unsigned Width = $clog2(Outstanding + 1) + 1;

  logic failed_q, passes, gate_ready, gate_none, silent, swallows, last;
  logic [Width-1:0] ahead_q;  // bursts on the bus whose data are not
  logic [Width-1:0] kept_q;  // bursts kept from the bus whose data have not been taken
  logic [Width-1:0] due_q;  // bursts with all their data that the channel has no answer for

  tsr_burst_gate #(
    .Limit(1 << $clog2(Outstanding < 2 ? 2 : Outstanding))
  ) u_gate (
    .clk_i,
    .rst_ni,
    .open_i  (open_i && !failed_q),
    .forget_i(clear_i),
    .valid_i (awvalid_i),
    .ready_o (gate_ready),
    .valid_o (awvalid_o),
    .ready_i (awready_i),
    .answer_i(bvalid_i),
    .passes_o(passes),
    .none_o  (gate_none)
  );
  assign none_o    = gate_none && ahead_q == '0;  // an answer may have come before its data
  assign awready_o = gate_ready || (failed_q && !passes);

  // Data of bursts that the bus knows come first.
  assign swallows  = ahead_q == '0 && kept_q != '0;
  assign wvalid_o  = wvalid_i && !swallows;
  assign wready_o  = wready_i || swallows;
  assign last      = wvalid_i && wready_o && wlast_i;

  assign bvalid_o  = due_q != '0 && (bvalid_i || failed_q);
  assign bresp_o   = failed_q || doubt_i ? RespSlvErr : bresp_i;
  assign calm_o    = ahead_q == '0 && kept_q == '0 && due_q == '0 && !awvalid_o;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      ahead_q <= '0;
      kept_q  <= '0;
      due_q   <= '0;
    end else begin
      ahead_q <= ahead_q + Width'(awvalid_o && awready_i) - Width'(last && !swallows);
      kept_q  <= kept_q + Width'(awvalid_i && awready_o && !passes) - Width'(last && swallows);
      due_q   <= due_q + Width'(last) - Width'(bvalid_o);
    end
  end

  // ---- Faults -----------------------------------------------------------------------------------

  logic waits, moves;
  assign waits = due_q != '0 || (awvalid_o && !awready_i) ||
      (wvalid_i && !wready_o && ahead_q != '0);
  // Answers that are due have to come, whatever else moves.
  assign moves = clear_i || bvalid_i || (due_q == '0 &&
      ((awvalid_o && awready_i) || (wvalid_i && wready_o)));

  tsr_silence #(
    .Cycles(Silence)
  ) u_silence (
    .clk_i,
    .rst_ni,
    .waits_i(waits),
    .moves_i(moves),
    .over_o (silent)
  );

  always_comb begin
    fault_o = FaultNone;
    if (!failed_q) begin
      if (bvalid_i && due_q == '0) fault_o = ahead_q == '0 ? FaultUnasked : FaultEarly;
      else if (doubt_i && (due_q != '0 || ahead_q != '0)) fault_o = FaultDoubt;
      else if (silent) fault_o = FaultBusTime;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) failed_q <= 1'b0;
    else if (fault_o != FaultNone) failed_q <= 1'b1;
  end

  `TSR_ASSERT(DataHaveABurst, !(wvalid_i && wready_o) || ahead_q != '0 || kept_q != '0)
  `TSR_ASSERT(ClearsWhatIsCalm, !clear_i || (!awvalid_o && ahead_q == '0 && !open_i))

endmodule
