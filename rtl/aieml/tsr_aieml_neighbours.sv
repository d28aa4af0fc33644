// Locks of the neighbours of a memory tile: accesses go out to them, and theirs come in.
//
// Contract. An access of the locks (`far_i`) is asked of its neighbour and is `done` when that has answered; one goes at a
// time. A neighbour that is not `up` grants nothing, and a release there is lost; what it was asked and has not answered is asked again. Each neighbour may have one access here,
// whatever is asked of it meanwhile. A neighbour that was not granted a lock is told when that lock changes, once
// and behind the answer; `changed` comes when each answer that came before it has reached its channel (4 cycles), and when a neighbour comes up.
// Pins: index 0 is the west, 1 the east. All of them are registers, so two tiles join without logic between them; a neighbour
// that is not there has all bits 0.
// Latency: 5 cycles from an access to `done`, if the bank there is free. Throughput: an access in 6 cycles.
`include "tsr_assert.svh"
module tsr_aieml_neighbours
  import tsr_channel_pkg::*;
  import tsr_program_pkg::*;
  import tsr_aieml_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  input  far_request_t        far_i,
  output far_answer_t         far_o,
  input  lock_report_t        report_i,
  input  aieml_beside_t [1:0] beside_i,
  output aieml_beside_t [1:0] beside_o
);

  logic [1:0] up, told, answered, granted, asked;
  logic here_q;
  for (genvar s = 0; s < 2; s++) begin : gen_side
    assign up[s]       = beside_i[s].up;
    assign told[s]     = beside_i[s].changed;
    assign answered[s] = beside_i[s].answers;
    assign granted[s]  = beside_i[s].granted;
    assign asked[s]    = beside_i[s].asks && here_q;  // else this tile was not up
  end

  // ---- Out --------------------------------------------------------------------------------------

  logic [1:0] to, asks_q, up_q;
  logic [3:0] changed_q;
  logic starts, lost, sent_q, done_q, granted_q, releases_q;
  lock_op_t op_q;
  assign to     = {far_i.side == LockEast, far_i.side == LockWest};
  assign starts = far_i.valid && !sent_q && !done_q;
  assign lost   = (to & up) == '0;
  always_ff @(posedge clk_i) begin
    asks_q     <= rst_ni && starts ? to & up : '0;
    sent_q     <= rst_ni && !lost && (starts || (sent_q && (to & answered) == '0));
    done_q     <= rst_ni && ((starts && lost) || (sent_q && (to & answered) != '0));
    granted_q  <= (to & answered & granted) != '0;
    releases_q <= far_i.releases;
    op_q       <= far_i.op;
    up_q       <= rst_ni ? up : '0;
    changed_q  <= rst_ni ? {changed_q[2:0], told != '0 || (up & ~up_q) != '0} : '0;
  end

  // ---- In ---------------------------------------------------------------------------------------

  typedef struct packed {
    logic     releases;
    lock_op_t op;
  } visit_t;
  visit_t [1:0] visit_q;
  visit_t visit;
  logic [1:0] visits_q, served, first_q, last_q, answers_q, tells_q;
  logic grants, grants_q;
  assign visit  = visits_q[0] ? visit_q[0] : visit_q[1];
  assign served = !far_i.visited ? '0 : visits_q[0] ? 2'b01 : 2'b10;
  assign grants = report_i.equal || report_i.least;

  // Neighbours that were not granted a lock. A bit too many is a word too many, so nothing is cleared.
  (* ram_style = "distributed" *) logic [1:0] waits_q[2**LockBits];
  logic [1:0] waits, refused;
  assign waits   = waits_q[report_i.id];
  assign refused = grants || report_i.drop ? '0 : last_q;
  always_ff @(posedge clk_i) begin
    if (report_i.changed || refused != '0)
      waits_q[report_i.id] <= report_i.changed ? '0 : waits | refused;
  end

  always_ff @(posedge clk_i) begin
    visits_q <= rst_ni ? ((visits_q & ~served) | asked) & up : '0;
    for (int unsigned s = 0; s < 2; s++) begin
      if (asked[s]) visit_q[s] <= '{releases: beside_i[s].releases, op: beside_i[s].op};
    end
    first_q   <= rst_ni ? served : '0;
    last_q    <= rst_ni ? first_q : '0;
    answers_q <= rst_ni ? last_q : '0;
    grants_q  <= grants;
    tells_q   <= rst_ni && report_i.changed ? waits : '0;
    here_q    <= rst_ni;
  end

  assign far_o = '{
          done: done_q,
          granted: granted_q,
          changed: changed_q[3],
          visits: visits_q != '0,
          releases: visit.releases,
          op: visit.op
      };
  for (genvar s = 0; s < 2; s++) begin : gen_pins
    assign beside_o[s] = '{
            up: here_q,
            changed: tells_q[s],
            answers: answers_q[s],
            granted: grants_q,
            asks: asks_q[s],
            releases: releases_q,
            op: op_q
        };
  end

  logic unused_report;
  assign unused_report = ^{report_i, beside_i};

  `TSR_ASSERT(OneAtATime, (asked & visits_q) == '0)
  `TSR_ASSERT(AnswersWhatWasAsked, !(sent_q && (to & up & answered) != '0) || far_i.valid)

endmodule
