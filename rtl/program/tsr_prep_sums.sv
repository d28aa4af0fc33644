// Sums of the preparation: one a cycle, of a word of D, the last sum or a product, and scratch.
//
// Contract: combinational from the instruction, D and P to the sum, which is A in the next cycle.
// The signs decide which parts of a dimension there are: of the start, of the room behind it
// (bound - start), of the positions behind the bounds (count - room) and of those that are not
// before them (count + start).
// Latency: 1 cycle. Throughput: a sum a cycle.
`include "tsr_assert.svh"
module tsr_prep_sums
  import tsr_prep_pkg::*;
#(
  parameter int unsigned Width  = 64,   // of sums, 34 .. 64
  parameter bit          Bounds = 1'b1
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 live_i,
  input  instruction_t         instruction_i,
  input  instruction_t         next_i,         // the instruction behind it
  input  logic         [  1:0] dim_i,          // of the instruction
  input  logic         [  1:0] next_dim_i,     // at work in the next cycle
  input  logic         [  1:0] next_move_i,    // the dimension that the level at work moves then
  input  logic         [  1:0] level_i,        // of the traversal that moves
  input  logic                 row_i,          // dimension 0 is one
  input  logic                 endless_i,      // dimension 3 has no end
  input  logic                 high_i,         // strides have high halves
  input  logic         [127:0] row_word_i,     // D
  input  logic         [ 63:0] product_i,      // P
  output logic         [ 31:0] word_o,
  output logic         [ 63:0] sum_o,          // A
  output logic                 below_o,        // A is below 0
  output logic                 before_o,       // the dimension has positions before its bounds,
  output logic                 inside_o,       // inside, in the cycle after KInside,
  output logic                 behind_o        // and behind, from two cycles after KBehind on
);

  instruction_t i, next;
  always_comb begin
    i = instruction_i;
    next = next_i;
    if (!Bounds) next.gate[2:0] = '0;
  end

  // ---- The word

  // Of the next instruction: the word, and the place of S.
  logic [1:0] at_d, at_q;
  logic [3:0] from_q;
  always_comb begin
    // A table that is a block RAM is late: one level of logic behind it.
    unique case (next.word[3:2])
      2'd1: at_d = {next_dim_i[1] ^ next.word[1], next_dim_i[0]};
      2'd2: at_d = {next_move_i[1] ^ next.word[1], next_move_i[0]};
      2'd3: at_d = {level_i[0], next.word[0]};
      default: at_d = next.word[1:0];
    endcase
  end
  always_ff @(posedge clk_i) begin
    at_q   <= at_d;
    from_q <= next.from;
    if (next.from[3] && next.loop) from_q[1:0] <= next_dim_i;
  end
  assign word_o = row_word_i[32*at_q+:32];

  // ---- What signs take out of a sum: a line asks for those that were found two lines before

  logic start_below_q, no_room_q, behind_below_q, all_before_q;
  logic takes_s_q;
  logic endless_q, last_q;  // dimension 3; it is at work
  logic [1:0] low_q;
  always_ff @(posedge clk_i) begin
    endless_q <= endless_i;
    last_q <= endless_i && next_dim_i == 2'd3;
    takes_s_q <= next.y[3] && !(next.gate[0] && no_room_q) &&
        !(next.gate[1] && behind_below_q) && !(next.gate[2] && all_before_q);
    low_q <= {
      next.x[1] || (next.gate[1] && start_below_q),
      next.x[0] && !(next.gate[1] && start_below_q) && !(next.gate[2] && !all_before_q)
    };
  end

  // ---- X

  logic ones, sign;
  logic [63:0] a_q, x;
  logic [31:0] other;
  always_comb begin
    ones = i.gate[3] && (i.loop ? last_q : endless_q && i.dim == 2'd3);
    sign = word_o[31] && i.x[4] && !(i.x[5] && high_i);
    unique case (low_q)
      2'd0: x[31:0] = '0;
      2'd1: x[31:0] = word_o | {32{ones}};
      2'd2: x[31:0] = a_q[31:0];
      default: x[31:0] = product_i[31:0];
    endcase
    other = i.x[4] ? a_q[31:0] : product_i[31:0];
    unique case (i.x[3:2])
      2'd0: x[63:32] = {32{sign}};
      2'd1: x[63:32] = row_word_i[63:32];
      2'd2: x[63:32] = product_i[63:32];
      default: x[63:32] = other;
    endcase
  end

  // ---- S is written from A

  (* ram_style = "distributed" *) logic [Width-1:0] scratch_mem[16];
  logic [63:0] s, y, sum;
  logic [3:0] to_q;
  logic put_q;
  assign s = 64'(scratch_mem[from_q]);
  always_comb begin
    y   = ((s & {64{takes_s_q}}) | (a_q & {64{i.y[2]}})) ^ {64{i.y[0]}};
    sum = x + y + 64'(i.y[1]);
  end
  always_ff @(posedge clk_i) begin
    put_q <= live_i && i.put;
    to_q  <= i.to;
    if (put_q) scratch_mem[to_q] <= a_q[Width-1:0];
    a_q <= 64'(sum[Width-1:0]);
  end
  assign sum_o   = a_q;
  assign below_o = a_q[33];

  // ---- Parts of a dimension. Bit 33 is the sign of what is a sum of three words.

  keep_e keep_q;
  logic nonzero, behind_q;
  assign nonzero  = a_q[32:0] != '0;
  assign before_o = start_below_q;
  assign behind_o = behind_q;
  // Of a row A is what is inside, minus 1.
  assign inside_o = !all_before_q && !no_room_q && (dim_i == 2'd0 && row_i ? !a_q[33] : nonzero);
  always_ff @(posedge clk_i) begin
    keep_q <= i.keep;
    if (i.keep == KRoom) begin
      start_below_q <= a_q[33];
      no_room_q     <= sum[33];
    end
    if (i.keep == KBehind) behind_below_q <= sum[33];
    if (i.keep == KTotal) all_before_q <= sum[33];
    if (keep_q == KBehind) behind_q <= nonzero && !behind_below_q;
  end

  logic unused_fields;
  assign unused_fields = ^{i, next, level_i, sum};

  `TSR_ASSERT(RoomIsAskedLater, !(live_i && i.keep == KRoom && next.gate[1:0] != '0))
  `TSR_ASSERT(BehindIsAskedLater, !(live_i && i.keep == KBehind && next.gate[1]))
  `TSR_ASSERT(TotalIsAskedLater, !(live_i && i.keep == KTotal && next.gate[2]))
  `TSR_ASSERT(ScratchIsWritten, !(live_i && takes_s_q && put_q && to_q == from_q))

endmodule
