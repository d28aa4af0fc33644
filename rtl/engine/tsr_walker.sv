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
  localparam int unsigned OffWidth   = $clog2(DataBytes)
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
  output logic offer_o,  // a transfer waits to begin
  output logic begin_o,  // ... and does
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
  output logic row_null_o,  // no bytes at all, whatever these say
  output logic row_outside_o,  // all fill, whatever these say
  output logic row_plain_o,  // data only
  output logic row_first_o,  // of the transfer
  output logic row_touches_o,  // begins where the row before it ends, if both are plain
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

  // DataBytes and the largest element are at most 128: 2 * DataBytes - 1 and 1 << elem_log2 fit 8 bits.
  localparam logic [7:0] TooWide = ~8'(2 * DataBytes - 1);  // elements

  logic dense, illegal, null_tile, steps_on;
  logic [Dims-1:0] bounded;

  assign dense = tile_i.dense;
  for (genvar d = 0; d < Dims; d++) begin : gen_tile
    assign bounded[d] = !tile_i.dim[d].unbounded;
  end
  assign illegal   = (|((8'd1 << tile_i.elem_log2) & TooWide)) || (!Bounds && |bounded) ||
                     (!Walk && tile_i.has_walk);
  assign null_tile = illegal || tile_i.empty;
  assign steps_on = tile_i.has_length && !(Walk && tile_i.has_walk);

  // ---- Where the walk stands --------------------------------------------------------------------

  logic begun_q, row_valid_q;
  logic load, make, anew, final_row;
  // With the next step: the dimension that moves on, those inside it that begin anew.
  logic [Dims-1:0] at_last_q, at_last, turns, moves;
  logic [1:0] moving_q;  // the same as a number: it selects in one LUT a bit what terms do in three
  addr_t base_q;  // of the row
  addr_t base, base_next, from, stride;

  // What a row consists of is loaded whenever there is place for one and a tile, whatever is killed: so its
  // many registers wait for one signal.
  assign load    = (row_ready_i || !row_valid_q) && valid_i;
  assign make    = load && !kill_i;
  assign anew    = !begun_q;
  assign offer_o = valid_i && !kill_i && anew && tile_first_i;
  assign begin_o = offer_o && load;
  assign ready_o = (make && final_row) || (kill_i && begun_q);

  for (genvar d = 0; d < Dims; d++) begin : gen_moves
    assign moves[d] = begun_q && moving_q == 2'(d);
    if (d < Dims - 1) begin : gen_turns
      assign turns[d] = begun_q && moving_q > 2'(d);
    end else begin : gen_outermost
      assign turns[d] = 1'b0;  // the tile ends
    end
  end

  // A dimension d moves on from the row where those inside it stood first. The base of that row is kept
  // when it is made, by a move of d or of one outside it: in the slot of the dimension that moved.
  (* ram_style = "distributed" *)
  addr_t base_mem[Dims];
  logic [1:0] slot_q;  // for the dimension that moves
  logic [1:0] slot_of_1_q, slot_of_2_q, slot_of_1, slot_of_2;
  always_comb begin
    slot_of_1 = slot_of_1_q;
    slot_of_2 = slot_of_2_q;
    if (anew) {slot_of_1, slot_of_2} = {2'd3, 2'd3};
    else if (moving_q >= 2'd2) {slot_of_1, slot_of_2} = {moving_q, moving_q};
    else if (moving_q == 2'd1) slot_of_1 = 2'd1;
  end
  always_ff @(posedge clk_i) begin
    if (load) begin
      slot_of_1_q <= slot_of_1;
      slot_of_2_q <= slot_of_2;
      slot_q      <= at_last[1] ? (at_last[2] ? 2'd3 : slot_of_2) : slot_of_1;
    end
    if (load && (anew || moving_q != 2'd0)) base_mem[anew?2'd3 : moving_q] <= base;
  end

  assign from      = moving_q == 2'd0 ? base_q : base_mem[slot_q];
  assign stride    = addr_t'(tile_i.dim[moving_q].stride);
  // Addresses are sums mod 2**AddrWidth by the norm, whatever stride and base are.
  assign base_next = from + stride;
  assign base      = begun_q ? base_next : addr_t'(tile_i.addr);
  always_ff @(posedge clk_i) begin
    if (load) begin
      base_q        <= base;
      // The registers hold the row before, gone or not. The first row of a tile goes on in one with others.
      // The sum is an address again: AddrWidth is at least the 32 bits of a row.
      row_touches_o <= (Walk ? base : base_next) == base_q + addr_t'(row_data_o);
    end
  end

  // a + b = k, without a carry chain: the carry that each bit needs is the one that the bit below gives.
  function automatic logic sum_is(logic [31:0] a, logic [31:0] b, logic [31:0] k);
    logic [31:0] carry;
    carry  = ((a & b) | ((a | b) & ~k)) << 1;
    sum_is = (a ^ b ^ k) == carry;
  endfunction

  // Counters go up from zero: they cost no logic but a carry chain, and a restart is a reset. Whether the
  // next move of a dimension takes it to its last position is known before.
  // A dimension moves only if it is not at its last position, so index + 1 is at most count - 1: it fits 32
  // bits. Only the outermost goes on past its count, with `length` and no traversal (steps_on). There each
  // row takes a byte of `length` at least: fewer than 2**32 rows, and an index below the number of rows.
  // index + 3 = count is found mod 2**32. Within its count an index that moves is at most count - 2, so that
  // index + 3 is at most 2**32, and 2**32 would be a count of 0, of which no position is walked. What the
  // outermost dimension finds past its count is not used: steps_on overrides it.
  logic [Dims-1:0][31:0] index_q;  // of the row's position
  logic [Dims-1:0] arrives_q;
  for (genvar d = 0; d < Dims; d++) begin : gen_index
    always_ff @(posedge clk_i) begin
      if (load) begin
        if (anew || turns[d]) begin
          index_q[d]   <= '0;
          arrives_q[d] <= tile_i.pair[d];
        end else if (moves[d]) begin
          index_q[d]   <= index_q[d] + 1'b1;
          arrives_q[d] <= sum_is(index_q[d], ~tile_i.dim[d].count, -32'd4);  // index + 3 = count
        end
      end
    end

    always_comb begin
      if (anew || turns[d]) at_last[d] = tile_i.single[d];
      else if (moves[d]) at_last[d] = arrives_q[d];
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

  // A row is at least a byte and not longer than `length`: dense, it is count[0], which is at most that; else
  // an element, of which `length` is a multiple. So rest >= row for the first row. A row after it is cut if
  // rest <= 2 * row for the row before: its rest is 1 to row then, and is its size. If it is not cut,
  // rest > row. So `rest - row` is 0 or more for each row but the cut one, which is the last: what it leaves
  // is not read. Without `length`, and of an empty or refused transfer, nobody reads the difference.
  // 2 * row is below 2**33: the comparison has 33 bits.
  row_t rest_q, rest;  // bytes of `length` before this row; they run on from tile to tile
  logic cut_q, cut, starts;  // the row that is made is the last that `length` allows

  assign starts = tile_first_i && !begun_q;
  assign rest   = starts ? tile_i.length : rest_q;
  assign cut    = starts ? tile_i.one_row : cut_q;
  always_ff @(posedge clk_i) begin
    if (load) rest_q <= rest - tile_i.row;
  end
  always_ff @(posedge clk_i) begin
    // No first row is cut: count[0] is at most `length`.
    if (!rst_ni || kill_i || (load && final_row && (cut || null_tile || tile_last_i))) begin
      cut_q <= 1'b0;
    end else if (load) begin
      cut_q <= tile_i.has_length && {1'b0, rest} <= {tile_i.row, 1'b0};
    end
  end

  assign final_row = cut || (!begun_q && null_tile) || (&at_last);
  assign cut_o     = ready_o && (cut || null_tile);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || kill_i) begin
      begun_q     <= 1'b0;
      row_valid_q <= 1'b0;
    end else if (load) begin
      begun_q     <= !final_row;
      row_valid_q <= 1'b1;
    end else if (row_ready_i) begin
      row_valid_q <= 1'b0;
    end
  end

  // ---- The row ----------------------------------------------------------------------------------

  row_t row;
  logic null_q, has_lead, has_tail, has_fill, out_of_row;
  logic all_inside;  // in all dimensions, the row's own aside
  logic [OffWidth-1:0] early_lead;

  assign row = cut_q ? rest_q : tile_i.row;

  tsr_place #(
    .Width     (RowWidth),
    .GroupBytes(GroupBytes),
    .LowWidth  (OffWidth),
    .Bounds    (Bounds)
  ) u_place (
    .clk_i,
    .load_i      (load),
    .size_i      (row),
    .ahead_i     (tile_i.dim[0].ahead),
    .last_i      (tile_i.dim[0].last),
    .unbounded_i (tile_i.dim[0].unbounded || !dense),
    .early_lead_o(early_lead),
    .lead_o      (row_lead_o),
    .data_o      (row_data_o),
    .tail_o      (row_tail_o),
    .has_lead_o  (has_lead),
    .has_tail_o  (has_tail),
    .has_fill_o  (has_fill),
    .outside_o   (out_of_row)
  );

  always_ff @(posedge clk_i) begin
    // A byte of a word: mod DataBytes.
    if (load) row_off_o <= base[OffWidth-1:0] + early_lead;
  end

  if (Bounds) begin : gen_bounds
    row_t size_q;
    logic [Dims-1:0] dim_inside;
    for (genvar d = 0; d < Dims; d++) begin : gen_dim
      tsr_inside u_inside (
        .clk_i,
        .ahead_i    (tile_i.dim[d].ahead),
        .last_i     (tile_i.dim[d].last),
        .unbounded_i(tile_i.dim[d].unbounded || (d == 0 && dense)),
        .load_i     (load),
        .begin_i    (anew || turns[d]),
        .step_i     (moves[d]),
        .index_i    (index_q[d]),
        .next_o     (dim_inside[d])
      );
    end
    always_ff @(posedge clk_i) begin
      if (load && anew) row_inside_o <= !(|bounded);
      if (load) begin
        size_q <= row;
        all_inside <= &dim_inside;
      end
    end
    assign row_size_o = size_q;
  end else begin : gen_no_bounds
    assign all_inside   = 1'b1;
    assign row_size_o   = row_data_o;
    assign row_inside_o = 1'b1;
  end

  assign row_valid_o    = row_valid_q;
  assign row_base_o     = base_q;
  assign row_has_lead_o = has_lead && !out_of_row && !null_q;
  assign row_has_tail_o = has_tail && !out_of_row && !null_q;
  assign row_outside_o  = out_of_row || !all_inside;

  // ---- Its flags --------------------------------------------------------------------------------

  logic first_q, illegal_q, cut_here_q, tile_last_q, join_q, task_end_q, packets_q, finish_q;
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
  assign row_null_o    = null_q;
  assign row_plain_o   = !has_fill && !row_outside_o && !null_q;
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
  // What follows from other fields of a transfer does.
  logic [Dims-1:0] single, pair, none;
  logic [WalkLevels-1:0] no_turn;
  for (genvar d = 0; d < Dims; d++) begin : gen_counts
    assign single[d] = tile_i.dim[d].count == 32'd1 || (d == 0 && dense);
    assign pair[d]   = tile_i.dim[d].count == 32'd2;
    assign none[d]   = tile_i.dim[d].count == '0;
  end
  for (genvar k = 0; k < WalkLevels; k++) begin : gen_turns_of_level
    assign no_turn[k] = tile_i.has_walk && tile_i.walk[k].count == '0;
  end
  `TSR_ASSERT(
      RowFollows,
      !valid_i || tile_i.row == (dense ? tile_i.dim[0].count : row_t'(1) << tile_i.elem_log2))
  `TSR_ASSERT(SingleFollows, !valid_i || tile_i.single == single)
  `TSR_ASSERT(PairFollows, !valid_i || tile_i.pair == pair)
  `TSR_ASSERT(OneRowFollows,
              !valid_i || tile_i.one_row == (tile_i.has_length && tile_i.length == tile_i.row))
  logic empty;
  assign empty = (|none) || (|no_turn) || (tile_i.has_length && tile_i.length == '0);
  `TSR_ASSERT(EmptyFollows, !valid_i || tile_i.empty == empty)
  `TSR_ASSERT(TileStays, !begun_q || valid_i)

endmodule
