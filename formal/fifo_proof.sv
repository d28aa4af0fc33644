// tsr_fifo is a queue of `Depth` items that a flush empties.
`include "proof.svh"

module fifo_proof #(
  parameter int unsigned Depth       = 4,
  parameter bit          FallThrough = 1'b0
) (
  input logic       clk_i,
  input logic       rst_ni,
  input logic       flush_i,
  input logic [1:0] data_i,
  input logic       valid_i,
  input logic       ready_i
);

  `TSR_PROOF_RESET

  logic [1:0] data_o;
  logic ready_o, valid_o;

  tsr_fifo #(
    .Depth      (Depth),
    .T          (logic [1:0]),
    .FallThrough(FallThrough)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .flush_i,
    .data_i,
    .valid_i,
    .ready_o,
    .data_o,
    .valid_o,
    .ready_i
  );

  queue_check #(
    .Capacity   (Depth),
    .T          (logic [1:0]),
    .FallThrough(FallThrough)
  ) u_check (
    .clk_i,
    .rst_ni,
    .flush_i,
    .in_data_i  (data_i),
    .in_valid_i (valid_i),
    .in_ready_i (ready_o),
    .out_data_i (data_o),
    .out_valid_i(valid_o),
    .out_ready_i(ready_i)
  );

endmodule
