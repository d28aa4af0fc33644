// Takes the header off each packet of a stream and offers the descriptor that it names.
//
// Contract: without `enable_i` the stream passes. With it the headers' out-of-order ids come in the order of
// their packets; Headers of them may be ahead of the one that is taken, and Beats of payload of the one
// that the stream takes. A packet whose header is not whole is taken and dropped; `short_o` pulses. `clear_i`
// forgets ids and payload, keeps new packets waiting, and drops the rest of the packet that has begun; so does
// the end of `enable_i`, behind which the stream passes from the next packet on. `enable_i` begins between
// packets.
// Header: tsr_header_take. Its parity is not looked at.
// Latency: 0 cycles without `enable_i`; a beat with it. Throughput: one beat a cycle.
`include "tsr_assert.svh"
`include "tsr_types.svh"
module tsr_header_pick
  import tsr_channel_pkg::*;
  import tsr_packet_pkg::*;
#(
  parameter  int unsigned Bytes   = 8,                  // 4, 8 .. 128
  parameter  int unsigned Headers = 4,                  // a power of two
  parameter  int unsigned Beats   = 16,                 // a power of two
  localparam type         beat_t  = `TSR_BEAT_T(Bytes)
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        enable_i,
  input  logic        clear_i,
  output logic  [5:0] id_o,
  output logic        id_valid_o,
  output logic        short_o,     // a packet begins without a whole header
  input  logic        id_ready_i,
  input  side_t       side_i,
  input  beat_t       beat_i,
  input  logic        valid_i,
  output logic        ready_o,
  output side_t       side_o,
  output beat_t       beat_o,
  output logic        valid_o,
  input  logic        ready_i
);

  typedef struct packed {
    side_t side;
    beat_t beat;
  } item_t;

  item_t in, payload;
  header_t header;
  logic begins, first, short, take_ready, in_valid, in_ready, out_room, out_valid, id_room;
  logic dropping_q, enabled, forgets, opens, holds;
  side_t side_q;

  // A packet that has begun is taken to its end.
  assign enabled = enable_i || !first;
  assign forgets = clear_i || !enable_i;
  // Before a packet begins there is room for its id, and no clear.
  assign holds   = first && (!id_room || clear_i);
  assign opens   = valid_i && enabled && !holds;
  assign ready_o = enabled ? take_ready && !holds : ready_i;

  tsr_header_take #(
    .Bytes(Bytes),
    .Strip(1'b1)
  ) u_take (
    .clk_i,
    .rst_ni,
    .tdata_i (beat_i.data),
    .tkeep_i (beat_i.keep),
    .tlast_i (beat_i.last),
    .tvalid_i(opens),
    .tready_o(take_ready),
    .header_o(header),
    .short_o (short),
    .first_o (first),
    .begin_o (begins),
    .tdata_o (in.beat.data),
    .tkeep_o (in.beat.keep),
    .tlast_o (in.beat.last),
    .tvalid_o(in_valid),
    .tready_i(in_ready)
  );

  // The side information of a packet's first beat is that of its payload.
  assign in.side = side_q;
  always_ff @(posedge clk_i) begin
    if (begins) side_q <= side_i;
  end

  // What is dropped: a packet without a whole header, and the rest of one in which a clear came.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) dropping_q <= 1'b0;
    else if (begins) dropping_q <= short || clear_i;
    else if (in_valid && in_ready && in.beat.last) dropping_q <= 1'b0;
    else if (forgets && !first) dropping_q <= 1'b1;
  end
  assign in_ready = out_room || dropping_q || forgets;
  assign short_o  = begins && short;

  tsr_fifo #(
    .Depth(Headers),
    .T    (logic [5:0])
  ) u_ids (
    .clk_i,
    .rst_ni,
    .flush_i(forgets),
    .data_i (header.bd),
    .valid_i(begins && !short),
    .ready_o(id_room),
    .data_o (id_o),
    .valid_o(id_valid_o),
    .ready_i(id_ready_i)
  );

  tsr_fifo #(
    .Depth(Beats),
    .T    (item_t)
  ) u_payload (
    .clk_i,
    .rst_ni,
    .flush_i(forgets),
    .data_i (in),
    .valid_i(in_valid && !dropping_q),
    .ready_o(out_room),
    .data_o (payload),
    .valid_o(out_valid),
    .ready_i(ready_i)
  );

  assign side_o  = enabled ? payload.side : side_i;
  assign beat_o  = enabled ? payload.beat : beat_i;
  assign valid_o = enabled ? out_valid && enable_i : valid_i;

  logic unused_header;
  assign unused_header = ^header;

  `TSR_ASSERT(NoIdIsLost, !(begins && !short) || id_room)

endmodule
