// tsr_masters without a second master: AXI4-Lite on one side, the register bus on the other.
`include "tsr_pins.svh"
module masters_top
  import tsr_register_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [17:0] s_axil_awaddr,
  input  logic [ 2:0] s_axil_awprot,
  input  logic        s_axil_awvalid,
  output logic        s_axil_awready,
  input  logic [31:0] s_axil_wdata,
  input  logic [ 3:0] s_axil_wstrb,
  input  logic        s_axil_wvalid,
  output logic        s_axil_wready,
  output logic [ 1:0] s_axil_bresp,
  output logic        s_axil_bvalid,
  input  logic        s_axil_bready,
  input  logic [17:0] s_axil_araddr,
  input  logic [ 2:0] s_axil_arprot,
  input  logic        s_axil_arvalid,
  output logic        s_axil_arready,
  output logic [31:0] s_axil_rdata,
  output logic [ 1:0] s_axil_rresp,
  output logic        s_axil_rvalid,
  input  logic        s_axil_rready,
  input  logic        bus_write_i,
  input  logic [17:0] bus_addr_i,
  input  logic [31:0] bus_data_i,
  input  logic [ 3:0] bus_strobe_i,
  input  logic        bus_valid_i,
  output logic        bus_ready_o,
  output logic        write_o,
  output logic [19:0] addr_o,
  output logic [31:0] data_o,
  output logic [ 3:0] strobe_o,
  output logic        valid_o,
  input  logic        ready_i,
  input  logic        error_i,
  input  logic [31:0] answer_i
);

  bus_request_t request, bus_request;

  assign bus_request = '{
          write: bus_write_i,
          word: 18'(bus_addr_i[17:2]),
          data: bus_data_i,
          strobe: bus_strobe_i
      };
  assign write_o = request.write;
  assign addr_o = {request.word, 2'b0};
  assign data_o = request.data;
  assign strobe_o = request.strobe;

  `TSR_AXIL_PINS
  logic unused_prot;
  assign unused_prot = ^{s_axil_awprot, s_axil_arprot};

  tsr_masters #(
    .Second(1'b0)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .axil_i       (axil_req),
    .axil_o       (axil_rsp),
    .bus_request_i(bus_request),
    .bus_valid_i,
    .bus_ready_o,
    .request_o    (request),
    .valid_o,
    .ready_i,
    .answer_i     ({error_i, answer_i})
  );

endmodule
