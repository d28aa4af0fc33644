// Whose turn it is: the next one after `last_i` that asks.
//
// Contract: no state; `last_i` has one bit set, whoever went last, kept by who uses this. `next_o` is
// that bit again only if nobody else asks, and nothing if nobody does. With everybody asking each waits
// for Channels - 1 others.
// Latency: 0 cycles, a path from request_i to next_o.
`include "tsr_assert.svh"
module tsr_round_robin #(
  parameter int unsigned Channels = 4  // 1..32
) (
  input  logic [Channels-1:0] request_i,
  input  logic [Channels-1:0] last_i,
  output logic [Channels-1:0] next_o
);

  `TSR_STATIC_ASSERT(Channels, Channels >= 1 && Channels <= 32,
                     ("Channels = %0d; legal is 1 to 32", Channels))

  typedef logic [Channels-1:0] set_t;

  function automatic set_t lowest(set_t set);
    return set & (~set + 1'b1);
  endfunction

  set_t behind;  // those that ask above the last one
  assign behind = request_i & ~(last_i | (last_i - 1'b1));
  assign next_o = behind != '0 ? lowest(behind) : lowest(request_i);

endmodule
