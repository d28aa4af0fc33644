// Takes stream bytes apart: decides in every cycle how many of them the operation gets.
//
// Operations (tsr_layout) say how many bytes to drop and which bytes of which word to write. The bytes
// come from what is held of the last beat and from the piece in front of the intake, which goes on
// behind them. An operation is executed as far as they reach; a piece is used up when it is touched.
//
// Contract: `go_i` says that what is decided now will find room: a word, a burst, a record. Parts go to
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
  input logic go_i,
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
  output logic take_o,
  output logic take_all_o,  // ... or `take_bytes_o` of it
  output logic [SumWidth-1:0] take_bytes_o,
  output logic skip_o,  // drop its item
  // Pieces.
  input logic piece_valid_i,
  input logic [StreamBytes-1:0][7:0] piece_data_i,
  input logic [PosWidth-1:0] piece_first_i,
  input logic [PosWidth-1:0] piece_size_i,
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
  output logic [StreamBytes-1:0][7:0] part_data_o,
  output logic [StreamBytes-1:0][7:0] part_data_before_o,  // of the beat before
  output logic [StreamBytes-1:0] part_before_o,  // lanes that come from it
  output logic [PosWidth-1:0] part_begin_o,  // lane where the data begins, modulo lanes
  output logic [TurnWidth-1:0] part_turn_o,
  output logic [OffWidth-1:0] part_off_o,
  output logic [SizeWidth-1:0] part_size_o,  // bytes from part_off_o on
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

  // ---- What is held -----------------------------------------------------------------------------

  pos_t pos_q, pos_d;  // first byte held, a lane of the last beat; Beat if none
  pos_t held_q, held_d;  // bytes held
  logic joined_q, joined_d;  // they reach the last lane, or there are none
  logic last_q, last_d;  // the packet ends with them
  logic until_last, empty, packet_over;

  assign until_last  = op_until_last_i;
  assign empty       = held_q == '0;
  assign packet_over = empty && last_q && until_last;

  // ---- What happens in this cycle ---------------------------------------------------------------

  logic burst_q;  // a burst has been begun and is not complete
  logic [7:0] words_left_q;  // of it
  logic word_open_q;  // bytes of a word that is not complete
  logic framed, run, spans, old_enough, enough, exact, nothing;
  logic step_old, step_new, step_short, move_piece, follow_piece, drop_piece, drop_held, early;
  logic end_now, tail_over;  // the transfer ends
  pos_t all, sum, avail;  // bytes wanted, bytes there

  assign all = pos_t'(op_all_i);
  assign nothing = op_all_i == '0;
  assign framed = burst_q || plan_valid_i || op_data_i == '0;
  assign run = state_q == Run && op_valid_i && framed && go_i && !kill_i;
  assign spans = joined_q && piece_low_i && !(last_q && until_last);
  assign sum = held_q + piece_size_i;
  assign old_enough = all <= held_q;
  assign enough = all <= sum;
  assign exact = all == sum;

  assign step_old = run && old_enough && !(packet_over && !nothing);
  assign step_new = run && !old_enough && spans && piece_valid_i;
  assign step_short = run && !old_enough && !empty &&
                      (!joined_q || (last_q && until_last) || (piece_valid_i && !piece_low_i));
  assign move_piece = run && !old_enough && empty && piece_valid_i && !piece_low_i && !packet_over;
  assign early = run && packet_over && !nothing;
  // A step that uses up what is held makes place for the next piece, if its transfer goes on.
  assign follow_piece = step_old && all == held_q && !op_eot_i && !(last_q && until_last) &&
                        piece_valid_i && piece_size_i != '0;
  assign drop_held = state_q == Tail && !empty;
  assign drop_piece = state_q == Tail && empty && !last_q && piece_valid_i && !kill_i;

  assign piece_take_o = step_new || move_piece || follow_piece || drop_piece;
  assign avail = step_new ? sum : held_q;
  assign take_o = step_old || step_new || step_short;
  assign take_all_o = step_old || (step_new && enough);
  assign take_bytes_o = SumWidth'(avail);  // where it is not all it is less
  if (PosWidth > SumWidth) begin : gen_wide_beats
    logic unused_avail;
    assign unused_avail = ^avail[PosWidth-1:SumWidth];
  end

  always_comb begin
    pos_d    = pos_q;
    held_d   = held_q;
    joined_d = joined_q;
    last_d   = last_q;
    if (step_old) begin
      pos_d  = all == held_q ? Beat : pos_q + all;
      held_d = held_q - all;
    end
    if (step_new) begin
      pos_d  = enough && !exact ? all - held_q : Beat;
      held_d = enough ? sum - all : '0;
    end
    if (step_short || drop_held) begin
      pos_d  = Beat;
      held_d = '0;
    end
    if (move_piece || follow_piece) begin
      pos_d  = piece_first_i;
      held_d = piece_size_i;
    end
    if (piece_take_o) last_d = piece_last_i;
    if (piece_take_o) joined_d = piece_high_i;
    if (held_d == '0) joined_d = 1'b1;
    // By length, TLAST means nothing once its bytes are gone.
    if (state_q == Run && op_valid_i && !until_last && held_d == '0) last_d = 1'b0;
    if (end_now && until_last && held_d == '0) last_d = 1'b0;
    if (early || tail_over) last_d = 1'b0;
    if (kill_i) begin
      pos_d    = Beat;
      held_d   = '0;
      joined_d = 1'b1;
      last_d   = 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      pos_q    <= Beat;
      held_q   <= '0;
      joined_q <= 1'b1;
      last_q   <= 1'b0;
    end else begin
      pos_q    <= pos_d;
      held_q   <= held_d;
      joined_q <= joined_d;
      last_q   <= last_d;
    end
  end
  assign held_o = 8'(held_q);

  // ---- The end of a transfer --------------------------------------------------------------------

  logic eot_now, over_now, last_now, to_tail, finished, early_end;
  logic aborting_q;

  assign last_now  = !nothing && (step_new ? exact && piece_last_i : all == held_q && last_q);
  assign eot_now   = take_o && take_all_o && op_eot_i;
  assign over_now  = !until_last || nothing || last_now;
  assign end_now   = eot_now && over_now;
  assign to_tail   = eot_now && !over_now;
  assign tail_over = state_q == Tail && empty && last_q && go_i && !kill_i;

  logic finish_word, finish_null;
  assign finish_word = state_q == Finish && word_open_q && (burst_q || plan_valid_i) && go_i &&
                       !kill_i;
  assign finish_null = state_q == Finish && !word_open_q && burst_q && go_i && !kill_i;
  assign finished = state_q == Finish && !word_open_q && !burst_q;
  assign early_end = finished && !aborting_q && go_i && !kill_i;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Run:
      if (early) state_d = Finish;
      else if (to_tail) state_d = Tail;
      Tail: if (tail_over) state_d = Run;
      Finish:
      if (early_end) state_d = planned_i ? Drop : Run;
      else if (finished && aborting_q) state_d = Run;
      Drop: if (skip_o && op_item_eot_i) state_d = Run;
      default: state_d = Run;
    endcase
    if (kill_i) state_d = Finish;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q    <= Run;
      aborting_q <= 1'b0;
    end else begin
      state_q <= state_d;
      if (kill_i) aborting_q <= 1'b1;
      else if (finished) aborting_q <= 1'b0;
    end
  end

  // Bursts of the transfer that are not begun yet go once no word of it waits for one.
  assign cut_o = early_end && !planned_i;
  assign stale_o = !aborting_q && ((state_q == Finish && (burst_q || !word_open_q)) ||
                                   state_q == Drop);
  assign skip_o = state_q == Drop && op_valid_i && !(op_item_eot_i && stale_plan_i);

  logic [TagWidth-1:0] tag_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || kill_i || cut_o) tag_q <= '0;
    else if (end_now || tail_over || (skip_o && op_item_eot_i)) tag_q <= tag_q + 1'b1;
  end
  assign tag_o = tag_q;

  // ---- Records: a cycle after the decision ------------------------------------------------------

  logic ended_q, ended_last_q, ended_illegal_q, ended_early_q, sparse_q, sparse_now_q;
  logic [2:0] elem_log2_q;
  logic [SumWidth-1:0] moved_q;
  pos_t dropped_now_q;
  logic [BytesWidth-1:0] bytes_q, bytes, dropped_q, dropped;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) ended_q <= 1'b0;
    else ended_q <= end_now || tail_over || early_end;
  end
  always_ff @(posedge clk_i) begin
    ended_last_q    <= tail_over || early_end || last_now;
    ended_illegal_q <= state_q == Run && op_illegal_i;
    ended_early_q   <= early_end;
    elem_log2_q     <= op_elem_log2_i;
    sparse_now_q    <= piece_take_o && piece_sparse_i;
    moved_q         <= '0;
    if (take_o) moved_q <= take_all_o ? op_all_i : take_bytes_o;
    dropped_now_q <= '0;
    if (drop_held && !kill_i) dropped_now_q <= held_q;
    if (drop_piece) dropped_now_q <= piece_size_i;
  end
  assign ends_o  = end_now || tail_over || early_end || give_i;
  assign bytes   = bytes_q + BytesWidth'(moved_q);
  assign dropped = dropped_q + BytesWidth'(dropped_now_q);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || record_valid_o) begin
      bytes_q   <= '0;
      dropped_q <= '0;
      sparse_q  <= 1'b0;
    end else begin
      bytes_q   <= bytes;
      dropped_q <= dropped;
      sparse_q  <= sparse_q || sparse_now_q;
    end
  end

  assign record_valid_o   = ended_q || give_i;
  assign record_bytes_o   = bytes;
  assign record_dropped_o = dropped;
  assign record_last_o    = !give_i && ended_last_q;
  always_comb begin
    record_status_o = '0;
    record_status_o.sparse_keep = sparse_q || sparse_now_q;
    record_status_o.overlong = dropped != '0;
    record_status_o.partial_element = !give_i && ended_early_q &&
                                      (|(bytes[6:0] & ~(7'h7f << elem_log2_q)));
    record_status_o.illegal = !give_i && ended_illegal_q;
    record_status_o.aborted = give_i;
  end

  // ---- Words ------------------------------------------------------------------------------------

  logic part, data_done, done, first, last;
  pos_t begins;  // byte of the window, which goes on from the held beat into the next one
  logic [SizeWidth-1:0] size, short_data;
  lanes_t from_before;

  // Data bytes that a step of `avail` bytes brings.
  always_comb begin
    if (take_bytes_o >= op_lead_data_i) short_data = op_data_i;
    else if (take_bytes_o > SumWidth'(op_lead_i)) begin
      short_data = SizeWidth'(take_bytes_o - SumWidth'(op_lead_i));
    end else short_data = '0;
  end
  assign size         = take_all_o ? op_data_i : short_data;
  assign data_done    = take_all_o || take_bytes_o >= op_lead_data_i;
  assign part         = (take_o && size != '0) || finish_word || finish_null;
  assign done         = finish_word || finish_null || (data_done && op_word_end_i);
  assign first        = !burst_q;
  assign last         = burst_q ? words_left_q == 8'd1 : plan_len_i == '0;
  assign plan_take_o  = part && done && !burst_q;
  assign word_begun_o = part && done;

  assign begins       = pos_q + pos_t'(op_lead_i);
  for (genvar i = 0; i < StreamBytes; i++) begin : gen_before
    assign from_before[i] = follow_piece || (step_new && pos_t'(i) >= begins);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) part_valid_o <= 1'b0;
    else part_valid_o <= part;
  end
  always_ff @(posedge clk_i) begin
    part_before_o <= from_before;
    part_begin_o  <= begins;
    part_turn_o   <= TurnWidth'(op_off_i) - TurnWidth'(begins);
    part_off_o    <= op_off_i;
    part_size_o   <= (state_q == Run) ? size : '0;
    part_done_o   <= done;
    part_first_o  <= first;
    part_last_o   <= last;
    // No burst is begun for what an abort leaves.
    part_drop_o   <= kill_i && word_open_q && !burst_q;
    if (piece_take_o) begin
      part_data_o        <= piece_data_i;
      part_data_before_o <= part_data_o;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      burst_q      <= 1'b0;
      words_left_q <= '0;
      word_open_q  <= 1'b0;
    end else if (kill_i && !burst_q) begin
      word_open_q <= 1'b0;
    end else if (part) begin
      word_open_q <= !done;
      if (done) begin
        burst_q      <= !last;
        words_left_q <= burst_q ? words_left_q - 1'b1 : plan_len_i;
      end
    end
  end

  assign idle_o = !burst_q && !word_open_q && state_q != Finish && state_q != Drop && !part_valid_o;

  `TSR_ASSERT(HeldIsInABeat, held_q <= Beat && pos_q <= Beat && pos_q + held_q <= Beat)
  `TSR_ASSERT(PlanIsThere, !plan_take_o || plan_valid_i)

endmodule
