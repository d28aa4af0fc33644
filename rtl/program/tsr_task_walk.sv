// Walks the tasks of all channels: chains, repeats, triggers, lists; one job of the preparation after
// the other.
//
// Contract. A channel that may go on (`ask`) is picked in turn and looked at; then it waits, or becomes
// the job. A job stays until it is accepted. The next one is offered when the preparation has
// shown words 12 to 15, with its acceptance at the earliest; a further context has none. A look of a channel
// with `clean` ends its abort: tasks are dropped, what was not begun is forgotten. Else a look with `due`
// gives the next context of the transfer at work. A cycle behind the acceptance comes `launch_o`, and again,
// with the lock, a cycle behind the words, with `due_o` and `style_o`.
// `seat_o` counts transfers and is the place of `due_o` and `style_o`.
// Latency: 2 cycles from the pick to the job. Throughput: a job in 4 cycles if the words come
// within 3 cycles of its acceptance; one channel alone takes its words and 5.
`include "tsr_assert.svh"
module tsr_task_walk
  import tsr_core_pkg::slot_t;
  import tsr_descriptor_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_program_pkg::*;
#(
  parameter  int unsigned Reads    = 1,                                    // 0..16
  parameter  int unsigned Channels = 2,                                    // 1..32, reads first
  parameter  int unsigned Tasks    = 4,                                    // of a queue
  parameter  int unsigned Slots    = 2,                                    // 2 or 4
  parameter  int unsigned Flight   = 8,                                    // transfers of a channel
  parameter  bit          Lists    = 1'b0,
  parameter  bit          Walk     = 1'b1,
  localparam int unsigned Index    = Channels > 1 ? $clog2(Channels) : 1,
  localparam int unsigned Place    = $clog2(Tasks) + 1,
  localparam int unsigned Seat     = $clog2(Flight) + 1
) (
  input logic clk_i,
  input logic rst_ni,
  input sweep_t sweep_i,
  input walk_channel_t [Channels-1:0] channel_i,
  output logic [Index-1:0] pick_o,  // channel of the next look
  input logic [Place-1:0] pick_place_i,  // of its oldest task
  output logic [Index-1:0] look_o,  // channel at the look
  output logic [Place-1:0] look_place_o,
  output logic [Index-1:0] step_channel_o,  // of what follows from the job
  output logic [Channels-1:0] look_hot_o,  // of `step_o`, a cycle behind its look
  output logic [Channels-1:0] step_hot_o,  // of the rest of `step_o`
  output logic [Channels-1:0] job_hot_o,  // of a job that is offered, or was in the cycle before
  output walk_step_t step_o,
  // Of the channel at the look.
  input task_t task_i,
  input logic [Seat-1:0] seat_given_i,  // transfers and records that are gone
  input logic [Seat-1:0] seat_ended_i,  // transfers that have ended
  input slot_t launch_slot_i,  // next to the engine
  input list_head_t list_head_i,
  output logic list_open_o,  // its task takes descriptors from the list,
  output logic list_again_o,  // and goes on behind this turn
  // Of the channel of the job.
  output logic [Place-1:0] place_o,
  input logic left_i,  // more tasks
  input logic [31:0] tag_i,
  // Preparation.
  output job_t job_o,
  output logic job_valid_o,
  input logic job_ready_i,
  input logic [127:0] shown_i,  // words 12 to 15 of the descriptor
  input logic shown_ordered_i,  // the transfer waits until those before it are done
  input logic shown_valid_i,
  // What becomes of it.
  output logic [Seat-1:0] seat_o,
  output launch_t launch_o,
  output logic launch_valid_o,
  output due_t due_o,
  output listed_t listed_o,
  output logic due_valid_o,
  output style_t style_o,
  output side_t side_o,
  output header_request_t header_o,
  output logic style_valid_o,
  // View.
  input logic [Index-1:0] view_i,
  output descriptor_id_t view_descriptor_o,
  output logic view_in_task_o
);

  `TSR_STATIC_ASSERT(Slots, Slots == 2 || Slots == 4, ("Slots = %0d; legal is 2 or 4", Slots))

  typedef logic [Index-1:0] index_t;

  // ---- Where channels are -----------------------------------------------------------------------

  localparam int unsigned StateBits = $bits(walk_state_t) + Seat;
  (* ram_style = "distributed" *) logic [StateBits-1:0] state_q[2**Index];
  (* ram_style = "distributed" *) logic [$bits(walk_current_t)-1:0] current_q[2**Index];
  (* ram_style = "distributed" *) logic [$clog2(Slots)-1:0] slot_q[2**Index];
  (* ram_style = "distributed" *) logic [7:0] view_name_q[2**Index];
  (* ram_style = "distributed" *) logic view_in_task_q[2**Index];

  walk_state_t state, state_next;
  walk_current_t current_next;
  logic [Seat-1:0] seat, seat_next;
  slot_t slot_next;
  logic state_valid, slot_valid;
  descriptor_id_t name;
  index_t at;
  assign at            = sweep_i.valid ? index_t'(sweep_i.channel) : step_channel_o;
  assign {state, seat} = state_q[look_o];
  always_ff @(posedge clk_i) begin
    if (state_valid || sweep_i.valid) begin
      state_q[at]        <= {state_next, seat_next};
      view_in_task_q[at] <= state_next.chained || state_next.later;
    end
    if (slot_valid || sweep_i.valid) slot_q[at] <= $clog2(Slots)'(slot_next);
    if (step_o.accepted || sweep_i.valid) begin
      current_q[at]   <= current_next;
      view_name_q[at] <= name;
    end
  end
  assign view_descriptor_o = view_name_q[view_i];
  assign view_in_task_o    = view_in_task_q[view_i];

  // ---- Look and job -----------------------------------------------------------------------------

  walk_work_t work;
  walk_step_t job_step;
  wait_e waits;
  logic work_valid, work_ready, take, take_id;
  logic [Channels-1:0] work_hot;
  tsr_task_look #(
    .Channels(Channels),
    .Place   (Place),
    .Seat    (Seat),
    .Lists   (Lists)
  ) u_look (
    .clk_i,
    .rst_ni,
    .sweep_i,
    .channel_i,
    .busy_i      (job_hot_o),
    .pick_o,
    .pick_place_i,
    .look_o,
    .look_place_o,
    .state_i     (state),
    .current_i   (walk_current_t'(current_q[look_o])),
    .slot_i      (slot_t'(slot_q[look_o])),
    .task_i,
    .seat_i      (seat),
    .seat_given_i,
    .seat_ended_i,
    .launch_slot_i,
    .list_head_i,
    .work_o      (work),
    .work_hot_o  (work_hot),
    .work_valid_o(work_valid),
    .work_ready_i(work_ready),
    .look_hot_o,
    .waits_o     (waits),
    .take_o      (take),
    .take_id_o   (take_id),
    .list_open_o,
    .list_again_o
  );
  tsr_task_job #(
    .Reads   (Reads),
    .Channels(Channels),
    .Place   (Place),
    .Seat    (Seat),
    .Walk    (Walk)
  ) u_job (
    .clk_i,
    .rst_ni,
    .sweep_i,
    .work_i       (work),
    .work_hot_i   (work_hot),
    .work_valid_i (work_valid),
    .work_ready_o (work_ready),
    .job_hot_o,
    .step_channel_o,
    .step_hot_o,
    .place_o,
    .left_i,
    .tag_i,
    .job_o,
    .job_valid_o,
    .job_ready_i,
    .shown_i,
    .shown_ordered_i,
    .shown_valid_i,
    .state_o      (state_next),
    .seat_next_o  (seat_next),
    .state_valid_o(state_valid),
    .slot_o       (slot_next),
    .slot_valid_o (slot_valid),
    .current_o    (current_next),
    .name_o       (name),
    .seat_o,
    .launch_o,
    .launch_valid_o,
    .due_o,
    .listed_o,
    .due_valid_o,
    .style_o,
    .side_o,
    .header_o,
    .style_valid_o,
    .step_o       (job_step)
  );
  always_comb begin
    step_o         = job_step;
    step_o.look    = look_hot_o != '0;
    step_o.waits   = waits;
    step_o.take    = take;
    step_o.take_id = take_id;
  end

  logic unused_slot;
  assign unused_slot = ^slot_next;

  `TSR_ASSERT(ALookTellsOfOneChannel, $onehot0(look_hot_o) && $onehot0(step_hot_o))

endmodule
