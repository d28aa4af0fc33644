// What the preparation writes to the RAM: the sum of an instruction, as words of a row of the
// channel, or as the turns of an iteration.
//
// Contract: `put_o` comes with the sum in A. The address of a level of the traversal is written
// for that level and those below it; of the first tile, for all.
// Latency: 1 cycle. Throughput: a write a cycle.
`include "tsr_assert.svh"
module tsr_prep_store
  import tsr_program_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_prep_pkg::*;
#(
  parameter bit Walk = 1'b1
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  put_e               store_i,
  input  channel_t           channel_i,
  input  logic        [ 8:0] index_i,       // of the descriptor
  input  state_t             state_i,
  input  attributes_t        attributes_i,
  input  logic               last_turn_i,
  input  logic        [31:0] high_sum_i,    // upper half of A
  output write_t             put_o
);

  logic first, upper_near, upper_far, lower_far;
  write_t put, put_q;
  logic turns_q, elems_q, pair_q;
  assign first      = !attributes_i.again;
  assign upper_near = first || state_i.level != 2'd0;
  assign lower_far  = first || state_i.level[1];
  assign upper_far  = first || state_i.level == 2'd3;
  always_comb begin
    put = '{
        valid: Walk,
        index: 9'(channel_i),
        area: AreaTurns,
        row: 2'd0,
        words: 4'b0001,
        default: '0
    };
    unique case (store_i)
      PTurns: begin
        put.valid = attributes_i.iterates;
        put.index = index_i;
      end
      PLength: put.words = 4'b0010;
      PElems:  put.words = 4'b0100;
      PLeft: begin
        put.row   = 2'd1;
        put.words = 4'd1 << state_i.dim;
      end
      PWhere: begin
        put.row   = 2'd2;
        put.words = 4'd1 << state_i.move;
      end
      PStart: begin
        put.valid = Walk && state_i.walk && first;
        put.row   = 2'd2;
        put.words = 4'd1 << state_i.dim;
      end
      PNear, POrigin: begin
        put.valid = Walk && (first || store_i == PNear);
        put.row   = 2'd3;
        put.words = {{2{upper_near}}, 2'b11};
      end
      PFar: begin
        put.area  = AreaWalk;
        put.row   = 2'd3;
        put.words = {{2{upper_far}}, {2{lower_far}}};
      end
      default: put.valid = 1'b0;
    endcase
  end
  always_ff @(posedge clk_i) begin
    put_q   <= put;
    turns_q <= store_i == PTurns;
    elems_q <= store_i == PElems;
    pair_q  <= store_i == PNear || store_i == POrigin || store_i == PFar;
    if (!rst_ni) put_q.valid <= 1'b0;
  end
  always_comb begin
    put_o = put_q;
    if (turns_q && state_i.wrong) put_o.valid = 1'b0;
    put_o.pair  = Walk && pair_q;
    put_o.clear = turns_q && last_turn_i;
    put_o.full  = Walk && elems_q && high_sum_i != '0;
  end

  logic unused_state;
  assign unused_state = ^{state_i, attributes_i, put_q.pair, put_q.clear, put_q.full, high_sum_i};

  `TSR_ASSERT(StoresOfATraversal, store_i inside {PNone, PTurns, PStart} || state_i.walk)

endmodule
