// tsr_layout: the operations of an item add up to its lead, data and tail bytes, in this order and each
// byte once; data moves on through the bus words without a gap and never leaves its group within an
// operation, whatever part of an operation the taker executes. Items come in order, none is lost.
//
// Bounded: the first `depth` cycles. Any one item is followed: `mark_i` chooses it. Every item is marked as a flush, which tells where it
// ends; for the one that is followed this is checked.
`include "proof.svh"

module layout_proof #(
  parameter  int unsigned DataBytes   = 8,
  parameter  int unsigned GroupBytes  = 4,
  parameter  int unsigned Depth       = 4,
  parameter  bit          Skips       = 1'b0,
  parameter  bit          SendFill    = 1'b1,
  localparam int unsigned GroupsWidth = 2,
  localparam int unsigned OffWidth    = $clog2(DataBytes),
  localparam int unsigned SizeWidth   = $clog2(GroupBytes) + 1,
  localparam int unsigned SumWidth    = $clog2(GroupBytes) + 2,
  localparam int unsigned TotalWidth  = SizeWidth + GroupsWidth
) (
  input logic                   clk_i,
  input logic                   rst_ni,
  input logic                   kill_i,
  input logic                   mark_i,
  input logic                   item_valid_i,
  input logic                   item_set_i,
  input logic [            1:0] item_value_i,
  input logic                   item_fill_i,
  input logic                   item_data_i,
  input logic [GroupsWidth-1:0] item_groups_i,
  input logic [  SizeWidth-1:0] item_lead_i,
  input logic [   OffWidth-1:0] item_off_i,
  input logic [  SizeWidth-1:0] item_end_i,
  input logic [  SizeWidth-1:0] item_tail_i,
  input logic                   item_eot_i,
  input logic                   item_last_i,
  input logic                   item_illegal_i,
  input logic                   item_user_i,
  input logic                   take_i,
  input logic                   take_data_i,
  input logic                   take_all_i,
  input logic                   skip_i
);

  `TSR_PROOF_RESET

  typedef logic [TotalWidth-1:0] total_t;

  logic item_ready_o, op_valid_o, op_set_o, op_word_end_o, op_eot_o, op_item_eot_o, op_last_o;
  logic op_flush_o, op_illegal_o, op_user_o;
  logic [63:0] op_value_o;
  logic [SizeWidth-1:0] op_lead_o, op_data_o;
  logic [SumWidth-1:0] op_lead_data_o, op_all_o;
  logic [OffWidth-1:0] op_off_o;

  tsr_layout #(
    .DataBytes  (DataBytes),
    .GroupBytes (GroupBytes),
    .GroupsWidth(GroupsWidth),
    .Depth      (Depth),
    .Skips      (Skips),
    .SendFill   (SendFill)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .kill_i,
    .item_valid_i,
    .item_ready_o,
    .item_set_i,
    .item_value_i(64'(item_value_i)),
    .item_fill_i,
    .item_data_i,
    .item_groups_i,
    .item_lead_i,
    .item_off_i,
    .item_end_i,
    .item_tail_i,
    .item_eot_i,
    .item_flush_i(1'b1),
    .item_last_i,
    .item_illegal_i,
    .item_user_i,
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
    .take_i,
    .take_data_i,
    .take_all_i,
    .skip_i
  );

  // What an item is.
  logic [SizeWidth-1:0] start;
  assign start = SizeWidth'(32'(item_off_i) % GroupBytes);
  `TSR_ASSUME(OneKind, !item_valid_i || 2'(item_set_i) + 2'(item_fill_i) + 2'(item_data_i) <= 1)
  `TSR_ASSUME(SetsOnlyWithFill, SendFill || !item_set_i)
  `TSR_ASSUME(OddBytes,
              !item_valid_i || (32'(item_lead_i) < GroupBytes && 32'(item_tail_i) < GroupBytes))
  `TSR_ASSUME(TailBehindData, !item_valid_i || item_data_i || item_tail_i == '0)
  `TSR_ASSUME(LeadBeforeData, !item_valid_i || item_data_i || (item_lead_i == '0 && start == '0))
  `TSR_ASSUME(OddFillAlone, !item_valid_i || item_fill_i || item_data_i || item_groups_i == '0)
  logic ends_in_its_group;
  assign ends_in_its_group = !(item_fill_i || item_data_i) || (item_end_i != '0 &&
      32'(item_end_i) <= GroupBytes && (item_fill_i || item_groups_i != '0 || item_end_i > start));
  `TSR_ASSUME(EndsInItsGroup, !item_valid_i || ends_in_its_group)

  // What a taker may ask for.
  `TSR_ASSUME(TakesWhatIsThere, !take_i || op_valid_o)
  `TSR_ASSUME(TakesSetWhole, !(take_i && op_set_o) || take_all_i)
  logic leaves_some;
  assign leaves_some = (take_data_i ? op_lead_data_o : SumWidth'(op_lead_o)) != op_all_o;
  `TSR_ASSUME(PartOfAll, !take_i || take_all_i || leaves_some)
  `TSR_ASSUME(SkipsWhatIsThere, !skip_i || (Skips && op_valid_o && !take_i))

  // Items inside, and those before the one that is followed.
  localparam int unsigned CountWidth = $clog2(Depth + 2);
  typedef logic [CountWidth-1:0] count_t;
  count_t inside_q, ahead_q;
  logic load, ends, mark, marked_q, front;
  assign load  = item_valid_i && item_ready_o;
  assign ends  = (take_i && take_all_i && (op_set_o || op_flush_o)) || skip_i;
  assign mark  = load && mark_i && !marked_q;
  assign front = marked_q && ahead_q == '0 && op_valid_o;

  // The bytes of that item that are left.
  logic set_q, eot_q, last_q, illegal_q, user_q;
  logic [1:0] value_q;
  total_t lead_q, data_q, tail_q, lead_d, data_d, tail_d, part, rest;
  logic [OffWidth-1:0] off_q;

  // A step takes `part` bytes from the front.
  always_comb begin
    part = '0;
    if (front && take_i) begin
      if (take_all_i) part = total_t'(op_all_o);
      else if (take_data_i) part = total_t'(op_lead_data_o);
      else part = total_t'(op_lead_o);
    end
    rest   = part;
    lead_d = rest < lead_q ? lead_q - rest : '0;
    rest   = rest < lead_q ? '0 : rest - lead_q;
    data_d = rest < data_q ? data_q - rest : '0;
    rest   = rest < data_q ? '0 : rest - data_q;
    tail_d = tail_q - rest;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || kill_i) begin
      inside_q <= '0;
      marked_q <= 1'b0;
    end else begin
      inside_q <= inside_q + count_t'(load) - count_t'(ends);
      marked_q <= mark || (marked_q && !(front && ends));
    end
    ahead_q <= mark ? inside_q - count_t'(ends) : ahead_q - count_t'(ends);
    if (mark) begin
      set_q   <= item_set_i && SendFill;
      value_q <= item_value_i;
      lead_q  <= total_t'(item_lead_i);
      if (item_fill_i)
        lead_q <= total_t'(item_groups_i) * total_t'(GroupBytes) + total_t'(item_end_i);
      data_q    <= item_data_i ? total_t'(item_groups_i) * total_t'(GroupBytes) +
                   total_t'(item_end_i) - total_t'(start) : '0;
      tail_q <= total_t'(item_tail_i);
      off_q <= item_off_i;
      eot_q <= item_eot_i;
      last_q <= item_last_i;
      illegal_q <= item_illegal_i;
      user_q <= item_user_i;
    end else if (!(set_q && front)) begin
      lead_q <= lead_d;
      data_q <= data_d;
      tail_q <= tail_d;
      off_q  <= off_q + OffWidth'(data_q - data_d);
    end
  end

  logic shown, final_op;
  total_t op_tail;
  assign shown = front && !op_set_o;
  assign op_tail = total_t'(op_all_o) - total_t'(op_lead_data_o);
  assign final_op = total_t'(op_lead_o) == lead_q && total_t'(op_data_o) == data_q &&
                    op_tail == tail_q;
  `TSR_ASSERT(NoneMadeUp, !op_valid_o || inside_q != '0)
  `TSR_ASSERT(SetAsSet, !front || op_set_o == set_q)
  `TSR_ASSERT(Value, !(front && set_q) || op_value_o == 64'(value_q))
  logic no_more_than_left;
  assign no_more_than_left = total_t'(op_lead_o) <= lead_q && total_t'(op_data_o) <= data_q &&
                             op_tail <= tail_q;
  `TSR_ASSERT(NoMoreThanLeft, !shown || no_more_than_left)
  `TSR_ASSERT(DataAfterLead, !shown || op_data_o == '0 || total_t'(op_lead_o) == lead_q)
  `TSR_ASSERT(
      TailAfterData,
      !shown || op_tail == '0 || (total_t'(op_data_o) == data_q && total_t'(op_lead_o) == lead_q))
  `TSR_ASSERT(FinalIsTheRest, !shown || op_flush_o == final_op)
  `TSR_ASSERT(MovesOn, !shown || op_all_o != '0 || final_op)
  `TSR_ASSERT(DataWithoutGap, !shown || op_data_o == '0 || op_off_o == off_q)
  `TSR_ASSERT(
      DataInItsGroup,
      !shown || op_data_o == '0 || 32'(op_off_o) % GroupBytes + 32'(op_data_o) <= GroupBytes)
  logic word_end;
  assign word_end = total_t'(op_data_o) == data_q || 32'(op_off_o) + 32'(op_data_o) == DataBytes;
  `TSR_ASSERT(WordEnd, !shown || op_data_o == '0 || op_word_end_o == word_end)
  `TSR_ASSERT(Sum, !shown || op_lead_data_o == SumWidth'(op_lead_o) + SumWidth'(op_data_o))
  logic flags, attributes;
  assign flags = op_eot_o == (eot_q && final_op) && op_last_o == (last_q && final_op);
  assign attributes = op_item_eot_o == eot_q && op_illegal_o == illegal_q && op_user_o == user_q;
  `TSR_ASSERT(FlagsAtTheEnd, !shown || flags)
  `TSR_ASSERT(Attributes, !shown || attributes)

  // Nothing stays inside: what came three cycles ago shows. A fill value is followed by an idle cycle.
  logic [1:0] came_q;
  logic after_set_q;
  always_ff @(posedge clk_i) begin
    came_q      <= (!rst_ni || kill_i) ? '0 : {came_q[0], load};
    after_set_q <= rst_ni && !kill_i && take_i && op_set_o;
  end
  `TSR_ASSERT(NothingStays,
              after_set_q || op_valid_o || inside_q <= count_t'(came_q[0]) + count_t'(came_q[1]))
  `TSR_ASSERT(EmptyIsReady, item_ready_o || inside_q != '0)

  logic streak_q;
  always_ff @(posedge clk_i) streak_q <= rst_ni && !kill_i && load && ends;
  `TSR_COVER(ItemEveryCycle, streak_q && load && ends)
  `TSR_COVER(Full, inside_q == count_t'(Depth + 1))
  `TSR_COVER(AllThree, shown && op_lead_o != '0 && op_data_o != '0 && op_tail != '0)
  `TSR_COVER(DataOfNextWord, shown && !final_op && op_word_end_o && take_i && take_all_i)
  if (SendFill) begin : gen_fill
    `TSR_COVER(FillValue, front && take_i && op_set_o)
  end
  if (Skips) begin : gen_skips
    `TSR_COVER_NEXT(SkippedAmongOthers, skip_i && !op_flush_o && !kill_i, op_valid_o)
  end

endmodule
