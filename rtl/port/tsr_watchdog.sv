// Watchdog: fires after `Ticks` ticks in which something is waited for and nothing moves.
//
// Contract: `over_o` is a register. It rises after the last of `Ticks` cycles with `tick_i`, all
// with `waits_i` and without `moves_i`, and falls when one of the two changes.
`include "tsr_assert.svh"
module tsr_watchdog #(
  parameter int unsigned Ticks = 4096  // at least 2
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic tick_i,
  input  logic waits_i,
  input  logic moves_i,
  output logic over_o
);

  // Counts up to a carry, so that no comparison is needed.
  localparam int unsigned Width = $clog2(Ticks);
  localparam logic [Width:0] Begin = (Width + 1)'(2 ** Width - Ticks);
  logic [Width:0] count_q;
  assign over_o = count_q[Width];
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !waits_i || moves_i) count_q <= Begin;
    else if (tick_i && !over_o) count_q <= count_q + 1'b1;
  end

  `TSR_STATIC_ASSERT(Ticks, Ticks >= 2, ("Ticks = %0d; legal is 2 and more", Ticks))
  `TSR_ASSERT(StopsAtTheCarry, !over_o || count_q[Width-1:0] == '0)

endmodule
