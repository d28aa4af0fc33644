// tsr_joiner: what it counts of a run of rows never overflows, with rows of every length that a row can have.
`include "proof.svh"

module reach_proof #(
  parameter  int unsigned DataBytes   = 8,
  parameter  int unsigned GroupBytes  = 8,
  localparam int unsigned AddrWidth   = 34,
  localparam int unsigned RowWidth    = 32,
  localparam int unsigned OffWidth    = $clog2(DataBytes),
  localparam int unsigned SpanWidth   = RowWidth + 1 - OffWidth,
  localparam int unsigned GroupsWidth = RowWidth + 1 - $clog2(GroupBytes),
  localparam int unsigned SizeWidth   = $clog2(GroupBytes) + 1
) (
  input logic                 clk_i,
  input logic                 rst_ni,
  input logic                 kill_i,
  input logic                 row_valid_i,
  input logic [AddrWidth-1:0] row_base_i,
  input logic [ RowWidth-1:0] row_data_i,
  input logic                 row_again_i,
  input logic                 item_ready_i,
  input logic                 run_ready_i
);

  `TSR_PROOF_RESET

  logic row_ready_o, item_valid_o, item_fill_o, item_data_o, item_eot_o, item_flush_o, item_last_o;
  logic item_illegal_o, item_user_o, run_valid_o, run_follows_o, run_mid_o, run_expect_o;
  logic run_unknown_o, run_user_o, blocked_o, empty_o;
  logic [GroupsWidth-1:0] item_groups_o;
  logic [SizeWidth-1:0] item_lead_o, item_end_o, item_tail_o;
  logic [OffWidth-1:0] item_off_o;
  logic [AddrWidth-OffWidth-1:0] run_first_o;
  logic [SpanWidth-1:0] run_span_o;

  // One transfer of rows of data alone, all as long, each beginning where the one before it ends.
  logic seen_q;
  logic [AddrWidth-1:0] next_q;
  logic [RowWidth-1:0] data_q;
  logic waits_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || kill_i) seen_q <= 1'b0;
    else if (row_valid_i && row_ready_o) seen_q <= 1'b1;
    if (row_valid_i && row_ready_o) begin
      next_q <= row_base_i + AddrWidth'(row_data_i);
      data_q <= row_data_i;
    end
    waits_q <= rst_ni && row_valid_i && !row_ready_o && !kill_i;
  end
  `TSR_ASSUME(RowStays, !waits_q || (row_valid_i && $stable({row_base_i, row_data_i, row_again_i})))
  `TSR_ASSUME(RowsTouch, !(row_valid_i && seen_q) || (row_base_i == next_q && row_data_i == data_q))
  `TSR_ASSUME(SomeData, row_data_i != '0)

  tsr_joiner #(
    .AddrWidth (AddrWidth),
    .DataBytes (DataBytes),
    .GroupBytes(GroupBytes),
    .MaxBurst  (16),
    .Bounds    (1'b1)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .kill_i,
    .row_valid_i,
    .row_ready_o,
    .row_base_i,
    .row_off_i     (row_base_i[OffWidth-1:0]),
    .row_size_i    (row_data_i),
    .row_lead_i    ('0),
    .row_data_i,
    .row_tail_i    ('0),
    .row_has_lead_i(1'b0),
    .row_has_tail_i(1'b0),
    .row_null_i    (1'b0),
    .row_outside_i (1'b0),
    .row_plain_i   (1'b1),
    .row_first_i   (!seen_q),
    .row_touches_i (1'b1),
    .row_again_i,
    .row_inside_i  (1'b1),
    .row_end_i     (1'b0),
    .row_flush_i   (1'b0),
    .row_last_i    (1'b0),
    .row_illegal_i (1'b0),
    .unknown_i     (1'b0),
    .user_i        (1'b0),
    .item_valid_o,
    .item_ready_i,
    .item_fill_o,
    .item_data_o,
    .item_groups_o,
    .item_lead_o,
    .item_off_o,
    .item_end_o,
    .item_tail_o,
    .item_eot_o,
    .item_flush_o,
    .item_last_o,
    .item_illegal_o,
    .item_user_o,
    .run_valid_o,
    .run_ready_i,
    .run_follows_o,
    .run_mid_o,
    .run_first_o,
    .run_span_o,
    .run_expect_o,
    .run_unknown_o,
    .run_user_o,
    .blocked_o,
    .empty_o
  );

  // Bytes of the run that is held and not given out, counted wide.
  logic [35:0] held_q;
  logic gives;
  assign gives = item_valid_o && item_ready_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || kill_i) held_q <= '0;
    else if (row_valid_i && row_ready_o) begin
      if (gives || held_q == '0) held_q <= 36'(row_base_i[OffWidth-1:0]) + 36'(row_data_i);
      else held_q <= held_q + 36'(row_data_i);
    end else if (gives) held_q <= '0;
  end
  `TSR_ASSERT(SpanIsWhatIsHeld, !run_valid_o || 36'(run_span_o) == (held_q - 1'b1) >> OffWidth)

  logic unused_ok;
  assign unused_ok = ^{item_fill_o, item_eot_o, item_flush_o};

  `TSR_COVER(TwoJoined, run_valid_o && held_q > 36'(row_data_i) && seen_q)
  `TSR_COVER(LongRun, run_valid_o && run_span_o[SpanWidth-1])

endmodule
