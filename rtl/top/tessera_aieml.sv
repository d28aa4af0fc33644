// The DMA of an AI Engine-ML tile as an IP: the registers and semantics of the original, over AXI4 memory.
//
// Wiring only. Image chooses the memory tile, the shim or the compute tile. Pins are flat vectors: stream i
// of MM2S is slice i of m_axis_*, of S2MM slice i of s_axis_*, port p of the memory slice p of m_axi_*. What
// software sees, and in what it differs from the original: docs/aieml_ip.md and docs/aieml.md.
`include "tsr_assert.svh"
`include "tsr_types.svh"
`include "tsr_pins.svh"
module tessera_aieml
  import tsr_pkg::*;
  import tsr_fabric_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_register_pkg::*;
  import tsr_aieml_pkg::*;
#(
  parameter int unsigned Image = ImageMemory,  // 0 memory tile, 1 shim, 2 compute tile
  parameter int unsigned Ports = 1,  // divides the channels of a direction
  parameter int unsigned AddrWidth = 64,  // of m_axi, 32..64; of a shim at least 48
  parameter int unsigned DataWidth = 128,  // 32..1024, a power of two
  parameter int unsigned StreamWidth = 32,  // 32..1024, a power of two
  parameter int unsigned MaxBurst = 16,  // beats in one burst, 1..256
  parameter int unsigned Outstanding = 16,  // bursts of a channel in flight, 1..128
  parameter int unsigned RoomBeats = 64,  // read data that a channel can hold
  parameter int unsigned StoreBeats = 64,  // write data that a channel can hold
  parameter int unsigned FlightBeats = 256,  // read data asked for on a port
  parameter int unsigned AheadBursts = 2,
  parameter int unsigned FlightBursts = 64,
  parameter bit OneId = 1'b0,
  parameter bit Cut = 1'b0,
  parameter bit Guard = 1'b0,
  parameter int unsigned Silence = 4096,
  parameter int unsigned StreamSilence = 0,
  parameter int unsigned Slots = 1,  // transfers loaded ahead of an engine, a power of two
  parameter bit EqualTakes = 1'b0,  // an acquire of an equal value subtracts it
  parameter bit PadIncoming = 1'b0,  // padding of an S2MM descriptor drops words
  parameter bit ControlHeaded = 1'b0,  // control packets begin with a stream header
  parameter bit ControlIncrements = 1'b1,
  parameter logic [63:0] LocalBase = 64'h8_0000,  // of the tile's memory, until software moves it
  parameter logic [63:0] WestBase = 64'h0,
  parameter logic [63:0] EastBase = 64'h0010_0000,
  parameter bit West = 1'b0,  // there is a neighbour
  parameter bit East = 1'b0,
  parameter logic [6:0] Column = '0,  // of tokens, headers and responses
  parameter logic [4:0] Row = '0,
  parameter int unsigned IdWidth = 4,
  localparam image_t Tile = image_of(Image),
  localparam int unsigned N = Tile.Channels,
  localparam int unsigned DataBytes = DataWidth / 8,
  localparam int unsigned StreamBytes = StreamWidth / 8
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
  // Channels with a task in hand or a reset that is not over, MM2S first; and the interrupt.
  output logic [            2*N-1:0] active,
  output logic                       irq
);

  `TSR_STATIC_ASSERT(AddrWidth, AddrWidth >= Tile.AddrWidth && AddrWidth <= 64,
                     ("AddrWidth = %0d; legal is %0d to 64", AddrWidth, Tile.AddrWidth))
  `TSR_STATIC_ASSERT(Slots, Slots >= 1 && Slots <= 16 && $onehot(Slots),
                     ("Slots = %0d; legal is 1, 2, 4, 8 or 16", Slots))
  `TSR_STATIC_ASSERT(StreamWidth, StreamWidth >= 32 && StreamWidth <= 1024 && $onehot(StreamWidth),
                     ("StreamWidth = %0d; legal is 32, 64, 128, 256, 512 or 1024", StreamWidth))

  // The fabric, and the types at its ports. It works with the addresses of the tile.
  localparam int unsigned Channels = 2 * N;
  localparam int unsigned Align = Image == ImageMemory ? 19 : 16;
  localparam aieml_window_t [2:0] Windows = '{
      '{base: EastBase[63:12], present: East && Image == ImageMemory},
      '{base: LocalBase[63:12], present: Image != ImageShim},
      '{base: WestBase[63:12], present: West && Image == ImageMemory}
  };

  localparam bit Staged = StreamWidth == 32;  // headers and compression are a word at a time
  localparam bit Bounds = Image == ImageMemory;
  localparam int unsigned UserWidth = 4;
  // To Verilator 5.006 a parameter with the value of a literal has no width: + 32'd0.
  localparam fabric_config_t Config = '{
      Reads: N + 32'd0,
      Writes: N + 32'd0,
      Ports: Ports + 32'd0,
      AddrWidth: Tile.AddrWidth + 32'd0,
      DataWidth: DataWidth + 32'd0,
      StreamWidth: StreamWidth + 32'd0,
      MaxBurst: MaxBurst + 32'd0,
      Outstanding: Outstanding + 32'd0,
      RoomBeats: RoomBeats + 32'd0,
      StoreBeats: StoreBeats + 32'd0,
      FlightBeats: FlightBeats + 32'd0,
      AheadBursts: AheadBursts + 32'd0,
      FlightBursts: FlightBursts + 32'd0,
      OneId: OneId,
      Cut: Cut,
      Control: 1'b1,
      Guard: Guard,
      Silence: Silence + 32'd0,
      StreamSilence: StreamSilence + 32'd0,
      Bounds: Bounds,
      IdWidth: IdWidth + 32'd0,
      WeightWidth: FabricDefaults.WeightWidth,
      UserWidth: UserWidth + 32'd0,
      default: '0
  };
  localparam type standing_t = `TSR_STANDING_T(Config);
  localparam type beat_t = `TSR_BEAT_T(StreamBytes);
  localparam type ax_t = `TSR_AX_T(Config);
  localparam type w_t = `TSR_W_T(Config);
  localparam type rd_port_req_t = `TSR_READ_PORT_REQ_T(ax_t);
  localparam type rd_port_rsp_t = `TSR_READ_PORT_RSP_T(Config);
  localparam type wr_port_req_t = `TSR_WRITE_PORT_REQ_T(ax_t, w_t);
  localparam type wr_port_rsp_t = `TSR_WRITE_PORT_RSP_T(Config);

  // ---- Masters of the registers -----------------------------------------------------------------

  bus_request_t request, packet_request;
  logic request_valid, request_ready, packet_valid, packet_ready, packets, check_last;
  bus_answer_t answer;
  logic [3:0] packet_errors, packet_clear;

  `TSR_AXIL_PINS
  logic unused_prot;
  assign unused_prot = ^{s_axil_awprot, s_axil_arprot};

  tsr_masters #(
    .Second(1'b1)
  ) u_masters (
    .clk_i        (aclk),
    .rst_ni       (aresetn),
    .axil_i       (axil_req),
    .axil_o       (axil_rsp),
    .bus_request_i(packet_request),
    .bus_valid_i  (packet_valid),
    .bus_ready_o  (packet_ready),
    .request_o    (request),
    .valid_o      (request_valid),
    .ready_i      (request_ready),
    .answer_i     (answer)
  );

  tsr_control_packets #(
    .Headed         (ControlHeaded),
    .WriteIncrements(ControlIncrements),
    .AddrBits       (BusBits)
  ) u_packets (
    .clk_i       (aclk),
    .rst_ni      (aresetn),
    .enable_i    (packets),
    .check_last_i(check_last),
    .column_i    (Column),
    .row_i       (Row),
    .first_i     ('0),
    .last_i      ('1),
    .errors_o    (packet_errors),
    .clear_i     (packet_clear),
    .tdata_i     (s_axis_control_tdata),
    .tlast_i     (s_axis_control_tlast),
    .tvalid_i    (s_axis_control_tvalid),
    .tready_o    (s_axis_control_tready),
    .tdata_o     (m_axis_response_tdata),
    .tlast_o     (m_axis_response_tlast),
    .tvalid_o    (m_axis_response_tvalid),
    .tready_i    (m_axis_response_tready),
    .bus_o       (packet_request),
    .bus_valid_o (packet_valid),
    .bus_ready_i (packet_ready),
    .bus_i       (answer)
  );

  // ---- Programs ---------------------------------------------------------------------------------

  channel_request_t [Channels-1:0] asked;
  axi_attr_t [Channels-1:0] attr;
  logic [Channels-1:0][3:0] smid;
  transfer_t [Channels-1:0] transfer;
  done_t [Channels-1:0] done;
  channel_state_t [Channels-1:0] state;
  channel_status_t [Channels-1:0] status;
  denied_t [Channels-1:0] refused;
  standing_t [Channels-1:0] standing;
  stream_events_t [Channels-1:0] stream;
  aieml_stage_t [Channels-1:0] stage;
  logic [Channels-1:0][5:0] id;
  logic [Channels-1:0] by_header, wants, id_valid, id_take;
  logic [Channels-1:0][5:0] moved;
  logic [Channels-1:0] valid, ready, done_valid, done_ready, idle, denied, pause_stream;
  aieml_window_t [2:0] window;

  tsr_aieml_program #(
    .Image      (Image),
    .DataWidth  (DataWidth),
    .StreamWidth(StreamWidth),
    .Slots      (Slots),
    .EqualTakes (EqualTakes),
    .PadIncoming(PadIncoming),
    .Staged     (Staged),
    .Align      (Align),
    .Windows    (Windows),
    .Column     (Column),
    .Row        (Row)
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
    .asked_o        (asked),
    .attr_o         (attr),
    .smid_o         (smid),
    .pause_stream_o (pause_stream),
    .active_o       (active),
    .transfer_o     (transfer),
    .stage_o        (stage),
    .by_header_o    (by_header),
    .wants_o        (wants),
    .id_i           (id),
    .id_valid_i     (id_valid),
    .id_take_o      (id_take),
    .valid_o        (valid),
    .ready_i        (ready),
    .done_i         (done),
    .done_valid_i   (done_valid),
    .done_ready_o   (done_ready),
    .state_i        (state),
    .idle_i         (idle),
    .denied_i       (denied),
    .stream_i       (stream),
    .moved_i        (moved),
    .window_o       (window),
    .token_tdata_o  (m_axis_token_tdata),
    .token_tlast_o  (m_axis_token_tlast),
    .token_tvalid_o (m_axis_token_tvalid),
    .token_tready_i (m_axis_token_tready),
    .irq_o          (irq)
  );

  for (genvar c = 0; c < Channels; c++) begin : gen_levels
    assign standing[c] = '{weight: '0, attr: attr[c], user: smid[c]};
    assign state[c]    = status[c].state;
    assign idle[c]     = status[c].idle;
    assign denied[c]   = refused[c].valid;
  end

  // ---- Engines ----------------------------------------------------------------------------------

  beat_t [N-1:0] rd_beat, wr_beat;
  logic [N-1:0] rd_valid, rd_ready, wr_valid, wr_ready;
  rd_port_req_t [Ports-1:0] rd_port_req;
  rd_port_rsp_t [Ports-1:0] rd_port_rsp;
  wr_port_req_t [Ports-1:0] wr_port_req;
  wr_port_rsp_t [Ports-1:0] wr_port_rsp;
  rest_t rest;
  logic window_refused;
  window_t [Channels-1:0][0:0] windows;
  logic [Ports-1:0] rd_stray, wr_stray;
  bus_events_t [Channels-1:0] bus;
  side_t [N-1:0] done_side, rd_side;

  tsr_channels #(
    .Reads        (N),
    .Writes       (N),
    .Ports        (Ports),
    .AddrWidth    (Tile.AddrWidth),
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
    .Control      (1'b1),
    .Guard        (Guard),
    .Silence      (Silence),
    .StreamSilence(StreamSilence),
    .Walk         (1'b0),
    .Bounds       (Bounds),
    .IdWidth      (IdWidth),
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
    .side_i          ('0),
    .header_i        ('0),
    .done_side_o     (done_side),
    .rd_side_o       (rd_side),
    .rd_beat_o       (rd_beat),
    .rd_beat_valid_o (rd_valid),
    .rd_beat_ready_i (rd_ready),
    .wr_side_i       ('0),
    .wr_excuse_i     ('0),
    .wr_beat_i       (wr_beat),
    .wr_beat_valid_i (wr_valid),
    .wr_beat_ready_o (wr_ready),
    .quiesce_i       (1'b0),
    .tick_i          (1'b1),
    .rest_o          (rest),
    .window_set_i    (window_set_t'('0)),
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

  // ---- Streams ----------------------------------------------------------------------------------

  // An engine works on a transfer where it stands: the stages are told when it first shows.
  logic [Channels-1:0] shown_q, fresh;
  assign fresh = valid & ~shown_q;
  always_ff @(posedge aclk) begin
    if (!aresetn) shown_q <= '0;
    else shown_q <= valid & ~ready;
  end

  // Beats at the engines, and behind the stages at the pauses of the pins.
  beat_t [N-1:0] out_beat, in_beat;
  logic [N-1:0] out_valid, out_ready, in_valid, in_ready;

  for (genvar i = 0; i < N; i++) begin : gen_stream
    if (Staged) begin : gen_stage
      tsr_aieml_send #(
        .Compression(Image != ImageShim)
      ) u_send (
        .clk_i       (aclk),
        .rst_ni      (aresetn),
        .clear_i     (state[i].in_reset),
        .push_i      (stage[i]),
        .push_valid_i(fresh[i]),
        .data_i      (rd_beat[i].data),
        .keep_i      (rd_beat[i].keep[0]),
        .last_i      (rd_beat[i].last),
        .valid_i     (rd_valid[i]),
        .ready_o     (rd_ready[i]),
        .data_o      (out_beat[i].data),
        .last_o      (out_beat[i].last),
        .valid_o     (out_valid[i]),
        .ready_i     (out_ready[i])
      );
      assign out_beat[i].keep = '1;
      logic keep, taken_q, unused_keep;
      tsr_aieml_receive u_receive (
        .clk_i       (aclk),
        .rst_ni      (aresetn),
        .clear_i     (state[N+i].in_reset),
        .push_i      (stage[N+i]),
        .push_valid_i(fresh[N+i]),
        .by_header_i (by_header[N+i]),
        .wants_i     (wants[N+i]),
        .id_o        (id[N+i]),
        .id_valid_o  (id_valid[N+i]),
        .id_take_i   (id_take[N+i]),
        .data_i      (in_beat[i].data),
        .last_i      (in_beat[i].last),
        .valid_i     (in_valid[i]),
        .ready_o     (in_ready[i]),
        .data_o      (wr_beat[i].data),
        .keep_o      (keep),
        .last_o      (wr_beat[i].last),
        .valid_o     (wr_valid[i]),
        .ready_i     (wr_ready[i])
      );
      assign wr_beat[i].keep = {StreamBytes{keep}};
      always_ff @(posedge aclk) begin
        if (!aresetn) taken_q <= 1'b0;
        else taken_q <= wr_valid[i] && wr_ready[i] && keep;
      end
      assign moved[N+i]  = {5'd0, taken_q};
      assign unused_keep = ^{in_beat[i].keep, rd_beat[i].keep};
    end else begin : gen_wide
      logic unused_stage;
      assign unused_stage = ^{fresh, stage[i], stage[N+i], by_header, wants, id_take};
      assign id[N+i] = '0;
      assign id_valid[N+i] = 1'b0;
      assign out_beat[i] = rd_beat[i];
      assign out_valid[i] = rd_valid[i];
      assign rd_ready[i] = out_ready[i];
      assign wr_beat[i] = in_beat[i];
      assign wr_valid[i] = in_valid[i];
      assign in_ready[i] = wr_ready[i];
      assign moved[N+i] = stream[N+i].valid && stream[N+i].ready ? stream[N+i].bytes[7:2] : '0;
    end
    assign moved[i]    = '0;
    assign id[i]       = '0;
    assign id_valid[i] = 1'b0;

    tsr_aieml_pause u_pause_out (
      .clk_i  (aclk),
      .rst_ni (aresetn),
      .pause_i(pause_stream[i]),
      .valid_i(out_valid[i]),
      .ready_o(out_ready[i]),
      .valid_o(m_axis_tvalid[i]),
      .ready_i(m_axis_tready[i])
    );
    assign m_axis_tdata[i*StreamWidth+:StreamWidth] = out_beat[i].data;
    assign m_axis_tkeep[i*StreamBytes+:StreamBytes] = out_beat[i].keep;
    assign m_axis_tlast[i] = out_beat[i].last;
    tsr_stream_watch #(
      .Bytes(StreamBytes)
    ) u_watch_out (
      .clk_i   (aclk),
      .rst_ni  (aresetn),
      .tkeep_i (out_beat[i].keep),
      .tlast_i (out_beat[i].last),
      .tvalid_i(m_axis_tvalid[i]),
      .tready_i(m_axis_tready[i]),
      .events_o(stream[i])
    );

    tsr_aieml_pause u_pause_in (
      .clk_i  (aclk),
      .rst_ni (aresetn),
      .pause_i(pause_stream[N+i]),
      .valid_i(s_axis_tvalid[i]),
      .ready_o(s_axis_tready[i]),
      .valid_o(in_valid[i]),
      .ready_i(in_ready[i])
    );
    assign in_beat[i] = '{
            last: s_axis_tlast[i],
            keep: s_axis_tkeep[i*StreamBytes+:StreamBytes],
            data: s_axis_tdata[i*StreamWidth+:StreamWidth]
        };
    tsr_stream_watch #(
      .Bytes(StreamBytes)
    ) u_watch_in (
      .clk_i   (aclk),
      .rst_ni  (aresetn),
      .tkeep_i (in_beat[i].keep),
      .tlast_i (in_beat[i].last),
      .tvalid_i(in_valid[i]),
      .tready_i(in_ready[i]),
      .events_o(stream[N+i])
    );
  end

  // ---- Memory -----------------------------------------------------------------------------------

  for (genvar p = 0; p < Ports; p++) begin : gen_port
    rd_port_rsp_t rd_rsp;
    ax_t ar;
    wr_port_rsp_t wr_rsp;

    tsr_aieml_read_port #(
      .Image    (Image),
      .First    (p * (N / Ports)),
      .AddrWidth(AddrWidth),
      .Config   (Config)
    ) u_read (
      .clk_i    (aclk),
      .rst_ni   (aresetn),
      .window_i (window),
      .port_i   (rd_port_req[p]),
      .port_o   (rd_port_rsp[p]),
      .ar_o     (ar),
      .araddr_o (m_axi_araddr[p*AddrWidth+:AddrWidth]),
      .arvalid_o(m_axi_arvalid[p]),
      .rready_o (m_axi_rready[p]),
      .rsp_i    (rd_rsp)
    );
    assign m_axi_arid[p*IdWidth+:IdWidth] = ar.id;
    assign m_axi_arlen[p*8+:8] = ar.len;
    assign m_axi_arsize[p*3+:3] = ar.size;
    assign m_axi_arburst[p*2+:2] = ar.burst;
    assign m_axi_arcache[p*4+:4] = ar.attr.cache;
    assign m_axi_arprot[p*3+:3] = ar.attr.prot;
    assign m_axi_arqos[p*4+:4] = ar.attr.qos;
    assign m_axi_aruser[p*4+:4] = ar.user;
    logic unused_ar;
    assign unused_ar = ^ar.addr;
    assign rd_rsp = '{
            ar_ready: m_axi_arready[p],
            r_id: m_axi_rid[p*IdWidth+:IdWidth],
            r_data: m_axi_rdata[p*DataWidth+:DataWidth],
            r: '{resp: m_axi_rresp[p*2+:2], last: m_axi_rlast[p]},
            r_valid: m_axi_rvalid[p]
        };

    tsr_aieml_write_port #(
      .Image    (Image),
      .First    (p * (N / Ports)),
      .AddrWidth(AddrWidth),
      .Config   (Config)
    ) u_write (
      .clk_i    (aclk),
      .rst_ni   (aresetn),
      .window_i (window),
      .port_i   (wr_port_req[p]),
      .port_o   (wr_port_rsp[p]),
      .awaddr_o (m_axi_awaddr[p*AddrWidth+:AddrWidth]),
      .awvalid_o(m_axi_awvalid[p]),
      .wvalid_o (m_axi_wvalid[p]),
      .bready_o (m_axi_bready[p]),
      .rsp_i    (wr_rsp)
    );
    assign m_axi_awid[p*IdWidth+:IdWidth] = wr_port_req[p].aw.id;
    assign m_axi_awlen[p*8+:8] = wr_port_req[p].aw.len;
    assign m_axi_awsize[p*3+:3] = wr_port_req[p].aw.size;
    assign m_axi_awburst[p*2+:2] = wr_port_req[p].aw.burst;
    assign m_axi_awcache[p*4+:4] = wr_port_req[p].aw.attr.cache;
    assign m_axi_awprot[p*3+:3] = wr_port_req[p].aw.attr.prot;
    assign m_axi_awqos[p*4+:4] = wr_port_req[p].aw.attr.qos;
    assign m_axi_awuser[p*4+:4] = wr_port_req[p].aw.user;
    assign m_axi_wdata[p*DataWidth+:DataWidth] = wr_port_req[p].w.data;
    assign m_axi_wstrb[p*DataBytes+:DataBytes] = wr_port_req[p].w.strb;
    assign m_axi_wlast[p] = wr_port_req[p].w.last;
    assign wr_rsp = '{
            aw_ready: m_axi_awready[p],
            w_ready: m_axi_wready[p],
            b_id: m_axi_bid[p*IdWidth+:IdWidth],
            b_resp: m_axi_bresp[p*2+:2],
            b_valid: m_axi_bvalid[p]
        };
  end

  logic unused_fabric;
  assign unused_fabric = ^{status, refused, rd_port_req, wr_port_req, rest, window_refused} ^
      ^{windows, rd_stray, wr_stray, bus, done_side, rd_side};

endmodule
