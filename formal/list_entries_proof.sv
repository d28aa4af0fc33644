// tsr_list_entries: each completion entry is on the bus once or is refused, and then is told once, in order: as written
// if its answer is good, else as lost.
`include "proof.svh"

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

  list_entry_t entry;
  list_sent_t sent, lost;
  list_written_t written;
  channel_t next_channel, aw_channel;
  fault_e wrong;
  logic entry_ready, next_valid, sent_ready, bus_free, bus_sent, written_valid, lost_valid, rests;
  logic aw_valid, w_valid, w_last, b_ready, visit_q, sends;
  logic [1:0] next_epoch;
  logic [AddrWidth-1:0] aw_addr;
  logic [63:0] w_data;
  logic [2:0] owed_q;  // bursts on the bus without an answer
  always_comb begin
    entry = '0;
    entry.channel = channel_t'(channel_i);
    entry.tag = 32'(tag_i);
    sent = '0;
    sent.channel = next_channel;
    sent.epoch = next_epoch;
    sent.code = refused_i ? EntryWindow : EntryNone;
  end
  assign sends = rst_ni && sent_valid_i;
  tsr_list_entries #(
    .AddrWidth(AddrWidth),
    .Entries  (2)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .entry_i        (entry),
    .entry_valid_i  (rst_ni && entry_valid_i),
    .entry_ready_o  (entry_ready),
    .written_o      (written),
    .written_valid_o(written_valid),
    .next_channel_o (next_channel),
    .next_epoch_o   (next_epoch),
    .next_valid_o   (next_valid),
    .next_ready_i,
    .look_i         ('0),
    .hold_i         (1'b0),
    .epoch_o        (),
    .owed_o         (),
    .visit_i        ('0),
    .zero_i         (1'b0),
    .clears_i       (1'b0),
    .phase_i        (1'b0),
    .numbers_i      (1'b0),
    .sent_i         (sent),
    .sent_valid_i   (sends),
    .sent_ready_o   (sent_ready),
    .bus_free_o     (bus_free),
    .addr_i         (4'(started_q)),
    .lost_o         (lost),
    .lost_valid_o   (lost_valid),
    .lost_ready_i,
    .rests_o        (rests),
    .failed_i       (1'b0),
    .owed_i         (owed_q != '0),
    .wrong_o        (wrong),
    .bus_sent_o     (bus_sent),
    .aw_channel_o   (aw_channel),
    .aw_addr_o      (aw_addr),
    .aw_valid_o     (aw_valid),
    .aw_ready_i,
    .w_data_o       (w_data),
    .w_strb_o       (),
    .w_last_o       (w_last),
    .w_valid_o      (w_valid),
    .w_ready_i,
    .mine_i         (1'b1),
    .b_resp_i,
    .b_valid_i,
    .b_ready_o      (b_ready)
  );

  // A visit ends behind its beginning, when there is a place for its end and the bus is free for it.
  logic answers;
  assign answers = b_valid_i && b_ready;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {visit_q, owed_q} <= '0;
    else begin
      visit_q <= (next_valid && next_ready_i) || (visit_q && !sends);
      owed_q  <= owed_q + 3'(bus_sent) - 3'(answers);
    end
  end
  `TSR_ASSUME(EndsOfVisits, !sent_valid_i || (visit_q && sent_ready && (bus_free || refused_i)))
  `TSR_ASSUME(OneAnswerABurst, !b_valid_i || owed_q != '0)
  `TSR_ASSUME_STABLE(EntryStays, entry_valid_i, entry_ready, ({channel_i, tag_i}))
  `TSR_ASSUME_STABLE(AnswerStays, b_valid_i, b_ready, b_resp_i)

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
  `TSR_ASSERT(ItsVisit, !next_valid || next_channel == channel_t'(told_q[sent_q[2:0]].channel))
  `TSR_ASSERT(WrittenWithItsAnswer,
              !written_valid || (answers && !b_resp_i[1] && !told_q[0].refused))
  `TSR_ASSERT(ItsChannel, !written_valid || written.channel == channel_t'(told_q[0].channel))
  `TSR_ASSERT(LostOfItsChannel, !lost_valid || lost.channel == channel_t'(told_q[0].channel))
  `TSR_ASSERT(LostForItsReason, !lost_valid || (lost.code == EntryWindow) == told_q[0].refused)
  `TSR_ASSERT(NothingWrong, wrong == FaultNone)

  // ---- The bus: an address and two beats for each -------------------------------------------------

  told_t shown_q;  // on the bus
  logic shows_q, address_q, beat_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || bus_sent) {shows_q, address_q, beat_q} <= '0;
    else begin
      if (sends && !refused_i) shows_q <= 1'b1;
      if (aw_valid && aw_ready_i) address_q <= 1'b1;
      if (w_valid && w_ready_i) beat_q <= 1'b1;
    end
    if (sends && !refused_i) shown_q <= told_q[sent_q[2:0]];
  end
  `TSR_ASSERT(OneAddress, !aw_valid || (shows_q && !address_q))
  `TSR_ASSERT(OfItsChannel, !aw_valid || aw_channel == channel_t'(shown_q.channel))
  `TSR_ASSERT(TwoBeats, !w_valid || (shows_q && w_last == beat_q))
  `TSR_ASSERT(ItsTag, !w_valid || beat_q || w_data == 64'(shown_q.tag))

  `TSR_COVER(Written, written_valid && told_q[0].tag == 2'd2 && came_q == 4'd3)
  `TSR_COVER(LostBehindAnother, lost_valid && lost_ready_i && told_q[0].refused && came_q == 4'd2)
  `TSR_COVER(BadAnswer, lost_valid && lost.code == EntryDecErr)
  logic unused;
  assign unused = ^{written, lost, rests, aw_addr};

endmodule
