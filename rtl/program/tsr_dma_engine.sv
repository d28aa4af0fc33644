// Programmed channels of one memory port: descriptors, tasks and locks in, AXI4 and streams out.
//
// Wiring of sequencer, preparation, read and write engine. Channels count reads first, then writes.
// Contract, latency, throughput: tsr_program_sequencer, tsr_preparation, tsr_reader, tsr_writer. Ends
// of reads and writes take turns at the sequencer.
`include "tsr_assert.svh"
module tsr_dma_engine
  import tsr_core_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_register_pkg::*;
  import tsr_program_pkg::*;
#(
  parameter int unsigned Reads = 1,  // 1 .. 16
  parameter int unsigned Writes = 1,  // 1 .. 16
  parameter int unsigned AddrWidth = 64,  // 32 .. 64
  parameter int unsigned BusLog = 3,  // log2 of the bytes of the bus and of the streams, 2 .. 7
  parameter int unsigned MaxBurst = 16,  // words, a power of two; at most 4 KiB
  parameter int unsigned Outstanding = 64,  // bursts a direction, a power of two
  parameter int unsigned ReadBufferBeats = 32,
  parameter int unsigned WriteBufferBeats = 32,
  parameter int unsigned Slots = 4,  // contexts of a channel, 2 or 4
  parameter bit Walk = 1'b1,
  parameter bit Bounds = 1'b1,
  parameter int unsigned Descriptors = 16,  // 1 .. 256
  parameter int unsigned TaskDepth = 4,
  parameter int unsigned RecordDepth = 8,
  parameter int unsigned Locks = 16,
  parameter int unsigned WeightWidth = 4,
  localparam int unsigned Channels = Reads + Writes,
  localparam int unsigned Lanes = 2 ** BusLog
) (
  input  logic                                                     clk_i,
  input  logic                                                     rst_ni,
  input  logic               [         31:0]                       cycles_i,
  // Registers
  input  push_t                                                    push_i,
  input  logic                                                     push_valid_i,
  output logic                                                     push_ready_o,
  input  orders_t            [ Channels-1:0]                       orders_i,
  input  logic               [ Channels-1:0]                       pause_i,
  input  logic               [ Channels-1:0][WeightWidth-1:0]      weight_i,
  input  lock_access_t                                             lock_i,
  input  logic                                                     lock_valid_i,
  output logic                                                     lock_ready_o,
  output lock_answer_t                                             lock_answer_o,
  output lock_report_t                                             lock_report_o,
  input  channel_t                                                 read_channel_i,
  input  record_word_e                                             read_word_i,
  output logic               [         31:0]                       read_o,
  input  logic                                                     pop_i,
  output channel_t                                                 stop_on_channel_o,
  input  logic               [          6:0]                       stop_on_i,
  output sequencer_event_t                                         event_o,
  output logic                                                     event_valid_o,
  input  channel_t                                                 view_channel_i,
  output sequencer_view_t                                          view_o,
  output channel_levels_t    [ Channels-1:0]                       levels_o,
  input  descriptor_access_t                                       access_i,
  input  logic                                                     access_valid_i,
  output logic                                                     access_ready_o,
  output logic                                                     access_error_o,
  output logic               [         31:0]                       access_data_o,
  input  logic               [ Channels-1:0]                       trigger_i,
  output logic               [ Channels-1:0]                       trigger_take_o,
  output channel_t                                                 token_channel_o,
  output logic                                                     token_valid_o,
  input  logic                                                     token_ready_i,
  // AXI4
  output logic               [          3:0]                       ar_channel_o,
  output logic               [AddrWidth-1:0]                       ar_addr_o,
  output logic               [          7:0]                       ar_len_o,
  output logic                                                     ar_valid_o,
  input  logic                                                     ar_ready_i,
  input  logic               [    Lanes-1:0][            7:0]      r_data_i,
  input  logic               [          1:0]                       r_resp_i,
  input  logic                                                     r_valid_i,
  output logic                                                     r_ready_o,
  output logic               [          3:0]                       aw_channel_o,       // of writes
  output logic               [AddrWidth-1:0]                       aw_addr_o,
  output logic               [          7:0]                       aw_len_o,
  output logic                                                     aw_valid_o,
  input  logic                                                     aw_ready_i,
  output logic               [    Lanes-1:0][            7:0]      w_data_o,
  output logic               [    Lanes-1:0]                       w_strobe_o,
  output logic                                                     w_last_o,
  output logic                                                     w_valid_o,
  input  logic                                                     w_ready_i,
  input  logic               [          1:0]                       b_resp_i,
  input  logic                                                     b_valid_i,
  output logic                                                     b_ready_o,
  // Streams
  output logic               [    Reads-1:0][      Lanes-1:0][7:0] m_data_o,
  output logic               [    Reads-1:0][      Lanes-1:0]      m_keep_o,
  output logic               [    Reads-1:0]                       m_last_o,
  output logic               [    Reads-1:0]                       m_valid_o,
  input  logic               [    Reads-1:0]                       m_ready_i,
  input  logic               [   Writes-1:0][      Lanes-1:0][7:0] s_data_i,
  input  logic               [   Writes-1:0][      Lanes-1:0]      s_keep_i,
  input  logic               [   Writes-1:0]                       s_last_i,
  input  logic               [   Writes-1:0]                       s_valid_i,
  output logic               [   Writes-1:0]                       s_ready_o
);

  // ---- Programming

  job_t job;
  prepared_t prepared;
  logic job_valid, job_ready, prepared_valid, shown_valid, go_valid, word_valid, word_valid_q;
  logic [127:0] shown;
  channel_t go_channel, word_channel, word_channel_q;
  context_word_t word, word_q;
  logic [Channels-1:0] freed, aborts, busy, cut;
  engine_state_t [Channels-1:0] state;
  transfer_end_t ended;
  logic ended_valid, ended_ready;

  logic [Channels-1:0] unused_open, unused_again, unused_take;
  channel_t unused_list, unused_shown;
  list_entry_t unused_entry;
  logic unused_entry_valid, unused_list_ready;

  tsr_program_sequencer #(
    .Reads      (Reads),
    .Writes     (Writes),
    .TaskDepth  (TaskDepth),
    .RecordDepth(RecordDepth),
    .Slots      (Slots),
    .Locks      (Locks),
    .Walk       (Walk)
  ) u_sequencer (
    .clk_i,
    .rst_ni,
    .cycles_i,
    .push_i,
    .push_valid_i,
    .push_ready_o,
    .orders_i,
    .lock_i,
    .lock_valid_i,
    .lock_ready_o,
    .lock_answer_o,
    .lock_report_o,
    .read_channel_i,
    .read_word_i,
    .read_o,
    .pop_i,
    .stop_on_channel_o,
    .stop_on_i,
    .event_o,
    .event_valid_o,
    .view_channel_i,
    .view_o,
    .levels_o,
    .job_o           (job),
    .job_valid_o     (job_valid),
    .job_ready_i     (job_ready),
    .shown_i         (shown),
    .shown_valid_i   (shown_valid),
    .prepared_i      (prepared),
    .prepared_valid_i(prepared_valid),
    .go_channel_o    (go_channel),
    .go_valid_o      (go_valid),
    .freed_i         (freed),
    .abort_o         (aborts),
    .engine_i        (state),
    .end_i           (ended),
    .end_valid_i     (ended_valid),
    .end_ready_o     (ended_ready),
    .trigger_i,
    .trigger_take_o,
    .token_channel_o,
    .token_valid_o,
    .token_ready_i,
    .list_open_o     (unused_open),
    .list_again_o    (unused_again),
    .list_ready_i    ('0),
    .list_channel_o  (unused_list),
    .list_head_i     ('0),
    .list_take_o     (unused_take),
    .entry_o         (unused_entry),
    .entry_valid_o   (unused_entry_valid),
    .entry_ready_i   (1'b1)
  );
  tsr_preparation #(
    .AddrWidth  (AddrWidth),
    .BusLog     (BusLog),
    .Channels   (Channels),
    .Descriptors(Descriptors),
    .Locks      (Locks),
    .Walk       (Walk),
    .Bounds     (Bounds)
  ) u_preparation (
    .clk_i,
    .rst_ni,
    .job_i               (job),
    .job_valid_i         (job_valid),
    .job_ready_o         (job_ready),
    .descriptor_channel_o(unused_shown),
    .descriptor_o        (shown),
    .descriptor_valid_o  (shown_valid),
    .word_channel_o      (word_channel),
    .word_o              (word),
    .word_valid_o        (word_valid),
    .prepared_o          (prepared),
    .prepared_valid_o    (prepared_valid),
    .list_valid_i        (1'b0),
    .list_ready_o        (unused_list_ready),
    .list_place_i        ('0),
    .list_area_i         (AreaBase),
    .list_row_i          ('0),
    .list_data_i         ('0),
    .access_i,
    .access_valid_i,
    .access_ready_o,
    .access_error_o,
    .access_data_o
  );

  // ---- Contexts to their engine, ends back

  context_word_t read_word, write_word;
  logic word_writes, go_writes, read_freed, write_freed;
  logic [3:0] read_freed_channel, write_freed_channel;
  logic [3:0] write_go_channel;
  // A register: a context is launched a cycle behind its last word at the earliest.
  always_ff @(posedge clk_i) begin
    word_valid_q   <= rst_ni && word_valid;
    word_channel_q <= word_channel;
    word_q         <= word;
  end
  assign word_writes = 32'(word_channel_q) >= Reads;
  assign go_writes = 32'(go_channel) >= Reads;
  assign write_go_channel = go_channel[3:0] - 4'(Reads);
  always_comb begin
    read_word          = word_q;
    write_word         = word_q;
    read_word.channel  = word_channel_q[3:0];
    write_word.channel = word_channel_q[3:0] - 4'(Reads);
    for (int unsigned c = 0; c < Channels; c++) begin
      freed[c] = c < Reads ? read_freed && read_freed_channel == 4'(c) :
          write_freed && write_freed_channel == 4'(c - Reads);
      state[c] = '{idle: !busy[c], cut: cut[c]};
    end
  end

  end_t read_end, write_end, first;
  logic read_end_valid, write_end_valid, writes_q;
  assign first       = writes_q ? write_end : read_end;
  assign ended_valid = writes_q ? write_end_valid : read_end_valid;
  always_comb begin
    ended             = '0;
    ended.channel     = channel_t'(first.channel) + (writes_q ? channel_t'(Reads) : '0);
    ended.slverr      = first.slverr;
    ended.decerr      = first.decerr;
    ended.overlong    = first.overlong;
    ended.sparse_keep = first.sparse_keep;
    ended.aborted     = first.aborted;
    ended.last        = first.last;
    ended.bytes       = first.bytes;
    ended.dropped     = first.dropped;
    ended.addr        = first.addr;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) writes_q <= 1'b0;
    else if (ended_ready || !ended_valid) writes_q <= writes_q ? !read_end_valid : write_end_valid;
  end

  // ---- Engines

  tsr_reader #(
    .Channels   (Reads),
    .Slots      (Slots),
    .AddrWidth  (AddrWidth),
    .BusLog     (BusLog),
    .MaxBurst   (MaxBurst),
    .Outstanding(Outstanding),
    .BufferBeats(ReadBufferBeats),
    .Flight     (RecordDepth),
    .WeightWidth(WeightWidth),
    .Walk       (Walk),
    .Bounds     (Bounds)
  ) u_reader (
    .clk_i,
    .rst_ni,
    .word_valid_i   (word_valid_q && !word_writes),
    .word_i         (read_word),
    .go_valid_i     (go_valid && !go_writes),
    .go_channel_i   (go_channel[3:0]),
    .freed_o        (read_freed),
    .freed_channel_o(read_freed_channel),
    .end_o          (read_end),
    .end_valid_o    (read_end_valid),
    .end_ready_i    (ended_ready && !writes_q),
    .pause_i        (pause_i[Reads-1:0]),
    .abort_i        (aborts[Reads-1:0]),
    .busy_o         (busy[Reads-1:0]),
    .cut_o          (cut[Reads-1:0]),
    .weight_i       (weight_i[Reads-1:0]),
    .ar_channel_o,
    .ar_addr_o,
    .ar_len_o,
    .ar_valid_o,
    .ar_ready_i,
    .r_data_i,
    .r_resp_i,
    .r_valid_i,
    .r_ready_o,
    .data_o         (m_data_o),
    .keep_o         (m_keep_o),
    .last_o         (m_last_o),
    .valid_o        (m_valid_o),
    .ready_i        (m_ready_i)
  );

  tsr_writer #(
    .Channels   (Writes),
    .Slots      (Slots),
    .AddrWidth  (AddrWidth),
    .BusLog     (BusLog),
    .MaxBurst   (MaxBurst),
    .Outstanding(Outstanding),
    .BufferBeats(WriteBufferBeats),
    .Flight     (RecordDepth),
    .WeightWidth(WeightWidth),
    .Walk       (Walk),
    .Bounds     (Bounds)
  ) u_writer (
    .clk_i,
    .rst_ni,
    .word_valid_i   (word_valid_q && word_writes),
    .word_i         (write_word),
    .go_valid_i     (go_valid && go_writes),
    .go_channel_i   (write_go_channel),
    .freed_o        (write_freed),
    .freed_channel_o(write_freed_channel),
    .end_o          (write_end),
    .end_valid_o    (write_end_valid),
    .end_ready_i    (ended_ready && writes_q),
    .pause_i        (pause_i[Channels-1:Reads]),
    .abort_i        (aborts[Channels-1:Reads]),
    .busy_o         (busy[Channels-1:Reads]),
    .cut_o          (cut[Channels-1:Reads]),
    .weight_i       (weight_i[Channels-1:Reads]),
    .aw_channel_o,
    .aw_addr_o,
    .aw_len_o,
    .aw_valid_o,
    .aw_ready_i,
    .w_data_o,
    .w_strobe_o,
    .w_last_o,
    .w_valid_o,
    .w_ready_i,
    .b_resp_i,
    .b_valid_i,
    .b_ready_o,
    .data_i         (s_data_i),
    .keep_i         (s_keep_i),
    .last_i         (s_last_i),
    .valid_i        (s_valid_i),
    .ready_o        (s_ready_o)
  );

  `TSR_STATIC_ASSERT(Reads, Reads >= 1 && Reads <= 16, ("Reads = %0d; legal is 1 to 16", Reads))
  `TSR_STATIC_ASSERT(Writes, Writes >= 1 && Writes <= 16,
                     ("Writes = %0d; legal is 1 to 16", Writes))
  `TSR_ASSERT_NEXT(TheTurnStays, ended_valid && !ended_ready, $stable(writes_q))

endmodule
