// Takes one channel that receives from task to task: whether headers choose its descriptors, and the hunt for frames.
//
// Contract. *Headers*: `asked_i` becomes `receive_o.by_id` when the channel has nothing begun (`rests_i`); until then
// `held_o` lets no task begin. When headers choose no longer the engine forgets the beats that it has taken ahead.
// *Frames*: where the task of a channel with `marks_i` waits for its trigger and nothing else is under way (`waits_i`), the
// engine forgets what it has taken ahead, and then the mark is hunted for. Only a trigger that comes then
// counts; it stays until it is taken, or the channel has no work (`works_i`). `receive_o.forget` is an abort of the engine
// while no transfer is in it.
// Latency: 3 cycles to the hunt, and as long as the engine needs to forget.
`include "tsr_assert.svh"
module tsr_receive_turn
  import tsr_channel_pkg::*;
#(
  parameter bit OutOfOrder = 1'b0,
  parameter bit Marks      = 1'b0
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             clear_i,         // a reset of the channel
  input  logic             stop_i,          // an abort or a reset
  input  logic             asked_i,         // headers are to choose
  input  logic             marks_i,
  input  logic             rests_i,
  input  logic             waits_i,
  input  logic             works_i,
  input  logic             idle_i,          // of the engine
  input  logic             take_i,          // the trigger
  output logic             by_id_o,         // headers choose
  output logic             held_o,
  output logic             hold_trigger_o,
  output receive_control_t receive_o
);

  typedef enum logic [2:0] {
    Pass,
    Forget,   // an abort begins
    Forgets,  // until the engine rests
    Hunt,
    Found     // its descriptor is asked for: that may wait for a header, and for other channels
  } state_e;
  state_e state_q, state_d;
  logic by_id_q, turns_q, marks, waits, turn, frame, works, forget;

  assign marks = Marks && marks_i;
  assign waits = marks && waits_i && !stop_i && !held_o;
  assign works = marks && works_i && !take_i && !held_o;
  assign turn  = OutOfOrder && asked_i != by_id_q && rests_i && !stop_i;
  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Pass:    if ((turn && by_id_q) || waits) state_d = Forget;
      Forget:  state_d = Forgets;
      Forgets: if (idle_i) state_d = waits && !turns_q ? Hunt : Pass;
      Hunt:    if (!waits) state_d = works ? Found : Pass;
      Found:   if (!works) state_d = Pass;
      default: state_d = Pass;
    endcase
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) state_q <= Pass;
    else state_q <= state_d;
    if (state_q == Pass) turns_q <= turn && by_id_q;
    if (!rst_ni) by_id_q <= 1'b0;
    else if (state_q == Pass && turn && !by_id_q) by_id_q <= 1'b1;
    else if (state_q == Forgets && idle_i && turns_q) by_id_q <= 1'b0;
  end

  assign frame = forget && !turns_q;
  assign forget = state_q == Forget || state_q == Forgets;
  assign by_id_o = by_id_q;
  assign held_o = OutOfOrder && asked_i != by_id_q;
  assign hold_trigger_o = forget || (marks && state_q != Hunt && state_q != Found);
  assign receive_o = '{
          by_id: by_id_q,
          take_id: 1'b0,  // comes from the walk of tasks
          forget: forget,
          clear: stop_i || (forget && turns_q),
          marks: marks || frame,
          hunt: state_q == Hunt && waits,
          restart: frame || (waits && state_q != Hunt),
          retakes: 1'b0
      };

  `TSR_ASSERT(FramesAlone, Marks || !frame)

endmodule
