// Answers of completion entries, and what is known of the entries of a channel: epoch, what it is owed.
//
// Contract. `sent_i` is an entry whose answer is due, or one that was not sent, in their order.
// What was not written is `lost_o`. An entry from before the last `zero_i` of its channel, and its
// answer, count no more: `epoch_o` is the epoch of the channel of the visit, `entry_epoch_o` that of
// `entry_channel_i`. `owed_o`: an entry that came (`enters_i`) has no answer. `stalls_o`: behind one that
// was not written others wait until its channel has stopped.
// Latency: 1 cycle from an error to `lost_o`. Throughput: an answer a cycle, an error in 2.
`include "tsr_assert.svh"
module tsr_list_answers
  import tsr_program_pkg::channel_t;
  import tsr_list_unit_pkg::*;
#(
  parameter  int unsigned Channels = 2,                                   // 1..32
  parameter  int unsigned Entries  = 16,                                  // without their answers
  parameter  int unsigned Waiting  = 8,                                   // before they are sent
  localparam int unsigned Index    = Channels > 1 ? $clog2(Channels) : 1
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  list_step_t                   step_i,
  input  logic                         clears_i,         // the sweep behind a reset
  input  logic                         zero_i,
  output logic          [         1:0] epoch_o,
  input  channel_t                     entry_channel_i,
  input  logic                         enters_i,
  output logic          [         1:0] entry_epoch_o,
  output logic          [Channels-1:0] owed_o,
  input  list_sent_t                   sent_i,
  input  logic                         sent_valid_i,
  output logic                         sent_ready_o,
  output logic                         stalls_o,
  output logic                         rests_o,          // none is due
  output list_sent_t                   lost_o,
  output logic                         lost_valid_o,
  input  logic                         lost_ready_i,
  output list_written_t                written_o,
  input  logic                         failed_i,
  input  logic                         answer_i,         // of a burst that was sent
  input  logic          [         1:0] resp_i,
  output logic                         answer_ready_o
);

  typedef logic [Index-1:0] index_t;
  localparam int unsigned Count = $clog2(Entries + Waiting + 1);

  (* ram_style = "distributed" *) logic [1:0] epoch_q[2**Index];
  (* ram_style = "distributed" *) logic [Count-1:0] last_q[2**Index];  // number of its last entry

  list_sent_t sent;
  logic sent_valid, answered, on_bus, takes, good, stale, known, known_q, lost_q, refused_q;
  logic [2:0] code_q;
  index_t visit, at;
  assign visit = index_t'(step_i.visit.channel);
  assign at    = index_t'(sent.channel);
  tsr_fifo #(
    .Depth(Entries),
    .T    (list_sent_t)
  ) u_sent (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .data_i (sent_i),
    .valid_i(sent_valid_i),
    .ready_o(sent_ready_o),
    .data_o (sent),
    .valid_o(sent_valid),
    .ready_i(answered)
  );
  assign rests_o = !sent_valid;

  // ---- Channels ---------------------------------------------------------------------------------

  logic [Count-1:0] came_q, gone_q;  // numbers of entries
  logic [Channels-1:0] owed_q;
  assign entry_epoch_o = epoch_q[index_t'(entry_channel_i)];
  always_ff @(posedge clk_i) begin
    if (!step_i.hold) epoch_o <= epoch_q[index_t'(step_i.look.channel)];
    if (zero_i) epoch_q[visit] <= clears_i ? '0 : epoch_o + 2'd1;
    if (enters_i) last_q[index_t'(entry_channel_i)] <= came_q;
    if (!rst_ni) begin
      came_q <= '0;
      gone_q <= '0;
      owed_q <= '0;
    end else begin
      came_q <= came_q + Count'(enters_i);
      gone_q <= gone_q + Count'(answered);
      for (int unsigned c = 0; c < Channels; c++) begin
        if (enters_i && 32'(entry_channel_i) == c) owed_q[c] <= 1'b1;
        else if (answered && last_q[at] == gone_q && 32'(sent.channel) == c) owed_q[c] <= 1'b0;
      end
    end
  end
  assign owed_o = owed_q;

  // ---- Answers ----------------------------------------------------------------------------------

  // An answer that is an error waits for its report; what it is, is known a cycle later.
  assign on_bus = sent.code == EntryNone;
  assign takes = answer_i && sent_valid && on_bus && !failed_i && !known_q;
  assign good = takes && !resp_i[1];
  assign stale = sent.epoch != epoch_q[at];
  assign known = sent_valid && !known_q && ((takes && !good) || !on_bus || failed_i);
  assign lost_valid_o = known_q && lost_q;
  assign answered = good || (known_q && (!lost_q || lost_ready_i));
  assign answer_ready_o = takes;
  always_ff @(posedge clk_i) begin
    known_q <= rst_ni && (known || (known_q && !answered));
    if (known) begin
      lost_q <= sent.code != EntryDropped && !stale;
      code_q <= !on_bus ? sent.code : failed_i ? EntryFault : resp_i[0] ? EntryDecErr : EntrySlvErr;
    end
    if (!rst_ni || (answered && !on_bus && sent.code != EntryDropped)) refused_q <= 1'b0;
    else if (sent_valid_i) refused_q <= !(sent_i.code inside {EntryNone, EntryDropped});
  end
  always_comb begin
    lost_o      = sent;
    lost_o.code = code_q;
  end
  assign stalls_o  = refused_q || known_q;
  assign written_o = '{valid: good && !stale, channel: sent.channel, interrupts: sent.interrupts};

  logic unused_in;
  assign unused_in = ^step_i;

  `TSR_ASSERT(SentFindRoom, !sent_valid_i || sent_ready_o)
  `TSR_ASSERT(OwesWhatCame, !answered || came_q != gone_q)

endmodule
