// One read engine and one write engine on the two halves of an AXI4 port: the smallest useful Tessera,
// and the top that the engine-level tests, the bench and the simulation library run.
//
// With `Loopback` the stream of the read engine feeds the write engine (memory to memory) and both
// stream ports are idle. Wiring only.
module tsr_engine_pair
  import tsr_pkg::*;
#(
  parameter int unsigned AddrWidth   = 64,    // 32..64
  parameter int unsigned DataWidth   = 64,    // 32..1024, a power of two
  parameter int unsigned StreamWidth = 64,    // 8..1024, a power of two
  parameter int unsigned MaxBurst    = 64,    // beats in one burst, 1..256
  parameter int unsigned Outstanding = 64,    // bursts in flight each way, 1..128
  parameter bit          Walk        = 1'b1,  // outer traversal
  parameter bit          Bounds      = 1'b1,  // bounds, fill and drop
  parameter bit          Loopback    = 1'b0,
  localparam int unsigned DataBytes   = DataWidth / 8,
  localparam int unsigned StreamBytes = StreamWidth / 8
) (
  input  logic                   aclk,
  input  logic                   aresetn,
  // Memory to stream: transfers in, records out, abort.
  input  transfer_t              rd_transfer_i,
  input  logic                   rd_valid_i,
  output logic                   rd_ready_o,
  output done_t                  rd_done_o,
  output logic                   rd_done_valid_o,
  input  logic                   rd_done_ready_i,
  input  logic                   rd_abort_i,
  output logic                   rd_idle_o,
  // Stream to memory.
  input  transfer_t              wr_transfer_i,
  input  logic                   wr_valid_i,
  output logic                   wr_ready_o,
  output done_t                  wr_done_o,
  output logic                   wr_done_valid_o,
  input  logic                   wr_done_ready_i,
  input  logic                   wr_abort_i,
  output logic                   wr_idle_o,
  output logic [7:0]             wr_held_o,  // bytes kept of the last beat for the next transfer
  // AXI4, one ID. ARSIZE and AWSIZE are the full width, ARBURST and AWBURST are INCR.
  output logic [AddrWidth-1:0]   m_axi_araddr,
  output logic [7:0]             m_axi_arlen,
  output logic [2:0]             m_axi_arsize,
  output logic [1:0]             m_axi_arburst,
  output logic                   m_axi_arvalid,
  input  logic                   m_axi_arready,
  input  logic [DataWidth-1:0]   m_axi_rdata,
  input  logic [1:0]             m_axi_rresp,
  input  logic                   m_axi_rlast,
  input  logic                   m_axi_rvalid,
  output logic                   m_axi_rready,
  output logic [AddrWidth-1:0]   m_axi_awaddr,
  output logic [7:0]             m_axi_awlen,
  output logic [2:0]             m_axi_awsize,
  output logic [1:0]             m_axi_awburst,
  output logic                   m_axi_awvalid,
  input  logic                   m_axi_awready,
  output logic [DataWidth-1:0]   m_axi_wdata,
  output logic [DataBytes-1:0]   m_axi_wstrb,
  output logic                   m_axi_wlast,
  output logic                   m_axi_wvalid,
  input  logic                   m_axi_wready,
  input  logic [1:0]             m_axi_bresp,
  input  logic                   m_axi_bvalid,
  output logic                   m_axi_bready,
  // AXI4-Stream.
  output logic [StreamWidth-1:0] m_axis_tdata,
  output logic [StreamBytes-1:0] m_axis_tkeep,
  output logic                   m_axis_tlast,
  output logic                   m_axis_tvalid,
  input  logic                   m_axis_tready,
  input  logic [StreamWidth-1:0] s_axis_tdata,
  input  logic [StreamBytes-1:0] s_axis_tkeep,
  input  logic                   s_axis_tlast,
  input  logic                   s_axis_tvalid,
  output logic                   s_axis_tready
);
endmodule
