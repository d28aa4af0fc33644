// Turns a transfer with an outer traversal into its tiles, in order, one a cycle.
//
// A tile is the transfer itself with the address and the starts of one turn of the four walk levels.
// A transfer without traversal is its own only tile.
//
// Contract: valid/ready on both sides. `cut_i` tells that the transfer whose tiles are shown has ended
// early: its remaining tiles are dropped. `kill_i` drops everything.
// Latency: 1 cycle. Throughput: one tile a cycle, also from transfer to transfer.
`include "tsr_assert.svh"
module tsr_traverse
  import tsr_pkg::*;
#(
  parameter int unsigned AddrWidth = 64
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
  typedef logic [Dims-1:0][31:0] starts_t;

  transfer_t transfer_q;
  logic active_q, first_q;
  logic    [WalkLevels-1:0][31:0] left_q;   // turns left, with this one
  logic    [WalkLevels-1:0]    last_q;
  // Where the tile lies when the levels below are at their first turn.
  addr_t   [WalkLevels-1:0]    base_q;
  starts_t [WalkLevels-1:0]    starts_q;

  logic drop, load, step;
  logic [WalkLevels-1:0] turns, step_in;
  addr_t   base_next;
  starts_t starts_next;

  for (genvar k = 0; k < WalkLevels; k++) begin : gen_turns
    assign turns[k] = &last_q[k:0];
    if (k == 0) begin : gen_inner
      assign step_in[k] = !last_q[0];
    end else begin : gen_outer
      assign step_in[k] = turns[k-1] && !last_q[k];
    end
  end

  always_comb begin
    base_next   = '0;
    starts_next = '0;
    for (int k = 0; k < WalkLevels; k++) begin
      if (step_in[k]) begin
        base_next = base_q[k] + addr_t'(transfer_q.walk[k].stride);
        starts_next = starts_q[k];
        starts_next[transfer_q.walk[k].dim] = starts_q[k][transfer_q.walk[k].dim] +
                                              transfer_q.walk[k].step;
      end
    end
  end

  assign drop    = cut_i && !first_q;
  assign valid_o = active_q && !drop;
  assign step    = valid_o && ready_i;
  assign ready_o = !active_q || drop || (step && turns[WalkLevels-1]);
  assign load    = valid_i && ready_o;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || kill_i) active_q <= 1'b0;
    else if (load) active_q <= 1'b1;
    else if (ready_o) active_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (load) begin
      transfer_q <= transfer_i;
      first_q    <= 1'b1;
      for (int k = 0; k < WalkLevels; k++) begin
        left_q[k] <= transfer_i.walk[k].count;
        last_q[k] <= !transfer_i.has_walk || transfer_i.walk[k].count == 32'd1;
        base_q[k] <= addr_t'(transfer_i.addr);
        for (int d = 0; d < Dims; d++) starts_q[k][d] <= transfer_i.dim[d].start;
      end
    end else if (step) begin
      first_q <= 1'b0;
      for (int k = 0; k < WalkLevels; k++) begin
        if (step_in[k]) begin
          left_q[k] <= left_q[k] - 1'b1;
          last_q[k] <= left_q[k] == 32'd2;
        end else if (turns[k]) begin
          left_q[k] <= transfer_q.walk[k].count;
          last_q[k] <= transfer_q.walk[k].count == 32'd1;
        end
        if (step_in[k] || turns[k]) begin
          base_q[k]   <= base_next;
          starts_q[k] <= starts_next;
        end
      end
    end
  end

  always_comb begin
    tile_o      = transfer_q;
    tile_o.addr = 64'(base_q[0]);
    for (int d = 0; d < Dims; d++) tile_o.dim[d].start = starts_q[0][d];
  end
  assign tile_first_o = first_q;
  assign tile_last_o  = turns[WalkLevels-1];
  assign tile_turns_o = turns;

  `TSR_ASSERT(OneLevelSteps, !(step && !tile_last_o) || $onehot(step_in))

endmodule
