// Settings of all channels: registers CONTROL, TAG, TRIGGER, STANDING, and what COALESCE reads.
//
// Contract. A write is refused of CONTROL and STANDING by their bit `lock`, of STANDING also while its channel has
// work (`works_i`). One memory has the words as software reads them; levels stand in registers too, and what is
// read by channel number in memories of its own. `access_i` stays a cycle behind its write. Its data are 0
// while the memories are swept.
// Latency: a write 2 cycles, a read 0. Throughput: a write in two cycles.
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
  input  logic                           clk_i,
  input  logic                           rst_ni,
  input  sweep_t                         sweep_i,
  input  logic            [         1:0] sweep_part_i,    // of the words of a channel
  input  channel_access_t                access_i,
  input  logic                           write_i,
  output logic                           refused_o,
  output logic                           ordered_o,       // an order of CONTROL becomes 1
  output logic            [        31:0] data_o,          // 0 of other words
  input  logic            [Channels-1:0] works_i,
  output channel_orders_t [Channels-1:0] orders_o,
  output logic            [        31:0] tag_o,           // of access_i.channel
  input  channel_t                       end_channel_i,
  output logic            [         6:0] stop_on_o,
  input  channel_t        [   Ports-1:0] attr_channel_i,
  output axi_attr_t       [   Ports-1:0] attr_o,
  output logic            [         7:0] controller_o
);

  typedef logic [Index-1:0] index_t;
  (* ram_style = "distributed" *) logic [31:0] word_mem[2**(Index+2)];
  (* ram_style = "distributed" *) logic [6:0] stop_on_mem[2**Index];
  (* ram_style = "distributed" *) logic [$bits(axi_attr_t)-1:0] attr_mem[2**Index];
  (* ram_style = "distributed" *) logic [7:0] controller_mem[2**Index];

  index_t channel, at;
  assign channel = index_t'(access_i.channel);
  assign at      = sweep_i.valid ? index_t'(sweep_i.channel) : channel;

  logic control, standing, tag, trigger, coalesce;
  logic [31:0] data;
  assign data     = access_i.data;
  assign control  = access_i.word == ChannelControl;
  assign standing = access_i.word == ChannelStanding;
  assign tag      = access_i.word == ChannelTag;
  assign coalesce = access_i.word == ChannelCoalesce;
  assign trigger  = access_i.word == ChannelTrigger && Triggers;

  // ---- Words ------------------------------------------------------------------------------------

  // CONTROL, TAG, COALESCE, STANDING; with TASK that of TAG.
  logic [1:0] part;
  logic [31:0] there, word;
  assign part = {access_i.word[3], access_i.word[1] || (access_i.word[3] && access_i.word[0])};
  always_comb begin
    unique case (part)
      2'd0: there = 32'h807f013f;
      2'd1: there = '1;
      2'd2: there = 32'hffff001f;
      default: there = 32'h80ff7fff;
    endcase
  end
  assign word  = word_mem[{channel, part}];
  assign tag_o = word;

  channel_orders_t orders;
  assign orders = orders_o[channel];
  assign refused_o = (word[31] && (control || standing)) || (standing && works_i[channel]);
  assign data_o = (word & {32{control || tag || coalesce || standing}}) |
      (32'(orders.trigger) & {32{trigger}});

  // What is kept follows a cycle later.
  logic kept, keeps_q, control_q, standing_q;
  assign kept = rst_ni && write_i && !refused_o;
  assign ordered_o = control_q &&
      (data[3:0] & ~{orders.reset, orders.aborts, orders.drain, orders.pause}) != '0;
  always_ff @(posedge clk_i) begin
    keeps_q    <= kept && (tag || coalesce || control || standing);
    control_q  <= kept && control;
    standing_q <= kept && standing;
    if (keeps_q || sweep_i.valid) word_mem[{at, sweep_i.valid?sweep_part_i : part}] <= data & there;
    if (control_q || sweep_i.valid) stop_on_mem[at] <= data[22:16];
    if (standing_q || sweep_i.valid) begin
      controller_mem[at] <= data[23:16];
      attr_mem[at]       <= {data[7:4], data[11:8], data[14:12]};
    end
  end
  for (genvar c = 0; c < Channels; c++) begin : gen_channel
    channel_orders_t orders_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) orders_q <= '0;
      else if (32'(channel) == c) begin
        if (control_q)
          {orders_q.hold, orders_q.by_id, orders_q.stop, orders_q.give_up, orders_q.reset,
           orders_q.aborts, orders_q.drain, orders_q.pause} <= {
            data[17], data[8], data[5:0]
          };
        if (standing_q) orders_q.weight <= data[3:0];
        if (write_i && trigger) orders_q.trigger <= data[6:0];
      end
    end
    assign orders_o[c] = orders_q;
  end

  // ---- By channel -------------------------------------------------------------------------------

  assign stop_on_o = stop_on_mem[index_t'(end_channel_i)];
  for (genvar p = 0; p < Ports; p++) begin : gen_attr
    assign attr_o[p] = attr_mem[index_t'(attr_channel_i[p])];
  end
  assign controller_o = controller_mem[index_t'(end_channel_i)];

  logic unused_bits;
  assign unused_bits = ^orders ^
      ^{end_channel_i, attr_channel_i} ^
      ^{access_i.channel, access_i.write};

  `TSR_ASSERT(SweepsWithZeros, !sweep_i.valid || data == '0)
  `TSR_ASSERT_NEXT(AccessStays, write_i, $stable({channel, part, data}))
  `TSR_ASSERT(OneWord, $onehot0({control, standing, trigger}))

endmodule
