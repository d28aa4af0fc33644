// Hands prepared contexts of all channels to the engine, each transfer behind the acquire of its lock.
//
// Contract. Contexts of a channel are launched in the order of its slots, those of a transfer behind
// its first one at once. The first one acquires the lock, then waits while its channel is `closed`; with
// `stop` it is not launched, leaves the line of its lock, and what it has acquired is given back, if the
// acquire took something; then the channel is `quiet`. `clean` forgets all contexts that wait, while
// nothing of the channel is under way. A refused descriptor is `refusal_o`, and its slot and those
// behind it are kept until `clean`. With Ordered a transfer with `ordered` waits, and does not try its lock, until no transfer of its channel
// runs. A channel that waits holds up no other; an access to a lock of a neighbour does, until it is answered (`access_open_i`).
// Latency: from `prepared_i` to `go_valid_o` 1 cycle without a lock, 5 with a lock that is free; from the
// wake of a lock 5, with more than 4 channels 6, with more than 8 7. Throughput: a launch a cycle, of one channel one in 4 cycles where it had to wait.
`include "tsr_assert.svh"
module tsr_launch
  import tsr_core_pkg::slot_t;
  import tsr_channel_pkg::*;
  import tsr_register_pkg::*;
  import tsr_program_pkg::*;
#(
  parameter int unsigned Channels = 2,  // 1..32
  parameter int unsigned Slots = 2,  // 2 or 4
  parameter bit EqualTakes = 1'b0,
  parameter bit Ordered = 1'b0,  // contexts may wait for their turn
  parameter bit Far = 1'b0,  // locks of neighbours
  localparam int unsigned Index = Channels > 1 ? $clog2(Channels) : 1
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  input  sweep_t                         sweep_i,
  input  launch_channel_t [Channels-1:0] channel_i,
  output launch_state_t   [Channels-1:0] state_o,
  // Contexts.
  input  launch_t                        launch_i,
  input  logic                           launch_valid_i,
  input  prepared_t                      prepared_i,
  input  logic                           prepared_valid_i,
  output refusal_t                       refusal_o,
  output logic                           refusal_valid_o,
  // Locks; the answer comes 2 cycles after an access.
  output bank_access_t                   access_o,
  output lock_side_e                     access_side_o,
  output logic                           access_valid_o,
  input  logic                           access_ready_i,
  input  logic                           access_open_i,     // at a neighbour: stays
  input  bank_answer_t                   answer_i,
  input  lock_wake_t                     wake_i,
  // Engine.
  output channel_t                       go_channel_o,
  output logic            [Channels-1:0] go_hot_o,
  output logic                           go_valid_o,
  output logic                           go_first_o,        // context of its transfer
  // Next slot of a channel, lock of the next transfer.
  input  logic            [   Index-1:0] look_i,
  output slot_t                          look_slot_o,
  input  logic            [   Index-1:0] view_i,
  output lock_id_t                       view_lock_o
);

  localparam int unsigned Slot = $clog2(Slots);
  typedef logic [Index-1:0] index_t;
  typedef logic [Slot-1:0] place_t;
  typedef logic [Channels-1:0] set_t;
  typedef enum logic [1:0] {
    StepNone,
    StepTry,
    StepWithdraw,
    StepReturn
  } step_e;
  typedef struct packed {
    index_t channel;
    place_t slot;
    step_e  step;
    logic   first;
    logic   bad;
    logic   waits;    // for its turn
    logic   remote;   // its lock is one of a neighbour
  } way_t;

  (* ram_style = "distributed" *) logic [Slot-1:0] slot_q[2**Index];

  function automatic set_t hot(input logic valid, input index_t index);
    for (int unsigned c = 0; c < Channels; c++) hot[c] = valid && index == index_t'(c);
  endfunction

  // ---- Contexts ---------------------------------------------------------------------------------

  index_t at_q;
  place_t slot;  // the next one of that channel
  launch_gate_t gate;
  descriptor_id_t prepared_descriptor;
  logic prepared_first, prepared_waits;
  tsr_launch_memory #(
    .Channels(Channels),
    .Slots   (Slots),
    .Ordered (Ordered),
    .Far     (Far)
  ) u_contexts (
    .clk_i,
    .launch_i,
    .launch_valid_i,
    .prepared_i,
    .prepared_valid_i,
    .prepared_first_o     (prepared_first),
    .prepared_waits_o     (prepared_waits),
    .prepared_descriptor_o(prepared_descriptor),
    .channel_i            (at_q),
    .slot_i               (slot),
    .gate_o               (gate),
    .view_channel_i       (view_i),
    .view_slot_i          (slot_q[view_i]),
    .view_lock_o
  );
  assign refusal_o = '{
          channel: prepared_i.channel,
          descriptor: prepared_descriptor,
          reason: prepared_i.error
      };
  assign refusal_valid_o = prepared_valid_i && prepared_i.bad;

  // ---- Flags of channels ------------------------------------------------------------------------

  logic [Channels-1:0][Slot:0] made_q;
  set_t goes, quiet;  // to the engine or to the locks; nothing to give back
  set_t blocked_q, parked_q, aside_q, line_q, granted_q, way_q;  // in line at a lock; under way
  set_t far_q;  // waits for a lock of a neighbour
  set_t
      closed,
      closed_q,
      stop,
      running,
      clean,
      none,
      picked,
      prepared_hot,
      fast_hot,
      last_hot,
      pass_hot,
      wake_hot;
  logic fast, pass, slides;
  always_comb begin
    for (int unsigned c = 0; c < Channels; c++) begin
      closed[c] = channel_i[c].closed || channel_i[c].stop;
      stop[c] = channel_i[c].stop;
      running[c] = Ordered && channel_i[c].running;
      clean[c] = channel_i[c].clean;
      none[c] = made_q[c] == '0;
      goes[c] = (!blocked_q[c] && !(parked_q[c] && closed_q[c]) && !(aside_q[c] && running[c])) ||
          (stop[c] && (line_q[c] || granted_q[c]));
      quiet[c] = !way_q[c] && !line_q[c] && !granted_q[c] &&
          (none[c] || parked_q[c] || blocked_q[c]);
      state_o[c] = '{
          made: 3'(made_q[c]),
          quiet: quiet[c],
          locked: !none[c] && !granted_q[c] && (blocked_q[c] || way_q[c])
      };
    end
  end

  always_ff @(posedge clk_i) closed_q <= closed;

  // ---- The way of a context to the engine -------------------------------------------------------

  index_t next;
  set_t   next_hot;
  way_t way_d, second_q, last_q;
  logic first_valid_q, second_valid_q, last_valid_q, takes, wants;
  bank_answer_t answer;
  assign takes = !first_valid_q || slides;
  // Where the arbiter takes a cycle of its own, a channel that has not gone rests for it.
  set_t rests_q;
  always_ff @(posedge clk_i) rests_q <= Channels > PicksAtOnce && rst_ni && !pass ? last_hot : '0;
  tsr_pick_channel #(
    .Channels(Channels)
  ) u_pick (
    .clk_i,
    .rst_ni,
    .ask_i   (goes & (~none | prepared_hot) & (~way_q | last_hot)),
    .still_i (~none & ~way_q & ~rests_q),
    .take_i  (takes),
    .picked_o(picked),
    .hot_o   (next_hot),
    .index_o (next)
  );
  // The place of the context is known with its channel, or a cycle after it has been picked.
  if (Channels > ReadsAtOnce) begin : gen_place
    place_t slot_next_q;
    always_ff @(posedge clk_i) if (takes) slot_next_q <= slot_q[next];
    assign slot = slot_next_q;
  end else begin : gen_no_place
    assign slot = slot_q[at_q];
  end
  // The locks' turn is waited for without one, too: it is known early.
  assign slides = access_ready_i;
  always_comb begin
    way_d.channel = at_q;
    way_d.slot = slot;
    way_d.first = gate.first;
    way_d.bad = gate.bad;
    way_d.waits = gate.first && gate.ordered && running[at_q] && !granted_q[at_q] && !access_open_i;
    way_d.remote = gate.side != LockOwn;
    way_d.step = StepNone;
    if (stop[at_q] && line_q[at_q]) way_d.step = StepWithdraw;
    else if (stop[at_q] && granted_q[at_q]) way_d.step = StepReturn;
    else if (gate.first && gate.locks && !way_d.bad && !granted_q[at_q] &&
             (!stop[at_q] || access_open_i) && !way_d.waits)
      way_d.step = StepTry;
    wants = first_valid_q && way_d.step != StepNone;
    if (way_d.step == StepReturn && !gate.acquire.value[LockBits] && !EqualTakes) wants = 1'b0;
  end
  lock_op_t op;
  always_comb begin
    op = gate.acquire;
    if (way_d.step == StepReturn && op.value[LockBits]) op.value = -op.value;
  end
  assign access_valid_o = wants;
  assign access_o = '{
          command: way_d.step == StepReturn ? LockRelease : LockTry,
          op: op,
          withdraw: way_d.step == StepWithdraw,
          channel: channel_t'(at_q),
          queues: 1'b1,
          queued: line_q[at_q],
          visits: 1'b0
      };
  assign access_side_o = gate.side;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      first_valid_q  <= 1'b0;
      second_valid_q <= 1'b0;
      last_valid_q   <= 1'b0;
    end else begin
      if (takes) first_valid_q <= next_hot != '0;
      second_valid_q <= first_valid_q && slides;
      last_valid_q   <= second_valid_q;
    end
    if (takes) at_q <= next;
    second_q <= way_d;
    last_q   <= second_q;
  end
  assign answer   = answer_i;
  assign last_hot = hot(last_valid_q, last_q.channel);

  // ---- Launch -----------------------------------------------------------------------------------

  // What has nothing to wait for goes at once, unless another context goes.
  logic go_q, go_first_q, granted, blocks, opens;
  index_t go_channel_q;
  place_t go_slot_q;
  assign prepared_hot = hot(prepared_valid_i, index_t'(prepared_i.channel));
  assign fast_hot = prepared_hot & none & (prepared_first ? ~closed : '1);
  assign fast = fast_hot != '0 && !prepared_i.bad && !prepared_waits && !last_valid_q;
  assign granted = last_q.step == StepTry ? answer.granted : last_q.step == StepNone;
  assign blocks = last_q.bad || (last_q.step == StepTry && !answer.granted);
  assign opens = !last_q.first || ((last_hot & (closed_q | stop)) == '0 && !last_q.waits);
  assign pass = last_valid_q && !last_q.bad && granted && opens;
  assign pass_hot = pass ? last_hot : '0;
  always_ff @(posedge clk_i) begin
    go_q         <= rst_ni && (fast || pass);
    go_channel_q <= last_valid_q ? last_q.channel : index_t'(prepared_i.channel);
    go_slot_q    <= last_valid_q ? last_q.slot : place_t'(prepared_i.slot);
    go_first_q   <= last_valid_q ? last_q.first : prepared_first;
  end
  assign go_first_o   = go_first_q;
  assign go_valid_o   = go_q;
  assign go_channel_o = channel_t'(go_channel_q);
  assign go_hot_o     = hot(go_q, go_channel_q);
  always_ff @(posedge clk_i) begin
    if (sweep_i.valid) slot_q[index_t'(sweep_i.channel)] <= '0;
    else if (go_q) slot_q[go_channel_q] <= go_slot_q + 1'b1;
  end
  assign look_slot_o = slot_t'(slot_q[look_i]);

  assign wake_hot = hot(wake_i.wake, index_t'(wake_i.channel));
  always_ff @(posedge clk_i) begin
    for (int unsigned c = 0; c < Channels; c++) begin
      if (!rst_ni || clean[c]) begin
        made_q[c]    <= '0;
        blocked_q[c] <= 1'b0;
        parked_q[c]  <= 1'b0;
        aside_q[c]   <= 1'b0;
        line_q[c]    <= 1'b0;
        granted_q[c] <= 1'b0;
        way_q[c]     <= 1'b0;
        far_q[c]     <= 1'b0;
      end else begin
        made_q[c] <= made_q[c] + (Slot + 1)'(prepared_hot[c] && !fast) - (Slot + 1)'(pass_hot[c]);
        way_q[c]  <= (way_q[c] && !last_hot[c]) || (picked[c] && takes);
        if (last_hot[c]) begin
          blocked_q[c] <= blocks;
          far_q[c] <= last_q.remote;
          parked_q[c] <= !pass && !blocks;
          aside_q[c] <= Ordered && last_q.waits && !pass && !blocks;
          line_q[c] <= last_q.step == StepTry && answer.queued;
          granted_q[c] <= !pass && last_q.step != StepReturn &&
              (granted_q[c] || (last_q.step == StepTry && answer.granted));
        end else if (!stop[c] && (wake_hot[c] ||
                                  (far_q[c] ? wake_i.remote : wake_i.changed && !line_q[c]))) begin
          blocked_q[c] <= 1'b0;
        end
      end
    end
  end

  logic unused_in;
  assign unused_in = ^{answer, prepared_i, sweep_i};

  `TSR_ASSERT(OneLaunch, !(fast && pass))
  `TSR_ASSERT(InTheOrderOfSlots, !go_q || go_slot_q == slot_q[go_channel_q])
  `TSR_ASSERT(CleansWhatIsQuiet, (clean & way_q) == '0 && (clean & (line_q | granted_q)) == '0)
  for (genvar c = 0; c < Channels; c++) begin : gen_check
    `TSR_ASSERT(MadeFits, 32'(made_q[c]) <= Slots)
    `TSR_ASSERT(LaunchesWhatIsMade, !pass_hot[c] || made_q[c] != '0)
  end

endmodule
