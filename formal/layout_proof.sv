// tsr_layout: the operations of an item add up to its lead, data and tail bytes, in this order and each
// byte once; data moves on through the bus words without a gap and never leaves its group within an
// operation, whatever part of an operation the taker executes.
`include "proof.svh"

module layout_proof #(
  parameter  int unsigned DataBytes   = 8,
  parameter  int unsigned GroupBytes  = 4,
  parameter  bit          Partial     = 1'b0,
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
  input logic                   take_i,
  input logic                   take_data_i,
  input logic                   take_all_i,
  input logic                   take_bytes_i,
  input logic [   SumWidth-1:0] bytes_i
);

  `TSR_PROOF_RESET

  typedef logic [TotalWidth-1:0] total_t;

  logic item_ready_o, op_valid_o, op_set_o, op_word_end_o, op_final_o, op_eot_o, op_last_o;
  logic op_flush_o, op_illegal_o, op_user_o;
  logic [63:0] op_value_o;
  logic [SizeWidth-1:0] op_lead_o, op_data_o, op_tail_o;
  logic [SumWidth-1:0] op_lead_data_o, op_all_o;
  logic [OffWidth-1:0] op_off_o;

  tsr_layout #(
    .DataBytes  (DataBytes),
    .GroupBytes (GroupBytes),
    .GroupsWidth(GroupsWidth),
    .Partial    (Partial),
    .SendFill   (SendFill)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .kill_i,
    .item_valid_i,
    .item_ready_o,
    .item_set_i,
    .item_value_i  (64'(item_value_i)),
    .item_fill_i,
    .item_data_i,
    .item_groups_i,
    .item_lead_i,
    .item_off_i,
    .item_end_i,
    .item_tail_i,
    .item_eot_i,
    .item_flush_i  (1'b0),
    .item_last_i,
    .item_illegal_i(1'b0),
    .item_user_i   (1'b0),
    .op_valid_o,
    .op_set_o,
    .op_value_o,
    .op_lead_o,
    .op_data_o,
    .op_tail_o,
    .op_lead_data_o,
    .op_all_o,
    .op_off_o,
    .op_word_end_o,
    .op_final_o,
    .op_eot_o,
    .op_flush_o,
    .op_last_o,
    .op_illegal_o,
    .op_user_o,
    .take_i,
    .take_data_i,
    .take_all_i,
    .take_bytes_i,
    .bytes_i
  );

  // What an item is.
  logic [SizeWidth-1:0] start;
  assign start = SizeWidth'(32'(item_off_i) % GroupBytes);
  `TSR_ASSUME(OneKind, !item_valid_i || 2'(item_set_i) + 2'(item_fill_i) + 2'(item_data_i) <= 1)
  `TSR_ASSUME(SetsOnlyWithFill, SendFill || !item_set_i)
  `TSR_ASSUME(OddBytes,
              !item_valid_i || (32'(item_lead_i) < GroupBytes && 32'(item_tail_i) < GroupBytes))
  `TSR_ASSUME(OddFillAlone, !item_valid_i || item_fill_i || item_data_i || item_groups_i == '0)
  logic ends_in_its_group;
  assign ends_in_its_group = !(item_valid_i && item_data_i) || (item_end_i != '0 &&
      32'(item_end_i) <= GroupBytes && (item_groups_i != '0 || item_end_i > start));
  `TSR_ASSUME(EndsInItsGroup, ends_in_its_group)
  `TSR_ASSUME_STABLE(ItemStable, item_valid_i, item_ready_o || kill_i, ({
                     item_set_i, item_value_i, item_fill_i, item_data_i, item_groups_i,
                     item_lead_i, item_off_i, item_end_i, item_tail_i, item_eot_i, item_last_i}))

  // What a taker may ask for.
  `TSR_ASSUME(TakesWhatIsThere, !take_i || op_valid_o)
  `TSR_ASSUME(TakesSetWhole, !(take_i && op_set_o) || (take_all_i && !take_bytes_i))
  `TSR_ASSUME(PartOfAll, !take_bytes_i || (Partial && !take_all_i && bytes_i < op_all_o))

  // The bytes of the item that are left, from the items alone.
  logic open_q, eot_q, last_q;
  total_t lead_q, data_q, tail_q, lead_d, data_d, tail_d, part, rest;
  logic [OffWidth-1:0] off_q;
  logic load, done;
  assign load = item_valid_i && item_ready_o && !(item_set_i && SendFill);
  assign done = open_q && take_i && take_all_i && op_final_o;

  // A step takes `part` bytes from the front.
  always_comb begin
    part = '0;
    if (open_q && take_i) begin
      if (take_all_i) part = total_t'(op_lead_o) + total_t'(op_data_o) + total_t'(op_tail_o);
      else if (take_bytes_i) part = total_t'(bytes_i);
      else if (take_data_i) part = total_t'(op_lead_o) + total_t'(op_data_o);
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
    open_q <= rst_ni && !kill_i && (load || (open_q && !done));
    lead_q <= lead_d;
    data_q <= data_d;
    tail_q <= tail_d;
    off_q  <= off_q + OffWidth'(data_q - data_d);
    if (load) begin
      lead_q <= total_t'(item_lead_i);
      if (item_fill_i) lead_q <= (total_t'(item_groups_i) + 1'b1) * total_t'(GroupBytes);
      data_q <= item_data_i ? total_t'(item_groups_i) * total_t'(GroupBytes) + total_t'(item_end_i)
                - total_t'(start) : '0;
      tail_q <= item_data_i ? total_t'(item_tail_i) : '0;
      off_q <= item_off_i;
      eot_q <= item_eot_i;
      last_q <= item_last_i;
    end
  end

  logic shown;
  assign shown = open_q && op_valid_o;
  `TSR_ASSERT(ShownWhileOpen, op_valid_o == (open_q || (item_valid_i && item_set_i && SendFill)))
  `TSR_ASSERT(SetOnlyAlone, !op_valid_o || op_set_o == !open_q)
  logic set_taken;
  assign set_taken = !(item_valid_i && item_set_i && SendFill) || (item_ready_o == (take_i &&
      !open_q) && op_value_o == 64'(item_value_i));
  `TSR_ASSERT(SetTaken, set_taken)
  logic no_more_than_left;
  assign no_more_than_left = !shown || (total_t'(op_lead_o) <= lead_q &&
      total_t'(op_data_o) <= data_q && total_t'(op_tail_o) <= tail_q);
  `TSR_ASSERT(NoMoreThanLeft, no_more_than_left)
  `TSR_ASSERT(DataAfterLead, !shown || op_data_o == '0 || total_t'(op_lead_o) == lead_q)
  `TSR_ASSERT(
      TailAfterData,
      !shown || op_tail_o == '0 || (total_t'(op_data_o) == data_q && total_t'(op_lead_o) == lead_q))
  logic final_is_the_rest;
  assign final_is_the_rest = !shown || op_final_o == (total_t'(op_lead_o) == lead_q &&
      total_t'(op_data_o) == data_q && total_t'(op_tail_o) == tail_q);
  `TSR_ASSERT(FinalIsTheRest, final_is_the_rest)
  `TSR_ASSERT(DataWithoutGap, !shown || op_data_o == '0 || op_off_o == off_q)
  `TSR_ASSERT(
      DataInItsGroup,
      !shown || op_data_o == '0 || 32'(op_off_o) % GroupBytes + 32'(op_data_o) <= GroupBytes)
  logic word_end;
  assign word_end = !shown || op_data_o == '0 || op_word_end_o == (
      total_t'(op_data_o) == data_q || 32'(op_off_o) + 32'(op_data_o) == DataBytes);
  `TSR_ASSERT(WordEnd, word_end)
  logic sums;
  assign sums = !shown || (op_lead_data_o == SumWidth'(op_lead_o) + SumWidth'(op_data_o) &&
      op_all_o == SumWidth'(op_lead_o) + SumWidth'(op_data_o) + SumWidth'(op_tail_o));
  `TSR_ASSERT(Sums, sums)
  `TSR_ASSERT(FlagsAtTheEnd,
              !shown || (op_eot_o == (eot_q && op_final_o) && op_last_o == (last_q && op_final_o)))
  `TSR_ASSERT(NoCycleLost, item_set_i || item_ready_o == (!open_q || done))

  `TSR_COVER_NEXT(ItemEveryCycle, load && done, load && done)
  `TSR_COVER(AllThree, shown && op_lead_o != '0 && op_data_o != '0 && op_tail_o != '0)
  `TSR_COVER(DataOfNextWord, shown && !op_final_o && op_word_end_o && take_i && take_all_i)
  if (SendFill) begin : gen_fill
    `TSR_COVER(FillValue, take_i && op_set_o)
  end
  if (Partial) begin : gen_partial
    logic cut_q;
    always_ff @(posedge clk_i)
      cut_q <= open_q && take_i && take_bytes_i && bytes_i > SumWidth'(op_lead_o) &&
               bytes_i < op_lead_data_o;
    `TSR_COVER(CutInData, cut_q && shown && op_tail_o != '0 && op_data_o != '0)
  end

endmodule
