// Address register of a port: shows addresses to the memory, counts what it owes, and holds the
// failed state.
//
// Contract: `load_i` only while `room_o`, and not while `failed_o`. The burst is held (`held_o`);
// it is shown from the cycle on in which it is `permitted_i`, until the memory takes it, whatever
// happens. One that never is permitted goes with `release_i`, or with a fault.
// The first `wrong_i`, or a time-out, is a fault: `fault_o` follows in the next cycle, with
// `failed_o`. The failed state ends when it is asked to (clear), nothing is on show, `unpaid_i` is
// low, the memory owes nothing (or may be forgotten), and the engine has all its answers
// (`drained_i`); from `closing_o` on the port takes no burst, so that this comes true. Then the
// port goes on with the next ID: what the memory still sends is recognized by the old one. With an
// IdWidth of n that is true for the last 2**n - 1 failed states.
// Latency: 1 cycle. Throughput: a burst a cycle. Path from ax_ready_i to room_o.
`include "tsr_assert.svh"
`include "tsr_port_types.svh"
module tsr_port_gate
  import tsr_descriptor_pkg::*;
  import tsr_fabric_pkg::*;
  import tsr_port_pkg::*;
#(
  parameter  int unsigned AddrWidth   = 64,                                 // 32 .. 64
  parameter  int unsigned IdWidth     = 4,
  parameter  int unsigned Outstanding = 64,                                 // bursts
  parameter  bit          Guard       = 1'b1,
  parameter  int unsigned Timeout     = 4096,                               // ticks
  localparam type         burst_t     = `TSR_PORT_BURST_T(AddrWidth),
  localparam type         ax_t        = `TSR_PORT_AX_T(AddrWidth, IdWidth)
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  port_control_t               control_i,
  output port_state_t                 state_o,
  output port_fault_t                 fault_o,
  output port_event_t                 event_o,
  // Engine
  input  burst_t                      burst_i,
  input  axi_attr_t                   attr_i,
  input  logic                        load_i,
  output logic                        room_o,
  output burst_t                      held_o,
  output logic                        held_valid_o,
  input  logic                        permitted_i,
  input  logic                        release_i,
  input  logic                        drained_i,
  // Memory
  output ax_t                         ax_o,
  output logic                        ax_valid_o,
  input  logic                        ax_ready_i,
  output logic          [IdWidth-1:0] id_o,          // of answers
  output logic                        owed_o,        // answers
  output logic                        left_o,        // ... behind `answer_i`, of bursts sent before
  input  logic                        answer_i,      // one of them
  input  logic                        unpaid_i,      // write data that the memory must get
  input  logic                        moves_i,       // an answer or data
  input  fault_e                      wrong_i,
  input  logic                        stray_i,
  // Port
  output logic                        failed_o,
  output logic                        closing_o
);

  burst_t burst_q;
  axi_attr_t attr_q;
  logic held_q, shown, free, sent, waits, over, leave, stray_q;
  assign shown        = held_q && permitted_i;
  assign sent         = shown && ax_ready_i;
  assign free         = !held_q || sent || release_i;
  assign room_o       = free && !control_i.quiesce;
  assign waits        = shown || owed_o || unpaid_i;
  assign held_o       = burst_q;
  assign held_valid_o = held_q;
  assign ax_valid_o   = shown;
  assign ax_o         = '{id: id_o, addr: burst_q.addr, len: burst_q.len, attr: attr_q};
  assign event_o      = '{channel: burst_q.channel, burst: sent, blocked: shown && !ax_ready_i};
  always_ff @(posedge clk_i) begin
    if (free) begin
      burst_q <= burst_i;
      attr_q  <= attr_i;
    end
    stray_q <= rst_ni && stray_i;
    if (!rst_ni) held_q <= 1'b0;
    else held_q <= load_i || (held_q && !free && !(failed_o && !shown));
  end

  tsr_port_count #(
    .Most(Outstanding)
  ) u_owed (
    .clk_i,
    .rst_ni,
    .clear_i(leave),
    .up_i   (sent),
    .down_i (answer_i),
    .some_o (owed_o),
    .left_o (left_o)
  );

  tsr_watchdog #(
    .Ticks(Timeout)
  ) u_watchdog (
    .clk_i,
    .rst_ni,
    .tick_i (control_i.tick),
    .waits_i(waits),
    .moves_i(moves_i || sent || leave),
    .over_o (over)
  );

  assign state_o = '{
          failed: failed_o,
          stuck: over && (control_i.clear || !Guard),
          quiet: !waits && !held_q,
          timed_out: over && control_i.quiesce,
          stray: stray_q
      };

  if (Guard) begin : gen_guard
    logic failed_q, fault_q, closing_q;
    logic [IdWidth-1:0] id_q;
    fault_e cause, cause_q;
    always_comb begin
      cause = wrong_i;
      if (wrong_i == FaultNone && over) cause = FaultBusTime;
    end
    assign closing_o = closing_q;
    assign leave     = failed_q && closing_q && drained_i;
    assign failed_o  = failed_q;
    assign id_o      = id_q;
    assign fault_o   = '{valid: fault_q, cause: cause_q};
    always_ff @(posedge clk_i) begin
      if (!failed_q) cause_q <= cause;
      closing_q <= rst_ni && failed_q && !leave && control_i.clear && !held_q && !unpaid_i &&
          (!owed_o || control_i.forget);
      if (!rst_ni) begin
        failed_q <= 1'b0;
        fault_q  <= 1'b0;
        id_q     <= '0;
      end else begin
        failed_q <= failed_q ? !leave : cause != FaultNone;
        fault_q  <= !failed_q && cause != FaultNone;
        if (leave) id_q <= id_q + 1'b1;
      end
    end
    `TSR_ASSERT(NothingNewWhileFailed, !failed_q || !load_i)
    `TSR_ASSERT(LeavesWithNothingOnShow, !leave || (!held_q && !unpaid_i))
  end else begin : gen_trust
    logic unused_guard;
    assign {failed_o, closing_o, leave, id_o} = '0;
    assign fault_o = '0;
    assign unused_guard = ^{control_i.forget, drained_i, wrong_i, control_i.clear};
  end

  `TSR_STATIC_ASSERT(Timeout, Timeout >= 2, ("Timeout = %0d; legal is 2 and more", Timeout))
  `TSR_STATIC_ASSERT(IdWidth, IdWidth >= 1 && IdWidth <= 16,
                     ("IdWidth = %0d; legal is 1 to 16", IdWidth))
  `TSR_STABLE(AddressStays, ax_valid_o, ax_ready_i, ax_o)
  `TSR_ASSERT(LoadsIntoRoom, !load_i || room_o)

endmodule
