// Joins the accesses of releases, registers and acquires to the bank of locks.
//
// Contract: releases go first, then registers, then acquires. Registers hold an access until
// `reg_ready_o`, with which the answer comes. Answers to acquires come 2 cycles after they are accepted.
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
  input  channel_t     release_channel_i,
  input  logic         release_valid_i,
  output logic         release_ready_o,
  input  lock_access_t reg_i,
  input  logic         reg_valid_i,
  output logic         reg_ready_o,
  output lock_answer_t reg_answer_o,
  input  bank_access_t acquire_i,
  input  logic         acquire_valid_i,
  output logic         acquire_ready_o,
  output bank_answer_t answer_o,
  output lock_report_t report_o,
  output lock_wake_t   wake_o
);

  logic reg_goes, reg_first_q, reg_last_q, ready;
  always_ff @(posedge clk_i) begin
    reg_first_q <= rst_ni && reg_goes;
    reg_last_q  <= rst_ni && reg_first_q;
  end
  assign reg_goes = reg_valid_i && ready && !release_valid_i && !reg_first_q && !reg_last_q;
  assign reg_ready_o = reg_last_q;
  assign reg_answer_o = '{granted: answer_o.granted, value: answer_o.value};
  assign release_ready_o = ready;
  assign acquire_ready_o = ready && !release_valid_i && !reg_goes;

  if (Locks == 0) begin : gen_none
    logic unused_in;
    assign unused_in = ^{release_i, release_channel_i, reg_i, acquire_i, acquire_valid_i};
    assign ready     = 1'b1;
    assign answer_o  = '0;
    assign report_o  = '0;
    assign wake_o    = '0;
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
      if (release_valid_i) begin
        access = '{
            command: LockRelease,
            op: release_i,
            withdraw: 1'b0,
            channel: release_channel_i,
            queues: 1'b1,
            queued: 1'b0
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
      .valid_i (release_valid_i || reg_goes || acquire_valid_i),
      .ready_o (ready),
      .answer_o,
      .report_o,
      .wake_o
    );
  end

  `TSR_ASSUME_STABLE(RegistersStay, reg_valid_i, reg_ready_o, reg_i)

  `TSR_STATIC_ASSERT(Locks, Locks <= 64, ("Locks = %0d; legal is 0 to 64", Locks))

endmodule
