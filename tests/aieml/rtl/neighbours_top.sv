// Three tiles in a row, as far as their locks go: cell 0 is the one to the west. Each has its accesses and answers.
module neighbours_top
  import tsr_channel_pkg::*;
  import tsr_register_pkg::*;
  import tsr_program_pkg::*;
  import tsr_aieml_pkg::*;
#(
  localparam int unsigned Cells = 3
) (
  input  logic                   clk_i,
  input  logic [Cells-1:0]       rst_ni,
  // Valid, side, lock, value; of registers command in the place of the side.
  input  logic [Cells-1:0][15:0] release_i,
  output logic [Cells-1:0]       release_ready_o,
  input  logic [Cells-1:0][15:0] reg_i,
  output logic [Cells-1:0]       reg_ready_o,
  output logic [Cells-1:0][ 5:0] reg_value_o,
  input  logic [Cells-1:0][15:0] acquire_i,
  input  logic [Cells-1:0][ 4:0] channel_i,
  input  logic [Cells-1:0]       queued_i,
  output logic [Cells-1:0]       acquire_ready_o,
  output logic [Cells-1:0]       granted_o,
  output logic [Cells-1:0]       queued_o,
  output logic [Cells-1:0]       changed_o,
  output logic [Cells-1:0]       remote_o,
  output logic [Cells-1:0]       wake_o,
  output logic [Cells-1:0][ 4:0] wake_channel_o,
  output logic [Cells-1:0]       wrong_o           // a lock has left its range
);

  aieml_beside_t [Cells-1:0][1:0] out;
  for (genvar c = 0; c < Cells; c++) begin : gen_cell
    far_request_t request;
    far_answer_t answer;
    lock_report_t report;
    bank_access_t acquire;
    bank_answer_t bank;
    lock_answer_t reg_answer;
    lock_wake_t wake;
    logic unused_open;
    aieml_beside_t [1:0] in;
    assign in[0] = c == 0 ? '0 : out[c==0?0 : c-1][1];
    assign in[1] = c + 1 == Cells ? '0 : out[c+1==Cells?c : c+1][0];
    assign acquire = '{
            command: LockTry,
            op: lock_op_t'(acquire_i[c][12:0]),
            withdraw: 1'b0,
            channel: channel_i[c],
            queues: 1'b1,
            queued: queued_i[c],
            visits: 1'b0
        };
    tsr_lock_port #(
      .Channels(4),
      .Locks   (4)
    ) u_port (
      .clk_i,
      .rst_ni           (rst_ni[c]),
      .release_i        (lock_op_t'(release_i[c][12:0])),
      .release_side_i   (lock_side_e'(release_i[c][14:13])),
      .release_channel_i('0),
      .release_valid_i  (release_i[c][15]),
      .release_ready_o  (release_ready_o[c]),
      .reg_i            (lock_access_t'(reg_i[c][14:0])),
      .reg_valid_i      (reg_i[c][15]),
      .reg_ready_o      (reg_ready_o[c]),
      .reg_answer_o     (reg_answer),
      .acquire_i        (acquire),
      .acquire_side_i   (lock_side_e'(acquire_i[c][14:13])),
      .acquire_valid_i  (acquire_i[c][15]),
      .acquire_ready_o  (acquire_ready_o[c]),
      .acquire_open_o   (unused_open),
      .answer_o         (bank),
      .report_o         (report),
      .wake_o           (wake),
      .far_o            (request),
      .far_i            (answer)
    );
    tsr_aieml_neighbours u_dut (
      .clk_i,
      .rst_ni  (rst_ni[c]),
      .far_i   (request),
      .far_o   (answer),
      .report_i(report),
      .beside_i(in),
      .beside_o(out[c])
    );
    assign reg_value_o[c]    = reg_answer.value;
    assign granted_o[c]      = bank.granted;
    assign queued_o[c]       = bank.queued;
    assign changed_o[c]      = wake.changed;
    assign remote_o[c]       = wake.remote;
    assign wake_o[c]         = wake.wake;
    assign wake_channel_o[c] = wake.channel;
    assign wrong_o[c]        = report.over || report.under;
    logic unused_bits;
    assign unused_bits = ^{reg_answer, bank, report, wake};
  end

endmodule
