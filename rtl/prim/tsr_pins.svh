// From the flat pins of a top to the types within.
`ifndef TSR_PINS_SVH
`define TSR_PINS_SVH

// The AXI4-Lite port s_axil_* of the scope as `axil_req` and `axil_rsp`, which it declares. AxPROT is left to the scope.
`define TSR_AXIL_PINS                                     \
  tsr_register_pkg::axil_req_t axil_req;                  \
  tsr_register_pkg::axil_rsp_t axil_rsp;                  \
  assign axil_req = '{                                    \
    aw_addr: tsr_register_pkg::BusBits'(s_axil_awaddr),   \
    aw_valid: s_axil_awvalid,                             \
    w_data: s_axil_wdata,                                 \
    w_strb: s_axil_wstrb,                                 \
    w_valid: s_axil_wvalid,                               \
    b_ready: s_axil_bready,                               \
    ar_addr: tsr_register_pkg::BusBits'(s_axil_araddr),   \
    ar_valid: s_axil_arvalid,                             \
    r_ready: s_axil_rready                                \
  };                                                      \
  assign s_axil_awready = axil_rsp.aw_ready;              \
  assign s_axil_wready = axil_rsp.w_ready;                \
  assign s_axil_bresp = axil_rsp.b_resp;                  \
  assign s_axil_bvalid = axil_rsp.b_valid;                \
  assign s_axil_arready = axil_rsp.ar_ready;              \
  assign s_axil_rdata = axil_rsp.r_data;                  \
  assign s_axil_rresp = axil_rsp.r_resp;                  \
  assign s_axil_rvalid = axil_rsp.r_valid;

`endif
