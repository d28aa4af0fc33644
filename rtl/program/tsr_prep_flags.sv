// What the preparation keeps of a descriptor: its control word, its levels, its error, and the flags
// of its context.
//
// Contract: `header_i` takes a job with row 3 of its descriptor in D; then each `keep` of the
// program takes its part. `state_o` is what branches ask, `word_o` where the sum of the instruction
// before goes. Errors stay until the next job, the first one counts: of row 3 in the order of
// load_error_e, then those of the rows that follow.
// Latency: 1 cycle; `word_o` and `flags_o` are combinational. Throughput: a row a cycle.
`include "tsr_assert.svh"
module tsr_prep_flags
  import tsr_core_pkg::*;
  import tsr_program_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_descriptor_pkg::*;
  import tsr_prep_pkg::*;
#(
  parameter int unsigned AddrWidth   = 64,    // 32 .. 64
  parameter int unsigned BusLog      = 3,     // log2 of the bytes of the bus, 2 .. 7
  parameter int unsigned Descriptors = 16,
  parameter int unsigned Places      = 0,
  parameter int unsigned Locks       = 16,    // 0 .. 64
  parameter bit          Headers     = 1'b0,
  parameter bit          Walk        = 1'b1,
  parameter bit          Bounds      = 1'b1
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  // A job begins
  input  logic                 header_i,
  input  job_t                 job_i,
  input  logic                 written_i,
  // The program
  input  logic                 live_i,
  input  instruction_t         instruction_i,
  input  logic         [127:0] row_i,          // D
  input  logic         [ 63:0] sum_i,          // A
  input  logic                 below_i,        // the sum of this instruction is below 0
  input  logic                 before_i,       // parts of the dimension at work
  input  logic                 inside_i,
  input  logic                 behind_i,
  output state_t               state_o,
  output logic                 endless_o,
  output logic                 high_o,
  output logic                 clamp_o,        // a start of dimension 0 below 0 counts as 0
  output logic                 iterates_o,
  output logic         [  1:0] size_o,         // of an element, at most 2
  output logic                 last_turn_o,    // of the iteration: A is its size or more
  // The context
  output word_e                word_o,
  output logic                 word_valid_o,
  output logic         [ 63:0] data_o,
  output flags_t               flags_o,
  output logic         [  5:0] error_o
);

  typedef struct packed {
    logic [2:0] elem;
    logic       has_length;
    logic [1:0] rule;
    logic [2:0] level;
    logic       join_next;
    logic       finish;
    logic       bounds;
    logic       walk;
    logic       receives;
    logic       task_end;
    logic       iterates;
  } control_t;

  localparam logic [5:0] None = 6'd0;
  logic [5:0] error, error_q;

  instruction_t i;
  keep_e keep;
  control_t c_q;
  logic [31:0] control, chain, lock;
  assign i       = instruction_i;
  assign keep    = live_i ? i.keep : KNone;
  assign lock    = row_i[31:0];
  assign chain   = row_i[63:32];
  assign control = row_i[127:96];

  // ---- Counts and strides

  logic [3:0] none, one, many_q, free_q;
  logic row_q, one0_q, empty_q, wide_q, row_over, row_over_q, is_elem;
  logic [1:0] dim_q, move_level_q;
  logic [7:0] moves_q;
  job_t job_q;
  logic again;  // a further tile
  assign again = job_q.continues;
  logic [7:0] elem;
  logic [6:0] over;  // bits of a number of elements above 2 ** 32 bytes
  for (genvar w = 0; w < 4; w++) begin : gen_word
    logic brief;
    assign brief   = row_i[32*w+1+:31] == '0;
    assign none[w] = brief && !row_i[32*w];
    assign one[w]  = brief && row_i[32*w];
  end
  assign elem = 8'd1 << c_q.elem;
  assign over = 7'h7f << (3'd7 - c_q.elem);
  assign row_over = |(row_i[95:89] & over);
  assign is_elem = row_i[64+:32] == 32'(elem);

  always_ff @(posedge clk_i) begin
    if (header_i) begin
      job_q <= job_i;
      c_q <= '{
          elem: control[2:0],
          has_length: control[3],
          rule: control[5:4],
          level: control[8:6],
          join_next: control[9],
          finish: control[10],
          bounds: Bounds && control[14],
          walk: Walk && control[15],
          receives: job_i.receives,
          task_end: job_i.final_turn && (job_i.from_list || !chain[8]),
          iterates: chain[31:17] != '0 && !job_i.from_list
      };
      wide_q <= 1'b0;
      free_q <= '1;
      dim_q <= '0;
    end
    unique case (keep)
      KCounts01: begin
        many_q[1:0] <= ~(one[3:2] | none[3:2]);
        one0_q      <= one[2];
        empty_q     <= |none[3:2];
        row_over_q  <= row_over;
      end
      KCounts23: begin
        many_q[3:2] <= ~(one[1:0] | none[1:0]);
        empty_q     <= empty_q || (|none[1:0]);
      end
      KStride: row_q <= one0_q || is_elem;
      KHighs:
      if (c_q.bounds && AddrWidth > 32) begin
        wide_q <= none != '1;
        if (!none[0] && !one0_q) row_q <= 1'b0;
      end
      KMask: if (c_q.bounds) free_q <= ~row_i[67:64];
      KMoves:
      dim_q <= !left_none_q[0] ? 2'd0 : !left_none_q[1] ? 2'd1 : !left_none_q[2] ? 2'd2 : 2'd3;
      KTimes: if (!again) empty_q <= empty_q || (|none);
      KLength: empty_q <= empty_q || (c_q.has_length && none[2]);
      KParts, KNext: dim_q <= dim_q + 1'b1;
      KFirst: dim_q <= '0;
      default: ;
    endcase
  end

  // ---- Turns of the iteration

  logic [15:0] turns_q;
  always_ff @(posedge clk_i) if (header_i) turns_q <= chain[31:16];
  assign last_turn_o = sum_i[16:0] >= {1'b0, turns_q};
  assign iterates_o = c_q.iterates && !job_q.continues;
  assign size_o = c_q.elem[2] ? 2'd2 : c_q.elem[1:0];

  // ---- Levels

  logic [3:0] is_level;
  logic [3:0][2:0] level;  // of each dimension, were it one
  assign is_level = {many_q[3] || (c_q.has_length && !c_q.walk), many_q[2:1], many_q[0] && !row_q};
  always_comb begin
    level[0] = 3'd0;
    level[1] = 3'(is_level[0]);
    level[2] = 3'(is_level[0]) + 3'(is_level[1]);
    level[3] = 3'(is_level[0]) + 3'(is_level[1]) + 3'(is_level[2]);
  end

  state_t state;
  logic extra_q, alone_q, wrong_q, held;
  always_ff @(posedge clk_i) begin
    extra_q <= c_q.has_length || c_q.iterates || c_q.bounds || c_q.walk;
    alone_q <= !extra_q && is_level[3:1] == '0;
    wrong_q <= error_q != None;
  end
  assign state = '{
          wrong: wrong_q,
          extra: extra_q,
          alone: alone_q,
          row: row_q,
          outer: is_level[3] || is_level[2],
          none: is_level[3:1] == '0,
          bounds: c_q.bounds,
          padded: row_q && !free_q[0],
          free: free_q[dim_q],
          wide: wide_q,
          length: c_q.has_length,
          walk: c_q.walk,
          held: held,
          dim: dim_q,
          move: moves_q[2*dim_q+:2],
          level: move_level_q
      };
  assign state_o = state;
  assign endless_o = c_q.has_length && !c_q.walk;
  assign high_o = c_q.bounds && AddrWidth > 32;
  // The address of a further tile has its starts; that of a tile takes off what lies before a row.
  assign clamp_o = again || (state.padded && dim_q == 2'd0 && row_i[31] && !c_q.walk);

  // ---- Traversal

  logic [3:0] left_none_q, left_one_q, last_q, ended;
  logic left_over_q;
  if (Walk) begin : gen_walk
    (* ram_style = "distributed" *)logic [3:0] slots_mem[32];
    logic [3:0] slots;
    assign slots = slots_mem[job_q.channel];
    assign held  = again && slots[job_q.slot];
    always_ff @(posedge clk_i) begin
      if (live_i && i.br == BEnd && c_q.walk)
        slots_mem[job_q.channel] <= (slots & {4{again}}) | (4'd1 << job_q.slot);
      if (keep == KLeft) begin
        left_none_q <= none;
        left_one_q  <= one;
      end
      if (keep == KMoves) begin
        moves_q <= row_i[7:0];
        move_level_q <= !left_none_q[0] ? 2'd0 : !left_none_q[1] ? 2'd1 :
                        !left_none_q[2] ? 2'd2 : 2'd3;
      end
      if (keep == KTimes) begin
        for (int unsigned l = 0; l < 4; l++) begin
          last_q[l] <= !again || 2'(l) < move_level_q ? one[l] :
                       2'(l) == move_level_q ? left_one_q[l] : left_none_q[l];
        end
      end
      if (header_i) left_over_q <= 1'b1;
      else if (keep == KMore) left_over_q <= below_i;
    end
  end else begin : gen_no_walk
    assign {held, moves_q, move_level_q, left_none_q, left_one_q, last_q, left_over_q} = '0;
  end
  // A level in its last turn with all below it
  assign ended = {&last_q, &last_q[2:0], &last_q[1:0], last_q[0]};

  // ---- Flags

  flags_t f;
  logic outside_q, lead_q, tail_q;
  logic [Levels-1:0][2:0] phases_q;
  logic [2:0] levels;
  logic packets, ends, upper;
  assign levels = level[3] + 3'(is_level[3]);
  // Parts are known when the next dimension begins.
  always_ff @(posedge clk_i) begin
    if (header_i) begin
      outside_q <= 1'b0;
      phases_q  <= {4{3'b010}};
      lead_q    <= 1'b0;
      tail_q    <= 1'b0;
    end else if (keep == KParts) begin
      if (!inside_i && !is_level[dim_q]) outside_q <= 1'b1;
      if (is_level[dim_q]) phases_q[level[dim_q][1:0]] <= {behind_i, inside_i, before_i};
      if (dim_q == 2'd0 && row_q) begin
        lead_q <= before_i;
        tail_q <= behind_i;
      end
    end
  end
  assign ends = last_rule_of(c_q.rule, c_q.task_end);
  function automatic logic last_rule_of(logic [1:0] rule, logic task_end);
    return rule[0] || (rule == 2'd2 && task_end);
  endfunction
  always_comb begin
    logic joins;
    joins          = c_q.join_next && !c_q.task_end;
    f              = '0;
    f.outside      = outside_q;
    f.phases       = phases_q;
    f.lead         = lead_q;
    f.tail         = tail_q;
    f.empty        = empty_q || job_q.cut;
    f.levels       = {levels > 3'd3, levels > 3'd2, levels > 3'd1, levels > 3'd0};
    f.has_length   = c_q.has_length;
    f.packet_level = level[c_q.level[1:0]+2'd1];
    // A level of the traversal, and a whole tile, end packets at the end of a context.
    upper          = c_q.level[2] || c_q.level[1:0] == 2'd3;
    packets        = !c_q.receives && c_q.rule == 2'd3;
    if (upper) begin
      f.packet_level = 3'd4;
      f.packets      = packets && c_q.walk && (!c_q.level[2] || ended[c_q.level[1:0]]);
    end else begin
      f.packets = packets && (f.packet_level < levels || c_q.walk);
    end
    f.more  = c_q.walk && !ended[3] && !f.empty && (!c_q.has_length || left_over_q);
    f.last  = ends && !(f.empty && joins) && !f.more;
    f.flush = (!joins || (ends && !f.empty)) && !f.more;
    if (c_q.receives) f.last = c_q.finish;
  end
  assign flags_o = f;

  // ---- Errors

  logic no_lock, simple;
  function automatic logic lacks(logic [5:0] id);
    return 32'(id) >= Locks;
  endfunction
  assign no_lock = (lock[15] && (lacks(
      lock[5:0]
  ) || lock[14:8] == 7'h40)) || (lock[30:24] != '0 && lacks(
      lock[21:16]
  ));
  always_comb begin
    error = error_q;
    if (header_i) begin
      error = None;
      if (32'(job_i.descriptor) >= (job_i.from_list ? Places : Descriptors))
        error = 6'(LoadUnavailable);
      else if (!control[31] || !(job_i.from_list || written_i)) error = 6'(LoadInvalid);
      else if ((control[14] && !Bounds) || (control[15] && !Walk) || (control[11] && !Headers))
        error = 6'(LoadExtension);
      else if ({lock[31], lock[23:22], lock[7:6], chain[15:9], control[30]} != '0)
        error = 6'(LoadReserved);
      else if (no_lock) error = 6'(LoadLock);
      else if (32'(control[2:0]) > BusLog) error = 6'(ErrorElem);
      if (job_i.continues) error = None;
    end else if (error_q == None && !again) begin
      if (keep == KCounts01 && (row_i[63:32] >> (AddrWidth - 32)) != '0) error = 6'(ErrorBase);
      if (keep == KMask && c_q.bounds && {row_i[95:68], row_i[127:96]} != '0)
        error = 6'(LoadReserved);
      if (keep == KMoves && row_i[31:8] != '0) error = 6'(LoadReserved);
      if (keep == KLength && c_q.has_length && row_over) error = 6'(ErrorLength);
      // With high halves it is a row only if the one of dimension 0 is 0.
      if ((keep == KLength || simple) && row_q && row_over_q) error = 6'(ErrorRow);
    end
  end
  assign simple = live_i && i.br == BFirst && !extra_q;
  always_ff @(posedge clk_i) error_q <= error;
  assign error_o = error_q != None ? error_q : simple && row_q && row_over_q && !again ? 6'(ErrorRow) : None;

  // ---- Where a sum goes

  out_e out_q;
  logic [1:0] out_dim_q, part;
  logic sized;
  // What every job begins with is there.
  logic begins;
  assign begins = i.keep == KCounts23 || i.keep == KStride;
  always_ff @(posedge clk_i) begin
    out_q <= rst_ni && live_i && !(held && begins) ? i.out : ONone;
    out_dim_q <= i.loop ? dim_q : i.dim;
  end
  always_comb begin
    word_valid_o = 1'b1;
    word_o = WordAddr;
    sized = 1'b0;
    part = 2'(PhaseNone);
    unique case (out_q)
      ONone:   word_valid_o = 1'b0;
      OFill8: begin
        word_o = WordFill;
        word_valid_o = c_q.elem > 3'd2;
      end
      OFill4: begin
        word_o = WordFill;
        word_valid_o = c_q.elem <= 3'd2;
      end
      OLength: begin
        word_o = WordLength;
        sized  = 1'b1;
      end
      OLead, OData, OTail, OWhole: begin
        word_o = word_e'({3'b101, 2'(out_q - OLead)});
        sized  = 1'b1;
      end
      OJump, OBefore, OInside, OBehind: begin
        part = out_q == OJump ? 2'd3 : 2'(out_q - OBefore);
        word_o = word_e'({1'b0, level[out_dim_q][1:0], part});
        word_valid_o = is_level[out_dim_q];
      end
      default: ;
    endcase
  end
  logic [7:0] ones;
  assign ones   = sized ? elem - 8'd1 : 8'd0;
  // A size in bytes - 1. No size has bits above the lower half.
  assign data_o = {sum_i[63:39], (sum_i[38:0] << (sized ? c_q.elem : 3'd0)) | 39'(ones)};

  logic unused_bits;
  assign unused_bits = ^{job_i, job_q, i, row_i, sum_i, control, chain};

  `TSR_STATIC_ASSERT(AddrWidth, AddrWidth >= 32 && AddrWidth <= 64,
                     ("AddrWidth = %0d; legal is 32 to 64", AddrWidth))
  `TSR_STATIC_ASSERT(BusLog, BusLog >= 2 && BusLog <= 7, ("BusLog = %0d; legal is 2 to 7", BusLog))
  `TSR_STATIC_ASSERT(Locks, Locks <= 64, ("Locks = %0d; legal is 0 to 64", Locks))

endmodule
