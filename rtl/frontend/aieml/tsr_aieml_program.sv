// From the registers of a tile to transfers: what of tessera_aieml lies between the register bus and the engines.
//
// Wiring only. Contract: arrays over channels hold MM2S first, then S2MM. The register bus as
// tsr_aieml_registers; transfers and their records as tsr_dma_channel; tokens as tsr_tokens.
`include "tsr_assert.svh"
module tsr_aieml_program
  import tsr_pkg::*;
  import tsr_fabric_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_register_pkg::*;
  import tsr_list_pkg::*;
  import tsr_packet_pkg::*;
  import tsr_aieml_pkg::*;
#(
  parameter  int unsigned         Image       = ImageMemory,
  parameter  int unsigned         DataWidth   = 128,
  parameter  int unsigned         StreamWidth = 32,
  parameter  int unsigned         Slots       = 1,
  parameter  bit                  EqualTakes  = 1'b0,
  parameter  bit                  PadIncoming = 1'b0,
  parameter  bit                  Staged      = 1'b1,
  parameter  int unsigned         Align       = 19,
  parameter  aieml_window_t [2:0] Windows     = '0,
  parameter  logic          [6:0] Column      = '0,
  parameter  logic          [4:0] Row         = '0,
  localparam image_t              Tile        = image_of(Image),
  localparam int unsigned         N           = Tile.Channels,
  localparam int unsigned         Channels    = 2 * N
) (
  input  logic                                 clk_i,
  input  logic                                 rst_ni,
  // The register bus, and control packets beside it.
  input  bus_request_t                         request_i,
  input  logic                                 valid_i,
  output logic                                 ready_o,
  output bus_answer_t                          answer_o,
  input  logic             [         3:0]      packet_errors_i,
  output logic             [         3:0]      packet_clear_o,
  output logic                                 packets_o,
  output logic                                 check_last_o,
  // Engines.
  output channel_request_t [Channels-1:0]      asked_o,
  output axi_attr_t        [Channels-1:0]      attr_o,
  output logic             [Channels-1:0][3:0] smid_o,
  output logic             [Channels-1:0]      pause_stream_o,
  output logic             [Channels-1:0]      active_o,
  output transfer_t        [Channels-1:0]      transfer_o,
  output aieml_stage_t     [Channels-1:0]      stage_o,
  // Out of order: the id of the next packet.
  output logic             [Channels-1:0]      by_header_o,
  output logic             [Channels-1:0]      wants_o,
  input  logic             [Channels-1:0][5:0] id_i,
  input  logic             [Channels-1:0]      id_valid_i,
  output logic             [Channels-1:0]      id_take_o,
  output logic             [Channels-1:0]      valid_o,
  input  logic             [Channels-1:0]      ready_i,
  input  done_t            [Channels-1:0]      done_i,
  input  logic             [Channels-1:0]      done_valid_i,
  output logic             [Channels-1:0]      done_ready_o,
  input  channel_state_t   [Channels-1:0]      state_i,
  input  logic             [Channels-1:0]      idle_i,
  input  logic             [Channels-1:0]      denied_i,
  input  stream_events_t   [Channels-1:0]      stream_i,
  input  logic             [Channels-1:0][5:0] moved_i,          // words between stream and engine
  // Memory, tokens, interrupt.
  output aieml_window_t    [         2:0]      window_o,
  output logic             [        31:0]      token_tdata_o,
  output logic                                 token_tlast_o,
  output logic                                 token_tvalid_o,
  input  logic                                 token_tready_i,
  output logic                                 irq_o
);

  // ---- Registers --------------------------------------------------------------------------------

  channel_setup_t [Channels-1:0] setup;
  aieml_mode_t [Channels-1:0] mode;
  task_t task_word;
  channel_view_t [Channels-1:0] view;
  channel_events_t [Channels-1:0] happened;
  record_t [Channels-1:0] record;
  logic [Channels-1:0][4:0] record_level;
  logic [Channels-1:0] resets, stuck;
  logic [Channels-1:0] task_valid, task_done, done_taken, record_pop, stalled;
  lock_access_t lock_access;
  lock_answer_t lock_answer;
  logic lock_valid, lock_ready;
  logic [63:0] over, under, over_clear, under_clear;
  aieml_access_t access;
  logic access_valid, access_ready, events_valid;
  logic [31:0] access_data, events_data;
  aieml_activity_t [Channels-1:0] activity;
  logic [Channels-1:0] lock_error, memory_waits;

  tsr_aieml_registers #(
    .Image      (Image),
    .StreamWidth(StreamWidth),
    .DataWidth  (DataWidth),
    .Align      (Align),
    .Windows    (Windows)
  ) u_registers (
    .clk_i,
    .rst_ni,
    .request_i,
    .valid_i,
    .ready_o,
    .answer_o,
    .setup_o           (setup),
    .mode_o            (mode),
    .pause_stream_o,
    .active_o,
    .task_o            (task_word),
    .task_valid_o      (task_valid),
    .view_i            (view),
    .resets_i          (resets),
    .stuck_i           (stuck),
    .task_done_i       (task_done),
    .done_i,
    .done_taken_i      (done_taken),
    .record_i          (record),
    .record_level_i    (record_level),
    .record_pop_o      (record_pop),
    .words_i           (moved_i),
    .stalled_i         (stalled),
    .activity_o        (activity),
    .lock_error_i      (lock_error),
    .memory_waits_i    (memory_waits),
    .lock_o            (lock_access),
    .lock_valid_o      (lock_valid),
    .lock_ready_i      (lock_ready),
    .lock_answer_i     (lock_answer),
    .lock_over_i       (over),
    .lock_under_i      (under),
    .lock_over_clear_o (over_clear),
    .lock_under_clear_o(under_clear),
    .access_o          (access),
    .access_valid_o    (access_valid),
    .access_ready_i    (access_ready),
    .access_data_i     (access_data),
    .events_valid_o    (events_valid),
    .events_data_i     (events_data),
    .packet_errors_i,
    .packet_clear_o,
    .packets_o,
    .check_last_o,
    .window_o,
    .irq_o
  );

  // ---- Descriptors ------------------------------------------------------------------------------

  load_request_t [Channels-1:0] load, asked;
  logic [Channels-1:0] asked_valid;
  logic [Channels-1:0] load_valid, load_ready, loaded_valid;
  loaded_t   loaded;
  transfer_t loaded_transfer;

  tsr_aieml_descriptors #(
    .Image      (Image),
    .PadIncoming(PadIncoming),
    .Staged     (Staged),
    .Early      (Slots == 1),
    .DataWidth  (DataWidth)
  ) u_descriptors (
    .clk_i,
    .rst_ni,
    .access_i      (access),
    .access_valid_i(access_valid),
    .access_ready_o(access_ready),
    .access_data_o (access_data),
    .mode_i        (mode),
    .load_i        (asked),
    .load_valid_i  (asked_valid),
    .load_ready_o  (load_ready),
    .loaded_o      (loaded),
    .transfer_o    (loaded_transfer),
    .loaded_valid_o(loaded_valid)
  );

  // ---- Locks ------------------------------------------------------------------------------------

  lock_op_t [Channels-1:0] acquire, drop;
  logic [Channels-1:0] acquire_valid, acquire_asked, acquire_ready;
  logic [Channels-1:0] drop_valid, drop_ready, drop_over, drop_under;

  lock_change_t lock_change;
  tsr_locks #(
    .Channels  (Channels),
    .Locks     (Tile.Locks),
    .EqualTakes(EqualTakes)
  ) u_locks (
    .clk_i,
    .rst_ni,
    .acquire_i      (acquire),
    .acquire_valid_i(acquire_asked),
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
    .change_o       (lock_change),
    .over_o         (over),
    .under_o        (under),
    .over_clear_i   (over_clear),
    .under_clear_i  (under_clear)
  );

  // ---- Tokens -----------------------------------------------------------------------------------

  logic [Channels-1:0] token_valid, token_ready;
  logic [Channels-1:0][7:0] controller;
  logic [Channels-1:0][4:0] actor;

  tsr_tokens #(
    .Channels(Channels)
  ) u_tokens (
    .clk_i,
    .rst_ni,
    .column_i    (Column),
    .row_i       (Row),
    .actor_i     (actor),
    .controller_i(controller),
    .valid_i     (token_valid),
    .ready_o     (token_ready),
    .tdata_o     (token_tdata_o),
    .tlast_o     (token_tlast_o),
    .tvalid_o    (token_tvalid_o),
    .tready_i    (token_tready_i)
  );

  aieml_lock_use_t [Channels:0] use_of;

  // ---- Channels ---------------------------------------------------------------------------------

  for (genvar c = 0; c < Channels; c++) begin : gen_channel
    localparam int unsigned To = Image == ImageMemory ? 16 : 6;
    localparam int unsigned From = Image == ImageMemory ? 1 : 0;
    side_t side;
    logic channel_valid, channel_ready, unused_task_ready, resting;
    logic unused_channel;
    header_request_t header;
    error_report_t report;
    receive_control_t receive;
    logic unused_id_take;
    logic report_valid, trigger_take, finished, delivered, list_open, list_again;
    logic listed_valid;
    list_done_t listed;

    assign actor[c] = c < N ? 5'(To + c) : 5'(From + c - N);
    assign controller[c] = setup[c].controller;
    assign stuck[c] = state_i[c].stuck;
    assign resets[c] = asked_o[c].control.reset || state_i[c].in_reset;
    assign task_done[c] = happened[c].task_done;
    assign done_taken[c] = done_valid_i[c] && done_ready_o[c];
    assign stalled[c]    = c < N ? stream_i[c].valid && !stream_i[c].ready :
        !stream_i[c].valid && stream_i[c].ready;

    // Out of order the header of a packet names the descriptor.
    assign by_header_o[c] = mode[c].by_header;
    assign wants_o[c] = load_valid[c] && mode[c].by_header && !id_valid_i[c];
    assign asked_valid[c] = load_valid[c] && (!mode[c].by_header || id_valid_i[c]);
    assign id_take_o[c] = asked_valid[c] && load_ready[c] && mode[c].by_header;
    always_comb begin
      asked[c] = load[c];
      if (mode[c].by_header) asked[c].descriptor = 8'(id_i[c]);
    end

    assign lock_error[c] = happened[c].lock_over || happened[c].lock_under;
    // A buffer that is full, or empty while the stream waits.
    assign memory_waits[c] = c < N ?
        !state_i[c].idle && !stream_i[c].valid && stream_i[c].ready :
        stream_i[c].valid && !stream_i[c].ready;
    assign use_of[c] = '{
            equal: acquire_asked[c] && acquire_ready[c] && acquire[c].value >= 0,
            least: acquire_asked[c] && acquire_ready[c] && acquire[c].value < 0,
            release_it: drop_valid[c] && drop_ready[c],
            id: drop_valid[c] && drop_ready[c] ? drop[c].id : acquire[c].id
        };

    // What waits for a value of a lock sees what all transfers before it have done to the lock.
    assign resting = state_i[c].idle && !done_valid_i[c];
    assign acquire_asked[c] = acquire_valid[c] && (acquire[c].value < 0 || resting);

    tsr_dma_channel #(
      .TaskDepth  (8),
      .RecordDepth(8),
      .Slots      (Slots),
      .Direct     (1'b1),
      .Lists      (1'b0),
      .EqualTakes (EqualTakes)
    ) u_channel (
      .clk_i,
      .rst_ni,
      .cycles_i        ('0),
      .setup_i         (setup[c]),
      .asked_o         (asked_o[c]),
      .view_o          (view[c]),
      .task_i          (task_word),
      .task_valid_i    (task_valid[c]),
      .task_ready_o    (unused_task_ready),
      .record_o        (record[c]),
      .record_level_o  (record_level[c]),
      .record_pop_i    (record_pop[c]),
      .events_o        (happened[c]),
      .report_o        (report),
      .report_valid_o  (report_valid),
      .report_ready_i  (1'b1),
      .trigger_i       (1'b1),
      .trigger_missed_i(1'b0),
      .trigger_take_o  (trigger_take),
      .finished_o      (finished),
      .delivered_o     (delivered),
      .request_o       (load[c]),
      .request_valid_o (load_valid[c]),
      .request_ready_i (load_ready[c]),
      .loaded_i        (loaded),
      .transfer_i      (loaded_transfer),
      .loaded_valid_i  (loaded_valid[c]),
      .loaded_addr_i   ('0),
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
      .list_open_o     (list_open),
      .list_again_o    (list_again),
      .list_state_i    (list_state_t'('0)),
      .list_told_i     (list_told_t'('0)),
      .listed_o        (listed),
      .listed_valid_o  (listed_valid),
      .listed_ready_i  (1'b1),
      .transfer_o      (transfer_o[c]),
      .header_o        (header),
      .side_o          (side),
      .valid_o         (channel_valid),
      .ready_i         (channel_ready),
      .done_i          (done_i[c]),
      .done_side_i     ('0),
      .receive_o       (receive),
      .receive_i       ('0),
      .id_take_o       (unused_id_take),
      .done_valid_i    (done_valid_i[c]),
      .done_ready_o    (done_ready_o[c]),
      .idle_i          (idle_i[c]),
      .denied_i        (denied_i[c]),
      .state_i         (state_i[c]),
      .stream_waits_i  (stalled[c] && (c < N || !state_i[c].owed))
    );

    header_t word;
    aieml_side_t beside;
    assign beside = aieml_side_t'(side);
    assign word = sealed(
        '{
            id: header.id,
            bd: header.bd,
            kind: header.kind,
            row: Row,
            column: Column,
            default: '0
        }
    );
    assign stage_o[c] = '{
            header: header.enable ? word : '0,
            compressed: beside.compressed,
            finish: transfer_o[c].finish == FinishLast,
            words: transfer_o[c].length[31:2]
        };

    tsr_aieml_attributes #(
      .Enable(Image == ImageShim)
    ) u_attributes (
      .clk_i,
      .rst_ni,
      .side_i (beside),
      .valid_i(channel_valid),
      .ready_o(channel_ready),
      .valid_o(valid_o[c]),
      .ready_i(ready_i[c]),
      .idle_i (state_i[c].idle),
      .attr_o (attr_o[c]),
      .smid_o (smid_o[c])
    );

    assign unused_channel = ^{receive, report, report_valid, trigger_take, finished, list_open} ^
        ^{delivered, list_again, listed, listed_valid, happened[c], setup[c], stream_i[c]};
    `TSR_ASSERT(EveryTaskHasRoom, !task_valid[c] || unused_task_ready)
  end

  // ---- Events -------------------------------------------------------------------------------------

  logic asked_lock;
  assign asked_lock = lock_valid && lock_ready;
  assign use_of[Channels] = '{
          equal:
          asked_lock
          &&
          lock_access.command
          ==
          LockTry
          &&
          lock_answer.granted
          &&
          lock_access.op.value
          >= 0,
          least:
          asked_lock
          &&
          lock_access.command
          ==
          LockTry
          &&
          lock_answer.granted
          &&
          lock_access.op.value
          < 0,
          release_it: asked_lock && lock_access.command == LockRelease,
          id: lock_access.op.id
      };

  tsr_aieml_events #(
    .Image(Image)
  ) u_events (
    .clk_i,
    .rst_ni,
    .word_i        (request_i.word),
    .valid_i       (events_valid),
    .write_i       (request_i.write),
    .data_i        (request_i.data),
    .data_o        (events_data),
    .activity_i    (activity),
    .stream_i      (stream_i),
    .use_i         (use_of),
    .change_i      (lock_change),
    .packet_error_i(packet_errors_i != '0)
  );

  `TSR_ASSERT(OneTaskIsPushed, $onehot0(task_valid))

endmodule
