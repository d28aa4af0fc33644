// tsr_read_window with single pins: one window, and bursts in flight that are no power of two.
`include "tsr_types.svh"
module window_top
  import tsr_fabric_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [31:0] araddr_i,
  input  logic [ 7:0] arlen_i,
  input  logic        arvalid_i,
  output logic        arready_o,
  output logic [ 1:0] rresp_o,
  output logic        rlast_o,
  output logic        rvalid_o,
  input  logic        rready_i,
  output logic        arvalid_o,
  input  logic        rlast_i,
  input  logic        rvalid_i,
  output logic        denied_o
);

  // Page 1 may be read.
  localparam window_t [0:0] Windows = '{'{first: 1, last: 1, read: 1'b1, default: '0}};
  // To Verilator 5.006 a parameter with the value of a literal has no width: + 32'd0.
  localparam fabric_config_t Config = '{
      AddrWidth: 32 + 32'd0,
      DataWidth: 32 + 32'd0,
      Outstanding: 5 + 32'd0,
      Windows: 1 + 32'd0,
      default: '0
  };
  localparam type burst_t = `TSR_BURST_T(Config);
  localparam type req_t = `TSR_READ_REQ_T(burst_t);
  localparam type rsp_t = `TSR_READ_RSP_T(Config);

  req_t asked, asks;
  rsp_t answer, answered;
  denied_t denied;
  logic unused_pins;

  assign asked = '{
          ar: '{addr: araddr_i, len: arlen_i},
          ar_valid: arvalid_i,
          r_ready: rready_i
      };
  assign answered = '{
          ar_ready: 1'b1,
          r_data: '0,
          r: '{resp: 2'b00, last: rlast_i},
          r_valid: rvalid_i
      };
  tsr_read_window #(
    .Config(Config)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .window_i(Windows),
    .rests_i (1'b0),
    .denied_o(denied),
    .req_i   (asked),
    .rsp_o   (answer),
    .req_o   (asks),
    .rsp_i   (answered)
  );

  assign arready_o   = answer.ar_ready;
  assign rresp_o     = answer.r.resp;
  assign rlast_o     = answer.r.last;
  assign rvalid_o    = answer.r_valid;
  assign arvalid_o   = asks.ar_valid;
  assign denied_o    = denied.valid;
  assign unused_pins = ^{answer, asks, denied};

endmodule
