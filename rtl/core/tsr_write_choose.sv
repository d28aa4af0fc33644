// Chooses the bursts of writes: pieces wait in a queue for each channel, and one becomes a burst
// when all its bytes are there.
//
// Contract: one channel has the turn, as tsr_plan_turn says. `piece_i` is that at the place `read_at_o` of the queue of
// `channel_next_o` in the last cycle with `read_o`, `at_o` the place of the piece of `move_o`. `stop_i` is of tsr_write_stop. A piece that reaches past a stop is cut there and goes on
// behind it. With `rule` a stop with `last` ends the transfer: its other pieces are discarded, and
// `discard_o` asks the planner for no more of them; a packet that goes on is dropped to such a
// stop. With `abort_i` all pieces and bytes of a channel are dropped. `move_o` has no ready:
// `room_i` holds while there is room for it and for those on their way.
// Latency: 4 cycles from a piece to its burst. Throughput: a piece a cycle, but 5 cycles a stop, 6 if the
// bus has 32 lanes and more.
`include "tsr_assert.svh"
`include "tsr_core_types.svh"
module tsr_write_choose
  import tsr_core_pkg::*;
#(
  parameter  int unsigned Channels    = 1,
  parameter  int unsigned BusLog      = 3,
  parameter  int unsigned BurstLog    = 7,
  parameter  int unsigned RoomLog     = 5,
  parameter  int unsigned QueueLog    = 4,
  parameter  int unsigned WeightWidth = 4,
  localparam int unsigned Index       = Channels > 1 ? $clog2(Channels) : 1,
  localparam int unsigned PlaceWidth  = RoomLog + 1 + BusLog,
  localparam type         piece_t     = `TSR_WRITE_PIECE_T(BurstLog),
  localparam type         stop_t      = `TSR_STOP_T(BusLog, RoomLog),
  localparam type         move_t      = `TSR_WRITE_MOVE_T(BurstLog, PlaceWidth)
) (
  input logic clk_i,
  input logic rst_ni,
  input logic [Channels-1:0] pause_i,
  input logic [Channels-1:0] abort_i,
  input logic [Channels-1:0][WeightWidth-1:0] weight_i,
  output logic [Index-1:0] channel_o,
  output logic [Index-1:0] channel_next_o,  // that of the next cycle
  output logic refresh_o,  // the first cycle of a channel
  // Queues of pieces
  input logic [Channels-1:0][QueueLog:0] queued_i,  // pieces so far
  output logic [QueueLog-1:0] read_at_o,
  output logic read_o,
  input piece_t piece_i,
  output logic pop_o,
  output logic [Channels-1:0] discard_o,
  input logic [Index-1:0] discard_channel_i,
  output number_t discard_number_o,  // of discard_channel_i
  // Bytes
  input logic [Channels-1:0] came_i,  // a beat or a piece
  output logic [RoomLog:0] mark_o,
  output logic [BusLog-1:0] from_o,
  input stop_t stop_i,
  // Bursts; `at_o` and `free_o` are with move_o
  input logic room_i,
  input logic used_i,  // words of a burst
  input logic [BurstLog-BusLog:0] words_i,
  output logic owes_o,  // a response or an end follows
  output move_t move_o,
  output logic move_valid_o,
  output logic [QueueLog-1:0] at_o,
  output logic [RoomLog:0] free_o
);

  typedef logic [PlaceWidth-1:0] place_t;
  typedef struct packed {
    logic                    valid;    // a piece
    piece_t                  piece;
    logic [QueueLog:0]       head;     // of the queue
    place_t                  place;    // of the next byte
    logic [RoomLog:0]        mark;     // the next one
    logic [BusLog-1:0] from;           // where in the marked beat
    logic                    begun;    // some of its bytes are gone
    logic                    moved;    // of the transfer: some byte
    logic                    at_last;  // the last of them came with TLAST
    logic                    sparse;   // one of its beats should not have null bytes
    logic                    discard;  // its other pieces
    logic                    drain;    // it has all its bytes, its packet goes on
  } state_t;
  state_t s_q, s_d, state_next;

  logic [Index-1:0] channel, channel_next;
  logic hold, swap;

  // ---- What is known of the bytes of the channel

  localparam int unsigned StopCycles = stop_cycles(BusLog);
  logic [StopCycles-1:0] settle_q;
  logic settled, stop, stopped_q, aborts_q, paused_q;
  logic [QueueLog:0] queued_q;
  place_t limit_q;
  place_t ready_q;  // bytes up to the stop, or to the last beat, minus 1
  logic none;  // there are none
  logic some;  // a piece in the queue
  assign settled = &settle_q;
  assign stop    = stop_i.valid && stopped_q;

  // ---- What happens

  logic [1:0] far_q;  // a long burst was chosen, whose words are not in room_i yet
  logic
      may, go, normal, fits, exact, cut, cut_q, throw_, drop, take, fetch, early_q, covers, sparse;
  typedef struct packed {
    logic whole;    // the piece, or what is left of it
    logic fire;     // a burst
    logic beyond;   // the piece does not fit
    logic pass;     // the packet that ends here goes on with the next one
    logic reach;    // the stop
    logic consume;  // the stop is behind
    logic at_last;  // ... and was TLAST
    logic leave;    // the piece
    logic saves;    // what its transfer has; the packet goes on
    logic ends;     // a transfer
    logic early;    // TLAST before the last piece
  } what_t;
  what_t what;
  logic [BurstLog-1:0] size;
  place_t after;
  place_t left;  // ready_q if nothing is chosen: that comes late
  assign may = room_i && (Channels == 1 || far_q == '0);
  assign go = settled && may && !hold;
  assign normal = s_q.valid && !s_q.discard && !s_q.drain && !aborts_q && !paused_q;
  assign size = cut_q ? ready_q[BurstLog-1:0] : s_q.piece.size;
  assign after = s_q.place + place_t'(size) + 1'b1;
  assign left = stop_i.place + ~s_q.place;
  assign none = ready_q[PlaceWidth-1];
  assign fits = !none && place_t'(s_q.piece.size) <= ready_q;
  // A stop stays where it is: `ready_q` is to its place. What fits and is not less is equal.
  assign exact = !(place_t'(s_q.piece.size) < ready_q) && stop && !stop_i.bare;
  assign cut = go && normal && cut_q;
  assign throw_ = go && s_q.valid && (s_q.discard || aborts_q) && !s_q.drain;
  assign drop = go && (s_q.drain || aborts_q) && !throw_ && !none;
  assign take    = go && stop && none && !throw_ && !cut_q &&
      ((normal && !s_q.piece.empty) || s_q.drain || aborts_q);

  function automatic what_t what_if(logic fit, logic same);
    logic final_;
    what_if.whole = go && normal && !cut_q && (s_q.piece.empty || fit);
    what_if.fire = (what_if.whole && !s_q.piece.empty) || cut;
    what_if.beyond = settled && !hold && !cut_q && normal && !s_q.piece.empty && !fit;
    what_if.pass = what_if.beyond && stop && stop_i.joint && !s_q.piece.rule;
    what_if.reach = cut || (what_if.whole && !s_q.piece.empty && same) ||
        (drop && stop && !stop_i.bare);
    what_if.consume = what_if.reach || take;
    what_if.at_last = what_if.consume && stop_i.last;
    what_if.leave = what_if.whole || throw_;
    final_ = what_if.whole && s_q.piece.final_;
    what_if.saves = final_ && s_q.piece.rule && (s_q.piece.empty ? s_q.moved : !what_if.at_last);
    what_if.ends = (final_ && !what_if.saves) || (throw_ && s_q.piece.final_) ||
        (s_q.drain && go && (what_if.at_last || aborts_q));
    // What follows waits for bytes to settle: a cycle later is soon enough.
    what_if.early = normal && s_q.piece.rule && what_if.at_last && !final_;
  endfunction
  // The comparisons come late: what follows is ready for each of their results.
  always_comb begin
    what = what_if(1'b0, 1'b0);
    if (fits) what = exact ? what_if(1'b1, 1'b1) : what_if(1'b1, 1'b0);
  end
  assign fetch = (!s_q.valid || what.leave) && settle_q[0] && some && !hold;
  assign some = queued_q != s_q.head;
  // A byte of the marked beat is used up.
  assign covers = what.reach || what.pass ||
      (what.fire && stop && after[PlaceWidth-1:BusLog] == stop_i.beat && after[BusLog-1:0] != '0);
  assign sparse = s_q.sparse || (covers && !s_q.begun && stop_i.sparse);

  always_comb begin
    s_d = s_q;
    if (what.leave || !s_q.valid) begin
      s_d.valid = fetch;
      s_d.piece = piece_i;
    end
    if (fetch) s_d.head = s_q.head + 1'b1;
    if (cut) begin
      s_d.piece.size = s_q.piece.size - size - 1'b1;
      s_d.piece.addr = s_q.piece.addr + size + 1'b1;
    end
    if (what.fire) s_d.place = after;
    if (drop) s_d.place = limit_q;
    if (what.consume) s_d.place = stop_i.resume;
    if (what.consume || what.pass) s_d.from = stop_i.left ? stop_i.resume[BusLog-1:0] : '0;
    s_d.begun = s_q.begun || covers;
    if (what.pass || (what.consume && !stop_i.left)) begin
      s_d.mark  = s_q.mark + 1'b1;
      s_d.begun = 1'b0;
    end
    if (what.fire || drop) s_d.at_last = what.at_last;
    s_d.moved   = (s_q.moved || what.fire) && !what.ends;
    // What an abort drops tells nothing of the next transfer.
    s_d.sparse  = sparse && !what.ends && !aborts_q;
    s_d.discard = (s_q.discard || early_q) && !what.ends;
    s_d.drain   = (s_q.drain || what.saves) && !what.ends;
    if (what.ends || aborts_q) s_d.at_last = 1'b0;
  end

  always_ff @(posedge clk_i) begin
    stopped_q <= stop_i.valid;
    far_q     <= {far_q[0], what.fire && 32'(size) >= 4 * 2 ** BusLog};
    queued_q  <= queued_i[channel_next];
    aborts_q  <= abort_i[channel_next];
    paused_q  <= pause_i[channel_next];
    limit_q   <= stop_i.place;
    ready_q   <= what.fire ? left + ~place_t'(size) : left;
    if (!rst_ni) begin
      s_q      <= state_t'(0);
      settle_q <= '0;
      cut_q    <= 1'b0;
      early_q  <= 1'b0;
    end else begin
      early_q <= what.early;
      s_q <= swap ? state_next : s_d;
      // In a swap the mark is read a cycle early; with a wide bus it waits for its lanes.
      settle_q <= what.consume || what.pass || drop ? '0 :
          swap ? StopCycles'(StopCycles == 3) : {settle_q[StopCycles-2:0], 1'b1};
      cut_q <= (what.beyond && stop && !what.pass && !none) || (cut_q && !cut && normal && !hold);
    end
  end
  // The piece at the head has been read if it was there: the one behind it is, when that is fetched.
  assign read_at_o =
      swap ? state_next.head[QueueLog-1:0] : s_q.head[QueueLog-1:0] + QueueLog'(some);
  assign read_o = swap || fetch || !some;
  assign mark_o = swap ? state_next.mark : s_q.mark;
  assign from_o = s_q.from;
  assign pop_o = what.leave;

  // ---- The move, a cycle later

  always_ff @(posedge clk_i) begin
    at_o <= s_q.head[QueueLog-1:0] - 1'b1;
    move_valid_o <= rst_ni && (what.whole || what.fire || drop || take || what.ends);
    move_o <= '{
        data: what.fire && s_q.piece.data,
        moves: what.fire || (drop && !aborts_q),
        drops: s_q.drain,
        saves: what.saves,
        takes: take && !aborts_q,
        ends: what.ends,
        last: !aborts_q && (throw_ || s_q.drain || (s_q.piece.empty ? s_q.at_last : what.at_last)),
        sparse: sparse,
        aborted: aborts_q,
        addr: s_q.piece.addr,
        place: s_q.place,
        size: drop ? ready_q : place_t'(size)
    };
  end
  assign owes_o = (what.fire && s_q.piece.data) || what.ends;
  assign free_o = s_q.place[PlaceWidth-1:BusLog];

  // ---- Packets that ended early

  (* ram_style = "distributed" *) logic [$bits(number_t)-1:0] number_mem[Channels];
  logic [Channels-1:0] discard_q;
  number_t number_q;
  assign discard_o = discard_q;
  assign discard_number_o = number_mem[discard_channel_i];
  always_ff @(posedge clk_i) begin
    number_q <= s_q.piece.number;
    if (early_q) number_mem[channel] <= number_q;
    for (int unsigned i = 0; i < Channels; i++) begin
      if (!rst_ni) discard_q[i] <= 1'b0;
      else if (channel == Index'(i)) discard_q[i] <= (discard_q[i] || early_q) && !what.ends;
    end
  end

  // ---- Whose turn it is

  if (Channels == 1) begin : gen_one
    logic unused_turn;
    assign unused_turn = ^{came_i, weight_i, used_i, words_i};
    assign {channel, channel_next, hold, swap, refresh_o} = '0;
    assign state_next = '0;
  end else begin : gen_many
    logic idle_q, stuck_q, unused_over;
    logic [7:0] recent_q;  // so long is nothing certain about what came, or of an abort
    logic [Channels-1:0] worth_q, aborts_before_q, paused_before_q, wants;
    always_ff @(posedge clk_i) begin
      idle_q   <= settled && (!s_q.valid || what.leave) && !fetch && !s_d.drain &&
                  !(aborts_q && (stop || !none));
      stuck_q  <= (settled && paused_q && !aborts_q) || (what.beyond && !stop && may) ||
                  (settled && s_q.drain && !aborts_q && !stop && none);
      recent_q <= {
        recent_q[6:0], came_i[channel] || (abort_i[channel] && !aborts_before_q[channel])
      };
      aborts_before_q <= abort_i;
      paused_before_q <= pause_i;
      for (int unsigned i = 0; i < Channels; i++) begin
        if (!rst_ni) worth_q[i] <= 1'b0;
        else if (came_i[i] || (abort_i[i] && !aborts_before_q[i]) ||
                 (!pause_i[i] && paused_before_q[i]))
          worth_q[i] <= 1'b1;
        else if (swap && channel == Index'(i))
          worth_q[i] <= !(idle_q || stuck_q) || paused_q || recent_q != '0;
        wants[i] <= worth_q[i] && (!pause_i[i] || abort_i[i]);
      end
    end
    tsr_plan_turn #(
      .Channels   (Channels),
      .WeightWidth(WeightWidth),
      .Quantum    (2 ** (BurstLog - BusLog)),
      .WordsWidth (BurstLog - BusLog + 1),
      .state_t    (state_t)
    ) u_turn (
      .clk_i,
      .rst_ni,
      .wants_i       (wants),
      .weight_i,
      .channel_o     (channel),
      .channel_next_o(channel_next),
      .idle_i        (idle_q),
      .stuck_i       (stuck_q),
      .still_i       (!cut_q && !early_q),
      .used_i,
      .words_i,
      .over_o        (unused_over),
      .hold_o        (hold),
      .swap_o        (swap),
      .refresh_o,
      .state_i       (s_q),
      .state_o       (state_next)
    );
  end
  assign channel_o = channel;
  assign channel_next_o = channel_next;

  `TSR_ASSERT(
      NothingAtASwap,
      !swap || !(what.whole || what.fire || drop || take || what.ends || fetch || what.pass))
  `TSR_ASSERT(NothingBehindAnEarlyEnd,
              !early_q || !(what.whole || what.fire || drop || take || what.ends || throw_))
  `TSR_ASSERT(OneEndAtATime, !(throw_ && s_q.drain))
  `TSR_ASSERT(TakesTheBeatOfItsPlace,
              !take || aborts_q || s_q.place[PlaceWidth-1:BusLog] == stop_i.beat)
  `TSR_ASSERT(
      ExactIsTrue,
      !(what.whole && !s_q.piece.empty && stop && !stop_i.bare) || exact == (after == stop_i.place))
  `TSR_ASSERT(CutIsLess, !cut || (!none && ready_q < place_t'(s_q.piece.size)))

endmodule
