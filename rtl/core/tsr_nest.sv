// Walks the dimensions of transfers: emits runs of rows, one for each phase of the innermost dimension that moves.
//
// Contract: a transfer starts when `start_valid_i` and `start_ready_o`; its runs come in order. With has_length the
// next one starts only after `kill_i`, which ends the transfer at work at once; without it as soon as its last run
// was taken. `swap_i`, legal while `safe_o`, replaces the channel at work: `state_o` goes to memory, `state_i` is the
// state of the channel that is at work from the next cycle on; the cycle after is `refresh_i`.
// Latency: start to the first run 1 cycle, 2 if a dimension moves. Throughput: a run in 2 cycles within a turn of the
// outer dimensions, in 3 with a turn, in 4 if that enters another phase of its dimension.
`include "tsr_assert.svh"
module tsr_nest
  import tsr_core_pkg::*;
#(
  parameter int unsigned Channels = 1,  // 1 .. 16
  localparam int unsigned Index = Channels > 1 ? $clog2(Channels) : 1
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  // Contexts; counts are positions - 2
  input  logic             word_valid_i,
  input  context_word_t    word_i,
  input  logic             go_valid_i,
  input  go_t              go_i,
  // The channel at work
  input  logic [Index-1:0] channel_i,
  input  logic             start_valid_i,
  output logic             start_ready_o,
  input  logic             kill_i,
  input  logic             swap_i,
  input  logic             refresh_i,
  input  nest_state_t      state_i,
  output nest_state_t      state_o,
  output logic             safe_o,
  // Runs
  output run_t             run_o,
  output logic             run_valid_o,
  input  logic             run_ready_i
);

  typedef logic [CountWidth:0] turns_t;  // signed: further turns of a phase - 1
  typedef struct packed {
    phase_e phase;
    turns_t turns;
  } kept_t;

  nest_state_t s_q, s_d;
  flags_t f_q;

  // ---- Memories: flags, positions of each phase, where the outer dimensions are

  (* ram_style = "distributed" *) logic [$bits(flags_t)-1:0] flags_mem[Channels*Slots];
  (* ram_style = "distributed" *) logic [CountWidth:0] count_mem[Channels*Slots*16];
  (* ram_style = "distributed" *) logic [$bits(kept_t)-1:0] kept_mem[Channels*Dims];
  localparam int unsigned FlagsIndex = $clog2(Channels * Slots);
  localparam int unsigned CountIndex = $clog2(Channels * Slots * 16);
  localparam int unsigned KeptIndex = $clog2(Channels * Dims);

  logic [1:0] dim, dim_q;  // the dimension that turns next, the lowest one that is not in its last turn; that turns
  logic [1:0] count_dim;
  phase_e count_phase;
  turns_t count_q;
  kept_t kept_q, keep;
  logic keep_valid;
  flags_t flags;

  assign flags = flags_t'(flags_mem[FlagsIndex'({channel_i, s_q.slot})]);

  always_ff @(posedge clk_i) begin
    if (go_valid_i) flags_mem[FlagsIndex'({go_i.channel[Index-1:0], go_i.slot})] <= go_i.flags;
    if (word_valid_i && !word_i.word[4])
      count_mem[CountIndex'({word_i.channel[Index-1:0], word_i.slot, word_i.word[3:0]})] <= word_i.data[CountWidth:0];
    if (keep_valid) kept_mem[KeptIndex'({channel_i, dim_q})] <= keep;
    if (s_q.at == NestIdle || refresh_i) f_q <= flags;
    count_q <= count_mem[CountIndex'({channel_i, s_q.slot, count_dim, count_phase})];
    kept_q  <= kept_t'(kept_mem[KeptIndex'({channel_i, dim})]);
  end

  // ---- Runs

  logic ready_q;  // count_q is of the run
  logic none, later, take;
  phase_e next;
  assign dim   = !s_q.last[1] ? 2'd1 : !s_q.last[2] ? 2'd2 : 2'd3;
  assign none  = &s_q.last[3:1];
  assign next  = next_phase(f_q.phases[f_q.run_dim], s_q.phase);
  assign later = f_q.moves != '0 && next != PhaseNone;
  assign take  = run_valid_o && run_ready_i;

  logic [Dims-1:0] run_dim_set;  // run_dim, if there is one
  assign run_dim_set = f_q.moves & (Dims'(1) << f_q.run_dim);

  always_comb begin
    run_o       = '0;
    run_o.left  = f_q.moves == '0 ? '1 : count_q;
    run_o.first = s_q.first;
    run_o.dim   = f_q.run_dim;
    run_o.packets = f_q.packets && f_q.packet_dim <= f_q.run_dim;
    run_o.packet  = f_q.packets && !later && (none || f_q.packet_dim <= dim);
    run_o.row.slot       = s_q.slot;
    run_o.row.has_length = f_q.has_length;
    run_o.row.empty      = f_q.empty;
    run_o.row.in_bounds     = &(s_q.in_bounds | run_dim_set) && (run_dim_set == '0 || s_q.phase == PhaseInside);
    run_o.row.lead       = f_q.lead;
    run_o.row.tail       = f_q.tail;
    run_o.row.start      = s_q.first[2];
    run_o.row.final_     = none && !later;
    run_o.row.last       = f_q.last;
    run_o.row.flush      = f_q.flush;
  end
  assign run_valid_o = s_q.at == NestRun && !refresh_i && (ready_q || f_q.moves == '0);

  // ---- Turns of the outer dimensions

  turns_t turns, turned;
  logic fresh_q, more;
  phase_e at_phase, to_phase, to_q;
  assign at_phase = fresh_q ? first_phase(f_q.phases[dim_q]) : kept_q.phase;
  assign to_phase = next_phase(f_q.phases[dim_q], at_phase);
  assign turns    = fresh_q ? count_q : kept_q.turns;
  assign more     = !turns[CountWidth];
  assign turned   = turns - 1'b1;

  always_comb begin
    keep = '{phase: at_phase, turns: turned};
    keep_valid = s_q.at == NestStep && more;
    if (s_q.at == NestPhase) begin
      keep = '{phase: to_q, turns: count_q};
      keep_valid = 1'b1;
    end
  end

  // Which count is read for the next cycle.
  always_comb begin
    count_dim   = f_q.run_dim;
    count_phase = s_q.phase;
    unique case (s_q.at)
      NestMove: begin
        count_dim   = dim;
        count_phase = first_phase(f_q.phases[dim]);
      end
      NestStep: begin
        if (!more) count_dim = dim_q;
        count_phase = more ? first_phase(f_q.phases[f_q.run_dim]) : to_phase;
      end
      NestPhase: count_phase = first_phase(f_q.phases[f_q.run_dim]);
      default: ;
    endcase
  end

  logic [Dims-1:0] below;  // dimensions that begin anew with a turn of dim_q
  assign below = f_q.moves & ((Dims'(1) << dim_q) - 1'b1);

  always_comb begin
    s_d = s_q;
    unique case (s_q.at)
      NestIdle: begin
        s_d.first  = 3'd4;
        s_d.phase  = first_phase(flags.phases[flags.run_dim]);
        s_d.last   = ~flags.moves | (Dims'(1) << flags.run_dim);
        s_d.fresh  = '1;
        s_d.in_bounds = flags.in_bounds;
        if (start_valid_i && start_ready_o) s_d.at = NestRun;
      end
      NestRun:
      if (take) begin
        s_d.first = {1'b0, f_q.run_dim};
        s_d.phase = next;
        if (!later) begin
          s_d.at = !none ? NestMove : f_q.has_length ? NestWait : NestIdle;
          if (none && !f_q.has_length) s_d.slot = !s_q.slot;
        end
      end
      NestMove: s_d.at = NestStep;
      NestStep, NestPhase: begin
        s_d.first = {1'b0, dim_q};
        s_d.phase = first_phase(f_q.phases[f_q.run_dim]);
        s_d.fresh = s_q.fresh | below;
        s_d.fresh[dim_q] = 1'b0;
        s_d.in_bounds = (s_q.in_bounds & ~below) | (f_q.in_bounds & below);
        s_d.last = s_q.last & ~(below & ~run_dim_set);
        if (s_q.at == NestPhase) begin
          s_d.in_bounds[dim_q] = to_q == PhaseInside;
          s_d.last[dim_q]   = count_q[CountWidth] && next_phase(f_q.phases[dim_q], to_q) == PhaseNone;
          s_d.at = NestRun;
        end else begin
          s_d.last[dim_q] = turned[CountWidth] && to_phase == PhaseNone;
          s_d.at = more ? NestRun : NestPhase;
        end
      end
      default: ;
    endcase
    if (kill_i) begin
      s_d.at = NestIdle;
      if (s_q.at != NestIdle) s_d.slot = !s_q.slot;
    end
    if (swap_i) s_d = state_i;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      s_q <= '{at: NestIdle, phase: PhaseBefore, default: '0};
      ready_q <= 1'b0;
    end else begin
      s_q <= s_d;
      ready_q <= !swap_i && !refresh_i &&
                 (s_q.at == NestRun ? !take : s_q.at == NestPhase || (s_q.at == NestStep && more));
    end
    if (s_q.at == NestMove) begin
      dim_q   <= dim;
      fresh_q <= s_q.fresh[dim];
    end
    if (s_q.at == NestStep) to_q <= to_phase;
  end

  assign start_ready_o = s_q.at == NestIdle && !refresh_i;
  assign state_o = s_q;
  assign safe_o = s_q.at inside {NestIdle, NestRun, NestWait};

  `TSR_ASSERT(SwapIsSafe, !swap_i || safe_o)

endmodule
