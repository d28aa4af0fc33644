// Opens and closes the way of a channel's addresses to the bus, and counts bursts without an answer.
//
// Contract: valid/ready; an address that shows when the gate closes stays until it is taken.
// `answer_i` ends the oldest burst; one without a burst changes nothing. `forget_i` takes all as answered.
// `idle_o`: no address shows and every burst has its answer. `owes_o`: one that the memory knows has none,
// if the port keeps `kept_i` of them from it. With Control = 0 it is a wire.
// Latency: 0. Throughput: one address a cycle. Paths from valid_i to valid_o and ready_i to ready_o.
`include "tsr_assert.svh"
module tsr_burst_gate
  import tsr_fabric_pkg::*;
#(
  parameter int unsigned Limit   = 64,                     // bursts without answer
  parameter bit          Control = FabricDefaults.Control
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       open_i,
  input  logic       forget_i,
  input  logic [1:0] kept_i,
  input  logic       valid_i,
  output logic       ready_o,
  output logic       valid_o,
  input  logic       ready_i,
  input  logic       answer_i,
  output logic       passes_o,  // an address that shows goes to the bus
  output logic       idle_o,
  output logic       owes_o
);

  if (Control) begin : gen_gate
    localparam int unsigned Width = $clog2(Limit + 1);
    logic shown_q, answered;
    logic [Width-1:0] owed_q;

    assign passes_o = open_i || shown_q;
    assign valid_o  = valid_i && passes_o;
    assign ready_o  = ready_i && passes_o;
    assign idle_o   = owed_q == '0 && !valid_o;
    assign owes_o   = 32'(owed_q) > 32'(kept_i);
    assign answered = answer_i && owed_q != '0;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        shown_q <= 1'b0;
        owed_q  <= '0;
      end else begin
        shown_q <= valid_o && !ready_i;
        if (forget_i) owed_q <= '0;
        else owed_q <= owed_q + Width'(valid_o && ready_i) - Width'(answered);
      end
    end

    `TSR_ASSERT(WithinLimit, 32'(owed_q) < Limit || answered || !(valid_o && ready_i))
  end else begin : gen_wire
    logic unused_control;
    assign passes_o       = 1'b1;
    assign valid_o        = valid_i;
    assign ready_o        = ready_i;
    assign idle_o         = 1'b1;
    assign owes_o         = 1'b0;
    assign unused_control = ^{clk_i, rst_ni, open_i, forget_i, kept_i, answer_i};
  end

endmodule
