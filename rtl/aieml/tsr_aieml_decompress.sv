// Expands compressed units: reads a mask and its bytes, gives 8 words.
//
// Contract: valid/ready on both sides. `words_i` of what comes out count: the words of a unit beyond them are
// read and dropped, and with the last of that unit `done_o` tells of the end, for a cycle. With
// `finish_i` the unit in which TLAST comes is the last one, however many there are: a word without
// `keep_o` has its TLAST if words were dropped before, and a unit that begins behind `words_i` has
// a word too many. `last_o` is with the last word of a unit. `clear_i` drops everything.
// Latency: 1 cycle from the mask to the first word, else 0. Throughput: a unit in 9 cycles.
`include "tsr_assert.svh"
module tsr_aieml_decompress (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,
  input  logic        enable_i,
  input  logic        finish_i,  // TLAST ends it
  input  logic [29:0] words_i,
  output logic        done_o,
  input  logic [31:0] data_i,
  input  logic        last_i,
  input  logic        valid_i,
  output logic        ready_o,
  output logic [31:0] data_o,
  output logic        keep_o,    // 0: there is no word, but perhaps TLAST
  output logic        last_o,
  output logic        valid_o,
  input  logic        ready_i
);

  logic [31:0] mask_q;
  logic has_mask_q, last_q, wants, enough, counts, shows, moves, final_word, ended;
  logic [2:0] place_q, need, have_q;
  logic [29:0] given_q;
  logic [55:0] bytes_q, bytes;
  logic [3:0] nibble;

  assign nibble = mask_q[3:0];
  assign need   = 3'(nibble[0]) + 3'(nibble[1]) + 3'(nibble[2]) + 3'(nibble[3]);
  // Bytes come from the word before, and if these are too few from the next one.
  assign wants  = have_q < need;
  assign enough = has_mask_q && (!wants || valid_i);
  assign bytes  = wants ? bytes_q | (56'(data_i) << {have_q, 3'd0}) : bytes_q;
  assign counts = given_q != words_i;

  always_comb begin
    logic [1:0] next;
    data_o = '0;
    next   = '0;
    for (int unsigned b = 0; b < 4; b++) begin
      if (nibble[b]) begin
        data_o[8*b+:8] = bytes[8*next+:8];
        next           = next + 1'b1;
      end
    end
  end

  assign shows      = counts || (finish_i && (place_q == '0 || place_q == '1));
  assign keep_o     = counts || place_q == '0;
  assign valid_o    = enable_i && enough && shows;
  assign moves      = enable_i && enough && (!shows || ready_i);
  assign ready_o    = enable_i && (!has_mask_q || (wants && (!shows || ready_i)));
  assign final_word = moves && place_q == '1;
  // TLAST may come with the mask, or with any word after it.
  assign ended      = last_q || (wants && valid_i && last_i);
  assign last_o     = ended && place_q == '1;
  assign done_o     = final_word && (finish_i ? ended : given_q + 30'(counts) == words_i);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      has_mask_q <= 1'b0;
      place_q    <= '0;
      have_q     <= '0;
      bytes_q    <= '0;
      given_q    <= '0;
      last_q     <= 1'b0;
    end else begin
      if (!has_mask_q && valid_i && ready_o) begin
        has_mask_q <= 1'b1;
        mask_q     <= data_i;
        last_q     <= last_i;
      end
      if (moves) begin
        mask_q  <= mask_q >> 4;
        place_q <= place_q + 1'b1;
        have_q  <= wants ? have_q + 3'd4 - need : have_q - need;
        bytes_q <= bytes >> {need, 3'd0};
        last_q  <= ended;
        given_q <= given_q + 30'(counts);
      end
      if (final_word) begin
        has_mask_q <= 1'b0;
        have_q     <= '0;
        bytes_q    <= '0;
        last_q     <= 1'b0;
      end
      if (done_o) given_q <= '0;
    end
  end

  `TSR_ASSERT(BytesFit, have_q < 3'd4)

endmodule
