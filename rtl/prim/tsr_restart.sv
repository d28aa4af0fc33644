// One side of a clock crossing whose two sides must be cleared together, whichever is reset.
//
// The sides go round four phases, a Gray code that each shows the other: run, blocked, cleared, done.
// Neither goes on before it has seen the other follow:
//   run      to blocked when the other is blocked; own reset goes there from anywhere
//   blocked  to cleared when the other is blocked or cleared: nobody looks at anybody's state now
//   cleared  to done    when the other is cleared or done: both states are clear
//   done     to run     when the other is done or runs
// Contract: a side that is not `run_o` neither moves nor reads what crosses; it clears its own state
// while `clear_o`. That is a cycle before it shows `done`, so the cleared state arrives no later than
// the word that it may be looked at. A reset in the middle of it all begins again; one cycle is enough.
// Latency: about 4 * (Stages + 1) cycles of the slower clock from the end of the reset to `run_o`.
module tsr_restart #(
  parameter int unsigned Stages = 2
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  output logic [1:0] phase_o,  // for the other side, a register
  input  logic [1:0] phase_i,  // of the other side, in its clock
  output logic       clear_o,
  output logic       run_o
);

  typedef enum logic [1:0] {
    Run     = 2'b00,
    Blocked = 2'b01,
    Cleared = 2'b11,
    Done    = 2'b10
  } phase_e;

  phase_e phase_q, phase_d, other;
  logic [1:0] seen;

  tsr_sync #(
    .Width (2),
    .Stages(Stages)
  ) u_sync (
    .clk_i,
    .rst_ni,
    .data_i(phase_i),
    .data_o(seen)
  );
  assign other = phase_e'(seen);

  always_comb begin
    phase_d = phase_q;
    unique case (phase_q)
      Run:     if (other == Blocked) phase_d = Blocked;
      Blocked: if (other == Blocked || other == Cleared) phase_d = Cleared;
      Cleared: if (other == Cleared || other == Done) phase_d = Done;
      Done: begin
        if (other == Blocked) phase_d = Blocked;  // it was reset again
        else if (other == Done || other == Run) phase_d = Run;
      end
      default: phase_d = Blocked;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) phase_q <= Blocked;
    else phase_q <= phase_d;
  end

  assign phase_o = phase_q;
  assign clear_o = phase_q == Cleared || (phase_q == Blocked && phase_d == Cleared);
  assign run_o   = phase_q == Run;

endmodule
