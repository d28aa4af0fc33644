// One side of a clock crossing whose two sides must be cleared together, whichever is reset.
//
// A side that was reset asks (`ask_o`) and stays stopped. The other stops, clears itself and says so
// (`stopped_o`) for as long as it is asked. Seeing that, the asking side clears itself, asks no more, and
// runs when the other no longer says so. Each word is one bit, a level, that the other must have seen
// before the next is said; both sides may ask at once. A reset before the word is out does not add to it;
// one behind it waits for the end of that turn and then asks again.
// Contract: a side that is not `run_o` neither moves nor reads what crosses; it clears its own state
// while `clear_o`. It is cleared a cycle before it says anything that lets the other look. One cycle of
// reset is enough; after power-up both sides together, 2 * (Stages + 1) cycles of the slower clock.
// Latency: about 4 * (Stages + 1) cycles of the slower clock from the end of the reset to `run_o`.
`include "tsr_assert.svh"
module tsr_restart #(
  parameter int unsigned Stages = 2
) (
  input  logic clk_i,
  input  logic rst_ni,
  // To and from the other side: registers of the sender.
  output logic ask_o,
  output logic stopped_o,
  input  logic ask_i,
  input  logic stopped_i,
  output logic clear_o,
  output logic run_o
);

  // Bit 0 is `ask_o`.
  typedef enum logic [2:0] {
    Idle  = 3'b000,
    Ask   = 3'b001,
    Clear = 3'b011,
    Fall  = 3'b010,  // until the other has seen that nothing is asked
    Again = 3'b110   // the same, and then ask
  } turn_e;

  turn_e turn_q, turn_d;
  logic [1:0] seen;
  logic asked, other_stopped, stopped_q;

  tsr_sync #(
    .Width (2),
    .Stages(Stages)
  ) u_sync (
    .clk_i,
    .data_i({ask_i, stopped_i}),
    .data_o(seen)
  );
  assign {asked, other_stopped} = seen;

  always_comb begin
    turn_d = turn_q;
    unique case (turn_q)
      Idle:    turn_d = rst_ni ? Idle : Ask;
      Ask:     turn_d = rst_ni && other_stopped ? Clear : Ask;
      Clear:   turn_d = rst_ni ? Fall : Ask;
      Fall:    turn_d = !rst_ni ? Again : other_stopped ? Fall : Idle;
      Again:   turn_d = other_stopped ? Again : Ask;
      default: turn_d = Again;
    endcase
  end

  always_ff @(posedge clk_i) begin
    turn_q    <= turn_d;
    stopped_q <= asked;
  end

  assign ask_o     = turn_q[0];
  assign stopped_o = stopped_q;
  assign run_o     = turn_q == Idle && !stopped_q;
  assign clear_o   = turn_q == Clear || stopped_q;

  `TSR_ASSERT(RunsOrIsCleared, !(run_o && (clear_o || ask_o)))

endmodule
