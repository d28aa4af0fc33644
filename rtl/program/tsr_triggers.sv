// Tells channels that the event for which their next task or turn waits has happened.
//
// Contract. Each channel selects one source (`trigger_select_t` of tsr_channel_pkg; numbers that the build
// lacks never happen). An event makes `pending_o` of the channel true until `take_i`, which the channel
// gives in a cycle of pending, or `clear_i`. An event while one is pending and not being taken is lost:
// `missed_o` stays from then on to `missed_clear_i`. Without Enable a trigger is always pending, and events still come. Pins count at their rising edge; with PinStages they may be of another clock and
// must then last for 2 cycles, without they are of this clock. Reset must last for PinStages + 1 cycles. Other
// events are pulses. A pending event stays if the selection changes.
// `event_*_o` are the events of channels for pins, registered.
// Latency: 1 cycle from an event to `pending_o`, PinStages more for pins. Throughput: an event every cycle.
`include "tsr_assert.svh"
module tsr_triggers
  import tsr_channel_pkg::*;
#(
  parameter  bit          Enable    = 1'b1,
  parameter  int unsigned Reads     = 1,              // read channels, 0..16
  parameter  int unsigned Writes    = 1,              // write channels, 0..16
  parameter  int unsigned Pins      = 16,             // 0..16
  parameter  int unsigned PinStages = 2,              // 0: no synchronisers; 2..4
  localparam int unsigned Channels  = Reads + Writes
) (
  input logic clk_i,
  input logic rst_ni,
  // Events; of channels the read channels come first.
  input logic [15:0] pins_i,
  input logic [15:0] software_i,
  input logic [Channels-1:0] transfer_done_i,
  input logic [Channels-1:0] task_done_i,
  input logic [Channels-1:0] mark_i,  // tsr_frame_sync, of each channel's stream
  // Channels.
  input trigger_select_t [Channels-1:0] select_i,
  input logic [Channels-1:0] take_i,
  input logic [Channels-1:0] clear_i,
  output logic [Channels-1:0] pending_o,
  output logic [Channels-1:0] missed_o,
  input logic [Channels-1:0] missed_clear_i,
  // To pins.
  output logic [Channels-1:0] event_transfer_o,
  output logic [Channels-1:0] event_task_o
);

  `TSR_STATIC_ASSERT(Reads, Reads <= 16, ("Reads = %0d; legal is 0 to 16", Reads))
  `TSR_STATIC_ASSERT(Writes, Writes <= 16, ("Writes = %0d; legal is 0 to 16", Writes))
  `TSR_STATIC_ASSERT(Channels, Channels >= 1, ("Reads + Writes = %0d; legal is 1 to 32", Channels))
  `TSR_STATIC_ASSERT(Pins, Pins <= 16, ("Pins = %0d; legal is 0 to 16", Pins))
  `TSR_STATIC_ASSERT(PinStages, PinStages == 0 || (PinStages >= 2 && PinStages <= 4),
                     ("PinStages = %0d; legal is 0 or 2 to 4", PinStages))

  // ---- Pins -------------------------------------------------------------------------------------

  localparam logic [15:0] UsedPins = 16'((32'd1 << Pins) - 32'd1);
  logic [15:0] levels, levels_q, edges;

  if (PinStages == 0) begin : gen_direct
    assign levels = pins_i & UsedPins;
  end else begin : gen_synchronised
    tsr_sync #(
      .Width (16),
      .Stages(PinStages)
    ) u_pins (
      .clk_i,
      .data_i(pins_i & UsedPins),
      .data_o(levels)
    );
  end
  always_ff @(posedge clk_i) levels_q <= levels;
  assign edges = levels & ~levels_q;

  // ---- Sources ----------------------------------------------------------------------------------

  // By kind: the upper bits of a selection; its low four choose within the kind.
  logic [7:0][15:0] sources;
  always_comb begin
    sources                  = '0;
    sources[TriggerPin]      = edges;
    sources[TriggerSoftware] = software_i;
    for (int c = 0; c < int'(Channels); c++) begin
      if (c < int'(Reads)) begin
        sources[TriggerReadDone][c] = transfer_done_i[c];
        sources[TriggerReadTask][c] = task_done_i[c];
      end else begin
        sources[TriggerWriteDone][c-int'(Reads)] = transfer_done_i[c];
        sources[TriggerWriteTask][c-int'(Reads)] = task_done_i[c];
      end
    end
  end

  logic [Channels-1:0] miss;
  for (genvar c = 0; c < Channels; c++) begin : gen_channel
    logic happens, pending_q, missed_q;
    assign happens = select_i[c].kind == TriggerOwn ? select_i[c].number == 4'd1 && mark_i[c]
                                                    : sources[select_i[c].kind][select_i[c].number];
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        pending_q <= 1'b0;
        missed_q  <= 1'b0;
      end else begin
        pending_q <= !clear_i[c] && (happens || (pending_q && !take_i[c]));
        missed_q  <= miss[c] || (missed_q && !missed_clear_i[c]);
      end
    end
    assign miss[c]      = !clear_i[c] && happens && pending_q && !take_i[c];
    assign pending_o[c] = pending_q || !Enable;
    assign missed_o[c]  = missed_q && Enable;
    `TSR_ASSERT(TakesWhatIsPending, !take_i[c] || pending_o[c])
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      event_transfer_o <= '0;
      event_task_o     <= '0;
    end else begin
      event_transfer_o <= transfer_done_i;
      event_task_o     <= task_done_i;
    end
  end

endmodule
