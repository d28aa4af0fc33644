// Registers of all lists, in memories with an entry a channel, and the accesses of software.
//
// Contract. `setup_o` belongs to the visit in its second step, `count_o` to the one that begins. It does what it has to: VisitAccess writes a register and
// answers, VisitZero sets to 0. `busy_i`: the list is; then only LIST_TAIL is written. LIST_TAIL of
// a channel in reset is not written. `restart_o`, `restart_done_o`: the list, the ring of its
// entries begins anew.
// Latency: an access in the cycle of `act_i`. Throughput: one a cycle.
`include "tsr_assert.svh"
module tsr_list_setup
  import tsr_program_pkg::channel_t;
  import tsr_descriptor_pkg::*;
  import tsr_list_unit_pkg::*;
#(
  parameter  int unsigned Channels = 2,                                   // 1..32
  localparam int unsigned Index    = Channels > 1 ? $clog2(Channels) : 1
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  list_step_t          step_i,
  output logic         [15:0] count_o,         // of the look, in its cycle
  output list_setup_t         setup_o,
  // Software.
  input  list_access_t        access_i,
  output list_answer_t        answer_o,
  input  logic                busy_i,
  input  logic         [15:0] head_i,
  input  logic         [ 3:0] fault_i,
  input  logic                in_reset_i,
  output logic                doorbell_o,
  output logic                restart_o,
  output logic                restart_done_o,
  // An entry was not written.
  input  logic                loses_i
);

  typedef logic [Index-1:0] index_t;

  (* ram_style = "distributed" *) logic [31:0] low_q[2**(Index+1)];
  (* ram_style = "distributed" *) logic [31:0] high_q[2**(Index+1)];
  (* ram_style = "distributed" *) logic [15:0] count_q[2**Index];
  (* ram_style = "distributed" *) logic [15:0] tail_q[2**Index];
  (* ram_style = "distributed" *) logic [11:0] control_q[2**Index];
  (* ram_style = "distributed" *) logic [2:0] lost_q[2**Index];

  index_t look, visit;
  visit_kind_e kind;
  list_setup_t setup_q;
  logic [11:0] kept;  // of LIST_CONTROL
  assign kind    = step_i.visit.kind;
  assign look    = index_t'(step_i.look.channel);
  assign visit   = index_t'(step_i.visit.channel);
  assign count_o = count_q[look];
  assign kept    = control_q[look];
  always_ff @(posedge clk_i) begin
    if (!step_i.hold) begin
      setup_q <= '{
          base: '0,
          lost: lost_q[look],
          empty: count_o == '0,
          beyond: tail_q[look] >= count_o,
          count: count_o,
          tail: tail_q[look],
          per: kept[11:4],
          pitch: kept[3:2],
          entries: kept[1],
          ring: kept[0]
      };
    end
  end

  // ---- Software ---------------------------------------------------------------------------------

  logic of_done;
  assign of_done = kind == VisitAccess ? access_i.word[2] : kind inside {VisitEntry, VisitLost};
  always_comb begin
    setup_o      = setup_q;
    setup_o.base = {high_q[{of_done, visit}], low_q[{of_done, visit}]};
  end

  logic [31:0] old, merged;
  logic known, stored, accepted, write;
  always_comb begin
    unique case (access_i.word)
      ListBaseLow, ListDoneBaseLow: old = setup_o.base[31:0];
      ListBaseHigh, ListDoneBaseHigh: old = setup_o.base[63:32];
      ListCount: old = 32'(setup_o.count);
      ListTail: old = 32'(setup_o.tail);
      ListHead: old = 32'(head_i);
      ListControl:
      old = list_control_t'{
          interrupt_after: setup_o.per,
          pitch: setup_o.pitch,
          entries: setup_o.entries,
          ring: setup_o.ring,
          default: '0
      };
      default:
      old = list_status_t'{fault: fault_i, error: setup_o.lost, busy: busy_i, default: '0};
    endcase
    for (int unsigned b = 0; b < 4; b++) begin
      merged[8*b+:8] = access_i.strobe[b] ? access_i.data[8*b+:8] : old[8*b+:8];
    end
  end
  assign known = access_i.word <= ListStatus && 32'(access_i.channel) < Channels;
  assign stored = access_i.word != ListHead && access_i.word != ListStatus;
  assign accepted = known && (!access_i.write ||
                              (stored && (!busy_i || access_i.word == ListTail)));
  assign write = answer_o.ready && accepted && access_i.write &&
      access_i.strobe != '0 && !(access_i.word == ListTail && in_reset_i);
  assign answer_o = '{ready: step_i.act && kind == VisitAccess, error: !accepted, data: old};
  assign doorbell_o = write && access_i.word == ListTail;
  assign restart_o = write && (access_i.word inside {ListBaseLow, ListBaseHigh, ListCount,
                                                     ListControl});
  assign restart_done_o = write && (access_i.word inside {ListCount, ListDoneBaseLow,
                                                          ListDoneBaseHigh});

  // ---- Writes -----------------------------------------------------------------------------------

  logic zero, clears, of_done_at;
  logic [31:0] data;
  list_control_t control;
  assign zero = step_i.act && kind == VisitZero;
  assign clears = zero && step_i.visit.clears;
  assign data = clears ? '0 : merged;
  assign control = data;
  assign of_done_at = clears ? step_i.visit.high : access_i.word[2];
  always_ff @(posedge clk_i) begin
    if (clears || (write && (access_i.word inside {ListBaseLow, ListDoneBaseLow})))
      low_q[{of_done_at, visit}] <= data;
    if (clears || (write && (access_i.word inside {ListBaseHigh, ListDoneBaseHigh})))
      high_q[{of_done_at, visit}] <= data;
    if (clears || (write && access_i.word == ListCount)) count_q[visit] <= data[15:0];
    if (clears || (write && access_i.word == ListControl))
      control_q[visit] <= {control.interrupt_after, control.pitch, control.entries, control.ring};
    if (zero || restart_o || doorbell_o) tail_q[visit] <= doorbell_o ? merged[15:0] : '0;
    if (zero || loses_i) lost_q[visit] <= zero ? '0 : step_i.visit.reason[2:0];
  end

  logic unused_in;
  assign unused_in = ^{step_i, setup_q.base, access_i, control};

  `TSR_ASSERT(AnswersAnAccess, !answer_o.ready || access_i.valid)
  `TSR_ASSERT(LosesInAVisit, !loses_i || (step_i.act && kind == VisitLost))

endmodule
