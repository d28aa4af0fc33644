// Takes everything to rest before a reset of the whole IP, and says whether the bus came to rest.
//
// Contract: while `request_i`, `quiesce_o` asks all channels to abort and to keep new bursts from the
// bus. `rest_o.quiet`: requested, and no channel has anything on the bus (`idle_i`); it stays, and the
// reset may come. `rest_o.timed_out`: for `Patience` ticks nothing has moved on the bus (`moves_i`), and
// something is still there: `quiet` will not come by itself. It falls when the bus moves again.
// Without a reset, `request_i` may fall at any time, and the channels work on when their aborts have
// ended. With Control = 0 there is nothing here, and `quiet` never comes.
// Latency: `request_i` to `rest_o.quiet` 1 cycle when the bus is at rest.
`include "tsr_assert.svh"
module tsr_quiesce
  import tsr_fabric_pkg::*;
#(
  parameter int unsigned Channels = 2,
  parameter int unsigned Patience = FabricDefaults.Silence,
  parameter bit          Control  = FabricDefaults.Control
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 tick_i,     // the cycle counts for the time-out
  input  logic                 request_i,
  output logic                 quiesce_o,
  output rest_t                rest_o,
  input  logic  [Channels-1:0] idle_i,
  input  logic                 moves_i
);

  if (Control) begin : gen_quiesce
    logic all, quiet_q, timed_out;
    assign all       = idle_i == '1;
    assign quiesce_o = request_i;
    assign rest_o    = '{quiet: quiet_q, timed_out: timed_out};

    // Gates close in the cycle of the request, so that a bus at rest in it stays at rest.
    always_ff @(posedge clk_i) begin
      if (!rst_ni) quiet_q <= 1'b0;
      else quiet_q <= request_i && all;
    end

    tsr_silence #(
      .Cycles(Patience)
    ) u_silence (
      .clk_i,
      .rst_ni,
      .tick_i,
      .waits_i(request_i && !all),
      .moves_i,
      .over_o (timed_out)
    );

    `TSR_ASSERT(QuietOrLate, !(quiet_q && timed_out))
  end else begin : gen_none
    logic unused_request;
    assign quiesce_o      = 1'b0;
    assign rest_o         = '0;
    assign unused_request = ^{clk_i, rst_ni, tick_i, request_i, idle_i, moves_i};
  end

endmodule
