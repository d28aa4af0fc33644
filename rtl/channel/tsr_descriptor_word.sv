// A word of every descriptor: a memory with a write port and a read port, and the word that was read.
//
// Contract: while `read_i` the output becomes the word of `read_id_i`, without what is written in that cycle;
// with `fill_i` it becomes `fill_data_i` instead. Else it stays.
// Latency: 1 cycle.
`include "tsr_assert.svh"
module tsr_descriptor_word #(
  parameter  int unsigned Descriptors = 16,                                        // 1..256
  localparam int unsigned IdWidth     = Descriptors < 2 ? 1 : $clog2(Descriptors)
) (
  input  logic               clk_i,
  input  logic               put_i,
  input  logic [IdWidth-1:0] put_id_i,
  input  logic [       31:0] put_data_i,
  input  logic               read_i,
  input  logic [IdWidth-1:0] read_id_i,
  input  logic               fill_i,
  input  logic [       31:0] fill_data_i,
  output logic [       31:0] data_o
);

  `TSR_STATIC_ASSERT(Descriptors, Descriptors >= 1 && Descriptors <= 256,
                     ("Descriptors = %0d; legal is 1 to 256", Descriptors))

  logic [31:0] mem_q[Descriptors];

  always_ff @(posedge clk_i) begin
    if (put_i) mem_q[put_id_i] <= put_data_i;
    if (fill_i) data_o <= fill_data_i;
    else if (read_i) data_o <= mem_q[read_id_i];
  end

endmodule
