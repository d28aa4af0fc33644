// Reserves room for the pieces of the channel at work before they fire.
//
// Contract: `room_o`: there is room for a piece of the kind `brief_i`, which takes at most Brief
// places, or for any other, which takes at most Longest. `fire_i` reserves as many; the exact
// number, `taken_i`, follows three cycles later, in the order of the pieces: what is left of them is
// free two cycles later. `free_i`: a place of a channel is free again. `full_o`: there is none
// for any piece in the next cycle. `starved_o`: no room, and all that was freed is counted.
// `wake_o`: of a channel that is not at work so many places were freed that it is worth a turn.
`include "tsr_assert.svh"
module tsr_plan_room #(
  parameter  int unsigned Channels   = 4,                                   // 1 .. 16
  parameter  int unsigned Room       = 63,                                  // places
  parameter  int unsigned Brief      = 2,
  parameter  int unsigned Longest    = 17,
  parameter  int unsigned Wake       = Longest,
  parameter  int unsigned TakenWidth = 6,
  localparam int unsigned Index      = Channels > 1 ? $clog2(Channels) : 1
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic [     Index-1:0] channel_i,
  input  logic                  refresh_i,
  input  logic                  brief_i,
  input  logic                  fire_i,
  output logic                  room_o,
  output logic                  full_o,
  output logic                  starved_o,
  input  logic                  taken_valid_i,
  input  logic [TakenWidth-1:0] taken_i,
  input  logic [  Channels-1:0] free_i,
  output logic [  Channels-1:0] wake_o
);

  localparam int unsigned Most = Room > 2 * Longest ? Room : 2 * Longest;
  localparam int unsigned Width = $clog2(Most + 1) + 1;
  typedef logic [Width-1:0] room_t;

  // What is free, and what there is room for: compared a cycle before it is asked for.
  typedef struct packed {
    room_t free;
    logic  brief, longest;
  } free_t;
  localparam free_t Empty = '{free: room_t'(Room), brief: 1'b1, longest: 1'b1};
  free_t free_q, free_d;
  room_t free, gain_q;  // all that changes is added in the next cycle
  logic [Channels-1:0][Width-1:0] freed_q;
  logic [2:0] brief_q;  // of the last cycles
  logic [3:0] fired_q;
  logic [Index-1:0] before_q;  // a piece is of the channel that was at work
  logic [Channels-1:0] back_q;
  room_t left_q;
  assign room_o = brief_i ? free_q.brief : free_q.longest;
  assign full_o = !free_d.brief;
  assign starved_o = !room_o && gain_q == '0 && freed_q[channel_i] == '0 && fired_q == '0;
  assign free = free_q.free + gain_q;

  // That a piece fires is known last.
  logic mixed;
  assign mixed = free >= room_t'(Brief + Longest);
  always_comb begin
    free_d.free    = free;
    free_d.brief   = free >= room_t'(Brief);
    free_d.longest = free >= room_t'(Longest);
    if (fire_i) begin
      free_d.brief   = brief_i ? free >= room_t'(2 * Brief) : mixed;
      free_d.longest = brief_i ? mixed : free >= room_t'(2 * Longest);
    end
  end
  tsr_swapped #(
    .Channels  (Channels),
    .T         (free_t),
    .ResetValue(Empty)
  ) u_free (
    .clk_i,
    .rst_ni,
    .channel_i,
    .refresh_i,
    .data_i(free_d),
    .data_o(free_q)
  );

  // Of the channel at work what is left counts a cycle earlier.
  logic [Channels-1:0][Width-1:0] back;
  always_comb begin
    for (int unsigned i = 0; i < Channels; i++) back[i] = back_q[i] ? left_q : '0;
  end
  always_ff @(posedge clk_i) begin
    brief_q  <= {brief_q[1:0], brief_i};
    fired_q  <= {fired_q[2:0], fire_i};
    before_q <= channel_i;
    left_q   <= room_t'(brief_q[2] ? Brief : Longest) - room_t'(taken_i);
    if (!rst_ni) gain_q <= '0;
    else
      gain_q <= freed_q[channel_i] + back[channel_i] -
          (fire_i ? room_t'(brief_i ? Brief : Longest) : '0);
    for (int unsigned i = 0; i < Channels; i++) begin
      back_q[i] <= rst_ni && taken_valid_i && before_q == Index'(i);
      if (!rst_ni) freed_q[i] <= '0;
      else freed_q[i] <= (channel_i == Index'(i) ? '0 : freed_q[i] + back[i]) + room_t'(free_i[i]);
      wake_o[i] <= freed_q[i] >= room_t'(Wake);
    end
  end

  `TSR_STATIC_ASSERT(Room, Room >= Longest, ("Room = %0d; legal is %0d and more", Room, Longest))
  `TSR_ASSERT(NeverOverdrawn, free_q.free <= room_t'(Room))

endmodule
