// Bank of counting locks in LUT memory: lines of waiting channels as linked lists.
//
// Contract. A lock holds 0..63 and is 0 after reset. A try with a value below 0 ("counting") asks for
// lock >= -value and subtracts -value; another ("equal") asks for lock == value and leaves the lock as
// it is, or with EqualTakes makes it 0. A release adds its value and saturates; `report_o` says so.
// A counting try of a channel (`queues`) that is not granted puts the channel at the end of the line of
// the lock (`queued`); only the first in line is granted then, and leaves with that. A channel waits in
// one line at most, tells with each further try that it is `queued`, and leaves early with `withdraw`,
// from any place of the line. Equal tries wait in no line. A counting try of registers is refused while
// a channel waits in line; one of a neighbour (`visits`) waits in none, and is granted whoever waits.
// `wake_o`: the first in line may try again, and with `changed` every channel that waits for equality.
// Latency: answer, report and wake 2 cycles after the access. Throughput: an access in 2 cycles.
// After reset the bank is not ready for Locks cycles.
`include "tsr_assert.svh"
module tsr_lock_bank
  import tsr_channel_pkg::*;
  import tsr_register_pkg::*;
  import tsr_program_pkg::*;
#(
  parameter int unsigned Channels   = 2,    // 1..32
  parameter int unsigned Locks      = 16,   // 1..64
  parameter bit          EqualTakes = 1'b0
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  bank_access_t access_i,
  input  logic         valid_i,
  output logic         ready_o,
  output bank_answer_t answer_o,
  output lock_report_t report_o,
  output lock_wake_t   wake_o
);

  `TSR_STATIC_ASSERT(Channels, Channels >= 1 && Channels <= 32,
                     ("Channels = %0d; legal is 1 to 32", Channels))
  `TSR_STATIC_ASSERT(Locks, Locks >= 1 && Locks <= 64, ("Locks = %0d; legal is 1 to 64", Locks))

  localparam int unsigned Index = Channels > 1 ? $clog2(Channels) : 1;
  localparam int unsigned Width = Locks > 1 ? $clog2(Locks) : 1;
  typedef logic [Index-1:0] index_t;
  typedef struct packed {
    logic   lined;  // a channel waits
    index_t head;
    index_t tail;
  } line_t;

  (* ram_style = "distributed" *) logic [LockBits-1:0] value_q[Locks];
  (* ram_style = "distributed" *) logic [$bits(line_t)-1:0] line_q[Locks];
  // Neighbors of a channel in its line.
  (* ram_style = "distributed" *) logic [Index-1:0] next_q[2**Index];
  (* ram_style = "distributed" *) logic [Index-1:0] prev_q[2**Index];

  // ---- The access -------------------------------------------------------------------------------

  // The memories are read with it: nothing that writes them is between.
  bank_access_t access_q;
  lock_id_t held_q;
  line_t here_q;
  index_t me_d, behind_q, ahead_q;
  logic valid_q, swept_q;
  logic [Width-1:0] sweep_q, id;
  assign ready_o = swept_q && !valid_q;
  assign id      = access_q.op.id[Width-1:0];
  assign me_d    = index_t'(access_i.channel);
  always_ff @(posedge clk_i) begin
    valid_q <= rst_ni && valid_i && ready_o;
    if (ready_o) begin
      access_q <= access_i;
      held_q   <= value_q[access_i.op.id[Width-1:0]];
      here_q   <= line_t'(line_q[access_i.op.id[Width-1:0]]);
      behind_q <= next_q[me_d];
      ahead_q  <= prev_q[me_d];
    end
    if (!rst_ni) begin
      sweep_q <= '0;
      swept_q <= 1'b0;
    end else if (!swept_q) begin
      sweep_q <= sweep_q + 1'b1;
      swept_q <= 32'(sweep_q) == Locks - 1;
    end
  end

  lock_id_t held, value;
  line_t line, enter, leave;
  index_t me, behind, ahead;
  logic tries, counting, sets, releases, front, granted, enters, leaves, first, final_;
  logic over, under, takes;
  logic signed [LockBits+1:0] sum;
  always_comb begin
    held     = held_q;
    line     = here_q;
    me       = index_t'(access_q.channel);
    behind   = behind_q;
    ahead    = ahead_q;
    tries    = access_q.command == LockTry && !access_q.withdraw;
    sets     = access_q.command == LockSet && !access_q.withdraw;
    releases = access_q.command == LockRelease && !access_q.withdraw;
    counting = access_q.op.value < 0;
    sum      = $signed({2'b00, held}) + $signed({access_q.op.value[LockBits], access_q.op.value});
    first    = line.head == me;
    final_   = line.tail == me;
    front    = access_q.queued ? first : !line.lined || access_q.visits;
    granted  = counting ? front && !sum[LockBits+1] : held == lock_id_t'(access_q.op.value);
    takes    = tries && granted && (counting || EqualTakes);
    enters   = tries && counting && access_q.queues && !access_q.queued && !granted;
    leaves   = access_q.withdraw || (tries && counting && granted && access_q.queued);
    under    = releases && sum[LockBits+1];
    over     = releases && !sum[LockBits+1] && sum[LockBits];
    value    = sum[LockBits-1:0];
    if (over) value = '1;
    if (under || (tries && !counting)) value = '0;
    if (sets) value = lock_id_t'(access_q.op.value);
    // The line: whether a try is granted is known last.
    enter = '{lined: 1'b1, head: line.lined ? line.head : me, tail: me};
    leave = '{
        lined: !(first && final_),
        head: first ? behind : line.head,
        tail: final_ ? ahead : line.tail
    };
  end

  logic write_value, links;
  assign write_value = valid_q && (sets || releases || takes);
  assign links       = valid_q && enters && line.lined;
  always_ff @(posedge clk_i) begin
    if (write_value || !swept_q) value_q[swept_q?id : sweep_q] <= swept_q ? value : '0;
    if ((valid_q && (enters || leaves)) || !swept_q)
      line_q[swept_q?id : sweep_q] <= !swept_q ? '0 : leaves ? leave : enter;
    if (links || (valid_q && leaves && !first))
      next_q[links?line.tail : ahead] <= links ? me : behind;
    if (links || (valid_q && leaves && !final_))
      prev_q[links?me : behind] <= links ? line.tail : ahead;
  end

  // ---- The answer -------------------------------------------------------------------------------

  always_ff @(posedge clk_i) begin
    answer_o <= '{
        granted: tries && granted,
        queued: enters || (tries && access_q.queued && !granted),
        value: held
    };
    report_o <= '{
        over: valid_q && over,
        under: valid_q && under,
        id: access_q.op.id,
        by_channel: access_q.queues || access_q.visits,
        channel: access_q.channel,
        equal: valid_q && tries && granted && !counting,
        least: valid_q && tries && granted && counting,
        drop: valid_q && releases,
        changed: write_value,
        value: value
    };
    wake_o <= '{
        changed: write_value,
        remote: 1'b0,
        wake: valid_q && (leaves ? leave.lined : line.lined && (sets || releases)),
        channel: leaves ? channel_t'(leave.head) : channel_t'(line.head)
    };
  end

  logic unused_access;
  assign unused_access = ^access_q;

`ifndef SYNTHESIS
  // Who waits, and where.
  logic [2**Index-1:0] waits_q;
  lock_id_t [2**Index-1:0] at_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) waits_q <= '0;
    else if (valid_q && (enters || leaves)) waits_q[me] <= enters;
    if (valid_q && enters) at_q[me] <= access_q.op.id;
  end
  `TSR_ASSERT(LeavesItsOwnLine, !(valid_q && leaves) || (waits_q[me] && at_q[me] == access_q.op.id))
  `TSR_ASSERT(EntersOneLine, !(valid_q && enters) || !waits_q[me])
  `TSR_ASSERT(HeadWaits, !wake_o.wake || waits_q[index_t'(wake_o.channel)] || $past
              (valid_q && leaves))
`endif
  `TSR_ASSERT(QueuedIsTrue, !(valid_q && tries && access_q.queued) || (line.lined && counting))
  `TSR_ASSERT(LockExists, !valid_q || 32'(access_q.op.id) < Locks)

endmodule
