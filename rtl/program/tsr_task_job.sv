// Job of the preparation at work: offers it, and takes what the sequencer needs of the descriptor's words.
//
// Contract: see tsr_task_walk. `state_valid_o`: where the walk of the channel goes on, and its transfers
// that were loaded; `slot_valid_o`: slot of its next context; with the acceptance `current_o`. In a sweep all of
// these are 0.
// Latency: 0 cycles from words to what follows from them. Throughput: a job in as many cycles as its
// words and 1.
`include "tsr_assert.svh"
module tsr_task_job
  import tsr_core_pkg::slot_t;
  import tsr_channel_pkg::*;
  import tsr_program_pkg::*;
#(
  parameter int unsigned Reads = 1,  // 0..16
  parameter int unsigned Channels = 2,  // 1..32, reads first
  parameter int unsigned Place = 3,  // bits of a place in a task queue
  parameter int unsigned Seat = 4,  // bits of a number of transfers
  localparam int unsigned Index = Channels > 1 ? $clog2(Channels) : 1
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  sweep_t                        sweep_i,
  input  walk_work_t                    work_i,
  input  logic           [Channels-1:0] work_hot_i,      // its channel
  input  logic                          work_valid_i,
  output logic                          work_ready_o,
  output logic           [   Index-1:0] job_channel_o,
  output logic           [Channels-1:0] job_hot_o,
  // Its task.
  output logic           [   Place-1:0] place_o,
  input  logic                          left_i,          // more tasks
  input  logic           [        31:0] tag_i,
  // Preparation.
  output job_t                          job_o,
  output logic                          job_valid_o,
  input  logic                          job_ready_i,
  input  logic           [       127:0] shown_i,         // words 12 to 15 of the descriptor
  input  logic                          shown_valid_i,
  input  logic                          refused_i,       // the job was
  // Where the channel goes on.
  output walk_state_t                   state_o,
  output logic           [    Seat-1:0] seat_next_o,
  output logic                          state_valid_o,
  output slot_t                         slot_o,
  output logic                          slot_valid_o,
  output walk_current_t                 current_o,
  output descriptor_id_t                name_o,
  // What becomes of the transfer.
  output logic           [    Seat-1:0] seat_o,
  output launch_t                       launch_o,
  output logic                          launch_valid_o,
  output due_t                          due_o,
  output listed_t                       listed_o,
  output logic                          due_valid_o,
  output style_t                        style_o,
  output side_t                         side_o,
  output logic                          style_valid_o,
  output walk_step_t                    step_o           // without the look
);

  typedef logic [Index-1:0] index_t;

  logic valid_q, taken_q, done, shown, accepts, chained, task_end;
  walk_work_t work_q;
  logic [Channels-1:0] hot_q;
  descriptor_id_t name;  // for software
  assign job_channel_o = index_t'(work_q.channel);
  assign job_hot_o = hot_q;
  assign place_o = Place'(work_q.place);
  assign seat_o = Seat'(work_q.seat);
  assign job_valid_o = valid_q && !taken_q && !work_q.clean;
  assign job_o = '{
          channel: work_q.channel,
          slot: work_q.slot,
          receives: 32'(work_q.channel) >= Reads,
          from_list: work_q.current.from_list,
          descriptor: work_q.current.descriptor,
          final_turn: work_q.current.final_turn,
          continues: work_q.further,
          cut: work_q.further && work_q.cut
      };
  assign name = work_q.current.from_list ? work_q.current.name : work_q.current.descriptor;
  assign accepts = job_valid_o && job_ready_i;
  assign shown = ((valid_q && taken_q) || accepts) && shown_valid_i && !work_q.further;
  assign done    = valid_q && (work_q.clean || (accepts && work_q.further) ||
                               (taken_q && refused_i) || shown);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      hot_q   <= '0;
    end else begin
      if (!valid_q || done) hot_q <= work_valid_i ? work_hot_i : '0;
      valid_q <= work_valid_i || (valid_q && !done);
    end
    if (sweep_i.valid) begin
      // Memories are cleared by an abort of each channel.
      work_q       <= '0;
      work_q.clean <= 1'b1;
    end else if (!valid_q || done) begin
      work_q  <= work_i;
      taken_q <= 1'b0;
    end else begin
      taken_q <= taken_q || accepts;
    end
  end

  logic [31:0] word12, word13, word14, word15;
  assign {word15, word14, word13, word12} = shown_i;
  assign chained = work_q.current.from_list ? !work_q.turn_end : word13[8];
  assign task_end = work_q.current.final_turn && !chained;
  assign state_valid_o = shown || (valid_q && work_q.clean);
  always_comb begin
    state_o = '{
        chained: chained,
        later: !task_end,
        next: word13[7:0],
        turns: chained ? work_q.turns : work_q.turns + 1'b1
    };
    if (work_q.clean || task_end) begin
      state_o.chained = 1'b0;
      state_o.later   = 1'b0;
      state_o.turns   = '0;
    end
    seat_next_o = Seat'(work_q.seat) + Seat'(!work_q.clean);
  end
  assign slot_o = work_q.slot + slot_t'(!work_q.clean);
  assign slot_valid_o = accepts || (valid_q && work_q.clean);
  assign current_o = work_q.current;
  assign name_o = name;
  assign work_ready_o = !valid_q || done;

  assign launch_valid_o = shown || accepts;
  assign launch_o = '{
          channel: work_q.channel,
          slot: work_q.slot,
          descriptor: name,
          first: !work_q.further,
          has_acquire: shown && word12[15],
          acquire: '{id: word12[5:0], value: word12[14:8]}
      };
  assign due_valid_o = shown;
  assign due_o = '{
          descriptor: name,
          task_end: task_end,
          token: work_q.token,
          drop: '{id: word12[21:16], value: word12[30:24]},
          tag: tag_i
      };
  assign listed_o = '{from_list: work_q.current.from_list, index: work_q.index};
  assign style_valid_o = shown;
  assign style_o = '{
          interrupts: word15[12],
          no_record: word15[13],
          finish: word15[10],
          element: word15[2:0]
      };
  assign side_o = side_t'(word14);


  always_comb begin
    step_o          = '0;
    step_o.accepted = accepts;
    step_o.further  = work_q.further;
    step_o.tiled    = shown && word15[15];
    step_o.cleaned  = valid_q && work_q.clean;
    step_o.popped   = shown && task_end;
    step_o.empty    = shown && task_end && !left_i;
  end

  logic unused_words;
  assign unused_words = ^{word12, word13, word14, word15, work_q, sweep_i};

  `TSR_STABLE(JobStays, job_valid_o, job_ready_i, job_o)
  `TSR_ASSUME(WordsOfTheJob, !shown_valid_i || !valid_q || !work_q.clean)
  `TSR_ASSERT(HotIsTrue, hot_q == (valid_q ? Channels'(1) << work_q.channel : '0))

endmodule
