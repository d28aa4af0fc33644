// Streams of all channels between the engine and the pins: width, side information, headers, frames, watch, TDEST, loopback.
//
// Contract: tsr_stream_out, tsr_stream_in. Streams of the first Loopback read and write channels are joined, and their
// pins idle. With RouteDest all packets come on stream 0: tsr_dest_split. What a silent stream does not take is dropped
// by the reset of its channel: it had a time-out, or takes nothing in a whole round of `Silence` ticks of the reset.
// Latency, throughput: as those; tsr_dest_split one cycle more.
`include "tsr_assert.svh"
`include "tsr_types.svh"
module tsr_dma_streams
  import tsr_descriptor_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_program_pkg::*;
  import tsr_cause_pkg::*;
  import tsr_dma_pkg::*;
#(
  parameter  dma_config_t Config       = DmaDefaults,
  localparam int unsigned Reads        = Config.Reads,
  localparam int unsigned Writes       = Config.Writes,
  localparam int unsigned Channels     = Reads + Writes,
  localparam int unsigned Lanes        = Config.DataWidth / 8,
  localparam int unsigned Bytes        = Config.StreamWidth < 8 ? 1 : Config.StreamWidth / 8,
  localparam int unsigned Parts        = Lanes > Bytes ? Lanes / Bytes : 1,
  localparam int unsigned FlightLog    = $clog2(Config.QueueDepth),
  localparam type         beat_t       = `TSR_BEAT_T(Bytes),
  localparam type         read_beat_t  = `TSR_READ_BEAT_T(Lanes, FlightLog),
  localparam type         write_beat_t = `TSR_WRITE_BEAT_T(Lanes, Parts)
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic                            tick_i,
  // Channels
  input  stream_orders_t   [Channels-1:0] orders_i,
  output stream_state_t    [Channels-1:0] state_o,
  input  receive_control_t [Channels-1:0] receive_i,
  output receive_state_t   [Channels-1:0] receive_o,
  output logic                            misrouted_o,     // a packet for no channel is dropped
  // Engine
  input  beside_t                         beside_i,
  input  logic                            beside_valid_i,
  input  read_beat_t       [   Reads-1:0] read_beat_i,
  input  logic             [   Reads-1:0] read_valid_i,
  output logic             [   Reads-1:0] read_ready_o,
  output write_beat_t      [  Writes-1:0] write_beat_o,
  output logic             [  Writes-1:0] write_valid_o,
  input  logic             [  Writes-1:0] write_ready_i,
  input  logic             [  Writes-1:0] write_takes_i,
  // Pins
  output side_t            [   Reads-1:0] side_o,
  output beat_t            [   Reads-1:0] beat_o,
  output logic             [   Reads-1:0] valid_o,
  input  logic             [   Reads-1:0] ready_i,
  input  side_t            [  Writes-1:0] side_i,
  input  beat_t            [  Writes-1:0] beat_i,
  input  logic             [  Writes-1:0] valid_i,
  output logic             [  Writes-1:0] ready_o
);

  localparam bit Side = Config.Side != 0;
  localparam bit Headers = Config.Side == 2;
  localparam bit Guard = Config.Guard != 0;
  localparam int unsigned StreamSilence = stream_silence(Config.Guard);

  // ---- Sending ----------------------------------------------------------------------------------

  logic [$clog2(Silence)-1:0] round_q;
  logic round;
  assign round = tick_i && round_q == ($clog2(Silence))'(Silence - 1);
  always_ff @(posedge clk_i) begin
    if (!rst_ni || round) round_q <= '0;
    else if (tick_i) round_q <= round_q + 1'b1;
  end

  logic [Reads-1:0] out_valid, out_ready, cut;
  for (genvar i = 0; i < Reads; i++) begin : gen_read
    logic drops, reset_q, waits_q, silent_q, clean;
    assign drops = orders_i[i].dropping || orders_i[i].in_reset;
    always_ff @(posedge clk_i) begin
      reset_q <= rst_ni && drops && (orders_i[i].reset || reset_q);
      if (!reset_q || (out_valid[i] && out_ready[i])) begin
        waits_q  <= 1'b0;
        silent_q <= 1'b0;
      end else if (round && out_valid[i]) begin
        waits_q  <= 1'b1;
        silent_q <= waits_q;
      end
    end
    // Of what is behind the engine nothing is left by a reset.
    if (Lanes != Bytes || Headers) begin : gen_cells
      logic [1:0] empty_q;
      assign clean = &empty_q;
      always_ff @(posedge clk_i)
        empty_q <= rst_ni ? {empty_q[0], 1'b1} & {2{orders_i[i].in_reset && !state_o[i].busy}} : '0;
    end else begin : gen_no_cells
      assign clean = 1'b0;
    end
    assign cut[i] = clean || (drops && reset_q && (silent_q || orders_i[i].timed_out));
    tsr_stream_out #(
      .InBytes  (Lanes),
      .OutBytes (Bytes),
      .FlightLog(FlightLog),
      .Side     (Side),
      .Headers  (Headers),
      .Column   (Config.SourceId[11:5]),
      .Row      (Config.SourceId[4:0]),
      .Guard    (Guard),
      .Silence  (StreamSilence)
    ) u_out (
      .clk_i,
      .rst_ni,
      .clear_i       (orders_i[i].in_reset),
      .cut_i         (cut[i]),
      .tick_i,
      .fault_o       (state_o[i].fault),
      .beside_i,
      .beside_valid_i(beside_valid_i && 32'(beside_i.channel) == i),
      .beat_i        (read_beat_i[i]),
      .valid_i       (read_valid_i[i]),
      .ready_o       (read_ready_o[i]),
      .side_o        (side_o[i]),
      .beat_o        (beat_o[i]),
      .valid_o       (out_valid[i]),
      .ready_i       (out_ready[i])
    );
    assign valid_o[i]       = i >= Config.Loopback && out_valid[i];
    assign state_o[i].waits = out_valid[i] && !out_ready[i];
    assign state_o[i].busy  = out_valid[i] || read_valid_i[i];
    assign receive_o[i]     = '0;
  end

  // ---- Receiving --------------------------------------------------------------------------------

  side_t [Writes-1:0] in_side;
  beat_t [Writes-1:0] in_beat;
  logic [Writes-1:0] in_valid, in_ready, excuse;
  for (genvar i = 0; i < Writes; i++) begin : gen_write
    localparam int unsigned C = Reads + i;
    tsr_stream_in #(
      .InBytes (Bytes),
      .OutBytes(Lanes),
      .Side    (Side),
      .Marks   (Side && Config.Triggers),
      .Headers (Headers),
      .Guard   (Guard),
      .Silence (StreamSilence)
    ) u_in (
      .clk_i,
      .rst_ni,
      .clear_i  (orders_i[C].in_reset),
      .busy_i   (write_takes_i[i] && !orders_i[C].excused),
      .tick_i,
      .fault_o  (state_o[C].fault),
      .excuse_i (excuse[i]),
      .side_i   (in_side[i]),
      .beat_i   (in_beat[i]),
      .valid_i  (in_valid[i]),
      .ready_o  (in_ready[i]),
      .drop_i   (orders_i[C].dropping),
      .control_i(receive_i[C]),
      .state_o  (receive_o[C]),
      .beat_o   (write_beat_o[i]),
      .valid_o  (write_valid_o[i]),
      .ready_i  (write_ready_i[i])
    );
    assign state_o[C].waits = !in_valid[i];
    assign state_o[C].busy  = 1'b0;
  end

  beat_t [Channels-1:0] beat;
  logic [Channels-1:0] valid, ready;
  assign beat  = {in_beat, beat_o};
  assign valid = {in_valid, out_valid};
  assign ready = {in_ready, out_ready};
  for (genvar c = 0; c < Channels; c++) begin : gen_watch
    tsr_stream_watch #(
      .Counts(Config.Counters),
      .Bytes (Bytes)
    ) u_watch (
      .clk_i,
      .rst_ni,
      .tkeep_i (beat[c].keep),
      .tlast_i (beat[c].last),
      .tvalid_i(valid[c]),
      .tready_i(ready[c]),
      .events_o(state_o[c].events)
    );
  end

  // ---- Which stream is whose --------------------------------------------------------------------

  for (genvar i = 0; i < Reads; i++) begin : gen_out
    if (i < Config.Loopback) begin : gen_loopback
      assign out_ready[i] = in_ready[i];
    end else begin : gen_pin
      assign out_ready[i] = ready_i[i];
    end
  end
  if (Config.RouteDest) begin : gen_route
    side_t all_side;
    beat_t all_beat;
    tsr_dest_split #(
      .Bytes  (Bytes),
      .Outputs(Writes)
    ) u_split (
      .clk_i,
      .rst_ni,
      .drop_o (misrouted_o),
      .side_i (side_i[0]),
      .beat_i (beat_i[0]),
      .valid_i(valid_i[0]),
      .ready_o(ready_o[0]),
      .side_o (all_side),
      .beat_o (all_beat),
      .valid_o(in_valid),
      .ready_i(in_ready)
    );
    assign in_side = {Writes{all_side}};
    assign in_beat = {Writes{all_beat}};
    assign excuse  = '0;
    for (genvar i = 1; i < Writes; i++) begin : gen_closed
      assign ready_o[i] = 1'b0;
    end
  end else begin : gen_direct
    assign misrouted_o = 1'b0;
    for (genvar i = 0; i < Writes; i++) begin : gen_in
      if (i < Config.Loopback) begin : gen_joined
        assign {in_side[i], in_beat[i], in_valid[i]} = {side_o[i], beat_o[i], out_valid[i]};
        assign excuse[i] = cut[i];
        assign ready_o[i] = 1'b0;
      end else begin : gen_pins
        assign {in_side[i], in_beat[i], in_valid[i]} = {side_i[i], beat_i[i], valid_i[i]};
        assign excuse[i] = 1'b0;
        assign ready_o[i] = in_ready[i];
      end
    end
  end

  logic unused_pins;
  assign unused_pins = ^{ready_i, side_i, beat_i, valid_i} ^ ^{orders_i, receive_i[Reads-1:0]};

  `TSR_ASSERT(JoinedPinsAreIdle, (valid_o & Reads'((33'd1 << Config.Loopback) - 33'd1)) == '0)

endmodule
