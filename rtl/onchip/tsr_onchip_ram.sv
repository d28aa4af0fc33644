// A memory of words in groups of bits, one read and one write a cycle: block RAM or UltraRAM by inference.
//
// Contract: `data_o` is the word of two cycles before; a word that is written in the same cycle is read as it was.
// Latency: 2 cycles. Throughput: a read and a write a cycle.
`include "tsr_assert.svh"
module tsr_onchip_ram #(
  parameter  int unsigned Rows      = 512,          // a power of two
  parameter  int unsigned Groups    = 8,            // a power of two
  parameter  int unsigned GroupBits = 8,            // 8, 9, 39 or 72
  parameter  bit          Zeroed    = 1'b0,         // it holds zeros at first
  localparam int unsigned RowBits   = $clog2(Rows)
) (
  input  logic                              clk_i,
  input  logic [RowBits-1:0]                read_i,
  output logic [ Groups-1:0][GroupBits-1:0] data_o,
  input  logic [RowBits-1:0]                write_i,
  input  logic [ Groups-1:0][GroupBits-1:0] data_i,
  input  logic [ Groups-1:0]                enable_i
);

  // A part is as wide as a block RAM or an UltraRAM; which one is the better one, tools know.
  localparam int unsigned Most = GroupBits <= 9 ? 8 : 1;
  localparam int unsigned PartGroups = Groups < Most ? Groups : Most;
  for (genvar p = 0; p < Groups / PartGroups; p++) begin : gen_part
    typedef logic [PartGroups-1:0][GroupBits-1:0] part_t;
    part_t row_mem[Rows];
    part_t row_q, part_q;
    if (Zeroed) begin : gen_zeroed
      initial row_mem = '{default: '0};
    end
    always_ff @(posedge clk_i) begin
      for (int unsigned g = 0; g < PartGroups; g++)
      if (enable_i[p*PartGroups+g]) row_mem[write_i][g] <= data_i[p*PartGroups+g];
    end
    always_ff @(posedge clk_i) begin
      row_q  <= row_mem[read_i];
      part_q <= row_q;
    end
    assign data_o[p*PartGroups+:PartGroups] = part_q;
  end

  `TSR_STATIC_ASSERT(Rows, Rows >= 2 && 2 ** RowBits == Rows,
                     ("Rows = %0d; legal is 2 and more, a power of two", Rows))

endmodule
