// Reads the words of a descriptor of an AI Engine-ML tile: what the sequencer, the preparation and the stages of streams
// need of it, and what is wrong with it.
//
// Contract: combinational. `sequence_o` are words 12 to 15 of a native descriptor (docs/programming.md) for the
// sequencer, `rows_o` rows of one for the preparation: 0 to 3 its words, without locks and chain, 4 to 6 its bounds, which are
// needed with `padded_o`. `offset_o` has to be added to the base in row 0: bytes of the iteration. With an error row 3 is not valid and
// holds its reason. `next_word_o` is what the word
// with Iteration_Current becomes, with `has_iteration_o`. Lengths, steps and wraps are words of 4 bytes;
// the length is the only end: a dimension whose wrap is 0, and the outermost one, have no end. Padding and
// compression are looked at in their own direction alone; with PadIncoming padding drops words.
// Without Staged a descriptor that asks for a header or compression cannot run.
`include "tsr_assert.svh"
module tsr_aieml_descriptor
  import tsr_pkg::*;
  import tsr_descriptor_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_packet_pkg::*;
  import tsr_program_pkg::*;
  import tsr_aieml_pkg::*;
#(
  parameter int unsigned Image       = ImageMemory,
  parameter bit          PadIncoming = 1'b0,
  parameter bit          Staged      = 1'b1          // headers and compression
) (
  input  logic         [Words-1:0][31:0]       words_i,
  input  logic         [      5:0]             descriptor_i,     // its number
  input  logic                                 available_i,      // there is one
  input  aieml_mode_t                          mode_i,
  input  aieml_place_t                         place_i,          // of headers
  output logic         [      3:0][31:0]       sequence_o,
  output logic         [      6:0][ 3:0][31:0] rows_o,
  output logic                                 padded_o,
  output logic         [     31:0]             offset_o,
  output logic                                 chained_o,
  output logic                                 equal_o,
  output aieml_stage_t                         stage_o,
  output aieml_side_t                          side_o,
  output logic         [      5:0]             error_o,
  output logic                                 has_iteration_o,
  output logic         [     31:0]             next_word_o
);

  `TSR_STATIC_ASSERT(
      Image, Image <= ImageCompute,
      ("Image = %0d; legal is 0 (memory tile), 1 (shim) and 2 (compute tile)", Image))

  // ---- Fields -----------------------------------------------------------------------------------

  typedef struct packed {
    logic [47:0]      base;            // bytes
    logic [31:0]      length;
    logic [3:0][19:0] step;            // minus 1
    logic [2:0][9:0]  wrap;
    logic [2:0][5:0]  lead;
    logic [2:0][5:0]  trail;
    logic [5:0]       current;
    logic [5:0]       last;            // Iteration_Wrap, minus 1
    logic [19:0]      iteration_step;  // minus 1
    logic             packet;
    logic [2:0]       kind;
    logic [4:0]       id;
    logic [5:0]       bd;
    logic             suppress;
    logic             compression;
    logic             valid;
    logic             chained;
    logic [5:0]       next;
    logic             acquire;
    logic [6:0]       acquire_value;
    logic [7:0]       acquire_id;
    logic [6:0]       release_value;
    logic [7:0]       release_id;
  } fields_t;

  fields_t f;
  aieml_side_t side;
  logic [5:0] current;
  logic [31:0] unused_words;
  assign unused_words = words_i[0] ^ words_i[1] ^ words_i[2] ^ words_i[3] ^ words_i[4] ^
                        words_i[5] ^ words_i[6] ^ words_i[7];
  assign current = f.current >= f.last ? '0 : f.current + 1'b1;

  if (Image == ImageMemory) begin : gen_memory
    always_comb begin
      f                = '0;
      f.packet         = words_i[0][31];
      f.kind           = words_i[0][30:28];
      f.id             = words_i[0][27:23];
      f.bd             = words_i[0][22:17];
      f.length         = 32'(words_i[0][16:0]);
      f.lead[0]        = words_i[1][31:26];
      f.next           = words_i[1][25:20];
      f.chained        = words_i[1][19];
      f.base           = 48'({words_i[1][18:0], 2'b00});
      f.suppress       = words_i[2][31];
      f.wrap           = {words_i[4][26:17], words_i[3][26:17], words_i[2][26:17]};
      f.step[0]        = 20'(words_i[2][16:0]);
      f.lead[1]        = 6'(words_i[3][31:27]);
      f.step[1]        = 20'(words_i[3][16:0]);
      f.compression    = words_i[4][31];
      f.lead[2]        = 6'(words_i[4][30:27]);
      f.step[2]        = 20'(words_i[4][16:0]);
      f.trail[2]       = 6'(words_i[5][31:28]);
      f.trail[1]       = 6'(words_i[5][27:23]);
      f.trail[0]       = words_i[5][22:17];
      f.step[3]        = 20'(words_i[5][16:0]);
      f.current        = words_i[6][28:23];
      f.last           = words_i[6][22:17];
      f.iteration_step = 20'(words_i[6][16:0]);
      f.valid          = words_i[7][31];
      f.release_value  = words_i[7][30:24];
      f.release_id     = words_i[7][23:16];
      f.acquire        = words_i[7][15];
      f.acquire_value  = words_i[7][14:8];
      f.acquire_id     = words_i[7][7:0];
      side             = '{compressed: f.compression && mode_i.compresses, default: '0};
      next_word_o      = {words_i[6][31:29], current, words_i[6][22:0]};
    end
  end else begin : gen_others
    logic [31:0] tail;
    always_comb begin
      f    = '0;
      side = '0;
      if (Image == ImageShim) begin
        f.length                       = words_i[0];
        f.base                         = {words_i[2][15:0], words_i[1][31:2], 2'b00};
        f.step[0]                      = words_i[3][19:0];
        f.wrap[0]                      = words_i[3][29:20];
        f.step[1]                      = words_i[4][19:0];
        f.wrap[1]                      = words_i[4][29:20];
        f.step[2]                      = words_i[5][19:0];
        f.current                      = words_i[6][31:26];
        f.last                         = words_i[6][25:20];
        f.iteration_step               = words_i[6][19:0];
        side.secure                    = words_i[3][30];
        side.smid                      = words_i[5][31:28];
        side.cache                     = words_i[5][27:24];
        side.qos                       = words_i[5][23:20];
        {f.packet, f.bd, f.id, f.kind} = words_i[2][30:16];
        tail                           = words_i[7];
        next_word_o                    = {current, words_i[6][25:0]};
      end else begin
        f.base                         = 48'({words_i[0][27:14], 2'b00});
        f.length                       = 32'(words_i[0][13:0]);
        f.compression                  = words_i[1][31];
        f.step[0]                      = 20'(words_i[2][12:0]);
        f.step[1]                      = 20'(words_i[2][25:13]);
        f.step[2]                      = 20'(words_i[3][12:0]);
        f.wrap[0]                      = 10'(words_i[3][20:13]);
        f.wrap[1]                      = 10'(words_i[3][28:21]);
        f.current                      = words_i[4][24:19];
        f.last                         = words_i[4][18:13];
        f.iteration_step               = 20'(words_i[4][12:0]);
        side.compressed                = f.compression && mode_i.compresses;
        {f.packet, f.bd, f.id, f.kind} = words_i[1][30:16];
        tail                           = words_i[5];
        next_word_o                    = {words_i[4][31:25], current, words_i[4][18:0]};
      end
      f.suppress      = tail[31];
      f.next          = 6'(tail[30:27]);
      f.chained       = tail[26];
      f.valid         = tail[25];
      f.release_value = tail[24:18];
      f.release_id    = 8'(tail[16:13]);
      f.acquire       = tail[12];
      f.acquire_value = tail[11:5];
      f.acquire_id    = 8'(tail[3:0]);
    end
    logic unused_tail;
    assign unused_tail = ^{tail, mode_i.odd};
  end

  // ---- The transfer -----------------------------------------------------------------------------

  logic linear, joins, wide_empty;
  logic [2:0] pads;
  logic [3:0][31:0] count, stride, start, bound;
  descriptor_flags_t control;
  descriptor_row3_t last_row;
  logic [31:0] turn_bytes;
  logic [28:0] turned;
  assign chained_o       = f.chained && !mode_i.by_header;
  assign has_iteration_o = f.last != '0;
  assign turn_bytes      = 32'(f.iteration_step) + 32'd1;
  assign turned          = 29'(turn_bytes[20:0]) * 29'(f.current);
  assign offset_o        = {1'b0, turned, 2'b00};
  for (genvar d = 0; d < 3; d++) begin : gen_pads
    assign pads[d] = Image == ImageMemory && (!mode_i.receives || PadIncoming) &&
        {f.lead[d], f.trail[d]} != '0;
  end
  assign padded_o   = pads != '0;
  // Nothing but a length: its dimension has an end.
  assign linear     = f.wrap[0] == '0 && !padded_o;
  // Words of 4 bytes go out at once. A wide beat is left open; a descriptor of no words has no TLAST, nor has
  // what the one before it left of a beat.
  assign wide_empty = !Staged && f.length == '0;
  assign joins      = !Staged && (f.suppress || wide_empty);

  always_comb begin
    for (int unsigned d = 0; d < 4; d++) begin
      stride[d] = (32'(f.step[d]) + 32'd1) << 2;
      count[d]  = linear ? 32'd1 : Unbounded;
      start[d]  = '0;
      bound[d]  = Unbounded;
    end
    if (linear) count[0] = f.length;
    for (int unsigned d = 0; d < 3; d++) begin
      if (!linear && f.wrap[d] != '0) count[d] = 32'(f.wrap[d]);
      if (pads[d]) begin
        start[d] = -32'(f.lead[d]);
        if (f.wrap[d] != '0) begin
          count[d] = 32'(f.lead[d]) + 32'(f.wrap[d]) + 32'(f.trail[d]);
          bound[d] = 32'(f.wrap[d]);
        end
      end
    end
  end

  // ---- What is wrong ----------------------------------------------------------------------------

  // 0 to 63 are the locks to the west, 64 to 127 those of the memory tile itself, 128 to 191 those to the east.
  function automatic logic lacks(input logic [7:0] id);
    logic unused_rest;
    unused_rest = ^id;
    return Image == ImageMemory &&
        !(id[7:6] == 2'd1 || (id[7:6] == 2'd0 && mode_i.west) || (id[7:6] == 2'd2 && mode_i.east));
  endfunction

  function automatic logic [7:0] placed(input logic [7:0] id);
    if (Image != ImageMemory) return id;
    return {id[7] ? LockEast : id[6] ? LockOwn : LockWest, id[5:0]};
  endfunction

  logic half, no_lock, headed;
  if (Image == ImageMemory) begin : gen_halves
    logic upper;
    assign upper = descriptor_i >= 6'd24;
    assign half  = upper == mode_i.odd;
  end else begin : gen_one
    logic unused_half;
    assign unused_half = ^descriptor_i;
    assign half        = 1'b1;
  end
  assign no_lock = (f.acquire && lacks(
      f.acquire_id
  )) || (f.release_value != '0 && lacks(
      f.release_id
  ));
  assign headed = f.packet && !mode_i.receives;

  always_comb begin
    error_o = LoadNone;
    if (!available_i || !half) error_o = LoadUnavailable;
    else if (!f.valid) error_o = LoadInvalid;
    else if (!Staged && (headed || side.compressed)) error_o = LoadExtension;
    else if (no_lock) error_o = LoadLock;
    else if (f.length[31:30] != '0) error_o = LoadLength;
  end

  // ---- Words ------------------------------------------------------------------------------------

  always_comb begin
    control = '0;
    control.elem_log2 = 3'd2;  // words
    control.has_length = !linear;
    control.last_rule = f.suppress || wide_empty ? LastNever : LastTransfer;
    control.join_next = joins;
    control.finish_last = mode_i.finish && mode_i.receives;
    control.has_bounds = padded_o;
    control.valid = 1'b1;
    last_row = '0;
    last_row.locks.release_value = f.release_value;
    {last_row.locks.reserved_22, last_row.locks.release_id} = placed(f.release_id);
    last_row.locks.acquire = f.acquire;
    last_row.locks.acquire_value = f.acquire_value;
    {last_row.locks.reserved_6, last_row.locks.acquire_id} = placed(f.acquire_id);
    last_row.next.has_next = chained_o;
    last_row.next.next = 8'(f.next);
    last_row.flags = control;
    last_row.flags.no_record = !(mode_i.receives && mode_i.counts);
    sequence_o = last_row;
    rows_o[0] = {count[1], count[0], 16'd0, f.base};
    rows_o[1] = {stride[1], stride[0], count[3], count[2]};
    rows_o[2] = {32'd0, f.length, stride[3], stride[2]};
    rows_o[3] = {error_o == '0 ? 32'(control) : 32'(error_o), 96'd0};
    rows_o[4] = start;
    rows_o[5] = bound;
    rows_o[6] = {32'd0, 29'd0, pads, 64'd0};
  end
  assign equal_o = f.acquire && !f.acquire_value[6];
  assign side_o  = side;

  header_t header;
  assign header = sealed(
      '{
          id: f.id,
          bd: f.bd,
          kind: f.kind,
          row: place_i.row,
          column: place_i.column,
          default: '0
      }
  );
  assign stage_o = '{
          header: headed ? header : '0,
          compressed: side.compressed,
          finish: control.finish_last,
          words: f.length[29:0]
      };

  logic unused_inputs;
  assign unused_inputs = ^{mode_i, unused_words, f, turn_bytes};

endmodule
