// Keeps the order in which counting acquires came to each lock.
//
// Contract: an acquire below 0 is noted, one a cycle, in turn over the channels; `first_o` says that it is
// noted and that nobody who was noted before waits for the same lock. One whose valid falls without a
// grant leaves the line; while `depart_o` nothing may be granted. A probe asks, while `probe_i`, whether
// anybody waits in line at a lock: `lined_o` in the next cycle if `probed_o`, and nobody is noted then. With
// `answered_i` the probe ends; if somebody has arrived, the next one waits until he is noted, so probes
// without a pause starve nobody.
// Latency: 1 cycle from valid to `first_o`; a departure takes a cycle, the one after valid has fallen.
`include "tsr_assert.svh"
module tsr_lock_order
  import tsr_channel_pkg::*;
#(
  parameter int unsigned Channels = 2  // 1..32
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  lock_op_t [Channels-1:0] acquire_i,
  input  logic     [Channels-1:0] acquire_valid_i,
  input  logic     [Channels-1:0] grant_i,          // who is granted, one at most
  input  lock_id_t                grant_id_i,
  output logic     [Channels-1:0] first_o,
  output logic                    depart_o,
  input  logic                    probe_i,
  input  lock_id_t                probe_id_i,
  input  logic                    answered_i,       // the last cycle of a probe
  output logic                    probed_o,
  output logic                    lined_o
);

  localparam int unsigned AheadWidth = $clog2(Channels + 1);
  typedef logic [AheadWidth-1:0] ahead_t;

  lock_id_t [Channels-1:0] id_q;
  ahead_t   [Channels-1:0] ahead_q;  // how many wait for the same lock before this one
  logic [Channels-1:0] noted_q, left_q, last_q;
  logic [Channels-1:0] front_q;  // nobody waits before this one
  logic [Channels-1:0] leaving, leaves, arriving, next, arrives, waiting, behind;
  logic probes, yields_q;

  // Departures go first: whoever arrives then finds the line as it is.
  always_comb begin
    for (int unsigned c = 0; c < Channels; c++) begin
      leaving[c]  = noted_q[c] && left_q[c];
      arriving[c] = acquire_valid_i[c] && acquire_i[c].value[LockBits] && !noted_q[c];
      first_o[c]  = noted_q[c] && !left_q[c] && front_q[c];
    end
  end
  assign depart_o = leaving != '0;
  assign leaves   = leaving & (~leaving + 1'b1);
  assign probes   = probe_i && !yields_q;
  tsr_round_robin #(
    .Channels(Channels)
  ) u_turns (
    .request_i(arriving),
    .last_i   (last_q),
    .next_o   (next)
  );
  assign arrives = depart_o || probes ? '0 : next;

  // Who waits for the lock of the probe or of the one who comes next, the one who is granted among them; and
  // who waits behind the one who leaves.
  lock_id_t id, leaver_id;
  ahead_t leaver_ahead, waiters;
  logic less;  // one of the waiters is granted
  always_comb begin
    id           = probes ? probe_id_i : '0;
    leaver_id    = '0;
    leaver_ahead = '0;
    for (int unsigned c = 0; c < Channels; c++) begin
      if (next[c] && !probes) id = id | acquire_i[c].id;
      if (leaves[c]) leaver_id = leaver_id | id_q[c];
      if (leaves[c]) leaver_ahead = leaver_ahead | ahead_q[c];
    end
    waiters = '0;
    for (int unsigned c = 0; c < Channels; c++) begin
      waiting[c] = noted_q[c] && id_q[c] == id;
      behind[c]  = noted_q[c] && id_q[c] == leaver_id && ahead_q[c] > leaver_ahead;
      waiters    = waiters + ahead_t'(waiting[c]);
    end
  end
  assign less = (waiting & grant_i) != '0;

  for (genvar c = 0; c < Channels; c++) begin : gen_channel
    logic forward;
    assign forward = depart_o ? behind[c] : grant_i != '0 && id_q[c] == grant_id_i;
    always_ff @(posedge clk_i) begin
      if (arrives[c]) begin
        id_q[c]    <= acquire_i[c].id;
        ahead_q[c] <= less ? waiters - 1'b1 : waiters;
        front_q[c] <= less ? waiters == ahead_t'(1) : waiters == '0;
      end else if (forward) begin
        ahead_q[c] <= ahead_q[c] - 1'b1;
        front_q[c] <= ahead_q[c] == ahead_t'(1);
      end
    end
    `TSR_ASSERT(OnlyTheFirstIsGranted, !grant_i[c] || (noted_q[c] && ahead_q[c] == '0))
    `TSR_ASSERT(TheFrontIsFirst, !noted_q[c] || front_q[c] == (ahead_q[c] == '0))
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      noted_q  <= '0;
      left_q   <= '0;
      last_q   <= Channels'(1);
      probed_o <= 1'b0;
      yields_q <= 1'b0;
    end else begin
      noted_q <= (noted_q | arrives) & ~leaves & ~grant_i;
      left_q  <= noted_q & (left_q | ~acquire_valid_i) & ~leaves;
      if (arrives != '0) last_q <= arrives;
      probed_o <= probes && !depart_o && !answered_i;
      yields_q <= (answered_i || (yields_q && depart_o)) && arriving != '0;
    end
    lined_o <= (waiting & ~grant_i) != '0;
  end

  `TSR_ASSERT(NoGrantWhileOneLeaves, !depart_o || grant_i == '0)

endmodule
