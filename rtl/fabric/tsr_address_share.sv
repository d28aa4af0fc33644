// Puts the addresses of many channels on one address channel (AR or AW), fair by beats.
//
// Contract: valid/ready; what is shown stays until taken. With `enable_i` low no address is chosen;
// `taken_o` tells of one that is, `fresh_o` that the one that shows is shown for the first time, and
// `owner_o` whose it is. Attributes of a channel are constant while it asks or its address shows.
// Latency: 1 cycle, 2 with Cut. Throughput: one address a cycle. Outputs come from registers.
// Without Cut there are paths from valid_i and ready_i to ready_o; with Cut ready_o is a register.
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
  input  logic                                        clk_i,
  input  logic                                        rst_ni,
  input  logic      [  Channels-1:0][WeightWidth-1:0] weight_i,
  input  axi_attr_t [  Channels-1:0]                  attr_i,
  input  logic      [  Channels-1:0][  UserWidth-1:0] user_i,
  input  logic      [  Channels-1:0][  AddrWidth-1:0] addr_i,
  input  logic      [  Channels-1:0][            7:0] len_i,
  input  logic      [  Channels-1:0]                  valid_i,
  output logic      [  Channels-1:0]                  ready_o,
  input  logic                                        enable_i,
  output logic                                        taken_o,
  output logic                                        fresh_o,
  output logic      [IndexWidth-1:0]                  owner_o,
  output logic      [ AddrWidth-1:0]                  addr_o,
  output logic      [           7:0]                  len_o,
  output axi_attr_t                                   attr_o,
  output logic      [ UserWidth-1:0]                  user_o,
  output logic                                        valid_o,
  input  logic                                        ready_i
);

  localparam int unsigned CostWidth = $clog2(MaxBurst < 2 ? 2 : MaxBurst);

  typedef struct packed {
    logic [AddrWidth-1:0] addr;
    logic [7:0]           len;
  } burst_t;

  burst_t [Channels-1:0] burst;
  logic [Channels-1:0][CostWidth-1:0] cost;
  logic [Channels-1:0] valid, ready;
  burst_t shown;

  for (genvar i = 0; i < Channels; i++) begin : gen_channel
    if (Cut) begin : gen_cut
      tsr_slice #(
        .T(burst_t)
      ) u_slice (
        .clk_i,
        .rst_ni,
        .data_i ('{addr: addr_i[i], len: len_i[i]}),
        .valid_i(valid_i[i]),
        .ready_o(ready_o[i]),
        .data_o (burst[i]),
        .valid_o(valid[i]),
        .ready_i(ready[i])
      );
    end else begin : gen_direct
      assign burst[i]   = '{addr: addr_i[i], len: len_i[i]};
      assign valid[i]   = valid_i[i];
      assign ready_o[i] = ready[i];
    end
    assign cost[i] = burst[i].len[CostWidth-1:0];
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
    .valid_i(valid),
    .ready_o(ready),
    .enable_i,
    .taken_o,
    .fresh_o,
    .data_o (shown),
    .index_o(owner_o),
    .valid_o,
    .ready_i
  );

  // Attributes are constant: they are not carried along but looked up.
  assign addr_o = shown.addr;
  assign len_o  = shown.len;
  assign attr_o = attr_i[owner_o];
  assign user_o = user_i[owner_o];

endmodule
