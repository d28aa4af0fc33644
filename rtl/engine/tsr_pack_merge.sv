// Joins bus words and fill to stream beats, as tsr_pack_plan has placed them. Two stages:
//   align  takes the bus word, turns its bytes to their place in the beat
//   merge  joins held bytes, data and fill; what is over is held
//
// Contract: a placed operation and, if it has data, the bus word are taken together; the word is used up
// when the operation says so. `room_i` stops it: what is under way then, at most one beat, is still given
// out, so there is no ready for beats. `kill_i` drops what is under way and what is held.
// Latency: word to beat 1 cycle. Throughput: one operation, one word, one beat a cycle.
`include "tsr_assert.svh"
module tsr_pack_merge #(
  parameter int unsigned DataBytes = 8,
  parameter int unsigned StreamBytes = 8,
  parameter int unsigned GroupBytes = 8,  // min(DataBytes, StreamBytes)
  parameter bit Bounds = 1'b1,  // there is fill
  localparam int unsigned OffWidth = $clog2(DataBytes),
  localparam int unsigned GroupLog2 = $clog2(GroupBytes),
  localparam int unsigned SumWidth = GroupLog2 + 2,
  localparam int unsigned TurnWidth = GroupLog2 == 0 ? 1 : GroupLog2,
  localparam int unsigned LevelWidth = $clog2(StreamBytes) + 2
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  logic                        kill_i,
  input  logic                        room_i,
  // Placed operations: see tsr_pack_plan.
  input  logic                        op_valid_i,
  output logic                        op_ready_o,
  input  logic                        op_has_data_i,
  input  logic                        op_pop_i,
  input  logic [   OffWidth-1:0]      op_off_i,
  input  logic [  TurnWidth-1:0]      op_turn_i,
  input  logic [ LevelWidth-1:0]      op_held_i,
  input  logic [ LevelWidth-1:0]      op_data_begin_i,
  input  logic [ LevelWidth-1:0]      op_data_end_i,
  input  logic [ LevelWidth-1:0]      op_total_i,
  input  logic [   SumWidth-1:0]      op_bytes_i,
  input  logic                        op_emit_i,
  input  logic                        op_flush_i,
  input  logic                        op_last_i,
  input  logic                        op_eot_i,
  input  logic                        op_behind_i,
  input  logic                        op_illegal_i,
  input  logic                        op_packets_i,
  // The fill value.
  input  logic                        set_i,
  input  logic [           63:0]      value_i,
  input  logic [            2:0]      level_i,          // bytes held, modulo 8
  output logic                        turning_o,
  // Bus words.
  input  logic [  DataBytes-1:0][7:0] rdata_i,
  input  logic                        rvalid_i,
  output logic                        rready_o,
  output logic                        pop_o,            // a word has been used up
  // What an operation did.
  output logic                        merge_o,
  output logic [   SumWidth-1:0]      merge_bytes_o,
  output logic                        merge_pop_o,      // ... with a word that was then used up
  output logic                        merge_eot_o,
  output logic                        merge_flush_o,
  output logic                        merge_behind_o,
  output logic                        merge_illegal_o,
  output logic                        merge_packets_o,
  // Beats.
  output logic                        beat_valid_o,
  output logic [StreamBytes-1:0][7:0] beat_data_o,
  output logic [StreamBytes-1:0]      beat_keep_o,
  output logic                        beat_last_o,
  output logic                        empty_o
);

  // Wide groups turn by units of 8 bytes in one stage and by single bytes in the next.
  localparam bit TwoSteps = GroupBytes > 16;
  localparam int unsigned FineLog2 = TwoSteps ? 3 : 0;

  typedef logic [LevelWidth-1:0] level_t;
  typedef logic [StreamBytes-1:0] lanes_t;
  typedef logic [StreamBytes-1:0][7:0] beat_t;
  typedef logic [2*StreamBytes-1:0] two_beats_t;

  // ---- Align ------------------------------------------------------------------------------------

  logic align;
  assign align      = op_valid_i && room_i && (!op_has_data_i || rvalid_i);
  assign op_ready_o = align;
  assign rready_o   = op_valid_i && room_i && op_has_data_i && op_pop_i;
  assign pop_o      = align && op_has_data_i && op_pop_i;

  logic [GroupBytes-1:0][7:0] group, turned;
  logic unused_off;
  assign unused_off = ^op_off_i;
  if (DataBytes > GroupBytes) begin : gen_select
    logic [DataBytes/GroupBytes-1:0][GroupBytes*8-1:0] groups;
    assign groups = rdata_i;
    assign group  = groups[op_off_i[OffWidth-1:GroupLog2]];
  end else begin : gen_whole
    assign group = rdata_i;
  end

  if (GroupBytes > 1) begin : gen_turn
    tsr_rotate #(
      .Bytes      (GroupBytes),
      .AmountWidth(GroupLog2 - FineLog2),
      .Unit       (1 << FineLog2)
    ) u_turn (
      .data_i  (group),
      .amount_i(op_turn_i[TurnWidth-1:FineLog2]),
      .data_o  (turned)
    );
  end else begin : gen_no_turn
    assign turned = group;
  end

  // Lanes 0 .. n-1 of two beats.
  function automatic two_beats_t below(level_t n);
    for (int unsigned i = 0; i < 2 * StreamBytes; i++) below[i] = LevelWidth'(i) < n;
  endfunction

  two_beats_t data_lanes;
  assign data_lanes = below(op_data_end_i) & ~below(op_data_begin_i);

  logic valid_q, emit_q, last_q;
  logic [GroupBytes-1:0][7:0] data_q;
  logic [2:0] turn_q;
  lanes_t held_lanes_q, now_q, over_q, keep_q;  // held, data of this beat, data of the next; kept

  always_ff @(posedge clk_i) begin
    if (!rst_ni || kill_i) valid_q <= 1'b0;
    else valid_q <= align;
  end
  always_ff @(posedge clk_i) begin
    data_q          <= turned;
    turn_q          <= TwoSteps ? 3'(op_turn_i) : '0;
    held_lanes_q    <= lanes_t'(below(op_held_i));
    now_q           <= data_lanes[StreamBytes-1:0];
    over_q          <= data_lanes[2*StreamBytes-1:StreamBytes];
    keep_q          <= lanes_t'(below(op_total_i));
    emit_q          <= op_emit_i;
    last_q          <= op_last_i;
    merge_bytes_o   <= op_bytes_i;
    merge_pop_o     <= op_has_data_i && op_pop_i;
    merge_eot_o     <= op_eot_i;
    merge_flush_o   <= op_flush_i;
    merge_behind_o  <= op_behind_i;
    merge_illegal_o <= op_illegal_i;
    merge_packets_o <= op_packets_i;
  end

  // ---- Merge ------------------------------------------------------------------------------------

  logic [GroupBytes-1:0][7:0] data;
  beat_t held_q, beat, rest, placed, fill_now, fill_over;

  if (TwoSteps) begin : gen_fine_turn
    tsr_rotate #(
      .Bytes      (GroupBytes),
      .AmountWidth(3),
      .Unit       (1)
    ) u_turn (
      .data_i  (data_q),
      .amount_i(turn_q),
      .data_o  (data)
    );
  end else begin : gen_turned
    logic unused_turn;
    assign data        = data_q;
    assign unused_turn = ^turn_q;
  end
  assign placed = {StreamBytes / GroupBytes{data}};

  if (Bounds) begin : gen_fill
    tsr_fill_lanes #(
      .StreamBytes(StreamBytes)
    ) u_fill (
      .clk_i,
      .rst_ni,
      .kill_i,
      .set_i,
      .value_i,
      .level_i,
      .emit_i (valid_q && emit_q),
      .flush_i(valid_q && merge_flush_o),
      .turning_o,
      .now_o  (fill_now),
      .over_o (fill_over)
    );
  end else begin : gen_no_fill
    logic unused_fill;
    assign turning_o   = 1'b0;
    assign fill_now    = '0;
    assign fill_over   = '0;
    assign unused_fill = ^{set_i, value_i, level_i};
  end

  for (genvar i = 0; i < StreamBytes; i++) begin : gen_merge
    assign beat[i] = held_lanes_q[i] ? held_q[i] : (now_q[i] ? placed[i] : fill_now[i]);
    assign rest[i] = emit_q ? (over_q[i] ? placed[i] : fill_over[i]) : beat[i];
  end

  always_ff @(posedge clk_i) begin
    if (valid_q) held_q <= rest;
  end

  assign merge_o      = valid_q;
  assign beat_valid_o = valid_q && emit_q;
  assign beat_data_o  = beat;
  assign beat_keep_o  = keep_q;
  assign beat_last_o  = last_q;
  assign empty_o      = !valid_q;

  `TSR_ASSERT(FillIsInPlace, !(valid_q && turning_o))

endmodule
