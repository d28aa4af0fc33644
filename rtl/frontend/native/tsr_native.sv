// The registers of tessera_dma: what software says to channels, locks, windows and descriptor memory
// (the register map in registers/ has every address and bit).
//
// Contract: arrays over channels hold the read channels first, then the write channels. A request is held
// until ready, and the answer counts in that cycle. A push of a task shows on `task_o` in the cycle of its
// request; with `task_ready_i` low it is refused and not offered again. Requests to locks, descriptor memory
// and extensions are held until ready; the answer counts in that cycle. Everything else is answered
// without waiting. Tables are cleared after reset, which takes a cycle a channel or a window, rounded up
// to a power of two; accesses wait for it.
// Latency: a write 0 cycles, a read 1 cycle, where nothing waits. Throughput: a write a cycle, a read in two.
`include "tsr_assert.svh"
module tsr_native
  import tsr_pkg::*;
  import tsr_fabric_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_register_pkg::*;
  import tsr_registers_pkg::*;
  import tsr_dma_pkg::*;
#(
  parameter  dma_config_t Config   = DmaDefaults,
  localparam int unsigned Reads    = Config.Reads,
  localparam int unsigned Writes   = Config.Writes,
  localparam int unsigned Ports    = Config.Ports,
  localparam int unsigned Channels = Reads + Writes
) (
  input logic clk_i,
  input logic rst_ni,
  // The register bus.
  input bus_request_t request_i,
  input logic valid_i,
  output logic ready_o,
  output bus_answer_t answer_o,
  // Channels.
  output channel_setup_t [Channels-1:0] setup_o,
  output task_t task_o,  // of the channel that has valid
  output logic [Channels-1:0] task_valid_o,
  input logic [Channels-1:0] task_ready_i,  // does not depend on valid
  input channel_view_t [Channels-1:0] view_i,
  input record_t [Channels-1:0] record_i,  // the oldest
  input logic [Channels-1:0][4:0] record_level_i,
  output logic [Channels-1:0] record_pop_o,  // only while the level is not 0
  input channel_events_t [Channels-1:0] events_i,
  input error_report_t [Channels-1:0] report_i,
  input logic [Channels-1:0] report_valid_i,
  output logic [Channels-1:0] report_ready_o,  // within 32 cycles
  output logic [Channels-1:0] missed_clear_o,  // ERROR.trigger_missed was cleared
  // Registers of a channel from 0x80 on: lists and counters. `word` is the whole address.
  output bus_request_t extension_request_o,
  output logic extension_valid_o,
  output logic [4:0] extension_channel_o,  // its place in the arrays
  input logic extension_ready_i,
  input bus_answer_t extension_answer_i,
  // Locks.
  output lock_access_t lock_o,
  output logic lock_valid_o,
  input logic lock_ready_i,
  input lock_answer_t lock_answer_i,
  input logic [63:0] lock_over_i,  // sticky in the locks
  input logic [63:0] lock_under_i,
  output logic [63:0] lock_over_clear_o,
  output logic [63:0] lock_under_clear_o,
  // Descriptor memory.
  output descriptor_access_t access_o,
  output logic access_valid_o,
  input logic access_ready_i,
  input logic access_error_i,
  input logic [31:0] access_data_i,
  // Windows.
  output window_set_t window_set_o,
  input logic window_refused_i,
  // Everything.
  output logic quiesce_o,
  output logic tick_o,  // the cycle counts for time-outs
  input logic quiet_i,
  input logic timed_out_i,
  input logic misrouted_i,  // a packet was dropped
  input logic [Ports-1:0] rd_stray_i,
  input logic [Ports-1:0] wr_stray_i,
  output logic [15:0] trigger_o,  // of software, one cycle
  output logic [31:0] cycles_o,  // for the stamp of a record
  output logic freeze_o,  // counters stand still
  output logic clear_o,  // counters become 0, one cycle
  output logic irq_o,
  output logic [Channels-1:0] irq_channel_o,
  // Other masters of the register bus.
  input logic start_refused_i,
  output packet_setup_t packets_o,
  input logic [3:0] packet_errors_i,
  output logic [3:0] packet_clear_o  // one cycle
);

  localparam features_t Features = Config.Features;
  localparam int unsigned ChannelBits = $clog2(Channels);
  localparam int unsigned SweepBits = Channels * Config.Windows > Channels ? $clog2(
      Channels * Config.Windows
  ) : ChannelBits;
  localparam bit Extensions = Features.lists || Features.counters;

  // ---- Who answers ------------------------------------------------------------------------------

  // A write is decoded and done in one cycle, a read decoded in one and done from the next on.
  typedef struct packed {
    region_t                 region;
    logic [4:0]              channel;
    logic [RegisterBits-1:2] word;
  } place_t;

  region_t region;
  logic [4:0] channel;
  logic [31:0] mask;
  place_t read_q;
  logic read_valid_q, swept_q;

  tsr_native_decode #(
    .Reads     (Reads),
    .Writes    (Writes),
    .Locks     (Config.Locks),
    .Windows   (Config.Windows),
    .Extensions(Extensions)
  ) u_decode (
    .word_i   (request_i.word[RegisterBits-1:2]),
    .region_o (region),
    .channel_o(channel)
  );

  logic write, read;
  assign write = valid_i && swept_q && request_i.write;
  assign read  = read_valid_q;
  for (genvar i = 0; i < 4; i++) begin : gen_mask
    assign mask[8*i+:8] = {8{request_i.strobe[i]}};
  end

  logic [63:0] cycles;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      swept_q      <= 1'b0;
      read_valid_q <= 1'b0;
    end else begin
      if (cycles[SweepBits-1:0] == '1) swept_q <= 1'b1;
      read_valid_q <= valid_i && swept_q && !request_i.write && !ready_o;
    end
    read_q <= '{region: region, channel: channel, word: request_i.word[RegisterBits-1:2]};
  end

  // Of one that nothing answers there is no bit.
  region_t act;
  logic done, write_error, read_error, global_read;
  assign act         = write ? region : read ? read_q.region : '0;
  assign ready_o     = (write || read) && done;
  assign global_read = read && read_q.region.globals;

  // ---- The whole --------------------------------------------------------------------------------

  global_word_e global_word, global_read_word;
  logic [31:0] global_data;
  logic global_error, global_absent;
  logic [Channels-1:0] errors;
  assign global_word      = global_word_e'(request_i.word[7:2]);
  assign global_read_word = global_word_e'(read_q.word[7:2]);
  assign cycles_o         = cycles[31:0];

  tsr_native_global #(
    .Config(Config)
  ) u_global (
    .clk_i,
    .rst_ni,
    .word_i     (global_word),
    .write_i    (write && region.globals && !global_error),
    .data_i     (request_i.data),
    .strobe_i   (request_i.strobe),
    .mask_i     (mask),
    .refused_o  (global_error),
    .absent_o   (global_absent),
    .read_word_i(global_read_word),
    .read_i     (global_read),
    .data_o     (global_data),
    .irq_i      (irq_channel_o),
    .error_i    (errors),
    .lock_over_i,
    .lock_under_i,
    .lock_over_clear_o,
    .lock_under_clear_o,
    .quiesce_o,
    .tick_o,
    .quiet_i,
    .timed_out_i,
    .misrouted_i,
    .rd_stray_i,
    .wr_stray_i,
    .trigger_o,
    .cycles_o   (cycles),
    .freeze_o,
    .clear_o,
    .irq_o,
    .start_refused_i,
    .packets_o,
    .packet_errors_i,
    .packet_clear_o
  );

  // ---- Channels ---------------------------------------------------------------------------------

  channel_word_e channel_word, channel_read_word;
  logic [31:0] channel_data;
  logic channel_error;
  assign channel_word      = channel_word_e'({1'b0, request_i.word[6:2]});
  assign channel_read_word = channel_word_e'({1'b0, read_q.word[6:2]});

  tsr_native_channels #(
    .Channels   (Channels),
    .Reads      (Reads),
    .TaskDepth  (Config.TaskDepth),
    .RecordDepth(Config.RecordDepth),
    .Triggers   (Features.triggers),
    .Tokens     (Features.tokens),
    .Lists      (Features.lists),
    .OutOfOrder (Features.out_of_order)
  ) u_channels (
    .clk_i,
    .rst_ni,
    .clear_i       (!swept_q),
    .cycles_i      (cycles[5:0]),
    .channel_i     (channel[ChannelBits-1:0]),
    .word_i        (channel_word),
    .write_i       (write && region.channel),
    .data_i        (request_i.data),
    .strobe_i      (request_i.strobe),
    .mask_i        (mask),
    .write_error_o (channel_error),
    .read_channel_i(read_q.channel[ChannelBits-1:0]),
    .read_word_i   (channel_read_word),
    .read_i        (read && read_q.region.channel),
    .data_o        (channel_data),
    .setup_o,
    .task_o,
    .task_valid_o,
    .task_ready_i,
    .view_i,
    .record_i,
    .record_level_i,
    .record_pop_o,
    .events_i,
    .report_i,
    .report_valid_i,
    .report_ready_o,
    .missed_clear_o,
    .error_o       (errors),
    .irq_o         (irq_channel_o)
  );

  // ---- Windows ----------------------------------------------------------------------------------

  logic [31:0] window_data;
  logic window_error, window_valid;
  window_t window;
  if (Config.Windows != 0) begin : gen_windows
    tsr_native_windows #(
      .Channels(Channels),
      .Windows (Config.Windows)
    ) u_windows (
      .clk_i,
      .rst_ni,
      .clear_i       (!swept_q),
      .clear_index_i (cycles[SweepBits-1:0]),
      .channel_i     (channel),
      .number_i      (request_i.word[8:5]),
      .word_i        (request_i.word[4:2]),
      .write_i       (write && region.window),
      .data_i        (request_i.data),
      .mask_i        (mask),
      .data_o        (window_data),
      .error_o       (window_error),
      .window_valid_o(window_valid),
      .window_o      (window),
      .window_refused_i
    );
  end else begin : gen_no_windows
    assign window_data  = '0;
    assign window_error = 1'b0;
    assign window_valid = 1'b0;
    assign window       = '0;
    logic unused_refused;
    assign unused_refused = window_refused_i;
  end
  assign window_set_o = '{
          valid: window_valid,
          channel: channel,
          index: request_i.word[8:5],
          window: window
      };

  // ---- What others hold -------------------------------------------------------------------------

  // A write of a lock must name the byte that counts. Reads of RELEASE are 0 without asking.
  logic lock_asked;
  assign lock_asked = act.count_lock && (write ? request_i.strobe[0] : !request_i.word[2])
      || act.try_lock && !write;
  assign lock_valid_o = lock_asked;
  always_comb begin
    lock_o.op.id    = act.try_lock ? request_i.word[14:9] : request_i.word[9:4];
    lock_o.op.value = act.try_lock ? request_i.word[8:2] : write ? request_i.data[6:0] : '0;
    lock_o.command  = act.try_lock ? LockTry : LockRead;
    if (write) lock_o.command = request_i.word[2] ? LockRelease : LockSet;
  end

  assign access_valid_o = act.memory;
  always_comb begin
    access_o.write      = request_i.write;
    access_o.area       = descriptor_area_e'(request_i.word[15:14]);
    access_o.descriptor = request_i.word[13:6];
    access_o.word       = request_i.word[5:2];
    access_o.data       = request_i.data;
    access_o.strobe     = request_i.strobe;
    if (access_o.area == AreaTurns) begin
      access_o.descriptor = request_i.word[9:2];
      access_o.word       = '0;
    end
  end

  assign extension_request_o = request_i;
  assign extension_valid_o   = act.extension;
  assign extension_channel_o = channel;

  // ---- The answer -------------------------------------------------------------------------------

  always_comb begin
    done = 1'b1;
    if (lock_asked) done = lock_ready_i;
    if (act.memory) done = access_ready_i;
    if (act.extension) done = extension_ready_i;
  end

  assign write_error = region == '0 || (region.globals && global_error)
      || (region.channel && channel_error) || (region.window && window_error)
      || (region.count_lock && !request_i.strobe[0]) || region.try_lock;
  logic no_trigger;  // register
  assign no_trigger = channel_read_word == ChannelTrigger && !Features.triggers;
  assign read_error = read_q.region == '0 || (read_q.region.globals && global_absent) ||
      (read_q.region.channel && (no_trigger || !channel_mapped(
      channel_read_word
  )));

  always_comb begin
    answer_o.error = (write ? write_error : read_error) || (act.memory && access_error_i)
        || (act.extension && extension_answer_i.error);
    answer_o.data = global_data | channel_data;
    if (read_q.region.window) answer_o.data = window_data;
    if (read_q.region.memory) answer_o.data = access_data_i;
    if (read_q.region.extension) answer_o.data = extension_answer_i.data;
    if (read_q.region.count_lock && !read_q.word[2]) answer_o.data = 32'(lock_answer_i.value);
    if (read_q.region.try_lock) answer_o.data = 32'(lock_answer_i.granted);
  end

  logic unused_bits;
  assign unused_bits = ^{cycles[63:32], read_q.channel, read_q.word, lock_answer_i, request_i};

  `TSR_ASSERT(OneAnswers, $onehot0(act))
  `TSR_STABLE(LockStays, lock_valid_o, lock_ready_i, lock_o)
  `TSR_STABLE(AccessStays, access_valid_o, access_ready_i, ({access_o.write, access_o.area,
                                                             access_o.descriptor, access_o.word}))

endmodule
