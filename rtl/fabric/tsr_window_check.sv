// Tells whether a window of the channel permits a burst, and holds the burst until it goes on.
//
// A burst lies in one page, and windows are whole pages: one comparison with each edge is exact, with no
// sum of address and length in its path.
// Contract: valid/ready, order kept; `permitted_o` belongs to the burst that shows.
// Latency: 1 cycle. Throughput: one burst a cycle. Outputs are registers.
`include "tsr_assert.svh"
`include "tsr_types.svh"
module tsr_window_check
  import tsr_fabric_pkg::*;
#(
  parameter  fabric_config_t Config  = FabricDefaults,
  parameter  bit             Write   = 1'b0,
  localparam int unsigned    Windows = Config.Windows,
  localparam type            burst_t = `TSR_BURST_T(Config)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  window_t [Windows-1:0] window_i,
  input  burst_t                burst_i,
  input  logic                  valid_i,
  output logic                  ready_o,
  output burst_t                burst_o,
  output logic                  permitted_o,
  output logic                  valid_o,
  input  logic                  ready_i
);

  localparam int unsigned PageWidth = Config.AddrWidth - PageBits;

  typedef struct packed {
    burst_t burst;
    logic   permitted;
  } checked_t;
  checked_t in, out;
  logic [PageWidth-1:0] page;
  logic [  Windows-1:0] hit;

  assign page = burst_i.addr[Config.AddrWidth-1:PageBits];
  for (genvar w = 0; w < Windows; w++) begin : gen_window
    logic unused_high;
    assign hit[w] = (Write ? window_i[w].write : window_i[w].read) &&
        page >= window_i[w].first[PageWidth-1:0] && page <= window_i[w].last[PageWidth-1:0];
    assign unused_high = ^window_i[w];
  end
  assign in = '{burst: burst_i, permitted: hit != '0};

  tsr_slice #(
    .T(checked_t)
  ) u_slice (
    .clk_i,
    .rst_ni,
    .data_i(in),
    .valid_i,
    .ready_o,
    .data_o(out),
    .valid_o,
    .ready_i
  );

  assign burst_o     = out.burst;
  assign permitted_o = out.permitted;

  `TSR_STABLE(BurstStays, valid_o, ready_i, out)

endmodule
