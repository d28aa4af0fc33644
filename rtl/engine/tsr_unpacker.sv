// Takes stream bytes apart: decides in every cycle how many of them the operation gets.
//
// Operations (tsr_layout) say how many bytes to drop and which bytes of which word to write. The bytes
// come from what is held of the last beat and from the piece in front of the intake, which goes on
// behind them. An operation is executed as far as they reach; a piece is used up when it is touched.
//
// Contract: `room_i` says that what is decided now will find room: a word, a burst, a record. Parts go to
// tsr_word_builder a cycle later; `plan_*` frames their words into bursts. A transfer ends by its length
// or by TLAST; what a packet has too much is dropped. An early TLAST and `kill_i` (abort) end the burst
// that was begun with words without strobes. After an early TLAST what was planned of the transfer is
// dropped: `cut_o` if the planner is not through with it (`planned_i`), else its operations are skipped
// and its bursts, which carry `tag_o`, are dropped while `stale_o`.
// Latency: piece to part 1 cycle. Throughput: one operation and one piece a cycle.
`include "tsr_assert.svh"
module tsr_unpacker
  import tsr_pkg::*;
#(
  parameter int unsigned DataBytes = 8,
  parameter int unsigned StreamBytes = 8,
  parameter int unsigned GroupBytes = 8,
  parameter int unsigned TagWidth = 6,  // more transfers than are planned ahead
  localparam int unsigned OffWidth = $clog2(DataBytes),
  localparam int unsigned GroupLog2 = $clog2(GroupBytes),
  localparam int unsigned SizeWidth = GroupLog2 + 1,
  localparam int unsigned SumWidth = GroupLog2 + 2,
  localparam int unsigned TurnWidth = GroupLog2 == 0 ? 1 : GroupLog2,
  localparam int unsigned PosWidth = $clog2(StreamBytes) + 2
) (
  input logic clk_i,
  input logic rst_ni,
  input logic kill_i,  // abort: drop everything, make no record
  input logic room_i,
  // Operations.
  input logic op_valid_i,
  input logic [SizeWidth-1:0] op_lead_i,
  input logic [SizeWidth-1:0] op_data_i,
  input logic [SumWidth-1:0] op_lead_data_i,
  input logic [SumWidth-1:0] op_all_i,
  input logic [OffWidth-1:0] op_off_i,
  input logic op_word_end_i,
  input logic op_eot_i,
  input logic op_item_eot_i,
  input logic op_illegal_i,
  input logic op_until_last_i,  // the transfer ends on TLAST
  input logic [2:0] op_elem_log2_i,
  output logic op_take_o,
  output logic op_skip_o,  // drop its item
  // Pieces.
  input logic piece_valid_i,
  input logic [PosWidth-1:0] piece_first_i,
  input logic [PosWidth-1:0] piece_size_i,
  input logic piece_has_bytes_i,
  input logic piece_fresh_i,
  input logic piece_low_i,
  input logic piece_high_i,
  input logic piece_last_i,
  input logic piece_sparse_i,
  output logic piece_take_o,
  output logic [7:0] held_o,  // bytes held
  // Planned bursts: taken when the first word of the burst is complete.
  input logic plan_valid_i,
  input logic [7:0] plan_len_i,
  output logic plan_take_o,
  // The end of a transfer before its length.
  input logic planned_i,  // the planner is through with it
  output logic cut_o,
  output logic stale_o,
  output logic [TagWidth-1:0] tag_o,  // of the transfer at hand
  input logic stale_plan_i,  // there still are such bursts
  // Contributions to the word that is being filled.
  output logic part_valid_o,
  output logic [StreamBytes-1:0] part_before_o,  // lanes that come from the beat before
  output logic [PosWidth-1:0] part_begin_o,  // lane where the data begins, modulo lanes
  output logic [TurnWidth-1:0] part_turn_o,
  output logic [OffWidth-1:0] part_off_o,
  output logic [OffWidth:0] part_end_o,  // ... and ends
  output logic part_done_o,  // completes the word
  output logic part_first_o,  // ... the first of a burst
  output logic part_last_o,  // ... the last of a burst
  output logic part_drop_o,  // forget the word that is being filled
  output logic word_begun_o,  // a word will be given out: it takes its room
  // Records.
  output logic ends_o,  // one will be made: it takes its room
  output logic record_valid_o,
  output logic [BytesWidth-1:0] record_bytes_o,
  output logic [BytesWidth-1:0] record_dropped_o,
  output logic record_last_o,
  output status_t record_status_o,
  input logic give_i,  // make one of an aborted transfer
  output logic idle_o  // no burst begun and not ended
);

  typedef logic [PosWidth-1:0] pos_t;  // up to two beats and more
  typedef logic [StreamBytes-1:0] lanes_t;

  localparam pos_t Beat = pos_t'(StreamBytes);

  typedef enum logic [1:0] {
    Run,     // executes operations
    Tail,    // the transfer is full: drops what its packet still has
    Finish,  // ends the burst that was begun
    Drop     // drops what was planned of a transfer that TLAST has ended
  } state_e;
  state_e state_q, state_d;

  logic burst_open, word_open;  // begun and not complete

  // ---- The operation at hand --------------------------------------------------------------------

  logic
      valid,
      nothing,
      writes,
      reached,
      level,
      joined_reached,
      joined_level,
      part_has_data,
      data_done;
  logic can_new, can_short, can_move, can_follow, can_join, step_all, run, op_load, forget;
  logic word_end_q, eot_q, illegal_q, until_last_q;
  logic tail_q;  // its last byte is to be that of a packet
  logic [2:0] elem_log2_q;
  pos_t left, lane, begins;
  lanes_t held_lanes;
  logic [OffWidth-1:0] data_off;
  logic [OffWidth:0] data_end;
  logic [TurnWidth-1:0] turn;

  tsr_portion #(
    .DataBytes  (DataBytes),
    .StreamBytes(StreamBytes),
    .GroupBytes (GroupBytes)
  ) u_portion (
    .clk_i,
    .rst_ni,
    .clear_i         (forget),
    .load_i          (op_load),
    .op_lead_i,
    .op_data_i,
    .op_lead_data_i,
    .op_all_i,
    .op_off_i,
    .run_i           (run),
    .span_i          (can_new),
    .short_i         (can_short),
    .join_i          (can_join),
    .size_i          (piece_size_i),
    .lane_i          (lane),
    .valid_o         (valid),
    .nothing_o       (nothing),
    .writes_o        (writes),
    .reached_o       (reached),
    .level_o         (level),
    .joined_reached_o(joined_reached),
    .joined_level_o  (joined_level),
    .left_o          (left),
    .part_o          (part_has_data),
    .data_done_o     (data_done),
    .part_off_o      (data_off),
    .part_end_o      (data_end),
    .part_turn_o     (turn),
    .part_begin_o    (begins),
    .part_held_o     (held_lanes)
  );

  always_ff @(posedge clk_i) begin
    if (op_load) begin
      word_end_q   <= op_word_end_i;
      eot_q        <= op_eot_i;
      illegal_q    <= op_illegal_i;
      until_last_q <= op_until_last_i;
      elem_log2_q  <= op_elem_log2_i;
      tail_q       <= op_eot_i && op_until_last_i && op_all_i != '0;
    end
  end

  // ---- What is held -----------------------------------------------------------------------------

  pos_t held_q, held_d;  // bytes held
  pos_t lane_q;  // of the last of them
  logic empty_q, empty_d;  // there are none
  logic joined_q, joined_d;  // they reach the last lane, or there are none
  logic last_q, last_d;  // the packet ends with them
  logic packet_ends, packet_over;  // its last bytes are held, are gone

  assign lane = joined_q ? '1 : lane_q;
  assign packet_ends = last_q && until_last_q;
  assign packet_over = empty_q && packet_ends;

  // ---- What happens in this cycle ---------------------------------------------------------------

  // What could happen, from registers; whether it does comes late.
  assign can_new = !reached && joined_q && piece_low_i && piece_valid_i && !packet_ends;
  assign can_short = !reached && !empty_q &&
                     (!joined_q || packet_ends || (piece_valid_i && !piece_low_i));
  assign can_move = !reached && empty_q && piece_valid_i && !piece_low_i && !packet_ends;
  // A step that uses up what is held makes place for the next piece, if its transfer goes on.
  assign can_follow = valid && level && !eot_q && !packet_ends &&
      piece_valid_i && piece_has_bytes_i;
  assign can_join = can_new || can_move || can_follow;
  assign step_all = can_new ? joined_reached : reached;

  logic running_q, framed, piece_joins, drop_piece, drop_held, early;
  logic end_now, tail_over;  // the transfer ends
  assign framed = burst_open || plan_valid_i || !writes;
  assign run = running_q && valid && framed && room_i;
  assign early = run && packet_over && !nothing;
  assign drop_held = state_q == Tail && !empty_q;
  assign drop_piece = state_q == Tail && empty_q && !last_q && piece_valid_i;
  assign piece_joins = run && can_join;
  assign piece_take_o = piece_joins || drop_piece;
  assign forget = kill_i || early || drop_held;

  // The next operation comes when this one is through; behind a transfer whose packet goes on it waits
  // until that is dropped.
  logic last_now, over_now, through;
  assign last_now = !nothing && (can_new ? joined_level && piece_last_i : level && last_q);
  assign over_now = !until_last_q || nothing || last_now;
  assign through = tail_q ? last_now : step_all;
  assign op_load = op_valid_i &&
                   (running_q ? !valid || (run && through) : state_q == Tail && empty_q && !valid);
  assign op_take_o = op_load;

  always_comb begin
    held_d   = held_q;
    empty_d  = empty_q;
    joined_d = joined_q;
    last_d   = last_q;
    if (run) begin
      if (step_all) held_d = left;
      else if (can_new || can_short) held_d = '0;
      else if (can_move) held_d = piece_size_i;
      if (reached) empty_d = level && !can_follow;
      if (can_new) empty_d = !joined_reached || joined_level;
      if (can_short) empty_d = 1'b1;
      if (can_move) empty_d = 1'b0;
      if (can_join) joined_d = piece_high_i;
    end
    if (empty_d) joined_d = 1'b1;
    if (piece_take_o) last_d = piece_last_i;
    // By length, TLAST means nothing once its bytes are gone.
    if (running_q && valid && !until_last_q && empty_d) last_d = 1'b0;
    if (end_now && until_last_q && empty_d) last_d = 1'b0;
    if (early || tail_over) last_d = 1'b0;
    if (drop_held || state_q == Finish) held_d = '0;  // an abort counts them first
    if (kill_i || drop_held) begin
      empty_d  = 1'b1;
      joined_d = 1'b1;
    end
    if (kill_i) last_d = 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      held_q   <= '0;
      empty_q  <= 1'b1;
      joined_q <= 1'b1;
      last_q   <= 1'b0;
    end else begin
      held_q   <= held_d;
      empty_q  <= empty_d;
      joined_q <= joined_d;
      last_q   <= last_d;
    end
  end
  always_ff @(posedge clk_i) begin
    if (piece_joins) lane_q <= piece_first_i + piece_size_i - 1'b1;
  end
  assign held_o = 8'(held_q);

  // ---- The end of a transfer --------------------------------------------------------------------

  logic eot_now, to_tail, finished, early_end;
  logic aborting_q;
  logic through_q;  // TLAST came within the last operation of the transfer
  logic drop_over, dropped_q;  // all of it has been dropped: now, while its burst is being ended

  assign eot_now   = run && step_all && eot_q;
  assign end_now   = eot_now && over_now;
  assign to_tail   = eot_now && !over_now;
  assign tail_over = state_q == Tail && empty_q && last_q && room_i && !kill_i;

  logic finish_word, finish_null;
  assign finish_word = state_q == Finish && word_open && (burst_open || plan_valid_i) && room_i &&
                       !kill_i;
  assign finish_null = state_q == Finish && !word_open && burst_open && room_i && !kill_i;
  assign finished = state_q == Finish && !word_open && !burst_open;
  assign early_end = finished && !aborting_q && room_i && !kill_i;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Run:
      if (early) state_d = Finish;
      else if (to_tail) state_d = Tail;
      Tail: if (tail_over) state_d = Run;
      Finish:
      if (early_end) state_d = planned_i && !dropped_q && !drop_over ? Drop : Run;
      else if (finished && aborting_q) state_d = Run;
      Drop: if (drop_over) state_d = Run;
      default: state_d = Run;
    endcase
    if (kill_i) state_d = Finish;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q    <= Run;
      running_q  <= 1'b1;
      aborting_q <= 1'b0;
      through_q  <= 1'b0;
      dropped_q  <= 1'b0;
    end else begin
      state_q   <= state_d;
      running_q <= state_d == Run;
      if (state_q == Run) through_q <= eot_q;
      dropped_q <= state_d == Finish && (dropped_q || drop_over);
      if (kill_i) aborting_q <= 1'b1;
      else if (finished) aborting_q <= 1'b0;
    end
  end

  logic stale, turns_stale, stale_q, clear_q, seen_q;
  // Told a cycle late. What was planned of the transfer goes once no word of it waits for a burst: while the
  // last one is being ended, and after that.
  assign cut_o = early_end && !planned_i;
  assign stale = !aborting_q && !dropped_q &&
                 ((state_q == Finish && (burst_open || !word_open)) || state_q == Drop);
  assign turns_stale = stale || (early && (burst_open || !word_open));
  // An operation shows after the bursts that were planned before it: it is asked a cycle later whether
  // any are left.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {stale_q, clear_q, seen_q} <= '0;
    else begin
      stale_q <= turns_stale && !drop_over && !kill_i && !cut_o;
      clear_q <= stale_q && !stale_plan_i;
      seen_q  <= turns_stale && op_valid_i && op_item_eot_i && !drop_over;
    end
  end
  assign drop_over = stale && clear_q && (through_q || seen_q);
  assign op_skip_o = stale && op_valid_i && !through_q && (!op_item_eot_i || (clear_q && seen_q));

  logic [TagWidth-1:0] tag_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || kill_i || cut_o) tag_q <= '0;
    else if (end_now || tail_over || drop_over) tag_q <= tag_q + 1'b1;
  end
  assign stale_o = stale_q;
  always_ff @(posedge clk_i) tag_o <= tag_q;

  // ---- Records ----------------------------------------------------------------------------------

  pos_t there, dropped;
  always_comb begin
    there   = held_q + (piece_joins ? piece_size_i : '0);
    dropped = '0;
    if (drop_held) dropped = held_q;
    if (drop_piece) dropped = piece_size_i;
    if (!running_q) there = '0;
    if (kill_i) dropped = '0;
  end

  assign ends_o = end_now || tail_over || early_end || give_i;
  tsr_write_records #(
    .PosWidth(PosWidth)
  ) u_records (
    .clk_i,
    .rst_ni,
    .there_i    (there),
    .held_i     (held_q),
    .dropped_i  (dropped),
    .sparse_i   (piece_take_o && piece_sparse_i),
    .end_i      (end_now || tail_over || early_end),
    .last_i     (tail_over || early_end || last_now),
    .early_i    (early_end),
    .illegal_i  (running_q && illegal_q),
    .elem_log2_i(elem_log2_q),
    .give_i,
    .valid_o    (record_valid_o),
    .bytes_o    (record_bytes_o),
    .dropped_o  (record_dropped_o),
    .last_o     (record_last_o),
    .status_o   (record_status_o)
  );

  // ---- Words ------------------------------------------------------------------------------------

  logic part, done, first, last, forgets;
  assign part = part_has_data || finish_word || finish_null;
  assign done = finish_word || finish_null || (data_done && word_end_q);

  tsr_frame u_frame (
    .clk_i,
    .rst_ni,
    .forget_i (kill_i),
    .forgets_o(forgets),
    .part_i   (part),
    .done_i   (done),
    .plan_valid_i,
    .plan_len_i,
    .plan_take_o,
    .word_begun_o,
    .first_o  (first),
    .last_o   (last),
    .burst_o  (burst_open),
    .open_o   (word_open)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) part_valid_o <= 1'b0;
    else part_valid_o <= part;
  end
  always_ff @(posedge clk_i) begin
    // Bytes that are held are of the beat before if a later one waits in the intake.
    part_before_o <= can_new ? held_lanes : {StreamBytes{piece_valid_i && piece_fresh_i}};
    part_begin_o  <= begins;
    part_turn_o   <= turn;
    part_off_o    <= data_off;
    part_end_o    <= data_end;
    part_done_o   <= done;
    part_first_o  <= first;
    part_last_o   <= last;
    // No burst is begun for what an abort leaves.
    part_drop_o   <= forgets;
  end

  assign idle_o = !burst_open && !word_open && !part_valid_o && state_q != Finish &&
                  state_q != Drop;

  `TSR_ASSERT(DroppedWasPlanned, !(early_end && dropped_q) || planned_i)
  `TSR_ASSERT(HeldIsInABeat, held_q <= Beat && (empty_q == (held_q == '0) || state_q == Finish))

endmodule
