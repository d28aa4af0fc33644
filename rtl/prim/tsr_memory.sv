// A memory with a port to write and one to read through a register.
//
// Contract: `data_o` is the word at `read_at_i` in the last cycle with `read_i`. Whether a word that was
// written in that cycle is the new one is not certain: nobody may use it. With Block it is a block RAM, else
// it is in LUTs, whose output comes earlier in its cycle.
// Latency: 1 cycle. Throughput: a word a cycle each way.
`include "tsr_assert.svh"
module tsr_memory #(
  parameter  int unsigned Depth = 16,
  parameter  int unsigned Width = 32,
  parameter  bit          Block = 1'b0,
  localparam int unsigned Index = $clog2(Depth)
) (
  input  logic             clk_i,
  input  logic             write_i,
  input  logic [Index-1:0] write_at_i,
  input  logic [Width-1:0] data_i,
  input  logic             read_i,
  input  logic [Index-1:0] read_at_i,
  output logic [Width-1:0] data_o
);

  if (Block) begin : gen_block
    (* ram_style = "block", no_rw_check *) logic [Width-1:0] mem[Depth];
    always_ff @(posedge clk_i) begin
      if (write_i) mem[write_at_i] <= data_i;
      if (read_i) data_o <= mem[read_at_i];
    end
  end else begin : gen_luts
    (* ram_style = "distributed" *) logic [Width-1:0] mem[Depth];
    always_ff @(posedge clk_i) begin
      if (write_i) mem[write_at_i] <= data_i;
      if (read_i) data_o <= mem[read_at_i];
    end
  end

  `TSR_STATIC_ASSERT(Depth, Depth >= 2, ("Depth = %0d; legal is 2 and more", Depth))

endmodule
