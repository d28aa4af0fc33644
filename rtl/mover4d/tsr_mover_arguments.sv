// The arguments of a kernel: 64-bit words, at the places at which Vitis HLS puts pointers and
// sizes.
//
// Contract: argument n has its low half in word 3 n, its high half in word 3 n + 1; word 3 n + 2,
// and all that follows the last argument, reads 0, and writes of it do nothing. Bytes without
// strobe stay.
// Latency: 0 cycles to read, 1 to write. Throughput: one access a cycle.
`include "tsr_assert.svh"
module tsr_mover_arguments #(
  parameter int unsigned Count    = 2,  // 1..96
  parameter int unsigned WordBits = 9
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  input  logic [WordBits-1:0]            word_i,
  input  logic                           write_i,
  input  logic [        31:0]            data_i,
  input  logic [         3:0]            strobe_i,
  output logic [        31:0]            data_o,
  output logic [   Count-1:0][1:0][31:0] value_o
);

  `TSR_STATIC_ASSERT(Arguments, Count >= 1 && Count <= 96,
                     ("Arguments = %0d in all; legal is 1 to 96", Count))

  always_ff @(posedge clk_i) begin
    for (int unsigned n = 0; n < 2 * Count; n++) begin
      if (!rst_ni) begin
        value_o[n/2][n%2] <= '0;
      end else if (write_i && word_i == WordBits'(3 * (n / 2) + n % 2)) begin
        for (int unsigned b = 0; b < 4; b++) begin
          if (strobe_i[b]) value_o[n/2][n%2][8*b+:8] <= data_i[8*b+:8];
        end
      end
    end
  end

  always_comb begin
    data_o = '0;
    for (int unsigned n = 0; n < 2 * Count; n++) begin
      if (word_i == WordBits'(3 * (n / 2) + n % 2)) data_o = data_o | value_o[n/2][n%2];
    end
  end

endmodule
