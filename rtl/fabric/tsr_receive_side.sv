// Keeps what travelled beside the stream of a write engine for the records: TDEST, TID and TUSER.
//
// Contract: `side_i` is that of the beat that `accept_i` takes; `mark_i` is what the engine tells. With each
// record of the engine, `side_o` is the side information of the beat with the last byte of its transfer, of
// a transfer that ends with TLAST so that of its packet. At most Transfers have ended and have no record.
// A transfer that has taken nothing shows what was taken before it.
// Latency: 1 cycle. Throughput: one record a cycle.
`include "tsr_assert.svh"
module tsr_receive_side
  import tsr_pkg::*;
  import tsr_channel_pkg::*;
#(
  parameter int unsigned Transfers = 32  // a power of two
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  // The engine.
  input  side_t       side_i,
  input  logic        accept_i,
  input  write_mark_t mark_i,
  // Its records.
  output side_t       side_o,    // 0 without a record
  input  logic        record_i   // is taken
);

  side_t accepted_q, used_q, ended, side;
  logic room, valid;

  assign ended = mark_i.uses ? accepted_q : used_q;
  always_ff @(posedge clk_i) begin
    if (accept_i) accepted_q <= side_i;
    if (!rst_ni) used_q <= '0;
    else used_q <= ended;
  end

  tsr_fifo #(
    .Depth(Transfers),
    .T    (side_t)
  ) u_ended (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .data_i (ended),
    .valid_i(mark_i.ends),
    .ready_o(room),
    .data_o (side),
    .valid_o(valid),
    .ready_i(record_i)
  );
  assign side_o = valid ? side : '0;

  `TSR_ASSERT(RoomForEveryEnd, !mark_i.ends || room)
  `TSR_ASSERT(EveryRecordHasItsEnd, !record_i || valid)

endmodule
