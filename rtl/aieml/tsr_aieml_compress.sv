// Compresses units of 8 words: a mask of the bytes that are not 0, then these bytes, words filled up with 0.
//
// Contract: valid/ready on both sides. A unit ends with its eighth word or with `end_i`; `last_i` goes out with
// the last word of its unit. `clear_i` drops the unit that is gathered; those that are complete go out.
// Latency: a unit comes out from the second cycle after its last word on. Throughput: a unit in 9 cycles.
`include "tsr_assert.svh"
module tsr_aieml_compress (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,
  input  logic [31:0] data_i,
  input  logic        end_i,
  input  logic        last_i,
  input  logic        valid_i,
  output logic        ready_o,
  output logic [31:0] data_o,
  output logic        last_o,
  output logic        valid_o,
  input  logic        ready_i,
  output logic        empty_o
);

  // ---- Gather: bytes that are not 0, one after the other, into one of two buffers ----------------

  typedef struct packed {
    logic [31:0] mask;
    logic [3:0]  words;  // after the mask
    logic        last;
  } unit_t;

  logic [31:0] mem_q[16];
  logic [31:0] mask_q, mask;
  logic [ 2:0] place_q;  // of the word in its unit
  logic [ 3:0] full_q;  // words of bytes that are complete
  logic [23:0] rest_q;
  logic [ 1:0] held_q;  // bytes of `rest_q`
  logic last_q, ends_q, side_q, take, store, complete, unit_ready, unit_valid;
  logic [31:0] bytes, put;
  logic [ 2:0] count;
  logic [55:0] joined;
  unit_t unit, head;

  always_comb begin
    bytes = '0;
    count = '0;
    mask  = mask_q;
    for (int unsigned b = 0; b < 4; b++) begin
      if (data_i[8*b+:8] != '0) begin
        bytes[8*count[1:0]+:8] = data_i[8*b+:8];
        count                  = count + 1'b1;
        mask[{place_q, 2'(b)}] = 1'b1;
      end
    end
    joined = 56'(rest_q) | (56'(bytes) << {held_q, 3'd0});
  end

  assign ready_o    = !ends_q;
  assign take       = valid_i && ready_o;
  assign complete   = 4'(held_q) + 4'(count) >= 4'd4;
  // What is left of a unit is a word of its own, a cycle later.
  assign unit_valid = ends_q;
  assign store      = (take && complete) || (ends_q && unit_ready && held_q != '0);
  assign put        = ends_q ? 32'(rest_q) : joined[31:0];
  assign unit       = '{mask: mask_q, words: full_q + 4'(held_q != '0), last: last_q};

  always_ff @(posedge clk_i) begin
    if (store) mem_q[{side_q, full_q[2:0]}] <= put;
    if (!rst_ni || (ends_q ? unit_ready : clear_i)) begin
      mask_q  <= '0;
      place_q <= '0;
      full_q  <= '0;
      rest_q  <= '0;
      held_q  <= '0;
      last_q  <= 1'b0;
      ends_q  <= 1'b0;
    end else if (take) begin
      mask_q  <= mask;
      place_q <= place_q + 1'b1;
      full_q  <= full_q + 4'(complete);
      rest_q  <= complete ? joined[55:32] : joined[23:0];
      held_q  <= held_q + count[1:0];
      last_q  <= last_i;
      ends_q  <= place_q == '1 || end_i;
    end
    if (!rst_ni) side_q <= 1'b0;
    else if (ends_q && unit_ready) side_q <= !side_q;
  end

  // ---- Emit -------------------------------------------------------------------------------------

  logic head_valid, out_side_q, final_word;
  logic [3:0] index_q;  // 0: the mask

  // One unit comes out while the next is gathered.
  unit_t head_q;
  logic head_valid_q, done;
  assign head       = head_q;
  assign head_valid = head_valid_q;
  assign done       = valid_o && ready_i && final_word;
  assign unit_ready = !head_valid_q || done;
  assign final_word = index_q == head.words;
  assign valid_o    = head_valid;
  assign data_o     = index_q == '0 ? head.mask : mem_q[{out_side_q, 3'(index_q-1'b1)}];
  assign last_o     = final_word && head.last;
  assign empty_o    = !head_valid_q && place_q == '0 && !ends_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      head_valid_q <= 1'b0;
      index_q      <= '0;
    end else begin
      head_valid_q <= (unit_valid && unit_ready) || (head_valid_q && !done);
      if (done) index_q <= '0;
      else if (valid_o && ready_i) index_q <= index_q + 1'b1;
    end
    if (unit_valid && unit_ready) begin
      head_q     <= unit;
      out_side_q <= side_q;
    end
  end

  `TSR_ASSERT_NEXT(OutStays, valid_o && !ready_i, valid_o && $stable({data_o, last_o}))

endmodule
