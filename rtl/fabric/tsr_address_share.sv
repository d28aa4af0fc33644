// Puts the addresses of many channels on one address channel (AR or AW), fair by beats.
//
// Contract: valid/ready; an address on `ax_o` stays until accepted. With `enable_i` low no address is chosen.
// `taken_o`: one is chosen. `fresh_o`: the address on `ax_o` shows for the first time; `owner_o` is its
// channel. Attributes of a channel are constant while it asks or its address shows.
// Latency: 1 cycle, 2 with Cut. Throughput: one address a cycle. Outputs come from registers, with Cut by
// way of a selection. Paths from ready_i to ready_o, and without Cut from valid_i.
`include "tsr_assert.svh"
`include "tsr_types.svh"
module tsr_address_share
  import tsr_fabric_pkg::*;
#(
  parameter  int unsigned    Channels   = 4,                                    // 1..16
  parameter  fabric_config_t Config     = FabricDefaults,
  localparam int unsigned    IndexWidth = $clog2(Channels < 2 ? 2 : Channels),
  localparam type            standing_t = `TSR_STANDING_T(Config),
  localparam type            burst_t    = `TSR_BURST_T(Config),
  localparam type            ax_t       = `TSR_AX_T(Config)
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  standing_t [  Channels-1:0]      standing_i,
  input  burst_t    [  Channels-1:0]      burst_i,
  input  logic      [  Channels-1:0]      valid_i,
  output logic      [  Channels-1:0]      ready_o,
  input  logic                            enable_i,
  output logic                            taken_o,
  output logic                            fresh_o,
  output logic      [IndexWidth-1:0]      owner_o,
  output logic      [  Channels-1:0]      holds_o,     // an address of the channel is still here
  output logic      [  Channels-1:0][1:0] kept_o,      // so many that do not show, with Cut
  output ax_t                             ax_o,
  output logic                            valid_o,
  input  logic                            ready_i
);

  localparam int unsigned MaxBurst = Config.MaxBurst;
  localparam int unsigned CostWidth = $clog2(MaxBurst < 2 ? 2 : MaxBurst);

  `TSR_STATIC_ASSERT(IdWidth, Config.OneId || Config.IdWidth >= IndexWidth,
                     ("IdWidth = %0d; legal is at least %0d", Config.IdWidth, IndexWidth))

  burst_t shown;
  logic [Channels-1:0][Config.WeightWidth-1:0] weight;
  for (genvar i = 0; i < Channels; i++) begin : gen_weight
    assign weight[i] = standing_i[i].weight;
  end

  // Without Cut the arbiter takes the burst along. With it a channel keeps two, and the arbiter takes the
  // length alone: the burst that shows stays in its place until it is taken, so that the choice ends in
  // one flop a channel and not in the enables of all that they keep.
  if (Config.Cut) begin : gen_cut
    burst_t [Channels-1:0] out_q, spare_q;
    logic [Channels-1:0] out_valid_q, spare_valid_q, mine_q, pop, ask, chosen;
    logic [Channels-1:0][7:0] len;
    logic [Channels-1:0][CostWidth-1:0] cost;
    logic [Config.AddrWidth-1:0] addr;
    logic [7:0] shown_len;

    for (genvar i = 0; i < Channels; i++) begin : gen_channel
      assign pop[i]     = mine_q[i] && ready_i;
      assign ready_o[i] = !spare_valid_q[i] || pop[i];
      // While the first shows, the second asks.
      assign ask[i]     = mine_q[i] ? spare_valid_q[i] : out_valid_q[i];
      assign len[i]     = mine_q[i] ? spare_q[i].len : out_q[i].len;
      assign cost[i]    = len[i][CostWidth-1:0];
      assign kept_o[i]  = 2'(out_valid_q[i] && !mine_q[i]) + 2'(spare_valid_q[i]);
      always_ff @(posedge clk_i) begin
        if (!out_valid_q[i] || pop[i]) begin
          out_q[i] <= spare_valid_q[i] ? spare_q[i] : burst_i[i];
        end
        if (ready_o[i]) spare_q[i] <= burst_i[i];
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
      .WeightWidth(Config.WeightWidth)
    ) u_arbiter (
      .clk_i,
      .rst_ni,
      .weight_i(weight),
      .data_i  (len),
      .cost_i  (cost),
      .valid_i (ask),
      .ready_o (chosen),
      .enable_i,
      .taken_o,
      .fresh_o,
      .data_o  (shown_len),
      .index_o (owner_o),
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
    logic [Channels-1:0][CostWidth-1:0] cost;
    for (genvar i = 0; i < Channels; i++) begin : gen_channel
      assign cost[i] = burst_i[i].len[CostWidth-1:0];
      assign holds_o[i] = valid_o && owner_o == IndexWidth'(i);
      assign kept_o[i] = '0;
    end

    tsr_arbiter #(
      .Channels   (Channels),
      .T          (burst_t),
      .MaxCost    (MaxBurst),
      .WeightWidth(Config.WeightWidth)
    ) u_arbiter (
      .clk_i,
      .rst_ni,
      .weight_i(weight),
      .data_i  (burst_i),
      .cost_i  (cost),
      .valid_i,
      .ready_o,
      .enable_i,
      .taken_o,
      .fresh_o,
      .data_o  (shown),
      .index_o (owner_o),
      .valid_o,
      .ready_i
    );
  end

  // Attributes are constant: they are not carried along but looked up.
  assign ax_o = '{
          id: Config.OneId ? '0 : Config.IdWidth'(owner_o),
          addr: shown.addr,
          len: shown.len,
          size: 3'($clog2(Config.DataWidth / 8)),
          burst: BurstIncr,
          attr: standing_i[owner_o].attr,
          user: standing_i[owner_o].user
      };

  `TSR_STABLE(AddressStays, valid_o, ready_i, {shown, owner_o})

endmodule
