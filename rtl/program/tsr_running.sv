// Says which channels have transfers that were launched and have not ended.
//
// Contract: a launch counts from the next cycle on; an end (`end_i`, with the number of transfers of its
// channel that have ended in the cycle after it) from the one after that.
// Latency: 1 and 2 cycles.
`include "tsr_assert.svh"
module tsr_running
  import tsr_program_pkg::*;
#(
  parameter int unsigned Channels = 2,  // 1..32
  parameter int unsigned Seat = 4,  // bits of a number of transfers
  localparam int unsigned Index = Channels > 1 ? $clog2(Channels) : 1
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  sweep_t                sweep_i,
  input  logic   [   Index-1:0] go_channel_i,
  input  logic   [Channels-1:0] go_hot_i,
  input  logic                  end_i,
  input  logic   [   Index-1:0] end_channel_i,  // until the cycle after
  input  logic   [    Seat-1:0] ended_i,        // in the cycle after
  output logic   [Channels-1:0] running_o
);

  (* ram_style = "distributed" *) logic [Seat-1:0] launched_q[2**Index];

  // A launch beside the end counts: they are compared a cycle later.
  logic go, end_q, idles;
  logic [Seat-1:0] launched;
  assign go       = go_hot_i != '0;
  assign launched = launched_q[go_channel_i];
  assign idles    = end_q && launched_q[end_channel_i] == ended_i;
  always_ff @(posedge clk_i) begin
    end_q <= rst_ni && end_i;
    if (go || sweep_i.valid)
      launched_q[sweep_i.valid?Index'(sweep_i.channel) : go_channel_i] <=
          sweep_i.valid ? '0 : launched + 1'b1;
    for (int unsigned c = 0; c < Channels; c++) begin
      if (!rst_ni) running_o[c] <= 1'b0;
      else running_o[c] <= go_hot_i[c] || (running_o[c] && !(idles && 32'(end_channel_i) == c));
    end
  end

  logic unused_sweep;
  assign unused_sweep = ^sweep_i;

  `TSR_ASSERT(EveryEndWasLaunched, !end_i || running_o[end_channel_i])

endmodule
