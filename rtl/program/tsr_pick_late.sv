// Round-robin arbiter in two cycles: groups of inputs choose, then one of the groups is chosen.
//
// Contract: an input that asked in the cycle before, and `still_i` may win, wins in its turn; groups take
// turns, and inputs of a group. A group whose winner may not win any more has none for a cycle.
// Latency: 1 cycle from ask_i to hot_o and index_o. Throughput: a winner a cycle, of a group one in 2.
`include "tsr_assert.svh"
module tsr_pick_late #(
  parameter  int unsigned Inputs = 8,              // 2..32
  localparam int unsigned Index  = $clog2(Inputs)
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic [Inputs-1:0] ask_i,
  input  logic [Inputs-1:0] still_i,
  input  logic              take_i,
  output logic [Inputs-1:0] hot_o,
  output logic [ Index-1:0] index_o
);

  `TSR_STATIC_ASSERT(Inputs, Inputs >= 2 && Inputs <= 32,
                     ("Inputs = %0d; legal is 2 to 32", Inputs))

  localparam int unsigned Size = Inputs > 16 ? 8 : 4;
  localparam int unsigned Log = $clog2(Size);
  localparam int unsigned Groups = (Inputs + Size - 1) / Size;
  typedef logic [Size-1:0] group_t;
  typedef logic [Log-1:0] place_t;

  logic [Groups-1:0][Size-1:0] ask, still, hot_q;
  logic [Groups-1:0][Log-1:0] place_q;
  logic [Groups-1:0] live, chosen;
  logic [(Groups > 1 ? $clog2(Groups) : 1)-1:0] unused_group;
  assign ask   = (Groups * Size)'(ask_i);
  assign still = (Groups * Size)'(still_i);

  for (genvar g = 0; g < Groups; g++) begin : gen_group
    group_t hot, high, above_q, behind, behind_q;
    place_t place;
    // Above the lowest that asks, if possible of those above the last winner.
    always_comb begin
      high   = (ask[g] & above_q) != '0 ? ask[g] & above_q : ask[g];
      behind = high << 1;
      for (int unsigned step = 1; step < Size; step = 2 * step) behind = behind | (behind << step);
      hot   = high & ~behind;
      place = '0;
      for (int unsigned i = 0; i < Size; i++) if (hot[i]) place = place | place_t'(i);
    end
    always_ff @(posedge clk_i) begin
      hot_q[g]   <= hot;
      place_q[g] <= place;
      behind_q   <= behind;
      if (!rst_ni) above_q <= '0;
      else if (take_i && chosen[g]) above_q <= behind_q;
    end
    assign live[g] = (hot_q[g] & still[g]) != '0;
  end

  tsr_pick #(
    .Inputs(Groups)
  ) u_groups (
    .clk_i,
    .rst_ni,
    .ask_i  (live),
    .take_i,
    .hot_o  (chosen),
    .index_o(unused_group)
  );
  always_comb begin
    index_o = '0;
    for (int unsigned g = 0; g < Groups; g++)
    if (chosen[g]) index_o = index_o | Index'({g[4:0], place_q[g]});
    for (int unsigned i = 0; i < Inputs; i++) hot_o[i] = chosen[i/Size] && hot_q[i/Size][i%Size];
  end

  `TSR_ASSERT(OneWinner, $onehot0(hot_o) && (hot_o & ~still_i) == '0)

endmodule
