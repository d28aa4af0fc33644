// Finds the header word of each packet and, with `Strip`, takes it off.
//
// Contract: the header is lanes 0 to 3 of a packet's first beat that is not null; `begin_o` comes
// with it, and `header_o` is valid then. With `Strip` what follows moves down by four lanes, null
// lanes with the rest: a packet that is full until TLAST stays so, and one that is a header alone
// becomes a null beat with TLAST. A packet that ends in, or has null lanes among, those four is `short_o`.
// Null beats without TLAST vanish. Combinational from input to output and from ready to ready: put a
// cell of rtl/prim behind it.
// Latency: 0 cycles; with Strip and more than 4 lanes a beat waits for the four bytes that complete it.
// Throughput: one input beat a cycle.
`include "tsr_assert.svh"
module tsr_header_take
  import tsr_packet_pkg::*;
#(
  parameter int unsigned Bytes = 8,    // 4, 8 .. 128
  parameter bit          Strip = 1'b1
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  logic    [Bytes-1:0][7:0] tdata_i,
  input  logic    [Bytes-1:0]      tkeep_i,
  input  logic                     tlast_i,
  input  logic                     tvalid_i,
  output logic                     tready_o,
  output header_t                  header_o,
  output logic                     short_o,
  output logic                     first_o,   // the next beat that is not null begins a packet
  output logic                     begin_o,   // it is taken
  output logic    [Bytes-1:0][7:0] tdata_o,
  output logic    [Bytes-1:0]      tkeep_o,
  output logic                     tlast_o,
  output logic                     tvalid_o,
  input  logic                     tready_i
);

  localparam int unsigned HeaderBytes = $bits(header_t) / 8;

  `TSR_STATIC_ASSERT(Bytes, $onehot(Bytes) && Bytes >= HeaderBytes && Bytes <= 128,
                     ("Bytes = %0d; legal is 4, 8, 16, 32, 64 or 128", Bytes))

  logic open_q, adds;  // inside a packet; the beat that is taken is not nothing
  assign begin_o  = adds && first_o;
  assign adds     = tvalid_i && tready_o && (tkeep_i != '0 || tlast_i);
  assign header_o = header_t'(tdata_i[HeaderBytes-1:0]);
  assign short_o  = tkeep_i[HeaderBytes-1:0] != '1;

  if (Strip) begin : gen_strip
    // Lanes 4 and up of the beat before, in front of lanes 0 to 3 of this one. While `open_q` they
    // wait for this one; `tail_q` says then that none comes.
    localparam int unsigned Rest = Bytes - HeaderBytes;
    logic [Bytes-1:0][7:0] held_q;
    logic [Bytes-1:0] held_keep_q;
    logic tail_q, ends;

    // The packet ends with this beat if nothing of it is left over.
    assign ends     = tlast_i && (tkeep_i >> HeaderBytes) == '0;
    assign first_o  = !open_q || tail_q;
    assign tready_o = !open_q || tready_i;
    assign tvalid_o = open_q && (tail_q || (tvalid_i && (tkeep_i != '0 || tlast_i)));
    assign tlast_o  = tail_q || ends;

    assign tdata_o  = held_q | (tdata_i << (Rest * 8));
    assign tkeep_o  = held_keep_q | (tail_q ? '0 : tkeep_i << Rest);

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        open_q <= 1'b0;
        tail_q <= 1'b0;
      end else if (tready_o) begin
        if (adds) begin
          open_q <= begin_o || !ends;
          tail_q <= tlast_i && (begin_o || !ends);
        end else if (tail_q) begin
          open_q <= 1'b0;
        end
      end
    end
    always_ff @(posedge clk_i) begin
      if (adds) begin
        held_q      <= tdata_i >> (HeaderBytes * 8);
        held_keep_q <= tkeep_i >> HeaderBytes;
      end
    end
  end else begin : gen_keep
    assign first_o  = !open_q;
    assign tready_o = tready_i;
    assign tvalid_o = tvalid_i && (tkeep_i != '0 || tlast_i);
    assign tlast_o  = tlast_i;
    assign tdata_o  = tdata_i;
    assign tkeep_o  = tkeep_i;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) open_q <= 1'b0;
      else if (adds) open_q <= !tlast_i;
    end
  end

endmodule
