// What one port of the bank of locks would do: the condition and the sum, worked out a cycle ahead.
//
// Contract: `turn_o` speaks of the access that was valid in the cycle before. It is known unless the lock was
// written or the access was done in that cycle, so that it always tells of the lock as it is. Its condition is
// a register; the value is limited to what a lock holds behind one, while turns are dealt.
// Latency: 1 cycle. Throughput: an access every second cycle.
`include "tsr_assert.svh"
module tsr_lock_lane
  import tsr_channel_pkg::*;
  import tsr_register_pkg::*;
#(
  parameter bit EqualTakes = 1'b0
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  logic                        valid_i,
  input  lock_access_t                access_i,
  input  logic         [LockBits-1:0] value_i,     // of the lock
  input  logic                        write_i,
  input  lock_id_t                    write_id_i,
  input  logic                        done_i,      // what `turn_o` speaks of is done
  output lock_turn_t                  turn_o
);

  typedef logic signed [LockBits+1:0] sum_t;

  lock_turn_t turn_d, turn_q;
  logic equal;
  sum_t held, amount, sum, sum_q;

  always_comb begin
    equal  = access_i.command == LockTry && !access_i.op.value[LockBits];
    held   = access_i.command == LockSet ? '0 : sum_t'({2'b00, value_i});
    amount = access_i.command == LockRead ? '0 : sum_t'(access_i.op.value);
    if (access_i.command == LockSet) amount[LockBits+1:LockBits] = '0;
    turn_d           = '0;
    turn_d.id        = access_i.op.id;
    turn_d.acquire   = access_i.command == LockTry;
    turn_d.counting  = access_i.command == LockTry && !equal;
    turn_d.takes     = access_i.command != LockRead && (!equal || EqualTakes);
    sum              = held + (equal ? ~amount : amount) + sum_t'({1'b0, equal});
    turn_d.known     = valid_i && !done_i && !(write_i && write_id_i == access_i.op.id);
    turn_d.satisfied = turn_d.known;
    if (equal && sum != '0) turn_d.satisfied = 1'b0;
    if (turn_d.counting && sum[LockBits+1]) turn_d.satisfied = 1'b0;
  end

  always_ff @(posedge clk_i) begin
    turn_q <= turn_d;
    sum_q  <= sum;
    if (!rst_ni) begin
      turn_q.known     <= 1'b0;
      turn_q.satisfied <= 1'b0;
    end
  end
  always_comb begin
    turn_o       = turn_q;
    turn_o.under = sum_q[LockBits+1];
    turn_o.over  = !sum_q[LockBits+1] && sum_q[LockBits];
    turn_o.value = turn_o.over ? '1 : turn_o.under ? '0 : sum_q[LockBits-1:0];
  end

  `TSR_ASSERT(SatisfiedIsKnown, !turn_q.satisfied || turn_q.known)
  `TSR_ASSERT(CountingIsAnAcquire, !turn_q.counting || turn_q.acquire)

endmodule
