// What of a transfer follows from its descriptor without a product, and why a descriptor has none.
//
// Contract: no registers, so the latency is 0 cycles. `transfer_o` is complete but for `addr` and the steps and strides of the walk
// levels, which are 0. What the descriptor says is ignored holds its neutral value, but for the bounds of a
// dimension without. `error_o` is the first reason against the descriptor that needs no product; with a
// reason the transfer means nothing.
//
// Bounds that are farther away than any index, moved as far as a traversal may (tsr_prepare_sums), are cut
// to -IndexLimit .. IndexLimit-1: less 2**31 either way they still fit their width, and are still farther.
`include "tsr_assert.svh"
module tsr_prepare_fields
  import tsr_pkg::*;
  import tsr_descriptor_pkg::*;
#(
  parameter int unsigned AddrWidth  = 64,
  parameter int unsigned DataWidth  = 64,
  parameter int unsigned CountWidth = 32,    // bits of counts and coordinates; proofs take fewer
  parameter bit          Walk       = 1'b1,
  parameter bit          Bounds     = 1'b1
) (
  input  descriptor_t       descriptor_i,
  output transfer_t         transfer_o,
  output descriptor_error_e error_o
);

  localparam int unsigned MaxShift = $clog2(DataWidth / 8);  // log2 of the widest element
  localparam logic [7:0] TooWide = ~8'(2 ** (MaxShift + 1) - 1);  // elements
  // Of what is compared with an index.
  localparam int unsigned PlaceWidth = CountWidth + IndexWidth - 32;
  localparam int unsigned WideWidth = PlaceWidth + 7;  // the same in bytes, before it is cut
  typedef logic [CountWidth-1:0] count_t;
  typedef logic signed [PlaceWidth-1:0] place_t;
  typedef logic signed [WideWidth-1:0] wide_t;

  // Elements that the bus is too narrow for are refused: nobody needs their shifts.
  logic [2:0] shift;
  assign shift = descriptor_i.elem_log2 & (MaxShift < 4 ? 3'd3 : 3'd7);

  function automatic logic too_long(input count_t elements, input logic [2:0] by);
    return |CountWidth'({7'b0, elements} << by >> CountWidth);
  endfunction

  // The place a in elements, which is -1 for the one before the first, in bytes: (a + 1) * E - 1.
  function automatic place_t in_bytes(input place_t place, input logic [2:0] by);
    wide_t wide;
    logic  negative;
    wide     = (wide_t'(place) <<< by) | ~(wide_t'(-1) <<< by);
    negative = wide[WideWidth-1];
    in_bytes = wide[PlaceWidth-1:0];
    if (wide[WideWidth-1:PlaceWidth-1] != {8{negative}} ||
        wide[PlaceWidth-2:PlaceWidth-3] == {2{!negative}}) begin
      in_bytes = {negative, {2{!negative}}, {PlaceWidth - 3{!negative}}};
      in_bytes[PlaceWidth-3] = negative;
    end
  endfunction

  // ---- Dimension 0 and the length ---------------------------------------------------------------

  logic dense, has_length, has_walk, cuts;
  logic [Dims-1:0] none, one, two, bounded;  // of the counts in elements; of the bounds
  logic [AddrWidth-1:0] stride0;
  count_t count0, length, count0_bytes, length_bytes, row_bytes, elem_bytes;

  assign count0       = descriptor_i.dim[0].count[CountWidth-1:0];
  assign stride0      = descriptor_i.dim[0].stride[AddrWidth-1:0];
  assign length       = descriptor_i.length[CountWidth-1:0];
  assign has_length   = descriptor_i.has_length;
  assign has_walk     = Walk && descriptor_i.has_walk;
  assign elem_bytes   = count_t'(1) << shift;
  assign dense        = one[0] || stride0 == AddrWidth'(elem_bytes);
  // Compared in elements, not in bytes: nothing waits for the shifts.
  assign cuts         = has_length && length < count0;
  assign count0_bytes = count0 << shift;
  assign length_bytes = length << shift;
  assign row_bytes    = cuts ? length_bytes : count0_bytes;

  // ---- All dimensions ---------------------------------------------------------------------------

  dim_t [Dims-1:0] dims;

  for (genvar d = 0; d < Dims; d++) begin : gen_dim
    descriptor_dim_t from;
    count_t count;
    place_t ahead, last;
    logic many, unused_from;
    assign from        = descriptor_i.dim[d];
    assign unused_from = ^from;
    assign count       = from.count[CountWidth-1:0];
    assign many        = |count[CountWidth-1:2];
    assign none[d]     = !many && count[1:0] == 2'd0;
    assign one[d]      = !many && count[1:0] == 2'd1;
    assign two[d]      = !many && count[1:0] == 2'd2;
    assign bounded[d]  = !from.unbounded;
    if (Bounds) begin : gen_bounds
      count_t start, bound;
      place_t ahead_place, last_place;
      assign start = from.start[CountWidth-1:0];
      assign bound = from.bound[CountWidth-1:0];
      assign ahead_place = ~place_t'(signed'(start));  // -start - 1
      assign last_place = place_t'({1'b0, bound}) + ahead_place;
      if (d == 0) begin : gen_bytes
        assign ahead = dense ? in_bytes(ahead_place, shift) : ahead_place;
        assign last  = dense ? in_bytes(last_place, shift) : last_place;
      end else begin : gen_elements
        assign ahead = ahead_place;
        assign last  = last_place;
      end
    end else begin : gen_none
      assign ahead = '0;
      assign last  = '0;
    end
    always_comb begin
      dims[d].stride    = 64'(from.stride[AddrWidth-1:0]);
      dims[d].count     = 32'(d == 0 && dense ? row_bytes : count);
      dims[d].unbounded = !Bounds || from.unbounded;
      dims[d].ahead     = IndexWidth'(ahead);
      dims[d].last      = IndexWidth'(last);
    end
  end

  // ---- The traversal ----------------------------------------------------------------------------

  walk_t [WalkLevels-1:0] walk;
  logic  [WalkLevels-1:0] no_turn;
  for (genvar k = 0; k < WalkLevels; k++) begin : gen_level
    count_t count;
    assign count = descriptor_i.walk[k].count[CountWidth-1:0];
    assign no_turn[k] = has_walk && count == '0;
    always_comb begin
      walk[k]       = '0;
      walk[k].count = 32'd1;
      if (has_walk) begin
        walk[k].count = 32'(count);
        walk[k].dim   = descriptor_i.walk[k].dim;
      end
    end
  end

  // ---- The transfer -----------------------------------------------------------------------------

  // A row of two bytes: one element or two. Nothing waits for the shifts here either.
  logic length_many, length_one, two_bytes;
  assign length_many = |length[CountWidth-1:2];
  assign length_one  = !length_many && length[1:0] == 2'd1;
  always_comb begin
    unique case (shift)
      3'd0:    two_bytes = cuts ? !length_many && length[1:0] == 2'd2 : two[0];
      3'd1:    two_bytes = cuts ? length_one : one[0];
      default: two_bytes = 1'b0;
    endcase
  end

  logic [63:0] fill;
  always_comb begin
    unique case (descriptor_i.elem_log2)
      3'd0:    fill = {8{descriptor_i.fill[7:0]}};
      3'd1:    fill = {4{descriptor_i.fill[15:0]}};
      3'd2:    fill = {2{descriptor_i.fill[31:0]}};
      default: fill = descriptor_i.fill;
    endcase
  end

  always_comb begin
    transfer_o = '0;
    transfer_o.row = 32'(dense ? row_bytes : elem_bytes);
    transfer_o.one_row = has_length && (dense ? length <= count0 : length_one);
    transfer_o.empty = (|none) || (|no_turn) || (has_length && !length_many && length[1:0] == 2'd0);
    transfer_o.dim = dims;
    transfer_o.dense = dense;
    transfer_o.has_walk = has_walk;
    transfer_o.walk = walk;
    transfer_o.has_length = has_length;
    transfer_o.length = has_length ? 32'(length_bytes) : '0;
    transfer_o.elem_log2 = descriptor_i.elem_log2;
    transfer_o.fill = Bounds ? fill : '0;
    transfer_o.last_rule = descriptor_i.last_rule;
    transfer_o.last_level = descriptor_i.last_level;
    transfer_o.join_next = descriptor_i.join_next;
    transfer_o.task_end = descriptor_i.task_end;
    transfer_o.finish = descriptor_i.finish;
    transfer_o.single = {one[Dims-1:1], dense};
    transfer_o.pair = {two[Dims-1:1], dense ? two_bytes : two[0]};
  end

  // ---- What is wrong with it --------------------------------------------------------------------

  logic beyond;  // `base` is no address
  if (AddrWidth < 64) begin : gen_narrow
    assign beyond = |descriptor_i.base[63:AddrWidth];
  end else begin : gen_wide
    assign beyond = 1'b0;
  end

  always_comb begin
    error_o = ErrorNone;
    if (|((8'd1 << descriptor_i.elem_log2) & TooWide)) error_o = ErrorElem;
    else if (!Walk && descriptor_i.has_walk) error_o = ErrorWalk;
    else if (!Bounds && (|bounded)) error_o = ErrorBounds;
    else if (beyond) error_o = ErrorBase;
    else if (dense && too_long(count0, shift)) error_o = ErrorRow;
    else if (has_length && too_long(length, shift)) error_o = ErrorLength;
  end

  logic unused_descriptor;
  assign unused_descriptor = ^descriptor_i;

  `TSR_STATIC_ASSERT(DataWidth, DataWidth >= 32 && DataWidth <= 1024 && $onehot(DataWidth),
                     ("DataWidth = %0d; legal is 32, 64, 128, 256, 512 or 1024", DataWidth))

endmodule
