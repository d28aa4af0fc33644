// Gives each beat of a stream to every taker of a set.
//
// Contract: every taker gets the same beats in the same order, each when it is ready; the next beat
// comes when all have taken this one. `enable_i` is looked at when a packet begins: a taker gets whole
// packets or none of them. A taker that is not enabled holds nobody up. `isolate_i` leaves a taker out
// at once, in the middle of a packet, and until a packet begins after it has fallen: for a partner that
// is stuck or in reset. Its TVALID falls without TREADY, that of the others never does. With nobody to
// take them beats are dropped. No path from ready to ready or from valid to valid.
// Latency: 1 cycle. Throughput: one beat a cycle if all are ready.
`include "tsr_assert.svh"
module tsr_stream_broadcast #(
  parameter int unsigned Bytes   = 8,  // 1, 2, 4 .. 128
  parameter int unsigned Outputs = 2   // 1..16
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,
  input  logic [Outputs-1:0]                 enable_i,
  input  logic [Outputs-1:0]                 isolate_i,
  output logic [Outputs-1:0]                 taker_o,    // who takes the packet that is open
  input  logic [  Bytes-1:0][      7:0]      tdata_i,
  input  logic [  Bytes-1:0]                 tkeep_i,
  input  logic                               tlast_i,
  input  logic                               tvalid_i,
  output logic                               tready_o,
  output logic [Outputs-1:0][Bytes-1:0][7:0] tdata_o,
  output logic [Outputs-1:0][Bytes-1:0]      tkeep_o,
  output logic [Outputs-1:0]                 tlast_o,
  output logic [Outputs-1:0]                 tvalid_o,
  input  logic [Outputs-1:0]                 tready_i
);

  `TSR_STATIC_ASSERT(Bytes, $onehot(Bytes) && Bytes <= 128,
                     ("Bytes = %0d; legal is 1, 2, 4, 8, 16, 32, 64 or 128", Bytes))
  `TSR_STATIC_ASSERT(Outputs, Outputs >= 1 && Outputs <= 16,
                     ("Outputs = %0d; legal is 1 to 16", Outputs))

  typedef logic [Outputs-1:0] set_t;
  typedef struct packed {
    logic [Bytes-1:0][7:0] data;
    logic [Bytes-1:0]      keep;
    logic                  last;
  } beat_t;

  beat_t beat;
  logic valid, ready;
  tsr_slice #(
    .T(beat_t)
  ) u_slice (
    .clk_i,
    .rst_ni,
    .data_i ({tdata_i, tkeep_i, tlast_i}),
    .valid_i(tvalid_i),
    .ready_o(tready_o),
    .data_o (beat),
    .valid_o(valid),
    .ready_i(ready)
  );

  // `takers_q`: who takes the beat that is shown, if one is; it is found out in the cycle before, for
  // the beat that may begin a packet. `done_q`: who has taken it.
  set_t takers_q, done_q, taken;
  logic open_q, ends;

  assign taken = done_q | ~takers_q | isolate_i | tready_i;
  assign ready = taken == '1;
  assign ends  = valid && ready && beat.last;

  always_ff @(posedge clk_i) begin
    takers_q <= ((valid || open_q) && !ends ? takers_q : enable_i) & ~isolate_i;
    if (!rst_ni) begin
      open_q <= 1'b0;
      done_q <= '0;
    end else if (valid) begin
      open_q <= !(ready && beat.last);
      done_q <= ready ? '0 : taken & takers_q;
    end
  end

  assign taker_o = takers_q;
  for (genvar i = 0; i < Outputs; i++) begin : gen_output
    assign tdata_o[i]  = beat.data;
    assign tkeep_o[i]  = beat.keep;
    assign tlast_o[i]  = beat.last;
    assign tvalid_o[i] = valid && takers_q[i] && !done_q[i] && !isolate_i[i];
  end

endmodule
