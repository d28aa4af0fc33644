// Runs the program of the preparation: takes jobs, reads rows for them, and branches.
//
// Contract: a job starts by itself when nothing runs, or in the cycle in which the one before
// ends, then `job_ready_o`. Its row 3 is in D when `header_o`. `end_o` is the last cycle of a
// job. While software waits for the RAM no job is read ahead; software and a job that wait take
// turns.
// Latency: job to `header_o` 2 cycles, 0 behind another job. Throughput: a line a cycle.
`include "tsr_assert.svh"
module tsr_prep_control
  import tsr_core_pkg::*;
  import tsr_program_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_prep_pkg::*;
  import tsr_prep_program_pkg::*;
#(
  parameter int unsigned Descriptors = 16,
  parameter bit          Walk        = 1'b1,
  parameter bit          Bounds      = 1'b1
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  job_t               job_i,
  input  logic               job_valid_i,
  output logic               job_ready_o,
  // At work
  input  state_t             state_i,
  input  logic               next_row_i,      // state_i.row in the next cycle, with KStride
  output job_t               job_o,
  output logic               header_o,
  output job_t               header_job_o,    // of the job of the header
  output logic               shown_o,         // it is that of a descriptor, or a job is taken
  output logic               live_o,
  output logic               last_look_o,     // the line ends the job of a row alone
  output keep_e              keep_o,          // of the line at work
  output instruction_t       instruction_o,
  output instruction_t       next_o,          // the instruction behind it
  output logic               end_o,
  output read_t              read_o,
  output logic         [8:0] index_o,
  // Software
  input  logic               access_waits_i,
  input  logic               access_busy_i,
  input  logic         [1:0] access_word_i,
  output logic               grant_o
);

  rom_word_t rom_q;
  instruction_t i_q;
  branch_e target_br_q;
  branch_e br_q;  // of the line in `line_q`
  line_e line_q, line_d, runs_d, next_line, target, idle_line;
  job_t job_q;
  logic [8:0] index, index_q, waiting_index_q;
  // First cycle of a job; a line is executed; one is not, it belonged to the next job.
  logic begin_q, live_q, killed_q, ready_q, served_q, waited_q;
  logic end_q, at_first_q;  // the line ends the job, has BFirst
  logic idle_q, header_q, shown_q;  // idle since the cycle before, the line is LFirst
  logic next3_q, next0_q;  // it reads row 3, row 0 of the job that waits
  logic idle, start, ends, goes, first, taken, waiting, apply, runs, live_d, killed_d;
  keep_e keep_q;

  // A place of a list stands behind the descriptors. The index of a job that waits is registered.
  assign index = 9'(job_i.descriptor) + (job_i.from_list ? 9'(Descriptors) : '0);

  assign idle = !runs && !access_busy_i;
  assign grant_o = idle_q && access_waits_i && !(served_q && waited_q);
  assign start = idle_q && job_valid_i && !grant_o;
  assign first = live_q && at_first_q;
  assign ends = end_q;
  assign taken = ends && ready_q;
  assign live_d = begin_q || killed_q || (live_q && !(first && !ends) && (!ends || taken));
  assign killed_d = first && !ends;
  assign apply = live_q || killed_q;
  assign runs = begin_q || apply;
  assign waiting = waited_q && job_valid_i && !(access_waits_i && !served_q);

  assign job_ready_o = start || taken;
  assign header_o = taken || header_q;
  assign header_job_o = taken ? job_i : job_q;
  assign shown_o = taken || shown_q;
  assign end_o = ends;

  // ---- Branches: what comes behind the line that is in `line_q`

  // Conditions and places are known a cycle before they are asked, but for BMore.
  logic goes_d, goes_q, other_d, other_q, more_q, further_q, end_d;
  jump_t other_to_d, other_to_q, starts;
  always_comb begin
    starts = !state_i.bounds ? ToSum1 : state_i.padded ? ToPad : ToDim;
    end_d = br_q == BEnd || (br_q == BFirst && (state_i.wrong || job_q.cut ||
                                                        (state_i.alone && next_row_i)));
    goes_d = 1'b0;
    other_d = 1'b0;
    other_to_d = starts;
    unique case (br_q)
      BGo, BMore: goes_d = 1'b1;
      BSparse:    goes_d = !state_i.row;
      BDense:     goes_d = state_i.row;
      BExtra:     goes_d = state_i.extra;
      BPlain:     goes_d = !state_i.bounds;
      BOther:     goes_d = state_i.bounds && !state_i.padded;
      BStarts: begin
        goes_d  = state_i.bounds;
        other_d = 1'b1;
      end
      BFree:      goes_d = state_i.free;
      BLoop: begin
        goes_d     = 1'b1;
        other_d    = state_i.final_;
        other_to_d = !state_i.walk || (further_q && !state_i.length) ? ToSum : ToTileSum;
      end
      BWide:      goes_d = state_i.wide && state_i.final_ && !state_i.held;
      BWalk:      goes_d = state_i.walk;
      BFinish, BAgain: begin
        goes_d = br_q == BFinish || (further_q && (!state_i.wide || state_i.held));
        other_d = 1'b1;
        other_to_d = !state_i.walk ? ToSum1 : !further_q ? ToFirstTile :
                       state_i.length ? ToRest : ToSum1;
      end
      BShort:     goes_d = !state_i.length;
      BBottom:    goes_d = state_i.level == 2'd0;
      BLower:     goes_d = state_i.dim + 2'd1 != state_i.level;
      BHeld:      goes_d = state_i.held;
      BMoved: begin
        goes_d  = !state_i.length;
        other_d = state_i.level == 2'd0 && state_i.held;
      end
      BFirst: begin
        goes_d = 1'b1;
        other_d = 1'b1;
        other_to_d = further_q ? ToTile : state_i.outer ? ToLevels : state_i.none ? ToNoLevels :
                       state_i.extra ? ToLevels : ToPlane;
        if (!next_row_i && !further_q) other_to_d = ToSparse;
      end
      default:    ;
    endcase
  end
  always_ff @(posedge clk_i) begin
    goes_q     <= goes_d && !end_d;
    other_q    <= other_d;
    other_to_q <= other_to_d;
    more_q     <= br_q == BMore;
  end

  assign next_line = line_e'($bits(line_e)'(line_q) + 1'b1);
  always_comb begin
    target = other_q ? other_to_q.line : i_q.target;
    goes = goes_q && !(more_q && state_i.dim == 2'd3);
    // A job begins, or a word is read for software.
    idle_line = LFirst;
    if (access_busy_i || grant_o) idle_line = line_e'($bits(line_e)'(LAccess) + 8'(access_word_i));
    runs_d = live_q && goes ? target : next_line;
    line_d = runs ? runs_d : idle_line;
  end

  // The lines of bounds stand behind the others, those of traversals last.
  localparam int unsigned Lines = Walk ? 256 : Bounds ? 128 : 64;
  (* rom_style = "block", ram_style = "block" *)
  logic [$bits(rom_word_t)-1:0] rom_mem[Lines];
  initial for (int unsigned l = 0; l < Lines; l++) rom_mem[l] = rom_word(line_e'(l));
  always_ff @(posedge clk_i) rom_q <= rom_word_t'(rom_mem[$clog2(Lines)'(line_d)]);

  always_ff @(posedge clk_i) begin
    line_q <= line_d;
    // At rest no line has a branch.
    br_q <= !runs ? BNone : !(live_q && goes) ? rom_q.next_br :
            other_q ? other_to_q.br : target_br_q;
    waited_q <= job_valid_i && !job_ready_o;
    waiting_index_q <= index;
    i_q <= rom_q.i;
    target_br_q <= rom_q.target_br;
    at_first_q <= br_q == BFirst;
    // A further tile has its bounds looked at while the line of the next job is skipped.
    keep_q <= KNone;
    if (rst_ni && live_d) keep_q <= rom_q.i.keep;
    if (rst_ni && killed_d && further_q) keep_q <= KMask;
    if (!rst_ni) begin
      {begin_q, live_q, end_q, killed_q, served_q, idle_q, header_q, shown_q} <= '0;
    end else begin
      begin_q  <= start;
      header_q <= begin_q;
      shown_q  <= begin_q && !job_q.continues;
      idle_q   <= idle && !start && !grant_o;
      end_q    <= live_q && end_d;  // no other line follows that may end
      live_q   <= live_d;
      killed_q <= killed_d;
      if (grant_o) served_q <= 1'b1;
      else if (job_ready_o) served_q <= 1'b0;
    end
    // At rest the line behind an end may read for a job that starts.
    if (!rst_ni || job_ready_o) ready_q <= 1'b0;
    else if (next3_q) ready_q <= waiting;
    if (job_ready_o) begin
      job_q     <= job_i;
      further_q <= Walk && job_i.continues && !job_i.cut;
      index_q   <= index;
    end
  end
  assign job_o         = job_q;
  assign index_o       = index_q;
  assign live_o        = live_q;
  assign last_look_o   = live_q && at_first_q;
  assign keep_o        = keep_q;
  assign instruction_o = i_q;
  assign next_o        = rom_q.i;

  // ---- Reads. A table that is a block RAM is late: what a line reads is decoded behind it

  row_code_t code, code_d;
  logic channel_q;
  logic [1:0] area_q, row_q;
  logic none_q, dim_q, where_d, where_q, next3_d, next0_d, other, upper;
  always_comb begin
    code = row_code_t'(rom_q.i.row);
    // A tile that has no bounds has no more to read where others read them.
    next3_d = code.kind == RowNext &&
        (code.row[1] ? !code.area[0] || !state_i.special : code.area[0] && !state_i.bounds);
    next0_d = (code.kind == RowNext && !code.area[0] && !code.row[1]) ||
        (code.kind == RowSpecial && code.area[0] && code.row[1] && !further_q);
    where_d = code.kind == RowSpecial && code.area[0] && !code.row[1] && further_q;
    code_d = code;
    if (code.kind == RowDim && code.channel) code_d.area[0] = !state_i.level[1];
    // What a further tile needs instead; behind BFirst comes a line that is not executed.
    if (further_q && br_q == BFirst) code_d = row_code_t'(RLeft);
    if (further_q && killed_d) code_d = row_code_t'(RMoves);
  end
  always_ff @(posedge clk_i) begin
    {channel_q, area_q, row_q} <= {code_d.channel, code_d.area, code_d.row};
    none_q <= code.kind == RowSpecial && !code.area[0];
    dim_q <= code.kind == RowDim && !code.channel;
    where_q <= where_d;
    next3_q <= next3_d;
    next0_q <= next0_d;
  end
  assign other = next3_q || next0_q || taken;
  assign upper = area_q[0] ? state_i.move[1] : state_i.dim[1];
  always_comb begin
    read_o = '{
        valid: apply ? taken || !none_q : !access_busy_i,
        half: taken || header_q,  // of the upper half the last row stays
        index: index_q,
        area: descriptor_area_e'(area_q | {where_q, 1'b0}),
        row: row_q | {where_q, 1'b0}
    };
    if (dim_q) {read_o.area, read_o.row} = {AreaBase, {1'b0, upper} + {1'b0, row_q[0]}};
    if (channel_q || where_q) read_o.index = 9'(job_q.channel);
    if (other) begin
      read_o.index = waiting_index_q;
      read_o.area  = AreaBase;
      read_o.row   = taken ? 2'd1 : {2{next3_q}};
    end
    if (!apply) begin
      read_o.index = begin_q ? index_q : index;
      read_o.area  = AreaBase;
      read_o.row   = {2{!begin_q}};
    end
  end

  logic unused_state;
  assign unused_state = ^{state_i, rom_q, code_d};

  `TSR_STATIC_ASSERT(Descriptors, Descriptors >= 1 && Descriptors <= 256,
                     ("Descriptors = %0d; legal is 1 to 256", Descriptors))
  `TSR_STATIC_ASSERT(Lines, LHigh <= 64 && LTile <= 128, ("Lines: bounds begin at %0d", LHigh))
  `TSR_ASSERT(OnlyALineAtWorkEnds, !end_q || live_q)
  `TSR_ASSERT(HeaderIsFirst, header_q == (live_q && i_q.keep == KHeader))
  `TSR_ASSERT(RowIsKnown, br_q != BFirst || keep_q == KStride)
  `TSR_ASSERT_NEXT(SpecialIsKnown, live_d && rom_q.i.row == RNext3OrHighs, $past(state_i.special)
                   == state_i.special)
  `TSR_ASSERT_NEXT(BoundsAreKnown, live_d && rom_q.i.row == RBounds, $past(state_i.bounds)
                   == state_i.bounds)
  `TSR_ASSERT_NEXT(LevelIsKnown, live_d && rom_q.i.row == RStack, $past(state_i.level)
                   == state_i.level)
  `TSR_ASSERT_NEXT(ReadsOfOneJob, live_d && rom_q.i.row inside {RNextOrFill, RStarts},
                   further_q == $past(further_q))
  `TSR_ASSERT(AReadyJobWaits, !ready_q || job_valid_i)
  `TSR_ASSERT(IdleIsTrue, !idle_q || idle)
  `TSR_ASSERT(OneJob, !(start && live_q))
  `TSR_ASSERT(EndsBeforeTheNextBase, !taken || line_q == LBase)
  `TSR_ASSERT_NEXT(ReadyJobStays, job_valid_i && !job_ready_o, job_valid_i)

endmodule
