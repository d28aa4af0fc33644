// Tessera as an IP: read and write channels that software programs, between AXI4 memory and AXI4-Streams.
//
// Wiring only. Pins are flat vectors: stream i of the read channels is slice i of m_axis_*, port p of the
// memory slice p of m_axi_*. What software sees: docs/programming.md; what parameters cost and how to
// choose them: docs/fabric.md and docs/integration.md.
`include "tsr_assert.svh"
`include "tsr_types.svh"
`include "tsr_pins.svh"
`include "tsr_list_types.svh"
module tessera_dma
  import tsr_pkg::*;
  import tsr_fabric_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_register_pkg::*;
  import tsr_dma_pkg::*;
#(
  parameter int unsigned Reads = 1,  // 1..16
  parameter int unsigned Writes = 1,  // 1..16
  parameter int unsigned Ports = 1,  // divides Reads and Writes
  parameter int unsigned AddrWidth = 64,  // 32..64
  parameter int unsigned DataWidth = 64,  // 32..1024, a power of two
  parameter int unsigned StreamWidth = 64,  // 8..1024, a power of two
  parameter int unsigned MaxBurst = 64,  // beats in one burst, 1..256
  parameter int unsigned Outstanding = 64,  // bursts of a channel in flight, 1..128
  parameter int unsigned RoomBeats = 256,  // read data that a channel can hold
  parameter int unsigned StoreBeats = 256,  // write data that a channel can hold
  parameter int unsigned FlightBeats = 256,  // read data asked for on a port
  parameter int unsigned AheadBursts = 2,
  parameter int unsigned FlightBursts = 64,
  parameter bit OneId = 1'b0,
  parameter bit Cut = 1'b0,
  parameter bit Guard = 1'b1,
  parameter int unsigned Silence = 4096,
  parameter int unsigned StreamSilence = 0,
  parameter int unsigned Windows = 0,  // of a channel, 0..16; 0: everything is permitted
  parameter bit Walk = 1'b1,
  parameter bit Bounds = 1'b1,
  parameter int unsigned Descriptors = 16,  // 1..256
  parameter bit Dealt = 1'b0,  // a channel has its part of them, and no other
  parameter int unsigned TaskDepth = 4,  // a power of two, 2..16
  parameter int unsigned RecordDepth = 8,  // a power of two, 2..16
  parameter int unsigned Slots = 1,  // transfers loaded ahead of an engine, a power of two
  parameter int unsigned Locks = 16,  // 0..64
  parameter bit EqualTakes = 1'b0,
  parameter bit Lists = 1'b0,  // descriptors in memory, through m_axi_list
  parameter int unsigned ListWidth = 64,  // of m_axi_list, 64..512
  parameter int unsigned ListSlots = 16,  // parts of 64 bytes that a channel fetches ahead
  parameter bit Triggers = 1'b0,
  parameter int unsigned TriggerStages = 2,  // synchronisers of trigger_in, 0: of this clock
  parameter bit Counters = 1'b0,  // of what each channel does
  parameter bit Tokens = 1'b0,  // task-complete tokens on m_axis_token
  parameter bit ControlPackets = 1'b0,  // on s_axis_control
  parameter bit ControlHeaded = 1'b1,  // they begin with a stream header
  parameter bit ControlIncrements = 1'b1,  // the words of operation 0 go to consecutive addresses
  parameter logic [6:0] Column = '0,  // of tokens and responses: where the IP stands
  parameter logic [4:0] Row = '0,
  parameter bit Side = 1'b0,  // TDEST, TID and TUSER of the streams
  parameter bit Headers = 1'b0,  // packets that are sent may begin with a header; needs Side
  parameter bit OutOfOrder = 1'b0,  // headers of packets may choose descriptors
  parameter bit RouteDest = 1'b0,  // TDEST chooses the channel of packets on stream 0
  parameter int unsigned IdWidth = 4,
  parameter int unsigned StartWrites = 0,  // of registers, after reset
  localparam int unsigned StartPlaces = StartWrites == 0 ? 1 : StartWrites,
  parameter logic [StartPlaces*64-1:0] StartProgram = '0,  // address and data, the first one lowest
  localparam int unsigned Channels = Reads + Writes,
  localparam int unsigned DataBytes = DataWidth / 8,
  localparam int unsigned StreamBytes = StreamWidth < 8 ? 1 : StreamWidth / 8
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
  output logic [         AddrWidth-1:0] m_axi_list_araddr,
  output logic [                   7:0] m_axi_list_arlen,
  output logic [                   2:0] m_axi_list_arsize,
  output logic [                   1:0] m_axi_list_arburst,
  output logic [                   3:0] m_axi_list_arcache,
  output logic [                   2:0] m_axi_list_arprot,
  output logic [                   3:0] m_axi_list_arqos,
  output logic                          m_axi_list_arvalid,
  input  logic                          m_axi_list_arready,
  input  logic [         ListWidth-1:0] m_axi_list_rdata,
  input  logic [                   1:0] m_axi_list_rresp,
  input  logic                          m_axi_list_rlast,
  input  logic                          m_axi_list_rvalid,
  output logic                          m_axi_list_rready,
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
  input  logic [                   1:0] m_axi_list_bresp,
  input  logic                          m_axi_list_bvalid,
  output logic                          m_axi_list_bready,
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

  // The fabric, and the types at its ports.
  localparam bit Control = 1'b1;
  localparam int unsigned WeightWidth = FabricDefaults.WeightWidth;
  localparam int unsigned UserWidth = FabricDefaults.UserWidth;
  localparam fabric_config_t Config = `TSR_FABRIC_CONFIG;
  localparam type standing_t = `TSR_STANDING_T(Config);
  localparam type beat_t = `TSR_BEAT_T(StreamBytes);
  localparam type ax_t = `TSR_AX_T(Config);
  localparam type w_t = `TSR_W_T(Config);
  localparam type rd_port_req_t = `TSR_READ_PORT_REQ_T(ax_t);
  localparam type rd_port_rsp_t = `TSR_READ_PORT_RSP_T(Config);
  localparam type wr_port_req_t = `TSR_WRITE_PORT_REQ_T(ax_t, w_t);
  localparam type wr_port_rsp_t = `TSR_WRITE_PORT_RSP_T(Config);

  localparam features_t Features = '{
      one_id: OneId,
      equal_takes: EqualTakes,
      guard: Guard,
      lists: Lists,
      tokens: Tokens,
      control_packets: ControlPackets,
      counters: Counters,
      triggers: Triggers,
      packet_headers: Headers,
      out_of_order: OutOfOrder,
      dest_routing: RouteDest,
      side: Side,
      dealt: Dealt,
      control_headed: ControlPackets && ControlHeaded,
      control_increments: ControlPackets && ControlIncrements,
      bounds: Bounds,
      walk: Walk,
      default: '0
  };

  localparam dma_config_t Program = '{
      Reads: Reads + 32'd0,
      Writes: Writes + 32'd0,
      Ports: Ports + 32'd0,
      AddrWidth: AddrWidth + 32'd0,
      DataWidth: DataWidth + 32'd0,
      StreamWidth: StreamWidth + 32'd0,
      MaxBurst: MaxBurst + 32'd0,
      Outstanding: Outstanding + 32'd0,
      Silence: Silence + 32'd0,
      StreamSilence: StreamSilence + 32'd0,
      Windows: Windows + 32'd0,
      Descriptors: Descriptors + 32'd0,
      TaskDepth: TaskDepth + 32'd0,
      RecordDepth: RecordDepth + 32'd0,
      Slots: Slots + 32'd0,
      Locks: Locks + 32'd0,
      ListWidth: ListWidth + 32'd0,
      ListSlots: ListSlots + 32'd0,
      TriggerStages: TriggerStages + 32'd0,
      Features: Features,
      Column: Column,
      Row: Row
  };
  localparam type list_ax_t = `TSR_LIST_AX_T(AddrWidth);
  localparam type list_req_t = `TSR_LIST_REQ_T(list_ax_t, ListWidth);
  localparam type list_rsp_t = `TSR_LIST_RSP_T(ListWidth);

  `TSR_STATIC_ASSERT(TaskDepth, TaskDepth >= 2 && TaskDepth <= 16 && $onehot(TaskDepth),
                     ("TaskDepth = %0d; legal is 2, 4, 8 or 16", TaskDepth))
  `TSR_STATIC_ASSERT(RecordDepth, RecordDepth >= 2 && RecordDepth <= 16 && $onehot(RecordDepth),
                     ("RecordDepth = %0d; legal is 2, 4, 8 or 16", RecordDepth))
  `TSR_STATIC_ASSERT(Slots, Slots >= 1 && Slots <= 16 && $onehot(Slots),
                     ("Slots = %0d; legal is 1, 2, 4, 8 or 16", Slots))
  `TSR_STATIC_ASSERT(Headers, !Headers || Side,
                     ("Headers = %0d; legal is 0 where Side is 0", Headers))

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
    .ControlPackets   (ControlPackets),
    .ControlHeaded    (ControlHeaded),
    .ControlIncrements(ControlIncrements),
    .Column           (Column),
    .Row              (Row),
    .StartWrites      (StartWrites),
    .StartProgram     (StartProgram)
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

  // ---- Programs ---------------------------------------------------------------------------------

  channel_setup_t [Channels-1:0] setup;
  transfer_t [Channels-1:0] transfer;
  header_request_t [Channels-1:0] header;
  side_t [Channels-1:0] side;
  side_t [Writes-1:0] done_side;
  receive_control_t [Writes-1:0] receive;
  receive_state_t [Writes-1:0] receive_state;
  logic [Writes-1:0] id_take;
  logic misrouted;
  done_t [Channels-1:0] done;
  channel_state_t [Channels-1:0] state;
  channel_request_t [Channels-1:0] asked;
  channel_status_t [Channels-1:0] status;
  denied_t [Channels-1:0] refused;
  standing_t [Channels-1:0] standing;
  logic [Channels-1:0] valid, ready, done_valid, done_ready, idle, denied;
  logic quiesce, tick, window_refused;
  logic [Ports-1:0] rd_stray, wr_stray;
  stream_events_t [Channels-1:0] stream;
  bus_events_t [Channels-1:0] bus;
  rest_t rest;
  window_set_t window_set;
  list_req_t list_req;
  list_rsp_t list_rsp;
  window_t [Channels-1:0][(Windows == 0 ? 1 : Windows)-1:0] windows;

  tsr_dma_program #(
    .Config(Program)
  ) u_program (
    .clk_i           (aclk),
    .rst_ni          (aresetn),
    .request_i       (request),
    .valid_i         (request_valid),
    .ready_o         (request_ready),
    .answer_o        (answer),
    .start_refused_i (start_refused),
    .packets_o       (packets),
    .packet_errors_i (packet_errors),
    .packet_clear_o  (packet_clear),
    .setup_o         (setup),
    .asked_o         (asked),
    .transfer_o      (transfer),
    .valid_o         (valid),
    .ready_i         (ready),
    .header_o        (header),
    .side_o          (side),
    .done_i          (done),
    .done_side_i     (done_side),
    .done_valid_i    (done_valid),
    .done_ready_o    (done_ready),
    .state_i         (state),
    .idle_i          (idle),
    .denied_i        (denied),
    .receive_o       (receive),
    .receive_i       (receive_state),
    .id_take_o       (id_take),
    .quiesce_o       (quiesce),
    .tick_o          (tick),
    .quiet_i         (rest.quiet),
    .timed_out_i     (rest.timed_out),
    .misrouted_i     (misrouted),
    .rd_stray_i      (rd_stray),
    .wr_stray_i      (wr_stray),
    .stream_i        (stream),
    .bus_i           (bus),
    .window_set_o    (window_set),
    .window_refused_i(window_refused),
    .window_i        (windows),
    .pins_i          (trigger_in),
    .event_transfer_o(event_transfer),
    .event_task_o    (event_task),
    .token_tdata_o   (m_axis_token_tdata),
    .token_tlast_o   (m_axis_token_tlast),
    .token_tvalid_o  (m_axis_token_tvalid),
    .token_tready_i  (m_axis_token_tready),
    .irq_o           (irq),
    .irq_channel_o   (irq_channel),
    .list_o          (list_req),
    .list_i          (list_rsp)
  );

  // ---- Engines ----------------------------------------------------------------------------------

  // What stands in front of an engine may take back what it shows.
  logic [Writes-1:0] excuse;
  for (genvar i = 0; i < Writes; i++) begin : gen_excuses
    assign excuse[i] = receive[i].retakes;
  end
  for (genvar c = 0; c < Channels; c++) begin : gen_levels
    assign standing[c] = '{weight: setup[c].weight, attr: setup[c].attr, user: '0};
    assign state[c]    = status[c].state;
    assign idle[c]     = status[c].idle;
    assign denied[c]   = refused[c].valid;
  end

  beat_t [Reads-1:0] rd_beat;
  side_t [Reads-1:0] rd_side;
  side_t [Writes-1:0] in_side, wr_side;
  beat_t [Writes-1:0] in_beat, wr_beat;
  logic [Writes-1:0] wr_beat_valid, wr_beat_ready;
  rd_port_req_t [Ports-1:0] rd_port_req;
  rd_port_rsp_t [Ports-1:0] rd_port_rsp;
  wr_port_req_t [Ports-1:0] wr_port_req;
  wr_port_rsp_t [Ports-1:0] wr_port_rsp;

  tsr_channels #(
    .Reads        (Reads),
    .Writes       (Writes),
    .Ports        (Ports),
    .AddrWidth    (AddrWidth),
    .DataWidth    (DataWidth),
    .StreamWidth  (StreamWidth),
    .MaxBurst     (MaxBurst),
    .Outstanding  (Outstanding),
    .RoomBeats    (RoomBeats),
    .StoreBeats   (StoreBeats),
    .FlightBeats  (FlightBeats),
    .AheadBursts  (AheadBursts),
    .FlightBursts (FlightBursts),
    .OneId        (OneId),
    .Cut          (Cut),
    .Control      (Control),
    .Guard        (Guard),
    .Silence      (Silence),
    .StreamSilence(StreamSilence),
    .Windows      (Windows),
    .Walk         (Walk),
    .Bounds       (Bounds),
    .Side         (Side),
    .Headers      (Headers),
    .Column       (Column),
    .Row          (Row),
    .IdWidth      (IdWidth),
    .WeightWidth  (WeightWidth),
    .UserWidth    (UserWidth)
  ) u_engines (
    .clk_i           (aclk),
    .rst_ni          (aresetn),
    .transfer_i      (transfer),
    .valid_i         (valid),
    .ready_o         (ready),
    .done_o          (done),
    .done_valid_o    (done_valid),
    .done_ready_i    (done_ready),
    .request_i       (asked),
    .status_o        (status),
    .denied_o        (refused),
    .standing_i      (standing),
    .side_i          (side),
    .header_i        (header),
    .done_side_o     (done_side),
    .rd_side_o       (rd_side),
    .rd_beat_o       (rd_beat),
    .rd_beat_valid_o (m_axis_tvalid),
    .rd_beat_ready_i (m_axis_tready),
    .wr_side_i       (wr_side),
    .wr_excuse_i     (excuse),
    .wr_beat_i       (wr_beat),
    .wr_beat_valid_i (wr_beat_valid),
    .wr_beat_ready_o (wr_beat_ready),
    .quiesce_i       (quiesce),
    .tick_i          (tick),
    .rest_o          (rest),
    .window_set_i    (window_set),
    .window_refused_o(window_refused),
    .windows_o       (windows),
    .rd_port_o       (rd_port_req),
    .rd_port_i       (rd_port_rsp),
    .wr_port_o       (wr_port_req),
    .wr_port_i       (wr_port_rsp),
    .rd_stray_o      (rd_stray),
    .wr_stray_o      (wr_stray),
    .events_o        (bus)
  );

  tsr_reception #(
    .Writes (Writes),
    .Bytes  (StreamBytes),
    .Route  (RouteDest),
    .Marks  (Side && Triggers),
    .Headers(OutOfOrder)
  ) u_reception (
    .clk_i      (aclk),
    .rst_ni     (aresetn),
    .side_i     (in_side),
    .beat_i     (in_beat),
    .valid_i    (s_axis_tvalid),
    .ready_o    (s_axis_tready),
    .misrouted_o(misrouted),
    .control_i  (receive),
    .state_o    (receive_state),
    .id_take_i  (id_take),
    .side_o     (wr_side),
    .beat_o     (wr_beat),
    .valid_o    (wr_beat_valid),
    .ready_i    (wr_beat_ready)
  );
  for (genvar c = 0; c < Reads; c++) begin : gen_watch_read
    tsr_stream_watch #(
      .Counts(Counters),
      .Bytes (StreamBytes)
    ) u_watch (
      .clk_i   (aclk),
      .rst_ni  (aresetn),
      .tkeep_i (rd_beat[c].keep),
      .tlast_i (rd_beat[c].last),
      .tvalid_i(m_axis_tvalid[c]),
      .tready_i(m_axis_tready[c]),
      .events_o(stream[c])
    );
  end
  for (genvar c = 0; c < Writes; c++) begin : gen_watch_write
    tsr_stream_watch #(
      .Counts(Counters),
      .Bytes (StreamBytes)
    ) u_watch (
      .clk_i   (aclk),
      .rst_ni  (aresetn),
      .tkeep_i (wr_beat[c].keep),
      .tlast_i (wr_beat[c].last),
      .tvalid_i(wr_beat_valid[c]),
      .tready_i(wr_beat_ready[c]),
      .events_o(stream[Reads+c])
    );
  end

  // ---- Types at the pins ------------------------------------------------------------------------

  for (genvar i = 0; i < Reads; i++) begin : gen_rd_stream
    assign m_axis_tdata[i*StreamWidth+:StreamWidth] = rd_beat[i].data;
    assign m_axis_tkeep[i*StreamBytes+:StreamBytes] = rd_beat[i].keep;
    assign m_axis_tlast[i] = rd_beat[i].last;
    assign m_axis_tdest[i*8+:8] = rd_side[i].dest;
    assign m_axis_tid[i*8+:8] = rd_side[i].id;
    assign m_axis_tuser[i*16+:16] = rd_side[i].user;
  end
  for (genvar i = 0; i < Writes; i++) begin : gen_wr_stream
    assign in_side[i] = '{
            user: s_axis_tuser[i*16+:16],
            id: s_axis_tid[i*8+:8],
            dest: s_axis_tdest[i*8+:8]
        };
    assign in_beat[i] = '{
            last: s_axis_tlast[i],
            keep: s_axis_tkeep[i*StreamBytes+:StreamBytes],
            data: s_axis_tdata[i*StreamWidth+:StreamWidth]
        };
  end
  for (genvar p = 0; p < Ports; p++) begin : gen_port
    assign m_axi_arid[p*IdWidth+:IdWidth] = rd_port_req[p].ar.id;
    assign m_axi_araddr[p*AddrWidth+:AddrWidth] = rd_port_req[p].ar.addr;
    assign m_axi_arlen[p*8+:8] = rd_port_req[p].ar.len;
    assign m_axi_arsize[p*3+:3] = rd_port_req[p].ar.size;
    assign m_axi_arburst[p*2+:2] = rd_port_req[p].ar.burst;
    assign m_axi_arcache[p*4+:4] = rd_port_req[p].ar.attr.cache;
    assign m_axi_arprot[p*3+:3] = rd_port_req[p].ar.attr.prot;
    assign m_axi_arqos[p*4+:4] = rd_port_req[p].ar.attr.qos;
    assign m_axi_arvalid[p] = rd_port_req[p].ar_valid;
    assign m_axi_rready[p] = rd_port_req[p].r_ready;
    assign rd_port_rsp[p] = '{
            ar_ready: m_axi_arready[p],
            r_id: m_axi_rid[p*IdWidth+:IdWidth],
            r_data: m_axi_rdata[p*DataWidth+:DataWidth],
            r: '{resp: m_axi_rresp[p*2+:2], last: m_axi_rlast[p]},
            r_valid: m_axi_rvalid[p]
        };
    assign m_axi_awid[p*IdWidth+:IdWidth] = wr_port_req[p].aw.id;
    assign m_axi_awaddr[p*AddrWidth+:AddrWidth] = wr_port_req[p].aw.addr;
    assign m_axi_awlen[p*8+:8] = wr_port_req[p].aw.len;
    assign m_axi_awsize[p*3+:3] = wr_port_req[p].aw.size;
    assign m_axi_awburst[p*2+:2] = wr_port_req[p].aw.burst;
    assign m_axi_awcache[p*4+:4] = wr_port_req[p].aw.attr.cache;
    assign m_axi_awprot[p*3+:3] = wr_port_req[p].aw.attr.prot;
    assign m_axi_awqos[p*4+:4] = wr_port_req[p].aw.attr.qos;
    assign m_axi_awvalid[p] = wr_port_req[p].aw_valid;
    assign m_axi_wdata[p*DataWidth+:DataWidth] = wr_port_req[p].w.data;
    assign m_axi_wstrb[p*DataBytes+:DataBytes] = wr_port_req[p].w.strb;
    assign m_axi_wlast[p] = wr_port_req[p].w.last;
    assign m_axi_wvalid[p] = wr_port_req[p].w_valid;
    assign m_axi_bready[p] = wr_port_req[p].b_ready;
    assign wr_port_rsp[p] = '{
            aw_ready: m_axi_awready[p],
            w_ready: m_axi_wready[p],
            b_id: m_axi_bid[p*IdWidth+:IdWidth],
            b_resp: m_axi_bresp[p*2+:2],
            b_valid: m_axi_bvalid[p]
        };
  end

  assign m_axi_list_araddr = list_req.ar.addr;
  assign m_axi_list_arlen = list_req.ar.len;
  assign m_axi_list_arsize = 3'($clog2(ListWidth / 8));
  assign m_axi_list_arburst = BurstIncr;
  assign m_axi_list_arcache = list_req.ar.attr.cache;
  assign m_axi_list_arprot = list_req.ar.attr.prot;
  assign m_axi_list_arqos = list_req.ar.attr.qos;
  assign m_axi_list_arvalid = list_req.ar_valid;
  assign m_axi_list_rready = list_req.r_ready;
  assign m_axi_list_awaddr = list_req.aw.addr;
  assign m_axi_list_awlen = list_req.aw.len;
  assign m_axi_list_awsize = 3'($clog2(ListWidth / 8));
  assign m_axi_list_awburst = BurstIncr;
  assign m_axi_list_awcache = list_req.aw.attr.cache;
  assign m_axi_list_awprot = list_req.aw.attr.prot;
  assign m_axi_list_awqos = list_req.aw.attr.qos;
  assign m_axi_list_awvalid = list_req.aw_valid;
  assign m_axi_list_wdata = list_req.w_data;
  assign m_axi_list_wstrb = list_req.w_strb;
  assign m_axi_list_wlast = list_req.w_last;
  assign m_axi_list_wvalid = list_req.w_valid;
  assign m_axi_list_bready = list_req.b_ready;
  assign list_rsp = '{
          ar_ready: m_axi_list_arready,
          r_data: m_axi_list_rdata,
          r: '{resp: m_axi_list_rresp, last: m_axi_list_rlast},
          r_valid: m_axi_list_rvalid,
          aw_ready: m_axi_list_awready,
          w_ready: m_axi_list_wready,
          b_resp: m_axi_list_bresp,
          b_valid: m_axi_list_bvalid
      };

  // The rest of the setup stays in the program.
  logic unused_setup, unused_fabric;
  assign unused_setup  = ^setup;
  assign unused_fabric = ^{status, refused, rd_port_req, wr_port_req};

endmodule
