// Decides what is fetched next: which channel, which descriptor of its list, at which address.
//
// Two steps, a cycle each. The first picks a channel that may have something to fetch, round robin, and looks
// up where its list is; an extension that a base asks for goes before. The second asks for the descriptor, or
// finds that there is none, or no room, and forgets the channel until something has changed. What must not
// be fetched is asked for with an error: it goes the way of the others, in order, past the bus. A channel is
// looked up while the second step asks for its last descriptor: what is found then is that of the next one,
// and counts if that one was asked for.
//
// Contract: nothing is asked for outside the list, behind the tail of a ring, or outside the windows.
// `request_o` with `request_valid_o` for each burst and each error, `place_o` and `addr_o` with a base.
// `active_o`: the list is open; it opens when nothing is left of the time before (`owed_i`, `held_i`).
// `first_o`: an array begins with `request_o`. The address on the bus is a register, and stable. While
// `quiesce_i` nothing is asked for.
// Latency: 3 cycles from doorbell or `open_i` to ARVALID, and 2 more if descriptors were dropped before.
// Throughput: one burst a cycle.
`include "tsr_assert.svh"
module tsr_list_walk
  import tsr_fabric_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_list_pkg::*;
#(
  parameter  int unsigned Channels     = 2,
  parameter  int unsigned AddrWidth    = 64,
  parameter  bit          WindowCheck  = 1'b1,
  parameter  int unsigned Windows      = 2,
  localparam int unsigned ChannelWidth = $clog2(Channels < 2 ? 2 : Channels)
) (
  input logic clk_i,
  input logic rst_ni,
  input logic quiesce_i,
  // Channels.
  input axi_attr_t [Channels-1:0] attr_i,
  input window_t [Channels-1:0][Windows-1:0] window_i,
  input logic [Channels-1:0] open_i,
  input logic [Channels-1:0] again_i,
  input logic [Channels-1:0] zero_i,  // the list begins at index 0
  input logic [Channels-1:0] doorbell_i,
  output logic [Channels-1:0] active_o,
  // The first step: registers and oldest slot of a channel.
  output logic [ChannelWidth-1:0] look_channel_o,
  input list_setup_t setup_i,
  input list_index_t tail_i,
  // The store.
  input logic [Channels-1:0] owed_i,
  input logic [Channels-1:0] held_i,
  input logic [Channels-1:0] freed_i,
  input logic [Channels-1:0] turned_i,  // the last descriptor was taken
  // The second step.
  output logic [ChannelWidth-1:0] channel_o,
  input logic room_i,  // for a descriptor of that channel
  output logic [1:0] extensions_o,
  input logic [4:0] slot_i,  // of its next descriptor
  // The descriptor of the extension that is asked for; without, the oldest one of the second step.
  input list_index_t index_i,
  input logic [AddrWidth-1:6] addr_i,
  input list_extensions_t extensions_i,
  input logic extensions_valid_i,
  output logic extensions_ready_o,
  output list_request_t request_o,
  output list_place_t place_o,
  output logic [AddrWidth-1:6] addr_o,  // of the descriptor
  output logic first_o,
  output logic request_valid_o,
  input logic request_ready_i,
  // The bus.
  output logic [AddrWidth-1:6] araddr_o,
  output axi_attr_t arattr_o,
  output logic arvalid_o,
  input logic arready_i
);

  localparam int unsigned PartWidth = AddrWidth - 6;
  typedef logic [Channels-1:0] set_t;
  typedef logic [PartWidth-1:0] part_addr_t;

  // ---- Channels ---------------------------------------------------------------------------------

  // `maybe_q`: there may be something to fetch. `stopped_q`: nothing more until the list is closed.
  // `ended_q`: an array was fetched up to its end; `ahead_q`: in the turn after the one that is taken.
  // The index and the address of the next descriptor are in memories, unless `zero_q`: index 0;
  // `fresh_q`: index 0 of an array; `back_q`: those of the oldest slot, which was dropped, until they have
  // been copied.
  set_t active_q, maybe_q, stopped_q, ended_q, ahead_q, zero_q, fresh_q, back_q;
  set_t opens, again, picks, hit, wakes;
  set_t last_q, next;
  logic [ChannelWidth-1:0] pick;

  assign opens = open_i & ~active_q & ~owed_i & ~held_i;
  assign again = ended_q & again_i & ~ahead_q & active_q & ~stopped_q;
  assign wakes = doorbell_i | freed_i | opens | again;

  // ---- What is looked at ------------------------------------------------------------------------

  typedef struct packed {
    logic extension;  // or a base
    logic follows;  // what was looked at before: nothing if that was not asked for
    logic first;  // descriptor of its array
    logic back;  // index and address are still to be copied
    logic [ChannelWidth-1:0] channel;
    part_addr_t addr;
    list_index_t index;
    list_index_t count;
    list_index_t tail;
    logic ring;
    logic [1:0] pitch;
    logic misplaced;  // the list begins nowhere
    logic [4:0] slot;  // of an extension
    logic [1:0] part;
    logic final_part;
  } look_t;

  look_t look, look_q;
  logic look_valid_q, woken_q, closed_q, asked_q;
  logic step, may_ask, counts, base, extension;

  // Of the second step, for the first one.
  list_index_t index_next;
  part_addr_t sum;
  logic at_end;

  assign picks = maybe_q & active_q;
  tsr_round_robin #(
    .Channels(Channels)
  ) u_round_robin (
    .request_i(picks),
    .last_i   (last_q),
    .next_o   (next)
  );
  always_comb begin
    pick = '0;
    for (int unsigned c = 0; c < Channels; c++) if (next[c]) pick = pick | ChannelWidth'(c);
  end

  (* ram_style = "distributed" *)
  logic [ListIndexBits:0] index_mem_q[Channels];  // and whether it is 0
  (* ram_style = "distributed" *)
  part_addr_t addr_mem_q[Channels];

  list_index_t index_kept;
  logic [1:0] part_q;
  logic same, kept_at_zero;

  assign {kept_at_zero, index_kept} = index_mem_q[pick];

  // A list of less than 2**24 bytes ends beyond the address space if it begins in its last 2**24 bytes.
  localparam int unsigned NearBits = (AddrWidth < 24 ? AddrWidth : 24) - 6;
  localparam part_addr_t NearMask = part_addr_t'((64'd1 << NearBits) - 64'd1);
  // Its bytes: count times pitch + 1, added up without a multiplier.
  logic [18:0] once, twice, near_end;  // of 64 bytes
  logic beyond;
  assign once = setup_i.pitch[0] ? 19'(setup_i.count) << 1 : 19'(setup_i.count);
  assign twice = setup_i.pitch[1] ? 19'(setup_i.count) << 1 : '0;
  assign near_end = 19'(setup_i.base[6+:NearBits]) + once + twice;
  assign beyond = (setup_i.base[AddrWidth-1:6] | NearMask) == '1 && near_end > 19'd1 << NearBits;
  assign look_channel_o = pick;
  assign same = !extensions_valid_i && look_valid_q && counts && !look_q.extension &&
      look_q.channel == pick;

  always_comb begin
    look = '{
        extension: extensions_valid_i,
        follows: extensions_valid_i ? part_q != '0 : same,
        first: !same && (zero_q[pick] || (fresh_q[pick] && !setup_i.ring)),
        back: !same && back_q[pick],
        channel: pick,
        addr: addr_mem_q[pick],
        index: index_kept,
        count: setup_i.count,
        tail: tail_i,
        ring: setup_i.ring,
        pitch: setup_i.pitch,
        misplaced: beyond || setup_i.base[5:0] != '0 || (setup_i.base >> AddrWidth) != '0,
        slot: extensions_i.slot,
        part: part_q,
        final_part: part_q + 1'b1 == extensions_i.count
    };
    if (same) begin
      look.index = index_next;
      look.addr  = sum;
    end
    if (look.first) look.index = '0;
    if (look.first || (same ? at_end : kept_at_zero)) look.addr = setup_i.base[AddrWidth-1:6];
    if (extensions_valid_i) begin
      look.channel = extensions_i.channel[ChannelWidth-1:0];
      look.addr    = addr_i + part_addr_t'(part_q) + 1'b1;
    end
  end

  assign step = !look_valid_q || may_ask;
  assign extensions_ready_o = step && look.final_part;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      look_valid_q <= 1'b0;
      last_q       <= set_t'(1);
      part_q       <= '0;
    end else if (step) begin
      look_valid_q <= extensions_valid_i || picks != '0;
      if (extensions_valid_i) part_q <= look.final_part ? '0 : part_q + 1'b1;
      else if (picks != '0) last_q <= next;
    end
  end
  always_ff @(posedge clk_i) begin
    if (step) look_q <= look;
    // What has happened to the channel since its list was looked at.
    woken_q  <= wakes[step?pick : look_q.channel] || (!step && woken_q);
    closed_q <= !step && (closed_q || !active_q[look_q.channel]);
  end

  // ---- What becomes of it -----------------------------------------------------------------------

  list_index_t index;
  part_addr_t  addr;
  load_error_e flaw, error;
  logic [ChannelWidth-1:0] channel;
  logic exhausted, permitted, flawed, live, goes_back, copies, fetches, fails;

  assign channel = look_q.channel;
  assign index = look_q.index;
  assign addr = look_q.addr;
  assign at_end = index == look_q.count - 1'b1;
  assign index_next = at_end ? '0 : index + 1'b1;
  assign sum = addr + part_addr_t'(look_q.pitch) + 1'b1;

  if (WindowCheck) begin : gen_windows
    // The windows of the channel, as they were in the cycle before.
    window_t [Windows-1:0] windows_q;
    logic [ChannelWidth-1:0] seen;
    assign seen = step ? look.channel : look_q.channel;
    logic [Windows-1:0] lies;
    logic [AddrWidth-1:PageBits] page;
    always_ff @(posedge clk_i) windows_q <= window_i[seen];
    assign page = addr[PartWidth-1:PageBits-6];
    for (genvar w = 0; w < Windows; w++) begin : gen_window
      window_t window;
      logic unused_window;
      assign window = windows_q[w];
      assign lies[w] = window.read && page >= window.first[AddrWidth-PageBits-1:0] &&
          page <= window.last[AddrWidth-PageBits-1:0];
      assign unused_window = ^window;
    end
    assign permitted = lies != '0;
  end else begin : gen_no_windows
    logic unused_windows;
    assign unused_windows = ^window_i;
    assign permitted = 1'b1;
  end

  assign flawed = look_q.misplaced || look_q.count == '0 ||
      (look_q.ring && look_q.tail >= look_q.count);
  assign exhausted = !flawed && (look_q.ring ? index == look_q.tail : ended_q[channel]);
  always_comb begin
    flaw = LoadOk;
    if (look_q.extension) begin
      if (!active_q[channel]) flaw = LoadListWindow;
    end else begin
      if (look_q.misplaced) flaw = LoadListBase;
      else if (look_q.count == '0) flaw = LoadListCount;
      else if (flawed) flaw = LoadListTail;
    end
    error = flaw == LoadOk && !permitted ? LoadListWindow : flaw;
  end

  assign counts = !look_q.follows || asked_q;
  assign live = active_q[channel] && !stopped_q[channel] && !closed_q;
  assign may_ask = (!arvalid_o || arready_i) && request_ready_i && !quiesce_i;
  assign base = look_valid_q && may_ask && counts && !look_q.extension;
  assign extension = look_valid_q && may_ask && counts && look_q.extension;
  assign goes_back = look_q.back && !look_q.first;
  assign copies = base && live && goes_back && !extensions_valid_i;
  assign fetches = base && live && !exhausted && room_i && !goes_back;
  assign fails = fetches && error != LoadOk;
  assign hit = set_t'(1) << channel;

  assign channel_o = channel;
  assign extensions_o = look_q.pitch == 2'd3 ? 2'd2 : look_q.pitch;
  assign request_valid_o = fetches || extension;
  assign addr_o = addr;
  assign first_o = fetches && look_q.first;
  assign request_o = '{
          channel: 5'(channel),
          slot: look_q.extension ? look_q.slot : slot_i,
          part: look_q.extension ? look_q.part + 1'b1 : '0,
          final_part: look_q.final_part || error != LoadOk,
          extensions: extensions_o,
          error: error
      };
  assign place_o = '{index: index, at_end: at_end, ring: look_q.ring, extensions: extensions_o};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) asked_q <= 1'b0;
    else if (look_valid_q && may_ask) asked_q <= request_valid_o && error == LoadOk;
  end

  always_ff @(posedge clk_i) begin
    if (fetches || copies) begin
      index_mem_q[channel] <= copies ? {index_i == '0, index_i} : {at_end, index_next};
      addr_mem_q[channel]  <= copies ? addr_i : sum;
    end
  end

  for (genvar c = 0; c < Channels; c++) begin : gen_channel
    logic fetched, idles;  // a descriptor of this channel was asked for; there is none
    assign fetched = fetches && hit[c];
    assign idles   = base && hit[c] && !(fetched && !fails) && !woken_q && !goes_back;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        active_q[c]  <= 1'b0;
        maybe_q[c]   <= 1'b0;
        stopped_q[c] <= 1'b0;
        ended_q[c]   <= 1'b0;
        ahead_q[c]   <= 1'b0;
        zero_q[c]    <= 1'b1;
        fresh_q[c]   <= 1'b0;
        back_q[c]    <= 1'b0;
      end else begin
        active_q[c] <= open_i[c] && (active_q[c] || opens[c]);
        maybe_q[c] <= wakes[c] || (maybe_q[c] && !idles);
        stopped_q[c] <= !opens[c] && (stopped_q[c] || (fails && hit[c]));
        ended_q[c] <= !opens[c] && !again[c] && (ended_q[c] || (fetched && at_end && !look_q.ring));
        ahead_q[c] <= !opens[c] && (again[c] || (ahead_q[c] && !turned_i[c]));
        zero_q[c] <= zero_i[c] || (zero_q[c] && !fetched);
        fresh_q[c] <= opens[c] || (fresh_q[c] && !fetched);
        back_q[c] <= (!active_q[c] && !owed_i[c] && held_i[c]) ||
            (back_q[c] && !fetched && !(copies && hit[c]));
      end
    end
  end
  assign active_o = active_q;

  // ---- The bus ----------------------------------------------------------------------------------

  always_ff @(posedge clk_i) begin
    if (!rst_ni) arvalid_o <= 1'b0;
    else if (!arvalid_o || arready_i) arvalid_o <= request_valid_o && error == LoadOk;
  end
  always_ff @(posedge clk_i) begin
    if (!arvalid_o || arready_i) begin
      araddr_o <= addr;
      arattr_o <= attr_i[channel];
    end
  end

  logic unused_setup;
  assign unused_setup = ^{setup_i, extensions_i, look_q};

  `TSR_STABLE(ArStable, arvalid_o, arready_i, ({araddr_o, arattr_o}))
  `TSR_ASSERT(OneStep, !(base && extension))

endmodule
