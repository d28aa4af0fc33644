// tsr_extent: every byte of every position that a transfer has inside its bounds lies between the two
// edges, or the answer is `unknown`. The position is free: any indices, any turns; what holds for it
// holds for all. Widths are small. The induction follows the position beside the cell: its address as far
// as dimensions and levels have been worked out never leaves what the edges are to become.
`include "proof.svh"

module extent_proof
  import tsr_pkg::*;
#(
  parameter bit Walk = 1'b0,
  parameter bit Bounds = 1'b1,
  parameter bit Length = 1'b0,
  parameter int unsigned Moving = 4,  // dimensions with more than one position
  parameter int unsigned Levels = 1,  // levels of a traversal with more than one turn
  parameter int unsigned AddrWidth = 4,
  parameter int unsigned CountWidth = 2,
  localparam int Near = 2 ** CountWidth  // bounds lie so near
) (
  input logic                                       clk_i,
  input logic                                       rst_ni,
  input logic                                       run_i,
  input transfer_t                                  transfer_i,
  // A position: its index in every dimension, its turn of every level.
  input logic      [      Dims-1:0][CountWidth-1:0] at_i,
  input logic      [WalkLevels-1:0][CountWidth-1:0] turn_i
);

  `TSR_PROOF_RESET

  localparam int unsigned Wide = AddrWidth + CountWidth + 7;  // of every sum and product here
  typedef logic signed [Wide-1:0] wide_t;
  typedef logic signed [CountWidth:0] index_t;
  typedef logic [AddrWidth-1:0] addr_t;

  logic done_o, empty_o, unknown_o;
  addr_t first_o, last_o;

  tsr_extent #(
    .AddrWidth (AddrWidth),
    .CountWidth(CountWidth),
    .Walk      (Walk),
    .Bounds    (Bounds)
  ) u_dut (
    .*
  );

  logic run_q;
  always_ff @(posedge clk_i) run_q <= rst_ni && run_i;
  `TSR_ASSUME(TransferStays, !run_q || $stable(transfer_i))
  `TSR_ASSUME(PositionStays, !run_q || $stable({at_i, turn_i}))
  `TSR_ASSUME(NoWalk, Walk || !transfer_i.has_walk)
  `TSR_ASSUME(NoLength, transfer_i.has_length == Length)
  `TSR_ASSUME(SmallElements, transfer_i.elem_log2 <= 3'd2)
  `TSR_ASSUME(Short, transfer_i.length < 2 ** CountWidth)
  for (genvar d = 0; d < Dims; d++) begin : gen_small
    `TSR_ASSUME(NoBounds, Bounds || transfer_i.dim[d].unbounded)
    `TSR_ASSUME(Few, transfer_i.dim[d].count < (d < Moving ? 2 ** CountWidth : 2))
    `TSR_ASSUME(AheadNear, transfer_i.dim[d].ahead >= -Near && transfer_i.dim[d].ahead < Near)
    `TSR_ASSUME(LastNear, transfer_i.dim[d].last >= -Near && transfer_i.dim[d].last < Near)
    `TSR_ASSUME(FewTurns, transfer_i.walk[d].count < (d < Levels ? 2 ** CountWidth : 2))
    `TSR_ASSUME(Steps, $signed(transfer_i.walk[d].step) >= -4 && $signed(transfer_i.walk[d].step
                ) < 4)
  end

  logic [Dims-1:0][CountWidth-1:0] at;
  logic [WalkLevels-1:0][CountWidth-1:0] turn;
  for (genvar d = 0; d < Dims; d++) begin : gen_position
    assign at[d]   = d < Moving ? at_i[d] : '0;
    assign turn[d] = Walk && d < Levels ? turn_i[d] : '0;
  end

  // ---- The position and its address, as the engine comes to it -----------------------------------

  wide_t addr, size, ahead, final_place;
  logic walks, cut, touched;
  wide_t [Dims-1:0] stride, place, part;  // part: of the address, without the traversal
  wide_t [WalkLevels-1:0] turns;  // of the address
  wide_t [WalkLevels-1:0] step;
  logic [WalkLevels-1:0] clipped;  // the level moves a dimension with bounds
  logic [Dims-1:0] moved;
  logic [Dims:0][12:0] number;  // of the position, counted from each dimension outwards
  addr_t real_addr;

  assign addr  = wide_t'({1'b0, transfer_i.addr[AddrWidth-1:0]});
  assign size  = transfer_i.dense ? wide_t'(1) : wide_t'(1) <<< transfer_i.elem_log2;
  assign walks = Walk && transfer_i.has_walk;
  assign cut   = transfer_i.has_length && !walks;
  always_comb begin
    moved       = '0;
    ahead       = '0;
    final_place = '0;
    real_addr   = addr_t'(addr);
    for (int unsigned d = 0; d < Dims; d++) begin
      stride[d] = wide_t'($signed(transfer_i.dim[d].stride[AddrWidth-1:0]));
      if (transfer_i.dense && d == 0) stride[d] = wide_t'(1);
      place[d]  = wide_t'({1'b0, at[d]});
      part[d]   = place[d] * stride[d];
      real_addr = real_addr + addr_t'(part[d]);
    end
    for (int unsigned k = 0; k < WalkLevels; k++) begin
      step[k]    = wide_t'($signed(transfer_i.walk[k].step[CountWidth-1:0]));
      turns[k]   = '0;
      clipped[k] = '0;
      if (walks) begin
        clipped[k] = !transfer_i.dim[transfer_i.walk[k].dim].unbounded;
        turns[k] = wide_t'({1'b0, turn[k]}) *
            wide_t'($signed(transfer_i.walk[k].stride[AddrWidth-1:0]));
        real_addr = real_addr + addr_t'(turns[k]);
        for (int unsigned d = 0; d < Dims; d++) begin
          if (transfer_i.walk[k].dim == 2'(d)) begin
            place[d] = place[d] + wide_t'({1'b0, turn[k]}) * step[k];
            if (transfer_i.walk[k].count != 32'd1 && clipped[k]) moved[d] = 1'b1;
          end
        end
      end
    end
    number[Dims] = '0;
    for (int d = Dims - 1; d >= 0; d--) begin
      number[d] = 13'(at[d]) + 13'(transfer_i.dim[d].count[CountWidth-1:0]) * number[d+1];
    end
    touched = !cut || (number[0] << (transfer_i.dense ? '0 : transfer_i.elem_log2)) <
        13'(transfer_i.length[CountWidth-1:0]);
    for (int unsigned d = 0; d < Dims; d++) begin
      if (transfer_i.dim[d].count == '0) touched = 1'b0;
      if (!(cut && d == 3) && 32'(at[d]) >= transfer_i.dim[d].count) touched = 1'b0;
      if (walks && 32'(turn[d]) >= transfer_i.walk[d].count) touched = 1'b0;
      ahead = wide_t'($signed(transfer_i.dim[d].ahead[CountWidth:0]));
      final_place = wide_t'($signed(transfer_i.dim[d].last[CountWidth:0]));
      if (!transfer_i.dim[d].unbounded && (place[d] <= ahead || place[d] > final_place))
        touched = 1'b0;
    end
    if (transfer_i.has_length && transfer_i.length == '0) touched = 1'b0;
  end

  // ---- The claim --------------------------------------------------------------------------------

  addr_t real_last;
  assign real_last = real_addr + addr_t'(size - 1'b1);
  logic between;
  assign between = first_o <= real_addr && real_addr <= real_last && real_last <= last_o;
  `TSR_ASSERT(InsideTheExtent, !(done_o && run_q && touched) || unknown_o || (!empty_o && between))

  // ---- What the induction leans on --------------------------------------------------------------

  // The address of the position as far as the cell has come, and without the modulus.
  typedef enum logic [2:0] {
    Idle,
    Scale,
    Load,
    Work,
    Finish
  } state_e;
  typedef enum logic [1:0] {
    Check,
    Level,
    Dim
  } kind_e;
  function automatic logic far(input logic signed [AddrWidth+2:0] value);
    return value[AddrWidth+2] != value[AddrWidth+1];
  endfunction

  wide_t sofar_q, first, last, factor, low_goal, high_goal, low_goal_q, high_goal_q;
  addr_t real_q, turns_of_dim;
  logic [1:0] n;
  logic in_load, in_work, checks, levels, dims, leaves, ended;
  assign in_load = u_dut.state_q == Load || u_dut.state_q == Scale;
  assign in_work = u_dut.state_q == Work;
  assign checks  = u_dut.kind == Check;
  assign levels  = u_dut.kind == Level;
  assign dims    = u_dut.kind == Dim;
  assign n       = u_dut.index_q;
  assign ended   = u_dut.state_q == Finish && touched && !u_dut.unknown_q;
  assign leaves  = u_dut.state_q == Load && u_dut.state_d == Work;
  assign first   = wide_t'(u_dut.first_q);
  assign last    = wide_t'(u_dut.last_q) - size + 1'b1;
  assign factor  = wide_t'(u_dut.factor_q);
  // What a sum is to become, added up in the order in which the cell does.
  function automatic wide_t goal(input wide_t sum, input logic signed [CountWidth+2:0] times,
                                 input wide_t stride);
    wide_t result;
    result = sum;
    for (int unsigned n = 0; n < CountWidth + 2; n++) begin
      if (times[n]) result = result + (stride <<< n);
    end
    if (times[CountWidth+2]) result = result - (stride <<< (CountWidth + 2));
    return result;
  endfunction
  assign low_goal = in_work ? goal(
      first, u_dut.low_q, factor
  ) : goal(
      first, u_dut.backward ? u_dut.high : u_dut.low, wide_t'(u_dut.stride)
  );
  assign high_goal = in_work ? goal(
      last, u_dut.high_q, factor
  ) : goal(
      last, u_dut.backward ? u_dut.low : u_dut.high, wide_t'(u_dut.stride)
  );
  always_ff @(posedge clk_i) begin
    if (in_load) begin
      low_goal_q  <= low_goal;
      high_goal_q <= high_goal;
    end
  end
  always_comb begin
    turns_of_dim = '0;
    for (int unsigned k = 0; k < WalkLevels; k++) begin
      if (clipped[k] && transfer_i.walk[k].dim == n)
        turns_of_dim = turns_of_dim + addr_t'(turns[k]);
    end
  end
  wide_t moves;  // places of the dimension, or turns of the level, times the stride
  assign moves = levels ? turns[n] : moved[n] ? place[n] * stride[n] : part[n];
  always_ff @(posedge clk_i) begin
    if (u_dut.base) begin
      sofar_q <= addr + (u_dut.row && u_dut.state_q == Idle ? part[0] : '0);
      real_q  <= addr_t'(addr + (u_dut.row && u_dut.state_q == Idle ? part[0] : '0));
    end else if (leaves && !checks) begin
      sofar_q <= sofar_q + moves;
      real_q  <= real_q + addr_t'(levels ? turns[n] : part[n]) + (dims ? turns_of_dim : '0);
    end
  end

  `TSR_ASSERT(RunsWhileAsked, u_dut.state_q == Idle || run_q)
  `TSR_ASSERT(KnownStates, u_dut.state_q <= Finish && u_dut.kind <= Dim)
  `TSR_ASSERT(NoAnswerYet, !(in_load || in_work) || (!u_dut.empty_q && !u_dut.unknown_q))
  `TSR_ASSERT(NotNegative, Walk || !in_work || (u_dut.low_q >= 0 && u_dut.high_q >= 0))
  `TSR_ASSERT(ScalesFirst, u_dut.state_q != Scale || (dims && n == '0 && cut))
  `TSR_ASSERT(SumsInRange, !(in_load || in_work) || (!far(u_dut.first_q) && !far(u_dut.last_q)))
  `TSR_ASSERT(Between, !(in_load && !checks && touched) || (first <= sofar_q && sofar_q <= last))
  `TSR_ASSERT(BetweenWhatIsToCome,
              !(in_work && !checks && touched) || (low_goal_q <= sofar_q && sofar_q <= high_goal_q))
  `TSR_ASSERT(ComesToWhatIsToCome,
              !(in_work && !checks) || (low_goal == low_goal_q && high_goal == high_goal_q))
  `TSR_ASSERT(BetweenAtLast, !ended || (first <= sofar_q && sofar_q <= last && !empty_o))
  `TSR_ASSERT(SameAddress, !ended || (real_q == real_addr && real_q == addr_t'(sofar_q)))

  `TSR_ASSERT(SameAddressSoFar,
              !((in_load || in_work) && !checks && touched) || real_q == addr_t'(sofar_q))

  // The address so far is the sum of its parts.
  addr_t upto;
  logic  past;  // the part of the one that is at work counts already
  assign past = in_work;
  always_comb begin
    upto = addr_t'(addr);
    for (int unsigned k = 0; k < WalkLevels; k++) begin
      if (dims || (levels && (k < 32'(n) || (past && k == 32'(n)))))
        if (!clipped[k]) upto = upto + addr_t'(turns[k]);
    end
    for (int unsigned d = 0; d < Dims; d++) begin
      if (dims && (d < 32'(n) || (past && d == 32'(n)))) begin
        upto = upto + addr_t'(part[d]);
        for (int unsigned k = 0; k < WalkLevels; k++) begin
          if (clipped[k] && transfer_i.walk[k].dim == 2'(d)) upto = upto + addr_t'(turns[k]);
        end
      end
    end
  end
  `TSR_ASSERT(SumOfParts, !((in_load || in_work) && !checks && touched) || real_q == upto)

  if (Walk) begin : gen_walk
    // What has been checked agrees; what moves a dimension with bounds is known.
    logic [Dims-1:0] known;
    logic agrees;
    logic [WalkLevels-1:0] seen;
    addr_t step_bytes;
    always_comb begin
      known = '0;
      agrees = 1'b1;
      step_bytes = '0;
      for (int unsigned k = 0; k < WalkLevels; k++) begin
        seen[k] = !checks || k < 32'(n);
        if (clipped[k] && transfer_i.walk[k].count != 32'd1 &&
            (seen[k] || (in_work && k == 32'(n))))
          known[transfer_i.walk[k].dim] = 1'b1;
        step_bytes = addr_t'(step[k] * stride[transfer_i.walk[k].dim]);
        if (k < Levels && seen[k] && clipped[k] && transfer_i.walk[k].count != 32'd1 &&
            step_bytes != transfer_i.walk[k].stride[AddrWidth-1:0])
          agrees = 1'b0;
      end
    end
    `TSR_ASSERT(KnowsWhatMoves, !(in_load || in_work) || u_dut.moved_q == known)
    `TSR_ASSERT(StepsAgree, !(in_load || in_work) || agrees)
    `TSR_ASSERT(ChecksTheStep, !(in_work && checks) || low_goal == wide_t'($signed(
                transfer_i.walk[n].step[CountWidth-1:0])) * stride[transfer_i.walk[n].dim])
    `TSR_ASSERT(NothingAboveInChecks, !(in_work && checks) || u_dut.high_q == '0)
    `TSR_ASSERT(WalksIfItHasOne, !(in_load || in_work) || dims || walks)
    `TSR_COVER(Clipped, in_work && dims && n == 2'd0 && touched && moved[0] && turn[0] != '0)
    `TSR_COVER(Disagrees, done_o && touched && u_dut.unknown_q && checks)
  end

  if (Length) begin : gen_length
    // What is left of the length is not less than the position is beyond this dimension.
    logic [12:0] left, dividend, quotient, rest, bits, count;
    assign left     = 13'(u_dut.left_q);
    assign bits     = 13'(u_dut.bits_q);
    assign rest     = 13'(u_dut.rest_q);
    assign count    = 13'(u_dut.count);
    assign dividend = left >> (CountWidth - bits);
    assign quotient = left & ((13'd1 << (CountWidth - bits)) - 1'b1);
    `TSR_ASSERT(LeftInScale, !(u_dut.state_q == Scale && touched) || number[0] <= left >> bits)
    `TSR_ASSERT(FewBits, u_dut.state_q == Scale ? bits <= 2 : bits <= CountWidth || !in_work)
    `TSR_ASSERT(Left, !(in_load && dims && cut && touched) || number[n] <= left)
    `TSR_ASSERT(LeftOfADivision,
                !(in_work && dims && cut && touched) || n == 2'd3 ||
                (bits == '0 ? number[n+1] <= left :
                 rest < count && number[n+1] * count <=
                 ((quotient * count + rest) << bits) + dividend))
    `TSR_COVER(Divided, in_load && dims && n == 2'd1 && touched && number[1] != '0)
  end

  `TSR_COVER(Backward, in_work && dims && n == 2'd1 && touched && at[1] != '0 && stride[1] < 0)
  `TSR_COVER(Unknown, done_o && touched && unknown_o)
  `TSR_COVER(None, done_o && empty_o && transfer_i.dim[0].count != '0)

endmodule
