// tsr_write_items and tsr_write_words: each move of memory is one burst, one item and one response that is due, of the
// same channel and length and in the same order; its words write its bytes and no others, and the last has WLAST.
`include "proof.svh"
`include "tsr_core_types.svh"

module write_items_proof
  import tsr_core_pkg::*;
#(
  localparam int unsigned Channels   = 2,
  localparam int unsigned AddrWidth  = 4,
  localparam int unsigned BusLog     = 1,
  localparam int unsigned BurstLog   = 3,
  localparam int unsigned RoomLog    = 3,
  localparam int unsigned Words      = BurstLog - BusLog,
  localparam int unsigned PlaceWidth = RoomLog + 1 + BusLog,
  localparam type         move_t     = `TSR_WRITE_MOVE_T(BurstLog, PlaceWidth),
  localparam type         item_t     = `TSR_WRITE_ITEM_T(Words, BusLog, RoomLog),
  localparam type         due_t      = `TSR_WRITE_DUE_T(AddrWidth - BusLog)
) (
  input logic                  clk_i,
  input logic                  rst_ni,
  input logic                  channel_i,
  input logic                  move_valid_i,
  input logic                  data_i,
  input logic                  ends_i,
  input logic [ AddrWidth-1:0] addr_i,
  input logic [  BurstLog-1:0] size_i,
  input logic [PlaceWidth-1:0] place_i,
  input logic                  ready_i
);

  `TSR_PROOF_RESET

  // ---- Moves: each within a burst -----------------------------------------------------------------

  logic valid;
  move_t move;
  logic [BurstLog:0] last_byte;
  assign valid     = rst_ni && move_valid_i;
  assign last_byte = {1'b0, addr_i[BurstLog-1:0]} + {1'b0, size_i};
  always_comb begin
    move = '0;
    move.data = data_i;
    move.moves = data_i;
    move.ends = ends_i;
    move.addr = addr_i[BurstLog-1:0];
    move.place = place_i;
    move.size = PlaceWidth'(size_i);
  end
  `TSR_ASSUME(WithinABurst, !data_i || !last_byte[BurstLog])
  logic before_q, refresh;
  always_ff @(posedge clk_i) before_q <= channel_i;
  assign refresh = channel_i != before_q;
  `TSR_ASSUME(NotInItsFirstCycle, !refresh || !valid)

  logic burst_valid, item_valid, due_valid, item_ready;
  item_t item;
  due_t due;
  logic [AddrWidth-1:BurstLog] base_q;
  always_ff @(posedge clk_i) base_q <= addr_i[AddrWidth-1:BurstLog];
  tsr_write_items #(
    .Channels (Channels),
    .AddrWidth(AddrWidth),
    .BusLog   (BusLog),
    .BurstLog (BurstLog),
    .RoomLog  (RoomLog),
    .FlightLog(1)
  ) u_items (
    .clk_i,
    .rst_ni,
    .channel_i,
    .refresh_i    (refresh),
    .move_i       (move),
    .move_valid_i (valid),
    .base_i       (base_q),
    .free_i       ('0),
    .burst_valid_o(burst_valid),
    .item_o       (item),
    .item_valid_o (item_valid),
    .due_o        (due),
    .due_valid_o  (due_valid),
    .moved_o      (),
    .flight_i     ('0),
    .dropped_i    (1'b0),
    .bytes_o      ()
  );

  // ---- Burst, item and response of a move, a cycle later ------------------------------------------

  logic valid_q, channel_q, data_q, ends_q;
  logic [AddrWidth-1:0] addr_q;
  logic [ BurstLog-1:0] size_q;
  logic [  AddrWidth:0] last;
  always_ff @(posedge clk_i) begin
    valid_q   <= valid;
    channel_q <= channel_i;
    data_q    <= data_i;
    ends_q    <= ends_i;
    addr_q    <= addr_i;
    size_q    <= size_i;
  end
  assign last = {1'b0, addr_q} + (AddrWidth + 1)'(size_q);
  `TSR_ASSERT(OneItemEach, item_valid == valid_q)
  `TSR_ASSERT(OneBurstEach, burst_valid == (valid_q && data_q))
  `TSR_ASSERT(OneResponseEach, due_valid == (valid_q && (data_q || ends_q)))
  `TSR_ASSERT(SameChannel,
              !valid_q || (item.channel == 4'(channel_q) && due.channel == item.channel))
  `TSR_ASSERT(SameKind,
              !valid_q || (item.data == data_q && due.data == data_q && due.ends == ends_q))
  logic [AddrWidth:BusLog] from, to;  // words
  assign from = {1'b0, due.addr};
  assign to   = from + (AddrWidth + 1 - BusLog)'(item.words);
  `TSR_ASSERT(FromItsFirstWord, !burst_valid || due.addr == addr_q[AddrWidth-1:BusLog])
  `TSR_ASSERT(ToItsLastWord, !burst_valid || to == last[AddrWidth:BusLog])
  `TSR_ASSERT(NotAcrossABurst,
              !burst_valid || 32'(due.addr[Words-1:0]) + 32'(item.words) < 2 ** Words)

  // ---- Words: those of one burst after the other --------------------------------------------------

  logic [2**BusLog-1:0] strobe;
  logic w_last, w_valid;
  tsr_write_words #(
    .Channels(Channels),
    .BusLog  (BusLog),
    .Words   (Words),
    .RoomLog (RoomLog)
  ) u_words (
    .clk_i,
    .rst_ni,
    .item_i      (item),
    .item_valid_i(item_valid),
    .item_ready_o(item_ready),
    .at_o        (),
    .lanes_i     ('0),
    .free_o      (),
    .free_valid_o(),
    .data_o      (),
    .strobe_o    (strobe),
    .last_o      (w_last),
    .valid_o     (w_valid),
    .ready_i
  );
  `TSR_ASSUME(ItemsAreTaken, !item_valid || item_ready)

  typedef struct packed {
    logic [AddrWidth-1:0] first;  // byte
    logic [AddrWidth:0]   last;
  } burst_t;
  burst_t [7:0] bursts_q;  // the oldest first
  logic [3:0] length_q;
  logic [Words-1:0] word_q;  // of the oldest
  logic [AddrWidth:0] at;  // its first byte
  logic takes, ends;
  burst_t oldest;
  logic [2**BusLog-1:0] written;
  assign oldest = bursts_q[0];
  assign at     = {1'b0, oldest.first[AddrWidth-1:BusLog], BusLog'(0)} + {1'b0, word_q, BusLog'(0)};
  assign ends   = at[AddrWidth:BusLog] == oldest.last[AddrWidth:BusLog];
  assign takes  = w_valid && ready_i;
  for (genvar i = 0; i < 2 ** BusLog; i++) begin : gen_lane
    assign written[i] = at + (AddrWidth + 1)'(i) >= {1'b0, oldest.first} &&
        at + (AddrWidth + 1)'(i) <= oldest.last;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {length_q, word_q} <= '0;
    else begin
      length_q <= length_q + 4'(burst_valid) - 4'(takes && w_last);
      if (takes) word_q <= w_last ? '0 : word_q + 1'b1;
    end
    if (takes && w_last) bursts_q <= bursts_q >> $bits(burst_t);
    if (burst_valid) bursts_q[3'(length_q-4'(takes&&w_last))] <= '{addr_q, last};
  end
  `TSR_ASSERT(WordsOfABurst, !w_valid || length_q != '0)
  `TSR_ASSERT(LastOfItsBurst, !w_valid || w_last == ends)
  `TSR_ASSERT(ItsBytes, !w_valid || strobe == written)

  `TSR_COVER(SecondBurst, takes && w_last && word_q == 2'd2 && length_q == 4'd2)
  `TSR_COVER(OneByte, takes && w_last && $onehot(strobe) && oldest.first != '0)
  logic unused;
  assign unused = ^{item, due};

endmodule
