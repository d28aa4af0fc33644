// Does what has to be done when a transfer of one channel is done: release, record, token, events.
//
// Contract: the records of the engine come in the order of `after_i`, which is valid with each of them. Both,
// and `side_i`, are stable until they are taken, in the same cycle. Of each record is due: a release if its
// value is not 0; a token if the task wants one and ends; a completion entry if the descriptor came from a list;
// an error report if a bit of the status is set; a record unless the descriptor wants none and no bit is set.
// What is due is offered from the first cycle on, each for itself, stays until it is accepted, and is accepted
// once; only the record is offered with the last of the others or behind it. With the last of all, or at once
// if nothing is due, the record of the engine is taken (`finished_o`), and the next one may follow. The stamp of
// a record is the cycle in which it is accepted.
// A transfer that ended with a bit of `stop_on_i`, or that was illegal or aborted, is spoilt: it releases no
// lock and sends no token, and is no event for others (`delivered_o`, `task_done_o`): its data are not those
// that were promised. What `stop_on_i` is in the first cycle of its record counts.
// `waits_o` says who has not accepted: release, token, completion entry, else report or record; WaitTask if
// nobody is waited for.
// Latency: 0 cycles. Throughput: one record a cycle. There are paths from the ready of the other four to
// `record_valid_o`, and from all five to `done_ready_o` and `after_ready_o`.
`include "tsr_assert.svh"
module tsr_completion
  import tsr_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_register_pkg::*;
  import tsr_list_pkg::*;
(
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic          [31:0] cycles_i,
  input  logic          [ 6:0] stop_on_i,
  // The engine.
  input  done_t                done_i,
  input  logic                 done_valid_i,
  output logic                 done_ready_o,
  input  after_t               after_i,
  input  side_t                side_i,           // for the record
  input  logic                 after_valid_i,
  output logic                 after_ready_o,
  // Who has to accept.
  output lock_op_t             release_o,
  output logic                 release_valid_o,
  input  logic                 release_ready_i,
  output record_t              record_o,
  output logic                 record_valid_o,
  input  logic                 record_ready_i,
  output logic                 token_valid_o,
  input  logic                 token_ready_i,
  output list_done_t           listed_o,         // the completion entry of a list
  output logic                 listed_valid_o,
  input  logic                 listed_ready_i,
  output error_report_t        report_o,
  output logic                 report_valid_o,
  input  logic                 report_ready_i,
  // What happened.
  output logic                 finished_o,       // a transfer
  output logic                 delivered_o,      // one with its data
  output logic                 task_done_o,
  output logic                 interrupts_o,
  output wait_e                waits_o           // WaitTask: for nobody
);

  logic valid, spoilt, bad, releases, records, sends, released, sent, told, listed, record_free;
  logic released_q, sent_q, told_q, listed_q;  // for the record on the pins
  logic now_spoilt, spoilt_q, waits_q;

  assign valid = done_valid_i && after_valid_i;
  assign bad = done_i.status != '0;
  assign now_spoilt = done_i.status.illegal || done_i.status.aborted ||
      (done_i.status & stop_on_i) != '0;
  // Software may change `stop_on_i` at any time: what was offered is not taken back for that.
  assign spoilt = waits_q ? spoilt_q : now_spoilt;
  assign releases = after_i.drop.value != '0 && !spoilt;
  assign records = !after_i.no_record || bad;
  assign sends = after_i.token && after_i.task_end && !spoilt;

  assign release_valid_o = valid && releases && !released_q;
  assign token_valid_o = valid && sends && !sent_q;
  assign released = !releases || released_q || release_ready_i;
  assign sent = !sends || sent_q || token_ready_i;
  assign listed_valid_o = valid && after_i.from_list && !listed_q;
  assign listed = !after_i.from_list || listed_q || listed_ready_i;
  assign report_valid_o = valid && bad && !told_q;
  assign told = !bad || told_q || report_ready_i;
  assign record_free = !records || record_ready_i;
  assign record_valid_o = valid && records && released && sent && listed && told;
  assign done_ready_o = after_valid_i && released && sent && listed && told && record_free;
  assign after_ready_o = done_valid_i && done_ready_o;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || after_ready_o) begin
      released_q <= 1'b0;
      sent_q     <= 1'b0;
      told_q     <= 1'b0;
      listed_q   <= 1'b0;
      waits_q    <= 1'b0;
    end else begin
      waits_q    <= valid;
      released_q <= released_q || (release_valid_o && release_ready_i);
      listed_q   <= listed_q || (listed_valid_o && listed_ready_i);
      told_q     <= told_q || (report_valid_o && report_ready_i);
      sent_q     <= sent_q || (token_valid_o && token_ready_i);
    end
  end

  always_ff @(posedge clk_i) spoilt_q <= spoilt;

  assign release_o = after_i.drop;
  assign record_o = '{
          tag: after_i.tag,
          stamp: cycles_i,
          addr: done_i.addr,
          bytes: done_i.bytes,
          dropped: done_i.dropped,
          side: side_i,
          last: done_i.last,
          task_end: after_i.task_end,
          status: done_i.status,
          descriptor: after_i.descriptor
      };

  assign listed_o = '{
          tag: after_i.tag,
          index: after_i.index,
          bytes: done_i.bytes,
          status: done_i.status,
          last: done_i.last,
          task_end: after_i.task_end,
          interrupts: after_i.interrupts
      };

  assign finished_o = after_ready_o;
  assign delivered_o = finished_o && !spoilt;
  assign task_done_o = delivered_o && after_i.task_end;
  assign interrupts_o = finished_o && after_i.interrupts;
  assign report_o = '{
          causes: '{
              bus: done_i.status.slverr || done_i.status.decerr,
              overlong: done_i.status.overlong,
              partial_element: done_i.status.partial_element,
              sparse_keep: done_i.status.sparse_keep,
              illegal: done_i.status.illegal,
              aborted: done_i.status.aborted,
              default: '0
          },
          descriptor: after_i.descriptor,
          reason: '0,
          addr: done_i.addr
      };

  always_comb begin
    if (!valid || done_ready_o) waits_o = WaitTask;
    else if (!released) waits_o = WaitRelease;
    else if (!sent) waits_o = WaitToken;
    else if (!listed) waits_o = WaitWrite;
    else waits_o = WaitRecord;
  end

  logic unused_after;
  assign unused_after = ^after_i;

  `TSR_ASSERT(EveryRecordIsExpected, !done_valid_i || after_valid_i)
  `TSR_ASSERT(RecordOnce, !(record_valid_o && record_ready_i) || done_ready_o)

endmodule
