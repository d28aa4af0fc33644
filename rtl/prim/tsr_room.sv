// Counts the free slots of a store on behalf of one who fills it some cycles after he decides to.
//
// Contract: `room_o` is a register: a slot is free. `claim_i` takes one, only when there is room;
// `free_i` gives one back. All slots can be in use.
// Latency: 1 cycle from `free_i` to `room_o`. Throughput: a claim and a release a cycle.
`include "tsr_assert.svh"
module tsr_room #(
  parameter int unsigned Slots = 16
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic claim_i,
  input  logic free_i,
  output logic room_o
);

  localparam int unsigned Width = $clog2(Slots + 1);
  logic [Width-1:0] free_q, free;  // slots, before and after the claim of the cycle before
  logic room_q, claimed_q, any_free, several_free;

  // `claim_i` comes late in its cycle: it is counted in the next.
  assign free    = free_q - Width'(claimed_q);
  assign any_free    = free != '0;
  assign several_free = free[Width-1:1] != '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      free_q    <= Width'(Slots);
      room_q    <= 1'b1;
      claimed_q <= 1'b0;
    end else begin
      free_q    <= free + Width'(free_i);
      claimed_q <= claim_i;
      room_q    <= several_free || (any_free && !claim_i) || free_i;
    end
  end
  assign room_o = room_q;

  `TSR_ASSERT(RoomIsTrue, room_q == any_free)
  `TSR_ASSERT(OnlyIntoRoom, !(claim_i && !room_q))
  `TSR_ASSERT(NothingFromNowhere, !(free_i && 32'(free) == Slots))

endmodule
