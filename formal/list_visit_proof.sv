// tsr_list_visit and tsr_list_index: of a ring each descriptor that software has posted is asked for once, in its
// order and at its address, and none that is not posted; what was asked for becomes one request, in order.
`include "proof.svh"

module list_visit_proof
  import tsr_program_pkg::channel_t;
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
  input logic       permitted_i,
  input logic       check_ready_i,
  input logic       request_ready_i,
  input logic       ar_ready_i
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

  visit_t look, visit;
  list_setup_t setup;
  list_places_t places;
  list_check_t check;
  list_request_t request;
  logic [AddrWidth-1:6] ar_addr;
  logic [AddrWidth-1:4] addr;
  channel_t ar_channel;
  logic look_valid, free, item_free, act, hold, check_valid, request_valid, ar_valid, at_end;
  logic [15:0] index;
  logic [ 1:0] turns;
  assign look_valid = rst_ni && look_i && free && item_free;
  assign channel = visit.channel[0];
  always_comb begin
    look = '0;
    look.kind = VisitBase;
    look.channel = channel_t'(look_channel_i);
    setup = '0;
    setup.ring = 1'b1;
    setup.count = 16'(count_q);
    setup.tail = 16'(tail_q[channel]);
    places = '0;
    places.room = room_i;
  end
  tsr_list_index #(
    .Channels(Channels)
  ) u_index (
    .clk_i,
    .rst_ni,
    .look_i       (look),
    .hold_i       (hold),
    .place_index_i('0),
    .count_i      (16'(count_q)),
    .visit_i      (visit),
    .index_o      (index),
    .turns_o      (turns),
    .behind_o     (),
    .at_end_o     (at_end),
    .setup_i      (setup),
    .next_i       (asks),
    .open_i       (1'b0),
    .head_i       ('0),
    .zero_i       (1'b0),
    .interrupts_o ()
  );
  tsr_list_visit #(
    .Channels (Channels),
    .AddrWidth(AddrWidth)
  ) u_visit (
    .clk_i,
    .rst_ni,
    .quiesce_i,
    .look_i           (look),
    .look_valid_i     (look_valid),
    .free_o           (free),
    .item_free_o      (item_free),
    .visit_o          (visit),
    .act_o            (act),
    .clears_o         (),
    .hold_o           (hold),
    .takes_i          (1'b0),
    .open_i           ('1),
    .again_i          ('0),
    .active_i         ('1),
    .setup_i          (setup),
    .base_i           ('0),
    .lost_i           ('0),
    .places_i         (places),
    .slot_i           (4'(slot_i)),
    .parity_i         (1'b0),
    .index_i          (index),
    .turns_i          (turns),
    .at_end_i         (at_end),
    .interrupts_i     (1'b0),
    .epoch_i          ('0),
    .asks_o           (asks),
    .opens_o          (),
    .numbers_o        (),
    .rests_o          (),
    .loses_o          (),
    .check_o          (check),
    .check_valid_o    (check_valid),
    .check_ready_i,
    .check_permitted_i(permitted_i),
    .opened_channel_o (),
    .opened_o         (),
    .flawed_o         (),
    .request_o        (request),
    .request_valid_o  (request_valid),
    .request_ready_i,
    .read_failed_i    (1'b0),
    .sent_o           (),
    .sent_valid_o     (),
    .sent_ready_i     (1'b0),
    .bus_free_i       (1'b0),
    .write_failed_i   (1'b0),
    .addr_o           (addr),
    .refusal_o        (),
    .refusal_valid_o  (),
    .refusal_ready_i  (1'b0),
    .ar_channel_o     (ar_channel),
    .ar_addr_o        (ar_addr),
    .ar_valid_o       (ar_valid),
    .ar_ready_i
  );

  // ---- What was asked for, the oldest first -------------------------------------------------------

  typedef struct packed {
    logic       channel;
    logic [1:0] index,   slot;
  } asked_t;
  asked_t [3:0] asked_q;
  asked_t ar_q;
  logic [2:0] length_q;
  logic [2:0] waits_q;
  logic ar_due_q, goes;
  assign goes = request_valid && request.code == CodeNone;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {length_q, ar_due_q, waits_q} <= '0;
    else begin
      length_q <= length_q + 3'(asks) - 3'(request_valid);
      ar_due_q <= goes || (ar_due_q && !ar_ready_i);
      waits_q <= length_q == '0 || request_valid || quiesce_i || !check_ready_i ||
          !request_ready_i || (ar_valid && !ar_ready_i) ? '0 : waits_q + 1'b1;
    end
    if (request_valid) asked_q <= asked_q >> $bits(asked_t);
    if (asks) asked_q[length_q-3'(request_valid)] <= '{channel, next_q[channel], slot_i};
    if (goes) ar_q <= asked_q[0];
  end

  `TSR_ASSERT(OnlyWhatIsPosted, !asks || posted_q[channel] != '0)
  `TSR_ASSERT(AllThatIsPosted, !act || asks == (room_i && posted_q[channel] != '0))
  `TSR_ASSERT(OneRequestEach, !request_valid || length_q != '0)
  logic [4:0] place;
  assign place = {asked_q[0].channel, 2'd0, asked_q[0].slot};
  `TSR_ASSERT(ItsPlace, !request_valid || {request.channel[0], request.slot} == place)
  `TSR_ASSERT(ItsAddress, !request_valid || addr[AddrWidth-1:6] == 26'(asked_q[0].index))
  `TSR_ASSERT(TurnsAround, !request_valid || request.at_end == (behind(asked_q[0].index) == 2'd0))
  `TSR_ASSERT(OneBurstEach, ar_valid == ar_due_q)
  `TSR_ASSERT(BurstAtItsAddress,
              !ar_valid || (ar_addr == 26'(ar_q.index) && ar_channel == channel_t'(ar_q.channel)))
  `TSR_ASSERT(NoneIsForgotten, waits_q <= 3'(Patience))

  logic round_q;  // the first channel was asked for the last descriptor of its ring
  always_ff @(posedge clk_i)
    round_q <= rst_ni && (round_q || (asks && !channel && behind(
        next_q[0]
    ) == 2'd0));
  `TSR_COVER(GoesRound, round_q && asks && !channel && count_q == 2'd3)
  `TSR_COVER(TwoWait, length_q == 3'd2 && asked_q[0].channel != asked_q[1].channel)
  logic unused;
  assign unused = ^{check, check_valid, request};

endmodule
