// One read engine and one write engine on the two halves of an AXI4 port: the smallest useful Tessera,
// and the top that the engine-level tests, the bench and the simulation library run.
//
// With `Loopback` the stream of the read engine feeds the write engine (memory to memory) and both
// stream ports are idle. Wiring only.
`include "tsr_assert.svh"
module tsr_engine_pair
  import tsr_pkg::*;
#(
  parameter int unsigned AddrWidth = 64,  // 32..64
  parameter int unsigned DataWidth = 64,  // 32..1024, a power of two
  parameter int unsigned StreamWidth = 64,  // 8..1024, a power of two
  parameter int unsigned MaxBurst = 64,  // beats in one burst, 1..256
  parameter int unsigned Outstanding = 64,  // bursts in flight each way, 1..128
  parameter bit Walk = 1'b1,  // outer traversal
  parameter bit Bounds = 1'b1,  // bounds, fill and drop
  parameter bit Loopback = 1'b0,
  localparam int unsigned DataBytes = DataWidth / 8,
  localparam int unsigned StreamBytes = StreamWidth < 8 ? 1 : StreamWidth / 8
) (
  input logic aclk,
  input logic aresetn,
  // Memory to stream: transfers in, records out, abort.
  input transfer_t rd_transfer_i,
  input logic rd_valid_i,
  output logic rd_ready_o,
  output done_t rd_done_o,
  output logic rd_done_valid_o,
  input logic rd_done_ready_i,
  input logic rd_abort_i,
  output logic rd_idle_o,
  // Stream to memory.
  input transfer_t wr_transfer_i,
  input logic wr_valid_i,
  output logic wr_ready_o,
  output done_t wr_done_o,
  output logic wr_done_valid_o,
  input logic wr_done_ready_i,
  input logic wr_abort_i,
  output logic wr_idle_o,
  output logic [7:0] wr_held_o,  // bytes kept of the last beat for the next transfer
  // AXI4, one ID. ARSIZE and AWSIZE are the full width, ARBURST and AWBURST are INCR.
  output logic [AddrWidth-1:0] m_axi_araddr,
  output logic [7:0] m_axi_arlen,
  output logic [2:0] m_axi_arsize,
  output logic [1:0] m_axi_arburst,
  output logic m_axi_arvalid,
  input logic m_axi_arready,
  input logic [DataWidth-1:0] m_axi_rdata,
  input logic [1:0] m_axi_rresp,
  input logic m_axi_rlast,
  input logic m_axi_rvalid,
  output logic m_axi_rready,
  output logic [AddrWidth-1:0] m_axi_awaddr,
  output logic [7:0] m_axi_awlen,
  output logic [2:0] m_axi_awsize,
  output logic [1:0] m_axi_awburst,
  output logic m_axi_awvalid,
  input logic m_axi_awready,
  output logic [DataWidth-1:0] m_axi_wdata,
  output logic [DataBytes-1:0] m_axi_wstrb,
  output logic m_axi_wlast,
  output logic m_axi_wvalid,
  input logic m_axi_wready,
  input logic [1:0] m_axi_bresp,
  input logic m_axi_bvalid,
  output logic m_axi_bready,
  // AXI4-Stream.
  output logic [StreamWidth-1:0] m_axis_tdata,
  output logic [StreamBytes-1:0] m_axis_tkeep,
  output logic m_axis_tlast,
  output logic m_axis_tvalid,
  input logic m_axis_tready,
  input logic [StreamWidth-1:0] s_axis_tdata,
  input logic [StreamBytes-1:0] s_axis_tkeep,
  input logic s_axis_tlast,
  input logic s_axis_tvalid,
  output logic s_axis_tready
);

  // Between two engines that share a memory, data that was asked for must find room, and a burst that
  // was begun must not wait for data: then neither can hold up the other.
  localparam int unsigned BurstPower = 1 << $clog2(MaxBurst);
  localparam int unsigned LoopBeats = BurstPower < 64 ? 256 : 4 * BurstPower;
  `TSR_STATIC_ASSERT(LoopBeats, LoopBeats >= 2 * MaxBurst,
                     ("MaxBurst = %0d; legal is at most half of %0d", MaxBurst, LoopBeats))

  logic [StreamWidth-1:0] from_tdata, to_tdata;
  logic [StreamBytes-1:0] from_tkeep, to_tkeep;
  logic from_tlast, from_tvalid, from_tready, to_tlast, to_tvalid, to_tready;

  read_mark_t  unused_rd_mark;
  write_mark_t unused_wr_mark;

  tsr_read_engine #(
    .AddrWidth  (AddrWidth),
    .DataWidth  (DataWidth),
    .StreamWidth(StreamWidth),
    .MaxBurst   (MaxBurst),
    .Outstanding(Outstanding),
    .RoomBeats  (Loopback ? LoopBeats : 0),
    .Walk       (Walk),
    .Bounds     (Bounds)
  ) u_read (
    .clk_i       (aclk),
    .rst_ni      (aresetn),
    .transfer_i  (rd_transfer_i),
    .valid_i     (rd_valid_i),
    .ready_o     (rd_ready_o),
    .done_o      (rd_done_o),
    .done_valid_o(rd_done_valid_o),
    .done_ready_i(rd_done_ready_i),
    .abort_i     (rd_abort_i),
    .idle_o      (rd_idle_o),
    .mark_o      (unused_rd_mark),
    .araddr_o    (m_axi_araddr),
    .arlen_o     (m_axi_arlen),
    .arvalid_o   (m_axi_arvalid),
    .arready_i   (m_axi_arready),
    .rdata_i     (m_axi_rdata),
    .rresp_i     (m_axi_rresp),
    .rlast_i     (m_axi_rlast),
    .rvalid_i    (m_axi_rvalid),
    .rready_o    (m_axi_rready),
    .tdata_o     (from_tdata),
    .tkeep_o     (from_tkeep),
    .tlast_o     (from_tlast),
    .tvalid_o    (from_tvalid),
    .tready_i    (from_tready)
  );

  tsr_write_engine #(
    .AddrWidth  (AddrWidth),
    .DataWidth  (DataWidth),
    .StreamWidth(StreamWidth),
    .MaxBurst   (MaxBurst),
    .Outstanding(Outstanding),
    .StoreBeats (Loopback ? LoopBeats : 0),
    .Walk       (Walk),
    .Bounds     (Bounds)
  ) u_write (
    .clk_i       (aclk),
    .rst_ni      (aresetn),
    .transfer_i  (wr_transfer_i),
    .valid_i     (wr_valid_i),
    .ready_o     (wr_ready_o),
    .done_o      (wr_done_o),
    .done_valid_o(wr_done_valid_o),
    .done_ready_i(wr_done_ready_i),
    .abort_i     (wr_abort_i),
    .idle_o      (wr_idle_o),
    .held_o      (wr_held_o),
    .mark_o      (unused_wr_mark),
    .awaddr_o    (m_axi_awaddr),
    .awlen_o     (m_axi_awlen),
    .awvalid_o   (m_axi_awvalid),
    .awready_i   (m_axi_awready),
    .wdata_o     (m_axi_wdata),
    .wstrb_o     (m_axi_wstrb),
    .wlast_o     (m_axi_wlast),
    .wvalid_o    (m_axi_wvalid),
    .wready_i    (m_axi_wready),
    .bresp_i     (m_axi_bresp),
    .bvalid_i    (m_axi_bvalid),
    .bready_o    (m_axi_bready),
    .tdata_i     (to_tdata),
    .tkeep_i     (to_tkeep),
    .tlast_i     (to_tlast),
    .tvalid_i    (to_tvalid),
    .tready_o    (to_tready)
  );

  if (Loopback) begin : gen_loopback
    logic unused_streams;
    assign to_tdata = from_tdata;
    assign to_tkeep = from_tkeep;
    assign to_tlast = from_tlast;
    assign to_tvalid = from_tvalid;
    assign from_tready = to_tready;
    assign m_axis_tdata = '0;
    assign m_axis_tkeep = '0;
    assign m_axis_tlast = 1'b0;
    assign m_axis_tvalid = 1'b0;
    assign s_axis_tready = 1'b0;
    assign unused_streams = ^{m_axis_tready, s_axis_tdata, s_axis_tkeep, s_axis_tlast,
                              s_axis_tvalid};
  end else begin : gen_streams
    assign m_axis_tdata  = from_tdata;
    assign m_axis_tkeep  = from_tkeep;
    assign m_axis_tlast  = from_tlast;
    assign m_axis_tvalid = from_tvalid;
    assign from_tready   = m_axis_tready;
    assign to_tdata      = s_axis_tdata;
    assign to_tkeep      = s_axis_tkeep;
    assign to_tlast      = s_axis_tlast;
    assign to_tvalid     = s_axis_tvalid;
    assign s_axis_tready = to_tready;
  end

  assign m_axi_arsize  = 3'($clog2(DataBytes));
  assign m_axi_arburst = 2'b01;
  assign m_axi_awsize  = 3'($clog2(DataBytes));
  assign m_axi_awburst = 2'b01;

endmodule
