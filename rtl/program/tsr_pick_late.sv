// Round-robin arbiter in two cycles: groups of inputs choose, then one of the groups is chosen.
//
// Contract: an input that asked in the cycle before, and `still_i` may win, wins in its turn; groups take
// turns, and inputs of a group. A group whose winner may not win any more has none for a cycle.
// Latency: 1 cycle from ask_i to hot_o and index_o. Throughput: a winner a cycle.
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

  localparam int unsigned Size = 8;
  localparam int unsigned Log = $clog2(Size);
  localparam int unsigned Groups = (Inputs + Size - 1) / Size;
  typedef logic [Size-1:0] group_t;
  typedef logic [Log-1:0] place_t;

  logic [Groups-1:0][Size-1:0] asks, still, hot;
  logic [Groups-1:0][Log-1:0] place;
  logic [Groups-1:0] live, chosen;
  logic [(Groups > 1 ? $clog2(Groups) : 1)-1:0] unused_group;
  assign asks  = (Groups * Size)'(ask_i);
  assign still = (Groups * Size)'(still_i);

  // The lowest that asks above the last winner, or the lowest of all.
  typedef struct packed {
    group_t hot;
    group_t behind;  // all above it
    place_t place;
  } winner_t;
  function automatic winner_t winner(input group_t ask, input group_t above);
    group_t high;
    high = (ask & above) != '0 ? ask & above : ask;
    winner.behind = high << 1;
    for (int unsigned step = 1; step < Size; step = 2 * step)
    winner.behind = winner.behind | (winner.behind << step);
    winner.hot   = high & ~winner.behind;
    winner.place = '0;
    for (int unsigned i = 0; i < Size; i++)
    if (winner.hot[i]) winner.place = winner.place | place_t'(i);
  endfunction

  // Whether the winner of a group is taken is known last.
  for (genvar g = 0; g < Groups; g++) begin : gen_group
    winner_t w_q, stays, follows;
    group_t above_q;
    logic   taken;
    assign taken   = take_i && chosen[g];
    assign stays   = winner(asks[g], above_q);
    assign follows = winner(asks[g] & ~w_q.hot, w_q.behind);
    always_ff @(posedge clk_i) begin
      w_q <= taken ? follows : stays;
      if (!rst_ni) above_q <= '0;
      else if (taken) above_q <= w_q.behind;
    end
    assign hot[g]   = w_q.hot;
    assign place[g] = w_q.place;
    assign live[g]  = (w_q.hot & still[g]) != '0;
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
    if (chosen[g]) index_o = index_o | Index'({g[4:0], place[g]});
    for (int unsigned i = 0; i < Inputs; i++) hot_o[i] = chosen[i/Size] && hot[i/Size][i%Size];
  end

  `TSR_ASSERT(OneWinner, $onehot0(hot_o) && (hot_o & ~still_i) == '0)

endmodule
