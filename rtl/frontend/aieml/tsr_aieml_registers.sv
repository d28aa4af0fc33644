// The register space of a tile: channels, locks, the words of descriptors, the page of this IP.
//
// Contract: `request_i` is held with its valid until `ready_o`; the answer counts in that cycle. A register
// that is not here reads 0 and swallows writes, as do reads of a queue and writes of what is only read; a write
// of part of a word is refused with an error; a reserved bit that is written 1 changes nothing: each sets a bit of the
// page. A read of a lock request performs it. Arrays over channels hold MM2S first, then S2MM.
// Latency: a write acts in the cycle of its request, a read is answered 1 cycle later; locks and words of
// descriptors take as long as tsr_locks and tsr_aieml_ram say.
`include "tsr_assert.svh"
module tsr_aieml_registers
  import tsr_pkg::*;
  import tsr_fabric_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_register_pkg::*;
  import tsr_aieml_pkg::*;
#(
  parameter  int unsigned         Image       = ImageMemory,
  parameter  int unsigned         StreamWidth = 32,
  parameter  int unsigned         DataWidth   = 128,
  parameter  int unsigned         Align       = 19,
  parameter  aieml_window_t [2:0] Windows     = '0,
  localparam image_t              Tile        = image_of(Image),
  localparam int unsigned         N           = Tile.Channels,
  localparam int unsigned         Channels    = 2 * N
) (
  input  logic                                clk_i,
  input  logic                                rst_ni,
  input  bus_request_t                        request_i,
  input  logic                                valid_i,
  output logic                                ready_o,
  output bus_answer_t                         answer_o,
  // Channels.
  output channel_setup_t  [Channels-1:0]      setup_o,
  output aieml_mode_t     [Channels-1:0]      mode_o,
  output logic            [Channels-1:0]      pause_stream_o,
  output logic            [Channels-1:0]      active_o,
  output aieml_activity_t [Channels-1:0]      activity_o,
  output task_t                               task_o,
  output logic            [Channels-1:0]      task_valid_o,
  input  channel_view_t   [Channels-1:0]      view_i,
  input  logic            [Channels-1:0]      resets_i,
  input  logic            [Channels-1:0]      stuck_i,
  input  logic            [Channels-1:0]      task_done_i,
  input  done_t           [Channels-1:0]      done_i,
  input  logic            [Channels-1:0]      done_taken_i,
  input  record_t         [Channels-1:0]      record_i,
  input  logic            [Channels-1:0][4:0] record_level_i,
  output logic            [Channels-1:0]      record_pop_o,
  input  logic            [Channels-1:0][5:0] words_i,
  input  logic            [Channels-1:0]      stalled_i,
  input  logic            [Channels-1:0]      lock_error_i,
  input  logic            [Channels-1:0]      memory_waits_i,
  // Locks.
  output lock_access_t                        lock_o,
  output logic                                lock_valid_o,
  input  logic                                lock_ready_i,
  input  lock_answer_t                        lock_answer_i,
  input  logic            [        63:0]      lock_over_i,
  input  logic            [        63:0]      lock_under_i,
  output logic            [        63:0]      lock_over_clear_o,
  output logic            [        63:0]      lock_under_clear_o,
  // Words of descriptors.
  output aieml_access_t                       access_o,
  output logic                                access_valid_o,
  input  logic                                access_ready_i,
  input  logic            [        31:0]      access_data_i,
  // Counters and events.
  output logic                                events_valid_o,
  input  logic            [        31:0]      events_data_i,       // in the next cycle
  // Control packets, memory, interrupt.
  input  logic            [         3:0]      packet_errors_i,
  output logic            [         3:0]      packet_clear_o,
  output logic                                packets_o,
  output logic                                check_last_o,
  output aieml_window_t   [         2:0]      window_o,
  output logic                                irq_o
);

  // ---- One access -------------------------------------------------------------------------------

  // Those that tsr_aieml_events answers.
  function automatic logic of_events(input aieml_region_t where);
    logic unused_rest;
    unused_rest = ^where;
    return where.counters || where.ports || where.lock_events || where.event_channels;
  endfunction

  aieml_region_t at, region, read_q;
  logic [3:0] channel, channel_q;
  logic [6:0] word_q;
  logic write, waits, partial, slow, slow_ready, act, shows_q;
  page_errors_t errors;

  tsr_aieml_decode #(
    .Image(Image)
  ) u_decode (
    .word_i   (request_i.word),
    .region_o (at),
    .channel_o(channel)
  );

  assign partial    = request_i.write && request_i.strobe != '1;
  assign region     = valid_i && !partial && !shows_q && !waits ? at : '0;
  assign write      = request_i.write;
  // A lock, or a word of a descriptor, answers itself; every other read a cycle later.
  assign slow       = at.lock || at.descriptor || (at.request && !write);
  assign slow_ready = (lock_valid_o && lock_ready_i) || (access_valid_o && access_ready_i);
  assign ready_o    = valid_i && (partial || (slow ? slow_ready : (write && !waits) || shows_q));
  assign act        = valid_i && !partial && !shows_q && !slow && !waits;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) shows_q <= 1'b0;
    else shows_q <= act && !write;
    read_q    <= at;
    channel_q <= channel;
    word_q    <= request_i.word[8:2];
  end

  logic only_read;
  logic [31:0] reserved;
  assign only_read = at.request || at.fifo || at.count;
  tsr_aieml_reserved #(
    .Image(Image)
  ) u_reserved (
    .word_i   (request_i.word),
    .region_i (at),
    .channel_i(channel),
    .mask_o   (reserved)
  );

  assign errors = '{
          reserved: valid_i && ready_o && write && !partial && (request_i.data & reserved) != '0,
          partial: valid_i && partial,
          absent: act && (at == '0 || (write && only_read) || (!write && at.start))
      };

  // ---- Channels ---------------------------------------------------------------------------------

  logic [Channels-1:0] recovers, holds;
  logic [Channels-1:0] control, start, status, pop, reset, refused, faults;
  logic [Channels-1:0][31:0] control_word, status_word, count_word, fifo_word;
  task_t [Channels-1:0] pushed;

  for (genvar c = 0; c < Channels; c++) begin : gen_channel
    logic here;
    assign here       = channel == 4'(c);
    assign control[c] = region.control && write && here;
    assign start[c]   = region.start && write && here;
    assign status[c]  = region.status && write && here;
    assign pop[c]     = shows_q && read_q.fifo && channel_q == 4'(c);
    assign holds[c]   = recovers[c] && here;
    assign faults[c]  = view_i[c].halted || view_i[c].state.faulted;

    tsr_aieml_channel #(
      .Image   (Image),
      .Receives(c >= N),
      .Odd     (c % 2 == 1),
      .Staged  (StreamWidth == 32)
    ) u_channel (
      .clk_i,
      .rst_ni,
      .control_i     (control[c]),
      .queue_i       (start[c]),
      .status_i      (status[c]),
      .pop_i         (pop[c]),
      .data_i        (request_i.data),
      .reset_i       (reset[c]),
      .control_o     (control_word[c]),
      .status_o      (status_word[c]),
      .count_o       (count_word[c]),
      .fifo_o        (fifo_word[c]),
      .setup_o       (setup_o[c]),
      .mode_o        (mode_o[c]),
      .pause_stream_o(pause_stream_o[c]),
      .active_o      (active_o[c]),
      .task_o        (pushed[c]),
      .task_valid_o  (task_valid_o[c]),
      .refused_o     (refused[c]),
      .view_i        (view_i[c]),
      .resets_i      (resets_i[c]),
      .stuck_i       (stuck_i[c]),
      .task_done_i   (task_done_i[c]),
      .done_status_i (done_i[c].status),
      .done_i        (done_taken_i[c]),
      .done_bytes_i  (done_i[c].bytes),
      .record_i      (record_i[c]),
      .record_level_i(record_level_i[c]),
      .record_pop_o  (record_pop_o[c]),
      .words_i       (words_i[c]),
      .stalled_i     (stalled_i[c]),
      .activity_o    (activity_o[c]),
      .recovers_o    (recovers[c]),
      .lock_error_i  (lock_error_i[c]),
      .memory_waits_i(memory_waits_i[c])
    );
  end

  always_comb begin
    task_o = '0;
    for (int unsigned c = 0; c < Channels; c++) begin
      if (channel == 4'(c)) task_o = task_o | pushed[c];
    end
  end

  // A task waits until the reset of its channel is over.
  assign waits = at.start && write && holds != '0;

  // ---- Locks, descriptors, counters -------------------------------------------------------------

  // A request by address: number, acquire, value.
  always_comb begin
    lock_o.command  = write ? LockSet : LockRead;
    lock_o.op.id    = Image == ImageMemory ? request_i.word[9:4] : {2'b00, request_i.word[7:4]};
    lock_o.op.value = write ? {1'b0, request_i.data[5:0]} : '0;
    if (at.request) begin
      lock_o.command = request_i.word[9] ? LockTry : LockRelease;
      lock_o.op.id = Image == ImageMemory ? request_i.word[15:10] : {2'b00, request_i.word[13:10]};
      lock_o.op.value = request_i.word[8:2];
    end
  end
  assign lock_valid_o = valid_i && !partial && (at.lock || (at.request && !write));

  logic high;
  assign high = request_i.word[2];
  always_comb begin
    lock_over_clear_o  = '0;
    lock_under_clear_o = '0;
    if (region.over && write) lock_over_clear_o = 64'(request_i.data) << {high, 5'd0};
    if (region.under && write) lock_under_clear_o = 64'(request_i.data) << {high, 5'd0};
  end

  logic [9:0] place;
  assign place = 10'(request_i.word - Tile.Descriptor[BusBits-1:2]);
  assign access_o = '{
          write: write,
          descriptor: place[8:3],
          word: place[2:0],
          data: request_i.data
      };
  assign access_valid_o = valid_i && !partial && at.descriptor;
  assign events_valid_o = of_events(region);
  assign packet_clear_o = {4{region.packets && write}} & request_i.data[3:0];

  // ---- The page ---------------------------------------------------------------------------------

  logic [31:0] page_data;
  tsr_aieml_page #(
    .Image      (Image),
    .StreamWidth(StreamWidth),
    .DataWidth  (DataWidth),
    .Align      (Align),
    .Windows    (Windows)
  ) u_page (
    .clk_i,
    .rst_ni,
    .word_i     (request_i.word[8:2]),
    .write_i    (region.page && write),
    .data_i     (request_i.data),
    .read_word_i(word_q),
    .data_o     (page_data),
    .errors_i   (errors),
    .address_i  ({request_i.word, 2'b00}),
    .task_done_i,
    .refused_i  (refused),
    .fault_i    (faults),
    .view_i,
    .window_o,
    .reset_o    (reset),
    .packets_o,
    .check_last_o,
    .irq_o
  );

  // ---- The answer -------------------------------------------------------------------------------

  logic [31:0] channel_data;
  always_comb begin
    channel_data = '0;
    for (int unsigned c = 0; c < Channels; c++) begin
      if (channel_q == 4'(c)) begin
        if (read_q.control) channel_data = control_word[c];
        if (read_q.status) channel_data = status_word[c];
        if (read_q.count) channel_data = count_word[c];
        if (read_q.fifo) channel_data = fifo_word[c];
      end
    end
  end

  always_comb begin
    answer_o = '{error: partial, data: channel_data};
    if (read_q.over) answer_o.data = 32'(lock_over_i >> {word_q[0], 5'd0});
    if (read_q.under) answer_o.data = 32'(lock_under_i >> {word_q[0], 5'd0});
    if (of_events(read_q)) answer_o.data = events_data_i;
    if (read_q.packets) answer_o.data = 32'(packet_errors_i);
    if (read_q.page) answer_o.data = page_data;
    if (at.lock) answer_o.data = 32'(lock_answer_i.value);
    if (at.request) answer_o.data = 32'(lock_answer_i.granted || lock_o.command == LockRelease);
    if (at.descriptor) answer_o.data = access_data_i;
  end

  logic unused_bits;
  assign unused_bits = ^{done_i, at, region, read_q, place};

  `TSR_ASSERT(OneAnswers, $onehot0(at))
  `TSR_STABLE(LockStays, lock_valid_o, lock_ready_i, lock_o)

endmodule
