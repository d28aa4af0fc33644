// Makes runs of rows: gives each run to the burst planner and its layout to the data side.
//
// A run is a row, or several rows each of which begins at the very byte where the one before ends. It
// ends where they no longer touch, or where it is long enough: then the next run `follows` it, perhaps
// in the middle of a bus word (`mid`), and the burst planner goes on with its burst. The bytes of that
// word are all laid out with the next run, so that the data side handles a word once.
//
// The layout of a row is one item, fill or data with the odd fill bytes on either side; whole groups of
// fill before and after the data are items of their own. A group is GroupBytes: what the data side
// handles in a cycle.
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
  parameter bit Bounds = 1'b1,
  localparam int unsigned RowWidth = 32,
  localparam int unsigned GroupLog2 = $clog2(GroupBytes),
  localparam int unsigned OffWidth = $clog2(DataBytes),
  localparam int unsigned WordAddrWidth = AddrWidth - OffWidth,
  localparam int unsigned SpanWidth = RowWidth + 1 - OffWidth,
  localparam int unsigned GroupsWidth = RowWidth + 1 - GroupLog2,
  localparam int unsigned SizeWidth = GroupLog2 + 1
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  logic                     kill_i,
  // Rows: see tsr_walker.
  input  logic                     row_valid_i,
  output logic                     row_ready_o,
  input  logic [    AddrWidth-1:0] row_base_i,
  input  logic [     OffWidth-1:0] row_off_i,
  input  logic [     RowWidth-1:0] row_size_i,
  input  logic [     RowWidth-1:0] row_lead_i,
  input  logic [     RowWidth-1:0] row_data_i,
  input  logic [     RowWidth-1:0] row_tail_i,
  input  logic                     row_has_lead_i,  // whole groups of fill before the data
  input  logic                     row_has_tail_i,  // ... and after it
  input  logic                     row_null_i,
  input  logic                     row_outside_i,
  input  logic                     row_plain_i,
  input  logic                     row_first_i,
  input  logic                     row_touches_i,
  input  logic                     row_again_i,
  input  logic                     row_inside_i,
  input  logic                     row_end_i,
  input  logic                     row_flush_i,
  input  logic                     row_last_i,
  input  logic                     row_illegal_i,
  input  logic                     unknown_i,       // the transfer may end before its rows do
  input  logic [    UserWidth-1:0] user_i,
  // Layout items. Lead, offset and tail are 0 unless there is data.
  output logic                     item_valid_o,
  input  logic                     item_ready_i,
  output logic                     item_fill_o,     // groups of fill, else a run with data
  output logic                     item_data_o,     // ... if it has some
  output logic [  GroupsWidth-1:0] item_groups_o,   // groups after the first
  output logic [    SizeWidth-1:0] item_lead_o,     // odd fill bytes before the data
  output logic [     OffWidth-1:0] item_off_o,      // byte of the bus word where the data begins
  output logic [    SizeWidth-1:0] item_end_o,      // bytes of the last group up to the end
  output logic [    SizeWidth-1:0] item_tail_o,     // odd fill bytes after the data
  output logic                     item_eot_o,
  output logic                     item_flush_o,
  output logic                     item_last_o,
  output logic                     item_illegal_o,
  output logic [    UserWidth-1:0] item_user_o,
  // Runs, in bus words.
  output logic                     run_valid_o,
  input  logic                     run_ready_i,     // may depend on `run_follows_o`
  output logic                     run_follows_o,   // goes on where the run before ended
  output logic                     run_mid_o,       // ... in its last word
  output logic [WordAddrWidth-1:0] run_first_o,     // unless it follows
  output logic [    SpanWidth-1:0] run_span_o,      // words after the first
  output logic                     run_expect_o,    // the next run will follow
  output logic                     run_unknown_o,
  output logic [    UserWidth-1:0] run_user_o,
  output logic                     blocked_o,       // wants to give out, but an item is not taken
  output logic                     empty_o
);

  // Rows after which a run is long enough: they bound the wait for its first burst.
  localparam int unsigned JoinLimit = 127;
  localparam int unsigned CountWidth = $clog2(JoinLimit + 1);
  localparam int unsigned ShortWords = MaxBurst < 16 ? 16 : MaxBurst;
  localparam int unsigned EnoughLog2 = $clog2(ShortWords * DataBytes + 1) - 1;

  typedef logic [AddrWidth-1:0] addr_t;
  typedef logic [RowWidth-1:0] row_t;
  // From the word where a run begins to its last byte. A row adds less than 2**32, to at most 126 bytes of
  // the word before it, or to a run of less than 2**31: the sum is below 2**33.
  typedef logic [RowWidth:0] reach_t;
  typedef logic [SizeWidth-1:0] size_t;

  logic valid_q, fill_q, data_q, plain_q, eot_q, flush_q, last_q, illegal_q, unknown_q;
  logic follows_q, mid_q;
  addr_t first_q;
  logic [OffWidth-1:0] off_q;
  reach_t reach_q;
  size_t lead_q, tail_q;
  logic [ UserWidth-1:0] user_q;
  logic [CountWidth-1:0] joined_q;  // rows, but for what came in the cycle before
  logic came_q, joined_last_q;
  logic free, take, leave;

  // ---- The parts of a row -----------------------------------------------------------------------

  logic at_main, final_part;
  logic no_part;  // nothing is given out for what would be a part
  row_t part;  // its bytes
  size_t lead_odd, tail_odd;

  if (Bounds) begin : gen_parts
    localparam row_t Whole = ~row_t'(GroupBytes - 1);
    logic at_lead, at_tail, lead_sent_q, main_sent_q;

    // Whether the row is outside is known late: it is one part, given out where its last part would be.
    assign at_lead    = row_has_lead_i && !lead_sent_q;
    assign at_tail    = main_sent_q;
    assign final_part = main_sent_q || (!at_lead && !row_has_tail_i);
    assign no_part    = row_outside_i && !final_part;
    assign at_main    = !row_outside_i && !at_lead && !at_tail && !row_null_i;
    always_comb begin
      if (row_outside_i) part = row_size_i;
      else if (at_lead) part = row_lead_i & Whole;
      else if (at_tail) part = row_tail_i & Whole;
      else part = row_data_i;
    end
    assign lead_odd = size_t'(row_lead_i & ~Whole);
    assign tail_odd = size_t'(row_tail_i & ~Whole);

    always_ff @(posedge clk_i) begin
      if (!rst_ni || kill_i) begin
        lead_sent_q <= 1'b0;
        main_sent_q <= 1'b0;
      end else if (row_valid_i && free) begin
        lead_sent_q <= !final_part;
        main_sent_q <= !final_part && !at_lead;
      end
    end
  end else begin : gen_whole
    logic unused_bounds;
    assign at_main = !row_null_i;
    assign no_part = 1'b0;
    assign final_part = 1'b1;
    assign part = row_data_i;
    assign lead_odd = '0;
    assign tail_odd = '0;
    assign unused_bounds = ^{
            row_has_lead_i, row_has_tail_i, row_size_i, row_lead_i, row_tail_i, row_outside_i
        };
  end

  // ---- Joining ----------------------------------------------------------------------------------

  logic touches, long_enough, enough, join_row, follows, shares, sure;
  logic enough_q, touched_last_q, seen_touching_q;
  assign touches = row_valid_i && row_plain_i && valid_q && plain_q && !row_first_i &&
                   !flush_q && row_touches_i;
  // At least a word, which is left if the last one goes to the next run. Known a cycle late, when another row
  // may have joined; at once where two such rows would not fit.
  assign long_enough = (joined_q == CountWidth'(JoinLimit) && reach_q[RowWidth:OffWidth] != '0) ||
                       reach_q[RowWidth:EnoughLog2] != '0;
  assign enough = enough_q || (|reach_q[RowWidth-:2]);
  assign join_row = touches && !(enough && leave);
  assign follows = touches && enough && leave;
  assign shares = follows && row_off_i != '0;

  // A part moves in when what is held could leave, whether it then leaves or they are joined: so the
  // rows do not wait for the comparison of addresses. A row that touches for sure moves in also when
  // nothing can leave: it is reached by the same move as the row before, which touched, in a tile without
  // bounds; or it was seen to touch in the cycle before.
  assign leave = item_ready_i && (!data_q || run_ready_i);
  assign sure = ((touched_last_q && row_again_i && row_inside_i) || seen_touching_q) && !enough;
  assign free = !valid_q || leave || sure;
  assign take = row_valid_i && free && !no_part;
  assign row_ready_o = free && final_part;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || kill_i) touched_last_q <= 1'b0;
    else if (take) touched_last_q <= touches && !row_flush_i;
    else if (free) touched_last_q <= 1'b0;
  end
  always_ff @(posedge clk_i) begin
    seen_touching_q <= touches && !take;
  end
  always_ff @(posedge clk_i) begin
    enough_q <= long_enough && !(take && !join_row);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || kill_i) valid_q <= 1'b0;
    else if (free) valid_q <= (row_valid_i && !no_part) || (valid_q && !leave);
  end

  addr_t  first;
  reach_t offset;
  assign first  = row_base_i + (Bounds ? addr_t'(row_lead_i) : '0);
  // One byte less than from the beginning of the word: the offset less one may be -1.
  assign offset = (at_main && row_off_i != '0) ? reach_t'(row_off_i) - 1'b1 : '1;

  always_ff @(posedge clk_i) begin
    if (take) begin
      fill_q    <= !at_main && !row_null_i;
      data_q    <= at_main;
      plain_q   <= at_main && row_plain_i;
      tail_q    <= at_main ? tail_odd : '0;
      eot_q     <= final_part && row_end_i;
      flush_q   <= final_part && row_flush_i;
      last_q    <= final_part && row_last_i;
      illegal_q <= row_illegal_i;
      user_q    <= user_i;
      unknown_q <= unknown_i;
      reach_q   <= join_row ? reach_q + reach_t'(row_data_i) : offset + reach_t'(part);
      if (!join_row) begin
        first_q   <= first;
        off_q     <= at_main ? row_off_i : '0;
        lead_q    <= at_main ? lead_odd : '0;
        follows_q <= follows;
        mid_q     <= row_off_i != '0;
      end
    end
  end

  // Counted a cycle late: whether they join comes late in its cycle.
  always_ff @(posedge clk_i) begin
    came_q        <= take;
    joined_last_q <= join_row;
    if (came_q && !joined_last_q) joined_q <= '0;
    else if (came_q && joined_q != CountWidth'(JoinLimit)) joined_q <= joined_q + 1'b1;
  end

  // ---- Items and runs ---------------------------------------------------------------------------

  logic give;
  assign give           = valid_q && !join_row;
  assign item_valid_o   = give && (!data_q || run_ready_i);
  assign item_fill_o    = fill_q;
  assign item_data_o    = data_q;
  assign item_lead_o    = lead_q;
  assign item_off_o     = follows_q ? '0 : off_q;
  assign item_tail_o    = tail_q;
  assign item_eot_o     = eot_q;
  assign item_flush_o   = flush_q;
  assign item_last_o    = last_q;
  assign item_illegal_o = illegal_q;
  assign item_user_o    = user_q;

  logic [GroupsWidth-1:0] last_group;
  // A run that gives its last word away has a word before it (long_enough): the difference is 0 or more. Data
  // begin in the first word and reach to their own offset at least: so is item_groups_o.
  reach_t whole_reach;  // the last byte of the word before the last
  assign whole_reach = {reach_q[RowWidth:OffWidth] - 1'b1, {OffWidth{1'b1}}};
  assign last_group  = GroupsWidth'((shares ? whole_reach : reach_q) >> GroupLog2);
  if (GroupBytes < DataBytes) begin : gen_first_group
    assign item_groups_o = data_q ? last_group - (GroupsWidth'(item_off_o) >> GroupLog2) :
                           (fill_q ? last_group : '0);
  end else begin : gen_group_is_word
    assign item_groups_o = (data_q || fill_q) ? last_group : '0;
  end
  if (GroupLog2 == 0) begin : gen_byte_groups
    assign item_end_o = 1'b1;
  end else begin : gen_groups
    logic [GroupLog2-1:0] end_byte;
    assign end_byte   = reach_q[GroupLog2-1:0] | {GroupLog2{shares}};
    assign item_end_o = size_t'(end_byte) + 1'b1;
  end

  logic unused_low;
  assign unused_low    = ^first_q[OffWidth-1:0];
  assign run_valid_o   = give && data_q && item_ready_i;
  assign run_follows_o = follows_q;
  assign run_mid_o     = mid_q;
  assign run_first_o   = first_q[AddrWidth-1:OffWidth];
  assign run_span_o    = reach_q[RowWidth:OffWidth];
  assign run_expect_o  = follows;
  assign run_unknown_o = unknown_q;
  assign run_user_o    = user_q;
  assign blocked_o     = valid_q && !item_ready_i;
  assign empty_o       = !valid_q;

  `TSR_ASSERT(SureTouches, !(row_valid_i && valid_q && sure) || touches)
  `TSR_ASSERT(ReachFits, !(take && join_row) || !(|reach_q[RowWidth-:2]))
  `TSR_ASSERT(RunGoesWithItem, !(run_valid_o && run_ready_i) || (item_valid_o && item_data_o))

endmodule
