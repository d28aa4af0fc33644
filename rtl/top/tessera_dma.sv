// Tessera as an IP: read and write channels that software programs, between AXI4 memory and AXI4-Streams.
//
// Wiring only. Pins are flat vectors: stream i of the read channels is slice i of m_axis_*, port p of
// the memory slice p of m_axi_*. What software sees: docs/programming.md; what parameters cost and
// how to choose them: docs/ports.md and docs/integration.md.
`include "tsr_assert.svh"
`include "tsr_types.svh"
`include "tsr_port_types.svh"
`include "tsr_pins.svh"
module tessera_dma
  import tsr_descriptor_pkg::*;
  import tsr_pkg::*;
  import tsr_fabric_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_register_pkg::*;
  import tsr_dma_pkg::*;
  import tsr_program_pkg::*;
  import tsr_cause_pkg::*;
  import tsr_port_pkg::*;
  import tsr_list_unit_pkg::*;
  import tsr_onchip_pkg::*;
#(
  // Parameters: made by scripts/parameters.
  parameter int unsigned Reads = 1,  // read channels, memory to stream
  parameter int unsigned Writes = 1,  // write channels, stream to memory
  parameter int unsigned Ports = 1,  // AXI4 ports, each shared by an equal part of the channels
  parameter int unsigned AddrWidth = 64,  // bits of an address
  // Bits of a memory port, and of the port of lists, there 64 to 512.
  parameter int unsigned DataWidth = 64,
  parameter int unsigned StreamWidth = 64,  // bits of each stream
  parameter int unsigned MaxBurst = 16,  // beats of a burst, at most, and at most 4 KiB
  parameter int unsigned Outstanding = 32,  // bursts in flight on a port, reads and writes each
  // Beats of data that a channel can hold: rounded up to a power of two that holds two bursts, of a
  // read channel and 6 beats more.
  parameter int unsigned BufferBeats = 32,
  // 1: faults of memories are found and contained; 2: streams that keep a channel waiting for too
  // long are faults too.
  parameter int unsigned Guard = 1,
  parameter int unsigned Windows = 0,  // windows of memory of a channel; 0: everything is permitted
  parameter bit Walk = 1'b1,  // outer traversal: tiles in one descriptor
  parameter bit Bounds = 1'b1,  // bounds and fill: padding in one descriptor
  parameter int unsigned Descriptors = 16,  // descriptors in the IP
  parameter int unsigned QueueDepth = 8,  // tasks, and records, that wait in a channel
  parameter int unsigned Locks = 16,  // counting locks
  parameter bit Lists = 1'b0,  // descriptors in memory too, through a port of their own
  parameter bit Triggers = 1'b0,  // tasks can wait for pins, software, other channels
  parameter bit Counters = 1'b0,  // counters of what each channel does
  parameter bit Tokens = 1'b0,  // task-complete tokens on a stream
  parameter bit ControlPackets = 1'b0,  // packets on a stream read and write registers
  // 1: TDEST, TID and TUSER beside the streams; 2: packets that are sent may begin with a header
  // too, and headers of packets that come in choose descriptors.
  parameter int unsigned Side = 0,
  parameter bit RouteDest = 1'b0,  // TDEST chooses the write channel: all packets come on stream 0
  // Streams of the first so many read and write channels are joined inside.
  parameter int unsigned Loopback = 0,
  parameter int unsigned OnChipSize = 0,  // KiB of the on-chip buffer; 0: none
  parameter int unsigned OnChipBase = 0,  // MiB of the address of the on-chip buffer
  // Banks of the on-chip buffer: each serves a read and a write a cycle.
  parameter int unsigned OnChipBanks = 2,
  // Of the on-chip buffer, 1: a parity bit a byte; 2: a code that corrects one wrong bit of 64 (of
  // 32 with a DataWidth of 32).
  parameter int unsigned OnChipCheck = 0,
  // Bits 27:16 of tokens, packet headers and responses to control packets, the sender; in an AI
  // Engine array column x 32 + row.
  parameter int unsigned SourceId = 0,
  // Register writes after reset, address and data in 64 bits each, the first one lowest.
  parameter StartProgram = 64'h0,  // verilog_lint: waive explicit-parameter-storage-type
  // End of parameters.
  localparam int unsigned IdWidth = 4,
  localparam int unsigned ListWidth = DataWidth < 64 ? 64 : DataWidth > 512 ? 512 : DataWidth,
  localparam int unsigned Channels = Reads + Writes,
  localparam int unsigned DataBytes = DataWidth / 8,
  localparam int unsigned StreamBytes = StreamWidth < 8 ? 1 : StreamWidth / 8,
  localparam int unsigned OnChipBits = OnChipSize == 0 ? 12 : $clog2(OnChipSize) + 10
) (
  input  logic                          aclk,
  input  logic                          aresetn,
  // Registers.
  input  logic [      RegisterBits-1:0] s_axil_awaddr,
  input  logic [                   2:0] s_axil_awprot,
  input  logic                          s_axil_awvalid,
  output logic                          s_axil_awready,
  input  logic [                  31:0] s_axil_wdata,
  input  logic [                   3:0] s_axil_wstrb,
  input  logic                          s_axil_wvalid,
  output logic                          s_axil_wready,
  output logic [                   1:0] s_axil_bresp,
  output logic                          s_axil_bvalid,
  input  logic                          s_axil_bready,
  input  logic [      RegisterBits-1:0] s_axil_araddr,
  input  logic [                   2:0] s_axil_arprot,
  input  logic                          s_axil_arvalid,
  output logic                          s_axil_arready,
  output logic [                  31:0] s_axil_rdata,
  output logic [                   1:0] s_axil_rresp,
  output logic                          s_axil_rvalid,
  input  logic                          s_axil_rready,
  // Memory. ARSIZE and AWSIZE are the full width, ARBURST and AWBURST are INCR.
  output logic [     Ports*IdWidth-1:0] m_axi_arid,
  output logic [   Ports*AddrWidth-1:0] m_axi_araddr,
  output logic [           Ports*8-1:0] m_axi_arlen,
  output logic [           Ports*3-1:0] m_axi_arsize,
  output logic [           Ports*2-1:0] m_axi_arburst,
  output logic [           Ports*4-1:0] m_axi_arcache,
  output logic [           Ports*3-1:0] m_axi_arprot,
  output logic [           Ports*4-1:0] m_axi_arqos,
  output logic [             Ports-1:0] m_axi_arvalid,
  input  logic [             Ports-1:0] m_axi_arready,
  input  logic [     Ports*IdWidth-1:0] m_axi_rid,
  input  logic [   Ports*DataWidth-1:0] m_axi_rdata,
  input  logic [           Ports*2-1:0] m_axi_rresp,
  input  logic [             Ports-1:0] m_axi_rlast,
  input  logic [             Ports-1:0] m_axi_rvalid,
  output logic [             Ports-1:0] m_axi_rready,
  output logic [     Ports*IdWidth-1:0] m_axi_awid,
  output logic [   Ports*AddrWidth-1:0] m_axi_awaddr,
  output logic [           Ports*8-1:0] m_axi_awlen,
  output logic [           Ports*3-1:0] m_axi_awsize,
  output logic [           Ports*2-1:0] m_axi_awburst,
  output logic [           Ports*4-1:0] m_axi_awcache,
  output logic [           Ports*3-1:0] m_axi_awprot,
  output logic [           Ports*4-1:0] m_axi_awqos,
  output logic [             Ports-1:0] m_axi_awvalid,
  input  logic [             Ports-1:0] m_axi_awready,
  output logic [   Ports*DataWidth-1:0] m_axi_wdata,
  output logic [   Ports*DataBytes-1:0] m_axi_wstrb,
  output logic [             Ports-1:0] m_axi_wlast,
  output logic [             Ports-1:0] m_axi_wvalid,
  input  logic [             Ports-1:0] m_axi_wready,
  input  logic [     Ports*IdWidth-1:0] m_axi_bid,
  input  logic [           Ports*2-1:0] m_axi_bresp,
  input  logic [             Ports-1:0] m_axi_bvalid,
  output logic [             Ports-1:0] m_axi_bready,
  // Lists of descriptors, and their completion entries.
  output logic [           IdWidth-1:0] m_axi_list_arid,
  output logic [         AddrWidth-1:0] m_axi_list_araddr,
  output logic [                   7:0] m_axi_list_arlen,
  output logic [                   2:0] m_axi_list_arsize,
  output logic [                   1:0] m_axi_list_arburst,
  output logic [                   3:0] m_axi_list_arcache,
  output logic [                   2:0] m_axi_list_arprot,
  output logic [                   3:0] m_axi_list_arqos,
  output logic                          m_axi_list_arvalid,
  input  logic                          m_axi_list_arready,
  input  logic [           IdWidth-1:0] m_axi_list_rid,
  input  logic [         ListWidth-1:0] m_axi_list_rdata,
  input  logic [                   1:0] m_axi_list_rresp,
  input  logic                          m_axi_list_rlast,
  input  logic                          m_axi_list_rvalid,
  output logic                          m_axi_list_rready,
  output logic [           IdWidth-1:0] m_axi_list_awid,
  output logic [         AddrWidth-1:0] m_axi_list_awaddr,
  output logic [                   7:0] m_axi_list_awlen,
  output logic [                   2:0] m_axi_list_awsize,
  output logic [                   1:0] m_axi_list_awburst,
  output logic [                   3:0] m_axi_list_awcache,
  output logic [                   2:0] m_axi_list_awprot,
  output logic [                   3:0] m_axi_list_awqos,
  output logic                          m_axi_list_awvalid,
  input  logic                          m_axi_list_awready,
  output logic [         ListWidth-1:0] m_axi_list_wdata,
  output logic [       ListWidth/8-1:0] m_axi_list_wstrb,
  output logic                          m_axi_list_wlast,
  output logic                          m_axi_list_wvalid,
  input  logic                          m_axi_list_wready,
  input  logic [           IdWidth-1:0] m_axi_list_bid,
  input  logic [                   1:0] m_axi_list_bresp,
  input  logic                          m_axi_list_bvalid,
  output logic                          m_axi_list_bready,
  // The on-chip buffer, for processors: its first byte has address 0.
  input  logic [                  15:0] s_axi_onchip_awid,
  input  logic [        OnChipBits-1:0] s_axi_onchip_awaddr,
  input  logic [                   7:0] s_axi_onchip_awlen,
  input  logic [                   2:0] s_axi_onchip_awsize,
  input  logic [                   1:0] s_axi_onchip_awburst,
  input  logic                          s_axi_onchip_awvalid,
  output logic                          s_axi_onchip_awready,
  input  logic [         DataWidth-1:0] s_axi_onchip_wdata,
  input  logic [         DataBytes-1:0] s_axi_onchip_wstrb,
  input  logic                          s_axi_onchip_wlast,
  input  logic                          s_axi_onchip_wvalid,
  output logic                          s_axi_onchip_wready,
  output logic [                  15:0] s_axi_onchip_bid,
  output logic [                   1:0] s_axi_onchip_bresp,
  output logic                          s_axi_onchip_bvalid,
  input  logic                          s_axi_onchip_bready,
  input  logic [                  15:0] s_axi_onchip_arid,
  input  logic [        OnChipBits-1:0] s_axi_onchip_araddr,
  input  logic [                   7:0] s_axi_onchip_arlen,
  input  logic [                   2:0] s_axi_onchip_arsize,
  input  logic [                   1:0] s_axi_onchip_arburst,
  input  logic                          s_axi_onchip_arvalid,
  output logic                          s_axi_onchip_arready,
  output logic [                  15:0] s_axi_onchip_rid,
  output logic [         DataWidth-1:0] s_axi_onchip_rdata,
  output logic [                   1:0] s_axi_onchip_rresp,
  output logic                          s_axi_onchip_rlast,
  output logic                          s_axi_onchip_rvalid,
  input  logic                          s_axi_onchip_rready,
  // Streams.
  output logic [ Reads*StreamWidth-1:0] m_axis_tdata,
  output logic [ Reads*StreamBytes-1:0] m_axis_tkeep,
  output logic [             Reads-1:0] m_axis_tlast,
  output logic [             Reads-1:0] m_axis_tvalid,
  input  logic [             Reads-1:0] m_axis_tready,
  input  logic [Writes*StreamWidth-1:0] s_axis_tdata,
  input  logic [Writes*StreamBytes-1:0] s_axis_tkeep,
  input  logic [            Writes-1:0] s_axis_tlast,
  input  logic [            Writes-1:0] s_axis_tvalid,
  output logic [            Writes-1:0] s_axis_tready,
  // Beside the streams, with Side.
  output logic [           Reads*8-1:0] m_axis_tdest,
  output logic [           Reads*8-1:0] m_axis_tid,
  output logic [          Reads*16-1:0] m_axis_tuser,
  input  logic [          Writes*8-1:0] s_axis_tdest,
  input  logic [          Writes*8-1:0] s_axis_tid,
  input  logic [         Writes*16-1:0] s_axis_tuser,
  // Tokens: packets of one word.
  output logic [                  31:0] m_axis_token_tdata,
  output logic                          m_axis_token_tlast,
  output logic                          m_axis_token_tvalid,
  input  logic                          m_axis_token_tready,
  // Control packets: they read and write registers; responses to reads.
  input  logic [                  31:0] s_axis_control_tdata,
  input  logic                          s_axis_control_tlast,
  input  logic                          s_axis_control_tvalid,
  output logic                          s_axis_control_tready,
  output logic [                  31:0] m_axis_response_tdata,
  output logic                          m_axis_response_tlast,
  output logic                          m_axis_response_tvalid,
  input  logic                          m_axis_response_tready,
  // Triggers, and what happened in each channel, reads first: a transfer, a task is done.
  input  logic [                  15:0] trigger_in,
  output logic [          Channels-1:0] event_transfer,
  output logic [          Channels-1:0] event_task,
  // Interrupts: of everything, and of each channel, reads first.
  output logic                          irq,
  output logic [          Channels-1:0] irq_channel
);

  // Configuration: made by scripts/parameters.
  localparam dma_config_t Config = '{
      Reads: Reads + 32'd0,
      Writes: Writes + 32'd0,
      Ports: Ports + 32'd0,
      AddrWidth: AddrWidth + 32'd0,
      DataWidth: DataWidth + 32'd0,
      StreamWidth: StreamWidth + 32'd0,
      MaxBurst: MaxBurst + 32'd0,
      Outstanding: Outstanding + 32'd0,
      BufferBeats: BufferBeats + 32'd0,
      Guard: Guard + 32'd0,
      Windows: Windows + 32'd0,
      Walk: Walk,
      Bounds: Bounds,
      Descriptors: Descriptors + 32'd0,
      QueueDepth: QueueDepth + 32'd0,
      Locks: Locks + 32'd0,
      Lists: Lists,
      Triggers: Triggers,
      Counters: Counters,
      Tokens: Tokens,
      ControlPackets: ControlPackets,
      Side: Side + 32'd0,
      RouteDest: RouteDest,
      Loopback: Loopback + 32'd0,
      OnChipSize: OnChipSize + 32'd0,
      OnChipBase: OnChipBase + 32'd0,
      OnChipBanks: OnChipBanks + 32'd0,
      OnChipCheck: OnChipCheck + 32'd0,
      SourceId: SourceId + 32'd0
  };
  // End of configuration.

  // Legal values: made by scripts/parameters.
  `TSR_STATIC_ASSERT(Reads, Reads >= 1 && Reads <= 16,
                     ("Reads = %0d; legal is an integer from 1 to 16", Reads))
  `TSR_STATIC_ASSERT(Writes, Writes >= 1 && Writes <= 16,
                     ("Writes = %0d; legal is an integer from 1 to 16", Writes))
  `TSR_STATIC_ASSERT(Ports, Ports >= 1 && Ports <= 16,
                     ("Ports = %0d; legal is an integer from 1 to 16", Ports))
  `TSR_STATIC_ASSERT(PortsRule0, Reads % Ports == 0 && Writes % Ports == 0,
                     ("Ports = %0d; legal is what divides Reads and Writes", Ports))
  `TSR_STATIC_ASSERT(AddrWidth, AddrWidth >= 32 && AddrWidth <= 64,
                     ("AddrWidth = %0d; legal is an integer from 32 to 64", AddrWidth))
  `TSR_STATIC_ASSERT(DataWidth, DataWidth >= 32 && DataWidth <= 1024 && $onehot(DataWidth),
                     ("DataWidth = %0d; legal is one of 32, 64, 128, 256, 512, 1024", DataWidth))
  `TSR_STATIC_ASSERT(StreamWidth, StreamWidth >= 8 && StreamWidth <= 1024 && $onehot(StreamWidth),
                     ("StreamWidth = %0d; legal is a power of two from 8 to 1024", StreamWidth))
  `TSR_STATIC_ASSERT(MaxBurst, MaxBurst >= 2 && MaxBurst <= 256 && $onehot(MaxBurst),
                     ("MaxBurst = %0d; legal is one of 2, 4, 8, 16, 32, 64, 128, 256", MaxBurst))
  `TSR_STATIC_ASSERT(Outstanding, Outstanding >= 8 && Outstanding <= 128 && $onehot(Outstanding),
                     ("Outstanding = %0d; legal is one of 8, 16, 32, 64, 128", Outstanding))
  `TSR_STATIC_ASSERT(BufferBeats, BufferBeats >= 2 && BufferBeats <= 4096,
                     ("BufferBeats = %0d; legal is an integer from 2 to 4096", BufferBeats))
  `TSR_STATIC_ASSERT(Guard, Guard <= 2, ("Guard = %0d; legal is an integer from 0 to 2", Guard))
  `TSR_STATIC_ASSERT(Windows, Windows <= 16,
                     ("Windows = %0d; legal is an integer from 0 to 16", Windows))
  `TSR_STATIC_ASSERT(Descriptors, Descriptors >= 1 && Descriptors <= 256,
                     ("Descriptors = %0d; legal is an integer from 1 to 256", Descriptors))
  `TSR_STATIC_ASSERT(QueueDepth, QueueDepth >= 2 && QueueDepth <= 16 && $onehot(QueueDepth),
                     ("QueueDepth = %0d; legal is one of 2, 4, 8, 16", QueueDepth))
  `TSR_STATIC_ASSERT(Locks, Locks <= 64, ("Locks = %0d; legal is an integer from 0 to 64", Locks))
  `TSR_STATIC_ASSERT(Side, Side <= 2, ("Side = %0d; legal is an integer from 0 to 2", Side))
  `TSR_STATIC_ASSERT(SideRule0, Side < 2 || StreamWidth >= 32,
                     ("Side = %0d; legal is 0 or 1 where StreamWidth is below 32", Side))
  `TSR_STATIC_ASSERT(Loopback, Loopback <= 16,
                     ("Loopback = %0d; legal is an integer from 0 to 16", Loopback))
  `TSR_STATIC_ASSERT(
      LoopbackRule0, Loopback <= Reads && Loopback <= Writes && (Loopback == 0 || !RouteDest),
      ("Loopback = %0d; legal is at most Reads and Writes, and 0 with RouteDest", Loopback))
  `TSR_STATIC_ASSERT(OnChipSize, OnChipSize <= 4096,
                     ("OnChipSize = %0d; legal is an integer from 0 to 4096", OnChipSize))
  `TSR_STATIC_ASSERT(OnChipSizeRule0, (OnChipSize & (OnChipSize - 1)) == 0 && OnChipSize % 4 == 0,
                     ("OnChipSize = %0d; legal is 0 or a power of two from 4 to 4096", OnChipSize))
  `TSR_STATIC_ASSERT(OnChipBase, OnChipBase <= 2147483647,
                     ("OnChipBase = %0d; legal is an integer from 0 to 2147483647", OnChipBase))
  `TSR_STATIC_ASSERT(OnChipBaseRule0, AddrWidth >= 51 || OnChipBase >> (AddrWidth - 20) == 0,
                     ("OnChipBase = %0d; legal is an address of AddrWidth bits", OnChipBase))
  `TSR_STATIC_ASSERT(
      OnChipBaseRule1, OnChipSize < 2048 || OnChipBase % (OnChipSize / 1024) == 0,
      ("OnChipBase = %0d; legal is a multiple of the size of the buffer", OnChipBase))
  `TSR_STATIC_ASSERT(OnChipBanks, OnChipBanks >= 1 && OnChipBanks <= 8 && $onehot(OnChipBanks),
                     ("OnChipBanks = %0d; legal is one of 1, 2, 4, 8", OnChipBanks))
  `TSR_STATIC_ASSERT(OnChipCheck, OnChipCheck <= 2,
                     ("OnChipCheck = %0d; legal is an integer from 0 to 2", OnChipCheck))
  `TSR_STATIC_ASSERT(SourceId, SourceId <= 4095,
                     ("SourceId = %0d; legal is an integer from 0 to 4095", SourceId))
  // End of legal values.

  localparam int unsigned Burst = longest_burst(MaxBurst, DataWidth);
  localparam int unsigned StreamSilence = stream_silence(Guard);
  localparam bit HasSide = Side != 0;
  localparam bit Headers = Side == 2;
  localparam logic [6:0] Column = SourceId[11:5];
  localparam logic [4:0] Row = SourceId[4:0];
  localparam int unsigned StartWrites = StartProgram == 0 ? 0 : $bits(StartProgram) / 64;

  // ---- Registers --------------------------------------------------------------------------------

  bus_request_t request;
  logic request_valid, request_ready, start_refused;
  bus_answer_t   answer;
  packet_setup_t packets;
  logic [3:0] packet_errors, packet_clear;

  `TSR_AXIL_PINS
  logic unused_prot;
  assign unused_prot = ^{s_axil_awprot, s_axil_arprot};

  tsr_dma_front #(
    .ControlPackets(ControlPackets),
    .Column        (Column),
    .Row           (Row),
    .StartWrites   (StartWrites),
    .StartProgram  (StartProgram)
  ) u_front (
    .clk_i          (aclk),
    .rst_ni         (aresetn),
    .axil_i         (axil_req),
    .axil_o         (axil_rsp),
    .s_axis_control_tdata,
    .s_axis_control_tlast,
    .s_axis_control_tvalid,
    .s_axis_control_tready,
    .m_axis_response_tdata,
    .m_axis_response_tlast,
    .m_axis_response_tvalid,
    .m_axis_response_tready,
    .packets_i      (packets),
    .packet_errors_o(packet_errors),
    .packet_clear_i (packet_clear),
    .start_refused_o(start_refused),
    .request_o      (request),
    .valid_o        (request_valid),
    .ready_i        (request_ready),
    .answer_i       (answer)
  );

  // ---- Registers of channels ----------------------------------------------------------------------

  localparam int unsigned BusLog = $clog2(DataBytes);
  localparam bit Marks = HasSide && Triggers;
  localparam int unsigned ReadParts = DataBytes > StreamBytes ? DataBytes / StreamBytes : 1;
  localparam int unsigned WriteParts = ReadParts;
  localparam type beat_t = `TSR_BEAT_T(StreamBytes);
  localparam int unsigned PortReads = Reads / Ports;
  localparam int unsigned PortWrites = Writes / Ports;

  program_request_t access;
  program_answer_t program_answer;
  lock_report_t lock_report;
  sequencer_event_t happened;
  logic happened_valid, quiesce, tick, tick_d, misrouted, freeze, clear;
  channel_levels_t [Channels-1:0] levels;
  channel_orders_t [Channels-1:0] setting;
  orders_t [Channels-1:0] orders;
  logic [Channels-1:0][3:0] weight;
  trigger_select_t [Channels-1:0] trigger_select;
  logic [Channels-1:0]
      stream_waits,
      missed,
      missed_clear,
      trigger,
      trigger_take,
      faults,
      own_marks,
      token_waits,
      pause;
  port_view_t [Channels-1:0] port_view;
  receive_state_t [Channels-1:0] receive_state;
  channel_t stop_on_channel, token_channel, extension_channel;
  logic [6:0] stop_on;
  channel_t [2*Ports+1:0] attr_channel;
  axi_attr_t [2*Ports+1:0] attr;
  logic [7:0] controller;
  bus_request_t extension_request;
  bus_answer_t extension_answer, window_answer;
  logic extension_valid, extension_ready, window_valid, window_ready, token_valid;
  rest_t rest, rest_q;  // for registers a cycle later
  logic [Ports-1:0] rd_stray, wr_stray;
  logic [15:0] soft_trigger;
  logic [31:0] cycles;
  entry_event_t entry_event;
  onchip_event_t onchip_event;
  logic onchip_injected;
  logic [1:0] onchip_inject;
  list_refusal_t list_refusal;
  logic list_refusal_valid, list_refusal_ready;

  tsr_dma_registers #(
    .Config(Config)
  ) u_registers (
    .clk_i               (aclk),
    .rst_ni              (aresetn),
    .request_i           (request),
    .valid_i             (request_valid),
    .ready_o             (request_ready),
    .answer_o            (answer),
    .program_o           (access),
    .program_i           (program_answer),
    .lock_report_i       (lock_report),
    .event_i             (happened),
    .event_valid_i       (happened_valid),
    .levels_i            (levels),
    .stop_on_channel_i   (stop_on_channel),
    .stop_on_o           (stop_on),
    .orders_o            (setting),
    .weight_o            (weight),
    .trigger_select_o    (trigger_select),
    .missed_i            (missed),
    .missed_clear_o      (missed_clear),
    .port_i              (port_view),
    .entry_i             (entry_event),
    .list_refusal_i      (list_refusal),
    .list_refusal_valid_i(list_refusal_valid),
    .list_refusal_ready_o(list_refusal_ready),
    .attr_channel_i      (attr_channel),
    .attr_o              (attr),
    .token_channel_i     (token_channel),
    .controller_o        (controller),
    .extension_o         (extension_request),
    .extension_channel_o (extension_channel),
    .extension_valid_o   (extension_valid),
    .extension_ready_i   (extension_ready),
    .extension_i         (extension_answer),
    .window_valid_o      (window_valid),
    .window_ready_i      (window_ready),
    .window_i            (window_answer),
    .quiesce_o           (quiesce),
    .tick_o              (tick_d),
    .rest_i              (rest_q),
    .misrouted_i         (misrouted),
    .rd_stray_i          (rd_stray),
    .wr_stray_i          (wr_stray),
    .trigger_o           (soft_trigger),
    .cycles_o            (cycles),
    .freeze_o            (freeze),
    .clear_o             (clear),
    .irq_o               (irq),
    .irq_channel_o       (irq_channel),
    .start_refused_i     (start_refused),
    .packets_o           (packets),
    .packet_errors_i     (packet_errors),
    .packet_clear_o      (packet_clear),
    .onchip_event_i      (onchip_event),
    .onchip_injected_i   (onchip_injected),
    .onchip_inject_o     (onchip_inject)
  );
  always_comb begin
    for (int unsigned c = 0; c < Channels; c++) begin
      pause[c] = setting[c].pause;
      own_marks[c] = Marks && c >= Reads && trigger_select[c].kind == TriggerOwn &&
          trigger_select[c].number == 4'd1;
      orders[c] = '{
          pause: pause[c],
          drain: setting[c].drain || quiesce,
          aborts: setting[c].aborts,
          reset: setting[c].reset,
          stop: setting[c].stop,
          by_id: Headers && c >= Reads && setting[c].by_id,
          marks: own_marks[c],
          hold: setting[c].hold,
          weight: weight[c],
          fault: faults[c],
          trigger: trigger[c],
          token_waits: token_waits[c],
          receive: receive_state[c]
      };
    end
  end
  // ---- Engines ------------------------------------------------------------------------------------

  // A read channel alone on its port needs no room: RREADY waits for its stream.
  function automatic int unsigned room(input int unsigned beats, input int unsigned least);
    return 32'd1 << $clog2(beats > least ? beats : least);
  endfunction
  localparam type ax_t = `TSR_PORT_AX_T(AddrWidth, IdWidth);
  localparam type r_t = `TSR_PORT_R_T(DataBytes, IdWidth);
  localparam type w_t = `TSR_PORT_W_T(DataBytes);
  localparam type b_t = `TSR_PORT_B_T(IdWidth);
  localparam type rd_req_t = `TSR_PORT_RD_REQ_T(ax_t);
  localparam type rd_rsp_t = `TSR_PORT_RD_RSP_T(r_t);
  localparam type wr_req_t = `TSR_PORT_WR_REQ_T(ax_t, w_t);
  localparam type wr_rsp_t = `TSR_PORT_WR_RSP_T(b_t);
  rd_req_t [Ports-1:0] rd_req, memory_rd_req;
  rd_rsp_t [Ports-1:0] rd_rsp, memory_rd_rsp;
  wr_req_t [Ports-1:0] wr_req, memory_wr_req;
  wr_rsp_t [Ports-1:0] wr_rsp, memory_wr_rsp;
  port_control_t [Ports-1:0][1:0] control;
  port_state_t [Ports-1:0][1:0] port_state;
  port_fault_t [Ports-1:0][1:0] port_fault;
  port_event_t [Ports-1:0][1:0] port_event;
  window_request_t [Ports-1:0][1:0] window_request;
  window_response_t [Ports-1:0][1:0] window_response;
  fault_e [Ports-1:0][1:0] cause_q;
  logic [Channels-1:0] owed, struck_q, give_up_q;
  localparam type read_beat_t = `TSR_READ_BEAT_T(DataBytes, ReadParts, $clog2(QueueDepth));
  localparam type write_beat_t = `TSR_WRITE_BEAT_T(DataBytes, WriteParts);
  read_beat_t  [ Reads-1:0] read_beat;
  write_beat_t [Writes-1:0] write_beat;
  logic [Reads-1:0] read_valid, read_ready;
  logic [Writes-1:0] write_valid, write_ready, write_takes;
  logic [Reads-1:0] cut;
  fault_e [Channels-1:0] stream_fault, stream_cause_q;
  beside_t beside;
  receive_control_t [Channels-1:0] receive;
  logic [Channels-1:0] marks;
  logic beside_valid;
  logic lists_rest, lists_timed_out, permit_ready;
  // Places of lists: with many channels a channel has fewer.
  localparam int unsigned Ahead = Channels <= 8 ? 16 : Channels <= 16 ? 8 : 4;
  list_order_t [Channels-1:0] list_order;
  list_state_t [Channels-1:0] list_state;
  to_lists_t to_lists;
  from_lists_t from_lists;
  job_t job;
  logic [127:0] shown;
  logic job_valid, job_ready, shown_valid, unused_go;
  channel_t unused_go_channel;
  far_request_t unused_far;
  tsr_dma_engine #(
    .Reads           (Reads),
    .Writes          (Writes),
    .Ports           (Ports),
    .AddrWidth       (AddrWidth),
    .BusLog          (BusLog),
    .MaxBurst        (Burst),
    .Outstanding     (Outstanding),
    .ReadBufferBeats (PortReads == 1 ? 32 : room(BufferBeats, 2 * Burst + 6)),
    .WriteBufferBeats(room(BufferBeats, 2 * Burst)),
    .Lists           (Lists),
    .Places          (Lists ? Channels * Ahead : 0),
    .Walk            (Walk),
    .Bounds          (Bounds),
    .Descriptors     (Descriptors),
    .TaskDepth       (QueueDepth),
    .RecordDepth     (QueueDepth),
    .Locks           (Locks),
    .Side            (HasSide),
    .Headers         (Headers),
    .OutOfOrder      (Headers),
    .Marks           (Marks),
    .ReadParts       (ReadParts),
    .WriteParts      (WriteParts),
    .Windows         (Windows),
    .Guard           (Guard != 0),
    .Timeout         (Silence),
    .IdWidth         (IdWidth)
  ) u_engine (
    .clk_i            (aclk),
    .rst_ni           (aresetn),
    .cycles_i         (cycles),
    .push_i           (access.push),
    .push_valid_i     (access.push_valid),
    .push_ready_o     (program_answer.push_ready),
    .program_i        (access.sequencer),
    .program_o        (program_answer.sequencer),
    .access_i         (access.access),
    .access_valid_i   (access.access_valid),
    .access_ready_o   (program_answer.access_ready),
    .access_error_o   (program_answer.access_error),
    .access_data_o    (program_answer.access_data),
    .orders_i         (orders),
    .levels_o         (levels),
    .lock_report_o    (lock_report),
    .far_o            (unused_far),
    .far_i            ('0),
    .stop_on_channel_o(stop_on_channel),
    .stop_on_i        (stop_on),
    .event_o          (happened),
    .event_valid_o    (happened_valid),
    .trigger_take_o   (trigger_take),
    .token_channel_o  (token_channel),
    .token_valid_o    (token_valid),
    .job_o            (job),
    .job_valid_o      (job_valid),
    .job_ready_i      (job_ready),
    .shown_i          (shown),
    .shown_ordered_i  (1'b0),
    .shown_valid_i    (shown_valid),
    .prepare_i        (job),
    .prepare_valid_i  (job_valid),
    .prepare_ready_o  (job_ready),
    .shown_o          (shown),
    .shown_valid_o    (shown_valid),
    .go_channel_o     (unused_go_channel),
    .go_valid_o       (unused_go),
    .list_o           (list_order),
    .list_i           (list_state),
    .lists_o          (to_lists),
    .lists_i          (from_lists),
    .control_i        (control),
    .state_o          (port_state),
    .fault_o          (port_fault),
    .port_event_o     (port_event),
    .owed_o           (owed),
    .window_i         (window_request),
    .window_o         (window_response),
    .attr_channel_o   (attr_channel[2*Ports-1:0]),
    .attr_i           (attr[2*Ports-1:0]),
    .rd_o             (rd_req),
    .rd_i             (rd_rsp),
    .wr_o             (wr_req),
    .wr_i             (wr_rsp),
    .m_beat_o         (read_beat),
    .m_valid_o        (read_valid),
    .m_ready_i        (read_ready),
    .s_beat_i         (write_beat),
    .s_valid_i        (write_valid),
    .s_ready_o        (write_ready),
    .s_takes_o        (write_takes),
    .beside_o         (beside),
    .beside_valid_o   (beside_valid),
    .receive_o        (receive)
  );

  // ---- Streams ------------------------------------------------------------------------------------

  logic [Channels-1:0] stream_busy;  // beats of reads that have left the engine
  // Ends rounds of `Silence` ticks: a stream that takes nothing in a whole one has been silent for too long.
  logic [$clog2(Silence)-1:0] round_q;
  logic round;
  assign round = tick && round_q == ($clog2(Silence))'(Silence - 1);
  always_ff @(posedge aclk) begin
    if (!aresetn || round) round_q <= '0;
    else if (tick) round_q <= round_q + 1'b1;
  end
  side_t [Writes-1:0] in_side;
  beat_t [Writes-1:0] in_beat;
  logic [Writes-1:0] in_valid, in_ready;
  beat_t [Reads-1:0] out_beat;
  side_t [Reads-1:0] out_side;
  logic [Reads-1:0] out_valid, out_ready;
  for (genvar i = 0; i < Reads; i++) begin : gen_read
    logic reset_q, waits_q, silent_q;
    // What a silent stream does not take is dropped by the reset.
    assign cut[i] = levels[i].dropping && reset_q &&
        (silent_q || stream_cause_q[i] == FaultStreamTime);
    always_ff @(posedge aclk) begin
      reset_q <= aresetn && levels[i].dropping && (setting[i].reset || reset_q);
      if (!reset_q || (out_valid[i] && out_ready[i])) begin
        waits_q  <= 1'b0;
        silent_q <= 1'b0;
      end else if (round && out_valid[i]) begin
        waits_q  <= 1'b1;
        silent_q <= waits_q;
      end
    end
    tsr_stream_out #(
      .InBytes  (DataBytes),
      .OutBytes (StreamBytes),
      .FlightLog($clog2(QueueDepth)),
      .Side     (HasSide),
      .Headers  (Headers),
      .Column   (Column),
      .Row      (Row),
      .Guard    (Guard != 0),
      .Silence  (StreamSilence)
    ) u_out (
      .clk_i         (aclk),
      .rst_ni        (aresetn),
      .clear_i       (levels[i].in_reset),
      .cut_i         (cut[i]),
      .tick_i        (tick),
      .fault_o       (stream_fault[i]),
      .beside_i      (beside),
      .beside_valid_i(beside_valid && 32'(beside.channel) == i),
      .beat_i        (read_beat[i]),
      .valid_i       (read_valid[i]),
      .ready_o       (read_ready[i]),
      .side_o        (out_side[i]),
      .beat_o        (out_beat[i]),
      .valid_o       (out_valid[i]),
      .ready_i       (out_ready[i])
    );
    assign m_axis_tdata[i*StreamWidth+:StreamWidth] = out_beat[i].data;
    assign m_axis_tkeep[i*StreamBytes+:StreamBytes] = out_beat[i].keep;
    assign m_axis_tlast[i] = out_beat[i].last;
    assign {m_axis_tuser[i*16+:16], m_axis_tid[i*8+:8], m_axis_tdest[i*8+:8]} = out_side[i];
    assign m_axis_tvalid[i] = i < Loopback ? 1'b0 : out_valid[i];
    if (i < Loopback) begin : gen_joined
      assign out_ready[i] = in_ready[i];
    end else begin : gen_pins
      assign out_ready[i] = m_axis_tready[i];
    end
    assign stream_waits[i] = out_valid[i] && !out_ready[i];
    assign stream_busy[i]  = out_valid[i] || read_valid[i];
  end

  side_t [Writes-1:0] pin_side;
  beat_t [Writes-1:0] pin_beat;
  for (genvar i = 0; i < Writes; i++) begin : gen_write
    assign pin_side[i] = '{
            user: s_axis_tuser[i*16+:16],
            id: s_axis_tid[i*8+:8],
            dest: s_axis_tdest[i*8+:8]
        };
    assign pin_beat[i] = '{
            data: s_axis_tdata[i*StreamWidth+:StreamWidth],
            keep: s_axis_tkeep[i*StreamBytes+:StreamBytes],
            last: s_axis_tlast[i]
        };
    tsr_stream_in #(
      .InBytes (StreamBytes),
      .OutBytes(DataBytes),
      .Side    (HasSide),
      .Marks   (Marks),
      .Headers (Headers),
      .Guard   (Guard != 0),
      .Silence (StreamSilence)
    ) u_in (
      .clk_i    (aclk),
      .rst_ni   (aresetn),
      .clear_i  (levels[Reads+i].in_reset),
      .busy_i   (write_takes[i]),
      .tick_i   (tick),
      .fault_o  (stream_fault[Reads+i]),
      .side_i   (in_side[i]),
      .beat_i   (in_beat[i]),
      .valid_i  (in_valid[i]),
      .ready_o  (in_ready[i]),
      .drop_i   (levels[Reads+i].dropping),
      .control_i(receive[Reads+i]),
      .state_o  (receive_state[Reads+i]),
      .beat_o   (write_beat[i]),
      .valid_o  (write_valid[i]),
      .ready_i  (write_ready[i])
    );
    assign stream_waits[Reads+i] = !in_valid[i] && !owed[Reads+i];
    assign stream_busy[Reads+i]  = 1'b0;
  end
  assign receive_state[Reads-1:0] = '0;

  if (RouteDest) begin : gen_route
    side_t all_side;
    beat_t all_beat;
    tsr_dest_split #(
      .Bytes  (StreamBytes),
      .Outputs(Writes)
    ) u_split (
      .clk_i  (aclk),
      .rst_ni (aresetn),
      .drop_o (misrouted),
      .side_i (pin_side[0]),
      .beat_i (pin_beat[0]),
      .valid_i(s_axis_tvalid[0]),
      .ready_o(s_axis_tready[0]),
      .side_o (all_side),
      .beat_o (all_beat),
      .valid_o(in_valid),
      .ready_i(in_ready)
    );
    assign in_side = {Writes{all_side}};
    assign in_beat = {Writes{all_beat}};
    for (genvar i = 1; i < Writes; i++) begin : gen_closed
      assign s_axis_tready[i] = 1'b0;
    end
    logic unused_streams;
    assign unused_streams = ^{pin_side, pin_beat, s_axis_tvalid};
  end else begin : gen_direct
    assign misrouted = 1'b0;
    for (genvar i = 0; i < Writes; i++) begin : gen_stream
      if (i < Loopback) begin : gen_loopback
        assign in_side[i]       = out_side[i];
        assign in_beat[i]       = out_beat[i];
        assign in_valid[i]      = out_valid[i];
        assign s_axis_tready[i] = 1'b0;
      end else begin : gen_pins
        assign in_side[i]       = pin_side[i];
        assign in_beat[i]       = pin_beat[i];
        assign in_valid[i]      = s_axis_tvalid[i];
        assign s_axis_tready[i] = in_ready[i];
      end
    end
  end

  // ---- Triggers, events, tokens -------------------------------------------------------------------

  logic [Channels-1:0] finished, task_done, no_triggers;
  always_comb begin
    for (int unsigned c = 0; c < Channels; c++) begin
      finished[c]    = happened_valid && happened.delivered && 32'(happened.channel) == c;
      task_done[c]   = happened_valid && happened.task_done && 32'(happened.channel) == c;
      marks[c]       = receive_state[c].mark;
      no_triggers[c] = levels[c].in_reset || receive[c].forget;
    end
  end
  tsr_triggers #(
    .Enable(Triggers),
    .Reads (Reads),
    .Writes(Writes)
  ) u_triggers (
    .clk_i           (aclk),
    .rst_ni          (aresetn),
    .pins_i          (trigger_in),
    .software_i      (soft_trigger),
    .transfer_done_i (finished),
    .task_done_i     (task_done),
    .mark_i          (marks),
    .select_i        (trigger_select),
    .take_i          (trigger_take),
    .clear_i         (no_triggers),
    .pending_o       (trigger),
    .missed_o        (missed),
    .missed_clear_i  (missed_clear),
    .event_transfer_o(event_transfer),
    .event_task_o    (event_task)
  );

  if (Tokens) begin : gen_tokens
    tsr_token_queue #(
      .Reads (Reads),
      .Writes(Writes),
      .Flight(QueueDepth),
      .Column(Column),
      .Row   (Row)
    ) u_tokens (
      .clk_i       (aclk),
      .rst_ni      (aresetn),
      .channel_i   (token_channel),
      .controller_i(controller),
      .valid_i     (token_valid),
      .waits_o     (token_waits),
      .tdata_o     (m_axis_token_tdata),
      .tlast_o     (m_axis_token_tlast),
      .tvalid_o    (m_axis_token_tvalid),
      .tready_i    (m_axis_token_tready)
    );
  end else begin : gen_no_tokens
    assign token_waits = '0;
    assign {m_axis_token_tdata, m_axis_token_tlast, m_axis_token_tvalid} = '0;
  end

  // Registers of a channel from 0x80 on are those of its list, from 0xc0 on its counters.
  logic at_lists, counters_ready;
  bus_answer_t  counters_answer;
  list_answer_t list_answer;
  assign at_lists = extension_request.word[7:6] == 2'b10;
  assign extension_ready = at_lists ? list_answer.ready : counters_ready;
  assign extension_answer = '{
          error: at_lists ? list_answer.error : counters_answer.error,
          data: at_lists ? list_answer.data : counters_answer.data
      };

  // ---- Counters -----------------------------------------------------------------------------------

  activity_t [Channels-1:0] activity;
  stream_events_t [Channels-1:0] stream;
  bus_events_t [Channels-1:0] bus;
  for (genvar c = 0; c < Channels; c++) begin : gen_count
    localparam int unsigned D = c < Reads ? 0 : 1;
    localparam int unsigned P = c < Reads ? c / PortReads : (c - Reads) / PortWrites;
    localparam int unsigned Local = c < Reads ? c % PortReads : (c - Reads) % PortWrites;
    localparam int unsigned Stream = c < Reads ? c : c - Reads;
    logic here;
    logic [StreamBytes-1:0] keep;
    if (c < Reads) begin : gen_sent
      assign keep = out_beat[Stream].keep;
    end else begin : gen_received
      assign keep = in_beat[Stream].keep;
    end
    assign here = 32'(port_event[P][D].channel) == Local;
    assign bus[c] = '{
            burst: port_event[P][D].burst && here,
            blocked: port_event[P][D].blocked && here
        };
    assign activity[c] = '{
            busy: levels[c].busy || stream_busy[c],
            running: levels[c].running || stream_busy[c],
            lock: levels[c].locked && !levels[c].running,
            transfer: happened_valid && happened.finished && 32'(happened.channel) == c
        };
    tsr_stream_watch #(
      .Counts(Counters),
      .Bytes (StreamBytes)
    ) u_watch (
      .clk_i   (aclk),
      .rst_ni  (aresetn),
      .tkeep_i (keep),
      .tlast_i (c < Reads ? out_beat[Stream].last : in_beat[Stream].last),
      .tvalid_i(c < Reads ? out_valid[Stream] : in_valid[Stream]),
      .tready_i(c < Reads ? out_ready[Stream] : in_ready[Stream]),
      .events_o(stream[c])
    );
  end
  tsr_counter_bank #(
    .Enable(Counters),
    .Reads (Reads),
    .Writes(Writes)
  ) u_counters (
    .clk_i     (aclk),
    .rst_ni    (aresetn),
    .request_i (extension_request),
    .valid_i   (extension_valid && !at_lists),
    .channel_i (extension_channel),
    .ready_o   (counters_ready),
    .answer_o  (counters_answer),
    .freeze_i  (freeze),
    .clear_i   (clear),
    .cycles_i  (cycles),
    .activity_i(activity),
    .stream_i  (stream),
    .bus_i     (bus)
  );

  // ---- Memory -------------------------------------------------------------------------------------

  function automatic logic has(input channel_t channel, input int unsigned first,
                               input int unsigned count);
    return 32'(channel) >= first && 32'(channel) < first + count;
  endfunction

  // A reset gives up once that was asked for.
  for (genvar c = 0; c < Channels; c++) begin : gen_give_up
    logic resets;
    assign resets = setting[c].reset || levels[c].in_reset;
    always_ff @(posedge aclk)
      give_up_q[c] <= aresetn && resets &&
          ((setting[c].reset && setting[c].give_up) || give_up_q[c]);
  end

  logic [Channels-1:0] stream_busy_q, stream_waits_q;  // for registers
  always_ff @(posedge aclk) begin
    stream_busy_q  <= stream_busy;
    stream_waits_q <= stream_waits;
  end

  // A fault of a port stops the channels that wait for it; the reset of any channel lets it go on.
  for (genvar c = 0; c < Channels; c++) begin : gen_state
    localparam int unsigned D = c < Reads ? 0 : 1;
    localparam int unsigned P = c < Reads ? c / PortReads : (c - Reads) / PortWrites;
    assign faults[c] = (port_fault[P][D].valid && owed[c]) || stream_fault[c] != FaultNone;
    always_ff @(posedge aclk) begin
      struck_q[c] <= aresetn && (faults[c] || (struck_q[c] && levels[c].faulted));
      // The first one counts.
      if (!aresetn || (!faults[c] && !levels[c].faulted)) stream_cause_q[c] <= FaultNone;
      else if (!struck_q[c]) stream_cause_q[c] <= stream_fault[c];
    end
    assign port_view[c] = '{
            owed: owed[c],
            failed: port_state[P][D].failed,
            faulted: struck_q[c],
            fault: stream_cause_q[c] != FaultNone ? stream_cause_q[c] : cause_q[P][D],
            stuck: port_state[P][D].stuck && setting[c].reset && levels[c].in_reset,
            waits: stream_waits_q[c],
            busy: stream_busy_q[c]
        };
  end
  for (genvar p = 0; p < Ports; p++) begin : gen_port
    for (genvar d = 0; d < 2; d++) begin : gen_side
      localparam int unsigned First = d == 0 ? p * PortReads : Reads + p * PortWrites;
      localparam int unsigned Count = d == 0 ? PortReads : PortWrites;
      logic [Count-1:0] resets, forgets;
      for (genvar i = 0; i < Count; i++) begin : gen_channel
        assign resets[i]  = levels[First+i].in_reset;
        assign forgets[i] = levels[First+i].in_reset && give_up_q[First+i];
      end
      logic clear_q, forget_q;
      always_ff @(posedge aclk) begin
        clear_q  <= aresetn && resets != '0;
        forget_q <= forgets != '0;
      end
      assign control[p][d] = '{clear: clear_q, forget: forget_q, quiesce: quiesce, tick: tick};
      always_ff @(posedge aclk) begin
        if (!aresetn) cause_q[p][d] <= FaultNone;
        else if (port_fault[p][d].valid) cause_q[p][d] <= port_fault[p][d].cause;
      end
      assign window_request[p][d] = '{
              valid: window_valid && permit_ready && has(extension_channel, First, Count),
              write: extension_request.write,
              channel: extension_channel - channel_t'(First),
              number: extension_request.word[8:5],
              word: window_word_e'(extension_request.word[4:2]),
              data: extension_request.data,
              strobe: extension_request.strobe
          };
    end
    assign rd_stray[p] = port_state[p][0].stray;
    assign wr_stray[p] = port_state[p][1].stray;
    `TSR_AXI_RD_PINS(m_axi, p, [p], DataBytes, memory_rd_req[p], memory_rd_rsp[p])
    `TSR_AXI_WR_PINS(m_axi, p, [p], DataBytes, memory_wr_req[p], memory_wr_rsp[p])
  end
  always_ff @(posedge aclk) begin
    rest_q <= aresetn ? rest : '0;
    tick   <= aresetn && tick_d;
  end
  always_comb begin
    rest          = '{quiet: lists_rest, timed_out: lists_timed_out};
    window_ready  = 1'b0;
    window_answer = '0;
    for (int unsigned p = 0; p < Ports; p++) begin
      for (int unsigned d = 0; d < 2; d++) begin
        rest.quiet     = rest.quiet && port_state[p][d].quiet;
        rest.timed_out = rest.timed_out || port_state[p][d].timed_out;
        if (window_request[p][d].valid) begin
          window_ready  = window_response[p][d].ready;
          window_answer = '{error: window_response[p][d].error, data: window_response[p][d].data};
        end
      end
    end
  end

  // ---- The on-chip buffer -------------------------------------------------------------------------

  if (OnChipSize != 0) begin : gen_onchip
    localparam type onchip_ax_t = `TSR_PORT_ANY_AX_T(OnChipBits, 16);
    localparam type onchip_r_t = `TSR_PORT_R_T(DataBytes, 16);
    localparam type onchip_b_t = `TSR_PORT_B_T(16);
    localparam type onchip_rd_req_t = `TSR_PORT_RD_REQ_T(onchip_ax_t);
    localparam type onchip_rd_rsp_t = `TSR_PORT_RD_RSP_T(onchip_r_t);
    localparam type onchip_wr_req_t = `TSR_PORT_WR_REQ_T(onchip_ax_t, w_t);
    localparam type onchip_wr_rsp_t = `TSR_PORT_WR_RSP_T(onchip_b_t);
    onchip_rd_req_t onchip_rd_req;
    onchip_rd_rsp_t onchip_rd_rsp;
    onchip_wr_req_t onchip_wr_req;
    onchip_wr_rsp_t onchip_wr_rsp;
    `TSR_AXI_SLAVE_PINS(s_axi_onchip, onchip_rd_req, onchip_rd_rsp, onchip_wr_req, onchip_wr_rsp)
    tsr_onchip #(
      .Ports      (Ports),
      .AddrWidth  (AddrWidth),
      .BusLog     (BusLog),
      .IdWidth    (IdWidth),
      .Outstanding(Outstanding),
      .SizeLog    (OnChipBits),
      .Base       (64'(OnChipBase) << 20),
      .Banks      (OnChipBanks),
      .Check      (OnChipCheck)
    ) u_onchip (
      .clk_i         (aclk),
      .rst_ni        (aresetn),
      .rd_i          (rd_req),
      .rd_o          (rd_rsp),
      .wr_i          (wr_req),
      .wr_o          (wr_rsp),
      .memory_rd_o   (memory_rd_req),
      .memory_rd_i   (memory_rd_rsp),
      .memory_wr_o   (memory_wr_req),
      .memory_wr_i   (memory_wr_rsp),
      .processor_rd_i(onchip_rd_req),
      .processor_rd_o(onchip_rd_rsp),
      .processor_wr_i(onchip_wr_req),
      .processor_wr_o(onchip_wr_rsp),
      .inject_i      (onchip_inject),
      .injected_o    (onchip_injected),
      .event_o       (onchip_event)
    );
  end else begin : gen_no_onchip
    assign memory_rd_req = rd_req;
    assign memory_wr_req = wr_req;
    assign rd_rsp = memory_rd_rsp;
    assign wr_rsp = memory_wr_rsp;
    assign {onchip_injected, onchip_event} = '0;
    assign {s_axi_onchip_awready, s_axi_onchip_wready, s_axi_onchip_arready} = '0;
    assign {s_axi_onchip_bid, s_axi_onchip_bresp, s_axi_onchip_bvalid} = '0;
    assign {s_axi_onchip_rid, s_axi_onchip_rdata, s_axi_onchip_rresp} = '0;
    assign {s_axi_onchip_rlast, s_axi_onchip_rvalid} = '0;
    logic unused_onchip;
    assign unused_onchip =
        ^{s_axi_onchip_awid, s_axi_onchip_awaddr, s_axi_onchip_awlen, s_axi_onchip_awsize} ^
        ^{s_axi_onchip_awburst, s_axi_onchip_awvalid, s_axi_onchip_wdata, s_axi_onchip_wstrb} ^
        ^{s_axi_onchip_wlast, s_axi_onchip_wvalid, s_axi_onchip_bready, s_axi_onchip_arid} ^
        ^{s_axi_onchip_araddr, s_axi_onchip_arlen, s_axi_onchip_arsize, s_axi_onchip_arburst} ^
        ^{s_axi_onchip_arvalid, s_axi_onchip_rready, onchip_inject};
  end

  // ---- Lists --------------------------------------------------------------------------------------

  localparam type list_r_t = `TSR_PORT_R_T(ListWidth / 8, IdWidth);
  localparam type list_w_t = `TSR_PORT_W_T(ListWidth / 8);
  localparam type list_rd_rsp_t = `TSR_PORT_RD_RSP_T(list_r_t);
  localparam type list_wr_req_t = `TSR_PORT_WR_REQ_T(ax_t, list_w_t);
  rd_req_t list_rd_req;
  list_rd_rsp_t list_rd_rsp;
  list_wr_req_t list_wr_req;
  wr_rsp_t list_wr_rsp;
  `TSR_AXI_RD_PINS(m_axi_list, 0,, ListWidth / 8, list_rd_req, list_rd_rsp)
  `TSR_AXI_WR_PINS(m_axi_list, 0,, ListWidth / 8, list_wr_req, list_wr_rsp)
  if (Lists) begin : gen_lists
    list_check_t  check;
    list_permit_t permit;
    logic check_valid, moves;
    list_written_t written;
    fault_e unused_fault;
    window_response_t response;
    list_reset_t [Channels-1:0] resets;
    always_comb begin
      for (int unsigned c = 0; c < Channels; c++)
      resets[c] = '{in_reset: levels[c].in_reset, give_up: levels[c].in_reset && give_up_q[c]};
    end
    assign attr_channel[2*Ports+:2] = {2{check.channel}};
    assign entry_event = '{
            valid: written.valid,
            channel: written.channel,
            interrupts: written.interrupts
        };
    tsr_list_unit #(
      .Channels (Channels),
      .AddrWidth(AddrWidth),
      .ListWidth(ListWidth),
      .Ahead    (Ahead),
      .IdWidth  (IdWidth),
      .Guard    (Guard != 0),
      .Silence  (Silence),
      .Walk     (Walk),
      .Bounds   (Bounds)
    ) u_lists (
      .clk_i(aclk),
      .rst_ni(aresetn),
      .tick_i(tick),
      .quiesce_i(quiesce),
      .rests_o(lists_rest),
      .access_i(
      '{
          valid: extension_valid && at_lists,
          channel: extension_channel,
          word: extension_request.word[5:2],
          write: extension_request.write,
          data: extension_request.data,
          strobe: extension_request.strobe
      }
      ),
      .answer_o(list_answer),
      .reset_i(resets),
      .refusal_o(list_refusal),
      .refusal_valid_o(list_refusal_valid),
      .refusal_ready_i(list_refusal_ready),
      .written_o(written),
      .fault_o(unused_fault),
      .check_o(check),
      .check_valid_o(check_valid),
      .check_i(permit),
      .attr_i(attr[2*Ports]),
      .list_i(list_order),
      .list_o(list_state),
      .lists_i(to_lists),
      .lists_o(from_lists),
      .rd_o(list_rd_req),
      .rd_i(list_rd_rsp),
      .wr_o(list_wr_req),
      .wr_i(list_wr_rsp)
    );

    // An access to a window goes to this copy first, and then to the port.
    logic copied_q;
    assign permit_ready = copied_q || Windows == 0;
    always_ff @(posedge aclk)
      copied_q <= aresetn && window_valid && (copied_q || response.ready) && !window_ready;
    tsr_list_permit #(
      .Channels(Channels),
      .Windows (Windows)
    ) u_permit (
      .clk_i(aclk),
      .rst_ni(aresetn),
      .request_i(
      '{
          valid: window_valid && !copied_q,
          write: extension_request.write,
          channel: extension_channel,
          number: extension_request.word[8:5],
          word: window_word_e'(extension_request.word[4:2]),
          data: extension_request.data,
          strobe: extension_request.strobe
      }
      ),
      .response_o(response),
      .check_i(check),
      .valid_i(check_valid),
      .ready_o(permit.ready),
      .permitted_o(permit.permitted)
    );
    logic unused_response;
    assign unused_response = ^response;

    // Whether the memory lets a quiesce end.
    assign moves = (list_rd_req.ar_valid && list_rd_rsp.ar_ready) ||
        (list_rd_rsp.r_valid && list_rd_req.r_ready) ||
        (list_wr_req.aw_valid && list_wr_rsp.aw_ready) ||
        (list_wr_req.w_valid && list_wr_rsp.w_ready) ||
        (list_wr_rsp.b_valid && list_wr_req.b_ready);
    tsr_watchdog #(
      .Ticks(Silence)
    ) u_silence (
      .clk_i  (aclk),
      .rst_ni (aresetn),
      .tick_i (tick),
      .waits_i(quiesce && !lists_rest),
      .moves_i(moves),
      .over_o (lists_timed_out)
    );
  end else begin : gen_no_lists
    assign permit_ready = 1'b1;
    assign {lists_rest, lists_timed_out} = 2'b10;
    assign entry_event = '0;
    assign {list_refusal, list_refusal_valid} = '0;
    assign list_answer = '{ready: 1'b1, error: 1'b1, data: '0};
    assign {list_state, from_lists} = '0;
    assign attr_channel[2*Ports+:2] = '0;
    assign {list_rd_req, list_wr_req} = '0;
    logic unused_lists;
    assign unused_lists = ^{list_order, to_lists, list_refusal_ready, list_rd_rsp, list_wr_rsp};
  end

  logic unused_pins;
  assign unused_pins = ^{m_axis_token_tready, attr, controller, token_valid} ^
      ^{m_axis_tready, s_axis_tvalid, pin_side, pin_beat};

endmodule
