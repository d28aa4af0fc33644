// The products of a descriptor: the way from `base` to the first position, and the byte steps of the
// traversal. One multiplier, of a factor and a digit of the other one, a product of digits a cycle.
//
// Contract: the descriptor stays on the pins while `valid_i`, until it is taken, which is with `done_o` and
// `take_i`, or flushed. `offset_o` is the sum of start[d] * stride[d] over all d and turn * iteration_step, with
// `done_o` while `level_o` is 0, and in the cycle before `level_o` rises: the steps of the levels are put out
// from then on, the last stride at the latest with `done_o`. A product that is 0 is not made.
// `reach_o`: a level moves a dimension with bounds too far. That is `step * count` positions, bytes if they
// are a row's; legal is what 32 bits hold with a sign, 30 bits if another level moves the same dimension.
// Latency: without products 0 cycles. Else 4, and `Digits` for each product of the sum; with a traversal
// 3 more, and for each level with a step `Digits` and, if its dimension has bounds, 2.
//
// Digits are multiplied from the highest on, of all products of a sum before the next lower: so all of them
// share one accumulator, which moves up by a digit in between.
`include "tsr_assert.svh"
module tsr_prepare_sums
  import tsr_pkg::*;
  import tsr_descriptor_pkg::*;
#(
  parameter  int unsigned AddrWidth  = 64,
  parameter  int unsigned CountWidth = 32,
  parameter  int unsigned DigitWidth = 16,
  parameter  bit          Walk       = 1'b1,
  parameter  bit          Bounds     = 1'b1,
  localparam int unsigned Jobs       = Dims + 1
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  descriptor_t                  descriptor_i,
  input  logic                         dense_i,       // of its transfer
  input  logic        [           2:0] elem_log2_i,   // ... that matter
  input  logic                         valid_i,
  input  logic                         flush_i,
  input  logic                         take_i,
  output logic                         done_o,
  output logic        [ AddrWidth-1:0] offset_o,
  output logic                         level_o,
  output logic                         reach_o,
  // For the transfer.
  output logic        [WalkLevels-1:0] put_step_o,
  output logic        [CountWidth-1:0] step_o,
  output logic        [WalkLevels-1:0] put_stride_o,
  output logic        [ AddrWidth-1:0] stride_o
);

  localparam int unsigned Digits = (AddrWidth + DigitWidth - 1) / DigitWidth;
  localparam int unsigned ReachDigits = (CountWidth + DigitWidth - 1) / DigitWidth;
  localparam int unsigned MostDigits = Digits > ReachDigits ? Digits : ReachDigits;
  localparam int unsigned DigitBits = $clog2(MostDigits < 2 ? 2 : MostDigits);
  localparam int unsigned TurnWidth = CountWidth / 2;
  localparam int unsigned ProductWidth = CountWidth + DigitWidth + 1;
  localparam bit Checks = Walk && Bounds;
  // Of how far a level goes, if it is not much too far.
  localparam int unsigned ReachWidth = CountWidth + 3;
  localparam int unsigned SumWidth = Checks && AddrWidth < ReachWidth ? ReachWidth : AddrWidth;
  localparam int unsigned WordWidth = MostDigits * DigitWidth;

  typedef logic [DigitBits-1:0] digit_t;
  typedef logic signed [CountWidth-1:0] factor_t;
  typedef logic signed [ProductWidth-1:0] product_t;
  typedef logic signed [SumWidth-1:0] sum_t;

  typedef enum logic [2:0] {
    Rest,
    Sum,     // products of the offset
    Settle,  // until the last one has been added
    Level,   // stride of a level
    Reach,   // how far it goes
    Finish
  } state_e;

  // What goes with a product of digits.
  typedef struct packed {
    logic                          valid;
    logic                          first;  // begins a sum
    logic                          lower;  // of a lower digit than the product before
    logic                          reach;
    logic                          ends;   // of a level
    logic                          alone;  // no other level moves the dimension
    logic [$clog2(WalkLevels)-1:0] level;
  } op_t;

  // ---- What there is to do ----------------------------------------------------------------------

  // Only who rests looks at the descriptor for it: it stays, so a register tells the others.
  logic [Jobs-1:0] needed, needed_q;  // of the offset
  logic has_walk;
  logic [WalkLevels-1:0] moves, moves_q;
  logic [WalkLevels-1:0] bounded, bounded_q;  // its dimension has bounds
  logic [WalkLevels-1:0] alone, alone_q;  // no other level moves its dimension
  logic [2:0] row_log2_q;  // how many bytes a step in a row is
  for (genvar d = 0; d < Dims; d++) begin : gen_needed
    assign needed[d] = descriptor_i.dim[d].start[CountWidth-1:0] != '0 &&
                       descriptor_i.dim[d].stride[AddrWidth-1:0] != '0;
  end
  assign needed[Dims] = descriptor_i.has_iteration && descriptor_i.turn != '0 &&
                        descriptor_i.iteration_step[AddrWidth-1:0] != '0;
  for (genvar k = 0; k < WalkLevels; k++) begin : gen_moves
    assign moves[k]   = has_walk && descriptor_i.walk[k].step[CountWidth-1:0] != '0;
    assign bounded[k] = Checks && !descriptor_i.dim[descriptor_i.walk[k].dim].unbounded;
    always_comb begin
      alone[k] = 1'b1;
      for (int unsigned n = 0; n < WalkLevels; n++) begin
        if (n != k && moves_q[n] && descriptor_i.walk[n].dim == descriptor_i.walk[k].dim) begin
          alone[k] = 1'b0;
        end
      end
    end
  end
  assign has_walk = Walk && descriptor_i.has_walk;
  always_ff @(posedge clk_i) begin
    needed_q   <= needed;
    moves_q    <= moves;
    bounded_q  <= bounded;
    alone_q    <= alone;
    row_log2_q <= dense_i ? elem_log2_i : '0;
  end

  // ---- The way through it -----------------------------------------------------------------------

  state_e state_q, state_d;
  logic [Jobs-1:0] todo_q, todo_d, rest;
  digit_t digit_q, digit_d;
  logic begins_q, begins_d;  // the next product is the first of a sum
  logic lower_q, lower_d;  // ... of a lower digit than the product before it
  logic [2:0] job_q, job_d;  // the lowest of `todo_q`
  logic issue, last_digit, last_job, step_ends, adding, finished;
  op_t op, op_factors_q, op_product_q, op_sum_q;

  assign rest = todo_q & (todo_q - 1'b1);
  assign last_job = rest == '0;
  assign last_digit = digit_q == '0;
  assign adding = op_factors_q.valid || op_product_q.valid;
  assign issue = state_q == Sum || state_q == Level || state_q == Reach;
  assign step_ends = last_digit &&
      (state_q == Reach || (state_q == Level && !bounded_q[job_q[1:0]]));

  always_comb begin
    state_d  = state_q;
    todo_d   = todo_q;
    digit_d  = digit_q;
    begins_d = !issue;
    lower_d  = 1'b0;
    unique case (state_q)
      Rest: begin
        todo_d  = needed;
        digit_d = digit_t'(Digits - 1);
        if (needed != '0) state_d = Sum;
        else if (has_walk) state_d = Settle;
      end
      Sum: begin
        todo_d = rest;
        if (last_job) begin
          todo_d  = needed_q;
          digit_d = digit_q - 1'b1;
          lower_d = 1'b1;
          if (last_digit) state_d = Settle;
        end
      end
      Settle: begin
        todo_d  = Jobs'(moves_q);
        digit_d = digit_t'(Digits - 1);
        if (!adding && moves_q != '0) state_d = Level;
      end
      Level: begin
        digit_d = digit_q - 1'b1;
        lower_d = 1'b1;
        if (last_digit && bounded_q[job_q[1:0]]) begin
          state_d  = Reach;
          digit_d  = digit_t'(ReachDigits - 1);
          begins_d = 1'b1;
        end
      end
      Reach: begin
        digit_d = digit_q - 1'b1;
        lower_d = 1'b1;
      end
      Finish:  ;
      default: state_d = Rest;
    endcase
    if (step_ends) begin
      state_d  = last_job ? Finish : Level;
      todo_d   = rest;
      digit_d  = digit_t'(Digits - 1);
      begins_d = 1'b1;
    end
    if (state_q != Rest && finished && take_i) state_d = Rest;
    if (!valid_i || flush_i) state_d = Rest;
    job_d = 3'(Jobs - 1);
    for (int n = int'(Jobs) - 2; n >= 0; n--) if (todo_d[n]) job_d = 3'(n);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) state_q <= Rest;
    else state_q <= state_d;
  end
  always_ff @(posedge clk_i) begin
    todo_q   <= todo_d;
    job_q    <= job_d;
    digit_q  <= digit_d;
    begins_q <= begins_d;
    lower_q  <= lower_d;
  end

  assign level_o  = Walk && (state_q == Level || state_q == Reach || state_q == Finish);
  // Whether a descriptor at rest needs work is not asked for what ends the work on one.
  assign finished = !adding && ((state_q == Settle && moves_q == '0) || state_q == Finish);
  assign done_o   = (state_q == Rest && needed == '0 && !has_walk) || finished;

  // ---- Factors ----------------------------------------------------------------------------------

  logic [1:0] dim, level;
  logic levels;
  descriptor_walk_t walk;
  descriptor_dim_t from;
  factor_t factor, factor_q;
  logic [CountWidth+6:0] step;  // in bytes if its dimension is a row
  logic [MostDigits-1:0][DigitWidth-1:0] word;
  logic [DigitWidth-1:0] digit_value_q;
  logic step_fits, step_fits_q;

  assign levels = Walk && state_q != Sum;
  assign level  = job_q[1:0];
  assign walk   = descriptor_i.walk[level];
  assign dim    = levels ? walk.dim : job_q[1:0];
  assign from   = descriptor_i.dim[dim];

  always_comb begin
    if (levels) factor = walk.step[CountWidth-1:0];
    else if (job_q[2]) factor = factor_t'({1'b0, descriptor_i.turn[TurnWidth-1:0]});
    else factor = from.start[CountWidth-1:0];
    step = (CountWidth + 7)'(factor) << (walk.dim == '0 ? row_log2_q : '0);
    step_fits = step[CountWidth+6:CountWidth-1] == {8{step[CountWidth-1]}};
    if (Walk && state_q == Reach) word = WordWidth'(walk.count[CountWidth-1:0]);
    else if (!levels && job_q[2]) word = WordWidth'(descriptor_i.iteration_step[AddrWidth-1:0]);
    else word = WordWidth'(from.stride[AddrWidth-1:0]);
  end

  always_ff @(posedge clk_i) begin
    factor_q      <= state_q == Reach ? step[CountWidth-1:0] : factor;
    digit_value_q <= word[digit_q];
    step_fits_q   <= step_fits;
  end

  always_comb begin
    op       = '0;
    op.valid = issue;
    op.first = begins_q;
    op.lower = lower_q;
    if (Walk) begin
      op.reach = state_q == Reach;
      op.ends  = levels && last_digit;
      op.alone = alone_q[level];
      op.level = level;
    end
  end

  // ---- The multiplier and the sum ---------------------------------------------------------------

  product_t product_q;
  sum_t sum_q, sum_so_far;

  always_comb begin
    sum_so_far = sum_q;
    if (op_product_q.lower) sum_so_far = sum_q << DigitWidth;
    if (op_product_q.first) sum_so_far = '0;
  end
  always_ff @(posedge clk_i) begin
    product_q <= product_t'(factor_q) * product_t'({1'b0, digit_value_q});
    if (state_q == Rest) sum_q <= '0;
    else if (op_product_q.valid) sum_q <= sum_so_far + sum_t'(product_q);
  end
  always_ff @(posedge clk_i) begin
    op_factors_q <= op;
    op_product_q <= op_factors_q;
    op_sum_q     <= op_product_q;
    if (!rst_ni || flush_i) begin
      op_factors_q.valid <= 1'b0;
      op_product_q.valid <= 1'b0;
      op_sum_q.valid     <= 1'b0;
    end
  end
  assign offset_o = state_q == Rest ? '0 : sum_q[AddrWidth-1:0];
  assign stride_o = sum_q[AddrWidth-1:0];
  assign step_o   = step[CountWidth-1:0];

  always_comb begin
    put_step_o   = '0;
    put_stride_o = '0;
    if (Walk) begin
      put_step_o[level] = state_q == Level;
      put_stride_o[op_sum_q.level] = op_sum_q.valid && op_sum_q.ends && !op_sum_q.reach;
    end
  end

  // ---- How far levels go ------------------------------------------------------------------------

  // Both products of digits have the sign of the step: one that is too long is not made shorter by the other.
  if (Checks) begin : gen_reach
    localparam int unsigned FirstFits = CountWidth + 1 - (ReachDigits - 1) * DigitWidth;
    logic reach_q, part_far, sum_far, sum_counts;
    product_t part;
    sum_t whole;
    // What is above the bits that are there is the sign and nothing else, or too much.
    assign part = product_q >>> (op_product_q.first ? FirstFits - 1 : CountWidth);
    assign part_far = part != '0 && part != '1;
    assign whole = sum_q >>> (op_sum_q.alone ? CountWidth - 1 : CountWidth - 3);
    assign sum_far = whole != '0 && whole != '1;
    // The last sum counts in the cycle in which it stands.
    assign sum_counts = op_sum_q.valid && op_sum_q.reach && op_sum_q.ends;
    assign reach_o    = (level_o && reach_q) || (sum_counts && sum_far);
    always_ff @(posedge clk_i) begin
      if (state_q == Rest) reach_q <= 1'b0;
      else if (reach_o || (state_q == Reach && !step_fits_q) ||
               (op_product_q.valid && op_product_q.reach && part_far)) begin
        reach_q <= 1'b1;
      end
    end
  end else begin : gen_no_reach
    assign reach_o = 1'b0;
  end

  logic unused_descriptor;
  assign unused_descriptor = ^{descriptor_i, from, op_sum_q, step_fits_q, product_q};

  `TSR_STATIC_ASSERT(DigitWidth, ReachDigits <= 2,
                     ("DigitWidth = %0d; legal is %0d and more", DigitWidth, (CountWidth + 1) / 2))

endmodule
