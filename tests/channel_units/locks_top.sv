// Banks of locks of several shapes, side by side. tests/channel_units/locks_test.cpp has the same list.
module locks_top
  import tsr_channel_pkg::*;
  import tsr_register_pkg::*;
#(
  localparam int unsigned Cells = 5,
  localparam int unsigned Most  = 32  // channels of a bank
) (
  input  logic                             clk_i,
  input  logic                             rst_ni,
  input  logic [Cells-1:0][Most-1:0][15:0] acquire_i,        // id in 13:8, value in 6:0
  input  logic [Cells-1:0][Most-1:0]       acquire_valid_i,
  output logic [Cells-1:0][Most-1:0]       acquire_ready_o,
  input  logic [Cells-1:0][Most-1:0][15:0] release_i,
  input  logic [Cells-1:0][Most-1:0]       release_valid_i,
  output logic [Cells-1:0][Most-1:0]       release_ready_o,
  output logic [Cells-1:0][Most-1:0]       release_over_o,
  output logic [Cells-1:0][Most-1:0]       release_under_o,
  input  logic [Cells-1:0][    15:0]       reg_i,            // command in 15:14
  input  logic [Cells-1:0]                 reg_valid_i,
  output logic [Cells-1:0]                 reg_ready_o,
  output logic [Cells-1:0]                 reg_granted_o,
  output logic [Cells-1:0][     7:0]       reg_value_o,
  output logic [Cells-1:0][    63:0]       over_o,
  output logic [Cells-1:0][    63:0]       under_o,
  input  logic [Cells-1:0][    63:0]       over_clear_i,
  input  logic [Cells-1:0][    63:0]       under_clear_i
);

  localparam int unsigned Channels[Cells] = '{2, 1, 5, 32, 4};
  localparam int unsigned Locks[Cells] = '{16, 1, 64, 7, 0};
  localparam bit EqualTakes[Cells] = '{1'b0, 1'b0, 1'b1, 1'b0, 1'b0};

  for (genvar i = 0; i < Cells; i++) begin : gen_cell
    localparam int unsigned Count = Channels[i];
    lock_op_t [Count-1:0] acquire, drop;
    lock_access_t access;
    lock_answer_t answer;
    lock_change_t unused_change;
    tsr_locks #(
      .Channels  (Count),
      .Locks     (Locks[i]),
      .EqualTakes(EqualTakes[i])
    ) u_dut (
      .clk_i,
      .rst_ni,
      .acquire_i      (acquire),
      .acquire_valid_i(acquire_valid_i[i][Count-1:0]),
      .acquire_ready_o(acquire_ready_o[i][Count-1:0]),
      .release_i      (drop),
      .release_valid_i(release_valid_i[i][Count-1:0]),
      .release_ready_o(release_ready_o[i][Count-1:0]),
      .release_over_o (release_over_o[i][Count-1:0]),
      .release_under_o(release_under_o[i][Count-1:0]),
      .reg_i          (access),
      .reg_valid_i    (reg_valid_i[i]),
      .reg_ready_o    (reg_ready_o[i]),
      .reg_answer_o   (answer),
      .change_o       (unused_change),
      .over_o         (over_o[i]),
      .under_o        (under_o[i]),
      .over_clear_i   (over_clear_i[i]),
      .under_clear_i  (under_clear_i[i])
    );
    for (genvar c = 0; c < Most; c++) begin : gen_channel
      if (c < Count) begin : gen_used
        assign acquire[c] = '{id: acquire_i[i][c][13:8], value: acquire_i[i][c][6:0]};
        assign drop[c] = '{id: release_i[i][c][13:8], value: release_i[i][c][6:0]};
      end else begin : gen_unused
        assign acquire_ready_o[i][c] = 1'b0;
        assign release_ready_o[i][c] = 1'b0;
        assign release_over_o[i][c]  = 1'b0;
        assign release_under_o[i][c] = 1'b0;
      end
    end
    assign access = '{
            command: lock_command_e'(reg_i[i][15:14]),
            op: '{id: reg_i[i][13:8], value: reg_i[i][6:0]}
        };
    assign reg_granted_o[i] = answer.granted;
    assign reg_value_o[i] = 8'(answer.value);
  end

endmodule
