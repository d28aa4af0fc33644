// Takes stream bytes apart and lays them into bus words.
//
// Operations (tsr_layout) say how many bytes to drop and which bytes of which word to write. The bytes
// come from a window: what is left of the last beat, and the beat on the stream. A beat whose bytes lie
// together from lane 0 on, and are enough for the operation, is used as it arrives; any other (few bytes,
// null bytes, sparse TKEEP) is first put aside and then used piece by piece.
//
// Contract: TREADY is high only when the operation needs a byte of the next beat, and depends on
// registers only. A word is given out once, when its last byte for the run has come; `plan_*` frames
// words into bursts. A transfer ends by its length or by TLAST; what a packet has too much is dropped.
// `kill_i` (abort) and an early TLAST end the burst that was begun with words without strobes.
// Latency: beat to contribution 0 cycles. Throughput: one operation and one beat a cycle; an irregular
// beat costs one cycle more, and one for each of its pieces: the bytes from lane 0 on, then each byte.
`include "tsr_assert.svh"
module tsr_unpacker
  import tsr_pkg::*;
#(
  parameter  int unsigned DataBytes   = 8,
  parameter  int unsigned StreamBytes = 8,
  parameter  int unsigned GroupBytes  = 8,
  localparam int unsigned OffWidth    = $clog2(DataBytes),
  localparam int unsigned GroupLog2   = $clog2(GroupBytes),
  localparam int unsigned SizeWidth   = GroupLog2 + 1,
  localparam int unsigned SumWidth    = GroupLog2 + 2,
  localparam int unsigned TurnWidth   = GroupLog2 == 0 ? 1 : GroupLog2
) (
  input logic clk_i,
  input logic rst_ni,
  input logic kill_i,  // abort: drop everything, make no record
  // Operations.
  input logic op_valid_i,
  input logic [SizeWidth-1:0] op_lead_i,
  input logic [SizeWidth-1:0] op_data_i,
  input logic [SumWidth-1:0] op_lead_data_i,
  input logic [SumWidth-1:0] op_all_i,
  input logic [OffWidth-1:0] op_off_i,
  input logic op_word_end_i,
  input logic op_eot_i,
  input logic op_illegal_i,
  input logic op_until_last_i,  // the transfer ends on TLAST
  input logic [2:0] op_elem_log2_i,
  output logic take_o,
  output logic take_data_o,
  output logic take_all_o,
  output logic take_bytes_o,
  output logic [SumWidth-1:0] bytes_o,
  output logic early_o,  // the rest of the transfer will not come
  // Stream.
  input logic [StreamBytes-1:0][7:0] tdata_i,
  input logic [StreamBytes-1:0] tkeep_i,
  input logic tlast_i,
  input logic tvalid_i,
  output logic tready_o,
  output logic [7:0] held_o,
  // Planned bursts: taken when the first word of the burst is complete.
  input logic plan_valid_i,
  input logic [7:0] plan_len_i,
  output logic plan_take_o,
  // Contributions to the word that is being filled.
  output logic part_valid_o,
  input logic part_ready_i,  // does not depend on part_valid_o
  output logic [GroupBytes-1:0][7:0] part_data_o,  // still to be turned
  output logic [TurnWidth-1:0] part_turn_o,
  output logic [OffWidth-1:0] part_off_o,
  output logic [SizeWidth-1:0] part_size_o,  // bytes from part_off_o on
  output logic part_done_o,  // completes the word
  output logic part_first_o,  // ... the first of a burst
  output logic part_last_o,  // ... the last of a burst
  output logic part_drop_o,  // forget the word that is being filled
  // Records.
  output logic record_valid_o,
  input logic record_ready_i,
  output logic record_until_last_o,
  output logic [BytesWidth-1:0] record_bytes_o,
  output logic [BytesWidth-1:0] record_dropped_o,
  output logic record_last_o,
  output status_t record_status_o,
  input logic give_i,  // makes a record of an aborted transfer
  output logic idle_o  // no burst begun and not ended
);

  localparam int unsigned StreamLog2 = $clog2(StreamBytes);
  localparam int unsigned PosWidth = StreamLog2 + 2;  // up to two beats and more

  typedef logic [PosWidth-1:0] pos_t;
  typedef logic [StreamBytes-1:0] lanes_t;

  localparam pos_t Beat = pos_t'(StreamBytes);

  typedef enum logic [1:0] {
    Run,    // executes operations
    Tail,   // the transfer is full: drops what its packet still has
    Finish  // ends the burst that was begun, then makes the record
  } state_e;
  state_e state_q, state_d;

  // ---- The window -------------------------------------------------------------------------------

  logic [StreamBytes-1:0][7:0] old_q;
  pos_t pos_q, pos_d;  // first byte held; Beat if none
  pos_t held_q, held_d;  // bytes held
  lanes_t rest_q, rest_d;  // lanes of an irregular beat that come after those
  logic last_q, last_d;  // TLAST came with what is held

  logic empty, joined, until_last;
  assign empty = held_q == '0 && rest_q == '0;
  assign joined = held_q == '0 || pos_q + held_q == Beat;  // continues in the next beat
  assign until_last = op_until_last_i;

  // ---- What the operation asks for --------------------------------------------------------------

  pos_t limit, want, need;
  logic fits_data, fits_all, from_old, can_span, packet_over, resources, framed;

  assign limit = held_q + Beat;
  assign fits_data = pos_t'(op_lead_data_i) <= limit;
  assign fits_all = pos_t'(op_all_i) <= limit;
  assign want      = fits_all ? pos_t'(op_all_i) :
                     (fits_data ? pos_t'(op_lead_data_i) : pos_t'(op_lead_i));
  assign from_old = want <= held_q;
  assign need = want - held_q;
  assign packet_over = empty && last_q && until_last;
  assign can_span = joined && rest_q == '0 && !(last_q && until_last);

  logic       burst_q;  // a burst has been begun and is not complete
  logic [7:0] words_left_q;  // of it
  logic       word_open_q;  // bytes of a word that is not complete
  assign framed    = burst_q || plan_valid_i || op_data_i == '0;
  assign resources = framed && part_ready_i && record_ready_i;

  // The bytes of a beat that has them together from lane 0 on.
  logic dense;
  pos_t count, dense_size;
  if (StreamBytes > 1) begin : gen_dense
    lanes_t dense_lanes;
    pos_t   unused_first;
    tsr_first_run #(
      .Lanes(StreamBytes),
      .Width(PosWidth)
    ) u_dense (
      .lanes_i(tkeep_i),
      .piece_o(dense_lanes),
      .first_o(unused_first),
      .size_o (dense_size)
    );
    assign dense = tkeep_i == dense_lanes && tkeep_i[0];
  end else begin : gen_not_dense
    assign dense      = tkeep_i[0];
    assign dense_size = Beat;
  end

  // ---- What happens in this cycle ---------------------------------------------------------------

  lanes_t needed_lanes;
  logic run, full, enough, beat, step_old, step_new, put_aside, step_short, extract, early;
  logic end_now, to_tail, tail_over;

  for (genvar i = 0; i < StreamBytes; i++) begin : gen_needed
    assign needed_lanes[i] = pos_t'(i) < need;
  end

  assign run = state_q == Run && op_valid_i && resources && !kill_i;
  assign tready_o = (state_q == Run && op_valid_i && resources && !from_old && can_span) ||
                    (state_q == Tail && empty && !last_q);
  assign beat = tvalid_i && tready_o;
  assign full = &tkeep_i;
  assign enough = dense && (needed_lanes & ~tkeep_i) == '0;
  assign count = full ? Beat : dense_size;

  assign step_old = run && from_old && !(packet_over && op_all_i != '0);
  assign step_new = run && beat && enough;
  assign put_aside = beat && !step_new && !full;
  assign step_short = run && !from_old && held_q != '0 && (!can_span || put_aside);
  assign extract = held_q == '0 && rest_q != '0;
  assign early = run && packet_over && op_all_i != '0;

  assign take_o = step_old || step_new || step_short;
  assign take_data_o = fits_data;
  assign take_all_o = fits_all && !step_short;
  assign take_bytes_o = step_short;
  assign bytes_o = SumWidth'(held_q);

  // The next piece of an irregular beat.
  lanes_t piece;
  pos_t piece_pos, piece_size;
  if (StreamBytes > 1) begin : gen_piece
    tsr_first_run #(
      .Lanes(StreamBytes),
      .Width(PosWidth)
    ) u_piece (
      .lanes_i(rest_q),
      .piece_o(piece),
      .first_o(piece_pos),
      .size_o (piece_size)
    );
  end else begin : gen_no_piece  // one lane: a beat is full or empty
    assign piece      = '0;
    assign piece_pos  = '0;
    assign piece_size = '0;
  end

  always_comb begin
    pos_d  = pos_q;
    held_d = held_q;
    rest_d = rest_q;
    last_d = last_q;
    if (step_old) begin
      pos_d  = (want == held_q) ? Beat : pos_q + want;
      held_d = held_q - want;
    end
    if (step_short || (state_q == Tail && held_q != '0)) begin
      pos_d  = Beat;
      held_d = '0;
    end
    if (beat) begin
      last_d = tlast_i;
      if (step_new && count != need) begin
        pos_d  = need;
        held_d = count - need;
      end else begin
        pos_d  = Beat;
        held_d = '0;
      end
      if (put_aside) rest_d = tkeep_i;
    end
    if (extract) begin
      pos_d  = piece_pos;
      held_d = piece_size;
      rest_d = rest_q & ~piece;
    end
    // By length, TLAST means nothing once its bytes are gone.
    if (state_q == Run && op_valid_i && !until_last && held_d == '0 && rest_d == '0) last_d = 1'b0;
    if (end_now && until_last && held_d == '0 && rest_d == '0) last_d = 1'b0;
    if (early || tail_over) last_d = 1'b0;
    if (kill_i) begin
      pos_d  = Beat;
      held_d = '0;
      rest_d = '0;
      last_d = 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      pos_q  <= Beat;
      held_q <= '0;
      rest_q <= '0;
      last_q <= 1'b0;
    end else begin
      pos_q  <= pos_d;
      held_q <= held_d;
      rest_q <= rest_d;
      last_q <= last_d;
    end
  end
  always_ff @(posedge clk_i) begin
    if (beat) old_q <= tdata_i;
  end

  assign held_o = 8'(held_q) + 8'($countones(rest_q));

  // ---- The end of a transfer --------------------------------------------------------------------

  logic eot_now, over_now, last_now;
  logic [BytesWidth-1:0] bytes_q, bytes, dropped_q;
  logic aborting_q, sparse_q, sparse, partial_q;
  status_t status;

  assign eot_now = (step_old || step_new) && fits_all && op_eot_i;
  assign last_now = (step_new ? count == need && tlast_i :
                                 want == held_q && rest_q == '0 && last_q) && want != '0;
  assign over_now = !until_last || bytes == '0 || last_now;
  assign end_now = eot_now && over_now;
  assign to_tail = eot_now && !over_now;
  assign tail_over = state_q == Tail && empty && last_q && record_ready_i;

  assign bytes  = bytes_q + (step_short ? BytesWidth'(held_q) :
                             ((step_old || step_new) ? BytesWidth'(want) : '0));
  assign sparse = beat && !tlast_i && !full && tkeep_i != '0;

  logic finish_word, finish_null, finished;
  assign finish_word = state_q == Finish && word_open_q && (burst_q || plan_valid_i);
  assign finish_null = state_q == Finish && !word_open_q && burst_q;
  assign finished    = state_q == Finish && !word_open_q && !burst_q;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Run:     if (early) state_d = Finish;
 else if (to_tail) state_d = Tail;
      Tail:    if (tail_over) state_d = Run;
      Finish:  if (finished && (aborting_q || record_ready_i)) state_d = Run;
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
  // The plan and the operations beyond the end are dropped once no word of them is open.
  assign early_o = finished && !aborting_q;

  always_comb begin
    status = '0;
    status.sparse_keep = sparse_q || sparse;
    status.overlong = dropped_q != '0;
    status.partial_element = state_q == Finish && !give_i && partial_q;
    status.illegal = state_q == Run && op_valid_i && op_illegal_i && !give_i;
    status.aborted = give_i;
  end

  logic early_record;
  assign early_record        = finished && !aborting_q && record_ready_i;
  assign record_valid_o      = end_now || tail_over || early_record || (give_i && record_ready_i);
  assign record_until_last_o = tail_over || early_record || (end_now && until_last);
  assign record_bytes_o      = bytes;
  assign record_dropped_o    = dropped_q;
  assign record_last_o       = !give_i && (state_q != Run || last_now);
  assign record_status_o     = status;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || record_valid_o) begin
      bytes_q   <= '0;
      dropped_q <= '0;
      sparse_q  <= 1'b0;
    end else begin
      bytes_q  <= bytes;
      sparse_q <= sparse_q || sparse;
      if (state_q == Tail && !kill_i) begin
        dropped_q <= dropped_q + BytesWidth'(held_q) +
                     ((beat && full) ? BytesWidth'(StreamBytes) : '0);
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (early) partial_q <= |(bytes_q[6:0] & ~(7'h7f << op_elem_log2_i));
  end

  // ---- Words ------------------------------------------------------------------------------------

  logic data_done, new_burst;
  pos_t data_size, begins;
  lanes_t use_old;
  logic [StreamBytes-1:0][7:0] window;
  logic [SizeWidth-1:0] short_data;

  // Data bytes that this step brings.
  assign short_data = bytes_o > SumWidth'(op_lead_i) ?
                      ((bytes_o < op_lead_data_i) ? SizeWidth'(bytes_o - SumWidth'(op_lead_i)) :
                                                    op_data_i) : '0;
  always_comb begin
    data_size = '0;
    data_done = 1'b0;
    if (step_short) begin
      data_size = pos_t'(short_data);
      data_done = short_data == op_data_i;
    end else if ((step_old || step_new) && fits_data) begin
      data_size = pos_t'(op_data_i);
      data_done = 1'b1;
    end
  end

  // Byte `begins` of the window, which goes on from the held beat into the next one.
  assign begins = pos_q + pos_t'(op_lead_i);
  for (genvar i = 0; i < StreamBytes; i++) begin : gen_window
    assign use_old[i] = pos_t'(i) >= begins;
    assign window[i]  = use_old[i] ? old_q[i] : tdata_i[i];
  end

  if (StreamBytes > GroupBytes) begin : gen_fold
    // Of the lanes that are equal modulo a group, the one that holds a byte of the data.
    localparam int unsigned Groups = StreamBytes / GroupBytes;
    localparam int unsigned SelWidth = $clog2(Groups);
    logic [Groups-1:0][GroupBytes-1:0][7:0] groups;
    logic [SelWidth-1:0] sel;
    assign groups = window;
    assign sel    = begins[GroupLog2+:SelWidth];
    for (genvar j = 0; j < GroupBytes; j++) begin : gen_lane
      logic later;
      if (GroupLog2 == 0) begin : gen_byte
        assign later = 1'b0;
      end else begin : gen_group
        assign later = pos_t'(j) < pos_t'(begins[GroupLog2-1:0]);
      end
      logic [SelWidth-1:0] at;
      assign at = sel + SelWidth'(later);
      assign part_data_o[j] = groups[at][j];
    end
  end else begin : gen_direct
    assign part_data_o = window;
  end

  assign part_turn_o = TurnWidth'(op_off_i) - TurnWidth'(begins);
  assign part_off_o = op_off_i;
  assign part_size_o = (state_q == Run) ? SizeWidth'(data_size) : '0;
  assign part_done_o  = (state_q == Finish) ? finish_word || finish_null :
                        data_done && data_size != '0 && op_word_end_i;
  assign part_valid_o = data_size != '0 || ((finish_word || finish_null) && part_ready_i);
  assign new_burst = part_valid_o && part_done_o && !burst_q;
  assign plan_take_o = new_burst;
  assign part_first_o = !burst_q;
  assign part_last_o = burst_q ? words_left_q == 8'd1 : plan_len_i == '0;
  // No burst is begun for what an abort leaves.
  assign part_drop_o = kill_i && word_open_q && !burst_q && !part_valid_o;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      burst_q      <= 1'b0;
      words_left_q <= '0;
      word_open_q  <= 1'b0;
    end else if (part_drop_o) begin
      word_open_q <= 1'b0;
    end else if (part_valid_o) begin
      word_open_q <= !part_done_o;
      if (part_done_o) begin
        burst_q      <= !part_last_o;
        words_left_q <= burst_q ? words_left_q - 1'b1 : plan_len_i;
      end
    end
  end

  assign idle_o = !burst_q && !word_open_q && state_q != Finish;

  `TSR_ASSERT(HeldIsInABeat, held_q <= Beat && pos_q <= Beat && pos_q + held_q <= Beat)
  `TSR_ASSERT(PlanIsThere, !plan_take_o || plan_valid_i)

endmodule
