// Bounds the words that were requested and did not come yet by what keeps the memory busy, so that the
// queue in front of the memory is short and the choice between channels is late.
//
// Contract: `ready_o`: a piece may fire. `fire_i` reserves Brief words for a piece of the kind
// `brief_i`, Longest for any other; the exact number, `taken_i`, follows two cycles later. `came_i`:
// a word came. The window is one word more in each cycle without a word in which pieces are held
// back, or were a few cycles ago, and the memory does not hold an address back (`stalled_i`). It is
// one word less for each Decay words that came.
`include "tsr_assert.svh"
module tsr_read_flight #(
  parameter int unsigned Most       = 256,                 // words of the window
  parameter int unsigned Brief      = 2,
  parameter int unsigned Longest    = 16,
  parameter int unsigned Decay      = 128,                 // a power of two
  parameter int unsigned TakenWidth = $clog2(Longest + 1)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  brief_i,
  input  logic                  fire_i,
  output logic                  ready_o,
  input  logic                  taken_valid_i,
  input  logic [TakenWidth-1:0] taken_i,
  input  logic                  came_i,
  input  logic                  stalled_i
);

  localparam int unsigned Width = $clog2(Most + 4 * Longest) + 1;
  typedef logic signed [Width-1:0] words_t;

  words_t free_q, free, gain_q, left, reserved;
  logic [Width-2:0] window_q;
  logic [$clog2(Decay)-1:0] came_q;  // words, modulo Decay
  logic [2:0] brief_q;
  logic [TakenWidth-1:0] taken_q;
  logic taken_valid_q;
  logic [3:0] held_q;  // cycles since pieces were held back
  logic ready_q, grow_q, shrink_q, word_q;
  assign ready_o = ready_q;

  assign reserved = brief_i ? words_t'(Brief) : words_t'(Longest);
  assign left = taken_valid_q ?
      words_t'(brief_q[2] ? Brief : Longest) - words_t'({1'b0, taken_q}) : words_t'(0);
  assign free = free_q + gain_q;

  always_ff @(posedge clk_i) begin
    brief_q       <= {brief_q[1:0], brief_i};
    taken_valid_q <= rst_ni && taken_valid_i;
    taken_q       <= taken_i;
    if (!rst_ni) begin
      free_q   <= words_t'(1);
      gain_q   <= '0;
      window_q <= (Width - 1)'(1);
      came_q   <= '0;
      word_q   <= 1'b0;
      held_q   <= '0;
      grow_q   <= 1'b0;
      shrink_q <= 1'b0;
      ready_q  <= 1'b1;
    end else begin
      word_q <= came_i;
      held_q <= !ready_q ? '1 : held_q - 4'(held_q != '0);
      came_q <= came_q + $bits(came_q)'(came_i);
      grow_q   <= !came_i && !stalled_i && (!ready_q || held_q != '0) &&
                  window_q < (Width - 1)'(Most);
      shrink_q <= came_i && &came_q && window_q > (Width - 1)'(2'd2);
      window_q <= window_q + (Width - 1)'(grow_q) - (Width - 1)'(shrink_q);
      gain_q <= left + words_t'({1'b0, word_q}) + words_t'({1'b0, grow_q}) -
          words_t'({1'b0, shrink_q});
      free_q <= fire_i ? free - reserved : free;
      ready_q <= fire_i ? free > reserved : free > words_t'(0);
    end
  end

  `TSR_ASSERT(NeverMoreThanTheWindow, free <= words_t'({1'b0, window_q}) + words_t'(1))
  `TSR_STATIC_ASSERT(Decay, $onehot(Decay), ("Decay = %0d; legal is a power of two", Decay))

endmodule
