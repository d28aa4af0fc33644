// tsr_write_records with its status as single pins.
module records_top
  import tsr_pkg::*;
#(
  localparam int unsigned PosWidth = 5
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic [PosWidth-1:0] there_i,
  input  logic [PosWidth-1:0] held_i,
  input  logic [PosWidth-1:0] dropped_i,
  input  logic                sparse_i,
  input  logic                end_i,
  input  logic                last_i,
  input  logic                early_i,
  input  logic                illegal_i,
  input  logic [         2:0] elem_log2_i,
  input  logic                give_i,
  output logic                valid_o,
  output logic [        31:0] bytes_o,
  output logic [        31:0] dropped_o,
  output logic                last_o,
  output logic                illegal_o,
  output logic                aborted_o,
  output logic                sparse_keep_o,
  output logic                partial_element_o,
  output logic                overlong_o
);

  logic [BytesWidth-1:0] bytes, dropped;
  status_t status;

  tsr_write_records #(
    .PosWidth(PosWidth)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .there_i,
    .held_i,
    .dropped_i,
    .sparse_i,
    .end_i,
    .last_i,
    .early_i,
    .illegal_i,
    .elem_log2_i,
    .give_i,
    .valid_o,
    .bytes_o  (bytes),
    .dropped_o(dropped),
    .last_o,
    .status_o (status)
  );

  assign bytes_o           = bytes[31:0];
  assign dropped_o         = dropped[31:0];
  assign illegal_o         = status.illegal;
  assign aborted_o         = status.aborted;
  assign sparse_keep_o     = status.sparse_keep;
  assign partial_element_o = status.partial_element;
  assign overlong_o        = status.overlong;

  logic unused_rest;
  assign unused_rest = ^{bytes, dropped, status};

endmodule
