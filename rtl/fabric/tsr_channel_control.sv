// Takes one channel through pause, drain and reset, and keeps its fault.
//
// Contract: stands in the handshake of transfers and beside the engine and its way to the bus.
// `control_i` are levels. Pause: no new bursts; those that are on the bus end. Drain: no new
// transfers; one that the engine has seen is still accepted. Reset: the engine is aborted, with its
// records; transfers that have not ended within `Patience` ticks (a stream or records that nobody takes)
// are cut off. The channel is cleared when the memory has answered everything, or, with `give_up` and a
// guard, when it has all data; then it stays `in_reset` until `reset` falls. `quiesce_i` aborts too and
// keeps all new bursts back. Abort goes before pause: the bursts that end a transfer may go to the bus.
// After a fault no transfer is accepted until a reset; `state_o` tells the first fault.
// Latency of transfers: 0.
`include "tsr_assert.svh"
module tsr_channel_control
  import tsr_pkg::*;
  import tsr_fabric_pkg::*;
#(
  parameter int unsigned Patience = FabricDefaults.Silence
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  channel_control_t control_i,
  output channel_state_t   state_o,
  input  logic             abort_i,
  input  logic             quiesce_i,
  input  logic             tick_i,         // the cycle counts for time-outs
  // Transfers: outside, and engine. Records are watched.
  input  logic             valid_i,
  output logic             ready_o,
  output logic             valid_o,
  input  logic             ready_i,
  input  done_t            done_i,
  input  logic             done_valid_i,
  input  logic             done_ready_i,
  // The engine.
  output logic             abort_o,
  input  logic             idle_i,
  // Its way to the bus, and the watch on its stream.
  output bus_control_t     bus_o,
  input  bus_state_t       bus_i,
  input  fault_e           stream_fault_i
);

  typedef enum logic [2:0] {
    Run,
    Stop,   // aborts in good order
    Cut,    // keeps what is left from the bus, and waits for the bus
    Clear,
    Held
  } state_e;

  state_e state_q, state_d;
  logic open, clear, late, refuses, shown_q, aborting_q, faulted_q, taken, failed;

  // ---- Reset ------------------------------------------------------------------------------------

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Run:     if (control_i.reset) state_d = Stop;
      Stop:    if (idle_i || late) state_d = Cut;
      Cut:     if (bus_i.clearable && (bus_i.idle || control_i.give_up)) state_d = Clear;
      Clear:   state_d = Held;
      Held:    if (!control_i.reset) state_d = Run;
      default: state_d = Run;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) state_q <= Run;
    else state_q <= state_d;
  end

  tsr_silence #(
    .Cycles(Patience)
  ) u_patience (
    .clk_i,
    .rst_ni,
    .tick_i,
    .waits_i(state_q == Stop || state_q == Cut),
    .moves_i(state_d != state_q),
    .over_o (late)
  );

  assign clear = state_q == Clear || state_q == Held;

  // ---- Abort and the bus ------------------------------------------------------------------------

  assign bus_o = '{open: open, clear: clear, tick: tick_i};
  // An engine wants its abort held until it is idle, however short the request was.
  assign abort_o = abort_i || quiesce_i || aborting_q || state_q == Stop || state_q == Cut;
  assign open  = !quiesce_i &&
      (state_q == Stop || (state_q == Run && (!control_i.pause || abort_o)));
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear) aborting_q <= 1'b0;
    else aborting_q <= quiesce_i || (aborting_q && !idle_i);
  end

  // ---- Transfers --------------------------------------------------------------------------------

  // What has been offered to the engine stays offered.
  assign refuses = control_i.drain || faulted_q || quiesce_i || state_q != Run;
  assign valid_o = valid_i && (!refuses || shown_q) && !clear;
  assign ready_o = ready_i && (!refuses || shown_q) && !clear;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) shown_q <= 1'b0;
    else shown_q <= valid_o && !ready_i;
  end

  // ---- Faults -----------------------------------------------------------------------------------

  logic [15:0] records_q, transfer_q;
  logic [63:0] addr_q;
  logic named_q;
  fault_e fault, cause_q;

  // What `stop_on` is in the first cycle of a record counts.
  logic ends_it, ends_q, waits_q;
  assign ends_it = waits_q ? ends_q : (done_i.status & control_i.stop_on) != '0;
  always_ff @(posedge clk_i) begin
    waits_q <= rst_ni && done_valid_i && !done_ready_i;
    ends_q  <= ends_it;
  end
  assign taken = done_valid_i && done_ready_i;
  // What a guard ends has SLVERR. What nobody asked for is no transfer's.
  assign failed = taken && done_i.status.slverr &&
      cause_q <= FaultBusTime && cause_q != FaultUnasked;
  always_comb begin
    if (bus_i.fault != FaultNone) fault = bus_i.fault;
    else if (stream_fault_i != FaultNone) fault = stream_fault_i;
    else if (taken && ends_it) fault = FaultRecord;
    else fault = FaultNone;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear) begin
      records_q  <= '0;
      faulted_q  <= 1'b0;
      cause_q    <= FaultNone;
      named_q    <= 1'b0;
      transfer_q <= '0;
      addr_q     <= '0;
    end else begin
      records_q <= records_q + 16'(taken);
      if (!faulted_q && fault != FaultNone) begin
        faulted_q  <= 1'b1;
        cause_q    <= fault;
        named_q    <= fault == FaultRecord;
        transfer_q <= records_q;
        addr_q     <= fault == FaultRecord ? done_i.addr : '0;
      end else if (faulted_q && !named_q && failed) begin
        named_q    <= 1'b1;
        transfer_q <= records_q;
        addr_q     <= done_i.addr;
      end
    end
  end

  assign state_o = '{
          idle: idle_i && !shown_q && !bus_i.shows,
          owed: !bus_i.idle,
          paused: control_i.pause && !open && bus_i.idle,
          in_reset: state_q == Held,
          stuck: state_q == Cut && late,
          faulted: faulted_q,
          cause: cause_q,
          named: named_q,
          transfer: transfer_q,
          addr: addr_q
      };

  logic unused_done;
  assign unused_done = ^done_i;

  `TSR_ASSERT(NoTransferInReset, !clear || !(valid_o || ready_o))
  `TSR_ASSERT(ClosedInReset, !clear || !open)

endmodule
