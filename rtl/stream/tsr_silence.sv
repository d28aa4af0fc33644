// Says that somebody waits and nothing has moved for `Cycles` cycles.
//
// Contract: `over_o` is high from the cycle after the last of `Cycles` cycles with `tick_i`, all with `waits_i`
// and without `moves_i`, until one of the two changes. It comes from a register.
`include "tsr_assert.svh"
module tsr_silence #(
  parameter int unsigned Cycles = 4096  // at least 2
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic tick_i,   // the cycle counts
  input  logic waits_i,
  input  logic moves_i,
  output logic over_o
);

  `TSR_STATIC_ASSERT(Cycles, Cycles >= 2, ("Cycles = %0d; legal is 2 and more", Cycles))

  localparam int unsigned Width = $clog2(Cycles + 1);
  logic [Width-1:0] count_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !waits_i || moves_i) begin
      count_q <= '0;
      over_o  <= 1'b0;
    end else if (tick_i) begin
      if (!over_o) count_q <= count_q + 1'b1;
      over_o <= over_o || count_q == Width'(Cycles - 1);
    end
  end

  `TSR_ASSERT(OverWhenCounted, over_o == (count_q == Width'(Cycles)))

endmodule
