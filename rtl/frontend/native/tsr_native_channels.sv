// The registers of all channels: one block a channel, and what lies in tables for all of them.
//
// Contract: one access at a time, answered in its cycle. `write_i` writes `word_i` of `channel_i` unless
// `write_error_o`: the word is not there or read-only, a byte that it needs is missing, it is locked, the
// queue of tasks is full, the task asks for a trigger, a token or a list that the build does not have, or for
// the list of a channel whose descriptors headers choose, or there is no record to pop. Reads go through ports of their
// own. Each channel is polled (`cycles_i`) for errors and records; see tsr_native_errors and tsr_native_coalesce.
// Latency: 0 cycles; a push shows in the cycle of its write. Throughput: one access a cycle.
`include "tsr_assert.svh"
module tsr_native_channels
  import tsr_channel_pkg::*;
  import tsr_register_pkg::*;
  import tsr_registers_pkg::*;
#(
  parameter  int unsigned Channels    = 2,                // 2..32
  parameter  int unsigned Reads       = 1,                // of them; they come first
  parameter  int unsigned TaskDepth   = 4,
  parameter  int unsigned RecordDepth = 8,
  parameter  bit          Triggers    = 1'b1,
  parameter  bit          Tokens      = 1'b1,
  parameter  bit          Lists       = 1'b1,
  parameter  bit          OutOfOrder  = 1'b1,             // headers may choose descriptors
  localparam int unsigned IndexWidth  = $clog2(Channels)
) (
  input  logic                                  clk_i,
  input  logic                                  rst_ni,
  input  logic                                  clear_i,         // tables, for a round of cycles
  input  logic            [           5:0]      cycles_i,
  input  logic            [IndexWidth-1:0]      channel_i,
  input  channel_word_e                         word_i,
  input  logic                                  write_i,
  input  logic            [          31:0]      data_i,
  input  logic            [           3:0]      strobe_i,
  input  logic            [          31:0]      mask_i,
  output logic                                  write_error_o,
  input  logic            [IndexWidth-1:0]      read_channel_i,
  input  channel_word_e                         read_word_i,
  input  logic                                  read_i,
  output logic            [          31:0]      data_o,          // 0 unless `read_i`
  output channel_setup_t  [  Channels-1:0]      setup_o,
  output task_t                                 task_o,
  output logic            [  Channels-1:0]      task_valid_o,
  input  logic            [  Channels-1:0]      task_ready_i,
  input  channel_view_t   [  Channels-1:0]      view_i,
  input  record_t         [  Channels-1:0]      record_i,
  input  logic            [  Channels-1:0][4:0] record_level_i,
  output logic            [  Channels-1:0]      record_pop_o,
  input  channel_events_t [  Channels-1:0]      events_i,
  input  error_report_t   [  Channels-1:0]      report_i,
  input  logic            [  Channels-1:0]      report_valid_i,
  output logic            [  Channels-1:0]      report_ready_o,
  output logic            [  Channels-1:0]      missed_clear_o,
  output logic            [  Channels-1:0]      error_o,
  output logic            [  Channels-1:0]      irq_o
);

  // Numbers of polls that are no channel's go to channel 0.
  logic [IndexWidth-1:0] turn, poll;
  logic visit;
  assign turn  = cycles_i[IndexWidth-1:0];
  assign poll  = 32'(turn) < Channels ? turn : '0;
  assign visit = 32'(cycles_i) < Channels;

  // ---- Writes -----------------------------------------------------------------------------------

  logic [Channels-1:0] here, locked, records, refused, by_id;
  logic task_full, task_lacks, task_mixes, task_refused, no_record, write;
  channel_task_t pushed;

  for (genvar c = 0; c < Channels; c++) begin : gen_select
    assign here[c]    = channel_i == IndexWidth'(c);
    assign records[c] = record_level_i[c] != '0;
    assign by_id[c]   = OutOfOrder && c >= Reads && setup_o[c].by_id;
  end

  assign pushed = channel_task_t'(data_i);
  assign task_full = (here & task_ready_i) == '0;
  assign task_lacks = ((pushed.trigger || pushed.paced) && !Triggers) || (pushed.token && !Tokens)
      || (pushed.from_list && !Lists);
  assign task_mixes = pushed.from_list && (here & by_id) != '0;
  assign task_refused = word_i == ChannelTask && (task_full || task_lacks || task_mixes);
  assign no_record = word_i == ChannelRecordPop && (here & records) == '0;
  assign write_error_o = !channel_writable(
      word_i
  ) || (word_i == ChannelTrigger && !Triggers) || (channel_needs(
      word_i
  ) & ~strobe_i) != '0 || (here & locked) != '0 || task_refused || no_record;
  assign write = write_i && !write_error_o;
  assign refused = here & {Channels{write_i && task_refused && strobe_i == '1}};

  assign task_valid_o = here & {Channels{write && word_i == ChannelTask}};
  assign record_pop_o = here & {Channels{write && word_i == ChannelRecordPop && strobe_i != '0}};

  // ---- Tables -----------------------------------------------------------------------------------

  logic [31:0] tag, unused_merged, unused_look;
  tsr_word_table #(
    .Depth(Channels),
    .Width(32)
  ) u_tags (
    .clk_i,
    .rst_ni,
    .clear_i,
    .index_i (clear_i ? turn : channel_i),
    .write_i (write && word_i == ChannelTag && !clear_i),
    .data_i,
    .mask_i,
    .data_o  (tag),
    .merged_o(unused_merged),
    .look_i  (channel_i),
    .look_o  (unused_look)
  );

  assign task_o = '{
          endless: pushed.endless,
          token: pushed.token,
          trigger: pushed.trigger,
          paced: pushed.paced,
          repeats: pushed.repeats,
          start: pushed.start,
          from_list: pushed.from_list,
          tag: tag
      };

  logic [Channels-1:0]
      record_events, records_full, due, causes_none, entry_events, told_events, late;
  channel_coalesce_t coalesce;
  tsr_native_coalesce #(
    .Channels(Channels),
    .Entries (Lists)
  ) u_coalesce (
    .clk_i,
    .rst_ni,
    .record_i (record_events),
    .full_i   (records_full),
    .due_o    (due),
    .entry_i  (entry_events),
    .told_i   (told_events),
    .late_o   (late),
    .poll_i   (poll),
    .visit_i  (visit),
    .clear_i,
    .channel_i,
    .write_i  (write && word_i == ChannelCoalesce),
    .data_i,
    .mask_i,
    .setting_o(coalesce)
  );

  error_causes_t [Channels-1:0] causes;
  channel_error_info_t info;
  logic [63:0] addr;
  logic known, placed;
  assign causes_none = ~error_o;
  tsr_native_errors #(
    .Channels(Channels)
  ) u_errors (
    .clk_i,
    .rst_ni,
    .poll_i   (poll),
    .view_i,
    .report_i,
    .report_valid_i,
    .report_ready_o,
    .causes_o (causes),
    .none_i   (causes_none),
    .channel_i(read_channel_i),
    .known_o  (known),
    .placed_o (placed),
    .info_o   (info),
    .addr_o   (addr)
  );

  // ---- One block a channel ----------------------------------------------------------------------

  logic [Channels-1:0][31:0] data;
  for (genvar c = 0; c < Channels; c++) begin : gen_channel
    assign record_events[c] = events_i[c].record;
    assign entry_events[c]  = events_i[c].entry;
    assign told_events[c]   = events_i[c].entries || view_i[c].state.in_reset;
    assign records_full[c]  = record_level_i[c] == 5'(RecordDepth);
    tsr_native_channel #(
      .TaskDepth(TaskDepth)
    ) u_channel (
      .clk_i,
      .rst_ni,
      .word_i,
      .write_i       (write && here[c]),
      .data_i,
      .strobe_i,
      .locked_o      (locked[c]),
      .read_word_i,
      .read_i        (read_i && read_channel_i == IndexWidth'(c)),
      .data_o        (data[c]),
      .setup_o       (setup_o[c]),
      .view_i        (view_i[c]),
      .record_i      (record_i[c]),
      .record_level_i(record_level_i[c]),
      .events_i      (events_i[c]),
      .causes_i      (causes[c]),
      .records_due_i (due[c]),
      .entries_late_i(late[c]),
      .refused_i     (refused[c]),
      .missed_clear_o(missed_clear_o[c]),
      .error_o       (error_o[c]),
      .irq_o         (irq_o[c])
    );
  end

  logic [31:0] table_data;
  always_comb begin
    case (read_word_i)
      ChannelTag:      table_data = tag;
      ChannelCoalesce: table_data = coalesce;
      default:         table_data = '0;
    endcase
    if (known && read_word_i == ChannelErrorInfo) table_data = info;
    if (placed && read_word_i == ChannelErrorAddrLow) table_data = addr[31:0];
    if (placed && read_word_i == ChannelErrorAddrHigh) table_data = addr[63:32];
    data_o = read_i ? table_data : '0;
    for (int unsigned c = 0; c < Channels; c++) data_o |= data[c];
  end

  logic unused_pushed;
  assign unused_pushed = ^pushed.reserved_29;

  `TSR_ASSERT(PushHasRoom, (task_valid_o & ~task_ready_i) == '0)
  `TSR_ASSERT(PopHasRecord, (record_pop_o & ~records) == '0)

endmodule
