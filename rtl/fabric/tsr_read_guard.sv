// Stands between a channel and what the memory may do wrong when it reads.
//
// Contract: the channel gets as many beats for a burst as it asked for, with RLAST on the last, whatever
// comes from the bus; the bus gets its addresses and nothing else. RLAST on another beat than the last,
// data without a burst, and `Silence` ticks without data that the memory owes, or in which an address waits
// while the memory does not take the one on the port, are faults (a wait for other channels is none):
// `state_o.fault` says which, in one cycle. From then on no address goes to the bus (one that shows stays
// until it is accepted), later responses of the memory are dropped, and the guard answers every burst
// itself, with SLVERR: so the transfers in hand end at once, and their record says where. The beat whose
// RLAST was wrong has SLVERR too. `doubt_i` makes a fault of what is due. `control_i.open` low keeps new
// bursts back. `control_i.clear` is a reset: it ends a fault, and what the memory owes is forgotten. The
// channel is reset with it.
// `back_o`: one of the beats requested on the bus counts as outstanding no longer: the channel has it, or
// nothing has come for `Late` cycles. Then all that are due are given back, one a cycle, and until the
// channel has them no new burst goes out, so that a silent channel keeps no other from the bus.
// Latency: 0. Throughput: one burst and one beat a cycle.
`include "tsr_assert.svh"
module tsr_read_guard
  import tsr_fabric_pkg::*;
#(
  parameter int unsigned Outstanding = FabricDefaults.Outstanding,
  parameter int unsigned Silence     = FabricDefaults.Silence,
  parameter int unsigned Late        = 0,                           // at most Silence - 2; 0: never
  parameter int unsigned MostBeats   = FabricDefaults.FlightBeats   // with Late: due at once
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  bus_control_t       control_i,
  input  logic               doubt_i,
  output bus_state_t         state_o,
  output logic               back_o,
  // The port.
  input  logic         [1:0] kept_i,      // addresses of the channel that it keeps from the memory
  input  logic               stalls_i,    // the memory does not take the address that shows
  input  logic               held_i,      // data wait for a channel: no cycle counts
  // The channel.
  input  logic         [7:0] ar_len_i,
  input  logic               ar_valid_i,
  output logic               ar_ready_o,
  output r_status_t          r_o,
  output logic               r_valid_o,
  input  logic               r_ready_i,
  // The bus; address and data do not pass through here.
  output logic               ar_valid_o,
  input  logic               ar_ready_i,
  input  r_status_t          r_i,
  input  logic               r_valid_i,
  output logic               r_ready_o
);

  localparam int unsigned Depth = 1 << $clog2(Outstanding < 2 ? 2 : Outstanding);

  typedef struct packed {
    logic       passed;  // it was requested on the bus
    logic [7:0] len;
  } burst_t;
  burst_t burst;
  logic failed, passes, idle, due, owes, room, last, wrong_last, beat, settled, waits, moves, late;
  logic [7:0] beat_q;
  fault_e wrong, fault;
  bus_control_t control;

  always_comb begin
    control      = control_i;
    control.tick = control_i.tick && !held_i;
  end

  tsr_guard_core #(
    .Outstanding(Outstanding),
    .Silence    (Silence)
  ) u_core (
    .clk_i,
    .rst_ni,
    .control_i(control),
    .hold_i   (late),
    .kept_i,
    .valid_i  (ar_valid_i),
    .ready_o  (ar_ready_o),
    .valid_o  (ar_valid_o),
    .ready_i  (ar_ready_i),
    .answer_i (r_valid_i && r_ready_o && r_i.last),
    .passes_o (passes),
    .idle_o   (idle),
    .owes_o   (owes),
    .wrong_i  (wrong),
    .doubt_i  (doubt_i && due),
    .waits_i  (waits),
    .moves_i  (moves),
    .fault_o  (fault),
    .failed_o (failed)
  );

  // The bursts that the channel waits for. It never has more than `Outstanding`.
  tsr_fifo #(
    .Depth(Depth),
    .T    (burst_t)
  ) u_bursts (
    .clk_i,
    .rst_ni,
    .flush_i(control_i.clear),
    .data_i ('{passed: passes, len: ar_len_i}),
    .valid_i(ar_valid_i && ar_ready_o),
    .ready_o(room),
    .data_o (burst),
    .valid_o(due),
    .ready_i(beat && last)
  );

  // ---- Data -------------------------------------------------------------------------------------

  assign last       = beat_q == burst.len;
  assign wrong_last = r_i.last != last;
  assign beat       = r_valid_o && r_ready_i;
  assign r_valid_o  = due && (r_valid_i || failed);
  assign r_ready_o  = r_ready_i || failed || !due;
  assign r_o.last   = last;
  assign r_o.resp   = failed || wrong_last || doubt_i ? RespSlvErr : r_i.resp;
  assign settled    = beat && burst.passed;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || control_i.clear) beat_q <= '0;
    else if (beat) beat_q <= last ? '0 : beat_q + 1'b1;
  end

  assign state_o = '{idle: idle, clearable: !due && !ar_valid_o, shows: ar_valid_o, fault: fault};

  // ---- Faults -----------------------------------------------------------------------------------

  assign waits   = (due && owes) || (stalls_i && (due || (ar_valid_o && !ar_ready_i)));
  // Data that are due have to come, whatever else moves.
  assign moves   = r_valid_i || (!due && ar_valid_o && ar_ready_i);

  always_comb begin
    wrong = FaultNone;
    if (r_valid_i && !due) wrong = FaultUnasked;
    else if (r_valid_i && r_ready_i && wrong_last)
      wrong = r_i.last ? FaultEarlyLast : FaultLateLast;
  end

  if (Late != 0) begin : gen_late
    localparam int unsigned Width = $clog2(MostBeats + 1);
    logic late_q;
    logic [Width-1:0] kept_q;  // beats that are due and not given back
    logic quiet;  // for `Late` cycles

    `TSR_STATIC_ASSERT(Late, Late + 2 <= Silence,
                       ("Late = %0d; legal is 0 to %0d", Late, Silence - 2))

    tsr_silence #(
      .Cycles(Late)
    ) u_late (
      .clk_i,
      .rst_ni,
      .tick_i (!held_i),
      .waits_i(due),
      .moves_i(moves),
      .over_o (quiet)
    );

    assign late   = late_q;
    assign back_o = late_q ? kept_q != '0 : settled;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        late_q <= 1'b0;
        kept_q <= '0;
      end else begin
        late_q <= (late_q || (quiet && kept_q != '0)) && !state_o.clearable;
        kept_q <= kept_q + (ar_valid_o && ar_ready_i ? Width'(ar_len_i) + 1'b1 : '0) -
            Width'(back_o);
      end
    end

    `TSR_ASSERT(KeepsWhatIsDue, !state_o.clearable || kept_q == '0)
    `TSR_ASSERT(WithinMost, !(ar_valid_o && ar_ready_i) || 32'(kept_q) + 32'(ar_len_i) < MostBeats)
  end else begin : gen_patient
    assign late   = 1'b0;
    assign back_o = settled;
  end

  `TSR_ASSERT(RoomForEveryBurst, !(ar_valid_i && ar_ready_o) || room)
  `TSR_STABLE(DataStable, r_valid_o && failed, r_ready_i, r_o)

endmodule
