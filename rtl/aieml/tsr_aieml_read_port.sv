// From local addresses to the bus, reads: a burst that reaches no memory is answered here, with DECERR.
//
// Contract: stands between a port of the engine and the pins; order and ids stay. Such a burst waits until
// everything before it has been answered; then it gets its beats, with garbage. The windows count in the first cycle of
// a burst: its address stays while they are written.
// Latency: 0 cycles, with a path from valid to valid. Throughput: a burst and a beat a cycle.
`include "tsr_assert.svh"
`include "tsr_port_types.svh"
module tsr_aieml_read_port
  import tsr_fabric_pkg::*;
  import tsr_aieml_pkg::*;
#(
  parameter  int unsigned Image     = ImageMemory,
  parameter  int unsigned AddrWidth = 64,                                       // of the bus
  parameter  int unsigned Lanes     = 16,                                       // bytes of the bus
  parameter  int unsigned IdWidth   = 4,
  localparam image_t      Tile      = image_of(Image),
  localparam type         ax_t      = `TSR_PORT_AX_T(Tile.AddrWidth, IdWidth),
  localparam type         out_t     = `TSR_PORT_AX_T(AddrWidth, IdWidth),
  localparam type         r_t       = `TSR_PORT_R_T(Lanes, IdWidth),
  localparam type         req_t     = `TSR_PORT_RD_REQ_T(ax_t),
  localparam type         bus_req_t = `TSR_PORT_RD_REQ_T(out_t),
  localparam type         rsp_t     = `TSR_PORT_RD_RSP_T(r_t)
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  aieml_window_t [2:0] window_i,
  // The engine. Beside an address: its channel reaches the windows of no neighbour; its SMID.
  input  req_t                req_i,
  input  logic                own_only_i,
  input  logic          [3:0] smid_i,
  output rsp_t                rsp_o,
  // The bus.
  output bus_req_t            bus_o,
  output logic          [3:0] smid_o,
  input  rsp_t                bus_i
);

  typedef struct packed {
    logic       reach;
    logic [3:0] smid;
    out_t       ar;
  } asked_t;
  asked_t asked, shown;
  out_t ar;
  logic ar_valid, ar_ready, reach, last, denies_q, shows, takes;
  logic [11:0] flying_q;
  logic [ 7:0] beat_q;

  tsr_aieml_reach #(
    .Image    (Image),
    .AddrWidth(AddrWidth)
  ) u_reach (
    .window_i,
    .addr_i (req_i.ar.addr),
    .own_only_i,
    .addr_o (asked.ar.addr),
    .reach_o(asked.reach)
  );
  assign asked.smid    = smid_i;
  assign asked.ar.id   = req_i.ar.id;
  assign asked.ar.len  = req_i.ar.len;
  assign asked.ar.attr = req_i.ar.attr;
  tsr_skid #(
    .T(asked_t)
  ) u_ar (
    .clk_i,
    .rst_ni,
    .data_i (asked),
    .valid_i(req_i.ar_valid),
    .ready_o(rsp_o.ar_ready),
    .data_o (shown),
    .valid_o(ar_valid),
    .ready_i(ar_ready)
  );

  assign ar             = shown.ar;
  assign reach          = shown.reach;
  assign bus_o.ar       = ar;
  assign smid_o         = shown.smid;
  assign shows          = ar_valid && reach;
  assign takes          = req_i.r_ready && !denies_q;
  assign bus_o.ar_valid = shows;
  assign bus_o.r_ready  = takes;
  assign ar_ready       = reach ? bus_i.ar_ready : denies_q && last && req_i.r_ready;

  // The burst that is denied stays in front; what of it is answered are registers.
  logic [IdWidth-1:0] id_q;
  logic [7:0] len_q;
  assign last = beat_q == len_q;
  always_comb begin
    rsp_o.r       = bus_i.r;
    rsp_o.r_valid = bus_i.r_valid;
    if (denies_q) begin
      rsp_o.r_valid = 1'b1;
      rsp_o.r.id    = id_q;
      rsp_o.r.resp  = RespDecErr;
      rsp_o.r.last  = last;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      flying_q <= '0;
      beat_q   <= '0;
      denies_q <= 1'b0;
    end else begin
      flying_q <= flying_q + 12'(shows && bus_i.ar_ready) -
          12'(bus_i.r_valid && takes && bus_i.r.last);
      if (denies_q) denies_q <= !(last && req_i.r_ready);
      else denies_q <= ar_valid && !reach && flying_q == '0;
      if (denies_q && req_i.r_ready) beat_q <= last ? '0 : beat_q + 1'b1;
    end
    if (!denies_q) begin
      id_q  <= ar.id;
      len_q <= ar.len;
    end
  end

  `TSR_ASSERT(OneAnswers, !(denies_q && bus_i.r_valid))

endmodule
