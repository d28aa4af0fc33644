// The DMA of an AI Engine-ML tile as an IP: the registers and semantics of the original, over AXI4 memory.
//
// Wiring only. Image chooses the memory tile, the shim or the compute tile. Pins are flat vectors: stream i
// of MM2S is slice i of m_axis_*, of S2MM slice i of s_axis_*, port p of the memory slice p of m_axi_*. What
// software sees, and in what it differs from the original: docs/aieml/aieml_ip.md and docs/aieml/aieml.md.
`include "tsr_assert.svh"
`include "tsr_types.svh"
`include "tsr_port_types.svh"
`include "tsr_pins.svh"
module tessera_aieml
  import tsr_descriptor_pkg::*;
  import tsr_pkg::*;
  import tsr_fabric_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_register_pkg::*;
  import tsr_program_pkg::*;
  import tsr_port_pkg::*;
  import tsr_aieml_pkg::*;
#(
  // Parameters: made by scripts/parameters.
  parameter int unsigned Image = 0,  // 0 memory tile, 1 shim, 2 compute tile
  parameter int unsigned Ports = 1,  // AXI4 ports, each shared by an equal part of the channels
  parameter int unsigned AddrWidth = 64,  // bits of an address of m_axi
  parameter int unsigned DataWidth = 128,  // bits of a memory port
  // Bits of each stream; above 32 some functions are absent.
  parameter int unsigned StreamWidth = 32,
  parameter int unsigned MaxBurst = 16,  // beats of a burst, at most, and at most 4 KiB
  parameter int unsigned Outstanding = 32,  // bursts in flight on a port, reads and writes each
  // Beats of read data that a channel can hold where several share a port: rounded up to a power of
  // two that holds two bursts and 6 beats.
  parameter int unsigned RoomBeats = 64,
  // Beats of write data that a channel can hold: rounded up to a power of two that holds two
  // bursts.
  parameter int unsigned StoreBeats = 32,
  parameter bit Guard = 1'b0,  // faults of memories are found and contained
  // Cycles after which a memory that does not answer is a fault.
  parameter int unsigned Silence = 4096,
  // With Guard: cycles after which a stream that keeps a channel waiting is a fault; 0: never.
  parameter int unsigned StreamSilence = 0,
  parameter bit EqualTakes = 1'b0,  // an acquire of an equal value subtracts it
  parameter bit PadIncoming = 1'b0,  // padding of an S2MM descriptor drops words
  parameter bit ControlHeaded = 1'b0,  // control packets begin with a stream header
  // The words of operation 0 of a control packet go to consecutive addresses.
  parameter bit ControlIncrements = 1'b1,
  parameter logic [63:0] LocalBase = 64'h8_0000,  // address of the tile's memory after reset
  // Memory tile: address of the western neighbour's memory after reset.
  parameter logic [63:0] WestBase = 64'h0,
  // Memory tile: address of the eastern neighbour's memory after reset.
  parameter logic [63:0] EastBase = 64'h0010_0000,
  parameter bit West = 1'b0,  // memory tile: there is a western neighbour
  parameter bit East = 1'b0,  // memory tile: there is an eastern neighbour
  parameter logic [6:0] Column = '0,  // of tokens, headers and responses: where the tile stands
  parameter logic [4:0] Row = '0,  // as Column
  // Bits of the AXI IDs of a memory port: all channels use one, and another one behind a fault.
  parameter int unsigned IdWidth = 4,
  // End of parameters.
  localparam image_t Tile = image_of(Image),
  localparam int unsigned N = Tile.Channels,
  localparam int unsigned DataBytes = DataWidth / 8,
  localparam int unsigned StreamBytes = StreamWidth / 8,
  localparam int unsigned BesideBits = $bits(aieml_beside_t)
) (
  input  logic                       aclk,
  input  logic                       aresetn,
  // Registers.
  input  logic [        BusBits-1:0] s_axil_awaddr,
  input  logic [                2:0] s_axil_awprot,
  input  logic                       s_axil_awvalid,
  output logic                       s_axil_awready,
  input  logic [               31:0] s_axil_wdata,
  input  logic [                3:0] s_axil_wstrb,
  input  logic                       s_axil_wvalid,
  output logic                       s_axil_wready,
  output logic [                1:0] s_axil_bresp,
  output logic                       s_axil_bvalid,
  input  logic                       s_axil_bready,
  input  logic [        BusBits-1:0] s_axil_araddr,
  input  logic [                2:0] s_axil_arprot,
  input  logic                       s_axil_arvalid,
  output logic                       s_axil_arready,
  output logic [               31:0] s_axil_rdata,
  output logic [                1:0] s_axil_rresp,
  output logic                       s_axil_rvalid,
  input  logic                       s_axil_rready,
  // Memory. ARSIZE and AWSIZE are the full width, ARBURST and AWBURST are INCR; AxUSER is SMID.
  output logic [  Ports*IdWidth-1:0] m_axi_arid,
  output logic [Ports*AddrWidth-1:0] m_axi_araddr,
  output logic [        Ports*8-1:0] m_axi_arlen,
  output logic [        Ports*3-1:0] m_axi_arsize,
  output logic [        Ports*2-1:0] m_axi_arburst,
  output logic [        Ports*4-1:0] m_axi_arcache,
  output logic [        Ports*3-1:0] m_axi_arprot,
  output logic [        Ports*4-1:0] m_axi_arqos,
  output logic [        Ports*4-1:0] m_axi_aruser,
  output logic [          Ports-1:0] m_axi_arvalid,
  input  logic [          Ports-1:0] m_axi_arready,
  input  logic [  Ports*IdWidth-1:0] m_axi_rid,
  input  logic [Ports*DataWidth-1:0] m_axi_rdata,
  input  logic [        Ports*2-1:0] m_axi_rresp,
  input  logic [          Ports-1:0] m_axi_rlast,
  input  logic [          Ports-1:0] m_axi_rvalid,
  output logic [          Ports-1:0] m_axi_rready,
  output logic [  Ports*IdWidth-1:0] m_axi_awid,
  output logic [Ports*AddrWidth-1:0] m_axi_awaddr,
  output logic [        Ports*8-1:0] m_axi_awlen,
  output logic [        Ports*3-1:0] m_axi_awsize,
  output logic [        Ports*2-1:0] m_axi_awburst,
  output logic [        Ports*4-1:0] m_axi_awcache,
  output logic [        Ports*3-1:0] m_axi_awprot,
  output logic [        Ports*4-1:0] m_axi_awqos,
  output logic [        Ports*4-1:0] m_axi_awuser,
  output logic [          Ports-1:0] m_axi_awvalid,
  input  logic [          Ports-1:0] m_axi_awready,
  output logic [Ports*DataWidth-1:0] m_axi_wdata,
  output logic [Ports*DataBytes-1:0] m_axi_wstrb,
  output logic [          Ports-1:0] m_axi_wlast,
  output logic [          Ports-1:0] m_axi_wvalid,
  input  logic [          Ports-1:0] m_axi_wready,
  input  logic [  Ports*IdWidth-1:0] m_axi_bid,
  input  logic [        Ports*2-1:0] m_axi_bresp,
  input  logic [          Ports-1:0] m_axi_bvalid,
  output logic [          Ports-1:0] m_axi_bready,
  // Streams.
  output logic [  N*StreamWidth-1:0] m_axis_tdata,
  output logic [  N*StreamBytes-1:0] m_axis_tkeep,
  output logic [              N-1:0] m_axis_tlast,
  output logic [              N-1:0] m_axis_tvalid,
  input  logic [              N-1:0] m_axis_tready,
  input  logic [  N*StreamWidth-1:0] s_axis_tdata,
  input  logic [  N*StreamBytes-1:0] s_axis_tkeep,
  input  logic [              N-1:0] s_axis_tlast,
  input  logic [              N-1:0] s_axis_tvalid,
  output logic [              N-1:0] s_axis_tready,
  // Task-complete tokens: packets of one word.
  output logic [               31:0] m_axis_token_tdata,
  output logic                       m_axis_token_tlast,
  output logic                       m_axis_token_tvalid,
  input  logic                       m_axis_token_tready,
  // Control packets: they read and write registers; responses to reads.
  input  logic [               31:0] s_axis_control_tdata,
  input  logic                       s_axis_control_tlast,
  input  logic                       s_axis_control_tvalid,
  output logic                       s_axis_control_tready,
  output logic [               31:0] m_axis_response_tdata,
  output logic                       m_axis_response_tlast,
  output logic                       m_axis_response_tvalid,
  input  logic                       m_axis_response_tready,
  // Locks of a memory tile and its neighbours: out joins in of the tile on that side.
  input  logic [     BesideBits-1:0] west_in,
  output logic [     BesideBits-1:0] west_out,
  input  logic [     BesideBits-1:0] east_in,
  output logic [     BesideBits-1:0] east_out,
  // Channels with a task in hand or a reset that is not over, MM2S first; and the interrupt.
  output logic [            2*N-1:0] active,
  output logic                       irq
);

  // Legal values: made by scripts/parameters.
  `TSR_STATIC_ASSERT(Image, Image <= 2, ("Image = %0d; legal is an integer from 0 to 2", Image))
  `TSR_STATIC_ASSERT(Ports, Ports >= 1 && Ports <= 6,
                     ("Ports = %0d; legal is an integer from 1 to 6", Ports))
  `TSR_STATIC_ASSERT(PortsRule0, Ports <= 2 || (Image == 0 && (Ports == 3 || Ports == 6)),
                     ("Ports = %0d; legal is 1 or 2, of a memory tile also 3 and 6", Ports))
  `TSR_STATIC_ASSERT(AddrWidth, AddrWidth >= 32 && AddrWidth <= 64,
                     ("AddrWidth = %0d; legal is an integer from 32 to 64", AddrWidth))
  `TSR_STATIC_ASSERT(AddrWidthRule0, AddrWidth >= 48 || Image != 1,
                     ("AddrWidth = %0d; legal is 48 to 64 of a shim", AddrWidth))
  `TSR_STATIC_ASSERT(DataWidth, DataWidth >= 32 && DataWidth <= 1024 && $onehot(DataWidth),
                     ("DataWidth = %0d; legal is one of 32, 64, 128, 256, 512, 1024", DataWidth))
  `TSR_STATIC_ASSERT(
      StreamWidth, StreamWidth >= 32 && StreamWidth <= 1024 && $onehot(StreamWidth),
      ("StreamWidth = %0d; legal is one of 32, 64, 128, 256, 512, 1024", StreamWidth))
  `TSR_STATIC_ASSERT(MaxBurst, MaxBurst >= 2 && MaxBurst <= 256 && $onehot(MaxBurst),
                     ("MaxBurst = %0d; legal is one of 2, 4, 8, 16, 32, 64, 128, 256", MaxBurst))
  `TSR_STATIC_ASSERT(Outstanding, Outstanding >= 8 && Outstanding <= 128 && $onehot(Outstanding),
                     ("Outstanding = %0d; legal is one of 8, 16, 32, 64, 128", Outstanding))
  `TSR_STATIC_ASSERT(RoomBeats, RoomBeats >= 2 && RoomBeats <= 4096,
                     ("RoomBeats = %0d; legal is an integer from 2 to 4096", RoomBeats))
  `TSR_STATIC_ASSERT(StoreBeats, StoreBeats >= 2 && StoreBeats <= 4096,
                     ("StoreBeats = %0d; legal is an integer from 2 to 4096", StoreBeats))
  `TSR_STATIC_ASSERT(Silence, Silence >= 64 && Silence <= 1048576,
                     ("Silence = %0d; legal is an integer from 64 to 1048576", Silence))
  `TSR_STATIC_ASSERT(StreamSilence, StreamSilence <= 1048576,
                     ("StreamSilence = %0d; legal is an integer from 0 to 1048576", StreamSilence))
  `TSR_STATIC_ASSERT(StreamSilenceRule0, StreamSilence != 1,
                     ("StreamSilence = %0d; legal is 0, or 2 and more", StreamSilence))
  `TSR_STATIC_ASSERT(IdWidth, IdWidth >= 1 && IdWidth <= 16,
                     ("IdWidth = %0d; legal is an integer from 1 to 16", IdWidth))
  // End of legal values.

  localparam int unsigned Channels = 2 * N;
  localparam int unsigned Align = Image == ImageMemory ? 19 : 16;
  localparam aieml_window_t [2:0] Windows = '{
      '{base: EastBase[63:12], present: East && Image == ImageMemory},
      '{base: LocalBase[63:12], present: Image != ImageShim},
      '{base: WestBase[63:12], present: West && Image == ImageMemory}
  };

  localparam bit Bounds = Image == ImageMemory;
  localparam int unsigned BusLog = $clog2(DataBytes);
  localparam int unsigned PortChannels = N / Ports;
  localparam int unsigned RecordDepth = 8;
  // A burst has 4 KiB at most.
  localparam int unsigned PageBeats = 4096 / DataBytes;
  localparam int unsigned Burst = MaxBurst > PageBeats ? PageBeats : MaxBurst;
  localparam type beat_t = `TSR_BEAT_T(StreamBytes);
  // Addresses of the engine are those of the tile.
  localparam type ax_t = `TSR_PORT_AX_T(Tile.AddrWidth, IdWidth);
  localparam type bus_ax_t = `TSR_PORT_AX_T(AddrWidth, IdWidth);
  localparam type r_t = `TSR_PORT_R_T(DataBytes, IdWidth);
  localparam type w_t = `TSR_PORT_W_T(DataBytes);
  localparam type b_t = `TSR_PORT_B_T(IdWidth);
  localparam type rd_req_t = `TSR_PORT_RD_REQ_T(ax_t);
  localparam type rd_rsp_t = `TSR_PORT_RD_RSP_T(r_t);
  localparam type wr_req_t = `TSR_PORT_WR_REQ_T(ax_t, w_t);
  localparam type wr_rsp_t = `TSR_PORT_WR_RSP_T(b_t);
  localparam type bus_rd_req_t = `TSR_PORT_RD_REQ_T(bus_ax_t);
  localparam type bus_wr_req_t = `TSR_PORT_WR_REQ_T(bus_ax_t, w_t);
  function automatic int unsigned room(input int unsigned beats, input int unsigned least);
    return 32'd1 << $clog2(beats > least ? beats : least);
  endfunction

  // ---- Masters of the registers -----------------------------------------------------------------

  bus_request_t request;
  logic request_valid, request_ready, packets, check_last, unused_refused;
  bus_answer_t  answer;
  aieml_place_t place;
  logic [3:0] packet_errors, packet_clear;

  `TSR_AXIL_PINS
  logic unused_prot;
  assign unused_prot = ^{s_axil_awprot, s_axil_arprot};

  tsr_dma_front #(
    .ControlPackets (1'b1),
    .Headed         (ControlHeaded),
    .WriteIncrements(ControlIncrements),
    .AddrBits       (BusBits)
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
    .place_i        (place),
    .packets_i      ('{enable: packets, check_last: check_last, first: '0, last: '1}),
    .packet_errors_o(packet_errors),
    .packet_clear_i (packet_clear),
    .start_refused_o(unused_refused),
    .request_o      (request),
    .valid_o        (request_valid),
    .ready_i        (request_ready),
    .answer_i       (answer)
  );

  // ---- Programs ---------------------------------------------------------------------------------

  push_t push;
  sequencer_request_t sequencer_request;
  sequencer_answer_t sequencer_answer;
  orders_t [Channels-1:0] orders, engine_orders;
  channel_levels_t [Channels-1:0] levels;
  sequencer_event_t happened;
  channel_t end_channel, go_channel;
  lock_report_t lock_report;
  job_t job, prepare;
  list_row_t row;
  logic [127:0] shown;
  logic [7:0] controller;
  logic push_valid, push_ready, happened_valid, job_valid, job_ready;
  logic shown_ordered, shown_valid, prepare_valid, prepare_ready, row_valid, row_ready;
  logic token_valid, go_valid;
  axi_attr_t [Channels-1:0] attr;
  logic [Channels-1:0][3:0] smid;
  stream_events_t [Channels-1:0] stream;
  aieml_stage_t stage;
  logic [Channels-1:0][5:0] moved;
  logic [Channels-1:0] stage_valid, pause, pause_stream, resets, owed, stuck, faults;
  logic [Channels-1:0] token_waits;
  logic [Channels-1:0] rested;  // of a reset: nothing is under way
  receive_control_t [Channels-1:0] receive;
  receive_state_t [Channels-1:0] receive_state;
  aieml_window_t [2:0] window;

  tsr_aieml_program #(
    .Image      (Image),
    .DataWidth  (DataWidth),
    .StreamWidth(StreamWidth),
    .PadIncoming(PadIncoming),
    .Align      (Align),
    .Windows    (Windows),
    .Place      ('{column: Column, row: Row})
  ) u_program (
    .clk_i          (aclk),
    .rst_ni         (aresetn),
    .request_i      (request),
    .valid_i        (request_valid),
    .ready_o        (request_ready),
    .answer_o       (answer),
    .packet_errors_i(packet_errors),
    .packet_clear_o (packet_clear),
    .packets_o      (packets),
    .check_last_o   (check_last),
    .push_o         (push),
    .push_valid_o   (push_valid),
    .push_ready_i   (push_ready),
    .sequencer_o    (sequencer_request),
    .sequencer_i    (sequencer_answer),
    .orders_o       (orders),
    .levels_i       (levels),
    .rested_i       (rested),
    .event_i        (happened),
    .event_valid_i  (happened_valid),
    .token_channel_i(end_channel),
    .controller_o   (controller),
    .lock_report_i  (lock_report),
    .job_i          (job),
    .job_valid_i    (job_valid),
    .job_ready_o    (job_ready),
    .shown_o        (shown),
    .shown_ordered_o(shown_ordered),
    .shown_valid_o  (shown_valid),
    .prepare_o      (prepare),
    .prepare_valid_o(prepare_valid),
    .prepare_ready_i(prepare_ready),
    .row_o          (row),
    .row_valid_o    (row_valid),
    .row_ready_i    (row_ready),
    .pause_o        (pause),
    .pause_stream_o (pause_stream),
    .resets_o       (resets),
    .active_o       (active),
    .owed_i         (owed),
    .stuck_i        (stuck),
    .stream_i       (stream),
    .moved_i        (moved),
    .stage_o        (stage),
    .stage_valid_o  (stage_valid),
    .go_channel_i   (go_channel),
    .go_valid_i     (go_valid),
    .attr_o         (attr),
    .smid_o         (smid),
    .window_o       (window),
    .place_o        (place),
    .irq_o          (irq)
  );

  logic [31:0] token;
  aieml_place_t place_q, token_place;
  logic shown_q;
  tsr_token_queue #(
    .Reads   (N),
    .Writes  (N),
    .Flight  (RecordDepth),
    .Sender  (Image == ImageMemory ? 16 : 6),
    .Receiver(Image == ImageMemory ? 1 : 0)
  ) u_tokens (
    .clk_i       (aclk),
    .rst_ni      (aresetn),
    .channel_i   (end_channel),
    .controller_i(controller),
    .valid_i     (token_valid),
    .waits_o     (token_waits),
    .tdata_o     (token),
    .tlast_o     (m_axis_token_tlast),
    .tvalid_o    (m_axis_token_tvalid),
    .tready_i    (m_axis_token_tready)
  );

  // The queue writes place 0: the place goes in here, and into the parity. It stays while a token
  // waits.
  assign token_place = shown_q ? place_q : place;
  always_ff @(posedge aclk) begin
    if (!shown_q) place_q <= place;
    shown_q <= aresetn && m_axis_token_tvalid && !m_axis_token_tready;
  end
  logic unused_token;
  assign m_axis_token_tdata = {token[31] ^ ^token_place, token[30:28], token_place, token[15:0]};
  assign unused_token = ^token[27:16];

  // ---- Neighbours -------------------------------------------------------------------------------

  far_request_t far_request;
  far_answer_t  far_answer;
  if (Image == ImageMemory) begin : gen_neighbours
    tsr_aieml_neighbours u_neighbours (
      .clk_i   (aclk),
      .rst_ni  (aresetn),
      .far_i   (far_request),
      .far_o   (far_answer),
      .report_i(lock_report),
      .beside_i({east_in, west_in}),
      .beside_o({east_out, west_out})
    );
  end else begin : gen_alone
    logic unused_neighbours;
    assign unused_neighbours    = ^{far_request, west_in, east_in};
    assign far_answer           = '0;
    assign {east_out, west_out} = '0;
  end

  // ---- Engine -----------------------------------------------------------------------------------

  rd_req_t [Ports-1:0] rd_req;
  rd_rsp_t [Ports-1:0] rd_rsp;
  wr_req_t [Ports-1:0] wr_req;
  wr_rsp_t [Ports-1:0] wr_rsp;
  port_control_t [Ports-1:0][1:0] control;
  port_state_t [Ports-1:0][1:0] port_state;
  port_fault_t [Ports-1:0][1:0] port_fault;
  port_event_t [Ports-1:0][1:0] port_event;
  window_response_t [Ports-1:0][1:0] window_response;
  channel_t [Ports-1:0][1:0] attr_channel;
  axi_attr_t [Ports-1:0][1:0] burst_attr;
  localparam int unsigned Parts = DataBytes > StreamBytes ? DataBytes / StreamBytes : 1;
  localparam type read_beat_t = `TSR_READ_BEAT_T(DataBytes, $clog2(RecordDepth));
  localparam type write_beat_t = `TSR_WRITE_BEAT_T(DataBytes, Parts);
  read_beat_t  [N-1:0] read_beat;
  write_beat_t [N-1:0] write_beat;
  logic [N-1:0] engine_valid, engine_ready, write_valid;
  logic [N-1:0] write_ready, write_takes;
  // A record with any of these stops the channel; an abort is wanted.
  localparam logic [6:0] StopOn = 7'b1011111;

  logic access_ready, access_error, again_valid, beside_valid;
  logic [31:0] access_data;
  logic [127:0] unused_shown;
  to_lists_t to_lists;
  from_lists_t from_lists;
  beside_t beside;
  list_order_t [Channels-1:0] list_order;
  logic [Channels-1:0] trigger_take;
  always_comb begin
    engine_orders = orders;
    for (int unsigned c = 0; c < Channels; c++) begin
      engine_orders[c].pause       = pause[c];
      engine_orders[c].fault       = faults[c];
      engine_orders[c].trigger     = 1'b1;
      engine_orders[c].token_waits = token_waits[c];
      engine_orders[c].receive     = receive_state[c];
    end
  end

  assign from_lists = '{head: '0, entry_ready: 1'b1, row: row, row_valid: row_valid};
  assign row_ready  = to_lists.row_ready;

  tsr_dma_engine #(
    .Reads(N),
    .Writes(N),
    .Ports(Ports),
    .AddrWidth(Tile.AddrWidth),
    .BusLog(BusLog),
    .MaxBurst(Burst),
    .Outstanding(Outstanding),
    .ReadBufferBeats(PortChannels == 1 ? 32 : room(RoomBeats, 2 * Burst + 6)),
    .WriteBufferBeats(room(StoreBeats, 2 * Burst)),
    .Walk(1'b0),
    .Bounds(Bounds),
    .Descriptors(1),
    .Places(4),
    .TaskDepth(8),
    .RecordDepth(RecordDepth),
    .Locks(Tile.Locks),
    .EqualTakes(EqualTakes),
    .OutOfOrder(StreamWidth == 32),  // headers are a word at a time
    .Ordered(1'b1),
    .WriteParts(Parts),
    .Far(Image == ImageMemory),
    .Guard(Guard),
    .Timeout(Silence),
    .IdWidth(IdWidth)
  ) u_engine (
    .clk_i          (aclk),
    .rst_ni         (aresetn),
    .cycles_i       ('0),
    .push_i         (push),
    .push_valid_i   (push_valid),
    .push_ready_o   (push_ready),
    .program_i      (sequencer_request),
    .program_o      (sequencer_answer),
    .access_i       ('0),
    .access_valid_i (1'b0),
    .access_ready_o (access_ready),
    .access_error_o (access_error),
    .access_data_o  (access_data),
    .orders_i       (engine_orders),
    .levels_o       (levels),
    .lock_report_o  (lock_report),
    .far_o          (far_request),
    .far_i          (far_answer),
    .end_channel_o  (end_channel),
    .stop_on_i      (StopOn),
    .event_o        (happened),
    .event_valid_o  (happened_valid),
    .trigger_take_o (trigger_take),
    .token_valid_o  (token_valid),
    .job_o          (job),
    .job_valid_o    (job_valid),
    .job_ready_i    (job_ready),
    .shown_i        (shown),
    .shown_ordered_i(shown_ordered),
    .shown_valid_i  (shown_valid),
    .prepare_i      (prepare),
    .prepare_valid_i(prepare_valid),
    .prepare_ready_o(prepare_ready),
    .shown_o        (unused_shown),
    .shown_valid_o  (again_valid),
    .go_channel_o   (go_channel),
    .go_valid_o     (go_valid),
    .list_o         (list_order),
    .list_i         ('0),
    .lists_o        (to_lists),
    .lists_i        (from_lists),
    .control_i      (control),
    .state_o        (port_state),
    .fault_o        (port_fault),
    .port_event_o   (port_event),
    .owed_o         (owed),
    .window_i       ('0),
    .window_o       (window_response),
    .attr_channel_o (attr_channel),
    .attr_i         (burst_attr),
    .rd_o           (rd_req),
    .rd_i           (rd_rsp),
    .wr_o           (wr_req),
    .wr_i           (wr_rsp),
    .m_beat_o       (read_beat),
    .m_valid_o      (engine_valid),
    .m_ready_i      (engine_ready),
    .s_beat_i       (write_beat),
    .s_valid_i      (write_valid),
    .s_ready_o      (write_ready),
    .s_takes_o      (write_takes),
    .beside_o       (beside),
    .beside_valid_o (beside_valid),
    .receive_o      (receive)
  );

  // ---- Streams to memory and back ---------------------------------------------------------------

  beat_t [N-1:0] out_beat, in_beat;
  fault_e [Channels-1:0] stream_fault;
  logic [N-1:0] stream_stuck;
  for (genvar i = 0; i < N; i++) begin : gen_stream
    localparam int unsigned P = i / PortChannels;
    tsr_aieml_stream_out #(
      .Image    (Image),
      .Lanes    (DataBytes),
      .Bytes    (StreamBytes),
      .FlightLog($clog2(RecordDepth)),
      .Guard    (Guard),
      .Silence  (StreamSilence),
      .Patience (Silence)
    ) u_out (
      .clk_i        (aclk),
      .rst_ni       (aresetn),
      .in_reset_i   (levels[i].in_reset),
      .resets_i     (resets[i]),
      .failed_i     (port_state[P][0].failed),
      .rested_o     (rested[i]),
      .stuck_o      (stream_stuck[i]),
      .pause_i      (pause_stream[i]),
      .stage_i      (stage),
      .stage_valid_i(stage_valid[i]),
      .fault_o      (stream_fault[i]),
      .events_o     (stream[i]),
      .beat_i       (read_beat[i]),
      .valid_i      (engine_valid[i]),
      .ready_o      (engine_ready[i]),
      .beat_o       (out_beat[i]),
      .valid_o      (m_axis_tvalid[i]),
      .ready_i      (m_axis_tready[i])
    );
    assign m_axis_tdata[i*StreamWidth+:StreamWidth] = out_beat[i].data;
    assign m_axis_tkeep[i*StreamBytes+:StreamBytes] = out_beat[i].keep;
    assign m_axis_tlast[i] = out_beat[i].last;
    assign moved[i] = '0;
    assign receive_state[i] = '0;

    assign rested[N+i] = levels[N+i].in_reset && !port_state[P][1].failed;
    assign in_beat[i] = '{
            last: s_axis_tlast[i],
            keep: s_axis_tkeep[i*StreamBytes+:StreamBytes],
            data: s_axis_tdata[i*StreamWidth+:StreamWidth]
        };
    tsr_aieml_stream_in #(
      .Lanes  (DataBytes),
      .Bytes  (StreamBytes),
      .Guard  (Guard),
      .Silence(StreamSilence)
    ) u_in (
      .clk_i         (aclk),
      .rst_ni        (aresetn),
      .levels_i      (levels[N+i]),
      .resets_i      (resets[N+i]),
      .pause_i       (pause_stream[N+i]),
      .pause_memory_i(pause[N+i]),
      .stage_i       (stage),
      .stage_valid_i (stage_valid[N+i]),
      .receive_i     (receive[N+i]),
      .receive_o     (receive_state[N+i]),
      .moved_o       (moved[N+i]),
      .fault_o       (stream_fault[N+i]),
      .events_o      (stream[N+i]),
      .beat_i        (in_beat[i]),
      .valid_i       (s_axis_tvalid[i]),
      .ready_o       (s_axis_tready[i]),
      .beat_o        (write_beat[i]),
      .valid_o       (write_valid[i]),
      .ready_i       (write_ready[i]),
      .takes_i       (write_takes[i])
    );
  end

  // ---- Memory -----------------------------------------------------------------------------------

  // A fault of a port stops the channels that wait for it; the reset of any channel lets it go on.
  for (genvar c = 0; c < Channels; c++) begin : gen_fault
    localparam int unsigned D = c < N ? 0 : 1;
    localparam int unsigned P = (c % N) / PortChannels;
    assign faults[c] = (port_fault[P][D].valid && owed[c]) || stream_fault[c] != FaultNone;
    assign stuck[c] = (port_state[P][D].stuck && levels[c].in_reset) ||
        (c < N && stream_stuck[c % N]);
  end

  for (genvar p = 0; p < Ports; p++) begin : gen_port
    localparam int unsigned First = p * PortChannels;
    bus_rd_req_t bus_rd_req;
    rd_rsp_t bus_rd_rsp;
    bus_wr_req_t bus_wr_req;
    wr_rsp_t bus_wr_rsp;
    logic [1:0][PortChannels-1:0] in_reset;
    for (genvar i = 0; i < 2 * PortChannels; i++) begin : gen_channel
      localparam int unsigned D = i / PortChannels;
      assign in_reset[D][i%PortChannels] = levels[D*N+First+i%PortChannels].in_reset;
    end
    tsr_aieml_port #(
      .Image    (Image),
      .Number   (PortChannels),
      .First    (First),
      .AddrWidth(AddrWidth),
      .Lanes    (DataBytes),
      .IdWidth  (IdWidth)
    ) u_port (
      .clk_i         (aclk),
      .rst_ni        (aresetn),
      .window_i      (window),
      .in_reset_i    (in_reset),
      .attr_i        ({attr[N+First+:PortChannels], attr[First+:PortChannels]}),
      .smid_i        ({smid[N+First+:PortChannels], smid[First+:PortChannels]}),
      .control_o     (control[p]),
      .event_i       (port_event[p]),
      .attr_channel_i(attr_channel[p]),
      .attr_o        (burst_attr[p]),
      .rd_i          (rd_req[p]),
      .rd_o          (rd_rsp[p]),
      .wr_i          (wr_req[p]),
      .wr_o          (wr_rsp[p]),
      .bus_rd_o      (bus_rd_req),
      .bus_rd_i      (bus_rd_rsp),
      .bus_wr_o      (bus_wr_req),
      .bus_wr_i      (bus_wr_rsp),
      .ar_smid_o     (m_axi_aruser[p*4+:4]),
      .aw_smid_o     (m_axi_awuser[p*4+:4])
    );
    `TSR_AXI_RD_PINS(m_axi, p, [p], DataBytes, bus_rd_req, bus_rd_rsp)
    `TSR_AXI_WR_PINS(m_axi, p, [p], DataBytes, bus_wr_req, bus_wr_rsp)
  end

  logic unused_engine;
  assign unused_engine = ^{access_ready, access_error, access_data, to_lists, list_order} ^
      ^{again_valid, unused_shown} ^ ^{beside, beside_valid} ^ ^trigger_take ^
      ^port_state ^
      ^{port_event, port_fault, window_response, receive, resets, stage, levels};

endmodule
