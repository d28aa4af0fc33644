// Walks the four dimensions of a tile and gives its rows, in order, one a cycle.
//
// A row is one turn of dimension 0 if the transfer is dense, else one element. A tile is a transfer, or
// one turn of its outer traversal (tsr_traverse); `tile_*` tell where in the traversal it stands.
//
// Contract: valid/ready on both sides. A tile is taken when its last row has been made: it is read, not
// copied, while it is walked. The row shown is stable until taken or killed. A transfer without
// positions, or that this build cannot execute, is one row of size 0. `kill_i` drops the row and what is
// left of a tile that has begun: that is taken in the same cycle.
// Latency: 1 cycle from tile to row. Throughput: one row a cycle, also from tile to tile.
`include "tsr_assert.svh"
module tsr_walker
  import tsr_pkg::*;
#(
  parameter  int unsigned AddrWidth  = 64,
  parameter  int unsigned DataBytes  = 8,
  parameter  int unsigned GroupBytes = 8,
  parameter  bit          Walk       = 1'b1,
  parameter  bit          Bounds     = 1'b1,
  localparam int unsigned RowWidth   = 32,
  localparam int unsigned OffWidth   = $clog2(DataBytes),
  localparam int unsigned GroupLog2  = $clog2(GroupBytes)
) (
  input logic clk_i,
  input logic rst_ni,
  input logic kill_i,
  // A tile: the transfer with the address and bounds of this turn of the traversal.
  input transfer_t tile_i,
  input logic tile_first_i,
  input logic tile_last_i,
  input logic [WalkLevels-1:0] tile_turns_i,  // walk levels that complete a turn with this tile
  input logic valid_i,
  output logic ready_o,
  output logic cut_o,  // its last row ends the transfer: no more tiles
  output logic begin_o,  // a transfer begins
  // A row.
  output logic row_valid_o,
  input logic row_ready_i,
  output logic [AddrWidth-1:0] row_base_o,  // address of its first position
  output logic [OffWidth-1:0] row_off_o,  // of its first data byte, the low bits
  output logic [RowWidth-1:0] row_size_o,  // bytes of all its positions
  output logic [RowWidth-1:0] row_lead_o,  // bytes of fill, data, fill
  output logic [RowWidth-1:0] row_data_o,
  output logic [RowWidth-1:0] row_tail_o,
  output logic row_has_lead_o,  // a group of GroupBytes and more, unless dimension 0 is outside
  output logic row_has_tail_o,
  output logic row_outside_o,  // all fill, whatever these say
  output logic row_plain_o,  // data only
  output logic row_first_o,  // of the transfer
  output logic row_again_o,  // reached by the same move as the row before it
  output logic row_inside_o,  // its tile has no bounds
  output logic row_end_o,  // of the transfer
  output logic row_flush_o,  // its last byte ends a stream beat
  output logic row_last_o,  // ... which carries TLAST
  output logic row_illegal_o,
  // Attributes of its transfer.
  output logic packets_o,  // the TLAST rule is not `never`
  output logic finish_last_o,
  output logic [2:0] elem_log2_o
);

  logic unused_fill;
  assign unused_fill = ^tile_i.fill;

  typedef logic [AddrWidth-1:0] addr_t;
  typedef logic [RowWidth-1:0] row_t;

  // ---- What the tile says -----------------------------------------------------------------------

  logic dense, illegal, null_tile, steps_on;
  logic [Dims-1:0] empty, one, bounded;
  logic [WalkLevels-1:0] walk_empty;
  row_t elem;  // bytes

  assign dense = tile_i.dense;
  assign elem  = row_t'(1) << tile_i.elem_log2;
  for (genvar d = 0; d < Dims; d++) begin : gen_tile
    assign empty[d]   = tile_i.dim[d].count == '0;
    assign bounded[d] = !tile_i.dim[d].unbounded;
    assign one[d]     = tile_i.dim[d].count == 32'd1 || (d == 0 && dense);
  end
  for (genvar k = 0; k < WalkLevels; k++) begin : gen_tile_walk
    assign walk_empty[k] = tile_i.walk[k].count == '0;
  end
  assign illegal = (|(8'(elem) & ~8'(2 * DataBytes - 1))) || (!Bounds && |bounded) ||
                   (!Walk && tile_i.has_walk);
  assign null_tile = illegal || (|empty) || (tile_i.has_length && tile_i.length == '0) ||
                     (tile_i.has_walk && |walk_empty);
  assign steps_on = tile_i.has_length && !(Walk && tile_i.has_walk);

  // ---- Where the walk stands --------------------------------------------------------------------

  logic begun_q, row_valid_q;
  logic load, make, anew, final_row;
  // With the next step: the dimension that moves on, those inside it that begin anew.
  logic [Dims-1:0] at_last_q, at_last, turns, moves;
  logic [1:0] moving_q;  // the same as a number: it selects in one LUT a bit what terms do in three
  logic [Dims-1:0][31:0] index_q;  // of the row's position
  addr_t base_q;  // of the row
  addr_t [Dims-1:1] turn_base_q;  // of the row with the dimensions inside d at their first position
  addr_t [Dims-1:0] bases, strides;
  addr_t base_next, base;

  // What a row consists of is loaded whenever there is place for one, whether a tile is there or not:
  // so its many registers wait for one signal.
  assign load    = row_ready_i || !row_valid_q;
  assign make    = load && valid_i && !kill_i;
  assign anew    = !begun_q;
  assign begin_o = make && anew && tile_first_i;
  assign ready_o = (make && final_row) || (kill_i && begun_q);

  for (genvar d = 0; d < Dims; d++) begin : gen_moves
    assign moves[d]   = begun_q && moving_q == 2'(d);
    assign strides[d] = addr_t'(tile_i.dim[d].stride);
    if (d == 0) begin : gen_inner
      assign bases[d] = base_q;
    end else begin : gen_outer
      assign bases[d] = turn_base_q[d];
    end
    if (d < Dims - 1) begin : gen_turns
      assign turns[d] = begun_q && moving_q > 2'(d);
    end else begin : gen_outermost
      assign turns[d] = 1'b0;  // the tile ends
    end
  end
  assign base_next = bases[moving_q] + strides[moving_q];
  assign base      = begun_q ? base_next : addr_t'(tile_i.addr);

  always_ff @(posedge clk_i) begin
    if (load) base_q <= base;
  end
  for (genvar d = 1; d < Dims; d++) begin : gen_base
    always_ff @(posedge clk_i) begin
      if (load && (anew || turns[d] || moves[d])) turn_base_q[d] <= base;
    end
  end

  // Counters go up from zero: they cost no logic but a carry chain, and a restart is a reset.
  for (genvar d = 0; d < Dims; d++) begin : gen_index
    always_ff @(posedge clk_i) begin
      if (load && (anew || turns[d])) index_q[d] <= '0;
      else if (load && moves[d]) index_q[d] <= index_q[d] + 1'b1;
    end

    // index + 2 = count without a carry chain: where all bits above differ as an increment flips them.
    logic [31:1] index, count, flips;
    logic arrives;
    assign index   = index_q[d][31:1];
    assign count   = tile_i.dim[d].count[31:1];
    assign flips   = {index[30:1] & ~count[30:1], 1'b1};
    assign arrives = index_q[d][0] == tile_i.dim[d].count[0] && (index ^ count) == flips;
    always_comb begin
      if (!begun_q || turns[d]) at_last[d] = one[d];
      else if (moves[d]) at_last[d] = arrives;
      else at_last[d] = at_last_q[d];
      if (d == Dims - 1 && steps_on) at_last[d] = 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (load) begin
      at_last_q <= at_last;
      moving_q  <= at_last[0] ? (at_last[1] ? (at_last[2] ? 2'd3 : 2'd2) : 2'd1) : 2'd0;
    end
  end

  logic stepped_q;
  logic [1:0] moved_q;
  always_ff @(posedge clk_i) begin
    if (load) begin
      row_again_o <= begun_q && stepped_q && moved_q == moving_q;
      stepped_q   <= begun_q;
      moved_q     <= moving_q;
    end
  end

  // ---- `length` ---------------------------------------------------------------------------------

  row_t stretch;  // bytes of a whole row
  row_t rest_q, rest;  // bytes of `length` before this row; they run on from tile to tile
  logic cut_q, cut, starts;  // the row that is made is the last that `length` allows

  assign stretch = dense ? tile_i.dim[0].count : elem;
  assign starts  = tile_first_i && !begun_q;
  assign rest    = starts ? tile_i.length : rest_q;
  assign cut     = tile_i.has_length && (starts ? tile_i.length == stretch : cut_q);
  always_ff @(posedge clk_i) begin
    if (load && valid_i) begin
      rest_q <= rest - stretch;
      cut_q  <= {1'b0, rest} <= {stretch, 1'b0};
    end
  end

  assign final_row = cut || (!begun_q && null_tile) || (&at_last);
  assign cut_o     = ready_o && (cut || null_tile);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || kill_i) begin
      begun_q     <= 1'b0;
      row_valid_q <= 1'b0;
    end else if (load && valid_i) begin
      begun_q     <= !final_row;
      row_valid_q <= 1'b1;
    end else if (row_ready_i) begin
      row_valid_q <= 1'b0;
    end
  end

  // ---- The row ----------------------------------------------------------------------------------

  row_t row, lead, data, tail;
  logic out_of_row;
  logic [Dims-1:0] dim_inside;

  // The first row is whole: count[0] is at most `length`.
  assign row = (tile_i.has_length && cut_q && !starts) ? rest_q : tile_i.dim[0].count;

  tsr_place #(
    .Width (RowWidth),
    .Bounds(Bounds)
  ) u_place (
    .size_i     (row),
    .ahead_i    (tile_i.dim[0].ahead),
    .last_i     (tile_i.dim[0].last),
    .unbounded_i(tile_i.dim[0].unbounded || !dense),
    .lead_o     (lead),
    .data_o     (data),
    .tail_o     (tail),
    .outside_o  (out_of_row)
  );

  logic out_of_row_q, no_fill;
  row_t size_q, lead_q, data_q, tail_q;
  always_ff @(posedge clk_i) begin
    if (load) begin
      data_q    <= null_tile ? '0 : (dense ? data : elem);
      row_off_o <= base[OffWidth-1:0] + lead[OffWidth-1:0];
    end
  end

  if (Bounds) begin : gen_bounds
    logic has_lead_q, has_tail_q;
    for (genvar d = 0; d < Dims; d++) begin : gen_dim
      logic inside_q, unbounded_q;
      tsr_inside u_inside (
        .clk_i,
        .ahead_i (tile_i.dim[d].ahead),
        .last_i  (tile_i.dim[d].last),
        .begin_i (load && (anew || turns[d])),
        .step_i  (load && moves[d]),
        .index_i (index_q[d]),
        .inside_o(inside_q)
      );
      always_ff @(posedge clk_i) begin
        if (load && anew) unbounded_q <= tile_i.dim[d].unbounded || null_tile || (d == 0 && dense);
      end
      assign dim_inside[d] = inside_q || unbounded_q;
    end
    always_ff @(posedge clk_i) begin
      if (load && anew) row_inside_o <= !(|bounded);
      if (load) begin
        size_q       <= dense ? row : elem;
        lead_q       <= null_tile ? '0 : lead;
        has_lead_q   <= !null_tile && lead[RowWidth-1:GroupLog2] != '0;
        has_tail_q   <= !null_tile && tail[RowWidth-1:GroupLog2] != '0;
        tail_q       <= null_tile ? '0 : tail;
        out_of_row_q <= out_of_row && !null_tile;
      end
    end
    assign no_fill        = lead_q == '0 && tail_q == '0;
    assign row_has_lead_o = has_lead_q && !out_of_row_q;
    assign row_has_tail_o = has_tail_q && !out_of_row_q;
  end else begin : gen_no_bounds
    logic unused_bounds;
    assign dim_inside     = '1;
    assign size_q         = data_q;
    assign lead_q         = '0;
    assign tail_q         = '0;
    assign out_of_row_q   = 1'b0;
    assign no_fill        = 1'b1;
    assign row_inside_o   = 1'b1;
    assign row_has_lead_o = 1'b0;
    assign row_has_tail_o = 1'b0;
    assign unused_bounds  = ^{lead, tail, out_of_row};
  end

  assign row_valid_o   = row_valid_q;
  assign row_base_o    = base_q;
  assign row_size_o    = size_q;
  assign row_lead_o    = lead_q;
  assign row_data_o    = data_q;
  assign row_tail_o    = tail_q;
  assign row_outside_o = out_of_row_q || !(&dim_inside);

  // ---- Its flags --------------------------------------------------------------------------------

  logic
      first_q, null_q, illegal_q, cut_here_q, tile_last_q, join_q, task_end_q, packets_q, finish_q;
  logic [WalkLevels-1:0] turns_q;
  last_rule_e rule_q;
  logic [2:0] level_q, elem_q;

  always_ff @(posedge clk_i) begin
    if (load) begin
      first_q    <= starts;
      null_q     <= null_tile;
      cut_here_q <= cut;
    end
    if (load && anew) begin
      illegal_q   <= illegal;
      tile_last_q <= tile_last_i;
      turns_q     <= tile_turns_i;
      rule_q      <= tile_i.last_rule;
      level_q     <= tile_i.last_level;
      join_q      <= tile_i.join_next;
      task_end_q  <= tile_i.task_end;
      packets_q   <= tile_i.last_rule != LastNever;
      finish_q    <= tile_i.finish == FinishLast;
      elem_q      <= tile_i.elem_log2;
    end
  end

  logic transfer_end, level_end, last_here, parts;  // parts: does not join the next one
  logic [Dims-1:0] turn_done;
  for (genvar d = 0; d < Dims; d++) begin : gen_turn_done
    assign turn_done[d] = &at_last_q[d:0];
  end

  assign transfer_end = cut_here_q || null_q || (turn_done[Dims-1] && tile_last_q);
  always_comb begin
    if (level_q[2]) level_end = turn_done[Dims-1] && turns_q[level_q[1:0]];
    else level_end = turn_done[level_q[1:0]];
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
  assign parts         = !join_q || task_end_q;
  assign row_plain_o   = no_fill && !row_outside_o && !null_q;
  assign row_first_o   = first_q;
  assign row_end_o     = transfer_end;
  assign row_last_o    = last_here && (!null_q || parts);  // an empty one has no byte to end with
  assign row_flush_o   = row_last_o || (transfer_end && parts);
  assign row_illegal_o = illegal_q;
  assign packets_o     = packets_q;
  assign finish_last_o = finish_q;
  assign elem_log2_o   = elem_q;

  `TSR_ASSERT_NEXT(RowStable, row_valid_o && !row_ready_i && !kill_i, row_valid_o && $stable
                   ({row_base_o, row_data_o, row_end_o, row_last_o}))
  `TSR_ASSERT(TileStays, !begun_q || valid_i)

endmodule
