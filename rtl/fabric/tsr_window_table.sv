// Holds the windows of every channel.
//
// Contract: `set_valid_i` writes one window; a window that is locked is not written, which
// `set_refused_o` says in the same cycle. After a reset no window permits anything. A change counts for
// bursts planned from the next cycle on.
// Latency: 1 cycle. Throughput: one window a cycle.
`include "tsr_assert.svh"
module tsr_window_table
  import tsr_fabric_pkg::*;
#(
  parameter int unsigned Channels = 2,
  parameter int unsigned Windows  = 2   // of a channel
) (
  input  logic                                clk_i,
  input  logic                                rst_ni,
  input  logic                                set_valid_i,
  input  logic    [         4:0]              set_channel_i,
  input  logic    [         3:0]              set_index_i,
  input  window_t                             set_window_i,
  output logic                                set_refused_o,
  output window_t [Channels-1:0][Windows-1:0] window_o
);

  logic [Channels-1:0][Windows-1:0] hit, locked;

  for (genvar c = 0; c < Channels; c++) begin : gen_channel
    for (genvar w = 0; w < Windows; w++) begin : gen_window
      assign hit[c][w]    = set_valid_i && set_channel_i == 5'(c) && set_index_i == 4'(w);
      assign locked[c][w] = hit[c][w] && window_o[c][w].lock;
      always_ff @(posedge clk_i) begin
        if (!rst_ni) window_o[c][w] <= '0;
        else if (hit[c][w] && !window_o[c][w].lock) window_o[c][w] <= set_window_i;
      end
      `TSR_ASSERT(LockedRefuses, !(hit[c][w] && window_o[c][w].lock) || set_refused_o)
    end
  end

  // What is not there cannot be set either.
  assign set_refused_o = set_valid_i && (locked != '0 || hit == '0);

endmodule
