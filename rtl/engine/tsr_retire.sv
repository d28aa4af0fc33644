// Holds the records of finished transfers until what they promised has happened.
//
// A record is put in with a mark: how many events (beats sent, bursts begun) had been started when the
// transfer ended. It is given out once as many events have been completed.
//
// Contract: records leave in order by valid/ready. At most 2**(MarkWidth-1) - 1 events may be started
// and not completed. Latency: 1 cycle from the last event. Throughput: one record a cycle.
`include "tsr_assert.svh"
module tsr_retire #(
  parameter type         T         = logic,
  parameter int unsigned Depth     = 8,
  parameter int unsigned MarkWidth = 4
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  T                     record_i,
  input  logic [MarkWidth-1:0] mark_i,
  input  logic                 valid_i,
  output logic                 ready_o,
  input  logic                 complete_i,  // an event has been completed
  output T                     record_o,
  output logic                 valid_o,
  input  logic                 ready_i
);

  typedef struct packed {
    T                     record;
    logic [MarkWidth-1:0] mark;
  } entry_t;

  entry_t in, head;
  logic head_valid;
  logic [MarkWidth-1:0] completed_q, ahead;

  assign in = '{record: record_i, mark: mark_i};

  tsr_fifo #(
    .Depth(Depth),
    .T    (entry_t)
  ) u_fifo (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .data_i (in),
    .valid_i,
    .ready_o,
    .data_o (head),
    .valid_o(head_valid),
    .ready_i(ready_i && valid_o)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) completed_q <= '0;
    else completed_q <= completed_q + MarkWidth'(complete_i);
  end

  assign ahead    = completed_q - head.mark;
  assign valid_o  = head_valid && !ahead[MarkWidth-1];
  assign record_o = head.record;

endmodule
