// The registers of tessera_dma: one AXI4-Lite port, and what software says to channels, locks, windows
// and descriptor memory (docs/registers.md has every address and bit).
//
// Contract: arrays over channels hold the read channels first, then the write channels. A push of a task
// shows on `task_o` in the cycle in which the later of AW and W is accepted, if the bus is free then; with
// `task_ready_i` low it is refused (SLVERR) and not offered again. Requests to locks, descriptor memory
// and extensions are held until ready; the answer counts in that cycle. Everything else is answered
// without waiting. Tables are cleared after reset, which takes a cycle a channel or a window, rounded up
// to a power of two; accesses wait for it. A second master of the same registers has the port `bus_*`;
// with Features.control_packets 0 it is not listened to.
// Latency: AW and W to B 1 cycle, AR to R 2 cycles, where nothing waits.
// Throughput: a write in two cycles, or a read in three.
`include "tsr_assert.svh"
module tsr_native
  import tsr_pkg::*;
  import tsr_fabric_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_register_pkg::*;
  import tsr_registers_pkg::*;
#(
  parameter  int unsigned Reads       = 1,              // 1..16
  parameter  int unsigned Writes      = 1,              // 1..16
  parameter  int unsigned Ports       = 1,
  parameter  int unsigned AddrWidth   = 64,
  parameter  int unsigned DataWidth   = 64,
  parameter  int unsigned StreamWidth = 64,
  parameter  int unsigned MaxBurst    = 64,
  parameter  int unsigned Outstanding = 64,
  parameter  int unsigned Silence     = 4096,
  parameter  int unsigned Descriptors = 16,             // 1..256
  parameter  int unsigned Locks       = 16,             // 0..64
  parameter  int unsigned Windows     = 0,              // of a channel, 0..16
  parameter  int unsigned TaskDepth   = 4,              // a power of two, 1..16
  parameter  int unsigned RecordDepth = 8,              // a power of two, 1..16
  parameter  features_t   Features    = '0,
  localparam int unsigned Channels    = Reads + Writes
) (
  input logic clk_i,
  input logic rst_ni,
  // AXI4-Lite.
  input logic [RegisterBits-1:0] s_axil_awaddr,
  input logic [2:0] s_axil_awprot,
  input logic s_axil_awvalid,
  output logic s_axil_awready,
  input logic [31:0] s_axil_wdata,
  input logic [3:0] s_axil_wstrb,
  input logic s_axil_wvalid,
  output logic s_axil_wready,
  output logic [1:0] s_axil_bresp,
  output logic s_axil_bvalid,
  input logic s_axil_bready,
  input logic [RegisterBits-1:0] s_axil_araddr,
  input logic [2:0] s_axil_arprot,
  input logic s_axil_arvalid,
  output logic s_axil_arready,
  output logic [31:0] s_axil_rdata,
  output logic [1:0] s_axil_rresp,
  output logic s_axil_rvalid,
  input logic s_axil_rready,
  // A second master.
  input bus_request_t bus_request_i,
  input logic bus_valid_i,
  output logic bus_ready_o,
  output bus_answer_t bus_answer_o,
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
  output logic window_valid_o,
  output logic [4:0] window_channel_o,
  output logic [3:0] window_index_o,
  output window_t window_o,
  input logic window_refused_i,
  // Everything.
  output logic quiesce_o,
  input logic quiet_i,
  input logic timed_out_i,
  input logic [Ports-1:0] rd_stray_i,
  input logic [Ports-1:0] wr_stray_i,
  output logic [15:0] trigger_o,  // of software, one cycle
  output logic [31:0] cycles_o,  // for the stamp of a record
  output logic freeze_o,  // counters stand still
  output logic clear_o,  // counters become 0, one cycle
  output logic irq_o,
  output logic [Channels-1:0] irq_channel_o
);

  localparam int unsigned ChannelBits = $clog2(Channels);
  localparam int unsigned SweepBits = Channels * Windows > Channels ? $clog2(
      Channels * Windows
  ) : ChannelBits;
  localparam bit Extensions = Features.lists || Features.counters;

  // ---- The bus ----------------------------------------------------------------------------------

  bus_request_t request, axil_request;
  bus_answer_t answer;
  logic valid, ready, axil_valid, axil_ready;

  tsr_axil u_axil (
    .clk_i,
    .rst_ni,
    .awaddr_i (s_axil_awaddr),
    .awvalid_i(s_axil_awvalid),
    .awready_o(s_axil_awready),
    .wdata_i  (s_axil_wdata),
    .wstrb_i  (s_axil_wstrb),
    .wvalid_i (s_axil_wvalid),
    .wready_o (s_axil_wready),
    .bresp_o  (s_axil_bresp),
    .bvalid_o (s_axil_bvalid),
    .bready_i (s_axil_bready),
    .araddr_i (s_axil_araddr),
    .arvalid_i(s_axil_arvalid),
    .arready_o(s_axil_arready),
    .rdata_o  (s_axil_rdata),
    .rresp_o  (s_axil_rresp),
    .rvalid_o (s_axil_rvalid),
    .rready_i (s_axil_rready),
    .request_o(axil_request),
    .valid_o  (axil_valid),
    .ready_i  (axil_ready),
    .answer_i (answer)
  );

  if (Features.control_packets) begin : gen_share
    tsr_bus_share u_share (
      .clk_i,
      .rst_ni,
      .request_i({bus_request_i, axil_request}),
      .valid_i  ({bus_valid_i, axil_valid}),
      .ready_o  ({bus_ready_o, axil_ready}),
      .request_o(request),
      .valid_o  (valid),
      .ready_i  (ready)
    );
  end else begin : gen_alone
    assign request     = axil_request;
    assign valid       = axil_valid;
    assign axil_ready  = ready;
    assign bus_ready_o = 1'b0;
    logic unused_bus;
    assign unused_bus = ^{bus_request_i, bus_valid_i};
  end
  assign bus_answer_o = answer;

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
    .Locks     (Locks),
    .Windows   (Windows),
    .Extensions(Extensions)
  ) u_decode (
    .word_i   (request.word),
    .region_o (region),
    .channel_o(channel)
  );

  logic write, read;
  assign write = valid && swept_q && request.write;
  assign read  = read_valid_q;
  for (genvar i = 0; i < 4; i++) begin : gen_mask
    assign mask[8*i+:8] = {8{request.strobe[i]}};
  end

  logic [63:0] cycles;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      swept_q      <= 1'b0;
      read_valid_q <= 1'b0;
    end else begin
      if (cycles[SweepBits-1:0] == '1) swept_q <= 1'b1;
      read_valid_q <= valid && swept_q && !request.write && !ready;
    end
    read_q <= '{region: region, channel: channel, word: request.word};
  end

  // Of one that nothing answers there is no bit.
  region_t act;
  logic done, write_error, read_error, global_read;
  assign act         = write ? region : read ? read_q.region : '0;
  assign ready       = (write || read) && done;
  assign global_read = read && read_q.region.globals;

  // ---- The whole --------------------------------------------------------------------------------

  global_word_e global_word, global_read_word;
  logic [31:0] global_data;
  logic global_error;
  logic [Channels-1:0] errors;
  assign global_word      = global_word_e'(request.word[7:2]);
  assign global_read_word = global_word_e'(read_q.word[7:2]);
  assign global_error     = !global_writable(global_word);
  assign cycles_o         = cycles[31:0];

  tsr_native_global #(
    .Reads      (Reads),
    .Writes     (Writes),
    .Ports      (Ports),
    .AddrWidth  (AddrWidth),
    .DataWidth  (DataWidth),
    .StreamWidth(StreamWidth),
    .MaxBurst   (MaxBurst),
    .Outstanding(Outstanding),
    .Silence    (Silence),
    .Descriptors(Descriptors),
    .Locks      (Locks),
    .Windows    (Windows),
    .TaskDepth  (TaskDepth),
    .RecordDepth(RecordDepth),
    .Features   (Features)
  ) u_global (
    .clk_i,
    .rst_ni,
    .word_i     (global_word),
    .write_i    (write && region.globals && !global_error),
    .data_i     (request.data),
    .strobe_i   (request.strobe),
    .mask_i     (mask),
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
    .quiet_i,
    .timed_out_i,
    .rd_stray_i,
    .wr_stray_i,
    .trigger_o,
    .cycles_o   (cycles),
    .freeze_o,
    .clear_o,
    .irq_o
  );

  // ---- Channels ---------------------------------------------------------------------------------

  channel_word_e channel_word, channel_read_word;
  logic [31:0] channel_data;
  logic channel_error;
  assign channel_word      = channel_word_e'({1'b0, request.word[6:2]});
  assign channel_read_word = channel_word_e'({1'b0, read_q.word[6:2]});

  tsr_native_channels #(
    .Channels (Channels),
    .TaskDepth(TaskDepth)
  ) u_channels (
    .clk_i,
    .rst_ni,
    .clear_i       (!swept_q),
    .cycles_i      (cycles[5:0]),
    .channel_i     (channel[ChannelBits-1:0]),
    .word_i        (channel_word),
    .write_i       (write && region.channel),
    .data_i        (request.data),
    .strobe_i      (request.strobe),
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
  logic window_error;
  if (Windows != 0) begin : gen_windows
    tsr_native_windows #(
      .Channels(Channels),
      .Windows (Windows)
    ) u_windows (
      .clk_i,
      .rst_ni,
      .clear_i      (!swept_q),
      .clear_index_i(cycles[SweepBits-1:0]),
      .channel_i    (channel),
      .number_i     (request.word[8:5]),
      .word_i       (request.word[4:2]),
      .write_i      (write && region.window),
      .data_i       (request.data),
      .mask_i       (mask),
      .data_o       (window_data),
      .error_o      (window_error),
      .window_valid_o,
      .window_o,
      .window_refused_i
    );
  end else begin : gen_no_windows
    assign window_data    = '0;
    assign window_error   = 1'b0;
    assign window_valid_o = 1'b0;
    assign window_o       = '0;
    logic unused_refused;
    assign unused_refused = window_refused_i;
  end
  assign window_channel_o = channel;
  assign window_index_o   = request.word[8:5];

  // ---- What others hold -------------------------------------------------------------------------

  // A write of a lock must name the byte that counts. Reads of RELEASE are 0 without asking.
  logic lock_asked;
  assign lock_asked = act.count_lock && (write ? request.strobe[0] : !request.word[2])
      || act.try_lock && !write;
  assign lock_valid_o = lock_asked;
  always_comb begin
    lock_o.op.id    = act.try_lock ? request.word[14:9] : request.word[9:4];
    lock_o.op.value = act.try_lock ? request.word[8:2] : write ? request.data[6:0] : '0;
    lock_o.command  = act.try_lock ? LockTry : LockRead;
    if (write) lock_o.command = request.word[2] ? LockRelease : LockSet;
  end

  assign access_valid_o = act.memory;
  always_comb begin
    access_o.write      = request.write;
    access_o.area       = descriptor_area_e'(request.word[15:14]);
    access_o.descriptor = request.word[13:6];
    access_o.word       = request.word[5:2];
    access_o.data       = request.data;
    access_o.strobe     = request.strobe;
    if (access_o.area == AreaTurns) begin
      access_o.descriptor = request.word[9:2];
      access_o.word       = '0;
    end
  end

  assign extension_request_o = request;
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
      || (region.count_lock && !request.strobe[0]) || region.try_lock;
  assign read_error = read_q.region == '0 || (read_q.region.globals && !global_mapped(
      global_read_word
  )) || (read_q.region.channel && !channel_mapped(
      channel_read_word
  ));

  always_comb begin
    answer.error = (write ? write_error : read_error) || (act.memory && access_error_i)
        || (act.extension && extension_answer_i.error);
    answer.data = global_data | channel_data;
    if (read_q.region.window) answer.data = window_data;
    if (read_q.region.memory) answer.data = access_data_i;
    if (read_q.region.extension) answer.data = extension_answer_i.data;
    if (read_q.region.count_lock && !read_q.word[2]) answer.data = 32'(lock_answer_i.value);
    if (read_q.region.try_lock) answer.data = 32'(lock_answer_i.granted);
  end

  logic unused_bits;
  assign unused_bits = ^{
    s_axil_awprot, s_axil_arprot, cycles[63:32], read_q.channel, read_q.word, lock_answer_i
  };

  `TSR_ASSERT(OneAnswers, $onehot0(act))
  `TSR_STABLE(LockStays, lock_valid_o, lock_ready_i, lock_o)
  `TSR_STABLE(AccessStays, access_valid_o, access_ready_i, ({access_o.write, access_o.area,
                                                             access_o.descriptor, access_o.word}))

endmodule
