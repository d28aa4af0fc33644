// What the preparation keeps of a descriptor: its attributes, its levels, and the flags of its
// context.
//
// Contract: `header_i` takes a job with row 3 of its descriptor in D; then each `keep` of the
// program takes its part. `state_o` is what branches ask.
// Latency: 1 cycle; `flags_o` is combinational. Throughput: a row a cycle.
`include "tsr_assert.svh"
module tsr_prep_flags
  import tsr_core_pkg::*;
  import tsr_descriptor_pkg::*;
  import tsr_program_pkg::*;
  import tsr_prep_pkg::*;
#(
  parameter int unsigned AddrWidth = 64,    // 32 .. 64
  parameter bit          Walk      = 1'b1,
  parameter bit          Bounds    = 1'b1
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  // A job begins, or ends
  input  logic                header_i,
  input  job_t                header_job_i,
  input  logic                end_i,
  input  job_t                job_i,
  input  logic                wrong_i,
  // The program
  input  keep_e               keep_i,
  input  logic        [127:0] words_i,       // D
  input  logic        [  3:0] zeros_i,       // in the upper bytes of word 2 of it
  input  logic        [ 16:0] sum_i,         // A
  input  logic                below_i,       // A is below 0
  input  logic                before_i,      // parts of the dimension at work
  input  logic                inside_i,
  input  logic                behind_i,
  output state_t              state_o,
  output logic                next_row_o,    // state_o.row in the next cycle, with KStride
  output logic        [  1:0] next_dim_o,    // at work in the next cycle
  output logic        [  1:0] next_move_o,   // what the level of that number moves
  output attributes_t         attributes_o,
  output levels_t             levels_o,
  output logic                clamp_o,       // a start of dimension 0 below 0 counts as 0
  output logic                last_turn_o,   // of the iteration: A is its size or more
  output flags_t              flags_o
);

  attributes_t a_q;
  descriptor_row3_t row;
  bounds_row2_t limits;
  assign row    = words_i;
  assign limits = words_i;
  always_ff @(posedge clk_i) begin
    if (header_i) begin
      a_q <= '{
          receives: header_job_i.receives,
          again: Walk && header_job_i.continues,
          cut: Walk && header_job_i.cut,
          task_end: header_job_i.final_turn && (header_job_i.from_list || !row.next.has_next),
          elem: row.flags.elem_log2,
          has_length: row.flags.has_length,
          rule: row.flags.last_rule,
          level: row.flags.last_level,
          join_next: row.flags.join_next,
          finish: row.flags.finish_last,
          bounds: Bounds && row.flags.has_bounds,
          walk: Walk && row.flags.has_walk,
          iterates:
          row.next.turns[15:1]
          != '0 && !
          header_job_i.from_list
          && !
          header_job_i.continues
      };
    end
  end

  logic [15:0] turns_q;
  always_ff @(posedge clk_i) if (header_i) turns_q <= row.next.turns;
  assign last_turn_o = sum_i >= {1'b0, turns_q};

  // ---- Counts and strides

  logic [3:0] none, one, many_q, free_q;
  logic row_q, one0_q, empty_q, wide_q;
  logic [1:0] dim_q, dim_d, next_dim, lowest;
  logic final_dim;
  // Of a further tile only dimensions with bounds are looked at again.
  always_comb begin
    next_dim  = dim_q + 1'b1;
    final_dim = dim_q == 2'd3;
    if (a_q.again) begin
      next_dim = dim_q == 2'd0 && !free_q[1] ? 2'd1 : !dim_q[1] && !free_q[2] ? 2'd2 : 2'd3;
      unique case (dim_q)
        2'd0: final_dim = &free_q[3:1];
        2'd1: final_dim = &free_q[3:2];
        2'd2: final_dim = free_q[3];
        default: final_dim = 1'b1;
      endcase
    end
  end
  for (genvar w = 0; w < 4; w++) begin : gen_word
    logic brief;
    assign brief   = words_i[32*w+1+:31] == '0;
    assign none[w] = brief && !words_i[32*w];
    assign one[w]  = brief && words_i[32*w];
  end

  always_comb begin
    dim_d = end_i ? 2'd0 : dim_q;  // that a job follows is known late
    unique case (keep_i)
      KMoves:  dim_d = lowest;
      KParts:  dim_d = next_dim;
      KNext:   dim_d = dim_q + 1'b1;
      KFirst:  dim_d = '0;
      default: ;
    endcase
  end
  assign next_dim_o = dim_d;
  // A row: one element, or elements side by side.
  logic row_d, dense;
  assign dense = one0_q || (zeros_i == '1 && words_i[64+:8] == 8'd1 << a_q.elem);
  always_comb begin
    row_d = row_q;
    if (keep_i == KStride) row_d = dense;
    if (keep_i == KHighs && a_q.bounds && AddrWidth > 32 && !none[0] && !one0_q) row_d = 1'b0;
  end
  assign next_row_o = dense;
  always_ff @(posedge clk_i) begin
    row_q <= row_d;
    dim_q <= rst_ni ? dim_d : '0;
    if (header_i) begin
      wide_q <= 1'b0;
      free_q <= '1;
    end
    unique case (keep_i)
      KCounts01: begin
        many_q[1:0] <= ~(one[3:2] | none[3:2]);
        one0_q      <= one[2];
        empty_q     <= |none[3:2];
      end
      KCounts23: begin
        many_q[3:2] <= ~(one[1:0] | none[1:0]);
        empty_q     <= empty_q || (|none[1:0]);
      end
      KHighs:  if (a_q.bounds && AddrWidth > 32) wide_q <= none != '1;
      KMask:   if (a_q.bounds) free_q <= ~limits.bounded.bounded;
      KTimes:  if (!a_q.again) empty_q <= empty_q || (|none);
      KLength: empty_q <= empty_q || (a_q.has_length && none[2]);
      default: ;
    endcase
  end

  // ---- Levels

  levels_t levels;
  logic [3:0] there;
  logic [2:0] at3;
  assign there = {many_q[3] || (a_q.has_length && !a_q.walk), many_q[2:1], many_q[0] && !row_q};
  assign at3 = 3'(there[0]) + 3'(there[1]) + 3'(there[2]);
  assign levels = '{
          there: there,
          at: {at3[1:0], {1'b0, there[0]} + {1'b0, there[1]}, 1'b0, there[0], 2'd0},
          count: at3 + 3'(there[3])
      };

  // ---- Traversal

  logic [1:0] move_level, move;
  logic [3:0] ended;
  logic left_over, held;
  if (Walk) begin : gen_walk
    tsr_prep_walk u_walk (
      .clk_i,
      .rst_ni,
      .end_i      (end_i && a_q.walk),
      .keep_i,
      .channel_i  (job_i.channel),
      .slot_i     (job_i.slot),
      .again_i    (a_q.again),
      .none_i     (none),
      .one_i      (one),
      .moves_i    (words_i[7:0]),
      .below_i,
      .dim_i      (dim_q),
      .next_dim_i (dim_d),
      .lowest_o   (lowest),
      .level_o    (move_level),
      .move_o     (move),
      .next_move_o(next_move_o),
      .ended_o    (ended),
      .left_over_o(left_over),
      .held_o     (held)
    );
  end else begin : gen_no_walk
    assign next_move_o = '0;
    assign {move_level, move, lowest, ended, left_over, held} = '0;
  end

  // ---- What branches ask

  logic special, extra_q;
  assign special = a_q.has_length || a_q.iterates || a_q.bounds || a_q.walk;
  always_ff @(posedge clk_i) begin
    extra_q <= special;
  end
  assign state_o = '{
          wrong: wrong_i,
          special: special,
          extra: extra_q,
          alone: !extra_q && levels.there[3:1] == '0,
          row: row_q,
          outer: levels.there[3:2] != '0,
          none: levels.there[3:1] == '0,
          bounds: a_q.bounds,
          padded: row_q && !free_q[0],
          free: free_q[dim_q],
          wide: wide_q,
          length: a_q.has_length,
          walk: a_q.walk,
          // What the start of a row adds to the address by a high half is not made apart.
          held:
          held
          && !(
          wide_q && row_q && !free_q[0]
          ),
          final_: final_dim,
          again: a_q.again,
          dim: dim_q,
          move: move,
          level: move_level
      };
  assign attributes_o = a_q;
  assign levels_o = levels;
  // The start of a row below 0 is none: it begins inside. The address of a further tile has all
  // starts but that one, which is added to that of the first tile at its end.
  assign clamp_o = row_q && !free_q[0] && dim_q == 2'd0 ?
      words_i[31] || (a_q.walk && !a_q.again) : a_q.again;

  // ---- Flags

  flags_t f;
  logic outside_q, lead_q, tail_q;
  logic [Levels-1:0][2:0] phases_q;
  always_ff @(posedge clk_i) begin
    if (header_i) begin
      outside_q <= 1'b0;
      phases_q  <= {4{3'b010}};
      lead_q    <= 1'b0;
      tail_q    <= 1'b0;
    end else if (keep_i == KParts) begin
      if (levels.there[dim_q]) phases_q[levels.at[dim_q]] <= {behind_i, inside_i, before_i};
      else if (!inside_i) outside_q <= 1'b1;
      if (dim_q == 2'd0 && row_q) begin
        lead_q <= before_i;
        tail_q <= behind_i;
      end
    end
  end
  always_comb begin
    logic joins, last, upper, packets;
    last = a_q.rule[0] || (a_q.rule == 2'd2 && a_q.task_end);
    joins = a_q.join_next && !a_q.task_end;
    // A level of the traversal, and a whole tile, end packets at the end of a context.
    upper = a_q.level[2] || a_q.level[1:0] == 2'd3;
    f = '0;
    f.closes = a_q.rule != 2'd0;
    f.empty = empty_q || a_q.cut;
    packets = !a_q.receives && a_q.rule == 2'd3 && !f.empty;
    f.outside = outside_q;
    f.levels = {levels.count > 3'd3, levels.count > 3'd2, levels.count > 3'd1, levels.count > 3'd0};
    f.phases = phases_q;
    f.lead = lead_q;
    f.tail = tail_q;
    f.has_length = a_q.has_length;
    f.packet_level = upper ? 3'd4 : {1'b0, levels.at[a_q.level[1:0]+2'd1]};
    f.packets = upper ? packets && a_q.walk && (!a_q.level[2] || ended[a_q.level[1:0]]) :
        packets && (f.packet_level < levels.count || a_q.walk);
    f.more = a_q.walk && !ended[3] && !f.empty && (!a_q.has_length || left_over);
    f.last = a_q.receives ? a_q.finish : last && !(f.empty && joins) && !f.more;
    f.flush = (!joins || (last && !f.empty)) && !f.more;
  end
  assign flags_o = f;

  logic unused_bits;
  assign unused_bits = ^{words_i, header_job_i, job_i, end_i, below_i, row, limits};

  `TSR_ASSERT(KeepsOneThing, !(header_i && keep_i == KParts))
  `TSR_STATIC_ASSERT(AddrWidth, AddrWidth >= 32 && AddrWidth <= 64,
                     ("AddrWidth = %0d; legal is 32 to 64", AddrWidth))

endmodule
