// Makes a stream narrower: a wide beat goes out in pieces, lowest lanes first.
//
// Contract: kept bytes and ends of packets stay in order; lanes keep their places, a null lane stays
// null. Pieces without a kept byte are left out, and TLAST comes with the last piece that has one. A
// null beat without TLAST and `tends_i` vanishes; one with one of them is one null piece. Nothing waits inside
// for what follows. The first piece of a beat with null lanes and without TLAST has `sparse_o`. `side_i`
// goes with its piece. A piece shown stays; no path from ready to ready or from valid to valid.
// Latency: 1 cycle to the first piece. Throughput: one piece a cycle, also across wide beats; a hole
// of a whole piece inside a beat costs a cycle.
`include "tsr_assert.svh"
module tsr_stream_narrow #(
  parameter  int unsigned InBytes  = 8,                  // 2 * OutBytes .. 128, a power of two
  parameter  int unsigned OutBytes = 4,                  // 1, 2, 4 .. 64
  parameter  type         side_t   = logic,
  localparam int unsigned Ratio    = InBytes / OutBytes
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic  [ InBytes-1:0][7:0] tdata_i,
  input  logic  [ InBytes-1:0]      tkeep_i,
  input  logic                      tlast_i,
  input  logic                      tends_i,
  input  side_t [   Ratio-1:0]      side_i,
  input  logic                      tvalid_i,
  output logic                      tready_o,
  output logic  [OutBytes-1:0][7:0] tdata_o,
  output logic  [OutBytes-1:0]      tkeep_o,
  output logic                      tlast_o,
  output logic                      sparse_o,
  output side_t                     side_o,
  output logic                      tvalid_o,
  input  logic                      tready_i
);

  `TSR_STATIC_ASSERT(InBytes, $onehot(InBytes) && InBytes > OutBytes && InBytes <= 128,
                     ("InBytes = %0d; legal is a power of two above OutBytes, up to 128", InBytes))
  `TSR_STATIC_ASSERT(OutBytes, $onehot(OutBytes) && OutBytes <= 64,
                     ("OutBytes = %0d; legal is 1, 2, 4, 8, 16, 32 or 64", OutBytes))

  typedef logic [OutBytes-1:0] lanes_t;
  typedef struct packed {
    logic [OutBytes-1:0][7:0] data;
    lanes_t                   keep;
    logic                     last;
    logic                     sparse;
    side_t                    side;
  } beat_t;

  // The wide beat moves down a piece at a time. `more_q` tells which pieces above the lowest have a
  // kept byte, `final_q` that none has, `shows_q` that the lowest goes out.
  logic [Ratio-1:0][OutBytes-1:0][7:0] data_q;
  logic [Ratio-1:0][OutBytes-1:0] keep_q;
  side_t [Ratio-1:0] side_q;
  logic [Ratio:1] more_q, more_in;
  logic busy_q, final_q, shows_q, last_q, sparse_q;
  logic load, step, out_ready;
  beat_t piece;

  for (genvar i = 1; i < Ratio; i++) begin : gen_more
    assign more_in[i] = tkeep_i[i*OutBytes+:OutBytes] != '0;
  end

  assign more_in[Ratio] = 1'b0;

  assign piece = '{
          data: data_q[0],
          keep: keep_q[0],
          last: last_q && final_q,
          sparse: sparse_q,
          side: side_q[0]
      };
  assign step = out_ready || !shows_q;
  assign tready_o = !busy_q || (final_q && out_ready);
  assign load = tvalid_i && tready_o && (tkeep_i != '0 || tlast_i || tends_i);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) busy_q <= 1'b0;
    else if (tready_o) busy_q <= load;
  end

  always_ff @(posedge clk_i) begin
    if (tready_o) begin
      data_q   <= tdata_i;
      keep_q   <= tkeep_i;
      last_q   <= tlast_i;
      side_q   <= side_i;
      sparse_q <= tkeep_i != '1 && !tlast_i;
      more_q   <= more_in;
      final_q  <= more_in == '0;
      shows_q  <= tkeep_i[OutBytes-1:0] != '0 || more_in == '0;
    end else if (step) begin
      data_q <= data_q >> (OutBytes * 8);
      keep_q <= keep_q >> OutBytes;
      side_q <= side_q >> $bits(side_t);
      more_q <= more_q >> 1;
      if (shows_q) sparse_q <= 1'b0;
      final_q <= (more_q >> 1) == '0;
      shows_q <= more_q[1] || (more_q >> 1) == '0;
    end
  end

  // The ready path is cut where the stream is narrow.
  beat_t out;
  tsr_skid #(
    .T(beat_t)
  ) u_skid (
    .clk_i,
    .rst_ni,
    .data_i (piece),
    .valid_i(busy_q && shows_q),
    .ready_o(out_ready),
    .data_o (out),
    .valid_o(tvalid_o),
    .ready_i(tready_i)
  );

  assign tdata_o  = out.data;
  assign tkeep_o  = out.keep;
  assign tlast_o  = out.last;
  assign side_o   = out.side;
  assign sparse_o = out.sparse;

  `TSR_STABLE(OutputStable, tvalid_o, tready_i, ({tdata_o, tkeep_o, tlast_o, side_o}))

endmodule
