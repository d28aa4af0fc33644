// tsr_fill_value: no row of a bounded transfer passes before the data side has its fill value, and none
// is held up for a value that it has.
`include "proof.svh"

module fill_value_proof (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        kill_i,
  input logic        offer_i,
  input logic        begin_i,
  input logic [63:0] fill_i,
  input logic        bounded_i,
  input logic        joins_i,
  input logic        quiet_i,
  input logic        ready_i
);

  `TSR_PROOF_RESET

  logic hold_o, valid_o;
  logic [63:0] value_o;

  tsr_fill_value u_dut (
    .clk_i,
    .rst_ni,
    .kill_i,
    .offer_i,
    .begin_i,
    .fill_i,
    .bounded_i,
    .joins_i,
    .quiet_i,
    .hold_o,
    .valid_o,
    .value_o,
    .ready_i
  );

  // No transfer begins while the rows of the one before it are held back; what is offered stays.
  `TSR_ASSUME(OneAtATime, !(begin_i && (hold_o || kill_i)))
  `TSR_ASSUME(OfferedBefore, !begin_i || offer_i)
  logic offered_q, offered_bounded_q;
  logic [63:0] offered_fill_q;
  always_ff @(posedge clk_i) begin
    offered_q         <= rst_ni && !kill_i && offer_i && !begin_i;
    offered_bounded_q <= bounded_i;
    offered_fill_q    <= fill_i;
  end
  `TSR_ASSUME(OfferStays,
              !offered_q || (offer_i && bounded_i == offered_bounded_q && fill_i == offered_fill_q))

  logic running_q, bounded_q;  // the transfer at hand
  logic in_place_q;  // it began where a beat does: the value may stay as it lies
  logic has_q;  // the data side has a value
  logic open_q;  // the transfer that began last joins the one after it
  logic [63:0] fill_q, sent_q;
  logic right;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || kill_i) begin
      running_q <= 1'b0;
      has_q     <= 1'b0;
      open_q    <= 1'b0;
    end else begin
      if (begin_i) begin
        running_q  <= 1'b1;
        bounded_q  <= bounded_i;
        fill_q     <= fill_i;
        in_place_q <= !open_q;
        open_q     <= joins_i;
      end
      if (valid_o && ready_i) begin
        has_q      <= 1'b1;
        sent_q     <= value_o;
        in_place_q <= 1'b1;
      end
    end
  end
  assign right = has_q && sent_q == fill_q && in_place_q;

  `TSR_ASSERT(NoRowTooEarly, !(running_q && bounded_q && !hold_o) || right)
  `TSR_ASSERT(NoneHeldInVain, !hold_o || (running_q && bounded_q && !right))
  `TSR_ASSERT(ItsOwn, !valid_o || value_o == fill_q)
  `TSR_ASSERT(BehindAllElse, valid_o == (hold_o && quiet_i))

  // What the claims rest on, so that they hold by induction.
  `TSR_ASSERT(Remembers,
              !u_dut.known_q || hold_o || u_dut.differed_q || (has_q && sent_q == u_dut.value_q))
  `TSR_ASSERT(KnowsOfJoins, u_dut.joined_q == open_q)
  `TSR_ASSERT(HasItsValue,
              !(running_q && bounded_q) || (u_dut.known_q && (!hold_o || u_dut.value_q == fill_q)))
  `TSR_ASSERT(DiffersWhileOffered, !u_dut.differed_q || (offered_q && !hold_o && offered_bounded_q))
  `TSR_ASSERT(DiffersFromWhatWasSent, !u_dut.differed_q || !has_q || sent_q != u_dut.value_q)
  `TSR_ASSERT(KeptIsOffered, !u_dut.differed_q || u_dut.value_q == offered_fill_q)
  `TSR_ASSERT(HasWhatWasSent, !has_q || u_dut.known_q)

  `TSR_COVER(Sends, valid_o && ready_i && has_q)
  `TSR_COVER(SendsTheSameAgain, valid_o && ready_i && has_q && sent_q == value_o)
  `TSR_COVER(PassesAtOnce, running_q && bounded_q && begin_i && has_q)

endmodule
