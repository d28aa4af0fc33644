// Surrounds one engine with its control, the watch on its stream and the windows of its transfers; a part
// that the build leaves out is wires.
//
// Contract, latency, throughput: see tsr_channel_control, tsr_stream_guard and tsr_window_transfer.
`include "tsr_assert.svh"
module tsr_channel_shell
  import tsr_pkg::*;
  import tsr_fabric_pkg::*;
#(
  parameter fabric_config_t Config = FabricDefaults,
  parameter bit Incoming = 1'b0,  // the stream comes in
  parameter int unsigned BeatBits = 73,
  localparam int unsigned Shown = Config.Windows == 0 ? 1 : Config.Windows
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  transfer_t                       transfer_i,
  input  logic                            valid_i,
  output logic                            ready_o,
  output done_t                           done_o,
  output logic                            done_valid_o,
  input  logic                            done_ready_i,
  input  channel_request_t                request_i,
  output channel_status_t                 status_o,
  output denied_t                         denied_o,
  input  logic                            quiesce_i,
  input  logic                            tick_i,         // the cycle counts for time-outs
  input  window_t          [   Shown-1:0] window_i,
  // The engine, its records and its stream.
  output logic                            engine_rst_no,
  output logic                            abort_o,
  input  logic                            idle_i,
  input  logic             [         7:0] held_i,
  output logic                            valid_o,
  input  logic                            ready_i,
  input  done_t                           done_i,
  input  logic                            done_valid_i,
  output logic                            done_ready_o,
  input  logic                            excuse_i,       // it may be taken back
  input  logic             [BeatBits-1:0] beat_i,
  input  logic                            beat_valid_i,
  input  logic                            beat_ready_i,
  // Its way to the bus, and the windows there.
  output bus_control_t                    bus_o,
  input  bus_state_t                      bus_i,
  input  denied_t                         denied_i
);

  // Between control and windows, and out.
  logic offered, taken, idle;
  channel_state_t state;
  denied_t denied;

  assign status_o = '{idle: idle, held: held_i, state: state};
  assign denied_o = denied_i.valid ? denied_i : denied;

  if (Config.Windows != 0) begin : gen_windows
    tsr_window_transfer #(
      .Config(Config),
      .Write (Incoming)
    ) u_window (
      .clk_i,
      .rst_ni  (engine_rst_no),
      .window_i,
      .denied_o(denied),
      .transfer_i,
      .valid_i (offered),
      .ready_o (taken),
      .done_o,
      .done_valid_o,
      .done_ready_i,
      .idle_o  (idle),
      .valid_o,
      .ready_i,
      .done_i,
      .done_valid_i,
      .done_ready_o,
      .abort_i (abort_o),
      .idle_i
    );
  end else begin : gen_open
    logic unused_window;
    assign unused_window = ^{transfer_i, window_i};
    assign denied        = '0;
    assign valid_o       = offered;
    assign taken         = ready_i;
    assign done_o        = done_i;
    assign done_valid_o  = done_valid_i;
    assign done_ready_o  = done_ready_i;
    assign idle          = idle_i;
  end

  if (Config.Control) begin : gen_control
    fault_e stream_fault;

    tsr_channel_control #(
      .Patience(Config.Silence)
    ) u_control (
      .clk_i,
      .rst_ni,
      .control_i     (request_i.control),
      .state_o       (state),
      .abort_i       (request_i.aborts),
      .quiesce_i,
      .tick_i,
      .valid_i,
      .ready_o,
      .valid_o       (offered),
      .ready_i       (taken),
      .done_i        (done_o),
      .done_valid_i  (done_valid_o),
      .done_ready_i,
      .abort_o,
      .idle_i        (idle),
      .bus_o,
      .bus_i,
      .stream_fault_i(stream_fault)
    );

    if (Config.Guard) begin : gen_guard
      tsr_stream_guard #(
        .Incoming(Incoming),
        .Bits    (BeatBits),
        .Silence (Config.StreamSilence)
      ) u_guard (
        .clk_i,
        .rst_ni,
        .clear_i (bus_o.clear),
        .tick_i,
        .busy_i  (!idle || valid_o),  // it reads a transfer where it stands
        .excuse_i(excuse_i),
        .beat_i,
        .valid_i (beat_valid_i),
        .ready_i (beat_ready_i),
        .fault_o (stream_fault)
      );
    end else begin : gen_trusted
      logic unused_beat;
      assign stream_fault = FaultNone;
      assign unused_beat  = ^{beat_i, beat_valid_i, beat_ready_i, excuse_i};
    end
    assign engine_rst_no = rst_ni && !bus_o.clear;
  end else begin : gen_wires
    logic unused_control;
    assign unused_control = ^{clk_i, request_i, quiesce_i, bus_i} ^
        ^{beat_i, beat_valid_i, beat_ready_i, excuse_i};
    assign state = '{cause: FaultNone, idle: idle, default: '0};
    assign engine_rst_no = rst_ni;
    assign abort_o = request_i.aborts;
    assign offered = valid_i;
    assign ready_o = taken;
    assign bus_o = '{open: 1'b1, clear: 1'b0, tick: tick_i};
  end

  `TSR_ASSERT(NothingIsOfferedInReset, !bus_o.clear || !valid_o)

endmodule
