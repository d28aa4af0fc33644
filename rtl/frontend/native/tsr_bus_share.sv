// Two masters on one register bus, in turn.
//
// Contract: a request that is on the bus stays there until it is answered. When both ask, the one that
// was not served last goes first, so neither waits for more than one access of the other. Combinational
// from requests to the bus and from the answer back.
// Latency: 0 cycles. Throughput: one access a cycle.
`include "tsr_assert.svh"
module tsr_bus_share
  import tsr_register_pkg::*;
(
  input  logic               clk_i,
  input  logic               rst_ni,
  input  bus_request_t [1:0] request_i,
  input  logic         [1:0] valid_i,
  output logic         [1:0] ready_o,
  output bus_request_t       request_o,
  output logic               valid_o,
  input  logic               ready_i
);

  logic pick, last_q, held_q;

  // While a request is held the last that was picked is the one that is on the bus.
  assign pick      = held_q ? last_q : valid_i[1] && !(valid_i[0] && last_q);
  assign valid_o   = |valid_i;
  assign request_o = request_i[pick];
  assign ready_o   = {pick, !pick} & {2{ready_i}};

  always_ff @(posedge clk_i) begin
    held_q <= rst_ni && valid_o && !ready_i;
    if (!rst_ni) last_q <= 1'b0;
    else if (valid_o) last_q <= pick;
  end

  `TSR_STABLE(BusStays, valid_o, ready_i, ({pick, request_o.write, request_o.word}))
  `TSR_ASSERT(PicksWhoAsks, !valid_o || valid_i[pick])

endmodule
