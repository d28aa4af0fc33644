// The registers of tessera_dma: one AXI4-Lite port, and what software says to channels, locks, windows
// and descriptor memory (docs/registers.md has every address and bit).
//
// Contract: arrays over channels hold the read channels first, then the write channels. A push of a task
// shows on `task_o` in the cycle in which the later of AW and W is accepted, if the bus is free then; with
// `task_ready_i` low it is refused (SLVERR) and not offered again. Requests to locks, descriptor memory
// and extensions are held until ready; the answer counts in that cycle. Everything else is answered
// without waiting. For 2^n cycles after reset, n the bits of a window's number, no access is answered.
// A second master of the same registers (control packets) has the port `bus_*`.
// Latency: AW and W to B 1 cycle, AR to R 2 cycles, where nothing waits.
// Throughput: one write a cycle, or one read in two.
`include "tsr_assert.svh"
module tsr_native
  import tsr_pkg::*;
  import tsr_fabric_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_register_pkg::*;
#(
  parameter  int unsigned Reads       = 1,                     // 1..16
  parameter  int unsigned Writes      = 1,                     // 1..16
  parameter  int unsigned Ports       = 1,
  parameter  int unsigned AddrWidth   = 64,
  parameter  int unsigned DataWidth   = 64,
  parameter  int unsigned StreamWidth = 64,
  parameter  int unsigned MaxBurst    = 64,
  parameter  int unsigned Outstanding = 64,
  parameter  int unsigned Silence     = 4096,
  parameter  int unsigned Descriptors = 16,                    // 1..256
  parameter  int unsigned Locks       = 16,                    // 0..64
  parameter  int unsigned Windows     = 0,                     // of a channel, 0..16
  parameter  int unsigned TaskDepth   = 4,                     // a power of two, 1..16
  parameter  int unsigned RecordDepth = 8,                     // a power of two, 1..16
  parameter  features_t   Features    = '0,
  localparam int unsigned Channels    = Reads + Writes,
  localparam int unsigned LockPins    = Locks < 1 ? 1 : Locks
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
  input logic [LockPins-1:0] lock_over_i,  // sticky in the locks
  input logic [LockPins-1:0] lock_under_i,
  output logic [LockPins-1:0] lock_over_clear_o,
  output logic [LockPins-1:0] lock_under_clear_o,
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

  `TSR_STATIC_ASSERT(Reads, Reads >= 1 && Reads <= 16, ("Reads = %0d; legal is 1 to 16", Reads))
  `TSR_STATIC_ASSERT(Writes, Writes >= 1 && Writes <= 16,
                     ("Writes = %0d; legal is 1 to 16", Writes))

  // The ports stand; registers follow. Every access is refused.
  logic read_q;
  assign s_axil_awready      = s_axil_wvalid && s_axil_bready;
  assign s_axil_wready       = s_axil_awvalid && s_axil_bready;
  assign s_axil_bresp        = RespSlvErr;
  assign s_axil_bvalid       = s_axil_awvalid && s_axil_wvalid;
  assign s_axil_arready      = !read_q;
  assign s_axil_rdata        = '0;
  assign s_axil_rresp        = RespSlvErr;
  assign s_axil_rvalid       = read_q;
  assign bus_ready_o         = bus_valid_i;
  assign bus_answer_o        = '{error: 1'b1, data: '0};
  assign setup_o             = '0;
  assign task_o              = '0;
  assign task_valid_o        = '0;
  assign record_pop_o        = '0;
  assign report_ready_o      = report_valid_i;
  assign missed_clear_o      = '0;
  assign extension_request_o = '0;
  assign extension_valid_o   = 1'b0;
  assign extension_channel_o = '0;
  assign lock_o              = '0;
  assign lock_valid_o        = 1'b0;
  assign lock_over_clear_o   = '0;
  assign lock_under_clear_o  = '0;
  assign access_o            = '0;
  assign access_valid_o      = 1'b0;
  assign window_valid_o      = 1'b0;
  assign window_channel_o    = '0;
  assign window_index_o      = '0;
  assign window_o            = '0;
  assign quiesce_o           = 1'b0;
  assign trigger_o           = '0;
  assign cycles_o            = '0;
  assign freeze_o            = 1'b0;
  assign clear_o             = 1'b0;
  assign irq_o               = 1'b0;
  assign irq_channel_o       = '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) read_q <= 1'b0;
    else read_q <= read_q ? !s_axil_rready : s_axil_arvalid;
  end

  logic unused_parameters;
  assign unused_parameters = ^{
    AddrWidth,
    DataWidth,
    StreamWidth,
    MaxBurst,
    Outstanding,
    Silence,
    Descriptors,
    Windows,
    TaskDepth,
    RecordDepth,
    Features
  };
  logic unused_inputs;
  assign unused_inputs = ^{
    s_axil_awaddr,
    s_axil_awprot,
    s_axil_wdata,
    s_axil_wstrb,
    s_axil_araddr,
    s_axil_arprot,
    bus_request_i,
    task_ready_i,
    view_i,
    record_i,
    record_level_i,
    events_i,
    report_i,
    extension_ready_i,
    extension_answer_i,
    lock_ready_i,
    lock_answer_i,
    lock_over_i,
    lock_under_i,
    access_ready_i,
    access_error_i,
    access_data_i,
    window_refused_i,
    quiet_i,
    timed_out_i,
    rd_stray_i,
    wr_stray_i
  };

endmodule
