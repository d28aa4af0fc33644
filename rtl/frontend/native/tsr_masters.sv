// The masters of the registers: AXI4-Lite, and a second one that not every build has.
//
// Contract: `request_o` is held with its valid until ready; the answer counts in that cycle. The second
// master (`bus_*`) keeps the same contract; without Second it is not listened to. When both ask they take
// turns, so neither waits for more than one access of the other.
// Latency: AW and W, or AR, to the bus 0 cycles; the bus to B or R 1 cycle. Throughput: an access in two
// cycles of one master, one a cycle of both.
`include "tsr_assert.svh"
module tsr_masters
  import tsr_register_pkg::*;
#(
  parameter bit          Second   = 1'b0,
  parameter int unsigned AddrBits = RegisterBits
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  logic         [AddrBits-1:0] s_axil_awaddr,
  input  logic         [         2:0] s_axil_awprot,
  input  logic                        s_axil_awvalid,
  output logic                        s_axil_awready,
  input  logic         [        31:0] s_axil_wdata,
  input  logic         [         3:0] s_axil_wstrb,
  input  logic                        s_axil_wvalid,
  output logic                        s_axil_wready,
  output logic         [         1:0] s_axil_bresp,
  output logic                        s_axil_bvalid,
  input  logic                        s_axil_bready,
  input  logic         [AddrBits-1:0] s_axil_araddr,
  input  logic         [         2:0] s_axil_arprot,
  input  logic                        s_axil_arvalid,
  output logic                        s_axil_arready,
  output logic         [        31:0] s_axil_rdata,
  output logic         [         1:0] s_axil_rresp,
  output logic                        s_axil_rvalid,
  input  logic                        s_axil_rready,
  // The second master.
  input  bus_request_t                bus_request_i,
  input  logic                        bus_valid_i,
  output logic                        bus_ready_o,
  // Registers.
  output bus_request_t                request_o,
  output logic                        valid_o,
  input  logic                        ready_i,
  input  bus_answer_t                 answer_i
);

  bus_request_t axil_request;
  logic axil_valid, axil_ready;

  tsr_axil #(
    .AddrBits(AddrBits)
  ) u_axil (
    .clk_i,
    .rst_ni,
    .awaddr_i (s_axil_awaddr),
    .awvalid_i(s_axil_awvalid),
    .awready_o(s_axil_awready),
    .wdata_i  (s_axil_wdata),
    .wstrb_i  (s_axil_wstrb),
    .wvalid_i (s_axil_wvalid),
    .wready_o (s_axil_wready),
    .bresp_o  (s_axil_bresp),
    .bvalid_o (s_axil_bvalid),
    .bready_i (s_axil_bready),
    .araddr_i (s_axil_araddr),
    .arvalid_i(s_axil_arvalid),
    .arready_o(s_axil_arready),
    .rdata_o  (s_axil_rdata),
    .rresp_o  (s_axil_rresp),
    .rvalid_o (s_axil_rvalid),
    .rready_i (s_axil_rready),
    .request_o(axil_request),
    .valid_o  (axil_valid),
    .ready_i  (axil_ready),
    .answer_i
  );

  if (Second) begin : gen_share
    tsr_bus_share u_share (
      .clk_i,
      .rst_ni,
      .request_i({bus_request_i, axil_request}),
      .valid_i  ({bus_valid_i, axil_valid}),
      .ready_o  ({bus_ready_o, axil_ready}),
      .request_o,
      .valid_o,
      .ready_i
    );
  end else begin : gen_alone
    assign request_o   = axil_request;
    assign valid_o     = axil_valid;
    assign axil_ready  = ready_i;
    assign bus_ready_o = 1'b0;
    logic unused_bus;
    assign unused_bus = ^{bus_request_i, bus_valid_i};
  end

  logic unused_prot;
  assign unused_prot = ^{s_axil_awprot, s_axil_arprot};

  `TSR_STABLE(RequestStays, valid_o, ready_i, ({request_o.write, request_o.word}))

endmodule
