// One write channel: the engine, what stands around it, and its way to the bus through its windows.
//
// Wiring only. Contract, latency, throughput: tsr_write_engine, tsr_channel_shell, tsr_write_window.
`include "tsr_assert.svh"
module tsr_write_channel
  import tsr_pkg::*;
  import tsr_fabric_pkg::*;
#(
  parameter  int unsigned AddrWidth     = 64,
  parameter  int unsigned DataWidth     = 64,
  parameter  int unsigned StreamWidth   = 64,
  parameter  int unsigned MaxBurst      = 64,
  parameter  int unsigned Outstanding   = 64,
  parameter  int unsigned StoreBeats    = 256,
  parameter  bit          Control       = 1'b0,
  parameter  bit          Guard         = 1'b0,
  parameter  int unsigned Silence       = 4096,
  parameter  int unsigned StreamSilence = 0,
  parameter  int unsigned Windows       = 0,
  parameter  bit          Walk          = 1'b1,
  parameter  bit          Bounds        = 1'b1,
  localparam int unsigned DataBytes     = DataWidth / 8,
  localparam int unsigned StreamBytes   = StreamWidth < 8 ? 1 : StreamWidth / 8,
  localparam int unsigned Shown         = Windows == 0 ? 1 : Windows
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,
  // Outside.
  input  channel_control_t                   control_i,
  output channel_state_t                     state_o,
  input  logic                               abort_i,
  input  logic                               quiesce_i,
  input  transfer_t                          transfer_i,
  input  logic                               valid_i,
  output logic                               ready_o,
  output done_t                              done_o,
  output logic                               done_valid_o,
  input  logic                               done_ready_i,
  output logic                               idle_o,
  output logic             [            7:0] held_o,
  input  window_t          [      Shown-1:0] window_i,
  output logic                               denied_o,
  output logic             [  AddrWidth-1:0] denied_addr_o,
  // The share of the port.
  output logic                               open_o,
  output logic                               clear_o,
  input  logic                               none_i,
  input  logic                               calm_i,
  input  fault_e                             fault_i,
  output logic             [  AddrWidth-1:0] awaddr_o,
  output logic             [            7:0] awlen_o,
  output logic                               awvalid_o,
  input  logic                               awready_i,
  output logic             [  DataWidth-1:0] wdata_o,
  output logic             [  DataBytes-1:0] wstrb_o,
  output logic                               wlast_o,
  output logic                               wvalid_o,
  input  logic                               wready_i,
  input  logic             [            1:0] bresp_i,
  input  logic                               bvalid_i,
  output logic                               bready_o,
  // The stream.
  input  logic             [StreamWidth-1:0] tdata_i,
  input  logic             [StreamBytes-1:0] tkeep_i,
  input  logic                               tlast_i,
  input  logic                               tvalid_i,
  output logic                               tready_o
);

  logic engine_rst_n, abort, idle, valid, ready, done_valid, done_ready, refused;
  logic [AddrWidth-1:0] refused_addr, awaddr;
  done_t done;
  logic [7:0] awlen;
  logic [1:0] bresp;
  logic awvalid, awready, wvalid, wready, bvalid, bready;

  tsr_channel_shell #(
    .Control      (Control),
    .Guard        (Guard),
    .Incoming     (1'b1),
    .BeatBits     (StreamWidth + StreamBytes + 1),
    .AddrWidth    (AddrWidth),
    .Windows      (Windows),
    .Walk         (Walk),
    .Bounds       (Bounds),
    .Silence      (Silence),
    .StreamSilence(StreamSilence)
  ) u_shell (
    .clk_i,
    .rst_ni,
    .control_i,
    .state_o,
    .abort_i,
    .quiesce_i,
    .transfer_i,
    .valid_i,
    .ready_o,
    .done_o,
    .done_valid_o,
    .done_ready_i,
    .idle_o,
    .window_i,
    .denied_o     (refused),
    .denied_addr_o(refused_addr),
    .engine_rst_no(engine_rst_n),
    .abort_o      (abort),
    .idle_i       (idle),
    .valid_o      (valid),
    .ready_i      (ready),
    .done_i       (done),
    .done_valid_i (done_valid),
    .done_ready_o (done_ready),
    .beat_i       ({tlast_i, tkeep_i, tdata_i}),
    .beat_valid_i (tvalid_i),
    .beat_ready_i (tready_o),
    .open_o,
    .clear_o,
    .none_i,
    .calm_i,
    .bus_fault_i  (fault_i)
  );

  tsr_write_engine #(
    .AddrWidth  (AddrWidth),
    .DataWidth  (DataWidth),
    .StreamWidth(StreamWidth),
    .MaxBurst   (MaxBurst),
    .Outstanding(Outstanding),
    .StoreBeats (StoreBeats),
    .Walk       (Walk),
    .Bounds     (Bounds)
  ) u_engine (
    .clk_i,
    .rst_ni      (engine_rst_n),
    .transfer_i,
    .valid_i     (valid),
    .ready_o     (ready),
    .done_o      (done),
    .done_valid_o(done_valid),
    .done_ready_i(done_ready),
    .abort_i     (abort),
    .idle_o      (idle),
    .held_o,
    .awaddr_o    (awaddr),
    .awlen_o     (awlen),
    .awvalid_o   (awvalid),
    .awready_i   (awready),
    .wdata_o,
    .wstrb_o,
    .wlast_o,
    .wvalid_o    (wvalid),
    .wready_i    (wready),
    .bresp_i     (bresp),
    .bvalid_i    (bvalid),
    .bready_o    (bready),
    .tdata_i,
    .tkeep_i,
    .tlast_i,
    .tvalid_i,
    .tready_o
  );

  if (Windows == 0) begin : gen_open
    assign awaddr_o      = awaddr;
    assign awlen_o       = awlen;
    assign awvalid_o     = awvalid;
    assign awready       = awready_i;
    assign wvalid_o      = wvalid;
    assign wready        = wready_i;
    assign bresp         = bresp_i;
    assign bvalid        = bvalid_i;
    assign bready_o      = bready;
    assign denied_o      = refused;
    assign denied_addr_o = refused_addr;
  end else begin : gen_window
    logic denied;
    logic [AddrWidth-1:0] denied_addr;
    assign denied_o      = denied || refused;
    assign denied_addr_o = denied ? denied_addr : refused_addr;

    tsr_write_window #(
      .AddrWidth(AddrWidth),
      .Windows  (Windows)
    ) u_window (
      .clk_i,
      .rst_ni       (engine_rst_n),
      .window_i,
      .denied_o     (denied),
      .denied_addr_o(denied_addr),
      .awaddr_i     (awaddr),
      .awlen_i      (awlen),
      .awvalid_i    (awvalid),
      .awready_o    (awready),
      .wlast_i      (wlast_o),
      .wvalid_i     (wvalid),
      .wready_o     (wready),
      .bresp_o      (bresp),
      .bvalid_o     (bvalid),
      .bready_i     (bready),
      .awaddr_o,
      .awlen_o,
      .awvalid_o,
      .awready_i,
      .wvalid_o,
      .wready_i,
      .bresp_i,
      .bvalid_i,
      .bready_o
    );
  end

  // What a closed way to the bus holds back goes with a reset.
  `TSR_ASSERT_NEXT(AwStays, awvalid_o && !awready_i && !clear_o, awvalid_o && $past
                   ({awaddr_o, awlen_o}) == {awaddr_o, awlen_o})

endmodule
