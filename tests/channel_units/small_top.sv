// Triggers, frame synchronisation, tokens, channels without triggers and tokens, and tokens
// of two builds, side by side.
module small_top
  import tsr_channel_pkg::*;
(
  input  logic              clk_i,
  input  logic              rst_ni,
  // Triggers: 2 read and 1 write channel; pins by way of 2 flops, and of this clock.
  input  logic [15:0]       pins_i,
  input  logic [15:0]       software_i,
  input  logic [ 2:0]       transfer_done_i,
  input  logic [ 2:0]       task_done_i,
  input  logic [ 2:0]       mark_i,
  input  logic [ 2:0][ 7:0] select_i,
  input  logic [ 1:0][ 2:0] take_i,
  input  logic [ 2:0]       trigger_clear_i,
  output logic [ 1:0][ 2:0] pending_o,
  output logic [ 1:0][ 2:0] miss_o,
  // Frame synchronisation.
  input  logic              hunt_i,
  input  logic              drop_clear_i,
  output logic              frame_mark_o,
  output logic [31:0]       dropped_o,
  input  logic [15:0]       beat_i,
  input  logic              beat_marked_i,
  input  logic              beat_valid_i,
  output logic              beat_ready_o,
  output logic [15:0]       beat_o,
  output logic              beat_valid_o,
  input  logic              beat_ready_i,
  // Tokens of 5 channels.
  input  logic [ 4:0][ 7:0] controller_i,
  input  logic [ 4:0]       token_i,
  output logic [ 4:0]       token_ready_o,
  output logic [31:0]       word_o,
  output logic              word_last_o,
  output logic              word_valid_o,
  input  logic              word_ready_i,
  // Two channels of a build without triggers and tokens.
  input  logic [ 1:0]       bare_finished_i,
  input  logic [ 1:0]       bare_task_done_i,
  input  logic [ 1:0]       bare_token_i,
  output logic [ 1:0]       bare_token_ready_o,
  output logic [ 1:0]       bare_trigger_o,
  output logic [ 1:0]       bare_missed_o,
  output logic [ 1:0]       bare_transfer_o,
  output logic [ 1:0]       bare_task_o,
  output logic              bare_word_valid_o,
  // Tokens of builds with 3 + 3 and with 2 + 7 channels.
  input  logic [ 1:0][ 8:0] sender_token_i,
  output logic [ 1:0][ 8:0] sender_ready_o,
  output logic [ 1:0][31:0] sender_word_o,
  output logic [ 1:0]       sender_valid_o
);

  localparam int unsigned Stages[2] = '{2, 0};
  trigger_select_t [2:0] select;
  for (genvar c = 0; c < 3; c++) begin : gen_select
    assign select[c] = trigger_select_t'(select_i[c][6:0]);
  end
  for (genvar i = 0; i < 2; i++) begin : gen_triggers
    logic [2:0] transfer, tasks;
    tsr_triggers #(
      .Reads    (2),
      .Writes   (1),
      .PinStages(Stages[i])
    ) u_dut (
      .clk_i,
      .rst_ni,
      .pins_i,
      .software_i,
      .transfer_done_i,
      .task_done_i,
      .mark_i,
      .select_i        (select),
      .take_i          (take_i[i]),
      .clear_i         (trigger_clear_i),
      .pending_o       (pending_o[i]),
      .miss_o          (miss_o[i]),
      .event_transfer_o(transfer),
      .event_task_o    (tasks)
    );
  end

  tsr_frame_sync #(
    .T(logic [15:0])
  ) u_frame (
    .clk_i,
    .rst_ni,
    .hunt_i,
    .hold_i  (1'b0),
    .shut_i  (1'b0),
    .clear_i (drop_clear_i),
    .mark_o  (frame_mark_o),
    .dropped_o,
    .data_i  (beat_i),
    .marked_i(beat_marked_i),
    .valid_i (beat_valid_i),
    .ready_o (beat_ready_o),
    .data_o  (beat_o),
    .valid_o (beat_valid_o),
    .ready_i (beat_ready_i)
  );

  tsr_tokens #(
    .Channels(5),
    .Depth   (4)
  ) u_tokens (
    .clk_i,
    .rst_ni,
    .column_i(7'd1),
    .row_i   (5'd1),
    .actor_i ({5'd16, 5'd9, 5'd1, 5'd2, 5'd0}),
    .controller_i,
    .valid_i (token_i),
    .ready_o (token_ready_o),
    .tdata_o (word_o),
    .tlast_o (word_last_o),
    .tvalid_o(word_valid_o),
    .tready_i(word_ready_i)
  );

  logic [31:0] bare_word;
  logic bare_last;
  tsr_events #(
    .Reads (1),
    .Writes(1)
  ) u_bare (
    .clk_i,
    .rst_ni,
    .pins_i,
    .software_i,
    .mark_i          (mark_i[1:0]),
    .finished_i      (bare_finished_i),
    .task_done_i     (bare_task_done_i),
    .clear_i         (trigger_clear_i[1:0]),
    .select_i        (select[1:0]),
    .controller_i    (controller_i[1:0]),
    .trigger_o       (bare_trigger_o),
    .trigger_take_i  (take_i[0][1:0]),
    .missed_o        (bare_missed_o),
    .missed_clear_i  ('0),
    .token_valid_i   (bare_token_i),
    .token_ready_o   (bare_token_ready_o),
    .event_transfer_o(bare_transfer_o),
    .event_task_o    (bare_task_o),
    .tdata_o         (bare_word),
    .tlast_o         (bare_last),
    .tvalid_o        (bare_word_valid_o),
    .tready_i        (word_ready_i)
  );
  logic unused_word;
  assign unused_word = ^{bare_word, bare_last};

  localparam int unsigned Reads[2] = '{3, 2};
  localparam int unsigned Writes[2] = '{3, 7};
  for (genvar i = 0; i < 2; i++) begin : gen_senders
    localparam int unsigned N = Reads[i] + Writes[i];
    logic [N-1:0] trigger, missed, transfer, tasks;
    logic last;
    tsr_events #(
      .Reads (Reads[i]),
      .Writes(Writes[i]),
      .Tokens(1'b1),
      .Column(7'd1),
      .Row   (5'd1)
    ) u_dut (
      .clk_i,
      .rst_ni,
      .pins_i,
      .software_i,
      .mark_i          ('0),
      .finished_i      ('0),
      .task_done_i     ('0),
      .clear_i         ('0),
      .select_i        ('0),
      .controller_i    ('0),
      .trigger_o       (trigger),
      .trigger_take_i  ('0),
      .missed_o        (missed),
      .missed_clear_i  ('0),
      .token_valid_i   (sender_token_i[i][N-1:0]),
      .token_ready_o   (sender_ready_o[i][N-1:0]),
      .event_transfer_o(transfer),
      .event_task_o    (tasks),
      .tdata_o         (sender_word_o[i]),
      .tlast_o         (last),
      .tvalid_o        (sender_valid_o[i]),
      .tready_i        (1'b1)
    );
    if (N < 9) assign sender_ready_o[i][8:N] = '0;
    logic unused_events;
    assign unused_events = ^{trigger, missed, transfer, tasks, last, sender_token_i[i]};
  end

endmodule
