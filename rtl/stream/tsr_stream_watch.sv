// What of a stream registers tell: its handshake, and for counters its last beats and the bytes of each beat.
//
// Contract: watches, and touches nothing. Without Counts `last` and `bytes` are 0, at no cost.
// Latency: 1 cycle. Throughput: a beat a cycle.
`include "tsr_assert.svh"
module tsr_stream_watch
  import tsr_register_pkg::*;
#(
  parameter bit          Counts = 1'b1,
  parameter int unsigned Bytes  = 8      // of a beat, 1..128
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic           [Bytes-1:0] tkeep_i,
  input  logic                       tlast_i,
  input  logic                       tvalid_i,
  input  logic                       tready_i,
  output stream_events_t             events_o
);

  `TSR_STATIC_ASSERT(Bytes, Bytes >= 1 && Bytes <= 128, ("Bytes = %0d; legal is 1 to 128", Bytes))

  logic valid_q, ready_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      ready_q <= 1'b0;
    end else begin
      valid_q <= tvalid_i;
      ready_q <= tready_i;
    end
  end
  assign events_o.valid = valid_q;
  assign events_o.ready = ready_q;

  if (Counts) begin : gen_counts
    logic [Bytes-1:0] keep_q;
    logic last_q;
    always_ff @(posedge clk_i) begin
      keep_q <= tkeep_i;
      last_q <= tlast_i;
    end
    assign events_o.last = last_q;
    always_comb begin
      events_o.bytes = '0;
      for (int unsigned b = 0; b < Bytes; b++) begin
        events_o.bytes = events_o.bytes + 8'(keep_q[b]);
      end
    end
    `TSR_ASSERT(NoMoreThanABeat, 32'(events_o.bytes) <= Bytes)
  end else begin : gen_none
    assign events_o.last  = 1'b0;
    assign events_o.bytes = '0;
    logic unused_beat;
    assign unused_beat = ^{tkeep_i, tlast_i};
  end

endmodule
