// Lists of descriptors in memory, of all channels: fetch ahead, completion entries, one AXI4 port.
//
// Contract. Channels count reads first, then writes. What software sees: docs/lists.md.
// *Registers*: an access stays until it is answered; none is in
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
  output fault_e                       fault_o,
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

  localparam int unsigned Index = Channels > 1 ? $clog2(Channels) : 1;
  localparam int unsigned Slot = $clog2(Ahead);

  // ---- Visits -----------------------------------------------------------------------------------

  typedef logic [Channels-1:0] set_t;

  visit_t look;
  list_step_t step;
  list_does_t does;
  list_setup_t setup;
  list_places_t places;
  list_number_t number;
  list_refused_t refused;
  list_waiting_t entry;
  list_wanted_t wanted;
  list_sent_t sent, lost;
  list_opened_t opened;
  list_came_t   came;
  list_watch_t  watch;
  logic look_valid, visit_free, item_free, wanted_valid, entry_valid, entry_ready, lost_valid;
  logic lost_ready, ends, read_failed, write_failed, doorbell, restart, restart_done, coming;
  logic read_rests, write_rests;
  logic [1:0] epoch;
  logic [15:0] count, place_index;
  logic [Index-1:0] channel;
  set_t open, again, take, list_ready, active, ask, zeroes, faults, turned, entries_owed;
  fault_e read_fault, write_fault, last_fault_q;
  channel_t coming_channel;
  assign channel = step.visit.channel[Index-1:0];
  assign ends = lists_i.prepared_valid && lists_i.prepared.from_list;
  assign refused = '{
          channel: lists_i.prepared.channel,
          slot: 4'(lists_i.prepared.place[Slot-1:0]),
          reason: lists_i.prepared.error
      };
  tsr_list_select #(
    .Channels(Channels),
    .Wanted  (2 * Outstanding)
  ) u_select (
    .clk_i,
    .rst_ni,
    .free_i          (visit_free),
    .item_free_i     (item_free),
    .look_o          (look),
    .look_valid_o    (look_valid),
    .zero_i          (zeroes),
    .access_channel_i(access_i.channel),
    .access_valid_i  (access_i.valid),
    .done_i          (answer_o.ready),
    .refused_i       (refused),
    .refused_valid_i (lists_i.refused),
    .lost_i          (lost),
    .lost_valid_i    (lost_valid),
    .lost_ready_o    (lost_ready),
    .entry_i         (entry),
    .entry_valid_i   (entry_valid),
    .entry_ready_o   (entry_ready),
    .wanted_i        (wanted),
    .wanted_valid_i  (wanted_valid),
    .ask_i           (ask),
    .active_i        (active)
  );

  tsr_list_channels #(
    .Channels(Channels)
  ) u_channels (
    .clk_i,
    .rst_ni,
    .open_i         (open),
    .reset_i,
    .active_o       (active),
    .ask_o          (ask),
    .zero_o         (zeroes),
    .fault_o        (faults),
    .gives_up_o     (watch.give_up),
    .step_i         (step),
    .does_i         (does),
    .doorbell_i     (doorbell),
    .opened_i       (opened),
    .freed_channel_i(lists_i.prepared.channel),
    .freed_i        (ends),
    .came_i         (came),
    .turned_i       (turned),
    .failed_i       (read_failed || write_failed),
    .fails_i        (fault_o != FaultNone)
  );

  tsr_list_setup #(
    .Channels(Channels)
  ) u_setup (
    .clk_i,
    .rst_ni,
    .step_i        (step),
    .count_o       (count),
    .setup_o       (setup),
    .access_i,
    .answer_o,
    .busy_i        (open[channel] || active[channel] || places.owed || entries_owed[channel]),
    .head_i        (places.head),
    .fault_i       (faults[channel] ? last_fault_q : FaultNone),
    .in_reset_i    (reset_i[channel].in_reset),
    .doorbell_o    (doorbell),
    .restart_o     (restart),
    .restart_done_o(restart_done),
    .loses_i       (does.loses)
  );

  tsr_list_index #(
    .Channels(Channels)
  ) u_index (
    .clk_i,
    .rst_ni,
    .step_i       (step),
    .place_index_i(place_index),
    .count_i      (count),
    .number_o     (number),
    .setup_i      (setup),
    .next_i       (does.asks || does.numbers),
    .open_i       (does.opens),
    .head_i       (setup.ring ? places.head : '0),
    .zero_i       (does.zero || restart_done)
  );

  tsr_list_places #(
    .Channels(Channels),
    .Ahead   (Ahead)
  ) u_places (
    .clk_i,
    .rst_ni,
    .open_i        (open),
    .active_i      (active),
    .step_i        (step),
    .does_i        (does),
    .restart_i     (restart),
    .number_i      (number),
    .index_o       (place_index),
    .places_o      (places),
    .opened_i      (opened),
    .came_i        (came),
    .ready_o       (list_ready),
    .head_channel_i(lists_i.head_channel),
    .head_o        (lists_o.head),
    .take_i        (take),
    .turned_o      (turned),
    .ended_i       (lists_i.prepared),
    .ended_valid_i (ends)
  );

  list_item_t item;
  list_request_t request;
  logic item_valid, request_valid, request_ready, request_free, sent_valid, sent_ready, sent_free;
  logic [AddrWidth-1:4] addr;
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
    .takes_i     (take != '0),
    .open_i      (open),
    .again_i     (again),
    .setup_i     (setup),
    .places_i    (places),
    .number_i    (number),
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
    .read_failed_i  (read_failed),
    .write_failed_i (write_failed),
    .item_i         (item),
    .item_valid_i   (item_valid),
    .item_free_o    (item_free),
    .check_o,
    .check_valid_o,
    .check_i,
    .opened_o       (opened),
    .request_o      (request),
    .request_valid_o(request_valid),
    .request_ready_i(request_ready),
    .request_free_i (request_free),
    .sent_o         (sent),
    .sent_valid_o   (sent_valid),
    .sent_ready_i   (sent_ready),
    .sent_free_i    (sent_free),
    .addr_o         (addr),
    .refusal_o,
    .refusal_valid_o,
    .refusal_ready_i
  );

  // ---- The bus ----------------------------------------------------------------------------------

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
    .watch_i         (watch),
    .active_i        (active),
    .request_i       (request),
    .request_valid_i (request_valid),
    .request_ready_o (request_ready),
    .bus_free_o      (request_free),
    .addr_i          (addr[AddrWidth-1:6]),
    .attr_i,
    .wanted_o        (wanted),
    .wanted_valid_o  (wanted_valid),
    .coming_o        (coming),
    .coming_channel_o(coming_channel),
    .came_o          (came),
    .row_o           (lists_o.row),
    .row_valid_o     (lists_o.row_valid),
    .row_ready_i     (lists_i.row_ready),
    .failed_o        (read_failed),
    .fault_o         (read_fault),
    .rests_o         (read_rests),
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
    .sent_ready_o (sent_ready),
    .bus_free_o   (sent_free),
    .addr_i       (addr),
    .attr_i,
    .lost_o       (lost),
    .lost_valid_o (lost_valid),
    .lost_ready_i (lost_ready),
    .failed_o     (write_failed),
    .fault_o      (write_fault),
    .rests_o      (write_rests),
    .wr_o,
    .wr_i
  );

  // ---- Channels ---------------------------------------------------------------------------------

  always_comb begin
    for (int unsigned c = 0; c < Channels; c++) begin
      open[c]          = list_i[c].open;
      again[c]         = list_i[c].again;
      take[c]          = list_i[c].take;
      list_o[c].ready  = list_ready[c];
      list_o[c].coming = coming && 32'(coming_channel) == c;
      list_o[c].halt   = does.loses && 32'(step.visit.channel) == c;
    end
  end
  assign fault_o = read_fault != FaultNone ? read_fault : write_fault;
  always_ff @(posedge clk_i) if (fault_o != FaultNone) last_fault_q <= fault_o;
  assign watch.tick   = tick_i;
  assign watch.closed = open == '0;
  assign rests_o      = read_rests && write_rests;

  logic unused_in;
  assign unused_in = ^lists_i;

  `TSR_ASSERT(RefusedIsTheEnd, !lists_i.refused || ends)

endmodule
