// Lists of descriptors in memory, of all channels: fetch ahead, completion entries, one AXI4 port.
//
// Contract. Channels count reads first, then writes. What software sees: docs/lists.md.
// *Registers*: an access stays until `access_ready_o`, and is answered in that cycle; none is in
// the 2 cycles a channel behind a reset.
// *Sequencer and preparation*: `list_*` and `lists_*` are their list ports. Rows of descriptors have
// place channel * Ahead + n. The end of a job of a list, `prepared` with from_list, frees its place
// unless `more`. What is wrong with a list
// becomes a descriptor that is not valid, with the reason in bits 5:0 of word 15: so it is refused
// in its turn.
// *Reports*: `refusal_o` is what registers keep as ERROR_INFO and ERROR_ADDR, `written_o` an entry
// in memory, `fault_o` a fault of the port, in one cycle.
// *Windows*: each page is asked for with `check_o`. *Reset*: while `in_reset_i` rises the list of
// the channel begins anew.
// *Bus*: bursts of 64 bytes and of an entry, aligned; ARID and AWID count what was forgotten.
// `rests_o`: nothing is on the bus; while `quiesce_i` nothing new goes there.
// Latency: doorbell to ARVALID 6 cycles if the check takes none; last beat of a descriptor to
// `ready_o` 2.
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
  input  logic                         tick_i,             // counts for time-outs
  input  logic                         quiesce_i,
  output logic                         rests_o,
  // Registers.
  input  list_access_t                 access_i,
  input  logic                         access_valid_i,
  output logic                         access_ready_o,
  output list_answer_t                 answer_o,
  input  logic          [Channels-1:0] in_reset_i,
  input  logic          [Channels-1:0] give_up_i,
  output list_refusal_t                refusal_o,
  output logic                         refusal_valid_o,
  input  logic                         refusal_ready_i,
  output list_written_t                written_o,
  output logic                         written_valid_o,
  output fault_e                       fault_o,
  // Windows.
  output list_check_t                  check_o,
  output logic                         check_valid_o,
  input  logic                         check_ready_i,
  input  logic                         check_permitted_i,
  // Sequencer and preparation.
  input  list_order_t   [Channels-1:0] list_i,
  output list_state_t   [Channels-1:0] list_o,
  input  to_lists_t                    lists_i,
  output from_lists_t                  lists_o,
  // AXI4. Attributes are those of the channel on show.
  output channel_t                     ar_channel_o,
  input  axi_attr_t                    ar_attr_i,
  output rd_req_t                      rd_o,
  input  rd_rsp_t                      rd_i,
  output channel_t                     aw_channel_o,
  input  axi_attr_t                    aw_attr_i,
  output wr_req_t                      wr_o,
  input  wr_rsp_t                      wr_i
);

  localparam int unsigned Index = Channels > 1 ? $clog2(Channels) : 1;
  localparam int unsigned Slot = $clog2(Ahead);

  // ---- Visits -----------------------------------------------------------------------------------

  visit_t look, visit;
  logic look_valid, visit_free, item_free, act, hold, zero, clears;
  logic ar_valid, aw_valid, w_valid, b_ready;
  logic [Channels-1:0] open, again, take, list_ready;
  logic [Channels-1:0] active, ask, zeroes, faults, involved, turned;
  logic doorbell, restart, restart_done, woken, rests, asks, opens, numbers, loses;
  list_refused_t refused;
  logic refused_valid, refused_ready, lost_valid, lost_ready, entry_valid, entry_ready;
  list_wanted_t wanted;
  logic wanted_valid, wanted_ready;
  list_sent_t sent, lost;
  channel_t entry_channel;
  logic [1:0] entry_epoch, epoch, turns;
  logic [15:0] count, index, behind, place_index;
  logic at_end, interrupts, parity, entries_owed;
  logic [3:0] slot;
  logic [2:0] lost_code;
  list_setup_t setup;
  list_places_t places;
  logic [63:0] base;
  logic [Index-1:0] channel;
  assign channel = visit.channel[Index-1:0];
  assign zero    = act && visit.kind == VisitZero;

  tsr_list_select #(
    .Channels(Channels)
  ) u_select (
    .clk_i,
    .rst_ni,
    .free_i          (visit_free),
    .item_free_i     (item_free),
    .look_o          (look),
    .look_valid_o    (look_valid),
    .zero_i          (zeroes),
    .access_channel_i(access_i.channel),
    .access_valid_i,
    .done_i          (access_ready_o),
    .refused_i       (refused),
    .refused_valid_i (refused_valid),
    .refused_ready_o (refused_ready),
    .lost_i          (lost),
    .lost_valid_i    (lost_valid),
    .lost_ready_o    (lost_ready),
    .entry_channel_i (entry_channel),
    .entry_epoch_i   (entry_epoch),
    .entry_valid_i   (entry_valid),
    .entry_ready_o   (entry_ready),
    .wanted_i        (wanted),
    .wanted_valid_i  (wanted_valid),
    .wanted_ready_o  (wanted_ready),
    .ask_i           (ask),
    .active_i        (active)
  );

  channel_t opened_channel;
  logic opened, flawed;
  list_came_t came;
  logic came_base, came_valid, came_spoilt, read_failed, write_failed, ends;
  fault_e fault, last_fault_q;
  assign ends = lists_i.prepared_valid && lists_i.prepared.from_list;
  tsr_list_channels #(
    .Channels(Channels)
  ) u_channels (
    .clk_i,
    .rst_ni,
    .open_i          (open),
    .in_reset_i,
    .active_o        (active),
    .ask_o           (ask),
    .zero_o          (zeroes),
    .fault_o         (faults),
    .involved_o      (involved),
    .look_i          (look.channel),
    .hold_i          (hold),
    .woken_o         (woken),
    .visit_i         (visit.channel),
    .rests_i         (rests && !woken),
    .doorbell_i      (doorbell),
    .cleared_i       (zero),
    .opened_channel_i(opened_channel),
    .opened_i        (opened),
    .freed_channel_i (lists_i.prepared.channel),
    .freed_i         (ends),
    .came_channel_i  (came.channel),
    .came_i          (came_valid),
    .turned_i        (turned),
    .failed_i        (read_failed || write_failed),
    .spoilt_i        (came_spoilt),
    .lost_i          (visit.kind == VisitLost && visit.reason[2:0] == EntryFault),
    .fails_i         (fault != FaultNone)
  );

  logic of_entries, busy;
  assign of_entries = visit.kind == VisitEntry || visit.kind == VisitLost;
  assign busy = open[channel] || active[channel] || places.owed || entries_owed;
  tsr_list_setup #(
    .Channels(Channels)
  ) u_setup (
    .clk_i,
    .rst_ni,
    .look_i        (look),
    .hold_i        (hold),
    .count_o       (count),
    .visit_i       (visit),
    .act_i         (act),
    .done_i        (of_entries),
    .setup_o       (setup),
    .base_o        (base),
    .lost_o        (lost_code),
    .access_i,
    .answer_o,
    .busy_i        (busy),
    .head_i        (places.head),
    .fault_i       (faults[channel] ? last_fault_q : FaultNone),
    .in_reset_i    (in_reset_i[channel]),
    .doorbell_o    (doorbell),
    .restart_o     (restart),
    .restart_done_o(restart_done),
    .loses_i       (loses)
  );
  assign access_ready_o = act && visit.kind == VisitAccess;

  tsr_list_index #(
    .Channels(Channels)
  ) u_index (
    .clk_i,
    .rst_ni,
    .look_i       (look),
    .hold_i       (hold),
    .place_index_i(place_index),
    .count_i      (count),
    .visit_i      (visit),
    .index_o      (index),
    .turns_o      (turns),
    .behind_o     (behind),
    .at_end_o     (at_end),
    .setup_i      (setup),
    .next_i       (asks || numbers),
    .open_i       (opens),
    .head_i       (setup.ring ? places.head : '0),
    .zero_i       (zero || restart_done),
    .interrupts_o (interrupts)
  );

  tsr_list_places #(
    .Channels(Channels),
    .Ahead   (Ahead)
  ) u_places (
    .clk_i,
    .rst_ni,
    .open_i          (open),
    .active_i        (active),
    .look_i          (look),
    .hold_i          (hold),
    .index_o         (place_index),
    .visit_i         (visit),
    .act_i           (act),
    .opening_i       (look.kind == VisitOpen),
    .places_o        (places),
    .slot_o          (slot),
    .parity_o        (parity),
    .zero_i          (zero || restart || (opens && !setup.ring)),
    .clears_i        (clears),
    .asks_i          (asks),
    .opens_i         (opens),
    .asked_index_i   (index),
    .behind_i        (behind),
    .opened_channel_i(opened_channel),
    .opened_i        (opened),
    .flawed_i        (flawed),
    .came_i          (came),
    .came_base_i     (came_base),
    .came_valid_i    (came_valid),
    .ready_o         (list_ready),
    .head_channel_i  (lists_i.head_channel),
    .head_o          (lists_o.head),
    .take_i          (take),
    .turned_o        (turned),
    .end_valid_i     (ends),
    .end_channel_i   (lists_i.prepared.channel),
    .end_place_i     (lists_i.prepared.place),
    .end_more_i      (lists_i.prepared.more)
  );

  list_request_t request;
  logic request_valid, request_ready, sent_valid, sent_ready, bus_free;
  logic [AddrWidth-1:4] addr;
  logic [AddrWidth-1:6] ar_addr;
  tsr_list_visit #(
    .Channels (Channels),
    .AddrWidth(AddrWidth)
  ) u_visit (
    .clk_i,
    .rst_ni,
    .quiesce_i,
    .look_i          (look),
    .look_valid_i    (look_valid),
    .free_o          (visit_free),
    .item_free_o     (item_free),
    .visit_o         (visit),
    .act_o           (act),
    .clears_o        (clears),
    .hold_o          (hold),
    .takes_i         (take != '0),
    .open_i          (open),
    .again_i         (again),
    .active_i        (active),
    .setup_i         (setup),
    .base_i          (base),
    .lost_i          (lost_code),
    .places_i        (places),
    .slot_i          (slot),
    .parity_i        (parity),
    .index_i         (index),
    .turns_i         (turns),
    .at_end_i        (at_end),
    .interrupts_i    (interrupts),
    .epoch_i         (epoch),
    .asks_o          (asks),
    .opens_o         (opens),
    .numbers_o       (numbers),
    .rests_o         (rests),
    .loses_o         (loses),
    .check_o,
    .check_valid_o,
    .check_ready_i,
    .check_permitted_i,
    .opened_channel_o(opened_channel),
    .opened_o        (opened),
    .flawed_o        (flawed),
    .request_o       (request),
    .request_valid_o (request_valid),
    .request_ready_i (request_ready),
    .read_failed_i   (read_failed),
    .sent_o          (sent),
    .sent_valid_o    (sent_valid),
    .sent_ready_i    (sent_ready),
    .bus_free_i      (bus_free),
    .write_failed_i  (write_failed),
    .addr_o          (addr),
    .refusal_o,
    .refusal_valid_o,
    .refusal_ready_i,
    .ar_channel_o,
    .ar_addr_o       (ar_addr),
    .ar_valid_o      (ar_valid),
    .ar_ready_i      (rd_i.ar_ready)
  );
  // ---- Descriptors ------------------------------------------------------------------------------

  // At most two jobs of a channel are refused before it has halted.
  list_refused_t put_refused;
  logic refused_room;
  assign put_refused = '{
          channel: lists_i.prepared.channel,
          slot: 4'(lists_i.prepared.place[Slot-1:0]),
          reason: lists_i.prepared.error
      };
  tsr_fifo #(
    .Depth(2 * 2 ** Index),
    .T    (list_refused_t)
  ) u_refused (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .data_i (put_refused),
    .valid_i(lists_i.refused),
    .ready_o(refused_room),
    .data_o (refused),
    .valid_o(refused_valid),
    .ready_i(refused_ready)
  );

  channel_t coming_channel;
  logic coming;
  logic fetch_rests, read_owed, read_end, read_mine;
  fault_e read_wrong, read_fault;
  logic [IdWidth-1:0] read_epoch;
  assign read_mine = rd_i.r.id == read_epoch;
  tsr_list_fetch #(
    .Channels   (Channels),
    .ListWidth  (ListWidth),
    .Outstanding(Outstanding),
    .Ahead      (Ahead),
    .Guard      (Guard),
    .Walk       (Walk),
    .Bounds     (Bounds)
  ) u_fetch (
    .clk_i,
    .rst_ni,
    .active_i        (active),
    .request_i       (request),
    .request_valid_i (request_valid),
    .request_ready_o (request_ready),
    .rests_o         (fetch_rests),
    .wanted_o        (wanted),
    .wanted_valid_o  (wanted_valid),
    .wanted_ready_i  (wanted_ready),
    .coming_channel_o(coming_channel),
    .coming_o        (coming),
    .came_o          (came),
    .came_base_o     (came_base),
    .came_valid_o    (came_valid),
    .came_spoilt_o   (came_spoilt),
    .row_valid_o     (lists_o.row_valid),
    .row_ready_i     (lists_i.row_ready),
    .row_o           (lists_o.row),
    .failed_i        (read_failed),
    .owed_i          (read_owed),
    .wrong_o         (read_wrong),
    .end_o           (read_end),
    .mine_i          (read_mine),
    .r_data_i        (rd_i.r.data),
    .r_resp_i        (rd_i.r.resp),
    .r_last_i        (rd_i.r.last),
    .r_valid_i       (rd_i.r_valid),
    .r_ready_o       (rd_o.r_ready)
  );

  always_comb begin
    for (int unsigned c = 0; c < Channels; c++) begin
      open[c]          = list_i[c].open;
      again[c]         = list_i[c].again;
      take[c]          = list_i[c].take;
      list_o[c].ready  = list_ready[c];
      list_o[c].coming = coming && 32'(coming_channel) == c;
      list_o[c].halt   = loses && 32'(visit.channel) == c;
    end
  end

  // ---- Entries ----------------------------------------------------------------------------------

  logic entries_rest, write_owed, write_mine, bus_sent;
  fault_e write_wrong, write_fault;
  logic [IdWidth-1:0] write_epoch;
  assign write_mine = wr_i.b.id == write_epoch;
  tsr_list_entries #(
    .Channels (Channels),
    .AddrWidth(AddrWidth),
    .ListWidth(ListWidth),
    .Entries  (Entries)
  ) u_entries (
    .clk_i,
    .rst_ni,
    .entry_i       (lists_i.entry),
    .entry_valid_i (lists_i.entry_valid),
    .entry_ready_o (lists_o.entry_ready),
    .written_o,
    .written_valid_o,
    .next_channel_o(entry_channel),
    .next_epoch_o  (entry_epoch),
    .next_valid_o  (entry_valid),
    .next_ready_i  (entry_ready),
    .look_i        (look.channel),
    .hold_i        (hold),
    .epoch_o       (epoch),
    .owed_o        (entries_owed),
    .visit_i       (visit.channel),
    .zero_i        (zero || restart_done),
    .clears_i      (clears),
    .phase_i       (turns[0]),
    .numbers_i     (numbers),
    .sent_i        (sent),
    .sent_valid_i  (sent_valid),
    .sent_ready_o  (sent_ready),
    .bus_free_o    (bus_free),
    .addr_i        (addr),
    .lost_o        (lost),
    .lost_valid_o  (lost_valid),
    .lost_ready_i  (lost_ready),
    .rests_o       (entries_rest),
    .failed_i      (write_failed),
    .owed_i        (write_owed),
    .wrong_o       (write_wrong),
    .bus_sent_o    (bus_sent),
    .aw_channel_o,
    .aw_addr_o     (wr_o.aw.addr),
    .aw_valid_o    (aw_valid),
    .aw_ready_i    (wr_i.aw_ready),
    .w_data_o      (wr_o.w.data),
    .w_strb_o      (wr_o.w.strobe),
    .w_last_o      (wr_o.w.last),
    .w_valid_o     (w_valid),
    .w_ready_i     (wr_i.w_ready),
    .mine_i        (write_mine),
    .b_resp_i      (wr_i.b.resp),
    .b_valid_i     (wr_i.b_valid),
    .b_ready_o     (b_ready)
  );

  // ---- Faults -----------------------------------------------------------------------------------

  logic closed, gives_up;
  assign closed   = open == '0;
  assign gives_up = (give_up_i & involved) != '0;
  tsr_list_fault #(
    .Guard      (Guard),
    .Outstanding(Outstanding + 1),  // one is in a register
    .Silence    (Silence),
    .IdWidth    (IdWidth)
  ) u_read_fault (
    .clk_i,
    .rst_ni,
    .tick_i,
    .closed_i (closed),
    .give_up_i(gives_up),
    .rests_i  (fetch_rests && !ar_valid),
    .sent_i   (ar_valid && rd_i.ar_ready),
    .end_i    (read_end),
    .waits_i  (ar_valid),
    .moves_i  (rd_i.r_valid && read_mine),
    .goes_i   (ar_valid && rd_i.ar_ready),
    .wrong_i  (read_wrong),
    .owed_o   (read_owed),
    .failed_o (read_failed),
    .fault_o  (read_fault),
    .epoch_o  (read_epoch)
  );
  tsr_list_fault #(
    .Guard      (Guard),
    .Outstanding(Entries),
    .Silence    (Silence),
    .IdWidth    (IdWidth)
  ) u_write_fault (
    .clk_i,
    .rst_ni,
    .tick_i,
    .closed_i (closed),
    .give_up_i(gives_up),
    .rests_i  (entries_rest),
    .sent_i   (bus_sent),
    .end_i    (wr_i.b_valid && b_ready && write_mine && write_owed),
    .waits_i  (aw_valid || w_valid),
    .moves_i  (wr_i.b_valid && write_mine),
    .goes_i   ((aw_valid && wr_i.aw_ready) || (w_valid && wr_i.w_ready)),
    .wrong_i  (write_wrong),
    .owed_o   (write_owed),
    .failed_o (write_failed),
    .fault_o  (write_fault),
    .epoch_o  (write_epoch)
  );
  assign fault = read_fault != FaultNone ? read_fault : write_fault;
  always_ff @(posedge clk_i) if (fault != FaultNone) last_fault_q <= fault;

  assign fault_o = fault;
  assign rd_o.ar = '{
          id: read_epoch,
          addr: {ar_addr, 6'd0},
          len: 8'(512 / ListWidth - 1),
          attr: ar_attr_i
      };
  assign rd_o.ar_valid = ar_valid;
  assign wr_o.aw.id = write_epoch;
  assign wr_o.aw.len = ListWidth == 64 ? 8'd1 : 8'd0;
  assign wr_o.aw.attr = aw_attr_i;
  assign wr_o.aw_valid = aw_valid;
  assign wr_o.w_valid = w_valid;
  assign wr_o.b_ready = b_ready;
  assign rests_o = !ar_valid && !read_owed && !aw_valid && !w_valid && !write_owed;

  logic unused_in;
  assign unused_in = ^{lists_i, refused_room};

  `TSR_ASSERT(RefusedFindRoom, !lists_i.refused || refused_room)
  `TSR_ASSERT(RefusedIsTheEnd, !lists_i.refused || ends)

endmodule
