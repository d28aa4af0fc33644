// tsr_completion: of each record of the engine that is taken exactly what is due goes out, each once, with
// the contents of this record and of what is known of its transfer; nothing of another one in between, nothing
// without a record; what is offered stays until it is accepted; nobody else is waited for.
`include "proof.svh"

module completion_proof
  import tsr_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_register_pkg::*;
  import tsr_list_pkg::*;
(
  input logic          clk_i,
  input logic          rst_ni,
  input logic   [31:0] cycles_i,
  input logic   [ 6:0] stop_on_i,
  input done_t         done_i,
  input logic          done_valid_i,
  input after_t        after_i,
  input side_t         side_i,
  input logic          after_valid_i,
  input logic          release_ready_i,
  input logic          record_ready_i,
  input logic          token_ready_i,
  input logic          listed_ready_i,
  input logic          report_ready_i
);

  `TSR_PROOF_RESET

  logic done_ready_o, after_ready_o;
  logic release_valid_o, record_valid_o, token_valid_o, listed_valid_o, report_valid_o;
  logic finished_o, delivered_o, task_done_o, interrupts_o;
  lock_op_t release_o;
  record_t record_o;
  list_done_t listed_o;
  error_report_t report_o;
  wait_e waits_o;

  tsr_completion u_dut (.*);

  // ---- What the surroundings do -----------------------------------------------------------------

  `TSR_ASSUME_STABLE(DoneStays, done_valid_i, done_ready_o, done_i)
  `TSR_ASSUME_STABLE(AfterStays, after_valid_i, after_ready_o, after_i)
  `TSR_ASSUME_STABLE(SideStays, done_valid_i, done_ready_o, side_i)
  `TSR_ASSUME(EveryTransferIsKnown, !done_valid_i || after_valid_i)

  // ---- The transfer in hand ---------------------------------------------------------------------

  // All that decides is noted in the first cycle of a record, and holds until it is taken.
  typedef struct packed {
    done_t  done;
    after_t after;
    side_t  side;
    logic   spoilt;
  } noted_t;

  noted_t shown, noted_q, noted;
  logic takes, in_hand_q;
  status_t stop_on;
  assign stop_on = stop_on_i;
  assign shown = '{
          done: done_i,
          after: after_i,
          side: side_i,
          spoilt: done_i.status.illegal || done_i.status.aborted || (done_i.status & stop_on) != '0
      };
  assign noted = in_hand_q ? noted_q : shown;
  assign takes = done_valid_i && done_ready_o;
  always_ff @(posedge clk_i) begin
    in_hand_q <= rst_ni && done_valid_i && !takes;
    if (!in_hand_q) noted_q <= shown;
  end
  `TSR_ASSERT(TakenWithItsTransfer, takes == (after_valid_i && after_ready_o))

  // ---- What is due, and how often it went out -----------------------------------------------------

  typedef struct packed {
    logic lock;
    logic token;
    logic listed;
    logic report;
    logic record;
  } outlets_t;

  outlets_t due, offered, ready, accepted, given_q, missing;
  assign due = '{
          lock: noted.after.drop.value != '0 && !noted.spoilt,
          token: noted.after.token && noted.after.task_end && !noted.spoilt,
          listed: noted.after.from_list,
          report: noted.done.status != '0,
          record: !noted.after.no_record || noted.done.status != '0
      };
  assign offered = '{
          lock: release_valid_o,
          token: token_valid_o,
          listed: listed_valid_o,
          report: report_valid_o,
          record: record_valid_o
      };
  assign ready = '{
          lock: release_ready_i,
          token: token_ready_i,
          listed: listed_ready_i,
          report: report_ready_i,
          record: record_ready_i
      };
  assign accepted = offered & ready;
  assign missing = due & ~given_q & ~accepted;
  always_ff @(posedge clk_i) given_q <= rst_ni && !takes ? given_q | accepted : '0;

  `TSR_ASSERT(NothingWithoutARecord, done_valid_i || offered == '0)
  `TSR_ASSERT(NothingThatIsNotDue, (offered & ~due) == '0)
  `TSR_ASSERT(NothingTwice, (offered & given_q) == '0)
  `TSR_ASSERT(NothingIsLeftOut, !takes || missing == '0)
  `TSR_ASSERT(TakenAtOnce, !done_valid_i || takes || missing != '0)
  `TSR_ASSERT(RecordIsTheLast, !accepted.record || takes)

  // One does not wait for another, but the record for all.
  outlets_t others, at_once;
  assign others  = '{record: 1'b0, default: 1'b1};
  assign at_once = due & ~given_q & others;
  `TSR_ASSERT(OfferedAtOnce, !done_valid_i || (offered & others) == at_once)
  `TSR_ASSERT(RecordBehindTheOthers,
              !done_valid_i || record_valid_o == (due.record && (missing & others) == '0))

  // ---- Contents ---------------------------------------------------------------------------------

  `TSR_ASSERT(Lock, !release_valid_o || release_o == noted.after.drop)
  record_t record;
  assign record = '{
          tag: noted.after.tag,
          stamp: cycles_i,
          addr: noted.done.addr,
          bytes: noted.done.bytes,
          dropped: noted.done.dropped,
          side: noted.side,
          last: noted.done.last,
          task_end: noted.after.task_end,
          status: noted.done.status,
          descriptor: noted.after.descriptor
      };
  `TSR_ASSERT(Record, !record_valid_o || record_o == record)
  list_done_t listed;
  assign listed = '{
          tag: noted.after.tag,
          index: noted.after.index,
          bytes: noted.done.bytes,
          status: noted.done.status,
          last: noted.done.last,
          task_end: noted.after.task_end,
          interrupts: noted.after.interrupts
      };
  `TSR_ASSERT(Listed, !listed_valid_o || listed_o == listed)
  error_report_t report;
  always_comb begin
    report                        = '0;
    report.causes.bus             = noted.done.status.slverr || noted.done.status.decerr;
    report.causes.overlong        = noted.done.status.overlong;
    report.causes.partial_element = noted.done.status.partial_element;
    report.causes.sparse_keep     = noted.done.status.sparse_keep;
    report.causes.illegal         = noted.done.status.illegal;
    report.causes.aborted         = noted.done.status.aborted;
    report.descriptor             = noted.after.descriptor;
    report.addr                   = noted.done.addr;
  end
  `TSR_ASSERT(Report, !report_valid_o || report_o == report)
  `TSR_ASSERT(ReportSaysWhy, !report_valid_o || report_o.causes != '0)

  `TSR_STABLE(ReleaseStays, release_valid_o, release_ready_i, release_o)
  `TSR_STABLE(TokenStays, token_valid_o, token_ready_i, 1'b1)
  `TSR_STABLE(ListedStays, listed_valid_o, listed_ready_i, listed_o)
  `TSR_STABLE(ReportStays, report_valid_o, report_ready_i, report_o)
  record_t unstamped;  // the stamp is the cycle in which the record is accepted
  always_comb begin
    unstamped       = record_o;
    unstamped.stamp = '0;
  end
  `TSR_STABLE(RecordStays, record_valid_o, record_ready_i, unstamped)

  // ---- What is told of it -----------------------------------------------------------------------

  `TSR_ASSERT(Finished, finished_o == takes)
  `TSR_ASSERT(Delivered, delivered_o == (takes && !noted.spoilt))
  `TSR_ASSERT(TaskDone, task_done_o == (takes && !noted.spoilt && noted.after.task_end))
  `TSR_ASSERT(Interrupts, interrupts_o == (takes && noted.after.interrupts))
  wait_e waits;
  always_comb begin
    if (!done_valid_i || missing == '0) waits = WaitTask;
    else if (missing.lock) waits = WaitRelease;
    else if (missing.token) waits = WaitToken;
    else if (missing.listed) waits = WaitWrite;
    else waits = WaitRecord;
  end
  `TSR_ASSERT(Waits, waits_o == waits)

  // ---- What must be possible ----------------------------------------------------------------------

  logic [3:0] streak_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !(takes && accepted == '1)) streak_q <= '0;
    else streak_q <= streak_q + 1'b1;
  end
  `TSR_COVER(EverythingEveryCycle, streak_q == 4'd6)
  `TSR_COVER(NothingIsDue, takes && due == '0)
  // The last of all five that are due.
  outlets_t last;
  logic full;
  assign full = takes && due == '1;
  assign last = accepted & others;
  `TSR_COVER(LockLast, full && last.lock && $onehot(last))
  `TSR_COVER(TokenLast, full && last.token && $onehot(last))
  `TSR_COVER(ListedLast, full && last.listed && $onehot(last))
  `TSR_COVER(ReportLast, full && last.report && $onehot(last))
  `TSR_COVER(RecordLast, full && last == '0)
  logic promised;  // a release and a token
  assign promised = noted.after.drop.value != '0 && noted.after.token && noted.after.task_end;
  `TSR_COVER(Spoilt, takes && noted.spoilt && promised)
  `TSR_COVER(ErrorAndDelivered, delivered_o && given_q.report && given_q.lock)
  `TSR_COVER(TaskDoneWithItsToken, task_done_o && interrupts_o && given_q.token)
  `TSR_COVER(StopOnChangesMeanwhile, takes && !noted.spoilt && (noted.done.status & stop_on) != '0)
  `TSR_COVER_NEXT(NextWaitsAtOnce, takes && accepted == '1, done_valid_i && offered == others)

endmodule
