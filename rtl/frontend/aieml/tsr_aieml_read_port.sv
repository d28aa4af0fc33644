// From local addresses to the bus, reads: a burst that reaches no memory is answered here, with DECERR.
//
// Contract: stands between a shared port and the pins; order and ids stay. Such a burst waits until
// everything before it has been answered; then it gets its beats, with garbage.
// Latency: 0 cycles, with a path from valid to valid. Throughput: a burst and a beat a cycle.
`include "tsr_assert.svh"
`include "tsr_types.svh"
module tsr_aieml_read_port
  import tsr_fabric_pkg::*;
  import tsr_aieml_pkg::*;
#(
  parameter  int unsigned    Image      = ImageMemory,
  parameter  int unsigned    First      = 0,                            // channel with id 0
  parameter  int unsigned    AddrWidth  = 64,
  parameter  fabric_config_t Config     = FabricDefaults,
  localparam type            ax_t       = `TSR_AX_T(Config),
  localparam type            port_req_t = `TSR_READ_PORT_REQ_T(ax_t),
  localparam type            port_rsp_t = `TSR_READ_PORT_RSP_T(Config)
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  aieml_window_t [          2:0] window_i,
  // The fabric.
  input  port_req_t                     port_i,
  output port_rsp_t                     port_o,
  // The bus; the address of `ar_o` is that of the tile.
  output ax_t                           ar_o,
  output logic          [AddrWidth-1:0] araddr_o,
  output logic                          arvalid_o,
  output logic                          rready_o,
  input  port_rsp_t                     rsp_i
);

  ax_t ar;
  logic ar_valid, ar_ready, room, reach, own_only, last, denies_q;
  logic [11:0] flying_q;
  logic [ 7:0] beat_q;

  tsr_skid #(
    .T(ax_t)
  ) u_ar (
    .clk_i,
    .rst_ni,
    .data_i (port_i.ar),
    .valid_i(port_i.ar_valid),
    .ready_o(room),
    .data_o (ar),
    .valid_o(ar_valid),
    .ready_i(ar_ready)
  );

  assign own_only = First + 32'(ar.id) >= 4;

  tsr_aieml_reach #(
    .Image    (Image),
    .AddrWidth(AddrWidth)
  ) u_reach (
    .window_i,
    .addr_i    (ar.addr),
    .own_only_i(own_only),
    .addr_o    (araddr_o),
    .reach_o   (reach)
  );

  assign ar_o      = ar;
  assign arvalid_o = ar_valid && reach;
  assign ar_ready  = reach ? rsp_i.ar_ready : denies_q && last && port_i.r_ready;
  assign rready_o  = port_i.r_ready;

  // The burst that is denied stays in front; what of it is answered are registers.
  logic [Config.IdWidth-1:0] id_q;
  logic [7:0] len_q;
  assign last = beat_q == len_q;
  always_comb begin
    port_o          = rsp_i;
    port_o.ar_ready = room;
    if (denies_q) begin
      port_o.r_valid = 1'b1;
      port_o.r_id    = id_q;
      port_o.r       = '{resp: RespDecErr, last: last};
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      flying_q <= '0;
      beat_q   <= '0;
      denies_q <= 1'b0;
    end else begin
      flying_q <= flying_q + 12'(arvalid_o && rsp_i.ar_ready) -
          12'(rsp_i.r_valid && port_i.r_ready && rsp_i.r.last && !denies_q);
      if (denies_q) denies_q <= !(last && port_i.r_ready);
      else denies_q <= ar_valid && !reach && flying_q == '0;
      if (denies_q && port_i.r_ready) beat_q <= last ? '0 : beat_q + 1'b1;
    end
    if (!denies_q) begin
      id_q  <= ar.id;
      len_q <= ar.len;
    end
  end

  `TSR_ASSERT(OneAnswers, !(denies_q && rsp_i.r_valid))

endmodule
