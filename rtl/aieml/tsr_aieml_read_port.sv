// From local addresses to the bus, reads: a burst that reaches no memory is answered here, with DECERR.
//
// Contract: stands between a port of the engine and the pins; order and ids stay. Such a burst waits until
// everything before it has been answered; then it gets its beats, with garbage.
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
  localparam type         r_t       = `TSR_PORT_R_T(Lanes, IdWidth)
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  aieml_window_t [2:0] window_i,
  // The engine. Beside an address: its channel reaches the windows of no neighbour; its SMID.
  input  ax_t                 ar_i,
  input  logic                own_only_i,
  input  logic          [3:0] smid_i,
  input  logic                ar_valid_i,
  output logic                ar_ready_o,
  output r_t                  r_o,
  output logic                r_valid_o,
  input  logic                r_ready_i,
  // The bus.
  output out_t                ar_o,
  output logic          [3:0] smid_o,
  output logic                ar_valid_o,
  input  logic                ar_ready_i,
  input  r_t                  r_i,
  input  logic                r_valid_i,
  output logic                r_ready_o
);

  typedef struct packed {
    logic       own_only;
    logic [3:0] smid;
    ax_t        ar;
  } asked_t;
  asked_t asked;
  ax_t ar;
  logic ar_valid, ar_ready, reach, last, denies_q;
  logic [11:0] flying_q;
  logic [ 7:0] beat_q;

  tsr_skid #(
    .T(asked_t)
  ) u_ar (
    .clk_i,
    .rst_ni,
    .data_i ({own_only_i, smid_i, ar_i}),
    .valid_i(ar_valid_i),
    .ready_o(ar_ready_o),
    .data_o (asked),
    .valid_o(ar_valid),
    .ready_i(ar_ready)
  );

  assign ar = asked.ar;
  logic [AddrWidth-1:0] addr;

  tsr_aieml_reach #(
    .Image    (Image),
    .AddrWidth(AddrWidth)
  ) u_reach (
    .window_i,
    .addr_i    (ar.addr),
    .own_only_i(asked.own_only),
    .addr_o    (addr),
    .reach_o   (reach)
  );

  assign ar_o       = '{id: ar.id, addr: addr, len: ar.len, attr: ar.attr};
  assign smid_o     = asked.smid;
  assign ar_valid_o = ar_valid && reach;
  assign ar_ready   = reach ? ar_ready_i : denies_q && last && r_ready_i;
  assign r_ready_o  = r_ready_i && !denies_q;

  // The burst that is denied stays in front; what of it is answered are registers.
  logic [IdWidth-1:0] id_q;
  logic [7:0] len_q;
  assign last = beat_q == len_q;
  always_comb begin
    r_o       = r_i;
    r_valid_o = r_valid_i;
    if (denies_q) begin
      r_valid_o = 1'b1;
      r_o.id    = id_q;
      r_o.resp  = RespDecErr;
      r_o.last  = last;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      flying_q <= '0;
      beat_q   <= '0;
      denies_q <= 1'b0;
    end else begin
      flying_q <= flying_q + 12'(ar_valid_o && ar_ready_i) -
          12'(r_valid_i && r_ready_o && r_i.last);
      if (denies_q) denies_q <= !(last && r_ready_i);
      else denies_q <= ar_valid && !reach && flying_q == '0;
      if (denies_q && r_ready_i) beat_q <= last ? '0 : beat_q + 1'b1;
    end
    if (!denies_q) begin
      id_q  <= ar.id;
      len_q <= ar.len;
    end
  end

  `TSR_ASSERT(OneAnswers, !(denies_q && r_valid_i))

endmodule
