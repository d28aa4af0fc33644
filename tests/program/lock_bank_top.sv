// Banks of locks, with and without EqualTakes; pins show the one that `cell_i` names.
module lock_bank_top
  import tsr_register_pkg::*;
  import tsr_program_pkg::*;
#(
  localparam int unsigned Cells = 2
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       cell_i,
  input  logic [1:0] command_i,
  input  logic [5:0] id_i,
  input  logic [6:0] value_i,
  input  logic       withdraw_i,
  input  logic [4:0] channel_i,
  input  logic       queues_i,
  input  logic       queued_i,
  input  logic       visits_i,
  input  logic       valid_i,
  output logic       ready_o,
  output logic       granted_o,
  output logic       queued_o,
  output logic [5:0] value_o,
  output logic       over_o,
  output logic       under_o,
  output logic [5:0] report_id_o,
  output logic       changed_o,
  output logic       wake_o,
  output logic [4:0] wake_channel_o
);

  bank_access_t access;
  assign access = {command_i, id_i, value_i, withdraw_i, channel_i, queues_i, queued_i, visits_i};
  bank_answer_t [Cells-1:0] answer;
  lock_report_t [Cells-1:0] report;
  lock_wake_t [Cells-1:0] wake;
  logic [Cells-1:0] ready;
  for (genvar i = 0; i < Cells; i++) begin : gen_cell
    tsr_lock_bank #(
      .Channels  (8),
      .Locks     (4),
      .EqualTakes(i == 1)
    ) u_dut (
      .clk_i,
      .rst_ni,
      .access_i(access),
      .valid_i (valid_i && 32'(cell_i) == i),
      .ready_o (ready[i]),
      .answer_o(answer[i]),
      .report_o(report[i]),
      .wake_o  (wake[i])
    );
  end
  assign ready_o        = ready[cell_i];
  assign granted_o      = answer[cell_i].granted;
  assign queued_o       = answer[cell_i].queued;
  assign value_o        = answer[cell_i].value;
  assign over_o         = report[cell_i].over;
  assign under_o        = report[cell_i].under;
  assign report_id_o    = report[cell_i].id;
  assign changed_o      = wake[cell_i].changed;
  assign wake_o         = wake[cell_i].wake;
  assign wake_channel_o = wake[cell_i].channel;

endmodule
