// tsr_write_choose with tsr_write_stop: each transfer ends once, behind all its bytes and before those of the next; no
// burst begins before its bytes are there, and none goes past the packet that ends its transfer. One channel: that
// another's state comes back as it was is what plan_turn_proof says.
`include "proof.svh"
`include "tsr_core_types.svh"

module write_choose_proof
  import tsr_core_pkg::number_t;
#(
  parameter  int unsigned Channels = 1,
  localparam int unsigned BusLog   = 1,
  localparam int unsigned BurstLog = 2,
  localparam int unsigned RoomLog  = 3,
  localparam int unsigned QueueLog = 1,
  localparam type         piece_t  = `TSR_WRITE_PIECE_T(BurstLog),
  localparam type         mark_t   = `TSR_MARK_T(BusLog, RoomLog),
  localparam type         stop_t   = `TSR_STOP_T(BusLog, RoomLog),
  localparam type         move_t   = `TSR_WRITE_MOVE_T(BurstLog, RoomLog + 1 + BusLog)
) (
  input logic                clk_i,
  input logic                rst_ni,
  input logic                push_i,
  input logic                push_channel_i,
  input logic                empty_i,
  input logic                final_i,
  input logic [         1:0] size_i,
  input logic [Channels-1:0] rule_i,
  input logic                beat_i,
  input logic                beat_channel_i,
  input logic                beat_last_i,
  input logic                room_i
);

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  OneReset :
  assume property (@(posedge clk_i) rst_ni == started_q);

  // ---- Pieces and beats that come, of up to three transfers and five beats of a channel -------------

  piece_t [Channels-1:0][1:0] queue_q;
  logic [Channels-1:0][1:0][1:0] base_q;  // the transfer of each piece
  logic [Channels-1:0][QueueLog:0] queued_q, popped_q;
  logic [Channels-1:0][1:0] finals_q, ends_q, rule_q;  // rule_q[c][0]: of channel c
  logic [Channels-1:0][3:0][4:0] sums_q;  // bytes of the pieces of each transfer
  logic [Channels-1:0][RoomLog:0] beats_q, marks_q;
  logic [Channels-1:0][7:0] lasts_q;  // beats with TLAST
  mark_t [Channels-1:0][7:0] all_q;
  mark_t [Channels-1:0] mark;
  piece_t piece;
  logic push, beat, pop, channel, channel_next;
  logic [Channels-1:0] came;
  assign push = rst_ni && push_i;
  assign beat = rst_ni && beat_i;
  for (genvar c = 0; c < Channels; c++) begin : gen_came
    assign came[c] = (push && push_channel_i == c) || (beat && beat_channel_i == c);
  end
  always_comb begin
    piece = '0;
    piece.empty = empty_i;
    piece.data = !empty_i;
    piece.final_ = final_i;
    piece.rule = rule_q[push_channel_i][0];
    piece.number = number_t'(finals_q[push_channel_i]);
    piece.size = size_i;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {queued_q, popped_q, finals_q, sums_q, beats_q, marks_q, lasts_q} <= '0;
      for (int unsigned c = 0; c < Channels; c++) rule_q[c] <= 2'(rule_i[c]);
    end else begin
      if (push) begin
        queue_q[push_channel_i][queued_q[push_channel_i][0]] <= piece;
        base_q[push_channel_i][queued_q[push_channel_i][0]] <= finals_q[push_channel_i];
        queued_q[push_channel_i] <= queued_q[push_channel_i] + 1'b1;
        finals_q[push_channel_i] <= finals_q[push_channel_i] + 2'(final_i);
        if (!empty_i)
          sums_q[push_channel_i][finals_q[push_channel_i]] <=
              sums_q[push_channel_i][finals_q[push_channel_i]] + 5'(size_i) + 1'b1;
      end
      if (pop) popped_q[channel] <= popped_q[channel] + 1'b1;
      if (beat) begin
        beats_q[beat_channel_i] <= beats_q[beat_channel_i] + 1'b1;
        if (beat_last_i) begin
          lasts_q[beat_channel_i][beats_q[beat_channel_i][2:0]] <= 1'b1;
          all_q[beat_channel_i][marks_q[beat_channel_i][2:0]] <= '{
              last: 1'b1,
              sparse: 1'b0,
              beat: beats_q[beat_channel_i],
              keep: '1
          };
          marks_q[beat_channel_i] <= marks_q[beat_channel_i] + 1'b1;
        end
      end
    end
  end
  logic [QueueLog:0] waiting;
  assign waiting = queued_q[push_channel_i] - popped_q[push_channel_i];
  `TSR_ASSUME(ChannelIsThere, Channels > 1 || (!push_channel_i && !beat_channel_i))
  `TSR_ASSUME(QueueHasRoom, !push_i || waiting < 2'd2)
  `TSR_ASSUME(UpToThree, !push_i || finals_q[push_channel_i] != 2'd3)
  `TSR_ASSUME(UpToFive, !beat_i || beats_q[beat_channel_i] < 4'd5)

  stop_t stop;
  move_t move;
  logic [RoomLog:0] mark_at, free;
  logic [BusLog-1:0] from;
  logic [QueueLog-1:0] read_at, at;
  logic   read;
  piece_t head_q;
  logic move_valid, used_q;
  logic [Channels-1:0] discard;
  number_t discard_number;
  for (genvar c = 0; c < Channels; c++) begin : gen_mark
    assign mark[c] = all_q[c][mark_at[2:0]];
  end
  always_ff @(posedge clk_i) begin
    used_q <= rst_ni && move_valid && move.data;
    if (read) head_q <= queue_q[channel_next][read_at];
  end
  tsr_write_choose #(
    .Channels   (Channels),
    .BusLog     (BusLog),
    .BurstLog   (BurstLog),
    .RoomLog    (RoomLog),
    .QueueLog   (QueueLog),
    .WeightWidth(1)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .pause_i          ('0),
    .abort_i          ('0),
    .weight_i         ('1),
    .channel_o        (channel),
    .channel_next_o   (channel_next),
    .refresh_o        (),
    .queued_i         (queued_q),
    .read_at_o        (read_at),
    .read_o           (read),
    .piece_i          (head_q),
    .pop_o            (pop),
    .discard_o        (discard),
    .discard_channel_i('0),
    .discard_number_o (discard_number),
    .came_i           (came),
    .mark_o           (mark_at),
    .from_o           (from),
    .stop_i           (stop),
    .room_i,
    .used_i           (used_q),
    .words_i          (2'd2),
    .owes_o           (),
    .move_o           (move),
    .move_valid_o     (move_valid),
    .at_o             (at),
    .free_o           (free)
  );
  tsr_write_stop #(
    .Channels(Channels),
    .BusLog  (BusLog),
    .RoomLog (RoomLog)
  ) u_stop (
    .clk_i,
    .rst_ni,
    .channel_i(channel_next),
    .mark_i   (mark_at),
    .from_i   (from),
    .beats_i  (beats_q),
    .marks_i  (marks_q),
    .mark_of_i(mark),
    .stop_o   (stop)
  );

  // ---- Moves --------------------------------------------------------------------------------------

  logic [Channels-1:0][4:0] place_q, moved_q;  // next byte; bytes of the transfer at work
  logic [4:0] place, bytes, moved;
  logic crosses, boundary, rule, data, ends;
  assign data  = move_valid && move.data;
  assign ends  = move_valid && move.ends;
  assign rule  = rule_q[channel][0];
  assign bytes = move_valid && move.moves ? 5'(move.size) + 1'b1 : '0;
  assign place = place_q[channel] + bytes;
  assign moved = moved_q[channel] + (move.drops ? '0 : bytes);
  always_comb begin
    crosses  = 1'b0;
    boundary = 1'b0;
    for (int unsigned b = 0; b < 5; b++) begin
      if (lasts_q[channel][b] && place_q[channel] <= 5'(2 * b + 1) && place > 5'(2 * b + 2))
        crosses = 1'b1;
      if (lasts_q[channel][b] && place == 5'(2 * b + 2)) boundary = 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {place_q, moved_q, ends_q} <= '0;
    else if (move_valid) begin
      place_q[channel] <= place;
      moved_q[channel] <= ends ? '0 : moved;
      ends_q[channel]  <= ends_q[channel] + 2'(ends);
    end
  end

  `TSR_ASSERT(BytesAreThere, !move_valid || place <= {beats_q[channel], 1'b0})
  `TSR_ASSERT(NoneIsLost, !move_valid || !move.moves || 5'(move.place) == place_q[channel])
  `TSR_ASSERT(OfTheTransferAtWork, !data || base_q[channel][at] == ends_q[channel])
  `TSR_ASSERT(EndsOnce, !ends || ends_q[channel] != finals_q[channel])
  `TSR_ASSERT(EndsWithAllBytes, !ends || rule || moved == sums_q[channel][ends_q[channel]])
  `TSR_ASSERT(NotPastItsPacket, !data || !rule || !crosses)
  `TSR_ASSERT(EndsWithItsPacket, !ends || !rule || moved == '0 || boundary)

  if (Channels > 1) begin : gen_both
    `TSR_COVER(EndsOfBoth, ends && ends_q[!channel] != '0 && moved != '0)
  end else begin : gen_one
    `TSR_COVER(EndsSecond, ends && ends_q[0] == 2'd1 && moved != '0)
  end
  `TSR_COVER(EndsEarly, ends && rule && moved != '0 && moved < sums_q[channel][ends_q[channel]])
  logic unused;
  assign unused = ^{discard, discard_number, free, move};

endmodule
