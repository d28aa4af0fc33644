// Reads a list: the number of its descriptors, then all their words, ahead of who takes them.
//
// Contract: `start_i` for one cycle, with the address. `words_o` come in order, each with a mark if
// its response was an error; `count_o` counts with the first of them, or with `ended_o`. No word is
// read behind the last one of the list, none in another list, and never more than Depth of them are
// on their way or kept. With `stop_i`, a level, nothing more is asked for, and what comes is
// dropped. `ended_o`: every word has been taken, and none is on its way; `error_o` says why there
// are none at all.
// Latency: 1 cycle from `start_i` to ARVALID, 4 from the count to the next ARVALID, 2 from a word
// on the bus to `word_o`. Throughput: one word a cycle, if Depth is at least the latency of the
// memory and Burst, and Burst at least 3.
`include "tsr_assert.svh"
module tsr_mover_fetch
  import tsr_fabric_pkg::*;
  import tsr_mover_pkg::*;
#(
  parameter int unsigned AddrWidth = 64,
  parameter int unsigned Depth     = 128,  // words; a power of two
  parameter int unsigned Burst     = 16    // words, at most half of Depth
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         start_i,
  input  logic         [         63:0] addr_i,
  input  logic                         patterns_i,
  input  logic                         stop_i,
  output logic         [         31:0] count_o,
  output logic                         ended_o,
  output mover_error_e                 error_o,
  output logic         [         63:0] word_o,
  output logic                         fault_o,
  output logic                         word_valid_o,
  input  logic                         word_ready_i,
  output logic         [AddrWidth-1:0] araddr_o,
  output logic         [          7:0] arlen_o,
  output logic                         arvalid_o,
  input  logic                         arready_i,
  input  logic         [         63:0] rdata_i,
  input  logic         [          1:0] rresp_i,
  input  logic                         rvalid_i,
  output logic                         rready_o
);

  localparam int unsigned WordBits = AddrWidth - 3;  // of the address of a word
  localparam int unsigned PageWords = 2 ** (PageBits - 3);
  localparam int unsigned UsedBits = $clog2(Depth + 1);
  localparam int unsigned LeftBits = 36;  // 2^32 - 1 descriptors of 12 words
  localparam int unsigned LenBits = $clog2(PageWords + 1);

  `TSR_STATIC_ASSERT(ListDepth, Depth >= 16 && Depth <= 512 && $onehot(Depth),
                     ("ListDepth = %0d; legal is 16, 32, 64, 128, 256, 512", Depth))
  `TSR_STATIC_ASSERT(ListBurst, Burst >= 1 && Burst <= Depth / 2 && Burst <= 256,
                     ("ListBurst = %0d; legal is 1 to %0d words", Burst, Depth / 2))

  typedef enum logic [2:0] {
    Rest,
    Ask,    // for the count
    Await,
    Size,   // from descriptors to words
    Check,  // where they end
    Words
  } state_e;

  typedef struct packed {
    logic        fault;
    logic [63:0] data;
  } word_t;

  state_e state_q, state_d;
  mover_error_e error_q, error_d;
  logic patterns_q;
  logic [31:0] count_q;
  logic [WordBits:0] next_q;  // word to ask for, or asked for; behind the address space too
  logic [LeftBits-1:0] left_q;  // words to ask for
  logic [UsedBits-1:0] used_q;  // words asked for and not taken
  logic ar_valid_q;
  logic [7:0] len_q;

  logic beyond, unaligned, fault;
  assign unaligned = addr_i[2:0] != '0;
  assign fault = rresp_i[1];  // SLVERR and DECERR
  if (AddrWidth < 64) begin : gen_narrow
    assign beyond = addr_i[63:AddrWidth] != '0;
  end else begin : gen_wide
    assign beyond = 1'b0;
  end

  // ---- The count --------------------------------------------------------------------------------

  localparam int unsigned EndBits = (WordBits > LeftBits ? WordBits : LeftBits) + 2;
  logic [EndBits-1:0] stop_word;  // behind the list
  logic beyond_end;
  logic wide_count;
  assign wide_count = rdata_i[63:32] != '0;
  assign stop_word = EndBits'(next_q) + EndBits'(left_q);
  // The last word may be the last one of the address space.
  assign beyond_end = stop_word[EndBits-1:WordBits+1] != '0 ||
      (stop_word[WordBits] && stop_word[WordBits-1:0] != '0);

  always_comb begin
    state_d = state_q;
    error_d = error_q;
    unique case (state_q)
      Rest: begin
        if (start_i) begin
          error_d = unaligned || beyond ? MoverListAddress : MoverOk;
          state_d = unaligned || beyond ? Rest : Ask;
        end
      end
      Ask: if (arready_i) state_d = Await;
      Await: begin
        if (rvalid_i) begin
          if (fault) error_d = MoverListFetch;
          else if (wide_count) error_d = MoverListCount;
          state_d = fault || wide_count || stop_i ? Rest : Size;
        end
      end
      Size:    state_d = Check;
      Check: begin
        if (beyond_end) error_d = MoverListAddress;
        state_d = error_d != MoverOk ? Rest : Words;
      end
      Words:   if ((left_q == '0 || stop_i) && used_q == '0 && !ar_valid_q) state_d = Rest;
      default: state_d = Rest;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= Rest;
      error_q <= MoverOk;
    end else begin
      state_q <= state_d;
      error_q <= error_d;
    end
  end
  always_ff @(posedge clk_i) begin
    if (state_q == Rest && start_i) begin
      patterns_q <= patterns_i;
      count_q    <= '0;
    end
    if (state_q == Await && state_d == Size) count_q <= rdata_i[31:0];
  end

  // ---- The words --------------------------------------------------------------------------------

  // Up to the end of the page, of the list, and Burst.
  logic [LenBits-1:0] page, length, length_q;
  logic sized_q;  // length_q is of the next burst
  logic ask, asked, taken, room, word_ready, fifo_ready, word_valid, shifts;
  word_t word_in, word;
  assign page = LenBits'(PageWords) - LenBits'(next_q[PageBits-4:0]);
  always_comb begin
    length = page < LenBits'(Burst) ? page : LenBits'(Burst);
    if (left_q[LeftBits-1:LenBits] == '0 && left_q[LenBits-1:0] < length)
      length = left_q[LenBits-1:0];
  end
  assign room  = used_q <= UsedBits'(Depth - Burst);
  assign ask   = state_q == Words && left_q != '0 && room && !stop_i && sized_q;
  assign asked = ar_valid_q && arready_i;
  assign taken = word_valid_o && word_ready;

  always_ff @(posedge clk_i) begin
    length_q <= length;
    sized_q  <= rst_ni && (state_q == Check || state_q == Words) && !ask && !ar_valid_q;
    if (state_q == Rest) next_q <= {1'b0, addr_i[AddrWidth-1:3]};
    else if (asked) next_q <= next_q + (WordBits + 1)'(len_q) + 1'b1;
    if (state_q == Size) begin
      left_q <= LeftBits'({count_q, 3'd0}) +
          (patterns_q ? LeftBits'({count_q, 2'd0}) : LeftBits'(count_q));
    end else if (ask) begin
      left_q <= left_q - LeftBits'(length_q);
    end
    if (state_q == Rest) len_q <= '0;
    else if (ask) len_q <= 8'(length_q - 1'b1);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ar_valid_q <= 1'b0;
      used_q     <= '0;
    end else begin
      ar_valid_q <= state_q == Rest ? state_d == Ask : ask || (ar_valid_q && !arready_i);
      used_q <= used_q + (ask ? UsedBits'(length_q) : '0) - UsedBits'(taken);
    end
  end

  assign word_in = '{fault: fault, data: rdata_i};
  assign word_ready = word_ready_i || stop_i;

  tsr_fifo #(
    .Depth(Depth),
    .T    (word_t)
  ) u_words (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .data_i (word_in),
    .valid_i(rvalid_i && state_q == Words),
    .ready_o(fifo_ready),
    .data_o (word),
    .valid_o(word_valid),
    .ready_i(shifts)
  );

  // What a memory gives is late for the sums behind it.
  word_t word_q;
  logic  word_valid_q;
  assign shifts = !word_valid_q || word_ready;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) word_valid_q <= 1'b0;
    else if (shifts) word_valid_q <= word_valid;
    if (shifts) word_q <= word;
  end

  assign word_o    = word_q.data;
  assign fault_o   = word_q.fault;
  assign word_valid_o = word_valid_q;
  assign count_o   = count_q;
  assign ended_o   = state_q == Rest;
  assign error_o   = error_q;
  assign araddr_o  = {next_q[WordBits-1:0], 3'd0};
  assign arlen_o   = len_q;
  assign arvalid_o = ar_valid_q;
  assign rready_o  = 1'b1;

  logic unused_resp;
  assign unused_resp = rresp_i[0];

  `TSR_STABLE(ArStable, arvalid_o, arready_i, ({araddr_o, arlen_o}))
  `TSR_ASSERT(RoomForEveryWord, state_q != Words || !rvalid_i || fifo_ready)
  `TSR_ASSERT(OneList, !start_i || state_q == Rest)

endmodule
