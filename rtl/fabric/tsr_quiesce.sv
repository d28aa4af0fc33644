// Takes everything to rest before a reset of the whole IP, and says whether the bus came to rest.
//
// Contract: while `request_i`, `quiesce_o` asks all channels to abort and to keep new bursts from the
// bus. `quiet_o`: asked for, and no channel has anything on the bus (`none_i`); it stays, and the
// reset may come. `timed_out_o`: for `Patience` cycles nothing has moved on the bus (`moves_i`), and
// something is still there: `quiet_o` will not come by itself. It falls when the bus moves again.
// Without a reset, `request_i` may fall at any time, and the channels work on when their aborts have
// ended.
// Latency: `request_i` to `quiet_o` 1 cycle when the bus is at rest.
`include "tsr_assert.svh"
module tsr_quiesce #(
  parameter int unsigned Channels = 2,
  parameter int unsigned Patience = 4096
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                request_i,
  output logic                quiesce_o,
  output logic                quiet_o,
  output logic                timed_out_o,
  input  logic [Channels-1:0] none_i,
  input  logic                moves_i
);

  logic all;
  assign all       = none_i == '1;
  assign quiesce_o = request_i;

  // Gates close in the cycle of the request, so that what is at rest in it stays so.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) quiet_o <= 1'b0;
    else quiet_o <= request_i && all;
  end

  tsr_silence #(
    .Cycles(Patience)
  ) u_silence (
    .clk_i,
    .rst_ni,
    .waits_i(request_i && !all),
    .moves_i,
    .over_o (timed_out_o)
  );

  `TSR_ASSERT(QuietOrLate, !(quiet_o && timed_out_o))

endmodule
