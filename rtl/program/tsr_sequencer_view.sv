// State of the channel that registers look at.
//
// Contract: `view_o` belongs to the channel number of the cycle before.
// Latency: 1 cycle.
`include "tsr_assert.svh"
module tsr_sequencer_view
  import tsr_descriptor_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_program_pkg::*;
#(
  parameter  int unsigned Channels = 2,                                   // 1..32
  localparam int unsigned Index    = Channels > 1 ? $clog2(Channels) : 1
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  input  logic            [   Index-1:0] view_i,
  // Of all channels.
  input  channel_levels_t [Channels-1:0] levels_i,
  input  stop_state_t     [Channels-1:0] stop_i,
  input  walk_flag_t      [Channels-1:0] flag_i,
  input  launch_state_t   [Channels-1:0] launch_i,
  // Of the end that is being retired.
  input  channel_t                       end_channel_i,
  input  wait_e                          end_waits_i,
  // Of the channel of `view_i`.
  input  descriptor_id_t                 descriptor_i,
  input  descriptor_id_t                 oldest_i,       // of a transfer that runs
  input  lock_id_t                       lock_i,
  input  logic            [         4:0] room_i,
  input  logic            [         4:0] records_i,
  input  logic                           in_task_i,
  output sequencer_view_t                view_o
);

  wait_e waits, next_waits;
  launch_state_t launch;
  channel_levels_t levels;
  walk_flag_t flag;
  logic stop;
  always_comb begin
    launch     = launch_i[view_i];
    levels     = levels_i[view_i];
    flag       = flag_i[view_i];
    stop       = stop_i[view_i].stop;
    next_waits = flag.waits;
    if (!levels.halted && !stop) begin
      if (launch.made != '0) next_waits = launch.locked ? WaitLock : WaitEngine;
      else if (flag.waits == WaitTask && flag.loading && !levels.running) next_waits = WaitLoad;
    end
    if (stop && levels.in_reset) waits = WaitReset;
    else if (levels.halted || levels.faulted) waits = WaitFault;
    else if (end_waits_i != WaitTask && end_channel_i == channel_t'(view_i)) waits = end_waits_i;
    else if (levels.running) waits = WaitMemory;
    else waits = next_waits;
  end

  always_ff @(posedge clk_i) begin
    view_o <= '{
        waits: waits,
        next_waits: next_waits,
        lock: next_waits == WaitLock ? lock_i : '0,
        descriptor: descriptor_i,
        oldest: levels.running ? oldest_i : descriptor_i,
        room: room_i,
        records: records_i,
        in_task: in_task_i,
        levels: levels
    };
  end

  logic unused_in;
  assign unused_in = ^{launch, stop_i, flag};

  `TSR_ASSERT(ViewExists, 32'(view_i) < Channels)

endmodule
