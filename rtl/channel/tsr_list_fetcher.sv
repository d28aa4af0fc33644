// Fetches the descriptors of all lists ahead of their channels, through one read port.
//
// Contract, latency and throughput: tsr_lists. tsr_list_walk decides what is fetched, tsr_list_store keeps
// it until the loader takes it; what both know of a channel's list they ask of its registers. `rests_o`: nothing
// is on the bus; it stays so while `quiesce_i`.
`include "tsr_assert.svh"
module tsr_list_fetcher
  import tsr_fabric_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_list_pkg::*;
#(
  parameter  int unsigned Channels     = 2,
  parameter  int unsigned AddrWidth    = 64,
  parameter  int unsigned ListWidth    = 64,
  parameter  int unsigned Slots        = 8,
  parameter  int unsigned Outstanding  = 16,
  parameter  bit          WindowCheck  = 1'b1,
  parameter  int unsigned Windows      = 2,
  localparam int unsigned ChannelWidth = $clog2(Channels < 2 ? 2 : Channels)
) (
  input  logic                                        clk_i,
  input  logic                                        rst_ni,
  input  logic                                        quiesce_i,
  output logic                                        rests_o,
  input  axi_attr_t   [    Channels-1:0]              attr_i,
  input  window_t     [    Channels-1:0][Windows-1:0] window_i,
  input  logic        [    Channels-1:0]              open_i,
  input  logic        [    Channels-1:0]              again_i,
  input  logic        [    Channels-1:0]              zero_i,      // the list begins at index 0
  input  logic        [    Channels-1:0]              doorbell_i,
  output logic        [    Channels-1:0]              busy_o,
  output list_index_t [    Channels-1:0]              head_o,
  // Registers of one channel.
  output logic        [ChannelWidth-1:0]              channel_o,   // whose are wanted
  input  list_setup_t                                 setup_i,
  input  list_index_t                                 tail_i,
  // The loader.
  output logic        [    Channels-1:0]              valid_o,
  input  logic        [ChannelWidth-1:0]              select_i,
  output list_part_t                                  part_o,
  input  logic                                        take_i,
  // The bus.
  output logic        [   AddrWidth-1:0]              araddr_o,
  output logic        [             7:0]              arlen_o,
  output axi_attr_t                                   arattr_o,
  output logic                                        arvalid_o,
  input  logic                                        arready_i,
  input  logic        [   ListWidth-1:0]              rdata_i,
  input  logic        [             1:0]              rresp_i,
  input  logic                                        fault_i,     // that of a port that has failed
  input  logic                                        rvalid_i,
  output logic                                        rready_o
);

  `TSR_STATIC_ASSERT(Channels, Channels >= 1 && Channels <= 32,
                     ("Channels = %0d; legal is 1 to 32", Channels))
  `TSR_STATIC_ASSERT(AddrWidth, AddrWidth > PageBits && AddrWidth <= 64,
                     ("AddrWidth = %0d; legal is 32 to 64", AddrWidth))
  `TSR_STATIC_ASSERT(ListWidth, ListWidth >= 64 && ListWidth <= 512 && $onehot(ListWidth),
                     ("ListWidth = %0d; legal is 64, 128, 256, 512", ListWidth))
  `TSR_STATIC_ASSERT(Slots, Slots >= 4 && Slots <= 32 && $onehot(Slots),
                     ("Slots = %0d; legal is 4, 8, 16, 32", Slots))
  `TSR_STATIC_ASSERT(Outstanding, Outstanding >= 4 && Outstanding <= 128 && $onehot(Outstanding),
                     ("Outstanding = %0d; legal is 4, 8, 16, 32, 64, 128", Outstanding))

  logic [Channels-1:0] active, owed, held, freed, turned;
  logic room, first, asked, extensions_valid, extensions_ready, request_valid, request_ready;
  logic [ChannelWidth-1:0] channel;
  logic [1:0] extensions;
  logic [4:0] slot;
  list_index_t index;
  logic [AddrWidth-1:6] addr_back, addr_put, araddr;
  list_extensions_t wanted;
  list_request_t request;
  list_place_t place;

  tsr_list_walk #(
    .Channels   (Channels),
    .AddrWidth  (AddrWidth),
    .WindowCheck(WindowCheck),
    .Windows    (Windows)
  ) u_walk (
    .clk_i,
    .rst_ni,
    .quiesce_i,
    .attr_i,
    .window_i,
    .open_i,
    .again_i,
    .zero_i,
    .doorbell_i,
    .active_o          (active),
    .look_channel_o    (channel_o),
    .setup_i,
    .tail_i,
    .owed_i            (owed),
    .held_i            (held),
    .freed_i           (freed),
    .turned_i          (turned),
    .channel_o         (channel),
    .room_i            (room),
    .extensions_o      (extensions),
    .slot_i            (slot),
    .index_i           (index),
    .addr_i            (addr_back),
    .extensions_i      (wanted),
    .extensions_valid_i(extensions_valid),
    .extensions_ready_o(extensions_ready),
    .request_o         (request),
    .place_o           (place),
    .addr_o            (addr_put),
    .first_o           (first),
    .request_valid_o   (request_valid),
    .request_ready_i   (request_ready),
    .araddr_o          (araddr),
    .arattr_o,
    .arvalid_o,
    .arready_i
  );

  tsr_list_store #(
    .Channels   (Channels),
    .AddrWidth  (AddrWidth),
    .ListWidth  (ListWidth),
    .Slots      (Slots),
    .Outstanding(Outstanding)
  ) u_store (
    .clk_i,
    .rst_ni,
    .active_i          (active),
    .zero_i,
    .owed_o            (owed),
    .held_o            (held),
    .freed_o           (freed),
    .turned_o          (turned),
    .head_o,
    .channel_i         (channel),
    .extensions_i      (extensions),
    .room_o            (room),
    .slot_o            (slot),
    .index_o           (index),
    .addr_o            (addr_back),
    .extensions_o      (wanted),
    .extensions_valid_o(extensions_valid),
    .extensions_ready_i(extensions_ready),
    .request_i         (request),
    .place_i           (place),
    .addr_i            (addr_put),
    .first_i           (first),
    .request_valid_i   (request_valid),
    .request_ready_o   (request_ready),
    .asked_o           (asked),
    .valid_o,
    .select_i,
    .part_o,
    .take_i,
    .rdata_i,
    .rresp_i,
    .fault_i,
    .rvalid_i,
    .rready_o
  );

  assign busy_o   = active | owed | held;
  assign rests_o  = !arvalid_o && !asked;
  assign araddr_o = {araddr, 6'd0};
  assign arlen_o  = 8'(ListPartBits / ListWidth - 1);

endmodule
