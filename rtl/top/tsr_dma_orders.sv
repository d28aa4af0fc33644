// Orders to the channels, of software, triggers, tokens, faults and the streams; events and tokens for other hardware.
//
// Contract: tsr_triggers, tsr_token_queue; both are left out if the build has none. A quiesce is a drain of all channels.
// A channel that is in reset, or whose stream begins anew, has no trigger.
// Latency: software, faults and streams 0 cycles, others as those.
`include "tsr_assert.svh"
module tsr_dma_orders
  import tsr_channel_pkg::*;
  import tsr_program_pkg::*;
  import tsr_cause_pkg::*;
  import tsr_dma_pkg::*;
#(
  parameter  dma_config_t Config   = DmaDefaults,
  localparam int unsigned Reads    = Config.Reads,
  localparam int unsigned Channels = Reads + Config.Writes
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  channel_orders_t  [Channels-1:0] setting_i,
  input  global_orders_t                  global_i,
  input  channel_levels_t  [Channels-1:0] levels_i,
  input  port_view_t       [Channels-1:0] port_i,
  input  logic             [Channels-1:0] fault_i,
  input  receive_control_t [Channels-1:0] receive_i,
  input  receive_state_t   [Channels-1:0] received_i,
  output orders_t          [Channels-1:0] orders_o,
  // Triggers
  input  sequencer_event_t                event_i,
  input  logic                            event_valid_i,
  input  logic             [        15:0] pins_i,
  input  logic             [Channels-1:0] take_i,
  output logic             [Channels-1:0] missed_o,
  input  logic             [Channels-1:0] missed_clear_i,
  output logic             [Channels-1:0] event_transfer_o,
  output logic             [Channels-1:0] event_task_o,
  // Tokens
  input  channel_t                        end_channel_i,
  input  logic                            token_valid_i,
  input  logic             [         7:0] controller_i,
  output logic             [        31:0] tdata_o,
  output logic                            tlast_o,
  output logic                            tvalid_o,
  input  logic                            tready_i
);

  logic [Channels-1:0] pause, marks, no_triggers, finished, task_done, trigger, token_waits;
  trigger_select_t [Channels-1:0] select;
  for (genvar c = 0; c < Channels; c++) begin : gen_channel
    localparam bit Receives = c >= Reads;
    logic here, own_marks;
    assign here = event_valid_i && 32'(event_i.channel) == c;
    assign finished[c] = here && event_i.delivered;
    assign task_done[c] = here && event_i.task_done;
    assign marks[c] = received_i[c].mark;
    assign no_triggers[c] = levels_i[c].in_reset || receive_i[c].anew;
    assign select[c] = setting_i[c].trigger;
    assign pause[c] = setting_i[c].pause;
    assign own_marks      = Config.Side != 0 && Config.Triggers && Receives &&
        select[c].kind == TriggerOwn && select[c].number == 4'd1;
    assign orders_o[c] = '{
            pause: pause[c],
            drain: setting_i[c].drain || global_i.quiesce,
            aborts: setting_i[c].aborts,
            reset: setting_i[c].reset,
            stop: setting_i[c].stop,
            by_id: Config.Side == 2 && Receives && setting_i[c].by_id,
            marks: own_marks,
            hold: setting_i[c].hold,
            weight: setting_i[c].weight,
            fault: fault_i[c],
            lasts: port_i[c].failed || port_i[c].busy,
            trigger: trigger[c],
            token_waits: token_waits[c],
            receive: received_i[c]
        };
  end

  tsr_triggers #(
    .Enable(Config.Triggers),
    .Reads (Reads),
    .Writes(Config.Writes)
  ) u_triggers (
    .clk_i,
    .rst_ni,
    .pins_i,
    .software_i     (global_i.trigger),
    .transfer_done_i(finished),
    .task_done_i    (task_done),
    .mark_i         (marks),
    .select_i       (select),
    .take_i,
    .clear_i        (no_triggers),
    .pending_o      (trigger),
    .missed_o,
    .missed_clear_i,
    .event_transfer_o,
    .event_task_o
  );

  if (Config.Tokens) begin : gen_tokens
    tsr_token_queue #(
      .Reads (Reads),
      .Writes(Config.Writes),
      .Flight(Config.QueueDepth),
      .Column(Config.SourceId[11:5]),
      .Row   (Config.SourceId[4:0])
    ) u_tokens (
      .clk_i,
      .rst_ni,
      .channel_i(end_channel_i),
      .controller_i,
      .valid_i  (token_valid_i),
      .waits_o  (token_waits),
      .tdata_o,
      .tlast_o,
      .tvalid_o,
      .tready_i
    );
  end else begin : gen_no_tokens
    assign {token_waits, tdata_o, tlast_o, tvalid_o} = '0;
    logic unused_tokens;
    assign unused_tokens = ^{end_channel_i, token_valid_i, controller_i, tready_i};
  end

  logic unused_bits;
  assign unused_bits = ^{setting_i, global_i, levels_i, receive_i, event_i};

  `TSR_ASSERT(AnEventHasAChannel, !event_valid_i || 32'(event_i.channel) < Channels)

endmodule
