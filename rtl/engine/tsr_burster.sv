// Cuts runs into bursts and joins adjacent runs into one.
//
// It holds a window of bus words, first .. last. A burst takes words from its front: up to MaxBurst, up
// to the end of the 4 KiB page, up to the window's end. A window that ends in the page it begins in
// grows by a run marked adjacent.
//
// The runs of a transfer whose end is not known (`run_unknown_i`) are cut into shorter bursts.
//
// Contract: valid/ready on both sides; a burst shown stays until taken. Bursts cover the words of the
// runs, in order, each word once, and no other. A window waits for an announced run (`run_expect_i`),
// but not while `blocked_i`, so that it never waits for what cannot come. `kill_i` drops the window.
// Latency: 1 cycle from run to burst. Throughput: one run and one burst a cycle.
`include "tsr_assert.svh"
module tsr_burster #(
  parameter int unsigned AddrWidth = 64,
  parameter int unsigned DataBytes = 8,
  parameter int unsigned MaxBurst = 64,
  parameter int unsigned UnknownBurst = 16,  // the limit for runs of unknown length
  localparam int unsigned WordAddrWidth = AddrWidth - $clog2(DataBytes)
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  logic                     kill_i,
  input  logic                     run_valid_i,
  output logic                     run_ready_o,
  input  logic [WordAddrWidth-1:0] run_first_i,
  input  logic [WordAddrWidth-1:0] run_last_i,
  input  logic                     run_one_page_i,
  input  logic                     run_adjacent_i,
  input  logic                     run_expect_i,
  input  logic                     run_unknown_i,
  input  logic                     blocked_i,
  output logic                     burst_valid_o,
  input  logic                     burst_ready_i,
  output logic [WordAddrWidth-1:0] burst_first_o,
  output logic [              7:0] burst_len_o,     // words - 1
  output logic                     idle_o
);

  localparam int unsigned PageWords = 4096 / DataBytes;
  localparam int unsigned LowWidth = $clog2(PageWords);
  // A burst as long as a page or longer never reaches its limit.
  localparam int unsigned KnownLimit = MaxBurst < PageWords ? MaxBurst : PageWords;
  localparam int unsigned UnknownLimit = KnownLimit < UnknownBurst ? KnownLimit : UnknownBurst;

  typedef logic [LowWidth-1:0] low_t;
  typedef logic [WordAddrWidth-LowWidth-1:0] page_t;

  logic valid_q, one_page_q, expect_q, unknown_q, committed_q;
  page_t page_q, last_page_q;
  low_t low_q, last_low_q;

  logic full, final_piece, waits, take, grow, load;
  low_t span;  // words - 1 up to the end of the window or of the page
  low_t longest;  // words - 1 of the longest burst
  logic [LowWidth:0] spare, low_after;
  page_t page_after;

  assign span = (one_page_q ? last_low_q : '1) - low_q;
  assign longest = unknown_q ? low_t'(UnknownLimit - 1) : low_t'(KnownLimit - 1);
  assign spare = {1'b0, longest} - {1'b0, span};
  assign full = spare[LowWidth] || spare == '0;
  assign final_piece = one_page_q && !spare[LowWidth];

  assign burst_first_o = {page_q, low_q};
  assign burst_len_o = full ? 8'(longest) : 8'(span);
  assign waits = expect_q && one_page_q && last_low_q != '1 && !committed_q;
  assign burst_valid_o = valid_q && (!waits || full || blocked_i);

  assign take = burst_valid_o && burst_ready_i;
  // Growing does not change a burst that is shown: that one is cut by the limit.
  assign grow = valid_q && waits && run_adjacent_i && spare != '0;
  assign run_ready_o = !valid_q || grow || (final_piece && take);
  assign load = run_valid_i && run_ready_o;

  // The front moves to the limit or to the next page.
  assign low_after = (LowWidth + 1)'(low_q) + (LowWidth + 1)'(longest) + 1'b1;
  assign page_after = page_q + 1'b1;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || kill_i) begin
      valid_q     <= 1'b0;
      committed_q <= 1'b0;
    end else begin
      if (load) valid_q <= 1'b1;
      else if (final_piece && take) valid_q <= 1'b0;
      committed_q <= burst_valid_o && !burst_ready_i && !full && one_page_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (load) begin
      {last_page_q, last_low_q} <= run_last_i;
      expect_q <= run_expect_i;
      unknown_q <= run_unknown_i;
    end
    if (load && !grow) begin
      {page_q, low_q} <= run_first_i;
      one_page_q      <= run_one_page_i;
    end else if (take) begin
      if (full && !low_after[LowWidth]) begin
        low_q <= low_after[LowWidth-1:0];
        if (load) one_page_q <= run_one_page_i;
      end else begin
        low_q      <= full ? low_after[LowWidth-1:0] : '0;
        page_q     <= page_after;
        one_page_q <= page_after == last_page_q;
      end
    end else if (load) begin
      one_page_q <= run_one_page_i;
    end
  end

  assign idle_o = !valid_q;

  `TSR_ASSERT_NEXT(BurstStable, burst_valid_o && !burst_ready_i && !kill_i,
                   burst_valid_o && $stable({burst_first_o, burst_len_o}))
  `TSR_ASSERT(InOnePage, !burst_valid_o || 32'(low_q) + 32'(burst_len_o) < PageWords)
  `TSR_ASSERT(FinalPieceDoesNotGrow, !(take && final_piece && grow && load))

endmodule
