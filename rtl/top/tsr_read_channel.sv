// One read channel: the engine, what stands around it, and its way to the bus through its windows.
//
// Wiring only. Contract, latency, throughput: tsr_read_engine, tsr_channel_shell, tsr_read_window.
`include "tsr_assert.svh"
`include "tsr_types.svh"
module tsr_read_channel
  import tsr_pkg::*;
  import tsr_fabric_pkg::*;
  import tsr_channel_pkg::*;
#(
  parameter  fabric_config_t Config      = FabricDefaults,
  localparam int unsigned    StreamBytes = Config.StreamWidth < 8 ? 1 : Config.StreamWidth / 8,
  localparam int unsigned    Shown       = Config.Windows == 0 ? 1 : Config.Windows,
  localparam type            burst_t     = `TSR_BURST_T(Config),
  localparam type            bus_req_t   = `TSR_READ_REQ_T(burst_t),
  localparam type            bus_rsp_t   = `TSR_READ_RSP_T(Config),
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
  input  bus_rsp_t                     bus_i,
  // The stream. With Side, what is beside it: of the transfer, of the beat.
  input  side_t                        side_i,
  input  header_request_t              header_i,
  output side_t                        side_o,
  output beat_t                        beat_o,
  output logic                         beat_valid_o,
  input  logic                         beat_ready_i
);

  logic engine_rst_n, aborts, idle, valid, ready, done_valid, done_ready;
  done_t done;
  read_mark_t marks;
  beat_t beat;
  logic beat_valid, beat_ready, side_idle;
  denied_t  denied;
  bus_req_t engine_req;
  bus_rsp_t engine_rsp;

  tsr_channel_shell #(
    .Config  (Config),
    .Incoming(1'b0),
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
    .idle_i       (idle && side_idle),
    .held_i       ('0),
    .valid_o      (valid),
    .ready_i      (ready),
    .done_i       (done),
    .done_valid_i (done_valid),
    .done_ready_o (done_ready),
    .excuse_i     (1'b0),
    .beat_i       (beat_o),
    .beat_valid_i (beat_valid_o),
    .beat_ready_i,
    .bus_o        (control_o),
    .bus_i        (state_i),
    .denied_i     (denied)
  );

  tsr_read_engine #(
    .AddrWidth  (Config.AddrWidth),
    .DataWidth  (Config.DataWidth),
    .StreamWidth(Config.StreamWidth),
    .MaxBurst   (Config.MaxBurst),
    .Outstanding(Config.Outstanding),
    .RoomBeats  (Config.RoomBeats),
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
    .mark_o      (marks),
    .araddr_o    (engine_req.ar.addr),
    .arlen_o     (engine_req.ar.len),
    .arvalid_o   (engine_req.ar_valid),
    .arready_i   (engine_rsp.ar_ready),
    .rdata_i     (engine_rsp.r_data),
    .rresp_i     (engine_rsp.r.resp),
    .rlast_i     (engine_rsp.r.last),
    .rvalid_i    (engine_rsp.r_valid),
    .rready_o    (engine_req.r_ready),
    .tdata_o     (beat.data),
    .tkeep_o     (beat.keep),
    .tlast_o     (beat.last),
    .tvalid_o    (beat_valid),
    .tready_i    (beat_ready)
  );

  if (Config.Side) begin : gen_side
    // The engine has an item a burst in flight, at least 8, and a transfer each in its 16 beats and its stages.
    localparam int unsigned Items = Config.Outstanding < 8 ? 8 : 1 << $clog2(Config.Outstanding);
    tsr_send_side #(
      .Bytes    (StreamBytes),
      .Headers  (Config.Headers),
      .Column   (Config.Column),
      .Row      (Config.Row),
      .Transfers(1 << $clog2(Items + 32))
    ) u_side (
      .clk_i,
      .rst_ni  (engine_rst_n),
      .side_i,
      .header_i,
      .offer_i (valid),
      .accept_i(valid && ready),
      .mark_i  (marks),
      .beat_i  (beat),
      .valid_i (beat_valid),
      .ready_o (beat_ready),
      .side_o,
      .beat_o,
      .valid_o (beat_valid_o),
      .ready_i (beat_ready_i),
      .idle_o  (side_idle)
    );
  end else begin : gen_no_side
    logic unused_side;
    assign unused_side  = ^{side_i, header_i, marks};
    assign side_o       = '0;
    assign beat_o       = beat;
    assign beat_valid_o = beat_valid;
    assign beat_ready   = beat_ready_i;
    assign side_idle    = 1'b1;
  end

  logic rests;
  assign rests = Config.Windows != 0 && !control_o.open && state_i.idle;
  if (Config.Windows == 0) begin : gen_open
    assign bus_o      = engine_req;
    assign engine_rsp = bus_i;
    assign denied     = '0;
  end else begin : gen_window
    tsr_read_window #(
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
  `TSR_ASSERT_NEXT(ArStays, bus_o.ar_valid && !bus_i.ar_ready && !control_o.clear && !rests,
                   bus_o.ar_valid && $past(bus_o.ar) == bus_o.ar)

endmodule
