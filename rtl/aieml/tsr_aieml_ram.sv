// The words of all descriptors of a tile, as software writes them.
//
// Contract: two users of one memory. The loader sets `read_i` with `read_id_i`; from the next cycle on
// the words of that descriptor are on `words_o` and stay, also against register writes, until `release_i`, with
// which or after which the next `read_i` may come. With `release_i` and `advance_i` the word Iteration
// becomes `next_word_i`. The register port (request until `access_ready_o`, the data of a read in that
// cycle) waits while the loader holds the memory, and gets the next turn then. Words that a descriptor
// does not have read 0. After reset every word is 0: that takes a cycle a descriptor, and accesses wait
// for it.
// Latency: 1 cycle for the loader; 1 for a write, 2 for a read.
`include "tsr_assert.svh"
module tsr_aieml_ram
  import tsr_channel_pkg::*;
  import tsr_aieml_pkg::*;
#(
  parameter int unsigned Descriptors = 16,  // 1..64
  parameter int unsigned Used        = 8,   // words
  parameter int unsigned Iteration   = 6    // the word with Iteration_Current
) (
  input  logic                             clk_i,
  input  logic                             rst_ni,
  // The loader.
  input  logic                             read_i,
  output logic                             read_ready_o,
  input  descriptor_id_t                   read_id_i,
  input  logic                             release_i,
  input  logic                             advance_i,
  input  logic           [     31:0]       next_word_i,
  output logic           [Words-1:0][31:0] words_o,
  // Registers.
  input  aieml_access_t                    access_i,
  input  logic                             access_valid_i,
  output logic                             access_ready_o,
  output logic           [     31:0]       access_data_o
);

  `TSR_STATIC_ASSERT(Descriptors, Descriptors >= 1 && Descriptors <= 64,
                     ("Descriptors = %0d; legal is 1 to 64", Descriptors))

  localparam int unsigned IdWidth = $clog2(Descriptors < 2 ? 2 : Descriptors);

  typedef enum logic [1:0] {
    Clear,
    Free,
    Held,   // the loader reads
    Shown   // a word is shown to the register port
  } state_e;

  state_e state_q, state_d;
  logic [IdWidth-1:0] id_q, put_id;
  logic turn_q, free, start, access_starts, write, turned;
  logic [31:0] data;

  // ---- Whose turn it is -------------------------------------------------------------------------

  assign free = state_q == Free || (state_q == Held && release_i);
  assign access_starts = access_valid_i && state_q == Free && (turn_q || !read_i);
  assign read_ready_o = free && !(access_valid_i && (turn_q || state_q == Held));
  assign start = read_i && read_ready_o;
  assign write = access_starts && access_i.write;
  assign turned = release_i && advance_i;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Clear:   if (32'(id_q) == Descriptors - 1) state_d = Free;
      Free: begin
        if (access_starts && !access_i.write) state_d = Shown;
        else if (start) state_d = Held;
      end
      Held:    if (release_i) state_d = start ? Held : Free;
      Shown:   state_d = Free;
      default: state_d = Free;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= Clear;
      id_q    <= '0;
      turn_q  <= 1'b0;
    end else begin
      state_q <= state_d;
      turn_q  <= access_valid_i && !access_ready_o;
      if (state_q == Clear) id_q <= id_q + 1'b1;
      else if (access_starts) id_q <= IdWidth'(access_i.descriptor);
      else if (start) id_q <= IdWidth'(read_id_i);
    end
  end

  assign access_ready_o = write || state_q == Shown;

  // ---- Memories: a word of every descriptor each ------------------------------------------------

  assign put_id = write ? IdWidth'(access_i.descriptor) : id_q;
  always_comb begin
    data = access_i.data;
    if (turned) data = next_word_i;
    if (state_q == Clear) data = '0;
  end

  for (genvar w = 0; w < Words; w++) begin : gen_word
    if (w < Used) begin : gen_used
      (* ram_style = "distributed" *)
      logic [31:0] words_q[Descriptors];
      logic put;
      assign put = state_q == Clear || (write && 32'(access_i.word) == w) ||
          (w == Iteration && turned);
      assign words_o[w] = words_q[id_q];
      always_ff @(posedge clk_i) begin
        if (put) words_q[put_id] <= data;
      end
    end else begin : gen_none
      assign words_o[w] = '0;
    end
  end
  assign access_data_o = words_o[access_i.word];

  logic unused_id;
  assign unused_id = ^{read_id_i, access_i.descriptor};

  `TSR_ASSERT(OneUser, !(start && access_starts))
  `TSR_ASSERT(ReleasedWhatWasHeld, !release_i || state_q == Held)
  `TSR_ASSERT(NoWriteWhileHeld, state_q != Held || !write)
  `TSR_ASSERT_NEXT(HeldStays, state_q == Held && !release_i, state_q == Held && $stable(id_q))

endmodule
