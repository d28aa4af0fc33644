// Two tsr_restart facing each other, two free clocks, resets of either side at any time: what a side has
// is never cleared while the other runs, and whenever a side begins to run it is clear itself and has
// asked the other to be, since it was reset last.
//
// In a step of the prover either clock, both or none may rise: that covers any ratio, phase and drift,
// and a bit that is caught while it changes. Both sides begin running and clear.
`include "tsr_assert.svh"

module restart_proof (
  input logic       clk_a_i,
  input logic       clk_b_i,
  input logic [1:0] rst_ni
);

  logic [1:0] clk, ask, stopped, clear, run, used_q, ran_q, owes_q;
  assign clk = {clk_b_i, clk_a_i};

  for (genvar i = 0; i < 2; i++) begin : gen_side
    tsr_restart u_dut (
      .clk_i    (clk[i]),
      .rst_ni   (rst_ni[i]),
      .ask_o    (ask[i]),
      .stopped_o(stopped[i]),
      .ask_i    (ask[1-i]),
      .stopped_i(stopped[1-i]),
      .clear_o  (clear[i]),
      .run_o    (run[i])
    );

    // What a side has, a pointer say: something as soon as it runs, nothing when it has been cleared.
    always_ff @(posedge clk[i]) begin
      ran_q[i] <= run[i];
      if (clear[i]) used_q[i] <= 1'b0;
      else if (run[i]) used_q[i] <= 1'b1;
    end

    // Each reset is to be told, by what is said from the next cycle on.
    always_ff @(posedge clk[i]) begin
      if (!rst_ni[i]) owes_q[i] <= 1'b1;
      else if (ask[i]) owes_q[i] <= 1'b0;
    end

    NoResetIsForgotten :
    assert property (@(posedge clk[i]) !(run[i] && owes_q[i]));
    NotClearedUnderEyes :
    assert property (@(posedge clk[i]) !(clear[i] && used_q[i] && run[1-i]));
    BeginsClear :
    assert property (@(posedge clk[i]) !(run[i] && !ran_q[i] && used_q[i]));
    Clears :
    cover property (@(posedge clk[i]) clear[i] && used_q[i]);
  end

endmodule
