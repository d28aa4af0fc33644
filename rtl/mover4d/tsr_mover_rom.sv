// A ROM of beats that a channel sends.
//
// Contract: `read_i` takes beat `place_i`, which `data_o` shows from the next cycle to the next read.
// Latency: 1 cycle. Throughput: a beat a cycle.
`include "tsr_assert.svh"
module tsr_mover_rom #(
  parameter int unsigned Bytes = 8,  // of a beat
  parameter int unsigned Words = 1,  // beats
  parameter logic [Words*8*Bytes-1:0] Contents = '0,  // beat 0 lowest
  localparam int unsigned PlaceBits = $clog2(Words < 2 ? 2 : Words)
) (
  input  logic                 clk_i,
  input  logic                 read_i,
  input  logic [PlaceBits-1:0] place_i,
  output logic [  8*Bytes-1:0] data_o
);

  `TSR_STATIC_ASSERT(RomWords, Words >= 1 && Words <= 4096,
                     ("RomWords = %0d; legal is 0 to 4096", Words))

  logic [8*Bytes-1:0] word;
  always_comb begin
    word = '0;
    for (int unsigned n = 0; n < Words; n++) begin
      if (place_i == PlaceBits'(n)) word = Contents[n*8*Bytes+:8*Bytes];
    end
  end
  always_ff @(posedge clk_i) if (read_i) data_o <= word;

endmodule
