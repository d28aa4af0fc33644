// Holds the windows of every channel.
//
// Contract: `set_i.valid` writes one window; a window that is locked is not written, which `refused_o`
// says in the same cycle. After a reset no window permits anything. A change shows in the next cycle: it
// counts for bursts planned from then on, and for those that wait while the bus rests (tsr_window_check).
// Of a window that ends beyond the address space the part inside counts; one that begins there permits
// nothing. With Windows = 0 every write is refused, and one unused window is shown.
// Latency: 1 cycle. Throughput: one window a cycle.
`include "tsr_assert.svh"
module tsr_window_table
  import tsr_fabric_pkg::*;
#(
  parameter  int unsigned Channels  = 2,
  parameter  int unsigned AddrWidth = FabricDefaults.AddrWidth,
  parameter  int unsigned Windows   = FabricDefaults.Windows,     // of a channel
  localparam int unsigned Shown     = Windows == 0 ? 1 : Windows
) (
  input  logic                                  clk_i,
  input  logic                                  rst_ni,
  input  window_set_t                           set_i,
  output logic                                  refused_o,
  output window_t     [Channels-1:0][Shown-1:0] window_o
);

  if (Windows == 0) begin : gen_open
    logic unused_set;
    assign refused_o  = set_i.valid;
    assign window_o   = '0;
    assign unused_set = ^{clk_i, rst_ni, set_i};
  end else begin : gen_table
    logic [Channels-1:0][Windows-1:0] hit, locked;

    localparam int unsigned PageWidth = AddrWidth - PageBits;
    window_t given;
    logic begins_beyond, ends_beyond;
    assign begins_beyond = (set_i.window.first >> PageWidth) != '0;
    assign ends_beyond   = (set_i.window.last >> PageWidth) != '0;
    always_comb begin
      given = set_i.window;
      if (ends_beyond) given.last = '1;
      if (begins_beyond) begin
        given.read  = 1'b0;
        given.write = 1'b0;
      end
    end

    for (genvar c = 0; c < Channels; c++) begin : gen_channel
      for (genvar w = 0; w < Windows; w++) begin : gen_window
        assign hit[c][w]    = set_i.valid && set_i.channel == 5'(c) && set_i.index == 4'(w);
        assign locked[c][w] = hit[c][w] && window_o[c][w].lock;
        always_ff @(posedge clk_i) begin
          if (!rst_ni) window_o[c][w] <= '0;
          else if (hit[c][w] && !window_o[c][w].lock) window_o[c][w] <= given;
        end
        `TSR_ASSERT(LockedRefuses, !(hit[c][w] && window_o[c][w].lock) || refused_o)
      end
    end

    // A window that does not exist cannot be set either.
    assign refused_o = set_i.valid && (locked != '0 || hit == '0);
  end

endmodule
