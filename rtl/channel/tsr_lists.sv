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
// * `done_i[c]`: valid/ready; a transfer of the list has its record. `told_o[c]`: its entry is in memory.
// * `rests_o`: nothing is on the bus. While `quiesce_i` nothing new goes there; lists stay as they are.
// * With Guard a fault of the memory ends all lists, as tsr_list_guard says. `give_up_i[c]` is as there
//   if the list of the channel was busy when the fault came or since; else it does nothing.
// Bursts are 64 bytes and 16 bytes long and aligned to them, one ID, AxSIZE as wide as the bus.
// Latency: doorbell or `open_i` to ARVALID 3 cycles; last beat of a descriptor to `valid_o` 1 cycle.
// Throughput: one burst a cycle, with Outstanding bursts and, of a channel, Slots parts under way.
// Area, 7-series, 64 address bits, two windows: 2400 LUT and 500 FF, and 400 and 60 for each channel. Words
// of descriptors are in LUT memory, 64 bytes wide: 86 LUT for 8 slots and no flop, where an assembler of
// serial beats has 512 flops and needs as many cycles as a part has beats.
`include "tsr_assert.svh"
`include "tsr_list_types.svh"
module tsr_lists
  import tsr_fabric_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_register_pkg::*;
  import tsr_list_pkg::*;
  import tsr_dma_pkg::*;
#(
  parameter int unsigned Channels = 2,  // 1..32
  parameter int unsigned AddrWidth = DmaDefaults.AddrWidth,  // 32..64
  parameter int unsigned ListWidth = DmaDefaults.ListWidth,  // 64..512
  parameter int unsigned Slots = DmaDefaults.ListSlots,  // 4..32, a power of two: parts of 64 bytes
  parameter int unsigned Outstanding = 16,  // 4..128, a power of two
  parameter int unsigned WriteDepth = 16,  // entries that wait, a power of two
  parameter bit Guard = DmaDefaults.Features.guard,  // detects faults of the memory
  parameter int unsigned Silence = DmaDefaults.Silence,  // ticks that are a fault
  parameter bit WindowCheck = 1'b1,
  parameter int unsigned Windows = 2,  // of a channel
  localparam int unsigned ChannelWidth = $clog2(Channels < 2 ? 2 : Channels),
  localparam type list_ax_t = `TSR_LIST_AX_T(AddrWidth),
  localparam type list_req_t = `TSR_LIST_REQ_T(list_ax_t, ListWidth),
  localparam type list_rsp_t = `TSR_LIST_RSP_T(ListWidth)
) (
  input  logic                                         clk_i,
  input  logic                                         rst_ni,
  input  logic                                         tick_i,        // counts for time-outs
  input  logic         [    Channels-1:0]              give_up_i,
  input  logic                                         quiesce_i,
  output logic                                         rests_o,
  // Registers.
  input  bus_request_t                                 request_i,
  input  logic                                         valid_i,
  input  logic         [             4:0]              channel_i,
  output logic                                         ready_o,
  output bus_answer_t                                  answer_o,
  // Channels; the attributes of their addresses.
  input  axi_attr_t    [    Channels-1:0]              attr_i,
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
  output list_told_t   [    Channels-1:0]              told_o,
  // Memory.
  output list_req_t                                    memory_o,
  input  list_rsp_t                                    memory_i
);

  `TSR_STATIC_ASSERT(WriteDepth, WriteDepth >= 2 && WriteDepth <= 256 && $onehot(WriteDepth),
                     ("WriteDepth = %0d; legal is 2, 4, 8 .. 256", WriteDepth))

  logic [Channels-1:0] owed_q;  // the memory may owe something to it
  logic fetch_rests, write_rests, port_rests;
  assign rests_o = fetch_rests && write_rests && port_rests;

  logic [Channels-1:0] doorbell, restart, write_restart, busy, write_busy;
  logic [ChannelWidth-1:0] fetch_channel, write_channel;
  list_setup_t setup;
  list_write_setup_t write_setup;
  list_index_t tail;
  list_index_t [Channels-1:0] head;
  list_write_error_e [Channels-1:0] write_error;
  list_index_t [Channels-1:0] failed_index;
  logic [Channels-1:0][63:0] failed_addr;
  fault_e fault;
  logic ar_valid, ar_ready, r_valid, r_ready, rd_failed, aw_valid, aw_ready, w_valid, w_ready;
  logic b_valid, wr_failed;
  logic [1:0] r_resp, b_resp;
  list_ax_t aw;

  tsr_list_registers #(
    .Channels(Channels)
  ) u_registers (
    .clk_i,
    .rst_ni,
    .request_i,
    .valid_i,
    .channel_i,
    .ready_o,
    .answer_o,
    .clear_i,
    .state_i        (state_o),
    .doorbell_o     (doorbell),
    .restart_o      (restart),
    .write_restart_o(write_restart),
    .fetch_channel_i(fetch_channel),
    .fetch_o        (setup),
    .tail_o         (tail),
    .write_channel_i(write_channel),
    .write_o        (write_setup)
  );

  tsr_list_fetcher #(
    .Channels   (Channels),
    .AddrWidth  (AddrWidth),
    .ListWidth  (ListWidth),
    .Slots      (Slots),
    .Outstanding(Outstanding),
    .WindowCheck(WindowCheck),
    .Windows    (Windows)
  ) u_fetcher (
    .clk_i,
    .rst_ni,
    .quiesce_i,
    .rests_o   (fetch_rests),
    .attr_i,
    .window_i,
    .open_i    (open_i & ~clear_i),
    .again_i,
    .zero_i    (clear_i | restart),
    .doorbell_i(doorbell),
    .busy_o    (busy),
    .head_o    (head),
    .channel_o (fetch_channel),
    .setup_i   (setup),
    .tail_i    (tail),
    .valid_o,
    .select_i,
    .part_o,
    .take_i,
    .araddr_o  (memory_o.ar.addr),
    .arlen_o   (memory_o.ar.len),
    .arattr_o  (memory_o.ar.attr),
    .arvalid_o (ar_valid),
    .arready_i (ar_ready),
    .rdata_i   (memory_i.r_data),
    .rresp_i   (r_resp),
    .fault_i   (rd_failed),
    .rvalid_i  (r_valid),
    .rready_o  (r_ready)
  );

  tsr_list_writer #(
    .Channels   (Channels),
    .AddrWidth  (AddrWidth),
    .ListWidth  (ListWidth),
    .Depth      (WriteDepth),
    .WindowCheck(WindowCheck),
    .Windows    (Windows)
  ) u_writer (
    .clk_i,
    .rst_ni,
    .quiesce_i,
    .rests_o       (write_rests),
    .attr_i,
    .window_i,
    .clear_i,
    .restart_i     (write_restart),
    .busy_o        (write_busy),
    .error_o       (write_error),
    .failed_index_o(failed_index),
    .failed_addr_o (failed_addr),
    .channel_o     (write_channel),
    .setup_i       (write_setup),
    .done_i,
    .done_valid_i,
    .done_ready_o,
    .told_o,
    .awaddr_o      (aw.addr),
    .awlen_o       (aw.len),
    .awattr_o      (aw.attr),
    .awvalid_o     (aw_valid),
    .awready_i     (aw_ready),
    .wdata_o       (memory_o.w_data),
    .wstrb_o       (memory_o.w_strb),
    .wlast_o       (memory_o.w_last),
    .wvalid_o      (w_valid),
    .wready_i      (w_ready),
    .bresp_i       (b_resp),
    .fault_i       (wr_failed),
    .bvalid_i      (b_valid),
    .bready_o      (memory_o.b_ready)
  );

  tsr_list_guard #(
    .Guard      (Guard),
    .AddrWidth  (AddrWidth),
    .Outstanding(Outstanding),
    .Entries    (WriteDepth),
    .Silence    (Silence)
  ) u_guard (
    .clk_i,
    .rst_ni,
    .tick_i,
    .closed_i   (open_i == '0),
    .give_up_i  ((give_up_i & owed_q) != '0),
    .fault_o    (fault),
    .idle_o     (port_rests),
    .arlen_i    (memory_o.ar.len),
    .arvalid_i  (ar_valid),
    .arready_o  (ar_ready),
    .rresp_o    (r_resp),
    .rvalid_o   (r_valid),
    .rready_i   (r_ready),
    .rd_failed_o(rd_failed),
    .aw_i       (aw),
    .awvalid_i  (aw_valid),
    .awready_o  (aw_ready),
    .wlast_i    (memory_o.w_last),
    .wvalid_i   (w_valid),
    .wready_o   (w_ready),
    .bresp_o    (b_resp),
    .bvalid_o   (b_valid),
    .wr_failed_o(wr_failed),
    .arvalid_o  (memory_o.ar_valid),
    .arready_i  (memory_i.ar_ready),
    .r_i        (memory_i.r),
    .rvalid_i   (memory_i.r_valid),
    .rready_o   (memory_o.r_ready),
    .aw_o       (memory_o.aw),
    .awvalid_o  (memory_o.aw_valid),
    .awready_i  (memory_i.aw_ready),
    .wvalid_o   (memory_o.w_valid),
    .wready_i   (memory_i.w_ready),
    .bresp_i    (memory_i.b_resp),
    .bvalid_i   (memory_i.b_valid)
  );

  for (genvar c = 0; c < Channels; c++) begin : gen_channel
    fault_e fault_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear_i[c]) fault_q <= FaultNone;
      else if (fault != FaultNone) fault_q <= fault;
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) owed_q[c] <= 1'b0;
      else owed_q[c] <= state_o[c].busy || (owed_q[c] && (rd_failed || wr_failed));
    end
    assign state_o[c] = '{
            head: head[c],
            busy: busy[c] || write_busy[c] || open_i[c],
            write_error: write_error[c],
            failed_index: failed_index[c],
            failed_addr: failed_addr[c],
            fault: fault_q
        };
  end

endmodule
