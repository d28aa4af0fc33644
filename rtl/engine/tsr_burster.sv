// Cuts runs into bursts and joins runs that follow each other.
//
// It holds a window of bus words: `left` + 1 of them from `word` on. A burst takes words from its front:
// up to MaxBurst, up to the end of the 4 KiB page, up to the window's end. A window whose rest would be a
// short burst waits for a run that is announced to follow it, and grows by it.
//
// The runs of a transfer whose end is not known (`run_unknown_i`) are cut into shorter bursts: 2, 4, 8
// words and so on up to UnknownBurst, so that what is planned too much is at most what was needed.
//
// The first burst of a run comes with it (`run_len_i` and so on: tsr_front_burst of a run that does not
// follow), unless it depends on how far those of its transfer have grown (`run_ramps_i`).
//
// Contract: valid/ready on both sides; a burst shown stays until taken, but one that is shown only
// because of `blocked_i` may be withdrawn. Bursts cover the words of the
// runs, in order, each word once, and no other. A run that follows is given without its first word;
// `run_mid_i` says that its first byte lies in the last word of the run before. A window does not wait
// while `blocked_i`, which never comes with a run, so that it never waits for what cannot come. `kill_i` drops
// the window; `drop_i` does if it belongs to the transfer `drop_tag_i`.
// Latency: 1 cycle from run to burst. Throughput: one burst a cycle where each run is one burst; a run
// cut into several gives one in two cycles (one a cycle with MaxBurst = 1).
`include "tsr_assert.svh"
module tsr_burster #(
  parameter int unsigned AddrWidth = 64,
  parameter int unsigned DataBytes = 8,
  parameter int unsigned MaxBurst = 64,
  parameter int unsigned UnknownBurst = 16,  // the limit for runs of unknown length
  parameter int unsigned SpanWidth = 30,
  parameter int unsigned TagWidth = 1,
  localparam int unsigned WordAddrWidth = AddrWidth - $clog2(DataBytes),
  localparam int unsigned LowWidth = $clog2(4096 / DataBytes)
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  logic                     kill_i,
  input  logic                     drop_i,
  input  logic [     TagWidth-1:0] drop_tag_i,
  input  logic                     run_valid_i,
  output logic                     run_ready_o,    // depends on `run_follows_i`
  input  logic                     run_follows_i,
  input  logic                     run_mid_i,
  input  logic [WordAddrWidth-1:0] run_first_i,
  input  logic [    SpanWidth-1:0] run_span_i,     // words after the first
  input  logic                     run_expect_i,
  input  logic                     run_unknown_i,
  input  logic [     TagWidth-1:0] run_tag_i,      // of its transfer
  input  logic [     LowWidth-1:0] run_len_i,
  input  logic                     run_final_i,
  input  logic                     run_full_i,
  input  logic                     run_ramps_i,    // unknown, and more than a word
  input  logic                     blocked_i,
  output logic                     burst_valid_o,
  input  logic                     burst_ready_i,
  output logic [WordAddrWidth-1:0] burst_first_o,
  output logic [              7:0] burst_len_o,    // words - 1
  output logic [     TagWidth-1:0] burst_tag_o,
  output logic                     dropped_o       // the window is
);

  localparam int unsigned PageWords = 4096 / DataBytes;
  localparam int unsigned Longest = MaxBurst < PageWords ? MaxBurst : PageWords;
  localparam int unsigned UnknownLimit = Longest < UnknownBurst ? Longest : UnknownBurst;

  typedef logic [LowWidth-1:0] low_t;
  typedef logic [WordAddrWidth-1:0] word_t;
  typedef logic [SpanWidth:0] left_t;

  // The front burst of the window.
  typedef struct packed {
    low_t len;
    logic final_piece;
    logic waits;        // for the run that was announced
  } piece_t;

  logic valid_q, expect_q, unknown_q, stale_q;  // stale: the front has to be found again
  logic dropped;
  logic [TagWidth-1:0] tag_q;
  word_t word_q;
  left_t left_q;  // words - 1; -1 when the window has been used up
  piece_t piece_q;
  low_t front_len;
  logic front_final, front_full;

  logic take, load, grow, adds_none, new_transfer;
  low_t ramp_q;  // the limit for a transfer of unknown length
  logic [LowWidth:0] ramp_next;

  assign dropped = drop_i && tag_q == drop_tag_i;
  assign burst_valid_o = valid_q && !stale_q && (!piece_q.waits || blocked_i) && !dropped;
  assign burst_first_o = word_q;
  assign burst_len_o = 8'(piece_q.len);  // less than MaxBurst, which is at most 256
  assign burst_tag_o = tag_q;
  assign dropped_o = valid_q && dropped;
  assign take = burst_valid_o && burst_ready_i;

  always_comb begin
    if (run_follows_i) run_ready_o = !valid_q || (piece_q.waits && !stale_q);
    else run_ready_o = !valid_q || (take && piece_q.final_piece);
  end
  assign load = run_valid_i && run_ready_o && !run_follows_i;
  assign grow = run_valid_i && run_ready_o && run_follows_i;
  assign adds_none = run_mid_i && run_span_i == '0;  // all in a word that is in the window already

  // left_t holds -1 to 2**(SpanWidth + 1) - 2. A window grows while its front burst waits: that burst is the
  // whole window and could be longer, so left_q is at most PageWords - 2. Or it grows when it has been used
  // up and left_q is -1 (kill and drop take the runs that follow too). run_span_i + 1 is at most
  // 2**SpanWidth, and PageWords is not more (tsr_front_burst refuses SpanWidth + 1 <= LowWidth): grown is at
  // most 2**(SpanWidth + 1) - 2.
  // A burst is never longer than the window, so piece_q.len <= left_q and shrunk = left_q - len - 1 is at
  // least -1. It is -1 only after the final piece.
  left_t grown, shrunk;
  assign grown  = left_q + left_t'(run_span_i) + left_t'(!run_mid_i);
  assign shrunk = left_q + ~left_t'(piece_q.len);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || kill_i || dropped_o) begin
      valid_q <= 1'b0;
    end else begin
      if (load || (grow && !adds_none)) valid_q <= 1'b1;
      else if (take && piece_q.final_piece) valid_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (load || grow) begin
      expect_q <= run_expect_i;
      tag_q    <= run_tag_i;
    end
    if (load) begin
      word_q    <= run_first_i;
      left_q    <= left_t'(run_span_i);
      unknown_q <= run_unknown_i;
    end else if (take || grow) begin
      left_q <= grow ? grown : shrunk;
      // An address: mod 2**WordAddrWidth, as the rows are.
      if (take) word_q <= word_q + word_t'(piece_q.len) + 1'b1;
    end
  end

  localparam int unsigned FirstUnknown = UnknownLimit < 2 ? UnknownLimit : 2;
  assign new_transfer = run_tag_i != tag_q;
  // 2 * ramp + 1, exact in LowWidth + 1 bits. It is kept only if it is below UnknownLimit, which is at most
  // PageWords = 2**LowWidth.
  assign ramp_next    = {ramp_q, 1'b1};
  always_ff @(posedge clk_i) begin
    if (!rst_ni || kill_i || (load && new_transfer)) ramp_q <= low_t'(FirstUnknown - 1);
    else if (take) begin
      ramp_q <= 32'(ramp_next) < UnknownLimit ? low_t'(ramp_next) : low_t'(UnknownLimit - 1);
    end
  end

  tsr_front_burst #(
    .DataBytes(DataBytes),
    .MaxBurst (MaxBurst),
    .LeftWidth(SpanWidth + 1)
  ) u_front (
    .low_i        (word_q[LowWidth-1:0]),
    .left_i       (left_q),
    .unknown_i    (unknown_q),
    .ramp_i       (ramp_q),
    .len_o        (front_len),
    .final_piece_o(front_final),
    .full_o       (front_full)
  );

  always_ff @(posedge clk_i) begin
    if (load) begin
      piece_q <= '{
          len: run_len_i,
          final_piece: run_final_i,
          waits: run_expect_i && run_final_i && !run_full_i
      };
      stale_q <= run_ramps_i;
    end else if (grow) begin
      stale_q <= 1'b1;
    end else if (take && MaxBurst == 1) begin
      piece_q.final_piece <= left_q == left_t'(1);
    end else if (take) begin
      stale_q <= 1'b1;
    end else if (stale_q) begin
      piece_q <= '{
          len: front_len,
          final_piece: front_final,
          waits: expect_q && front_final && !front_full
      };
      stale_q <= 1'b0;
    end
  end

  `TSR_ASSERT_NEXT(BurstStable, burst_valid_o && !piece_q.waits && !burst_ready_i && !kill_i,
                   dropped || (burst_valid_o && $stable({burst_first_o, burst_len_o})))
  `TSR_ASSERT(BlockedWithoutARun, !(blocked_i && run_valid_i))
  `TSR_ASSERT(InOnePage, !burst_valid_o || 32'(word_q[LowWidth-1:0]) + 32'(burst_len_o) < PageWords)

endmodule
