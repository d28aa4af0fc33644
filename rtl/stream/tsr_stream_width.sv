// Changes the width of a stream by any power of two, up or down; the same width is a wire.
//
// Contract, latency and throughput: as tsr_stream_widen and tsr_stream_narrow; a wire has latency 0.
// `flush_i` and `held_o` are of use to a wider output only. Beside the stream goes a `side_t` of each narrow beat.
`include "tsr_assert.svh"
module tsr_stream_width #(
  parameter int unsigned InBytes = 4,  // 1, 2, 4 .. 128
  parameter int unsigned OutBytes = 8,  // 1, 2, 4 .. 128
  parameter bit Apart = 1'b0,  // see tsr_stream_widen
  parameter type side_t = logic,
  localparam int unsigned InSides = InBytes > OutBytes ? InBytes / OutBytes : 1,
  localparam int unsigned OutSides = OutBytes > InBytes ? OutBytes / InBytes : 1
) (
  input logic clk_i,
  input logic rst_ni,
  input logic flush_i,
  output logic held_o,
  input logic [InBytes-1:0][7:0] tdata_i,
  input logic [InBytes-1:0] tkeep_i,
  input logic tlast_i,
  input logic tends_i,
  input side_t [InSides-1:0] side_i,
  input logic tvalid_i,
  output logic tready_o,
  output logic [OutBytes-1:0][7:0] tdata_o,
  output logic [OutBytes-1:0] tkeep_o,
  output logic tlast_o,
  output side_t [OutSides-1:0] side_o,
  output logic sparse_o,  // null bytes where none may be: the first beat of them
  output logic tvalid_o,
  input logic tready_i
);

  `TSR_STATIC_ASSERT(InBytes, $onehot(InBytes) && InBytes <= 128,
                     ("InBytes = %0d; legal is 1, 2, 4, 8, 16, 32, 64 or 128", InBytes))
  `TSR_STATIC_ASSERT(OutBytes, $onehot(OutBytes) && OutBytes <= 128,
                     ("OutBytes = %0d; legal is 1, 2, 4, 8, 16, 32, 64 or 128", OutBytes))

  if (OutBytes > InBytes) begin : gen_widen
    tsr_stream_widen #(
      .InBytes (InBytes),
      .OutBytes(OutBytes),
      .Apart   (Apart),
      .side_t  (side_t)
    ) u_widen (
      .clk_i,
      .rst_ni,
      .flush_i,
      .held_o,
      .tdata_i,
      .tkeep_i,
      .tlast_i,
      .tends_i,
      .side_i,
      .tvalid_i,
      .tready_o,
      .tdata_o,
      .tkeep_o,
      .tlast_o,
      .sparse_o,
      .side_o,
      .tvalid_o,
      .tready_i
    );
  end else if (OutBytes < InBytes) begin : gen_narrow
    logic unused_flush;
    assign unused_flush = flush_i;
    assign held_o       = 1'b0;
    tsr_stream_narrow #(
      .InBytes (InBytes),
      .OutBytes(OutBytes),
      .side_t  (side_t)
    ) u_narrow (
      .clk_i,
      .rst_ni,
      .tdata_i,
      .tkeep_i,
      .tlast_i,
      .tends_i,
      .side_i,
      .tvalid_i,
      .tready_o,
      .tdata_o,
      .tkeep_o,
      .tlast_o,
      .sparse_o,
      .side_o,
      .tvalid_o,
      .tready_i
    );
  end else begin : gen_wire
    logic unused_clock;
    assign unused_clock = ^{clk_i, rst_ni, flush_i, tends_i};
    assign held_o       = 1'b0;
    assign tdata_o      = tdata_i;
    assign tkeep_o      = tkeep_i;
    assign tlast_o      = tlast_i;
    assign sparse_o     = tkeep_i != '1 && tkeep_i != '0 && !tlast_i;
    assign side_o       = side_i;
    assign tvalid_o     = tvalid_i;
    assign tready_o     = tready_i;
  end

endmodule
