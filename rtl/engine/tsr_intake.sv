// Takes stream beats in and offers the bytes of the oldest one, piece by piece.
//
// A piece is a run of lanes that carry data: a beat whose bytes lie together from lane 0 on is one, any
// other (holes, a first lane that is null) is the run from lane 0 on, then lane by lane. A beat without
// data is one piece of no bytes.
//
// Contract: one beat is kept, so at most one is taken that nobody needs yet; TREADY is low unless
// `wanted_i`, and depends on `take_i`. `drop_i` forgets it, also one that is taken in the same cycle.
// Data come a cycle after what is said of them: in the cycle in which the piece that was shown is used,
// and no enable of theirs waits for `take_i`.
// Latency: 1 cycle, of data 2. Throughput: one piece a cycle.
`include "tsr_assert.svh"
module tsr_intake #(
  parameter  int unsigned StreamBytes = 8,
  localparam int unsigned PosWidth    = $clog2(StreamBytes) + 2
) (
  input logic clk_i,
  input logic rst_ni,
  input logic wanted_i,
  input logic drop_i,
  input logic [StreamBytes-1:0][7:0] tdata_i,
  input logic [StreamBytes-1:0] tkeep_i,
  input logic tlast_i,
  input logic tvalid_i,
  output logic tready_o,
  // The piece in front.
  output logic valid_o,
  input logic take_i,  // only when it is valid
  output logic [PosWidth-1:0] first_o,  // lane where it begins
  output logic [PosWidth-1:0] size_o,
  output logic low_o,  // it begins at lane 0 and no other was before it
  output logic high_o,  // it reaches the last lane
  output logic last_o,  // its end is the end of the packet
  output logic sparse_o,  // of a beat with null bytes and without TLAST
  output logic fresh_o,  // no other piece of its beat was before it
  output logic [7:0] held_o,  // bytes of it and behind it
  // Of the last beat that was in before this cycle began, and of the one before.
  output logic [StreamBytes-1:0][7:0] data_o,
  output logic [StreamBytes-1:0][7:0] data_before_o
);

  typedef logic [StreamBytes-1:0] lanes_t;
  typedef logic [PosWidth-1:0] pos_t;

  logic [StreamBytes-1:0][7:0] raw_q, data_q, before_q;
  lanes_t rest_q;  // lanes with data that come after this piece
  pos_t first_q, size_q, first, size;
  logic valid_q, more_q, low_q, high_q, tlast_q, sparse_q, begun_q, accept_q;
  logic accept, behind;
  lanes_t lanes, piece;

  assign behind   = valid_q && more_q;
  assign tready_o = wanted_i && (!valid_q || (take_i && !more_q));
  assign accept   = tvalid_i && tready_o;
  assign lanes    = behind ? rest_q : tkeep_i;

  if (StreamBytes > 1) begin : gen_piece
    tsr_first_run #(
      .Lanes(StreamBytes),
      .Width(PosWidth)
    ) u_piece (
      .lanes_i(lanes),
      .piece_o(piece),
      .first_o(first),
      .size_o (size)
    );
  end else begin : gen_one_lane
    assign piece = lanes;
    assign first = '0;
    assign size  = pos_t'(lanes);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      begun_q <= 1'b0;
    end else if (drop_i) begin
      valid_q <= 1'b0;
      begun_q <= 1'b0;
    end else begin
      if (accept) valid_q <= 1'b1;
      else if (take_i && !more_q) valid_q <= 1'b0;
      if (take_i) begun_q <= more_q;
    end
  end

  // What is loaded counts only if a beat was taken or its next piece is there.
  always_ff @(posedge clk_i) begin
    if (!valid_q || take_i) begin
      rest_q  <= lanes & ~piece;
      more_q  <= (lanes & ~piece) != '0;
      first_q <= first;
      size_q  <= size;
      low_q   <= !behind && (lanes[0] || lanes == '0);
      high_q  <= piece[StreamBytes-1];
    end
    if (!valid_q || (take_i && !more_q)) begin
      tlast_q  <= tlast_i;
      sparse_q <= !tlast_i && !(&tkeep_i) && tkeep_i != '0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) accept_q <= 1'b0;
    else accept_q <= accept;
  end
  always_ff @(posedge clk_i) begin
    raw_q <= tdata_i;
    if (accept_q) begin
      data_q   <= raw_q;
      before_q <= data_q;
    end
  end

  assign valid_o  = valid_q;
  assign first_o  = first_q;
  assign size_o   = size_q;
  assign low_o    = low_q;
  assign high_o   = high_q;
  assign last_o   = tlast_q && !more_q;
  assign sparse_o = sparse_q && !begun_q;
  assign fresh_o  = !begun_q;
  assign data_o   = data_q;
  assign data_before_o = before_q;
  assign held_o   = valid_q ? 8'(size_q) + 8'($countones(rest_q)) : '0;

  `TSR_ASSERT(OnlyAValidPiece, !take_i || valid_q)
  `TSR_ASSERT_NEXT(PieceStable, valid_o && !take_i && !drop_i, valid_o && $stable({first_o, size_o}
                                                                                     ))

endmodule
