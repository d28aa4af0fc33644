// tsr_intake: the pieces are the kept bytes of the beats, in order, each once, whatever TKEEP; the end
// of a packet is the end of the last piece of its beat; a beat whose bytes lie together from lane 0 on
// is one piece; what is said of a piece is true of it.
`include "proof.svh"

module intake_proof #(
  parameter  int unsigned StreamBytes = 4,
  localparam int unsigned PosWidth    = $clog2(StreamBytes) + 2,
  localparam int unsigned MarkWidth   = $clog2(StreamBytes + 1)
) (
  input logic                        clk_i,
  input logic                        rst_ni,
  input logic                        wanted_i,
  input logic                        drop_i,
  input logic [StreamBytes-1:0][7:0] tdata_i,
  input logic [StreamBytes-1:0]      tkeep_i,
  input logic                        tlast_i,
  input logic                        tvalid_i,
  input logic                        take_i,
  input logic [  MarkWidth-1:0]      mark_i,
  input logic                        mark_valid_i
);

  `TSR_PROOF_RESET

  typedef logic [StreamBytes-1:0] lanes_t;
  typedef logic [PosWidth-1:0] pos_t;

  logic tready_o, valid_o, low_o, high_o, last_o, sparse_o, fresh_o, has_bytes_o;
  logic [StreamBytes-1:0][7:0] data_o, data_before_o;
  pos_t first_o, size_o;
  logic [7:0] held_o;

  tsr_intake #(
    .StreamBytes(StreamBytes)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .wanted_i,
    .drop_i,
    .tdata_i,
    .tkeep_i,
    .tlast_i,
    .tvalid_i,
    .tready_o,
    .valid_o,
    .take_i,
    .first_o,
    .size_o,
    .has_bytes_o,
    .low_o,
    .high_o,
    .last_o,
    .sparse_o,
    .fresh_o,
    .held_o,
    .data_o,
    .data_before_o
  );
  `TSR_ASSUME(TakesWhatIsThere, !take_i || valid_o)

  logic   accept;
  lanes_t lanes;  // of the piece
  assign accept = tvalid_i && tready_o;
  for (genvar i = 0; i < StreamBytes; i++) begin : gen_lanes
    assign lanes[i] = pos_t'(i) >= first_o && pos_t'(i) < first_o + size_o;
  end

  // Data come a cycle later.
  lanes_t out_lanes_q;
  logic out_last_q, out_valid_q;
  always_ff @(posedge clk_i) begin
    out_lanes_q <= lanes;
    out_last_q  <= last_o;
    out_valid_q <= rst_ni && !drop_i && take_i;
  end

  stream_check #(
    .InBytes (StreamBytes),
    .OutBytes(StreamBytes)
  ) u_check (
    .clk_i,
    .rst_ni     (rst_ni && !drop_i),
    .mark_i,
    .mark_valid_i,
    .in_data_i  (tdata_i),
    .in_keep_i  (tkeep_i),
    .in_last_i  (tlast_i),
    .in_take_i  (accept),
    .out_data_i (data_o),
    .out_keep_i (out_lanes_q),
    .out_last_i (out_last_q),
    .out_valid_i(out_valid_q),
    .out_ready_i(1'b1),
    .due_i      (1'b0)
  );

  // The beat inside, and what of it has not been taken.
  logic inside_q, begun_q, sparse_q, together_q, ends;
  logic [StreamBytes-1:0][7:0] newest_q, older_q;
  lanes_t rest_q;
  assign ends = take_i && rest_q == lanes;
  always_ff @(posedge clk_i) begin
    if (accept) {older_q, newest_q} <= {newest_q, tdata_i};
  end
  always_ff @(posedge clk_i) begin
    inside_q <= rst_ni && !drop_i && (accept || (inside_q && !ends));
    if (accept) begin
      rest_q     <= tkeep_i;
      begun_q    <= 1'b0;
      sparse_q   <= !tlast_i && tkeep_i != '0 && tkeep_i != '1;
      together_q <= (tkeep_i & (tkeep_i + 1'b1)) == '0;
    end else if (take_i) begin
      rest_q  <= rest_q & ~lanes;
      begun_q <= 1'b1;
    end
  end

  `TSR_ASSERT(ShownWhileInside, valid_o == inside_q)
  `TSR_ASSERT(OfWhatIsLeft, !valid_o || (lanes & ~rest_q) == '0)
  `TSR_ASSERT(InTheBeat, !valid_o || first_o + size_o <= pos_t'(StreamBytes))
  `TSR_ASSERT(SomeBytes, !valid_o || size_o != '0 || rest_q == '0)
  `TSR_ASSERT(OnePieceIfTogether, !valid_o || !together_q || lanes == rest_q)
  `TSR_ASSERT(HasBytes, !valid_o || has_bytes_o == (size_o != '0))
  `TSR_ASSERT(Fresh, !valid_o || fresh_o == !begun_q)
  `TSR_ASSERT_NEXT(Held, 1'b1, held_o == $past(inside_q ? 8'($countones(rest_q)) : 8'd0))
  `TSR_ASSERT(Low, !valid_o || low_o == (!begun_q && first_o == '0))
  `TSR_ASSERT(High, !valid_o || high_o == (size_o != '0 && first_o + size_o == pos_t'(StreamBytes)))
  `TSR_ASSERT(SparseOnce, !valid_o || sparse_o == (sparse_q && !begun_q))
  `TSR_ASSERT(ReadyOnlyIfWanted, !tready_o || wanted_i)
  `TSR_ASSERT(ReadyIfWanted, tready_o == (wanted_i && (!inside_q || ends)))

  logic [1:0] beats_q;  // since the reset, two at most
  always_ff @(posedge clk_i) begin
    if (!rst_ni) beats_q <= '0;
    else if (accept && !beats_q[1]) beats_q <= beats_q + 1'b1;
  end
  `TSR_ASSERT_NEXT(DataOfTheNewest, beats_q != '0, data_o == $past(newest_q))
  `TSR_ASSERT_NEXT(DataBefore, beats_q == 2'd2, data_before_o == $past(older_q))

  logic streak_q;
  always_ff @(posedge clk_i) streak_q <= rst_ni && !drop_i && accept && ends;
  `TSR_COVER(BeatEveryCycle, streak_q && accept && ends)
  `TSR_COVER(NullBeatEnds, take_i && last_o && size_o == '0)
  `TSR_COVER_NEXT(DroppedAsItCame, drop_i && accept && ends, !valid_o && wanted_i)
  if (StreamBytes > 2) begin : gen_pieces
    `TSR_COVER(ThirdPiece, take_i && begun_q && last_o && $countones(rest_q) == 1 && first_o == 3)
    `TSR_COVER_NEXT(TwoPieces, take_i && !ends && !drop_i && low_o && size_o == 2, take_i && last_o)
  end

endmodule
