// Stream of an S2MM channel: from the pins through packet headers and decompression to the engine, held while it is paused.
//
// Contract: as tsr_stream_in and tsr_aieml_receive. `moved_o`: words that go to the engine in this cycle. While one
// of the pauses holds the channel its stream is not silent.
// Latency: 0 cycles where the widths are equal and nothing is staged. Throughput: a beat a cycle.
`include "tsr_assert.svh"
`include "tsr_types.svh"
`include "tsr_port_types.svh"
module tsr_aieml_stream_in
  import tsr_fabric_pkg::*;
  import tsr_descriptor_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_program_pkg::*;
  import tsr_register_pkg::*;
  import tsr_aieml_pkg::*;
#(
  parameter  int unsigned Lanes         = 16,                                 // bytes of the bus
  parameter  int unsigned Bytes         = 4,                                  // of the stream
  parameter  bit          Guard         = 1'b0,
  parameter  int unsigned Silence       = 0,
  localparam int unsigned Parts         = Lanes > Bytes ? Lanes / Bytes : 1,
  localparam type         beat_t        = `TSR_BEAT_T(Bytes),
  localparam type         engine_beat_t = `TSR_WRITE_BEAT_T(Lanes, Parts)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  channel_levels_t        levels_i,
  input  logic                   resets_i,        // by software
  input  logic                   pause_i,         // Pause_Stream
  input  logic                   pause_memory_i,
  input  aieml_stage_t           stage_i,
  input  logic                   stage_valid_i,
  input  receive_control_t       receive_i,
  output receive_state_t         receive_o,
  output logic             [5:0] moved_o,
  output fault_e                 fault_o,
  output stream_events_t         events_o,
  input  beat_t                  beat_i,
  input  logic                   valid_i,
  output logic                   ready_o,
  output engine_beat_t           beat_o,
  output logic                   valid_o,
  input  logic                   ready_i,
  input  logic                   takes_i          // of the engine
);

  logic in_valid, in_ready, valid, ready;
  beat_t beat;
  receive_state_t unused_state;
  tsr_aieml_pause u_pause (
    .clk_i,
    .rst_ni,
    .pause_i,
    .valid_i,
    .ready_o,
    .valid_o(in_valid),
    .ready_i(in_ready)
  );
  tsr_stream_watch #(
    .Bytes(Bytes)
  ) u_watch (
    .clk_i,
    .rst_ni,
    .tkeep_i (beat_i.keep),
    .tlast_i (beat_i.last),
    .tvalid_i(in_valid),
    .tready_i(in_ready),
    .events_o
  );

  // Headers and decompression are a word at a time.
  if (Bytes == 4) begin : gen_stage
    logic keep, taken_q, unused_keep;
    tsr_aieml_receive u_receive (
      .clk_i,
      .rst_ni,
      .clear_i     (levels_i.in_reset),
      .push_i      (stage_i),
      .push_valid_i(stage_valid_i),
      .by_header_i (receive_i.by_id),
      .wants_i     (levels_i.tasks && !levels_i.halted && !resets_i && !receive_o.id_valid),
      .id_o        (receive_o.id),
      .id_valid_o  (receive_o.id_valid),
      .id_take_i   (receive_i.take_id),
      .data_i      (beat_i.data),
      .last_i      (beat_i.last),
      .valid_i     (in_valid),
      .ready_o     (in_ready),
      .data_o      (beat.data),
      .keep_o      (keep),
      .last_o      (beat.last),
      .valid_o     (valid),
      .ready_i     (ready)
    );
    always_ff @(posedge clk_i) taken_q <= rst_ni && valid && ready && keep;
    assign receive_o.mark = 1'b0;
    assign beat.keep      = {Bytes{keep}};
    assign moved_o        = {5'd0, taken_q};
    assign unused_keep    = ^{beat_i.keep, receive_i, levels_i};
  end else begin : gen_wide
    logic unused_stage;
    assign unused_stage = ^{stage_i, stage_valid_i, receive_i, resets_i, levels_i};
    assign receive_o    = '0;
    assign beat         = beat_i;
    assign valid        = in_valid;
    assign in_ready     = ready;
    assign moved_o      = events_o.valid && events_o.ready ? events_o.bytes[7:2] : '0;
  end

  tsr_stream_in #(
    .InBytes (Bytes),
    .OutBytes(Lanes),
    .Guard   (Guard),
    .Silence (Silence)
  ) u_in (
    .clk_i,
    .rst_ni,
    .clear_i  (levels_i.in_reset),
    .busy_i   (takes_i && !pause_i && !pause_memory_i),
    .tick_i   (1'b1),
    .fault_o,
    .excuse_i (1'b0),
    .side_i   ('0),
    .beat_i   (beat),
    .valid_i  (valid),
    .ready_o  (ready),
    .drop_i   (levels_i.dropping),
    .control_i('0),
    .state_o  (unused_state),
    .beat_o,
    .valid_o,
    .ready_i
  );

  `TSR_STATIC_ASSERT(Bytes, Bytes >= 4 && $onehot(Bytes),
                     ("Bytes = %0d; legal is a power of two from 4", Bytes))

endmodule
