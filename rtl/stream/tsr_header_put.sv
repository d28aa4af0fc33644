// Puts a header word in front of each packet that is to have one.
//
// Contract: `enable_i` and `header_i` are taken with a packet's first beat; the parity is made here. A packet
// without `enable_i` passes as it is. What follows a header moves up by four lanes, null lanes with the rest, until
// TLAST or `tends_i`; what comes behind that beat passes as it is. A packet that is full until TLAST stays so. Null beats
// without TLAST vanish, but for `tends_i`, which sends what is held; an empty packet (a null beat with TLAST) becomes a
// header with TLAST.
// Combinational from input to output and from ready to ready: put a cell of rtl/prim behind it.
// Latency: 0 cycles; bytes that the header displaces come a beat later. Throughput: one output beat a
// cycle; a packet takes one more than it had if four lanes more do not fit into its last beat.
`include "tsr_assert.svh"
module tsr_header_put
  import tsr_packet_pkg::*;
#(
  parameter int unsigned Bytes = 8  // 4, 8 .. 128
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  logic                     enable_i,
  input  header_t                  header_i,
  input  logic    [Bytes-1:0][7:0] tdata_i,
  input  logic    [Bytes-1:0]      tkeep_i,
  input  logic                     tlast_i,
  input  logic                     tends_i,
  input  logic                     tvalid_i,
  output logic                     tready_o,
  output logic    [Bytes-1:0][7:0] tdata_o,
  output logic    [Bytes-1:0]      tkeep_o,
  output logic                     tlast_o,
  output logic                     tail_o,    // bytes of the beat before, and no others
  output logic                     tvalid_o,
  input  logic                     tready_i
);

  localparam int unsigned HeaderBytes = $bits(header_t) / 8;

  `TSR_STATIC_ASSERT(Bytes, $onehot(Bytes) && Bytes >= HeaderBytes && Bytes <= 128,
                     ("Bytes = %0d; legal is 4, 8, 16, 32, 64 or 128", Bytes))

  typedef logic [Bytes-1:0][7:0] data_t;
  typedef logic [Bytes-1:0] lanes_t;
  localparam int unsigned Rest = Bytes - HeaderBytes;

  // The four bytes in front of this beat: the header, or the highest lanes of the beat before.
  // `tail_q`: they go alone, and end the packet with `last_q`.
  logic [HeaderBytes-1:0][7:0] held_q, front;
  logic [HeaderBytes-1:0] held_keep_q, front_keep;
  logic open_q, tail_q, last_q, headed_q, adds, over, headed;

  assign adds = tvalid_i && (tkeep_i != '0 || tlast_i || (tends_i && open_q && headed_q));
  assign headed = open_q ? headed_q || tail_q : enable_i;
  assign over = headed && tkeep_i[Bytes-1:Rest] != '0;  // its highest lanes go into the next beat
  assign front = open_q ? held_q : sealed(header_i);
  assign front_keep = open_q ? held_keep_q : '1;
  assign tready_o = tready_i && !tail_q;
  assign tvalid_o = tail_q || adds;
  assign tlast_o = tail_q ? last_q : tlast_i && !over;
  assign tail_o = tail_q;
  assign tdata_o = headed ? (tdata_i << (HeaderBytes * 8)) | data_t'(front) : tdata_i;
  assign tkeep_o = headed ? (tail_q ? '0 : tkeep_i << HeaderBytes) | lanes_t'(front_keep) : tkeep_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      open_q <= 1'b0;
      tail_q <= 1'b0;
    end else if (tready_i && tvalid_o) begin
      open_q <= !tlast_o;
      tail_q <= !tail_q && (tlast_i || tends_i) && over;
    end
  end
  always_ff @(posedge clk_i) begin
    if (tready_o && adds) begin
      headed_q    <= headed && !tends_i;
      last_q      <= tlast_i;
      held_q      <= tdata_i[Bytes-1:Rest];
      held_keep_q <= tkeep_i[Bytes-1:Rest];
    end
  end

endmodule
