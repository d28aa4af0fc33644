// Walks the four dimensions of a tile and gives its rows, in order, one a cycle.
//
// A row is one run of dimension 0 if its elements are neighbours in memory (stride = element, or a
// single position), else one element. A tile is a transfer, or one turn of its outer traversal
// (tsr_traverse); `tile_*` tell where in the traversal it stands.
//
// Contract: valid/ready on both sides. The row shown is stable until taken or killed; it is followed by
// the next one in the cycle after. A transfer without positions, or that this build cannot execute, is
// one row of size 0. `kill_i` drops the tile and whatever is offered in the same cycle.
// Latency: 1 cycle from tile to row. Throughput: one row a cycle, also from tile to tile.
`include "tsr_assert.svh"
module tsr_walker
  import tsr_pkg::*;
#(
  parameter  int unsigned AddrWidth = 64,
  parameter  int unsigned DataBytes = 8,
  parameter  bit          Walk      = 1'b1,
  parameter  bit          Bounds    = 1'b1,
  localparam int unsigned RowWidth  = 32 + $clog2(DataBytes)
) (
  input logic clk_i,
  input logic rst_ni,
  input logic kill_i,
  // A tile: the transfer with the address and starts of this turn of the traversal.
  input transfer_t tile_i,
  input logic tile_first_i,
  input logic tile_last_i,
  input logic [WalkLevels-1:0] tile_turns_i,  // walk levels that complete a turn with this tile
  input logic valid_i,
  output logic ready_o,
  output logic cut_o,  // the row taken ends the transfer: no more tiles
  // A row.
  output logic row_valid_o,
  input logic row_ready_i,
  output logic [AddrWidth-1:0] row_base_o,  // address of its first position
  output logic [AddrWidth-1:0] row_addr_o,  // address of its first data byte
  output logic [AddrWidth-1:0] row_next_o,  // address after its last position
  output logic [RowWidth-1:0] row_lead_o,  // bytes of fill, data, fill
  output logic [RowWidth-1:0] row_data_o,
  output logic [RowWidth-1:0] row_tail_o,
  output logic row_plain_o,  // data only, and some
  output logic row_first_o,  // of the transfer
  output logic row_end_o,  // of the transfer
  output logic row_flush_o,  // its last byte ends a stream beat
  output logic row_last_o,  // ... which carries TLAST
  output logic row_illegal_o,
  // Attributes of the transfer in hand.
  output logic bounded_o,
  output logic [63:0] fill_o,
  output logic fill_changed_o,  // differs from that of the transfer before
  output logic packets_o,  // its TLAST rule is not `never`
  output logic finish_last_o,
  output logic [2:0] elem_log2_o
);

  localparam int unsigned ElemLog2Max = $clog2(DataBytes);
  localparam int unsigned ShiftWidth = $clog2(ElemLog2Max + 1);

  typedef logic [AddrWidth-1:0] addr_t;
  typedef logic [RowWidth-1:0] row_t;
  typedef logic signed [RowWidth:0] coord_t;

  // ---- What the tile says -----------------------------------------------------------------------

  logic in_contiguous, in_null, in_illegal, in_single_cut, in_steps_on;
  logic [Dims-1:0] in_empty, in_bounded, in_oversized;
  logic [2:0] in_elem;
  logic [ShiftWidth-1:0] in_shift;  // legal elements only
  logic [3:0] elem_room;  // negative if the element is wider than the bus
  logic unused_room;
  logic [31:0] in_positions;
  row_t in_size, in_length;

  assign in_elem = tile_i.elem_log2;
  assign in_shift = in_elem[ShiftWidth-1:0];
  assign in_contiguous = addr_t'(tile_i.dim[0].stride) == (addr_t'(1) << in_shift) ||
                         tile_i.dim[0].count == 32'd1;
  assign in_positions = in_contiguous ? tile_i.dim[0].count : 32'd1;
  assign in_size = row_t'(in_positions) << in_shift;
  assign in_length = row_t'(tile_i.length) << in_shift;
  assign in_single_cut = tile_i.has_length && tile_i.length <= in_positions;
  assign in_steps_on = tile_i.has_length && !(Walk && tile_i.has_walk);

  for (genvar d = 0; d < Dims; d++) begin : gen_in
    assign in_empty[d]     = tile_i.dim[d].count == '0;
    assign in_bounded[d]   = !tile_i.dim[d].unbounded;
    assign in_oversized[d] = in_bounded[d] && tile_i.dim[d].bound > 32'h8000_0000;
  end

  logic [WalkLevels-1:0] in_walk_empty;
  for (genvar k = 0; k < WalkLevels; k++) begin : gen_in_walk
    assign in_walk_empty[k] = tile_i.walk[k].count == '0;
  end

  assign elem_room = 4'(ElemLog2Max) - {1'b0, in_elem};
  assign unused_room = ^elem_room[2:0];
  assign in_illegal = elem_room[3] || (|in_oversized) ||
                      (!Bounds && |in_bounded) || (!Walk && tile_i.has_walk);
  assign in_null = in_illegal || (|in_empty) || (tile_i.has_length && tile_i.length == '0) ||
                   (tile_i.has_walk && |in_walk_empty);

  // ---- State ------------------------------------------------------------------------------------

  logic active_q, first_q, null_q, illegal_q, cut_q, has_length_q, steps_on_q, tile_last_q;
  logic [Dims-1:0] last_q, one_q, unbounded_q;  // at its last position; has only one
  // Counters go up from zero: they cost no logic but a carry chain, and a restart is a reset. What they
  // reach is compared for equality, a step ahead.
  logic [Dims-1:0][31:0] index_q;  // positions done
  logic [Dims-1:0][31:0] before_last_q;  // index of the last position but one
  coord_t coord0_q, start0_q;
  row_t bound0_q, size_q, rest_q;  // rest: bytes of `length` not walked yet
  addr_t [Dims-1:0] stride_q;
  addr_t [Dims-1:0] base_q;  // of the current position, with the dimensions inside d at their start
  logic [63:0] fill_q;
  logic fill_changed_q;
  last_rule_e rule_q;
  logic [2:0] level_q, elem_q;
  logic join_q, task_end_q, finish_last_q, bounded_q;
  logic [WalkLevels-1:0] turns_q;

  // ---- The step to the next row -----------------------------------------------------------------

  logic step, load, tile_end;
  logic [Dims-1:0] last, turns, step_in;  // step_in: the dimension that moves on, one-hot
  logic [1:0] step_dim;
  addr_t base_next;

  assign last = last_q & {!steps_on_q, {(Dims - 1) {1'b1}}};
  for (genvar d = 0; d < Dims; d++) begin : gen_turns
    assign turns[d] = &last[d:0];
    if (d == 0) begin : gen_inner
      assign step_in[d] = !last[0];
    end else begin : gen_outer
      assign step_in[d] = turns[d-1] && !last[d];
    end
  end
  assign tile_end = cut_q || null_q || turns[Dims-1];

  // A binary number selects in one LUT a bit where one-hot terms take three.
  assign step_dim = last[0] ? (last[1] ? (last[2] ? 2'd3 : 2'd2) : 2'd1) : 2'd0;
  assign base_next = base_q[step_dim] + stride_q[step_dim];

  assign step = active_q && row_ready_i;
  assign ready_o = !active_q || (row_ready_i && tile_end);
  assign load = valid_i && ready_o;
  assign cut_o = step && (cut_q || null_q);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || kill_i) active_q <= 1'b0;
    else if (load) active_q <= 1'b1;
    else if (step && tile_end) active_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (load) begin
      first_q       <= tile_first_i;
      null_q        <= in_null;
      illegal_q     <= in_illegal;
      has_length_q  <= tile_i.has_length;
      steps_on_q    <= in_steps_on;
      tile_last_q   <= tile_last_i;
      turns_q       <= tile_turns_i;
      size_q        <= in_size;
      rule_q        <= tile_i.last_rule;
      level_q       <= tile_i.last_level;
      join_q        <= tile_i.join_next;
      task_end_q    <= tile_i.task_end;
      finish_last_q <= tile_i.finish == FinishLast;
      elem_q        <= in_elem;
      fill_q        <= tile_i.fill;
      if (tile_first_i) fill_changed_q <= tile_i.fill != fill_q;
      bounded_q <= |in_bounded;
      bound0_q  <= row_t'(tile_i.dim[0].bound) << in_shift;
      coord0_q  <= coord_t'(signed'(tile_i.dim[0].start)) <<< in_shift;
      start0_q  <= coord_t'(signed'(tile_i.dim[0].start)) <<< in_shift;
      for (int d = 0; d < Dims; d++) begin
        stride_q[d]      <= addr_t'(tile_i.dim[d].stride);
        base_q[d]        <= addr_t'(tile_i.addr);
        unbounded_q[d]   <= tile_i.dim[d].unbounded;
        before_last_q[d] <= tile_i.dim[d].count - 32'd2;
        last_q[d]        <= tile_i.dim[d].count == 32'd1;
        one_q[d]         <= tile_i.dim[d].count == 32'd1;
      end
      if (in_contiguous) begin  // dimension 0 is inside the row
        last_q[0] <= 1'b1;
        one_q[0]  <= 1'b1;
      end
    end else if (step) begin
      first_q <= 1'b0;
      for (int d = 0; d < Dims; d++) begin
        if (step_in[d]) last_q[d] <= index_q[d] == before_last_q[d];
        else if (turns[d]) last_q[d] <= one_q[d];
        if (step_in[d] || turns[d]) base_q[d] <= base_next;
      end
      if (step_in[0]) coord0_q <= coord0_q + coord_t'({1'b0, size_q});
      else coord0_q <= start0_q;
    end
  end

  for (genvar d = 0; d < Dims; d++) begin : gen_index
    always_ff @(posedge clk_i) begin
      if (load || (step && turns[d])) index_q[d] <= '0;
      else if (step && step_in[d]) index_q[d] <= index_q[d] + 1'b1;
    end
  end

  // `length` runs on from tile to tile.
  always_ff @(posedge clk_i) begin
    if (load && tile_first_i) begin
      rest_q <= in_length;
      cut_q  <= in_single_cut;
    end else if (step) begin
      rest_q <= rest_q - size_q;
      cut_q  <= has_length_q && {1'b0, rest_q} <= {size_q, 1'b0};
    end
  end

  // ---- The row ----------------------------------------------------------------------------------

  logic [Dims-1:1] in_bound;
  logic transfer_end, level_end, last_here;
  logic parts;  // the transfer does not join the next one
  row_t size, skip;
  logic plain, unused_skip;
  assign unused_skip = ^skip;  // addresses may have fewer bits

  if (Bounds) begin : gen_bounds
    for (genvar d = 1; d < Dims; d++) begin : gen_inside
      // Where the bounds begin and end, counted from the start: coordinate 0 comes after the index
      // -1 - start, the last valid position has the index bound - 1 - start.
      logic [33:0] in_room;
      logic in_start_inside, inside_q, start_inside_q;
      logic [31:0] before_zero_q, last_valid_q;

      assign in_room = 34'(tile_i.dim[d].bound) - 34'(signed'(tile_i.dim[d].start)) - 34'd1;
      assign in_start_inside = !tile_i.dim[d].start[31] && !in_room[33];
      assign in_bound[d] = unbounded_q[d] || inside_q;

      always_ff @(posedge clk_i) begin
        if (load) begin
          before_zero_q  <= ~tile_i.dim[d].start;
          last_valid_q   <= in_room[31:0];
          inside_q       <= in_start_inside;
          start_inside_q <= in_start_inside;
        end else if (step && turns[d]) begin
          inside_q <= start_inside_q;
        end else if (step && step_in[d]) begin
          if (index_q[d] == last_valid_q) inside_q <= 1'b0;
          else if (index_q[d] == before_zero_q) inside_q <= 1'b1;
        end
      end
      logic unused_sign;
      assign unused_sign = in_room[32];
    end
  end else begin : gen_no_bounds
    logic unused_bounds;
    assign in_bound      = '1;
    assign unused_bounds = ^{tile_i, unbounded_q};
  end

  assign size = null_q ? '0 : (cut_q ? rest_q : size_q);

  tsr_place #(
    .Width (RowWidth),
    .Bounds(Bounds)
  ) u_place (
    .coord_i    (coord0_q),
    .size_i     (size),
    .bound_i    (bound0_q),
    .unbounded_i(unbounded_q[0]),
    .outside_i  (!(&in_bound)),
    .lead_o     (row_lead_o),
    .data_o     (row_data_o),
    .tail_o     (row_tail_o),
    .skip_o     (skip),
    .plain_o    (plain)
  );

  assign row_valid_o  = active_q;
  assign row_base_o   = base_q[0];
  assign row_addr_o   = base_q[0] + addr_t'(skip);
  assign row_next_o   = base_q[0] + addr_t'(size);
  assign row_plain_o  = plain && !null_q;
  assign row_first_o  = first_q;

  assign transfer_end = cut_q || null_q || (turns[Dims-1] && tile_last_q);
  always_comb begin
    if (level_q[2]) level_end = turns[Dims-1] && turns_q[level_q[1:0]];
    else level_end = turns[level_q[1:0]];
  end

  always_comb begin
    unique case (rule_q)
      LastNever:    last_here = 1'b0;
      LastTransfer: last_here = transfer_end;
      LastTask:     last_here = transfer_end && task_end_q;
      LastLevel:    last_here = transfer_end || level_end;
      default:      last_here = 1'b0;
    endcase
  end
  assign parts          = !join_q || task_end_q;
  assign row_end_o      = transfer_end;
  assign row_last_o     = last_here && (!null_q || parts);  // an empty one has no byte to end with
  assign row_flush_o    = row_last_o || (transfer_end && parts);
  assign row_illegal_o  = illegal_q;

  assign bounded_o      = bounded_q;
  assign fill_o         = fill_q;
  assign fill_changed_o = fill_changed_q;
  assign packets_o      = rule_q != LastNever;
  assign finish_last_o  = finish_last_q;
  assign elem_log2_o    = elem_q;

  `TSR_ASSERT_NEXT(RowStable, row_valid_o && !row_ready_i && !kill_i, row_valid_o && $stable
                   ({row_addr_o, row_next_o}))
  `TSR_ASSERT(OneDimensionSteps, !(step && !tile_end) || $onehot(step_in))

endmodule
