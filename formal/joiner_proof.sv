// tsr_joiner: its items add up to the bytes of the rows, in order; its runs cover the words of their
// data, each leaving with its item; and runs keep what the burst planner relies on.
`include "proof.svh"

module joiner_proof #(
  parameter  int unsigned DataBytes   = 4,
  parameter  int unsigned GroupBytes  = 2,
  parameter  int unsigned MaxBurst    = 1,
  parameter  bit          SendFill    = 1'b1,
  localparam int unsigned AddrWidth   = 14,
  localparam int unsigned RowWidth    = 32 + $clog2(DataBytes),
  localparam int unsigned OffWidth    = $clog2(DataBytes),
  localparam int unsigned WordWidth   = AddrWidth - OffWidth,
  localparam int unsigned GroupsWidth = RowWidth - $clog2(GroupBytes) + 1,
  localparam int unsigned SizeWidth   = $clog2(GroupBytes) + 1,
  localparam int unsigned PartWidth   = 3,                                  // of a row here
  localparam int unsigned TotalWidth  = 12
) (
  input logic                 clk_i,
  input logic                 rst_ni,
  input logic                 kill_i,
  input logic                 row_valid_i,
  input logic [AddrWidth-1:0] row_base_i,
  input logic [PartWidth-1:0] row_lead_i,
  input logic [PartWidth-1:0] row_data_i,
  input logic [PartWidth-1:0] row_tail_i,
  input logic                 row_first_i,
  input logic                 row_end_i,
  input logic                 row_flush_i,
  input logic                 row_last_i,
  input logic                 bounded_i,
  input logic                 fill_changed_i,
  input logic                 unknown_i,
  input logic                 item_ready_i,
  input logic                 run_ready_i
);

  `TSR_PROOF_RESET

  typedef logic [AddrWidth-1:0] addr_t;
  typedef logic [WordWidth-1:0] word_t;
  typedef logic [TotalWidth-1:0] total_t;

  logic row_ready_o, row_plain, item_valid_o, item_set_o, item_fill_o, item_data_o;
  logic item_eot_o, item_flush_o, item_last_o, item_illegal_o, item_user_o;
  logic run_valid_o, run_one_page_o, run_adjacent_o, run_expect_o, run_unknown_o, blocked_o, idle_o;
  logic [63:0] item_value_o;
  logic [GroupsWidth-1:0] item_groups_o;
  logic [SizeWidth-1:0] item_lead_o, item_end_o, item_tail_o;
  logic [OffWidth-1:0] item_off_o;
  word_t run_first_o, run_last_o;
  addr_t row_addr, row_next;

  assign row_plain = row_data_i != '0 && row_lead_i == '0 && row_tail_i == '0;
  assign row_addr  = row_base_i + addr_t'(row_lead_i);
  assign row_next  = row_base_i + addr_t'(row_lead_i) + addr_t'(row_data_i) + addr_t'(row_tail_i);

  tsr_joiner #(
    .AddrWidth (AddrWidth),
    .DataBytes (DataBytes),
    .GroupBytes(GroupBytes),
    .MaxBurst  (MaxBurst),
    .SendFill  (SendFill)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .kill_i,
    .row_valid_i,
    .row_ready_o,
    .row_base_i,
    .row_addr_i   (row_addr),
    .row_next_i   (row_next),
    .row_lead_i   (RowWidth'(row_lead_i)),
    .row_data_i   (RowWidth'(row_data_i)),
    .row_tail_i   (RowWidth'(row_tail_i)),
    .row_plain_i  (row_plain),
    .row_first_i,
    .row_end_i,
    .row_flush_i,
    .row_last_i,
    .row_illegal_i(1'b0),
    .bounded_i,
    .fill_i       (64'd0),
    .fill_changed_i,
    .unknown_i,
    .user_i       (1'b0),
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
    .run_valid_o,
    .run_ready_i,
    .run_first_o,
    .run_last_o,
    .run_one_page_o,
    .run_adjacent_o,
    .run_expect_o,
    .run_unknown_o,
    .blocked_o,
    .idle_o
  );

  logic accept, give, run_take;
  assign accept   = row_valid_i && row_ready_o;
  assign give     = item_valid_o && item_ready_i;
  assign run_take = run_valid_o && run_ready_i;

  // ---- What the walker does: a row shown stays; the rows of a transfer come without a gap --------

  logic inside_q, unknown_q;  // between the rows of a transfer
  always_ff @(posedge clk_i) begin
    if (!rst_ni || kill_i) inside_q <= 1'b0;
    else if (accept) inside_q <= !row_end_i;
    if (accept) unknown_q <= unknown_i;
  end
  `TSR_ASSUME_STABLE(RowStable, row_valid_i, row_ready_o || kill_i, ({
                     row_base_i, row_lead_i, row_data_i, row_tail_i, row_first_i, row_end_i,
                     row_flush_i, row_last_i, bounded_i, fill_changed_i, unknown_i}))
  `TSR_ASSUME(NoGap, !inside_q || row_valid_i)
  `TSR_ASSUME(FirstComesFirst, !row_valid_i || row_first_i == !inside_q)
  `TSR_ASSUME(OneTransfer, !(row_valid_i && inside_q) || unknown_i == unknown_q)
  `TSR_ASSUME(WithoutDataAllLead, row_data_i != '0 || row_tail_i == '0)
  `TSR_ASSUME(LastFlushes, !row_last_i || row_flush_i)
  `TSR_ASSUME_NEXT(ItemReadyStays, item_ready_i && !item_valid_o && !kill_i, item_ready_i)

  // ---- Bytes of the rows that no item has covered yet ---------------------------------------------

  logic open_q, flush_q, last_q, end_q, value_given_q, run_given_q;
  total_t lead_q, data_q, tail_q;
  total_t item_lead, item_data, item_tail, start;
  addr_t addr_q, next_q;
  logic give_part, gone;
  assign give_part = give && !item_set_o;
  assign start     = total_t'(32'(addr_q) % GroupBytes);
  always_comb begin
    item_lead = total_t'(item_lead_o);
    item_data = '0;
    item_tail = '0;
    if (item_fill_o) begin
      item_lead = '0;
      if (lead_q != '0) item_lead = (total_t'(item_groups_o) + 1'b1) * total_t'(GroupBytes);
      else item_tail = (total_t'(item_groups_o) + 1'b1) * total_t'(GroupBytes);
    end else if (item_data_o) begin
      item_data = total_t'(item_groups_o) * total_t'(GroupBytes) + total_t'(item_end_o) - start;
      item_tail = total_t'(item_tail_o);
    end
  end
  assign gone = give_part && item_lead == lead_q && item_data == data_q && item_tail == tail_q;

  always_ff @(posedge clk_i) begin
    open_q <= rst_ni && !kill_i && (accept || (open_q && !gone));
    if (accept) begin
      lead_q  <= total_t'(row_lead_i);
      data_q  <= ((open_q && !gone) ? data_q : '0) + total_t'(row_data_i);
      tail_q  <= total_t'(row_tail_i);
      next_q  <= row_next;
      flush_q <= row_flush_i;
      last_q  <= row_last_i;
      end_q   <= row_end_i;
      if (!open_q || gone) addr_q <= row_addr;
    end else if (give_part) begin
      lead_q <= lead_q - item_lead;
      data_q <= data_q - item_data;
      tail_q <= tail_q - item_tail;
    end
  end

  `TSR_ASSERT(HoldsWhatIsLeft, idle_o == !open_q)
  `TSR_ASSERT(NothingElse, !give_part || open_q)
  `TSR_ASSERT(NoMoreThanLeft,
              !give_part || (item_lead <= lead_q && item_data <= data_q && item_tail <= tail_q))
  `TSR_ASSERT(LeadFirst, !give_part || (item_data == '0 && item_tail == '0) || item_lead == lead_q)
  `TSR_ASSERT(TailLast, !give_part || item_tail == '0 || item_data == data_q)
  `TSR_ASSERT(DataWhereItLies, !(give_part && item_data_o) || item_off_o == addr_q[OffWidth-1:0])
  `TSR_ASSERT(WholeData, !(give_part && item_data_o) || item_data == data_q)
  logic flags_at_the_end;
  assign flags_at_the_end = !give_part || (item_flush_o == (gone && flush_q) && item_last_o == (
      gone && last_q) && item_eot_o == (gone && end_q));
  `TSR_ASSERT(FlagsAtTheEnd, flags_at_the_end)
  logic joins_what_touches;
  assign joins_what_touches = !(accept && open_q && !gone) || (row_plain && !row_first_i &&
      !flush_q && lead_q == '0 && tail_q == '0 && row_base_i == next_q &&
      (32'(next_q) % DataBytes != 0 || 32'(data_q) < MaxBurst * DataBytes));
  `TSR_ASSERT(JoinsWhatTouches, joins_what_touches)

  // ---- Runs ---------------------------------------------------------------------------------------

  addr_t end_addr;
  assign end_addr = addr_q + addr_t'(data_q) - 1'b1;
  `TSR_ASSERT(RunWithItem, run_take == (give_part && item_data_o))
  logic run_covers_data;
  assign run_covers_data = !run_valid_o || (data_q != '0 &&
      run_first_o == addr_q[AddrWidth-1:OffWidth] &&
      run_last_o == end_addr[AddrWidth-1:OffWidth]);
  `TSR_ASSERT(RunCoversData, run_covers_data)
  `TSR_ASSERT(OnePage,
              !run_valid_o || run_one_page_o == (13'(addr_q[11:0]) + 13'(data_q) <= 13'd4096))

  // What burster_proof assumes.
  logic expect_q, run_unknown_q;
  word_t run_last_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || kill_i) expect_q <= 1'b0;
    else if (run_take) expect_q <= run_expect_o;
    if (run_take) begin
      run_last_q    <= run_last_o;
      run_unknown_q <= run_unknown_o;
    end
  end
  `TSR_ASSERT(AdjacentAsAnnounced, !run_valid_o || run_adjacent_o == expect_q)
  `TSR_ASSERT(NextToTheOneBefore, !(run_valid_o && expect_q) || run_first_o == run_last_q + 1'b1)
  `TSR_ASSERT(SameTransfer, !(run_valid_o && expect_q) || run_unknown_o == run_unknown_q)
  `TSR_ASSERT(BlockedGivesNothing, !(blocked_o && run_valid_o))
  `TSR_ASSERT_NEXT(RunStable, run_valid_o && !run_ready_i && !kill_i, run_valid_o && $past
                   ({run_first_o, run_last_o, run_unknown_o})
                   == {run_first_o, run_last_o, run_unknown_o})

  `TSR_COVER(Joined, run_take && data_q > total_t'(1 << PartWidth))
  `TSR_COVER_NEXT(AdjacentRuns, run_take && run_expect_o, run_take && run_adjacent_o)
  if (SendFill) begin : gen_fill
    `TSR_COVER(FillValue, give && item_set_o)
  end
  `TSR_COVER(FillOnBothSides, gone && item_fill_o && item_tail != '0)
  `TSR_COVER(TwoPages, run_take && !run_one_page_o)

endmodule
