// Loads descriptors for all channels: one at a time, each channel in its turn.
// What their words mean is the matter of a decoder beside it, one of each front end.
//
// Contract: a channel holds `request_i[c]` with `valid_i[c]` until `ready_o[c]`, asks again only after the
// answer, and always takes that: `loaded_valid_o[c]` for one cycle with `loaded_o`. The transfer is on
// `transfer_o` in the cycle before the answer if Early, which needs no register, else with it; with an error it
// means nothing, and nothing of the descriptor is to run.
// The descriptor is latched with its request: later writes do not show. One of a list is asked for only
// when a part of it is there (`list_valid_i`); its parts go into descriptor RAM first, a cycle each.
// The decoder sees the words that descriptor RAM holds and `decode_o`, and answers in the same cycle.
// Latency: 2 cycles from request to answer, 1 if the guess was right, and as many more as the preparation takes
// and as others are served before. Throughput: a descriptor in two cycles, if it needs no product.
`include "tsr_assert.svh"
module tsr_loader
  import tsr_pkg::*;
  import tsr_descriptor_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_list_pkg::*;
#(
  parameter int unsigned Channels = 2,  // 1..32
  parameter int unsigned Descriptors = 16,
  parameter bit Dealt = 1'b0,  // a channel has its part of them, and no other
  parameter int unsigned AddrWidth = 64,
  parameter int unsigned DataWidth = 64,
  parameter bit Walk = 1'b1,
  parameter bit Bounds = 1'b1,
  parameter bit Lists = 1'b0,
  parameter bit Early = 1'b1,
  localparam int unsigned ChannelWidth = $clog2(Channels < 2 ? 2 : Channels)
) (
  input logic clk_i,
  input logic rst_ni,
  // Channels.
  input load_request_t [Channels-1:0] request_i,
  input logic [Channels-1:0] valid_i,
  output logic [Channels-1:0] ready_o,
  output loaded_t loaded_o,
  output transfer_t transfer_o,
  output logic [Channels-1:0] loaded_valid_o,
  output logic [63:0] loaded_addr_o,  // of a descriptor of a list
  // Lists: tsr_lists.
  input logic [Channels-1:0] list_open_i,  // falls: no part comes any more
  input logic [Channels-1:0] list_valid_i,
  output logic [ChannelWidth-1:0] list_select_o,
  input list_part_t list_part_i,
  output logic list_take_o,
  // Descriptor RAM: tsr_descriptor_ram.
  output logic read_o,
  input logic read_ready_i,
  input logic read_hit_i,  // its words are there already
  input descriptor_id_t guess_i,  // may be asked for next, with `guess_valid_i`
  input logic guess_valid_i,
  output descriptor_id_t read_id_o,
  output logic read_list_o,
  output logic fill_o,
  output logic release_o,
  output logic advance_o,
  // The decoder.
  output decode_t decode_o,
  output logic [Channels-1:0] decode_channel_o,
  input descriptor_t descriptor_i,
  input loaded_t decoded_i,
  input logic has_iteration_i
);

  localparam int unsigned Part = Descriptors / Channels;  // of a channel, if they are dealt
  `TSR_STATIC_ASSERT(Dealt, !Dealt || Part >= 1,
                     ("Descriptors = %0d; legal with Dealt is at least %0d", Descriptors, Channels))

  typedef logic [Channels-1:0] set_t;

  // ---- Whose turn it is -------------------------------------------------------------------------

  set_t next, asks, last_q, work_q;
  load_request_t request, request_q;
  loaded_t loaded_q;  // the last one
  logic working_q, start, finish, available, available_q;

  tsr_round_robin #(
    .Channels(Channels)
  ) u_turn (
    .request_i(asks),
    .last_i   (last_q),
    .next_o   (next)
  );

  always_comb begin
    for (int unsigned c = 0; c < Channels; c++) begin
      asks[c] = valid_i[c] && (!(Lists && request_i[c].from_list) || list_valid_i[c]);
    end
  end

  function automatic logic owns(input descriptor_id_t descriptor, input int unsigned channel);
    if (!Dealt) return 32'(descriptor) < Descriptors;
    return 32'(descriptor) >= channel * Part && 32'(descriptor) < (channel + 1) * Part;
  endfunction

  always_comb begin
    request   = '0;
    available = 1'b0;
    for (int unsigned c = 0; c < Channels; c++) begin
      if (next[c]) begin
        request = request | request_i[c];
        available = available ||
            (request_i[c].from_list ? Lists : owns(request_i[c].descriptor, c));
      end
    end
  end

  assign start  = read_o && read_ready_i;
  assign read_o = asks != '0 && !working_q;
  // While nobody asks, a guess: what is pushed now, or what follows the last one.
  descriptor_id_t guess;
  assign guess = guess_valid_i ? guess_i : loaded_q.chained ? loaded_q.next : loaded_q.descriptor;
  assign read_id_o = request.descriptor | (asks == '0 ? guess : '0);
  assign ready_o = next & {Channels{start}};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      working_q <= 1'b0;
      last_q    <= set_t'(1);
    end else begin
      working_q <= (working_q || start) && !finish;
      if (start) last_q <= next;
    end
    if (start) begin
      work_q      <= next;
      request_q   <= request;
      available_q <= available;
    end
  end

  // ---- Parts of a list --------------------------------------------------------------------------

  logic gathers_q, lost, turn_end_q;  // parts are still to come; one of them came with an error
  logic [15:0] index_q;
  load_error_e list_error_q;
  set_t selected;

  assign selected    = start ? next : work_q;
  assign read_list_o = request.from_list;
  always_comb begin
    list_select_o = '0;
    for (int unsigned c = 0; c < Channels; c++) begin
      if (selected[c]) list_select_o = list_select_o | ChannelWidth'(c);
    end
  end

  if (Lists) begin : gen_lists
    logic closed;
    assign closed = working_q && gathers_q && (list_open_i & work_q) == '0;
    assign list_take_o = (start && request.from_list) ||
        (working_q && gathers_q && !closed && (list_valid_i & work_q) != '0);
    logic unused_part;
    assign unused_part = ^list_part_i;
    assign fill_o = list_take_o && list_part_i.error == LoadOk;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) gathers_q <= 1'b0;
      else if (closed) gathers_q <= 1'b0;
      else if (list_take_o) gathers_q <= !list_part_i.final_part && list_part_i.error == LoadOk;
      else if (start) gathers_q <= 1'b0;
      if (closed) begin
        list_error_q <= LoadListFetch;
      end else if (list_take_o) begin
        list_error_q <= list_part_i.error;
        turn_end_q   <= list_part_i.turn_end;
        index_q      <= list_part_i.index;
      end
    end
    assign lost = working_q && request_q.from_list && list_error_q != LoadOk;
    logic [63:0] addr_q, loaded_addr_q;
    always_ff @(posedge clk_i) begin
      if (start) addr_q <= list_part_i.addr;
      loaded_addr_q <= addr_q;
    end
    assign loaded_addr_o = loaded_addr_q;
  end else begin : gen_no_lists
    logic unused_lists;
    assign unused_lists  = ^{list_open_i, list_valid_i, list_part_i};
    assign list_take_o   = 1'b0;
    assign fill_o        = 1'b0;
    assign gathers_q     = 1'b0;
    assign lost          = 1'b0;
    assign turn_end_q    = 1'b0;
    assign index_q       = '0;
    assign list_error_q  = LoadOk;
    assign loaded_addr_o = '0;
  end

  // ---- Words to a transfer ----------------------------------------------------------------------

  // With a hit the work begins in the cycle of the request.
  load_request_t current;
  logic working, hit;
  set_t work;
  assign hit     = start && read_hit_i && !request.from_list;
  assign working = (working_q && !gathers_q) || hit;
  assign current = working_q ? request_q : request;
  assign work    = working_q ? work_q : next;

  loaded_t loaded;
  logic wrong, prepared, answers_q;
  descriptor_error_e prepare_error;
  transfer_t transfer;

  assign decode_channel_o = work;
  assign decode_o = '{
          request: current,
          available: working_q ? available_q : available,
          turn_end: turn_end_q,
          index: index_q
      };

  tsr_prepare_transfer #(
    .AddrWidth(AddrWidth),
    .DataWidth(DataWidth),
    .Walk     (Walk),
    .Bounds   (Bounds)
  ) u_prepare (
    .clk_i,
    .rst_ni,
    .flush_i   (1'b0),
    .descriptor_i,
    .valid_i   (working && !wrong),
    .transfer_o(transfer),
    .error_o   (prepare_error),
    .valid_o   (prepared),
    .ready_i   (1'b1)
  );

  assign wrong     = lost || decoded_i.error != 6'(LoadOk);
  assign finish    = working && (wrong || prepared);
  assign release_o = finish;
  assign advance_o = has_iteration_i && !wrong && prepare_error == ErrorNone;

  // ---- The answer -------------------------------------------------------------------------------

  always_comb begin
    loaded = decoded_i;
    if (lost) loaded.error = 6'(list_error_q);
    else if (!wrong) loaded.error = 6'(prepare_error);
  end
  always_ff @(posedge clk_i) begin
    answers_q <= rst_ni && finish;
    loaded_q  <= loaded;
  end
  assign loaded_o       = loaded_q;
  assign loaded_valid_o = work_q & {Channels{answers_q}};

  if (Early) begin : gen_early
    assign transfer_o = transfer;
  end else begin : gen_with_answer
    always_ff @(posedge clk_i) transfer_o <= transfer;
  end

  `TSR_ASSERT(OneAnswer, $onehot0(loaded_valid_o))

endmodule
