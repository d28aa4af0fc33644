// tsr_burster: the bursts cover exactly the words of the runs, in order, each once; none crosses a 4 KiB
// page or is longer than its limit; each is as long as page, limit and the runs allow; none is held back
// for a run that was not announced or cannot come. Runs of unknown length begin with short bursts, each
// twice as long as the one before. What belongs to a transfer that is dropped is not shown.
`include "proof.svh"

module burster_proof #(
  parameter  int unsigned MaxBurst     = 4,
  parameter  int unsigned UnknownBurst = 2,
  localparam int unsigned SpanWidth    = 5
) (
  input logic                 clk_i,
  input logic                 rst_ni,
  input logic                 kill_i,
  input logic                 run_valid_i,
  input logic                 run_mid_i,
  input logic [          4:0] run_first_i,
  input logic [SpanWidth-1:0] run_span_i,
  input logic                 run_expect_i,
  input logic                 run_unknown_i,
  input logic                 run_tag_i,
  input logic                 drop_i,
  input logic                 drop_tag_i,
  input logic                 blocked_i,
  input logic                 burst_ready_i
);

  `TSR_PROOF_RESET

  // Words so wide that a page holds 8 of them, and an address space of four pages: the smallest that has
  // every case, a page that is neither the first nor the last among them. A run may go round all of it.
  typedef logic [4:0] word_t;
  typedef logic [6:0] count_t;

  logic run_ready_o, burst_valid_o;
  word_t burst_first_o;
  logic [7:0] burst_len_o;
  logic expect_q, burst_tag_o;
  logic [2:0] run_len;
  logic run_final, run_full;

  tsr_front_burst #(
    .DataBytes(512),
    .MaxBurst (MaxBurst),
    .LeftWidth(SpanWidth + 1)
  ) u_front (
    .low_i        (run_first_i[2:0]),
    .left_i       ({1'b0, run_span_i}),
    .unknown_i    (1'b0),
    .ramp_i       ('0),
    .len_o        (run_len),
    .final_piece_o(run_final),
    .full_o       (run_full)
  );

  // A run follows the one before it exactly if that announced it; a run that is offered may change or
  // go away until it is taken.
  tsr_burster #(
    .AddrWidth   (14),
    .DataBytes   (512),
    .MaxBurst    (MaxBurst),
    .UnknownBurst(UnknownBurst),
    .SpanWidth   (SpanWidth)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .kill_i,
    .drop_i,
    .drop_tag_i,
    .run_valid_i,
    .run_ready_o,
    .run_follows_i(expect_q),
    .run_mid_i,
    .run_first_i,
    .run_span_i,
    .run_expect_i,
    .run_unknown_i,
    .run_tag_i,
    .run_len_i    (run_len),
    .run_final_i  (run_final),
    .run_full_i   (run_full),
    .run_ramps_i  (run_unknown_i && run_span_i != '0),
    .blocked_i,
    .burst_valid_o,
    .burst_ready_i,
    .burst_first_o,
    .burst_len_o,
    .burst_tag_o,
    .dropped_o    ()
  );
  `TSR_ASSUME(BlockedGivesNothing, !(blocked_i && run_valid_i))

  logic load, take;
  assign load = run_valid_i && run_ready_o;
  assign take = burst_valid_o && burst_ready_i;

  // The words that were asked for and not yet given out: left_q of them from front_q on.
  logic open_q, unknown_q, tag_q, fresh_q, dropped;
  word_t front_q;
  count_t left_q, added, words, room, limit, most;
  count_t ramp_q;  // the limit of unknown length
  assign words   = count_t'(burst_len_o) + 1'b1;
  assign added   = count_t'(run_span_i) + count_t'(!expect_q || !run_mid_i);
  assign open_q  = left_q != '0;
  assign dropped = drop_i && drop_tag_i == tag_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || kill_i) begin
      expect_q <= 1'b0;
      left_q   <= '0;
      fresh_q  <= 1'b1;
    end else begin
      if (load) expect_q <= run_expect_i;
      if (load) fresh_q <= 1'b0;
      left_q <= left_q + (load ? added : '0) - (take ? words : '0);
      if (open_q && dropped) left_q <= '0;
    end
    if (load) tag_q <= run_tag_i;
    if (!rst_ni || kill_i || (load && !expect_q && (fresh_q || run_tag_i != tag_q)))
      ramp_q <= UnknownBurst < 2 ? count_t'(UnknownBurst) : count_t'(2);
    else if (take)
      ramp_q <= 32'(ramp_q) * 2 > UnknownBurst ? count_t'(UnknownBurst) : ramp_q * count_t'(2);
    if (load && !expect_q) begin
      front_q   <= run_first_i;
      unknown_q <= run_unknown_i;
    end else if (take) begin
      front_q <= front_q + word_t'(words);
    end
  end

  // A run that follows is of the same transfer; what is dropped stays so until all of it has come.
  `TSR_ASSUME(FollowsInItsTransfer, !(run_valid_i && expect_q) || run_tag_i == tag_q)
  logic dropping_q, dropping_tag_q;
  always_ff @(posedge clk_i) begin
    dropping_q     <= rst_ni && !kill_i && drop_i;
    dropping_tag_q <= drop_tag_i;
  end
  `TSR_ASSUME(DropsAllOfIt,
              !(dropping_q && (open_q || expect_q) && tag_q == dropping_tag_q) || dropped || kill_i)

  // What bounds a burst.
  assign room  = count_t'(8) - count_t'(front_q[2:0]);
  assign limit = unknown_q ? ramp_q : count_t'(MaxBurst);
  always_comb begin
    most = left_q;
    if (room < most) most = room;
    if (limit < most) most = limit;
  end

  `TSR_ASSERT(InOrder, !burst_valid_o || (open_q && burst_first_o == front_q))
  `TSR_ASSERT(TagOfItsTransfer, !burst_valid_o || burst_tag_o == tag_q)
  `TSR_ASSERT(NothingDropped, !burst_valid_o || !drop_i || drop_tag_i != burst_tag_o)
  `TSR_ASSERT(NothingElse, !burst_valid_o || words <= left_q)
  `TSR_ASSERT(InOnePage, !burst_valid_o || 9'(burst_first_o[2:0]) + 9'(burst_len_o) < 9'd8)
  `TSR_ASSERT(WithinLimit, !burst_valid_o || words <= count_t'(MaxBurst))
  `TSR_ASSERT(UnknownIsShort, !burst_valid_o || !unknown_q || words <= count_t'(UnknownBurst))
  `TSR_ASSERT(AsLongAsCanBe, !burst_valid_o || words == most)
  logic whole;  // it could not be longer if more were announced
  assign whole = most == room || most == limit;
  `TSR_ASSERT(WaitsForAnnounced, !burst_valid_o || whole || !expect_q || blocked_i)
  `TSR_ASSERT(NextOnlyWhenEmpty, !load || expect_q || left_q == (take ? words : '0))
  `TSR_ASSERT(EmptyIsReady, open_q || run_ready_o)

  // A cycle after a run or a burst has gone the front is known.
  logic known_q;
  always_ff @(posedge clk_i) known_q <= rst_ni && !load && !take;
  `TSR_ASSERT(
      WaitsOnlyForAnnounced,
      !(open_q && known_q) || burst_valid_o || dropped || (expect_q && !blocked_i && run_ready_o))

  // Shown for what it is, not because nothing more can come.
  logic firm_q, firm;
  word_t first_q;
  logic [7:0] len_q;
  assign firm = burst_valid_o && (!blocked_i || !expect_q || whole || firm_q);
  always_ff @(posedge clk_i) begin
    firm_q  <= rst_ni && !kill_i && firm && !burst_ready_i;
    first_q <= burst_first_o;
    len_q   <= burst_len_o;
  end
  `TSR_ASSERT(
      BurstStable,
      !firm_q || dropped || (burst_valid_o && burst_first_o == first_q && burst_len_o == len_q))

  `TSR_COVER(LongestBurst, take && words == count_t'(MaxBurst))
  `TSR_COVER_NEXT(RunEveryCycle, take && load && !expect_q, take && load && !expect_q)
  `TSR_COVER(NothingAdded, load && expect_q && added == '0)
  `TSR_COVER(GoesRound, load && !expect_q && run_span_i == '1)
  logic grown_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || kill_i || (load && !expect_q)) grown_q <= 1'b0;
    else if (load && open_q && added != '0) grown_q <= 1'b1;
  end
  `TSR_COVER(DroppedAndOn, fresh_q == 1'b0 && !drop_i && dropping_q && load && !expect_q)
  if (UnknownBurst > 2) begin : gen_ramp
    `TSR_COVER(Ramp, take && unknown_q && words == count_t'(UnknownBurst))
  end
  if (MaxBurst > 1) begin : gen_longer_bursts
    `TSR_COVER(EndsAtPage, take && words < count_t'(MaxBurst) && words < left_q && !unknown_q)
    `TSR_COVER(TwoRunsOneBurst, grown_q && take && words == left_q)
    `TSR_COVER(ShownAsBlocked, burst_valid_o && expect_q && blocked_i && !whole)
  end

endmodule
