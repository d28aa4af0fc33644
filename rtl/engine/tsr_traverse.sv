// Turns a transfer with an outer traversal into its tiles, in order.
//
// A tile is the transfer itself with the address and the bounds of one turn of the four walk levels.
// The first tile is the transfer as it came; those after it are made ahead, in registers.
//
// Contract: valid/ready on both sides; the transfer is taken with its last tile. `cut_i` tells that the
// tile taken ends the transfer: the others are dropped. `kill_i` drops a transfer that has begun (and
// takes it: the taker of tiles says with `ready_i` that its tile had begun).
// Latency: 0 cycles. Throughput: one tile a cycle, but two cycles go by between the first tile of a
// traversal and its second, if that first is done at once.
`include "tsr_assert.svh"
module tsr_traverse
  import tsr_pkg::*;
#(
  parameter int unsigned AddrWidth = 64,
  parameter bit          Bounds    = 1'b1
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic                       kill_i,
  input  transfer_t                  transfer_i,
  input  logic                       valid_i,
  output logic                       ready_o,
  output transfer_t                  tile_o,
  output logic                       tile_first_o,
  output logic                       tile_last_o,
  output logic      [WalkLevels-1:0] tile_turns_o,  // levels that complete a turn with this tile
  output logic                       valid_o,
  input  logic                       ready_i,
  input  logic                       cut_i
);

  typedef logic [AddrWidth-1:0] addr_t;
  // A turn moves a start by what two coordinates of 32 bits can differ at most: less than 2**32, signed.
  typedef logic [Dims-1:0][ShiftWidth-1:0] shifts_t;

  function automatic logic [WalkLevels-1:0] turns_of(logic [WalkLevels-1:0] last);
    for (int unsigned k = 0; k < WalkLevels; k++) begin
      turns_of[k] = last[k] && (k == 0 || turns_of[k-1]);
    end
  endfunction

  // ---- Where the traversal stands ---------------------------------------------------------------

  logic runs_q, skip_q;  // a traversal is under way; it stands at its first tile
  logic over_q;  // at its last, and that has been handed on
  // The number of the next turn, from 1: at most count, and count + 1 in the last turn. That may be 2**32, but
  // then last_q is set, and turn_q is not read before it begins anew.
  logic [WalkLevels-1:0][31:0] turn_q;
  logic [WalkLevels-1:0] one, last_q, turns, moves;
  // Of the tile when the levels below are at their first turn: its address, and how far its start has
  // moved along each dimension.
  addr_t [WalkLevels-1:0] base_q;
  shifts_t [WalkLevels-1:0] shift_q;
  addr_t base_next;
  shifts_t shift_next;
  logic begins, step, hand_on, tile_ready;

  for (genvar k = 0; k < WalkLevels; k++) begin : gen_levels
    assign one[k] = !transfer_i.has_walk || transfer_i.walk[k].count == 32'd1;
    if (k == 0) begin : gen_inner
      assign moves[k] = !last_q[k];
    end else begin : gen_outer
      assign moves[k] = turns[k-1] && !last_q[k];
    end
  end
  assign turns = turns_of(last_q);

  always_comb begin
    base_next  = '0;
    shift_next = '0;
    for (int k = 0; k < WalkLevels; k++) begin
      if (moves[k]) begin
        base_next = base_q[k] + addr_t'(transfer_i.walk[k].stride);
        shift_next = shift_q[k];
        shift_next[transfer_i.walk[k].dim] = shift_q[k][transfer_i.walk[k].dim] +
                                             ShiftWidth'(signed'(transfer_i.walk[k].step));
      end
    end
  end

  assign begins  = valid_i && transfer_i.has_walk && !runs_q && !kill_i;
  assign hand_on = runs_q && !skip_q && !over_q && tile_ready;
  assign step    = (runs_q && skip_q) || hand_on;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || kill_i || ready_o) runs_q <= 1'b0;
    else if (begins) runs_q <= 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (begins) begin
      skip_q <= 1'b1;
      over_q <= 1'b0;
    end else if (step) begin
      skip_q <= 1'b0;
      if (turns[WalkLevels-1]) over_q <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    for (int k = 0; k < WalkLevels; k++) begin
      if (begins) begin
        last_q[k] <= one[k];
        turn_q[k] <= 32'd2;
      end else if (step && moves[k]) begin
        last_q[k] <= turn_q[k] == transfer_i.walk[k].count;
        turn_q[k] <= turn_q[k] + 1'b1;
      end else if (step && turns[k]) begin
        last_q[k] <= one[k];
        turn_q[k] <= 32'd2;
      end
      if (begins) begin
        base_q[k]  <= addr_t'(transfer_i.addr);
        shift_q[k] <= '0;
      end else if (step && (moves[k] || turns[k])) begin
        base_q[k]  <= base_next;
        shift_q[k] <= shift_next;
      end
    end
  end

  // ---- Tiles ------------------------------------------------------------------------------------

  logic ahead_q, valid_q;  // the tile shown was made ahead; it is there
  logic last_tile_q;
  logic [WalkLevels-1:0] turns_q;
  addr_t addr_q;

  assign tile_ready = !valid_q || (ready_i && ahead_q);
  always_ff @(posedge clk_i) begin
    if (!rst_ni || kill_i || ready_o) begin
      ahead_q <= 1'b0;
      valid_q <= 1'b0;
    end else begin
      if (ready_i) ahead_q <= 1'b1;
      if (tile_ready) valid_q <= hand_on;
    end
  end
  always_ff @(posedge clk_i) begin
    if (tile_ready) begin
      addr_q      <= base_q[0];
      turns_q     <= turns;
      last_tile_q <= turns[WalkLevels-1];
    end
  end

  dim_t [Dims-1:0] dims;
  if (Bounds) begin : gen_bounds
    logic signed [Dims-1:0][IndexWidth-1:0] ahead_of_q, last_of_q;
    for (genvar d = 0; d < Dims; d++) begin : gen_dim
      // Both differences are legal bounds again: they fit (tsr_pkg).
      logic signed [IndexWidth-1:0] shift;
      assign shift = IndexWidth'(signed'(shift_q[0][d]));
      always_ff @(posedge clk_i) begin
        if (tile_ready) begin
          ahead_of_q[d] <= transfer_i.dim[d].ahead - shift;
          last_of_q[d]  <= transfer_i.dim[d].last - shift;
        end
      end
      always_comb begin
        dims[d] = transfer_i.dim[d];
        if (ahead_q) begin
          dims[d].ahead = ahead_of_q[d];
          dims[d].last  = last_of_q[d];
        end
      end
    end
  end else begin : gen_no_bounds
    logic unused_shift;
    assign dims         = transfer_i.dim;
    assign unused_shift = ^shift_q[0];
  end

  always_comb begin
    tile_o      = transfer_i;
    tile_o.addr = ahead_q ? 64'(addr_q) : transfer_i.addr;
    tile_o.dim  = dims;
  end
  assign tile_first_o = !ahead_q;
  assign tile_turns_o = ahead_q ? turns_q : turns_of(one);
  assign tile_last_o  = ahead_q ? last_tile_q : &one;
  assign valid_o      = valid_i && (!ahead_q || valid_q);
  assign ready_o      = (ready_i && (cut_i || tile_last_o || kill_i)) || (kill_i && ahead_q);

  `TSR_ASSERT(OneLevelMoves, !(step && !turns[WalkLevels-1]) || $onehot(moves))
  `TSR_ASSERT_NEXT(TransferStays, valid_i && !ready_o && !kill_i && (ahead_q || runs_q), valid_i)

endmodule
