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
  localparam type         r_t      = `TSR_PORT_R_T(Lanes, IdWidth)
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
  output r_t                              r_o,
  output logic                            r_valid_o,
  input  logic                            r_ready_i,
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
    .id_i,
    .addr_i,
    .len_i,
    .size_i,
    .burst_i,
    .valid_i,
    .ready_o,
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
    .ready_i(r_valid_o && r_ready_i)
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
    .valid_o(r_valid_o),
    .ready_i(r_ready_i)
  );
  assign r_o = '{
          id: oldest.id,
          data: answer.data,
          resp: answer.lost ? RespSlvErr : RespOkay,
          last: oldest.last
      };

  `TSR_ASSERT(GrantsWhatWaits, !granted_i || word_valid_o)
  `TSR_ASSERT(AnswersWhatIsUnderWay, !answer_valid_i || (unused_room && unused_beat))
  `TSR_STABLE(DataStay, r_valid_o, r_ready_i, r_o)

endmodule
