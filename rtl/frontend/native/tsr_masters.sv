// The masters of the registers: AXI4-Lite, and a second one that not every build has.
//
// Contract: `request_o` is held with its valid until ready; the answer counts in that cycle. The second
// master (`bus_*`) keeps the same contract; without Second it is not listened to. When both ask they take
// turns, so neither waits for more than one access of the other.
// Latency: AW and W, or AR, to the bus 0 cycles; the bus to B or R 1 cycle. Throughput: an access in two
// cycles of one master, one a cycle of both.
`include "tsr_assert.svh"
module tsr_masters
  import tsr_register_pkg::*;
#(
  parameter bit Second = 1'b0
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  axil_req_t    axil_i,
  output axil_rsp_t    axil_o,
  // The second master.
  input  bus_request_t bus_request_i,
  input  logic         bus_valid_i,
  output logic         bus_ready_o,
  // Registers.
  output bus_request_t request_o,
  output logic         valid_o,
  input  logic         ready_i,
  input  bus_answer_t  answer_i
);

  bus_request_t axil_request;
  logic axil_valid, axil_ready;

  tsr_axil u_axil (
    .clk_i,
    .rst_ni,
    .axil_i,
    .axil_o,
    .request_o(axil_request),
    .valid_o  (axil_valid),
    .ready_i  (axil_ready),
    .answer_i
  );

  if (Second) begin : gen_share
    tsr_bus_share u_share (
      .clk_i,
      .rst_ni,
      .request_i({bus_request_i, axil_request}),
      .valid_i  ({bus_valid_i, axil_valid}),
      .ready_o  ({bus_ready_o, axil_ready}),
      .request_o,
      .valid_o,
      .ready_i
    );
  end else begin : gen_alone
    assign request_o   = axil_request;
    assign valid_o     = axil_valid;
    assign axil_ready  = ready_i;
    assign bus_ready_o = 1'b0;
    logic unused_bus;
    assign unused_bus = ^{bus_request_i, bus_valid_i};
  end

  `TSR_STABLE(RequestStays, valid_o, ready_i, ({request_o.write, request_o.word}))

endmodule
