// Divides the writes of a port between external memory and the on-chip buffer, and joins their responses in order.
//
// Contract: as tsr_onchip_split_read. Data follow their address from the cycle after it is shown, whether it is taken or
// not: a memory may wait for them.
// Latency: 0 cycles. Throughput: a burst, a beat and a response a cycle. Paths through, both ways.
`include "tsr_assert.svh"
`include "tsr_port_types.svh"
module tsr_onchip_split_write #(
  parameter int unsigned AddrWidth = 64,
  parameter int unsigned BusLog = 3,
  parameter int unsigned IdWidth = 4,
  parameter int unsigned Outstanding = 64,  // bursts, a power of two
  parameter int unsigned SizeLog = 16,
  parameter logic [63:0] Base = '0,
  localparam int unsigned Lanes = 2 ** BusLog,
  localparam type ax_t = `TSR_PORT_AX_T(AddrWidth, IdWidth),
  localparam type buffer_ax_t = `TSR_PORT_ANY_AX_T(SizeLog, IdWidth),
  localparam type w_t = `TSR_PORT_W_T(Lanes),
  localparam type b_t = `TSR_PORT_B_T(IdWidth),
  localparam type req_t = `TSR_PORT_WR_REQ_T(ax_t, w_t),
  localparam type buffer_req_t = `TSR_PORT_WR_REQ_T(buffer_ax_t, w_t),
  localparam type rsp_t = `TSR_PORT_WR_RSP_T(b_t)
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        failed_i,
  input  req_t        port_i,
  output rsp_t        port_o,
  output req_t        memory_o,
  input  rsp_t        memory_i,
  output buffer_req_t buffer_o,
  input  rsp_t        buffer_i
);

  logic onchip, room, data_room, data_some, data_onchip, drop, from_buffer, shows, shown_q;

  // So that AWREADY does not wait for the address.
  ax_t aw;
  logic aw_valid, aw_ready, valid;
  tsr_skid #(
    .T(ax_t)
  ) u_skid (
    .clk_i,
    .rst_ni,
    .data_i (port_i.aw),
    .valid_i(port_i.aw_valid),
    .ready_o(port_o.aw_ready),
    .data_o (aw),
    .valid_o(aw_valid),
    .ready_i(aw_ready)
  );
  assign onchip   = aw.addr[AddrWidth-1:SizeLog] == Base[AddrWidth-1:SizeLog];
  // What is shown stays so: there is room for it.
  assign valid    = aw_valid && (shown_q || (room && data_room));
  assign aw_ready = valid && (onchip ? buffer_i.aw_ready : memory_i.aw_ready);
  assign shows = valid && !shown_q;
  always_ff @(posedge clk_i) begin
    shown_q <= rst_ni && valid && !aw_ready;
  end
  tsr_fifo #(
    .Depth(2 * Outstanding),
    .T    (logic)
  ) u_data (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .data_i (onchip),
    .valid_i(shows),
    .ready_o(data_room),
    .data_o (data_onchip),
    .valid_o(data_some),
    .ready_i(port_i.w_valid && port_o.w_ready && port_i.w.last)
  );
  tsr_onchip_turns #(
    .IdWidth(IdWidth),
    .Depth  (2 * Outstanding)
  ) u_turns (
    .clk_i,
    .rst_ni,
    .failed_i,
    .id_i          (port_i.aw.id),
    .onchip_i      (onchip),
    .burst_id_i    (aw.id),
    .valid_i       (shows),
    .ready_o       (room),
    .buffer_id_i   (buffer_i.b.id),
    .buffer_valid_i(buffer_i.b_valid),
    .drop_o        (drop),
    .from_buffer_o (from_buffer),
    .answer_id_i   (port_o.b.id),
    .answer_i      (port_o.b_valid && port_i.b_ready)
  );

  assign memory_o.aw = aw;
  assign memory_o.aw_valid = valid && !onchip;
  assign memory_o.w = port_i.w;
  assign memory_o.w_valid = port_i.w_valid && data_some && !data_onchip;
  assign memory_o.b_ready = port_i.b_ready && !from_buffer;
  assign buffer_o.aw = '{
          id: aw.id,
          addr: aw.addr[SizeLog-1:0],
          len: aw.len,
          size: 3'(BusLog),
          burst: tsr_fabric_pkg::BurstIncr
      };
  assign buffer_o.aw_valid = valid && onchip;
  assign buffer_o.w = port_i.w;
  assign buffer_o.w_valid = port_i.w_valid && data_some && data_onchip;
  assign buffer_o.b_ready = drop || (port_i.b_ready && from_buffer);
  assign port_o.w_ready = data_some && (data_onchip ? buffer_i.w_ready : memory_i.w_ready);
  assign port_o.b = from_buffer ? buffer_i.b : memory_i.b;
  assign port_o.b_valid = from_buffer ? buffer_i.b_valid && !drop : memory_i.b_valid;

  `TSR_STABLE(MemoryStays, memory_o.aw_valid, memory_i.aw_ready, memory_o.aw)
  `TSR_STABLE(BufferStays, buffer_o.aw_valid, buffer_i.aw_ready, buffer_o.aw)

endmodule
