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
  output logic has_bytes_o,  // it has bytes
  output logic low_o,  // it begins at lane 0 and no other was before it
  output logic high_o,  // it reaches the last lane
  output logic last_o,  // its end is the end of the packet
  output logic sparse_o,  // of a beat with null bytes and without TLAST
  output logic fresh_o,  // no other piece of its beat was before it
  output logic [7:0] held_o,  // bytes of it and behind it, a cycle before
  // Of the last beat that was in before this cycle began, and of the one before.
  output logic [StreamBytes-1:0][7:0] data_o,
  output logic [StreamBytes-1:0][7:0] data_before_o
);

  typedef logic [StreamBytes-1:0] lanes_t;
  typedef logic [PosWidth-1:0] pos_t;

  logic [StreamBytes-1:0][7:0] raw_q, data_q, before_q;
  lanes_t rest_q;  // lanes with data that come after this piece
  pos_t first_q, size_q, first, size;
  logic valid_q, behind_q, has_bytes_q, low_q, high_q, tlast_q, sparse_q, begun_q, accept_q;
  logic accept, more;
  lanes_t lanes, piece;

  assign tready_o = wanted_i && (!valid_q || (take_i && !behind_q));
  assign accept   = tvalid_i && tready_o;
  assign lanes    = behind_q ? rest_q : tkeep_i;

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

  // There is another piece: behind one from lane 0 on, a lane with data above one without; else a
  // second lane with data.
  lanes_t risen, any, several;  // the latter in a tree, of the lanes from an index on
  assign risen = lanes & ~(lanes << 1) & ~lanes_t'(1);
  always_comb begin
    any    = lanes;
    several = '0;
    for (int unsigned k = 1; k < StreamBytes; k *= 2) begin
      for (int unsigned i = 0; i < StreamBytes; i += 2 * k) begin
        several[i] = several[i] | several[i+k] | (any[i] & any[i+k]);
        any[i]    = any[i] | any[i+k];
      end
    end
  end
  assign more = lanes[0] ? risen != '0 : several[0];

  logic free;  // nothing is there, or its last piece is taken
  assign free = !valid_q || (take_i && !behind_q);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || drop_i) begin
      valid_q  <= 1'b0;
      behind_q <= 1'b0;
      begun_q  <= 1'b0;
    end else begin
      if (free) valid_q <= tvalid_i && wanted_i;
      if (!valid_q || take_i) behind_q <= more && (behind_q || (tvalid_i && wanted_i));
      if (take_i) begun_q <= behind_q;
    end
  end

  // What is loaded counts only if a beat was taken or its next piece is there.
  always_ff @(posedge clk_i) begin
    if (!valid_q || take_i) begin
      rest_q <= lanes & ~piece;
      first_q <= first;
      size_q <= size;
      has_bytes_q <= lanes != '0;
      low_q <= !behind_q && (lanes[0] || lanes == '0);
      high_q <= piece[StreamBytes-1];
    end
    if (free) begin
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
  assign has_bytes_o = has_bytes_q;
  assign low_o    = low_q;
  assign high_o   = high_q;
  assign last_o   = tlast_q && !behind_q;
  assign sparse_o = sparse_q && !begun_q;
  assign fresh_o  = !begun_q;
  assign data_o   = data_q;
  assign data_before_o = before_q;

  // Bytes are counted in groups of lanes, a cycle late.
  localparam int unsigned CountLanes = StreamBytes < 8 ? StreamBytes : 8;
  localparam int unsigned Counts = StreamBytes / CountLanes;
  logic [7:0] front_q;
  logic [Counts-1:0][3:0] counts_q;
  always_ff @(posedge clk_i) begin
    front_q <= valid_q ? 8'(size_q) : '0;
    for (int unsigned i = 0; i < Counts; i++) begin
      counts_q[i] <= valid_q ? 4'($countones(rest_q[i*CountLanes+:CountLanes])) : '0;
    end
  end
  always_comb begin
    held_o = front_q;
    for (int unsigned i = 0; i < Counts; i++) held_o += 8'(counts_q[i]);
  end

  `TSR_ASSERT(OnlyAValidPiece, !take_i || valid_q)
  `TSR_ASSERT_NEXT(PieceStable, valid_o && !take_i && !drop_i, valid_o && $stable({first_o, size_o}
                                                                                     ))

endmodule
