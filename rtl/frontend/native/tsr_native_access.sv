// The access on the register bus: where it goes and what it is, registered.
//
// Contract: a request stays until `ready_i`. `region_o` has one bit, or none if nothing is mapped there in this build; within
// a group of registers the group knows its words. `channel_o` is a place in arrays that hold the read channels first.
// `step_o` has a 1 more in each cycle of the access. After reset `sweep_o` visits four parts of each channel, while the data
// of the request are 0; accesses wait until then.
// Latency: 1 cycle. Throughput: an access in two cycles.
`include "tsr_assert.svh"
module tsr_native_access
  import tsr_register_pkg::*;
  import tsr_registers_pkg::*;
  import tsr_program_pkg::*;
  import tsr_cause_pkg::*;
  import tsr_dma_pkg::*;
#(
  parameter  dma_config_t Config = DmaDefaults,
  localparam int unsigned Reads  = Config.Reads,
  localparam int unsigned Writes = Config.Writes
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  output sweep_t             sweep_o,
  output logic         [1:0] sweep_part_o,
  input  bus_request_t       request_i,
  input  logic               valid_i,
  input  logic               ready_i,
  output bus_request_t       request_o,
  output logic               valid_o,
  output logic         [2:0] step_o,
  output region_t            region_o,
  output channel_t           channel_o,
  output kind_t              kind_o
);

  localparam int unsigned Index = Reads + Writes > 1 ? $clog2(Reads + Writes) : 1;
  localparam int unsigned Locks = Config.Locks;
  localparam int unsigned Windows = Config.Windows;

  // ---- Where it goes ----------------------------------------------------------------------------

  logic [RegisterBits-1:2] at;
  assign at = request_i.word[RegisterBits-1:2];

  // Channels, in their registers and in the windows.
  logic windows, channels, writes, exists;
  logic [3:0] number;
  channel_t channel;
  assign windows  = at[17:14] == 4'h4;
  assign channels = at[17:12] == 6'h01 || at[17:12] == 6'h02;
  assign writes   = at[13];
  assign number   = Windows != 0 && at[16] ? at[12:9] : at[11:8];
  assign exists   = writes ? 5'(number) < 5'(Writes) : 5'(number) < 5'(Reads);
  assign channel  = writes ? 5'(Reads) + 5'(number) : 5'(number);

  logic [5:0] lock, try;
  assign lock = at[9:4];
  assign try  = at[14:9];

  // A comparison with 0 would be constant.
  logic has_window, has_lock, has_try;
  if (Windows == 0) begin : gen_no_windows
    assign has_window = 1'b0;
  end else begin : gen_windows
    assign has_window = 5'(at[8:5]) < 5'(Windows);
  end
  if (Locks == 0) begin : gen_no_locks
    assign {has_lock, has_try} = '0;
    logic unused_locks;
    assign unused_locks = ^{lock, try};
  end else begin : gen_locks
    assign has_lock = 7'(lock) < 7'(Locks);
    assign has_try  = 7'(try) < 7'(Locks);
  end

  region_t region;
  always_comb begin
    region            = '0;
    region.globals    = at[17:8] == '0;
    region.channel    = channels && exists && !at[7];
    region.lists      = Config.Lists && channels && exists && at[7:6] == 2'd2;
    region.counters   = Config.Counters && channels && exists && at[7:6] == 2'd3;
    region.count_lock = at[17:10] == 8'h0c && !at[3] && has_lock;
    region.try_lock   = at[17:15] == 3'd1 && has_try;
    region.window     = windows && exists && has_window && at[4:2] < 3'd5;
    region.memory     = at[17:16] == 2'd2 && (at[15:14] != 2'd3 || at[13:10] == '0);
  end

  // ---- What it is -------------------------------------------------------------------------------

  channel_word_e word;
  channel_task_t task_word;
  logic sets, pops;
  assign word = channel_word_e'({1'b0, at[6:2]});
  assign task_word = channel_task_t'(request_i.data);
  assign sets = request_i.write && request_i.strobe == '1;
  assign pops = region.channel && sets && word == ChannelRecordPop;
  kind_t kind;
  always_comb begin
    kind = '0;
    kind.sets = sets;
    kind.partial = request_i.strobe != '0 && request_i.strobe != '1;
    kind.present = channel_mapped(word) && (word != ChannelTrigger || Config.Triggers);
    kind.writable = channel_writable(word) && kind.present;
    kind.pops = pops;
    kind.views = region.channel && (!request_i.write || pops);
    kind.pushes = region.channel && sets && word == ChannelTask;
    kind.coalesces = region.channel && word == ChannelCoalesce;
    kind.lacks     = ((task_word.trigger || task_word.paced) && !Config.Triggers) ||
        (task_word.token && !Config.Tokens) || (task_word.from_list && !Config.Lists);
    case (word)
      ChannelError, ChannelErrorInfo, ChannelErrorAddrLow, ChannelErrorAddrHigh, ChannelIrqEnable,
          ChannelIrqStatus:
      kind.causes = region.channel;
      default: ;
    endcase
  end

  // ---- Its turn ---------------------------------------------------------------------------------

  logic [Index+2:0] sweep_q;
  assign sweep_o = '{valid: !sweep_q[Index+2], channel: channel_t'(sweep_q[Index-1:0])};
  assign sweep_part_o = sweep_q[Index+1:Index];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      sweep_q <= '0;
      step_o  <= '0;
    end else begin
      if (sweep_o.valid) sweep_q <= sweep_q + 1'b1;
      step_o <= {step_o[1:0], 1'b1} & {3{valid_o && !ready_i}};
    end
    valid_o <= rst_ni && valid_i && !ready_i && !sweep_o.valid;
    if (!valid_o) begin
      request_o <= request_i;
      region_o  <= region;
      channel_o <= channel;
      kind_o    <= kind;
    end
    if (!rst_ni || sweep_o.valid) request_o.data <= '0;
  end

  logic unused_bits;
  assign unused_bits = ^{request_i, task_word};

  `TSR_ASSERT(OneAnswers, !valid_o || $onehot0(region_o))

endmodule
