// tsr_header_put, with a slice behind it: each packet that is to have one comes out behind the header that
// was there when it began, with the right parity, and else as it went in.
`include "proof.svh"

module header_put_proof
  import tsr_packet_pkg::*;
#(
  parameter  int unsigned Bytes     = 4,
  localparam int unsigned MarkWidth = $clog2(Bytes + 1)
) (
  input logic                         clk_i,
  input logic                         rst_ni,
  input logic                         enable_i,
  input header_t                      header_i,
  input logic    [    Bytes-1:0][7:0] tdata_i,
  input logic    [    Bytes-1:0]      tkeep_i,
  input logic                         tlast_i,
  input logic                         tvalid_i,
  input logic                         tready_i,
  input logic    [MarkWidth-1:0]      mark_i,
  input logic                         mark_valid_i
);

  `TSR_PROOF_RESET

  typedef struct packed {
    logic [Bytes-1:0][7:0] data;
    logic [Bytes-1:0]      keep;
    logic                  last;
    logic                  headed;
  } beat_t;

  beat_t put, out;
  logic unused_tail;
  logic tready_o, put_valid, put_ready, out_valid;

  tsr_header_put #(
    .Bytes(Bytes)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .enable_i,
    .header_i,
    .tdata_i,
    .tkeep_i,
    .tlast_i,
    .tends_i (1'b0),
    .tvalid_i,
    .tready_o,
    .tdata_o (put.data),
    .tkeep_o (put.keep),
    .tlast_o (put.last),
    .tail_o  (unused_tail),
    .tvalid_o(put_valid),
    .tready_i(put_ready)
  );

  tsr_slice #(
    .T(beat_t)
  ) u_slice (
    .clk_i,
    .rst_ni,
    .data_i (put),
    .valid_i(put_valid),
    .ready_o(put_ready),
    .data_o (out),
    .valid_o(out_valid),
    .ready_i(tready_i)
  );

  `TSR_ASSUME_STABLE(InputStable, tvalid_i, tready_o, ({tdata_i, tkeep_i, tlast_i}))

  logic take, in_open_q, out_open_q, out_first;
  assign take      = tvalid_i && tready_o && (tkeep_i != '0 || tlast_i);
  assign out_first = out_valid && !out_open_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      in_open_q  <= 1'b0;
      out_open_q <= 1'b0;
    end else begin
      if (take) in_open_q <= !tlast_i;
      if (out_valid && tready_i) out_open_q <= !out.last;
    end
  end

  // ---- Headers, where they are put ---------------------------------------------------------------

  logic put_open_q, put_first, headed_q;
  logic [31:0] word;
  assign put_first = put_valid && !put_open_q;
  assign word      = put.data[3:0];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) put_open_q <= 1'b0;
    else if (put_valid && put_ready) put_open_q <= !put.last;
    headed_q <= put.headed;
  end
  assign put.headed = put_open_q ? headed_q : enable_i;
  `TSR_ASSERT(HeaderWhole, !put_first || !enable_i || put.keep[3:0] == '1)
  `TSR_ASSERT(ParityOdd, !put_first || !enable_i || ^word)
  `TSR_ASSERT(HeaderOfItsPacket, !put_first || !enable_i || word[30:0] == header_i[30:0])
  `TSR_ASSERT(PacketBegins, !put_first || !in_open_q)

  // ---- The rest is as it was ---------------------------------------------------------------------

  logic [Bytes-1:0] keep;
  assign keep = out_first && out.headed ? out.keep & ~Bytes'(15) : out.keep;
  stream_check #(
    .InBytes   (Bytes),
    .OutBytes  (Bytes),
    .CountWidth($clog2(4 * Bytes + 8)),
    .Patience  (3)
  ) u_check (
    .clk_i,
    .rst_ni,
    .mark_i,
    .mark_valid_i,
    .in_data_i  (tdata_i),
    .in_keep_i  (tkeep_i),
    .in_last_i  (tlast_i),
    .in_take_i  (tvalid_i && tready_o),
    .out_data_i (out.data),
    .out_keep_i (keep),
    .out_last_i (out.last),
    .out_valid_i(out_valid),
    .out_ready_i(tready_i),
    .due_i      (u_check.inside_q != '0 && tready_i && (!in_open_q || take))
  );

  `TSR_COVER(NoHeader, out_first && !out.headed && out.last && out.keep == Bytes'(15))
  `TSR_COVER(HeaderAlone, out.headed && out_first && out.last && out.keep == Bytes'(15))
  logic [3:0] streak_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !(out_valid && tready_i)) streak_q <= '0;
    else if (streak_q != 4'd8) streak_q <= streak_q + 1'b1;
  end
  `TSR_COVER(FullThroughput, streak_q == 4'd8)

endmodule
