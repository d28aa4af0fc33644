// Takes one channel that receives from task to task: whether headers choose its descriptors, and the hunt for frames.
//
// Contract. *Headers*: `orders_i.by_id` becomes `receive_o.by_id` when the channel has nothing begun; until then
// `turn_o.held` lets no task begin. When headers choose no longer the engine forgets the beats that it has taken ahead.
// *Frames*: where the task of a channel with `orders_i.marks` waits for its trigger and nothing else is under way, the
// engine forgets what it has taken ahead, and then the mark is hunted for. Only a trigger that comes then
// counts; it stays until it is taken, or the channel has no work. `receive_o.forget` is an abort of the engine
// while no transfer is in it.
// Latency: 3 cycles to the hunt, and as long as the engine needs to forget.
`include "tsr_assert.svh"
module tsr_receive_turn
  import tsr_descriptor_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_program_pkg::*;
#(
  parameter bit OutOfOrder = 1'b0,
  parameter bit Marks      = 1'b0
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  stop_state_t      stop_i,
  input  orders_t          orders_i,
  input  walk_flag_t       flag_i,
  input  logic             rests_i,   // nothing is loaded, prepared or in the engine
  input  logic             idle_i,    // of the engine
  output receive_turn_t    turn_o,
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
  logic by_id_q, turns_q, held, marks, waits, turn, frame, works, forget;

  assign held = OutOfOrder && orders_i.by_id != by_id_q;
  assign marks = Marks && orders_i.marks;
  assign waits = marks && rests_i && flag_i.waits == WaitTrigger && !stop_i.stop && !held;
  assign works = marks && (flag_i.loading || flag_i.wants) && !flag_i.take && !stop_i.halted &&
      !stop_i.stop && !held;
  assign turn = held && rests_i && !flag_i.begun && !stop_i.stop;
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
    if (!rst_ni || stop_i.in_reset) state_q <= Pass;
    else state_q <= state_d;
    if (state_q == Pass) turns_q <= turn && by_id_q;
    if (!rst_ni) by_id_q <= 1'b0;
    else if (state_q == Pass && turn && !by_id_q) by_id_q <= 1'b1;
    else if (state_q == Forgets && idle_i && turns_q) by_id_q <= 1'b0;
  end

  assign frame = forget && !turns_q;
  assign forget = state_q == Forget || state_q == Forgets;
  assign turn_o = '{
          by_id: by_id_q,
          held: held,
          hold_trigger: forget || (marks && state_q != Hunt && state_q != Found)
      };
  assign receive_o = '{
          by_id: by_id_q,
          take_id: flag_i.take_id,
          forget: forget,
          anew: frame,
          clear: stop_i.stop || (forget && turns_q),
          marks: marks || frame,
          hunt: state_q == Hunt && waits,
          restart: frame || (waits && state_q != Hunt),
          retakes: 1'b0
      };

  logic unused_in;
  assign unused_in = ^{stop_i, orders_i, flag_i};

  `TSR_ASSERT(FramesAlone, Marks || !frame)

endmodule
