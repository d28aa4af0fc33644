// Reads the words of a descriptor of an AI Engine-ML tile: its fields, and what is wrong with them.
//
// Contract: combinational. `descriptor_o` is what the preparation takes, `loaded_o` what the channel keeps
// beside it, with the first reason for which the descriptor cannot run. `next_word_o` is what the word
// with Iteration_Current becomes, with `has_iteration_o`. Lengths, steps and wraps are words of 4 bytes;
// the length is the only end: a dimension whose wrap is 0, and the outermost one, have no end. Padding and
// compression are looked at in their own direction alone; with PadIncoming padding drops words.
// Without Staged a descriptor that asks for a header or compression cannot run.
`include "tsr_assert.svh"
module tsr_aieml_descriptor
  import tsr_pkg::*;
  import tsr_descriptor_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_aieml_pkg::*;
#(
  parameter int unsigned Image       = ImageMemory,
  parameter bit          PadIncoming = 1'b0,
  parameter bit          Staged      = 1'b1          // headers and compression
) (
  input  logic        [Words-1:0][31:0] words_i,
  input  decode_t                       decode_i,
  input  aieml_mode_t                   mode_i,
  output descriptor_t                   descriptor_o,
  output loaded_t                       loaded_o,
  output logic                          has_iteration_o,
  output logic        [     31:0]       next_word_o
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

  logic pads, chained, joins;
  assign pads            = Image == ImageMemory && (!mode_i.receives || PadIncoming);
  assign chained         = f.chained && !mode_i.by_header;
  assign has_iteration_o = f.last != '0;
  // A descriptor of no words has no TLAST; nor has what the one before it left of a wide beat.
  assign joins           = f.suppress || (!Staged && f.length == '0);

  always_comb begin
    descriptor_o                = '0;
    descriptor_o.base           = 64'(f.base);
    descriptor_o.elem_log2      = 3'd2;
    descriptor_o.has_length     = 1'b1;
    descriptor_o.length         = f.length;
    descriptor_o.has_iteration  = 1'b1;
    descriptor_o.turn           = 16'(f.current);
    descriptor_o.iteration_step = (64'(f.iteration_step) + 64'd1) << 2;
    descriptor_o.last_rule      = joins ? LastNever : LastTransfer;
    descriptor_o.join_next      = joins;
    descriptor_o.task_end       = loaded_o.task_end;
    descriptor_o.finish         = mode_i.finish && mode_i.receives ? FinishLast : FinishLength;
    for (int unsigned k = 0; k < WalkLevels; k++) descriptor_o.walk[k].count = 32'd1;
    for (int unsigned d = 0; d < Dims; d++) begin
      descriptor_o.dim[d].stride    = (64'(f.step[d]) + 64'd1) << 2;
      descriptor_o.dim[d].count     = Unbounded;
      descriptor_o.dim[d].unbounded = 1'b1;
    end
    for (int unsigned d = 0; d < 3; d++) begin
      if (f.wrap[d] != '0) descriptor_o.dim[d].count = 32'(f.wrap[d]);
      if (pads && {f.lead[d], f.trail[d]} != '0) begin
        descriptor_o.dim[d].start     = -32'(f.lead[d]);
        descriptor_o.dim[d].bound     = Unbounded;
        descriptor_o.dim[d].unbounded = 1'b0;
        if (f.wrap[d] != '0) begin
          descriptor_o.dim[d].count = 32'(f.lead[d]) + 32'(f.wrap[d]) + 32'(f.trail[d]);
          descriptor_o.dim[d].bound = 32'(f.wrap[d]);
        end
      end
    end
  end

  // ---- What the channel keeps -------------------------------------------------------------------

  // A lock of a neighbour is not in reach; 64 to 127 are those of the memory tile itself.
  function automatic logic lacks(input logic [7:0] id);
    logic unused_rest;
    unused_rest = ^id;
    return Image == ImageMemory && id[7:6] != 2'd1;
  endfunction

  logic half, no_lock;
  if (Image == ImageMemory) begin : gen_halves
    logic upper;
    assign upper = decode_i.request.descriptor >= 8'd24;
    assign half  = upper == mode_i.odd;
  end else begin : gen_one
    assign half = 1'b1;
  end
  assign no_lock = (f.acquire && lacks(
      f.acquire_id
  )) || (f.release_value != '0 && lacks(
      f.release_id
  ));

  always_comb begin
    loaded_o = '{
        descriptor: decode_i.request.descriptor,
        index: '0,
        task_end: decode_i.request.final_turn && !chained,
        chained: chained,
        next: 8'(f.next),
        has_acquire: f.acquire,
        acquire: '{id: f.acquire_id[5:0], value: f.acquire_value},
        drop: '{id: f.release_id[5:0], value: f.release_value},
        interrupts: 1'b0,
        no_record: !(mode_i.receives && mode_i.counts),
        side: side,
        header: '{enable: f.packet && !mode_i.receives, kind: f.kind, bd: f.bd, id: f.id},
        error: 6'(LoadOk)
    };
    if (!decode_i.available || !half) loaded_o.error = 6'(LoadUnavailable);
    else if (!f.valid) loaded_o.error = 6'(LoadInvalid);
    else if (!Staged && (loaded_o.header.enable || side.compressed)) begin
      loaded_o.error = 6'(LoadExtension);
    end else if (no_lock) loaded_o.error = 6'(LoadLock);
  end

  logic unused_inputs;
  assign unused_inputs = ^{decode_i, mode_i, unused_words, f};

endmodule
