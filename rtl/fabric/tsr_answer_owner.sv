// Tells which channel the response on a port belongs to.
//
// Contract: with OneId = 0 the ID is the channel; an ID that is no channel belongs to nobody. With OneId
// responses come in the order of the bursts, which a queue of FlightBursts remembers: `taken_i` reserves a
// place, legal while `room_o`; `fresh_i` puts `owner_i` in, later and in order; `next_i` ends the oldest.
// Latency: 0. Throughput: one response a cycle.
`include "tsr_assert.svh"
module tsr_answer_owner
  import tsr_fabric_pkg::*;
#(
  parameter  int unsigned    Channels   = 4,                                   // 1..16
  parameter  fabric_config_t Config     = FabricDefaults,
  localparam int unsigned    IndexWidth = $clog2(Channels < 2 ? 2 : Channels)
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  output logic                      room_o,
  input  logic                      taken_i,
  input  logic                      fresh_i,
  input  logic [    IndexWidth-1:0] owner_i,
  input  logic [Config.IdWidth-1:0] id_i,
  input  logic                      next_i,
  output logic [      Channels-1:0] mine_o
);

  if (Config.OneId) begin : gen_one_id
    logic [IndexWidth-1:0] turn;
    logic turn_valid, unused_id;
    tsr_turns #(
      .Depth     (Config.FlightBursts),
      .IndexWidth(IndexWidth),
      .Cut       (1'b1)
    ) u_order (
      .clk_i,
      .rst_ni,
      .room_o,
      .taken_i,
      .put_i  (fresh_i),
      .index_i(owner_i),
      .turn_o (turn),
      .valid_o(turn_valid),
      .next_i
    );
    for (genvar i = 0; i < Channels; i++) begin : gen_mine
      assign mine_o[i] = turn_valid && turn == IndexWidth'(i);
    end
    assign unused_id = ^id_i;
  end else begin : gen_ids
    logic unused_order;
    for (genvar i = 0; i < Channels; i++) begin : gen_mine
      assign mine_o[i] = id_i == Config.IdWidth'(i);
    end
    assign room_o       = 1'b1;
    assign unused_order = ^{clk_i, rst_ni, taken_i, fresh_i, owner_i, next_i};
  end

  `TSR_ASSERT(OneOwner, $onehot0(mine_o))

endmodule
