// A programmed channel that writes, whose tasks may wait for frames of its stream. Transfers do nothing; with
// `locked_i` their descriptors take 1 of lock 3, and add 2 to lock 5.
module channel_top
  import tsr_pkg::*;
  import tsr_fabric_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_register_pkg::*;
  import tsr_list_pkg::*;
(
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       aborts_i,
  input  logic       in_reset_i,
  input  logic       framed_i,         // the trigger is the mark of the stream
  input  logic       task_paced_i,
  input  logic [1:0] task_repeats_i,
  input  logic       task_valid_i,
  output logic       task_ready_o,
  input  logic       trigger_i,
  output logic       trigger_take_o,
  output logic       request_valid_o,
  output logic       request_final_o,
  input  logic       request_ready_i,
  input  logic       locked_i,
  input  logic       loaded_end_i,
  input  logic       loaded_valid_i,
  output logic [5:0] release_id_o,
  output logic       release_valid_o,
  input  logic       release_ready_i,
  output logic       valid_o,
  input  logic       ready_i,
  input  logic       done_valid_i,
  output logic       done_ready_o,
  input  logic       idle_i,
  output logic       aborts_o,
  output logic       marks_o,
  output logic       hunt_o,
  output logic       restart_o,
  output logic       retakes_o,
  output logic [3:0] waits_o
);

  channel_setup_t setup;
  channel_view_t view;
  task_t now;
  loaded_t loaded;
  channel_state_t state;
  channel_request_t asked;
  receive_control_t receive;
  load_request_t request;
  logic [4:0] record_level;

  record_t unused_record;
  channel_events_t unused_events;
  error_report_t unused_report;
  lock_op_t unused_acquire, release_op;
  list_done_t unused_listed;
  transfer_t unused_transfer;
  header_request_t unused_header;
  side_t unused_side;
  logic [10:0] unused;

  always_comb begin
    setup                       = '0;
    setup.aborts                = aborts_i;
    setup.trigger_select.kind   = TriggerOwn;
    setup.trigger_select.number = 4'(framed_i);
    now                         = '0;
    now.trigger                 = 1'b1;
    now.paced                   = task_paced_i;
    now.repeats                 = 16'(task_repeats_i);
    loaded                      = '0;
    loaded.task_end             = loaded_end_i;
    loaded.has_acquire          = locked_i;
    loaded.acquire              = '{id: 6'd3, value: -7'sd1};
    loaded.drop                 = '{id: 6'd5, value: locked_i ? 7'sd2 : 7'sd0};
    state                       = '0;
    state.idle                  = idle_i;
    state.in_reset              = in_reset_i;
  end

  tsr_dma_channel #(
    .TaskDepth  (2),
    .RecordDepth(2),
    .AfterDepth (4),
    .Lists      (1'b0),
    .Marks      (1'b1)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .cycles_i        ('0),
    .setup_i         (setup),
    .view_o          (view),
    .task_i          (now),
    .task_valid_i,
    .task_ready_o,
    .record_o        (unused_record),
    .record_level_o  (record_level),
    .record_pop_i    (record_level != '0),
    .events_o        (unused_events),
    .report_o        (unused_report),
    .report_valid_o  (unused[0]),
    .report_ready_i  (1'b1),
    .trigger_i,
    .trigger_missed_i(1'b0),
    .trigger_take_o,
    .finished_o      (unused[1]),
    .delivered_o     (unused[2]),
    .request_o       (request),
    .request_valid_o,
    .request_ready_i,
    .loaded_i        (loaded),
    .transfer_i      ('0),
    .loaded_valid_i,
    .loaded_addr_i   ('0),
    .acquire_o       (unused_acquire),
    .acquire_valid_o (unused[3]),
    .acquire_ready_i (1'b1),
    .release_o       (release_op),
    .release_valid_o,
    .release_ready_i,
    .release_over_i  (1'b0),
    .release_under_i (1'b0),
    .token_valid_o   (unused[5]),
    .token_ready_i   (1'b1),
    .list_open_o     (unused[6]),
    .list_again_o    (unused[7]),
    .list_state_i    ('0),
    .list_told_i     ('0),
    .listed_o        (unused_listed),
    .listed_valid_o  (unused[8]),
    .listed_ready_i  (1'b1),
    .asked_o         (asked),
    .transfer_o      (unused_transfer),
    .header_o        (unused_header),
    .side_o          (unused_side),
    .valid_o,
    .ready_i,
    .done_i          ('0),
    .done_side_i     ('0),
    .done_valid_i,
    .done_ready_o,
    .idle_i,
    .denied_i        (1'b0),
    .state_i         (state),
    .stream_waits_i  (1'b0),
    .receive_o       (receive),
    .receive_i       ('0),
    .id_take_o       (unused[9])
  );
  assign unused[4]       = ^release_op.value;
  assign unused[10]      = ^{view, request, asked, receive};
  assign release_id_o    = release_op.id;
  assign request_final_o = request.final_turn;
  assign aborts_o        = asked.aborts;
  assign marks_o         = receive.marks;
  assign hunt_o          = receive.hunt;
  assign restart_o       = receive.restart;
  assign retakes_o       = receive.retakes;
  assign waits_o         = view.waits;

endmodule
