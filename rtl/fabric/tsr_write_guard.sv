// Stands between a channel and what the memory may do wrong when it writes.
//
// Contract: the channel gets one answer for each of its bursts, after the last beat, whatever comes
// from the bus; the bus gets whole bursts and nothing else. An answer without a burst, or before the
// last beat of its burst was accepted, and `Silence` ticks without an answer that is due, or in which an
// address or data wait while the memory does not take those on the port, are faults (a wait for other
// channels is none): `state_o.fault` says which, in one cycle. From then on no address goes to the bus (one
// that shows stays until it is accepted, and every burst that the bus knows gets its data), later answers of
// the memory are dropped, and the guard answers itself, with SLVERR, and takes the data of bursts that it
// keeps from the bus: so the transfers in hand end, and their record says where.
// `doubt_i` makes a fault of what is due. `control_i.open` low keeps new bursts back. `control_i.clear` is
// a reset: it ends a fault, and what the memory owes is forgotten. The channel is reset with it.
// Answers to the channel are not held up: it has room for `Outstanding` of them.
// Latency: 0. Throughput: one burst, one beat, one answer a cycle.
`include "tsr_assert.svh"
module tsr_write_guard
  import tsr_fabric_pkg::*;
#(
  parameter int unsigned Outstanding = FabricDefaults.Outstanding,
  parameter int unsigned Silence     = FabricDefaults.Silence
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  bus_control_t       control_i,
  input  logic               doubt_i,
  output bus_state_t         state_o,
  input  logic               stalls_i,    // the memory does not take the address or data that show
  // The channel.
  input  logic               aw_valid_i,
  output logic               aw_ready_o,
  input  logic               w_last_i,
  input  logic               w_valid_i,
  output logic               w_ready_o,
  output logic         [1:0] b_resp_o,
  output logic               b_valid_o,
  // The bus; addresses and data do not pass through here.
  output logic               aw_valid_o,
  input  logic               aw_ready_i,
  output logic               w_valid_o,
  input  logic               w_ready_i,
  input  logic         [1:0] b_resp_i,
  input  logic               b_valid_i
);

  localparam int unsigned Width = $clog2(Outstanding + 1) + 1;

  logic failed, passes, gate_idle, unused_owes, swallows, last, waits, moves, clearable;
  logic [Width-1:0] ahead_q;  // bursts on the bus whose data are not
  logic [Width-1:0] kept_q;  // bursts kept from the bus whose data have not been taken
  logic [Width-1:0] due_q;  // bursts with all their data that the channel has no answer for
  fault_e wrong, fault;

  tsr_guard_core #(
    .Outstanding(Outstanding),
    .Silence    (Silence)
  ) u_core (
    .clk_i,
    .rst_ni,
    .control_i,
    .hold_i  (1'b0),
    .kept_i  ('0),
    .valid_i (aw_valid_i),
    .ready_o (aw_ready_o),
    .valid_o (aw_valid_o),
    .ready_i (aw_ready_i),
    .answer_i(b_valid_i),
    .passes_o(passes),
    .idle_o  (gate_idle),
    .owes_o  (unused_owes),
    .wrong_i (wrong),
    .doubt_i (doubt_i && (due_q != '0 || ahead_q != '0)),
    .waits_i (waits),
    .moves_i (moves),
    .fault_o (fault),
    .failed_o(failed)
  );

  assign clearable = ahead_q == '0 && kept_q == '0 && due_q == '0 && !aw_valid_o;

  // Data of bursts that the bus knows come first.
  assign swallows  = ahead_q == '0 && kept_q != '0;
  assign w_valid_o = w_valid_i && !swallows;
  assign w_ready_o = w_ready_i || swallows;
  assign last      = w_valid_i && w_ready_o && w_last_i;

  assign b_valid_o = due_q != '0 && (b_valid_i || failed);
  assign b_resp_o  = failed || doubt_i ? RespSlvErr : b_resp_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || control_i.clear) begin
      ahead_q <= '0;
      kept_q  <= '0;
      due_q   <= '0;
    end else begin
      ahead_q <= ahead_q + Width'(aw_valid_o && aw_ready_i) - Width'(last && !swallows);
      kept_q  <= kept_q + Width'(aw_valid_i && aw_ready_o && !passes) - Width'(last && swallows);
      due_q   <= due_q + Width'(last) - Width'(b_valid_o);
    end
  end

  // An answer may have come before its data: idle is only who has sent them all.
  assign state_o = '{
          idle: gate_idle && ahead_q == '0,
          clearable: clearable,
          shows: aw_valid_o,
          fault: fault
      };

  // ---- Faults -----------------------------------------------------------------------------------

  assign waits = due_q != '0 || (stalls_i &&
      ((aw_valid_o && !aw_ready_i) || (w_valid_i && !w_ready_o && ahead_q != '0)));
  // Answers that are due have to come, whatever else moves.
  assign moves = b_valid_i || (due_q == '0 &&
      ((aw_valid_o && aw_ready_i) || (w_valid_i && w_ready_o)));

  always_comb begin
    wrong = FaultNone;
    if (b_valid_i && due_q == '0) wrong = ahead_q == '0 ? FaultUnasked : FaultEarly;
  end

  `TSR_ASSERT(DataHaveABurst, !(w_valid_i && w_ready_o) || ahead_q != '0 || kept_q != '0)
  `TSR_ASSERT(ClearsWithAllData, !control_i.clear || ahead_q == '0)

endmodule
