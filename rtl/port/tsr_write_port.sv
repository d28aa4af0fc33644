// Write port: stands between a write engine and AW, W and B, keeps bursts inside windows, and
// contains faults of the memory.
//
// Contract, engine: as tsr_read_port; every burst gets one response, in order, after its last beat
// was taken. The engine offers W beats of a burst not before it offers its address. They go to the
// memory when the address is shown, so that W may come before AW there by one burst.
// Windows: a burst that no window permits is never shown, and those behind it in its transfer are not
// either (`hold_i`, `abort_i`: see tsr_port_windows). Its beats are dropped and it is answered with DECERR
// in its turn; until then no other burst is taken.
// Guard: a response before the last beat of its burst was taken, or without a burst while an
// address is on show, and `Timeout` ticks in which the memory owes something, or does not take
// something, and nothing moves are faults. From then on no new address is shown, beats of the
// engine are dropped and it gets SLVERR for all its bursts. The memory gets the beats of all bursts
// whose address was shown, with strobes of 0, and its responses are dropped. See tsr_port_gate for
// the end of that state. Responses that come while no burst waits for them, or with another ID than
// the current one, are dropped: `state_o.stray`.
// Latency: AW 1 cycle (see tsr_port_windows), W 1, B 0. Throughput: a burst, a beat and a response
// a cycle. Paths from aw_ready_i to burst_ready_o, from w_ready_i to w_ready_o, and from B to
// b_resp_o.
`include "tsr_assert.svh"
`include "tsr_port_types.svh"
module tsr_write_port
  import tsr_core_pkg::claim_t;
  import tsr_descriptor_pkg::*;
  import tsr_fabric_pkg::*;
  import tsr_port_pkg::*;
#(
  parameter int unsigned Channels = 1,  // 1 .. 16
  parameter int unsigned AddrWidth = 64,  // 32 .. 64
  parameter int unsigned BusLog = 3,  // log2 of the bytes of the bus, 2 .. 7
  parameter int unsigned MaxBurst = 16,  // words of a burst, a power of two, 2 .. 256
  parameter int unsigned Outstanding = 64,  // bursts without a response, a power of two
  parameter int unsigned Windows = 0,  // of a channel, 0 .. 16; 0: everything is permitted
  parameter bit Guard = 1'b1,
  parameter int unsigned Timeout = 4096,  // ticks, at least 2
  parameter int unsigned IdWidth = 4,
  localparam int unsigned Lanes = 2 ** BusLog,
  localparam type burst_t = `TSR_PORT_BURST_T(AddrWidth),
  localparam type ax_t = `TSR_PORT_AX_T(AddrWidth, IdWidth),
  localparam type w_t = `TSR_PORT_W_T(Lanes),
  localparam type b_t = `TSR_PORT_B_T(IdWidth),
  localparam type req_t = `TSR_PORT_WR_REQ_T(ax_t, w_t),
  localparam type rsp_t = `TSR_PORT_WR_RSP_T(b_t)
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
  input  w_t                              w_i,
  input  logic                            w_valid_i,
  output logic                            w_ready_o,
  output logic             [         1:0] b_resp_o,
  output logic                            b_valid_o,
  input  logic                            b_ready_i,
  // Memory
  output req_t                            bus_o,
  input  rsp_t                            bus_i
);

  localparam int unsigned LenWidth = $clog2(MaxBurst);
  typedef logic [LenWidth-1:0] len_t;

  // ---- Addresses

  logic take, load, room, refused, permitted, failed, closing, some_owed, held_valid;
  logic answer, current, passes, own, respond, release_q, unpaid, drained, refusing_q;
  logic data_due, response_due, ends_q, paid_valid, paid_queued, paid_next, unused_room;
  logic [IdWidth-1:0] id;
  burst_t held;
  fault_e wrong;
  logic [2:0] unused_left;

  tsr_port_windows #(
    .Channels(Channels),
    .Windows (Windows)
  ) u_windows (
    .clk_i,
    .rst_ni,
    .request_i     (window_i),
    .response_o    (window_o),
    .write_i       (1'b1),
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

  assign burst_ready_o = failed ? !closing : room;
  assign take          = burst_valid_i && burst_ready_o;
  assign load          = take && !failed;

  tsr_port_gate #(
    .AddrWidth  (AddrWidth),
    .IdWidth    (IdWidth),
    .Outstanding(Outstanding),
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
    .drained_i   (drained),
    .ax_o        (bus_o.aw),
    .ax_valid_o  (bus_o.aw_valid),
    .ax_ready_i  (bus_i.aw_ready),
    .id_o        (id),
    .owed_o      (some_owed),
    .left_o      (unused_left[0]),
    .answer_i    (answer),
    .unpaid_i    (unpaid),
    .moves_i     ((bus_i.b_valid && current) || (bus_o.w_valid && bus_i.w_ready)),
    .wrong_i     (wrong),
    .stray_i     (Guard && bus_i.b_valid && (!current || !some_owed)),
    .failed_o    (failed),
    .closing_o   (closing)
  );

  tsr_port_levels #(
    .Channels(Channels),
    .Most    (Outstanding + 32)
  ) u_levels (
    .clk_i,
    .rst_ni,
    .claim_i,
    .done_i(respond),
    .hold_i(failed && !state_o.quiet),
    .busy_i(burst_valid_i || !drained || !state_o.quiet),
    .owed_o
  );

  // ---- Bursts of the engine: those whose data are not all here, and those without a response

  logic last_in, due_in;
  assign last_in = w_valid_i && w_ready_o && w_i.last;
  assign respond = b_valid_o && b_ready_i;
  assign drained = !data_due && !response_due && !ends_q;
  tsr_port_count #(
    .Most(Outstanding)
  ) u_data_due (
    .clk_i,
    .rst_ni,
    .clear_i(1'b0),
    .up_i   (take),
    .down_i (last_in),
    .some_o (data_due),
    .left_o (unused_left[1])
  );
  tsr_port_count #(
    .Most(Outstanding)
  ) u_response_due (
    .clk_i,
    .rst_ni,
    .clear_i(1'b0),
    .up_i   (due_in),
    .down_i (respond),
    .some_o (response_due),
    .left_o (unused_left[2])
  );

  // ---- Data: bursts that are shown and whose data the memory has not got

  logic shown_q, shows, w_valid_q, w_free, passes_w, drops_w, pays, put, put_last, paid_last_q;
  len_t queued_len, left_q;
  w_t w_q;
  assign shows = bus_o.aw_valid && !shown_q;
  always_ff @(posedge clk_i) shown_q <= rst_ni && bus_o.aw_valid && !bus_i.aw_ready;
  tsr_fifo #(
    .Depth      (Outstanding),
    .T          (len_t),
    .ReadyMargin(2)
  ) u_paid (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .data_i (held.len[LenWidth-1:0]),
    .valid_i(shows),
    .ready_o(unused_room),
    .data_o (queued_len),
    .valid_o(paid_queued),
    .ready_i(paid_next)
  );
  assign paid_next = !paid_valid || (put && put_last);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) paid_valid <= 1'b0;
    else if (paid_next) paid_valid <= paid_queued;
    if (paid_next) begin
      left_q      <= queued_len;
      paid_last_q <= queued_len == '0;
    end else if (put) begin
      left_q      <= left_q - 1'b1;
      paid_last_q <= left_q == len_t'(1);
    end
  end

  assign w_free        = !w_valid_q || bus_i.w_ready;
  assign passes_w      = w_valid_i && paid_valid && w_free && !failed;
  assign pays          = failed && paid_valid && w_free;
  assign drops_w       = failed ? data_due && !ends_q : refusing_q && data_due;
  assign put           = passes_w || pays;
  assign put_last      = failed ? paid_last_q : w_i.last;
  assign w_ready_o     = drops_w || (!failed && paid_valid && w_free);
  assign bus_o.w_valid = w_valid_q;
  assign bus_o.w       = w_q;
  assign unpaid        = w_valid_q || paid_valid || paid_queued;
  always_ff @(posedge clk_i) begin
    if (w_free) begin
      w_q.data   <= w_i.data;
      w_q.strobe <= failed ? '0 : w_i.strobe;
      w_q.last   <= put_last;
    end
    if (!rst_ni) w_valid_q <= 1'b0;
    else if (w_free) w_valid_q <= put;
  end

  // The last beat of a burst of the engine is on show: its response may come when it is taken.
  assign due_in = (ends_q && (failed || bus_i.w_ready)) || (drops_w && w_valid_i && w_i.last);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) ends_q <= 1'b0;
    else ends_q <= (passes_w && w_i.last) || (ends_q && !failed && !bus_i.w_ready);
  end

  // ---- Responses

  // A burst that was refused is the last one taken; its turn comes when all before are answered.
  always_ff @(posedge clk_i) begin
    release_q <= rst_ni && !failed && refusing_q && respond;
    if (!rst_ni || failed || (refusing_q && respond)) refusing_q <= 1'b0;
    else if (Windows != 0 && refused && !release_q)
      refusing_q <= refusing_q || (!unpaid && !response_due && !ends_q);
  end
  assign current = !Guard || bus_i.b.id == id;
  assign own = failed || refusing_q;
  assign passes = !own && response_due && (!Guard || (current && some_owed));
  assign b_valid_o = response_due && (own || (passes && bus_i.b_valid));
  assign bus_o.b_ready = Guard && (failed || !current || !some_owed || !response_due) ? 1'b1 :
      passes && b_ready_i;
  assign answer = bus_i.b_valid && bus_o.b_ready && current && some_owed;
  always_comb begin
    // What EXOKAY is on the bus is RespRefused to the engine.
    b_resp_o = {bus_i.b.resp[1], &bus_i.b.resp};
    if (failed) b_resp_o = RespSlvErr;
    else if (refusing_q) b_resp_o = RespRefused;
    wrong = FaultNone;
    if (Guard && bus_i.b_valid && current && !failed) begin
      if (some_owed) begin
        if (!response_due) wrong = FaultEarly;
      end else if (bus_o.aw_valid) wrong = FaultUnasked;
    end
  end

  logic unused_bits;
  assign unused_bits = ^{held, held_valid, unused_left};
  `TSR_STATIC_ASSERT(MaxBurst, MaxBurst >= 2 && MaxBurst <= 256 && 2 ** LenWidth == MaxBurst,
                     ("MaxBurst = %0d; legal is 2 to 256, a power of two", MaxBurst))
  `TSR_STATIC_ASSERT(BusLog, BusLog >= 2 && BusLog <= 7, ("BusLog = %0d; legal is 2 to 7", BusLog))
  `TSR_ASSERT(WithinMaxBurst, !burst_valid_i || 32'(burst_i.len) < MaxBurst)
  `TSR_ASSERT(LastWhereItBelongs, !passes_w || w_i.last == paid_last_q)
  `TSR_ASSERT(EndsOnShow, !ends_q || failed || (w_valid_q && w_q.last))
  `TSR_STABLE(DataStay, bus_o.w_valid, bus_i.w_ready, bus_o.w)
  `TSR_STABLE(BurstStays, burst_valid_i, burst_ready_o, burst_i)

endmodule
