// Turns a group of bytes: out[i] = in[i - amount], indices modulo the number of bytes.
//
// Contract: combinational; Bytes is a power of two. Latency: 0 cycles.
`include "tsr_assert.svh"
module tsr_rotate #(
  parameter int unsigned Bytes       = 8,
  parameter int unsigned AmountWidth = 3,  // log2 of the amounts wanted, at most log2(Bytes)
  parameter int unsigned Unit        = 1   // bytes that one step of the amount turns by
) (
  input  logic [      Bytes-1:0][7:0] data_i,
  input  logic [AmountWidth-1:0]      amount_i,
  output logic [      Bytes-1:0][7:0] data_o
);

  `TSR_STATIC_ASSERT(AmountWidth, AmountWidth >= 1 && (Unit << AmountWidth) <= Bytes,
                     ("AmountWidth = %0d; legal is 1 to log2 of %0d", AmountWidth, Bytes / Unit))

  localparam int unsigned BitsWidth = $clog2(Bytes);
  typedef logic [BitsWidth-1:0] lane_t;

  // One multiplexer a lane: its inputs are the lanes that an amount can bring there.
  for (genvar i = 0; i < Bytes; i++) begin : gen_lane
    logic [(1<<AmountWidth)-1:0][7:0] from;
    for (genvar a = 0; a < (1 << AmountWidth); a++) begin : gen_amount
      assign from[a] = data_i[lane_t'(i-int'(Unit*a))];
    end
    assign data_o[i] = from[amount_i];
  end

endmodule
