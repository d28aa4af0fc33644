// Stream of an MM2S channel: from the engine through compression and packet headers to the pins, held while it is paused.
//
// Contract: as tsr_stream_out and tsr_aieml_send. What has left the engine goes out before a reset is over
// (`rested_o`), paused or not, unless the stream is silent: then it is dropped but for units that are compressed.
// A stream that is paused is not silent. `stuck_o`: a reset waits, and the stream has taken nothing for `Patience` cycles.
// Latency: 0 cycles where the widths are equal and nothing is staged. Throughput: a beat a cycle.
`include "tsr_assert.svh"
`include "tsr_types.svh"
`include "tsr_port_types.svh"
module tsr_aieml_stream_out
  import tsr_fabric_pkg::*;
  import tsr_descriptor_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_program_pkg::*;
  import tsr_register_pkg::*;
  import tsr_aieml_pkg::*;
#(
  parameter  int unsigned Image         = ImageMemory,
  parameter  int unsigned Lanes         = 16,                                  // bytes of the bus
  parameter  int unsigned Bytes         = 4,                                   // of the stream
  parameter  int unsigned FlightLog     = 3,
  parameter  bit          Guard         = 1'b0,
  parameter  int unsigned Silence       = 0,
  parameter  int unsigned Patience      = 4096,
  localparam type         engine_beat_t = `TSR_READ_BEAT_T(Lanes, FlightLog),
  localparam type         beat_t        = `TSR_BEAT_T(Bytes)
) (
  input  logic           clk_i,
  input  logic           rst_ni,
  input  logic           in_reset_i,     // of the engine
  input  logic           resets_i,       // by software
  input  logic           failed_i,       // its port has
  output logic           rested_o,       // nothing of the reset is under way
  output logic           stuck_o,
  input  logic           pause_i,
  input  aieml_stage_t   stage_i,
  input  logic           stage_valid_i,
  output fault_e         fault_o,
  output stream_events_t events_o,
  input  engine_beat_t   beat_i,
  input  logic           valid_i,
  output logic           ready_o,
  output beat_t          beat_o,
  output logic           valid_o,
  input  logic           ready_i
);

  logic timed_q, valid, ready, out_valid, out_ready, clears, empty;
  beat_t beat;
  side_t unused_side;
  tsr_watchdog #(
    .Ticks(Patience)
  ) u_watchdog (
    .clk_i,
    .rst_ni,
    .tick_i (1'b1),
    .waits_i(resets_i && (valid || !empty)),
    .moves_i(ready || (out_valid && out_ready)),
    .over_o (stuck_o)
  );
  always_ff @(posedge clk_i)
    timed_q <= rst_ni && (fault_o == FaultStreamTime || (timed_q && !rested_o));
  assign clears   = in_reset_i && !valid && !failed_i;
  assign rested_o = clears && (empty || timed_q);
  tsr_stream_out #(
    .InBytes  (Lanes),
    .OutBytes (Bytes),
    .FlightLog(FlightLog),
    .Guard    (Guard),
    .Silence  (Silence)
  ) u_out (
    .clk_i,
    .rst_ni,
    .clear_i       (in_reset_i),
    .cut_i         (resets_i && timed_q),
    .tick_i        (!pause_i || resets_i),
    .fault_o,
    .beside_i      ('0),
    .beside_valid_i(1'b0),
    .beat_i,
    .valid_i,
    .ready_o,
    .side_o        (unused_side),
    .beat_o        (beat),
    .valid_o       (valid),
    .ready_i       (ready)
  );

  // Headers and compression are a word at a time.
  if (Bytes == 4) begin : gen_stage
    logic unused_keep;
    assign unused_keep = ^beat.keep;
    assign beat_o.keep = '1;
    tsr_aieml_send #(
      .Compression(Image != ImageShim)
    ) u_send (
      .clk_i,
      .rst_ni,
      .clear_i     (clears),
      .push_i      (stage_i),
      .push_valid_i(stage_valid_i),
      .data_i      (beat.data),
      .keep_i      (beat.keep[0]),
      .last_i      (beat.last),
      .valid_i     (valid),
      .ready_o     (ready),
      .data_o      (beat_o.data),
      .last_o      (beat_o.last),
      .valid_o     (out_valid),
      .ready_i     (out_ready),
      .empty_o     (empty)
    );
  end else begin : gen_wide
    logic unused_stage;
    assign unused_stage = ^{stage_i, stage_valid_i};
    assign beat_o       = beat;
    assign out_valid    = valid;
    assign empty        = 1'b1;
    assign ready        = out_ready;
  end

  tsr_aieml_pause u_pause (
    .clk_i,
    .rst_ni,
    .pause_i(pause_i && !resets_i),
    .valid_i(out_valid),
    .ready_o(out_ready),
    .valid_o,
    .ready_i
  );
  tsr_stream_watch #(
    .Bytes(Bytes)
  ) u_watch (
    .clk_i,
    .rst_ni,
    .tkeep_i (beat_o.keep),
    .tlast_i (beat_o.last),
    .tvalid_i(valid_o),
    .tready_i(ready_i),
    .events_o
  );

  `TSR_STATIC_ASSERT(Bytes, Bytes >= 4 && $onehot(Bytes),
                     ("Bytes = %0d; legal is a power of two from 4", Bytes))

endmodule
