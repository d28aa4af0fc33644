// tsr_skid is a queue of one item that shows what comes in the same cycle.
`include "proof.svh"

module skid_proof (
  input logic       clk_i,
  input logic       rst_ni,
  input logic [3:0] data_i,
  input logic       valid_i,
  input logic       ready_i
);

  `TSR_PROOF_RESET

  logic [3:0] data_o;
  logic ready_o, valid_o;

  tsr_skid #(
    .T(logic [3:0])
  ) u_dut (
    .clk_i,
    .rst_ni,
    .data_i,
    .valid_i,
    .ready_o,
    .data_o,
    .valid_o,
    .ready_i
  );

  queue_check #(
    .Capacity   (1),
    .T          (logic [3:0]),
    .FallThrough(1'b1)
  ) u_check (
    .clk_i,
    .rst_ni,
    .flush_i    (1'b0),
    .in_data_i  (data_i),
    .in_valid_i (valid_i),
    .in_ready_i (ready_o),
    .out_data_i (data_o),
    .out_valid_i(valid_o),
    .out_ready_i(ready_i)
  );

endmodule
