// tsr_record_queue: records in order, none lost, and the level is how many wait. All bits of a record are
// treated alike, so two of them are followed.
`include "proof.svh"

module record_queue_proof
  import tsr_channel_pkg::*;
#(
  parameter  int unsigned Depth     = 4,
  localparam int unsigned LevelBits = $clog2(Depth) + 1
) (
  input logic       clk_i,
  input logic       rst_ni,
  input logic       clear_i,
  input logic [1:0] bits_i,
  input logic       valid_i,
  input logic       ready_i
);

  `TSR_PROOF_RESET

  record_t record_i, record_o;
  logic ready_o, valid_o;
  logic [LevelBits-1:0] level_o;

  localparam int unsigned Bits = $bits(record_t);
  assign record_i = record_t'({bits_i[1], (Bits - 2)'(0), bits_i[0]});

  tsr_record_queue #(.Depth(Depth)) u_dut (.*);

  logic [Bits-1:0] flat;
  assign flat = record_o;
  queue_check #(
    .Capacity(Depth),
    .T       (logic [1:0])
  ) u_queue (
    .clk_i,
    .rst_ni,
    .flush_i    (clear_i),
    .in_data_i  (bits_i),
    .in_valid_i (valid_i),
    .in_ready_i (ready_o),
    .out_data_i ({flat[Bits-1], flat[0]}),
    .out_valid_i(valid_o),
    .out_ready_i(ready_i)
  );

  `TSR_ASSERT(Level, 32'(level_o) == 32'(u_queue.count_q))

endmodule
