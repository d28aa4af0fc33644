// Divides the reads of a port between external memory and the on-chip buffer, and joins their data in order.
//
// Contract: addresses of the buffer are those that are `Base` above their low SizeLog bits. Data that belong to no burst are
// the external memory's. `port_i.ar.id` is the ID of the port, with a burst or without. Of a port that has failed, and of bursts that
// it has given up: see tsr_onchip_turns.
// Latency: 0 cycles. Throughput: a burst and a beat a cycle. Paths through, both ways.
`include "tsr_assert.svh"
`include "tsr_port_types.svh"
module tsr_onchip_split_read #(
  parameter int unsigned AddrWidth = 64,
  parameter int unsigned BusLog = 3,
  parameter int unsigned IdWidth = 4,
  parameter int unsigned Outstanding = 64,  // bursts, a power of two
  parameter int unsigned SizeLog = 16,
  parameter logic [63:0] Base = '0,
  localparam int unsigned Lanes = 2 ** BusLog,
  localparam type ax_t = `TSR_PORT_AX_T(AddrWidth, IdWidth),
  localparam type buffer_ax_t = `TSR_PORT_ANY_AX_T(SizeLog, IdWidth),
  localparam type r_t = `TSR_PORT_R_T(Lanes, IdWidth),
  localparam type req_t = `TSR_PORT_RD_REQ_T(ax_t),
  localparam type buffer_req_t = `TSR_PORT_RD_REQ_T(buffer_ax_t),
  localparam type rsp_t = `TSR_PORT_RD_RSP_T(r_t)
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

  logic onchip, room, drop, from_buffer;

  // So that ARREADY does not wait for the address.
  ax_t ar;
  logic ar_valid, ar_ready;
  tsr_skid #(
    .T(ax_t)
  ) u_skid (
    .clk_i,
    .rst_ni,
    .data_i (port_i.ar),
    .valid_i(port_i.ar_valid),
    .ready_o(port_o.ar_ready),
    .data_o (ar),
    .valid_o(ar_valid),
    .ready_i(ar_ready)
  );
  assign onchip   = ar.addr[AddrWidth-1:SizeLog] == Base[AddrWidth-1:SizeLog];
  assign ar_ready = room && (onchip ? buffer_i.ar_ready : memory_i.ar_ready);
  tsr_onchip_turns #(
    .IdWidth(IdWidth),
    .Depth  (2 * Outstanding)
  ) u_turns (
    .clk_i,
    .rst_ni,
    .failed_i,
    .id_i          (port_i.ar.id),
    .onchip_i      (onchip),
    .burst_id_i    (ar.id),
    .valid_i       (ar_valid && ar_ready),
    .ready_o       (room),
    .buffer_id_i   (buffer_i.r.id),
    .buffer_valid_i(buffer_i.r_valid),
    .drop_o        (drop),
    .from_buffer_o (from_buffer),
    .answer_id_i   (port_o.r.id),
    .answer_i      (port_o.r_valid && port_i.r_ready && port_o.r.last)
  );

  assign memory_o.ar = ar;
  assign memory_o.ar_valid = ar_valid && room && !onchip;
  assign memory_o.r_ready = port_i.r_ready && !from_buffer;
  assign buffer_o.ar = '{
          id: ar.id,
          addr: ar.addr[SizeLog-1:0],
          len: ar.len,
          size: 3'(BusLog),
          burst: tsr_fabric_pkg::BurstIncr
      };
  assign buffer_o.ar_valid = ar_valid && room && onchip;
  assign buffer_o.r_ready = drop || (port_i.r_ready && from_buffer);
  assign port_o.r = from_buffer ? buffer_i.r : memory_i.r;
  assign port_o.r_valid = from_buffer ? buffer_i.r_valid && !drop : memory_i.r_valid;

  `TSR_STABLE(MemoryStays, memory_o.ar_valid, memory_i.ar_ready, memory_o.ar)
  `TSR_STABLE(BufferStays, buffer_o.ar_valid, buffer_i.ar_ready, buffer_o.ar)

endmodule
