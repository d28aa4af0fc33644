// Turns an address and a size in bytes into contexts: what a kernel without a list moves.
//
// Contract: as tsr_mover_list, with `setup_i.list_addr` the first byte and `setup_i.base_addr` the
// number of bytes. One context for each piece of 2^31 bytes, dense on the stream; TLAST stands at
// the end of all of it, with the rule never too (tsr_mover_read). No bytes are no transfer. A range that leaves the
// window is MoverOutside, of which `addr` is the last byte.
// Latency: 4 cycles from `start_i` to `go_o`. Throughput: a context in three cycles.
`include "tsr_assert.svh"
module tsr_mover_range
  import tsr_core_pkg::*;
  import tsr_fabric_pkg::*;
  import tsr_mover_pkg::*;
#(
  parameter int unsigned AddrWidth = 64,
  parameter bit          Receives  = 1'b0
) (
  input  logic          clk_i,
  input  logic          rst_ni,
  input  logic          start_i,
  input  mover_setup_t  setup_i,
  input  logic          stop_i,
  output mover_source_t source_o,
  input  slot_t         slot_i,
  input  logic          room_i,
  output logic          begin_o,
  output context_word_t word_o,
  output logic          word_valid_o,
  output logic          go_o
);

  localparam logic [31:0] Piece = 32'h8000_0000;

  typedef enum logic [2:0] {
    Rest,
    Check,
    Addr,
    Size,
    Flags
  } state_e;

  state_e state_q, state_d;
  logic [63:0] next_q, left_q;
  logic [64:0] last;
  logic outside, lies, ends;
  logic [31:0] bytes;
  mover_error_e error_q;
  logic [63:0] outside_q;

  assign last = {1'b0, next_q} + {1'b0, left_q} - 1'b1;
  assign outside = (last >> AddrWidth) != '0;
  assign lies    = !outside && last[63:PageBits] <= setup_i.window.last &&
                   next_q[63:PageBits] >= setup_i.window.first;
  assign ends = left_q <= 64'(Piece);
  assign bytes = ends ? left_q[31:0] : Piece;
  assign begin_o = state_q == Addr && room_i && !stop_i;
  assign go_o = state_q == Flags;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Rest:    if (start_i) state_d = Check;
      Check:   state_d = left_q != '0 && lies ? Addr : Rest;
      Addr:    state_d = stop_i ? Rest : begin_o ? Size : Addr;
      Size:    state_d = Flags;
      Flags:   state_d = ends ? Rest : Addr;
      default: state_d = Rest;
    endcase
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) state_q <= Rest;
    else state_q <= state_d;
  end

  always_ff @(posedge clk_i) begin
    if (state_q == Rest && start_i) begin
      next_q    <= setup_i.list_addr;
      left_q    <= setup_i.base_addr;
      error_q   <= MoverOk;
      outside_q <= '0;
    end else if (state_q == Check && left_q != '0 && !lies) begin
      error_q   <= MoverOutside;
      outside_q <= last[63:0];
    end else if (go_o) begin
      next_q <= next_q + 64'(bytes);
      left_q <= left_q - 64'(bytes);
    end
  end

  flags_t flags;
  always_comb begin
    flags        = '0;
    flags.phases = {Levels{3'b010}};
    flags.flush  = ends;
    flags.last   = ends && !Receives;
    word_o       = '{channel: '0, slot: slot_i, word: WordAddr, data: next_q};
    if (state_q == Size) begin
      word_o.word = WordData;
      word_o.data = {32'd0, bytes - 1'b1};
    end else if (go_o) begin
      word_o.word = WordFlags;
      word_o.data = 64'(flags);
    end
  end
  assign word_valid_o = begin_o || state_q == Size || go_o;
  assign source_o = '{ended: state_q == Rest && !start_i, error: error_q, addr: outside_q};

  logic unused_setup;
  assign unused_setup = ^setup_i;

  `TSR_ASSERT(BytesInAPiece, !go_o || (bytes != '0 && bytes <= Piece))

endmodule
