// tsr_pieces: the pieces of a segment cover it byte by byte up to the length of the transfer, none crosses a multiple of
// the longest burst (and so no page), and each transfer has one first and one last piece.
`include "proof.svh"
`include "tsr_core_types.svh"

module pieces_proof
  import tsr_core_pkg::*;
#(
  localparam int unsigned AddrWidth = 5,
  localparam int unsigned BurstLog  = 2,
  localparam int unsigned DataWidth = 4,
  localparam int unsigned Burst     = 2 ** BurstLog,
  localparam type         segment_t = `TSR_SEGMENT_T(AddrWidth, SizeWidth),
  localparam type         piece_t   = `TSR_PIECE_T(AddrWidth, BurstLog)
) (
  input logic                 clk_i,
  input logic                 rst_ni,
  input logic [DataWidth-1:0] length_i,        // bytes - 1, in reset
  input logic                 go_i,
  input row_t                 row_i,
  input logic                 first_i,
  input logic                 ends_i,
  input logic                 data_i,
  input logic [AddrWidth-1:0] addr_i,
  input logic [DataWidth-1:0] size_i,
  input logic                 segment_valid_i
);

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  OneReset :
  assume property (@(posedge clk_i) rst_ni == started_q);

  // ---- Segments of transfers of one context, one after the other ----------------------------------

  context_word_t word;
  segment_t segment;
  logic ready, takes, kill, fire, valid, freed, dropped, final_, open_q, has_length_q, waits_q;
  piece_t piece;
  logic [BytesWidth-1:0] bytes;
  assign word = '{channel: '0, slot: '0, word: WordLength, data: 64'(length_i)};
  assign segment = '{
          row: row_i,
          first: first_i,
          ends: ends_i,
          data: data_i,
          addr: addr_i,
          big: 32'(size_i) >= Burst,
          size: SizeWidth'(size_i)
      };
  assign takes = segment_valid_i && ready;
  assign final_ = row_i.final_ && ends_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || kill) {open_q, waits_q} <= '0;
    else if (takes) begin
      open_q       <= !final_;
      has_length_q <= row_i.has_length;
      waits_q      <= final_ && row_i.has_length;
    end
  end
  `TSR_ASSUME(StartsOnce, !segment_valid_i || (row_i.start && first_i) == !open_q)
  `TSR_ASSUME(OneLength, !segment_valid_i || !open_q || row_i.has_length == has_length_q)
  `TSR_ASSUME(EmptyRows, !row_i.empty || (ends_i && !data_i))
  `TSR_ASSUME(Contexts, row_i.slot == '0 && !row_i.more)
  `TSR_ASSUME(WaitsForItsEnd, !segment_valid_i || !waits_q)

  tsr_pieces #(
    .AddrWidth(AddrWidth),
    .BurstLog (BurstLog),
    .BriefLog (1),
    .Walk     (1'b0)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .word_valid_i   (!rst_ni),
    .word_i         (word),
    .channel_i      ('0),
    .go_i,
    .kill_o         (kill),
    .discard_i      ('0),
    .fire_o         (fire),
    .brief_o        (),
    .still_o        (),
    .swap_i         ('0),
    .refresh_i      ('0),
    .state_i        ('0),
    .state_o        (),
    .segment_i      (segment),
    .segment_valid_i,
    .segment_ready_o(ready),
    .piece_o        (piece),
    .bytes_o        (bytes),
    .piece_valid_o  (valid),
    .freed_o        (freed),
    .dropped_o      (dropped)
  );

  // ---- The piece that fires, worked out here ------------------------------------------------------

  typedef logic [DataWidth:0] size_t;  // bytes
  typedef struct packed {
    logic valid, dropped, empty, data, start, final_, packet;
    logic [AddrWidth-1:0] addr;
    size_t size;
    logic [5:0] bytes;  // of the transfer, up to here
  } due_t;
  due_t due;
  due_t [1:0] due_q;
  segment_t held_q;  // at work
  size_t left_q, rest_q, length_q, whole;
  logic [AddrWidth-1:0] at_q;
  logic [5:0] sum_q;
  logic held_valid_q, begins_q, over_q, ends, cut;
  always_comb begin
    // To the next multiple of the burst; fill begins at one.
    whole = size_t'(Burst) - size_t'(held_q.data ? at_q[BurstLog-1:0] : '0);
    if (whole > left_q) whole = left_q;
    cut = held_q.row.has_length && !held_q.row.empty && whole >= rest_q;
    ends = held_q.row.empty || whole == left_q;
    due = '0;
    due.valid = fire && !over_q;
    due.dropped = fire && over_q;
    due.empty = held_q.row.empty;
    due.data = held_q.data;
    due.start = begins_q;
    due.final_ = cut || (ends && held_q.ends && held_q.row.final_);
    due.packet = ends && held_q.ends && held_q.row.packet;
    due.addr = at_q;
    due.size = held_q.row.empty ? '0 : cut ? rest_q : whole;
    due.bytes = (begins_q ? 6'd0 : sum_q) + 6'(due.size);
  end
  always_ff @(posedge clk_i) begin
    due_q <= {due_q[0], due};
    if (!rst_ni) begin
      due_q        <= '0;
      length_q     <= size_t'(length_i) + 1'b1;
      held_valid_q <= 1'b0;
      over_q       <= 1'b0;
    end else begin
      if (kill) over_q <= 1'b0;
      else if (due.valid && due.final_ && held_q.row.has_length) over_q <= 1'b1;
      if (kill) held_valid_q <= 1'b0;
      else if (takes) held_valid_q <= 1'b1;
      else if (fire && ends) held_valid_q <= 1'b0;
    end
    if (due.valid) begin
      sum_q    <= due.bytes;
      rest_q   <= rest_q - due.size;
      begins_q <= 1'b0;
    end
    if (fire) begin
      left_q <= left_q - whole;
      at_q   <= at_q + AddrWidth'(whole);
    end
    if (takes) begin
      held_q   <= segment;
      left_q   <= size_t'(size_i) + 1'b1;
      at_q     <= addr_i;
      begins_q <= row_i.start && first_i;
      if (row_i.start && first_i) rest_q <= length_q;
    end
  end

  `TSR_ASSERT(FiresWhatIsHeld, !fire || held_valid_q)
  `TSR_ASSERT(OneEach, valid == due_q[1].valid && dropped == due_q[1].dropped)
  `TSR_ASSERT(ItsKind, !valid || (piece.empty == due_q[1].empty && piece.data == due_q[1].data))
  `TSR_ASSERT(ItsPlace, !valid || !piece.data || piece.addr == due_q[1].addr)
  `TSR_ASSERT(ItsSize, !valid || piece.empty || size_t'(piece.size) + 1'b1 == due_q[1].size)
  `TSR_ASSERT(First, !valid || piece.start == due_q[1].start)
  `TSR_ASSERT(Last, !valid || (piece.final_ == due_q[1].final_ && freed == piece.final_))
  `TSR_ASSERT(EndsAPacket, !valid || !due_q[1].packet || piece.last)
  `TSR_ASSERT(Bytes, !valid || bytes == BytesWidth'(due_q[1].bytes))
  `TSR_ASSERT(NotAcrossABurst,
              !valid || !piece.data || 32'(piece.addr[BurstLog-1:0]) + 32'(piece.size) < Burst)

  `TSR_COVER(CutByLength, valid && piece.final_ && piece.data && kill && 32'(bytes) > Burst + 1)
  `TSR_COVER(ThreePieces, valid && piece.data && !piece.start && due_q[1].bytes > 6'(2 * Burst))
  `TSR_COVER(Dropped, dropped)
  logic ended_q;
  always_ff @(posedge clk_i) ended_q <= rst_ni && (ended_q || (valid && piece.final_ && kill));
  `TSR_COVER(SecondTransfer, ended_q && valid && piece.start && piece.data)
  logic unused;
  assign unused = ^{piece, due_q};

endmodule
