// Packs read data and fill densely into stream beats. Wiring of its parts, and the beats' way out:
//   tsr_pack_plan     places the operations
//   tsr_pack_merge    turns and joins the bytes
//   tsr_read_records  accounts for the transfers
//
// Contract: one R beat is taken for each word that has data, when its last group has been used. Beats
// are full except where an operation flushes. A record is made with the last operation of a transfer.
// `kill_i` drops operations and held bytes; a beat already shown stays. No path from TREADY inwards.
// Latency: R beat to stream beat 2 cycles. Throughput: one operation a cycle; every operation emits a
// beat if it completes one, and none is lost to fill that shares a beat with data.
`include "tsr_assert.svh"
module tsr_packer
  import tsr_pkg::*;
#(
  parameter  int unsigned AddrWidth   = 64,
  parameter  int unsigned DataBytes   = 8,
  parameter  int unsigned StreamBytes = 8,
  parameter  int unsigned GroupBytes  = 8,                   // min(DataBytes, StreamBytes)
  parameter  bit          Bounds      = 1'b1,                // there is fill
  localparam int unsigned OffWidth    = $clog2(DataBytes),
  localparam int unsigned GroupLog2   = $clog2(GroupBytes),
  localparam int unsigned SizeWidth   = GroupLog2 + 1,
  localparam int unsigned SumWidth    = GroupLog2 + 2
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  input  logic                              kill_i,
  // Operations.
  input  logic                              op_valid_i,
  input  logic                              op_set_i,
  input  logic       [           63:0]      op_value_i,
  input  logic       [  SizeWidth-1:0]      op_lead_i,
  input  logic       [  SizeWidth-1:0]      op_data_i,
  input  logic       [   SumWidth-1:0]      op_lead_data_i,
  input  logic       [   SumWidth-1:0]      op_all_i,
  input  logic       [   OffWidth-1:0]      op_off_i,
  input  logic                              op_word_end_i,
  input  logic                              op_eot_i,
  input  logic                              op_flush_i,
  input  logic                              op_last_i,
  input  logic                              op_illegal_i,
  input  logic                              op_packets_i,
  output logic                              take_o,
  output logic                              take_data_o,
  output logic                              take_all_o,
  // Bus words.
  input  logic       [  DataBytes-1:0][7:0] rdata_i,
  input  logic       [            1:0]      rresp_i,
  input  logic                              rlast_i,
  input  logic                              rvalid_i,
  output logic                              rready_o,
  // A beat has been used: for finding the address of an error.
  output logic                              beat_o,
  output logic                              beat_last_o,
  input  logic       [  AddrWidth-1:0]      beat_addr_i,
  // Stream.
  output logic       [StreamBytes-1:0][7:0] tdata_o,
  output logic       [StreamBytes-1:0]      tkeep_o,
  output logic                              tlast_o,
  output logic                              tvalid_o,
  input  logic                              tready_i,
  // Abort: end an open packet, make a record for a transfer that was dropped.
  input  logic                              close_i,
  output logic                              closed_o,
  input  logic                              give_i,
  // Records, and what beats belong to.
  output read_mark_t                        mark_o,
  output logic                              recorded_o,
  output done_t                             done_o,
  output logic                              done_valid_o,
  input  logic                              done_ready_i,
  output logic                              idle_o
);

  localparam int unsigned LevelWidth = $clog2(StreamBytes) + 2;
  localparam int unsigned TurnWidth = GroupLog2 == 0 ? 1 : GroupLog2;
  typedef logic [LevelWidth-1:0] level_t;

  // A placed operation: see tsr_pack_plan.
  typedef struct packed {
    logic                 has_data;
    logic                 pop;
    logic [OffWidth-1:0]  off;
    logic [TurnWidth-1:0] turn;
    level_t               held;
    level_t               data_begin;
    level_t               data_end;
    level_t               total;
    logic [SumWidth-1:0]  bytes;
    logic                 emit;
    logic                 flush;
    logic                 last;
    logic                 eot;
    logic                 behind;
    logic                 illegal;
    logic                 packets;
  } placed_t;

  logic set, turning, merge_empty;
  logic [2:0] level;
  placed_t place, placed;
  logic place_valid, place_ready, placed_valid, placed_ready;

  tsr_pack_plan #(
    .DataBytes  (DataBytes),
    .StreamBytes(StreamBytes),
    .GroupBytes (GroupBytes),
    .Bounds     (Bounds)
  ) u_plan (
    .clk_i,
    .rst_ni,
    .kill_i,
    .op_valid_i,
    .op_set_i,
    .op_lead_i,
    .op_data_i,
    .op_lead_data_i,
    .op_all_i,
    .op_off_i,
    .op_word_end_i,
    .op_eot_i,
    .op_flush_i,
    .op_last_i,
    .op_illegal_i,
    .op_packets_i,
    .take_o,
    .take_data_o,
    .take_all_o,
    .empty_i     (!placed_valid && merge_empty),
    .turning_i   (turning),
    .set_o       (set),
    .level_o     (level),
    .valid_o     (place_valid),
    .ready_i     (place_ready),
    .has_data_o  (place.has_data),
    .pop_o       (place.pop),
    .off_o       (place.off),
    .turn_o      (place.turn),
    .held_o      (place.held),
    .data_begin_o(place.data_begin),
    .data_end_o  (place.data_end),
    .total_o     (place.total),
    .bytes_o     (place.bytes),
    .emit_o      (place.emit),
    .flush_o     (place.flush),
    .last_o      (place.last),
    .eot_o       (place.eot),
    .behind_o    (place.behind),
    .illegal_o   (place.illegal),
    .packets_o   (place.packets)
  );

  // Bus words come whenever they may; what is done with them is decided before, and does not wait for it.
  tsr_fifo #(
    .Depth      (4),
    .T          (placed_t),
    .ReadyMargin(2)
  ) u_placed (
    .clk_i,
    .rst_ni,
    .flush_i(kill_i),
    .data_i (place),
    .valid_i(place_valid && place_ready),
    .ready_o(place_ready),
    .data_o (placed),
    .valid_o(placed_valid),
    .ready_i(placed_ready)
  );

  typedef struct packed {
    logic [StreamBytes-1:0][7:0] data;
    logic [StreamBytes-1:0]      keep;
    logic                        last;
  } beat_t;
  beat_t beat, beat_in, beat_out;
  logic beat_valid, out_ready, record_ready, room_q;
  logic merge, merge_pop, merge_eot, merge_flush, merge_behind, merge_illegal, merge_packets;
  logic [SumWidth-1:0] merge_bytes;

  // Queues of beats and of records behind the merge. Their ready and `room_q` are registers, an operation that
  // is taken becomes a beat a cycle later, and a queue counts it in the cycle after: four can be under way when
  // it says stop (tsr_fifo, ReadyMargin), and 16 entries leave no gap when the sink begins again.
  localparam int unsigned OutDepth = 16;
  localparam int unsigned OutMargin = 5;

  always_ff @(posedge clk_i) room_q <= rst_ni && out_ready && record_ready;

  tsr_pack_merge #(
    .DataBytes  (DataBytes),
    .StreamBytes(StreamBytes),
    .GroupBytes (GroupBytes),
    .Bounds     (Bounds)
  ) u_merge (
    .clk_i,
    .rst_ni,
    .kill_i,
    .room_i         (room_q),
    .op_valid_i     (placed_valid),
    .op_ready_o     (placed_ready),
    .op_has_data_i  (placed.has_data),
    .op_pop_i       (placed.pop),
    .op_off_i       (placed.off),
    .op_turn_i      (placed.turn),
    .op_held_i      (placed.held),
    .op_data_begin_i(placed.data_begin),
    .op_data_end_i  (placed.data_end),
    .op_total_i     (placed.total),
    .op_bytes_i     (placed.bytes),
    .op_emit_i      (placed.emit),
    .op_flush_i     (placed.flush),
    .op_last_i      (placed.last),
    .op_eot_i       (placed.eot),
    .op_behind_i    (placed.behind),
    .op_illegal_i   (placed.illegal),
    .op_packets_i   (placed.packets),
    .set_i          (set),
    .value_i        (op_value_i),
    .level_i        (level),
    .turning_o      (turning),
    .rdata_i,
    .rvalid_i,
    .rready_o,
    .pop_o          (beat_o),
    .merge_o        (merge),
    .merge_bytes_o  (merge_bytes),
    .merge_pop_o    (merge_pop),
    .merge_eot_o    (merge_eot),
    .merge_flush_o  (merge_flush),
    .merge_behind_o (merge_behind),
    .merge_illegal_o(merge_illegal),
    .merge_packets_o(merge_packets),
    .beat_valid_o   (beat_valid),
    .beat_data_o    (beat.data),
    .beat_keep_o    (beat.keep),
    .beat_last_o    (beat.last),
    .empty_o        (merge_empty)
  );
  assign beat_last_o = rlast_i;

  // ---- The way out ------------------------------------------------------------------------------

  logic close_beat, open_q, packets_q;

  // After a kill an open packet is closed by a null beat.
  assign close_beat = close_i && open_q && packets_q && room_q;
  assign closed_o   = close_i && (close_beat || !(open_q && packets_q));
  assign beat_in    = close_beat ? '{data: '0, keep: '0, last: 1'b1} : beat;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || closed_o) open_q <= 1'b0;
    else if (beat_valid) open_q <= !beat.last;
  end
  always_ff @(posedge clk_i) begin
    if (beat_valid) packets_q <= merge_packets;
  end

  tsr_fifo #(
    .Depth      (OutDepth),
    .T          (beat_t),
    .ReadyMargin(OutMargin)
  ) u_out (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .data_i (beat_in),
    .valid_i(beat_valid || close_beat),
    .ready_o(out_ready),
    .data_o (beat_out),
    .valid_o(tvalid_o),
    .ready_i(tready_i)
  );
  assign tdata_o = beat_out.data;
  assign tkeep_o = beat_out.keep;
  assign tlast_o = beat_out.last;

  // ---- Records ----------------------------------------------------------------------------------

  logic [1:0] resp_q;
  logic [AddrWidth-1:0] beat_addr_q;
  always_ff @(posedge clk_i) begin
    if (beat_o) begin
      resp_q      <= rresp_i;
      beat_addr_q <= beat_addr_i;
    end
  end

  tsr_read_records #(
    .AddrWidth  (AddrWidth),
    .BytesBits  (SumWidth),
    .LevelWidth (LevelWidth),
    .Depth      (OutDepth),
    .ReadyMargin(OutMargin)
  ) u_records (
    .clk_i,
    .rst_ni,
    .merge_i     (merge),
    .bytes_i     (merge_bytes),
    .pop_i       (merge_pop),
    .resp_i      (resp_q),
    .addr_i      (beat_addr_q),
    .eot_i       (merge_eot),
    .flush_i     (merge_flush),
    .behind_i    (merge_behind),
    .illegal_i   (merge_illegal),
    .emit_i      (beat_valid),
    .last_i      (beat.last),
    .close_i     (close_beat),
    .gone_i      (close_i),
    .beat_bytes_i(level_t'(StreamBytes)),
    .accepted_i  (tvalid_o && tready_i),
    .ready_o     (record_ready),
    .give_i,
    .recorded_o,
    .done_o,
    .done_valid_o,
    .done_ready_i
  );

  assign mark_o = '{ends: recorded_o, beat: beat_valid || close_beat, close: close_beat};

  assign idle_o = !placed_valid && merge_empty && !tvalid_o;

  `TSR_STABLE(StreamStable, tvalid_o, tready_i, {tdata_o, tkeep_o, tlast_o})

endmodule
