// Turns items into words: one a cycle, each with what it does to the open beat of its channel.
//
// Contract: valid/ready on both sides, order kept. `place_i`: the address of the burst, or the fill, of the item at
// work, until `done_o`. Latency: 2 cycles. Throughput: a word a cycle.
`include "tsr_assert.svh"
`include "tsr_core_types.svh"
module tsr_read_words #(
  parameter int unsigned BusLog = 3,
  parameter int unsigned Words = 6,  // width of a number of words of a burst
  parameter int unsigned PlaceWidth = 64,  // an address, or fill
  localparam type item_t = `TSR_READ_ITEM_T(Words, BusLog),
  localparam type word_t = `TSR_READ_WORD_T(BusLog, PlaceWidth)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  item_t                  item_i,
  input  logic                   item_valid_i,
  output logic                   item_ready_o,
  input  logic  [PlaceWidth-1:0] place_i,
  output logic                   done_o,
  output word_t                  word_o,
  output logic                   word_valid_o,
  input  logic                   word_ready_i
);

  item_t i_q;
  logic valid_q, run_q, more_q, single_q, last_q, step, last, ends;
  logic [Words-1:0] left_q;
  logic [PlaceWidth-1:0] place;  // of data the address of the word
  logic [BusLog-1:0] level;
  always_comb begin
    // A word that only completes a beat belongs where the one before it does.
    level = run_q && i_q.data ? i_q.turn : i_q.level;
    if (more_q) level = word_o.level;
    place = place_i;
    if (i_q.data) begin
      place[BusLog-1:0] = '0;
      if (run_q) place[BusLog+:Words] = word_o.place[BusLog+:Words] + 1'b1;
    end
  end
  assign last         = run_q ? last_q : single_q;
  assign ends         = more_q || (last && !i_q.more);
  assign step         = !word_valid_o || word_ready_i;
  assign item_ready_o = !valid_q || (step && ends);
  assign done_o       = valid_q && step && ends;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q      <= 1'b0;
      run_q        <= 1'b0;
      more_q       <= 1'b0;
      word_valid_o <= 1'b0;
    end else begin
      if (item_ready_o) valid_q <= item_valid_i;
      if (step) begin
        word_valid_o <= valid_q;
        if (valid_q) begin
          run_q  <= !last && !more_q;
          more_q <= last && i_q.more && !more_q;
        end
      end
    end
    if (item_ready_o) begin
      i_q      <= item_i;
      single_q <= item_i.words == '0;
    end
    if (step) begin
      left_q <= run_q ? left_q - 1'b1 : i_q.words - 1'b1;
      last_q <= (run_q ? left_q : i_q.words) == Words'(1'b1);
      word_o <= '{
          channel: i_q.channel,
          data: i_q.data && !more_q,
          writes: !more_q,
          emit: more_q || (last ? i_q.emits : run_q || i_q.lead_emits),
          final_: i_q.final_ && ends,
          last: i_q.last && ends,
          closes: i_q.closes,
          ends: i_q.ends && ends,
          level: level,
          turn: i_q.turn,
          keep: more_q || (last && !i_q.full) ? i_q.keep : '1,
          place: place
      };
    end
  end

  `TSR_STABLE(WordStays, word_valid_o, word_ready_i, word_o)

endmodule
