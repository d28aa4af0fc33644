// Walks the tasks of all channels: chains, repeats, triggers, lists; one job of the preparation after
// the other.
//
// Contract. A channel that may go on (`ask`) is picked in turn and looked at; then it waits, or becomes
// the job. A job stays until it is accepted. The next one is offered when the preparation has
// shown words 12 to 15, with its acceptance at the earliest; a further context has none. A look of a channel
// with `clean` ends its abort: tasks are dropped, what was not begun is forgotten. Else a look with `due`
// gives the next context of the transfer at work. A cycle behind the acceptance comes `launch_o`, and again,
// with the lock, a cycle behind the words, with `loaded_o`.
// Latency: 2 cycles from the pick to the job, with more than 4 channels 3, with more than 8 4. Throughput: a job in 4 cycles if the words come
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
  output logic [Channels-1:0] look_hot_o,  // of `found_o`, a cycle behind its look
  output walk_found_t found_o,
  output logic [Channels-1:0] step_hot_o,  // of `step_o`
  output walk_step_t step_o,
  output logic [Channels-1:0] job_hot_o,  // of a job that is offered, or was in the cycle before
  input walk_view_t view_i,  // of the channel at the look
  // Of the channel of the job.
  output logic [Place-1:0] place_o,
  input logic left_i,  // more tasks
  input logic [31:0] tag_i,
  // Preparation.
  output job_t job_o,
  output logic job_valid_o,
  input logic job_ready_i,
  input shown_t shown_i,
  // What becomes of it.
  output loaded_t loaded_o,
  output launch_t launch_o,
  output logic launch_valid_o,
  // View.
  input logic [Index-1:0] view_channel_i,
  output descriptor_id_t view_descriptor_o,
  output logic view_in_task_o
);

  `TSR_STATIC_ASSERT(Slots, Slots == 2 || Slots == 4, ("Slots = %0d; legal is 2 or 4", Slots))

  typedef logic [Index-1:0] index_t;

  // ---- Where channels are -----------------------------------------------------------------------

  // Seats have the bits that count.
  localparam int unsigned StateBits = $bits(walk_state_t) + Seat;
  (* ram_style = "distributed" *) logic [StateBits-1:0] state_q[2**Index];
  (* ram_style = "distributed" *) logic [$bits(walk_current_t)-1:0] current_q[2**Index];
  (* ram_style = "distributed" *) logic [$clog2(Slots)-1:0] slot_q[2**Index];
  (* ram_style = "distributed" *) logic [7:0] view_name_q[2**Index];
  (* ram_style = "distributed" *) logic view_in_task_q[2**Index];

  walk_place_t read, place;
  walk_save_t save;
  logic [Seat-1:0] seat;
  logic moves;
  index_t at, read_at;
  assign at                 = sweep_i.valid ? index_t'(sweep_i.channel) : step_channel_o;
  assign {read.state, seat} = state_q[read_at];
  assign read.seat          = 5'(seat);
  assign read.slot          = slot_t'(slot_q[read_at]);
  assign read.current       = current_q[read_at];
  // With many channels the cycle before the look. A channel that is picked has no step that would write.
  if (Channels > PicksAtOnce) begin : gen_before
    walk_place_t read_q;
    always_ff @(posedge clk_i) if (moves) read_q <= read;
    assign read_at = pick_o;
    assign place   = read_q;
  end else begin : gen_now
    logic unused_moves;
    assign unused_moves = moves;
    assign read_at      = look_o;
    assign place        = read;
  end
  always_ff @(posedge clk_i) begin
    if (save.state_valid || sweep_i.valid) begin
      state_q[at]        <= {save.place.state, Seat'(save.place.seat)};
      view_in_task_q[at] <= save.place.state.chained || save.place.state.later;
    end
    if (save.slot_valid || sweep_i.valid) slot_q[at] <= $clog2(Slots)'(save.place.slot);
    if (save.current_valid || sweep_i.valid) begin
      current_q[at]   <= save.place.current;
      view_name_q[at] <= save.name;
    end
  end
  assign view_descriptor_o = view_name_q[view_channel_i];
  assign view_in_task_o    = view_in_task_q[view_channel_i];

  // ---- Look and job -----------------------------------------------------------------------------

  walk_work_t work;
  logic work_valid, work_ready;
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
    .moves_o     (moves),
    .pick_place_i,
    .look_o,
    .look_place_o,
    .place_i     (place),
    .view_i,
    .work_o      (work),
    .work_hot_o  (work_hot),
    .work_valid_o(work_valid),
    .work_ready_i(work_ready),
    .look_hot_o,
    .found_o
  );
  tsr_task_job #(
    .Reads   (Reads),
    .Channels(Channels),
    .Place   (Place),
    .Walk    (Walk)
  ) u_job (
    .clk_i,
    .rst_ni,
    .sweep_i,
    .work_i      (work),
    .work_hot_i  (work_hot),
    .work_valid_i(work_valid),
    .work_ready_o(work_ready),
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
    .save_o      (save),
    .loaded_o,
    .launch_o,
    .launch_valid_o,
    .step_o
  );

  logic unused_save;
  assign unused_save = ^save;

  `TSR_ASSERT(ALookTellsOfOneChannel, $onehot0(look_hot_o) && $onehot0(step_hot_o))

endmodule
