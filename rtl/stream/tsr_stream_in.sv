// Receives the beats of one write channel: under watch, from the beginning of frames, without headers of packets, in the
// width of the engine.
//
// Contract: beats are taken while the engine is ready. Bytes that wait for the rest of a word of the engine go on alone when the
// stream has given nothing for some cycles. With `drop_i`, a cycle later, what is held here is forgotten. `control_i`,
// `state_o`: see tsr_reception. The side information of a beat is that of each part of a beat, a part being as wide as the stream at most.
// `fault_o`: see tsr_stream_guard, for which `clear_i`, `busy_i` and `excuse_i` are.
// Latency: 0 cycles, 1 more where the width changes, a beat more while headers choose. Throughput: a beat of the narrower
// side a cycle.
`include "tsr_assert.svh"
`include "tsr_types.svh"
module tsr_stream_in
  import tsr_descriptor_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_fabric_pkg::*;
#(
  parameter int unsigned InBytes = 8,  // with Headers at least 4
  parameter int unsigned OutBytes = 8,
  parameter bit Side = 1'b0,
  parameter bit Marks = 1'b0,  // TUSER bit 0 may begin a frame
  parameter bit Headers = 1'b0,  // headers may choose descriptors
  parameter bit Guard = 1'b1,
  parameter int unsigned Silence = 0,  // 0: the stream may wait for ever
  localparam int unsigned Parts = OutBytes > InBytes ? OutBytes / InBytes : 1,
  localparam type beat_t = `TSR_BEAT_T(InBytes),
  localparam type write_beat_t = `TSR_WRITE_BEAT_T(OutBytes, Parts)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             clear_i,
  input  logic             busy_i,
  input  logic             tick_i,
  output fault_e           fault_o,
  input  logic             excuse_i,
  // The stream.
  input  side_t            side_i,
  input  beat_t            beat_i,
  input  logic             valid_i,
  output logic             ready_o,
  // Control.
  input  logic             drop_i,
  input  receive_control_t control_i,
  output receive_state_t   state_o,
  // The engine.
  output write_beat_t      beat_o,
  output logic             valid_o,
  input  logic             ready_i
);

  // ---- Watch ------------------------------------------------------------------------------------

  if (Guard) begin : gen_guard
    tsr_stream_guard #(
      .Incoming(1'b1),
      .Bits    ($bits(beat_t)),
      .Silence (Silence)
    ) u_guard (
      .clk_i,
      .rst_ni,
      .clear_i,
      .tick_i,
      .busy_i,
      .excuse_i,
      .beat_i,
      .valid_i,
      .ready_i(ready_o),
      .fault_o
    );
  end else begin : gen_trusted
    logic unused_watch;
    assign unused_watch = ^{clear_i, busy_i, tick_i, excuse_i};
    assign fault_o      = FaultNone;
  end

  // ---- Frames and headers -----------------------------------------------------------------------

  side_t side, kept;
  beat_t beat;
  logic valid, ready, opens;
  tsr_reception #(
    .Bytes  (InBytes),
    .Marks  (Marks),
    .Headers(Headers)
  ) u_reception (
    .clk_i,
    .rst_ni,
    .control_i,
    .state_o,
    .side_i,
    .beat_i,
    .valid_i,
    .ready_o,
    .side_o (side),
    .beat_o (beat),
    .valid_o(valid),
    .ready_i(ready && opens)
  );
  // It comes from far.
  logic drop_q;
  always_ff @(posedge clk_i) drop_q <= drop_i;
  assign opens = ready_i && !drop_q;
  assign kept  = Side ? side : '0;

  // ---- Width ------------------------------------------------------------------------------------

  localparam int unsigned Pieces = InBytes > OutBytes ? InBytes / OutBytes : 1;
  logic held;
  logic [3:0] quiet_q;
  always_ff @(posedge clk_i) begin
    if (!held || valid) quiet_q <= '0;
    else if (!quiet_q[3]) quiet_q <= quiet_q + 1'b1;
  end
  tsr_stream_width #(
    .InBytes (InBytes),
    .OutBytes(OutBytes),
    .Apart   (1'b1),
    .side_t  (side_t)
  ) u_width (
    .clk_i,
    .rst_ni  (rst_ni && !drop_q),
    .flush_i (quiet_q[3] && opens),
    .held_o  (held),
    .tdata_i (beat.data),
    .tkeep_i (beat.keep),
    .tlast_i (beat.last),
    .tends_i (1'b0),
    .side_i  ({Pieces{kept}}),
    .tvalid_i(valid && opens),
    .tready_o(ready),
    .tdata_o (beat_o.data),
    .tkeep_o (beat_o.keep),
    .tlast_o (beat_o.last),
    .side_o  (beat_o.side),
    .sparse_o(beat_o.sparse),
    .tvalid_o(valid_o),
    .tready_i(ready_i)
  );

  `TSR_STATIC_ASSERT(Headers, !Headers || InBytes >= 4,
                     ("Headers = %0d; legal is 0 below 4 bytes", Headers))
  `TSR_ASSERT(TakesForTheEngine, !(valid && ready && opens) || ready_i)

endmodule
