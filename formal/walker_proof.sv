// tsr_walker: its rows are exactly the turns of dimension 0, or the elements, of the enumeration that
// defines a transfer: address, size, which bytes are inside the bounds, flags; one a cycle, in order, cut
// by `length`, the last dimension going on where it may. The rows are computed from their indices, by
// multiplication.
//
// Counts are at most 3 and lengths below 32 elements; addresses have 6 bits. Bounded: tiles and rows of
// the first cycles after a reset or a kill (`depth`), not all there are.
`include "proof.svh"

module walker_proof
  import tsr_pkg::*;
#(
  parameter  bit          Walk      = 1'b1,
  parameter  bit          Bounds    = 1'b1,
  localparam int unsigned AddrWidth = 6,
  localparam int unsigned DataBytes = 4
) (
  input logic                                       clk_i,
  input logic                                       rst_ni,
  input logic                                       kill_i,
  input logic                                       valid_i,
  input logic                                       row_ready_i,
  input logic       [ AddrWidth-1:0]                addr_i,
  input logic       [      Dims-1:0][AddrWidth-1:0] stride_i,
  input logic       [      Dims-1:0][          1:0] count_i,       // elements
  input logic       [      Dims-1:0][          4:0] ahead_i,
  input logic       [      Dims-1:0][          4:0] last_i,
  input logic       [      Dims-1:0]                unbounded_i,
  input logic                                       dense_i,
  input logic                                       has_walk_i,
  input logic                                       walk_empty_i,
  input logic                                       has_length_i,
  input logic       [           4:0]                length_i,      // elements
  input logic       [           1:0]                elem_log2_i,
  input last_rule_e                                 last_rule_i,
  input logic       [           2:0]                last_level_i,
  input logic                                       join_next_i,
  input logic                                       task_end_i,
  input finish_e                                    finish_i,
  input logic                                       tile_first_i,
  input logic                                       tile_last_i,
  input logic       [WalkLevels-1:0]                tile_turns_i,
  input logic       [           5:0]                byte_i         // any byte of a row
);

  `TSR_PROOF_RESET

  typedef logic [AddrWidth-1:0] addr_t;
  typedef logic signed [9:0] index_t;
  typedef logic [9:0] bytes_t;
  localparam int unsigned Last = Dims - 1;

  // ---- The tile ---------------------------------------------------------------------------------

  transfer_t tile;
  always_comb begin
    tile = '0;
    tile.addr = 64'(addr_i);
    for (int d = 0; d < Dims; d++) begin
      tile.dim[d].stride    = 64'(stride_i[d]);
      tile.dim[d].count     = 32'(count_i[d]);
      tile.dim[d].ahead     = IndexWidth'(signed'(ahead_i[d]));
      tile.dim[d].last      = IndexWidth'(signed'(last_i[d]));
      tile.dim[d].unbounded = unbounded_i[d];
    end
    if (dense_i) tile.dim[0].count = 32'(count_i[0]) << elem_log2_i;
    tile.dense    = dense_i;
    tile.has_walk = has_walk_i;
    for (int k = 0; k < WalkLevels; k++) tile.walk[k].count = 32'd2;
    tile.walk[1].count = walk_empty_i ? 32'd0 : 32'd2;
    tile.has_length    = has_length_i;
    tile.length        = 32'(length_i) << elem_log2_i;
    tile.row           = dense_i ? tile.dim[0].count : 32'd1 << elem_log2_i;
    tile.one_row       = has_length_i && tile.length == tile.row;
    tile.empty         = (has_length_i && length_i == '0) || (has_walk_i && walk_empty_i);
    for (int d = 0; d < Dims; d++) begin
      tile.single[d] = tile.dim[d].count == 32'd1 || (d == 0 && dense_i);
      tile.pair[d]   = tile.dim[d].count == 32'd2;
      if (count_i[d] == '0) tile.empty = 1'b1;
    end
    tile.elem_log2  = 3'(elem_log2_i);
    tile.last_rule  = last_rule_i;
    tile.last_level = last_level_i;
    tile.join_next  = join_next_i;
    tile.task_end   = task_end_i;
    tile.finish     = finish_i;
  end

  logic
      ready_o,
      cut_o,
      offer_o,
      begin_o,
      row_valid_o,
      row_outside_o,
      row_plain_o,
      row_first_o,
      row_touches_o,
      row_end_o,
      row_again_o,
      row_inside_o,
      row_has_lead_o,
      row_has_tail_o,
      row_null_o;
  logic row_flush_o, row_last_o, row_illegal_o, packets_o, finish_last_o;
  logic [2:0] elem_log2_o;
  addr_t row_base_o;
  logic [1:0] row_off_o;
  logic [31:0] row_size_o, row_lead_o, row_data_o, row_tail_o;

  tsr_walker #(
    .AddrWidth (AddrWidth),
    .DataBytes (DataBytes),
    .GroupBytes(2),
    .Walk      (Walk),
    .Bounds    (Bounds)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .kill_i,
    .tile_i(tile),
    .tile_first_i,
    .tile_last_i,
    .tile_turns_i,
    .valid_i,
    .ready_o,
    .cut_o,
    .offer_o,
    .begin_o,
    .row_valid_o,
    .row_ready_i,
    .row_base_o,
    .row_off_o,
    .row_size_o,
    .row_lead_o,
    .row_data_o,
    .row_tail_o,
    .row_has_lead_o,
    .row_has_tail_o,
    .row_null_o,
    .row_outside_o,
    .row_plain_o,
    .row_first_o,
    .row_touches_o,
    .row_again_o,
    .row_inside_o,
    .row_end_o,
    .row_flush_o,
    .row_last_o,
    .row_illegal_o,
    .packets_o,
    .finish_last_o,
    .elem_log2_o
  );

  // ---- The row that is made next, from its indices ----------------------------------------------

  logic begun_q, shown_q;
  logic [Dims-1:0][3:0] index_q, index;
  bytes_t done_q, done, left, elem, stretch, size;  // bytes of the transfer before this row
  logic [Dims-1:0] last, turned;
  logic make, starts, illegal, nothing, steps_on, cuts, final_row, transfer_end, others, last_here;
  addr_t base;

  assign make = (!shown_q || row_ready_i) && valid_i && !kill_i;
  assign starts = tile_first_i && !begun_q;
  assign index = begun_q ? index_q : '0;
  assign elem = bytes_t'(1) << elem_log2_i;
  assign illegal = elem > bytes_t'(DataBytes) || (!Bounds && !(&unbounded_i)) ||
                   (!Walk && has_walk_i);
  always_comb begin
    nothing = illegal || (has_walk_i && walk_empty_i) || (has_length_i && length_i == '0);
    base = addr_i;
    others = 1'b1;
    for (int d = 0; d < Dims; d++) begin
      if (count_i[d] == '0) nothing = 1'b1;
      base += addr_t'(index[d]) * stride_i[d];
      last[d] = index[d] + 1'b1 == 4'(count_i[d]);
      if (!(d == 0 && dense_i) && !unbounded_i[d] &&
          (index_t'({1'b0, index[d]}) <= index_t'(signed'(ahead_i[d])) ||
           index_t'({1'b0, index[d]}) > index_t'(signed'(last_i[d])))) begin
        others = 1'b0;
      end
    end
    if (dense_i) last[0] = 1'b1;
    if (steps_on) last[Last] = 1'b0;
    for (int d = 0; d < Dims; d++) turned[d] = last[d] && (d == 0 || turned[d-1]);
  end
  assign steps_on     = has_length_i && !has_walk_i;
  assign stretch      = dense_i ? bytes_t'(count_i[0]) << elem_log2_i : elem;
  assign done         = starts ? '0 : done_q;
  assign left         = (bytes_t'(length_i) << elem_log2_i) - done;
  assign cuts         = has_length_i && left <= stretch;
  assign size         = cuts ? left : stretch;
  assign final_row    = nothing || cuts || turned[Last];
  assign transfer_end = nothing || cuts || (turned[Last] && tile_last_i);
  always_comb begin
    last_here = transfer_end;
    case (last_rule_i)
      LastNever:    last_here = 1'b0;
      LastTransfer: last_here = transfer_end;
      LastTask:     last_here = transfer_end && task_end_i;
      default: begin
        if (!last_level_i[2] && turned[last_level_i[1:0]]) last_here = 1'b1;
        if (last_level_i[2] && turned[Last] && tile_turns_i[last_level_i[1:0]]) last_here = 1'b1;
      end
    endcase
  end

  // ---- The row that is shown --------------------------------------------------------------------

  typedef struct packed {
    addr_t      base;
    bytes_t     size;
    index_t     ahead;      // of its bytes
    index_t     final_one;
    logic       others;     // inside in all other dimensions
    logic       unbounded;
    logic       nothing;
    logic       illegal;
    logic       starts;
    logic       ends;
    logic       last;
    logic       parts;
    logic       packets;
    logic       finish;
    logic [2:0] elem;
  } row_t;
  row_t row_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || kill_i) begin
      begun_q <= 1'b0;
      shown_q <= 1'b0;
    end else if (make) begin
      begun_q <= !final_row;
      shown_q <= 1'b1;
    end else if (row_ready_i) begin
      shown_q <= 1'b0;
    end
    if (make) begin
      done_q  <= done + size;
      index_q <= index;
      for (int d = 0; d < Dims; d++) begin
        if (turned[d]) index_q[d] <= '0;
        else if (d == 0 || turned[d-1]) index_q[d] <= index[d] + 1'b1;
      end
      row_q <= '{
          base: base,
          size: size,
          ahead: index_t'(signed'(ahead_i[0])),
          final_one: index_t'(signed'(last_i[0])),
          others: others,
          unbounded: unbounded_i[0] || !dense_i,
          nothing: nothing,
          illegal: illegal,
          starts: starts,
          ends: transfer_end,
          last: last_here && (!nothing || !join_next_i || task_end_i),
          parts: !join_next_i || task_end_i,
          packets: last_rule_i != LastNever,
          finish: finish_i == FinishLast,
          elem: 3'(elem_log2_i)
      };
    end
  end

  // ---- What the maker of tiles does -------------------------------------------------------------

  logic [3 + 10 * Dims + Dims * (AddrWidth + 3) + 24-1:0] fixed, fixed_q;  // of a transfer
  logic [AddrWidth + 10 * Dims + WalkLevels + 2 - 1:0] own, own_q;  // of a tile
  logic open_q;  // between the tiles of a transfer, or in one
  assign fixed = $bits(
          fixed
      )'({
        stride_i,
        count_i,
        unbounded_i,
        dense_i,
        has_walk_i,
        walk_empty_i,
        has_length_i,
        length_i,
        elem_log2_i,
        last_rule_i,
        last_level_i,
        join_next_i,
        task_end_i,
        finish_i
      });
  assign own = {addr_i, ahead_i, last_i, tile_first_i, tile_last_i, tile_turns_i};
  always_ff @(posedge clk_i) begin
    if (!rst_ni || kill_i) open_q <= 1'b0;
    else if (make) open_q <= !transfer_end;
    fixed_q <= fixed;
    own_q   <= own;
    if (open_q && !valid_i) fixed_q <= fixed_q;
  end
  `TSR_ASSUME(TileStays, !begun_q || (valid_i && own == own_q))
  `TSR_ASSUME(TransferStays, !(open_q && valid_i) || fixed == fixed_q)
  `TSR_ASSUME(FirstComesFirst, !valid_i || begun_q || tile_first_i == !open_q)
  `TSR_ASSUME(OneTileWithoutWalk, has_walk_i || (tile_first_i && tile_last_i))
  for (genvar d = 0; d < Dims; d++) begin : gen_bounds_order
    `TSR_ASSUME(Bound, signed'(ahead_i[d]) <= signed'(last_i[d]))
  end
  `TSR_ASSUME(FirstRowWhole, !(dense_i && has_length_i) || 5'(count_i[0]) <= length_i)
  `TSR_ASSUME(Rule, last_rule_i inside {LastNever, LastTransfer, LastTask, LastLevel})

  // ---- What it owes -----------------------------------------------------------------------------

  `TSR_ASSERT(RowEveryCycle, row_valid_o == shown_q)
  `TSR_ASSERT(TakenWithItsLastRow, ready_o == ((make && final_row) || (kill_i && begun_q)))
  `TSR_ASSERT(SaysItIsCut, kill_i || cut_o == (make && (cuts || nothing)))
  `TSR_ASSERT(SaysItBegins, begin_o == (make && starts))
  `TSR_ASSERT(OffersUntilItBegins, offer_o == (valid_i && !kill_i && starts))
  `TSR_ASSERT(
      WholeLead,
      !row_valid_o || row_outside_o || row_null_o || !Bounds || row_has_lead_o == (row_lead_o >= 2))
  `TSR_ASSERT(
      WholeTail,
      !row_valid_o || row_outside_o || row_null_o || !Bounds || row_has_tail_o == (row_tail_o >= 2))
  `TSR_ASSERT(InsideWithoutBounds, !(row_valid_o && row_inside_o) || row_null_o || !row_outside_o)

  logic data_row, in_row, valid, in_data;
  assign data_row = shown_q && !row_q.nothing;
  assign in_row = bytes_t'(byte_i) < row_q.size;
  assign valid = row_q.others && (row_q.unbounded ||
      (index_t'({1'b0, byte_i}) > row_q.ahead && index_t'({1'b0, byte_i}) <= row_q.final_one));
  assign in_data = !row_outside_o && 32'(byte_i) >= row_lead_o &&
                   32'(byte_i) < row_lead_o + row_data_o;
  `TSR_ASSERT(Base, !data_row || row_base_o == row_q.base)
  `TSR_ASSERT(DataIsInside, !(data_row && in_row) || in_data == valid)
  logic adds_up;
  assign adds_up = row_outside_o ? row_size_o == 32'(row_q.size) :
                   row_lead_o + row_data_o + row_tail_o == 32'(row_q.size);
  `TSR_ASSERT(AddsUp, !data_row || adds_up)
  `TSR_ASSERT(SizeOfAll, !(data_row && Bounds) || row_size_o == 32'(row_q.size))
  `TSR_ASSERT(NothingInIt, !shown_q || row_null_o == row_q.nothing)
  `TSR_ASSERT(NullHasOnePart, !row_null_o || !(row_has_lead_o || row_has_tail_o))
  logic plain;
  assign plain = data_row && !row_outside_o && row_lead_o == '0 && row_tail_o == '0;
  `TSR_ASSERT(PlainIsAllData, !shown_q || row_plain_o == plain)
  `TSR_ASSERT(DataBegins,
              !data_row || row_outside_o || row_off_o == 2'(row_base_o + addr_t'(row_lead_o)))
  logic flags;
  assign flags = row_first_o == row_q.starts && row_end_o == row_q.ends &&
                 row_last_o == row_q.last && row_illegal_o == row_q.illegal &&
                 row_flush_o == (row_q.last || (row_q.ends && row_q.parts));
  `TSR_ASSERT(Flags, !shown_q || flags)
  // Reached as the row before it was: as far from that; the two before it are of one size.
  addr_t [1:0] base_q;
  bytes_t [1:0] size_q;
  logic [2:0] rows_q;  // made of this tile, up to 3
  logic again;
  always_ff @(posedge clk_i) begin
    if (make) begin
      base_q <= {base_q[0], row_q.base};
      size_q <= {size_q[0], row_q.size};
      rows_q <= begun_q ? {rows_q[1:0], 1'b1} : 3'd1;
    end
  end
  // Of a row in the same transfer after another, both without fill.
  logic plain_row, plain_row_q, plain_before_q;
  addr_t end_before_q;
  assign plain_row = shown_q ? plain : plain_row_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || kill_i) {plain_row_q, plain_before_q} <= '0;
    else begin
      plain_row_q <= plain_row;
      if (make) plain_before_q <= plain_row;
    end
    if (make) end_before_q <= row_q.base + addr_t'(row_q.size);
  end
  logic two_plain;
  assign two_plain = shown_q && plain && plain_before_q && !row_q.starts;
  `TSR_ASSERT(TouchesAsItLies, !two_plain || row_touches_o == (row_q.base == end_before_q))
  assign again = (&rows_q) && row_q.base - base_q[0] == base_q[0] - base_q[1] &&
                 size_q[0] == size_q[1];
  `TSR_ASSERT(AgainAsFar, !(data_row && row_again_o) || again)
  logic attributes;
  assign attributes = packets_o == row_q.packets && finish_last_o == row_q.finish &&
                      elem_log2_o == row_q.elem;
  `TSR_ASSERT(Attributes, !shown_q || attributes)

  `TSR_COVER(AllDimensionsMoved, make && begun_q && index[3] == 1 && index[2] == 1)
  `TSR_COVER(CutShort, make && cuts && size < stretch && index[1] != '0)
  `TSR_COVER(StepsOn, make && steps_on && index[3] > 4'(count_i[3]) && index[1] != '0)
  `TSR_COVER(Again, data_row && row_again_o)
  `TSR_COVER(EmptyOne, shown_q && row_q.nothing && !row_q.illegal && make)
  logic gone_q;
  always_ff @(posedge clk_i) gone_q <= rst_ni && make && final_row && begun_q;
  `TSR_COVER(FromTileToTile, gone_q && make && row_ready_i && !final_row)
  if (Walk) begin : gen_walk
    `TSR_COVER(CutInLaterTile, make && cuts && !tile_first_i && begun_q)
  end
  if (Bounds) begin : gen_bounds
    `TSR_COVER(FillOnBothSides, data_row && !row_outside_o && row_lead_o != '0 && row_tail_o != '0)
    `TSR_COVER(OutsideInTheMiddle, data_row && row_outside_o && !row_q.starts && !row_q.ends)
  end

endmodule
