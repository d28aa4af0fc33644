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

  // ---- Registers --------------------------------------------------------------------------------

  global_orders_t global_orders;
  global_state_t global_state;
  bus_request_t request;
  bus_answer_t answer;
  logic request_valid, request_ready;
  `TSR_AXIL_PINS
  tsr_dma_front #(
    .ControlPackets(ControlPackets),
    .StartWrites   (StartProgram == 0 ? 0 : $bits(StartProgram) / 64),
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
    .place_i        (SourceId[11:0]),
    .packets_i      (global_orders.packets),
    .packet_errors_o(global_state.packet_errors),
    .packet_clear_i (global_orders.packet_clear),
    .start_refused_o(global_state.start_refused),
    .request_o      (request),
    .valid_o        (request_valid),
    .ready_i        (request_ready),
    .answer_i       (answer)
  );

  outer_request_t outer;
  outer_answer_t counters_answer, windows_answer, lists_answer;
  program_request_t access;
  program_answer_t  program_answer;
  report_t report, list_report;
  channel_orders_t [Channels-1:0] setting;
  channel_levels_t [Channels-1:0] levels;
  port_view_t [Channels-1:0] port_view;
  logic [Channels-1:0] missed, missed_clear;
  channel_t end_channel;
  channel_t [2*Ports:0] attr_channel;
  axi_attr_t [2*Ports:0] attr;
  logic [6:0] stop_on;
  logic [7:0] controller;
  tsr_dma_registers #(
    .Config(Config)
  ) u_registers (
    .clk_i         (aclk),
    .rst_ni        (aresetn),
    .request_i     (request),
    .valid_i       (request_valid),
    .ready_o       (request_ready),
    .answer_o      (answer),
    .program_o     (access),
    .program_i     (program_answer),
    .report_i      (list_report),
    .levels_i      (levels),
    .port_i        (port_view),
    .missed_i      (missed),
    .missed_clear_o(missed_clear),
    .orders_o      (setting),
    .end_channel_i (end_channel),
    .stop_on_o     (stop_on),
    .attr_channel_i(attr_channel),
    .attr_o        (attr),
    .controller_o  (controller),
    .outer_o       (outer),
    .outer_i       (counters_answer | windows_answer | lists_answer),
    .global_o      (global_orders),
    .global_i      (global_state),
    .irq_channel_o (irq_channel)
  );
  assign irq = global_orders.irq;

  // ---- Engines ------------------------------------------------------------------------------------

  localparam int unsigned BusLog = $clog2(DataBytes);
  localparam int unsigned Burst = longest_burst(MaxBurst, DataWidth);
  localparam int unsigned Parts = DataBytes > StreamBytes ? DataBytes / StreamBytes : 1;
  // Places of lists: with many channels a channel has fewer.
  localparam int unsigned Ahead = Channels <= 8 ? 16 : Channels <= 16 ? 8 : 4;
  function automatic int unsigned room(input int unsigned beats, input int unsigned least);
    return 32'd1 << $clog2(beats > least ? beats : least);
  endfunction
  localparam type beat_t = `TSR_BEAT_T(StreamBytes);
  localparam type read_beat_t = `TSR_READ_BEAT_T(DataBytes, $clog2(QueueDepth));
  localparam type write_beat_t = `TSR_WRITE_BEAT_T(DataBytes, Parts);
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
  orders_t [Channels-1:0] orders;
  logic [Channels-1:0] faults, owed, trigger_take;
  port_control_t [Ports-1:0][1:0] control;
  port_state_t [Ports-1:0][1:0] port_state;
  port_fault_t [Ports-1:0][1:0] port_fault;
  port_event_t [Ports-1:0][1:0] port_event;
  window_request_t [Ports-1:0][1:0] window_request;
  window_response_t [Ports-1:0][1:0] window_response;
  read_beat_t [Reads-1:0] read_beat;
  write_beat_t [Writes-1:0] write_beat;
  logic [Reads-1:0] read_valid, read_ready;
  logic [Writes-1:0] write_valid, write_ready, write_takes;
  beside_t beside;
  receive_control_t [Channels-1:0] receive;
  receive_state_t [Channels-1:0] received;
  list_order_t [Channels-1:0] list_order;
  list_state_t [Channels-1:0] list_state;
  to_lists_t to_lists;
  from_lists_t from_lists;
  job_t job;
  logic [127:0] shown;
  logic beside_valid, job_valid, job_ready, shown_valid, token_valid, unused_go;
  channel_t unused_go_channel;
  far_request_t unused_far;
  // A read channel alone on its port needs no room, if its stream does not wait for the memory: RREADY waits for the
  // stream. No channel at all is refused by name at the end.
  localparam bit Reserve = Loopback != 0 || Reads != Ports;
  tsr_dma_engine #(
    .Reads           (Reads == 0 ? 1 : Reads),
    .Writes          (Writes == 0 ? 1 : Writes),
    .Ports           (Ports),
    .AddrWidth       (AddrWidth),
    .BusLog          (BusLog),
    .MaxBurst        (Burst),
    .Outstanding     (Outstanding),
    .ReadBufferBeats (Reserve ? room(BufferBeats, 2 * Burst + 6) : 32),
    .Reserve         (Reserve),
    .WriteBufferBeats(room(BufferBeats, 2 * Burst)),
    .Lists           (Lists),
    .Settles         (Lists || Side == 2 || DataWidth != StreamWidth),
    .Places          (Lists ? Channels * Ahead : 0),
    .Walk            (Walk),
    .Bounds          (Bounds),
    .Descriptors     (Descriptors),
    .TaskDepth       (QueueDepth),
    .RecordDepth     (QueueDepth),
    .Locks           (Locks),
    .Side            (Side != 0),
    .Kept            (Side == 2 || StreamWidth > DataWidth),
    .Headers         (Side == 2),
    .OutOfOrder      (Side == 2),
    .Marks           (Side != 0 && Triggers),
    .WriteParts      (Parts),
    .Windows         (Windows),
    .Guard           (Guard != 0),
    .Timeout         (Silence),
    .IdWidth         (IdWidth)
  ) u_engine (
    .clk_i          (aclk),
    .rst_ni         (aresetn),
    .cycles_i       (global_orders.cycles),
    .push_i         (access.push),
    .push_valid_i   (access.push_valid),
    .push_ready_o   (program_answer.push_ready),
    .program_i      (access.sequencer),
    .program_o      (program_answer.sequencer),
    .access_i       (access.access),
    .access_valid_i (access.access_valid),
    .access_ready_o (program_answer.access_ready),
    .access_error_o (program_answer.access_error),
    .access_data_o  (program_answer.access_data),
    .orders_i       (orders),
    .levels_o       (levels),
    .lock_report_o  (report.locks),
    .far_o          (unused_far),
    .far_i          ('0),
    .end_channel_o  (end_channel),
    .stop_on_i      (stop_on),
    .event_o        (report.channel),
    .event_valid_o  (report.event_valid),
    .trigger_take_o (trigger_take),
    .token_valid_o  (token_valid),
    .job_o          (job),
    .job_valid_o    (job_valid),
    .job_ready_i    (job_ready),
    .shown_i        (shown),
    .shown_ordered_i(1'b0),
    .shown_valid_i  (shown_valid),
    .prepare_i      (job),
    .prepare_valid_i(job_valid),
    .prepare_ready_o(job_ready),
    .shown_o        (shown),
    .shown_valid_o  (shown_valid),
    .go_channel_o   (unused_go_channel),
    .go_valid_o     (unused_go),
    .list_o         (list_order),
    .list_i         (list_state),
    .lists_o        (to_lists),
    .lists_i        (from_lists),
    .control_i      (control),
    .state_o        (port_state),
    .fault_o        (port_fault),
    .port_event_o   (port_event),
    .owed_o         (owed),
    .window_i       (window_request),
    .window_o       (window_response),
    .attr_channel_o (attr_channel[2*Ports-1:0]),
    .attr_i         (attr[2*Ports-1:0]),
    .rd_o           (rd_req),
    .rd_i           (rd_rsp),
    .wr_o           (wr_req),
    .wr_i           (wr_rsp),
    .m_beat_o       (read_beat),
    .m_valid_o      (read_valid),
    .m_ready_i      (read_ready),
    .s_beat_i       (write_beat),
    .s_valid_i      (write_valid),
    .s_ready_o      (write_ready),
    .s_takes_o      (write_takes),
    .beside_o       (beside),
    .beside_valid_o (beside_valid),
    .receive_o      (receive)
  );
  assign report.entry = '0;

  tsr_dma_orders #(
    .Config(Config)
  ) u_orders (
    .clk_i           (aclk),
    .rst_ni          (aresetn),
    .setting_i       (setting),
    .global_i        (global_orders),
    .levels_i        (levels),
    .port_i          (port_view),
    .fault_i         (faults),
    .receive_i       (receive),
    .received_i      (received),
    .orders_o        (orders),
    .event_i         (report.channel),
    .event_valid_i   (report.event_valid),
    .pins_i          (trigger_in),
    .take_i          (trigger_take),
    .missed_o        (missed),
    .missed_clear_i  (missed_clear),
    .event_transfer_o(event_transfer),
    .event_task_o    (event_task),
    .end_channel_i   (end_channel),
    .token_valid_i   (token_valid),
    .controller_i    (controller),
    .tdata_o         (m_axis_token_tdata),
    .tlast_o         (m_axis_token_tlast),
    .tvalid_o        (m_axis_token_tvalid),
    .tready_i        (m_axis_token_tready)
  );

  // ---- Streams ------------------------------------------------------------------------------------

  stream_orders_t [Channels-1:0] stream_orders;
  stream_state_t [Channels-1:0] stream_state;
  side_t [Reads-1:0] out_side;
  beat_t [Reads-1:0] out_beat;
  side_t [Writes-1:0] in_side;
  beat_t [Writes-1:0] in_beat;
  tsr_dma_streams #(
    .Config(Config)
  ) u_streams (
    .clk_i         (aclk),
    .rst_ni        (aresetn),
    .tick_i        (global_orders.tick),
    .orders_i      (stream_orders),
    .state_o       (stream_state),
    .receive_i     (receive),
    .receive_o     (received),
    .misrouted_o   (global_state.misrouted),
    .beside_i      (beside),
    .beside_valid_i(beside_valid),
    .read_beat_i   (read_beat),
    .read_valid_i  (read_valid),
    .read_ready_o  (read_ready),
    .write_beat_o  (write_beat),
    .write_valid_o (write_valid),
    .write_ready_i (write_ready),
    .write_takes_i (write_takes),
    .side_o        (out_side),
    .beat_o        (out_beat),
    .valid_o       (m_axis_tvalid),
    .ready_i       (m_axis_tready),
    .side_i        (in_side),
    .beat_i        (in_beat),
    .valid_i       (s_axis_tvalid),
    .ready_o       (s_axis_tready)
  );
  for (genvar i = 0; i < Reads; i++) begin : gen_out
    assign m_axis_tdata[i*StreamWidth+:StreamWidth] = out_beat[i].data;
    assign m_axis_tkeep[i*StreamBytes+:StreamBytes] = out_beat[i].keep;
    assign m_axis_tlast[i] = out_beat[i].last;
    assign {m_axis_tuser[i*16+:16], m_axis_tid[i*8+:8], m_axis_tdest[i*8+:8]} = out_side[i];
  end
  for (genvar i = 0; i < Writes; i++) begin : gen_in
    assign in_side[i] = {s_axis_tuser[i*16+:16], s_axis_tid[i*8+:8], s_axis_tdest[i*8+:8]};
    assign in_beat[i] = '{
            data: s_axis_tdata[i*StreamWidth+:StreamWidth],
            keep: s_axis_tkeep[i*StreamBytes+:StreamBytes],
            last: s_axis_tlast[i]
        };
  end

  // ---- Memory -------------------------------------------------------------------------------------

  logic [Channels-1:0] in_reset, give_up;
  rest_t lists_rest;
  window_request_t copy_request;
  window_response_t copy_response;
  tsr_dma_ports #(
    .Config(Config)
  ) u_ports (
    .clk_i     (aclk),
    .rst_ni    (aresetn),
    .tick_i    (global_orders.tick),
    .quiesce_i (global_orders.quiesce),
    .setting_i (setting),
    .levels_i  (levels),
    .fault_o   (faults),
    .in_reset_o(in_reset),
    .give_up_o (give_up),
    .view_o    (port_view),
    .stream_o  (stream_orders),
    .stream_i  (stream_state),
    .control_o (control),
    .state_i   (port_state),
    .fault_i   (port_fault),
    .owed_i    (owed),
    .lists_i   (lists_rest),
    .rest_o    (global_state.rest),
    .stray_o   (global_state.stray),
    .request_i (outer),
    .answer_o  (windows_answer),
    .window_o  (window_request),
    .window_i  (window_response),
    .copy_o    (copy_request),
    .copy_i    (copy_response)
  );

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
  logic [Ports-1:0][1:0] port_failed;
  for (genvar p = 0; p < Ports; p++) begin : gen_failed
    assign port_failed[p] = {port_state[p][1].failed, port_state[p][0].failed};
  end
  tsr_onchip #(
    .Enable     (OnChipSize != 0),
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
    .failed_i      (port_failed),
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
    .inject_i      (global_orders.inject),
    .injected_o    (global_state.injected),
    .event_o       (global_state.onchip)
  );
  for (genvar p = 0; p < Ports; p++) begin : gen_port
    `TSR_AXI_RD_PINS(m_axi, p, [p], DataBytes, memory_rd_req[p], memory_rd_rsp[p])
    `TSR_AXI_WR_PINS(m_axi, p, [p], DataBytes, memory_wr_req[p], memory_wr_rsp[p])
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
  tsr_dma_lists #(
    .Config   (Config),
    .ListWidth(ListWidth),
    .Ahead    (Ahead),
    .IdWidth  (IdWidth)
  ) u_lists (
    .clk_i         (aclk),
    .rst_ni        (aresetn),
    .tick_i        (global_orders.tick),
    .quiesce_i     (global_orders.quiesce),
    .rest_o        (lists_rest),
    .request_i     (outer),
    .answer_o      (lists_answer),
    .window_i      (copy_request),
    .window_o      (copy_response),
    .in_reset_i    (in_reset),
    .give_up_i     (give_up),
    .list_i        (list_order),
    .list_o        (list_state),
    .lists_i       (to_lists),
    .lists_o       (from_lists),
    .report_i      (report),
    .report_o      (list_report),
    .attr_channel_o(attr_channel[2*Ports]),
    .attr_i        (attr[2*Ports]),
    .rd_o          (list_rd_req),
    .rd_i          (list_rd_rsp),
    .wr_o          (list_wr_req),
    .wr_i          (list_wr_rsp)
  );

  // ---- Counters -----------------------------------------------------------------------------------

  tsr_dma_counters #(
    .Config(Config)
  ) u_counters (
    .clk_i        (aclk),
    .rst_ni       (aresetn),
    .request_i    (outer),
    .answer_o     (counters_answer),
    .global_i     (global_orders),
    .levels_i     (levels),
    .stream_i     (stream_state),
    .port_i       (port_event),
    .event_i      (report.channel),
    .event_valid_i(report.event_valid)
  );

  logic unused_pins;
  assign unused_pins = ^{s_axil_awprot, s_axil_arprot};

endmodule
