// Counts bursts in flight and says whether another may start.
//
// Contract: `room_o` once high stays high until `start_i`. Never more than `Limit` in flight.
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

  always_ff @(posedge clk_i) begin
    if (!rst_ni) count_q <= '0;
    else count_q <= count_q + Width'(start_i) - Width'(end_i);
  end

  assign room_o = count_q != Width'(Limit);
  assign none_o = count_q == '0;

  `TSR_ASSERT(WithinLimit, 32'(count_q) <= Limit && !(start_i && !room_o))
  `TSR_ASSERT(EndsWhatStarted, !(end_i && none_o && !start_i))

endmodule
