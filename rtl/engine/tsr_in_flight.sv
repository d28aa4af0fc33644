// Counts bursts in flight and says whether another may start.
//
// Contract: `room_o` is a register; once high it stays high until `start_i`, which comes only with it.
// Never more than `Limit` in flight.
// Latency: a burst that ends makes room in the next cycle.
`include "tsr_assert.svh"
module tsr_in_flight #(
  parameter int unsigned Limit = 64
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic start_i,
  input  logic end_i,
  output logic room_o,
  output logic none_o
);

  localparam int unsigned Width = $clog2(Limit + 1);
  logic [Width-1:0] count_q;
  logic room_q, last_one;

  assign last_one = count_q == Width'(Limit - 1);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) room_q <= 1'b1;
    else room_q <= end_i || (room_q && !(start_i && last_one));
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) count_q <= '0;
    else count_q <= count_q + Width'(start_i) - Width'(end_i);
  end

  assign room_o = room_q;
  assign none_o = count_q == '0;

  `TSR_ASSERT(RoomIsTrue, room_q == (32'(count_q) < Limit))
  `TSR_ASSERT(WithinLimit, 32'(count_q) <= Limit && !(start_i && !room_o))
  `TSR_ASSERT(EndsWhatStarted, !(end_i && none_o && !start_i))

endmodule
