// What stands around one engine: its control, the watch on its stream, the windows of its transfers; of
// what a parameter leaves out, wires.
//
// Contract, latency, throughput: see tsr_channel_control, tsr_stream_guard and tsr_window_transfer.
`include "tsr_assert.svh"
module tsr_channel_shell
  import tsr_pkg::*;
  import tsr_fabric_pkg::*;
#(
  parameter bit          Control       = 1'b1,
  parameter bit          Guard         = 1'b1,
  parameter int unsigned AddrWidth     = 64,
  parameter int unsigned Windows       = 0,
  parameter bit          Walk          = 1'b1,
  parameter bit          Bounds        = 1'b1,
  parameter bit          Incoming      = 1'b0,  // the stream comes in
  parameter int unsigned BeatBits      = 73,
  parameter int unsigned Silence       = 4096,
  parameter int unsigned StreamSilence = 0
) (
  input  logic                                                clk_i,
  input  logic                                                rst_ni,
  input  channel_control_t                                    control_i,
  output channel_state_t                                      state_o,
  input  logic                                                abort_i,
  input  logic                                                quiesce_i,
  input  transfer_t                                           transfer_i,
  input  logic                                                valid_i,
  output logic                                                ready_o,
  output done_t                                               done_o,
  output logic                                                done_valid_o,
  input  logic                                                done_ready_i,
  output logic                                                idle_o,
  input  window_t          [(Windows == 0 ? 1 : Windows)-1:0] window_i,
  output logic                                                denied_o,
  output logic             [                   AddrWidth-1:0] denied_addr_o,
  // The engine, its records and its stream.
  output logic                                                engine_rst_no,
  output logic                                                abort_o,
  input  logic                                                idle_i,
  output logic                                                valid_o,
  input  logic                                                ready_i,
  input  done_t                                               done_i,
  input  logic                                                done_valid_i,
  output logic                                                done_ready_o,
  input  logic             [                    BeatBits-1:0] beat_i,
  input  logic                                                beat_valid_i,
  input  logic                                                beat_ready_i,
  // Its way to the bus.
  output logic                                                open_o,
  output logic                                                clear_o,
  input  logic                                                none_i,
  input  logic                                                calm_i,
  input  fault_e                                              bus_fault_i
);

  // Between control and windows.
  logic offered, taken;

  if (Windows != 0) begin : gen_windows
    tsr_window_transfer #(
      .AddrWidth(AddrWidth),
      .Windows  (Windows),
      .Walk     (Walk),
      .Bounds   (Bounds),
      .Write    (Incoming)
    ) u_window (
      .clk_i,
      .rst_ni (engine_rst_no),
      .window_i,
      .denied_o,
      .denied_addr_o,
      .transfer_i,
      .valid_i(offered),
      .ready_o(taken),
      .done_o,
      .done_valid_o,
      .done_ready_i,
      .idle_o,
      .valid_o,
      .ready_i,
      .done_i,
      .done_valid_i,
      .done_ready_o,
      .abort_i(abort_o),
      .idle_i
    );
  end else begin : gen_open
    logic unused_window;
    assign unused_window = ^{transfer_i, window_i};
    assign denied_o      = 1'b0;
    assign denied_addr_o = '0;
    assign valid_o       = offered;
    assign taken         = ready_i;
    assign done_o        = done_i;
    assign done_valid_o  = done_valid_i;
    assign done_ready_o  = done_ready_i;
    assign idle_o        = idle_i;
  end

  if (Control) begin : gen_control
    fault_e stream_fault;

    tsr_channel_control #(
      .Patience(Silence)
    ) u_control (
      .clk_i,
      .rst_ni,
      .control_i,
      .state_o,
      .abort_i,
      .quiesce_i,
      .valid_i,
      .ready_o,
      .valid_o       (offered),
      .ready_i       (taken),
      .done_i        (done_o),
      .done_valid_i  (done_valid_o),
      .done_ready_i,
      .abort_o,
      .idle_i        (idle_o),
      .clear_o,
      .open_o,
      .none_i,
      .calm_i,
      .bus_fault_i,
      .stream_fault_i(stream_fault)
    );

    if (Guard) begin : gen_guard
      tsr_stream_guard #(
        .Incoming(Incoming),
        .Bits    (BeatBits),
        .Silence (StreamSilence)
      ) u_guard (
        .clk_i,
        .rst_ni,
        .clear_i(clear_o),
        .busy_i ((!idle_o || valid_o) && !abort_o),  // it reads a transfer where it stands
        .beat_i,
        .valid_i(beat_valid_i),
        .ready_i(beat_ready_i),
        .fault_o(stream_fault)
      );
    end else begin : gen_trusted
      logic unused_beat;
      assign stream_fault = FaultNone;
      assign unused_beat  = ^{beat_i, beat_valid_i, beat_ready_i};
    end
    assign engine_rst_no = rst_ni && !clear_o;
  end else begin : gen_wires
    logic unused_control;
    assign unused_control = ^{control_i, quiesce_i,
                              beat_i, beat_valid_i, beat_ready_i, none_i, calm_i,
                              bus_fault_i, clk_i};
    assign state_o = '{cause: FaultNone, idle: idle_o, default: '0};
    assign engine_rst_no = rst_ni;
    assign abort_o = abort_i;
    assign offered = valid_i;
    assign ready_o = taken;
    assign open_o = 1'b1;
    assign clear_o = 1'b0;
  end

  `TSR_ASSERT(NothingIsOfferedInReset, !clear_o || !valid_o)

endmodule
