// Places of descriptors in the RAM of the preparation: a queue a channel, from the fetch to the end
// of the job.
//
// Three pointers follow each other round the places of a channel: free, handed on, asked for. A
// place is asked for with `asks_i` and complete with `came_i`, in any order; a parity that each of
// both writes tells whether they have met. A list that opens takes places back that were not handed
// on.
// Contract. `places_o` belongs to the visit in its second step, which may ask, open or begin anew. `head_*`:
// the sequencer; a descriptor is handed on with `take_i`, of the channel of `head_channel_i` in the
// cycle before. One that is `bad` is not: nothing comes behind it until the list opens again. The
// preparation is through with a place when it has said so without `more`. A visit for a descriptor
// that it has refused takes the head back behind it.
// Latency: 1 cycle from `came_i` to `ready_o`. Throughput: an event of each kind a cycle.
`include "tsr_assert.svh"
module tsr_list_places
  import tsr_program_pkg::*;
  import tsr_list_unit_pkg::*;
#(
  parameter  int unsigned Channels = 2,                                   // 1..32
  parameter  int unsigned Ahead    = 16,                                  // places of a channel
  localparam int unsigned Index    = Channels > 1 ? $clog2(Channels) : 1
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  logic         [Channels-1:0] open_i,
  input  logic         [Channels-1:0] active_i,
  // Visits.
  input  list_step_t                  step_i,
  input  list_does_t                  does_i,
  input  logic                        restart_i,       // the list begins anew
  input  list_number_t                number_i,
  output logic         [        15:0] index_o,         // of the place of the look, in its cycle
  output list_places_t                places_o,
  input  list_opened_t                opened_i,
  input  list_came_t                  came_i,
  // The sequencer.
  output logic         [Channels-1:0] ready_o,
  input  channel_t                    head_channel_i,
  output list_head_t                  head_o,
  input  logic         [Channels-1:0] take_i,
  output logic         [Channels-1:0] turned_o,        // the last of a turn was handed on
  // The preparation: a job of this place has ended.
  input  prepared_t                   ended_i,
  input  logic                        ended_valid_i
);

  localparam int unsigned Slot = $clog2(Ahead);
  typedef logic [Index-1:0] index_t;
  typedef logic [Slot-1:0] slot_t;
  typedef logic [Slot:0] pointer_t;  // a lap and a slot

  (* ram_style = "distributed" *) logic [Slot:0] asked_q[2**Index];
  (* ram_style = "distributed" *) logic [Slot:0] taken_q[2**Index];
  (* ram_style = "distributed" *) logic [Slot:0] free_q[2**Index];
  (* ram_style = "distributed" *) logic [5:0] asks_q[2**Index];  // how often places were asked for,
  (* ram_style = "distributed" *) logic [5:0] comes_q[2**Index];  // and came
  (* ram_style = "distributed" *)
  logic [19:0] head_q[2**Index];  // refused, end of a turn, turns, index
  (* ram_style = "distributed" *) logic flawed_q[2**Index];
  (* ram_style = "distributed" *) logic [15:0] index_q[2**(Index+Slot)];
  (* ram_style = "distributed" *) logic asked_parity_q[2**(Index+Slot)];
  (* ram_style = "distributed" *) logic [1:0] came_q[2**(Index+Slot)];  // parity, bad
  (* ram_style = "distributed" *) logic [1:0] ends_q[2**(Index+Slot)];  // of the turn, of the list

  // ---- Visits -----------------------------------------------------------------------------------

  index_t look, visit;
  visit_kind_e kind;
  pointer_t asked, taken, free, used, asked_now_q, free_now_q, asked_next;
  logic [15:0] index;
  slot_t at;
  logic [19:0] head_look;
  logic [5:0] asks_now_q;
  logic owed_q, flawed_look_q, parity;
  logic [19:0] head_look_q;
  assign kind      = step_i.visit.kind;
  assign look      = index_t'(step_i.look.channel);
  assign visit     = index_t'(step_i.visit.channel);
  assign taken     = taken_q[look];
  assign asked     = step_i.look.kind == VisitOpen ? taken : asked_q[look];
  assign free      = free_q[look];
  assign head_look = head_q[look];
  assign index     = index_q[{look, slot_t'(step_i.look.slot)}];
  assign index_o   = index;
  always_ff @(posedge clk_i) begin
    if (!step_i.hold) begin
      asked_now_q   <= asked;
      free_now_q    <= free;
      asks_now_q    <= asks_q[look];
      owed_q        <= asks_q[look] != comes_q[look];
      flawed_look_q <= flawed_q[look];
      head_look_q   <= head_look;
    end
  end
  assign used = asked_now_q - free_now_q;
  assign places_o = '{
          head: head_look_q[15:0],
          turns: head_look_q[17:16],
          room: !used[Slot],
          last: used[Slot-1:0] == '1,
          owed: owed_q,
          flawed: flawed_look_q,
          slot: 4'(at),
          parity: parity
      };
  assign asked_next = kind == VisitOpen ? asked_now_q : asked_now_q + 1'b1;
  // An extension, and what was refused, belong to a place that was asked for.
  assign at = kind inside {VisitExtension, VisitRefused} ? slot_t'(step_i.visit.slot) :
      asked_now_q[Slot-1:0];
  assign parity = !came_q[{visit, at}][0];
  always_ff @(posedge clk_i) begin
    if (does_i.clears || does_i.asks || does_i.opens)
      asked_q[visit] <= does_i.clears ? '0 : asked_next;
    if (does_i.clears || does_i.asks) asks_q[visit] <= does_i.clears ? '0 : asks_now_q + 1'b1;
    if (does_i.asks) begin
      index_q[{visit, at}]        <= number_i.index;
      asked_parity_q[{visit, at}] <= parity;
    end
    if (opened_i.valid) flawed_q[index_t'(opened_i.channel)] <= opened_i.flawed;
  end

  // ---- Arrivals ---------------------------------------------------------------------------------

  index_t came_channel;
  slot_t  came_slot;
  logic   meets;
  assign came_channel = index_t'(came_i.channel);
  assign came_slot = slot_t'(came_i.slot);
  assign meets = came_i.whole && slot_t'(taken_q[came_channel]) == came_slot;
  always_ff @(posedge clk_i) begin
    if (came_i.base) ends_q[{came_channel, came_slot}] <= {came_i.turn_end, came_i.at_end};
    if (came_i.whole) came_q[{came_channel, came_slot}] <= {came_i.bad, came_i.parity};
    if (does_i.clears || came_i.whole)
      comes_q[does_i.clears?visit : came_channel] <= does_i.clears ? '0 :
          comes_q[came_channel] + 1'b1;
  end

  // ---- The sequencer ----------------------------------------------------------------------------

  index_t head_channel, head_channel_q;
  slot_t head_slot;
  pointer_t next;
  logic [Index+Slot-1:0] next_at;
  logic [19:0] head, head_now_q;
  logic turn_end, at_end, bad, at_end_q, bad_q, takes, next_ready;
  logic [Channels-1:0] ready_q;
  assign head_channel = index_t'(head_channel_i);
  assign head_slot = slot_t'(taken_q[head_channel]);
  assign head = head_q[head_channel];
  assign {turn_end, at_end} = ends_q[{head_channel, head_slot}];
  assign bad = came_q[{head_channel, head_slot}][1];
  assign head_o = '{
          place: 8'({head_channel, head_slot}),
          index: head[15:0],
          turn_end: turn_end && !bad
      };
  assign takes = take_i != '0;
  // Behind a descriptor that was refused others may have been handed on: they are taken back, and if
  // they are refused, too, the head stays.
  logic stays, zero;
  assign zero = does_i.zero || restart_i || does_i.opens;
  assign stays = step_i.act && kind == VisitRefused && !head_look_q[19] && !came_q[{visit, at}][1];
  assign next_at = {head_channel_q, next[Slot-1:0]};
  assign next_ready = !bad_q && next != asked_q[head_channel_q] &&
      asked_parity_q[next_at] == came_q[next_at][0];
  always_ff @(posedge clk_i) begin
    head_channel_q <= head_channel;
    next           <= taken_q[head_channel] + 1'b1;
    head_now_q     <= head;
    at_end_q       <= at_end;
    bad_q          <= bad;
    if (does_i.clears || (takes && !bad_q))
      taken_q[does_i.clears?visit : head_channel_q] <= does_i.clears ? '0 : next;
    // A visit gives way to this.
    if (takes && !bad_q) begin
      head_q[head_channel_q] <= {
        head_now_q[19],
        at_end_q,
        head_now_q[17:16] + 2'(head_now_q[18]),
        at_end_q ? 16'd0 : head_now_q[15:0] + 16'd1
      };
    end else if (zero || stays) begin
      head_q[visit] <= {stays, {3{stays}} & head_look_q[18:16], number_i.behind};
    end
  end
  for (genvar c = 0; c < Channels; c++) begin : gen_channel
    logic meets_here, next_comes;
    assign meets_here = meets && 32'(came_i.channel) == c;
    assign next_comes = came_i.whole && 32'(came_i.channel) == c && came_slot == next[Slot-1:0] &&
        !bad_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || !active_i[c]) ready_q[c] <= 1'b0;
      else if (take_i[c]) ready_q[c] <= next_ready || next_comes;
      else ready_q[c] <= ready_q[c] || meets_here;
    end
    assign turned_o[c] = take_i[c] && head_now_q[18];
  end
  assign ready_o = ready_q & active_i & open_i;

  // ---- The preparation --------------------------------------------------------------------------

  // Of a channel at most two places are handed on and not free: that tells the lap. A bad one is
  // not handed on.
  index_t end_channel;
  slot_t  end_slot;
  pointer_t end_taken, ended;
  assign end_channel = index_t'(ended_i.channel);
  assign end_slot = ended_i.place[Slot-1:0];
  assign end_taken = taken_q[end_channel];
  assign ended = {end_taken[Slot] ^ (end_slot > end_taken[Slot-1:0]), end_slot};
  always_ff @(posedge clk_i) begin
    if (does_i.clears || ended_valid_i) begin
      free_q[does_i.clears?visit : end_channel] <= does_i.clears ? '0 :
          ended + pointer_t'(!ended_i.more && end_slot != end_taken[Slot-1:0]);
    end
  end

  logic unused_in;
  assign unused_in = ^{step_i, does_i, number_i, came_i, ended_i, opened_i, head_channel_i};

  `TSR_STATIC_ASSERT(Ahead, Ahead >= 4 && Ahead <= 16 && $onehot(Ahead),
                     ("Ahead = %0d; legal is 4, 8 or 16", Ahead))
  `TSR_STATIC_ASSERT(Places, Channels * Ahead <= 128,
                     ("Channels * Ahead = %0d; legal is up to 128", Channels * Ahead))
  `TSR_ASSERT(NoVisitBesideATake, !(takes && zero))
  `TSR_ASSERT(AsksWithRoom, !does_i.asks || 32'(used) < Ahead)
  `TSR_ASSERT(TakesWhatIsReady, (take_i & ~ready_q) == '0)

endmodule
