// Many read and write engines on one AXI4 port, or on several: wiring only.
//
// Read channel i and write channel i have stream, transfer, record and abort i of the packed arrays.
// The channels of a direction are dealt to `Ports` ports in equal groups, the lowest to port 0; the pins
// of all ports are arrays of `Ports`. Ports = Channels gives every channel a port of its own. On a port
// the channel (its place in the group) is the AXI ID, or with OneId everything has ID 0 and is in order.
// With Windows each channel has that many windows, set one at a time (read channels from 0 on, write
// channels from Reads on), and what none of them permits never reaches a port.
// With Control each channel can be paused, drained and reset, and all of them brought to rest before a reset
// of everything; with Guard (and Control) what memories and streams do wrong is found, named, and stays
// with its channel (tsr_channel_control, tsr_read_guard, tsr_write_guard, tsr_stream_guard, tsr_quiesce).
// How the sharing works and what to choose: tsr_read_share, tsr_write_share and docs/fabric.md.
`include "tsr_assert.svh"
module tsr_channels
  import tsr_pkg::*;
  import tsr_fabric_pkg::*;
#(
  parameter int unsigned Reads = 2,  // 1..16
  parameter int unsigned Writes = 2,  // 1..16
  parameter int unsigned Ports = 1,  // divides Reads and Writes
  parameter int unsigned AddrWidth = 64,  // 32..64
  parameter int unsigned DataWidth = 64,  // 32..1024, a power of two
  parameter int unsigned StreamWidth = 64,  // 8..1024, a power of two
  parameter int unsigned MaxBurst = 64,  // beats in one burst, 1..256
  parameter int unsigned Outstanding = 64,  // bursts a channel has in flight, 1..128
  parameter int unsigned RoomBeats = 256,  // read data a channel can hold; 0: none, it waits on R
  parameter int unsigned StoreBeats = 256,  // write data a channel can hold
  parameter int unsigned FlightBeats = 256,  // read data asked for on a port
  parameter int unsigned AheadBursts = 2,  // write addresses ahead of their data on a port
  parameter int unsigned FlightBursts = 64,  // with OneId: bursts in flight each way on a port
  parameter bit OneId = 1'b0,
  parameter bit Cut = 1'b0,  // a register before the choice: clock for a cycle
  parameter bit Control = 1'b0,  // pause, drain, reset, quiesce
  parameter bit Guard = 1'b0,  // finds what memories and streams do wrong; needs Control
  parameter int unsigned Silence = 4096,  // cycles after which the bus is not waited for any longer
  parameter int unsigned StreamSilence = 0,  // with Guard: nor a stream; 0: for ever
  parameter int unsigned Windows = 0,  // of a channel, 0..16; 0: everything is permitted
  parameter bit Walk = 1'b1,
  parameter bit Bounds = 1'b1,
  parameter int unsigned IdWidth = 4,
  parameter int unsigned WeightWidth = 4,
  parameter int unsigned UserWidth = 1,
  localparam int unsigned DataBytes = DataWidth / 8,
  localparam int unsigned StreamBytes = StreamWidth < 8 ? 1 : StreamWidth / 8
) (
  input logic aclk,
  input logic aresetn,
  // Memory to stream: transfers in, records out, abort, and how the channel stands on the bus.
  input transfer_t [Reads-1:0] rd_transfer_i,
  input logic [Reads-1:0] rd_valid_i,
  output logic [Reads-1:0] rd_ready_o,
  output done_t [Reads-1:0] rd_done_o,
  output logic [Reads-1:0] rd_done_valid_o,
  input logic [Reads-1:0] rd_done_ready_i,
  input logic [Reads-1:0] rd_abort_i,
  output logic [Reads-1:0] rd_idle_o,
  input logic [Reads-1:0][WeightWidth-1:0] rd_weight_i,
  input axi_attr_t [Reads-1:0] rd_attr_i,
  input logic [Reads-1:0][UserWidth-1:0] rd_user_i,
  // Stream to memory.
  input transfer_t [Writes-1:0] wr_transfer_i,
  input logic [Writes-1:0] wr_valid_i,
  output logic [Writes-1:0] wr_ready_o,
  output done_t [Writes-1:0] wr_done_o,
  output logic [Writes-1:0] wr_done_valid_o,
  input logic [Writes-1:0] wr_done_ready_i,
  input logic [Writes-1:0] wr_abort_i,
  output logic [Writes-1:0] wr_idle_o,
  output logic [Writes-1:0][7:0] wr_held_o,
  input logic [Writes-1:0][WeightWidth-1:0] wr_weight_i,
  input axi_attr_t [Writes-1:0] wr_attr_i,
  input logic [Writes-1:0][UserWidth-1:0] wr_user_i,
  // With Control: what channels are asked to do and how they are; all of them at rest; answers to nobody.
  input channel_control_t [Reads-1:0] rd_control_i,
  output channel_state_t [Reads-1:0] rd_state_o,
  input channel_control_t [Writes-1:0] wr_control_i,
  output channel_state_t [Writes-1:0] wr_state_o,
  input logic quiesce_i,
  output logic quiet_o,
  output logic timed_out_o,
  output logic [Ports-1:0] rd_stray_o,
  output logic [Ports-1:0] wr_stray_o,
  // Windows, and bursts that none permits, which end with DECERR.
  input logic window_valid_i,
  input logic [4:0] window_channel_i,
  input logic [3:0] window_index_i,
  input window_t window_i,
  output logic window_refused_o,
  output window_t [Reads+Writes-1:0][(Windows == 0 ? 1 : Windows)-1:0] windows_o,  // reads first
  output logic [Reads-1:0] rd_denied_o,
  output logic [Reads-1:0][AddrWidth-1:0] rd_denied_addr_o,
  output logic [Writes-1:0] wr_denied_o,
  output logic [Writes-1:0][AddrWidth-1:0] wr_denied_addr_o,
  // AXI4. ARSIZE and AWSIZE are the full width, ARBURST and AWBURST are INCR.
  output logic [Ports-1:0][IdWidth-1:0] m_axi_arid,
  output logic [Ports-1:0][AddrWidth-1:0] m_axi_araddr,
  output logic [Ports-1:0][7:0] m_axi_arlen,
  output logic [Ports-1:0][2:0] m_axi_arsize,
  output logic [Ports-1:0][1:0] m_axi_arburst,
  output logic [Ports-1:0][3:0] m_axi_arcache,
  output logic [Ports-1:0][2:0] m_axi_arprot,
  output logic [Ports-1:0][3:0] m_axi_arqos,
  output logic [Ports-1:0][UserWidth-1:0] m_axi_aruser,
  output logic [Ports-1:0] m_axi_arvalid,
  input logic [Ports-1:0] m_axi_arready,
  input logic [Ports-1:0][IdWidth-1:0] m_axi_rid,
  input logic [Ports-1:0][DataWidth-1:0] m_axi_rdata,
  input logic [Ports-1:0][1:0] m_axi_rresp,
  input logic [Ports-1:0] m_axi_rlast,
  input logic [Ports-1:0] m_axi_rvalid,
  output logic [Ports-1:0] m_axi_rready,
  output logic [Ports-1:0][IdWidth-1:0] m_axi_awid,
  output logic [Ports-1:0][AddrWidth-1:0] m_axi_awaddr,
  output logic [Ports-1:0][7:0] m_axi_awlen,
  output logic [Ports-1:0][2:0] m_axi_awsize,
  output logic [Ports-1:0][1:0] m_axi_awburst,
  output logic [Ports-1:0][3:0] m_axi_awcache,
  output logic [Ports-1:0][2:0] m_axi_awprot,
  output logic [Ports-1:0][3:0] m_axi_awqos,
  output logic [Ports-1:0][UserWidth-1:0] m_axi_awuser,
  output logic [Ports-1:0] m_axi_awvalid,
  input logic [Ports-1:0] m_axi_awready,
  output logic [Ports-1:0][DataWidth-1:0] m_axi_wdata,
  output logic [Ports-1:0][DataBytes-1:0] m_axi_wstrb,
  output logic [Ports-1:0] m_axi_wlast,
  output logic [Ports-1:0] m_axi_wvalid,
  input logic [Ports-1:0] m_axi_wready,
  input logic [Ports-1:0][IdWidth-1:0] m_axi_bid,
  input logic [Ports-1:0][1:0] m_axi_bresp,
  input logic [Ports-1:0] m_axi_bvalid,
  output logic [Ports-1:0] m_axi_bready,
  // AXI4-Stream.
  output logic [Reads-1:0][StreamWidth-1:0] m_axis_tdata,
  output logic [Reads-1:0][StreamBytes-1:0] m_axis_tkeep,
  output logic [Reads-1:0] m_axis_tlast,
  output logic [Reads-1:0] m_axis_tvalid,
  input logic [Reads-1:0] m_axis_tready,
  input logic [Writes-1:0][StreamWidth-1:0] s_axis_tdata,
  input logic [Writes-1:0][StreamBytes-1:0] s_axis_tkeep,
  input logic [Writes-1:0] s_axis_tlast,
  input logic [Writes-1:0] s_axis_tvalid,
  output logic [Writes-1:0] s_axis_tready
);

  localparam int unsigned PortReads = Reads / Ports;
  localparam int unsigned PortWrites = Writes / Ports;

  `TSR_STATIC_ASSERT(Reads, Reads >= 1 && Reads <= 16, ("Reads = %0d; legal is 1 to 16", Reads))
  `TSR_STATIC_ASSERT(Writes, Writes >= 1 && Writes <= 16,
                     ("Writes = %0d; legal is 1 to 16", Writes))
  `TSR_STATIC_ASSERT(Ports, Ports >= 1 && Reads % Ports == 0 && Writes % Ports == 0,
                     ("Ports = %0d; legal is what divides Reads and Writes", Ports))
  // A write burst whose stream may stall must not be first in line before those of others.
  `TSR_STATIC_ASSERT(
      StoreBeats, StoreBeats != 0 || PortWrites == 1,
      ("StoreBeats = %0d; legal is at least %0d where writers share a port", StoreBeats, MaxBurst))

  // Between channels and shares of ports.
  logic [Reads-1:0] rd_clear, rd_open, rd_none, rd_calm;
  logic [Writes-1:0] wr_clear, wr_open, wr_none, wr_calm;
  window_t [Reads-1:0][(Windows == 0 ? 1 : Windows)-1:0] rd_window;
  window_t [Writes-1:0][(Windows == 0 ? 1 : Windows)-1:0] wr_window;
  fault_e [Reads-1:0] rd_fault;
  fault_e [Writes-1:0] wr_fault;
  logic quiesce;
  logic [Reads-1:0][AddrWidth-1:0] araddr;
  logic [Reads-1:0][7:0] arlen;
  logic [Reads-1:0][1:0] rresp;
  logic [Reads-1:0] arvalid, arready, rvalid, rready, rlast;
  logic [Writes-1:0][AddrWidth-1:0] awaddr;
  logic [Writes-1:0][7:0] awlen;
  logic [Writes-1:0][1:0] bresp;
  logic [Writes-1:0] awvalid, awready, wlast, wvalid, wready, bvalid, bready;
  logic [Writes-1:0][DataWidth-1:0] wdata;
  logic [Writes-1:0][DataBytes-1:0] wstrb;

  assign windows_o = {wr_window, rd_window};

  if (Windows == 0) begin : gen_open
    logic unused_window;
    assign window_refused_o = window_valid_i;
    assign rd_window        = '0;
    assign wr_window        = '0;
    assign unused_window    = ^{window_channel_i, window_index_i, window_i};
  end else begin : gen_windows
    tsr_window_table #(
      .Channels(Reads + Writes),
      .Windows (Windows)
    ) u_table (
      .clk_i        (aclk),
      .rst_ni       (aresetn),
      .set_valid_i  (window_valid_i),
      .set_channel_i(window_channel_i),
      .set_index_i  (window_index_i),
      .set_window_i (window_i),
      .set_refused_o(window_refused_o),
      .window_o     ({wr_window, rd_window})
    );
  end

  for (genvar i = 0; i < Reads; i++) begin : gen_read
    tsr_read_channel #(
      .AddrWidth    (AddrWidth),
      .DataWidth    (DataWidth),
      .StreamWidth  (StreamWidth),
      .MaxBurst     (MaxBurst),
      .Outstanding  (Outstanding),
      .RoomBeats    (RoomBeats),
      .Control      (Control),
      .Guard        (Guard),
      .Silence      (Silence),
      .StreamSilence(StreamSilence),
      .Windows      (Windows),
      .Walk         (Walk),
      .Bounds       (Bounds)
    ) u_channel (
      .clk_i        (aclk),
      .rst_ni       (aresetn),
      .control_i    (rd_control_i[i]),
      .state_o      (rd_state_o[i]),
      .abort_i      (rd_abort_i[i]),
      .quiesce_i    (quiesce),
      .transfer_i   (rd_transfer_i[i]),
      .valid_i      (rd_valid_i[i]),
      .ready_o      (rd_ready_o[i]),
      .done_o       (rd_done_o[i]),
      .done_valid_o (rd_done_valid_o[i]),
      .done_ready_i (rd_done_ready_i[i]),
      .idle_o       (rd_idle_o[i]),
      .window_i     (rd_window[i]),
      .denied_o     (rd_denied_o[i]),
      .denied_addr_o(rd_denied_addr_o[i]),
      .open_o       (rd_open[i]),
      .clear_o      (rd_clear[i]),
      .none_i       (rd_none[i]),
      .calm_i       (rd_calm[i]),
      .fault_i      (rd_fault[i]),
      .araddr_o     (araddr[i]),
      .arlen_o      (arlen[i]),
      .arvalid_o    (arvalid[i]),
      .arready_i    (arready[i]),
      .rdata_i      (m_axi_rdata[i/PortReads]),
      .rresp_i      (rresp[i]),
      .rlast_i      (rlast[i]),
      .rvalid_i     (rvalid[i]),
      .rready_o     (rready[i]),
      .tdata_o      (m_axis_tdata[i]),
      .tkeep_o      (m_axis_tkeep[i]),
      .tlast_o      (m_axis_tlast[i]),
      .tvalid_o     (m_axis_tvalid[i]),
      .tready_i     (m_axis_tready[i])
    );
  end

  for (genvar i = 0; i < Writes; i++) begin : gen_write
    tsr_write_channel #(
      .AddrWidth    (AddrWidth),
      .DataWidth    (DataWidth),
      .StreamWidth  (StreamWidth),
      .MaxBurst     (MaxBurst),
      .Outstanding  (Outstanding),
      .StoreBeats   (StoreBeats),
      .Control      (Control),
      .Guard        (Guard),
      .Silence      (Silence),
      .StreamSilence(StreamSilence),
      .Windows      (Windows),
      .Walk         (Walk),
      .Bounds       (Bounds)
    ) u_channel (
      .clk_i        (aclk),
      .rst_ni       (aresetn),
      .control_i    (wr_control_i[i]),
      .state_o      (wr_state_o[i]),
      .abort_i      (wr_abort_i[i]),
      .quiesce_i    (quiesce),
      .transfer_i   (wr_transfer_i[i]),
      .valid_i      (wr_valid_i[i]),
      .ready_o      (wr_ready_o[i]),
      .done_o       (wr_done_o[i]),
      .done_valid_o (wr_done_valid_o[i]),
      .done_ready_i (wr_done_ready_i[i]),
      .idle_o       (wr_idle_o[i]),
      .held_o       (wr_held_o[i]),
      .window_i     (wr_window[i]),
      .denied_o     (wr_denied_o[i]),
      .denied_addr_o(wr_denied_addr_o[i]),
      .open_o       (wr_open[i]),
      .clear_o      (wr_clear[i]),
      .none_i       (wr_none[i]),
      .calm_i       (wr_calm[i]),
      .fault_i      (wr_fault[i]),
      .awaddr_o     (awaddr[i]),
      .awlen_o      (awlen[i]),
      .awvalid_o    (awvalid[i]),
      .awready_i    (awready[i]),
      .wdata_o      (wdata[i]),
      .wstrb_o      (wstrb[i]),
      .wlast_o      (wlast[i]),
      .wvalid_o     (wvalid[i]),
      .wready_i     (wready[i]),
      .bresp_i      (bresp[i]),
      .bvalid_i     (bvalid[i]),
      .bready_o     (bready[i]),
      .tdata_i      (s_axis_tdata[i]),
      .tkeep_i      (s_axis_tkeep[i]),
      .tlast_i      (s_axis_tlast[i]),
      .tvalid_i     (s_axis_tvalid[i]),
      .tready_o     (s_axis_tready[i])
    );
  end

  if (Control) begin : gen_quiesce
    logic moves;
    assign moves = ((m_axi_arvalid & m_axi_arready) | (m_axi_rvalid & m_axi_rready) |
                    (m_axi_awvalid & m_axi_awready) | (m_axi_wvalid & m_axi_wready) |
                    (m_axi_bvalid & m_axi_bready)) != '0;
    tsr_quiesce #(
      .Channels(Reads + Writes),
      .Patience(Silence)
    ) u_quiesce (
      .clk_i    (aclk),
      .rst_ni   (aresetn),
      .request_i(quiesce_i),
      .quiesce_o(quiesce),
      .quiet_o,
      .timed_out_o,
      .none_i   ({rd_none, wr_none}),
      .moves_i  (moves)
    );
  end else begin : gen_restless
    logic unused_quiesce;
    assign unused_quiesce = quiesce_i;
    assign quiesce        = 1'b0;
    assign quiet_o        = 1'b0;
    assign timed_out_o    = 1'b0;
  end

  for (genvar p = 0; p < Ports; p++) begin : gen_port
    localparam int unsigned R = p * PortReads;
    localparam int unsigned W = p * PortWrites;
    axi_attr_t ar_attr, aw_attr;

    tsr_read_share #(
      .Channels    (PortReads),
      .AddrWidth   (AddrWidth),
      .MaxBurst    (MaxBurst),
      .FlightBeats (FlightBeats),
      .OneId       (OneId),
      .FlightBursts(FlightBursts),
      .IdWidth     (IdWidth),
      .WeightWidth (WeightWidth),
      .UserWidth   (UserWidth),
      .Cut         (Cut),
      .Control     (Control),
      .Guard       (Guard),
      .Outstanding (Outstanding),
      .Silence     (Silence)
    ) u_read_share (
      .clk_i    (aclk),
      .rst_ni   (aresetn),
      .open_i   (rd_open[R+:PortReads]),
      .clear_i  (rd_clear[R+:PortReads]),
      .none_o   (rd_none[R+:PortReads]),
      .calm_o   (rd_calm[R+:PortReads]),
      .fault_o  (rd_fault[R+:PortReads]),
      .stray_o  (rd_stray_o[p]),
      .weight_i (rd_weight_i[R+:PortReads]),
      .attr_i   (rd_attr_i[R+:PortReads]),
      .user_i   (rd_user_i[R+:PortReads]),
      .araddr_i (araddr[R+:PortReads]),
      .arlen_i  (arlen[R+:PortReads]),
      .arvalid_i(arvalid[R+:PortReads]),
      .arready_o(arready[R+:PortReads]),
      .rresp_o  (rresp[R+:PortReads]),
      .rlast_o  (rlast[R+:PortReads]),
      .rvalid_o (rvalid[R+:PortReads]),
      .rready_i (rready[R+:PortReads]),
      .arid_o   (m_axi_arid[p]),
      .araddr_o (m_axi_araddr[p]),
      .arlen_o  (m_axi_arlen[p]),
      .arattr_o (ar_attr),
      .aruser_o (m_axi_aruser[p]),
      .arvalid_o(m_axi_arvalid[p]),
      .arready_i(m_axi_arready[p]),
      .rid_i    (m_axi_rid[p]),
      .rresp_i  (m_axi_rresp[p]),
      .rlast_i  (m_axi_rlast[p]),
      .rvalid_i (m_axi_rvalid[p]),
      .rready_o (m_axi_rready[p])
    );

    tsr_write_share #(
      .Channels    (PortWrites),
      .AddrWidth   (AddrWidth),
      .DataWidth   (DataWidth),
      .MaxBurst    (MaxBurst),
      .Outstanding (Outstanding),
      .AheadBursts (AheadBursts),
      .OneId       (OneId),
      .FlightBursts(FlightBursts),
      .IdWidth     (IdWidth),
      .WeightWidth (WeightWidth),
      .UserWidth   (UserWidth),
      .Cut         (Cut),
      .Control     (Control),
      .Guard       (Guard),
      .Silence     (Silence)
    ) u_write_share (
      .clk_i    (aclk),
      .rst_ni   (aresetn),
      .open_i   (wr_open[W+:PortWrites]),
      .clear_i  (wr_clear[W+:PortWrites]),
      .none_o   (wr_none[W+:PortWrites]),
      .calm_o   (wr_calm[W+:PortWrites]),
      .fault_o  (wr_fault[W+:PortWrites]),
      .stray_o  (wr_stray_o[p]),
      .weight_i (wr_weight_i[W+:PortWrites]),
      .attr_i   (wr_attr_i[W+:PortWrites]),
      .user_i   (wr_user_i[W+:PortWrites]),
      .awaddr_i (awaddr[W+:PortWrites]),
      .awlen_i  (awlen[W+:PortWrites]),
      .awvalid_i(awvalid[W+:PortWrites]),
      .awready_o(awready[W+:PortWrites]),
      .wdata_i  (wdata[W+:PortWrites]),
      .wstrb_i  (wstrb[W+:PortWrites]),
      .wlast_i  (wlast[W+:PortWrites]),
      .wvalid_i (wvalid[W+:PortWrites]),
      .wready_o (wready[W+:PortWrites]),
      .bresp_o  (bresp[W+:PortWrites]),
      .bvalid_o (bvalid[W+:PortWrites]),
      .bready_i (bready[W+:PortWrites]),
      .awid_o   (m_axi_awid[p]),
      .awaddr_o (m_axi_awaddr[p]),
      .awlen_o  (m_axi_awlen[p]),
      .awattr_o (aw_attr),
      .awuser_o (m_axi_awuser[p]),
      .awvalid_o(m_axi_awvalid[p]),
      .awready_i(m_axi_awready[p]),
      .wdata_o  (m_axi_wdata[p]),
      .wstrb_o  (m_axi_wstrb[p]),
      .wlast_o  (m_axi_wlast[p]),
      .wvalid_o (m_axi_wvalid[p]),
      .wready_i (m_axi_wready[p]),
      .bid_i    (m_axi_bid[p]),
      .bresp_i  (m_axi_bresp[p]),
      .bvalid_i (m_axi_bvalid[p]),
      .bready_o (m_axi_bready[p])
    );

    assign m_axi_arsize[p]  = 3'($clog2(DataBytes));
    assign m_axi_arburst[p] = 2'b01;
    assign m_axi_arqos[p]   = ar_attr.qos;
    assign m_axi_arcache[p] = ar_attr.cache;
    assign m_axi_arprot[p]  = ar_attr.prot;
    assign m_axi_awsize[p]  = 3'($clog2(DataBytes));
    assign m_axi_awburst[p] = 2'b01;
    assign m_axi_awqos[p]   = aw_attr.qos;
    assign m_axi_awcache[p] = aw_attr.cache;
    assign m_axi_awprot[p]  = aw_attr.prot;
  end

endmodule
