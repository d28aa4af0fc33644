// Turns moves of writes into bursts, items and what waits for responses; counts the bytes of
// transfers.
//
// Contract: all three follow a move by one cycle; none can be refused. `channel_i` is that
// of the move; `base_i` are the upper bits of its address, a cycle behind it. Bytes and dropped bytes of the n-th transfer of a channel are read at n.
`include "tsr_assert.svh"
`include "tsr_core_types.svh"
module tsr_write_items
  import tsr_core_pkg::*;
#(
  parameter int unsigned Channels = 1,
  parameter int unsigned AddrWidth = 64,
  parameter int unsigned BusLog = 3,
  parameter int unsigned BurstLog = 7,
  parameter int unsigned RoomLog = 5,
  parameter int unsigned FlightLog = 4,  // log2 of the transfers of a channel in flight
  localparam int unsigned Index = Channels > 1 ? $clog2(Channels) : 1,
  localparam int unsigned Words = BurstLog - BusLog,
  localparam int unsigned PlaceWidth = RoomLog + 1 + BusLog,
  localparam int unsigned WordAddrWidth = AddrWidth - BusLog,
  localparam int unsigned FlightIndex = $clog2(Channels * 2 ** FlightLog),
  localparam type move_t = `TSR_WRITE_MOVE_T(BurstLog, PlaceWidth),
  localparam type item_t = `TSR_WRITE_ITEM_T(Words, BusLog, RoomLog),
  localparam type due_t = `TSR_WRITE_DUE_T(WordAddrWidth)
) (
  input logic clk_i,
  input logic rst_ni,
  input logic [Index-1:0] channel_i,
  input logic refresh_i,  // its first cycle, without a move
  input move_t move_i,
  input logic move_valid_i,
  input logic [AddrWidth-1:BurstLog] base_i,
  input logic [RoomLog:0] free_i,
  output logic burst_valid_o,  // of due_o and item_o
  output item_t item_o,
  output logic item_valid_o,
  output due_t due_o,
  output logic due_valid_o,
  output logic [FlightIndex-1:0] moved_o,  // channel, number of the transfer of the move
  // Bytes
  input logic [FlightIndex-1:0] flight_i,  // channel, number
  input logic dropped_i,  // those that were dropped
  output logic [BytesWidth-1:0] bytes_o
);

  // ---- Count

  typedef struct packed {
    logic [FlightLog-1:0]  flight;
    logic                  some;    // bytes of the transfer at work
    logic [BytesWidth-1:0] bytes;
  } count_t;
  count_t now, next;
  logic [BytesWidth-1:0] sum;
  logic some, over;
  (* ram_style = "distributed" *) logic [BytesWidth-1:0] bytes_mem[Channels*2**FlightLog*2];
  assign some = now.some || move_i.moves;
  assign sum = now.bytes + (move_i.moves ? BytesWidth'(move_i.size) : '0) +
      BytesWidth'(move_i.moves);
  assign over = move_i.ends || move_i.saves;
  always_comb begin
    next = now;
    if (move_valid_i) begin
      next = '{
          flight: now.flight + FlightLog'(move_i.ends),
          some: some && !over,
          bytes: over ? '0 : sum
      };
    end
  end
  tsr_swapped #(
    .Channels(Channels),
    .T       (count_t)
  ) u_count (
    .clk_i,
    .rst_ni,
    .channel_i,
    .refresh_i,
    .data_i(next),
    .data_o(now)
  );
  // Written a cycle later: nothing of a transfer ends before.
  logic write_q;
  logic [FlightIndex:0] write_at_q;
  logic [BytesWidth-1:0] sum_q;
  always_ff @(posedge clk_i) begin
    write_q    <= rst_ni && move_valid_i && over;
    write_at_q <= {moved_o, move_i.drops};
    sum_q      <= sum;
    if (write_q) bytes_mem[write_at_q] <= sum_q;
  end
  assign moved_o = FlightIndex'({channel_i, now.flight});
  assign bytes_o = bytes_mem[{flight_i, dropped_i}];

  // ---- Burst

  logic [BurstLog-1:0] offset, end_;
  logic [PlaceWidth-1:0] start;
  assign offset = BurstLog'(move_i.addr[BusLog-1:0]);
  assign end_   = move_i.size[BurstLog-1:0] + offset;
  assign start  = move_i.place - PlaceWidth'(offset);

  due_t due_q;
  always_ff @(posedge clk_i) begin
    burst_valid_o <= rst_ni && move_valid_i && move_i.data;
    item_valid_o <= rst_ni && move_valid_i;
    due_valid_o <= rst_ni && move_valid_i && (move_i.data || move_i.ends);
    item_o <= '{
        channel: 4'(channel_i),
        data: move_i.data,
        words: end_[BurstLog-1:BusLog],
        first: move_i.addr[BusLog-1:0],
        last: end_[BusLog-1:0],
        turn: start[BusLog-1:0],
        beat: start[PlaceWidth-1:BusLog],
        free: free_i
    };
    due_q <= '{
        channel: 4'(channel_i),
        data: move_i.data,
        ends: move_i.ends,
        last: move_i.last,
        sparse: move_i.sparse,
        overlong: move_i.drops && some,
        aborted: move_i.aborted,
        addr: WordAddrWidth'(move_i.addr[BurstLog-1:BusLog])
    };
  end
  always_comb begin
    due_o = due_q;
    due_o.addr[WordAddrWidth-1:Words] = base_i;
  end

  logic unused_move;
  assign unused_move = ^move_i;

  `TSR_ASSERT(NoMoveAtOnce, !refresh_i || !move_valid_i)
  `TSR_ASSERT(SomeIsTrue, !move_valid_i || some == (sum != '0))
  `TSR_ASSERT(SavesBeforeItDrops, !move_valid_i || !move_i.saves || !move_i.drops)
  `TSR_ASSERT(DropsAreNoBurst, !move_valid_i || !move_i.data || !move_i.drops)

endmodule
