// Reserves beats in the buffers of streams before a burst is requested.
//
// Contract: `room_o`: the buffer of the channel at work has room for a piece of the kind `brief_i`,
// which takes at most 2 beats, or for any other, which takes at most LongestBeats. `fire_i`
// reserves as many; the exact number, `beats_i`, follows three cycles later, in the order of the
// pieces. `pop_i`: a beat has left a buffer. `starved_o`: no room, and what has left the buffer is
// counted. `wake_o`: a channel that had no room has enough for any piece.
`include "tsr_assert.svh"
module tsr_read_room #(
  parameter int unsigned Channels = 4,  // 1 .. 16
  parameter int unsigned Room = 64,  // beats of a buffer, at least 2 * LongestBeats + 4
  parameter int unsigned LongestBeats = 17,
  parameter int unsigned BeatsWidth = 6,
  localparam int unsigned Index = Channels > 1 ? $clog2(Channels) : 1
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic [     Index-1:0] channel_i,
  input  logic                  refresh_i,
  input  logic                  brief_i,
  input  logic                  fire_i,
  output logic                  room_o,
  output logic                  starved_o,
  input  logic                  beats_valid_i,
  input  logic [BeatsWidth-1:0] beats_i,
  input  logic [  Channels-1:0] pop_i,
  output logic [  Channels-1:0] wake_o
);

  localparam int unsigned Width = $clog2(Room + 1) + 1;
  typedef logic [Width-1:0] beats_t;
  localparam beats_t Small = beats_t'(2);
  localparam beats_t Longest = beats_t'(LongestBeats);

  beats_t free_q, free, gain_q, reserved;
  logic [Channels-1:0][Width-1:0] popped_q;
  logic [2:0] brief_q, fired_q;  // of the last three cycles
  assign room_o = brief_i ? free_q >= Small : free_q >= Longest;
  assign starved_o = !room_o && gain_q == '0 && popped_q[channel_i] == '0 && fired_q == '0;
  assign reserved = brief_i ? Small : Longest;

  always_comb begin
    free = free_q + gain_q;
    if (fire_i) free = free - reserved;
    if (beats_valid_i) free = free + (brief_q[2] ? Small : Longest) - beats_t'(beats_i);
  end
  tsr_swapped #(
    .Channels  (Channels),
    .T         (beats_t),
    .ResetValue(beats_t'(Room - 1))
  ) u_free (
    .clk_i,
    .rst_ni,
    .channel_i,
    .refresh_i,
    .data_i(free),
    .data_o(free_q)
  );

  always_ff @(posedge clk_i) begin
    brief_q <= {brief_q[1:0], brief_i};
    fired_q <= {fired_q[1:0], fire_i};
    gain_q  <= rst_ni ? popped_q[channel_i] : '0;
    for (int unsigned i = 0; i < Channels; i++) begin
      if (!rst_ni) popped_q[i] <= '0;
      else popped_q[i] <= (channel_i == Index'(i) ? '0 : popped_q[i]) + beats_t'(pop_i[i]);
      wake_o[i] <= popped_q[i] >= Longest;
    end
  end

  `TSR_ASSERT(NeverOverdrawn, free_q <= beats_t'(Room - 1))

endmodule
