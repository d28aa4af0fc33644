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
  };                                                                   \
  assign s_axil_awready = axil_rsp.aw_ready;              \
  assign s_axil_wready = axil_rsp.w_ready;                \
  assign s_axil_bresp = axil_rsp.b_resp;                  \
  assign s_axil_bvalid = axil_rsp.b_valid;                \
  assign s_axil_arready = axil_rsp.ar_ready;              \
  assign s_axil_rdata = axil_rsp.r_data;                  \
  assign s_axil_rresp = axil_rsp.r_resp;                  \
  assign s_axil_rvalid = axil_rsp.r_valid;

// Port p of the AXI4 pins Pre_* of the scope, as arrays of requests and responses (rtl/port/tsr_port_types.svh).
// `At` is [p], or nothing if the port has no siblings. AxSIZE is the full width, Bytes; AxBURST is INCR. The scope has
// AddrWidth. TSR_AXI_*_BARE: pins without IDs and attributes, `Id` is that of the answers.
`define TSR_AXI_RD_BARE(Pre, p, At, Bytes, Req, Rsp, Id)                               \
  assign Pre``_araddr[p*AddrWidth+:AddrWidth] = Req.ar.addr;                           \
  assign Pre``_arlen[p*8+:8] = Req.ar.len;                                             \
  assign Pre``_arsize[p*3+:3] = 3'($clog2(Bytes));                                     \
  assign Pre``_arburst[p*2+:2] = tsr_fabric_pkg::BurstIncr;                            \
  assign Pre``_arvalid At = Req.ar_valid;                                              \
  assign Pre``_rready At = Req.r_ready;                                                \
  assign Rsp = '{                                                                      \
    ar_ready: Pre``_arready At,                                                        \
    r: '{                                                                              \
      id: Id,                                                                          \
      data: Pre``_rdata[p*8*(Bytes)+:8*(Bytes)],                                       \
      resp: Pre``_rresp[p*2+:2],                                                       \
      last: Pre``_rlast At                                                             \
    },                                                                                 \
    r_valid: Pre``_rvalid At                                                           \
  };
`define TSR_AXI_WR_BARE(Pre, p, At, Bytes, Req, Rsp, Id)                               \
  assign Pre``_awaddr[p*AddrWidth+:AddrWidth] = Req.aw.addr;                           \
  assign Pre``_awlen[p*8+:8] = Req.aw.len;                                             \
  assign Pre``_awsize[p*3+:3] = 3'($clog2(Bytes));                                     \
  assign Pre``_awburst[p*2+:2] = tsr_fabric_pkg::BurstIncr;                            \
  assign Pre``_awvalid At = Req.aw_valid;                                              \
  assign Pre``_wdata[p*8*(Bytes)+:8*(Bytes)] = Req.w.data;                             \
  assign Pre``_wstrb[p*(Bytes)+:(Bytes)] = Req.w.strobe;                               \
  assign Pre``_wlast At = Req.w.last;                                                  \
  assign Pre``_wvalid At = Req.w_valid;                                                \
  assign Pre``_bready At = Req.b_ready;                                                \
  assign Rsp = '{                                                                      \
    aw_ready: Pre``_awready At,                                                        \
    w_ready: Pre``_wready At,                                                          \
    b: '{id: Id, resp: Pre``_bresp[p*2+:2]},                                           \
    b_valid: Pre``_bvalid At                                                           \
  };
// With them; the scope has IdWidth, too.
`define TSR_AXI_RD_PINS(Pre, p, At, Bytes, Req, Rsp)                                   \
  assign Pre``_arid[p*IdWidth+:IdWidth] = Req.ar.id;                                   \
  assign Pre``_arcache[p*4+:4] = Req.ar.attr.cache;                                    \
  assign Pre``_arprot[p*3+:3] = Req.ar.attr.prot;                                      \
  assign Pre``_arqos[p*4+:4] = Req.ar.attr.qos;                                        \
  `TSR_AXI_RD_BARE(Pre, p, At, Bytes, Req, Rsp, Pre``_rid[p*IdWidth+:IdWidth])
`define TSR_AXI_WR_PINS(Pre, p, At, Bytes, Req, Rsp)                                   \
  assign Pre``_awid[p*IdWidth+:IdWidth] = Req.aw.id;                                   \
  assign Pre``_awcache[p*4+:4] = Req.aw.attr.cache;                                    \
  assign Pre``_awprot[p*3+:3] = Req.aw.attr.prot;                                      \
  assign Pre``_awqos[p*4+:4] = Req.aw.attr.qos;                                        \
  `TSR_AXI_WR_BARE(Pre, p, At, Bytes, Req, Rsp, Pre``_bid[p*IdWidth+:IdWidth])

// The AXI4 pins Pre_* of a port that is written and read, as requests and responses.
`define TSR_AXI_SLAVE_PINS(Pre, RdReq, RdRsp, WrReq, WrRsp)                                      \
  assign RdReq = '{                                                                              \
    ar: {Pre``_arid, Pre``_araddr, Pre``_arlen, Pre``_arsize, Pre``_arburst},                    \
    ar_valid: Pre``_arvalid,                                                                     \
    r_ready: Pre``_rready                                                                        \
  };                                                                                             \
  assign {Pre``_arready, Pre``_rid, Pre``_rdata, Pre``_rresp, Pre``_rlast, Pre``_rvalid} = RdRsp; \
  assign WrReq = '{                                                                              \
    aw: {Pre``_awid, Pre``_awaddr, Pre``_awlen, Pre``_awsize, Pre``_awburst},                    \
    aw_valid: Pre``_awvalid,                                                                     \
    w: {Pre``_wdata, Pre``_wstrb, Pre``_wlast},                                                  \
    w_valid: Pre``_wvalid,                                                                       \
    b_ready: Pre``_bready                                                                        \
  };                                                                                             \
  assign {Pre``_awready, Pre``_wready, Pre``_bid, Pre``_bresp, Pre``_bvalid} = WrRsp;

`endif
