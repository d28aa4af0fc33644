// tsr_pkt_split: what goes in comes out of the output that the table says, byte by byte and packet by
// packet, without its header or with it, or is dropped and reported; and nothing stays inside.
`include "proof.svh"

module split_proof
  import tsr_packet_pkg::*;
#(
  parameter  int unsigned Bytes     = 4,
  parameter  bit          Strip     = 1'b1,
  localparam int unsigned Outputs   = 2,
  localparam int unsigned MarkWidth = $clog2(Bytes + 1)
) (
  input logic                      clk_i,
  input logic                      rst_ni,
  input logic [  Outputs-1:0][4:0] id_i,
  input logic [  Outputs-1:0][4:0] mask_i,
  input logic [  Outputs-1:0]      enable_i,
  input logic [    Bytes-1:0][7:0] tdata_i,
  input logic [    Bytes-1:0]      tkeep_i,
  input logic                      tlast_i,
  input logic                      tvalid_i,
  input logic [  Outputs-1:0]      tready_i,
  input logic [MarkWidth-1:0]      mark_i,
  input logic                      mark_valid_i
);

  `TSR_PROOF_RESET

  logic [Outputs-1:0][Bytes-1:0][7:0] tdata_o;
  logic [Outputs-1:0][Bytes-1:0] tkeep_o;
  logic [Outputs-1:0] tlast_o, tvalid_o;
  logic tready_o, drop_o, drop_short_o, drop_parity_o;
  header_t drop_header_o;

  tsr_pkt_split #(
    .Bytes      (Bytes),
    .Outputs    (Outputs),
    .Strip      (Strip),
    .CheckParity(1'b1)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .id_i,
    .mask_i,
    .enable_i,
    .drop_o,
    .drop_header_o,
    .drop_short_o,
    .drop_parity_o,
    .tdata_i,
    .tkeep_i,
    .tlast_i,
    .tvalid_i,
    .tready_o,
    .tdata_o,
    .tkeep_o,
    .tlast_o,
    .tvalid_o,
    .tready_i
  );

  `TSR_ASSUME_STABLE(InputStable, tvalid_i, tready_o, ({tdata_i, tkeep_i, tlast_i}))

  // Where the beat that is taken belongs, worked out here.
  logic take, open_q, drops;
  logic [Outputs-1:0] to, to_q;
  logic [31:0] header;
  assign take   = tvalid_i && tready_o && (tkeep_i != '0 || tlast_i);
  assign header = tdata_i[3:0];
  always_comb begin
    to = to_q;
    if (!open_q) begin
      to = '0;
      if (tkeep_i[3:0] == '1 && ^header) begin
        if (enable_i[0] && ((header[4:0] ^ id_i[0]) & mask_i[0]) == '0) to = 2'b01;
        else if (enable_i[1] && ((header[4:0] ^ id_i[1]) & mask_i[1]) == '0) to = 2'b10;
      end
    end
  end
  assign drops = take && !open_q && to == '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) open_q <= 1'b0;
    else if (take) open_q <= !tlast_i;
    if (take) to_q <= to;
  end

  `TSR_ASSERT_NEXT(DroppedIsReported, drops, drop_o)
  `TSR_ASSERT_NEXT(NothingElseIsReported, !drops, !drop_o)

  // What of it must come out: without the header if that is stripped.
  logic [Bytes-1:0] keep;
  assign keep = (Strip && !open_q) ? tkeep_i & ~Bytes'(15) : tkeep_i;

  for (genvar i = 0; i < Outputs; i++) begin : gen_output
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
      .in_keep_i  (keep),
      .in_last_i  (tlast_i),
      .in_take_i  (take && to[i]),
      .out_data_i (tdata_o[i]),
      .out_keep_i (tkeep_o[i]),
      .out_last_i (tlast_o[i]),
      .out_valid_i(tvalid_o[i]),
      .out_ready_i(tready_i[i]),
      .due_i      (due[i])
    );
    assign due[i] = gen_output[i].u_check.inside_q != '0 && !open_q && tready_i == '1;
  end
  logic [Outputs-1:0] due;

  `TSR_COVER(Unknown, drop_o && !drop_short_o && !drop_parity_o)
  `TSR_COVER(Short, drop_o && drop_short_o)
  `TSR_COVER(Parity, drop_o && drop_parity_o && !drop_short_o)
  logic [3:0] streak_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !(tvalid_i && tready_o && to != '0)) streak_q <= '0;
    else if (streak_q != 4'd8) streak_q <= streak_q + 1'b1;
  end
  `TSR_COVER(FullThroughput, streak_q == 4'd8)

endmodule
