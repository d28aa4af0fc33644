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
  localparam type         b_t      = `TSR_PORT_B_T(IdWidth)
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  // AXI4
  input  logic [        IdWidth-1:0]      id_i,
  input  logic [       AddrBits-1:0]      addr_i,
  input  logic [                7:0]      len_i,
  input  logic [                2:0]      size_i,
  input  logic [                1:0]      burst_i,
  input  logic                            valid_i,
  output logic                            ready_o,
  input  w_t                              w_i,
  input  logic                            w_valid_i,
  output logic                            w_ready_o,
  output b_t                              b_o,
  output logic                            b_valid_o,
  input  logic                            b_ready_i,
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
    .id_i,
    .addr_i,
    .len_i,
    .size_i,
    .burst_i,
    .valid_i,
    .ready_o,
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
    .data_i (w_i),
    .valid_i(w_valid_i),
    .ready_o(w_ready_o),
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
    .data_o (b_o.id),
    .valid_o(b_valid_o),
    .ready_i(b_ready_i)
  );
  assign b_o.resp = RespOkay;

  logic unused_last;
  assign unused_last = w.last;
  `TSR_ASSERT(GrantsWhatWaits, !granted_i || word_valid_o)

endmodule
