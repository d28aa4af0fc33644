// tsr_list_places: the places of a channel are asked for and handed on one after the other, each once, not before its
// descriptor has come, and not again before the preparation is through with it.
`include "proof.svh"

module list_places_proof
  import tsr_program_pkg::*;
  import tsr_list_unit_pkg::*;
#(
  localparam int unsigned Channels = 2,
  localparam int unsigned Ahead    = 4,
  localparam int unsigned Slot     = 2
) (
  input logic            clk_i,
  input logic            rst_ni,
  input logic            look_channel_i,
  input logic            asks_i,
  input logic            comes_i,
  input logic            came_channel_i,
  input logic [Slot-1:0] came_slot_i,
  input logic            head_channel_i,
  input logic            take_i,
  input logic            end_i,
  input logic            end_channel_i
);

  // Memories begin with 0, as behind a sweep, and lists open.
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  OneReset :
  assume property (@(posedge clk_i) rst_ni == started_q);

  // ---- Counted here: asked for, handed on, through ------------------------------------------------

  typedef logic [Slot:0] count_t;
  logic [Channels-1:0][Slot:0] asked_q, taken_q, free_q;
  logic [Channels-1:0][Ahead-1:0] waits_q, parity_q;  // asked for and not come
  logic asks, visit_q, head_q, took_q, took_channel_q;
  logic [Channels-1:0] take, ready;
  list_step_t step;
  list_does_t does;
  prepared_t ended;
  list_places_t places;
  list_head_t head;
  list_came_t came;
  assign asks = rst_ni && asks_i;
  assign take = {head_q, !head_q} & {2{rst_ni && take_i}};
  always_comb begin
    step = '0;
    step.look.kind = VisitBase;
    step.look.channel = channel_t'(look_channel_i);
    step.visit.kind = VisitBase;
    step.visit.channel = channel_t'(visit_q);
    step.act = asks;
    does = '0;
    does.asks = asks;
    ended = '0;
    ended.channel = channel_t'(end_channel_i);
    ended.place = 8'({end_channel_i, free_q[end_channel_i][Slot-1:0]});
    came = '0;
    came.base = comes_i && rst_ni;
    came.whole = comes_i && rst_ni;
    came.channel = channel_t'(came_channel_i);
    came.slot = 4'(came_slot_i);
    came.parity = parity_q[came_channel_i][came_slot_i];
  end
  always_ff @(posedge clk_i) begin
    visit_q        <= look_channel_i;
    head_q         <= head_channel_i;
    took_q         <= rst_ni && take_i;
    took_channel_q <= head_q;
    if (!rst_ni) {asked_q, taken_q, free_q, waits_q} <= '0;
    else begin
      if (asks) begin
        asked_q[visit_q]                              <= asked_q[visit_q] + 1'b1;
        waits_q[visit_q][asked_q[visit_q][Slot-1:0]]  <= 1'b1;
        parity_q[visit_q][asked_q[visit_q][Slot-1:0]] <= places.parity;
      end
      if (comes_i) waits_q[came_channel_i][came_slot_i] <= 1'b0;
      if (take_i) taken_q[head_q] <= taken_q[head_q] + 1'b1;
      if (end_i) free_q[end_channel_i] <= free_q[end_channel_i] + 1'b1;
    end
  end

  // A visit sees what the visits before it did: two in a row are not of one channel.
  logic last_visit_q, asked_before_q;
  always_ff @(posedge clk_i) begin
    last_visit_q   <= visit_q;
    asked_before_q <= asks;
  end
  `TSR_ASSUME(OneVisitAfterTheOther, !asks_i || !asked_before_q || visit_q != last_visit_q)
  `TSR_ASSUME(AsksWithRoom, !asks_i || places.room)
  `TSR_ASSUME(ComesWhenAskedFor, !comes_i || waits_q[came_channel_i][came_slot_i])
  `TSR_ASSUME(TakesWhatIsReady, !take_i || ready[head_q])
  // The head is looked at in the cycle before it is taken, and that behind a take in the cycle after it.
  `TSR_ASSUME(LooksBeforeItTakes, !take_i || !took_q || took_channel_q != head_q)
  count_t [Channels-1:0] held, known;  // handed on and not through, asked for and not handed on
  for (genvar c = 0; c < Channels; c++) begin : gen_count
    assign held[c]  = taken_q[c] - free_q[c];
    assign known[c] = asked_q[c] - taken_q[c];
    // As the sequencer: at most two are handed on and not through.
    `TSR_ASSUME(TwoAtATime, !(take_i && head_q == c) || held[c] < 3'd2)
    `TSR_ASSUME(EndsWhatItHas, !(end_i && end_channel_i == c) || held[c] != '0)
  end

  tsr_list_places #(
    .Channels(Channels),
    .Ahead   (Ahead)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .open_i        ('1),
    .active_i      ('1),
    .step_i        (step),
    .does_i        (does),
    .restart_i     (1'b0),
    .number_i      ('0),
    .index_o       (),
    .places_o      (places),
    .opened_i      ('0),
    .came_i        (came),
    .ready_o       (ready),
    .head_channel_i(channel_t'(head_channel_i)),
    .head_o        (head),
    .take_i        (take),
    .turned_o      (),
    .ended_i       (ended),
    .ended_valid_i (end_i && rst_ni)
  );

  // ---- What it owes -------------------------------------------------------------------------------

  count_t used_q;  // of the channel of the visit, as the look saw it
  logic [7:0] place_q;
  logic [Channels-1:0] heads_q;
  always_ff @(posedge clk_i) begin
    used_q  <= asked_q[look_channel_i] - free_q[look_channel_i];
    place_q <= head.place;
    for (int unsigned c = 0; c < Channels; c++)
    heads_q[c] <= rst_ni && known[c] != '0 && !waits_q[c][taken_q[c][Slot-1:0]] &&
        !(take_i && head_q == c[0]);
  end
  `TSR_ASSERT(RoomIsTrue, !asks || used_q < count_t'(Ahead))
  `TSR_ASSERT(InOrder, !asks || places.slot == 4'(asked_q[visit_q][Slot-1:0]))
  `TSR_ASSERT(NeverTwice, !asks || !waits_q[visit_q][places.slot[Slot-1:0]])
  `TSR_ASSERT(HandsOnInOrder, !take_i || place_q == 8'({head_q, taken_q[head_q][Slot-1:0]}))
  for (genvar c = 0; c < Channels; c++) begin : gen_channel
    `TSR_ASSERT(NeverTooMany, asked_q[c] - free_q[c] <= count_t'(Ahead))
    `TSR_ASSERT(HandsOnWhatHasCome,
                !ready[c] || (known[c] != '0 && !waits_q[c][taken_q[c][Slot-1:0]]))
    // No descriptor that has come is forgotten: it is ready a cycle later.
    `TSR_ASSERT(NoneIsForgotten, !heads_q[c] || ready[c])
    `TSR_COVER(Full, asked_q[c] - free_q[c] == count_t'(Ahead) && free_q[c] != '0)
  end
  logic [Slot-1:0] oldest;
  assign oldest = taken_q[came_channel_i][Slot-1:0];
  `TSR_COVER(OutOfOrder, comes_i && waits_q[came_channel_i][oldest] && came_slot_i != oldest)
  logic unused;
  assign unused = ^{places, head};

endmodule
