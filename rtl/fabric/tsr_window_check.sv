// Tells whether a window of the channel permits a burst, and holds the burst until it goes on.
//
// A burst lies in one page, and windows are whole pages: one comparison with each edge is exact, with no
// sum of address and length in its path.
// Contract: valid/ready, order kept; `permitted_o` belongs to the burst that shows. While `rests_i`, bursts
// that wait are checked again: `permitted_o` falls within three cycles when their window has gone. At any
// other time it stays with its burst.
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
  input  logic                  rests_i,      // nothing shows on the bus, and nothing will
  input  burst_t                burst_i,
  input  logic                  valid_i,
  output logic                  ready_o,
  output burst_t                burst_o,
  output logic                  permitted_o,
  output logic                  valid_o,
  input  logic                  ready_i
);

  localparam int unsigned PageWidth = Config.AddrWidth - PageBits;

  // As tsr_slice, two bursts. One comparison serves the burst that comes, else those that wait, in turn.
  burst_t out_q, spare_q;
  logic out_valid_q, spare_valid_q, out_permitted_q, spare_permitted_q, turn_q;
  logic comes, out_free, permitted, out_permitted, spare_permitted;
  logic [PageWidth-1:0] page;
  logic [  Windows-1:0] hit;

  assign comes = valid_i && ready_o;
  always_comb begin
    if (comes) page = burst_i.addr[Config.AddrWidth-1:PageBits];
    else if (turn_q) page = spare_q.addr[Config.AddrWidth-1:PageBits];
    else page = out_q.addr[Config.AddrWidth-1:PageBits];
  end
  for (genvar w = 0; w < Windows; w++) begin : gen_window
    logic unused_high;
    assign hit[w] = (Write ? window_i[w].write : window_i[w].read) &&
        page >= window_i[w].first[PageWidth-1:0] && page <= window_i[w].last[PageWidth-1:0];
    assign unused_high = ^window_i[w];
  end
  assign permitted       = hit != '0;
  assign out_permitted   = out_permitted_q && (!rests_i || comes || turn_q || permitted);
  assign spare_permitted = spare_permitted_q && (!rests_i || !turn_q || permitted);

  assign out_free        = ready_i || !out_valid_q;
  always_ff @(posedge clk_i) begin
    if (out_free) out_q <= spare_valid_q ? spare_q : burst_i;
    if (ready_o) spare_q <= burst_i;
    if (!out_free) out_permitted_q <= out_permitted;
    else out_permitted_q <= spare_valid_q ? spare_permitted : permitted;
    spare_permitted_q <= ready_o ? permitted : spare_permitted;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      out_valid_q   <= 1'b0;
      spare_valid_q <= 1'b0;
      turn_q        <= 1'b0;
    end else begin
      if (out_free) out_valid_q <= spare_valid_q || valid_i;
      spare_valid_q <= (spare_valid_q || valid_i) && !out_free;
      turn_q        <= spare_valid_q && !out_free && !turn_q;
    end
  end

  assign ready_o     = !spare_valid_q;
  assign valid_o     = out_valid_q;
  assign burst_o     = out_q;
  assign permitted_o = out_permitted_q;

  `TSR_STABLE(BurstStays, valid_o, ready_i, burst_o)
  `TSR_ASSERT_NEXT(DeniedStays, valid_o && !ready_i && !permitted_o, !permitted_o)
  `TSR_ASSERT_NEXT(PermittedStays, valid_o && !ready_i && permitted_o && !rests_i, permitted_o)

endmodule
