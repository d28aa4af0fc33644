// tsr_lock_bank behind tsr_lock_port: a lock is what its releases, acquires and registers make of it, none
// counted twice and none lost; an acquire is granted when its condition holds and its channel is the first in
// line; each request is answered once. A neighbour is granted what is there, whoever waits in line.
`include "proof.svh"

module lock_bank_proof
  import tsr_channel_pkg::*;
  import tsr_register_pkg::*;
  import tsr_program_pkg::*;
#(
  parameter  bit          EqualTakes = 1'b0,
  localparam int unsigned Channels   = 3,
  localparam int unsigned Locks      = 2
) (
  input logic                clk_i,
  input logic                rst_ni,
  input logic                release_id_i,
  input lock_amount_t        release_value_i,
  input logic          [1:0] release_channel_i,
  input logic                release_valid_i,
  input lock_command_e       reg_command_i,
  input logic                reg_id_i,
  input lock_amount_t        reg_value_i,
  input logic                reg_valid_i,
  input logic                acquire_id_i,
  input lock_amount_t        acquire_value_i,
  input logic          [1:0] acquire_channel_i,
  input logic                acquire_valid_i,
  input logic                withdraw_i,
  input logic                visit_id_i,
  input lock_amount_t        visit_value_i,
  input logic                visit_releases_i,
  input logic                visit_valid_i
);

  `TSR_PROOF_RESET

  // A reset lasts two cycles: answers are registers without one.
  logic [1:0] up_q = '1;
  always_ff @(posedge clk_i) up_q <= {up_q[0], rst_ni};
  TwoCycles :
  assume property (@(posedge clk_i) !rst_ni || up_q != 2'b10);

  // ---- Requests: a channel that waits in line asks again for the same, or withdraws --------------

  logic [3:0] waits_q;  // in a line, as the answers told
  logic [3:0] at_q;  // of which lock
  lock_op_t release_op, acquire_op;
  lock_access_t reg_access;
  bank_access_t acquire;
  assign release_op = '{id: lock_id_t'(release_id_i), value: release_value_i};
  assign acquire_op = '{id: lock_id_t'(acquire_id_i), value: acquire_value_i};
  assign reg_access = '{
          command: reg_command_i,
          op: '{id: lock_id_t'(reg_id_i), value: reg_value_i}
      };
  assign acquire = '{
          command: LockTry,
          op: acquire_op,
          withdraw: withdraw_i,
          channel: channel_t'(acquire_channel_i),
          queues: 1'b1,
          queued: waits_q[acquire_channel_i],
          visits: 1'b0
      };

  logic release_ready, reg_ready, acquire_ready;
  lock_answer_t reg_answer;
  bank_answer_t answer;
  lock_report_t report;
  lock_wake_t wake;
  logic acquire_open;
  far_request_t far;
  far_answer_t visit;
  always_comb begin
    visit          = '0;
    visit.visits   = visit_valid_i;
    visit.releases = visit_releases_i;
    visit.op       = '{id: lock_id_t'(visit_id_i), value: visit_value_i};
  end
  tsr_lock_port #(
    .Channels  (Channels),
    .Locks     (Locks),
    .EqualTakes(EqualTakes)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .release_i        (release_op),
    .release_side_i   (LockOwn),
    .release_channel_i(channel_t'(release_channel_i)),
    .release_valid_i,
    .release_ready_o  (release_ready),
    .reg_i            (reg_access),
    .reg_valid_i,
    .reg_ready_o      (reg_ready),
    .reg_answer_o     (reg_answer),
    .acquire_i        (acquire),
    .acquire_side_i   (LockOwn),
    .acquire_valid_i,
    .acquire_ready_o  (acquire_ready),
    .acquire_open_o   (acquire_open),
    .answer_o         (answer),
    .report_o         (report),
    .wake_o           (wake),
    .far_o            (far),
    .far_i            (visit)
  );

  logic counting;
  assign counting = acquire_value_i < 0;
  `TSR_ASSUME(ChannelIsThere, acquire_channel_i != 2'd3)
  logic same;  // as it waits for
  assign same = acquire_id_i == at_q[acquire_channel_i] && (counting || withdraw_i);
  `TSR_ASSUME(WaitsForOneThing, !acquire_valid_i || !waits_q[acquire_channel_i] || same)
  `TSR_ASSUME(WithdrawsWhatWaits, !withdraw_i || waits_q[acquire_channel_i])
  `TSR_ASSUME_STABLE(ReleaseStays, release_valid_i, release_ready, release_op)

  // ---- What was accepted, and is answered two cycles later ---------------------------------------

  typedef enum logic [2:0] {
    Nothing,
    Release,
    Register,
    Acquire,
    Visit
  } kind_e;
  typedef struct packed {
    kind_e         kind;
    lock_command_e command;
    logic          id;
    lock_amount_t  value;
    logic [1:0]    channel;
    logic          queued;
    logic          withdraw;
  } access_t;
  access_t access, access_q, asked;
  logic reg_taken, reg_open_q;
  assign reg_taken = u_dut.reg_goes;
  always_comb begin
    access = '0;
    if (release_valid_i && release_ready)
      access = '{
          Release,
          LockRelease,
          release_id_i,
          release_value_i,
          release_channel_i,
          1'b0,
          1'b0
      };
    else if (reg_taken)
      access = '{Register, reg_command_i, reg_id_i, reg_value_i, 2'd0, 1'b0, 1'b0};
    else if (far.visited)
      access = '{
          Visit,
          visit_releases_i ? LockRelease : LockTry,
          visit_id_i,
          visit_value_i,
          2'd0,
          1'b0,
          1'b0
      };
    else if (acquire_valid_i && acquire_ready)
      access = '{
          Acquire,
          LockTry,
          acquire_id_i,
          acquire_value_i,
          acquire_channel_i,
          waits_q[acquire_channel_i],
          withdraw_i
      };
  end
  always_ff @(posedge clk_i) begin
    access_q <= rst_ni ? access : '0;
    asked    <= rst_ni ? access_q : '0;
    reg_open_q <= rst_ni && (reg_taken || (reg_open_q && !reg_ready));
  end

  // ---- The bank, worked out here when an access is answered --------------------------------------

  logic [1:0][LockBits-1:0] bank_q;
  logic [1:0][2:0][1:0] line_q;  // [lock][0]: the first in line
  logic [1:0][1:0] length_q;
  logic signed [LockBits+2:0] held, sum;
  logic [2:0][1:0] line;
  logic tries, takes, fits, first, grants, enters, leaves;
  assign line = line_q[asked.id];
  always_comb begin
    held = $signed({3'b0, bank_q[asked.id]});
    sum = held + asked.value;
    tries  = (asked.kind == Acquire && !asked.withdraw) ||
        ((asked.kind == Register || asked.kind == Visit) && asked.command == LockTry);
    takes = asked.value < 0;
    fits = takes ? sum >= 0 : held == asked.value;
    first = asked.queued ? line_q[asked.id][0] == asked.channel : length_q[asked.id] == '0;
    grants = tries && fits && (!takes || first || asked.kind == Visit);
    enters = asked.kind == Acquire && tries && takes && !grants && !asked.queued;
    leaves = asked.kind == Acquire && asked.queued && (asked.withdraw || grants);
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      bank_q   <= '0;
      length_q <= '0;
      waits_q  <= '0;
    end else begin
      if (asked.command == LockRelease)
        bank_q[asked.id] <= sum < 0 ? '0 : sum > 63 ? '1 : sum[LockBits-1:0];
      if (asked.kind == Register && asked.command == LockSet)
        bank_q[asked.id] <= asked.value[LockBits-1:0];
      if (grants && takes) bank_q[asked.id] <= sum[LockBits-1:0];
      if (grants && !takes && EqualTakes) bank_q[asked.id] <= '0;
      if (enters) begin
        line_q[asked.id][length_q[asked.id]] <= asked.channel;
        length_q[asked.id] <= length_q[asked.id] + 1'b1;
        waits_q[asked.channel] <= 1'b1;
        at_q[asked.channel] <= asked.id;
      end
      if (leaves) begin
        length_q[asked.id] <= length_q[asked.id] - 1'b1;
        waits_q[asked.channel] <= 1'b0;
        for (int unsigned i = 0; i < 2; i++) begin
          if (line[0] == asked.channel || (i == 1 && line[1] == asked.channel))
            line_q[asked.id][i] <= line[i+1];
        end
      end
    end
  end

  // The next acquire is asked for when the last one has its answer.
  `TSR_ASSUME(AnswerFirst, !acquire_valid_i || (access_q.kind != Acquire && asked.kind != Acquire))

  logic [3:0] accepted;
  assign accepted = {
    release_valid_i && release_ready, reg_taken, far.visited, acquire_valid_i && acquire_ready
  };
  `TSR_ASSERT(OneAtATime, $onehot0(accepted))
  `TSR_ASSERT(GrantsWhatFits, asked.kind != Acquire || answer.granted == grants)
  logic acquires, stays, wakes;
  assign acquires = asked.kind == Acquire && !asked.withdraw;
  assign stays    = enters || (asked.queued && !grants);
  assign wakes    = wake.wake && wake.channel == channel_t'(line[0]);
  `TSR_ASSERT(TellsOfTheLine, !acquires || answer.queued == stays)
  `TSR_ASSERT(RegistersAreAnswered,
              asked.kind != Register || (reg_ready && reg_answer.value == bank_q[asked.id]))
  `TSR_ASSERT(RegistersTry, asked.kind != Register || !tries || reg_answer.granted == grants)
  logic told;
  assign told = report.equal || report.least;
  `TSR_ASSERT(NeighboursAreTold, asked.kind != Visit || told == grants)
  `TSR_ASSERT(AnsweredOnce, (!reg_ready || reg_open_q) && !(reg_taken && reg_open_q))
  `TSR_ASSERT(Saturates,
              asked.kind != Release || (report.over == (sum > 63) && report.under == (sum < 0)))
  `TSR_ASSERT(WakesTheFirst, asked.kind != Release || length_q[asked.id] == '0 || wakes)

  `TSR_COVER(WaitsAndIsGranted, asked.kind == Acquire && asked.queued && grants)
  `TSR_COVER(SecondInLine, enters && length_q[asked.id] == 2'd1)
  `TSR_COVER(LeavesFromBehind, leaves && !first)
  `TSR_COVER(Over, report.over)
  `TSR_COVER(NeighbourPasses, asked.kind == Visit && grants && takes && length_q[asked.id] != '0)
  `TSR_COVER(SoftwareTakes, asked.kind == Register && tries && grants && takes)

endmodule
