// Counts the contexts and the transfers of a channel: where the next context goes, and when there
// is room for another one.
//
// Contract: `begin_i` takes a place for a context, legal while `room_o`; with `final_i` it is the
// last one of its transfer. `go_i` passes it on to the engine, in order. The engine gives the
// context back with `freed_i`, and the transfer with `ended_i`. Contexts that were begun and will
// never go are given back by `start_i`, when the engine has none. `clear_i`: the engine is reset.
// Latency: 1 cycle. Throughput: a context a cycle.
`include "tsr_assert.svh"
module tsr_mover_slots
  import tsr_core_pkg::slot_t;
#(
  parameter int unsigned Flight = 16  // transfers, a power of two
) (
  input  logic  clk_i,
  input  logic  rst_ni,
  input  logic  start_i,
  input  logic  clear_i,
  input  logic  begin_i,
  input  logic  final_i,
  input  logic  go_i,
  input  logic  freed_i,
  input  logic  ended_i,
  output slot_t slot_o,
  output logic  room_o
);

  localparam int unsigned Slots = 2 ** $bits(slot_t);
  typedef logic [$bits(slot_t):0] used_t;
  typedef logic [$clog2(Flight):0] open_t;

  slot_t slot_q;
  used_t used_q;
  open_t open_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) slot_q <= '0;
    else if (go_i) slot_q <= slot_q + 1'b1;
    if (!rst_ni || start_i) begin
      used_q <= '0;
      open_q <= '0;
    end else begin
      used_q <= used_q + used_t'(begin_i) - used_t'(freed_i);
      open_q <= open_q + open_t'(begin_i && final_i) - open_t'(ended_i);
    end
  end
  assign slot_o = slot_q;
  assign room_o = used_q != used_t'(Slots) && open_q != open_t'(Flight);

  `TSR_ASSERT(RoomForEveryContext, !begin_i || room_o)
  `TSR_ASSERT(EveryEndWasBegun, !ended_i || open_q != '0)
  `TSR_ASSERT(EveryFreedOneWasBegun, !freed_i || used_q != '0)

endmodule
