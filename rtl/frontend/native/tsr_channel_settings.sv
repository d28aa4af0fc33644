// Settings of all channels: registers CONTROL, TAG, TRIGGER, STANDING.
//
// Contract. A write changes the bits of `mask_i` unless it is refused: CONTROL and STANDING by their
// bit `lock`, STANDING also while its channel has work (`works_i`). Levels stand in registers, the rest
// in memories that are read by channel number.
// Latency: a write 1 cycle, a read 0. Throughput: a write a cycle.
`include "tsr_assert.svh"
module tsr_channel_settings
  import tsr_channel_pkg::*;
  import tsr_fabric_pkg::*;
  import tsr_registers_pkg::*;
  import tsr_program_pkg::*;
  import tsr_cause_pkg::*;
#(
  parameter  int unsigned Channels = 2,                                   // 1..32
  parameter  int unsigned Ports    = 2,                                   // that read attributes
  parameter  bit          Triggers = 1'b0,
  localparam int unsigned Index    = Channels > 1 ? $clog2(Channels) : 1
) (
  input  logic                                clk_i,
  input  logic                                rst_ni,
  input  sweep_t                              sweep_i,
  input  channel_access_t                     access_i,
  input  logic                                write_i,
  output logic                                refused_o,
  output logic            [        31:0]      data_o,             // 0 of other words
  input  logic            [Channels-1:0]      works_i,
  output channel_orders_t [Channels-1:0]      orders_o,
  output logic            [Channels-1:0][3:0] weight_o,
  output trigger_select_t [Channels-1:0]      trigger_select_o,
  output logic            [        31:0]      tag_o,              // of access_i.channel
  input  channel_t                            stop_on_channel_i,
  output logic            [         6:0]      stop_on_o,
  input  channel_t        [   Ports-1:0]      attr_channel_i,
  output axi_attr_t       [   Ports-1:0]      attr_o,
  input  channel_t                            token_channel_i,
  output logic            [         7:0]      controller_o
);

  typedef logic [Index-1:0] index_t;
  typedef struct packed {
    logic       lock;
    logic [7:0] controller;
    logic [2:0] protection;
    logic [3:0] cache;
    logic [3:0] qos;
    logic [3:0] weight;
  } standing_t;
  (* ram_style = "distributed" *) logic [31:0] tag_mem[2**Index];
  (* ram_style = "distributed" *) logic [6:0] stop_on_mem[2**Index];
  (* ram_style = "distributed" *) standing_t standing_mem[2**Index];

  index_t channel, at;
  assign channel = index_t'(access_i.channel);
  assign at      = sweep_i.valid ? index_t'(sweep_i.channel) : channel;

  function automatic logic [31:0] merged(input logic [31:0] kept);
    return (access_i.data & access_i.mask) | (kept & ~access_i.mask);
  endfunction

  logic control, standing, trigger, writes_control, writes_standing;
  logic [31:0] control_word, standing_word, control_next, standing_next, tag_next;
  assign control         = access_i.word == ChannelControl;
  assign standing        = access_i.word == ChannelStanding;
  assign trigger         = access_i.word == ChannelTrigger && Triggers;
  assign writes_control  = write_i && control && !refused_o;
  assign writes_standing = write_i && standing && !refused_o;

  // ---- Words ------------------------------------------------------------------------------------

  channel_orders_t orders;
  standing_t kept;
  assign orders = orders_o[channel];
  assign kept = standing_mem[channel];
  assign control_word = {
    orders.lock,
    8'b0,
    stop_on_mem[channel],
    7'b0,
    orders.by_id,
    2'b0,
    orders.stop,
    orders.give_up,
    orders.reset,
    orders.aborts,
    orders.drain,
    orders.pause
  };
  assign standing_word = {
    kept.lock, 7'b0, kept.controller, 1'b0, kept.protection, kept.cache, kept.qos, kept.weight
  };
  assign control_next = merged(control_word);
  assign standing_next = merged(standing_word);
  assign tag_next = merged(tag_o);
  assign tag_o = tag_mem[channel];
  assign refused_o = (control && orders.lock) || (standing && (kept.lock || works_i[channel]));

  logic [6:0] select;
  always_comb begin
    data_o = '0;
    if (control) data_o = control_word;
    if (standing) data_o = standing_word;
    if (trigger) data_o = 32'(select);
    if (access_i.word == ChannelTag) data_o = tag_o;
  end

  always_ff @(posedge clk_i) begin
    if ((write_i && access_i.word == ChannelTag) || sweep_i.valid)
      tag_mem[at] <= sweep_i.valid ? '0 : tag_next;
    if (writes_control || sweep_i.valid)
      stop_on_mem[at] <= sweep_i.valid ? '0 : control_next[22:16];
    if (writes_standing || sweep_i.valid)
      standing_mem[at] <= sweep_i.valid ? '0 : '{
          lock: standing_next[31],
          controller: standing_next[23:16],
          protection: standing_next[14:12],
          cache: standing_next[11:8],
          qos: standing_next[7:4],
          weight: standing_next[3:0]
      };
  end
  for (genvar c = 0; c < Channels; c++) begin : gen_channel
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        orders_o[c] <= '0;
        weight_o[c] <= '0;
      end else begin
        if (writes_control && 32'(channel) == c) begin
          orders_o[c] <= '{
              lock: control_next[31],
              by_id: control_next[8],
              stop: control_next[5],
              give_up: control_next[4],
              reset: control_next[3],
              aborts: control_next[2],
              drain: control_next[1],
              pause: control_next[0]
          };
        end
        if (writes_standing && 32'(channel) == c) weight_o[c] <= standing_next[3:0];
      end
    end
  end

  // ---- Triggers ---------------------------------------------------------------------------------

  if (Triggers) begin : gen_triggers
    logic [31:0] next;
    assign select = trigger_select_o[channel];
    assign next   = merged(32'(select));
    for (genvar c = 0; c < Channels; c++) begin : gen_channel
      always_ff @(posedge clk_i) begin
        if (!rst_ni) trigger_select_o[c] <= '0;
        else if (write_i && trigger && 32'(channel) == c) trigger_select_o[c] <= next[6:0];
      end
    end
    logic unused_next;
    assign unused_next = ^next[31:7];
  end else begin : gen_no_triggers
    assign select           = '0;
    assign trigger_select_o = '0;
  end

  // ---- By channel -------------------------------------------------------------------------------

  assign stop_on_o = stop_on_mem[index_t'(stop_on_channel_i)];
  for (genvar p = 0; p < Ports; p++) begin : gen_attr
    standing_t bus;
    assign bus       = standing_mem[index_t'(attr_channel_i[p])];
    assign attr_o[p] = '{qos: bus.qos, cache: bus.cache, prot: bus.protection};
    logic unused_bus;
    assign unused_bus = ^{bus, attr_channel_i[p]};
  end
  standing_t token;
  assign token        = standing_mem[index_t'(token_channel_i)];
  assign controller_o = token.controller;

  logic unused_bits;
  assign unused_bits = ^{token, token_channel_i, stop_on_channel_i, access_i.channel,
                         access_i.write, control_next, standing_next};

  `TSR_ASSERT(OneWord, $onehot0({control, standing, trigger}))

endmodule
