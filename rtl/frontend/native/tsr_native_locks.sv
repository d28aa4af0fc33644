// The registers of locks that saturated: a bit a lock that stays until it is written with 1.
//
// Contract: `data_o` is 0 for other words; a write of any other word changes nothing here. A lock that saturates while its bit is
// cleared is told.
// Latency: 0 cycles to read, 1 to write. Throughput: one access a cycle.
`include "tsr_assert.svh"
module tsr_native_locks
  import tsr_registers_pkg::*;
  import tsr_program_pkg::lock_report_t;
#(
  parameter int unsigned Locks = 16  // 0..64
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  lock_report_t        report_i,
  input  global_word_e        word_i,
  input  logic                write_i,
  input  logic         [31:0] data_i,
  output logic         [31:0] data_o,
  output logic                saturated_o  // some lock did
);

  // Words in the order of their addresses: over, under, each a low and a high half.
  localparam logic [63:0] Has = 64'((65'd1 << Locks) - 65'd1);
  logic [3:0][31:0] bits_q, set, clear;
  logic [63:0] lock;
  assign lock = 64'd1 << report_i.id;
  assign set  = {lock & {64{report_i.under}}, lock & {64{report_i.over}}};
  always_comb begin
    data_o = '0;
    for (int unsigned w = 0; w < 4; w++) begin
      clear[w] = '0;
      if (32'(word_i) == 32'(GlobalLockOverLow) + w) begin
        clear[w] = data_i & {32{write_i}};
        data_o   = bits_q[w];
      end
    end
  end
  always_ff @(posedge clk_i) bits_q <= rst_ni ? (set | (bits_q & ~clear)) & {2{Has}} : '0;
  assign saturated_o = bits_q != '0;

  logic unused_report;
  assign unused_report = ^report_i;

  `TSR_ASSERT(OnlyLocksThatAre, (bits_q & ~{2{Has}}) == '0)

endmodule
