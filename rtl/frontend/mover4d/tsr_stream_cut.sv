// Makes null the bytes of a stream behind a size: what the last beat holds beyond it belongs to
// nobody.
//
// Contract: `start_i` for one cycle gives the size, in bytes, while no beat is accepted. Combinational
// on beats; counts those that are accepted.
// Latency: 0 cycles. Throughput: a beat a cycle.
`include "tsr_assert.svh"
module tsr_stream_cut #(
  parameter int unsigned Bytes = 8  // of a beat, a power of two
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             start_i,
  input  logic [     63:0] size_i,
  input  logic             taken_i,  // a beat is accepted
  input  logic [Bytes-1:0] keep_i,
  output logic [Bytes-1:0] keep_o,
  output logic             last_o,   // nothing of the size is left behind this beat
  output logic             open_o    // the size is not used up
);

  logic [63:0] left_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) left_q <= '0;
    else if (start_i) left_q <= size_i;
    else if (taken_i) left_q <= left_q < 64'(Bytes) ? '0 : left_q - 64'(Bytes);
  end

  assign last_o = left_q <= 64'(Bytes);
  assign open_o = left_q != '0;
  always_comb begin
    for (int unsigned n = 0; n < Bytes; n++) keep_o[n] = keep_i[n] && 64'(n) < left_q;
  end

  `TSR_ASSERT_NEXT(LastLeavesNothing, taken_i && !start_i, open_o != $past(last_o))

  `TSR_STATIC_ASSERT(Bytes, $onehot(Bytes) && Bytes <= 128,
                     ("Bytes = %0d; legal is 1, 2, 4 .. 128", Bytes))

endmodule
