// What of a stream the counters count: its handshake, its last beats, the bytes of each beat.
//
// Contract: watches, and touches nothing. Without Enable all is 0, at no cost.
// Latency: 1 cycle. Throughput: a beat a cycle.
`include "tsr_assert.svh"
module tsr_stream_watch
  import tsr_register_pkg::*;
#(
  parameter bit          Enable = 1'b1,
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

  if (Enable) begin : gen_watch
    logic [Bytes-1:0] keep_q;
    logic last_q, valid_q, ready_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        valid_q <= 1'b0;
        ready_q <= 1'b0;
      end else begin
        valid_q <= tvalid_i;
        ready_q <= tready_i;
      end
      keep_q <= tkeep_i;
      last_q <= tlast_i;
    end
    always_comb begin
      events_o.valid = valid_q;
      events_o.ready = ready_q;
      events_o.last  = last_q;
      events_o.bytes = '0;
      for (int unsigned b = 0; b < Bytes; b++) begin
        events_o.bytes = events_o.bytes + 8'(keep_q[b]);
      end
    end
    `TSR_ASSERT(NoMoreThanABeat, 32'(events_o.bytes) <= Bytes)
  end else begin : gen_none
    assign events_o = '0;
    logic unused_stream;
    assign unused_stream = ^{clk_i, rst_ni, tkeep_i, tlast_i, tvalid_i, tready_i};
  end

endmodule
