// Makes null the bytes of a stream behind a size: what the last beat holds beyond it belongs to
// nobody.
//
// Contract: `start_i` for one cycle gives the size, in bytes, while no beat is accepted. Combinational
// on beats; counts the bytes that `keep_i` marks of those that are accepted.
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

  localparam int unsigned CountWidth = $clog2(Bytes) + 1;

  logic [63:0] left_q;
  logic [CountWidth-1:0] count;
  always_comb begin
    count = '0;
    for (int unsigned n = 0; n < Bytes; n++) begin
      keep_o[n] = keep_i[n] && 64'(count) < left_q;
      count     = count + CountWidth'(keep_i[n]);
    end
  end
  assign last_o = left_q <= 64'(count);
  assign open_o = left_q != '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) left_q <= '0;
    else if (start_i) left_q <= size_i;
    else if (taken_i) left_q <= last_o ? '0 : left_q - 64'(count);
  end

  `TSR_ASSERT_NEXT(LastLeavesNothing, taken_i && !start_i, open_o != $past(last_o))

  `TSR_STATIC_ASSERT(Bytes, $onehot(Bytes) && Bytes <= 128,
                     ("Bytes = %0d; legal is 1, 2, 4 .. 128", Bytes))

endmodule
