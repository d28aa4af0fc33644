// What channels tell each other and the world: triggers, events, task-complete tokens.
//
// Contract: as tsr_triggers and tsr_tokens. `missed_o[c]` stays from a missed trigger to
// `missed_clear_i[c]`. Without Triggers a task that waits for one begins at once, and events still come;
// without Tokens they are taken and dropped.
// Latency: as tsr_triggers and tsr_tokens; without Triggers 0 cycles to the events.
`include "tsr_assert.svh"
module tsr_events
  import tsr_channel_pkg::*;
#(
  parameter  int unsigned       Reads    = 1,              // 1..16
  parameter  int unsigned       Writes   = 1,              // 1..16
  parameter  bit                Triggers = 1'b0,
  parameter  bit                Tokens   = 1'b0,
  parameter  logic        [6:0] Column   = '0,             // of tokens
  parameter  logic        [4:0] Row      = '0,
  localparam int unsigned       Channels = Reads + Writes
) (
  input logic clk_i,
  input logic rst_ni,
  input logic [15:0] pins_i,
  input logic [15:0] software_i,  // one cycle
  input logic [Channels-1:0] mark_i,  // of the channel's own stream; one cycle
  // Channels.
  input logic [Channels-1:0] finished_i,  // a transfer, with its data; one cycle
  input logic [Channels-1:0] task_done_i,  // one cycle
  input logic [Channels-1:0] clear_i,  // in reset
  input trigger_select_t [Channels-1:0] select_i,
  input logic [Channels-1:0][7:0] controller_i,
  output logic [Channels-1:0] trigger_o,
  input logic [Channels-1:0] trigger_take_i,
  output logic [Channels-1:0] missed_o,
  input logic [Channels-1:0] missed_clear_i,
  input logic [Channels-1:0] token_valid_i,
  output logic [Channels-1:0] token_ready_o,
  // Pins.
  output logic [Channels-1:0] event_transfer_o,
  output logic [Channels-1:0] event_task_o,
  output logic [31:0] tdata_o,
  output logic tlast_o,
  output logic tvalid_o,
  input logic tready_i
);

  if (Triggers) begin : gen_triggers
    logic [Channels-1:0] miss;
    tsr_triggers #(
      .Reads (Reads),
      .Writes(Writes)
    ) u_triggers (
      .clk_i,
      .rst_ni,
      .pins_i,
      .software_i,
      .transfer_done_i(finished_i),
      .task_done_i,
      .mark_i,
      .select_i,
      .take_i         (trigger_take_i),
      .clear_i,
      .pending_o      (trigger_o),
      .miss_o         (miss),
      .event_transfer_o,
      .event_task_o
    );
    always_ff @(posedge clk_i) begin
      if (!rst_ni) missed_o <= '0;
      else missed_o <= miss | (missed_o & ~missed_clear_i);
    end
    `TSR_ASSERT_NEXT(EveryMissIsKept, miss != '0, ($past(miss) & ~missed_o) == '0)
  end else begin : gen_no_triggers
    // A task that waits for a trigger begins at once.
    logic unused_triggers;
    assign unused_triggers = ^{pins_i, software_i, select_i, trigger_take_i} ^
        ^{missed_clear_i, clear_i, mark_i};
    assign trigger_o = '1;
    assign missed_o = '0;
    assign event_transfer_o = finished_i;
    assign event_task_o = task_done_i;
  end

  if (Tokens) begin : gen_tokens
    logic [Channels-1:0][4:0] actor;
    for (genvar c = 0; c < Channels; c++) begin : gen_actor
      // As in a shim: receivers from 0 on, senders from 6 on, or behind more receivers from 16 on.
      localparam int unsigned Sender = Writes > 6 ? 16 : 6;
      assign actor[c] = c < Reads ? 5'(Sender + c) : 5'(c - Reads);
    end
    tsr_tokens #(
      .Channels(Channels)
    ) u_tokens (
      .clk_i,
      .rst_ni,
      .column_i(Column),
      .row_i   (Row),
      .actor_i (actor),
      .controller_i,
      .valid_i (token_valid_i),
      .ready_o (token_ready_o),
      .tdata_o,
      .tlast_o,
      .tvalid_o,
      .tready_i
    );
  end else begin : gen_no_tokens
    logic unused_tokens;
    assign unused_tokens = ^{controller_i, token_valid_i, tready_i};
    assign token_ready_o = '1;
    assign tdata_o       = '0;
    assign tlast_o       = 1'b0;
    assign tvalid_o      = 1'b0;
  end

  `TSR_STABLE(TokenStays, tvalid_o, tready_i, ({tdata_o, tlast_o}))

endmodule
