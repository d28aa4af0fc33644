// The register space of a tile: channels, locks, the words of descriptors, the page of this IP.
//
// Contract: `request_i` is held with its valid until `ready_o`; the answer counts in that cycle. A register
// that is not here reads 0 and swallows writes, as do reads of a queue and writes of what is only read; a write
// of part of a word is refused with an error; a reserved bit that is written 1 changes nothing: each sets a bit of the
// page. A read of a lock request performs it. Arrays over channels hold MM2S first, then S2MM. The view is that of
// the channel of the cycle before, words of records come in the second cycle after. Between accesses records are dropped that
// nobody counts.
// Latency: a write acts in the cycle of its request, a read is answered 1 cycle later, of counts 3; locks and words of
// descriptors take as long as tsr_lock_port and tsr_aieml_ram say.
`include "tsr_assert.svh"
module tsr_aieml_registers
  import tsr_descriptor_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_register_pkg::*;
  import tsr_program_pkg::*;
  import tsr_aieml_pkg::*;
#(
  parameter  int unsigned         Image       = ImageMemory,
  parameter  int unsigned         StreamWidth = 32,
  parameter  int unsigned         DataWidth   = 128,
  parameter  int unsigned         Align       = 19,
  parameter  aieml_window_t [2:0] Windows     = '0,
  parameter  aieml_place_t        Place       = '0,
  localparam image_t              Tile        = image_of(Image),
  localparam int unsigned         N           = Tile.Channels,
  localparam int unsigned         Channels    = 2 * N
) (
  input  logic                                 clk_i,
  input  logic                                 rst_ni,
  input  bus_request_t                         request_i,
  input  logic                                 valid_i,
  output logic                                 ready_o,
  output bus_answer_t                          answer_o,
  // Sequencer.
  output push_t                                push_o,
  output logic                                 push_valid_o,
  input  logic                                 push_ready_i,
  output orders_t          [Channels-1:0]      orders_o,
  input  channel_levels_t  [Channels-1:0]      levels_i,
  input  logic             [Channels-1:0]      rested_i,         // a reset is done
  input  sequencer_event_t                     event_i,
  input  logic                                 event_valid_i,
  output channel_t                             view_channel_o,
  input  sequencer_view_t                      view_i,
  output channel_t                             read_channel_o,
  output record_word_e                         read_word_o,
  input  logic             [        31:0]      read_i,
  output logic                                 pop_o,
  input  channel_t                             token_channel_i,
  output logic             [         7:0]      controller_o,
  // Channels.
  output aieml_mode_t      [Channels-1:0]      mode_o,
  output logic             [Channels-1:0]      pause_o,
  output logic             [Channels-1:0]      pause_stream_o,
  output logic             [Channels-1:0]      resets_o,
  output logic             [Channels-1:0]      active_o,
  output aieml_activity_t  [Channels-1:0]      activity_o,
  input  logic             [Channels-1:0]      owed_i,
  input  logic             [Channels-1:0]      stuck_i,
  input  logic             [Channels-1:0][5:0] words_i,
  input  logic             [Channels-1:0]      stalled_i,
  input  logic             [Channels-1:0]      memory_waits_i,
  // Locks.
  output lock_access_t                         lock_o,
  output logic                                 lock_valid_o,
  input  logic                                 lock_ready_i,
  input  lock_answer_t                         lock_answer_i,
  input  lock_report_t                         lock_report_i,
  // Words of descriptors.
  output aieml_access_t                        access_o,
  output logic                                 access_valid_o,
  input  logic                                 access_ready_i,
  input  logic             [        31:0]      access_data_i,
  // Counters and events.
  output logic                                 events_valid_o,
  input  logic             [        31:0]      events_data_i,    // in the next cycle
  // Control packets, memory, interrupt.
  input  logic             [         3:0]      packet_errors_i,
  output logic             [         3:0]      packet_clear_o,
  output logic                                 packets_o,
  output logic                                 check_last_o,
  output aieml_window_t    [         2:0]      window_o,
  output aieml_place_t                         place_o,
  output logic                                 irq_o
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
  logic write, waits, partial, slow, slow_ready, act, reads, shows;
  logic [1:0] step_q;  // of a read
  page_errors_t errors;

  tsr_aieml_decode #(
    .Image(Image)
  ) u_decode (
    .word_i   (request_i.word),
    .region_o (at),
    .channel_o(channel)
  );

  // Accesses wait until the memories of the sequencer are cleared after reset.
  logic [5:0] sweep_q;
  logic valid;
  assign valid = valid_i && sweep_q[5];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) sweep_q <= '0;
    else if (!sweep_q[5]) sweep_q <= sweep_q + 1'b1;
  end

  assign partial    = request_i.write && request_i.strobe != '1;
  assign region     = act ? at : '0;
  assign write      = request_i.write;
  // A lock, or a word of a descriptor, answers itself; every other read a cycle later.
  assign slow       = at.lock || at.descriptor || (at.request && !write);
  assign slow_ready = (lock_valid_o && lock_ready_i) || (access_valid_o && access_ready_i);
  assign reads      = valid && !write && !slow;
  assign shows      = step_q == (at.fifo ? 2'd3 : 2'd1);
  assign ready_o    = valid && (partial || (slow ? slow_ready : write ? !waits : shows));
  assign act        = valid && !partial && step_q == '0 && !slow && !waits;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !reads || shows) step_q <= '0;
    else step_q <= step_q + 1'b1;
    read_q    <= at;
    channel_q <= channel;
    word_q    <= request_i.word[8:2];
  end

  logic only_read, page_read;
  logic [31:0] reserved;
  assign page_read = at.page && page_only_read(request_i.word[8:2]);
  assign only_read = at.request || at.fifo || at.count || page_read;
  tsr_aieml_reserved #(
    .Image(Image)
  ) u_reserved (
    .word_i   (request_i.word),
    .region_i (at),
    .channel_i(channel),
    .mask_o   (reserved)
  );

  assign errors = '{
          reserved: valid && ready_o && write && !partial && (request_i.data & reserved) != '0,
          partial: valid && partial,
          absent: act && (at == '0 || (write && only_read) || (!write && at.start))
      };

  // ---- Channels ---------------------------------------------------------------------------------

  logic [Channels-1:0] recovers, hot, drops, dropped, happened;
  logic [Channels-1:0] control, start, status, reset, refused, faults, task_valid, task_done;
  logic [Channels-1:0][31:0] control_word, status_word, count_word;
  task_t [Channels-1:0] pushed;

  for (genvar c = 0; c < Channels; c++) begin : gen_channel
    assign hot[c]       = 32'(channel) == c;
    assign control[c]   = region.control && write && hot[c];
    assign start[c]     = region.start && write && hot[c];
    assign status[c]    = region.status && write && hot[c];
    assign faults[c]    = levels_i[c].halted || levels_i[c].faulted;
    assign happened[c]  = event_valid_i && 32'(event_i.channel) == c;
    assign task_done[c] = happened[c] && event_i.finished && event_i.task_done;

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
      .data_i        (request_i.data),
      .reset_i       (reset[c]),
      .control_o     (control_word[c]),
      .status_o      (status_word[c]),
      .count_o       (count_word[c]),
      .orders_o      (orders_o[c]),
      .pause_o       (pause_o[c]),
      .mode_o        (mode_o[c]),
      .pause_stream_o(pause_stream_o[c]),
      .resets_o      (resets_o[c]),
      .active_o      (active_o[c]),
      .activity_o    (activity_o[c]),
      .recovers_o    (recovers[c]),
      .task_o        (pushed[c]),
      .task_valid_o  (task_valid[c]),
      .refused_o     (refused[c]),
      .levels_i      (levels_i[c]),
      .rested_i      (rested_i[c]),
      .owed_i        (owed_i[c]),
      .stuck_i       (stuck_i[c]),
      .event_i,
      .event_valid_i (happened[c]),
      .drop_o        (drops[c]),
      .dropped_i     (dropped[c]),
      .words_i       (words_i[c]),
      .memory_waits_i(memory_waits_i[c]),
      .stalled_i     (stalled_i[c])
    );
  end

  // A task waits until the reset of its channel is over, and for the sequencer behind the reset of everything.
  assign waits = at.start && write &&
      ((recovers & hot) != '0 || (!push_ready_i && (resets_o & hot) == '0));
  always_comb begin
    push_o         = '0;
    push_o.channel = 5'(channel);
    controller_o   = '0;
    for (int unsigned c = 0; c < Channels; c++) begin
      if (hot[c]) push_o.item = push_o.item | pushed[c];
      if (32'(token_channel_i) == c) controller_o = controller_o | control_word[c][15:8];
    end
  end
  assign push_valid_o = task_valid != '0;

  // ---- State of one channel ---------------------------------------------------------------------

  // Of an access, else of a channel with records that nobody counts: it is looked at, and in the next cycle
  // the oldest goes, or there is none.
  logic looks, look_q, finds_q, pops, has_record_q;
  logic [3:0] drop_channel, drop_q, asked;
  logic [31:0] head_q;
  assign asked = at.page ? page_channel(request_i.word[8:2]) : channel;
  function automatic logic [3:0] page_channel(input logic [6:0] word);
    logic unused_word;
    unused_word = ^word;
    return word[4] ? 4'(word[3:0]) : 4'(word[3:0]) + 4'(N);
  endfunction
  always_comb begin
    drop_channel = '0;
    for (int unsigned c = 0; c < Channels; c++) if (drops[c]) drop_channel = 4'(c);
    dropped = '0;
    for (int unsigned c = 0; c < Channels; c++) begin
      dropped[c] = finds_q && drop_q == 4'(c) && view_i.records == '0;
    end
  end
  assign looks = !reads && !look_q && !finds_q && drops != '0;
  always_ff @(posedge clk_i) begin
    look_q  <= rst_ni && looks;
    finds_q <= rst_ni && look_q && !reads;
    if (!rst_ni) drop_q <= '0;
    else if (looks) drop_q <= drop_channel;
    if (step_q == 2'd1) has_record_q <= view_i.records != '0 && (drops & hot) == '0;
    if (step_q == 2'd2) head_q <= read_i;
  end
  assign pops = finds_q && view_i.records != '0 && !reads;
  always_comb begin
    view_channel_o = 5'(drop_q);
    if (reads) view_channel_o = 32'(asked) < Channels ? 5'(asked) : '0;
  end
  assign read_channel_o = reads ? 5'(channel) : 5'(drop_q);
  assign read_word_o    = step_q == '0 ? RecordHead : RecordBytesLow;
  assign pop_o          = pops || (reads && at.fifo && step_q == 2'd3 && has_record_q);

  // Descriptors that were refused.
  typedef struct packed {
    logic [5:0]     reason;
    descriptor_id_t descriptor;
  } refused_t;
  localparam int unsigned Index = $clog2(Channels);
  (* ram_style = "distributed" *) logic [$bits(refused_t)-1:0] refused_mem[2**Index];
  refused_t refusal;
  logic [3:0] asked_q;
  logic halted, faulted;
  logic [Channels-1:0] told_q;
  always_ff @(posedge clk_i) begin
    // Of descriptors that were loaded ahead the first counts.
    for (int unsigned c = 0; c < Channels; c++) begin
      told_q[c] <= rst_ni && ((happened[c] && event_i.causes.load) || (told_q[c] && faults[c]));
    end
    if (event_valid_i && event_i.causes.load && (happened & told_q) == '0)
      refused_mem[Index'(event_i.channel)] <= {event_i.reason, event_i.descriptor};
    asked_q <= asked;
  end
  always_comb begin
    halted  = view_i.levels.halted;
    faulted = view_i.levels.faulted;
    refusal = refused_t'(refused_mem[Index'(asked_q)]);
    if (!halted) refusal.reason = '0;
  end

  // What the view adds to a status.
  logic [31:0] seen;
  page_channel_t standing;
  wait_e seen_waits;
  logic unavailable, no_lock, paused, stalled;
  assign unavailable = refusal.reason == 6'(LoadUnavailable);
  assign no_lock     = refusal.reason == 6'(LoadLock);
  always_comb begin
    {paused, stalled} = '0;
    for (int unsigned c = 0; c < Channels; c++) begin
      if (asked_q == 4'(c)) {paused, stalled} = {pause_o[c], stalled_i[c]};
    end
    seen        = '0;
    seen[29:24] = view_i.descriptor[5:0];
    seen[11]    = refusal.reason != '0 && !unavailable && !no_lock;
    seen[10]    = unavailable;
    seen[8]     = no_lock;
    seen[3]     = view_i.waits == WaitRelease;
    seen_waits  = view_i.waits;
    if (view_i.waits == WaitMemory && stalled) seen_waits = WaitStream;
    if (view_i.waits == WaitMemory && paused) seen_waits = WaitPause;
    standing = '{
        reason: refusal.reason,
        descriptor: refusal.reason != '0 ? refusal.descriptor : view_i.oldest,
        waits: seen_waits,
        halted: halted,
        faulted: faulted,
        default: '0
    };
    if (32'(asked_q) >= Channels) standing = '0;
  end

  // ---- Locks, descriptors, counters -------------------------------------------------------------

  // A request by address: number, acquire, value.
  always_comb begin
    lock_o.command  = write ? LockSet : LockRead;
    lock_o.op.id    = Image == ImageMemory ? request_i.word[9:4] : {2'b00, request_i.word[7:4]};
    lock_o.op.value = lock_amount_t'(write ? {1'b0, request_i.data[5:0]} : 7'd0);
    if (at.request) begin
      lock_o.command = request_i.word[9] ? LockTry : LockRelease;
      lock_o.op.id = Image == ImageMemory ? request_i.word[15:10] : {2'b00, request_i.word[13:10]};
      lock_o.op.value = lock_amount_t'(request_i.word[8:2]);
    end
  end
  assign lock_valid_o = valid && !partial && (at.lock || (at.request && !write));

  // Locks that saturated: sticky, a bit a lock.
  logic high;
  logic [Tile.Locks-1:0] over_q, under_q, over_clear, under_clear;
  logic [63:0] written;
  assign high        = request_i.word[2];
  assign written     = 64'(request_i.data) << {high, 5'd0};
  assign over_clear  = region.over && write ? written[Tile.Locks-1:0] : '0;
  assign under_clear = region.under && write ? written[Tile.Locks-1:0] : '0;
  always_ff @(posedge clk_i) begin
    for (int unsigned k = 0; k < Tile.Locks; k++) begin
      if (!rst_ni) {over_q[k], under_q[k]} <= '0;
      else begin
        over_q[k] <= (lock_report_i.over && 32'(lock_report_i.id) == k) ||
            (over_q[k] && !over_clear[k]);
        under_q[k] <= (lock_report_i.under && 32'(lock_report_i.id) == k) ||
            (under_q[k] && !under_clear[k]);
      end
    end
  end

  logic [9:0] place;
  assign place = 10'(request_i.word - Tile.Descriptor[BusBits-1:2]);
  assign access_o = '{
          write: write,
          descriptor: place[8:3],
          word: place[2:0],
          data: request_i.data
      };
  assign access_valid_o = valid && !partial && at.descriptor;
  assign events_valid_o = of_events(region);
  assign packet_clear_o = {4{region.packets && write}} & request_i.data[3:0];

  // ---- The page ---------------------------------------------------------------------------------

  logic [31:0] page_data;
  tsr_aieml_page #(
    .Image      (Image),
    .StreamWidth(StreamWidth),
    .DataWidth  (DataWidth),
    .Align      (Align),
    .Windows    (Windows),
    .Place      (Place)
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
    .task_done_i(task_done),
    .refused_i  (refused),
    .fault_i    (faults),
    .channel_i  (standing),
    .window_o,
    .place_o,
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
        if (read_q.status) channel_data = status_word[c] | seen;
        if (read_q.count) channel_data = count_word[c];
      end
    end
    if (read_q.fifo && has_record_q) begin
      channel_data = {1'b1, head_q[29], head_q[5:0], 6'd0, read_i[19:2]};
    end
  end

  always_comb begin
    answer_o = '{error: partial, data: channel_data};
    if (read_q.over) answer_o.data = 32'(64'(over_q) >> {word_q[0], 5'd0});
    if (read_q.under) answer_o.data = 32'(64'(under_q) >> {word_q[0], 5'd0});
    if (of_events(read_q)) answer_o.data = events_data_i;
    if (read_q.packets) answer_o.data = 32'(packet_errors_i);
    if (read_q.page) answer_o.data = page_data;
    if (at.lock) answer_o.data = 32'(lock_answer_i.value);
    if (at.request) answer_o.data = 32'(lock_answer_i.granted || lock_o.command == LockRelease);
    if (at.descriptor) answer_o.data = access_data_i;
  end

  logic unused_bits;
  assign unused_bits = ^{at, region, read_q, place, written, view_i, lock_report_i, head_q};

  `TSR_ASSERT(OneAnswers, $onehot0(at))
  `TSR_STABLE(LockStays, lock_valid_o, lock_ready_i, lock_o)

endmodule
