// Frames the words of the write data side into the bursts that are planned.
//
// Contract: `part_i` contributes to a word, with `done_i` it completes it; the first word of a burst is
// completed only when `plan_valid_i`, and takes the plan. `forget_i` drops the word that is open when its
// cycle is over, if its burst has not begun.
// Latency: 0 cycles to first and last. Throughput: one word a cycle.
`include "tsr_assert.svh"
module tsr_frame (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       forget_i,
  output logic       forgets_o,     // a word is dropped
  input  logic       part_i,
  input  logic       done_i,
  input  logic       plan_valid_i,
  input  logic [7:0] plan_len_i,    // words - 1
  output logic       plan_take_o,
  output logic       word_begun_o,  // a word is completed
  output logic       first_o,       // it is the first of a burst
  output logic       last_o,        // it is the last of a burst
  output logic       burst_o,       // a burst has been begun and is not complete
  output logic       open_o         // a word has been begun and is not complete
);

  logic burst_q, open_q;
  logic [7:0] words_left_q;

  assign word_begun_o = part_i && done_i;
  assign plan_take_o  = word_begun_o && !burst_q;
  assign forgets_o    = forget_i && !burst_q && (part_i ? !done_i : open_q);
  assign first_o      = !burst_q;
  assign last_o       = burst_q ? words_left_q == 8'd1 : plan_len_i == '0;
  assign burst_o      = burst_q;
  assign open_o       = open_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      burst_q      <= 1'b0;
      words_left_q <= '0;
      open_q       <= 1'b0;
    end else begin
      if (forgets_o) open_q <= 1'b0;
      else if (part_i) open_q <= !done_i;
      if (word_begun_o) begin
        burst_q      <= !last_o;
        words_left_q <= burst_q ? words_left_q - 1'b1 : plan_len_i;
      end
    end
  end

  `TSR_ASSERT(PlanIsThere, !plan_take_o || plan_valid_i)
  `TSR_ASSERT(ForgetsWhatIsOpen, !(forgets_o && word_begun_o))

endmodule
