// Turns the words of a descriptor into the words of a context of the engine.
//
// Contract: words come by valid/ready: a bias, then strides and sizes, dimension 1 first, those that
// count for the window alone before it. A bias waits for `room_i`; `begin_o` is then high. With the
// last word of the context, which are its flags, `go_o` is high; without a transfer `error_o` says
// why instead, both with `done_o`. A size of 0 makes an empty context, which is never wrong but for
// `error` of its words. `word_o` has no backpressure. `final_i` counts with `done_o`: this
// descriptor is the last one of its list. `clear_i` forgets everything.
// Latency: 6 cycles from the last word to `done_o`. Throughput: a word a cycle; a size of dimension 1
// comes two cycles late if its elements are no neighbours.
//
// Each word of a context has its cycle, so many after a word of the descriptor: address 6 and size of
// a row 7 after the bias; count 4 and jump 5 after a size; flags 6 after the last size. Dimensions
// whose rows are neighbours make one row: each of them writes the size of the row anew instead of
// count and jump.
`include "tsr_assert.svh"
module tsr_mover_cuboid
  import tsr_fabric_pkg::*;
  import tsr_core_pkg::*;
  import tsr_mover_pkg::*;
#(
  parameter int unsigned AddrWidth    = 64,   // 32..64
  parameter int unsigned ElementBytes = 8,
  parameter bit          Receives     = 1'b0  // stream to memory
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  logic                          clear_i,
  input  logic          [         63:0] base_i,        // address of element 0
  input  mover_setup_t                  setup_i,
  // Words of descriptors
  input  mover_word_t                   word_i,
  input  logic                          valid_i,
  output logic                          ready_o,
  // Contexts
  input  slot_t                         slot_i,        // of the next context that goes
  input  logic                          room_i,
  output logic                          begin_o,
  input  logic                          final_i,
  output context_word_t                 word_o,
  output logic                          word_valid_o,
  output logic                          go_o,
  output logic                          more_o,        // of the context with done_o
  output logic                          empty_o,
  output logic                          done_o,
  output mover_error_e                  error_o,
  output logic          [AddrWidth-1:0] outside_o
);

  localparam int unsigned ElemLog2 = $clog2(ElementBytes);
  localparam int unsigned WideBits = 64 + ElemLog2 + 2;
  localparam logic [31:0] LastByte = 32'(ElementBytes) - 32'd1;
  typedef logic signed [WideBits-1:0] wide_t;
  typedef logic [AddrWidth-1:0] addr_t;
  // Holds the bytes of a row that is too long.
  localparam int unsigned SpanWidth = AddrWidth > 40 ? AddrWidth : 40;
  typedef logic [SpanWidth-1:0] span_t;

  // ---- Words of descriptors ---------------------------------------------------------------------

  // What is known of a descriptor so far.
  typedef struct packed {
    mover_error_e error;
    logic         none;     // a size is 0
    logic         long_;    // a size has more than 32 bits
    logic         distant;  // a stride that counts
    logic         beyond;   // outside of the address space
    logic         more;
  } known_t;
  // A word that was taken, on its way.
  typedef struct packed {
    logic bias;
    logic size;
    logic inner;
    logic one;
    logic last;
  } op_t;

  logic take, far, far_q, zero, one;
  logic [1:0] wait_q;
  wide_t bytes, sum;
  addr_t stride_q;
  logic [31:0] size_q, size_late_q;
  known_t known, known_q, done_q;
  op_t op_in;
  op_t [7:1] op_q;  // of so many cycles ago

  assign ready_o = word_i.bias ? room_i : word_i.size ? wait_q == '0 : 1'b1;
  assign take = valid_i && ready_o && !clear_i;
  assign begin_o = take && word_i.bias;

  // A bias is added to the address of element 0.
  assign bytes = wide_t'(signed'(word_i.data)) <<< ElemLog2;
  assign sum = (word_i.bias ? wide_t'({1'b0, base_i}) : wide_t'(0)) + bytes;
  assign far   = word_i.wide || (bytes[WideBits-1:AddrWidth-1] != '0 &&
                 bytes[WideBits-1:AddrWidth-1] != '1);
  assign zero = word_i.data == '0;
  assign one = word_i.data == 64'd1;

  always_comb begin
    known = known_q;
    if (word_i.bias) begin
      known        = '0;
      known.more   = word_i.more;
      known.beyond = word_i.wide || sum[WideBits-1:AddrWidth] != '0;
    end
    if (word_i.error != MoverOk) known.error = word_i.error;
    if (word_i.size) begin
      known.none  = known.none || zero;
      known.long_ = known.long_ || word_i.data[63:32] != '0;
      // A tile that is far from the next one is outside; what is said of tiles holds for all sizes.
      if (word_i.reach) known.beyond = known.beyond || (far_q && !one);
      else known.distant = known.distant || (far_q && (!one || setup_i.patterns));
    end
    op_in = '{
        bias: word_i.bias,
        size: word_i.size && !word_i.reach,
        inner: word_i.inner && word_i.size,
        one: one,
        last: word_i.last
    };
  end

  always_ff @(posedge clk_i) begin
    op_q <= {op_q[6:1], take ? op_in : op_t'(0)};
    if (!rst_ni || clear_i) begin
      op_q   <= '0;
      wait_q <= '0;
    end else if (take && !word_i.bias && !word_i.size) begin
      wait_q <= {word_i.inner && !one, 1'b0};
    end else if (wait_q != '0) begin
      wait_q <= wait_q - 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (take) begin
      known_q <= known;
      if (word_i.size) begin
        size_q <= word_i.data[31:0];
      end else begin
        stride_q <= addr_t'(sum);
        far_q    <= far;
      end
      if (word_i.last) done_q <= known;
    end
    if (op_q[2].size) size_late_q <= size_q;
  end

  addr_t stride, first;
  span_t way;
  logic  lies;
  tsr_mover_reach #(
    .AddrWidth   (AddrWidth),
    .ElementBytes(ElementBytes),
    .OutWidth    (SpanWidth)
  ) u_reach (
    .clk_i,
    .rst_ni,
    .window_i    (setup_i.window),
    .base_valid_i(begin_o),
    .stride_i    (stride_q),
    .size_i      (word_i.data[31:0]),
    .dim_valid_i (take && word_i.size),
    .stride_o    (stride),
    .way_o       (way),
    .first_o     (first),
    .lies_o      (lies),
    .addr_o      (outside_o)
  );

  // ---- Rows and levels --------------------------------------------------------------------------

  // `span_q`: of a row its bytes but for those of an element; of levels from the first row of a turn
  // to the last one.
  addr_t stride_late_q, jump_q;
  span_t span_q;
  logic [2:0] levels_q;
  logic rows, joins, joins_q, level, level_q, inner_level_q, big_q;
  assign rows = setup_i.last == MoverLastRow && !Receives;  // each has a TLAST
  assign joins = op_q[4].size && !op_q[4].one && jump_q == addr_t'(ElementBytes) &&
                 levels_q == '0 && (op_q[4].inner || !rows);
  assign level = op_q[4].size && !op_q[4].one && !joins;
  always_ff @(posedge clk_i) begin
    if (op_q[2].size) stride_late_q <= stride;
    // Of the first level it is the stride, when it is known that it is none of a row.
    if (op_q[3].size || (op_q[4].size && levels_q == '0))
      jump_q <= stride_late_q - (op_q[3].size ? span_q[AddrWidth-1:0] : '0);
    if (op_q[4].bias) span_q <= '0;
    else if (op_q[4].size) span_q <= way + (level && levels_q == '0 ? '0 : span_q);
    joins_q <= joins;
    level_q <= level;
    if (op_q[5].bias) begin
      levels_q      <= '0;
      inner_level_q <= 1'b0;
      big_q         <= 1'b0;
    end else begin
      levels_q <= levels_q + 3'(level_q);
      if (op_q[5].inner) inner_level_q <= level_q;
      if (joins_q) big_q <= big_q || (span_q >> 32) != '0;
    end
  end

  // ---- Words of contexts ------------------------------------------------------------------------

  logic empty, packets;
  flags_t flags;
  assign empty   = done_q.none;
  assign packets = rows;
  always_comb begin
    flags = '0;
    flags.more = done_q.more;
    flags.empty = empty;
    flags.levels = {levels_q > 3'd3, levels_q > 3'd2, levels_q > 3'd1, levels_q > 3'd0};
    flags.phases = {Levels{3'b010}};
    flags.packet_level = {2'b00, inner_level_q};
    flags.packets = packets;
    // With none or one TLAST a list the beats of its descriptors join.
    flags.flush = !done_q.more &&
        (setup_i.last inside {MoverLastDescriptor, MoverLastRow} || final_i);
    // With the rule never too: then it only marks the end of the beats (tsr_mover_read).
    flags.last = flags.flush && !Receives;
  end

  word_e place;
  addr_t high;
  assign high = op_q[6].bias ? first : jump_q;
  logic [31:0] low;
  logic level_word;
  always_comb begin
    place      = WordAddr;
    low        = first[31:0];
    level_word = 1'b0;
    if (op_q[6].bias) begin
      low = first[31:0];
    end else if (op_q[7].bias || joins_q) begin
      place = WordData;
      low   = span_q[31:0] | LastByte;
    end else if (op_q[6].last) begin
      place = WordFlags;
      low   = 32'(flags);
    end else if (op_q[5].size) begin
      place      = word_e'({1'b0, levels_q[1:0], 2'(WordJump)});
      low        = jump_q[31:0];
      level_word = level_q;
    end else begin
      place      = word_e'({1'b0, levels_q[1:0], 2'(WordInside)});
      low        = size_late_q;
      level_word = level;
    end
  end
  assign word_o = '{channel: '0, slot: slot_i, word: place, data: {32'(64'(high) >> 32), low}};
  assign word_valid_o = op_q[6].bias || op_q[7].bias || joins_q || level_word || go_o;

  // ---- The end ----------------------------------------------------------------------------------

  assign done_o = op_q[6].last;
  assign more_o = done_q.more;
  assign empty_o = empty;
  assign go_o = done_o && error_o == MoverOk && !clear_i;
  always_comb begin
    error_o = done_q.error;
    if (done_q.error == MoverOk && !empty) begin
      if (done_q.long_ || (big_q && !done_q.distant)) error_o = MoverSize;
      else if (done_q.distant) error_o = MoverStride;
      else if (done_q.beyond || !lies) error_o = MoverOutside;
    end
  end

  logic unused_bits;
  assign unused_bits = ^setup_i ^ ^op_q;

  `TSR_ASSERT(AWordHasItsCycle, $onehot0({op_q[6].bias, op_q[7].bias, op_q[6].last, level_q}))
  `TSR_ASSERT(ACountHasItsCycle, !level || !(op_q[6].bias || op_q[7].bias || op_q[6].last))
  `TSR_ASSERT(RowsComeBeforeLevels, !joins_q || levels_q == '0)

endmodule
