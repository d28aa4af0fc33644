// From local addresses to the bus, writes: a burst that reaches no memory is swallowed here, with DECERR.
//
// Contract: stands between a port of the engine and the pins; order and ids stay. Data may come a burst before their address. Such a burst waits until
// everything before it has been answered; then its data are dropped. Data reach the bus after their address.
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
  parameter  int unsigned IdWidth   = 4,
  localparam image_t      Tile      = image_of(Image),
  localparam type         ax_t      = `TSR_PORT_AX_T(Tile.AddrWidth, IdWidth),
  localparam type         out_t     = `TSR_PORT_AX_T(AddrWidth, IdWidth),
  localparam type         b_t       = `TSR_PORT_B_T(IdWidth)
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  aieml_window_t [2:0] window_i,
  // The engine. Beside an address: its channel reaches the windows of no neighbour; its SMID.
  input  ax_t                 aw_i,
  input  logic                own_only_i,
  input  logic          [3:0] smid_i,
  input  logic                aw_valid_i,
  output logic                aw_ready_o,
  input  logic                w_last_i,
  input  logic                w_valid_i,
  output logic                w_ready_o,
  output b_t                  b_o,
  output logic                b_valid_o,
  input  logic                b_ready_i,
  // The bus. Data are those of the engine.
  output out_t                aw_o,
  output logic          [3:0] smid_o,
  output logic                aw_valid_o,
  input  logic                aw_ready_i,
  output logic                w_valid_o,
  input  logic                w_ready_i,
  input  b_t                  b_i,
  input  logic                b_valid_i,
  output logic                b_ready_o
);

  typedef struct packed {
    logic       own_only;
    logic [3:0] smid;
    ax_t        aw;
  } asked_t;
  asked_t asked;
  ax_t aw;
  logic aw_valid, aw_ready;
  tsr_skid #(
    .T(asked_t)
  ) u_aw (
    .clk_i,
    .rst_ni,
    .data_i ({own_only_i, smid_i, aw_i}),
    .valid_i(aw_valid_i),
    .ready_o(aw_ready_o),
    .data_o (asked),
    .valid_o(aw_valid),
    .ready_i(aw_ready)
  );
  assign aw     = asked.aw;
  assign smid_o = asked.smid;

  logic reach, asks, passes, denies, denies_q, swallowed_q;
  logic [  IdWidth-1:0] id_q;
  logic [AddrWidth-1:0] addr;
  logic [11:0] flying_q, ahead_q;  // bursts without answer; of these, those whose data are not out

  tsr_aieml_reach #(
    .Image    (Image),
    .AddrWidth(AddrWidth)
  ) u_reach (
    .window_i,
    .addr_i    (aw.addr),
    .own_only_i(asked.own_only),
    .addr_o    (addr),
    .reach_o   (reach)
  );

  assign aw_o       = '{id: aw.id, addr: addr, len: aw.len, attr: aw.attr};
  assign asks       = aw_valid && reach && !denies_q;
  assign denies     = aw_valid && !reach && !denies_q && flying_q == '0;
  assign passes     = ahead_q != '0;
  assign aw_valid_o = asks;
  assign w_valid_o  = w_valid_i && passes;
  assign b_ready_o  = b_ready_i && !swallowed_q;
  assign aw_ready   = denies || (asks && aw_ready_i);
  assign w_ready_o  = passes ? w_ready_i : denies_q && !swallowed_q;
  assign b_o        = swallowed_q ? '{id: id_q, resp: RespDecErr} : b_i;
  assign b_valid_o  = swallowed_q || b_valid_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      flying_q    <= '0;
      ahead_q     <= '0;
      denies_q    <= 1'b0;
      swallowed_q <= 1'b0;
    end else begin
      flying_q <= flying_q + 12'(asks && aw_ready_i) - 12'(b_valid_i && b_ready_o);
      ahead_q  <= ahead_q + 12'(asks && aw_ready_i) - 12'(w_valid_o && w_ready_i && w_last_i);
      denies_q <= denies || (denies_q && !(swallowed_q && b_ready_i));
      if (swallowed_q) swallowed_q <= !b_ready_i;
      else swallowed_q <= denies_q && w_valid_i && w_last_i;
    end
    if (denies) id_q <= aw.id;
  end

  `TSR_ASSERT(OneAnswers, !(swallowed_q && b_valid_i))

endmodule
