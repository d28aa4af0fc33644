// Round-robin arbiter with the winner as a number and as one bit.
//
// Contract: the winner is the next input above the last winner that was taken, with wrap-around.
// Latency: 0 cycles, a path from ask_i to hot_o and index_o. Throughput: a winner a cycle.
`include "tsr_assert.svh"
module tsr_pick #(
  parameter  int unsigned Inputs = 2,                               // 1..32
  localparam int unsigned Index  = Inputs > 1 ? $clog2(Inputs) : 1
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic [Inputs-1:0] ask_i,
  input  logic              take_i,
  output logic [Inputs-1:0] hot_o,
  output logic [ Index-1:0] index_o
);

  `TSR_STATIC_ASSERT(Inputs, Inputs >= 1 && Inputs <= 32,
                     ("Inputs = %0d; legal is 1 to 32", Inputs))

  typedef logic [Inputs-1:0] set_t;

  // Inputs above one that asks; a tree, where a carry chain would take a level for each two inputs.
  function automatic set_t above(input set_t ask);
    above = ask << 1;
    for (int unsigned step = 1; step < Inputs; step = 2 * step) above = above | (above << step);
  endfunction

  set_t above_q, high, above_high, above_any;
  logic turns;  // a winner above the last one
  assign high       = ask_i & above_q;
  assign turns      = high != '0;
  assign above_high = above(high);
  assign above_any  = above(ask_i);
  assign hot_o      = turns ? high & ~above_high : ask_i & ~above_any;

  always_comb begin
    index_o = '0;
    for (int unsigned i = 0; i < Inputs; i++) begin
      if (hot_o[i]) index_o = index_o | Index'(i);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) above_q <= '0;
    else if (take_i && ask_i != '0) above_q <= turns ? above_high : above_any;
  end

  `TSR_ASSERT(OneWinner, $onehot0(hot_o) && (hot_o != '0) == (ask_i != '0))

endmodule
