// tsr_read_ends: each transfer ends once, in the order of its channel, not before its last beat has left the
// buffer and soon after that, with its own bytes and errors.
`include "proof.svh"
`include "tsr_core_types.svh"

module read_ends_proof
  import tsr_core_pkg::*;
  import tsr_fabric_pkg::RespSlvErr;
#(
  localparam int unsigned Channels  = 2,
  localparam int unsigned RoomLog   = 2,
  localparam int unsigned AddrWidth = 4,
  localparam int unsigned Patience  = 8,
  localparam type         word_t    = `TSR_READ_WORD_T(1, AddrWidth)
) (
  input logic                clk_i,
  input logic                rst_ni,
  input logic                channel_i,
  input logic                planned_i,
  input logic                bytes_i,
  input logic                word_channel_i,
  input logic                word_final_i,
  input logic                word_emit_i,
  input logic                word_bad_i,
  input logic                word_fire_i,
  input logic [Channels-1:0] pop_i,
  input logic                end_ready_i
);

  `TSR_PROOF_RESET

  typedef logic [RoomLog:0] beat_t;
  logic [Channels-1:0][RoomLog:0] beats_q, popped_q;
  beat_t mark;
  word_t word;
  end_t  made;
  logic  end_valid;
  assign mark = beats_q[word_channel_i] + beat_t'(word_emit_i);
  always_comb begin
    word = '0;
    word.channel = 4'(word_channel_i);
    word.data = 1'b1;
    word.emit = word_emit_i;
    word.final_ = word_final_i;
    word.place = AddrWidth'(word_channel_i);
  end
  tsr_read_ends #(
    .Channels  (Channels),
    .AddrWidth (AddrWidth),
    .BusLog    (1),
    .MarkLog   (RoomLog),
    .FlightLog (1),
    .PlaceWidth(AddrWidth)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .abort_i    ('0),
    .channel_i,
    .planned_i,
    .bytes_i    (BytesWidth'(bytes_i)),
    .word_i     (word),
    .word_fire_i,
    .mark_i     (mark),
    .resp_i     (word_bad_i ? RespSlvErr : 2'b00),
    .popped_i   (popped_q),
    .end_o      (made),
    .end_valid_o(end_valid),
    .end_ready_i
  );

  // ---- Two transfers of each channel: planned, then made of words, then passed when their beats have left

  typedef struct packed {
    logic  bytes, bad, made, passed;
    beat_t mark;
  } transfer_t;
  transfer_t [Channels-1:0][1:0] all_q;
  logic [Channels-1:0][1:0] planned_q, made_q, ended_q;  // how many
  logic [Channels-1:0] bad_q, passed;
  logic ends, end_channel;
  assign ends = end_valid && end_ready_i;
  assign end_channel = made.channel[0];
  always_ff @(posedge clk_i) begin
    for (int unsigned c = 0; c < Channels; c++) begin
      automatic logic plans = planned_i && channel_i == c[0];
      automatic logic fires = word_fire_i && word_channel_i == c[0];
      for (int unsigned i = 0; i < 2; i++)
      if (all_q[c][i].made && popped_q[c] == all_q[c][i].mark) all_q[c][i].passed <= 1'b1;
      if (plans) all_q[c][planned_q[c][0]] <= '{bytes_i, 1'b0, 1'b0, 1'b0, '0};
      if (fires && word_final_i) begin
        all_q[c][made_q[c][0]].made <= 1'b1;
        all_q[c][made_q[c][0]].bad  <= bad_q[c] || word_bad_i;
        all_q[c][made_q[c][0]].mark <= mark;
      end
      if (!rst_ni) begin
        {planned_q[c], made_q[c], ended_q[c], beats_q[c], popped_q[c], bad_q[c]} <= '0;
        all_q[c] <= '0;
      end else begin
        planned_q[c] <= planned_q[c] + 2'(plans);
        made_q[c]    <= made_q[c] + 2'(fires && word_final_i);
        ended_q[c]   <= ended_q[c] + 2'(ends && end_channel == c[0]);
        beats_q[c]   <= beats_q[c] + beat_t'(fires && word_emit_i);
        popped_q[c]  <= popped_q[c] + beat_t'(pop_i[c]);
        if (fires) bad_q[c] <= (bad_q[c] || word_bad_i) && !word_final_i;
      end
    end
  end
  for (genvar c = 0; c < Channels; c++) begin : gen_channel
    logic [1:0] flight;
    beat_t held;
    logic [3:0] waits_q;
    assign flight = planned_q[c] - ended_q[c];
    assign held = beats_q[c] - popped_q[c];
    assign passed[c] = flight != '0 && all_q[c][ended_q[c][0]].passed;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || !passed[c] || (end_valid && end_channel == c)) waits_q <= '0;
      else if (!end_valid) waits_q <= waits_q + 1'b1;
    end
    `TSR_ASSUME(AtMostFlight, !(planned_i && channel_i == c) || flight != 2'd2)
    // Words of a transfer that was planned; they take three cycles at least.
    `TSR_ASSUME(PlannedFirst, !(word_fire_i && word_channel_i == c) || told_q[c] != made_q[c])
    `TSR_ASSUME(PopsWhatIsThere, !pop_i[c] || held != '0)
    `TSR_ASSUME(FillsWhatIsFree,
                !(word_fire_i && word_channel_i == c && word_emit_i) || held != (RoomLog + 1)'(4))
    `TSR_ASSERT(EndsSoon, waits_q <= 4'(Patience))
    `TSR_COVER(Waits, flight == 2'd2 && passed[c] && all_q[c][!ended_q[c][0]].passed)
  end
  logic [Channels-1:0][1:0] told_q;
  always_ff @(posedge clk_i) told_q <= rst_ni ? planned_q : '0;

  transfer_t ended;
  assign ended = all_q[end_channel][ended_q[end_channel][0]];
  `TSR_ASSERT(
      EndsOne,
      !end_valid || (made.channel < 4'(Channels) && planned_q[end_channel] != ended_q[end_channel]))
  `TSR_ASSERT(EndsBehindItsBeats, !end_valid || ended.passed)
  `TSR_ASSERT(ItsBytes, !end_valid || made.bytes == BytesWidth'(ended.bytes))
  `TSR_ASSERT(ItsErrors, !end_valid || made.slverr == ended.bad)
  `TSR_ASSERT(ItsAddress, !end_valid || !ended.bad || made.addr == 64'(made.channel))
  logic unused;
  assign unused = ^made;

  `TSR_COVER(EndsWithAnError, ends && made.slverr && end_channel)
  `TSR_COVER(WithoutABeat, ends && ended.mark == '0)

endmodule
