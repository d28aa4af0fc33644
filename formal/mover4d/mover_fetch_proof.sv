// tsr_mover_fetch: nothing is read outside of the list, every word of it is asked for once and handed over once,
// in order, and the end is told when nothing is on its way. Bounded: lists of up to three descriptors of a
// word less than a page, in a memory that answers as it likes.
`include "proof.svh"

module mover_fetch_proof
  import tsr_mover_pkg::*;
#(
  parameter int unsigned Burst = 2
) (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        start_i,
  input logic [63:0] addr_i,
  input logic        patterns_i,
  input logic        stop_i,
  input logic        word_ready_i,
  input logic        arready_i,
  input logic [ 1:0] count_i,       // of the list
  input logic [ 1:0] rresp_i,
  input logic        rvalid_i
);

  `TSR_PROOF_RESET

  localparam int unsigned AddrWidth = 13;
  localparam int unsigned WordBits = AddrWidth - 3;
  localparam int unsigned Depth = 16;

  logic [31:0] count_o;
  logic ended_o, fault_o, word_valid_o, arvalid_o, rready_o;
  mover_error_e error_o;
  logic [63:0] word_o;
  logic [AddrWidth-1:0] araddr_o;
  logic [7:0] arlen_o;
  logic [63:0] rdata;

  tsr_mover_fetch #(
    .AddrWidth(AddrWidth),
    .Depth    (Depth),
    .Burst    (Burst)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .start_i,
    .addr_i,
    .patterns_i,
    .stop_i,
    .count_o,
    .ended_o,
    .error_o,
    .word_o,
    .fault_o,
    .word_valid_o,
    .word_ready_i,
    .araddr_o,
    .arlen_o,
    .arvalid_o,
    .arready_i,
    .rdata_i(rdata),
    .rresp_i,
    .rvalid_i,
    .rready_o
  );

  // ---- The list and its memory -------------------------------------------------------------------

  // The words that a list may still ask for and hand over, counted here.
  logic running_q, counted_q, patterns_q;
  logic [WordBits:0] ask_q;  // the word that is asked for next
  logic [WordBits:0] owed_q;  // words that memory owes
  logic [WordBits:0] give_q;  // the word that memory gives next
  logic [WordBits:0] hand_q;  // the word that is handed over next
  logic [WordBits:0] stop_q;  // behind the list
  logic [1:0] size_q;
  logic gives, asks, hands, counts;
  assign gives  = rvalid_i && rready_o;
  assign asks   = arvalid_o && arready_i;
  assign hands  = word_valid_o && word_ready_i && !stop_i;
  assign counts = gives && !counted_q;
  assign rdata  = counts ? 64'(count_i) : 64'(give_q);

  `TSR_ASSUME(StartsAtRest, !start_i || ended_o)
  `TSR_ASSUME(AnswersWhatWasAsked, !rvalid_i || owed_q != '0)
  `TSR_ASSUME(SmallAddress, addr_i[63:AddrWidth] == '0)
  `TSR_ASSUME_NEXT(StopStays, stop_i && !ended_o, stop_i)
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      running_q <= 1'b0;
      counted_q <= 1'b0;
      owed_q    <= '0;
    end else begin
      running_q <= start_i || (running_q && !ended_o);
      owed_q <= owed_q + (asks ? (WordBits + 1)'(arlen_o) + 1'b1 : '0) - (WordBits + 1)'(gives);
      if (start_i) begin
        counted_q  <= 1'b0;
        patterns_q <= patterns_i;
        ask_q      <= {1'b0, addr_i[AddrWidth-1:3]};
        give_q     <= {1'b0, addr_i[AddrWidth-1:3]};
        hand_q     <= {1'b0, addr_i[AddrWidth-1:3]} + 1'b1;
        stop_q     <= {1'b0, addr_i[AddrWidth-1:3]} + 1'b1;  // until the count is there
      end else begin
        if (asks) ask_q <= ask_q + (WordBits + 1)'(arlen_o) + 1'b1;
        if (gives) give_q <= give_q + 1'b1;
        if (word_valid_o && (word_ready_i || stop_i)) hand_q <= hand_q + 1'b1;
        if (counts) begin
          counted_q <= 1'b1;
          size_q <= count_i;
          stop_q    <= stop_q + (rresp_i[1] ? '0 :
              (WordBits + 1)'(count_i) * (patterns_q ? (WordBits + 1)'(PatternWords)
                                                     : (WordBits + 1)'(CuboidWords)));
        end
      end
    end
  end

  // ---- What is asked for -------------------------------------------------------------------------

  `TSR_ASSERT(InOrder, !arvalid_o || araddr_o == {ask_q[WordBits-1:0], 3'd0})
  `TSR_ASSERT(WithinTheList, !arvalid_o || ask_q + (WordBits + 1)'(arlen_o) + 1'b1 <= stop_q)
  `TSR_ASSERT(WithinThePage, !arvalid_o || 10'(ask_q[8:0]) + 10'(arlen_o) < 10'd512)
  `TSR_ASSERT(WithinTheBurst, !arvalid_o || 32'(arlen_o) < Burst)
  `TSR_ASSERT(WithinTheMemory, !arvalid_o || !ask_q[WordBits])
  `TSR_ASSERT(WithinARun, !arvalid_o || running_q)

  // ---- What is handed over ------------------------------------------------------------------------

  `TSR_ASSERT(OwnWord, !word_valid_o || word_o == 64'(hand_q))
  `TSR_ASSERT(OfTheList, !word_valid_o || hand_q < stop_q)
  `TSR_ASSERT(CountOfTheList, !hands || count_o == 32'(size_q))

  // ---- The end -----------------------------------------------------------------------------------

  logic done;
  assign done = running_q && ended_o;
  logic stopped_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || start_i) stopped_q <= stop_i && start_i;
    else stopped_q <= stopped_q || stop_i;
  end
  `TSR_ASSERT(NothingOnItsWay, !done || (owed_q == '0 && !word_valid_o && !arvalid_o))
  `TSR_ASSERT(EverythingHandedOver,
              !done || error_o != MoverOk || stopped_q || stop_i || hand_q == stop_q)

  `TSR_COVER(HandsOver, hands && size_q == 2'd1)
  `TSR_COVER(Empty, done && size_q == '0 && counted_q && error_o == MoverOk)
  `TSR_COVER(PastTheMemory, done && error_o == MoverListAddress && counted_q)
  `TSR_COVER(Stopped, done && stopped_q && size_q == 2'd2 && error_o == MoverOk && counted_q)

endmodule
