// From local addresses to the bus, writes: a burst that reaches no memory is swallowed here, with DECERR.
//
// Contract: stands between a port of the engine and the pins; order and ids stay. Data may come a burst before their address. Such a burst waits until
// everything before it has been answered; then its data are dropped. Data reach the bus after their address. The windows
// count in the first cycle of a burst: its address stays while they are written.
// Latency: AW and B 0 cycles, W 1 after its address was accepted, else 0; paths from valid to valid, of W and B from
// ready to ready. Throughput: a burst, a beat and an answer a cycle.
`include "tsr_assert.svh"
`include "tsr_port_types.svh"
module tsr_aieml_write_port
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
  localparam type         w_t       = `TSR_PORT_W_T(Lanes),
  localparam type         b_t       = `TSR_PORT_B_T(IdWidth),
  localparam type         req_t     = `TSR_PORT_WR_REQ_T(ax_t, w_t),
  localparam type         bus_req_t = `TSR_PORT_WR_REQ_T(out_t, w_t),
  localparam type         rsp_t     = `TSR_PORT_WR_RSP_T(b_t)
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
    out_t       aw;
  } asked_t;
  asked_t asked, shown;
  out_t aw;
  logic aw_valid, aw_ready;
  logic reach, asks, passes, gives, takes, denies, denies_q, swallowed_q;
  tsr_aieml_reach #(
    .Image    (Image),
    .AddrWidth(AddrWidth)
  ) u_reach (
    .window_i,
    .addr_i (req_i.aw.addr),
    .own_only_i,
    .addr_o (asked.aw.addr),
    .reach_o(asked.reach)
  );
  assign asked.smid    = smid_i;
  assign asked.aw.id   = req_i.aw.id;
  assign asked.aw.len  = req_i.aw.len;
  assign asked.aw.attr = req_i.aw.attr;
  tsr_skid #(
    .T(asked_t)
  ) u_aw (
    .clk_i,
    .rst_ni,
    .data_i (asked),
    .valid_i(req_i.aw_valid),
    .ready_o(rsp_o.aw_ready),
    .data_o (shown),
    .valid_o(aw_valid),
    .ready_i(aw_ready)
  );
  assign aw     = shown.aw;
  assign reach  = shown.reach;
  assign smid_o = shown.smid;

  logic [IdWidth-1:0] id_q;
  logic [11:0] flying_q, ahead_q;  // bursts without answer; of these, those whose data are not out

  assign bus_o.aw       = aw;
  assign asks           = aw_valid && reach && !denies_q;
  assign denies         = aw_valid && !reach && !denies_q && flying_q == '0;
  assign passes         = ahead_q != '0;
  assign gives          = req_i.w_valid && passes;
  assign takes          = req_i.b_ready && !swallowed_q;
  assign bus_o.aw_valid = asks;
  assign bus_o.w        = req_i.w;
  assign bus_o.w_valid  = gives;
  assign bus_o.b_ready  = takes;
  assign aw_ready       = denies || (asks && bus_i.aw_ready);
  assign rsp_o.w_ready  = passes ? bus_i.w_ready : denies_q && !swallowed_q;
  assign rsp_o.b        = swallowed_q ? '{id: id_q, resp: RespDecErr} : bus_i.b;
  assign rsp_o.b_valid  = swallowed_q || bus_i.b_valid;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      flying_q    <= '0;
      ahead_q     <= '0;
      denies_q    <= 1'b0;
      swallowed_q <= 1'b0;
    end else begin
      flying_q <= flying_q + 12'(asks && bus_i.aw_ready) - 12'(bus_i.b_valid && takes);
      ahead_q  <= ahead_q + 12'(asks && bus_i.aw_ready) -
          12'(gives && bus_i.w_ready && req_i.w.last);
      denies_q <= denies || (denies_q && !(swallowed_q && req_i.b_ready));
      if (swallowed_q) swallowed_q <= !req_i.b_ready;
      else swallowed_q <= denies_q && req_i.w_valid && req_i.w.last;
    end
    if (denies) id_q <= aw.id;
  end

  `TSR_ASSERT(OneAnswers, !(swallowed_q && bus_i.b_valid))

endmodule
