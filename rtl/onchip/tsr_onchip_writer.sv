// Write half of an AXI4 port of the on-chip buffer: bursts and their data become accesses of words.
//
// Contract: see tsr_onchip_burst. Beats are counted, WLAST tells nothing. `word_o`, `data_o` and `strobe_o` stay until
// they are granted. A response comes after the grant of the last word: what is read after it reads what was written.
// Latency: AW and W to the first access 1 cycle, last access to B 1. Throughput: a beat a cycle.
`include "tsr_assert.svh"
`include "tsr_port_types.svh"
module tsr_onchip_writer
  import tsr_fabric_pkg::*;
#(
  parameter  int unsigned AddrBits = 16,
  parameter  int unsigned BusLog   = 3,
  parameter  int unsigned IdWidth  = 4,
  parameter  bit          Full     = 1'b0,
  localparam int unsigned Lanes    = 2 ** BusLog,
  localparam type         w_t      = `TSR_PORT_W_T(Lanes),
  localparam type         b_t      = `TSR_PORT_B_T(IdWidth),
  localparam type         ax_t     = `TSR_PORT_ANY_AX_T(AddrBits, IdWidth),
  localparam type         req_t    = `TSR_PORT_WR_REQ_T(ax_t, w_t),
  localparam type         rsp_t    = `TSR_PORT_WR_RSP_T(b_t)
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  req_t                            port_i,
  output rsp_t                            port_o,
  // Banks
  output logic [AddrBits-BusLog-1:0]      word_o,
  output logic [          Lanes-1:0][7:0] data_o,
  output logic [          Lanes-1:0]      strobe_o,
  output logic                            word_valid_o,
  input  logic                            granted_i
);

  logic walks, last, w_valid, room;
  logic [IdWidth-1:0] id;
  w_t w;
  tsr_onchip_burst #(
    .AddrBits(AddrBits),
    .BusLog  (BusLog),
    .IdWidth (IdWidth),
    .Full    (Full)
  ) u_burst (
    .clk_i,
    .rst_ni,
    .ax_i   (port_i.aw),
    .valid_i(port_i.aw_valid),
    .ready_o(port_o.aw_ready),
    .word_o,
    .id_o   (id),
    .last_o (last),
    .valid_o(walks),
    .next_i (granted_i)
  );
  tsr_slice #(
    .T(w_t)
  ) u_data (
    .clk_i,
    .rst_ni,
    .data_i (port_i.w),
    .valid_i(port_i.w_valid),
    .ready_o(port_o.w_ready),
    .data_o (w),
    .valid_o(w_valid),
    .ready_i(granted_i)
  );
  assign {data_o, strobe_o} = {w.data, w.strobe};
  assign word_valid_o = walks && w_valid && room;

  tsr_fifo #(
    .Depth      (4),
    .T          (logic [IdWidth-1:0]),
    .ReadyMargin(2)
  ) u_responses (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .data_i (id),
    .valid_i(granted_i && last),
    .ready_o(room),
    .data_o (port_o.b.id),
    .valid_o(port_o.b_valid),
    .ready_i(port_i.b_ready)
  );
  assign port_o.b.resp = RespOkay;

  logic unused_last;
  assign unused_last = w.last;
  `TSR_ASSERT(GrantsWhatWaits, !granted_i || word_valid_o)

endmodule
