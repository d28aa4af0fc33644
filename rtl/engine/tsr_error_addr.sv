// Knows the address of the read beat that the data side has just taken.
//
// Contract: bursts are put in as they are requested; beats are counted off in order, `beat_last_i` on
// the last of a burst. `addr_o` is the address of the beat that `beat_i` tells of. `flush_i` forgets all.
// Latency: 0 cycles. Throughput: one burst and one beat a cycle. `Depth` bursts fit.
`include "tsr_assert.svh"
module tsr_error_addr #(
  parameter  int unsigned AddrWidth     = 64,
  parameter  int unsigned DataBytes     = 8,
  parameter  int unsigned Depth         = 64,
  localparam int unsigned WordAddrWidth = AddrWidth - $clog2(DataBytes)
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  logic                     flush_i,
  input  logic [WordAddrWidth-1:0] burst_first_i,
  input  logic                     burst_valid_i,
  input  logic                     beat_i,
  input  logic                     beat_last_i,
  output logic [    AddrWidth-1:0] addr_o
);

  localparam int unsigned LowWidth = $clog2(4096 / DataBytes);
  localparam int unsigned CountWidth = LowWidth < 8 ? LowWidth : 8;

  logic [WordAddrWidth-1:0] first, word;
  logic [CountWidth-1:0] count_q;
  logic room, known;

  tsr_fifo #(
    .Depth(1 << $clog2(Depth < 2 ? 2 : Depth)),
    .T    (logic [WordAddrWidth-1:0])
  ) u_bursts (
    .clk_i,
    .rst_ni,
    .flush_i,
    .data_i (burst_first_i),
    .valid_i(burst_valid_i),
    .ready_o(room),
    .data_o (first),
    .valid_o(known),
    .ready_i(beat_i && beat_last_i)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni || flush_i) count_q <= '0;
    else if (beat_i) count_q <= beat_last_i ? '0 : count_q + 1'b1;
  end

  // A burst stays in its page, so the low bits do not carry out.
  assign word   = {first[WordAddrWidth-1:LowWidth], first[LowWidth-1:0] + LowWidth'(count_q)};
  assign addr_o = AddrWidth'(word) << $clog2(DataBytes);

  `TSR_ASSERT(RoomForTheBurst, !burst_valid_i || flush_i || room)
  `TSR_ASSERT(BeatOfABurst, !beat_i || known)

endmodule
