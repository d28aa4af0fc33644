// Puts the addresses of many channels on one address channel (AR or AW), fair by beats.
//
// Contract: valid/ready; what is shown stays until taken. With `enable_i` low no address is chosen;
// `taken_o` tells of one that is, `fresh_o` that the one that shows is shown for the first time, and
// `owner_o` whose it is. Attributes of a channel are constant while it asks or its address shows.
// Latency: 1 cycle, 2 with Cut. Throughput: one address a cycle. Outputs come from registers, with Cut by
// way of a selection. Paths from ready_i to ready_o, and without Cut from valid_i.
`include "tsr_assert.svh"
module tsr_address_share
  import tsr_fabric_pkg::*;
#(
  parameter int unsigned Channels = 4,  // 1..16
  parameter int unsigned AddrWidth = 64,
  parameter int unsigned MaxBurst = 64,
  parameter int unsigned WeightWidth = 4,
  parameter int unsigned UserWidth = 1,
  parameter bit Cut = 1'b0,  // a register before the choice
  localparam int unsigned IndexWidth = $clog2(Channels < 2 ? 2 : Channels)
) (
  input logic clk_i,
  input logic rst_ni,
  input logic [Channels-1:0][WeightWidth-1:0] weight_i,
  input axi_attr_t [Channels-1:0] attr_i,
  input logic [Channels-1:0][UserWidth-1:0] user_i,
  input logic [Channels-1:0][AddrWidth-1:0] addr_i,
  input logic [Channels-1:0][7:0] len_i,
  input logic [Channels-1:0] valid_i,
  output logic [Channels-1:0] ready_o,
  input logic enable_i,
  output logic taken_o,
  output logic fresh_o,
  output logic [IndexWidth-1:0] owner_o,
  output logic [Channels-1:0] holds_o,  // what came from there is still here
  output logic [AddrWidth-1:0] addr_o,
  output logic [7:0] len_o,
  output axi_attr_t attr_o,
  output logic [UserWidth-1:0] user_o,
  output logic valid_o,
  input logic ready_i
);

  localparam int unsigned CostWidth = $clog2(MaxBurst < 2 ? 2 : MaxBurst);

  typedef struct packed {
    logic [AddrWidth-1:0] addr;
    logic [7:0]           len;
  } burst_t;

  burst_t shown;

  // Without Cut the arbiter takes the burst along. With it a channel keeps two, and the arbiter takes the
  // length alone: the burst that shows stays in its place until it is taken, so that the choice ends in
  // one flop a channel and not in the enables of all that they keep.
  if (Cut) begin : gen_cut
    burst_t [Channels-1:0] out_q, spare_q;
    logic [Channels-1:0] out_valid_q, spare_valid_q, mine_q, pop, ask, chosen;
    logic [Channels-1:0][7:0] len;
    logic [Channels-1:0][CostWidth-1:0] cost;
    logic [AddrWidth-1:0] addr;
    logic [7:0] shown_len;

    for (genvar i = 0; i < Channels; i++) begin : gen_channel
      assign pop[i]     = mine_q[i] && ready_i;
      assign ready_o[i] = !spare_valid_q[i] || pop[i];
      // While the first shows, the second asks.
      assign ask[i]     = mine_q[i] ? spare_valid_q[i] : out_valid_q[i];
      assign len[i]     = mine_q[i] ? spare_q[i].len : out_q[i].len;
      assign cost[i]    = len[i][CostWidth-1:0];
      always_ff @(posedge clk_i) begin
        if (!out_valid_q[i] || pop[i]) begin
          out_q[i] <= spare_valid_q[i] ? spare_q[i] : '{addr: addr_i[i], len: len_i[i]};
        end
        if (ready_o[i]) spare_q[i] <= '{addr: addr_i[i], len: len_i[i]};
      end
      always_ff @(posedge clk_i) begin
        if (!rst_ni) begin
          out_valid_q[i]   <= 1'b0;
          spare_valid_q[i] <= 1'b0;
          mine_q[i]        <= 1'b0;
        end else begin
          out_valid_q[i] <= (out_valid_q[i] && !pop[i]) || spare_valid_q[i] || valid_i[i];
          spare_valid_q[i] <= out_valid_q[i] &&
              (pop[i] ? spare_valid_q[i] && valid_i[i] : spare_valid_q[i] || valid_i[i]);
          if (!valid_o || ready_i) mine_q[i] <= chosen[i];
        end
      end
    end

    tsr_arbiter #(
      .Channels   (Channels),
      .T          (logic [7:0]),
      .MaxCost    (MaxBurst),
      .WeightWidth(WeightWidth)
    ) u_arbiter (
      .clk_i,
      .rst_ni,
      .weight_i,
      .data_i (len),
      .cost_i (cost),
      .valid_i(ask),
      .ready_o(chosen),
      .enable_i,
      .taken_o,
      .fresh_o,
      .data_o (shown_len),
      .index_o(owner_o),
      .valid_o,
      .ready_i
    );

    always_comb begin
      addr = '0;
      for (int unsigned i = 0; i < Channels; i++) begin
        if (mine_q[i]) addr = addr | out_q[i].addr;
      end
    end
    assign shown   = '{addr: addr, len: shown_len};
    assign holds_o = out_valid_q;
  end else begin : gen_direct
    burst_t [Channels-1:0] burst;
    logic [Channels-1:0][CostWidth-1:0] cost;
    for (genvar i = 0; i < Channels; i++) begin : gen_channel
      assign burst[i] = '{addr: addr_i[i], len: len_i[i]};
      assign cost[i] = len_i[i][CostWidth-1:0];
      assign holds_o[i] = valid_o && owner_o == IndexWidth'(i);
    end

    tsr_arbiter #(
      .Channels   (Channels),
      .T          (burst_t),
      .MaxCost    (MaxBurst),
      .WeightWidth(WeightWidth)
    ) u_arbiter (
      .clk_i,
      .rst_ni,
      .weight_i,
      .data_i (burst),
      .cost_i (cost),
      .valid_i,
      .ready_o,
      .enable_i,
      .taken_o,
      .fresh_o,
      .data_o (shown),
      .index_o(owner_o),
      .valid_o,
      .ready_i
    );
  end

  // Attributes are constant: they are not carried along but looked up.
  assign addr_o = shown.addr;
  assign len_o  = shown.len;
  assign attr_o = attr_i[owner_o];
  assign user_o = user_i[owner_o];

  `TSR_STABLE(AddressStays, valid_o, ready_i, {addr_o, len_o, owner_o})

endmodule
