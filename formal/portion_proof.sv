// tsr_portion: of an operation is executed what the bytes reach, every byte of its data once, from the lane
// where it lies to the byte of the word where it belongs.
//
// The model counts: what is executed of the operation at hand, and the bytes that are held. `byte_i` is any
// byte of the operation.
`include "proof.svh"

module portion_proof #(
  parameter  int unsigned DataBytes   = 8,
  parameter  int unsigned StreamBytes = 4,
  localparam int unsigned GroupBytes  = DataBytes < StreamBytes ? DataBytes : StreamBytes,
  localparam int unsigned OffWidth    = $clog2(DataBytes),
  localparam int unsigned SizeWidth   = $clog2(GroupBytes) + 1,
  localparam int unsigned SumWidth    = $clog2(GroupBytes) + 2,
  localparam int unsigned TurnWidth   = GroupBytes == 1 ? 1 : $clog2(GroupBytes),
  localparam int unsigned PosWidth    = $clog2(StreamBytes) + 2,
  localparam int unsigned CountWidth  = $clog2(StreamBytes) + 4
) (
  input logic                 clk_i,
  input logic                 rst_ni,
  input logic                 clear_i,
  input logic                 load_i,
  input logic [SizeWidth-1:0] lead_i,
  input logic [SizeWidth-1:0] data_i,
  input logic [SizeWidth-1:0] tail_i,
  input logic [ OffWidth-1:0] off_i,
  input logic                 run_i,
  input logic                 span_i,
  input logic                 short_i,
  input logic                 join_i,
  input logic [ PosWidth-1:0] size_i,
  input logic [ PosWidth-1:0] lane_i,
  input logic [ SumWidth-1:0] byte_i
);

  `TSR_PROOF_RESET

  typedef logic [CountWidth-1:0] count_t;

  logic
      valid_o,
      nothing_o,
      writes_o,
      reached_o,
      level_o,
      joined_reached_o,
      joined_level_o,
      part_o,
      data_done_o;
  logic [PosWidth-1:0] left_o, part_begin_o;
  logic [OffWidth-1:0] part_off_o;
  logic [OffWidth:0] part_end_o;
  logic [TurnWidth-1:0] part_turn_o;
  logic [StreamBytes-1:0] part_held_o;
  logic [SumWidth-1:0] lead_data, whole;
  assign lead_data = SumWidth'(lead_i) + SumWidth'(data_i);
  assign whole     = lead_data + SumWidth'(tail_i);

  tsr_portion #(
    .DataBytes  (DataBytes),
    .StreamBytes(StreamBytes),
    .GroupBytes (GroupBytes)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .clear_i,
    .load_i,
    .op_lead_i     (lead_i),
    .op_data_i     (data_i),
    .op_lead_data_i(lead_data),
    .op_all_i      (whole),
    .op_off_i      (off_i),
    .run_i,
    .span_i,
    .short_i,
    .join_i,
    .size_i,
    .lane_i,
    .valid_o,
    .nothing_o,
    .writes_o,
    .reached_o,
    .level_o,
    .joined_reached_o,
    .joined_level_o,
    .left_o,
    .part_o,
    .data_done_o,
    .part_off_o,
    .part_end_o,
    .part_turn_o,
    .part_begin_o,
    .part_held_o
  );

  // ---- The model --------------------------------------------------------------------------------

  logic valid_q;
  count_t lead_q, data_q, all_q;  // ends of the lead, of the data, of all
  count_t done_q, held_q;  // bytes executed of the operation at hand, bytes held
  logic [OffWidth-1:0] off_q;
  count_t size, reach, joined, executed, done, held;
  logic all_done;

  assign size   = join_i ? count_t'(size_i) : '0;
  assign reach  = done_q + held_q;
  assign joined = reach + count_t'(size_i);
  always_comb begin
    executed = '0;
    if (run_i && reach >= all_q) executed = all_q - done_q;
    else if (run_i && span_i) executed = (joined < all_q ? joined : all_q) - done_q;
    else if (run_i && short_i) executed = held_q;
  end
  assign done     = done_q + executed;
  assign held     = held_q + (run_i ? size : '0) - executed;
  assign all_done = run_i && done == all_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      valid_q <= 1'b0;
      held_q  <= '0;
    end else begin
      valid_q <= load_i || (valid_q && !all_done);
      held_q  <= held;
    end
    done_q <= load_i ? '0 : done;
    if (load_i) begin
      lead_q <= count_t'(lead_i);
      data_q <= count_t'(lead_data);
      all_q  <= count_t'(whole);
      off_q  <= off_i;
    end
  end

  // ---- What tsr_unpacker does -------------------------------------------------------------------

  `TSR_ASSUME(RunsOne, !run_i || valid_q)
  `TSR_ASSUME(LoadsWhenFree, !load_i || !valid_q || all_done)
  `TSR_ASSUME(JoinsAnOperation, !join_i || valid_q)
  `TSR_ASSUME(PieceInABeat, 32'(size_i) <= StreamBytes)
  `TSR_ASSUME(SpansWithThePiece, !span_i || (join_i && reach < all_q && &lane_i))
  `TSR_ASSUME(ShortWithout, !short_i || (reach < all_q && !join_i && held_q != '0))
  // A piece joins what it goes on from, or when nothing is left.
  `TSR_ASSUME(JoinsNothingElse,
              !join_i || span_i || (reach < all_q ? held_q == '0 : reach == all_q))

  // What tsr_layout gives.
  `TSR_ASSUME(WithinAGroup,
              32'(lead_i) <= GroupBytes && 32'(off_i) % GroupBytes + 32'(data_i) <= GroupBytes)
  `TSR_ASSUME(OddBytes, data_i == '0 || 32'(lead_i) < GroupBytes)
  `TSR_ASSUME(OddTail, 32'(tail_i) < GroupBytes || tail_i == '0)

  // ---- What it owes -----------------------------------------------------------------------------

  `TSR_ASSERT(Valid, valid_o == valid_q)
  `TSR_ASSERT(HeldInABeat, 32'(held_q) <= StreamBytes)
  `TSR_ASSERT(Nothing, !valid_q || nothing_o == (all_q == '0))
  `TSR_ASSERT(Writes, !valid_q || writes_o == (lead_q != data_q && done_q < data_q))
  `TSR_ASSERT(Reached, !valid_q || reached_o == (reach >= all_q))
  `TSR_ASSERT(Level, !valid_q || level_o == (reach == all_q))
  `TSR_ASSERT(JoinedReached, !valid_q || joined_reached_o == (joined >= all_q))
  `TSR_ASSERT(JoinedLevel, !valid_q || joined_level_o == (joined == all_q))
  `TSR_ASSERT(Left, !all_done || count_t'(left_o) == held)

  // Bytes `from` up to `upto` of the operation are data that are executed now.
  count_t from, upto;
  logic has_data;
  assign from = done_q < lead_q ? lead_q : done_q;
  assign upto = done < data_q ? done : data_q;
  assign has_data = run_i && from < upto;
  // A beat without bytes in the midst of data gives a part of none.
  logic none;
  assign none = run_i && span_i && from == upto && lead_q < done_q && done_q < data_q &&
                done == done_q;
  `TSR_ASSERT(Part, part_o == (has_data || none))
  `TSR_ASSERT(DataDone, !has_data || data_done_o == (upto == data_q))
  `TSR_ASSERT(Begins, !part_o || count_t'(part_off_o) == count_t'(off_q) + from - lead_q)
  `TSR_ASSERT(Ends, !part_o || count_t'(part_end_o) == count_t'(off_q) + upto - lead_q)
  `TSR_ASSERT(NoPartIsEmpty, valid_q || part_end_o == {1'b0, part_off_o})

  // Any of them: it lies in the lane before the last byte held by as much as it comes before it.
  count_t which, lane;
  logic chosen;
  assign which  = count_t'(byte_i);
  assign chosen = has_data && from <= which && which < upto;
  assign lane   = (count_t'(lane_i) + 1'b1 + which - reach) % count_t'(StreamBytes);
  `TSR_ASSERT(
      FromItsLane,
      !chosen || (count_t'(part_begin_o) + which - lead_q - lane) % count_t'(StreamBytes) == '0)
  count_t astray;  // how far it comes from its byte
  assign astray = lane + count_t'(part_turn_o) - count_t'(off_q) - which + lead_q;
  `TSR_ASSERT(ToItsByte, !chosen || GroupBytes == 1 || astray % count_t'(GroupBytes) == '0)
  logic from_held;
  assign from_held = part_held_o[lane];
  `TSR_ASSERT(FromHeldOrPiece, !(chosen && span_i) || from_held == (which < reach))

  if (GroupBytes > 2) begin : gen_several
    `TSR_COVER(SpansWithData, has_data && span_i && from < reach && reach < upto)
    `TSR_COVER(ThreeParts, valid_q && done_q > lead_q && has_data && short_i)
  end
  `TSR_COVER(Follows, run_i && all_done && join_i && reach == all_q && all_q != '0 && load_i)
  `TSR_COVER(HoldsOn, all_done && held != '0 && load_i)
  `TSR_COVER(NothingAtAll, run_i && nothing_o)

endmodule
