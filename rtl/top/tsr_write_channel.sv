// One write channel: the engine, what stands around it, and its way to the bus through its windows.
//
// Wiring only. Contract, latency, throughput: tsr_write_engine, tsr_channel_shell, tsr_write_window.
`include "tsr_assert.svh"
`include "tsr_types.svh"
module tsr_write_channel
  import tsr_pkg::*;
  import tsr_fabric_pkg::*;
  import tsr_channel_pkg::*;
#(
  parameter  fabric_config_t Config      = FabricDefaults,
  localparam int unsigned    StreamBytes = Config.StreamWidth < 8 ? 1 : Config.StreamWidth / 8,
  localparam int unsigned    Shown       = Config.Windows == 0 ? 1 : Config.Windows,
  localparam type            burst_t     = `TSR_BURST_T(Config),
  localparam type            w_t         = `TSR_W_T(Config),
  localparam type            bus_req_t   = `TSR_WRITE_REQ_T(burst_t, w_t),
  localparam type            beat_t      = `TSR_BEAT_T(StreamBytes)
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  // Transfers, records, control.
  input  transfer_t                    transfer_i,
  input  logic                         valid_i,
  output logic                         ready_o,
  output done_t                        done_o,
  output logic                         done_valid_o,
  input  logic                         done_ready_i,
  input  channel_request_t             request_i,
  output channel_status_t              status_o,
  output denied_t                      denied_o,
  input  logic                         quiesce_i,
  input  logic                         tick_i,
  input  window_t          [Shown-1:0] window_i,
  // The share of the port.
  output bus_control_t                 control_o,
  input  bus_state_t                   state_i,
  output bus_req_t                     bus_o,
  input  write_rsp_t                   bus_i,
  // The stream. With Side, what is beside it: of the beat, of the record.
  input  side_t                        side_i,
  output side_t                        done_side_o,
  input  logic                         excuse_i,      // a beat that is shown may be taken back
  input  beat_t                        beat_i,
  input  logic                         beat_valid_i,
  output logic                         beat_ready_o
);

  logic engine_rst_n, aborts, idle, valid, ready, done_valid, done_ready;
  done_t done;
  logic [7:0] held;
  write_mark_t marks;
  denied_t denied;
  bus_req_t engine_req;
  write_rsp_t engine_rsp;

  tsr_channel_shell #(
    .Config  (Config),
    .Incoming(1'b1),
    .BeatBits($bits(beat_t))
  ) u_shell (
    .clk_i,
    .rst_ni,
    .transfer_i,
    .valid_i,
    .ready_o,
    .done_o,
    .done_valid_o,
    .done_ready_i,
    .request_i,
    .status_o,
    .denied_o,
    .quiesce_i,
    .tick_i,
    .window_i,
    .engine_rst_no(engine_rst_n),
    .abort_o      (aborts),
    .idle_i       (idle),
    .held_i       (held),
    .valid_o      (valid),
    .ready_i      (ready),
    .done_i       (done),
    .done_valid_i (done_valid),
    .done_ready_o (done_ready),
    .excuse_i,
    .beat_i,
    .beat_valid_i,
    .beat_ready_i (beat_ready_o),
    .bus_o        (control_o),
    .bus_i        (state_i),
    .denied_i     (denied)
  );

  tsr_write_engine #(
    .AddrWidth  (Config.AddrWidth),
    .DataWidth  (Config.DataWidth),
    .StreamWidth(Config.StreamWidth),
    .MaxBurst   (Config.MaxBurst),
    .Outstanding(Config.Outstanding),
    .StoreBeats (Config.StoreBeats),
    .Walk       (Config.Walk),
    .Bounds     (Config.Bounds)
  ) u_engine (
    .clk_i,
    .rst_ni      (engine_rst_n),
    .transfer_i,
    .valid_i     (valid),
    .ready_o     (ready),
    .done_o      (done),
    .done_valid_o(done_valid),
    .done_ready_i(done_ready),
    .abort_i     (aborts),
    .idle_o      (idle),
    .held_o      (held),
    .mark_o      (marks),
    .awaddr_o    (engine_req.aw.addr),
    .awlen_o     (engine_req.aw.len),
    .awvalid_o   (engine_req.aw_valid),
    .awready_i   (engine_rsp.aw_ready),
    .wdata_o     (engine_req.w.data),
    .wstrb_o     (engine_req.w.strb),
    .wlast_o     (engine_req.w.last),
    .wvalid_o    (engine_req.w_valid),
    .wready_i    (engine_rsp.w_ready),
    .bresp_i     (engine_rsp.b_resp),
    .bvalid_i    (engine_rsp.b_valid),
    .bready_o    (engine_req.b_ready),
    .tdata_i     (beat_i.data),
    .tkeep_i     (beat_i.keep),
    .tlast_i     (beat_i.last),
    .tvalid_i    (beat_valid_i),
    .tready_o    (beat_ready_o)
  );

  if (Config.Side) begin : gen_side
    // The engine has a record a burst in flight, at least 8, and 8 more.
    localparam int unsigned Records = Config.Outstanding < 8 ? 8 : 1 << $clog2(Config.Outstanding);
    tsr_receive_side #(
      .Transfers(2 * Records)
    ) u_side (
      .clk_i,
      .rst_ni  (engine_rst_n),
      .side_i,
      .accept_i(beat_valid_i && beat_ready_o),
      .mark_i  (marks),
      .side_o  (done_side_o),
      .record_i(done_valid && done_ready)
    );
  end else begin : gen_no_side
    logic unused_side;
    assign unused_side = ^{side_i, marks};
    assign done_side_o = '0;
  end

  logic rests;
  assign rests = Config.Windows != 0 && !control_o.open && state_i.idle;
  if (Config.Windows == 0) begin : gen_open
    assign bus_o      = engine_req;
    assign engine_rsp = bus_i;
    assign denied     = '0;
  end else begin : gen_window
    tsr_write_window #(
      .Config(Config)
    ) u_window (
      .clk_i,
      .rst_ni  (engine_rst_n),
      .window_i,
      .rests_i (rests),
      .denied_o(denied),
      .req_i   (engine_req),
      .rsp_o   (engine_rsp),
      .req_o   (bus_o),
      .rsp_i   (bus_i)
    );
  end

  // A closed way to the bus holds an address back: a reset drops it, and so does a window that goes.
  `TSR_ASSERT_NEXT(AwStays, bus_o.aw_valid && !bus_i.aw_ready && !control_o.clear && !rests,
                   bus_o.aw_valid && $past(bus_o.aw) == bus_o.aw)

endmodule
