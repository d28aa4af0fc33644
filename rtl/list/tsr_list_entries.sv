// Completion entries of all channels: their queue, their bursts, their answers.
//
// Contract. The oldest entry is visited (`next_o`); the visit ends with `sent_i`: the entry is written at
// `target_i`, if the bus is free, unless its code says otherwise. Answers come in order; what was not written is
// `lost_o`. For epochs see tsr_list_answers.
// Latency and throughput: tsr_list_queue.
`include "tsr_assert.svh"
`include "tsr_port_types.svh"
module tsr_list_entries
  import tsr_descriptor_pkg::*;
  import tsr_fabric_pkg::*;
  import tsr_program_pkg::*;
  import tsr_list_unit_pkg::*;
#(
  parameter int unsigned Channels = 2,  // 1..32
  parameter int unsigned AddrWidth = 64,
  parameter int unsigned ListWidth = 64,  // 64, 128, 256, 512
  parameter int unsigned Entries = 16,  // without their answers, a power of two; half as many wait
  parameter int unsigned IdWidth = 2,  // 1..8
  parameter bit Guard = 1'b1,
  parameter int unsigned Silence = 4096,  // ticks
  localparam type ax_t = `TSR_PORT_AX_T(AddrWidth, IdWidth),
  localparam type w_t = `TSR_PORT_W_T(ListWidth / 8),
  localparam type b_t = `TSR_PORT_B_T(IdWidth),
  localparam type wr_req_t = `TSR_PORT_WR_REQ_T(ax_t, w_t),
  localparam type wr_rsp_t = `TSR_PORT_WR_RSP_T(b_t)
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  list_watch_t                  watch_i,
  input  list_entry_t                  entry_i,
  input  logic                         entry_valid_i,
  output logic                         entry_ready_o,
  output list_written_t                written_o,
  // Visits.
  output list_waiting_t                next_o,
  output logic                         next_valid_o,
  input  logic                         next_ready_i,
  input  list_step_t                   step_i,
  input  logic                         clears_i,       // the sweep behind a reset
  input  logic                         zero_i,
  output logic          [         1:0] epoch_o,
  output logic          [Channels-1:0] owed_o,
  input  list_sent_t                   sent_i,
  input  logic                         sent_valid_i,
  input  list_target_t                 target_i,
  output list_sent_t                   lost_o,
  output logic                         lost_valid_o,
  input  logic                         lost_ready_i,
  // Bus.
  output list_way_t                    way_o,
  output wr_req_t                      wr_o,
  input  wr_rsp_t                      wr_i
);

  localparam int unsigned Depth = Entries > 2 ? Entries / 2 : 2;

  list_waiting_t waiting;
  logic waiting_valid, visited_q, stalls, free, gone, answers_rest, owed, mine, answer, takes;
  logic aw_valid, w_valid, b_ready, ready, failed;
  logic [1:0] entry_epoch;
  logic [AddrWidth-1:0] aw_addr;
  logic [IdWidth-1:0] id;
  axi_attr_t aw_attr;
  fault_e wrong, fault;
  w_t w;
  tsr_list_queue #(
    .AddrWidth(AddrWidth),
    .ListWidth(ListWidth),
    .Depth    (Depth)
  ) u_queue (
    .clk_i,
    .rst_ni,
    .entry_i,
    .epoch_i     (entry_epoch),
    .entry_valid_i,
    .entry_ready_o,
    .next_o      (waiting),
    .next_valid_o(waiting_valid),
    .failed_i    (failed),
    .pop_i       (sent_valid_i),
    .sends_i     (sent_valid_i && sent_i.code == EntryNone),
    .phase_i     (sent_i.phase),
    .addr_i      (target_i.addr[AddrWidth-1:4]),
    .attr_i      (target_i.attr),
    .free_o      (free),
    .gone_o      (gone),
    .aw_addr_o   (aw_addr),
    .aw_attr_o   (aw_attr),
    .aw_valid_o  (aw_valid),
    .aw_ready_i  (wr_i.aw_ready),
    .w_o         (w),
    .w_valid_o   (w_valid),
    .w_ready_i   (wr_i.w_ready)
  );
  // One visit for each.
  assign next_o       = waiting;
  assign next_valid_o = waiting_valid && !visited_q && !stalls;
  always_ff @(posedge clk_i)
    visited_q <= rst_ni && !sent_valid_i && (visited_q || (next_valid_o && next_ready_i));

  list_sent_t sent;
  always_comb begin
    sent            = sent_i;
    sent.name       = waiting.name;
    sent.interrupts = sent_i.interrupts || waiting.interrupts;
  end
  assign mine   = wr_i.b_valid && wr_i.b.id == id;
  assign answer = mine && owed;
  tsr_list_answers #(
    .Channels(Channels),
    .Entries (Entries),
    .Waiting (Depth)
  ) u_answers (
    .clk_i,
    .rst_ni,
    .step_i,
    .clears_i,
    .zero_i,
    .epoch_o,
    .entry_channel_i(entry_i.channel),
    .enters_i       (entry_valid_i && entry_ready_o),
    .entry_epoch_o  (entry_epoch),
    .owed_o,
    .sent_i         (sent),
    .sent_valid_i,
    .sent_ready_o   (ready),
    .stalls_o       (stalls),
    .rests_o        (answers_rest),
    .lost_o,
    .lost_valid_o,
    .lost_ready_i,
    .written_o,
    .failed_i       (failed),
    .answer_i       (answer),
    .resp_i         (wr_i.b.resp),
    .answer_ready_o (takes)
  );

  tsr_list_fault #(
    .Guard      (Guard),
    .Outstanding(Entries),
    .Silence    (Silence),
    .IdWidth    (IdWidth)
  ) u_fault (
    .clk_i,
    .rst_ni,
    .watch_i,
    .rests_i (answers_rest && free && !waiting_valid),
    .sent_i  (gone),
    .end_i   (answer && b_ready),
    .waits_i (aw_valid || w_valid),
    .moves_i (mine),
    .goes_i  ((aw_valid && wr_i.aw_ready) || (w_valid && wr_i.w_ready)),
    .wrong_i (wrong),
    .owed_o  (owed),
    .failed_o(failed),
    .fault_o (fault),
    .epoch_o (id)
  );
  always_comb begin
    wrong = FaultNone;
    if (mine && !owed) wrong = free ? FaultUnasked : FaultEarly;
  end

  // What nothing waits for is taken, too.
  assign b_ready = wr_i.b.id != id || failed || !owed || takes;
  assign wr_o = '{
          aw: '{id: id, addr: aw_addr, len: ListWidth == 64 ? 8'd1 : 8'd0, attr: aw_attr},
          aw_valid: aw_valid,
          w: w,
          w_valid: w_valid,
          b_ready: b_ready
      };
  assign way_o = '{
          ready: ready,
          free: free,
          failed: failed,
          rests: free && !owed,
          fault: fault
      };

  logic unused_in;
  assign unused_in = ^target_i;

  `TSR_STATIC_ASSERT(Entries, Entries >= 2 && Entries <= 16 && $onehot(Entries),
                     ("Entries = %0d; legal is 2, 4, 8 or 16", Entries))
  `TSR_ASSERT(VisitsTheNext, !sent_valid_i || waiting_valid)

endmodule
