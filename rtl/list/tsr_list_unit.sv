// Lists of descriptors in memory, of all channels: fetch ahead, completion entries, one AXI4 port.
//
// Contract. Channels count reads first, then writes. What software sees: docs/lists.md.
// *Registers*: an access stays until it is answered; none is in the 2 cycles a channel behind a reset.
// *Sequencer and preparation*: `list_*` and `lists_*` are their list ports. Rows of descriptors have place
// channel * Ahead + n. The end of a job of a list, `prepared` with from_list, frees its place unless `more`.
// What is wrong with a list becomes a descriptor that is not valid, with the reason in bits 5:0 of word
// 15: so it is refused in its turn.
// *Reports*: `refusal_o` is what registers keep as ERROR_INFO and ERROR_ADDR, `written_o` an entry in
// memory, in one cycle.
// *Windows*: each page is asked for with `check_o`. *Reset*: while `in_reset` rises the list of the channel
// begins anew.
// *Bus*: bursts of 64 bytes and of an entry, aligned; ARID and AWID count what was forgotten.
// `rests_o`: nothing is on the bus; while `quiesce_i` nothing new goes there.
// Latency: doorbell to ARVALID 6 cycles if the check takes none; last beat of a descriptor to `ready` 2.
// Throughput: a descriptor or an entry in 3 cycles, and as many rows and beats as the port carries.
`include "tsr_assert.svh"
`include "tsr_port_types.svh"
module tsr_list_unit
  import tsr_fabric_pkg::axi_attr_t;
  import tsr_descriptor_pkg::*;
  import tsr_program_pkg::*;
  import tsr_list_unit_pkg::*;
#(
  parameter int unsigned Channels = 2,  // 1..32
  parameter int unsigned AddrWidth = 64,  // 32..64
  parameter int unsigned ListWidth = 64,  // 64, 128, 256, 512
  parameter int unsigned Ahead = 16,  // descriptors of a channel, 4, 8, 16; 128 of all
  parameter int unsigned Outstanding = 16,  // fetches
  parameter int unsigned Entries = 16,  // that wait, and without their answers
  parameter int unsigned IdWidth = 2,  // 1..8
  parameter bit Guard = 1'b1,  // faults of the port
  parameter int unsigned Silence = 4096,  // ticks
  parameter bit Walk = 1'b1,
  parameter bit Bounds = 1'b1,
  localparam type ax_t = `TSR_PORT_AX_T(AddrWidth, IdWidth),
  localparam type r_t = `TSR_PORT_R_T(ListWidth / 8, IdWidth),
  localparam type w_t = `TSR_PORT_W_T(ListWidth / 8),
  localparam type b_t = `TSR_PORT_B_T(IdWidth),
  localparam type rd_req_t = `TSR_PORT_RD_REQ_T(ax_t),
  localparam type rd_rsp_t = `TSR_PORT_RD_RSP_T(r_t),
  localparam type wr_req_t = `TSR_PORT_WR_REQ_T(ax_t, w_t),
  localparam type wr_rsp_t = `TSR_PORT_WR_RSP_T(b_t)
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         tick_i,           // counts for time-outs
  input  logic                         quiesce_i,
  output logic                         rests_o,
  // Registers.
  input  list_access_t                 access_i,
  output list_answer_t                 answer_o,
  input  list_reset_t   [Channels-1:0] reset_i,
  output list_refusal_t                refusal_o,
  output logic                         refusal_valid_o,
  input  logic                         refusal_ready_i,
  output list_written_t                written_o,
  // Windows, and attributes of the channel of the check.
  output list_check_t                  check_o,
  output logic                         check_valid_o,
  input  list_permit_t                 check_i,
  input  axi_attr_t                    attr_i,
  // Sequencer and preparation.
  input  list_order_t   [Channels-1:0] list_i,
  output list_state_t   [Channels-1:0] list_o,
  input  to_lists_t                    lists_i,
  output from_lists_t                  lists_o,
  // AXI4.
  output rd_req_t                      rd_o,
  input  rd_rsp_t                      rd_i,
  output wr_req_t                      wr_o,
  input  wr_rsp_t                      wr_i
);

  visit_t look;
  list_step_t step;
  list_does_t does;
  list_known_t known;
  list_waiting_t entry;
  list_wanted_t wanted;
  list_sent_t sent, lost;
  list_opened_t opened;
  list_came_t   came;
  list_watch_t  watch;
  list_way_t read, write;
  list_item_t item;
  list_request_t request;
  list_target_t target;
  logic look_valid, visit_free, item_valid, item_free, entry_valid, entry_ready;
  logic lost_valid, lost_ready, request_valid, sent_valid, restart_done;
  logic [1:0] epoch;
  logic [Channels-1:0] active, ask, zeroes, entries_owed;

  // ---- Visits -----------------------------------------------------------------------------------

  tsr_list_select #(
    .Channels(Channels),
    .Ahead   (Ahead),
    .Wanted  (2 * Outstanding)
  ) u_select (
    .clk_i,
    .rst_ni,
    .free_i       (visit_free),
    .item_free_i  (item_free),
    .look_o       (look),
    .look_valid_o (look_valid),
    .zero_i       (zeroes),
    .access_i,
    .ended_i      (lists_i.prepared),
    .refused_i    (lists_i.refused),
    .lost_i       (lost),
    .lost_valid_i (lost_valid),
    .lost_ready_o (lost_ready),
    .entry_i      (entry),
    .entry_valid_i(entry_valid),
    .entry_ready_o(entry_ready),
    .wanted_i     (wanted),
    .ask_i        (ask),
    .active_i     (active)
  );
  tsr_list_visit #(
    .Channels (Channels),
    .AddrWidth(AddrWidth)
  ) u_visit (
    .clk_i,
    .rst_ni,
    .look_i      (look),
    .look_valid_i(look_valid),
    .free_o      (visit_free),
    .step_o      (step),
    .does_o      (does),
    .list_i,
    .known_i     (known),
    .epoch_i     (epoch),
    .item_o      (item),
    .item_valid_o(item_valid)
  );
  tsr_list_address #(
    .Channels (Channels),
    .AddrWidth(AddrWidth)
  ) u_address (
    .clk_i,
    .rst_ni,
    .quiesce_i,
    .active_i       (active),
    .read_i         (read),
    .write_i        (write),
    .item_i         (item),
    .item_valid_i   (item_valid),
    .item_free_o    (item_free),
    .check_o,
    .check_valid_o,
    .check_i,
    .attr_i,
    .opened_o       (opened),
    .request_o      (request),
    .request_valid_o(request_valid),
    .sent_o         (sent),
    .sent_valid_o   (sent_valid),
    .target_o       (target),
    .refusal_o,
    .refusal_valid_o,
    .refusal_ready_i
  );
  tsr_list_known #(
    .Channels(Channels),
    .Ahead   (Ahead)
  ) u_known (
    .clk_i,
    .rst_ni,
    .access_i,
    .answer_o,
    .reset_i,
    .step_i        (step),
    .does_i        (does),
    .known_o       (known),
    .active_o      (active),
    .ask_o         (ask),
    .zero_o        (zeroes),
    .restart_done_o(restart_done),
    .opened_i      (opened),
    .came_i        (came),
    .entries_owed_i(entries_owed),
    .read_i        (read),
    .write_i       (write),
    .tick_i,
    .watch_o       (watch),
    .list_i,
    .list_o,
    .lists_i,
    .head_o        (lists_o.head)
  );

  // ---- The port ---------------------------------------------------------------------------------

  tsr_list_fetch #(
    .Channels   (Channels),
    .AddrWidth  (AddrWidth),
    .ListWidth  (ListWidth),
    .Outstanding(Outstanding),
    .Ahead      (Ahead),
    .IdWidth    (IdWidth),
    .Guard      (Guard),
    .Silence    (Silence),
    .Walk       (Walk),
    .Bounds     (Bounds)
  ) u_fetch (
    .clk_i,
    .rst_ni,
    .watch_i        (watch),
    .active_i       (active),
    .request_i      (request),
    .request_valid_i(request_valid),
    .target_i       (target),
    .wanted_o       (wanted),
    .came_o         (came),
    .row_o          (lists_o.row),
    .row_valid_o    (lists_o.row_valid),
    .row_ready_i    (lists_i.row_ready),
    .way_o          (read),
    .rd_o,
    .rd_i
  );
  tsr_list_entries #(
    .Channels (Channels),
    .AddrWidth(AddrWidth),
    .ListWidth(ListWidth),
    .Entries  (Entries),
    .IdWidth  (IdWidth),
    .Guard    (Guard),
    .Silence  (Silence)
  ) u_entries (
    .clk_i,
    .rst_ni,
    .watch_i      (watch),
    .entry_i      (lists_i.entry),
    .entry_valid_i(lists_i.entry_valid),
    .entry_ready_o(lists_o.entry_ready),
    .written_o,
    .next_o       (entry),
    .next_valid_o (entry_valid),
    .next_ready_i (entry_ready),
    .step_i       (step),
    .clears_i     (does.clears),
    .zero_i       (does.zero || restart_done),
    .epoch_o      (epoch),
    .owed_o       (entries_owed),
    .sent_i       (sent),
    .sent_valid_i (sent_valid),
    .target_i     (target),
    .lost_o       (lost),
    .lost_valid_o (lost_valid),
    .lost_ready_i (lost_ready),
    .way_o        (write),
    .wr_o,
    .wr_i
  );
  assign rests_o = read.rests && write.rests;

  `TSR_ASSERT(OneBurstEach, !(request_valid && sent_valid))

endmodule
