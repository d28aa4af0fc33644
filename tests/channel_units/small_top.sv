// Triggers with and without, frame synchronisation, and tokens of three builds, side by side.
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
  output logic [ 1:0][ 2:0] missed_o,
  input  logic [ 2:0]       missed_clear_i,
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
  // Tokens of 2 + 3, 3 + 3 and 2 + 7 channels; two tokens of a channel.
  input  logic [ 2:0]       token_valid_i,
  input  logic [ 4:0]       token_channel_i,
  input  logic [ 7:0]       controller_i,
  output logic [ 2:0][ 8:0] token_waits_o,
  output logic [ 2:0][31:0] word_o,
  output logic [ 2:0]       word_last_o,
  output logic [ 2:0]       word_valid_o,
  input  logic              word_ready_i,
  // Two channels of a build without triggers.
  output logic [ 1:0]       bare_trigger_o,
  output logic [ 1:0]       bare_missed_o,
  output logic [ 1:0]       bare_transfer_o,
  output logic [ 1:0]       bare_task_o
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
      .missed_o        (missed_o[i]),
      .missed_clear_i,
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

  tsr_triggers #(
    .Enable(1'b0)
  ) u_bare (
    .clk_i,
    .rst_ni,
    .pins_i,
    .software_i,
    .transfer_done_i (transfer_done_i[1:0]),
    .task_done_i     (task_done_i[1:0]),
    .mark_i          (mark_i[1:0]),
    .select_i        (select[1:0]),
    .take_i          ('0),
    .clear_i         (trigger_clear_i[1:0]),
    .pending_o       (bare_trigger_o),
    .missed_o        (bare_missed_o),
    .missed_clear_i  ('0),
    .event_transfer_o(bare_transfer_o),
    .event_task_o    (bare_task_o)
  );

  localparam int unsigned Reads[3] = '{2, 3, 2};
  localparam int unsigned Writes[3] = '{3, 3, 7};
  for (genvar i = 0; i < 3; i++) begin : gen_tokens
    localparam int unsigned N = Reads[i] + Writes[i];
    tsr_token_queue #(
      .Reads (Reads[i]),
      .Writes(Writes[i]),
      .Flight(2),
      .Column(7'd1),
      .Row   (5'd1)
    ) u_dut (
      .clk_i,
      .rst_ni,
      .channel_i(token_channel_i),
      .controller_i,
      .valid_i  (token_valid_i[i]),
      .waits_o  (token_waits_o[i][N-1:0]),
      .tdata_o  (word_o[i]),
      .tlast_o  (word_last_o[i]),
      .tvalid_o (word_valid_o[i]),
      .tready_i (word_ready_i)
    );
    if (N < 9) assign token_waits_o[i][8:N] = '0;
  end

endmodule
