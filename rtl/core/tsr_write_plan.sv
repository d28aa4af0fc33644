// Plans pieces of writes ahead: a queue of pieces for each channel, filled by the planner as far as there is room.
//
// Contract: see tsr_plan for contexts. Pieces of a channel leave its queue in their order: `head_o` is that at place
// `read_at_i` of the queue of `channel_next_i` in the last cycle with `read_i`, undefined if it was not there; `base_o` are
// the upper bits of the address of the one at `base_at_i` of `channel_i` in the last cycle, and `pop_i` frees a place. `queued_o` counts the pieces of each channel that came.
// `discard_number_i` belongs to `discard_channel_o`. `started_o`: a transfer has its first piece.
// Latency: a cycle from the planner to the queue. Throughput: a piece a cycle.
`include "tsr_assert.svh"
`include "tsr_core_types.svh"
module tsr_write_plan
  import tsr_core_pkg::*;
#(
  parameter int unsigned Channels = 1,  // 1 .. 16
  parameter int unsigned Slots = 2,  // contexts of a channel, 2 or 4
  parameter int unsigned AddrWidth = 64,
  parameter int unsigned BusLog = 3,
  parameter int unsigned BurstLog = 7,
  parameter int unsigned QueueLog = 4,
  parameter bit Walk = 1'b1,
  parameter bit Bounds = 1'b1,
  localparam int unsigned Index = Channels > 1 ? $clog2(Channels) : 1,
  localparam type head_t = `TSR_WRITE_PIECE_T(BurstLog)
) (
  input  logic                                         clk_i,
  input  logic                                         rst_ni,
  input  contexts_t                                    contexts_i,
  output freed_t                                       freed_o,
  input  logic      [        Channels-1:0]             abort_i,
  output logic      [        Channels-1:0]             cut_o,
  input  logic      [        Channels-1:0]             discard_i,
  output logic      [           Index-1:0]             discard_channel_o,
  input  number_t                                      discard_number_i,
  output logic      [        Channels-1:0]             came_o,             // a piece
  output logic      [        Channels-1:0]             started_o,
  output logic      [        Channels-1:0][QueueLog:0] queued_o,
  input  logic      [           Index-1:0]             channel_i,
  input  logic      [           Index-1:0]             channel_next_i,     // of the next cycle
  input  logic      [        QueueLog-1:0]             read_at_i,
  input  logic                                         read_i,
  output head_t                                        head_o,
  input  logic                                         pop_i,
  input  logic      [        QueueLog-1:0]             base_at_i,
  output logic      [AddrWidth-1:BurstLog]             base_o
);

  localparam int unsigned Queue = 2 ** QueueLog;
  localparam int unsigned QueueIndex = $clog2(Channels * Queue);
  localparam type piece_t = `TSR_PIECE_T(AddrWidth, BurstLog);

  logic [Index-1:0] channel;
  logic refresh, brief, fire, piece_valid, dropped, room, full, starved, back_valid_q, back_q;
  logic [Channels-1:0] wake, pops_q;
  piece_t piece;
  logic [BytesWidth-1:0] unused_bytes;
  tsr_plan #(
    .Channels   (Channels),
    .Slots      (Slots),
    .AddrWidth  (AddrWidth),
    .BusLog     (BusLog),
    .BurstLog   (BurstLog),
    .WeightWidth(1),
    .CountBytes (1'b0),
    .Walk       (Walk),
    .Bounds     (Bounds)
  ) u_plan (
    .clk_i,
    .rst_ni,
    .contexts_i,
    .freed_o      (freed_o.valid),
    .pause_i      ('0),
    .abort_i,
    .discard_i,
    .discard_number_i,
    .cut_o,
    .wake_i       (wake),
    .weight_i     ('0),
    .channel_o    (channel),
    .refresh_o    (refresh),
    .brief_o      (brief),
    .ready_i      (1'b1),
    .early_ready_i(1'b1),
    .room_i       (room),
    .full_i       (full),
    .starved_i    (starved),
    .fired_o      (fire),
    .piece_o      (piece),
    .bytes_o      (unused_bytes),
    .piece_valid_o(piece_valid),
    .dropped_o    (dropped)
  );
  assign freed_o.channel   = 4'(channel);
  assign discard_channel_o = channel;

  tsr_plan_room #(
    .Channels  (Channels),
    .Room      (Queue),
    .Brief     (1),
    .Longest   (1),
    .Wake      (Queue - Queue / 4),
    .TakenWidth(1)
  ) u_room (
    .clk_i,
    .rst_ni,
    .channel_i    (channel),
    .refresh_i    (refresh),
    .brief_i      (brief),
    .fire_i       (fire),
    .room_o       (room),
    .full_o       (full),
    .starved_o    (starved),
    .taken_valid_i(back_valid_q),
    .taken_i      (back_q),
    .free_i       (pops_q),
    .wake_o       (wake)
  );

  logic [Channels-1:0][QueueLog:0] queued_q;
  logic [QueueIndex-1:0] put;
  head_t queued;
  assign queued = '{
          empty: piece.empty,
          data: piece.data,
          final_: piece.final_,
          rule: piece.rule,
          number: piece.number,
          addr: piece.addr[BurstLog-1:0],
          size: piece.size
      };
  assign put = QueueIndex'({channel, queued_q[channel][QueueLog-1:0]});
  assign queued_o = queued_q;
  tsr_memory #(
    .Depth(Channels * Queue),
    .Width($bits(head_t)),
    .Block(Channels > LutChannels)
  ) u_queue (
    .clk_i,
    .write_i   (piece_valid),
    .write_at_i(put),
    .data_i    (queued),
    .read_i,
    .read_at_i (QueueIndex'({channel_next_i, read_at_i})),
    .data_o    (head_o)
  );
  tsr_memory #(
    .Depth(Channels * Queue),
    .Width(AddrWidth - BurstLog),
    .Block(Channels > LutChannels)
  ) u_bases (
    .clk_i,
    .write_i   (piece_valid),
    .write_at_i(put),
    .data_i    (piece.addr[AddrWidth-1:BurstLog]),
    .read_i    (1'b1),
    .read_at_i (QueueIndex'({channel_i, base_at_i})),
    .data_o    (base_o)
  );
  always_comb begin
    for (int unsigned i = 0; i < Channels; i++) begin
      came_o[i]    = piece_valid && 32'(channel) == i;
      started_o[i] = piece_valid && piece.start && 32'(channel) == i;
    end
  end
  always_ff @(posedge clk_i) begin
    back_valid_q <= rst_ni && (piece_valid || dropped);
    back_q       <= piece_valid;
    for (int unsigned i = 0; i < Channels; i++) begin
      if (!rst_ni) queued_q[i] <= '0;
      else queued_q[i] <= queued_q[i] + (QueueLog + 1)'(came_o[i]);
      pops_q[i] <= rst_ni && pop_i && channel_i == Index'(i);
    end
  end

  logic unused_piece;
  assign unused_piece = ^piece;

  `TSR_ASSERT(PiecesOfOneChannel, $onehot0(came_o) && (started_o & ~came_o) == '0)

endmodule
