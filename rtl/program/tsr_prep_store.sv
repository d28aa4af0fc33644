// What the preparation writes to the RAM: the sum of the instruction before, as words of a row of the
// channel, or as the turns of an iteration.
//
// Contract: combinational. The address of a level of the traversal is written for that level and
// those below it; of the first tile, for all.
// Latency: 0 cycles. Throughput: a write a cycle.
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
  input  logic        [63:0] sum_i,         // A
  output write_t             put_o
);

  logic first, upper_near, upper_far, lower_far;
  logic [31:0] lower;
  assign first      = !attributes_i.again;
  assign upper_near = first || state_i.level != 2'd0;
  assign lower_far  = first || state_i.level[1];
  assign upper_far  = first || state_i.level == 2'd3;
  always_comb begin
    lower = sum_i[31:0];
    if (store_i == PTurns && last_turn_i) lower = '0;
    if (store_i == PElems && sum_i[63:32] != '0) lower = '1;
    put_o = '{
        valid: Walk,
        index: 9'(channel_i),
        area: AreaTurns,
        row: 2'd0,
        words: 4'b0001,
        data: {sum_i[31:0], lower}
    };
    unique case (store_i)
      PTurns: begin
        put_o.valid = attributes_i.iterates && !state_i.wrong;
        put_o.index = index_i;
      end
      PLength: put_o.words = 4'b0010;
      PElems:  put_o.words = 4'b0100;
      PLeft: begin
        put_o.row   = 2'd1;
        put_o.words = 4'd1 << state_i.dim;
      end
      PWhere: begin
        put_o.row   = 2'd2;
        put_o.words = 4'd1 << state_i.move;
      end
      PStart: begin
        put_o.valid = Walk && state_i.walk && first;
        put_o.row   = 2'd2;
        put_o.words = 4'd1 << state_i.dim;
      end
      PNear: begin
        put_o.row   = 2'd3;
        put_o.words = {{2{upper_near}}, 2'b11};
      end
      PFar: begin
        put_o.area  = AreaWalk;
        put_o.row   = 2'd3;
        put_o.words = {{2{upper_far}}, {2{lower_far}}};
      end
      default: put_o.valid = 1'b0;
    endcase
    if (store_i == PNear || store_i == PFar) put_o.data[63:32] = sum_i[63:32];
  end

  logic unused_state;
  assign unused_state = ^{state_i, attributes_i};

  `TSR_ASSERT(StoresOfATraversal, store_i inside {PNone, PTurns, PStart} || state_i.walk)

endmodule
