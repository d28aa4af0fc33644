// Finds the burst at the front of a window of bus words: as long as the window, the 4 KiB page and the limit
// allow, which is MaxBurst or, for a window of unknown length, `ramp_i`.
//
// Contract: combinational; all counts are words less one.
// Latency: 0 cycles.
`include "tsr_assert.svh"
module tsr_front_burst #(
  parameter  int unsigned DataBytes = 8,
  parameter  int unsigned MaxBurst  = 64,
  parameter  int unsigned LeftWidth = 31,                       // more than LowWidth
  localparam int unsigned LowWidth  = $clog2(4096 / DataBytes)
) (
  input  logic [ LowWidth-1:0] low_i,          // of the first word
  input  logic [LeftWidth-1:0] left_i,         // of the window
  input  logic                 unknown_i,
  input  logic [ LowWidth-1:0] ramp_i,
  output logic [ LowWidth-1:0] len_o,
  output logic                 final_piece_o,  // nothing is left after it
  output logic                 full_o          // it could not be longer
);

  `TSR_STATIC_ASSERT(LeftWidth, LeftWidth > LowWidth,
                     ("LeftWidth = %0d; legal is more than %0d", LeftWidth, LowWidth))

  typedef logic [LeftWidth-1:0] left_t;
  // A burst as long as a page or longer never reaches its limit.
  localparam int unsigned PageWords = 4096 / DataBytes;
  localparam int unsigned Longest = MaxBurst < PageWords ? MaxBurst : PageWords;

  logic [LowWidth-1:0] limit, to_page_end, most;
  logic fits_page, fits_limit;

  assign limit         = unknown_i ? ramp_i : LowWidth'(Longest - 1);
  assign to_page_end   = ~low_i;
  assign most          = to_page_end < limit ? to_page_end : limit;
  assign fits_page     = left_t'(to_page_end) >= left_i;
  assign fits_limit    = left_t'(limit) >= left_i;
  assign final_piece_o = fits_page && fits_limit;
  assign len_o         = final_piece_o ? left_i[LowWidth-1:0] : most;
  assign full_o        = left_t'(to_page_end) <= left_i || left_t'(limit) <= left_i;

endmodule
