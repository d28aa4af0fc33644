// Makes runs of rows: gives each run to the burst planner and its layout to the data side.
//
// A run is a row, or several rows each of which begins at the very byte where the one before ends. It
// ends where they no longer touch, or at the end of a bus word when it is as long as a burst. Then the
// next run is marked `adjacent`, so that the burst planner can go on with its burst.
//
// The layout of a run is at most four items: the fill value (when it changed), whole groups of fill,
// data with the odd fill bytes on either side, whole groups of fill. A group is GroupBytes: what the
// data side handles in a cycle.
//
// Contract: the row interface is that of tsr_walker. Items and the run leave together: nothing of a row
// is given out before both can take their part. Flags stand on the last item of a row. `kill_i` drops
// what is held.
// Latency: 1 cycle from row to run. Throughput: one row a cycle unless it needs several items.
`include "tsr_assert.svh"
module tsr_joiner #(
  parameter int unsigned AddrWidth = 64,
  parameter int unsigned DataBytes = 8,
  parameter int unsigned GroupBytes = 8,  // min(bus, stream)
  parameter int unsigned MaxBurst = 64,
  parameter int unsigned UserWidth = 1,  // attributes handed through to the data side
  parameter bit SendFill = 1'b1,  // the data side needs fill values
  localparam int unsigned RowWidth = 32 + $clog2(DataBytes),
  localparam int unsigned GroupLog2 = $clog2(GroupBytes),
  localparam int unsigned OffWidth = $clog2(DataBytes),
  localparam int unsigned WordAddrWidth = AddrWidth - OffWidth,
  localparam int unsigned GroupsWidth = RowWidth - GroupLog2 + 1,
  localparam int unsigned SizeWidth = GroupLog2 + 1
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  logic                     kill_i,
  // Rows.
  input  logic                     row_valid_i,
  output logic                     row_ready_o,
  input  logic [    AddrWidth-1:0] row_base_i,
  input  logic [    AddrWidth-1:0] row_addr_i,
  input  logic [    AddrWidth-1:0] row_next_i,
  input  logic [     RowWidth-1:0] row_lead_i,
  input  logic [     RowWidth-1:0] row_data_i,
  input  logic [     RowWidth-1:0] row_tail_i,
  input  logic                     row_plain_i,
  input  logic                     row_first_i,
  input  logic                     row_end_i,
  input  logic                     row_flush_i,
  input  logic                     row_last_i,
  input  logic                     row_illegal_i,
  input  logic                     bounded_i,
  input  logic [             63:0] fill_i,
  input  logic                     fill_changed_i,
  input  logic                     unknown_i,       // the transfer may end before its rows do
  input  logic [    UserWidth-1:0] user_i,
  // Layout items.
  output logic                     item_valid_o,
  input  logic                     item_ready_i,
  output logic                     item_set_o,      // a new fill value ...
  output logic [             63:0] item_value_o,
  output logic                     item_fill_o,     // ... or groups of fill
  output logic                     item_data_o,     // ... or a run with data
  output logic [  GroupsWidth-1:0] item_groups_o,   // groups after the first
  output logic [    SizeWidth-1:0] item_lead_o,     // odd fill bytes before the data
  output logic [     OffWidth-1:0] item_off_o,      // byte of the bus word where the data begins
  output logic [    SizeWidth-1:0] item_end_o,      // bytes of the last group up to the data's end
  output logic [    SizeWidth-1:0] item_tail_o,     // odd fill bytes after the data
  output logic                     item_eot_o,
  output logic                     item_flush_o,
  output logic                     item_last_o,
  output logic                     item_illegal_o,
  output logic [    UserWidth-1:0] item_user_o,
  // Runs, in bus words.
  output logic                     run_valid_o,
  input  logic                     run_ready_i,
  output logic [WordAddrWidth-1:0] run_first_o,
  output logic [WordAddrWidth-1:0] run_last_o,
  output logic                     run_one_page_o,  // all in one 4 KiB page
  output logic                     run_adjacent_o,  // begins in the word after the run before
  output logic                     run_expect_o,    // the next run will be adjacent
  output logic                     run_unknown_o,
  output logic                     blocked_o,       // wants to give out, but an item is not taken
  output logic                     idle_o
);

  localparam int unsigned JoinLimit = 127;  // rows in a run: bounds the wait for its first burst
  localparam int unsigned CountWidth = $clog2(JoinLimit + 1);
  localparam int unsigned BurstLog2 = $clog2(MaxBurst * DataBytes + 1) - 1;

  typedef logic [AddrWidth-1:0] addr_t;
  typedef logic [RowWidth-1:0] row_t;
  typedef logic [RowWidth:0] wide_t;

  logic valid_q, plain_q, end_q, flush_q, last_q, illegal_q, adjacent_q, unknown_q;
  addr_t addr_q, next_q;
  row_t lead_q, data_q, tail_q;
  logic [ UserWidth-1:0] user_q;
  logic [CountWidth-1:0] joined_q;
  logic lead_sent_q, main_sent_q;

  // ---- Joining ----------------------------------------------------------------------------------

  logic touch, aligned, enough, join_row, release_row, done, free;
  logic value_first;  // the fill value has to go ahead of the row

  assign aligned = next_q[OffWidth-1:0] == '0;
  assign touch    = row_valid_i && row_plain_i && plain_q && !row_first_i && !flush_q &&
                    row_base_i == next_q;
  assign enough   = joined_q == CountWidth'(JoinLimit) ||
                    (aligned && data_q[RowWidth-1:BurstLog2] != '0);
  assign join_row = valid_q && touch && !enough;
  assign release_row = valid_q && !join_row && done;
  assign free = !valid_q || join_row || release_row;
  assign row_ready_o = free && !value_first;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || kill_i) valid_q <= 1'b0;
    else if (free) valid_q <= row_valid_i && row_ready_o;
  end

  always_ff @(posedge clk_i) begin
    if (row_ready_o) begin
      plain_q   <= row_plain_i;
      end_q     <= row_end_i;
      flush_q   <= row_flush_i;
      last_q    <= row_last_i;
      illegal_q <= row_illegal_i;
      user_q    <= user_i;
      unknown_q <= unknown_i;
      next_q    <= row_next_i;
      lead_q    <= row_lead_i;
      tail_q    <= row_tail_i;
      data_q    <= (join_row ? data_q : '0) + row_data_i;
      if (join_row) begin
        joined_q <= joined_q + 1'b1;
      end else begin
        joined_q   <= '0;
        addr_q     <= row_addr_i;
        adjacent_q <= valid_q && touch && aligned;
      end
    end
  end

  // ---- The fill value ---------------------------------------------------------------------------

  // The data side keeps the last value. It is sent ahead of the first row of a transfer when it has
  // changed, and when the transfer is joined to the one before: that begins in the middle of a beat,
  // and the value with it.
  logic send_value;
  if (SendFill) begin : gen_fill
    logic stale_q, open_q, sent_q, stale;
    assign stale       = stale_q || fill_changed_i;
    assign value_first = row_valid_i && row_first_i && bounded_i && (stale || open_q) && !sent_q;
    assign send_value  = value_first && !valid_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || kill_i) begin
        stale_q <= 1'b1;
        open_q  <= 1'b0;
        sent_q  <= 1'b0;
      end else if (row_valid_i && row_ready_o) begin
        if (row_end_i) open_q <= !row_flush_i;
        if (row_first_i) stale_q <= stale && !sent_q;
        sent_q <= 1'b0;
      end else if (send_value && item_ready_i) begin
        sent_q <= 1'b1;
      end
    end
  end else begin : gen_no_fill
    logic unused_fill;
    assign value_first = 1'b0;
    assign send_value  = 1'b0;
    assign unused_fill = ^{bounded_i, fill_changed_i};
  end
  assign item_value_o = fill_i;

  // ---- Items ------------------------------------------------------------------------------------

  logic has_data, has_lead, has_tail, has_main, send_main, run_ok, give, final_item;
  wide_t data_end;  // from the beginning of the first group
  logic [RowWidth-GroupLog2-1:0] lead_groups, tail_groups;

  assign lead_groups = lead_q[RowWidth-1:GroupLog2];
  assign tail_groups = tail_q[RowWidth-1:GroupLog2];
  assign has_data = data_q != '0;
  assign has_lead = lead_groups != '0;
  assign has_tail = tail_groups != '0;

  if (GroupLog2 == 0) begin : gen_byte_groups
    assign has_main    = has_data || (!has_lead && !has_tail);
    assign data_end    = {1'b0, data_q};
    assign item_lead_o = '0;
    assign item_tail_o = '0;
    assign item_end_o  = 1'b1;
  end else begin : gen_groups
    logic [GroupLog2-1:0] data_end_odd;
    assign has_main    = has_data || lead_q[GroupLog2-1:0] != '0 || (!has_lead && !has_tail);
    assign data_end    = wide_t'(data_q) + wide_t'(addr_q[GroupLog2-1:0]);
    assign data_end_odd = data_end[GroupLog2-1:0];
    assign item_lead_o = SizeWidth'(lead_q[GroupLog2-1:0]);
    assign item_tail_o = SizeWidth'(tail_q[GroupLog2-1:0]);
    assign item_end_o  = {data_end_odd == '0, data_end_odd};
  end

  // In this order: lead, main, tail.
  logic at_lead, at_main, at_tail, row_item;
  assign at_lead      = has_lead && !lead_sent_q;
  assign at_main      = has_main && !main_sent_q && !at_lead;
  assign at_tail      = has_tail && !at_lead && !at_main;
  assign send_main    = at_main;
  assign run_ok       = !(send_main && has_data) || run_ready_i;

  assign row_item     = valid_q && !join_row && run_ok;
  assign item_valid_o = row_item || send_value;
  assign give         = row_item && item_ready_i;
  assign item_set_o   = send_value;
  assign item_fill_o  = !at_main;
  assign item_data_o  = send_main && has_data;
  always_comb begin
    if (at_lead) item_groups_o = GroupsWidth'(lead_groups) - 1'b1;
    else if (at_main) item_groups_o = has_data ? GroupsWidth'((data_end - 1'b1) >> GroupLog2) : '0;
    else item_groups_o = GroupsWidth'(tail_groups) - 1'b1;
  end
  assign item_off_o     = addr_q[OffWidth-1:0];
  assign final_item     = at_tail || (at_main && !has_tail) || (at_lead && !has_main && !has_tail);
  assign done           = give && final_item;
  assign item_eot_o     = final_item && end_q;
  assign item_flush_o   = final_item && flush_q;
  assign item_last_o    = final_item && last_q;
  assign item_illegal_o = illegal_q;
  assign item_user_o    = user_q;

  always_ff @(posedge clk_i) begin
    if (free) begin
      lead_sent_q <= 1'b0;
      main_sent_q <= 1'b0;
    end else if (give) begin
      if (at_lead) lead_sent_q <= 1'b1;
      if (at_main) main_sent_q <= 1'b1;
    end
  end

  // ---- Runs -------------------------------------------------------------------------------------

  logic [13:0] in_page;  // last byte of the run, counted from the beginning of its first page
  addr_t last_byte;
  logic unused_low;
  assign last_byte      = addr_q + addr_t'(data_q) - 1'b1;
  assign unused_low     = ^{last_byte[OffWidth-1:0], in_page[11:0]};
  assign in_page        = 14'(addr_q[11:0]) + 14'(data_q[12:0]) - 14'd1;
  assign run_valid_o    = valid_q && !join_row && send_main && has_data && item_ready_i;
  assign run_first_o    = addr_q[AddrWidth-1:OffWidth];
  assign run_last_o     = last_byte[AddrWidth-1:OffWidth];
  assign run_one_page_o = in_page[13:12] == '0 && data_q[RowWidth-1:13] == '0;
  assign run_adjacent_o = adjacent_q;
  assign run_expect_o   = touch && aligned;
  assign run_unknown_o  = unknown_q;
  assign blocked_o      = valid_q && !join_row && !item_ready_i;
  assign idle_o         = !valid_q;

  `TSR_ASSERT(RunGoesWithItem, !(run_valid_o && run_ready_i) || (give && item_data_o))
  `TSR_ASSERT(DataOrFill, !(row_item && item_data_o) || data_q != '0)

endmodule
