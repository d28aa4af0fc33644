// tsr_locks: the bank is what its releases, acquires and registers make of it, none counted twice and none lost;
// an acquire is granted only when its condition holds, counting acquires of one lock in the order of their
// arrival. Where none is taken back, one whose condition holds and that no earlier one waits in front of is granted within a
// bounded time, and registers are answered.
`include "proof.svh"

module locks_proof
  import tsr_channel_pkg::*;
  import tsr_register_pkg::*;
#(
  parameter  int unsigned Locks      = 1,
  parameter  bit          EqualTakes = 1'b0,
  parameter  bit          Withdraws  = 1'b1,           // requests are taken back at any time
  localparam int unsigned Channels   = 2,
  localparam int unsigned Notice     = 10 * Channels,  // cycles until an arrival is noted
  localparam int unsigned Patience   = 16 * Channels   // cycles to a grant
) (
  input logic                        clk_i,
  input logic                        rst_ni,
  input lock_op_t     [Channels-1:0] acquire_i,
  input logic         [Channels-1:0] acquire_valid_i,
  input lock_op_t     [Channels-1:0] release_i,
  input logic         [Channels-1:0] release_valid_i,
  input lock_access_t                reg_i,
  input logic                        reg_valid_i,
  input logic         [        63:0] over_clear_i,
  input logic         [        63:0] under_clear_i
);

  `TSR_PROOF_RESET

  logic [Channels-1:0] acquire_ready_o, release_ready_o, release_over_o, release_under_o;
  logic reg_ready_o;
  lock_answer_t reg_answer_o;
  lock_change_t change_o;
  logic [63:0] over_o, under_o;

  tsr_locks #(
    .Channels  (Channels),
    .Locks     (Locks),
    .EqualTakes(EqualTakes)
  ) u_dut (
    .*
  );

  for (genvar c = 0; c < Channels; c++) begin : gen_asked
    `TSR_ASSUME_NEXT(ReleaseHeld, release_valid_i[c] && !release_ready_o[c],
                     release_valid_i[c] ? $stable(release_i[c]) : Withdraws)
  end

  for (genvar c = 0; c < Channels && !Withdraws; c++) begin : gen_held
    `TSR_ASSUME_NEXT(AcquireHeld, acquire_valid_i[c] && !acquire_ready_o[c], acquire_valid_i[c])
  end

  // ---- The bank, counted here -------------------------------------------------------------------

  typedef logic signed [8:0] wide_t;
  typedef logic [LockBits-1:0] value_t;
  value_t [1:0] bank_q, bank_d;
  logic [1:0] over_q, under_q, over_d, under_d;
  logic [Channels-1:0] grants, drops, counting, fits;
  logic answers;

  assign grants  = acquire_valid_i & acquire_ready_o;
  assign drops   = release_valid_i & release_ready_o;
  assign answers = reg_valid_i && reg_ready_o;

  function automatic wide_t held(lock_id_t id);
    return wide_t'({3'b000, bank_q[id[0]]});
  endfunction

  for (genvar c = 0; c < Channels; c++) begin : gen_fits
    assign counting[c] = acquire_i[c].value[LockBits];
    assign fits[c] = counting[c] ? held(
        acquire_i[c].id
    ) + wide_t'(acquire_i[c].value) >= 0 : held(
        acquire_i[c].id
    ) == wide_t'(acquire_i[c].value);
  end
  logic reg_counting, reg_fits;
  assign reg_counting = reg_i.op.value[LockBits];
  assign reg_fits = reg_counting ? held(
      reg_i.op.id
  ) + wide_t'(reg_i.op.value) >= 0 : held(
      reg_i.op.id
  ) == wide_t'(reg_i.op.value);

  // One change of the bank at most: `id` and by how much.
  logic changes;
  lock_id_t id;
  wide_t next;
  logic [2:0] many;
  always_comb begin
    changes = 1'b0;
    id      = '0;
    next    = '0;
    many    = '0;
    for (int unsigned c = 0; c < Channels; c++) begin
      if (drops[c]) begin
        changes = 1'b1;
        id      = release_i[c].id;
        next    = held(id) + wide_t'(release_i[c].value);
        many    = many + 1'b1;
      end
      if (grants[c] && (counting[c] || EqualTakes)) begin
        changes = 1'b1;
        id      = acquire_i[c].id;
        next    = counting[c] ? held(id) + wide_t'(acquire_i[c].value) : '0;
        many    = many + 1'b1;
      end
    end
    if (answers && reg_i.command != LockRead &&
        (reg_i.command != LockTry || (reg_answer_o.granted && (reg_counting || EqualTakes)))) begin
      changes = 1'b1;
      id      = reg_i.op.id;
      many    = many + 1'b1;
      unique case (reg_i.command)
        LockSet:     next = wide_t'({3'b000, reg_i.op.value[LockBits-1:0]});
        LockRelease: next = held(id) + wide_t'(reg_i.op.value);
        default:     next = reg_counting ? held(id) + wide_t'(reg_i.op.value) : '0;
      endcase
    end
    bank_d  = bank_q;
    over_d  = over_q & ~over_clear_i[1:0];
    under_d = under_q & ~under_clear_i[1:0];
    if (changes) begin
      bank_d[id[0]] = next < 0 ? '0 : next > 63 ? '1 : next[LockBits-1:0];
      if (next < 0) under_d[id[0]] = 1'b1;
      if (next > 63) over_d[id[0]] = 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      bank_q  <= '0;
      over_q  <= '0;
      under_q <= '0;
    end else begin
      bank_q  <= bank_d;
      over_q  <= over_d;
      under_q <= under_d;
    end
  end

  // The bank clears itself first, a lock a cycle.
  logic [2:0] swept_q;
  always_ff @(posedge clk_i) swept_q <= !rst_ni ? '0 : swept_q + 3'(swept_q < 3'(Locks));
  logic cleared;
  assign cleared = swept_q == 3'(Locks);

  `TSR_ASSERT(OneChange, many <= 1)
  `TSR_ASSERT(NothingWhileItClears, cleared || (many == 0 && grants == '0 && !answers))
  `TSR_ASSERT(TheChangeIsTheOne, !cleared || change_o.valid == changes)
  `TSR_ASSERT(AsItIsCounted, !changes || (change_o.id == id && change_o.value == bank_d[id[0]]))
  `TSR_ASSERT(OverIsSticky, over_o[1:0] == over_q)
  `TSR_ASSERT(UnderIsSticky, under_o[1:0] == under_q)
  for (genvar c = 0; c < Channels; c++) begin : gen_channel
    `TSR_ASSERT(GrantedWhatFits, !grants[c] || fits[c])
    `TSR_ASSERT(ToldOver, !drops[c] || release_over_o[c] == (next > 63))
    `TSR_ASSERT(ToldUnder, !drops[c] || release_under_o[c] == (next < 0))
  end
  `TSR_ASSERT(
      ReadsTheBank,
      !answers || reg_i.command != LockRead || 6'(reg_answer_o.value) == bank_q[reg_i.op.id[0]])
  `TSR_ASSERT(TriesWhatFits,
              !answers || reg_i.command != LockTry || !reg_answer_o.granted || reg_fits)

  // ---- Order and time ---------------------------------------------------------------------------

  // An acquire arrives when it is noted: one in a cycle, and each within a bounded time. Of two that wait at one lock
  // the one that arrived first is granted first.
  logic [Channels-1:0] noted;
  logic [Channels-1:0][Channels-1:0] before_q;  // [c][o]: c was noted while o was not
  logic [Channels-1:0][5:0] arrives_q, waits_q;
  logic [5:0] reg_waits_q;
  assign noted = u_dut.gen_locks.u_order.noted_q;
  for (genvar c = 0; c < Channels; c++) begin : gen_order
    logic lines;
    logic [Channels-1:0] others, earlier, passed;
    assign lines = cleared && acquire_valid_i[c] && counting[c] && !grants[c];
    always_comb begin
      for (int unsigned o = 0; o < Channels; o++) begin
        // Another one waits in line at this lock; is not known to have come later; is granted, and came later.
        others[o] = o != c && acquire_valid_i[o] && counting[o] &&
            acquire_i[o].id == acquire_i[c].id;
        earlier[o] = others[o] && !before_q[c][o];
        passed[o] = others[o] && grants[o] && before_q[c][o];
      end
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        before_q[c]  <= '0;
        arrives_q[c] <= '0;
        waits_q[c]   <= '0;
      end else begin
        before_q[c]  <= lines && noted[c] ? before_q[c] | ~noted : '0;
        arrives_q[c] <= !lines || noted[c] ? '0 : arrives_q[c] + 1'b1;
        if (!lines || release_valid_i[c] || !fits[c] || earlier != '0) waits_q[c] <= '0;
        else waits_q[c] <= waits_q[c] + 1'b1;
      end
    end
    `TSR_ASSERT(InOrderOfArrival, !lines || passed == '0)
    `TSR_ASSERT(IsNotedInTime, Withdraws || 32'(arrives_q[c]) < Notice)
    `TSR_ASSERT(ReachesItsWaiter, 32'(waits_q[c]) < Patience)
    `TSR_COVER(WaitsAndIsGranted,
               grants[c] && counting[c] && before_q[c] != '0 && bank_q[0] == 6'd2)
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !cleared || !reg_valid_i || answers) reg_waits_q <= '0;
    else reg_waits_q <= reg_waits_q + 1'b1;
  end
  `TSR_ASSERT(RegistersAreAnswered, Withdraws || 32'(reg_waits_q) < Patience)

  `TSR_COVER(Saturates, over_o[0] && under_o[0])
  `TSR_COVER(SoftwareTakes,
             answers && reg_i.command == LockTry && reg_answer_o.granted && reg_counting)
  `TSR_COVER(SoftwareIsRefused,
             answers && reg_i.command == LockTry && !reg_answer_o.granted && reg_fits)

endmodule
