// Where a local address of a tile is in the address space of the bus, and whether a channel may go there.
//
// Contract: combinational. A burst lies in one page of 4 KiB, so one look at its address is enough. The memory
// tile has three windows of 512 KiB, west, local and east; channels 4 and 5 reach the local one alone. The
// compute tile has 64 KiB. Addresses of a shim are those of the bus.
`include "tsr_assert.svh"
module tsr_aieml_reach
  import tsr_aieml_pkg::*;
#(
  parameter  int unsigned Image     = ImageMemory,
  parameter  int unsigned AddrWidth = 64,              // of the bus
  localparam image_t      Tile      = image_of(Image)
) (
  input  aieml_window_t [               2:0] window_i,
  input  logic          [Tile.AddrWidth-1:0] addr_i,
  input  logic                               own_only_i,  // no windows of neighbours
  output logic          [     AddrWidth-1:0] addr_o,
  output logic                               reach_o
);

  logic unused_bits;
  assign unused_bits = ^{window_i, addr_i, own_only_i};

  if (Image == ImageMemory) begin : gen_memory
    aieml_window_t window;
    logic [63:0] addr;
    logic known;
    always_comb begin
      window = '0;
      for (int unsigned w = 0; w < 3; w++) begin
        if (addr_i[20:19] == 2'(w)) window = window_i[w];
      end
    end
    assign known   = addr_i[31:21] == '0 && (addr_i[20:19] == 2'd1 || !own_only_i);
    assign addr    = {window.base[63:19], addr_i[18:0]};
    assign addr_o  = addr[AddrWidth-1:0];
    assign reach_o = known && window.present;
    logic unused_base;
    assign unused_base = ^{window.base, addr};
  end else if (Image == ImageShim) begin : gen_shim
    assign addr_o  = AddrWidth'(addr_i);
    assign reach_o = 1'b1;
  end else begin : gen_compute
    logic [63:0] addr;
    assign addr    = {window_i[1].base[63:16], addr_i[15:0]};
    assign addr_o  = addr[AddrWidth-1:0];
    assign reach_o = addr_i[31:16] == '0 && window_i[1].present;
    logic unused_addr;
    assign unused_addr = ^addr;
  end

  `TSR_STATIC_ASSERT(Image, Image <= ImageCompute, ("Image = %0d; legal is 0 to 2", Image))

endmodule
