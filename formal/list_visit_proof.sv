// tsr_list_visit and tsr_list_index: of a ring each descriptor that software has posted is asked for once, in its
// order and at its address, and none that is not posted; what was asked for becomes one request, in order.
`include "proof.svh"

module list_visit_proof
  import tsr_program_pkg::*;
  import tsr_list_unit_pkg::*;
#(
  localparam int unsigned Channels  = 2,
  localparam int unsigned AddrWidth = 32,
  localparam int unsigned Patience  = 4
) (
  input logic       clk_i,
  input logic       rst_ni,
  input logic       look_i,
  input logic       look_channel_i,
  input logic       count_i,          // two or three descriptors
  input logic       post_i,
  input logic       post_channel_i,
  input logic       room_i,
  input logic [1:0] slot_i,
  input logic       quiesce_i,
  input logic [1:0] active_i,         // not: what has no address yet ends without one
  input logic       permitted_i,
  input logic       check_ready_i,
  input logic       request_ready_i,
  input logic       request_free_i
);

  // Memories begin with 0, as behind a sweep.
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  OneReset :
  assume property (@(posedge clk_i) rst_ni == started_q);

  // ---- Rings: software posts by moving the tail, never onto the head ------------------------------

  logic [1:0] count_q;
  logic [Channels-1:0][1:0] tail_q, next_q;  // next: index of the next descriptor to ask for
  logic [Channels-1:0][1:0] posted_q;  // and not asked for
  logic asks, channel;
  function automatic logic [1:0] behind(logic [1:0] index);
    return index + 2'd1 == count_q ? 2'd0 : index + 2'd1;
  endfunction
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      count_q <= {1'b1, count_i};
      {tail_q, next_q, posted_q} <= '0;
    end else begin
      for (int unsigned c = 0; c < Channels; c++) begin
        automatic logic posts = post_i && post_channel_i == c[0];
        automatic logic takes = asks && channel == c[0];
        if (posts) tail_q[c] <= behind(tail_q[c]);
        if (takes) next_q[c] <= behind(next_q[c]);
        posted_q[c] <= posted_q[c] + 2'(posts) - 2'(takes);
      end
    end
  end
  `TSR_ASSUME(NeverFull, !post_i || posted_q[post_channel_i] + 2'd1 != count_q)

  // ---- Visits -------------------------------------------------------------------------------------

  visit_t look;
  list_step_t step;
  list_does_t does;
  list_number_t number;
  list_item_t item;
  list_setup_t setup;
  list_places_t places;
  list_check_t check;
  list_request_t request;
  list_target_t target;
  list_order_t order;
  list_way_t way;
  logic look_valid, free, item_free, item_valid, act, check_valid, request_valid;
  assign look_valid = rst_ni && look_i && free && item_free;
  always_comb begin
    look = '0;
    look.kind = VisitBase;
    look.channel = channel_t'(look_channel_i);
    setup = '0;
    setup.ring = 1'b1;
    setup.count = 16'(count_q);
    setup.tail = 16'(tail_q[channel]);
    order = '0;
    order.open = 1'b1;
    way = '0;
    way.ready = request_ready_i;
    way.free = request_free_i;
    places = '0;
    places.room = room_i;
    places.slot = 4'(slot_i);
  end
  tsr_list_index #(
    .Channels(Channels)
  ) u_index (
    .clk_i,
    .rst_ni,
    .step_i       (step),
    .place_index_i('0),
    .count_i      (16'(count_q)),
    .number_o     (number),
    .setup_i      (setup),
    .next_i       (asks),
    .open_i       (1'b0),
    .head_i       ('0),
    .zero_i       (1'b0)
  );
  tsr_list_visit #(
    .Channels (Channels),
    .AddrWidth(AddrWidth)
  ) u_visit (
    .clk_i,
    .rst_ni,
    .look_i      (look),
    .look_valid_i(look_valid),
    .free_o      (free),
    .step_o      (step),
    .does_o      (does),
    .list_i      ({Channels{order}}),
    .known_i     ({setup, places, number}),
    .epoch_i     ('0),
    .item_o      (item),
    .item_valid_o(item_valid)
  );
  tsr_list_address #(
    .Channels (Channels),
    .AddrWidth(AddrWidth)
  ) u_address (
    .clk_i,
    .rst_ni,
    .quiesce_i,
    .active_i,
    .read_i         (way),
    .write_i        ('0),
    .item_i         (item),
    .item_valid_i   (item_valid),
    .item_free_o    (item_free),
    .check_o        (check),
    .check_valid_o  (check_valid),
    .check_i        ({check_ready_i, permitted_i}),
    .attr_i         ('0),
    .opened_o       (),
    .request_o      (request),
    .request_valid_o(request_valid),
    .sent_o         (),
    .sent_valid_o   (),
    .target_o       (target),
    .refusal_o      (),
    .refusal_valid_o(),
    .refusal_ready_i(1'b0)
  );
  assign asks = does.asks;
  assign act = step.act;
  assign channel = step.visit.channel[0];

  // ---- What was asked for, the oldest first -------------------------------------------------------

  typedef struct packed {
    logic       channel;
    logic [1:0] index,   slot;
  } asked_t;
  asked_t [3:0] asked_q;
  logic   [2:0] length_q;
  logic   [2:0] waits_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {length_q, waits_q} <= '0;
    else begin
      length_q <= length_q + 3'(asks) - 3'(request_valid);
      waits_q <= length_q == '0 || request_valid || quiesce_i || !check_ready_i ||
          !request_ready_i || !request_free_i ? '0 : waits_q + 1'b1;
    end
    if (request_valid) asked_q <= asked_q >> $bits(asked_t);
    if (asks) asked_q[length_q-3'(request_valid)] <= '{channel, next_q[channel], slot_i};
  end

  `TSR_ASSERT(OnlyWhatIsPosted, !asks || posted_q[channel] != '0)
  `TSR_ASSERT(AllThatIsPosted, !act || asks == (room_i && posted_q[channel] != '0))
  `TSR_ASSERT(OneRequestEach, !request_valid || length_q != '0)
  logic [4:0] place;
  assign place = {asked_q[0].channel, 2'd0, asked_q[0].slot};
  `TSR_ASSERT(ItsPlace, !request_valid || {request.channel[0], request.slot} == place)
  `TSR_ASSERT(ItsAddress, !request_valid || target.addr[AddrWidth-1:6] == 26'(asked_q[0].index))
  `TSR_ASSERT(TurnsAround, !request_valid || request.at_end == (behind(asked_q[0].index) == 2'd0))
  `TSR_ASSERT(BurstOnAFreeBus, !request_valid || request.code != CodeNone || request_free_i)
  `TSR_ASSERT(NoneIsForgotten, waits_q <= 3'(Patience))

  logic round_q;  // the first channel was asked for the last descriptor of its ring
  always_ff @(posedge clk_i)
    round_q <= rst_ni && (round_q || (asks && !channel && behind(
        next_q[0]
    ) == 2'd0));
  `TSR_COVER(GoesRound, round_q && asks && !channel && count_q == 2'd3)
  `TSR_COVER(TwoWait, length_q == 3'd2 && asked_q[0].channel != asked_q[1].channel)
  logic unused;
  assign unused = ^{check, check_valid, request, step, does, target};

endmodule
