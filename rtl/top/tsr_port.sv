// One AXI4 port and the channels of both directions that share it.
//
// Wiring only. Contract, latency, throughput: tsr_read_share, tsr_write_share.
`include "tsr_assert.svh"
`include "tsr_types.svh"
module tsr_port
  import tsr_fabric_pkg::*;
#(
  parameter  fabric_config_t Config        = FabricDefaults,
  localparam int unsigned    Reads         = Config.Reads / Config.Ports,
  localparam int unsigned    Writes        = Config.Writes / Config.Ports,
  localparam type            standing_t    = `TSR_STANDING_T(Config),
  localparam type            burst_t       = `TSR_BURST_T(Config),
  localparam type            w_t           = `TSR_W_T(Config),
  localparam type            ax_t          = `TSR_AX_T(Config),
  localparam type            read_req_t    = `TSR_READ_REQ_T(burst_t),
  localparam type            read_rsp_t    = `TSR_READ_RSP_T(Config),
  localparam type            write_req_t   = `TSR_WRITE_REQ_T(burst_t, w_t),
  localparam type            rd_port_req_t = `TSR_READ_PORT_REQ_T(ax_t),
  localparam type            rd_port_rsp_t = `TSR_READ_PORT_RSP_T(Config),
  localparam type            wr_port_req_t = `TSR_WRITE_PORT_REQ_T(ax_t, w_t),
  localparam type            wr_port_rsp_t = `TSR_WRITE_PORT_RSP_T(Config)
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  // The channels.
  input  standing_t    [ Reads-1:0] rd_standing_i,
  input  bus_control_t [ Reads-1:0] rd_control_i,
  output bus_state_t   [ Reads-1:0] rd_state_o,
  input  read_req_t    [ Reads-1:0] rd_i,
  output read_rsp_t    [ Reads-1:0] rd_o,
  input  standing_t    [Writes-1:0] wr_standing_i,
  input  bus_control_t [Writes-1:0] wr_control_i,
  output bus_state_t   [Writes-1:0] wr_state_o,
  input  write_req_t   [Writes-1:0] wr_i,
  output write_rsp_t   [Writes-1:0] wr_o,
  // The port; a handshake in it; responses that belong to no channel.
  output rd_port_req_t              rd_port_o,
  input  rd_port_rsp_t              rd_port_i,
  output wr_port_req_t              wr_port_o,
  input  wr_port_rsp_t              wr_port_i,
  output logic                      moves_o,
  output logic                      rd_stray_o,
  output logic                      wr_stray_o
);

  // A write burst whose stream may stall must not be first in line before those of others.
  `TSR_STATIC_ASSERT(
      StoreBeats, Config.StoreBeats != 0 || Writes == 1,
      ("StoreBeats = %0d; legal is a burst and more where writers share a port", Config.StoreBeats))

  tsr_read_share #(
    .Channels(Reads),
    .Config  (Config)
  ) u_read_share (
    .clk_i,
    .rst_ni,
    .standing_i(rd_standing_i),
    .control_i (rd_control_i),
    .state_o   (rd_state_o),
    .req_i     (rd_i),
    .rsp_o     (rd_o),
    .stray_o   (rd_stray_o),
    .port_o    (rd_port_o),
    .port_i    (rd_port_i)
  );

  tsr_write_share #(
    .Channels(Writes),
    .Config  (Config)
  ) u_write_share (
    .clk_i,
    .rst_ni,
    .standing_i(wr_standing_i),
    .control_i (wr_control_i),
    .state_o   (wr_state_o),
    .req_i     (wr_i),
    .rsp_o     (wr_o),
    .stray_o   (wr_stray_o),
    .port_o    (wr_port_o),
    .port_i    (wr_port_i)
  );

  assign moves_o = (rd_port_o.ar_valid && rd_port_i.ar_ready) ||
      (rd_port_o.r_ready && rd_port_i.r_valid) || (wr_port_o.aw_valid && wr_port_i.aw_ready) ||
      (wr_port_o.w_valid && wr_port_i.w_ready) || (wr_port_o.b_ready && wr_port_i.b_valid);

endmodule
