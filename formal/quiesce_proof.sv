// tsr_quiesce: quiet is said of a bus at rest alone, and stays as long as the request and the rest;
// silence on a bus that is not at rest is told, and not before it has lasted.
`include "proof.svh"

module quiesce_proof
  import tsr_fabric_pkg::*;
#(
  localparam int unsigned Channels = 3,
  localparam int unsigned Patience = 4
) (
  input logic                clk_i,
  input logic                rst_ni,
  input logic                tick_i,
  input logic                request_i,
  input logic [Channels-1:0] idle_i,
  input logic                moves_i
);

  `TSR_PROOF_RESET

  logic quiesce_o, quiet_o, timed_out_o;
  rest_t rest_o;
  assign quiet_o     = rest_o.quiet;
  assign timed_out_o = rest_o.timed_out;

  tsr_quiesce #(
    .Channels(Channels),
    .Patience(Patience),
    .Control (1'b1)
  ) u_dut (
    .*
  );

  // With its gate closed, what a channel has on the bus does not come back.
  `TSR_ASSUME_NEXT(GatesAreClosed, quiesce_o, (~idle_i & $past(idle_i)) == '0)

  logic request_q;
  always_ff @(posedge clk_i) request_q <= rst_ni && request_i;
  `TSR_ASSERT(AsksAtOnce, quiesce_o == request_i)
  `TSR_ASSERT(QuietIsAtRest, !quiet_o || !request_i || idle_i == '1)
  `TSR_ASSERT(QuietWasAskedFor, !quiet_o || request_q)
  `TSR_ASSERT_NEXT(QuietStays, quiet_o && request_i, quiet_o)
  `TSR_ASSERT_NEXT(QuietComes, request_i && idle_i == '1, quiet_o)

  logic [3:0] silent_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !request_i || idle_i == '1 || moves_i) silent_q <= '0;
    else if (tick_i && silent_q != '1) silent_q <= silent_q + 1'b1;
  end
  `TSR_ASSERT(TimeOutIsTold, timed_out_o == (32'(silent_q) >= Patience))
  `TSR_ASSERT(NeverBoth, !(timed_out_o && quiet_o))

  `TSR_COVER(Quiet, quiet_o)
  `TSR_COVER(TimedOut, timed_out_o)
  `TSR_COVER_NEXT(MovesAgain, timed_out_o, !timed_out_o && request_i && idle_i != '1)

endmodule
