// Read half of an AXI4 port of the on-chip buffer: bursts become accesses of words, and their data come back.
//
// Contract: see tsr_onchip_burst. `word_o` stays until it is granted; its data come with `answer_valid_i` a fixed
// number of cycles later, at most 4, in the order of grants. A word that is lost has SLVERR.
// Latency: AR to R 2 cycles and those of the answer. Throughput: a beat a cycle.
`include "tsr_assert.svh"
`include "tsr_port_types.svh"
module tsr_onchip_reader
  import tsr_fabric_pkg::*;
#(
  parameter  int unsigned AddrBits = 16,
  parameter  int unsigned BusLog   = 3,
  parameter  int unsigned IdWidth  = 4,
  parameter  bit          Full     = 1'b0,
  localparam int unsigned Lanes    = 2 ** BusLog,
  localparam type         ax_t     = `TSR_PORT_ANY_AX_T(AddrBits, IdWidth),
  localparam type         r_t      = `TSR_PORT_R_T(Lanes, IdWidth),
  localparam type         req_t    = `TSR_PORT_RD_REQ_T(ax_t),
  localparam type         rsp_t    = `TSR_PORT_RD_RSP_T(r_t)
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  req_t                            port_i,
  output rsp_t                            port_o,
  // Banks
  output logic [AddrBits-BusLog-1:0]      word_o,
  output logic                            word_valid_o,
  input  logic                            granted_i,
  input  logic [          Lanes-1:0][7:0] answer_i,
  input  logic                            answer_lost_i,
  input  logic                            answer_valid_i
);

  localparam int unsigned Flight = 8;  // words under way
  typedef struct packed {
    logic [IdWidth-1:0] id;
    logic               last;
  } beat_t;
  typedef struct packed {
    logic [Lanes-1:0][7:0] data;
    logic                  lost;
  } answer_t;

  logic walks, room, unused_room, unused_beat;
  beat_t beat, oldest;
  answer_t answer;
  tsr_onchip_burst #(
    .AddrBits(AddrBits),
    .BusLog  (BusLog),
    .IdWidth (IdWidth),
    .Full    (Full)
  ) u_burst (
    .clk_i,
    .rst_ni,
    .ax_i   (port_i.ar),
    .valid_i(port_i.ar_valid),
    .ready_o(port_o.ar_ready),
    .word_o,
    .id_o   (beat.id),
    .last_o (beat.last),
    .valid_o(walks),
    .next_i (granted_i)
  );
  assign word_valid_o = walks && room;

  tsr_fifo #(
    .Depth      (Flight),
    .T          (beat_t),
    .ReadyMargin(2)
  ) u_flight (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .data_i (beat),
    .valid_i(granted_i),
    .ready_o(room),
    .data_o (oldest),
    .valid_o(unused_beat),
    .ready_i(port_o.r_valid && port_i.r_ready)
  );
  tsr_fifo #(
    .Depth(Flight),
    .T    (answer_t)
  ) u_answers (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .data_i ('{data: answer_i, lost: answer_lost_i}),
    .valid_i(answer_valid_i),
    .ready_o(unused_room),
    .data_o (answer),
    .valid_o(port_o.r_valid),
    .ready_i(port_i.r_ready)
  );
  assign port_o.r = '{
          id: oldest.id,
          data: answer.data,
          resp: answer.lost ? RespSlvErr : RespOkay,
          last: oldest.last
      };

  `TSR_ASSERT(GrantsWhatWaits, !granted_i || word_valid_o)
  `TSR_ASSERT(AnswersWhatIsUnderWay, !answer_valid_i || (unused_room && unused_beat))
  `TSR_STABLE(DataStay, port_o.r_valid, port_i.r_ready, port_o.r)

endmodule
