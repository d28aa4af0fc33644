// Turns tile patterns into descriptors, one for each tile.
//
// A pattern has 24 words of 32 bits, two a word of the list: buffer_dim, offset, tiling, dim_index,
// stride and wrap, of four dimensions each, all in elements. The strides of a tile are products of
// buffer_dim, the fourth of which is not used. Level k of the traversal turns dimension dim_index[k],
// by its stride and wrap, level 0 fastest. Offset and stride are signed.
// Contract: words of the list by valid/ready; a pattern is taken when the one before it is given.
// Words of descriptors as tsr_mover_cuboid takes them; in front of those of the first tile come the
// turns of the levels, for the window. A pattern without a tile is one descriptor. `busy_o`: there
// are words of a pattern. `clear_i` forgets it.
// Latency: 61 cycles from the last word to the first tile. Throughput: a tile in 12 cycles, three
// more for each further level that turns. One multiplier, of 64 by 17 bits.
`include "tsr_assert.svh"
module tsr_mover_pattern
  import tsr_mover_pkg::*;
(
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               clear_i,
  input  logic        [63:0] word_i,
  input  logic               fault_i,
  input  logic               valid_i,
  output logic               ready_o,
  output logic               busy_o,
  output mover_word_t        word_o,
  output logic               valid_o,
  input  logic               ready_i
);

  typedef enum logic [2:0] {
    Take,
    Product,  // strides, the first place, the steps of levels
    Fill,     // levels begin anew, from `level_q` down
    Give,
    Turn,     // the place of the level that turns ...
    Step      // ... and its step
  } state_e;
  // Fields of a pattern, each of four dimensions.
  typedef enum logic [2:0] {
    Buffer,
    Offset,
    Tiling,
    Order,
    Stride,
    Wrap
  } field_e;

  localparam int unsigned Jobs = 11;  // products: three strides, four offsets, four steps
  localparam int unsigned Words = 17;  // of the first tile
  localparam int unsigned ReachWords = 8;

  state_e state_q, state_d;
  logic [3:0] job_q;
  logic [2:0] time_q;  // of a product
  logic [4:0] word_q;  // that is taken or given
  logic [1:0] level_q;
  logic first_q;  // tile
  logic push, pop, last_job, last_word, product_ends;
  assign ready_o      = state_q == Take;
  assign valid_o      = state_q == Give;
  assign push         = valid_i && ready_o;
  assign pop          = valid_o && ready_i;
  assign busy_o       = state_q != Take || word_q != '0;
  assign product_ends = state_q == Product && time_q == 3'd4;
  assign last_job     = job_q == 4'(Jobs - 1);
  assign last_word    = word_q == 5'(Words - 1);

  // ---- Words of the pattern ---------------------------------------------------------------------

  (* ram_style = "distributed" *) logic [31:0] low_mem[16];
  (* ram_style = "distributed" *) logic [31:0] high_mem[16];
  logic [3:0][1:0] order_q;
  logic wrong, fault_q, wrong_q, none_q;
  field_e field;
  logic [1:0] field_dim;
  logic [31:0] value;
  always_ff @(posedge clk_i) begin
    if (push) begin
      low_mem[word_q[3:0]]  <= word_i[31:0];
      high_mem[word_q[3:0]] <= word_i[63:32];
    end
  end
  assign value = field_dim[0] ? high_mem[{field, field_dim[1]}] : low_mem[{field, field_dim[1]}];

  assign wrong = word_i[31:2] != '0 || word_i[63:34] != '0;  // a dimension above 3
  always_ff @(posedge clk_i) begin
    if (push) begin
      fault_q <= fault_i || (word_q != '0 && fault_q);
      if (word_q == '0) wrong_q <= 1'b0;
      if (word_q[3:1] == Order) begin
        wrong_q <= wrong_q || wrong;
        {order_q[{word_q[0], 1'b1}], order_q[{word_q[0], 1'b0}]} <= {word_i[33:32], word_i[1:0]};
      end
      none_q <= word_q != '0 && (none_q || (word_q[3:1] == Tiling && (word_i[31:0] == '0 ||
                                                                      word_i[63:32] == '0)));
    end else if (state_q == Fill && value == '0) begin
      none_q <= 1'b1;
    end
  end

  // ---- Products ---------------------------------------------------------------------------------

  // Values: strides of a tile, steps of levels, places of levels; each with `wide`.
  (* ram_style = "distributed" *) logic [64:0] value_mem[16];
  typedef enum logic [1:0] {
    StrideOf,
    StepOf,
    PlaceOf
  } kind_e;
  kind_e kind, put_kind;
  logic [1:0] index, put_index, dim;
  logic [64:0] read, put;
  logic put_valid;
  logic signed [63:0] factor_q;
  logic signed [32:0] value_q;
  logic signed [16:0] digit;
  logic signed [80:0] part_q, upper_q;
  logic signed [97:0] product_q;
  logic signed [66:0] place_q;
  logic wide, place_wide_q, is_stride, is_offset;
  assign is_stride = job_q < 4'd3;
  assign is_offset = job_q < 4'd7;
  // The dimension of the product.
  assign dim = is_stride ? job_q[1:0] : is_offset ? 2'(job_q - 4'd3) : order_q[2'(job_q-4'd7)];
  assign read = value_mem[{kind, index}];
  assign digit = signed'(time_q == 3'd1 ? value_q[32:16] : {1'b0, value_q[15:0]});
  assign wide = product_q[97:63] != '0 && product_q[97:63] != '1;
  always_ff @(posedge clk_i) begin
    if (put_valid) value_mem[{put_kind, put_index}] <= put;
    factor_q  <= time_q == '0 || state_q == Turn ? $signed(read[63:0]) : factor_q;
    value_q   <= time_q == '0 ? $signed({!is_stride && value[31], value}) : value_q;
    part_q    <= factor_q * digit;
    upper_q   <= part_q;
    product_q <= (98'(upper_q) <<< 16) + 98'(part_q);
  end

  // The place of the next tile.
  always_ff @(posedge clk_i) begin
    if (state_q == Take) begin
      place_q      <= '0;
      place_wide_q <= 1'b0;
    end else if (product_ends && is_offset && !is_stride) begin
      place_q      <= place_q + signed'({3'b0, product_q[63:0]});
      place_wide_q <= place_wide_q || wide;
    end else if (state_q == Step) begin
      place_q <= 67'(factor_q) + 67'($signed(read[63:0]));
    end
  end

  // ---- Levels -----------------------------------------------------------------------------------

  (* ram_style = "distributed" *) logic [31:0] left_mem[4];  // turns
  logic [3:0] open_q;  // levels with turns left
  logic [1:0] turning;  // the lowest one
  logic [31:0] left;
  logic begins_q;  // of Fill: the level turns
  assign turning = open_q[0] ? 2'd0 : open_q[1] ? 2'd1 : open_q[2] ? 2'd2 : 2'd3;
  assign left    = (begins_q ? left_mem[level_q] : value) - 1'b1;
  always_ff @(posedge clk_i) begin
    begins_q <= state_q == Step;
    if (state_q == Fill) begin
      left_mem[level_q] <= left;
      open_q[level_q]   <= left != '0;
    end
  end

  // ---- Order of work ----------------------------------------------------------------------------

  logic more;
  assign more = open_q != '0 && !none_q && !fault_q && !wrong_q;
  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Take:    if (push && word_q == 5'(PatternWords - 1)) state_d = Product;
      Product: if (product_ends && last_job) state_d = Fill;
      Fill:    if (level_q == '0) state_d = Give;
      Give:    if (pop && last_word) state_d = more ? Turn : Take;
      Turn:    state_d = Step;
      default: state_d = Fill;
    endcase
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      state_q <= Take;
      word_q  <= '0;
    end else begin
      state_q <= state_d;
      if (state_q == Take && state_d == Product) word_q <= '0;
      else if (pop && last_word) word_q <= '0;
      else if (pop && word_q == '0 && !first_q) word_q <= 5'(ReachWords + 1);
      else if (push || pop) word_q <= word_q + 1'b1;
    end
    if (state_q == Take) begin
      job_q   <= '0;
      time_q  <= '0;
      first_q <= 1'b1;
    end else begin
      if (state_q == Product) time_q <= product_ends ? '0 : time_q + 1'b1;
      if (product_ends) job_q <= job_q + 1'b1;
      if (pop && last_word) first_q <= 1'b0;
    end
    if (state_q == Turn) level_q <= turning;
    else if (state_q == Fill) level_q <= level_q - 1'b1;
    else if (state_q == Product) level_q <= '1;
  end

  // ---- Memories: what is read and written ---------------------------------------------------------

  logic reaches;
  logic [1:0] given;  // dimension or level of the word
  assign reaches = word_q <= 5'(ReachWords);
  assign given   = 2'((word_q - 5'd1) >> 1);
  always_comb begin
    kind      = StrideOf;
    index     = dim;
    field     = is_stride ? Buffer : is_offset ? Offset : Stride;
    field_dim = dim;
    if (state_q == Give) begin
      kind      = reaches ? StepOf : StrideOf;
      index     = given;
      field     = reaches ? Wrap : Tiling;
      field_dim = reaches ? order_q[given] : given;
    end else if (state_q == Turn || state_q == Step) begin
      kind  = state_q == Turn ? PlaceOf : StepOf;
      index = state_q == Turn ? turning : level_q;
    end else if (state_q == Fill) begin
      field     = Wrap;
      field_dim = order_q[level_q];
    end
  end
  always_comb begin
    put_valid = product_ends && (is_stride || !is_offset);
    put_kind  = is_stride ? StrideOf : StepOf;
    put_index = is_stride ? job_q[1:0] + 1'b1 : 2'(job_q - 4'd7);
    put       = {wide, product_q[63:0]};
    if (state_q == Take) begin
      put_valid = 1'b1;
      put_kind  = StrideOf;
      put_index = '0;
      put       = 65'd1;
    end else if (state_q == Fill) begin
      put_valid = 1'b1;
      put_kind  = PlaceOf;
      put_index = level_q;
      put       = {1'b0, place_q[63:0]};
    end
  end

  assign word_o = '{
          bias: word_q == '0,
          size: word_q != '0 && !word_q[0],
          inner: word_q == 5'(ReachWords + 1) || word_q == 5'(ReachWords + 2),
          reach: reaches,
          last: last_word,
          more: more,
          wide:
          word_q
          == '0 ?
          place_wide_q || (place_q[66:63] != '0 && place_q[66:63] != '1)
          :
          read[64],
          error: fault_q ? MoverListFetch : wrong_q ? MoverFormat : MoverOk,
          data: word_q == '0 ? place_q[63:0] : word_q[0] ? read[63:0] : 64'(value)
      };

  `TSR_ASSERT(ALevelTurns, state_q != Turn || open_q != '0)
  `TSR_ASSERT_NEXT(WordStays, valid_o && !ready_i && !clear_i, valid_o && $stable(word_q))

endmodule
