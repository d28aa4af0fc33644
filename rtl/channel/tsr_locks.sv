// A bank of counting locks by which channels and software wait for each other.
//
// Contract. A lock holds 0..63 and is 0 after reset. An acquire with a value below 0 ("counting") waits
// for lock >= -value and subtracts -value; another ("equal") waits for lock == value and leaves it as it
// is, or with EqualTakes subtracts it. A release adds its value; a result outside 0..63 saturates, sets
// the lock's bit in `over_o` or `under_o` until it is cleared (a clear in the same cycle loses) and shows
// in `release_over_o` or `release_under_o` with the channel's `release_ready_o`.
// A request is valid with a stable operation until ready. A channel may withdraw one: valid falls for at
// least a cycle, and nothing changes; with ready in the last cycle of valid it was done. Registers ask
// in the same way and are always answered; `reg_answer_o` goes with `reg_ready_o`. Numbers of locks are
// below Locks. An acquire of -64 waits for ever.
//
// Order. Counting acquires of one lock are granted in the order of arrival, though a later one might be
// satisfied sooner: they draw on one supply, and a large amount would starve. Arrivals are noted one a
// cycle, in turn. Equal acquires keep no order: each waits for a state of the lock, and the one that is
// satisfied may be the one that leads to the state for which all others wait; in line they would
// deadlock. They pass waiting acquires and are passed by them. They take nothing, so nobody starves by
// them; with EqualTakes they do, and counting and equal acquires of one lock are then not to be mixed. A
// try by software is refused while a channel waits in line at that lock; a try for equality is not.
// Acquires of different locks never wait for each other but for a turn: one change of the bank a cycle,
// in turn over channels and registers.
//
// Latency: with no other request, ready 1 cycle after valid; from the handshake of a release to the grant
// of the acquire that it satisfies 2 cycles. With others each has had at most two turns more before,
// two cycles a turn, whatever others ask and however often; a counting acquire waits for its note besides.
// A release goes before the acquire of its channel. After reset the bank rests for Locks cycles.
// Throughput: a change a cycle, of one lock every second cycle; a request of a port every second cycle.
// With Locks = 0 there are only wires: releases are accepted and lost, acquires wait for ever.
`include "tsr_assert.svh"
module tsr_locks
  import tsr_channel_pkg::*;
  import tsr_register_pkg::*;
#(
  parameter int unsigned Channels   = 2,    // 1..32
  parameter int unsigned Locks      = 16,   // 0..64
  parameter bit          EqualTakes = 1'b0
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  // Channels.
  input  lock_op_t     [Channels-1:0] acquire_i,
  input  logic         [Channels-1:0] acquire_valid_i,
  output logic         [Channels-1:0] acquire_ready_o,
  input  lock_op_t     [Channels-1:0] release_i,
  input  logic         [Channels-1:0] release_valid_i,
  output logic         [Channels-1:0] release_ready_o,
  output logic         [Channels-1:0] release_over_o,
  output logic         [Channels-1:0] release_under_o,
  // Registers.
  input  lock_access_t                reg_i,
  input  logic                        reg_valid_i,
  output logic                        reg_ready_o,
  output lock_answer_t                reg_answer_o,
  // A lock changes: what it becomes.
  output lock_change_t                change_o,
  // Sticky, a bit a lock.
  output logic         [        63:0] over_o,
  output logic         [        63:0] under_o,
  input  logic         [        63:0] over_clear_i,
  input  logic         [        63:0] under_clear_i
);

  `TSR_STATIC_ASSERT(Channels, Channels >= 1 && Channels <= 32,
                     ("Channels = %0d; legal is 1 to 32", Channels))
  `TSR_STATIC_ASSERT(Locks, Locks <= 64, ("Locks = %0d; legal is 0 to 64", Locks))

  if (Locks == 0) begin : gen_none
    logic unused_locks;
    assign acquire_ready_o = '0;
    assign release_ready_o = '1;
    assign release_over_o = '0;
    assign release_under_o = '0;
    assign reg_ready_o = 1'b1;
    assign reg_answer_o = '0;
    assign change_o = '0;
    assign over_o = '0;
    assign under_o = '0;
    assign unused_locks = ^{clk_i, rst_ni, acquire_i, acquire_valid_i, release_i, release_valid_i,
                            reg_i,
                            reg_valid_i, over_clear_i, under_clear_i, EqualTakes};
  end else begin : gen_locks
    localparam int unsigned Lanes = Channels + 1;  // the last one is that of registers
    localparam int unsigned Width = Locks == 1 ? 1 : $clog2(Locks);

    (* ram_style = "distributed" *)
    logic [LockBits-1:0] mem_q[Locks];

    lock_access_t [Lanes-1:0] access;
    lock_turn_t [Lanes-1:0] turn;
    typedef logic [Lanes-1:0] set_t;
    set_t valid, done, can, turns, picked;

    function automatic set_t lowest(set_t set);
      return set & (~set + 1'b1);
    endfunction

    // The bus on which the bank changes.
    logic write, swept_q;
    lock_turn_t chosen;
    lock_id_t   write_id;

    // ---- A lane each for channels and registers -------------------------------------------------

    for (genvar c = 0; c < Lanes; c++) begin : gen_lane
      tsr_lock_lane #(
        .EqualTakes(EqualTakes)
      ) u_lane (
        .clk_i,
        .rst_ni,
        .valid_i   (valid[c] && swept_q),
        .access_i  (access[c]),
        .value_i   (mem_q[access[c].op.id[Width-1:0]]),
        .write_i   (write),
        .write_id_i(write_id),
        .done_i    (done[c]),
        .turn_o    (turn[c])
      );
    end

    logic [Channels-1:0] first, counted;
    logic depart, probed, lined;

    for (genvar c = 0; c < Channels; c++) begin : gen_channel
      logic acquires, passes;
      assign access[c] = release_valid_i[c] ?
          '{command: LockRelease, op: release_i[c]}
          : '{command: LockTry, op: acquire_i[c]};
      assign valid[c] = release_valid_i[c] || acquire_valid_i[c];
      assign acquires = turn[c].satisfied && turn[c].acquire && acquire_valid_i[c];
      assign passes = acquires && !turn[c].takes;
      assign can[c] = (turn[c].satisfied && !turn[c].acquire && release_valid_i[c]) ||
                      (acquires && turn[c].takes && (!turn[c].counting || first[c]));
      assign acquire_ready_o[c] = passes || (picked[c] && turn[c].acquire);
      assign counted[c] = picked[c] && turn[c].counting;
      assign release_ready_o[c] = picked[c] && !turn[c].acquire;
      assign release_over_o[c] = release_ready_o[c] && turn[c].over;
      assign release_under_o[c] = release_ready_o[c] && turn[c].under;
      assign done[c] = acquire_ready_o[c] || release_ready_o[c];
    end

    tsr_lock_order #(
      .Channels(Channels)
    ) u_order (
      .clk_i,
      .rst_ni,
      .acquire_i,
      .acquire_valid_i,
      .grant_i   (counted),
      .grant_id_i(write_id),
      .first_o   (first),
      .depart_o  (depart),
      .probe_i   (reg_valid_i),
      .probe_id_i(reg_i.op.id),
      .answered_i(reg_ready_o),
      .probed_o  (probed),
      .lined_o   (lined)
    );

    // Registers: what changes nothing needs no turn.
    lock_turn_t ask;
    logic refuses, granted, unused_ask;
    assign ask = turn[Channels];
    assign unused_ask = ^{ask.id, ask.over, ask.under};
    assign access[Channels] = reg_i;
    assign valid[Channels] = reg_valid_i;
    assign refuses = ask.known && ask.acquire && (!ask.satisfied || (ask.counting && lined));
    assign granted = ask.satisfied && (!ask.counting || !lined);
    assign can[Channels] = granted && ask.takes && probed;
    assign reg_ready_o = probed && (refuses || (granted && !ask.takes) || picked[Channels]);
    assign done[Channels] = reg_ready_o;
    assign reg_answer_o = '{granted: granted, value: ask.value};

    // ---- One change a cycle ---------------------------------------------------------------------

    // A lane whose lock has just changed is passed over for a cycle, so turns are kept by rounds: who had
    // one waits until all others that ask have had theirs.
    set_t asking, fresh, blocked_q, served_q;
    assign asking = valid & ~blocked_q;
    assign fresh  = can & ~served_q;
    // Nobody goes while the line is being closed behind one who left it.
    assign turns  = fresh != '0 ? lowest(fresh) : lowest(can);
    assign picked = depart ? '0 : turns;

    logic [Width-1:0] sweep_q;
    always_comb begin
      chosen = '0;
      for (int unsigned c = 0; c < Lanes; c++) begin
        if (turns[c]) chosen = chosen | turn[c];
      end
      write    = picked != '0 || !swept_q;
      write_id = swept_q ? chosen.id : lock_id_t'(sweep_q);
    end

    assign change_o = '{valid: write, id: write_id, value: chosen.value};
    always_ff @(posedge clk_i) begin
      if (write) mem_q[write_id[Width-1:0]] <= chosen.value;
    end

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        blocked_q <= '0;
        served_q  <= '0;
        sweep_q   <= '0;
        swept_q   <= 1'b0;
      end else begin
        for (int unsigned c = 0; c < Lanes; c++) begin
          blocked_q[c] <= valid[c] && !done[c] && turn[c].known && !can[c];
        end
        if (!probed) blocked_q[Channels] <= 1'b0;
        served_q <= ((asking & ~served_q) != '0 ? served_q : '0) | done;
        if (!swept_q) sweep_q <= sweep_q + 1'b1;
        if (32'(sweep_q) == Locks - 1) swept_q <= 1'b1;
      end
    end

    // ---- What did not fit -----------------------------------------------------------------------

    for (genvar k = 0; k < 64; k++) begin : gen_sticky
      if (k < Locks) begin : gen_lock
        logic over_q, under_q, here;
        assign here = picked != '0 && chosen.id == lock_id_t'(k);
        always_ff @(posedge clk_i) begin
          if (!rst_ni) begin
            over_q  <= 1'b0;
            under_q <= 1'b0;
          end else begin
            over_q  <= (over_q && !over_clear_i[k]) || (here && chosen.over);
            under_q <= (under_q && !under_clear_i[k]) || (here && chosen.under);
          end
        end
        assign over_o[k]  = over_q;
        assign under_o[k] = under_q;
      end else begin : gen_no_lock
        logic unused_clear;
        assign over_o[k] = 1'b0;
        assign under_o[k] = 1'b0;
        assign unused_clear = over_clear_i[k] ^ under_clear_i[k];
      end
    end

    for (genvar c = 0; c < Channels; c++) begin : gen_check
      `TSR_ASSUME_NEXT(ReleaseStays, release_valid_i[c] && !release_ready_o[c],
                       !release_valid_i[c] || $stable(release_i[c]))
      `TSR_ASSUME(AcquiresWhatThereIs, !acquire_valid_i[c] || 32'(acquire_i[c].id) < Locks)
      `TSR_ASSUME(ReleasesWhatThereIs, !release_valid_i[c] || 32'(release_i[c].id) < Locks)
      `TSR_ASSUME_NEXT(AcquireStays, acquire_valid_i[c] && !acquire_ready_o[c],
                       !acquire_valid_i[c] || $stable(acquire_i[c]))
    end
    `TSR_ASSUME_STABLE(RegistersStay, reg_valid_i, reg_ready_o, reg_i)
    `TSR_ASSUME(RegistersAskForWhatThereIs, !reg_valid_i || 32'(reg_i.op.id) < Locks)
    `TSR_ASSERT(OneChange, $onehot0(picked))
    `TSR_ASSERT(OnlyReleasesSaturate, !chosen.acquire || !(chosen.over || chosen.under))
  end

endmodule
