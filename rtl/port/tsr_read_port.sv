// Read port: stands between a read engine and AR and R, keeps bursts inside windows, and contains
// faults of the memory.
//
// Contract, engine: bursts are taken in their order, and every burst gets its beats in that order,
// whatever the memory does. The engine counts beats. `attr_i` belongs to `burst_i`, in its cycle.
// `claim_i`: the engine has queued an address. `owed_o`: an
// address of the channel is queued or on show, or the memory has not answered all its bursts (see
// tsr_port_levels). An engine fires nothing of a paused channel, so that the channel is paused when
// its level is low, some cycles (4) after the pause.
// Windows: a burst that no window permits is never shown, and those behind it in its transfer are not
// either (`hold_i`, `abort_i`: see tsr_port_windows). It is answered with RespRefused in its turn; until then no
// other burst is taken. With windows, data that the port gives
// itself are 0; without, they are what the bus has.
// Guard: a wrong RLAST (that beat has SLVERR), data without a burst while an address is on show,
// and `Timeout` ticks in which the memory owes something and nothing moves are faults. From then on
// no new address is shown, and the engine gets SLVERR for all that it waits for and still requests;
// the memory's data are dropped, and counted by RLAST. See tsr_port_gate for its end. Data that
// come while no burst waits for them, or with another ID than the current one, are dropped:
// `state_o.stray`.
// Latency: AR 1 cycle, more if another window than that of the burst before is needed (see
// tsr_port_windows); R 1. Throughput: a burst and a beat a cycle. Paths from the ready of AR to
// burst_ready_o and from r_ready_i to the ready of R.
`include "tsr_assert.svh"
`include "tsr_port_types.svh"
module tsr_read_port
  import tsr_core_pkg::claim_t;
  import tsr_descriptor_pkg::*;
  import tsr_fabric_pkg::*;
  import tsr_port_pkg::*;
#(
  parameter int unsigned Channels = 1,  // 1 .. 16
  parameter int unsigned AddrWidth = 64,  // 32 .. 64
  parameter int unsigned BusLog = 3,  // log2 of the bytes of the bus, 2 .. 7
  parameter int unsigned MaxBurst = 16,  // words of a burst, a power of two, 2 .. 256
  parameter int unsigned Outstanding = 64,  // bursts in flight, a power of two
  parameter int unsigned Windows = 0,  // of a channel, 0 .. 16; 0: everything is permitted
  parameter bit Guard = 1'b1,
  parameter int unsigned Timeout = 4096,  // ticks, at least 2
  parameter int unsigned IdWidth = 4,
  localparam int unsigned Lanes = 2 ** BusLog,
  localparam type burst_t = `TSR_PORT_BURST_T(AddrWidth),
  localparam type data_t = `TSR_PORT_DATA_T(Lanes),
  localparam type ax_t = `TSR_PORT_AX_T(AddrWidth, IdWidth),
  localparam type r_t = `TSR_PORT_R_T(Lanes, IdWidth),
  localparam type req_t = `TSR_PORT_RD_REQ_T(ax_t),
  localparam type rsp_t = `TSR_PORT_RD_RSP_T(r_t)
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  port_control_t                   control_i,
  output port_state_t                     state_o,
  output port_fault_t                     fault_o,
  output port_event_t                     event_o,
  output logic             [Channels-1:0] owed_o,
  // Windows
  input  window_request_t                 window_i,
  output window_response_t                window_o,
  input  logic             [Channels-1:0] hold_i,         // a refused transfer bars those behind it
  input  logic             [Channels-1:0] abort_i,        // ... until this falls
  // Engine
  input  claim_t                          claim_i,
  input  burst_t                          burst_i,
  input  axi_attr_t                       attr_i,
  input  logic                            burst_valid_i,
  output logic                            burst_ready_o,
  output data_t                           r_o,
  output logic                            r_valid_o,
  input  logic                            r_ready_i,
  // Memory
  output req_t                            bus_o,
  input  rsp_t                            bus_i
);

  localparam int unsigned LenWidth = $clog2(MaxBurst);
  typedef logic [LenWidth-1:0] len_t;

  // ---- Addresses

  logic take, room, refused, failed, closing, due_q, queue_room, some_owed;
  logic beat, last_q, came_q, current_q, good_q, shown_q, left, answer, wrong_last, own, done;
  r_t r_q;
  logic [IdWidth-1:0] id;
  len_t queued;
  logic queued_valid, next;
  logic load, held_valid, permitted, release_q, refusing, drops;
  burst_t held;
  len_t   left_q;  // beats of the oldest burst, minus 1
  fault_e wrong;

  tsr_port_windows #(
    .Channels(Channels),
    .Windows (Windows)
  ) u_windows (
    .clk_i,
    .rst_ni,
    .request_i     (window_i),
    .response_o    (window_o),
    .write_i       (1'b0),
    .channel_i     ({1'b0, burst_i.channel}),
    .page_i        ((64 - PageBits)'(burst_i.addr[AddrWidth-1:PageBits])),
    .first_i       (burst_i.first),
    .load_i        (load),
    .held_channel_i({1'b0, held.channel}),
    .held_page_i   ((64 - PageBits)'(held.addr[AddrWidth-1:PageBits])),
    .drop_i        (failed || release_q),
    .hold_i,
    .abort_i,
    .permitted_o   (permitted),
    .refused_o     (refused)
  );

  assign burst_ready_o = queue_room && (failed ? !closing : room);
  assign take          = burst_valid_i && burst_ready_o;
  assign load          = take && !failed;

  tsr_port_gate #(
    .AddrWidth  (AddrWidth),
    .IdWidth    (IdWidth),
    .Outstanding(Outstanding + 1),
    .Guard      (Guard),
    .Timeout    (Timeout)
  ) u_gate (
    .clk_i,
    .rst_ni,
    .control_i,
    .state_o,
    .fault_o,
    .event_o,
    .burst_i,
    .attr_i,
    .load_i      (load),
    .room_o      (room),
    .held_o      (held),
    .held_valid_o(held_valid),
    .permitted_i (permitted),
    .release_i   (release_q),
    .drained_i   (!due_q && !queued_valid),
    .ax_o        (bus_o.ar),
    .ax_valid_o  (bus_o.ar_valid),
    .ax_ready_i  (bus_i.ar_ready),
    .id_o        (id),
    .owed_o      (some_owed),
    .left_o      (left),
    .answer_i    (answer),
    .unpaid_i    (1'b0),
    .moves_i     (came_q && current_q),
    .wrong_i     (wrong),
    .stray_i     (Guard && came_q && !good_q),
    .failed_o    (failed),
    .closing_o   (closing)
  );

  tsr_fifo #(
    .Depth(Outstanding),
    .T    (len_t)
  ) u_queue (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .data_i (burst_i.len[LenWidth-1:0]),
    .valid_i(take),
    .ready_o(queue_room),
    .data_o (queued),
    .valid_o(queued_valid),
    .ready_i(next)
  );

  // The oldest burst is in registers.
  assign next = !due_q || (beat && last_q);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) due_q <= 1'b0;
    else if (next) due_q <= queued_valid;
    if (next) begin
      left_q <= queued;
      last_q <= queued == '0;
    end else if (beat) begin
      left_q <= left_q - 1'b1;
      last_q <= left_q == LenWidth'(1'b1);
    end
  end

  tsr_port_levels #(
    .Channels(Channels),
    .Most    (Outstanding + 32)
  ) u_levels (
    .clk_i,
    .rst_ni,
    .claim_i,
    .done_i(beat && last_q),
    .hold_i(failed && !state_o.quiet),
    .busy_i(burst_valid_i || held_valid || due_q || queued_valid || !state_o.quiet),
    .owed_o
  );

  logic unused_held;
  assign unused_held = ^{held, held_valid};

  // ---- Data: a register, whose ID has been compared, and whether they are of a burst of the memory

  logic takes, leaves;
  assign takes         = !came_q || done;
  assign leaves        = failed && closing && !due_q && !queued_valid;  // the gate forgets bursts
  assign bus_o.r_ready = takes;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {came_q, good_q} <= '0;
    else if (takes) begin
      came_q <= bus_i.r_valid;
      good_q <= bus_i.r_valid && (!Guard || (bus_i.r.id == id && left && !leaves));
    end
    if (takes) begin
      r_q       <= bus_i.r;
      current_q <= bus_i.r.id == id;
      shown_q   <= bus_o.ar_valid;
    end
  end

  // A burst that was refused is the last one taken; its turn comes when all before are answered.
  assign refusing = Windows != 0 && refused && !queued_valid && !some_owed;
  assign own = failed || refusing;
  always_ff @(posedge clk_i) release_q <= rst_ni && refusing && beat && last_q;
  assign r_valid_o = due_q && (own || good_q);
  assign drops = Guard && (failed || !good_q);
  assign done = drops || (due_q && !own && r_ready_i);
  assign beat = r_valid_o && r_ready_i;
  assign wrong_last = Guard && r_q.last != last_q;
  assign answer = good_q && done && r_q.last && some_owed;
  always_comb begin
    // What EXOKAY is on the bus is RespRefused to the engine.
    r_o.resp = {r_q.resp[1], &r_q.resp};
    if (failed || (wrong_last && !own)) r_o.resp = RespSlvErr;
    else if (own) r_o.resp = RespRefused;
    r_o.data = Windows != 0 && own ? '0 : r_q.data;
    wrong = FaultNone;
    if (Guard && came_q && !failed) begin
      if (good_q) begin
        if (beat && !own && wrong_last) wrong = r_q.last ? FaultEarlyLast : FaultLateLast;
      end else if (current_q && shown_q) wrong = FaultUnasked;
    end
  end
  logic unused_id;
  assign unused_id = ^r_q.id;

  `TSR_STATIC_ASSERT(MaxBurst, MaxBurst >= 2 && MaxBurst <= 256 && 2 ** LenWidth == MaxBurst,
                     ("MaxBurst = %0d; legal is 2 to 256, a power of two", MaxBurst))
  `TSR_STATIC_ASSERT(BusLog, BusLog >= 2 && BusLog <= 7, ("BusLog = %0d; legal is 2 to 7", BusLog))
  `TSR_ASSERT(WithinMaxBurst, !burst_valid_i || 32'(burst_i.len) < MaxBurst)
  `TSR_ASSERT(RefusedIsHeld, !refused || held_valid || failed)
  `TSR_ASSERT(WhatIsOwedIsDue, failed || !some_owed || due_q)
  `TSR_ASSERT(GoodIsOwed, !Guard || !good_q || some_owed)
  `TSR_STABLE(BurstStays, burst_valid_i, burst_ready_o, burst_i)

endmodule
