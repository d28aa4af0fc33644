// Keeps the descriptors of all lists from the bus to the loader, a queue of slots of 64 bytes a channel.
//
// Slots are given out when a part is asked for: a descriptor takes one, and one more for each extension
// that the pitch of its list has room for. The bus answers in order, so a queue of what was asked for
// names the slot of each beat. When a base is there its extensions are asked for (`extensions_o`).
//
// Contract: as tsr_lists for the loader. `owed_o`: parts of the channel are under way; `held_o`: it has
// slots. `fault_i`: a bad answer is that of a port that has failed. A channel that is not `active_i` drops
// its slots when nothing is owed; `back_o` and what follows then name the oldest of them. Beats are always
// taken. `asked_o`: of what was asked for something has not arrived.
// Latency: last beat to `valid_o` 1 cycle. Throughput: a beat, a request and a part a cycle.
`include "tsr_assert.svh"
module tsr_list_store
  import tsr_channel_pkg::*;
  import tsr_list_pkg::*;
#(
  parameter  int unsigned Channels     = 2,
  parameter  int unsigned AddrWidth    = 64,
  parameter  int unsigned ListWidth    = 64,
  parameter  int unsigned Slots        = 8,
  parameter  int unsigned Outstanding  = 16,
  localparam int unsigned ChannelWidth = $clog2(Channels < 2 ? 2 : Channels)
) (
  input logic clk_i,
  input logic rst_ni,
  input logic [Channels-1:0] active_i,
  input logic [Channels-1:0] zero_i,  // the list begins at index 0
  output logic [Channels-1:0] owed_o,
  output logic [Channels-1:0] held_o,
  output logic [Channels-1:0] freed_o,  // a descriptor was taken
  output logic [Channels-1:0] turned_o,  // the last of the list
  output list_index_t [Channels-1:0] head_o,
  // The walk.
  input logic [ChannelWidth-1:0] channel_i,
  output list_index_t index_o,  // of its oldest, or of the extension
  output logic [AddrWidth-1:6] addr_o,
  input logic [1:0] extensions_i,
  output logic room_o,
  output logic [4:0] slot_o,
  output list_extensions_t extensions_o,
  output logic extensions_valid_o,
  input logic extensions_ready_i,
  input list_request_t request_i,
  input list_place_t place_i,
  input logic [AddrWidth-1:6] addr_i,
  input logic first_i,
  input logic request_valid_i,
  output logic request_ready_o,
  output logic asked_o,
  // The loader.
  output logic [Channels-1:0] valid_o,
  input logic [ChannelWidth-1:0] select_i,
  output list_part_t part_o,
  input logic take_i,
  // The bus.
  input logic [ListWidth-1:0] rdata_i,
  input logic [1:0] rresp_i,
  input logic fault_i,
  input logic rvalid_i,
  output logic rready_o
);

  localparam int unsigned Beats = ListPartBits / ListWidth;
  localparam int unsigned BeatWidth = $clog2(Beats < 2 ? 2 : Beats);
  localparam int unsigned SlotWidth = $clog2(Slots);
  localparam int unsigned Places = Channels * Slots;
  localparam int unsigned PlaceWidth = $clog2(Places);
  typedef logic [SlotWidth:0] pointer_t;  // one bit more than a slot has
  typedef logic [SlotWidth-1:0] slot_t;
  typedef logic [PlaceWidth-1:0] where_t;
  typedef logic [Channels-1:0] set_t;

  function automatic where_t where(logic [ChannelWidth-1:0] channel, slot_t slot);
    return PlaceWidth'({channel, slot});
  endfunction

  pointer_t [Channels-1:0] wr_q, rd_q;
  logic [Channels-1:0][Slots-1:0] waits_q;  // of a descriptor in this slot not all is there
  set_t halted_q;
  logic [Channels-1:0][2:0] room;  // for a descriptor with so many extensions
  list_index_t [Channels-1:0] head_q;

  // ---- What was asked for -----------------------------------------------------------------------

  list_request_t request;
  logic request_valid, arrived;

  tsr_fifo #(
    .Depth(Outstanding),
    .T    (list_request_t)
  ) u_requests (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .data_i (request_i),
    .valid_i(request_valid_i),
    .ready_o(request_ready_o),
    .data_o (request),
    .valid_o(request_valid),
    .ready_i(arrived)
  );

  // ---- What arrives -----------------------------------------------------------------------------

  logic [BeatWidth-1:0] beat_q;
  load_error_e error_q, error, answer;
  logic refused, beat, last_beat, wants, complete;
  logic [ChannelWidth-1:0] channel;
  where_t target;
  logic [1:0] asks, count;
  list_extensions_t extensions;

  assign asked_o   = request_valid;
  assign refused   = request.error != LoadOk;
  assign rready_o  = !(request_valid && refused);
  assign beat      = request_valid && (refused || rvalid_i);
  assign last_beat = refused || 32'(beat_q) == Beats - 1;
  assign arrived   = beat && last_beat;
  assign channel   = request.channel[ChannelWidth-1:0];
  assign target    = where(channel, slot_t'(request.slot) + slot_t'(request.part));

  always_comb begin
    if (fault_i) answer = LoadListFault;
    else answer = rresp_i == 2'b11 ? LoadListDecode : rresp_i[1] ? LoadListFetch : LoadOk;
    if (refused) error = request.error;
    else error = error_q != LoadOk ? error_q : answer;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      beat_q  <= '0;
      error_q <= LoadOk;
    end else if (beat) begin
      beat_q  <= last_beat ? '0 : beat_q + 1'b1;
      error_q <= last_beat ? LoadOk : error;
    end
  end

  // The last beat of a base has the bits that ask for extensions.
  assign asks = rdata_i[ListWidth-17-:2];
  assign count = 2'(asks[0]) + 2'(asks[1]);
  assign wants = arrived && request.part == '0 && error == LoadOk && count != '0 &&
      count <= request.extensions && active_i[channel];
  assign complete = arrived && !wants && (request.part == '0 || request.final_part);
  assign extensions = '{channel: request.channel, slot: request.slot, count: count};

  // No base is asked for while extensions wait: those of all bases on the bus find room here.
  logic [1:0] queue_ready;
  list_extensions_t queued;
  logic queued_valid;
  tsr_fifo #(
    .Depth(2 * Outstanding),
    .T    (list_extensions_t)
  ) u_extensions (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .data_i (extensions),
    .valid_i(wants),
    .ready_o(queue_ready[0]),
    .data_o (queued),
    .valid_o(queued_valid),
    .ready_i(queue_ready[1])
  );
  tsr_slice #(
    .T(list_extensions_t)
  ) u_extension (
    .clk_i,
    .rst_ni,
    .data_i (queued),
    .valid_i(queued_valid),
    .ready_o(queue_ready[1]),
    .data_o (extensions_o),
    .valid_o(extensions_valid_o),
    .ready_i(extensions_ready_i)
  );
  `TSR_ASSERT(ExtensionsFindRoom, !wants || queue_ready[0])

  // ---- Memories ---------------------------------------------------------------------------------

  localparam int unsigned EntryBits = $bits(list_place_t) + AddrWidth - 6;
  (* ram_style = "distributed" *)
  logic [EntryBits-1:0] entry_mem_q[Places];
  (* ram_style = "distributed" *)
  logic [$bits(load_error_e)-1:0] error_mem_q[Places];
  logic [Beats-1:0][ListWidth-1:0] words;

  where_t from, oldest, selected, part_at;
  list_place_t place, walked;
  logic [AddrWidth-1:6] addr;
  logic unused_walked;

  assign from = where(request_i.channel[ChannelWidth-1:0], slot_t'(request_i.slot));
  always_ff @(posedge clk_i) begin
    if (request_valid_i && request_i.part == '0) entry_mem_q[from] <= {place_i, addr_i};
    if (arrived) error_mem_q[target] <= error;
  end

  for (genvar b = 0; b < Beats; b++) begin : gen_bank
    (* ram_style = "distributed" *)
    logic [ListWidth-1:0] mem_q[Places];
    always_ff @(posedge clk_i) begin
      if (beat && 32'(beat_q) == b) mem_q[target] <= rdata_i;
    end
    assign words[b] = mem_q[part_at];
  end

  assign oldest = extensions_valid_o ? where(
      extensions_o.channel[ChannelWidth-1:0], slot_t'(extensions_o.slot)
  ) : where(
      channel_i, slot_t'(rd_q[channel_i])
  );
  assign {walked, addr_o} = entry_mem_q[oldest];
  assign index_o = walked.index;
  assign slot_o = 5'(slot_t'(wr_q[channel_i]));
  assign room_o = room[channel_i][extensions_i];
  assign unused_walked = ^walked;

  // ---- The loader -------------------------------------------------------------------------------

  logic [ChannelWidth-1:0] owner_q;
  logic [1:0] part_q, part, part_count, flags, flags_q;
  logic turn_q, taken;
  slot_t slot;
  load_error_e stored, shown;

  // A part after the base belongs to the channel whose base was taken.
  assign part          = owner_q == select_i ? part_q : '0;
  assign slot          = slot_t'(rd_q[select_i]);
  assign selected      = where(select_i, slot);
  assign part_at       = where(select_i, slot + slot_t'(part));
  assign {place, addr} = entry_mem_q[selected];
  assign stored        = load_error_e'(error_mem_q[part_at]);
  assign flags         = part == '0 ? words[Beats-1][ListWidth-17-:2] : flags_q;
  assign part_count    = 2'(flags[0]) + 2'(flags[1]);
  assign shown         = stored == LoadOk && part_count > place.extensions ? LoadListPitch : stored;

  always_comb begin
    part_o.words = words;
    if (part == '0) part_o.part = PartBase;
    else part_o.part = part == 2'd1 && flags[0] ? PartBounds : PartTraversal;
    part_o.final_part = shown != LoadOk || part == part_count;
    part_o.index      = place.index;
    part_o.addr       = 64'({addr, 6'd0});
    if (!place.ring) part_o.turn_end = place.at_end;
    else part_o.turn_end = part == '0 ? !part_o.words[13][8] : turn_q;
    part_o.error = shown;
  end

  assign taken = take_i && valid_o[select_i];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) part_q <= '0;
    else if (taken) part_q <= part_o.final_part ? '0 : part + 1'b1;
    else if (!active_i[owner_q]) part_q <= '0;
  end
  always_ff @(posedge clk_i) begin
    if (taken) begin
      owner_q <= select_i;
      flags_q <= flags;
      turn_q  <= part_o.turn_end;
    end
  end

  // ---- Channels ---------------------------------------------------------------------------------

  for (genvar c = 0; c < Channels; c++) begin : gen_channel
    logic put, pops, ends;
    logic [Slots-1:0] put_at, complete_at;
    assign put = request_valid_i && request_i.part == '0 && request_i.channel == 5'(c);
    assign put_at = Slots'(put) << slot_t'(wr_q[c]);
    assign complete_at = Slots'(complete && channel == ChannelWidth'(c)) << slot_t'(request.slot);
    // A descriptor with an error is not taken: the list comes back to it.
    assign ends = taken && part_o.final_part && select_i == ChannelWidth'(c);
    assign pops = ends && shown == LoadOk;

    for (genvar n = 0; n < 3; n++) begin : gen_room
      assign room[c][n] = pointer_t'(wr_q[c] - rd_q[c]) < pointer_t'(Slots - n);
    end
    assign owed_o[c]   = waits_q[c] != '0;
    assign held_o[c]   = wr_q[c] != rd_q[c];
    assign valid_o[c]  = active_i[c] && !halted_q[c] && held_o[c] && !waits_q[c][slot_t'(rd_q[c])];
    assign freed_o[c]  = pops;
    assign turned_o[c] = pops && place.at_end;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        wr_q[c]     <= '0;
        rd_q[c]     <= '0;
        waits_q[c]  <= '0;
        halted_q[c] <= 1'b0;
        head_q[c]   <= '0;
      end else begin
        waits_q[c]  <= (waits_q[c] | put_at) & ~complete_at;
        halted_q[c] <= active_i[c] && (halted_q[c] || (ends && !pops));
        if (put) wr_q[c] <= wr_q[c] + pointer_t'(request_i.extensions) + 1'b1;
        else if (!active_i[c] && !owed_o[c]) wr_q[c] <= rd_q[c];
        if (pops) rd_q[c] <= rd_q[c] + pointer_t'(place.extensions) + 1'b1;
        if (zero_i[c] || (put && first_i)) head_q[c] <= '0;
        else if (pops) head_q[c] <= place.at_end ? '0 : place.index + 1'b1;
      end
    end
    `TSR_ASSERT(NoMoreThanSlots, 32'(pointer_t'(wr_q[c] - rd_q[c])) <= Slots)
    `TSR_ASSERT(PutWhereNothingWaits, (put_at & waits_q[c]) == '0)
    `TSR_ASSERT(ArrivesWhereItWaits, (complete_at & ~waits_q[c]) == '0)
  end
  assign head_o = head_q;

  `TSR_ASSERT(TakesWhatIsThere, !take_i || valid_o[select_i])

endmodule
