// What every proof starts with: the first cycle is a reset, later ones may be.
`ifndef TSR_PROOF_SVH
`define TSR_PROOF_SVH

`include "tsr_assert.svh"

// verilog_format: off
`define TSR_PROOF_RESET                                                         \
  logic started_q = 1'b0;                                                       \
  always_ff @(posedge clk_i) started_q <= 1'b1;                                 \
  FirstReset :                                                                  \
  assume property (@(posedge clk_i) started_q || !rst_ni);
// verilog_format: on

`endif
