// tsr_triggers: an event of the source of a channel is pending until it is taken or cleared, one more is missed, and nothing else is
// an event. Without Enable a trigger is always pending. Events of channels come a cycle later, and none by a reset.
`include "proof.svh"

module triggers_proof
  import tsr_channel_pkg::*;
#(
  parameter  bit          Enable   = 1'b1,
  localparam int unsigned Reads    = 2,
  localparam int unsigned Writes   = 1,
  localparam int unsigned Channels = Reads + Writes
) (
  input logic                           clk_i,
  input logic                           rst_ni,
  input logic            [        15:0] pins_i,
  input logic            [        15:0] software_i,
  input logic            [Channels-1:0] transfer_done_i,
  input logic            [Channels-1:0] task_done_i,
  input logic            [Channels-1:0] mark_i,
  input trigger_select_t [Channels-1:0] select_i,
  input logic            [Channels-1:0] take_i,
  input logic            [Channels-1:0] clear_i,
  input logic            [Channels-1:0] missed_clear_i
);

  `TSR_PROOF_RESET

  logic [Channels-1:0] pending_o, missed_o, event_transfer_o, event_task_o;
  tsr_triggers #(
    .Enable   (Enable),
    .Reads    (Reads),
    .Writes   (Writes),
    .PinStages(0)
  ) u_dut (
    .*
  );
  `TSR_ASSUME(TakesWhatIsPending, (take_i & ~pending_o) == '0)

  logic [15:0] pins_q;
  logic fresh_q;  // behind a reset
  always_ff @(posedge clk_i) begin
    pins_q  <= pins_i;
    fresh_q <= !rst_ni;
  end
  `TSR_ASSERT(Fresh, !fresh_q || (missed_o == '0 && {event_transfer_o, event_task_o} == '0))
  `TSR_ASSERT_NEXT(EventsGoOut, 1'b1, {event_transfer_o, event_task_o} == $past
                   ({transfer_done_i, task_done_i}))
  `TSR_COVER(AnEventGoesOut, event_task_o != '0)

  for (genvar c = 0; c < Channels; c++) begin : gen_channel
    logic happens, extra;
    logic [3:0] number;
    assign number = select_i[c].number;
    always_comb begin
      case (select_i[c].kind)
        TriggerOwn:       happens = number == 4'd1 && mark_i[c];
        TriggerPin:       happens = pins_i[number] && !pins_q[number];
        TriggerSoftware:  happens = software_i[number];
        TriggerReadDone:  happens = 32'(number) < Reads && transfer_done_i[number[1:0]];
        TriggerReadTask:  happens = 32'(number) < Reads && task_done_i[number[1:0]];
        TriggerWriteDone: happens = number == '0 && transfer_done_i[Reads];
        TriggerWriteTask: happens = number == '0 && task_done_i[Reads];
        default:          happens = 1'b0;
      endcase
    end
    assign extra = happens && pending_o[c] && !take_i[c] && !clear_i[c];
    if (Enable) begin : gen_enabled
      `TSR_ASSERT(NoneAtFirst, !fresh_q || !pending_o[c])
      `TSR_ASSERT_NEXT(AnEventIsPending, happens && !clear_i[c], pending_o[c])
      `TSR_ASSERT_NEXT(NothingElseIs, !happens && !pending_o[c], !pending_o[c])
      `TSR_ASSERT_NEXT(StaysUntilTaken, pending_o[c] && !take_i[c] && !clear_i[c], pending_o[c])
      `TSR_ASSERT_NEXT(GoesWhenTaken, take_i[c] && !happens, !pending_o[c])
      `TSR_ASSERT_NEXT(GoesWhenCleared, clear_i[c], !pending_o[c])
      `TSR_ASSERT_NEXT(OneMoreIsMissed, extra, missed_o[c])
      `TSR_ASSERT_NEXT(NoOtherIs, !extra && (!missed_o[c] || missed_clear_i[c]), !missed_o[c])
      `TSR_ASSERT_NEXT(MissedStays, missed_o[c] && !missed_clear_i[c], missed_o[c])
      `TSR_COVER(TakenWithTheNext, take_i[c] && happens)
      `TSR_COVER(MissedWhileCleared, extra && missed_o[c] && missed_clear_i[c])
    end else begin : gen_disabled
      `TSR_ASSERT(AlwaysPending, pending_o[c] && !missed_o[c])
      logic unused_extra;
      assign unused_extra = extra;
    end
  end

endmodule
