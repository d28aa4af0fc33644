// Chooses the next channel of a unit of the sequencer, in as many cycles as the number of channels asks for.
//
// Contract: a channel that asks, and `still_i` may win when its turn comes, is `picked_o` for one cycle with
// `take_i`. `hot_o` and `index_o` are what the unit reads its memories at: the winner itself, with more
// than ReadsAtOnce channels that of the take before, which is not picked again meanwhile.
// Latency: 0 cycles, with more than PicksAtOnce channels 1, with more than ReadsAtOnce 2. Throughput: a channel a cycle.
`include "tsr_assert.svh"
module tsr_pick_channel
  import tsr_program_pkg::*;
#(
  parameter  int unsigned Channels = 2,                                   // 1..32
  localparam int unsigned Index    = Channels > 1 ? $clog2(Channels) : 1
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic [Channels-1:0] ask_i,
  input  logic [Channels-1:0] still_i,
  input  logic                take_i,
  output logic [Channels-1:0] picked_o,
  output logic [Channels-1:0] hot_o,
  output logic [   Index-1:0] index_o
);

  logic [Channels-1:0] behind;  // picked, and not shown yet
  logic [Index-1:0] pick;
  if (Channels > PicksAtOnce) begin : gen_late
    tsr_pick_late #(
      .Inputs(Channels)
    ) u_pick (
      .clk_i,
      .rst_ni,
      .ask_i  (ask_i & ~behind),
      .still_i(still_i & ~behind),
      .take_i,
      .hot_o  (picked_o),
      .index_o(pick)
    );
  end else begin : gen_early
    tsr_pick #(
      .Inputs(Channels)
    ) u_pick (
      .clk_i,
      .rst_ni,
      .ask_i  (ask_i & still_i & ~behind),
      .take_i,
      .hot_o  (picked_o),
      .index_o(pick)
    );
  end

  if (Channels > ReadsAtOnce) begin : gen_behind
    logic [Channels-1:0] hot_q;
    logic [Index-1:0] index_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) hot_q <= '0;
      else if (take_i) hot_q <= picked_o;
      if (take_i) index_q <= pick;
    end
    assign behind  = hot_q;
    assign hot_o   = hot_q;
    assign index_o = index_q;
  end else begin : gen_at_once
    assign behind  = '0;
    assign hot_o   = picked_o;
    assign index_o = pick;
  end

  `TSR_ASSERT(OneAtATime, $onehot0(picked_o) && $onehot0(hot_o))
  `TSR_ASSERT(NotPickedAgain, (picked_o & behind) == '0)

endmodule
