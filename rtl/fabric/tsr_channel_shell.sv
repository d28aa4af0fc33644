// What stands around one engine: its control and the watch on its stream, or, without Control, wires.
//
// Contract, latency, throughput: see tsr_channel_control and tsr_stream_guard.
module tsr_channel_shell
  import tsr_pkg::*;
  import tsr_fabric_pkg::*;
#(
  parameter bit          Control       = 1'b1,
  parameter bit          Guard         = 1'b1,
  parameter bit          Incoming      = 1'b0,  // the stream comes in
  parameter int unsigned BeatBits      = 73,
  parameter int unsigned Silence       = 4096,
  parameter int unsigned StreamSilence = 0
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  channel_control_t                control_i,
  output channel_state_t                  state_o,
  input  logic                            abort_i,
  input  logic                            quiesce_i,
  input  logic                            valid_i,
  output logic                            ready_o,
  // The engine, its records and its stream.
  output logic                            engine_rst_no,
  output logic                            abort_o,
  input  logic                            idle_i,
  output logic                            valid_o,
  input  logic                            ready_i,
  input  done_t                           done_i,
  input  logic                            done_valid_i,
  input  logic                            done_ready_i,
  input  logic             [BeatBits-1:0] beat_i,
  input  logic                            beat_valid_i,
  input  logic                            beat_ready_i,
  // Its way to the bus.
  output logic                            open_o,
  output logic                            clear_o,
  input  logic                            none_i,
  input  logic                            calm_i,
  input  fault_e                          bus_fault_i
);

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
      .valid_o,
      .ready_i,
      .done_i,
      .done_valid_i,
      .done_ready_i,
      .abort_o,
      .idle_i,
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
        .busy_i (!idle_i && !abort_o),
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
    assign unused_control = ^{control_i, quiesce_i, idle_i, done_i, done_valid_i, done_ready_i,
                              beat_i, beat_valid_i, beat_ready_i, none_i, calm_i,
                              bus_fault_i, clk_i};
    assign state_o = '{cause: FaultNone, idle: idle_i, default: '0};
    assign engine_rst_no = rst_ni;
    assign abort_o = abort_i;
    assign valid_o = valid_i;
    assign ready_o = ready_i;
    assign open_o = 1'b1;
    assign clear_o = 1'b0;
  end

endmodule
