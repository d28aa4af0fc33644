// Walks the levels of transfers: emits runs of rows, one for each phase of level 0.
//
// Contract: a context starts when `start_valid_i` and `start_ready_o`; its runs come in order.
// With has_length the next one starts only after `kill_i`, which ends the context at work at once;
// without it as soon as its last run was taken. With `discard_i` its next run is its
// last, and empty. `swap_i`, legal while `safe_o`, replaces the channel at work: `state_o` goes to
// memory, `state_i` is the state of the channel that is at work from the next cycle on; the cycle
// after is `refresh_i`.
// Latency: start to the first run 1 cycle, 2 with a level. Throughput: a run in 2 cycles within a
// turn of level 1, in 3 with a turn, in 5 if that enters another phase of its level.
`include "tsr_assert.svh"
module tsr_nest
  import tsr_core_pkg::*;
#(
  parameter int unsigned Channels = 1,  // 1 .. 16
  parameter int unsigned Slots = 2,  // contexts of a channel, 2 or 4
  parameter bit Walk = 1'b1,  // transfers have several contexts
  parameter bit Bounds = 1'b1,  // levels have several phases
  localparam int unsigned Index = Channels > 1 ? $clog2(Channels) : 1
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  // Words of contexts
  input  logic                      word_valid_i,
  input  context_word_t             word_i,
  // The channel at work
  input  logic          [Index-1:0] channel_i,
  input  logic                      start_valid_i,
  output logic                      start_ready_o,
  input  logic                      kill_i,
  input  discard_t                  discard_i,
  input  logic                      swap_i,
  input  logic                      refresh_i,
  input  nest_state_t               state_i,
  output nest_state_t               state_o,
  output logic                      safe_o,
  // Runs
  output run_t                      run_o,
  output logic                      run_valid_o,
  input  logic                      run_ready_i
);

  // 1 - positions of a phase, counted up to 0: the sign says that there are more.
  typedef logic [CountWidth:0] turns_t;

  nest_state_t s_q, s_d;
  flags_t f_q;
  phase_e [Levels-1:0] begin_q;  // the first phase of each level

  localparam int unsigned Counts = Bounds ? 16 : 4;  // of a context

  // ---- Memories: flags, positions of each phase, turns of the levels above 0

  (* ram_style = "distributed" *) logic [$bits(flags_t)-1:0] flags_mem[Channels*Slots];
  (* ram_style = "distributed" *) logic [CountWidth:0] turns_mem[Channels*Levels];
  localparam int unsigned SlotLog = $clog2(Slots);
  localparam int unsigned FlagsIndex = $clog2(Channels * Slots);
  localparam int unsigned CountIndex = $clog2(Channels * Slots * Counts);
  localparam int unsigned TurnsIndex = $clog2(Channels * Levels);

  logic [1:0]
      level, level_q;  // the level that turns next, the lowest one not in its last turn; that turns
  logic [1:0] count_level;
  phase_e count_phase;
  turns_t count_q, turns_q, turns, turned;
  logic   turns_valid;
  flags_t flags;
  phase_e [Levels-1:0] begins, phase;
  logic [$clog2(Counts)-1:0] count_at, word_at;

  slot_t next_slot;
  assign next_slot = slot_t'(SlotLog'(s_q.slot + 1'b1));
  always_comb begin
    flags = flags_t'(flags_mem[FlagsIndex'({channel_i, s_q.slot[SlotLog-1:0]})]);
    phase = s_q.phase;
    if (!Walk) flags.more = 1'b0;
    if (!Bounds) begin
      flags.phases                            = {Levels{3'b010}};
      phase                                   = {Levels{PhaseInside}};
      {flags.outside, flags.lead, flags.tail} = '0;
    end
  end
  if (Bounds) begin : gen_phases
    assign word_at  = word_i.word[3:0];
    assign count_at = {count_level, count_phase};
  end else begin : gen_one_phase
    assign word_at  = word_i.word[3:2];
    assign count_at = count_level;
    logic unused_phase;
    assign unused_phase = ^count_phase;
  end
  for (genvar l = 0; l < Levels; l++) begin : gen_begin
    assign begins[l] = first_phase(flags.phases[l][0], flags.phases[l][1]);
  end

  always_ff @(posedge clk_i) begin
    if (word_valid_i && word_i.word == WordFlags)
      flags_mem[FlagsIndex'({
        word_i.channel[Index-1:0], word_i.slot[SlotLog-1:0]
      })] <= word_i.data[$bits(
          flags_t
      )-1:0];
    if (turns_valid) turns_mem[TurnsIndex'({channel_i, level_q})] <= turned;
    if (s_q.at == NestIdle || refresh_i) begin
      f_q     <= flags;
      begin_q <= begins;
    end
    turns_q <= turns_mem[TurnsIndex'({channel_i, level_q})];
  end

  tsr_memory #(
    .Depth(Channels * Slots * Counts),
    .Width(CountWidth + 1),
    .Block(Channels > LutChannels)
  ) u_counts (
    .clk_i,
    .write_i   (word_valid_i && !word_i.word[4] && (Bounds || word_i.word[1:0] == PhaseInside)),
    .write_at_i(CountIndex'({word_i.channel[Index-1:0], word_i.slot[SlotLog-1:0], word_at})),
    .data_i    ((CountWidth + 1)'(1) - {1'b0, word_i.data[CountWidth-1:0]}),
    .read_i    (1'b1),
    .read_at_i (CountIndex'({channel_i, s_q.slot[SlotLog-1:0], count_at})),
    .data_o    (count_q)
  );

  // ---- Runs

  logic ready_q;  // count_q is of the run
  logic none, later, take, skip_q, short_;
  phase_e next;
  assign level  = !s_q.last[1] ? 2'd1 : !s_q.last[2] ? 2'd2 : 2'd3;
  assign short_ = skip_q || f_q.empty;
  assign none   = &s_q.last || short_;
  assign next   = next_phase(f_q.phases[0][1], f_q.phases[0][2], phase[0]);
  assign later  = next != PhaseNone && !short_;
  assign take   = run_valid_o && run_ready_i;

  always_comb begin
    run_o = '0;
    run_o.turns = f_q.levels[0] && !short_ ? count_q : '0;
    run_o.first = s_q.first;
    run_o.packets = f_q.packets && f_q.packet_level == '0;
    run_o.packet = f_q.packets && !later && (none || f_q.packet_level <= {1'b0, level});
    run_o.row = '{
        slot: s_q.slot,
        number: s_q.number,
        more: f_q.more,
        has_length: f_q.has_length,
        empty: short_,
        in_bounds: !f_q.outside,
        lead: f_q.lead,
        tail: f_q.tail,
        start: s_q.first[2] && !s_q.goes_on,
        packet: 1'b0,
        final_: none && !later,
        last: f_q.last,
        flush: f_q.flush
    };
    for (int unsigned l = 0; l < Levels; l++) begin
      if (phase[l] != PhaseInside) run_o.row.in_bounds = 1'b0;
    end
  end
  assign run_valid_o = s_q.at == NestRun && !refresh_i && (ready_q || !f_q.levels[0]);

  // ---- Turns of the levels above 0

  logic fresh_q, more, later_phase;
  logic [2:1] turning;  // phases of the level that turns
  phase_e phase_q, to_q;  // its phase and the next one; behind NestStep each the one after it
  assign turns       = fresh_q ? count_q : turns_q;
  assign turned      = turns + 1'b1;
  assign more        = turns[CountWidth];
  assign turning     = f_q.phases[level_q][2:1];
  assign later_phase = to_q != PhaseNone;
  assign turns_valid = s_q.at == NestStep && more;

  // Which count is read for the next cycle: of the run, or of the level that turns.
  always_comb begin
    count_level = 2'd0;
    count_phase = s_q.at == NestRun ? phase[0] : begin_q[0];
    if (s_q.at == NestMove || s_q.at == NestPhase) begin
      count_level = level_q;
      count_phase = phase_q;
    end
  end

  logic ends;  // the context
  always_comb begin
    s_d  = s_q;
    ends = 1'b0;
    unique case (s_q.at)
      NestIdle: begin
        s_d.first = 3'd4;
        s_d.phase = begins;
        s_d.last  = ~flags.levels[3:1];
        s_d.fresh = '1;
        if (start_valid_i && start_ready_o) s_d.at = NestRun;
      end
      NestRun:
      if (take) begin
        s_d.first = 3'd0;
        if (later) begin
          s_d.phase[0] = next;
        end else begin
          s_d.at = !none ? NestMove : f_q.has_length ? NestWait : NestIdle;
          ends   = none && !f_q.has_length;
        end
      end
      NestMove:  s_d.at = NestStep;
      NestStep: begin  // levels below begin anew
        s_d.at    = NestRun;
        s_d.first = {1'b0, level_q};
        for (int unsigned l = 0; l < Levels; l++) begin
          if (2'(l) < level_q) begin
            s_d.phase[l] = begin_q[l];
            if (l > 0) begin
              s_d.fresh[l] = 1'b1;
              s_d.last[l]  = 1'b0;
            end
          end
        end
        s_d.fresh[level_q] = Bounds && !more;
        s_d.last[level_q]  = !turned[CountWidth] && !later_phase;
        if (Bounds && !more) begin
          s_d.at             = NestPhase;
          s_d.phase[level_q] = to_q;
        end
      end
      NestPhase: s_d.at = NestTurn;
      NestTurn: begin
        s_d.at            = NestRun;
        s_d.last[level_q] = !count_q[CountWidth] && !later_phase;
      end
      default:   ;
    endcase
    if (kill_i) begin
      s_d.at = NestIdle;
      ends   = s_q.at != NestIdle;
    end
    if (ends) begin
      s_d.slot    = next_slot;
      s_d.goes_on = f_q.more;
      s_d.number  = s_q.number + number_t'(!f_q.more);
    end
    if (swap_i) s_d = state_i;
    if (!Walk) s_d.goes_on = 1'b0;
    if (!Bounds) s_d.phase = '0;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      s_q     <= nest_state_t'(0);
      ready_q <= 1'b0;
      skip_q  <= 1'b0;
    end else begin
      skip_q <= s_q.at != NestIdle && !swap_i && discards(discard_i, s_q.number);
      s_q <= s_d;
      ready_q <= !swap_i && !refresh_i &&
                 (s_q.at == NestRun ? !take : s_q.at == NestTurn || (s_q.at == NestStep && more));
    end
    // Behind the run at work.
    if (s_q.at == NestRun) begin
      level_q <= level;
      phase_q <= phase[level];
      fresh_q <= s_q.fresh[level];
      to_q    <= next_phase(f_q.phases[level][1], f_q.phases[level][2], phase[level]);
    end
    if (s_q.at == NestStep) begin
      phase_q <= to_q;
      to_q    <= next_phase(turning[1], turning[2], to_q);
    end
  end

  assign start_ready_o = s_q.at == NestIdle && !refresh_i;
  assign state_o = s_q;
  assign safe_o = s_q.at inside {NestIdle, NestRun, NestWait};

  logic unused_flag;
  assign unused_flag = f_q.closes;

  `TSR_ASSERT(OnePhaseHasTurns, Bounds || s_q.at != NestStep || more)
  `TSR_ASSERT(SwapIsSafe, !swap_i || safe_o)

endmodule
