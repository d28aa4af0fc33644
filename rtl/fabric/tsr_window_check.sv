// Says of bursts whether a window of their channel permits them, and keeps them until they go on.
//
// A burst lies in one page, and windows are whole pages: one comparison with each edge is exact, with no
// sum of address and length in its path.
// Contract: valid/ready, order kept; `permitted_o` belongs to the burst that shows.
// Latency: 1 cycle. Throughput: one burst a cycle. Outputs are registers.
`include "tsr_assert.svh"
module tsr_window_check
  import tsr_fabric_pkg::*;
#(
  parameter int unsigned AddrWidth = 64,
  parameter int unsigned Windows   = 2,
  parameter bit          Write     = 1'b0
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  window_t [  Windows-1:0] window_i,
  input  logic    [AddrWidth-1:0] addr_i,
  input  logic    [          7:0] len_i,
  input  logic                    valid_i,
  output logic                    ready_o,
  output logic    [AddrWidth-1:0] addr_o,
  output logic    [          7:0] len_o,
  output logic                    permitted_o,
  output logic                    valid_o,
  input  logic                    ready_i
);

  localparam int unsigned PageWidth = AddrWidth - PageBits;

  typedef struct packed {
    logic [AddrWidth-1:0] addr;
    logic [7:0]           len;
    logic                 permitted;
  } burst_t;
  burst_t burst_in, burst;
  logic [PageWidth-1:0] page;
  logic [  Windows-1:0] hit;

  assign page = addr_i[AddrWidth-1:PageBits];
  for (genvar w = 0; w < Windows; w++) begin : gen_window
    logic unused_high;
    assign hit[w] = (Write ? window_i[w].write : window_i[w].read) &&
        page >= window_i[w].first[PageWidth-1:0] && page <= window_i[w].last[PageWidth-1:0];
    assign unused_high = ^window_i[w];
  end
  assign burst_in = '{addr: addr_i, len: len_i, permitted: hit != '0};

  tsr_slice #(
    .T(burst_t)
  ) u_slice (
    .clk_i,
    .rst_ni,
    .data_i(burst_in),
    .valid_i,
    .ready_o,
    .data_o(burst),
    .valid_o,
    .ready_i
  );

  assign addr_o      = burst.addr;
  assign len_o       = burst.len;
  assign permitted_o = burst.permitted;

  `TSR_STABLE(BurstStays, valid_o, ready_i, burst)

endmodule
