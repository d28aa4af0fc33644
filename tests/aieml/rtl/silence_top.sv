// The streams of a channel whose silence of 64 cycles is a fault, in either direction: valid and ready of both ends.
`include "tsr_types.svh"
module silence_top
  import tsr_fabric_pkg::*;
  import tsr_descriptor_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_program_pkg::*;
  import tsr_register_pkg::*;
  import tsr_aieml_pkg::*;
#(
  localparam int unsigned Bytes        = 16,
  localparam int unsigned Silence      = 64,
  localparam type         beat_t       = `TSR_BEAT_T(Bytes),
  localparam type         read_beat_t  = `TSR_READ_BEAT_T(Bytes, 3),
  localparam type         write_beat_t = `TSR_WRITE_BEAT_T(Bytes, 1)
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic pause_i,
  input  logic pause_memory_i,
  input  logic resets_i,
  // S2MM.
  input  logic in_valid_i,
  output logic in_ready_o,
  input  logic takes_i,
  output logic in_fault_o,
  // MM2S.
  input  logic engine_valid_i,
  output logic engine_ready_o,
  output logic out_valid_o,
  input  logic out_ready_i,
  output logic out_fault_o
);

  beat_t in_beat, out_beat;
  write_beat_t write_beat;
  read_beat_t read_beat;
  receive_state_t state;
  stream_events_t in_events, out_events;
  fault_e in_fault, out_fault;
  logic [5:0] moved;
  logic write_valid, rested, stuck;
  assign in_beat = '{last: 1'b0, keep: '1, data: '0};
  always_comb begin
    read_beat      = '0;
    read_beat.keep = '1;
  end

  tsr_aieml_stream_in #(
    .Lanes  (Bytes),
    .Bytes  (Bytes),
    .Guard  (1'b1),
    .Silence(Silence)
  ) u_in (
    .clk_i,
    .rst_ni,
    .levels_i     ('0),
    .resets_i     (1'b0),
    .pause_i,
    .pause_memory_i,
    .stage_i      ('0),
    .stage_valid_i(1'b0),
    .receive_i    ('0),
    .receive_o    (state),
    .moved_o      (moved),
    .fault_o      (in_fault),
    .events_o     (in_events),
    .beat_i       (in_beat),
    .valid_i      (in_valid_i),
    .ready_o      (in_ready_o),
    .beat_o       (write_beat),
    .valid_o      (write_valid),
    .ready_i      (1'b1),
    .takes_i
  );
  tsr_aieml_stream_out #(
    .Image  (ImageShim),
    .Lanes  (Bytes),
    .Bytes  (Bytes),
    .Guard  (1'b1),
    .Silence(Silence)
  ) u_out (
    .clk_i,
    .rst_ni,
    .in_reset_i   (1'b0),
    .resets_i,
    .failed_i     (1'b0),
    .rested_o     (rested),
    .stuck_o      (stuck),
    .pause_i,
    .stage_i      ('0),
    .stage_valid_i(1'b0),
    .fault_o      (out_fault),
    .events_o     (out_events),
    .beat_i       (read_beat),
    .valid_i      (engine_valid_i),
    .ready_o      (engine_ready_o),
    .beat_o       (out_beat),
    .valid_o      (out_valid_o),
    .ready_i      (out_ready_i)
  );
  assign in_fault_o  = in_fault != FaultNone;
  assign out_fault_o = out_fault != FaultNone;

  logic unused_open;
  assign unused_open = ^{out_beat, write_beat, state, in_events, out_events, moved, write_valid} ^
      ^{rested, stuck};

endmodule
