// From transfers to bursts and operations: the request side of both engines. Wiring only.
//
// Contract: transfers in by valid/ready; bursts and operations out, in order. The operations tell the
// data side how the words of the bursts lie in the stream. A transfer is taken when its last row has
// been made. `kill_i` drops all that has begun.
// Latency: transfer to burst 4 cycles, to operation 4. Throughput: a row a cycle.
`include "tsr_assert.svh"
module tsr_planner
  import tsr_pkg::*;
#(
  parameter int unsigned AddrWidth = 64,
  parameter int unsigned DataBytes = 8,
  parameter int unsigned GroupBytes = 8,
  parameter int unsigned MaxBurst = 64,
  parameter int unsigned UnknownBurst = MaxBurst,  // for transfers that end on TLAST
  parameter int unsigned UserWidth = 1,
  parameter bit Walk = 1'b1,
  parameter bit Bounds = 1'b1,
  parameter bit SendFill = 1'b1,
  parameter bit Skips = 1'b0,  // operations can be dropped
  parameter int unsigned TagWidth = 1,  // a number of the transfer that goes with its bursts
  parameter int unsigned ItemDepth = 64,
  localparam int unsigned RowWidth = 32,
  localparam int unsigned OffWidth = $clog2(DataBytes),
  localparam int unsigned WordAddrWidth = AddrWidth - OffWidth,
  // Runs and items reach less than 2**33 bytes from the beginning of a word (tsr_joiner): these are their words
  // and groups after the first.
  localparam int unsigned SpanWidth = RowWidth + 1 - OffWidth,
  localparam int unsigned LowWidth = $clog2(4096 / DataBytes),
  localparam int unsigned GroupsWidth = RowWidth + 1 - $clog2(GroupBytes),
  // 0 to GroupBytes; sums of lead, data and tail, at most 3 * GroupBytes - 2 (tsr_layout).
  localparam int unsigned SizeWidth = $clog2(GroupBytes) + 1,
  localparam int unsigned SumWidth = $clog2(GroupBytes) + 2
) (
  input logic clk_i,
  input logic rst_ni,
  input logic kill_i,
  input logic drop_i,  // drop what is planned of the bursts of a transfer
  input logic [TagWidth-1:0] drop_tag_i,
  output logic stale_o,  // there still were some
  output logic dropped_o,  // some that are behind all bursts that were given out
  input transfer_t transfer_i,
  input logic valid_i,
  output logic ready_o,
  output logic packets_o,  // attributes of the transfer that is walked
  output logic finish_last_o,
  output logic [2:0] elem_log2_o,
  input logic [UserWidth-1:0] user_i,  // made of them
  // Operations of the data side: see tsr_layout.
  output logic op_valid_o,
  output logic op_set_o,
  output logic [63:0] op_value_o,
  output logic [SizeWidth-1:0] op_lead_o,
  output logic [SizeWidth-1:0] op_data_o,
  output logic [SumWidth-1:0] op_lead_data_o,
  output logic [SumWidth-1:0] op_all_o,
  output logic [OffWidth-1:0] op_off_o,
  output logic op_word_end_o,
  output logic op_eot_o,
  output logic op_item_eot_o,
  output logic op_flush_o,
  output logic op_last_o,
  output logic op_illegal_o,
  output logic [UserWidth-1:0] op_user_o,
  input logic op_take_i,
  input logic op_take_data_i,
  input logic op_take_all_i,
  input logic op_skip_i,
  output logic burst_valid_o,
  input logic burst_ready_i,
  output logic [WordAddrWidth-1:0] burst_first_o,
  output logic [7:0] burst_len_o,
  output logic [TagWidth-1:0] burst_tag_o  // transfers since the reset or the last kill
);

  transfer_t tile;
  logic tile_valid, tile_ready, tile_first, tile_last, cut, offers, begins, hold;
  logic [WalkLevels-1:0] tile_turns;

  if (Walk) begin : gen_walk
    tsr_traverse #(
      .AddrWidth(AddrWidth),
      .Bounds   (Bounds)
    ) u_traverse (
      .clk_i,
      .rst_ni,
      .kill_i,
      .transfer_i,
      .valid_i,
      .ready_o,
      .tile_o      (tile),
      .tile_first_o(tile_first),
      .tile_last_o (tile_last),
      .tile_turns_o(tile_turns),
      .valid_o     (tile_valid),
      .ready_i     (tile_ready),
      .cut_i       (cut)
    );
  end else begin : gen_no_walk
    logic unused_cut;
    assign tile       = transfer_i;
    assign tile_valid = valid_i;
    assign ready_o    = tile_ready;
    assign tile_first = 1'b1;
    assign tile_last  = 1'b1;
    assign tile_turns = '1;
    assign unused_cut = cut;
  end

  logic row_valid, row_ready, row_outside, row_plain, row_first, row_end, row_flush, row_last;
  logic row_illegal, row_again, row_inside, row_has_lead, row_has_tail, row_null, row_touches;
  logic [AddrWidth-1:0] row_base;
  logic [ OffWidth-1:0] row_off;
  logic [RowWidth-1:0] row_size, row_lead, row_data, row_tail;

  tsr_walker #(
    .AddrWidth (AddrWidth),
    .DataBytes (DataBytes),
    .GroupBytes(GroupBytes),
    .Walk      (Walk),
    .Bounds    (Bounds)
  ) u_walker (
    .clk_i,
    .rst_ni,
    .kill_i,
    .tile_i        (tile),
    .tile_first_i  (tile_first),
    .tile_last_i   (tile_last),
    .tile_turns_i  (tile_turns),
    .valid_i       (tile_valid),
    .ready_o       (tile_ready),
    .cut_o         (cut),
    .offer_o       (offers),
    .begin_o       (begins),
    .row_valid_o   (row_valid),
    .row_ready_i   (row_ready && !hold),
    .row_base_o    (row_base),
    .row_off_o     (row_off),
    .row_size_o    (row_size),
    .row_lead_o    (row_lead),
    .row_data_o    (row_data),
    .row_tail_o    (row_tail),
    .row_has_lead_o(row_has_lead),
    .row_has_tail_o(row_has_tail),
    .row_null_o    (row_null),
    .row_outside_o (row_outside),
    .row_plain_o   (row_plain),
    .row_first_o   (row_first),
    .row_touches_o (row_touches),
    .row_again_o   (row_again),
    .row_inside_o  (row_inside),
    .row_end_o     (row_end),
    .row_flush_o   (row_flush),
    .row_last_o    (row_last),
    .row_illegal_o (row_illegal),
    .packets_o,
    .finish_last_o,
    .elem_log2_o
  );

  typedef struct packed {
    logic                     follows;
    logic                     mid;
    logic                     expect_more;
    logic                     unknown;
    logic [TagWidth-1:0]      tag;
    logic [WordAddrWidth-1:0] first;
    logic [SpanWidth-1:0]     span;
    logic [LowWidth-1:0]      len;
    logic                     final_piece;
    logic                     full;
    logic                     ramps;
  } run_t;
  logic
      run_made,
      run_taken,
      run_valid,
      run_ready,
      made_follows,
      made_mid,
      made_expect,
      made_unknown,
      blocked;
  logic [WordAddrWidth-1:0] made_first;
  logic [SpanWidth-1:0] made_span;
  logic joiner_empty, row_item_valid;
  logic item_ready, item_set, item_fill, item_data, item_eot, item_flush, item_last;
  logic item_illegal;
  logic [63:0] item_value;
  logic [GroupsWidth-1:0] item_groups;
  logic [SizeWidth-1:0] item_lead, item_end, item_tail;
  logic [OffWidth-1:0] item_off;
  logic [UserWidth-1:0] item_user, unused_run_user;
  logic [TagWidth-1:0] row_tag_q, made_tag, unused_item_tag;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || kill_i) row_tag_q <= '0;
    else if (row_valid && row_ready && !hold && row_end) row_tag_q <= row_tag_q + 1'b1;
  end

  tsr_joiner #(
    .AddrWidth (AddrWidth),
    .DataBytes (DataBytes),
    .GroupBytes(GroupBytes),
    .MaxBurst  (MaxBurst),
    .UserWidth (TagWidth + UserWidth),
    .Bounds    (Bounds)
  ) u_joiner (
    .clk_i,
    .rst_ni,
    .kill_i,
    .row_valid_i   (row_valid && !hold),
    .row_ready_o   (row_ready),
    .row_base_i    (row_base),
    .row_off_i     (row_off),
    .row_size_i    (row_size),
    .row_lead_i    (row_lead),
    .row_data_i    (row_data),
    .row_tail_i    (row_tail),
    .row_has_lead_i(row_has_lead),
    .row_has_tail_i(row_has_tail),
    .row_null_i    (row_null),
    .row_outside_i (row_outside),
    .row_plain_i   (row_plain),
    .row_first_i   (row_first),
    .row_touches_i (row_touches),
    .row_again_i   (row_again),
    .row_inside_i  (row_inside),
    .row_end_i     (row_end),
    .row_flush_i   (row_flush),
    .row_last_i    (row_last),
    .row_illegal_i (row_illegal),
    .unknown_i     (finish_last_o && UnknownBurst != MaxBurst),
    .user_i        ({row_tag_q, user_i}),
    .item_valid_o  (row_item_valid),
    .item_ready_i  (item_ready),
    .item_fill_o   (item_fill),
    .item_data_o   (item_data),
    .item_groups_o (item_groups),
    .item_lead_o   (item_lead),
    .item_off_o    (item_off),
    .item_end_o    (item_end),
    .item_tail_o   (item_tail),
    .item_eot_o    (item_eot),
    .item_flush_o  (item_flush),
    .item_last_o   (item_last),
    .item_illegal_o(item_illegal),
    .item_user_o   ({unused_item_tag, item_user}),
    .run_valid_o   (run_made),
    .run_ready_i   (run_taken),
    .run_follows_o (made_follows),
    .run_mid_o     (made_mid),
    .run_first_o   (made_first),
    .run_span_o    (made_span),
    .run_expect_o  (made_expect),
    .run_unknown_o (made_unknown),
    .run_user_o    ({made_tag, unused_run_user}),
    .blocked_o     (blocked),
    .empty_o       (joiner_empty)
  );

  if (SendFill && Bounds) begin : gen_fill
    logic [Dims-1:0] bounded;
    for (genvar d = 0; d < Dims; d++) begin : gen_dim
      assign bounded[d] = !transfer_i.dim[d].unbounded;
    end
    tsr_fill_value u_fill_value (
      .clk_i,
      .rst_ni,
      .kill_i,
      .offer_i  (offers),
      .begin_i  (begins),
      .fill_i   (transfer_i.fill),
      .bounded_i(|bounded),
      .joins_i  (transfer_i.join_next && !transfer_i.task_end),
      .quiet_i  (joiner_empty),
      .hold_o   (hold),
      .valid_o  (item_set),
      .value_o  (item_value),
      .ready_i  (item_ready)
    );
  end else begin : gen_no_fill
    logic unused_fill;
    assign hold        = 1'b0;
    assign item_set    = 1'b0;
    assign item_value  = '0;
    assign unused_fill = offers ^ begins ^ joiner_empty;
  end

  tsr_layout #(
    .DataBytes  (DataBytes),
    .GroupBytes (GroupBytes),
    .GroupsWidth(GroupsWidth),
    .UserWidth  (UserWidth),
    .Depth      (ItemDepth),
    .Skips      (Skips),
    .SendFill   (SendFill && Bounds)
  ) u_layout (
    .clk_i,
    .rst_ni,
    .kill_i,
    .item_valid_i  (row_item_valid || item_set),
    .item_ready_o  (item_ready),
    .item_set_i    (item_set),
    .item_value_i  (item_value),
    .item_fill_i   (item_fill),
    .item_data_i   (item_data),
    .item_groups_i (item_groups),
    .item_lead_i   (item_lead),
    .item_off_i    (item_off),
    .item_end_i    (item_end),
    .item_tail_i   (item_tail),
    .item_eot_i    (item_eot),
    .item_flush_i  (item_flush),
    .item_last_i   (item_last),
    .item_illegal_i(item_illegal),
    .item_user_i   (item_user),
    .op_valid_o,
    .op_set_o,
    .op_value_o,
    .op_lead_o,
    .op_data_o,
    .op_lead_data_o,
    .op_all_o,
    .op_off_o,
    .op_word_end_o,
    .op_eot_o,
    .op_item_eot_o,
    .op_flush_o,
    .op_last_o,
    .op_illegal_o,
    .op_user_o,
    .take_i        (op_take_i),
    .take_data_i   (op_take_data_i),
    .take_all_i    (op_take_all_i),
    .skip_i        (op_skip_i)
  );

  // Runs rest a cycle before they are cut: the way from the rows to the bursts and back is long. Their
  // first burst, if they do not follow, is found before.
  run_t run_in, run;
  logic [LowWidth-1:0] made_len;
  logic made_final, made_full;

  tsr_front_burst #(
    .DataBytes(DataBytes),
    .MaxBurst (MaxBurst),
    .LeftWidth(SpanWidth + 1)
  ) u_front (
    .low_i        (made_first[LowWidth-1:0]),
    .left_i       ({1'b0, made_span}),
    .unknown_i    (1'b0),
    .ramp_i       ('0),
    .len_o        (made_len),
    .final_piece_o(made_final),
    .full_o       (made_full)
  );

  assign run_in = '{
          follows: made_follows,
          mid: made_mid,
          expect_more: made_expect,
          unknown: made_unknown,
          tag: made_tag,
          first: made_first,
          span: made_span,
          len: made_len,
          final_piece: made_final,
          full: made_full,
          ramps: made_unknown && made_span != '0
      };

  tsr_fifo #(
    .Depth      (4),
    .T          (run_t),
    .ReadyMargin(2)
  ) u_runs (
    .clk_i,
    .rst_ni,
    .flush_i(kill_i),
    .data_i (run_in),
    .valid_i(run_made && run_taken),
    .ready_o(run_taken),
    .data_o (run),
    .valid_o(run_valid),
    .ready_i(run_ready || stale_o)
  );
  assign stale_o = drop_i && run_valid && run.tag == drop_tag_i;

  // A cycle late, for the clock alone: a run that has come since then unblocks at once.
  logic blocked_q;
  always_ff @(posedge clk_i) blocked_q <= blocked;

  tsr_burster #(
    .AddrWidth   (AddrWidth),
    .DataBytes   (DataBytes),
    .MaxBurst    (MaxBurst),
    .UnknownBurst(UnknownBurst),
    .SpanWidth   (SpanWidth),
    .TagWidth    (TagWidth)
  ) u_burster (
    .clk_i,
    .rst_ni,
    .kill_i,
    .drop_i,
    .drop_tag_i,
    .run_valid_i  (run_valid && !stale_o),
    .run_ready_o  (run_ready),
    .run_follows_i(run.follows),
    .run_mid_i    (run.mid),
    .run_first_i  (run.first),
    .run_span_i   (run.span),
    .run_expect_i (run.expect_more),
    .run_unknown_i(run.unknown),
    .run_tag_i    (run.tag),
    .run_len_i    (run.len),
    .run_final_i  (run.final_piece),
    .run_full_i   (run.full),
    .run_ramps_i  (run.ramps),
    .blocked_i    (blocked_q && !run_valid),
    .burst_valid_o,
    .burst_ready_i,
    .burst_first_o,
    .burst_len_o,
    .burst_tag_o,
    .dropped_o
  );

  `TSR_ASSERT_NEXT(KillDropsBursts, kill_i, !burst_valid_o)
  `TSR_ASSERT_NEXT(KillDropsOperations, kill_i, !op_valid_o)

endmodule
