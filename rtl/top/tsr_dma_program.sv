// From registers to transfers, for all channels: what of tessera_dma lies between the register bus and the
// engines.
//
// Wiring only. Contract: arrays over channels hold the read channels first, then the write channels. The
// register bus as tsr_native; transfers and their records as tsr_dma_channel; windows, state and pins as
// tsr_channels; lists, tokens and triggers as the pins of tessera_dma.
`include "tsr_assert.svh"
`include "tsr_list_types.svh"
module tsr_dma_program
  import tsr_pkg::*;
  import tsr_fabric_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_register_pkg::*;
  import tsr_list_pkg::*;
  import tsr_dma_pkg::*;
#(
  parameter  dma_config_t Config       = DmaDefaults,
  localparam int unsigned Reads        = Config.Reads,
  localparam int unsigned Writes       = Config.Writes,
  localparam int unsigned Ports        = Config.Ports,
  localparam int unsigned Channels     = Reads + Writes,
  localparam int unsigned WindowPlaces = Config.Windows == 0 ? 1 : Config.Windows,
  localparam type         list_ax_t    = `TSR_LIST_AX_T(Config.AddrWidth),
  localparam type         list_req_t   = `TSR_LIST_REQ_T(list_ax_t, Config.ListWidth),
  localparam type         list_rsp_t   = `TSR_LIST_RSP_T(Config.ListWidth)
) (
  input logic clk_i,
  input logic rst_ni,
  // The register bus.
  input bus_request_t request_i,
  input logic valid_i,
  output logic ready_o,
  output bus_answer_t answer_o,
  input logic start_refused_i,
  output packet_setup_t packets_o,
  input logic [3:0] packet_errors_i,
  output logic [3:0] packet_clear_o,
  // Engines.
  output channel_setup_t [Channels-1:0] setup_o,
  output channel_request_t [Channels-1:0] asked_o,
  output transfer_t [Channels-1:0] transfer_o,
  output logic [Channels-1:0] valid_o,
  input logic [Channels-1:0] ready_i,
  output header_request_t [Channels-1:0] header_o,
  output side_t [Channels-1:0] side_o,
  input done_t [Channels-1:0] done_i,
  input side_t [Writes-1:0] done_side_i,
  input logic [Channels-1:0] done_valid_i,
  output logic [Channels-1:0] done_ready_o,
  input channel_state_t [Channels-1:0] state_i,
  input logic [Channels-1:0] idle_i,
  input logic [Channels-1:0] denied_i,
  output receive_control_t [Writes-1:0] receive_o,
  input receive_state_t [Writes-1:0] receive_i,
  output logic [Writes-1:0] id_take_o,
  output logic quiesce_o,
  output logic tick_o,  // the cycle counts for time-outs
  input logic quiet_i,
  input logic timed_out_i,
  input logic misrouted_i,
  input logic [Ports-1:0] rd_stray_i,
  input logic [Ports-1:0] wr_stray_i,
  input stream_events_t [Channels-1:0] stream_i,
  input bus_events_t [Channels-1:0] bus_i,
  // Windows.
  output window_set_t window_set_o,
  input logic window_refused_i,
  input window_t [Channels-1:0][WindowPlaces-1:0] window_i,
  // Triggers, events, tokens, interrupts.
  input logic [15:0] pins_i,
  output logic [Channels-1:0] event_transfer_o,
  output logic [Channels-1:0] event_task_o,
  output logic [31:0] token_tdata_o,
  output logic token_tlast_o,
  output logic token_tvalid_o,
  input logic token_tready_i,
  output logic irq_o,
  output logic [Channels-1:0] irq_channel_o,
  // Memory of the lists.
  output list_req_t list_o,
  input list_rsp_t list_i
);

  localparam features_t Features = Config.Features;
  // ---- Registers --------------------------------------------------------------------------------

  channel_view_t [Channels-1:0] view;
  task_t task_word;
  record_t [Channels-1:0] record;
  logic [Channels-1:0][4:0] record_level;
  channel_events_t [Channels-1:0] events;
  error_report_t [Channels-1:0] report;
  logic [Channels-1:0] task_valid, task_ready, record_pop, report_valid, report_ready;
  logic [Channels-1:0] missed_clear;
  bus_request_t extension_request;
  logic [4:0] extension_channel;
  logic extension_valid, extension_ready;
  bus_answer_t  extension_answer;
  lock_access_t lock_access;
  lock_answer_t lock_answer;
  logic lock_valid, lock_ready;
  logic [63:0] over, under, over_clear, under_clear;
  descriptor_access_t access;
  logic access_valid, access_ready, access_error, freeze, counters_clear;
  logic [31:0] access_data, cycles;
  logic [15:0] soft_trigger;
  rest_t lists_rest;

  tsr_native #(
    .Config(Config)
  ) u_registers (
    .clk_i,
    .rst_ni,
    .request_i,
    .valid_i,
    .ready_o,
    .answer_o,
    .setup_o            (setup_o),
    .task_o             (task_word),
    .task_valid_o       (task_valid),
    .task_ready_i       (task_ready),
    .view_i             (view),
    .record_i           (record),
    .record_level_i     (record_level),
    .record_pop_o       (record_pop),
    .events_i           (events),
    .report_i           (report),
    .report_valid_i     (report_valid),
    .report_ready_o     (report_ready),
    .missed_clear_o     (missed_clear),
    .extension_request_o(extension_request),
    .extension_valid_o  (extension_valid),
    .extension_channel_o(extension_channel),
    .extension_ready_i  (extension_ready),
    .extension_answer_i (extension_answer),
    .lock_o             (lock_access),
    .lock_valid_o       (lock_valid),
    .lock_ready_i       (lock_ready),
    .lock_answer_i      (lock_answer),
    .lock_over_i        (over),
    .lock_under_i       (under),
    .lock_over_clear_o  (over_clear),
    .lock_under_clear_o (under_clear),
    .access_o           (access),
    .access_valid_o     (access_valid),
    .access_ready_i     (access_ready),
    .access_error_i     (access_error),
    .access_data_i      (access_data),
    .window_set_o,
    .window_refused_i   (window_refused_i),
    .quiesce_o          (quiesce_o),
    .tick_o             (tick_o),
    .quiet_i            (quiet_i && (lists_rest.quiet || !Features.lists)),
    .timed_out_i        (timed_out_i || lists_rest.timed_out),
    .misrouted_i,
    .rd_stray_i         (rd_stray_i),
    .wr_stray_i         (wr_stray_i),
    .trigger_o          (soft_trigger),
    .cycles_o           (cycles),
    .freeze_o           (freeze),
    .clear_o            (counters_clear),
    .irq_o              (irq_o),
    .irq_channel_o      (irq_channel_o),
    .start_refused_i,
    .packets_o,
    .packet_errors_i,
    .packet_clear_o
  );
  // ---- Descriptors ------------------------------------------------------------------------------

  load_request_t [Channels-1:0] request;
  logic [Channels-1:0] request_valid, request_ready, loaded_valid, in_reset, give_up;
  loaded_t loaded;
  transfer_t loaded_transfer;
  logic [63:0] loaded_addr;
  logic [Channels-1:0] list_open, list_again, listed_valid, listed_ready;
  list_told_t  [Channels-1:0] list_told;
  list_state_t [Channels-1:0] list_state;
  list_done_t  [Channels-1:0] listed;
  logic at_lists, lists_ready, counters_ready;
  bus_answer_t lists_answer, counters_answer;

  axi_attr_t [Channels-1:0] attr;

  // The port of the lists comes to rest with those of the channels.
  logic quiesce_lists, lists_idle, lists_move;
  assign lists_move = (list_o.ar_valid && list_i.ar_ready) || list_i.r_valid ||
      (list_o.aw_valid && list_i.aw_ready) || (list_o.w_valid && list_i.w_ready) || list_i.b_valid;
  tsr_quiesce #(
    .Channels(1),
    .Patience(Config.Silence),
    .Control (Features.lists)
  ) u_lists_rest (
    .clk_i,
    .rst_ni,
    .tick_i   (tick_o),
    .request_i(quiesce_o),
    .quiesce_o(quiesce_lists),
    .rest_o   (lists_rest),
    .idle_i   (lists_idle),
    .moves_i  (lists_move)
  );

  // Registers of a channel from 0x80 on are those of its list, from 0xc0 on its counters.
  assign at_lists         = extension_request.word[7:6] == 2'b10;
  assign extension_ready  = at_lists ? lists_ready : counters_ready;
  assign extension_answer = at_lists ? lists_answer : counters_answer;

  tsr_descriptors #(
    .Channels   (Channels),
    .Descriptors(Config.Descriptors),
    .Dealt      (Features.dealt),
    .Locks      (Config.Locks),
    .AddrWidth  (Config.AddrWidth),
    .DataWidth  (Config.DataWidth),
    .Walk       (Features.walk),
    .Bounds     (Features.bounds),
    .Headers    (Features.packet_headers),
    .Side       (Features.side),
    .Lists      (Features.lists),
    .Early      (Config.Slots == 1),
    .ListWidth  (Config.ListWidth),
    .ListSlots  (Config.ListSlots),
    .Guard      (Features.guard),
    .Silence    (Config.Silence),
    .Windows    (Config.Windows)
  ) u_descriptors (
    .clk_i,
    .rst_ni,
    .tick_i        (tick_o),
    .give_up_i     (give_up),
    .quiesce_i     (quiesce_lists),
    .rests_o       (lists_idle),
    .access_i      (access),
    .access_valid_i(access_valid),
    .access_ready_o(access_ready),
    .access_error_o(access_error),
    .access_data_o (access_data),
    .request_i     (extension_request),
    .valid_i       (extension_valid && at_lists),
    .channel_i     (extension_channel),
    .ready_o       (lists_ready),
    .answer_o      (lists_answer),
    .load_i        (request),
    .load_valid_i  (request_valid),
    .guess_i       (task_word.start),
    .guess_valid_i (valid_i && request_i.write),
    .load_ready_o  (request_ready),
    .loaded_o      (loaded),
    .transfer_o    (loaded_transfer),
    .loaded_valid_o(loaded_valid),
    .loaded_addr_o (loaded_addr),
    .attr_i        (attr),
    .window_i,
    .clear_i       (in_reset),
    .list_open_i   (list_open),
    .list_again_i  (list_again),
    .list_state_o  (list_state),
    .list_told_o   (list_told),
    .listed_i      (listed),
    .listed_valid_i(listed_valid),
    .listed_ready_o(listed_ready),
    .memory_o      (list_o),
    .memory_i      (list_i)
  );

  // ---- Locks ------------------------------------------------------------------------------------

  lock_op_t [Channels-1:0] acquire, drop;
  logic [Channels-1:0] acquire_valid, acquire_ready, drop_valid, drop_ready, drop_over, drop_under;

  lock_change_t unused_change;
  tsr_locks #(
    .Channels  (Channels),
    .Locks     (Config.Locks),
    .EqualTakes(Features.equal_takes)
  ) u_locks (
    .clk_i,
    .rst_ni,
    .acquire_i      (acquire),
    .acquire_valid_i(acquire_valid),
    .acquire_ready_o(acquire_ready),
    .release_i      (drop),
    .release_valid_i(drop_valid),
    .release_ready_o(drop_ready),
    .release_over_o (drop_over),
    .release_under_o(drop_under),
    .reg_i          (lock_access),
    .reg_valid_i    (lock_valid),
    .reg_ready_o    (lock_ready),
    .reg_answer_o   (lock_answer),
    .change_o       (unused_change),
    .over_o         (over),
    .under_o        (under),
    .over_clear_i   (over_clear),
    .under_clear_i  (under_clear)
  );

  // ---- Triggers and tokens ----------------------------------------------------------------------

  logic [Channels-1:0]
      trigger,
      trigger_take,
      missed,
      finished,
      delivered,
      tasks_done,
      token_valid,
      token_ready,
      forgets;
  trigger_select_t [Channels-1:0] trigger_select;
  logic [Channels-1:0][7:0] controller;
  for (genvar c = 0; c < Channels; c++) begin : gen_levels
    assign trigger_select[c] = setup_o[c].trigger_select;
    assign controller[c]     = setup_o[c].controller;
    assign tasks_done[c]     = events[c].task_done;
    assign in_reset[c]       = state_i[c].in_reset;
    assign attr[c]           = setup_o[c].attr;
    assign give_up[c]        = setup_o[c].control.reset && setup_o[c].control.give_up;
  end

  logic [Channels-1:0] mark;

  tsr_events #(
    .Reads        (Reads),
    .Writes       (Writes),
    .Triggers     (Features.triggers),
    .TriggerStages(Config.TriggerStages),
    .Tokens       (Features.tokens),
    .Column       (Config.Column),
    .Row          (Config.Row)
  ) u_events (
    .clk_i,
    .rst_ni,
    .pins_i,
    .mark_i        (mark),
    .software_i    (soft_trigger),
    .finished_i    (delivered),
    .task_done_i   (tasks_done),
    .clear_i       (in_reset | forgets),
    .select_i      (trigger_select),
    .controller_i  (controller),
    .trigger_o     (trigger),
    .trigger_take_i(trigger_take),
    .missed_o      (missed),
    .missed_clear_i(missed_clear),
    .token_valid_i (token_valid),
    .token_ready_o (token_ready),
    .event_transfer_o,
    .event_task_o,
    .tdata_o       (token_tdata_o),
    .tlast_o       (token_tlast_o),
    .tvalid_o      (token_tvalid_o),
    .tready_i      (token_tready_i)
  );

  // ---- Channels ---------------------------------------------------------------------------------

  for (genvar c = 0; c < Channels; c++) begin : gen_channel
    localparam bit Receives = c >= Reads;
    side_t done_side;
    receive_control_t receive;
    receive_state_t receive_state;
    logic id_take, stream_waits;

    tsr_dma_channel #(
      .TaskDepth  (Config.TaskDepth),
      .RecordDepth(Config.RecordDepth),
      .Slots      (Config.Slots),
      .Lists      (Features.lists),
      .EqualTakes (Features.equal_takes),
      .ById       (Receives && Features.out_of_order),
      .Marks      (Receives && Features.side && Features.triggers),
      .TakesSide  (Receives && Features.side)
    ) u_channel (
      .clk_i,
      .rst_ni,
      .cycles_i        (cycles),
      .setup_i         (setup_o[c]),
      .asked_o         (asked_o[c]),
      .view_o          (view[c]),
      .task_i          (task_word),
      .task_valid_i    (task_valid[c]),
      .task_ready_o    (task_ready[c]),
      .record_o        (record[c]),
      .record_level_o  (record_level[c]),
      .record_pop_i    (record_pop[c]),
      .events_o        (events[c]),
      .report_o        (report[c]),
      .report_valid_o  (report_valid[c]),
      .report_ready_i  (report_ready[c]),
      .trigger_i       (trigger[c]),
      .trigger_missed_i(missed[c]),
      .trigger_take_o  (trigger_take[c]),
      .finished_o      (finished[c]),
      .delivered_o     (delivered[c]),
      .request_o       (request[c]),
      .request_valid_o (request_valid[c]),
      .request_ready_i (request_ready[c]),
      .loaded_i        (loaded),
      .transfer_i      (loaded_transfer),
      .loaded_valid_i  (loaded_valid[c]),
      .loaded_addr_i   (loaded_addr),
      .acquire_o       (acquire[c]),
      .acquire_valid_o (acquire_valid[c]),
      .acquire_ready_i (acquire_ready[c]),
      .release_o       (drop[c]),
      .release_valid_o (drop_valid[c]),
      .release_ready_i (drop_ready[c]),
      .release_over_i  (drop_over[c]),
      .release_under_i (drop_under[c]),
      .token_valid_o   (token_valid[c]),
      .token_ready_i   (token_ready[c]),
      .list_open_o     (list_open[c]),
      .list_again_o    (list_again[c]),
      .list_state_i    (list_state[c]),
      .list_told_i     (list_told[c]),
      .listed_o        (listed[c]),
      .listed_valid_o  (listed_valid[c]),
      .listed_ready_i  (listed_ready[c]),
      .transfer_o      (transfer_o[c]),
      .header_o        (header_o[c]),
      .side_o          (side_o[c]),
      .valid_o         (valid_o[c]),
      .ready_i         (ready_i[c]),
      .done_i          (done_i[c]),
      .done_side_i     (done_side),
      .done_valid_i    (done_valid_i[c]),
      .done_ready_o    (done_ready_o[c]),
      .idle_i          (idle_i[c]),
      .denied_i        (denied_i[c]),
      .state_i         (state_i[c]),
      .stream_waits_i  (stream_waits),
      .receive_o       (receive),
      .receive_i       (receive_state),
      .id_take_o       (id_take)
    );

    if (Receives) begin : gen_receives
      assign receive_o[c-Reads] = receive;
      assign id_take_o[c-Reads] = id_take;
      assign receive_state      = receive_i[c-Reads];
      assign done_side          = done_side_i[c-Reads];
      assign stream_waits       = stream_i[c].ready && !stream_i[c].valid && !state_i[c].owed;
      assign mark[c]            = receive_state.mark;
      assign forgets[c]         = receive.restart;
    end else begin : gen_sends
      logic unused_receive;
      assign unused_receive = ^{receive, id_take};
      assign receive_state  = '0;
      assign done_side      = '0;
      assign stream_waits   = stream_i[c].valid && !stream_i[c].ready;
      assign mark[c]        = 1'b0;
      assign forgets[c]     = 1'b0;
    end
  end

  // ---- Counters ---------------------------------------------------------------------------------

  activity_t [Channels-1:0] activity;
  for (genvar c = 0; c < Channels; c++) begin : gen_activity
    assign activity[c] = '{
            busy: view[c].busy,
            running: !state_i[c].idle,
            lock: view[c].waits == WaitLock,
            transfer: finished[c]
        };
  end

  tsr_counter_bank #(
    .Enable(Features.counters),
    .Reads (Reads),
    .Writes(Writes)
  ) u_counters (
    .clk_i,
    .rst_ni,
    .request_i (extension_request),
    .valid_i   (extension_valid && !at_lists),
    .channel_i (extension_channel),
    .ready_o   (counters_ready),
    .answer_o  (counters_answer),
    .freeze_i  (freeze),
    .clear_i   (counters_clear),
    .cycles_i  (cycles),
    .activity_i(activity),
    .stream_i,
    .bus_i
  );

  `TSR_ASSERT(OneTaskIsPushed, $onehot0(task_valid))

endmodule
