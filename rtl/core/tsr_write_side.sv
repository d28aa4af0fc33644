// Finds the side information of transfers of writes: that of the beat with the last byte.
//
// Contract: a move uses bytes, or a beat that only ends a packet; `at_o` is that beat, and `side_i` what the
// buffers have there a cycle later, of each part of the beat. What comes behind a transfer is not used. The transfer in
// flight number `flight_i` of the move is read at `read_i`; one that has used nothing shows what came
// before it, or 0.
// Latency: 2 cycles from a move that ends a transfer to `side_o`. Throughput: a move a cycle.
`include "tsr_assert.svh"
`include "tsr_core_types.svh"
module tsr_write_side #(
  parameter int unsigned Channels = 1,
  parameter int unsigned BusLog = 3,
  parameter int unsigned BurstLog = 7,
  parameter int unsigned RoomLog = 5,
  parameter int unsigned FlightLog = 4,  // log2 of the transfers of a channel in flight
  parameter int unsigned Parts = 1,  // of a beat, a power of two
  localparam int unsigned Index = Channels > 1 ? $clog2(Channels) : 1,
  localparam int unsigned PlaceWidth = RoomLog + 1 + BusLog,
  localparam int unsigned FlightIndex = $clog2(Channels * 2 ** FlightLog),
  localparam type move_t = `TSR_WRITE_MOVE_T(BurstLog, PlaceWidth)
) (
  input  logic                                     clk_i,
  input  logic                                     rst_ni,
  input  logic  [      Index-1:0]                  channel_i,
  input  move_t                                    move_i,
  input  logic                                     move_valid_i,
  input  logic  [FlightIndex-1:0]                  flight_i,
  output logic  [    RoomLog-1:0]                  at_o,
  input  logic  [   Channels-1:0][Parts-1:0][31:0] side_i,
  input  logic  [FlightIndex-1:0]                  read_i,
  output logic  [           31:0]                  side_o
);

  localparam int unsigned PartLog = $clog2(Parts);
  localparam int unsigned Part = Parts > 1 ? PartLog : 1;

  // ---- The beat that is used last

  logic [PlaceWidth-1:0] place;
  logic [Part-1:0] part;
  assign place = move_i.place + (move_i.moves ? move_i.size : '0);
  assign at_o  = place[BusLog+:RoomLog];
  if (Parts > 1) begin : gen_part
    assign part = place[BusLog-1-:Part];
  end else begin : gen_whole
    assign part = '0;
  end

  // ---- A cycle later: what came with it

  logic uses_q, ends_q;
  logic [Index-1:0] channel_q;
  logic [FlightIndex-1:0] flight_q;
  logic [Part-1:0] part_q;
  always_ff @(posedge clk_i) begin
    uses_q    <= rst_ni && move_valid_i && (move_i.moves || move_i.takes) && !move_i.drops;
    ends_q    <= rst_ni && move_valid_i && (move_i.ends || move_i.saves);
    channel_q <= channel_i;
    flight_q  <= flight_i;
    part_q    <= part;
  end

  logic [31:0] kept, latest;
  logic [Channels-1:0] known_q;
  assign latest = uses_q ? side_i[channel_q][part_q] : known_q[channel_q] ? kept : '0;
  tsr_by_channel #(
    .Channels(Channels),
    .T       (logic [31:0])
  ) u_kept (
    .clk_i,
    .rst_ni,
    .channel_i(channel_q),
    .write_i  (uses_q),
    .data_i   (latest),
    .data_o   (kept)
  );
  always_ff @(posedge clk_i) begin
    if (!rst_ni) known_q <= '0;
    else if (uses_q) known_q[channel_q] <= 1'b1;
  end

  (* ram_style = "distributed" *) logic [31:0] side_mem[Channels*2**FlightLog];
  always_ff @(posedge clk_i) if (ends_q) side_mem[flight_q] <= latest;
  assign side_o = side_mem[read_i];

  logic unused_move;
  assign unused_move = ^{move_i, place};

  `TSR_STATIC_ASSERT(BurstLog, BurstLog > BusLog,
                     ("BurstLog = %0d; legal is above BusLog", BurstLog))
  `TSR_STATIC_ASSERT(Parts, Parts >= 1 && $onehot(Parts) && Parts <= 2 ** BusLog,
                     ("Parts = %0d; legal is a power of two, at most one a lane", Parts))
  `TSR_ASSERT(OneBeatAtATime, !(move_valid_i && move_i.takes && move_i.moves))

endmodule
