// Works out the least and the greatest address that a transfer can touch.
//
// Contract: `run_i` high begins, with the transfer on the pins, and both stay until the answer has been
// seen: `done_o` is high from then on until `run_i` falls. `empty_o`: the transfer touches nothing.
// `unknown_o`: it goes round the address space, or the byte steps of its traversal are not its steps
// times the strides. Else it touches nothing outside `first_o` .. `last_o`. Positions outside the bounds
// are not touched and do not count. Both edges are touched, but for three things that count too much: a
// dimension with bounds that a traversal moves reaches both of its bounds, a transfer that `length` ends
// within a turn counts that turn whole, and one that it ends within a traversal all of it.
// What the build leaves out (Walk, Bounds) counts as nothing: the engine refuses it as illegal.
// Latency: a row of neighbours 1 cycle. Else 1, and for each dimension 2 and as many as its last index has
// bits; a traversal 8, and for each level 1 and as many as its turns have bits, or its step if its
// dimension has bounds; `length` as many as an element has address bits, and 34 for each dimension that
// it goes beyond.
//
// Dimensions and levels are alike: an interval of indices times a stride. Both ends are multiplied at
// once, a bit a cycle, straight into the two sums; the division runs beside that.
`include "tsr_assert.svh"
module tsr_extent
  import tsr_pkg::*;
#(
  parameter int unsigned AddrWidth  = 64,    // 32..64; proofs take fewer
  parameter int unsigned CountWidth = 32,    // bits of counts, steps and length; proofs take fewer
  parameter bit          Walk       = 1'b1,
  parameter bit          Bounds     = 1'b1
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic                      run_i,
  input  transfer_t                 transfer_i,
  output logic                      done_o,
  output logic                      empty_o,
  output logic                      unknown_o,
  output logic      [AddrWidth-1:0] first_o,
  output logic      [AddrWidth-1:0] last_o
);

  // A sum that is in range, plus or minus 2**(AddrWidth+1), and a factor that is, add up without overflow.
  localparam int unsigned SumWidth = AddrWidth + 3;
  localparam int unsigned PlaceWidth = CountWidth + 3;  // an index, signed
  localparam int unsigned BitsWidth = $clog2(CountWidth + 1);
  typedef logic signed [SumWidth-1:0] sum_t;
  typedef logic signed [PlaceWidth-1:0] place_t;
  typedef logic [CountWidth-1:0] count_t;

  typedef enum logic [2:0] {
    Idle,
    Scale,  // the length, from bytes to elements
    Load,
    Work,   // multiply, and divide what is left of the length
    Finish
  } state_e;

  // What an interval of indices is worked out for. Those of a kind come one after the other.
  typedef enum logic [1:0] {
    Check,  // of a level that moves a dimension with bounds: is a turn its step times the stride?
    Level,  // the turns of a level that moves one without
    Dim
  } kind_e;

  state_e state_q, state_d;
  kind_e kind_q, kind, kind_d;
  logic [1:0] index_q;
  logic [Dims-1:0] moved_q;  // dimensions with bounds that a traversal moves
  sum_t first_q, last_q, factor_q;
  place_t low_q, high_q;  // what the factor is still to be multiplied with
  count_t left_q, rest_q;  // last position that is left of the length; rest of its division
  logic [BitsWidth-1:0] bits_q;  // left of the division
  logic empty_q, unknown_q;

  // ---- What the transfer says -------------------------------------------------------------------

  logic [1:0] number;
  dim_t dim;
  walk_t walk;
  logic has_walk, cut, row, nothing;
  sum_t addr, size;

  assign kind     = Walk ? kind_q : Dim;
  assign walk     = transfer_i.walk[index_q];
  assign number   = kind == Dim ? index_q : walk.dim;
  assign dim      = transfer_i.dim[number];
  assign has_walk = Walk && transfer_i.has_walk;
  assign cut      = transfer_i.has_length && !has_walk;  // a traversal is counted whole
  assign addr     = sum_t'({1'b0, transfer_i.addr[AddrWidth-1:0]});
  assign size     = transfer_i.dense ? sum_t'(1) : sum_t'({1'b0, 8'd1 << transfer_i.elem_log2});

  always_comb begin
    row = transfer_i.dense && !has_walk && transfer_i.dim[0].count != '0 &&
        (!transfer_i.has_length || transfer_i.length == transfer_i.dim[0].count);
    nothing = (transfer_i.has_length && transfer_i.length == '0) || (!Walk && transfer_i.has_walk);
    for (int unsigned d = 0; d < Dims; d++) begin
      row     = row && transfer_i.dim[d].unbounded && (d == 0 || transfer_i.dim[d].count == 32'd1);
      nothing = nothing || (!Bounds && !transfer_i.dim[d].unbounded);
    end
  end

  // ---- The interval of an index, and its stride --------------------------------------------------

  logic bounded, moved, ends, single, skip, backward;
  count_t count;
  sum_t   stride;
  place_t ahead, last, most, low, high;

  assign count   = kind == Dim ? dim.count[CountWidth-1:0] : walk.count[CountWidth-1:0];
  assign single  = count == CountWidth'(1);
  assign bounded = Bounds && !dim.unbounded;
  assign moved   = Walk && moved_q[index_q];
  assign skip    = kind != Dim && (single || bounded != (kind == Check));
  assign ends    = cut && (index_q == 2'd3 || left_q < count);
  assign ahead   = place_t'(dim.ahead);
  assign last    = place_t'(dim.last);
  assign most    = place_t'({1'b0, cut && ends ? left_q : count}) - place_t'(!ends);

  always_comb begin
    low  = '0;
    high = most;
    if (kind == Dim && bounded) begin
      if (moved || ahead >= 0) low = ahead + 1'b1;
      if (moved || last < most) high = last;
    end
  end

  always_comb begin
    if (kind == Level) stride = sum_t'($signed(walk.stride[AddrWidth-1:0]));
    else if (transfer_i.dense && number == '0) stride = sum_t'(1);
    else stride = sum_t'($signed(dim.stride[AddrWidth-1:0]));
  end
  assign backward = stride < 0;

  // ---- Products, a bit a cycle ------------------------------------------------------------------

  // An index of all ones is -1, and ends it with a subtraction.
  logic ready, low_ends, high_ends, lost;
  sum_t first, lasts;

  assign ready     = low_q == '0 && high_q == '0;
  assign low_ends  = Walk && low_q == '1;
  assign high_ends = Walk && high_q == '1;

  function automatic sum_t add(input sum_t sum, input sum_t factor, input logic enable,
                               input logic minus);
    return sum + ((factor ^ {SumWidth{minus}}) & {SumWidth{enable}}) + sum_t'({1'b0, minus});
  endfunction
  function automatic logic far(input sum_t value);
    return value[SumWidth-1] != value[SumWidth-2];
  endfunction

  assign first = add(first_q, factor_q, low_q[0], low_ends);
  assign lasts = add(last_q, factor_q, high_q[0], high_ends);
  assign lost  = !ready && (far(factor_q) || far(first) || far(lasts));

  // ---- The way through it -----------------------------------------------------------------------

  logic next, base, odd, divides, worked;

  assign odd     = kind == Check && first_q[AddrWidth-1:0] != walk.stride[AddrWidth-1:0];
  assign divides = kind == Dim && cut && !ends && !single;
  assign worked  = ready && bits_q == '0;

  always_comb begin
    state_d = state_q;
    next    = 1'b0;
    unique case (state_q)
      Idle: begin
        if (run_i && (row || nothing)) state_d = Finish;
        else if (run_i) state_d = cut && !transfer_i.dense ? Scale : Load;
      end
      Scale:   if (bits_q == '0) state_d = Load;
      Load: begin
        if (count == '0 || (!skip && kind == Dim && low > high)) state_d = Finish;
        else if (skip) next = 1'b1;
        else state_d = Work;
      end
      Work: begin
        if (lost || (ready && odd)) state_d = Finish;
        else next = worked;
      end
      Finish:  if (!run_i) state_d = Idle;
      default: state_d = Idle;
    endcase
    if (next) state_d = kind == Dim && index_q == 2'd3 ? Finish : Load;
    kind_d = kind;
    if (next && index_q == 2'd3) kind_d = kind == Check ? Level : Dim;
    if (state_q == Idle) kind_d = has_walk ? Check : Dim;
  end
  // The sums begin with the first position; before that they are those of the checks.
  assign base = state_q == Idle || (kind == Check && kind_d == Level);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !run_i) state_q <= Idle;
    else state_q <= state_d;
  end

  always_ff @(posedge clk_i) begin
    kind_q <= kind_d;
    if (state_q == Idle) index_q <= '0;
    else if (next) index_q <= index_q + 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (base) begin
      first_q <= addr;
      last_q  <= addr + (row ? sum_t'({1'b0, transfer_i.dim[0].count}) : size) - 1'b1;
    end else if (state_q == Load && kind == Check) begin
      first_q <= '0;
    end else if (state_q == Work) begin
      first_q <= first;
      last_q  <= lasts;
    end
    if (state_q == Load) begin
      factor_q <= stride;
      if (kind == Check) begin
        low_q  <= place_t'($signed(walk.step[CountWidth-1:0]));
        high_q <= '0;
      end else begin
        low_q  <= backward ? high : low;
        high_q <= backward ? low : high;
      end
    end else begin
      factor_q <= factor_q <<< 1;
      low_q    <= low_ends ? '0 : low_q >>> 1;
      high_q   <= high_ends ? '0 : high_q >>> 1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == Idle) begin
      moved_q   <= '0;
      empty_q   <= nothing;
      unknown_q <= 1'b0;
    end else begin
      if (state_q == Load && kind == Check && !skip) moved_q[walk.dim] <= 1'b1;
      if (state_q == Load && state_d == Finish) empty_q <= 1'b1;
      if (state_q == Work && state_d == Finish && !next) unknown_q <= 1'b1;
    end
  end

  // ---- What is left of the length ----------------------------------------------------------------

  logic [CountWidth:0] part, over;
  assign part = {rest_q, left_q[CountWidth-1]};
  assign over = part - {1'b0, count};
  always_ff @(posedge clk_i) begin
    unique case (state_q)
      Idle: begin
        left_q <= transfer_i.length[CountWidth-1:0] - 1'b1;
        bits_q <= BitsWidth'(transfer_i.elem_log2);
      end
      Scale:
      if (bits_q != '0) begin
        left_q <= left_q >> 1;
        bits_q <= bits_q - 1'b1;
      end
      Load: begin
        rest_q <= '0;
        bits_q <= divides ? BitsWidth'(CountWidth) : '0;
        if (ends && kind == Dim) left_q <= '0;
      end
      default:
      if (bits_q != '0) begin
        bits_q <= bits_q - 1'b1;
        rest_q <= over[CountWidth] ? part[CountWidth-1:0] : over[CountWidth-1:0];
        left_q <= {left_q[CountWidth-2:0], !over[CountWidth]};
      end
    endcase
  end

  logic unused_transfer;
  assign unused_transfer = ^transfer_i;

  assign done_o = state_q == Finish;
  assign empty_o = empty_q;
  // Addresses count modulo the address space; the extent must not go round its end.
  assign unknown_o = unknown_q || first_q[SumWidth-1:AddrWidth] != last_q[SumWidth-1:AddrWidth];
  assign first_o = first_q[AddrWidth-1:0];
  assign last_o = last_q[AddrWidth-1:0];

  `TSR_ASSERT_NEXT(RestsUnlessAsked, !run_i, !done_o)

endmodule
