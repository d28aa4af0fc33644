// Keeps the completion records of a channel until software reads them.
//
// Contract: valid/ready on both sides, order kept. Ready is low while Depth records wait; none is ever
// lost or overwritten. `level_o` says how many wait. `clear_i` empties the queue and wins over a push.
// Latency: 1 cycle. Throughput: a record a cycle. Ready and valid are registers or depend on registers
// alone.
`include "tsr_assert.svh"
module tsr_record_queue
  import tsr_channel_pkg::*;
#(
  parameter  int unsigned Depth     = 4,                 // a power of two, 2..16
  localparam int unsigned LevelBits = $clog2(Depth) + 1
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    clear_i,
  input  record_t                 record_i,
  input  logic                    valid_i,
  output logic                    ready_o,
  output record_t                 record_o,
  output logic                    valid_o,
  input  logic                    ready_i,
  output logic    [LevelBits-1:0] level_o
);

  `TSR_STATIC_ASSERT(Depth, Depth >= 2 && Depth <= 16 && $onehot(Depth),
                     ("Depth = %0d; legal is 2, 4, 8 or 16", Depth))

  tsr_fifo #(
    .Depth(Depth),
    .T    (logic [$bits(record_t)-1:0])
  ) u_records (
    .clk_i,
    .rst_ni,
    .flush_i(clear_i),
    .data_i (record_i),
    .valid_i,
    .ready_o,
    .data_o (record_o),
    .valid_o,
    .ready_i
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) level_o <= '0;
    else level_o <= level_o + LevelBits'(valid_i && ready_o) - LevelBits'(valid_o && ready_i);
  end

  `TSR_ASSERT(LevelIsTrue, valid_o == (level_o != '0) && ready_o == (32'(level_o) != Depth))
  `TSR_STABLE(RecordStays, valid_o, ready_i || clear_i, record_o)

endmodule
