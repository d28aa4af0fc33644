// From local addresses to the bus, writes: a burst that reaches no memory is swallowed here, with DECERR.
//
// Contract: stands between a shared port and the pins; order and ids stay. Such a burst waits until
// everything before it has been answered; then its data are dropped. Data reach the bus after their address.
// Latency: AW and B 0 cycles, W 1 after its address was accepted, else 0; paths from valid to valid and from
// ready to ready. Throughput: a burst, a beat and an answer a cycle.
`include "tsr_assert.svh"
`include "tsr_types.svh"
module tsr_aieml_write_port
  import tsr_fabric_pkg::*;
  import tsr_aieml_pkg::*;
#(
  parameter  int unsigned    Image      = ImageMemory,
  parameter  int unsigned    First      = 0,                                 // channel with id 0
  parameter  int unsigned    AddrWidth  = 64,
  parameter  fabric_config_t Config     = FabricDefaults,
  localparam type            ax_t       = `TSR_AX_T(Config),
  localparam type            w_t        = `TSR_W_T(Config),
  localparam type            port_req_t = `TSR_WRITE_PORT_REQ_T(ax_t, w_t),
  localparam type            port_rsp_t = `TSR_WRITE_PORT_RSP_T(Config)
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  aieml_window_t [          2:0] window_i,
  // The fabric.
  input  port_req_t                     port_i,
  output port_rsp_t                     port_o,
  // The bus. What AW has beside its address, and W, are those of `port_i`.
  output logic          [AddrWidth-1:0] awaddr_o,
  output logic                          awvalid_o,
  output logic                          wvalid_o,
  output logic                          bready_o,
  input  port_rsp_t                     rsp_i
);

  logic reach, own_only, asks, passes, swallows, swallowed_q;
  logic [11:0] flying_q, ahead_q;  // bursts without answer; of these, those whose data are not out

  assign own_only = First + 32'(port_i.aw.id) >= 4;

  tsr_aieml_reach #(
    .Image    (Image),
    .AddrWidth(AddrWidth)
  ) u_reach (
    .window_i,
    .addr_i    (port_i.aw.addr),
    .own_only_i(own_only),
    .addr_o    (awaddr_o),
    .reach_o   (reach)
  );

  assign asks      = port_i.aw_valid && reach;
  assign passes    = ahead_q != '0;
  assign swallows  = port_i.aw_valid && !reach && flying_q == '0 && !swallowed_q;
  assign awvalid_o = asks;
  assign wvalid_o  = port_i.w_valid && passes;
  assign bready_o  = port_i.b_ready;

  always_comb begin
    port_o          = rsp_i;
    port_o.aw_ready = reach ? rsp_i.aw_ready : swallowed_q && port_i.b_ready;
    port_o.w_ready  = passes ? rsp_i.w_ready : swallows;
    if (swallowed_q) begin
      port_o.b_valid = 1'b1;
      port_o.b_id    = port_i.aw.id;
      port_o.b_resp  = RespDecErr;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      flying_q    <= '0;
      ahead_q     <= '0;
      swallowed_q <= 1'b0;
    end else begin
      flying_q <= flying_q + 12'(asks && rsp_i.aw_ready) - 12'(rsp_i.b_valid && port_i.b_ready);
      ahead_q  <= ahead_q + 12'(asks && rsp_i.aw_ready) -
          12'(wvalid_o && rsp_i.w_ready && port_i.w.last);
      if (swallowed_q) swallowed_q <= !port_i.b_ready;
      else swallowed_q <= swallows && port_i.w_valid && port_i.w.last;
    end
  end

  logic unused_port;
  assign unused_port = ^port_i;

  `TSR_ASSERT(OneAnswers, !(swallowed_q && rsp_i.b_valid))

endmodule
