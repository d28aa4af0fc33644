// tsr_burster: the bursts cover exactly the words of the runs, in order, each once; none crosses a 4 KiB
// page or is longer than its limit; none is held back for a run that was not announced.
`include "proof.svh"

module burster_proof #(
  parameter int unsigned MaxBurst     = 4,
  parameter int unsigned UnknownBurst = 2
) (
  input logic       clk_i,
  input logic       rst_ni,
  input logic       kill_i,
  input logic       run_valid_i,
  input logic [4:0] run_first_i,
  input logic [4:0] run_last_i,
  input logic       run_expect_i,
  input logic       run_unknown_i,
  input logic       blocked_i,
  input logic       burst_ready_i
);

  `TSR_PROOF_RESET

  // Words so wide that a page holds 8 of them, and an address space of four pages: the smallest that has
  // every case, a page that is neither the first nor the last among them.
  typedef logic [4:0] word_t;

  logic run_ready_o, run_one_page, burst_valid_o, idle_o;
  word_t burst_first_o;
  logic [7:0] burst_len_o;
  logic expect_q, unknown_q;
  word_t last_q;

  assign run_one_page = run_first_i[4:3] == run_last_i[4:3] && run_first_i <= run_last_i;

  tsr_burster #(
    .AddrWidth   (14),
    .DataBytes   (512),
    .MaxBurst    (MaxBurst),
    .UnknownBurst(UnknownBurst)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .kill_i,
    .run_valid_i,
    .run_ready_o,
    .run_first_i,
    .run_last_i,
    .run_one_page_i(run_one_page),
    .run_adjacent_i(expect_q),
    .run_expect_i,
    .run_unknown_i,
    .blocked_i,
    .burst_valid_o,
    .burst_ready_i,
    .burst_first_o,
    .burst_len_o,
    .idle_o
  );

  logic load, take;
  assign load = run_valid_i && run_ready_o;
  assign take = burst_valid_o && burst_ready_i;

  // An announced run begins where the one before it ended and belongs to the same transfer.
  always_ff @(posedge clk_i) begin
    if (!rst_ni || kill_i) expect_q <= 1'b0;
    else if (load) expect_q <= run_expect_i;
    if (load) begin
      last_q    <= run_last_i;
      unknown_q <= run_unknown_i;
    end
  end
  `TSR_ASSUME(NextToTheOneBefore, !(run_valid_i && expect_q) || run_first_i == last_q + 1'b1)
  `TSR_ASSUME(SameTransfer, !(run_valid_i && expect_q) || run_unknown_i == unknown_q)
  `TSR_ASSUME(BlockedGivesNothing, !(blocked_i && run_valid_i))
  `TSR_ASSUME_NEXT(RunStable, run_valid_i && !run_ready_o && !kill_i, run_valid_i && $past
                   ({run_first_i, run_last_i, run_unknown_i})
                   == {run_first_i, run_last_i, run_unknown_i})

  // The words that were asked for and not yet given out: left_q + 1 words from front_q on.
  logic open_q, open_after;
  word_t front_q, front_after;
  logic [5:0] left_q, left_after, words;
  assign words       = 6'(burst_len_o) + 1'b1;
  assign open_after  = open_q && !(take && words == left_q);
  assign front_after = take ? front_q + word_t'(words) : front_q;
  assign left_after  = take ? left_q - words : left_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || kill_i) begin
      open_q <= 1'b0;
    end else begin
      open_q <= open_after || load;
    end
    front_q <= open_after ? front_after : run_first_i;
    if (load)
      left_q <= (open_after ? left_after : 6'd0) + 6'(word_t'(run_last_i - run_first_i)) + 6'd1;
    else left_q <= left_after;
  end
  // Windows of this proof do not wrap around themselves.
  `TSR_ASSUME(WindowFits, !load || 7'(left_q) + 7'(word_t'(run_last_i - run_first_i)) < 7'd28)

  `TSR_ASSERT(HoldsWhatIsLeft, idle_o == !open_q)
  `TSR_ASSERT(InOrder, !burst_valid_o || (open_q && burst_first_o == front_q))
  `TSR_ASSERT(NothingElse, !burst_valid_o || words <= left_q)
  `TSR_ASSERT(InOnePage, !burst_valid_o || 9'(burst_first_o[2:0]) + 9'(burst_len_o) < 9'd8)
  `TSR_ASSERT(WithinLimit, !burst_valid_o || words <= 6'(MaxBurst))
  `TSR_ASSERT(UnknownIsShort, !burst_valid_o || !unknown_q || words <= 6'(UnknownBurst))
  `TSR_ASSERT(NextOnlyWhenEmpty, !load || expect_q || !open_after)
  `TSR_ASSERT(WaitsOnlyForAnnounced, !open_q || burst_valid_o || (expect_q && !blocked_i))
  `TSR_ASSERT(ReadyForAnnounced, !open_q || burst_valid_o || run_ready_o)
  `TSR_ASSERT_NEXT(BurstStable, burst_valid_o && !burst_ready_i && !kill_i, burst_valid_o && $past
                   ({burst_first_o, burst_len_o}) == {burst_first_o, burst_len_o})

  `TSR_COVER(LongestBurst, take && words == 6'(MaxBurst))
  `TSR_COVER_NEXT(RunEveryCycle, take && load && !expect_q, take && load && !expect_q)
  logic grown_q;
  always_ff @(posedge clk_i) grown_q <= rst_ni && !kill_i && load && open_q && !take;
  if (MaxBurst > 1) begin : gen_longer_bursts
    `TSR_COVER(EndsAtPage, take && words < 6'(MaxBurst) && words < left_q && !unknown_q)
    `TSR_COVER(TwoRunsOneBurst, grown_q && take && words == left_q)
  end

endmodule
