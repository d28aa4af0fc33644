// Where the traversal of the job at work is: the level that moves, levels in their last turn, and
// the slots that hold words of its transfer.
//
// Contract: of a further tile KLeft, KMoves, KTimes come in this order, of the first one KTimes,
// KMoves. A level with no turn left begins anew when a level above it moves.
// Latency: 1 cycle; `lowest_o` is combinational. Throughput: a row a cycle.
`include "tsr_assert.svh"
module tsr_prep_walk
  import tsr_core_pkg::*;
  import tsr_program_pkg::*;
  import tsr_prep_pkg::*;
(
  input  logic           clk_i,
  input  logic           rst_ni,
  input  logic           end_i,
  input  keep_e          keep_i,
  input  channel_t       channel_i,
  input  slot_t          slot_i,
  input  logic           again_i,      // a further tile
  input  logic     [3:0] none_i,       // words of D that are 0,
  input  logic     [3:0] one_i,        // and 1
  input  logic     [7:0] moves_i,
  input  logic           below_i,      // the length leaves something, a cycle behind KMore
  input  logic     [1:0] dim_i,        // the level at work
  input  logic     [1:0] next_dim_i,   // in the next cycle
  output logic     [1:0] lowest_o,     // level with turns left
  output logic     [1:0] level_o,      // that moves
  output logic     [1:0] move_o,       // the dimension that the level at work moves
  output logic     [1:0] next_move_o,  // in the next cycle, but for KMoves
  output logic     [3:0] ended_o,      // this level and all below are in their last turn
  output logic           left_over_o,
  output logic           held_o
);

  logic [3:0] left_none_q, left_one_q, last_q;
  logic [3:0][1:0] moves_q;
  logic [1:0] level_q;
  logic more_q, left_over_q;
  assign lowest_o = !left_none_q[0] ? 2'd0 : !left_none_q[1] ? 2'd1 : !left_none_q[2] ? 2'd2 : 2'd3;

  always_ff @(posedge clk_i) begin
    if (keep_i == KLeft) begin
      left_none_q <= none_i;
      left_one_q  <= one_i;
    end
    if (keep_i == KMoves) begin
      moves_q <= moves_i;
      level_q <= lowest_o;
    end
    if (keep_i == KTimes) begin
      for (int unsigned l = 0; l < 4; l++) begin
        last_q[l] <= !again_i || 2'(l) < level_q ? one_i[l] :
                     2'(l) == level_q ? left_one_q[l] : left_none_q[l];
      end
    end
    more_q <= keep_i == KMore;
    if (more_q) left_over_q <= below_i;
  end
  assign level_o     = level_q;
  assign move_o      = moves_q[dim_i];
  assign next_move_o = moves_q[next_dim_i];
  assign ended_o     = {&last_q, &last_q[2:0], &last_q[1:0], last_q[0]};
  assign left_over_o = left_over_q;

  (* ram_style = "distributed" *) logic [3:0] slots_mem[32];
  logic [3:0] slots;
  logic held_q;
  assign slots  = slots_mem[channel_i];
  assign held_o = held_q;
  always_ff @(posedge clk_i) begin
    held_q <= again_i && slots[slot_i];
    if (end_i) slots_mem[channel_i] <= (slots & {4{again_i}}) | (4'd1 << slot_i);
  end

  `TSR_ASSERT(ALevelMoves, keep_i != KMoves || !again_i || left_none_q != '1)

endmodule
