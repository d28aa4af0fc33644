// Job of the preparation at work: offers it, and takes what the sequencer needs of the descriptor's words.
//
// Contract: see tsr_task_walk. `save_o`: where the walk of the channel goes on; in a sweep all 0. `job_hot_o`: the
// channel of a job that is offered or was in the cycle before; `step_hot_o`: that of `step_o`.
// Latency: 1 cycle from acceptance and words to what follows from them. Throughput: a job in as many cycles as
// its words and 1.
`include "tsr_assert.svh"
module tsr_task_job
  import tsr_core_pkg::slot_t;
  import tsr_channel_pkg::*;
  import tsr_descriptor_pkg::*;
  import tsr_program_pkg::*;
#(
  parameter int unsigned Reads = 1,  // 0..16
  parameter int unsigned Channels = 2,  // 1..32, reads first
  parameter int unsigned Place = 3,  // bits of a place in a task queue
  parameter bit Walk = 1'b1,  // transfers of several contexts
  localparam int unsigned Index = Channels > 1 ? $clog2(Channels) : 1
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  sweep_t                    sweep_i,
  input  walk_work_t                work_i,
  input  logic       [Channels-1:0] work_hot_i,      // its channel
  input  logic                      work_valid_i,
  output logic                      work_ready_o,
  output logic       [Channels-1:0] job_hot_o,
  // The channel of what follows.
  output logic       [   Index-1:0] step_channel_o,
  output logic       [Channels-1:0] step_hot_o,
  // Its task.
  output logic       [   Place-1:0] place_o,
  input  logic                      left_i,          // more tasks
  input  logic       [        31:0] tag_i,
  // Preparation.
  output job_t                      job_o,
  output logic                      job_valid_o,
  input  logic                      job_ready_i,
  input  shown_t                    shown_i,
  output walk_save_t                save_o,          // where the channel goes on
  // What becomes of the transfer.
  output loaded_t                   loaded_o,
  output launch_t                   launch_o,
  output logic                      launch_valid_o,
  output walk_step_t                step_o
);

  typedef logic [Index-1:0] index_t;

  // ---- The job that is offered, or that waits for its words

  logic offers_q, opens_q, cleans_q, ready_q, shown, accepts, final_turn;
  walk_work_t work_q;
  logic [Channels-1:0] hot_q;
  assign job_valid_o = offers_q;
  // Of a list only its last descriptor ends the task; further tiles have what their first one had.
  assign final_turn = work_q.current.final_turn && work_q.same == '1 &&
      (work_q.further || !work_q.current.from_list || work_q.turn_end);
  assign job_o = '{
          channel: work_q.channel,
          slot: work_q.slot,
          receives: 32'(work_q.channel) >= Reads,
          from_list: work_q.current.from_list,
          descriptor: work_q.current.descriptor,
          final_turn: final_turn,
          continues: work_q.further,
          cut: work_q.further && work_q.cut
      };
  assign accepts = offers_q && job_ready_i;
  // Words that come while a job is offered come with its acceptance, which is known later.
  assign shown = (opens_q || offers_q) && shown_i.valid && !work_q.further;
  // No job, or one that waits for no words.
  assign work_ready_o = ready_q || (shown_i.valid && !work_q.further);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ready_q  <= 1'b1;
      offers_q <= 1'b0;
      opens_q  <= 1'b0;
      cleans_q <= 1'b0;
      hot_q    <= '0;
    end else if (work_ready_o) begin
      ready_q  <= !work_valid_i || work_i.clean;
      offers_q <= work_valid_i && !work_i.clean;
      opens_q  <= 1'b0;
      cleans_q <= work_valid_i && work_i.clean;
      hot_q    <= work_valid_i ? work_hot_i : '0;
    end else if (accepts) begin
      ready_q  <= work_q.further;
      offers_q <= 1'b0;
      opens_q  <= 1'b1;
    end
    if (work_ready_o) work_q <= work_i;
  end

  // ---- A cycle later: what follows

  typedef struct packed {
    logic            chained;       // by its words
    logic [7:0]      next;
    logic            ordered;
    logic            has_acquire;
    lock_op_t        acquire;
    lock_side_e      acquire_side;
    lock_op_t        drop;
    lock_side_e      drop_side;
    style_t          style;
    logic            tiled;
    side_t           side;
    header_request_t header;
  } words_t;
  logic accepted_q, shown_q, cleaned_q;
  logic [Channels-1:0] step_hot_q;
  walk_work_t step_q;
  words_t words_q;
  descriptor_row3_t row;
  assign row = shown_i.row;
  always_ff @(posedge clk_i) begin
    accepted_q <= rst_ni && accepts;
    shown_q <= rst_ni && shown;
    cleaned_q <= rst_ni && cleans_q;
    step_hot_q <= rst_ni && (accepts || shown || cleans_q) ? hot_q : '0;
    step_q <= work_q;
    step_q.current.final_turn <= final_turn;
    words_q <= '{
        chained: row.next.has_next,
        next: row.next.next,
        ordered: shown_i.ordered,
        has_acquire: row.locks.acquire,
        acquire: '{id: row.locks.acquire_id, value: lock_amount_t'(row.locks.acquire_value)},
        acquire_side: lock_side_e'(row.locks.reserved_6),  // 0 in descriptors of software
        drop: '{id: row.locks.release_id, value: lock_amount_t'(row.locks.release_value)},
        drop_side: lock_side_e'(row.locks.reserved_22),
        style: '{
            interrupts: row.flags.interrupts,
            no_record: row.flags.no_record,
            finish: row.flags.finish_last,
            element: row.flags.elem_log2
        },
        tiled: Walk && row.flags.has_walk,
        side: row.side,
        header: '{
            enable: row.flags.header,
            kind: row.flags.packet_type,
            bd: row.flags.packet_descriptor,
            id: row.flags.packet_id
        }
    };
    if (sweep_i.valid) begin
      // Memories are cleared by an abort of each channel.
      step_q       <= '0;
      step_q.clean <= 1'b1;
    end
  end
  assign job_hot_o      = hot_q | step_hot_q;
  assign step_channel_o = index_t'(step_q.channel);
  assign step_hot_o     = step_hot_q;
  assign place_o        = Place'(step_q.place);

  descriptor_id_t name;  // for software
  logic chained, task_end;
  assign name = step_q.current.from_list ? step_q.current.name : step_q.current.descriptor;
  assign chained = step_q.current.from_list ? !step_q.turn_end : words_q.chained;
  assign task_end = step_q.current.final_turn && !chained;
  always_comb begin
    save_o = '{
        state_valid: shown_q || cleaned_q,
        slot_valid: accepted_q || cleaned_q,
        current_valid: accepted_q,
        name: name,
        place: '{
            state: '{
                chained: chained,
                later: !task_end,
                next: words_q.next,
                turns: chained ? step_q.turns : step_q.turns + 1'b1
            },
            seat: step_q.seat + 5'(!step_q.clean),
            slot: step_q.slot + slot_t'(!step_q.clean),
            current: step_q.current
        }
    };
    if (step_q.clean || task_end) begin
      save_o.place.state.chained = 1'b0;
      save_o.place.state.later   = 1'b0;
      save_o.place.state.turns   = '0;
    end
  end

  assign launch_valid_o = shown_q || accepted_q;
  assign launch_o = '{
          channel: step_q.channel,
          slot: step_q.slot,
          descriptor: name,
          first: !step_q.further,
          ordered: shown_q && words_q.ordered,
          has_acquire: shown_q && words_q.has_acquire,
          acquire: words_q.acquire,
          acquire_side: words_q.acquire_side
      };
  assign loaded_o = '{
          valid: shown_q,
          channel: step_q.channel,
          seat: step_q.seat,
          due: '{
              side: words_q.drop_side,
              descriptor: name,
              task_end: task_end,
              token: step_q.token,
              drop: words_q.drop,
              tag: tag_i
          },
          listed: '{from_list: step_q.current.from_list, index: step_q.index},
          style: words_q.style,
          side: words_q.side,
          header: words_q.header
      };

  always_comb begin
    step_o = '{
        slot: step_q.slot,
        accepted: accepted_q,
        further: step_q.further,
        tiled: shown_q && words_q.tiled,
        cleaned: cleaned_q,
        popped: shown_q && task_end,
        empty: shown_q && task_end && !left_i
    };
  end

  logic unused_words;
  assign unused_words = ^{row, work_q, step_q, sweep_i};

  `TSR_STABLE(JobStays, job_valid_o, job_ready_i, job_o)
  `TSR_ASSERT(ReadyIsTrue,
              ready_q == (cleans_q || (opens_q && work_q.further) || !(offers_q || opens_q)))
  `TSR_ASSERT(ShownWithItsJob, !(shown && offers_q) || accepts)
  `TSR_ASSERT(HotIsTrue,
              hot_q == (offers_q || opens_q || cleans_q ? Channels'(1) << work_q.channel : '0))

endmodule
