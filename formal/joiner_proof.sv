// tsr_joiner: its items are exactly the bytes of the rows, in order: fill as fill, data where it lies,
// flags with the last byte of their row; its runs are exactly the words of the data of the items that
// they leave with, but for a last word that the next run goes on in: its bytes come with that one; and
// runs keep what the burst planner relies on.
//
// Any byte of the stream is followed from its row to its item. Bounded: the first `depth` cycles; rows
// come and items and runs are taken whenever they may. A run that ends because it holds the most rows
// that a run may have is not among them.
`include "proof.svh"

module joiner_proof #(
  parameter int unsigned DataBytes = 4,
  parameter int unsigned GroupBytes = 2,
  parameter bit Bounds = 1'b1,
  localparam int unsigned AddrWidth = 9,
  localparam int unsigned RowWidth = 32,
  localparam int unsigned OffWidth = $clog2(DataBytes),
  localparam int unsigned WordWidth = AddrWidth - OffWidth,
  localparam int unsigned SpanWidth = RowWidth + 1 - OffWidth,
  localparam int unsigned GroupsWidth = RowWidth + 1 - $clog2(GroupBytes),
  localparam int unsigned SizeWidth = $clog2(GroupBytes) + 1,
  localparam int unsigned FillWidth = $clog2(GroupBytes) + 1,  // of a lead or tail here
  localparam int unsigned DataWidth = 6,
  localparam int unsigned TotalWidth = 11
) (
  input logic                  clk_i,
  input logic                  rst_ni,
  input logic                  kill_i,
  input logic                  row_valid_i,
  input logic [ AddrWidth-1:0] row_base_i,
  input logic [ FillWidth-1:0] row_lead_i,
  input logic [ DataWidth-1:0] row_data_i,
  input logic [ FillWidth-1:0] row_tail_i,
  input logic                  row_long_i,     // much more data than this
  input logic [ DataWidth-1:0] row_size_i,     // of one outside
  input logic                  row_null_i,
  input logic                  row_outside_i,
  input logic                  row_first_i,
  input logic                  row_touches_i,
  input logic                  row_again_i,
  input logic                  row_inside_i,
  input logic                  row_end_i,
  input logic                  row_flush_i,
  input logic                  row_last_i,
  input logic                  row_illegal_i,
  input logic                  unknown_i,
  input logic                  user_i,
  input logic                  item_ready_i,
  input logic                  run_ready_i,
  input logic                  mark_i,         // a byte of the row is followed
  input logic [TotalWidth-1:0] byte_i          // ... this one
);

  `TSR_PROOF_RESET

  typedef logic [AddrWidth-1:0] addr_t;
  typedef logic [WordWidth-1:0] word_t;
  typedef logic [TotalWidth-1:0] total_t;

  logic
      row_ready_o, row_plain, row_null, has_lead, has_tail, item_valid_o, item_fill_o, item_data_o;
  logic item_eot_o, item_flush_o, item_last_o, item_illegal_o, item_user_o;
  logic
      run_valid_o,
      run_follows_o,
      run_mid_o,
      run_expect_o,
      run_unknown_o,
      run_user_o,
      blocked_o,
      empty_o;
  logic [GroupsWidth-1:0] item_groups_o;
  logic [SizeWidth-1:0] item_lead_o, item_end_o, item_tail_o;
  logic [OffWidth-1:0] item_off_o, row_off;
  word_t run_first_o;
  logic [SpanWidth-1:0] run_span_o;
  addr_t row_addr;
  logic [RowWidth-1:0] row_data;
  assign row_data  = RowWidth'(row_data_i) + (row_long_i ? RowWidth'(16 * DataBytes) : '0);

  // A row without bytes is null whatever its numbers say; its flags say that it has one part.
  assign row_null  = row_null_i;
  assign has_lead  = !row_null && 32'(row_lead_i) >= GroupBytes;
  assign has_tail  = !row_null && 32'(row_tail_i) >= GroupBytes;
  assign row_plain = !row_null && !row_outside_i && row_lead_i == '0 && row_tail_i == '0;
  assign row_addr  = row_base_i + addr_t'(row_lead_i);
  assign row_off   = row_addr[OffWidth-1:0];

  tsr_joiner #(
    .AddrWidth (AddrWidth),
    .DataBytes (DataBytes),
    .GroupBytes(GroupBytes),
    .MaxBurst  (1),
    .Bounds    (Bounds)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .kill_i,
    .row_valid_i,
    .row_ready_o,
    .row_base_i,
    .row_off_i     (row_off),
    .row_size_i    (RowWidth'(row_size_i)),
    .row_lead_i    (RowWidth'(row_lead_i)),
    .row_data_i    (row_data),
    .row_tail_i    (RowWidth'(row_tail_i)),
    .row_has_lead_i(has_lead),
    .row_has_tail_i(has_tail),
    .row_null_i,
    .row_outside_i,
    .row_plain_i   (row_plain),
    .row_first_i,
    .row_touches_i,
    .row_again_i,
    .row_inside_i,
    .row_end_i,
    .row_flush_i,
    .row_last_i,
    .row_illegal_i,
    .unknown_i,
    .user_i,
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

  logic accept, give, run_take;
  assign accept   = row_valid_i && row_ready_o;
  assign give     = item_valid_o && item_ready_i;
  assign run_take = run_valid_o && run_ready_i;

  // ---- What the walker does: a row shown stays, attributes are those of the transfer --------------

  logic inside_q, illegal_q, unknown_q, user_q;  // between the rows of a transfer
  always_ff @(posedge clk_i) begin
    if (!rst_ni || kill_i) inside_q <= 1'b0;
    else if (accept) inside_q <= !row_end_i;
    if (accept) begin
      illegal_q <= row_illegal_i;
      unknown_q <= unknown_i;
      user_q    <= user_i;
    end
  end
  `TSR_ASSUME_STABLE(RowStable, row_valid_i, row_ready_o || kill_i, ({
                     row_base_i, row_lead_i, row_data_i, row_long_i, row_tail_i, row_size_i,
                     row_null_i, row_outside_i, row_first_i, row_touches_i, row_again_i,
                     row_inside_i, row_end_i, row_flush_i, row_last_i, row_illegal_i, unknown_i,
                     user_i}))
  `TSR_ASSUME(FirstComesFirst, !row_valid_i || row_first_i == !inside_q)
  // The walker says of a row without fill whether it begins where another such row ended, the one before it.
  addr_t before_end_q;
  logic  before_plain_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || kill_i) before_plain_q <= 1'b0;
    else if (accept) before_plain_q <= row_plain;
    if (accept) before_end_q <= row_base_i + addr_t'(row_data);
  end
  `TSR_ASSUME(TouchesAsItLies,
              !(row_plain && before_plain_q) || row_touches_i == (row_base_i == before_end_q))
  // A row reached as the one before it was: as far from that, and the two before it are as long.
  logic [1:0] rows_q;  // of this transfer, up to 2
  addr_t [1:0] base_q;
  logic [1:0] plain_q;
  logic [1:0][RowWidth-1:0] data_q;
  logic again;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || kill_i || (accept && row_end_i)) rows_q <= '0;
    else if (accept) rows_q <= {|rows_q, 1'b1};
    if (accept) begin
      base_q  <= {base_q[0], row_base_i};
      plain_q <= {plain_q[0], row_plain};
      data_q  <= {data_q[0], row_data};
    end
  end
  assign again = (&rows_q) && row_base_i - base_q[0] == base_q[0] - base_q[1] &&
                 (!(&plain_q) || data_q[0] == data_q[1]);
  `TSR_ASSUME(Again, !(row_valid_i && row_again_i) || (again && !row_null))
  logic same_transfer;
  assign same_transfer = row_illegal_i == illegal_q && unknown_i == unknown_q && user_i == user_q;
  `TSR_ASSUME(OneTransfer, !(row_valid_i && inside_q) || same_transfer)
  `TSR_ASSUME(NullIsWhole, !row_null || row_end_i)
  `TSR_ASSUME(SomeDataUnlessOutside, row_null || row_outside_i || row_data != '0)
  `TSR_ASSUME(InsideIsPlain, !(row_valid_i && row_inside_i) || row_plain || row_null)
  `TSR_ASSUME(OutsideHasBytes, !row_outside_i || row_size_i != '0)
  `TSR_ASSUME(NoFill, Bounds || row_null || row_plain)
  `TSR_ASSUME(LastFlushes, !row_last_i || row_flush_i)

  // ---- The byte that is followed, in its row; a transfer without bytes counts as one ------------------

  total_t
      left_q, ahead_q;  // bytes of the rows seen that were not given; those before the one marked
  total_t row_bytes, gone;
  logic seen_q, sees, marks, row_fill, marked_q, meets;
  always_comb begin
    row_bytes = total_t'(row_lead_i) + total_t'(row_data) + total_t'(row_tail_i);
    if (row_outside_i) row_bytes = total_t'(row_size_i);
    if (row_null) row_bytes = total_t'(1);
  end
  assign sees = row_valid_i && !seen_q;
  assign marks = sees && mark_i && byte_i < row_bytes && !marked_q;
  assign row_fill = row_outside_i || byte_i < total_t'(row_lead_i) ||
                    byte_i >= total_t'(row_lead_i) + total_t'(row_data);

  logic null_q, fill_q, row_end_q, eot_q, flush_q, last_q, of_illegal_q, of_user_q, of_unknown_q;
  addr_t addr_q;
  always_ff @(posedge clk_i) begin
    seen_q <= rst_ni && !kill_i && row_valid_i && !row_ready_o;
    if (!rst_ni || kill_i) begin
      marked_q <= 1'b0;
      left_q   <= '0;
    end else begin
      left_q <= left_q - gone + (sees ? row_bytes : '0);
      if (marks) marked_q <= 1'b1;
      else if (meets && give) marked_q <= 1'b0;
    end
    if (marks) begin
      ahead_q      <= left_q - gone + byte_i;
      null_q       <= row_null;
      fill_q       <= !row_null && row_fill;
      row_end_q    <= byte_i == row_bytes - 1'b1;
      addr_q       <= row_base_i + addr_t'(byte_i);
      eot_q        <= row_end_i;
      flush_q      <= row_flush_i;
      last_q       <= row_last_i;
      of_illegal_q <= row_illegal_i;
      of_user_q    <= user_i;
      of_unknown_q <= unknown_i;
    end else begin
      ahead_q <= ahead_q - gone;
    end
  end

  // ---- The same byte in its item ------------------------------------------------------------------

  total_t item_lead, item_data, item_tail, item_bytes, start, bulk;
  logic item_null;
  assign start = total_t'(32'(item_off_o) % GroupBytes);
  always_comb begin
    item_lead = total_t'(item_lead_o);
    item_data = '0;
    item_tail = total_t'(item_tail_o);
    if (item_fill_o)
      item_lead = total_t'(item_groups_o) * total_t'(GroupBytes) + total_t'(item_end_o);
    if (item_data_o)
      item_data = total_t'(item_groups_o) * total_t'(GroupBytes) + total_t'(item_end_o) - start;
  end
  assign item_null  = !item_fill_o && !item_data_o;
  assign item_bytes = item_null ? total_t'(1) : item_lead + item_data + item_tail;
  assign meets      = item_valid_o && marked_q && ahead_q < item_bytes;
  assign gone       = give ? item_bytes : '0;

  // Where the item's data begins: where its run does, or where the one before it ended.
  word_t last_word_q, first_word, last_word;
  addr_t data_addr, item_addr;
  logic shares, shares_q, expect_q, run_unknown_q;
  always_comb begin
    first_word = run_first_o;
    last_word  = run_first_o + word_t'(run_span_o);
    if (run_follows_o) begin
      first_word = last_word_q + word_t'(!run_mid_o);
      last_word  = first_word + word_t'(run_span_o);
    end
  end
  assign data_addr = {first_word, item_off_o};
  assign item_addr = data_addr + addr_t'(ahead_q - item_lead);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || kill_i) expect_q <= 1'b0;
    else if (run_take) expect_q <= run_expect_o;
    if (run_take) begin
      last_word_q   <= last_word;
      shares_q      <= shares;
      run_unknown_q <= run_unknown_o;
    end
  end

  logic meets_data, meets_end;
  addr_t end_addr;
  assign meets_data = meets && item_data_o && ahead_q >= item_lead &&
                      ahead_q < item_lead + item_data;
  assign meets_end = meets && ahead_q == item_bytes - 1'b1;
  assign end_addr = data_addr + addr_t'(item_data) - 1'b1;
  `TSR_ASSERT(NothingElse, !item_valid_o || item_bytes <= left_q)
  `TSR_ASSERT(OneKind, !item_valid_o || !(item_fill_o && item_data_o))
  logic no_odd_bytes;
  assign no_odd_bytes = item_lead_o == '0 && item_off_o == '0 && item_tail_o == '0;
  `TSR_ASSERT(OddBytesBesideData, !item_valid_o || item_data_o || no_odd_bytes)
  `TSR_ASSERT(OddBytes,
              !item_valid_o || (32'(item_lead_o) < GroupBytes && 32'(item_tail_o) < GroupBytes))
  `TSR_ASSERT(EndInGroup,
              !item_valid_o || item_null || (item_end_o != '0 && 32'(item_end_o) <= GroupBytes))
  `TSR_ASSERT(NullAsNull, !meets || item_null == null_q)
  `TSR_ASSERT(DataAsData, !meets || meets_data == (!fill_q && !null_q))
  `TSR_ASSERT(DataWhereItLies, !(meets_data && run_take) || item_addr == addr_q)
  logic flags;
  assign flags = {item_eot_o, item_flush_o, item_last_o} ==
                 ({3{row_end_q}} & {eot_q, flush_q, last_q});
  `TSR_ASSERT(FlagsAtTheEnd, !meets_end || flags)
  `TSR_ASSERT(EndsAtAFlush, !(meets && !meets_end && row_end_q) || !(eot_q || flush_q || last_q))
  `TSR_ASSERT(Attributes, !meets || (item_illegal_o == of_illegal_q && item_user_o == of_user_q))
  `TSR_ASSERT(AttributeOfRun, !(meets && run_take) || run_unknown_o == of_unknown_q)
  `TSR_ASSERT(UserOfRun, !(meets && run_take) || run_user_o == of_user_q)

  // Nothing is lost: what is not held has been given.
  `TSR_ASSERT(NothingLost, !empty_o || seen_q || left_q == '0)

  // ---- Runs ---------------------------------------------------------------------------------------

  `TSR_ASSERT(RunWithItem, run_take == (give && item_data_o))
  // The last word is left to the next run: the data ends with the word before it.
  assign shares = last_word != end_addr[AddrWidth-1:OffWidth];
  logic leaves_a_word;
  assign leaves_a_word = run_expect_o && (&end_addr[OffWidth-1:0]) &&
                         last_word == end_addr[AddrWidth-1:OffWidth] + 1'b1;
  `TSR_ASSERT(WordsOfData, !run_take || !shares || leaves_a_word)
  `TSR_ASSERT(SomeData, !run_take || (item_data != '0 && item_data <= left_q))
  `TSR_ASSERT(SpanFits, !run_take || run_span_o < SpanWidth'(1 << WordWidth))
  `TSR_ASSERT(FollowsAsAnnounced, !run_valid_o || run_follows_o == expect_q)
  `TSR_ASSERT(SharesAsSaid, !(run_take && run_follows_o) || run_mid_o == shares_q)
  `TSR_ASSERT(SameTransfer, !(run_valid_o && expect_q) || run_unknown_o == run_unknown_q)
  `TSR_ASSERT(BlockedGivesNothing, !(blocked_o && run_valid_o))

  // ---- What can happen ----------------------------------------------------------------------------

  `TSR_COVER(Joined, run_take && item_data == total_t'(12))
  `TSR_COVER(FollowsInTheMiddle, run_take && run_follows_o && run_mid_o)
  `TSR_COVER(FollowsAtAWord, run_take && run_follows_o && !run_mid_o)
  `TSR_COVER(MovesInForSure, accept && row_again_i && !item_ready_i && !empty_o)
  if (Bounds) begin : gen_fill
    `TSR_COVER(DataAmongFill, run_take && item_lead != '0 && item_tail != '0 && meets_data)
    `TSR_COVER(FillBehind, give && item_fill_o && meets_end && !item_eot_o)
  end

endmodule
