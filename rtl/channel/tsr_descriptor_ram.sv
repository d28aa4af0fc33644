// Descriptor RAM: what software writes word by word, the loader reads whole.
//
// Contract: two users of one memory. The loader sets `read_i` with `read_id_i`; from the next cycle on
// the words of that descriptor are on the outputs, which are registers, and stay, also against register
// writes, until `release_i`, after which the next `read_i` may come. While nobody reads, the outputs follow
// `read_id_i`, a guess: with `hit_o` they are those of `read_id_i` already, and `release_i` may come with
// `read_i`. With `release_i` and `advance_i` the turns of the descriptor become `turns_i`.
// The register port (request until `access_ready_o`, answer in that cycle) waits while the loader holds the
// memory, and gets the next turn then; a loader that waits for a write goes before the next access. The memory
// is written in the cycle behind the answer, in which the loader waits. A write to anything but word 15 of the
// descriptor itself and its turns makes it invalid; a write of word 15 sets `valid` to its bit 31 and the turns
// to 0. A write that names no byte changes nothing. After reset every word is 0: that takes a cycle a
// descriptor, and accesses wait for it.
// With `read_list_i` the words come from a list instead: `fill_i`, in the cycle of `read_i` or while they are
// held, puts all words of a part onto the outputs, and past the memory.
// Latency: 1 cycle for the loader; 2 for a write of a whole word, 4 for a read and for a write of a part, which
// wait for the write before; all wait longer behind the loader. Nothing of the loader goes to the register port in
// the same cycle, nor back.
`include "tsr_assert.svh"
module tsr_descriptor_ram
  import tsr_channel_pkg::*;
  import tsr_list_pkg::*;
#(
  parameter int unsigned Descriptors = 16,    // 1..256
  parameter bit          Walk        = 1'b1,
  parameter bit          Bounds      = 1'b1,
  parameter bit          Lists       = 1'b0
) (
  input  logic                                           clk_i,
  input  logic                                           rst_ni,
  // The loader.
  input  logic                                           read_i,
  output logic                                           read_ready_o,
  output logic                                           hit_o,
  input  descriptor_id_t                                 read_id_i,
  input  logic                                           read_list_i,     // one of a list
  input  logic                                           fill_i,
  input  list_part_e                                     fill_part_i,
  input  logic               [DescriptorWords-1:0][31:0] fill_words_i,
  input  logic                                           release_i,
  input  logic                                           advance_i,
  input  logic               [               15:0]       turns_i,
  output logic               [DescriptorWords-1:0][31:0] base_o,
  output logic               [DescriptorWords-1:0][31:0] bounds_o,
  output logic               [DescriptorWords-1:0][31:0] walk_o,
  output logic               [               15:0]       turns_o,
  output logic                                           valid_o,
  // Registers.
  input  descriptor_access_t                             access_i,
  input  logic                                           access_valid_i,
  output logic                                           access_ready_o,
  output logic                                           access_error_o,
  output logic               [               31:0]       access_data_o
);

  `TSR_STATIC_ASSERT(Descriptors, Descriptors >= 1 && Descriptors <= 256,
                     ("Descriptors = %0d; legal is 1 to 256", Descriptors))

  localparam int unsigned IdWidth = Descriptors < 2 ? 1 : $clog2(Descriptors);
  localparam logic [3:0] Commit = 4'd15;

  typedef enum logic [2:0] {
    Clear,
    Free,
    Held,   // the loader reads
    Look,   // for the register port, at a word
    Answer  // it is shown, or written back with some bytes changed
  } state_e;

  typedef struct packed {
    logic               valid;
    logic               all;    // words are set to 0
    descriptor_area_e   area;
    logic [3:0]         word;
    logic [IdWidth-1:0] id;
    logic [31:0]        data;
  } put_t;

  state_e state_q, state_d;
  put_t put_q;  // a write on its way to the memory
  logic turn_q;  // a register access waits: the next turn is its
  logic [IdWidth-1:0] id_q;
  logic list_q;  // the outputs are those of a list

  // ---- Whose turn it is -------------------------------------------------------------------------

  logic known, names, puts_whole, start, access_starts, write, clear;
  logic [31:0] word, looked_q, data;

  assign known = 32'(access_i.descriptor) < Descriptors && exists(access_i.area, access_i.word);
  assign names = access_i.write && access_i.strobe != '0;
  assign puts_whole = access_i.write && access_i.strobe == '1;
  assign access_starts = turn_q && state_q == Free && (puts_whole || !put_q.valid);
  assign read_ready_o = state_q == Free && !put_q.valid && !turn_q;
  assign start = read_i && read_ready_o;

  // While nobody holds the outputs they follow whoever may be about to read.
  logic reads;
  logic [IdWidth-1:0] look_id;
  assign reads   = state_q == Free;
  assign look_id = turn_q ? IdWidth'(access_i.descriptor) : IdWidth'(read_id_i);

  // What was written while they were read is not on them.
  logic followed_q;
  always_ff @(posedge clk_i) begin
    followed_q <= rst_ni && reads && !turn_q && !put_q.valid && !write && !start;
  end
  assign hit_o = followed_q && id_q == IdWidth'(read_id_i);

  function automatic logic exists(input descriptor_area_e area, input logic [3:0] index);
    unique case (area)
      AreaBase: return 1'b1;
      AreaBounds: return Bounds && index != 4'd11;
      AreaWalk: return Walk && index < 4'd9;
      AreaTurns: return index == 4'd0;
      default: return 1'b0;
    endcase
  endfunction

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Clear:   if (32'(id_q) == Descriptors - 1) state_d = Free;
      Free: begin
        if (access_starts && !puts_whole) state_d = Look;
        else if (start && !release_i) state_d = Held;
      end
      Held:    if (release_i) state_d = Free;
      Look:    state_d = Answer;
      Answer:  state_d = Free;
      default: state_d = Free;
    endcase
  end

  assign clear = state_q == Clear;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) state_q <= Clear;
    else state_q <= state_d;
    if (!rst_ni || access_ready_o) turn_q <= 1'b0;
    else if (access_valid_i && known && !(read_i && put_q.valid)) turn_q <= 1'b1;
    if (!rst_ni) id_q <= '0;
    else if (clear) id_q <= id_q + 1'b1;
    else if (reads) id_q <= look_id;
    if (reads) list_q <= Lists && start && read_list_i;
  end

  assign write = (names && state_q == Answer) || (access_starts && puts_whole);
  assign data  = clear ? '0 : state_q == Answer ? looked_q : access_i.data;
  always_comb begin
    access_ready_o = write || state_q == Answer;
    access_error_o = 1'b0;
    if (access_valid_i && !known) begin
      access_ready_o = 1'b1;
      access_error_o = 1'b1;
    end
  end
  assign access_data_o = access_error_o ? '0 : looked_q;

  always_ff @(posedge clk_i) begin
    for (int unsigned b = 0; b < 4; b++) begin
      looked_q[8*b+:8] <= access_i.write && access_i.strobe[b] ?
          access_i.data[8*b+:8] : word[8*b+:8];
    end
  end

  // ---- Memories: a word of every descriptor each ------------------------------------------------

  logic [IdWidth-1:0] write_id;
  assign write_id = clear || state_q == Answer ? id_q : IdWidth'(access_i.descriptor);

  // A register's write reaches the memory from here; area and word are those of a look as well.
  always_ff @(posedge clk_i) begin
    put_q.all   <= rst_ni && clear;
    put_q.valid <= rst_ni && (clear || write);
    put_q.area  <= access_i.area;
    put_q.word  <= access_i.word;
    put_q.id    <= write_id;
    put_q.data  <= data;
  end

  localparam int unsigned Areas = 3;  // each is a part of a list, too
  logic [Areas-1:0][DescriptorWords-1:0][31:0] words;

  for (genvar a = 0; a < Areas; a++) begin : gen_area
    localparam descriptor_area_e Area = descriptor_area_e'(a);
    for (genvar w = 0; w < DescriptorWords; w++) begin : gen_word
      if (exists(Area, 4'(w))) begin : gen_stored
        logic put, fill;
        assign put  = put_q.valid && (put_q.all || (put_q.area == Area && put_q.word == 4'(w)));
        assign fill = Lists && fill_i && 2'(fill_part_i) == Area;
        tsr_descriptor_word #(
          .Descriptors(Descriptors)
        ) u_word (
          .clk_i,
          .put_i      (put),
          .put_id_i   (put_q.id),
          .put_data_i (put_q.data),
          .read_i     (reads),
          .read_id_i  (look_id),
          .fill_i     (fill),
          .fill_data_i(fill_words_i[w]),
          .data_o     (words[a][w])
        );
      end else begin : gen_none
        assign words[a][w] = '0;
      end
    end
  end
  assign base_o   = words[AreaBase];
  assign bounds_o = words[AreaBounds];
  assign walk_o   = words[AreaWalk];

  always_comb begin
    word = put_q.area == AreaTurns ? 32'(turns_o) : words[put_q.area][put_q.word];
    if (put_q.area == AreaBase && put_q.word == Commit) word[31] = word[31] && valid_o;
  end

  // ---- Valid, and turns done --------------------------------------------------------------------

  logic valid_mem_q[Descriptors];
  logic [15:0] turns_q[Descriptors];
  logic [15:0] read_turns_q;
  logic read_valid_q, committed, turned;

  assign committed = write && access_i.area == AreaBase && access_i.word == Commit;
  assign turned    = write && access_i.area == AreaTurns;
  assign turns_o   = read_turns_q;
  assign valid_o   = list_q ? base_o[Commit][31] : read_valid_q;
  always_ff @(posedge clk_i) begin
    if (reads) begin
      read_turns_q <= turns_q[look_id];
      read_valid_q <= valid_mem_q[look_id];
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear || committed) turns_q[write_id] <= '0;
    else if (turned) turns_q[write_id] <= data[15:0];
    else if (release_i && advance_i) turns_q[id_q] <= turns_i;
  end

  always_ff @(posedge clk_i) begin
    if (clear || (write && !turned)) valid_mem_q[write_id] <= committed && data[31];
  end

  logic unused_list;
  assign unused_list = ^{read_id_i, read_list_i, fill_i, fill_part_i, fill_words_i};

  `TSR_ASSERT(OneUser, !(start && access_starts))
  `TSR_ASSERT(ReleasedWhatWasHeld, !release_i || state_q == Held || (start && hit_o))
  `TSR_ASSERT(NoWriteWhileHeld, state_q != Held || !(write || put_q.valid))
  `TSR_ASSERT(FillsWhatItHas, !fill_i || (start && read_list_i) || (state_q == Held && list_q))
  `TSR_ASSERT_NEXT(HeldStays, state_q == Held && !release_i, state_q == Held && $stable(id_q))

endmodule
