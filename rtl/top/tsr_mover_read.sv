// One read channel of a kernel: its list, or with Ranges its address and size, and its engine.
//
// Wiring only. Contract, latency, throughput: tsr_mover_list, tsr_mover_run, tsr_read_engine.
`include "tsr_assert.svh"
`include "tsr_types.svh"
module tsr_mover_read
  import tsr_pkg::*;
  import tsr_fabric_pkg::*;
  import tsr_mover_pkg::*;
#(
  parameter  fabric_config_t Config       = FabricDefaults,
  parameter  bit             Ranges       = 1'b0,
  parameter  int unsigned    ElementBytes = 8,
  parameter  int unsigned    ListDepth    = 128,
  parameter  int unsigned    ListBurst    = 16,
  localparam fabric_config_t ListConfig   = mover_list_config(Config.AddrWidth),
  localparam type            burst_t      = `TSR_BURST_T(Config),
  localparam type            bus_req_t    = `TSR_READ_REQ_T(burst_t),
  localparam type            bus_rsp_t    = `TSR_READ_RSP_T(Config),
  localparam type            list_rsp_t   = `TSR_READ_RSP_T(ListConfig),
  localparam type            beat_t       = `TSR_BEAT_T(Config.StreamWidth / 8)
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  logic                          start_i,
  input  logic         [CycleWidth-1:0] cycle_i,
  input  mover_setup_t                  setup_i,
  output mover_view_t                   view_o,
  output bus_req_t                      list_o,
  input  list_rsp_t                     list_i,
  output bus_req_t                      bus_o,
  input  bus_rsp_t                      bus_i,
  output beat_t                         beat_o,
  output logic                          beat_valid_o,
  input  logic                          beat_ready_i
);

  transfer_t transfer;
  mover_source_t source;
  done_t done;
  logic valid, ready, done_valid, stop, clear, unused_idle;
  read_mark_t unused_marks;

  if (Ranges) begin : gen_range
    tsr_mover_range #(
      .AddrWidth(Config.AddrWidth)
    ) u_range (
      .clk_i,
      .rst_ni,
      .start_i,
      .setup_i,
      .stop_i    (stop),
      .source_o  (source),
      .transfer_o(transfer),
      .valid_o   (valid),
      .ready_i   (ready)
    );
    assign list_o = '0;
    logic unused_list;
    assign unused_list = ^list_i;
  end else begin : gen_list
    tsr_mover_list #(
      .AddrWidth   (Config.AddrWidth),
      .DataWidth   (Config.DataWidth),
      .ElementBytes(ElementBytes),
      .Patterns    (Config.Walk),
      .ListDepth   (ListDepth),
      .ListBurst   (ListBurst)
    ) u_list (
      .clk_i,
      .rst_ni,
      .start_i,
      .setup_i,
      .stop_i    (stop),
      .source_o  (source),
      .transfer_o(transfer),
      .valid_o   (valid),
      .ready_i   (ready),
      .araddr_o  (list_o.ar.addr),
      .arlen_o   (list_o.ar.len),
      .arvalid_o (list_o.ar_valid),
      .arready_i (list_i.ar_ready),
      .rdata_i   (list_i.r_data),
      .rresp_i   (list_i.r.resp),
      .rvalid_i  (list_i.r_valid),
      .rready_o  (list_o.r_ready)
    );
  end

  tsr_mover_run u_run (
    .clk_i,
    .rst_ni,
    .start_i,
    .cycle_i,
    .stop_o      (stop),
    .clear_o     (clear),
    .view_o,
    .source_i    (source),
    .taken_i     (valid && ready),
    .done_i      (done),
    .done_valid_i(done_valid),
    .beat_i      (beat_valid_o && beat_ready_i)
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
    .rst_ni      (rst_ni && !clear),
    .transfer_i  (transfer),
    .valid_i     (valid),
    .ready_o     (ready),
    .done_o      (done),
    .done_valid_o(done_valid),
    .done_ready_i(1'b1),
    .abort_i     (1'b0),
    .idle_o      (unused_idle),
    .mark_o      (unused_marks),
    .araddr_o    (bus_o.ar.addr),
    .arlen_o     (bus_o.ar.len),
    .arvalid_o   (bus_o.ar_valid),
    .arready_i   (bus_i.ar_ready),
    .rdata_i     (bus_i.r_data),
    .rresp_i     (bus_i.r.resp),
    .rlast_i     (bus_i.r.last),
    .rvalid_i    (bus_i.r_valid),
    .rready_o    (bus_o.r_ready),
    .tdata_o     (beat_o.data),
    .tkeep_o     (beat_o.keep),
    .tlast_o     (beat_o.last),
    .tvalid_o    (beat_valid_o),
    .tready_i    (beat_ready_i)
  );

  logic unused_last;
  assign unused_last = list_i.r.last;

  `TSR_ASSERT_NEXT(BeatStays, beat_valid_o && !beat_ready_i, beat_valid_o)

endmodule
