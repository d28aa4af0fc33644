// Joins the accesses of releases, registers, neighbours and acquires to the bank of locks.
//
// Contract: releases go first, then registers, neighbours, acquires. Registers hold an access until
// `reg_ready_o`, with which the answer comes. Answers to acquires come 2 cycles after they are accepted.
// An access to a lock of a neighbour is accepted when that has carried it out; `acquire_open_o`: an acquire is
// on its way there. One goes at a time; the bank serves neighbours meanwhile.
// With Locks = 0 there is no bank: releases are accepted and lost, acquires are never granted, registers are
// answered with 0.
// Latency: 0 cycles to the bank; registers are answered after 2 cycles.
`include "tsr_assert.svh"
module tsr_lock_port
  import tsr_channel_pkg::*;
  import tsr_register_pkg::*;
  import tsr_program_pkg::*;
#(
  parameter int unsigned Channels   = 2,    // 1..32
  parameter int unsigned Locks      = 16,   // 0..64
  parameter bit          EqualTakes = 1'b0
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  lock_op_t     release_i,
  input  lock_side_e   release_side_i,
  input  channel_t     release_channel_i,
  input  logic         release_valid_i,
  output logic         release_ready_o,
  input  lock_access_t reg_i,
  input  logic         reg_valid_i,
  output logic         reg_ready_o,
  output lock_answer_t reg_answer_o,
  input  bank_access_t acquire_i,
  input  lock_side_e   acquire_side_i,
  input  logic         acquire_valid_i,
  output logic         acquire_ready_o,
  output logic         acquire_open_o,
  output bank_answer_t answer_o,
  output lock_report_t report_o,
  output lock_wake_t   wake_o,
  // Neighbours.
  output far_request_t far_o,
  input  far_answer_t  far_i
);

  // ---- To locks of neighbours -------------------------------------------------------------------

  logic far_release, far_acquire, releases, open_q, releases_q;
  logic [1:0] far_done_q, far_granted_q;
  logic own_release, visit_goes;
  bank_answer_t answer;
  lock_wake_t   wake;
  assign far_release = release_valid_i && release_side_i != LockOwn;
  assign far_acquire = acquire_valid_i && acquire_side_i != LockOwn;
  assign releases = open_q ? releases_q : far_release;
  assign far_o = '{
          valid: far_release || far_acquire,
          side: releases ? release_side_i : acquire_side_i,
          releases: releases || acquire_i.command == LockRelease,
          op: releases ? release_i : acquire_i.op,
          visited: visit_goes
      };
  always_ff @(posedge clk_i) begin
    open_q        <= rst_ni && far_o.valid && !far_i.done;
    releases_q    <= releases;
    far_done_q    <= {far_done_q[0], far_i.done && !releases};
    far_granted_q <= {far_granted_q[0], far_i.granted};
  end
  assign acquire_open_o = open_q && !releases_q;

  // ---- To the bank ------------------------------------------------------------------------------

  logic reg_goes, reg_first_q, reg_last_q, ready;
  always_ff @(posedge clk_i) begin
    reg_first_q <= rst_ni && reg_goes;
    reg_last_q  <= rst_ni && reg_first_q;
  end
  assign own_release = release_valid_i && !far_release;
  assign reg_goes = reg_valid_i && ready && !own_release && !reg_first_q && !reg_last_q;
  assign visit_goes = far_i.visits && ready && !own_release && !reg_goes;
  assign reg_ready_o = reg_last_q;
  assign reg_answer_o = '{granted: answer.granted, value: answer.value};
  assign release_ready_o = far_release ? far_i.done && releases : ready;
  assign acquire_ready_o =
      far_acquire ? far_i.done && !releases : ready && !own_release && !reg_goes && !visit_goes;
  always_comb begin
    answer_o = answer;
    if (far_done_q[1]) answer_o = '{granted: far_granted_q[1], default: '0};
    wake_o        = wake;
    wake_o.remote = far_i.changed;
  end

  if (Locks == 0) begin : gen_none
    logic unused_in;
    assign unused_in = ^{release_i, release_channel_i, reg_i, acquire_i, acquire_valid_i, far_i};
    assign ready     = 1'b1;
    assign answer    = '0;
    assign report_o  = '0;
    assign wake      = '0;
  end else begin : gen_bank
    bank_access_t access;
    always_comb begin
      access = acquire_i;
      if (reg_goes) begin
        access.command  = reg_i.command;
        access.op       = reg_i.op;
        access.withdraw = 1'b0;
        access.queues   = 1'b0;
        access.queued   = 1'b0;
      end
      if (visit_goes) begin
        access = '{
            command: far_i.releases ? LockRelease : LockTry,
            op: far_i.op,
            withdraw: 1'b0,
            channel: '0,
            queues: 1'b0,
            queued: 1'b0,
            visits: 1'b1
        };
      end
      if (own_release) begin
        access = '{
            command: LockRelease,
            op: release_i,
            withdraw: 1'b0,
            channel: release_channel_i,
            queues: 1'b1,
            queued: 1'b0,
            visits: 1'b0
        };
      end
    end
    tsr_lock_bank #(
      .Channels  (Channels),
      .Locks     (Locks),
      .EqualTakes(EqualTakes)
    ) u_bank (
      .clk_i,
      .rst_ni,
      .access_i(access),
      .valid_i (own_release || reg_goes || visit_goes || (acquire_valid_i && !far_acquire)),
      .ready_o (ready),
      .answer_o(answer),
      .report_o,
      .wake_o  (wake)
    );
  end

  `TSR_ASSUME_STABLE(RegistersStay, reg_valid_i, reg_ready_o, reg_i)
  logic [$bits(far_request_t)-3:0] asked;
  assign asked = {far_o.side, far_o.releases, far_o.op};
  `TSR_STABLE(FarStays, far_o.valid, far_i.done, asked)

  `TSR_STATIC_ASSERT(Locks, Locks <= 64, ("Locks = %0d; legal is 0 to 64", Locks))

endmodule
