// Holds the records of finished transfers until what they promised has happened.
//
// A record is put in with a mark: how many events (beats sent, bursts begun) had been started when the
// transfer ended. It is given out once as many events have been completed.
//
// Contract: records leave in order by valid/ready. `ready_o` is low also while the oldest record waits
// and 2**(MarkWidth-2) events have been started after its own: who starts events must stop then, so
// that marks can be compared (with ReadyMargin: a few events later). At most 2**(MarkWidth-2) - 1 events may be started
// and not completed. Latency: 1 cycle from the last event. Throughput: one record a cycle.
`include "tsr_assert.svh"
module tsr_retire #(
  parameter type         T           = logic,
  parameter int unsigned Depth       = 8,
  parameter int unsigned MarkWidth   = 4,
  parameter int unsigned ReadyMargin = 0       // of tsr_fifo: `ready_o` is a register
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  T                     record_i,
  input  logic [MarkWidth-1:0] mark_i,
  input  logic                 valid_i,
  output logic                 ready_o,
  input  logic [MarkWidth-1:0] started_i,    // events started before this cycle
  input  logic                 complete_i,   // an event has been completed
  output logic [MarkWidth-1:0] completed_o,  // events completed before this cycle
  output T                     record_o,
  output logic [MarkWidth-1:0] mark_o,       // of the record that is shown
  output logic                 valid_o,
  input  logic                 ready_i
);

  typedef struct packed {
    T                     record;
    logic [MarkWidth-1:0] mark;
  } entry_t;

  // The oldest record rests in registers; whether it is due is known when its cycle begins.
  entry_t in, next, head_q;
  logic head_valid_q, due_q, next_valid, next_due, due, load, in_ready;
  logic [MarkWidth-1:0] completed_q, since;

  // Whether it is, once the event of this cycle is counted.
  function automatic logic is_due(logic [MarkWidth-1:0] mark);
    logic [MarkWidth-1:0] ahead;
    ahead = completed_q - mark;
    return !ahead[MarkWidth-1] || (complete_i && &ahead);
  endfunction

  assign in = '{record: record_i, mark: mark_i};

  tsr_fifo #(
    .Depth      (Depth),
    .T          (entry_t),
    .FallThrough(1'b1),
    .ReadyMargin(ReadyMargin)
  ) u_fifo (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .data_i (in),
    .valid_i(valid_i && (ready_o || ReadyMargin != 0)),
    .ready_o(in_ready),
    .data_o (next),
    .valid_o(next_valid),
    .ready_i(load)
  );

  assign load     = !head_valid_q || (ready_i && valid_o);
  assign due      = is_due(head_q.mark);
  assign next_due = is_due(next.mark);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      head_valid_q <= 1'b0;
      due_q        <= 1'b0;
    end else begin
      if (load) head_valid_q <= next_valid;
      due_q <= load ? next_valid && next_due : due;
    end
  end
  always_ff @(posedge clk_i) begin
    if (load) head_q <= next;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) completed_q <= '0;
    else completed_q <= completed_q + MarkWidth'(complete_i);
  end

  logic unused_since, held_back;
  assign unused_since = ^since;
  assign since        = started_i - head_q.mark;
  assign held_back    = head_valid_q && since[MarkWidth-1:MarkWidth-2] == 2'b01;
  if (ReadyMargin == 0) begin : gen_ready
    assign ready_o = in_ready && !held_back;
  end else begin : gen_early_ready
    logic held_back_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) held_back_q <= 1'b0;
      else held_back_q <= held_back;
    end
    assign ready_o = in_ready && !held_back_q;
  end
  assign valid_o = due_q;
  assign record_o = head_q.record;
  assign mark_o = head_q.mark;
  assign completed_o = completed_q;

  `TSR_ASSERT_NEXT(RecordStays, valid_o && !ready_i, valid_o && $stable(record_o))
  `TSR_ASSERT(MarksCompare, !head_valid_q || since[MarkWidth-1:MarkWidth-2] != 2'b10)

endmodule
