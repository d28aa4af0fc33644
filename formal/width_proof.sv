// tsr_stream_width: what goes in comes out, byte by byte and packet by packet, whatever TKEEP, the
// back-pressure and the flushes are; and nothing stays that need not.
`include "proof.svh"

module width_proof #(
  parameter  int unsigned InBytes   = 1,
  parameter  int unsigned OutBytes  = 2,
  parameter  bit          Apart     = 1'b0,
  localparam int unsigned MarkWidth = $clog2(InBytes + 1)
) (
  input logic                      clk_i,
  input logic                      rst_ni,
  input logic                      flush_i,
  input logic [  InBytes-1:0][7:0] tdata_i,
  input logic [  InBytes-1:0]      tkeep_i,
  input logic                      tlast_i,
  input logic                      tvalid_i,
  input logic                      tready_i,
  input logic [MarkWidth-1:0]      mark_i,
  input logic                      mark_valid_i
);

  `TSR_PROOF_RESET

  logic [OutBytes-1:0][7:0] tdata_o;
  logic [OutBytes-1:0] tkeep_o;
  logic tready_o, tlast_o, tvalid_o, held_o, unused_sparse;
  localparam int unsigned InSides = InBytes > OutBytes ? InBytes / OutBytes : 1;
  localparam int unsigned OutSides = OutBytes > InBytes ? OutBytes / InBytes : 1;
  logic [OutSides-1:0] unused_side;

  tsr_stream_width #(
    .InBytes (InBytes),
    .OutBytes(OutBytes),
    .Apart   (Apart)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .flush_i,
    .held_o,
    .tdata_i,
    .tkeep_i,
    .tlast_i,
    .tends_i (1'b0),
    .side_i  (InSides'(0)),
    .tvalid_i,
    .tready_o,
    .tdata_o,
    .tkeep_o,
    .tlast_o,
    .sparse_o(unused_sparse),
    .side_o  (unused_side),
    .tvalid_o,
    .tready_i
  );

  `TSR_ASSUME_STABLE(InputStable, tvalid_i, tready_o, ({tdata_i, tkeep_i, tlast_i}))

  // Something is inside that does not wait for more to come.
  logic due;
  stream_check #(
    .InBytes   (InBytes),
    .OutBytes  (OutBytes),
    .CountWidth($clog2(3 * InBytes + 2 * OutBytes + 8)),
    .Patience  (InBytes + 2)
  ) u_check (
    .clk_i,
    .rst_ni,
    .mark_i,
    .mark_valid_i,
    .in_data_i  (tdata_i),
    .in_keep_i  (tkeep_i),
    .in_last_i  (tlast_i),
    .in_take_i  (tvalid_i && tready_o),
    .out_data_i (tdata_o),
    .out_keep_i (tkeep_o),
    .out_last_i (tlast_o),
    .out_valid_i(tvalid_o),
    .out_ready_i(tready_i),
    .due_i      (due)
  );
  assign due = u_check.inside_q != '0 && (!held_o || flush_i);

  // A narrow beat a cycle for longer than could be buffered.
  localparam int unsigned Streak = 8;
  logic [3:0] streak_q;
  logic narrow_take;
  assign narrow_take = OutBytes > InBytes ? tvalid_i && tready_o : tvalid_o && tready_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !narrow_take) streak_q <= '0;
    else if (streak_q != 4'(Streak)) streak_q <= streak_q + 1'b1;
  end
  `TSR_COVER(FullThroughput, streak_q == 4'(Streak))
  if (OutBytes > InBytes) begin : gen_flush
    `TSR_COVER_NEXT(Flushed, held_o && flush_i && !tvalid_i, tvalid_o && !tlast_o)
  end

endmodule
