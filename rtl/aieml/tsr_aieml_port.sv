// Memory port of a tile: from local addresses to the bus, with attributes and SMID of the channel of each address.
//
// Contract: as tsr_aieml_read_port and tsr_aieml_write_port. Of pairs the read side is 0; channels count the reads of the
// port first, then its writes. A reset of any channel of a side lets that side go on behind a fault.
// Latency: 0 cycles. Throughput: a burst and a beat a cycle.
`include "tsr_assert.svh"
`include "tsr_port_types.svh"
module tsr_aieml_port
  import tsr_fabric_pkg::*;
  import tsr_port_pkg::*;
  import tsr_program_pkg::*;
  import tsr_aieml_pkg::*;
#(
  parameter int unsigned Image = ImageMemory,
  parameter int unsigned Number = 1,  // channels of a side, 1..6
  parameter int unsigned First = 0,  // the first of them
  parameter int unsigned AddrWidth = 64,  // of the bus
  parameter int unsigned Lanes = 16,  // bytes of the bus
  parameter int unsigned IdWidth = 4,
  localparam image_t Tile = image_of(Image),
  localparam type ax_t = `TSR_PORT_AX_T(Tile.AddrWidth, IdWidth),
  localparam type bus_ax_t = `TSR_PORT_AX_T(AddrWidth, IdWidth),
  localparam type r_t = `TSR_PORT_R_T(Lanes, IdWidth),
  localparam type w_t = `TSR_PORT_W_T(Lanes),
  localparam type b_t = `TSR_PORT_B_T(IdWidth),
  localparam type rd_req_t = `TSR_PORT_RD_REQ_T(ax_t),
  localparam type rd_rsp_t = `TSR_PORT_RD_RSP_T(r_t),
  localparam type wr_req_t = `TSR_PORT_WR_REQ_T(ax_t, w_t),
  localparam type wr_rsp_t = `TSR_PORT_WR_RSP_T(b_t),
  localparam type bus_rd_req_t = `TSR_PORT_RD_REQ_T(bus_ax_t),
  localparam type bus_wr_req_t = `TSR_PORT_WR_REQ_T(bus_ax_t, w_t)
) (
  input  logic                                 clk_i,
  input  logic                                 rst_ni,
  input  aieml_window_t [2:0]                  window_i,
  input  logic          [1:0][Number-1:0]      in_reset_i,
  input  axi_attr_t     [1:0][Number-1:0]      attr_i,
  input  logic          [1:0][Number-1:0][3:0] smid_i,
  // The engine.
  output port_control_t [1:0]                  control_o,
  input  port_event_t   [1:0]                  event_i,
  input  channel_t      [1:0]                  attr_channel_i,
  output axi_attr_t     [1:0]                  attr_o,
  input  rd_req_t                              rd_i,
  output rd_rsp_t                              rd_o,
  input  wr_req_t                              wr_i,
  output wr_rsp_t                              wr_o,
  // The bus.
  output bus_rd_req_t                          bus_rd_o,
  input  rd_rsp_t                              bus_rd_i,
  output bus_wr_req_t                          bus_wr_o,
  input  wr_rsp_t                              bus_wr_i,
  output logic          [3:0]                  ar_smid_o,
  output logic          [3:0]                  aw_smid_o
);

  logic [1:0] own_only;  // the channel of the address on show reaches the windows of no neighbour
  logic [1:0][3:0] smid;
  for (genvar d = 0; d < 2; d++) begin : gen_side
    localparam int unsigned FirstAttr = d * Tile.Channels + First;
    assign control_o[d] = '{clear: in_reset_i[d] != '0, tick: 1'b1, default: '0};
    assign own_only[d]  = 32'(event_i[d].channel) + First >= 4;
    always_comb begin
      attr_o[d] = '0;
      smid[d]   = '0;
      for (int unsigned c = 0; c < Number; c++) begin
        if (32'(attr_channel_i[d]) == FirstAttr + c) attr_o[d] = attr_o[d] | attr_i[d][c];
        if (32'(event_i[d].channel) == c) smid[d] = smid[d] | smid_i[d][c];
      end
    end
  end

  tsr_aieml_read_port #(
    .Image    (Image),
    .AddrWidth(AddrWidth),
    .Lanes    (Lanes),
    .IdWidth  (IdWidth)
  ) u_read (
    .clk_i,
    .rst_ni,
    .window_i,
    .req_i     (rd_i),
    .own_only_i(own_only[0]),
    .smid_i    (smid[0]),
    .rsp_o     (rd_o),
    .bus_o     (bus_rd_o),
    .smid_o    (ar_smid_o),
    .bus_i     (bus_rd_i)
  );
  tsr_aieml_write_port #(
    .Image    (Image),
    .AddrWidth(AddrWidth),
    .Lanes    (Lanes),
    .IdWidth  (IdWidth)
  ) u_write (
    .clk_i,
    .rst_ni,
    .window_i,
    .req_i     (wr_i),
    .own_only_i(own_only[1]),
    .smid_i    (smid[1]),
    .rsp_o     (wr_o),
    .bus_o     (bus_wr_o),
    .smid_o    (aw_smid_o),
    .bus_i     (bus_wr_i)
  );

  logic unused_event;
  assign unused_event = ^event_i;

  `TSR_STATIC_ASSERT(First, First + Number <= Tile.Channels,
                     ("First = %0d; legal is 0 to %0d", First, Tile.Channels - Number))

endmodule
