// Works out the least and the greatest address that a transfer can touch.
//
// Contract: `run_i` high begins, with the transfer on the pins, and both stay until the answer has been
// seen: `done_o` is high from then on until `run_i` falls. `none_o`: the transfer touches nothing.
// `unknown_o`: it leaves the address space, or the byte steps of its traversal are not its steps times
// the strides. Else it touches nothing outside `first_o` .. `last_o`. Both of them are touched, unless
// `length` ends the transfer within a row (the last turn counts whole) or within a traversal (all of
// it counts). Positions outside the bounds do not count.
// Latency: a row of neighbours 1 cycle. Else 2, and for each dimension 2 (more than one position: 4,
// and as many as its least and its greatest index have bits), each walk level of a dimension 2 and as
// many as its turns and its step have bits, each division by a count that `length` needs 32.
// One adder and no multiplier.
module tsr_extent
  import tsr_pkg::*;
#(
  parameter int unsigned AddrWidth = 64  // 32..64
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic                      run_i,
  input  transfer_t                 transfer_i,
  output logic                      done_o,
  output logic                      none_o,
  output logic                      unknown_o,
  output logic      [AddrWidth-1:0] first_o,
  output logic      [AddrWidth-1:0] last_o
);

  localparam int unsigned Width = (AddrWidth < 40 ? 40 : AddrWidth) + 4;  // of sums, signed
  localparam int unsigned PlaceWidth = 38;  // of an index with the traversal in it, signed
  typedef logic signed [Width-1:0] sum_t;
  typedef logic signed [PlaceWidth-1:0] place_t;

  typedef enum logic [3:0] {
    Idle,
    Count,   // the last index of a dimension, by its count or by what is left of the length
    Divide,
    Level,   // does a walk level move this dimension?
    Turns,   // times its step: so far it moves the indices
    Step,    // times the stride: so far a turn moves the address
    Clip,    // to the bounds
    Low,     // the least index times the stride
    High,    // the greatest
    Finish
  } state_e;

  state_e state_q, state_d;
  logic [1:0] dim_q, level_q;
  logic [31:0] left_q, rest_q;  // what is left of the length; of a division
  logic [4:0] bit_q;
  place_t low_q, high_q;
  sum_t first_q, last_q;
  logic none_q, unknown_q;

  // ---- What the transfer says -------------------------------------------------------------------

  dim_t  dim;
  walk_t walk;
  logic cut, ends_here, row, empty, moves;
  logic [31:0] last_index, elements, positions;
  sum_t addr, size, stride, step;
  place_t least, greatest, low, high;

  function automatic sum_t extended(input logic [AddrWidth-1:0] value);
    return sum_t'($signed(value));
  endfunction

  assign dim = transfer_i.dim[dim_q];
  assign walk = transfer_i.walk[level_q];
  assign size = transfer_i.dense ? sum_t'(1) : sum_t'({1'b0, 8'd1 << transfer_i.elem_log2});
  assign stride = transfer_i.dense && dim_q == '0 ? size : extended(dim.stride[AddrWidth-1:0]);
  assign step = sum_t'($signed(walk.step));
  assign addr = sum_t'({1'b0, transfer_i.addr[AddrWidth-1:0]});

  // A traversal is counted whole: `length` matters without one.
  assign positions = transfer_i.length >> (transfer_i.dense ? '0 : transfer_i.elem_log2);
  assign cut = transfer_i.has_length && !transfer_i.has_walk;
  assign ends_here = cut && (dim_q == 2'd3 || left_q < dim.count);
  assign last_index = ends_here ? left_q : dim.count - 1'b1;
  assign moves = walk.dim == dim_q && walk.count != 32'd1;

  // Indices inside the bounds, and of the positions those; of dimension 0 of a dense
  // transfer they are bytes.
  assign least = place_t'(dim.ahead) + 1'b1;
  assign greatest = place_t'(dim.last);
  assign low = !dim.unbounded && low_q < least ? least : low_q;
  assign high = !dim.unbounded && high_q > greatest ? greatest : high_q;

  always_comb begin
    elements = transfer_i.has_length ? transfer_i.length : transfer_i.dim[0].count;
    row = transfer_i.dense && !transfer_i.has_walk && elements <= transfer_i.dim[0].count;
    empty = transfer_i.has_length && transfer_i.length == '0;
    for (int unsigned d = 0; d < Dims; d++) begin
      row = row && transfer_i.dim[d].unbounded && (d == 0 || transfer_i.dim[d].count == 32'd1);
      empty = empty || transfer_i.dim[d].count == '0 ||
          (transfer_i.has_walk && transfer_i.walk[d].count == '0);
    end
  end

  // ---- Products, a bit a cycle ------------------------------------------------------------------

  logic load, negative_q, faded_q, lost_q, ready;
  sum_t load_factor, factor_q, product_q, product;
  place_t load_times;
  logic [PlaceWidth-1:0] times_q;

  assign ready   = times_q == '0;
  assign product = negative_q ? product_q - factor_q : product_q + factor_q;
  always_ff @(posedge clk_i) begin
    if (load) begin
      product_q  <= '0;
      factor_q   <= load_factor;
      times_q    <= load_times < 0 ? -load_times : load_times;
      negative_q <= load_times < 0;
      faded_q    <= 1'b0;
      lost_q     <= 1'b0;
    end else begin
      if (times_q[0]) begin
        product_q <= product;
        // The factor has lost its upper bits, or the sum its sign.
        lost_q <= lost_q || faded_q || (product_q[Width-1] == (negative_q ^ factor_q[Width-1]) &&
                                        product[Width-1] != product_q[Width-1]);
      end
      factor_q <= factor_q <<< 1;
      faded_q  <= faded_q || factor_q[Width-1] != factor_q[Width-2];
      times_q  <= times_q >> 1;
    end
  end

  // ---- The way through it -----------------------------------------------------------------------

  logic next_level, next_dim, far, wide, odd;

  // An index that no sum of four can bring beyond its width.
  assign far  = lost_q || product_q != sum_t'($signed(product_q[PlaceWidth-4:0]));
  // So far that four of them might go round the address space unseen.
  assign wide = lost_q || product_q != sum_t'($signed(product_q[AddrWidth:0]));
  assign odd  = product_q[AddrWidth-1:0] != walk.stride[AddrWidth-1:0];

  always_comb begin
    state_d     = state_q;
    load        = 1'b0;
    load_factor = stride;
    load_times  = low;
    next_level  = 1'b0;
    next_dim    = 1'b0;
    unique case (state_q)
      Idle:    if (run_i) state_d = row || empty ? Finish : Count;
      Count: begin
        if (cut && !ends_here && dim.count != 32'd1) state_d = Divide;
        else state_d = transfer_i.has_walk ? Level : Clip;
      end
      Divide:  if (bit_q == '1) state_d = Clip;
      Level: begin
        load        = 1'b1;
        load_factor = step;
        load_times  = place_t'({1'b0, walk.count}) - 1'b1;
        if (moves) state_d = Turns;
        else next_level = 1'b1;
      end
      Turns: begin
        load       = ready;
        load_times = place_t'($signed(walk.step));
        if (ready) state_d = Step;
      end
      Step:    next_level = ready;
      Clip: begin
        load = 1'b1;
        if (low > high) state_d = Finish;
        else if ((low == '0 && high == '0) || stride == '0) next_dim = 1'b1;
        else state_d = Low;
      end
      Low: begin
        load       = ready;
        load_times = high_q;
        if (ready) state_d = High;
      end
      High:    next_dim = ready;
      Finish:  if (!run_i) state_d = Idle;
      default: state_d = Idle;
    endcase
    if (next_level) state_d = level_q == 2'd3 ? Clip : Level;
    if (next_dim) state_d = dim_q == 2'd3 ? Finish : Count;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !run_i) state_q <= Idle;
    else state_q <= state_d;
  end

  always_ff @(posedge clk_i) begin
    if (next_level) level_q <= level_q + 1'b1;
    if (next_dim) dim_q <= dim_q + 1'b1;
    unique case (state_q)
      Idle: begin
        dim_q <= '0;
        first_q <= addr;
        last_q <= addr + (row ? sum_t'({1'b0, elements}) : size) - 1'b1;
        left_q    <= positions - 1'b1;
        none_q <= empty;
        unknown_q <= 1'b0;
      end
      Count: begin
        level_q <= '0;
        bit_q   <= '0;
        rest_q  <= '0;
        low_q   <= '0;
        high_q  <= place_t'({1'b0, last_index});
        if (ends_here) left_q <= '0;
      end
      Divide: begin
        bit_q <= bit_q + 1'b1;
        if ({rest_q, left_q[31]} >= {1'b0, dim.count}) begin
          rest_q <= 32'({rest_q, left_q[31]} - {1'b0, dim.count});
          left_q <= {left_q[30:0], 1'b1};
        end else begin
          rest_q <= {rest_q[30:0], left_q[31]};
          left_q <= {left_q[30:0], 1'b0};
        end
      end
      Turns:
      if (ready) begin
        unknown_q <= unknown_q || far;
        if (walk.step[31]) low_q <= low_q + place_t'(product_q);
        else high_q <= high_q + place_t'(product_q);
      end
      Step: if (ready) unknown_q <= unknown_q || odd;
      Clip: begin
        none_q <= none_q || low > high;
        low_q  <= low;
        high_q <= high;
      end
      Low:
      if (ready) begin
        unknown_q <= unknown_q || wide;
        if (stride < 0) last_q <= last_q + product_q;
        else first_q <= first_q + product_q;
      end
      High:
      if (ready) begin
        unknown_q <= unknown_q || wide;
        if (stride < 0) first_q <= first_q + product_q;
        else last_q <= last_q + product_q;
      end
      default: ;
    endcase
  end

  logic unused_transfer;
  assign unused_transfer = ^transfer_i;

  assign done_o    = state_q == Finish;
  assign none_o    = none_q;
  // Addresses count modulo the address space; the extent must not go round its end.
  assign unknown_o = unknown_q || first_q[Width-1:AddrWidth] != last_q[Width-1:AddrWidth];
  assign first_o   = first_q[AddrWidth-1:0];
  assign last_o    = last_q[AddrWidth-1:0];

endmodule
