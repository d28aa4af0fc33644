// Sequencers with 1+1, 4+4, 3+0 and 16+16 channels side by side; pins show the one that `cell_i` names.
// tests/program/program_sequencer_bench.h has the same list.
module program_sequencer_top
  import tsr_core_pkg::slot_t;
  import tsr_channel_pkg::*;
  import tsr_register_pkg::*;
  import tsr_program_pkg::*;
#(
  localparam int unsigned Cells = 4,
  localparam int unsigned Most  = 32
) (
  input  logic [Cells-1:0] clk_i,               // of each: who is not tested stands still
  input  logic             rst_ni,
  input  logic [      1:0] cell_i,
  input  logic [     31:0] cycles_i,
  input  logic [      4:0] push_channel_i,
  input  logic [     28:0] push_task_i,         // as register TASK
  input  logic [     31:0] push_tag_i,
  input  logic             push_valid_i,
  output logic             push_ready_o,
  input  logic [ Most-1:0] drain_i,
  input  logic [ Most-1:0] abort_i,
  input  logic [ Most-1:0] reset_i,
  input  logic [ Most-1:0] stop_i,
  input  logic [      1:0] lock_command_i,
  input  logic [      5:0] lock_id_i,
  input  logic [      6:0] lock_value_i,
  input  logic             lock_valid_i,
  output logic             lock_ready_o,
  output logic [      5:0] lock_value_o,
  output logic             lock_over_o,
  output logic             lock_under_o,
  output logic [      5:0] lock_report_id_o,
  output logic             lock_by_channel_o,
  input  logic [      4:0] read_channel_i,
  input  logic [      3:0] read_word_i,
  output logic [     31:0] read_o,
  input  logic             pop_i,
  output logic [      4:0] end_channel_o,
  input  logic [      6:0] stop_on_i,
  output logic [      4:0] event_channel_o,
  output logic [      5:0] event_bits_o,        // finished, delivered .. empty
  output logic [     14:0] event_causes_o,
  output logic [      7:0] event_descriptor_o,
  output logic [      5:0] event_reason_o,
  output logic [     63:0] event_addr_o,
  output logic             event_valid_o,
  input  logic [      4:0] view_channel_i,
  output logic [      3:0] view_waits_o,
  output logic [      3:0] view_next_waits_o,
  output logic [      5:0] view_lock_o,
  output logic [      7:0] view_descriptor_o,
  output logic [      4:0] view_room_o,
  output logic [      4:0] view_records_o,
  output logic             view_in_task_o,
  output logic [ Most-1:0] idle_o,
  output logic [ Most-1:0] in_reset_o,
  output logic [ Most-1:0] halted_o,
  output logic [ Most-1:0] faulted_o,
  output logic [ Most-1:0] busy_o,
  output logic [      4:0] job_channel_o,
  output logic [      1:0] job_slot_o,
  output logic [      7:0] job_descriptor_o,
  output logic [      4:0] job_flags_o,         // receives, from_list, final, continues, cut
  output logic             job_valid_o,
  input  logic             job_ready_i,
  input  logic [     63:0] shown_low_i,
  input  logic [     63:0] shown_high_i,
  input  logic             shown_valid_i,
  input  logic [      4:0] prepared_channel_i,
  input  logic [      1:0] prepared_slot_i,
  input  logic [      5:0] prepared_error_i,
  input  logic             prepared_more_i,
  input  logic             prepared_valid_i,
  output logic [      4:0] go_channel_o,
  output logic             go_valid_o,
  input  logic [ Most-1:0] freed_i,
  output logic [ Most-1:0] abort_o,
  input  logic [ Most-1:0] engine_idle_i,
  input  logic [ Most-1:0] engine_cut_i,
  input  logic [      4:0] end_channel_i,
  input  logic [      6:0] end_flags_i,         // slverr, decerr, denied, overlong .. last
  input  logic [     63:0] end_bytes_i,
  input  logic [     63:0] end_dropped_i,
  input  logic [     63:0] end_addr_i,
  input  logic [     31:0] end_side_i,
  input  logic             end_valid_i,
  output logic             end_ready_o,
  input  logic [ Most-1:0] trigger_i,
  output logic [ Most-1:0] trigger_take_o,
  output logic             token_valid_o,
  output logic [ Most-1:0] list_open_o,
  output logic [ Most-1:0] list_again_o,
  input  logic [ Most-1:0] list_ready_i,
  output logic [      4:0] list_channel_o,
  input  logic [      7:0] list_place_i,
  input  logic [     15:0] list_index_i,
  input  logic             list_turn_end_i,
  output logic [ Most-1:0] list_take_o,
  output logic [      4:0] entry_channel_o,
  output logic [     15:0] entry_index_o,
  output logic             entry_valid_o,
  input  logic             entry_ready_i
);

  localparam int unsigned Reads[Cells] = '{1, 4, 3, 16};
  localparam int unsigned Writes[Cells] = '{1, 4, 0, 16};
  localparam int unsigned Slots[Cells] = '{2, 4, 2, 2};
  localparam int unsigned TaskDepth[Cells] = '{4, 4, 8, 2};
  localparam int unsigned RecordDepth[Cells] = '{8, 8, 2, 16};
  localparam int unsigned Locks[Cells] = '{16, 16, 1, 64};
  localparam bit EqualTakes[Cells] = '{1'b0, 1'b1, 1'b0, 1'b0};
  localparam bit Side[Cells] = '{1'b0, 1'b1, 1'b0, 1'b0};
  localparam bit Lists[Cells] = '{1'b0, 1'b1, 1'b0, 1'b0};
  localparam bit Ordered[Cells] = '{1'b1, 1'b0, 1'b0, 1'b0};

  typedef logic [Most-1:0] set_t;
  push_t push;
  end_word_e [Cells-1:0] end_word;
  prepared_t prepared;
  assign push = '{
          channel: push_channel_i,
          item: '{
              endless: push_task_i[24],
              token: push_task_i[25],
              trigger: push_task_i[26],
              paced: push_task_i[27],
              repeats: push_task_i[23:8],
              start: push_task_i[7:0],
              from_list: push_task_i[28],
              tag: push_tag_i
          }
      };
  assign prepared = {
    prepared_channel_i,
    prepared_slot_i,
    prepared_error_i != '0,
    prepared_error_i,
    prepared_more_i,
    1'b0,
    8'd0
  };

  sequencer_request_t request;
  sequencer_answer_t [Cells-1:0] answer;
  assign request = '{
          lock: {lock_command_i, lock_id_i, lock_value_i},
          lock_valid: lock_valid_i,
          read_channel: read_channel_i,
          read_word: record_word_e'(read_word_i),
          pop: pop_i,
          view_channel: view_channel_i
      };
  lock_report_t [Cells-1:0] lock_report;
  far_request_t [Cells-1:0] unused_far;
  sequencer_event_t [Cells-1:0] happens;
  job_t [Cells-1:0] job;
  list_entry_t [Cells-1:0] entry;
  logic [Cells-1:0] push_ready, event_valid, job_valid, go_valid, end_ready, token_valid;
  logic [Cells-1:0] entry_valid;
  channel_t [Cells-1:0] end_channel, go_channel, list_channel;
  set_t [Cells-1:0] idle, in_reset, halted, faulted, busy, aborts, take, open, again, list_take;

  for (genvar i = 0; i < Cells; i++) begin : gen_cell
    localparam int unsigned N = Reads[i] + Writes[i];
    orders_t [N-1:0] orders;
    engine_state_t [N-1:0] engine;
    channel_levels_t [N-1:0] levels;
    list_order_t [N-1:0] list_order;
    list_state_t [N-1:0] list_state;
    for (genvar c = 0; c < Most; c++) begin : gen_channel
      if (c < N) begin : gen_there
        assign orders[c] = '{
                drain: drain_i[c],
                aborts: abort_i[c],
                reset: reset_i[c],
                stop: stop_i[c],
                trigger: trigger_i[c],
                default: '0
            };
        assign list_state[c] = '{ready: list_ready_i[c], default: '0};
        assign aborts[i][c] = levels[c].dropping;
        assign open[i][c] = list_order[c].open;
        assign again[i][c] = list_order[c].again;
        assign list_take[i][c] = list_order[c].take;
        assign engine[c] = '{idle: engine_idle_i[c], cut: engine_cut_i[c]};
        assign idle[i][c] = levels[c].idle;
        assign in_reset[i][c] = levels[c].in_reset;
        assign halted[i][c] = levels[c].halted;
        assign faulted[i][c] = levels[c].faulted;
        assign busy[i][c] = levels[c].busy;
      end else begin : gen_absent
        assign {idle[i][c], in_reset[i][c], halted[i][c], faulted[i][c], busy[i][c]} = '0;
        assign {aborts[i][c], take[i][c], open[i][c], again[i][c], list_take[i][c]}  = '0;
      end
    end
    logic [63:0] end_data;
    always_comb begin
      unique case (end_word[i])
        WordAddress: end_data = end_addr_i;
        WordDropped: end_data = {16'b0, end_dropped_i[47:0]};
        default:    end_data = {16'b0, end_bytes_i[47:0]};
      endcase
    end
    logic unused_refused, unused_beside_valid;
    beside_t unused_beside;
    receive_control_t [N-1:0] unused_receive;
    tsr_program_sequencer #(
      .Reads      (Reads[i]),
      .Writes     (Writes[i]),
      .TaskDepth  (TaskDepth[i]),
      .RecordDepth(RecordDepth[i]),
      .Slots      (Slots[i]),
      .Locks      (Locks[i]),
      .EqualTakes (EqualTakes[i]),
      .Side       (Side[i]),
      .Lists      (Lists[i]),
      .Ordered    (Ordered[i])
    ) u_dut (
      .clk_i          (clk_i[i]),
      .rst_ni,
      .cycles_i,
      .push_i         (push),
      .push_valid_i,
      .push_ready_o   (push_ready[i]),
      .orders_i       (orders),
      .program_i      (request),
      .program_o      (answer[i]),
      .levels_o       (levels),
      .lock_report_o  (lock_report[i]),
      .far_o          (unused_far[i]),
      .far_i          ('0),
      .end_channel_o  (end_channel[i]),
      .stop_on_i,
      .event_o        (happens[i]),
      .event_valid_o  (event_valid[i]),
      .job_o          (job[i]),
      .job_valid_o    (job_valid[i]),
      .job_ready_i,
      .shown_i        ({shown_high_i, shown_low_i}),
      .shown_ordered_i(1'b0),
      .shown_valid_i,
      .prepared_i     (prepared),
      .prepared_valid_i,
      .go_channel_o   (go_channel[i]),
      .go_valid_o     (go_valid[i]),
      .freed_i        (freed_i[N-1:0]),
      .engine_i       (engine),
      .end_i          ({end_channel_i, end_flags_i, end_data, end_side_i}),
      .end_word_o     (end_word[i]),
      .end_valid_i,
      .end_ready_o    (end_ready[i]),
      .beside_o       (unused_beside),
      .beside_valid_o (unused_beside_valid),
      .receive_o      (unused_receive),
      .trigger_take_o (take[i][N-1:0]),
      .token_valid_o  (token_valid[i]),
      .list_o         (list_order),
      .list_i         (list_state),
      .list_refused_o (unused_refused),
      .list_channel_o (list_channel[i]),
      .list_head_i    ({list_place_i, list_index_i, list_turn_end_i}),
      .entry_o        (entry[i]),
      .entry_valid_o  (entry_valid[i]),
      .entry_ready_i
    );
  end

  assign push_ready_o = push_ready[cell_i];
  assign lock_ready_o = answer[cell_i].lock_ready;
  assign lock_value_o = answer[cell_i].lock.value;
  assign lock_over_o = lock_report[cell_i].over;
  assign lock_under_o = lock_report[cell_i].under;
  assign lock_report_id_o = lock_report[cell_i].id;
  assign lock_by_channel_o = lock_report[cell_i].by_channel;
  assign read_o = answer[cell_i].read;
  assign end_channel_o = end_channel[cell_i];
  assign event_channel_o = happens[cell_i].channel;
  assign event_bits_o = {
    happens[cell_i].finished,
    happens[cell_i].delivered,
    happens[cell_i].task_done,
    happens[cell_i].interrupts,
    happens[cell_i].record,
    happens[cell_i].empty
  };
  assign event_causes_o = happens[cell_i].causes;
  assign event_descriptor_o = happens[cell_i].descriptor;
  assign event_reason_o = happens[cell_i].reason;
  assign event_addr_o = happens[cell_i].addr;
  assign event_valid_o = event_valid[cell_i];
  assign view_waits_o = answer[cell_i].view.waits;
  assign view_next_waits_o = answer[cell_i].view.next_waits;
  assign view_lock_o = answer[cell_i].view.lock;
  assign view_descriptor_o = answer[cell_i].view.descriptor;
  assign view_room_o = answer[cell_i].view.room;
  assign view_records_o = answer[cell_i].view.records;
  assign view_in_task_o = answer[cell_i].view.in_task;
  assign idle_o = idle[cell_i];
  assign in_reset_o = in_reset[cell_i];
  assign halted_o = halted[cell_i];
  assign faulted_o = faulted[cell_i];
  assign busy_o = busy[cell_i];
  assign job_channel_o = job[cell_i].channel;
  assign job_slot_o = job[cell_i].slot;
  assign job_descriptor_o = job[cell_i].descriptor;
  assign job_flags_o = {
    job[cell_i].receives,
    job[cell_i].from_list,
    job[cell_i].final_turn,
    job[cell_i].continues,
    job[cell_i].cut
  };
  assign job_valid_o = job_valid[cell_i];
  assign go_channel_o = go_channel[cell_i];
  assign go_valid_o = go_valid[cell_i];
  assign abort_o = aborts[cell_i];
  assign end_ready_o = end_ready[cell_i];
  assign trigger_take_o = take[cell_i];
  assign token_valid_o = token_valid[cell_i];
  assign list_open_o = open[cell_i];
  assign list_again_o = again[cell_i];
  assign list_channel_o = list_channel[cell_i];
  assign list_take_o = list_take[cell_i];
  assign entry_channel_o = entry[cell_i].channel;
  assign entry_index_o = entry[cell_i].index;
  assign entry_valid_o = entry_valid[cell_i];

endmodule
