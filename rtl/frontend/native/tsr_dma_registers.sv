// Registers of tessera_dma: decodes accesses of the register bus and joins what holds the registers.
//
// Contract: arrays over channels hold the read channels first, then the write channels. A request stays until
// `ready_o`, and `answer_o` counts in that cycle. A task that is refused sets ERROR.task_refused. Accesses wait until
// the memories were cleared after reset. Registers of the whole and of channels are written with all four bytes.
// The address map is in registers/.
// Latency: a write 1 cycle, of TASK 2, of ERROR and interrupts 3, a read 3 or 4; locks, descriptors and extensions as
// long as they take. Throughput: a write in two cycles, a read in four or five.
`include "tsr_assert.svh"
module tsr_dma_registers
  import tsr_descriptor_pkg::*;
  import tsr_fabric_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_register_pkg::*;
  import tsr_registers_pkg::*;
  import tsr_program_pkg::*;
  import tsr_cause_pkg::*;
  import tsr_list_unit_pkg::*;
  import tsr_dma_pkg::*;
  import tsr_onchip_pkg::*;
#(
  parameter  dma_config_t Config   = DmaDefaults,
  localparam int unsigned Reads    = Config.Reads,
  localparam int unsigned Writes   = Config.Writes,
  localparam int unsigned Ports    = Config.Ports,
  localparam int unsigned Channels = Reads + Writes
) (
  input  logic                                 clk_i,
  input  logic                                 rst_ni,
  // The register bus.
  input  bus_request_t                         request_i,
  input  logic                                 valid_i,
  output logic                                 ready_o,
  output bus_answer_t                          answer_o,
  // Sequencer and preparation.
  output program_request_t                     program_o,
  input  program_answer_t                      program_i,
  input  lock_report_t                         lock_report_i,
  input  sequencer_event_t                     event_i,
  input  logic                                 event_valid_i,
  input  channel_levels_t  [Channels-1:0]      levels_i,
  input  channel_t                             stop_on_channel_i,
  output logic             [         6:0]      stop_on_o,
  // Channels.
  output channel_orders_t  [Channels-1:0]      orders_o,
  output logic             [Channels-1:0][3:0] weight_o,
  output trigger_select_t  [Channels-1:0]      trigger_select_o,
  input  logic             [Channels-1:0]      missed_i,
  output logic             [Channels-1:0]      missed_clear_o,
  input  port_view_t       [Channels-1:0]      port_i,
  input  entry_event_t                         entry_i,
  input  list_refusal_t                        list_refusal_i,
  input  logic                                 list_refusal_valid_i,
  output logic                                 list_refusal_ready_o,
  input  channel_t         [ 2*Ports+1:0]      attr_channel_i,        // reads, writes, lists
  output axi_attr_t        [ 2*Ports+1:0]      attr_o,
  input  channel_t                             token_channel_i,
  output logic             [         7:0]      controller_o,
  // Registers of a channel from 0x80 on; windows. `word` is the whole address.
  output bus_request_t                         extension_o,
  output channel_t                             extension_channel_o,
  output logic                                 extension_valid_o,
  input  logic                                 extension_ready_i,
  input  bus_answer_t                          extension_i,
  output logic                                 window_valid_o,        // of `extension_o`
  input  logic                                 window_ready_i,
  input  bus_answer_t                          window_i,
  // Everything.
  output logic                                 quiesce_o,
  output logic                                 tick_o,
  input  rest_t                                rest_i,
  input  logic                                 misrouted_i,
  input  logic             [   Ports-1:0]      rd_stray_i,
  input  logic             [   Ports-1:0]      wr_stray_i,
  output logic             [        15:0]      trigger_o,
  output logic             [        31:0]      cycles_o,
  output logic                                 freeze_o,
  output logic                                 clear_o,
  output logic                                 irq_o,
  output logic             [Channels-1:0]      irq_channel_o,
  input  logic                                 start_refused_i,
  output packet_setup_t                        packets_o,
  input  logic             [         3:0]      packet_errors_i,
  output logic             [         3:0]      packet_clear_o,
  // On-chip buffer
  input  onchip_event_t                        onchip_event_i,
  input  logic                                 onchip_injected_i,
  output logic             [         1:0]      onchip_inject_o
);

  localparam bit Headers = Config.Side == 2;
  localparam int unsigned Index = Channels > 1 ? $clog2(Channels) : 1;
  localparam bit Extensions = Config.Lists || Config.Counters;

  // ---- Turns of an access -----------------------------------------------------------------------

  // An access and who answers it are registered first, behind the sweep that clears the memories.
  logic [Index+2:0] sweep_q;
  sweep_t sweep;
  assign sweep = '{valid: !sweep_q[Index+2], channel: channel_t'(sweep_q[Index-1:0])};
  region_t region, region_d;
  channel_word_e word;
  logic [4:0] channel, channel_d;
  bus_request_t request;
  logic valid_q;
  // What the access is; but for the first two, of a channel.
  typedef struct packed {
    logic sets;       // a register is written
    logic partial;    // some bytes of one are
    logic views;      // reads, or takes a record
    logic pops;
    logic pushes;
    logic lacks;      // the build has not what the task wants
    logic causes;
    logic coalesces;
    logic present;
    logic writable;
  } kind_t;
  kind_t kind, kind_d;
  channel_word_e word_d;
  channel_task_t task_d;
  logic of_causes, lacks_d;
  always_ff @(posedge clk_i) begin
    valid_q <= rst_ni && valid_i && !ready_o && !sweep.valid;
    if (!valid_q) begin
      request <= request_i;
      region  <= region_d;
      channel <= channel_d;
      kind    <= kind_d;
    end
    if (!rst_ni || sweep.valid) request.data <= '0;
  end
  assign word = channel_word_e'({1'b0, request.word[6:2]});
  assign word_d = channel_word_e'({1'b0, request_i.word[6:2]});
  assign task_d = channel_task_t'(request_i.data);
  assign of_causes = word_d == ChannelError || word_d == ChannelErrorInfo ||
      word_d == ChannelErrorAddrLow || word_d == ChannelErrorAddrHigh ||
      word_d == ChannelIrqEnable || word_d == ChannelIrqStatus;
  assign lacks_d = ((task_d.trigger || task_d.paced) && !Config.Triggers) ||
      (task_d.token && !Config.Tokens) || (task_d.from_list && !Config.Lists);
  always_comb begin
    kind_d = '{
        sets: request_i.write && request_i.strobe == '1,
        partial: request_i.strobe != '0 && request_i.strobe != '1,
        pops: word_d == ChannelRecordPop,
        pushes: word_d == ChannelTask,
        lacks: lacks_d,
        causes: of_causes,
        coalesces: word_d == ChannelCoalesce,
        present: channel_mapped(word_d),
        writable: channel_writable(word_d),
        default: 1'b0
    };
    if (word_d == ChannelTrigger && !Config.Triggers) {kind_d.present, kind_d.writable} = '0;
    {kind_d.pops, kind_d.pushes} &= {2{kind_d.sets && region_d.channel}};
    kind_d.views = region_d.channel && (!request_i.write || kind_d.pops);
    if (!region_d.channel) {kind_d.causes, kind_d.coalesces} = '0;
  end
  tsr_native_decode #(
    .Reads     (Reads),
    .Writes    (Writes),
    .Locks     (Config.Locks),
    .Windows   (Config.Windows),
    .Extensions(Extensions)
  ) u_decode (
    .word_i   (request_i.word[RegisterBits-1:2]),
    .region_o (region_d),
    .channel_o(channel_d)
  );

  // The view of a channel comes in the third cycle, words of its record in the fourth; a read acts from its
  // second cycle on. `sets` writes a register; a write of no byte does nothing.
  logic write, sets, read, reads, looks, pops, act, views;
  logic [2:0] step_q;
  assign write = valid_q && request.write;
  assign sets  = valid_q && kind.sets;
  assign reads = valid_q && !request.write;
  assign read  = reads && step_q[0];
  assign act   = write || read;
  assign pops  = valid_q && kind.pops;
  assign looks = reads || pops;
  assign views = valid_q && kind.views;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      sweep_q <= '0;
      step_q  <= '0;
    end else begin
      if (sweep.valid) sweep_q <= sweep_q + 1'b1;
      step_q <= {step_q[1:0], 1'b1} & {3{looks && !ready_o}};
    end
  end

  // ---- The whole --------------------------------------------------------------------------------

  global_word_e global_word;
  logic [31:0] global_data;
  logic global_refused, global_absent, done;
  logic [Channels-1:0] errors;
  logic [63:0] cycles, over, under, over_clear, under_clear;
  assign global_word = global_word_e'(request.word[7:2]);
  assign cycles_o    = cycles[31:0];
  tsr_native_global #(
    .Config(Config)
  ) u_global (
    .clk_i,
    .rst_ni,
    .next_i            (!valid_q),
    .next_word_i       (global_word_e'(request_i.word[7:2])),
    .word_i            (global_word),
    .write_i           (sets && region.globals && !global_refused),
    .data_i            (request.data),
    .refused_o         (global_refused),
    .absent_o          (global_absent),
    .read_i            (reads && step_q[1] && region.globals),
    .data_o            (global_data),
    .irq_i             (irq_channel_o),
    .error_i           (errors),
    .lock_over_i       (over),
    .lock_under_i      (under),
    .lock_over_clear_o (over_clear),
    .lock_under_clear_o(under_clear),
    .quiesce_o,
    .tick_o,
    .quiet_i           (rest_i.quiet),
    .timed_out_i       (rest_i.timed_out),
    .misrouted_i,
    .rd_stray_i,
    .wr_stray_i,
    .trigger_o,
    .cycles_o          (cycles),
    .freeze_o,
    .clear_o,
    .irq_o,
    .start_refused_i,
    .packets_o,
    .packet_errors_i,
    .packet_clear_o,
    .onchip_event_i,
    .onchip_injected_i,
    .onchip_inject_o
  );

  // Locks that saturated: sticky, a bit a lock.
  localparam int unsigned Sticky = Config.Locks == 0 ? 1 : Config.Locks;
  logic [Sticky-1:0] over_q, under_q, here;
  always_comb begin
    for (int unsigned i = 0; i < Sticky; i++) here[i] = 32'(lock_report_i.id) == i;
  end
  assign over  = 64'(over_q);
  assign under = 64'(under_q);
  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Sticky; i++) begin
      if (!rst_ni) {over_q[i], under_q[i]} <= '0;
      else begin
        over_q[i]  <= (lock_report_i.over && here[i]) || (over_q[i] && !over_clear[i]);
        under_q[i] <= (lock_report_i.under && here[i]) || (under_q[i] && !under_clear[i]);
      end
    end
  end

  // ---- Channels ---------------------------------------------------------------------------------

  channel_access_t access;
  channel_task_t   task_word;
  logic [31:0] setting_data, cause_data, tag;
  logic setting_refused, ordered, pushes, headed, task_refused, cause_ready, cause_due, cause_q;
  logic [Channels-1:0] work_q, by_id;
  assign access = '{channel: channel, word: word, write: request.write, data: request.data};
  always_comb begin
    for (int unsigned c = 0; c < Channels; c++) begin
      by_id[c] = Headers && c >= Reads && orders_o[c].by_id;
    end
  end
  // The state of channels is of the cycle before: it comes a long way.
  always_ff @(posedge clk_i) begin
    for (int unsigned c = 0; c < Channels; c++) begin
      work_q[c] <= levels_i[c].busy || port_i[c].busy || !levels_i[c].idle || port_i[c].owed;
    end
  end

  tsr_channel_settings #(
    .Channels(Channels),
    .Ports   (2 * Ports + 2),
    .Triggers(Config.Triggers)
  ) u_settings (
    .clk_i,
    .rst_ni,
    .sweep_i     (sweep),
    .sweep_part_i(sweep_q[Index+1:Index]),
    .access_i    (access),
    .write_i     (sets && region.channel),
    .refused_o   (setting_refused),
    .ordered_o   (ordered),
    .data_o      (setting_data),
    .works_i     (work_q),
    .orders_o,
    .weight_o,
    .trigger_select_o,
    .tag_o       (tag),
    .stop_on_channel_i,
    .stop_on_o,
    .attr_channel_i,
    .attr_o,
    .token_channel_i,
    .controller_o
  );

  assign task_word = channel_task_t'(request.data);
  assign pushes = valid_q && kind.pushes;
  assign headed = task_word.from_list && by_id[channel[Index-1:0]];
  // A task is offered once; whether it was taken is known a cycle later, and stays so.
  logic offered_q, taken_q;
  always_ff @(posedge clk_i) begin
    offered_q <= rst_ni && pushes && !ready_o;
    if (!offered_q) taken_q <= program_o.push_valid && program_i.push_ready;
  end
  assign task_refused = pushes && offered_q && !taken_q;
  assign cause_due = act && (task_refused || (kind.causes && read) ||
                               ((kind.causes || kind.coalesces) && kind.sets && kind.writable));
  always_ff @(posedge clk_i) cause_q <= rst_ni && cause_due && !cause_ready;

  logic [Index-1:0] poll;
  poll_view_t poll_view;
  slow_causes_t [Channels-1:0] slow;
  order_state_t [Channels-1:0] order_q;
  logic [Channels-1:0] ordered_q;
  fault_e fault;
  assign poll_view = '{
          full: program_i.sequencer.view.records == 5'(Config.QueueDepth),
          descriptor: program_i.sequencer.view.oldest
      };
  always_comb begin
    for (int unsigned c = 0; c < Channels; c++) begin
      slow[c] = '{
          lock_over:
          lock_report_i.over
          &&
          lock_report_i.by_channel
          && 32'(
          lock_report_i.channel
          ) ==
          c,
          lock_under:
          lock_report_i.under
          &&
          lock_report_i.by_channel
          && 32'(
          lock_report_i.channel
          ) ==
          c,
          entries: entry_i.valid && entry_i.interrupts && 32'(entry_i.channel) == c,
          ordered: ordered_q[c]
      };
    end
  end
  always_ff @(posedge clk_i) begin
    for (int unsigned c = 0; c < Channels; c++) begin
      ordered_q[c] <= ordered && 32'(channel) == c;
      order_q[c] <= '{
          pause: orders_o[c].pause,
          drain: orders_o[c].drain,
          aborts: orders_o[c].aborts,
          reset: orders_o[c].reset,
          paused: orders_o[c].pause && !port_i[c].owed,
          idle: levels_i[c].idle && !port_i[c].owed && !port_i[c].busy,
          in_reset: levels_i[c].in_reset && !port_i[c].failed,
          stuck: port_i[c].stuck,
          faulted: levels_i[c].faulted || port_i[c].faulted
      };
    end
  end
  // What a list reports is an event when there is no other.
  sequencer_event_t event_of_list;
  assign list_refusal_ready_o = !event_valid_i;
  always_comb begin
    event_of_list                   = '0;
    event_of_list.channel           = list_refusal_i.channel;
    event_of_list.descriptor        = list_refusal_i.index[7:0];
    event_of_list.reason            = list_refusal_i.reason;
    event_of_list.addr              = list_refusal_i.addr;
    event_of_list.causes.load       = !list_refusal_i.entry;
    event_of_list.causes.from_list  = !list_refusal_i.entry;
    event_of_list.causes.write_back = list_refusal_i.entry;
  end

  // The view: of a channel that is read or whose record goes, else of the channel in turn.
  logic [Index-1:0] view_q, looked_q;
  always_ff @(posedge clk_i) begin
    view_q   <= views ? channel[Index-1:0] : poll;
    looked_q <= view_q;
  end
  always_comb begin
    fault = FaultNone;
    if (levels_i[looked_q].faulted) fault = FaultRecord;  // of `stop_on`
    if (port_i[looked_q].faulted) fault = port_i[looked_q].fault;
  end
  tsr_channel_causes #(
    .Channels(Channels),
    .Lists   (Config.Lists)
  ) u_causes (
    .clk_i,
    .rst_ni,
    .sweep_i       (sweep),
    .step_i        (cycles[8:4]),
    .access_i      (access),
    .access_valid_i(cause_q),
    .refused_i     (task_refused),
    .ready_o       (cause_ready),
    .data_o        (cause_data),
    .event_i       (event_valid_i ? event_i : event_of_list),
    .event_valid_i (event_valid_i || list_refusal_valid_i),
    .slow_i        (slow),
    .order_i       (order_q),
    .missed_i,
    .missed_clear_o,
    .fault_i       (fault),
    .poll_o        (poll),
    .poll_grant_i  (!views),
    .view_i        (poll_view),
    .entry_i,
    .error_o       (errors),
    .irq_o         (irq_channel_o)
  );

  // ---- Status and record ------------------------------------------------------------------------

  channel_status_given_t status;
  logic [31:0] status_word, status_q, view_data;
  order_state_t standing;
  logic has_record, record;
  logic [4:0] records_q;
  assign standing = order_q[channel[Index-1:0]];
  // Words of a record and the number of records are those of the same cycle.
  always_ff @(posedge clk_i) if (!step_q[2]) records_q <= program_i.sequencer.view.records;
  // That of the cycle of the view.
  always_ff @(posedge clk_i) status_q <= word == ChannelStatus ? status_word : '0;
  assign has_record = program_i.sequencer.view.records != '0;
  always_comb begin
    status = '{
        trigger_missed: missed_i[channel[Index-1:0]],
        room: program_i.sequencer.view.room,
        faulted: standing.faulted,
        halted: program_i.sequencer.view.levels.halted,
        stuck: standing.stuck,
        in_reset: standing.in_reset,
        paused: standing.paused,
        idle: standing.idle,
        running: program_i.sequencer.view.in_task,
        busy: program_i.sequencer.view.levels.busy || port_i[channel[Index-1:0]].busy,
        lock_id: program_i.sequencer.view.lock,
        next_waits: program_i.sequencer.view.next_waits,
        waits: program_i.sequencer.view.waits
    };
    if (program_i.sequencer.view.waits == WaitMemory) begin
      if (standing.pause) status.waits = WaitPause;
      else if (port_i[channel[Index-1:0]].waits) status.waits = WaitStream;
    end
    status_word = {
      2'b0,
      status.trigger_missed,
      status.room,
      status.faulted,
      status.halted,
      status.stuck,
      status.in_reset,
      status.paused,
      status.idle,
      status.running,
      status.busy,
      2'b0,
      status.lock_id,
      status.next_waits,
      status.waits
    };
    // A record is 0 where there is none, and so are the bits of its first word that are not its own.
    record = word >= ChannelRecord && word < ChannelRecordPop && records_q != '0;
    view_data = status_q | (program_i.sequencer.read & {32{record}});
    if (word == ChannelCurrent) view_data |= 32'(program_i.sequencer.view.descriptor);
    if (word == ChannelRecord && record) view_data |= {1'b1, 18'b0, records_q, 8'b0};
  end

  // ---- Others -----------------------------------------------------------------------------------

  logic locks, locks_q, lock_write;
  assign lock_write = write && request.strobe[0];
  assign locks      = (region.count_lock && (lock_write || (read && !request.word[2]))) ||
      (region.try_lock && read);
  // An access comes to the locks a cycle late: from there it is a long way to the launch.
  always_ff @(posedge clk_i) locks_q <= rst_ni && locks && !ready_o;
  always_comb begin
    program_o = '0;
    program_o.push = '{
        channel: channel,
        item: '{
            endless: task_word.endless,
            token: task_word.token,
            trigger: task_word.trigger,
            paced: task_word.paced,
            repeats: task_word.repeats,
            start: task_word.start,
            from_list: task_word.from_list,
            tag: tag
        }
    };
    program_o.push_valid = pushes && !kind.lacks && !headed && !offered_q;
    program_o.sequencer.read_channel = channel;
    program_o.sequencer.read_word = record_word_e'(word[3:0]);
    program_o.sequencer.pop = pops && step_q[1] && has_record;
    program_o.sequencer.view_channel = channel_t'(view_q);
    program_o.sequencer.lock_valid = locks_q;
    program_o.sequencer.lock.command = region.try_lock ? LockTry : LockRead;
    program_o.sequencer.lock.op.id = region.try_lock ? request.word[14:9] : request.word[9:4];
    if (region.try_lock) program_o.sequencer.lock.op.value = lock_amount_t'(request.word[8:2]);
    else if (write) program_o.sequencer.lock.op.value = lock_amount_t'(request.data[6:0]);
    if (write) program_o.sequencer.lock.command = request.word[2] ? LockRelease : LockSet;
    program_o.access_valid      = act && region.memory;
    program_o.access.write      = request.write;
    program_o.access.area       = descriptor_area_e'(request.word[15:14]);
    program_o.access.descriptor = request.word[13:6];
    program_o.access.word       = request.word[5:2];
    program_o.access.data       = request.data;
    program_o.access.strobe     = request.strobe;
    if (program_o.access.area == AreaTurns) begin
      program_o.access.descriptor = request.word[9:2];
      program_o.access.word       = '0;
    end
  end

  assign extension_o         = request;
  assign extension_channel_o = channel;
  assign extension_valid_o   = act && region.extension;
  assign window_valid_o      = act && region.window;

  // ---- The answer -------------------------------------------------------------------------------

  logic write_error, read_error;
  always_comb begin
    done = write || step_q[region.channel?2 : 1];
    if (locks) done = locks_q && program_i.sequencer.lock_ready;
    if (region.memory) done = act && program_i.access_ready;
    if (region.extension) done = act && extension_ready_i;
    if (region.window) done = act && window_ready_i;
    if (pushes) done = offered_q;
    if (cause_due) done = cause_ready;
    if (pops) done = step_q[1];
    ready_o = act && done;

    write_error = region == '0 || (region.globals && (kind.partial || global_refused)) ||
        (region.channel && (kind.partial || !kind.writable || setting_refused || task_refused)) ||
        (pops && !has_record) || (region.count_lock && !request.strobe[0]) || region.try_lock;
    read_error = region == '0 || (region.globals && global_absent) ||
        (region.channel && !kind.present);
    answer_o.error = (write ? write_error : read_error) || (region.memory && program_i.access_error)
        || (region.extension && extension_i.error) || (region.window && window_i.error);
    // Words of registers are 0 where another one is read; others may show anything with an error.
    answer_o.data = global_data | cause_data;
    if (region.channel) answer_o.data |= setting_data | view_data;
    if (region.memory && !program_i.access_error) answer_o.data |= program_i.access_data;
    if (region.extension && !extension_i.error) answer_o.data |= extension_i.data;
    if (region.window && !window_i.error) answer_o.data |= window_i.data;
    if (region.count_lock && !request.word[2]) answer_o.data |= 32'(program_i.sequencer.lock.value);
    if (region.try_lock) answer_o.data |= 32'(program_i.sequencer.lock.granted);
  end

  logic unused_bits;
  assign unused_bits = ^{cycles[63:32], over_clear, under_clear, standing} ^
      ^{task_word.reserved_29, task_d, request.word, list_refusal_i.index[15:8], lock_report_i};

  `TSR_ASSERT(OneAnswers, $onehot0(region))
  `TSR_STABLE(LockStays, program_o.sequencer.lock_valid, program_i.sequencer.lock_ready,
              program_o.sequencer.lock)
  `TSR_STABLE(ExtensionStays, extension_valid_o, extension_ready_i, extension_o.word)

endmodule
