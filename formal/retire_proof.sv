// tsr_retire: records come out in order, none lost or repeated, none before the events that were
// started when it was put in have been completed, and at once after that.
`include "proof.svh"

module retire_proof #(
  parameter  int unsigned Depth     = 2,
  parameter  int unsigned MarkWidth = 3,
  localparam int unsigned Flying    = (1 << (MarkWidth - 2)) - 1  // events at most
) (
  input logic clk_i,
  input logic rst_ni,
  input logic record_i,
  input logic valid_i,
  input logic start_i,     // an event
  input logic complete_i,
  input logic ready_i
);

  `TSR_PROOF_RESET

  typedef struct packed {
    logic               record;
    logic [MarkWidth:0] due;     // events to be completed before it may go
    logic [MarkWidth:0] since;   // events started after it
  } entry_t;

  logic [MarkWidth-1:0] begun_q, begun, completed_o, mark_o;
  logic [MarkWidth:0] flying_q, flying;
  logic ready_o, valid_o;
  logic record_o;

  assign begun  = begun_q + MarkWidth'(start_i);
  assign flying = flying_q + (MarkWidth + 1)'(start_i) - (MarkWidth + 1)'(complete_i);
  always_ff @(posedge clk_i) begin
    begun_q  <= rst_ni ? begun : '0;
    flying_q <= rst_ni ? flying : '0;
  end

  tsr_retire #(
    .T        (logic),
    .Depth    (Depth),
    .MarkWidth(MarkWidth)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .record_i,
    .mark_i   (begun),
    .valid_i,
    .ready_o,
    .started_i(begun_q),
    .complete_i,
    .completed_o,
    .record_o,
    .mark_o,
    .valid_o,
    .ready_i
  );

  // Events are started only while it is ready; nothing stops those that were started from being
  // completed while a record waits to be taken.
  `TSR_ASSUME(StopsWhenTold, !start_i || ready_o)
  logic few_in_flight;
  assign few_in_flight = !start_i || flying_q < (MarkWidth + 1)'(Flying) || (complete_i &&
      flying_q == (MarkWidth + 1)'(Flying));
  `TSR_ASSUME(FewInFlight, few_in_flight)
  `TSR_ASSUME(CompletesWhatStarted, !complete_i || flying_q != '0)

  // Entries [0, count) are held; 0 is the oldest, which rests outside the queue.
  localparam int unsigned CountWidth = $clog2(Depth + 3);
  entry_t [Depth+1:0] queue_q, queue_d;
  logic [CountWidth-1:0] count_q, count_d;
  logic push, pop;
  assign push = valid_i && ready_o;
  assign pop  = valid_o && ready_i;

  always_comb begin
    queue_d = queue_q;
    count_d = count_q;
    for (int unsigned i = 0; i <= Depth + 1; i++) begin
      if (complete_i && queue_q[i].due != '0) queue_d[i].due = queue_q[i].due - 1'b1;
      if (start_i) queue_d[i].since = queue_q[i].since + 1'b1;
    end
    if (push) begin
      queue_d[count_d] = '{record: record_i, due: flying, since: '0};
      count_d = count_d + 1'b1;
    end
    if (pop) begin
      queue_d = queue_d >> $bits(entry_t);
      count_d = count_d - 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    queue_q <= queue_d;
    count_q <= rst_ni ? count_d : '0;
  end

  logic pause;  // the oldest record waits and enough has been started after it
  assign pause = count_q != '0 && queue_q[0].since >= (MarkWidth + 1)'(Flying + 1);

  `TSR_ASSERT(WithinDepth, count_q <= CountWidth'(Depth + 1))
  `TSR_ASSERT(GivenWhenDue, valid_o == (count_q != '0 && queue_q[0].due == '0))
  `TSR_ASSERT(Oldest, !valid_o || record_o == queue_q[0].record)
  `TSR_ASSERT(ReadyWhileRoom, ready_o == (count_q != CountWidth'(Depth + 1) && !pause))
  `TSR_ASSERT(CountsCompleted, completed_o + MarkWidth'(flying_q) == begun_q)
  `TSR_ASSERT(MarkOfTheShown, !valid_o || MarkWidth'(queue_q[0].since) == begun_q - mark_o)
  `TSR_STABLE(RecordStable, valid_o, ready_i, record_o)

  logic waited_q;  // a record was shown untaken while an event was completed
  always_ff @(posedge clk_i) waited_q <= rst_ni && valid_o && !ready_i && (waited_q || complete_i);
  `TSR_COVER(Paused, pause)
  `TSR_COVER(TakenAfterPause, waited_q && pause && pop && flying_q == '0)
  `TSR_COVER_NEXT(AtOnce, count_q != '0 && !valid_o && complete_i, pop)
  `TSR_COVER_NEXT(RecordEveryCycle, push && pop, push && pop && start_i)
  `TSR_COVER(EventsWithoutRecord, count_q == '0 && begun_q == '1)

endmodule
