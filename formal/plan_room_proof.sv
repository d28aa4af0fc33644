// tsr_plan_room: pieces of a channel never have more places than there are, whatever swaps come between,
// and a channel that is said to be starved has too few: none is lost either.
`include "proof.svh"

module plan_room_proof #(
  parameter  int unsigned Channels = 2,
  localparam int unsigned Room     = 5,
  localparam int unsigned Brief    = 1,
  localparam int unsigned Longest  = 2,
  localparam int unsigned Index    = Channels > 1 ? $clog2(Channels) : 1
) (
  input logic                clk_i,
  input logic                rst_ni,
  input logic [   Index-1:0] next_i,   // channel after a swap
  input logic                swap_i,
  input logic                brief_i,
  input logic                fire_i,
  input logic [         1:0] taken_i,  // by the piece that fires
  input logic [Channels-1:0] free_i
);

  `TSR_PROOF_RESET

  typedef logic [4:0] count_t;
  logic [Index-1:0] channel_q, before_q;
  logic refresh_q, room, full, starved;
  logic [Channels-1:0] wake;
  logic [2:0] fired_q;
  logic [2:0][1:0] taken_q;

  tsr_plan_room #(
    .Channels  (Channels),
    .Room      (Room),
    .Brief     (Brief),
    .Longest   (Longest),
    .TakenWidth(2)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .channel_i    (channel_q),
    .refresh_i    (refresh_q),
    .brief_i,
    .fire_i,
    .room_o       (room),
    .full_o       (full),
    .starved_o    (starved),
    .taken_valid_i(fired_q[2]),
    .taken_i      (taken_q[2]),
    .free_i,
    .wake_o       (wake)
  );

  // A piece that fires takes its places at once; they are known three cycles later, and then may be freed.
  logic [Channels-1:0][4:0] used_q, known_q;
  always_ff @(posedge clk_i) begin
    taken_q  <= {taken_q[1:0], taken_i};
    before_q <= channel_q;
    if (!rst_ni) begin
      fired_q   <= '0;
      channel_q <= '0;
      refresh_q <= 1'b0;
    end else begin
      fired_q   <= {fired_q[1:0], fire_i};
      refresh_q <= swap_i;
      if (swap_i) channel_q <= next_i;
    end
    for (int unsigned c = 0; c < Channels; c++) begin
      if (!rst_ni) begin
        used_q[c]  <= '0;
        known_q[c] <= '0;
      end else begin
        used_q[c] <= used_q[c] + (fire_i && channel_q == Index'(c) ? count_t'(taken_i) : '0) -
            count_t'(free_i[c]);
        known_q[c] <= known_q[c] - count_t'(free_i[c]) + (fired_q[2] &&
            (refresh_q ? before_q : channel_q) == Index'(c) ? count_t'(taken_q[2]) : '0);
      end
    end
  end

  `TSR_ASSUME(FiresIntoRoom, !fire_i || (room && !refresh_q && !swap_i))
  `TSR_ASSUME(TakesItsKind, taken_i <= 2'(brief_i ? Brief : Longest))
  // As tsr_pieces: the last piece is on its output or gone.
  `TSR_ASSUME(SwapsWhileStill, !swap_i || (Channels > 1 && !refresh_q && !fired_q[0]))
  `TSR_ASSUME(ToAnother, (Channels == 1 || next_i != channel_q) && 32'(next_i) < Channels)
  for (genvar c = 0; c < Channels; c++) begin : gen_channel
    `TSR_ASSUME(FreesWhatIsThere, !free_i[c] || known_q[c] != '0)
    `TSR_ASSERT(NeverTooMany, used_q[c] <= count_t'(Room))
    `TSR_COVER(AllInUse, used_q[c] == count_t'(Room))
  end
  count_t left;
  assign left = count_t'(Room) - used_q[channel_q];
  `TSR_ASSERT(StarvedIsTrue, !starved || refresh_q || left < count_t'(brief_i ? Brief : Longest))
  `TSR_ASSERT_NEXT(FullIsTrue, full && !refresh_q, !room || refresh_q)

  `TSR_COVER(Starved, starved && !refresh_q)
  logic was_full_q;
  always_ff @(posedge clk_i) was_full_q <= rst_ni && (was_full_q || used_q[0] == count_t'(Room));
  `TSR_COVER(GoesOn, was_full_q && fire_i && channel_q == '0)
  if (Channels > 1) begin : gen_wakes
    `TSR_COVER(Wakes, wake[0] && channel_q != '0)
  end

endmodule
