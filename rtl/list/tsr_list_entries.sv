// Completion entries of all channels: queue, bursts, answers.
//
// Contract. The oldest entry of the queue is visited (`next_*`, `epoch_o`); the visit ends with
// `sent_i`: the entry is written at `addr_i`, unless its code says otherwise, and leaves the queue.
// Answers come in order; what was not written is `lost_o`. An entry from before the last `zero_i`
// of its channel, and its answer, count no more. `owed_o`: of the channel of `look_i`, in the next
// cycle, entries wait for their answers.
// Latency: 1 cycle from an entry to `next_valid_o`; AWVALID follows `sent_i` by 1, with WVALID.
// Throughput: an entry in as many cycles as it has beats and 4.
`include "tsr_assert.svh"
module tsr_list_entries
  import tsr_descriptor_pkg::*;
  import tsr_fabric_pkg::*;
  import tsr_program_pkg::*;
  import tsr_list_unit_pkg::list_sent_t;
  import tsr_list_unit_pkg::list_written_t;
  import tsr_list_unit_pkg::EntryNone;
  import tsr_list_unit_pkg::EntryDropped;
  import tsr_list_unit_pkg::EntryFault;
  import tsr_list_unit_pkg::EntrySlvErr;
  import tsr_list_unit_pkg::EntryDecErr;
#(
  parameter int unsigned Channels = 2,  // 1..32
  parameter int unsigned AddrWidth = 64,
  parameter int unsigned ListWidth = 64,  // 64, 128, 256, 512
  parameter int unsigned Entries = 16,  // that wait, a power of two
  localparam int unsigned Index = Channels > 1 ? $clog2(Channels) : 1
) (
  input logic clk_i,
  input logic rst_ni,
  // The sequencer.
  input list_entry_t entry_i,
  input logic entry_valid_i,
  output logic entry_ready_o,
  output list_written_t written_o,
  output logic written_valid_o,
  // Visits.
  output channel_t next_channel_o,
  output logic [1:0] next_epoch_o,
  output logic next_valid_o,
  input logic next_ready_i,
  input channel_t look_i,
  input logic hold_i,
  output logic [1:0] epoch_o,
  output logic owed_o,
  input channel_t visit_i,
  input logic zero_i,
  input logic clears_i,  // the sweep behind a reset
  input logic phase_i,  // of the entry of the visit, inverted
  input logic numbers_i,
  input list_sent_t sent_i,
  input logic sent_valid_i,
  output logic sent_ready_o,
  output logic bus_free_o,  // for another one
  input logic [AddrWidth-1:4] addr_i,
  output list_sent_t lost_o,
  output logic lost_valid_o,
  input logic lost_ready_i,
  output logic rests_o,  // no answer is waited for, nothing shows
  // Bus.
  input logic failed_i,
  input logic owed_i,
  output fault_e wrong_o,
  output logic bus_sent_o,  // address and data have gone
  output channel_t aw_channel_o,
  output logic [AddrWidth-1:0] aw_addr_o,
  output logic aw_valid_o,
  input logic aw_ready_i,
  output logic [ListWidth-1:0] w_data_o,
  output logic [ListWidth/8-1:0] w_strb_o,
  output logic w_last_o,
  output logic w_valid_o,
  input logic w_ready_i,
  input logic mine_i,  // the answer is of this epoch
  input logic [1:0] b_resp_i,
  input logic b_valid_i,
  output logic b_ready_o
);

  typedef logic [Index-1:0] index_t;
  typedef struct packed {
    list_entry_t entry;
    logic [1:0]  epoch;
  } waiting_t;

  (* ram_style = "distributed" *) logic [1:0] epoch_q[2**Index];
  (* ram_style = "distributed" *) logic [5:0] came_q[2**Index];
  (* ram_style = "distributed" *) logic [5:0] gone_q[2**Index];

  // ---- The queue --------------------------------------------------------------------------------

  waiting_t waiting;
  logic on_bus, answered;  // the oldest one that was sent
  logic waiting_valid, busy_q, refused_q, known_q, pops, enters;
  assign enters = entry_valid_i && entry_ready_o;
  tsr_fifo #(
    .Depth(Entries),
    .T    (waiting_t)
  ) u_queue (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .data_i ('{entry: entry_i, epoch: epoch_q[index_t'(entry_i.channel)]}),
    .valid_i(entry_valid_i),
    .ready_o(entry_ready_o),
    .data_o (waiting),
    .valid_o(waiting_valid),
    .ready_i(pops)
  );
  assign next_channel_o = waiting.entry.channel;
  assign next_epoch_o   = waiting.epoch;
  // Behind one that was not written others wait until its channel has stopped.
  assign next_valid_o   = waiting_valid && !busy_q && !refused_q && !known_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) busy_q <= 1'b0;
    else busy_q <= !pops && (busy_q || (next_valid_o && next_ready_i));
    if (!rst_ni || (answered && !on_bus)) refused_q <= 1'b0;
    else if (sent_valid_i) refused_q <= !(sent_i.code inside {EntryNone, EntryDropped});
  end

  // ---- Epochs and counts of channels ------------------------------------------------------------

  list_sent_t sent;
  logic sent_valid;
  index_t visit, came_at, gone_at;
  assign visit   = index_t'(visit_i);
  assign came_at = clears_i ? visit : index_t'(entry_i.channel);
  assign gone_at = clears_i ? visit : index_t'(sent.channel);
  always_ff @(posedge clk_i) begin
    if (!hold_i) begin
      epoch_o <= epoch_q[index_t'(look_i)];
      owed_o  <= came_q[index_t'(look_i)] != gone_q[index_t'(look_i)];
    end
    if (zero_i) epoch_q[visit] <= clears_i ? '0 : epoch_o + 2'd1;
    if (clears_i || enters)
      came_q[came_at] <= clears_i ? '0 : came_q[index_t'(entry_i.channel)] + 1'b1;
    if (clears_i || answered)
      gone_q[gone_at] <= clears_i ? '0 : gone_q[index_t'(sent.channel)] + 1'b1;
  end

  // ---- The bus ----------------------------------------------------------------------------------

  logic shows_q, address_q, data_q, beat_q, phase_q, next_phase_q, address_gone, data_gone;
  logic [AddrWidth-1:4] addr_q;
  channel_t channel_q;
  list_entry_t entry_q;
  assign aw_valid_o   = shows_q && !address_q;
  assign w_valid_o    = shows_q && !data_q;
  assign address_gone = address_q || aw_ready_i;
  assign data_gone    = data_q || (w_ready_i && w_last_o);
  assign bus_sent_o   = shows_q && address_gone && data_gone;
  assign pops         = sent_valid_i;
  assign bus_free_o   = !shows_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) shows_q <= 1'b0;
    else shows_q <= (sent_valid_i && sent_i.code == EntryNone) || (shows_q && !bus_sent_o);
    if (!shows_q) begin
      addr_q    <= addr_i;
      entry_q   <= waiting.entry;
      channel_q <= sent_i.channel;
      address_q <= 1'b0;
      data_q    <= 1'b0;
      beat_q    <= 1'b0;
    end else begin
      address_q <= address_gone;
      data_q    <= data_gone;
      beat_q    <= beat_q ^ (w_valid_o && w_ready_i);
    end
    if (numbers_i) next_phase_q <= !phase_i;
    if (!shows_q) phase_q <= next_phase_q;
  end
  assign aw_channel_o = channel_q;

  entry_row0_t words;
  always_comb begin
    words = '0;
    words.status = entry_status_t'(entry_q.status);
    words.status.last = entry_q.last;
    words.status.task_end = entry_q.task_end;
    words.status.phase = phase_q;
    words.bytes_high.index = entry_q.index;
    {words.bytes_high.bytes, words.bytes_low} = entry_q.bytes;
    words.tag = entry_q.tag;
  end
  if (ListWidth == 64) begin : gen_beats
    assign aw_addr_o = {addr_q, 4'd0};
    assign w_data_o  = beat_q ? words[127:64] : words[63:0];
    assign w_strb_o  = '1;
    assign w_last_o  = beat_q;
  end else begin : gen_lanes
    localparam int unsigned Lanes = ListWidth / 128;
    localparam int unsigned Lane = Lanes > 1 ? $clog2(Lanes) : 1;
    localparam int unsigned LowBits = $clog2(ListWidth / 8);
    logic [Lane-1:0] lane;
    logic unused_beat;
    assign lane        = Lanes > 1 ? addr_q[4+:Lane] : '0;
    assign aw_addr_o   = {addr_q[AddrWidth-1:LowBits], LowBits'(0)};
    assign w_data_o    = {Lanes{words}};
    assign w_strb_o    = (ListWidth / 8)'(16'hffff) << (16 * lane);
    assign w_last_o    = 1'b1;
    assign unused_beat = beat_q;
  end

  // ---- Answers ----------------------------------------------------------------------------------

  list_sent_t put;
  always_comb begin
    put            = sent_i;
    put.name       = waiting.entry.index[7:0];
    put.interrupts = sent_i.interrupts || waiting.entry.interrupts;
  end
  tsr_fifo #(
    .Depth(Entries),
    .T    (list_sent_t)
  ) u_sent (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .data_i (put),
    .valid_i(sent_valid_i),
    .ready_o(sent_ready_o),
    .data_o (sent),
    .valid_o(sent_valid),
    .ready_i(answered)
  );

  // An answer that is an error waits for its report; what it is, is known a cycle later.
  logic mine, takes, good, stale, known, lost_q;
  logic [2:0] code_q;
  assign on_bus = sent.code == EntryNone;
  assign mine = b_valid_i && mine_i;
  assign takes = mine && sent_valid && on_bus && owed_i && !failed_i && !known_q;
  assign good = takes && !b_resp_i[1];
  assign stale = sent.epoch != epoch_q[index_t'(sent.channel)];
  assign known = sent_valid && !known_q && ((takes && !good) || !on_bus || failed_i);
  assign lost_valid_o = known_q && lost_q;
  assign answered = good || (known_q && (!lost_q || lost_ready_i));
  always_ff @(posedge clk_i) begin
    known_q <= rst_ni && (known || (known_q && !answered));
    if (known) begin
      lost_q <= sent.code != EntryDropped && !stale;
      code_q <= !on_bus ? sent.code : failed_i ? EntryFault :
          b_resp_i[0] ? EntryDecErr : EntrySlvErr;
    end
  end
  always_comb begin
    lost_o      = sent;
    lost_o.code = code_q;
  end
  assign b_ready_o       = !mine_i || failed_i || !owed_i || takes;
  assign written_valid_o = good && !stale;
  assign written_o       = '{channel: sent.channel, interrupts: sent.interrupts};
  assign rests_o         = !sent_valid && !shows_q;
  always_comb begin
    wrong_o = FaultNone;
    if (mine && !owed_i) wrong_o = shows_q ? FaultEarly : FaultUnasked;
  end

  logic unused_in;
  assign unused_in = ^{entry_q.channel, entry_q.interrupts, visit_i, look_i};

  `TSR_STATIC_ASSERT(Entries, Entries >= 2 && Entries <= 16 && $onehot(Entries),
                     ("Entries = %0d; legal is 2, 4, 8 or 16", Entries))
  `TSR_ASSERT(
      OneEntryAtATime,
      !sent_valid_i || (sent_ready_o && waiting_valid && (!shows_q || sent_i.code != EntryNone)))
  `TSR_STABLE(AddressStays, aw_valid_o, aw_ready_i, {aw_addr_o, aw_channel_o})
  `TSR_STABLE(DataStay, w_valid_o, w_ready_i, {w_data_o, w_strb_o, w_last_o})

endmodule
