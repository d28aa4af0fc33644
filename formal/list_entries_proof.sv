// tsr_list_entries: each completion entry is on the bus once or is refused, and then is told once, in order: as written
// if its answer is good, else as lost.
`include "proof.svh"
`include "tsr_port_types.svh"

module list_entries_proof
  import tsr_descriptor_pkg::*;
  import tsr_fabric_pkg::*;
  import tsr_program_pkg::*;
  import tsr_list_unit_pkg::*;
#(
  localparam int unsigned AddrWidth = 8
) (
  input logic       clk_i,
  input logic       rst_ni,
  input logic       entry_valid_i,
  input logic       channel_i,
  input logic [1:0] tag_i,
  input logic       next_ready_i,
  input logic       sent_valid_i,
  input logic       refused_i,      // by a window
  input logic       lost_ready_i,
  input logic       aw_ready_i,
  input logic       w_ready_i,
  input logic [1:0] b_resp_i,
  input logic       b_valid_i
);

  // Memories begin with 0, as behind a sweep.
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  OneReset :
  assume property (@(posedge clk_i) rst_ni == started_q);

  localparam type ax_t = `TSR_PORT_AX_T(AddrWidth, 1);
  localparam type w_t = `TSR_PORT_W_T(8);
  localparam type b_t = `TSR_PORT_B_T(1);
  localparam type wr_req_t = `TSR_PORT_WR_REQ_T(ax_t, w_t);
  localparam type wr_rsp_t = `TSR_PORT_WR_RSP_T(b_t);
  list_entry_t   entry;
  list_waiting_t next;
  list_sent_t sent, lost;
  list_written_t written;
  list_way_t way;
  wr_req_t wr;
  wr_rsp_t answer;
  channel_t aw_channel;
  logic entry_ready, next_valid, written_valid, lost_valid;
  logic aw_valid, w_valid, w_last, visit_q, sends;
  logic [63:0] w_data;
  logic [ 2:0] owed_q;  // bursts on the bus without an answer
  always_comb begin
    entry = '0;
    entry.channel = channel_t'(channel_i);
    entry.tag = 32'(tag_i);
    entry.index = 16'(tag_i);
    sent = '0;
    sent.channel = next.channel;
    sent.epoch = next.epoch;
    sent.code = refused_i ? EntryWindow : EntryNone;
  end
  assign sends = rst_ni && sent_valid_i;
  assign answer = '{
          aw_ready: aw_ready_i,
          w_ready: w_ready_i,
          b: '{id: wr.aw.id, resp: b_resp_i},
          b_valid: b_valid_i
      };
  // Attributes are the number of the channel.
  tsr_list_entries #(
    .AddrWidth(AddrWidth),
    .Entries  (2),
    .IdWidth  (1)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .watch_i      ('0),
    .entry_i      (entry),
    .entry_valid_i(rst_ni && entry_valid_i),
    .entry_ready_o(entry_ready),
    .written_o    (written),
    .next_o       (next),
    .next_valid_o (next_valid),
    .next_ready_i,
    .step_i       ('0),
    .clears_i     (1'b0),
    .zero_i       (1'b0),
    .epoch_o      (),
    .owed_o       (),
    .sent_i       (sent),
    .sent_valid_i (sends),
    .target_i     ('{addr: 60'(started_q), attr: axi_attr_t'(sent.channel)}),
    .lost_o       (lost),
    .lost_valid_o (lost_valid),
    .lost_ready_i,
    .way_o        (way),
    .wr_o         (wr),
    .wr_i         (answer)
  );
  assign aw_valid = wr.aw_valid;
  assign aw_channel = channel_t'(wr.aw.attr);
  assign w_valid = wr.w_valid;
  assign w_data = wr.w.data;
  assign w_last = wr.w.last;
  assign written_valid = written.valid;

  // A visit ends behind its beginning, when there is a place for its end and the bus is free for it.
  logic answers, bus_sent, shows_q;
  assign answers = b_valid_i && wr.b_ready;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {visit_q, owed_q} <= '0;
    else begin
      visit_q <= (next_valid && next_ready_i) || (visit_q && !sends);
      owed_q  <= owed_q + 3'(bus_sent) - 3'(answers);
    end
  end
  `TSR_ASSUME(EndsOfVisits, !sent_valid_i || (visit_q && way.ready && (way.free || refused_i)))
  `TSR_ASSUME(OneAnswerABurst, !b_valid_i || owed_q != '0)
  `TSR_ASSUME_STABLE(EntryStays, entry_valid_i, entry_ready, ({channel_i, tag_i}))
  `TSR_ASSUME_STABLE(AnswerStays, b_valid_i, wr.b_ready, b_resp_i)

  // ---- Entries that came and were not told, the oldest first --------------------------------------

  typedef struct packed {
    logic       channel, refused;
    logic [1:0] tag;
  } told_t;
  told_t [7:0] told_q;
  logic [3:0] came_q, sent_q;  // of these: all, those whose visit has ended
  logic tells, comes;
  assign comes = entry_valid_i && entry_ready;
  assign tells = written_valid || (lost_valid && lost_ready_i);
  told_t [7:0] shown;
  always_comb begin
    shown = told_q;
    if (sends) shown[sent_q[2:0]].refused = refused_i;
    if (comes) shown[came_q[2:0]] = '{channel_i, 1'b0, tag_i};
    if (tells) shown = shown >> $bits(told_t);
  end
  always_ff @(posedge clk_i) begin
    told_q <= shown;
    if (!rst_ni) {came_q, sent_q} <= '0;
    else begin
      came_q <= came_q + 4'(comes) - 4'(tells);
      sent_q <= sent_q + 4'(sends) - 4'(tells);
    end
  end
  `TSR_ASSERT(OnlyWhatWasVisited, !tells || sent_q != '0)
  `TSR_ASSERT(OneOfBoth, !(written_valid && lost_valid))
  `TSR_ASSERT(OneVisitEach, !next_valid || (sent_q != came_q && !visit_q))
  `TSR_ASSERT(ItsVisit, !next_valid || next.channel == channel_t'(told_q[sent_q[2:0]].channel))
  `TSR_ASSERT(WrittenWithItsAnswer,
              !written_valid || (answers && !b_resp_i[1] && !told_q[0].refused))
  `TSR_ASSERT(ItsChannel, !written_valid || written.channel == channel_t'(told_q[0].channel))
  `TSR_ASSERT(LostOfItsChannel, !lost_valid || lost.channel == channel_t'(told_q[0].channel))
  `TSR_ASSERT(LostForItsReason, !lost_valid || (lost.code == EntryWindow) == told_q[0].refused)
  `TSR_ASSERT(NothingWrong, way.fault == FaultNone && !way.failed)

  // ---- The bus: an address and two beats for each -------------------------------------------------

  told_t shown_q;  // on the bus
  logic address_q, beat_q, data_q;
  assign bus_sent = shows_q && (address_q || (aw_valid && aw_ready_i)) &&
      (data_q || (w_valid && w_ready_i && beat_q));
  always_ff @(posedge clk_i) begin
    if (!rst_ni || bus_sent) {shows_q, address_q, beat_q, data_q} <= '0;
    else begin
      if (sends && !refused_i) shows_q <= 1'b1;
      if (aw_valid && aw_ready_i) address_q <= 1'b1;
      if (w_valid && w_ready_i) {data_q, beat_q} <= {beat_q, 1'b1};
    end
    if (sends && !refused_i) shown_q <= told_q[sent_q[2:0]];
  end
  `TSR_ASSERT(OneAddress, !aw_valid || (shows_q && !address_q))
  `TSR_ASSERT(OfItsChannel, !aw_valid || aw_channel == channel_t'(shown_q.channel))
  `TSR_ASSERT(TwoBeats, !w_valid || (shows_q && !data_q && w_last == beat_q))
  `TSR_ASSERT(ItsTag, !w_valid || beat_q || w_data == 64'(shown_q.tag))
  `TSR_ASSERT(ItsIndex, !w_valid || !beat_q || w_data[31:16] == 16'(shown_q.tag))

  `TSR_COVER(Written, written_valid && told_q[0].tag == 2'd2 && came_q == 4'd3)
  `TSR_COVER(LostBehindAnother, lost_valid && lost_ready_i && told_q[0].refused && came_q == 4'd2)
  `TSR_COVER(BadAnswer, lost_valid && lost.code == EntryDecErr)
  logic unused;
  assign unused = ^{written, lost, way, next, wr};

endmodule
