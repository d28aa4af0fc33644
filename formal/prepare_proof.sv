// tsr_prepare: what comes out is the transfer that the norm makes of the descriptor, or the reason why there is
// none, once for each descriptor that was taken, in order, with its tag, and as many cycles after the
// descriptor was shown as the manual says; nothing of a flushed tag comes out. Widths are small. Here
// products are products of whole numbers, and what is cut is compared first: nothing is said as the cell
// says it.
`include "proof.svh"

module prepare_proof
  import tsr_pkg::*;
  import tsr_descriptor_pkg::*;
#(
  parameter bit          Walk       = 1'b1,
  parameter int unsigned Products   = 2,     // of the address, at most, and of any
  parameter int unsigned Levels     = 0,     // of a traversal with a step, at most, and any
  parameter int unsigned AddrWidth  = 4,
  parameter int unsigned CountWidth = 4,
  parameter int unsigned DigitWidth = 2
) (
  input logic              clk_i,
  input logic              rst_ni,
  input descriptor_t       descriptor_i,
  input logic              tag_i,
  input logic              valid_i,
  input logic              ready_i,
  input logic        [1:0] flush_i
);

  `TSR_PROOF_RESET

  localparam int unsigned DataWidth = 32;
  localparam int unsigned Digits = AddrWidth / DigitWidth;
  localparam int unsigned Wide = 2 * CountWidth + AddrWidth + 8;  // of every sum and product here
  localparam int Most = 2 ** (CountWidth - 1);  // numbers with a sign are below
  localparam int Far = 2 ** (CountWidth + 1) - Most;  // no index is so far, moved or not
  typedef logic signed [Wide-1:0] wide_t;
  typedef logic [AddrWidth-1:0] addr_t;

  logic ready_o, valid_o, tag_o;
  transfer_t transfer_o;
  descriptor_error_e error_o;

  tsr_prepare #(
    .AddrWidth (AddrWidth),
    .DataWidth (DataWidth),
    .CountWidth(CountWidth),
    .DigitWidth(DigitWidth),
    .Walk      (Walk)
  ) u_dut (
    .*
  );

  // ---- Descriptors: few products at a time, everything else is free --------------------------------

  descriptor_t given;
  int unsigned products, levels, checks;  // that the descriptor asks for
  assign given = descriptor_i;
  logic waits_q;
  always_ff @(posedge clk_i) waits_q <= rst_ni && valid_i && !ready_o && !flush_i[tag_i];
  `TSR_ASSUME(DescriptorStays, !waits_q || (valid_i && $stable(descriptor_i) && $stable(tag_i)))
  `TSR_ASSUME(FewProducts, products <= Products)
  `TSR_ASSUME(FewLevels, levels <= Levels)

  // ---- The transfer of a descriptor, from the norm -------------------------------------------------

  function automatic wide_t signed_count(input logic [31:0] value);
    signed_count = wide_t'($signed(value[CountWidth-1:0]));
  endfunction
  function automatic wide_t plain_count(input logic [31:0] value);
    plain_count = wide_t'({1'b0, value[CountWidth-1:0]});
  endfunction
  function automatic wide_t signed_stride(input logic [63:0] value);
    signed_stride = wide_t'($signed(value[AddrWidth-1:0]));
  endfunction
  function automatic logic fits(input wide_t value, input wide_t most);
    fits = value >= -most && value < most;
  endfunction
  function automatic wide_t cut(input wide_t value);
    cut = value < -Far ? wide_t'(-Far) : value > Far - 1 ? wide_t'(Far - 1) : value;
  endfunction

  wide_t size, row;
  wide_t [Dims:0] way;  // from the base on: what is behind each product
  logic dense, walks;
  assign size = wide_t'(1) <<< given.elem_log2;
  assign dense = plain_count(
      given.dim[0].count
  ) == 1 || given.dim[0].stride[AddrWidth-1:0] == addr_t'(size);
  assign row = (given.has_length && plain_count(
      given.length
  ) < plain_count(
      given.dim[0].count
  ) ? plain_count(
      given.length
  ) : plain_count(
      given.dim[0].count
  )) * size;
  assign walks = Walk && given.has_walk;
  assign way[0] = wide_t'({1'b0, given.base[AddrWidth-1:0]}) +
      (given.has_iteration ?
       wide_t'({1'b0, given.turn[CountWidth/2-1:0]}) * signed_stride(
      given.iteration_step
  ) : '0);

  dim_t [Dims-1:0] dims;
  logic [Dims-1:0] none, one, two;
  for (genvar d = 0; d < Dims; d++) begin : gen_expected_dim
    wide_t start, count, bytes, ahead, last;
    assign start    = signed_count(given.dim[d].start);
    assign way[d+1] = way[d] + start * signed_stride(given.dim[d].stride);
    assign bytes    = d == 0 && dense ? size : wide_t'(1);  // of a position
    assign ahead    = -start * bytes - 1;
    assign last     = (plain_count(given.dim[d].bound) - start) * bytes - 1;
    assign count    = d == 0 && dense ? row : plain_count(given.dim[d].count);
    assign none[d]  = plain_count(given.dim[d].count) == 0;
    assign one[d]   = (d == 0 && dense) || count == 1;
    assign two[d]   = count == 2;
    always_comb begin
      dims[d].stride    = 64'(given.dim[d].stride[AddrWidth-1:0]);
      dims[d].count     = 32'(count);
      dims[d].unbounded = given.dim[d].unbounded;
      dims[d].ahead     = given.dim[d].unbounded ? '0 : IndexWidth'(cut(ahead));
      dims[d].last      = given.dim[d].unbounded ? '0 : IndexWidth'(cut(last));
    end
  end

  walk_t [WalkLevels-1:0] walk;
  logic [WalkLevels-1:0] no_turn, too_far;
  for (genvar k = 0; k < WalkLevels; k++) begin : gen_expected_walk
    wide_t step, bytes;
    logic [WalkLevels-1:0] beside;  // another level moves the same dimension
    descriptor_dim_t of;
    assign of    = given.dim[given.walk[k].dim];
    assign bytes = given.walk[k].dim == '0 && dense ? size : wide_t'(1);
    assign step  = signed_count(given.walk[k].step) * bytes;
    for (genvar n = 0; n < WalkLevels; n++) begin : gen_beside
      assign beside[n] = n != k && signed_count(
          given.walk[n].step
      ) != 0 && given.walk[n].dim == given.walk[k].dim;
    end
    assign too_far[k] = walks && !of.unbounded && step != 0 && !(fits(
        step, wide_t'(Most)
    ) && fits(
        step * plain_count(given.walk[k].count), wide_t'(|beside ? Most / 4 : Most)
    ));
    assign no_turn[k] = walks && plain_count(given.walk[k].count) == 0;
    always_comb begin
      walk[k]       = '0;
      walk[k].count = 32'd1;
      if (walks) begin
        walk[k].stride = 64'(addr_t'(signed_count(given.walk[k].step) * signed_stride(of.stride)));
        walk[k].step   = 32'(signed_count(32'(step)));
        walk[k].count  = 32'(plain_count(given.walk[k].count));
        walk[k].dim    = given.walk[k].dim;
      end
    end
  end

  logic [7:0][7:0] fill_bytes, fill;
  assign fill_bytes = given.fill;
  for (genvar n = 0; n < 8; n++) begin : gen_expected_fill
    assign fill[n] = fill_bytes[3'(n)&3'(size-1)];
  end

  transfer_t expected;
  descriptor_error_e error;
  always_comb begin
    expected = '0;
    expected.addr = 64'(addr_t'(way[Dims]));
    expected.dim = dims;
    expected.walk = walk;
    expected.dense = dense;
    expected.row = 32'(dense ? row : size);
    expected.has_length = given.has_length;
    expected.length = given.has_length ? 32'(plain_count(given.length) * size) : '0;
    expected.one_row = given.has_length && plain_count(given.length) * size == (dense ? row : size);
    expected.empty = (|none) || (|no_turn) || (given.has_length && plain_count(given.length) == 0);
    expected.single = one;
    expected.pair = two;
    expected.has_walk = walks;
    expected.elem_log2 = given.elem_log2;
    expected.fill = fill;
    expected.last_rule = given.last_rule;
    expected.last_level = given.last_level;
    expected.join_next = given.join_next;
    expected.task_end = given.task_end;
    expected.finish = given.finish;
  end
  always_comb begin
    if (8 * size > DataWidth) error = ErrorElem;
    else if (!Walk && given.has_walk) error = ErrorWalk;
    else if (given.base[63:AddrWidth] != '0) error = ErrorBase;
    else if (dense && plain_count(given.dim[0].count) * size >= 2 * Most) error = ErrorRow;
    else if (given.has_length && plain_count(given.length) * size >= 2 * Most) error = ErrorLength;
    else if (|too_far) error = ErrorReach;
    else error = ErrorNone;
  end

  // ---- When it comes -------------------------------------------------------------------------------

  // The cycles of the manual with room at the output, less the one in which it is shown.
  logic [5:0] cycles, waited_q;
  logic room_q;  // there was, in every cycle since the descriptor was shown
  logic [Dims:0] product;
  logic [WalkLevels-1:0] moves, checked;
  for (genvar d = 0; d < Dims; d++) begin : gen_work
    assign product[d] = signed_count(
        given.dim[d].start
    ) != 0 && given.dim[d].stride[AddrWidth-1:0] != '0;
    assign moves[d] = walks && signed_count(given.walk[d].step) != 0;
    assign checked[d] = moves[d] && !given.dim[given.walk[d].dim].unbounded;
  end
  assign product[Dims] = given.has_iteration && given.turn != '0 &&
      given.iteration_step[AddrWidth-1:0] != '0;
  assign products = $countones(product);
  assign levels = $countones(moves);
  assign checks = $countones(checked);
  always_comb begin
    cycles = 6'(Digits * (products + levels) + 2 * checks);
    if (levels != 0) cycles = cycles + (products == 0 ? 6'd4 : 6'd6);
    else if (products != 0) cycles = cycles + 6'd3;
    else if (walks) cycles = 6'd1;
  end

  logic room, takes, shown_q, tag_q;
  transfer_t expected_q;
  descriptor_error_e error_q;
  assign room  = ready_i || !shown_q;
  assign takes = valid_i && ready_o && !flush_i[tag_i];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      shown_q  <= 1'b0;
      waited_q <= '0;
      room_q   <= 1'b1;
    end else begin
      if (takes) shown_q <= 1'b1;
      else if (ready_i || flush_i[tag_q]) shown_q <= 1'b0;
      waited_q <= valid_i && !ready_o && !flush_i[tag_i] ? waited_q + 1'b1 : '0;
      room_q   <= !(valid_i && !ready_o && !flush_i[tag_i]) || (room_q && room);
    end
    if (takes) begin
      expected_q <= expected;
      error_q    <= error;
      tag_q      <= tag_i;
    end
  end

  `TSR_ASSERT(ShownOnce, valid_o == shown_q)
  `TSR_ASSERT(WithItsTag, !valid_o || tag_o == tag_q)
  `TSR_ASSERT(ErrorOfTheTable, !valid_o || error_o == error_q)
  `TSR_ASSERT(TransferOfTheNorm, !valid_o || error_q != ErrorNone || transfer_o == expected_q)
  `TSR_ASSERT(NotEarly, !(valid_i && ready_o) || waited_q >= cycles || !room_q)
  `TSR_ASSERT(NotLate, !(valid_i && room_q && room && waited_q >= cycles) || ready_o)
  `TSR_ASSERT(NeedsRoom, !ready_o || room)

  `TSR_COVER(Legal, valid_o && error_q == ErrorNone && !expected_q.empty)
  `TSR_COVER(Refused, valid_o && error_q == ErrorRow)
  // That they end is in NotLate.
  `TSR_COVER(AllProducts, waited_q == 6'd2 && products == Products)
  `TSR_COVER(AllLevels, waited_q == 6'd2 && levels == Levels)
  `TSR_COVER(TooFar, Levels == 0 || (waited_q == 6'd2 && error == ErrorReach))
  `TSR_COVER(Flushed, waited_q > 6'd2 && flush_i[tag_i])
  `TSR_COVER(BehindAnother, takes && shown_q)

endmodule
