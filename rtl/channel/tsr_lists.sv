// Descriptor lists in memory of all channels: their registers, the fetch, the completion entries.
//
// Contract, of each channel c:
// * Registers 0x80 .. 0xbc: `request_i` with `channel_i`, held until ready, answered in that cycle.
// * `open_i[c]`: a task of the channel takes its descriptors from the list. Falling, it ends the list: what
//   was fetched and not taken is dropped. It may rise again at once; what is on the bus is waited for.
// * `again_i[c]`: another turn of the task follows, so that an array is fetched beyond its end from its
//   beginning. Too late it costs time, too early bursts for nothing.
// * `clear_i[c]`: the channel is in reset, and not open.
// * `valid_o[c]`: a part of a descriptor, or an error, is there. With `select_i` the loader chooses the
//   channel whose part is on `part_o`, in the same cycle; `take_i` takes it. The parts of a descriptor are
//   taken one after the other with `select_i` unchanged, unless valid falls. After an error nothing comes
//   until the list is closed.
// * `done_i[c]`: valid/ready; a transfer of the list has its record. `interrupts_o[c]`: one cycle.
// Bursts are 64 bytes and 16 bytes long and aligned to them, one ID, AxSIZE as wide as the bus.
// Latency: doorbell or `open_i` to ARVALID 3 cycles; last beat of a descriptor to `valid_o` 1 cycle.
// Throughput: Outstanding bursts and, of a channel, Slots parts under way.
`include "tsr_assert.svh"
module tsr_lists
  import tsr_fabric_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_register_pkg::*;
  import tsr_list_pkg::*;
#(
  parameter int unsigned Channels = 2,  // 1..32
  parameter int unsigned AddrWidth = 64,  // 32..64
  parameter int unsigned ListWidth = 64,  // 64..512
  parameter int unsigned Slots = 8,  // 4..32, a power of two: parts of 64 bytes
  parameter int unsigned Outstanding = 16,  // 4..128, a power of two
  parameter int unsigned WriteDepth = 16,  // entries that wait, a power of two
  parameter bit WindowCheck = 1'b1,
  parameter int unsigned Windows = 2,  // of a channel
  localparam int unsigned ChannelWidth = $clog2(Channels < 2 ? 2 : Channels)
) (
  input  logic                                         clk_i,
  input  logic                                         rst_ni,
  // Registers.
  input  bus_request_t                                 request_i,
  input  logic                                         valid_i,
  input  logic         [             4:0]              channel_i,
  output logic                                         ready_o,
  output bus_answer_t                                  answer_o,
  // Channels.
  input  window_t      [    Channels-1:0][Windows-1:0] window_i,
  input  logic         [    Channels-1:0]              open_i,
  input  logic         [    Channels-1:0]              again_i,
  input  logic         [    Channels-1:0]              clear_i,
  output list_state_t  [    Channels-1:0]              state_o,
  // Descriptors, to the loader.
  output logic         [    Channels-1:0]              valid_o,
  input  logic         [ChannelWidth-1:0]              select_i,
  output list_part_t                                   part_o,
  input  logic                                         take_i,
  // Completion entries.
  input  list_done_t   [    Channels-1:0]              done_i,
  input  logic         [    Channels-1:0]              done_valid_i,
  output logic         [    Channels-1:0]              done_ready_o,
  output logic         [    Channels-1:0]              interrupts_o,
  // Memory.
  output logic         [   AddrWidth-1:0]              araddr_o,
  output logic         [             7:0]              arlen_o,
  output logic                                         arvalid_o,
  input  logic                                         arready_i,
  input  logic         [   ListWidth-1:0]              rdata_i,
  input  logic         [             1:0]              rresp_i,
  input  logic                                         rlast_i,
  input  logic                                         rvalid_i,
  output logic                                         rready_o,
  output logic         [   AddrWidth-1:0]              awaddr_o,
  output logic         [             7:0]              awlen_o,
  output logic                                         awvalid_o,
  input  logic                                         awready_i,
  output logic         [   ListWidth-1:0]              wdata_o,
  output logic         [ ListWidth/8-1:0]              wstrb_o,
  output logic                                         wlast_o,
  output logic                                         wvalid_o,
  input  logic                                         wready_i,
  input  logic         [             1:0]              bresp_i,
  input  logic                                         bvalid_i,
  output logic                                         bready_o
);

  `TSR_STATIC_ASSERT(Channels, Channels >= 1 && Channels <= 32,
                     ("Channels = %0d; legal is 1 to 32", Channels))

  // The ports alone: no list has a descriptor, every access is refused.
  logic unused_ports;
  assign unused_ports = ^{clk_i, rst_ni, request_i, valid_i, channel_i, window_i, open_i, again_i,
      clear_i, select_i, take_i, done_i, done_valid_i, arready_i, rdata_i, rresp_i,
      rlast_i, rvalid_i, awready_i, wready_i, bresp_i, bvalid_i,
      1'(Slots), 1'(Outstanding), 1'(WriteDepth), WindowCheck};
  assign ready_o = 1'b1;
  assign answer_o = '{error: 1'b1, data: '0};
  assign state_o = '0;
  assign valid_o = '0;
  assign part_o = '0;
  assign done_ready_o = '1;
  assign interrupts_o = '0;
  assign araddr_o = '0;
  assign arlen_o = '0;
  assign arvalid_o = 1'b0;
  assign rready_o = 1'b1;
  assign awaddr_o = '0;
  assign awlen_o = '0;
  assign awvalid_o = 1'b0;
  assign wdata_o = '0;
  assign wstrb_o = '0;
  assign wlast_o = 1'b0;
  assign wvalid_o = 1'b0;
  assign bready_o = 1'b1;

endmodule
