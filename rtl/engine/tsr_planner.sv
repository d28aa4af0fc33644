// From transfers to bursts and layout: the request side of both engines. Wiring only.
//
// Contract: transfers in by valid/ready; bursts and layout items out, in order, each by valid/ready.
// The items tell the data side how the words of the bursts lie in the stream. `kill_i` drops all of it.
// Latency: transfer to burst 3 cycles (4 with Walk), to item 2 (3). Throughput: a row a cycle.
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
  localparam int unsigned RowWidth = 32 + $clog2(DataBytes),
  localparam int unsigned OffWidth = $clog2(DataBytes),
  localparam int unsigned WordAddrWidth = AddrWidth - OffWidth,
  localparam int unsigned GroupsWidth = RowWidth - $clog2(GroupBytes) + 1,
  localparam int unsigned SizeWidth = $clog2(GroupBytes) + 1
) (
  input logic clk_i,
  input logic rst_ni,
  input logic kill_i,
  input transfer_t transfer_i,
  input logic valid_i,
  output logic ready_o,
  output logic packets_o,  // attributes of the transfer that is walked
  output logic finish_last_o,
  output logic [2:0] elem_log2_o,
  input logic [UserWidth-1:0] user_i,  // made of them
  output logic item_valid_o,
  input logic item_ready_i,
  output logic item_set_o,
  output logic [63:0] item_value_o,
  output logic item_fill_o,
  output logic item_data_o,
  output logic [GroupsWidth-1:0] item_groups_o,
  output logic [SizeWidth-1:0] item_lead_o,
  output logic [OffWidth-1:0] item_off_o,
  output logic [SizeWidth-1:0] item_end_o,
  output logic [SizeWidth-1:0] item_tail_o,
  output logic item_eot_o,
  output logic item_flush_o,
  output logic item_last_o,
  output logic item_illegal_o,
  output logic [UserWidth-1:0] item_user_o,
  output logic burst_valid_o,
  input logic burst_ready_i,
  output logic [WordAddrWidth-1:0] burst_first_o,
  output logic [7:0] burst_len_o
);

  transfer_t tile;
  logic tile_valid, tile_ready, tile_first, tile_last, cut;
  logic [WalkLevels-1:0] tile_turns;

  if (Walk) begin : gen_walk
    tsr_traverse #(
      .AddrWidth(AddrWidth)
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

  logic row_valid, row_ready, row_plain, row_first, row_end, row_flush, row_last, row_illegal;
  logic [AddrWidth-1:0] row_base, row_addr, row_next;
  logic [RowWidth-1:0] row_lead, row_data, row_tail;
  logic bounded, fill_changed;
  logic [63:0] fill;

  tsr_walker #(
    .AddrWidth(AddrWidth),
    .DataBytes(DataBytes),
    .Walk     (Walk),
    .Bounds   (Bounds)
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
    .row_valid_o   (row_valid),
    .row_ready_i   (row_ready),
    .row_base_o    (row_base),
    .row_addr_o    (row_addr),
    .row_next_o    (row_next),
    .row_lead_o    (row_lead),
    .row_data_o    (row_data),
    .row_tail_o    (row_tail),
    .row_plain_o   (row_plain),
    .row_first_o   (row_first),
    .row_end_o     (row_end),
    .row_flush_o   (row_flush),
    .row_last_o    (row_last),
    .row_illegal_o (row_illegal),
    .bounded_o     (bounded),
    .fill_o        (fill),
    .fill_changed_o(fill_changed),
    .packets_o,
    .finish_last_o,
    .elem_log2_o
  );

  logic run_valid, run_ready, run_one_page, run_adjacent, run_expect, run_unknown, blocked;
  logic [WordAddrWidth-1:0] run_first, run_last_word;
  logic joiner_idle, burster_idle;

  tsr_joiner #(
    .AddrWidth (AddrWidth),
    .DataBytes (DataBytes),
    .GroupBytes(GroupBytes),
    .MaxBurst  (MaxBurst),
    .UserWidth (UserWidth),
    .SendFill  (SendFill && Bounds)
  ) u_joiner (
    .clk_i,
    .rst_ni,
    .kill_i,
    .row_valid_i   (row_valid),
    .row_ready_o   (row_ready),
    .row_base_i    (row_base),
    .row_addr_i    (row_addr),
    .row_next_i    (row_next),
    .row_lead_i    (row_lead),
    .row_data_i    (row_data),
    .row_tail_i    (row_tail),
    .row_plain_i   (row_plain),
    .row_first_i   (row_first),
    .row_end_i     (row_end),
    .row_flush_i   (row_flush),
    .row_last_i    (row_last),
    .row_illegal_i (row_illegal),
    .bounded_i     (bounded),
    .fill_i        (fill),
    .fill_changed_i(fill_changed),
    .unknown_i     (finish_last_o && UnknownBurst != MaxBurst),
    .user_i,
    .item_valid_o,
    .item_ready_i,
    .item_set_o,
    .item_value_o,
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
    .run_valid_o   (run_valid),
    .run_ready_i   (run_ready),
    .run_first_o   (run_first),
    .run_last_o    (run_last_word),
    .run_one_page_o(run_one_page),
    .run_adjacent_o(run_adjacent),
    .run_expect_o  (run_expect),
    .run_unknown_o (run_unknown),
    .blocked_o     (blocked),
    .idle_o        (joiner_idle)
  );

  tsr_burster #(
    .AddrWidth   (AddrWidth),
    .DataBytes   (DataBytes),
    .MaxBurst    (MaxBurst),
    .UnknownBurst(UnknownBurst)
  ) u_burster (
    .clk_i,
    .rst_ni,
    .kill_i,
    .run_valid_i   (run_valid),
    .run_ready_o   (run_ready),
    .run_first_i   (run_first),
    .run_last_i    (run_last_word),
    .run_one_page_i(run_one_page),
    .run_adjacent_i(run_adjacent),
    .run_expect_i  (run_expect),
    .run_unknown_i (run_unknown),
    .blocked_i     (blocked),
    .burst_valid_o,
    .burst_ready_i,
    .burst_first_o,
    .burst_len_o,
    .idle_o        (burster_idle)
  );

  logic unused_idle;
  assign unused_idle = joiner_idle ^ burster_idle;

endmodule
