// Registers of channels beside their settings: tasks, status, records, errors and interrupts.
//
// Contract: `step_i` counts cycles of an access from its second one on; `error_o` and `data_o` count with `ready_o` and are 0
// without an access. A read shows its channel in the view of the sequencer, and so do the looks of tsr_channel_causes in turn; the
// state of channels is of the cycle before. A task is offered once: whether it was taken is known a cycle later. One that
// is refused sets ERROR.task_refused.
// Latency, throughput: as tsr_dma_registers.
`include "tsr_assert.svh"
module tsr_native_channels
  import tsr_descriptor_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_registers_pkg::*;
  import tsr_program_pkg::*;
  import tsr_cause_pkg::*;
  import tsr_dma_pkg::*;
#(
  parameter  dma_config_t Config   = DmaDefaults,
  localparam int unsigned Channels = Config.Reads + Config.Writes
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  sweep_t                          sweep_i,
  input  logic             [         4:0] time_i,          // in 16 cycles
  // An access to a channel
  input  channel_access_t                 access_i,
  input  kind_t                           kind_i,
  input  logic                            valid_i,
  input  logic             [         2:0] step_i,
  output logic                            ready_o,
  output logic                            error_o,
  output logic             [        31:0] data_o,
  // Sequencer
  input  logic             [        31:0] tag_i,
  output program_request_t                program_o,       // tasks, records, the view; others 0
  input  program_answer_t                 program_i,
  input  report_t                         report_i,
  // Channels
  input  channel_orders_t  [Channels-1:0] orders_i,
  input  logic                            ordered_i,       // an order of the access becomes 1
  input  channel_levels_t  [Channels-1:0] levels_i,
  input  port_view_t       [Channels-1:0] port_i,
  input  logic             [Channels-1:0] missed_i,
  output logic             [Channels-1:0] missed_clear_o,
  output logic             [Channels-1:0] works_o,
  output logic             [Channels-1:0] errors_o,
  output logic             [Channels-1:0] irq_o
);

  localparam int unsigned Index = Channels > 1 ? $clog2(Channels) : 1;
  typedef logic [Index-1:0] index_t;
  index_t channel;
  logic write, read;
  sequencer_view_t view;
  assign channel = index_t'(access_i.channel);
  assign write   = valid_i && access_i.write;
  assign read    = valid_i && !access_i.write && step_i[0];
  assign view    = program_i.sequencer.view;

  // ---- Tasks ------------------------------------------------------------------------------------

  channel_task_t task_word;
  logic pushes, push_valid, headed, offered_q, taken_q, refused;
  assign task_word = channel_task_t'(access_i.data);
  assign pushes = valid_i && kind_i.pushes;
  assign headed = Config.Side == 2 && 32'(access_i.channel) >= Config.Reads &&
      task_word.from_list && orders_i[channel].by_id;
  always_ff @(posedge clk_i) begin
    offered_q <= rst_ni && pushes && !ready_o;
    if (!offered_q) taken_q <= push_valid && program_i.push_ready;
  end
  assign refused = pushes && offered_q && !taken_q;
  assign push_valid = pushes && !kind_i.lacks && !headed && !offered_q;

  // ---- Errors and interrupts --------------------------------------------------------------------

  order_state_t [Channels-1:0] state_q;
  logic [Channels-1:0] lasts;  // a reset whose order has fallen, which takes no tasks yet
  always_comb begin
    for (int unsigned c = 0; c < Channels; c++)
    lasts[c] = levels_i[c].in_reset && !orders_i[c].reset;
  end
  always_ff @(posedge clk_i) begin
    for (int unsigned c = 0; c < Channels; c++) begin
      works_o[c] <= levels_i[c].busy || port_i[c].busy || !levels_i[c].idle || port_i[c].owed;
      state_q[c] <= '{
          pause: orders_i[c].pause,
          drain: orders_i[c].drain,
          aborts: orders_i[c].aborts,
          reset: orders_i[c].reset,
          paused: orders_i[c].pause && !port_i[c].owed,
          idle: levels_i[c].idle && !port_i[c].owed && !port_i[c].busy && !lasts[c],
          in_reset: levels_i[c].in_reset && !port_i[c].failed && !port_i[c].busy,
          stuck: port_i[c].stuck,
          faulted: levels_i[c].faulted || port_i[c].faulted
      };
    end
  end

  logic due, asks_q, cause_ready, views;
  logic [Channels-1:0] ordered_q;
  logic [31:0] cause_data;
  index_t poll, view_q, looked_q;
  fault_e fault;
  poll_view_t poll_view;
  assign due = (write || read) && (refused || (kind_i.causes && read) ||
                                   ((kind_i.causes || kind_i.coalesces) && kind_i.sets &&
                                    kind_i.writable));
  assign views = valid_i && kind_i.views;
  always_ff @(posedge clk_i) begin
    asks_q <= rst_ni && due && !cause_ready;
    view_q <= views ? channel : poll;
    looked_q <= view_q;
    // With the order in `state_q`.
    ordered_q <= Channels'(ordered_i) << channel;
  end
  always_comb begin
    fault = FaultNone;
    if (levels_i[looked_q].faulted) fault = FaultRecord;  // of `stop_on`
    if (port_i[looked_q].faulted) fault = port_i[looked_q].fault;
  end
  assign poll_view = '{full: view.records == 5'(Config.QueueDepth), descriptor: view.oldest};
  tsr_channel_causes #(
    .Channels(Channels),
    .Lists   (Config.Lists)
  ) u_causes (
    .clk_i,
    .rst_ni,
    .sweep_i,
    .step_i        (time_i),
    .access_i,
    .access_valid_i(asks_q),
    .refused_i     (refused),
    .ready_o       (cause_ready),
    .data_o        (cause_data),
    .report_i,
    .ordered_i     (ordered_q),
    .order_i       (state_q),
    .missed_i,
    .missed_clear_o,
    .fault_i       (fault),
    .poll_o        (poll),
    .poll_grant_i  (!views),
    .view_i        (poll_view),
    .error_o       (errors_o),
    .irq_o
  );

  // ---- Status and record ------------------------------------------------------------------------

  order_state_t standing;
  channel_status_given_t status;
  logic [31:0] status_q, view_data;
  logic [4:0] records_q;
  logic record;
  assign standing = state_q[channel];
  always_comb begin
    status = '{
        trigger_missed: missed_i[channel],
        room: view.room,
        faulted: standing.faulted,
        halted: view.levels.halted,
        stuck: standing.stuck,
        in_reset: standing.in_reset,
        paused: standing.paused,
        idle: standing.idle,
        running: view.in_task,
        busy: view.levels.busy || port_i[channel].busy,
        lock_id: view.lock,
        next_waits: view.next_waits,
        waits: view.waits
    };
    if (view.waits == WaitMemory) begin
      if (standing.pause) status.waits = WaitPause;
      else if (port_i[channel].waits) status.waits = WaitStream;
    end
  end
  // Status is that of the cycle of the view; words of a record and the number of records are those of one cycle.
  localparam int unsigned StatusLow = $bits(status.lock_id) + 8;
  always_ff @(posedge clk_i) begin
    status_q <= access_i.word != ChannelStatus ? '0 : {2'b0, status[$bits(
        status
    )-1:StatusLow], 2'b0, status[StatusLow-1:0]};
    if (!step_i[2]) records_q <= view.records;
  end
  assign record =
      access_i.word >= ChannelRecord && access_i.word < ChannelRecordPop && records_q != '0;
  always_comb begin
    // A record is 0 where there is none, and so are the bits of its first word that are not its own.
    view_data = status_q | (program_i.sequencer.read & {32{record}});
    if (access_i.word == ChannelCurrent) view_data |= 32'(view.descriptor);
    if (access_i.word == ChannelRecord && record) view_data |= {1'b1, 18'b0, records_q, 8'b0};
  end

  // ---- The answer -------------------------------------------------------------------------------

  logic pops;
  assign pops    = valid_i && kind_i.pops;
  assign error_o = refused || (pops && view.records == '0);
  assign data_o  = cause_data | (valid_i ? view_data : '0);
  always_comb begin
    ready_o = write || step_i[2];
    if (pushes) ready_o = offered_q;
    if (due) ready_o = cause_ready;
    if (pops) ready_o = step_i[1];
  end

  always_comb begin
    program_o = '0;
    program_o.push_valid = push_valid;
    program_o.push.channel = access_i.channel;
    program_o.push.item = '{
        endless: task_word.endless,
        token: task_word.token,
        trigger: task_word.trigger,
        paced: task_word.paced,
        repeats: task_word.repeats,
        start: task_word.start,
        from_list: task_word.from_list,
        tag: tag_i
    };
    program_o.sequencer.read_channel = access_i.channel;
    program_o.sequencer.read_word = record_word_e'(access_i.word[3:0]);
    program_o.sequencer.pop = pops && step_i[1] && view.records != '0;
    program_o.sequencer.view_channel = channel_t'(view_q);
  end

  logic unused_bits;
  assign unused_bits = ^{standing, task_word, report_i, kind_i, program_i, orders_i};

  `TSR_ASSERT(AskedOnce, !push_valid || !refused)

endmodule
