// One read channel: the engine, what stands around it, and its way to the bus through its windows.
//
// Wiring only. Contract, latency, throughput: tsr_read_engine, tsr_channel_shell, tsr_read_window.
`include "tsr_assert.svh"
module tsr_read_channel
  import tsr_pkg::*;
  import tsr_fabric_pkg::*;
#(
  parameter  int unsigned AddrWidth     = 64,
  parameter  int unsigned DataWidth     = 64,
  parameter  int unsigned StreamWidth   = 64,
  parameter  int unsigned MaxBurst      = 64,
  parameter  int unsigned Outstanding   = 64,
  parameter  int unsigned RoomBeats     = 256,
  parameter  bit          Control       = 1'b0,
  parameter  bit          Guard         = 1'b0,
  parameter  int unsigned Silence       = 4096,
  parameter  int unsigned StreamSilence = 0,
  parameter  int unsigned Windows       = 0,
  parameter  bit          Walk          = 1'b1,
  parameter  bit          Bounds        = 1'b1,
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
  input  window_t          [      Shown-1:0] window_i,
  output logic                               denied_o,
  output logic             [  AddrWidth-1:0] denied_addr_o,
  // The share of the port.
  output logic                               open_o,
  output logic                               clear_o,
  input  logic                               none_i,
  input  logic                               calm_i,
  input  fault_e                             fault_i,
  output logic             [  AddrWidth-1:0] araddr_o,
  output logic             [            7:0] arlen_o,
  output logic                               arvalid_o,
  input  logic                               arready_i,
  input  logic             [  DataWidth-1:0] rdata_i,
  input  logic             [            1:0] rresp_i,
  input  logic                               rlast_i,
  input  logic                               rvalid_i,
  output logic                               rready_o,
  // The stream.
  output logic             [StreamWidth-1:0] tdata_o,
  output logic             [StreamBytes-1:0] tkeep_o,
  output logic                               tlast_o,
  output logic                               tvalid_o,
  input  logic                               tready_i
);

  logic engine_rst_n, abort, idle, valid, ready, done_valid, done_ready, refused;
  logic [AddrWidth-1:0] refused_addr, araddr;
  done_t done;
  logic [7:0] arlen;
  logic [1:0] rresp;
  logic arvalid, arready, rlast, rvalid, rready;

  tsr_channel_shell #(
    .Control      (Control),
    .Guard        (Guard),
    .Incoming     (1'b0),
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
    .beat_i       ({tlast_o, tkeep_o, tdata_o}),
    .beat_valid_i (tvalid_o),
    .beat_ready_i (tready_i),
    .open_o,
    .clear_o,
    .none_i,
    .calm_i,
    .bus_fault_i  (fault_i)
  );

  tsr_read_engine #(
    .AddrWidth  (AddrWidth),
    .DataWidth  (DataWidth),
    .StreamWidth(StreamWidth),
    .MaxBurst   (MaxBurst),
    .Outstanding(Outstanding),
    .RoomBeats  (RoomBeats),
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
    .araddr_o    (araddr),
    .arlen_o     (arlen),
    .arvalid_o   (arvalid),
    .arready_i   (arready),
    .rdata_i,
    .rresp_i     (rresp),
    .rlast_i     (rlast),
    .rvalid_i    (rvalid),
    .rready_o    (rready),
    .tdata_o,
    .tkeep_o,
    .tlast_o,
    .tvalid_o,
    .tready_i
  );

  if (Windows == 0) begin : gen_open
    assign araddr_o      = araddr;
    assign arlen_o       = arlen;
    assign arvalid_o     = arvalid;
    assign arready       = arready_i;
    assign rresp         = rresp_i;
    assign rlast         = rlast_i;
    assign rvalid        = rvalid_i;
    assign rready_o      = rready;
    assign denied_o      = refused;
    assign denied_addr_o = refused_addr;
  end else begin : gen_window
    logic denied;
    logic [AddrWidth-1:0] denied_addr;
    assign denied_o      = denied || refused;
    assign denied_addr_o = denied ? denied_addr : refused_addr;

    tsr_read_window #(
      .AddrWidth(AddrWidth),
      .Windows  (Windows)
    ) u_window (
      .clk_i,
      .rst_ni       (engine_rst_n),
      .window_i,
      .denied_o     (denied),
      .denied_addr_o(denied_addr),
      .araddr_i     (araddr),
      .arlen_i      (arlen),
      .arvalid_i    (arvalid),
      .arready_o    (arready),
      .rresp_o      (rresp),
      .rlast_o      (rlast),
      .rvalid_o     (rvalid),
      .rready_i     (rready),
      .araddr_o,
      .arlen_o,
      .arvalid_o,
      .arready_i,
      .rresp_i,
      .rlast_i,
      .rvalid_i,
      .rready_o
    );
  end

  // What a closed way to the bus holds back goes with a reset.
  `TSR_ASSERT_NEXT(ArStays, arvalid_o && !arready_i && !clear_o, arvalid_o && $past
                   ({araddr_o, arlen_o}) == {araddr_o, arlen_o})

endmodule
