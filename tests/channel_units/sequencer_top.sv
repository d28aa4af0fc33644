// Sequencers of two shapes, side by side. tests/channel_units/sequencer_test.cpp has the same list.
module sequencer_top
  import tsr_pkg::*;
  import tsr_channel_pkg::*;
#(
  localparam int unsigned Cells = 2
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic [Cells-1:0]       clear_i,
  input  logic [Cells-1:0]       abort_i,
  input  logic [Cells-1:0]       stop_i,
  input  logic [Cells-1:0]       fail_i,
  input  logic [Cells-1:0]       idle_i,
  input  logic [Cells-1:0][ 7:0] task_start_i,
  input  logic [Cells-1:0][ 7:0] task_repeats_i,
  input  logic [Cells-1:0]       task_endless_i,
  input  logic [Cells-1:0]       task_listed_i,
  input  logic [Cells-1:0]       task_valid_i,
  output logic [Cells-1:0]       task_ready_o,
  output logic [Cells-1:0]       flush_o,
  input  logic [Cells-1:0]       by_id_i,
  input  logic [Cells-1:0][ 7:0] id_i,
  input  logic [Cells-1:0]       id_valid_i,
  output logic [Cells-1:0]       id_take_o,
  output logic [Cells-1:0][ 7:0] request_o,
  output logic [Cells-1:0]       request_listed_o,
  output logic [Cells-1:0]       request_final_o,
  output logic [Cells-1:0]       request_valid_o,
  input  logic [Cells-1:0]       request_ready_i,
  input  logic [Cells-1:0][ 7:0] loaded_i,           // its number
  input  logic [Cells-1:0][ 7:0] loaded_next_i,
  input  logic [Cells-1:0]       loaded_chained_i,
  input  logic [Cells-1:0]       loaded_end_i,
  input  logic [Cells-1:0]       loaded_error_i,
  input  logic [Cells-1:0]       loaded_acquires_i,
  input  logic [Cells-1:0][15:0] loaded_acquire_i,   // id in 13:8, value in 6:0
  input  logic [Cells-1:0]       loaded_valid_i,
  input  logic [Cells-1:0][15:0] addr_i,             // of the transfer
  output logic [Cells-1:0]       list_open_o,
  output logic [Cells-1:0][15:0] acquire_o,
  output logic [Cells-1:0]       acquire_valid_o,
  input  logic [Cells-1:0]       acquire_ready_i,
  output logic [Cells-1:0][15:0] give_back_o,
  output logic [Cells-1:0]       give_back_valid_o,
  input  logic [Cells-1:0]       give_back_ready_i,
  output logic [Cells-1:0][15:0] addr_o,
  output logic [Cells-1:0][ 7:0] after_o,            // the number of its descriptor
  output logic [Cells-1:0]       valid_o,
  input  logic [Cells-1:0]       ready_i,
  input  logic [Cells-1:0]       after_ready_i,
  output logic [Cells-1:0]       failed_o,
  output logic [Cells-1:0]       stopped_o,
  output logic [Cells-1:0]       busy_o,
  output logic [Cells-1:0]       running_o
);

  localparam int unsigned Slots[Cells] = '{1, 2};
  localparam bit EqualTakes[Cells] = '{1'b0, 1'b1};

  for (genvar i = 0; i < Cells; i++) begin : gen_cell
    task_t now;
    load_request_t request;
    loaded_t loaded;
    transfer_t transfer, offered;
    lock_op_t acquire, give_back;
    after_t after;
    header_request_t unused_header;
    wait_e unused_waits;
    logic unused_trigger, unused_again;

    always_comb begin
      now                = '0;
      now.start          = task_start_i[i];
      now.repeats        = 16'(task_repeats_i[i]);
      now.endless        = task_endless_i[i];
      now.from_list      = task_listed_i[i];
      loaded             = '0;
      loaded.descriptor  = loaded_i[i];
      loaded.next        = loaded_next_i[i];
      loaded.chained     = loaded_chained_i[i];
      loaded.task_end    = loaded_end_i[i];
      loaded.error       = {loaded_error_i[i], 5'd0};
      loaded.has_acquire = loaded_acquires_i[i];
      loaded.acquire     = '{id: loaded_acquire_i[i][13:8], value: loaded_acquire_i[i][6:0]};
      transfer           = '0;
      transfer.addr      = 64'(addr_i[i]);
    end

    tsr_sequencer #(
      .Slots     (Slots[i]),
      .EqualTakes(EqualTakes[i])
    ) u_dut (
      .clk_i,
      .rst_ni,
      .clear_i          (clear_i[i]),
      .abort_i          (abort_i[i]),
      .stop_i           (stop_i[i]),
      .fail_i           (fail_i[i]),
      .idle_i           (idle_i[i]),
      .task_i           (now),
      .task_valid_i     (task_valid_i[i]),
      .task_ready_o     (task_ready_o[i]),
      .flush_o          (flush_o[i]),
      .trigger_i        (1'b0),
      .trigger_take_o   (unused_trigger),
      .by_id_i          (by_id_i[i]),
      .id_i             (id_i[i][5:0]),
      .id_valid_i       (id_valid_i[i]),
      .id_take_o        (id_take_o[i]),
      .request_o        (request),
      .request_valid_o  (request_valid_o[i]),
      .request_ready_i  (request_ready_i[i]),
      .loaded_i         (loaded),
      .transfer_i       (transfer),
      .loaded_valid_i   (loaded_valid_i[i]),
      .list_open_o      (list_open_o[i]),
      .list_again_o     (unused_again),
      .acquire_o        (acquire),
      .acquire_valid_o  (acquire_valid_o[i]),
      .acquire_ready_i  (acquire_ready_i[i]),
      .give_back_o      (give_back),
      .give_back_valid_o(give_back_valid_o[i]),
      .give_back_ready_i(give_back_ready_i[i]),
      .transfer_o       (offered),
      .header_o         (unused_header),
      .valid_o          (valid_o[i]),
      .ready_i          (ready_i[i]),
      .after_o          (after),
      .after_ready_i    (after_ready_i[i]),
      .failed_o         (failed_o[i]),
      .stopped_o        (stopped_o[i]),
      .waits_o          (unused_waits),
      .busy_o           (busy_o[i]),
      .running_o        (running_o[i])
    );
    assign request_o[i]        = request.descriptor;
    assign request_listed_o[i] = request.from_list;
    assign request_final_o[i]  = request.final_turn;
    assign acquire_o[i]        = {2'd0, acquire.id, 1'b0, acquire.value};
    assign give_back_o[i]      = {2'd0, give_back.id, 1'b0, give_back.value};
    assign addr_o[i]           = offered.addr[15:0];
    assign after_o[i]          = after.descriptor;
  end

endmodule
