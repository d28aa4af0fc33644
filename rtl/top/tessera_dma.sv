// Tessera as an IP: read and write channels that software programs, between AXI4 memory and AXI4-Streams.
//
// Wiring only. Pins are flat vectors: stream i of the read channels is slice i of m_axis_*, port p of the
// memory slice p of m_axi_*. What software sees: docs/programming.md; what parameters cost and how to
// choose them: docs/fabric.md and docs/dma.md.
`include "tsr_assert.svh"
module tessera_dma
  import tsr_pkg::*;
  import tsr_fabric_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_register_pkg::*;
  import tsr_list_pkg::*;
#(
  parameter int unsigned Reads = 1,  // 1..16
  parameter int unsigned Writes = 1,  // 1..16
  parameter int unsigned Ports = 1,  // divides Reads and Writes
  parameter int unsigned AddrWidth = 64,  // 32..64
  parameter int unsigned DataWidth = 64,  // 32..1024, a power of two
  parameter int unsigned StreamWidth = 64,  // 8..1024, a power of two
  parameter int unsigned MaxBurst = 64,  // beats in one burst, 1..256
  parameter int unsigned Outstanding = 64,  // bursts of a channel in flight, 1..128
  parameter int unsigned RoomBeats = 256,  // read data that a channel can hold
  parameter int unsigned StoreBeats = 256,  // write data that a channel can hold
  parameter int unsigned FlightBeats = 256,  // read data asked for on a port
  parameter int unsigned AheadBursts = 2,
  parameter int unsigned FlightBursts = 64,
  parameter bit OneId = 1'b0,
  parameter bit Cut = 1'b0,
  parameter bit Guard = 1'b1,
  parameter int unsigned Silence = 4096,
  parameter int unsigned StreamSilence = 0,
  parameter int unsigned Windows = 0,  // of a channel, 0..16; 0: everything is permitted
  parameter bit Walk = 1'b1,
  parameter bit Bounds = 1'b1,
  parameter int unsigned Descriptors = 16,  // 1..256
  parameter bit Dealt = 1'b0,  // a channel has its part of them, and no other
  parameter int unsigned TaskDepth = 4,  // a power of two, 2..16
  parameter int unsigned RecordDepth = 8,  // a power of two, 2..16
  parameter int unsigned Slots = 1,  // transfers loaded ahead of an engine, a power of two
  parameter int unsigned Locks = 16,  // 0..64
  parameter bit EqualTakes = 1'b0,
  parameter bit Lists = 1'b0,  // descriptors in memory, through m_axi_list
  parameter int unsigned ListWidth = 64,  // of m_axi_list, 64..512
  parameter int unsigned ListSlots = 8,  // parts of 64 bytes that a channel fetches ahead
  parameter bit Triggers = 1'b0,
  parameter int unsigned TriggerStages = 2,  // synchronisers of trigger_in, 0: of this clock
  parameter bit Tokens = 1'b0,  // task-complete tokens on m_axis_token
  parameter logic [6:0] Column = '0,  // of tokens: where the IP stands
  parameter logic [4:0] Row = '0,
  parameter int unsigned IdWidth = 4,
  localparam int unsigned Channels = Reads + Writes,
  localparam int unsigned DataBytes = DataWidth / 8,
  localparam int unsigned StreamBytes = StreamWidth < 8 ? 1 : StreamWidth / 8
) (
  input  logic                          aclk,
  input  logic                          aresetn,
  // Registers.
  input  logic [      RegisterBits-1:0] s_axil_awaddr,
  input  logic [                   2:0] s_axil_awprot,
  input  logic                          s_axil_awvalid,
  output logic                          s_axil_awready,
  input  logic [                  31:0] s_axil_wdata,
  input  logic [                   3:0] s_axil_wstrb,
  input  logic                          s_axil_wvalid,
  output logic                          s_axil_wready,
  output logic [                   1:0] s_axil_bresp,
  output logic                          s_axil_bvalid,
  input  logic                          s_axil_bready,
  input  logic [      RegisterBits-1:0] s_axil_araddr,
  input  logic [                   2:0] s_axil_arprot,
  input  logic                          s_axil_arvalid,
  output logic                          s_axil_arready,
  output logic [                  31:0] s_axil_rdata,
  output logic [                   1:0] s_axil_rresp,
  output logic                          s_axil_rvalid,
  input  logic                          s_axil_rready,
  // Memory. ARSIZE and AWSIZE are the full width, ARBURST and AWBURST are INCR.
  output logic [     Ports*IdWidth-1:0] m_axi_arid,
  output logic [   Ports*AddrWidth-1:0] m_axi_araddr,
  output logic [           Ports*8-1:0] m_axi_arlen,
  output logic [           Ports*3-1:0] m_axi_arsize,
  output logic [           Ports*2-1:0] m_axi_arburst,
  output logic [           Ports*4-1:0] m_axi_arcache,
  output logic [           Ports*3-1:0] m_axi_arprot,
  output logic [           Ports*4-1:0] m_axi_arqos,
  output logic [             Ports-1:0] m_axi_arvalid,
  input  logic [             Ports-1:0] m_axi_arready,
  input  logic [     Ports*IdWidth-1:0] m_axi_rid,
  input  logic [   Ports*DataWidth-1:0] m_axi_rdata,
  input  logic [           Ports*2-1:0] m_axi_rresp,
  input  logic [             Ports-1:0] m_axi_rlast,
  input  logic [             Ports-1:0] m_axi_rvalid,
  output logic [             Ports-1:0] m_axi_rready,
  output logic [     Ports*IdWidth-1:0] m_axi_awid,
  output logic [   Ports*AddrWidth-1:0] m_axi_awaddr,
  output logic [           Ports*8-1:0] m_axi_awlen,
  output logic [           Ports*3-1:0] m_axi_awsize,
  output logic [           Ports*2-1:0] m_axi_awburst,
  output logic [           Ports*4-1:0] m_axi_awcache,
  output logic [           Ports*3-1:0] m_axi_awprot,
  output logic [           Ports*4-1:0] m_axi_awqos,
  output logic [             Ports-1:0] m_axi_awvalid,
  input  logic [             Ports-1:0] m_axi_awready,
  output logic [   Ports*DataWidth-1:0] m_axi_wdata,
  output logic [   Ports*DataBytes-1:0] m_axi_wstrb,
  output logic [             Ports-1:0] m_axi_wlast,
  output logic [             Ports-1:0] m_axi_wvalid,
  input  logic [             Ports-1:0] m_axi_wready,
  input  logic [     Ports*IdWidth-1:0] m_axi_bid,
  input  logic [           Ports*2-1:0] m_axi_bresp,
  input  logic [             Ports-1:0] m_axi_bvalid,
  output logic [             Ports-1:0] m_axi_bready,
  // Lists of descriptors, and their completion entries.
  output logic [         AddrWidth-1:0] m_axi_list_araddr,
  output logic [                   7:0] m_axi_list_arlen,
  output logic [                   2:0] m_axi_list_arsize,
  output logic [                   1:0] m_axi_list_arburst,
  output logic                          m_axi_list_arvalid,
  input  logic                          m_axi_list_arready,
  input  logic [         ListWidth-1:0] m_axi_list_rdata,
  input  logic [                   1:0] m_axi_list_rresp,
  input  logic                          m_axi_list_rlast,
  input  logic                          m_axi_list_rvalid,
  output logic                          m_axi_list_rready,
  output logic [         AddrWidth-1:0] m_axi_list_awaddr,
  output logic [                   7:0] m_axi_list_awlen,
  output logic [                   2:0] m_axi_list_awsize,
  output logic [                   1:0] m_axi_list_awburst,
  output logic                          m_axi_list_awvalid,
  input  logic                          m_axi_list_awready,
  output logic [         ListWidth-1:0] m_axi_list_wdata,
  output logic [       ListWidth/8-1:0] m_axi_list_wstrb,
  output logic                          m_axi_list_wlast,
  output logic                          m_axi_list_wvalid,
  input  logic                          m_axi_list_wready,
  input  logic [                   1:0] m_axi_list_bresp,
  input  logic                          m_axi_list_bvalid,
  output logic                          m_axi_list_bready,
  // Streams.
  output logic [ Reads*StreamWidth-1:0] m_axis_tdata,
  output logic [ Reads*StreamBytes-1:0] m_axis_tkeep,
  output logic [             Reads-1:0] m_axis_tlast,
  output logic [             Reads-1:0] m_axis_tvalid,
  input  logic [             Reads-1:0] m_axis_tready,
  input  logic [Writes*StreamWidth-1:0] s_axis_tdata,
  input  logic [Writes*StreamBytes-1:0] s_axis_tkeep,
  input  logic [            Writes-1:0] s_axis_tlast,
  input  logic [            Writes-1:0] s_axis_tvalid,
  output logic [            Writes-1:0] s_axis_tready,
  // Tokens: packets of one word.
  output logic [                  31:0] m_axis_token_tdata,
  output logic                          m_axis_token_tlast,
  output logic                          m_axis_token_tvalid,
  input  logic                          m_axis_token_tready,
  // Triggers, and what happened in each channel, reads first: a transfer, a task is done.
  input  logic [                  15:0] trigger_in,
  output logic [          Channels-1:0] event_transfer,
  output logic [          Channels-1:0] event_task,
  // Interrupts: of everything, and of each channel, reads first.
  output logic                          irq,
  output logic [          Channels-1:0] irq_channel
);

  localparam features_t Features = '{
      equal_takes: EqualTakes,
      guard: Guard,
      lists: Lists,
      tokens: Tokens,
      triggers: Triggers,
      bounds: Bounds,
      walk: Walk,
      default: '0
  };

  `TSR_STATIC_ASSERT(TaskDepth, TaskDepth >= 2 && TaskDepth <= 16 && $onehot(TaskDepth),
                     ("TaskDepth = %0d; legal is 2, 4, 8 or 16", TaskDepth))
  `TSR_STATIC_ASSERT(RecordDepth, RecordDepth >= 2 && RecordDepth <= 16 && $onehot(RecordDepth),
                     ("RecordDepth = %0d; legal is 2, 4, 8 or 16", RecordDepth))

  logic unused_bus_ready;
  bus_answer_t unused_bus_answer;


  // ---- Registers --------------------------------------------------------------------------------

  channel_setup_t [Channels-1:0] setup;
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
  logic [63:0] over, under;
  logic [63:0] over_clear, under_clear;
  descriptor_access_t access;
  logic access_valid, access_ready, access_error;
  logic [31:0] access_data;
  logic window_valid, window_refused, quiesce, quiet, timed_out, freeze, counters_clear;
  logic [4:0] window_channel;
  logic [3:0] window_index;
  window_t window;
  window_t [Channels-1:0][(Windows == 0 ? 1 : Windows)-1:0] windows;
  logic [Ports-1:0] rd_stray, wr_stray;
  logic [15:0] soft_trigger;
  logic [31:0] cycles;

  tsr_native #(
    .Reads      (Reads),
    .Writes     (Writes),
    .Ports      (Ports),
    .AddrWidth  (AddrWidth),
    .DataWidth  (DataWidth),
    .StreamWidth(StreamWidth),
    .MaxBurst   (MaxBurst),
    .Outstanding(Outstanding),
    .Silence    (Silence),
    .Descriptors(Descriptors),
    .Locks      (Locks),
    .Windows    (Windows),
    .TaskDepth  (TaskDepth),
    .RecordDepth(RecordDepth),
    .Features   (Features)
  ) u_registers (
    .clk_i              (aclk),
    .rst_ni             (aresetn),
    .s_axil_awaddr,
    .s_axil_awprot,
    .s_axil_awvalid,
    .s_axil_awready,
    .s_axil_wdata,
    .s_axil_wstrb,
    .s_axil_wvalid,
    .s_axil_wready,
    .s_axil_bresp,
    .s_axil_bvalid,
    .s_axil_bready,
    .s_axil_araddr,
    .s_axil_arprot,
    .s_axil_arvalid,
    .s_axil_arready,
    .s_axil_rdata,
    .s_axil_rresp,
    .s_axil_rvalid,
    .s_axil_rready,
    .bus_request_i      ('0),
    .bus_valid_i        (1'b0),
    .bus_ready_o        (unused_bus_ready),
    .bus_answer_o       (unused_bus_answer),
    .setup_o            (setup),
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
    .window_valid_o     (window_valid),
    .window_channel_o   (window_channel),
    .window_index_o     (window_index),
    .window_o           (window),
    .window_refused_i   (window_refused),
    .quiesce_o          (quiesce),
    .quiet_i            (quiet),
    .timed_out_i        (timed_out),
    .rd_stray_i         (rd_stray),
    .wr_stray_i         (wr_stray),
    .trigger_o          (soft_trigger),
    .cycles_o           (cycles),
    .freeze_o           (freeze),
    .clear_o            (counters_clear),
    .irq_o              (irq),
    .irq_channel_o      (irq_channel)
  );

  // ---- Descriptors ------------------------------------------------------------------------------

  load_request_t [Channels-1:0] request;
  logic [Channels-1:0] request_valid, request_ready, loaded_valid;
  loaded_t   loaded;
  transfer_t loaded_transfer;
  logic read, read_ready, release_words, advance, written;
  descriptor_id_t read_id;
  logic [15:0] turns_next, turns;
  logic [DescriptorWords-1:0][31:0] base_words, bounds_words, walk_words;
  logic read_list, fill, list_take;
  logic [Channels-1:0]
      list_open, list_again, list_valid, list_interrupt, listed_valid, listed_ready;
  logic [$clog2(Channels)-1:0] list_select;
  list_part_t list_part;
  list_state_t [Channels-1:0] list_state;
  list_done_t [Channels-1:0] listed;

  tsr_descriptor_ram #(
    .Descriptors(Descriptors),
    .Walk       (Walk),
    .Bounds     (Bounds),
    .Lists      (Lists)
  ) u_descriptors (
    .clk_i         (aclk),
    .rst_ni        (aresetn),
    .read_i        (read),
    .read_ready_o  (read_ready),
    .read_id_i     (read_id),
    .read_list_i   (read_list),
    .fill_i        (fill),
    .fill_part_i   (list_part.part),
    .fill_words_i  (list_part.words),
    .release_i     (release_words),
    .advance_i     (advance),
    .turns_i       (turns_next),
    .base_o        (base_words),
    .bounds_o      (bounds_words),
    .walk_o        (walk_words),
    .turns_o       (turns),
    .valid_o       (written),
    .access_i      (access),
    .access_valid_i(access_valid),
    .access_ready_o(access_ready),
    .access_error_o(access_error),
    .access_data_o (access_data)
  );

  tsr_loader #(
    .Channels   (Channels),
    .Descriptors(Descriptors),
    .Dealt      (Dealt),
    .Locks      (Locks),
    .AddrWidth  (AddrWidth),
    .DataWidth  (DataWidth),
    .Walk       (Walk),
    .Bounds     (Bounds),
    .Lists      (Lists)
  ) u_loader (
    .clk_i         (aclk),
    .rst_ni        (aresetn),
    .request_i     (request),
    .valid_i       (request_valid),
    .ready_o       (request_ready),
    .loaded_o      (loaded),
    .transfer_o    (loaded_transfer),
    .loaded_valid_o(loaded_valid),
    .list_open_i   (list_open),
    .list_valid_i  (list_valid),
    .list_select_o (list_select),
    .list_part_i   (list_part),
    .list_take_o   (list_take),
    .read_o        (read),
    .read_ready_i  (read_ready),
    .read_id_o     (read_id),
    .read_list_o   (read_list),
    .fill_o        (fill),
    .release_o     (release_words),
    .advance_o     (advance),
    .turns_o       (turns_next),
    .base_i        (base_words),
    .bounds_i      (bounds_words),
    .walk_i        (walk_words),
    .turns_i       (turns),
    .written_i     (written)
  );

  // ---- Locks ------------------------------------------------------------------------------------

  lock_op_t [Channels-1:0] acquire, drop;
  logic [Channels-1:0] acquire_valid, acquire_ready, drop_valid, drop_ready, drop_over, drop_under;

  tsr_locks #(
    .Channels  (Channels),
    .Locks     (Locks),
    .EqualTakes(EqualTakes)
  ) u_locks (
    .clk_i          (aclk),
    .rst_ni         (aresetn),
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
    .over_o         (over),
    .under_o        (under),
    .over_clear_i   (over_clear),
    .under_clear_i  (under_clear)
  );

  channel_state_t [Channels-1:0] state;

  // ---- Triggers and tokens ----------------------------------------------------------------------

  logic [Channels-1:0]
      trigger, trigger_take, missed_q, finished, tasks_done, token_valid, token_ready;
  logic [Channels-1:0] in_reset;
  trigger_select_t [Channels-1:0] trigger_select;
  logic [Channels-1:0][7:0] controller;
  for (genvar c = 0; c < Channels; c++) begin : gen_levels
    assign trigger_select[c] = trigger_select_t'(setup[c].trigger_select);
    assign controller[c]     = setup[c].controller;
    assign tasks_done[c]     = events[c].task_done;
    assign in_reset[c]       = state[c].in_reset;
  end

  if (Triggers) begin : gen_triggers
    logic [Channels-1:0] miss;
    tsr_triggers #(
      .Reads    (Reads),
      .Writes   (Writes),
      .PinStages(TriggerStages)
    ) u_triggers (
      .clk_i           (aclk),
      .rst_ni          (aresetn),
      .pins_i          (trigger_in),
      .software_i      (soft_trigger),
      .transfer_done_i (finished),
      .task_done_i     (tasks_done),
      .mark_i          ('0),
      .select_i        (trigger_select),
      .take_i          (trigger_take),
      .clear_i         (in_reset),
      .pending_o       (trigger),
      .miss_o          (miss),
      .event_transfer_o(event_transfer),
      .event_task_o    (event_task)
    );
    always_ff @(posedge aclk) begin
      if (!aresetn) missed_q <= '0;
      else missed_q <= miss | (missed_q & ~missed_clear);
    end
  end else begin : gen_no_triggers
    // A task that waits for a trigger begins at once.
    logic unused_triggers;
    assign unused_triggers = ^{trigger_in, soft_trigger, trigger_take, missed_clear} ^
        ^trigger_select;
    assign trigger = '1;
    assign missed_q = '0;
    assign event_transfer = finished;
    assign event_task = tasks_done;
  end

  if (Tokens) begin : gen_tokens
    logic [Channels-1:0][4:0] actor;
    for (genvar c = 0; c < Channels; c++) begin : gen_actor
      // As in a shim: receivers from 0 on, senders from 6 on.
      assign actor[c] = c < Reads ? 5'(6 + c) : 5'(c - Reads);
    end
    tsr_tokens #(
      .Channels(Channels)
    ) u_tokens (
      .clk_i       (aclk),
      .rst_ni      (aresetn),
      .column_i    (Column),
      .row_i       (Row),
      .actor_i     (actor),
      .controller_i(controller),
      .valid_i     (token_valid),
      .ready_o     (token_ready),
      .tdata_o     (m_axis_token_tdata),
      .tlast_o     (m_axis_token_tlast),
      .tvalid_o    (m_axis_token_tvalid),
      .tready_i    (m_axis_token_tready)
    );
  end else begin : gen_no_tokens
    logic unused_tokens;
    assign unused_tokens       = ^{controller, token_valid, m_axis_token_tready};
    assign token_ready         = '1;
    assign m_axis_token_tdata  = '0;
    assign m_axis_token_tlast  = 1'b0;
    assign m_axis_token_tvalid = 1'b0;
  end

  // ---- Channels ---------------------------------------------------------------------------------

  transfer_t [Channels-1:0] transfer;
  done_t [Channels-1:0] done;
  channel_control_t [Channels-1:0] control;
  axi_attr_t [Channels-1:0] attr;
  logic [Channels-1:0][3:0] weight;
  logic [Channels-1:0] valid, ready, done_valid, done_ready, aborts, idle, denied;

  for (genvar c = 0; c < Channels; c++) begin : gen_channel
    header_request_t unused_header;
    side_t unused_side;
    assign control[c] = setup[c].control;
    assign attr[c]    = setup[c].attr;
    assign weight[c]  = setup[c].weight;
    assign aborts[c]  = setup[c].aborts;

    tsr_dma_channel #(
      .TaskDepth  (TaskDepth),
      .RecordDepth(RecordDepth),
      .Slots      (Slots)
    ) u_channel (
      .clk_i           (aclk),
      .rst_ni          (aresetn),
      .cycles_i        (cycles),
      .setup_i         (setup[c]),
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
      .trigger_missed_i(missed_q[c]),
      .trigger_take_o  (trigger_take[c]),
      .finished_o      (finished[c]),
      .request_o       (request[c]),
      .request_valid_o (request_valid[c]),
      .request_ready_i (request_ready[c]),
      .loaded_i        (loaded),
      .transfer_i      (loaded_transfer),
      .loaded_valid_i  (loaded_valid[c]),
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
      .list_interrupt_i(list_interrupt[c]),
      .listed_o        (listed[c]),
      .listed_valid_o  (listed_valid[c]),
      .listed_ready_i  (listed_ready[c]),
      .transfer_o      (transfer[c]),
      .header_o        (unused_header),
      .side_o          (unused_side),
      .valid_o         (valid[c]),
      .ready_i         (ready[c]),
      .done_i          (done[c]),
      .done_valid_i    (done_valid[c]),
      .done_ready_o    (done_ready[c]),
      .idle_i          (idle[c]),
      .denied_i        (denied[c]),
      .state_i         (state[c])
    );
  end

  // ---- Lists in memory --------------------------------------------------------------------------

  localparam int unsigned ListWindows = Windows == 0 ? 1 : Windows;

  if (Lists) begin : gen_lists
    logic at_lists, lists_ready;
    bus_answer_t lists_answer;
    // Registers of a channel from 0x80 on are those of its list, from 0xc0 on there are none.
    assign at_lists         = extension_request.word[7:6] == 2'b10;
    assign extension_ready  = at_lists ? lists_ready : extension_valid;
    assign extension_answer = at_lists ? lists_answer : '{error: 1'b1, data: '0};

    tsr_lists #(
      .Channels   (Channels),
      .AddrWidth  (AddrWidth),
      .ListWidth  (ListWidth),
      .Slots      (ListSlots),
      .WindowCheck(Windows != 0),
      .Windows    (ListWindows)
    ) u_lists (
      .clk_i       (aclk),
      .rst_ni      (aresetn),
      .request_i   (extension_request),
      .valid_i     (extension_valid && at_lists),
      .channel_i   (extension_channel),
      .ready_o     (lists_ready),
      .answer_o    (lists_answer),
      .window_i    (windows),
      .open_i      (list_open),
      .again_i     (list_again),
      .clear_i     (in_reset),
      .state_o     (list_state),
      .valid_o     (list_valid),
      .select_i    (list_select),
      .part_o      (list_part),
      .take_i      (list_take),
      .done_i      (listed),
      .done_valid_i(listed_valid),
      .done_ready_o(listed_ready),
      .interrupts_o(list_interrupt),
      .araddr_o    (m_axi_list_araddr),
      .arlen_o     (m_axi_list_arlen),
      .arvalid_o   (m_axi_list_arvalid),
      .arready_i   (m_axi_list_arready),
      .rdata_i     (m_axi_list_rdata),
      .rresp_i     (m_axi_list_rresp),
      .rlast_i     (m_axi_list_rlast),
      .rvalid_i    (m_axi_list_rvalid),
      .rready_o    (m_axi_list_rready),
      .awaddr_o    (m_axi_list_awaddr),
      .awlen_o     (m_axi_list_awlen),
      .awvalid_o   (m_axi_list_awvalid),
      .awready_i   (m_axi_list_awready),
      .wdata_o     (m_axi_list_wdata),
      .wstrb_o     (m_axi_list_wstrb),
      .wlast_o     (m_axi_list_wlast),
      .wvalid_o    (m_axi_list_wvalid),
      .wready_i    (m_axi_list_wready),
      .bresp_i     (m_axi_list_bresp),
      .bvalid_i    (m_axi_list_bvalid),
      .bready_o    (m_axi_list_bready)
    );
  end else begin : gen_no_lists
    logic unused_lists, unused_list_port;
    assign unused_lists = ^{extension_valid, windows, list_open, list_again, in_reset} ^
        ^{list_select, list_take, listed, listed_valid};
    assign unused_list_port = ^{m_axi_list_arready, m_axi_list_rdata, m_axi_list_rresp} ^
        ^{m_axi_list_rlast, m_axi_list_rvalid, m_axi_list_awready, m_axi_list_wready} ^
        ^{m_axi_list_bresp, m_axi_list_bvalid};
    assign extension_ready = extension_valid;
    assign extension_answer = '{error: 1'b1, data: '0};
    assign list_state = '0;
    assign list_valid = '0;
    assign list_part = '0;
    assign listed_ready = '0;
    assign list_interrupt = '0;
    assign m_axi_list_araddr = '0;
    assign m_axi_list_arlen = '0;
    assign m_axi_list_arvalid = 1'b0;
    assign m_axi_list_rready = 1'b0;
    assign m_axi_list_awaddr = '0;
    assign m_axi_list_awlen = '0;
    assign m_axi_list_awvalid = 1'b0;
    assign m_axi_list_wdata = '0;
    assign m_axi_list_wstrb = '0;
    assign m_axi_list_wlast = 1'b0;
    assign m_axi_list_wvalid = 1'b0;
    assign m_axi_list_bready = 1'b0;
  end
  assign m_axi_list_arsize  = 3'($clog2(ListWidth / 8));
  assign m_axi_list_arburst = 2'b01;
  assign m_axi_list_awsize  = 3'($clog2(ListWidth / 8));
  assign m_axi_list_awburst = 2'b01;

  // ---- Engines ----------------------------------------------------------------------------------

  logic [Ports-1:0] unused_aruser, unused_awuser;
  logic [Writes-1:0][7:0] unused_held;
  logic [Reads-1:0][AddrWidth-1:0] unused_rd_denied;
  logic [Writes-1:0][AddrWidth-1:0] unused_wr_denied;

  tsr_channels #(
    .Reads        (Reads),
    .Writes       (Writes),
    .Ports        (Ports),
    .AddrWidth    (AddrWidth),
    .DataWidth    (DataWidth),
    .StreamWidth  (StreamWidth),
    .MaxBurst     (MaxBurst),
    .Outstanding  (Outstanding),
    .RoomBeats    (RoomBeats),
    .StoreBeats   (StoreBeats),
    .FlightBeats  (FlightBeats),
    .AheadBursts  (AheadBursts),
    .FlightBursts (FlightBursts),
    .OneId        (OneId),
    .Cut          (Cut),
    .Control      (1'b1),
    .Guard        (Guard),
    .Silence      (Silence),
    .StreamSilence(StreamSilence),
    .Windows      (Windows),
    .Walk         (Walk),
    .Bounds       (Bounds),
    .IdWidth      (IdWidth)
  ) u_engines (
    .aclk,
    .aresetn,
    .rd_transfer_i   (transfer[Reads-1:0]),
    .rd_valid_i      (valid[Reads-1:0]),
    .rd_ready_o      (ready[Reads-1:0]),
    .rd_done_o       (done[Reads-1:0]),
    .rd_done_valid_o (done_valid[Reads-1:0]),
    .rd_done_ready_i (done_ready[Reads-1:0]),
    .rd_abort_i      (aborts[Reads-1:0]),
    .rd_idle_o       (idle[Reads-1:0]),
    .rd_weight_i     (weight[Reads-1:0]),
    .rd_attr_i       (attr[Reads-1:0]),
    .rd_user_i       ('0),
    .rd_control_i    (control[Reads-1:0]),
    .rd_state_o      (state[Reads-1:0]),
    .rd_denied_o     (denied[Reads-1:0]),
    .rd_stray_o      (rd_stray),
    .rd_denied_addr_o(unused_rd_denied),
    .wr_transfer_i   (transfer[Reads+:Writes]),
    .wr_valid_i      (valid[Reads+:Writes]),
    .wr_ready_o      (ready[Reads+:Writes]),
    .wr_done_o       (done[Reads+:Writes]),
    .wr_done_valid_o (done_valid[Reads+:Writes]),
    .wr_done_ready_i (done_ready[Reads+:Writes]),
    .wr_abort_i      (aborts[Reads+:Writes]),
    .wr_idle_o       (idle[Reads+:Writes]),
    .wr_weight_i     (weight[Reads+:Writes]),
    .wr_attr_i       (attr[Reads+:Writes]),
    .wr_user_i       ('0),
    .wr_control_i    (control[Reads+:Writes]),
    .wr_state_o      (state[Reads+:Writes]),
    .wr_denied_o     (denied[Reads+:Writes]),
    .wr_stray_o      (wr_stray),
    .wr_denied_addr_o(unused_wr_denied),
    .wr_held_o       (unused_held),
    .quiesce_i       (quiesce),
    .quiet_o         (quiet),
    .timed_out_o     (timed_out),
    .window_valid_i  (window_valid),
    .window_channel_i(window_channel),
    .window_index_i  (window_index),
    .window_i        (window),
    .window_refused_o(window_refused),
    .windows_o       (windows),
    .m_axi_aruser    (unused_aruser),
    .m_axi_awuser    (unused_awuser),
    .m_axi_arid,
    .m_axi_araddr,
    .m_axi_arlen,
    .m_axi_arsize,
    .m_axi_arburst,
    .m_axi_arcache,
    .m_axi_arprot,
    .m_axi_arqos,
    .m_axi_arvalid,
    .m_axi_arready,
    .m_axi_rid,
    .m_axi_rdata,
    .m_axi_rresp,
    .m_axi_rlast,
    .m_axi_rvalid,
    .m_axi_rready,
    .m_axi_awid,
    .m_axi_awaddr,
    .m_axi_awlen,
    .m_axi_awsize,
    .m_axi_awburst,
    .m_axi_awcache,
    .m_axi_awprot,
    .m_axi_awqos,
    .m_axi_awvalid,
    .m_axi_awready,
    .m_axi_wdata,
    .m_axi_wstrb,
    .m_axi_wlast,
    .m_axi_wvalid,
    .m_axi_wready,
    .m_axi_bid,
    .m_axi_bresp,
    .m_axi_bvalid,
    .m_axi_bready,
    .m_axis_tdata,
    .m_axis_tkeep,
    .m_axis_tlast,
    .m_axis_tvalid,
    .m_axis_tready,
    .s_axis_tdata,
    .s_axis_tkeep,
    .s_axis_tlast,
    .s_axis_tvalid,
    .s_axis_tready
  );

  logic unused_signals;
  assign unused_signals = ^{extension_request, extension_channel, freeze, counters_clear, setup};

endmodule
