// A table of words in distributed memory, as registers use it: bits of a word are written, words are read.
//
// Contract: `write_i` writes the bits of `mask_i` of word `index_i`; `data_o` is that word, `merged_o` what a
// write makes of it. `look_o` is word `look_i`. With `clear_i` word `index_i` becomes 0: whoever wants a
// table of zeros after reset does so with each.
// Latency: 0 cycles to read, 1 to write. Throughput: one write a cycle.
`include "tsr_assert.svh"
module tsr_word_table #(
  parameter  int unsigned Depth      = 2,
  parameter  int unsigned Width      = 32,
  localparam int unsigned IndexWidth = Depth < 2 ? 1 : $clog2(Depth)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  clear_i,
  input  logic [IndexWidth-1:0] index_i,
  input  logic                  write_i,
  input  logic [     Width-1:0] data_i,
  input  logic [     Width-1:0] mask_i,
  output logic [     Width-1:0] data_o,
  output logic [     Width-1:0] merged_o,
  input  logic [IndexWidth-1:0] look_i,
  output logic [     Width-1:0] look_o
);

  (* ram_style = "distributed" *)
  logic [Width-1:0] mem_q[2**IndexWidth];

  assign data_o   = mem_q[index_i];
  assign look_o   = mem_q[look_i];
  assign merged_o = (data_i & mask_i) | (data_o & ~mask_i);

  always_ff @(posedge clk_i) begin
    if (clear_i || write_i) mem_q[index_i] <= clear_i ? '0 : merged_o;
  end

  `TSR_ASSERT(OneAtATime, !(clear_i && write_i))

endmodule
