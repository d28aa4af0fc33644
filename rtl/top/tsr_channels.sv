// Many read and write engines on one AXI4 port, or on several: wiring only.
//
// Read channel i and write channel i have element i of the packed arrays. The channels of a direction are
// dealt to `Ports` ports in equal groups, the lowest to port 0; Ports = Channels gives every channel a port
// of its own. On a port the channel (its place in the group) is the AXI ID, or with OneId everything has ID 0
// and is in order.
// With Windows each channel has that many windows, set one at a time (read channels from 0 on, write
// channels from Reads on), and a burst that none of them permits never reaches a port: it ends with DECERR.
// With Control each channel can be paused, drained and reset, and all of them brought to rest before a reset
// of everything; with Guard (and Control) faults of memories and streams are detected, named, and stay
// with their channel (tsr_channel_control, tsr_read_guard, tsr_write_guard, tsr_stream_guard, tsr_quiesce).
// How the sharing works and what to choose: tsr_read_share, tsr_write_share and docs/fabric.md. What the
// parameters mean, and their defaults: tsr_fabric_pkg.
`include "tsr_assert.svh"
`include "tsr_types.svh"
module tsr_channels
  import tsr_pkg::*;
  import tsr_fabric_pkg::*;
  import tsr_channel_pkg::*;
#(
  parameter  int unsigned          Reads         = FabricDefaults.Reads,
  parameter  int unsigned          Writes        = FabricDefaults.Writes,
  parameter  int unsigned          Ports         = FabricDefaults.Ports,
  parameter  int unsigned          AddrWidth     = FabricDefaults.AddrWidth,
  parameter  int unsigned          DataWidth     = FabricDefaults.DataWidth,
  parameter  int unsigned          StreamWidth   = FabricDefaults.StreamWidth,
  parameter  int unsigned          MaxBurst      = FabricDefaults.MaxBurst,
  parameter  int unsigned          Outstanding   = FabricDefaults.Outstanding,
  parameter  int unsigned          RoomBeats     = FabricDefaults.RoomBeats,
  parameter  int unsigned          StoreBeats    = FabricDefaults.StoreBeats,
  parameter  int unsigned          FlightBeats   = FabricDefaults.FlightBeats,
  parameter  int unsigned          AheadBursts   = FabricDefaults.AheadBursts,
  parameter  int unsigned          FlightBursts  = FabricDefaults.FlightBursts,
  parameter  bit                   OneId         = FabricDefaults.OneId,
  parameter  bit                   Cut           = FabricDefaults.Cut,
  parameter  bit                   Control       = FabricDefaults.Control,
  parameter  bit                   Guard         = FabricDefaults.Guard,
  parameter  int unsigned          Silence       = FabricDefaults.Silence,
  parameter  int unsigned          StreamSilence = FabricDefaults.StreamSilence,
  parameter  int unsigned          Windows       = FabricDefaults.Windows,
  parameter  bit                   Walk          = FabricDefaults.Walk,
  parameter  bit                   Bounds        = FabricDefaults.Bounds,
  parameter  bit                   Side          = FabricDefaults.Side,
  parameter  bit                   Headers       = FabricDefaults.Headers,
  parameter  logic           [6:0] Column        = FabricDefaults.Column,
  parameter  logic           [4:0] Row           = FabricDefaults.Row,
  parameter  int unsigned          IdWidth       = FabricDefaults.IdWidth,
  parameter  int unsigned          WeightWidth   = FabricDefaults.WeightWidth,
  parameter  int unsigned          UserWidth     = FabricDefaults.UserWidth,
  localparam fabric_config_t       Config        = `TSR_FABRIC_CONFIG,
  localparam int unsigned          Channels      = Reads + Writes,
  localparam int unsigned          Shown         = Windows == 0 ? 1 : Windows,
  localparam type                  standing_t    = `TSR_STANDING_T(Config),
  localparam type                  beat_t        = `TSR_BEAT_T(StreamWidth / 8),
  localparam type                  burst_t       = `TSR_BURST_T(Config),
  localparam type                  w_t           = `TSR_W_T(Config),
  localparam type                  ax_t          = `TSR_AX_T(Config),
  localparam type                  rd_port_req_t = `TSR_READ_PORT_REQ_T(ax_t),
  localparam type                  rd_port_rsp_t = `TSR_READ_PORT_RSP_T(Config),
  localparam type                  wr_port_req_t = `TSR_WRITE_PORT_REQ_T(ax_t, w_t),
  localparam type                  wr_port_rsp_t = `TSR_WRITE_PORT_RSP_T(Config)
) (
  input logic clk_i,
  input logic rst_ni,
  // Transfers, records, control: reads first, then writes.
  input transfer_t [Channels-1:0] transfer_i,
  input logic [Channels-1:0] valid_i,
  output logic [Channels-1:0] ready_o,
  output done_t [Channels-1:0] done_o,
  output logic [Channels-1:0] done_valid_o,
  input logic [Channels-1:0] done_ready_i,
  input channel_request_t [Channels-1:0] request_i,
  output channel_status_t [Channels-1:0] status_o,
  output denied_t [Channels-1:0] denied_o,
  input standing_t [Channels-1:0] standing_i,
  // Beside the streams, with Side: of each transfer; of each record of a write channel.
  input side_t [Channels-1:0] side_i,
  input header_request_t [Channels-1:0] header_i,
  output side_t [Writes-1:0] done_side_o,
  // Streams.
  output side_t [Reads-1:0] rd_side_o,
  output beat_t [Reads-1:0] rd_beat_o,
  output logic [Reads-1:0] rd_beat_valid_o,
  input logic [Reads-1:0] rd_beat_ready_i,
  input side_t [Writes-1:0] wr_side_i,
  input logic [Writes-1:0] wr_excuse_i,  // a beat that is shown may be taken back
  input beat_t [Writes-1:0] wr_beat_i,
  input logic [Writes-1:0] wr_beat_valid_i,
  output logic [Writes-1:0] wr_beat_ready_o,
  // All channels.
  input logic quiesce_i,
  input logic tick_i,  // the cycle counts for time-outs
  output rest_t rest_o,
  input window_set_t window_set_i,
  output logic window_refused_o,
  output window_t [Channels-1:0][Shown-1:0] windows_o,
  // The ports, and responses that belong to no channel.
  output rd_port_req_t [Ports-1:0] rd_port_o,
  input rd_port_rsp_t [Ports-1:0] rd_port_i,
  output wr_port_req_t [Ports-1:0] wr_port_o,
  input wr_port_rsp_t [Ports-1:0] wr_port_i,
  output logic [Ports-1:0] rd_stray_o,
  output logic [Ports-1:0] wr_stray_o,
  output bus_events_t [Channels-1:0] events_o
);

  localparam type read_req_t = `TSR_READ_REQ_T(burst_t);
  localparam type read_rsp_t = `TSR_READ_RSP_T(Config);
  localparam type write_req_t = `TSR_WRITE_REQ_T(burst_t, w_t);

  `TSR_STATIC_ASSERT(Reads, Reads >= 1 && Reads <= 16, ("Reads = %0d; legal is 1 to 16", Reads))
  `TSR_STATIC_ASSERT(Writes, Writes >= 1 && Writes <= 16,
                     ("Writes = %0d; legal is 1 to 16", Writes))
  `TSR_STATIC_ASSERT(Ports, Ports >= 1 && Reads % Ports == 0 && Writes % Ports == 0,
                     ("Ports = %0d; legal is what divides Reads and Writes", Ports))
  logic unused_side;
  assign unused_side = ^{side_i, header_i};  // of write channels

  // ---- Channels ---------------------------------------------------------------------------------

  bus_control_t [Channels-1:0] control;
  bus_state_t [Channels-1:0] state;
  read_req_t [Reads-1:0] read_req;
  read_rsp_t [Reads-1:0] read_rsp;
  write_req_t [Writes-1:0] write_req;
  write_rsp_t [Writes-1:0] write_rsp;
  logic [Channels-1:0] idle;
  logic [Ports-1:0] moves;
  logic quiesce;

  for (genvar i = 0; i < Reads; i++) begin : gen_read
    tsr_read_channel #(
      .Config(Config)
    ) u_channel (
      .clk_i,
      .rst_ni,
      .transfer_i  (transfer_i[i]),
      .valid_i     (valid_i[i]),
      .ready_o     (ready_o[i]),
      .done_o      (done_o[i]),
      .done_valid_o(done_valid_o[i]),
      .done_ready_i(done_ready_i[i]),
      .request_i   (request_i[i]),
      .status_o    (status_o[i]),
      .denied_o    (denied_o[i]),
      .quiesce_i   (quiesce),
      .tick_i,
      .window_i    (windows_o[i]),
      .control_o   (control[i]),
      .state_i     (state[i]),
      .bus_o       (read_req[i]),
      .bus_i       (read_rsp[i]),
      .side_i      (side_i[i]),
      .header_i    (header_i[i]),
      .side_o      (rd_side_o[i]),
      .beat_o      (rd_beat_o[i]),
      .beat_valid_o(rd_beat_valid_o[i]),
      .beat_ready_i(rd_beat_ready_i[i])
    );
  end

  for (genvar i = 0; i < Writes; i++) begin : gen_write
    localparam int unsigned C = Reads + i;
    tsr_write_channel #(
      .Config(Config)
    ) u_channel (
      .clk_i,
      .rst_ni,
      .transfer_i  (transfer_i[C]),
      .valid_i     (valid_i[C]),
      .ready_o     (ready_o[C]),
      .done_o      (done_o[C]),
      .done_valid_o(done_valid_o[C]),
      .done_ready_i(done_ready_i[C]),
      .request_i   (request_i[C]),
      .status_o    (status_o[C]),
      .denied_o    (denied_o[C]),
      .quiesce_i   (quiesce),
      .tick_i,
      .window_i    (windows_o[C]),
      .control_o   (control[C]),
      .state_i     (state[C]),
      .bus_o       (write_req[i]),
      .bus_i       (write_rsp[i]),
      .side_i      (wr_side_i[i]),
      .done_side_o (done_side_o[i]),
      .excuse_i    (wr_excuse_i[i]),
      .beat_i      (wr_beat_i[i]),
      .beat_valid_i(wr_beat_valid_i[i]),
      .beat_ready_o(wr_beat_ready_o[i])
    );
  end

  // ---- Ports ------------------------------------------------------------------------------------

  for (genvar p = 0; p < Ports; p++) begin : gen_port
    localparam int unsigned R = p * (Reads / Ports);
    localparam int unsigned W = p * (Writes / Ports);
    tsr_port #(
      .Config(Config)
    ) u_port (
      .clk_i,
      .rst_ni,
      .rd_standing_i(standing_i[R+:Reads/Ports]),
      .rd_control_i (control[R+:Reads/Ports]),
      .rd_state_o   (state[R+:Reads/Ports]),
      .rd_i         (read_req[R+:Reads/Ports]),
      .rd_o         (read_rsp[R+:Reads/Ports]),
      .wr_standing_i(standing_i[Reads+W+:Writes/Ports]),
      .wr_control_i (control[Reads+W+:Writes/Ports]),
      .wr_state_o   (state[Reads+W+:Writes/Ports]),
      .wr_i         (write_req[W+:Writes/Ports]),
      .wr_o         (write_rsp[W+:Writes/Ports]),
      .rd_port_o    (rd_port_o[p]),
      .rd_port_i    (rd_port_i[p]),
      .wr_port_o    (wr_port_o[p]),
      .wr_port_i    (wr_port_i[p]),
      .moves_o      (moves[p]),
      .rd_stray_o   (rd_stray_o[p]),
      .wr_stray_o   (wr_stray_o[p])
    );
  end

  for (genvar c = 0; c < Channels; c++) begin : gen_idle
    assign idle[c] = state[c].idle;
  end

  for (genvar i = 0; i < Reads; i++) begin : gen_read_events
    assign events_o[i] = '{
            burst: read_req[i].ar_valid && read_rsp[i].ar_ready,
            blocked: read_req[i].ar_valid && !read_rsp[i].ar_ready
        };
  end
  for (genvar i = 0; i < Writes; i++) begin : gen_write_events
    assign events_o[Reads+i] = '{
            burst: write_req[i].aw_valid && write_rsp[i].aw_ready,
            blocked: write_req[i].aw_valid && !write_rsp[i].aw_ready
        };
  end

  // ---- Common to all ----------------------------------------------------------------------------

  tsr_window_table #(
    .Channels (Channels),
    .AddrWidth(AddrWidth),
    .Windows  (Windows)
  ) u_table (
    .clk_i,
    .rst_ni,
    .set_i    (window_set_i),
    .refused_o(window_refused_o),
    .window_o (windows_o)
  );

  tsr_quiesce #(
    .Channels(Channels),
    .Patience(Silence),
    .Control (Control)
  ) u_quiesce (
    .clk_i,
    .rst_ni,
    .tick_i,
    .request_i(quiesce_i),
    .quiesce_o(quiesce),
    .rest_o,
    .idle_i   (idle),
    .moves_i  (moves != '0)
  );

endmodule
