// Decides what is fetched next: which channel, which descriptor of its list, at which address.
//
// Two steps: the first picks a channel that may have something to fetch, round robin; the second looks at
// its list and asks for a descriptor, or finds that there is none, or no room, and forgets the channel
// until something has changed. Extensions that a base asks for go before. What must not be fetched is
// asked for with an error: it goes the way of the others, in order, past the bus.
//
// Contract: nothing is asked for outside the list, behind the tail of a ring, or outside the windows.
// `request_o` with `request_valid_o` for each burst and each error, `place_o` and `addr_o` with a base.
// `active_o`: the list is open; it opens when nothing is left of the time before (`owed_i`, `held_i`).
// `first_o`: an array begins with `request_o`. The address on the bus is a register, and stable. While
// `quiesce_i` nothing is asked for.
// Latency: 3 cycles from doorbell or `open_i` to ARVALID. Throughput: one burst a cycle.
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
  input window_t [Channels-1:0][Windows-1:0] window_i,
  input logic [Channels-1:0] open_i,
  input logic [Channels-1:0] again_i,
  input logic [Channels-1:0] zero_i,  // the list begins at index 0
  input logic [Channels-1:0] doorbell_i,
  output logic [Channels-1:0] active_o,
  // The registers of one.
  output logic [ChannelWidth-1:0] channel_o,
  input list_setup_t setup_i,
  input list_index_t tail_i,
  // The store.
  input logic [Channels-1:0] owed_i,
  input logic [Channels-1:0] held_i,
  input logic [Channels-1:0] freed_i,
  input logic [Channels-1:0] turned_i,  // the last descriptor was taken
  input logic room_i,  // for a descriptor of that channel
  output logic [1:0] extensions_o,
  input logic [4:0] slot_i,  // of its next descriptor
  input list_index_t index_i,  // of its oldest, or of the extension
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
  // `fresh_q`: index 0 of an array; `back_q`: those of the oldest slot, which was dropped.
  set_t active_q, maybe_q, stopped_q, ended_q, ahead_q, zero_q, fresh_q, back_q;
  set_t opens, again, picks, hit, wakes;
  set_t last_q, next;
  logic pick_valid_q;
  logic [ChannelWidth-1:0] pick_q, pick;

  assign opens = open_i & ~active_q & ~owed_i & ~held_i;
  assign again = ended_q & again_i & ~ahead_q & active_q & ~stopped_q;
  assign wakes = doorbell_i | freed_i | opens | again;

  // ---- Which channel ----------------------------------------------------------------------------

  logic step, may_ask, base, extension;

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

  assign step = !pick_valid_q || base;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      pick_valid_q <= 1'b0;
      last_q       <= set_t'(1);
    end else if (step) begin
      pick_valid_q <= picks != '0;
      if (picks != '0) last_q <= next;
    end
  end
  always_ff @(posedge clk_i) begin
    if (step) pick_q <= pick;
  end

  // ---- Which descriptor -------------------------------------------------------------------------

  (* ram_style = "distributed" *)
  list_index_t index_mem_q[Channels];
  (* ram_style = "distributed" *)
  part_addr_t  addr_mem_q [Channels];

  list_index_t index, index_next;
  part_addr_t from, sum, addr;
  load_error_e error;
  logic [ChannelWidth-1:0] channel;
  logic [1:0] part_q, add;
  logic at_end, exhausted, permitted, flawed, fetches, fails, first;

  assign channel = extensions_valid_i ? extensions_i.channel[ChannelWidth-1:0] : pick_q;
  assign first   = zero_q[channel] || (fresh_q[channel] && !setup_i.ring);
  always_comb begin
    if (first) index = '0;
    else if (back_q[channel]) index = index_i;
    else index = index_mem_q[channel];
  end
  assign at_end     = index == setup_i.count - 1'b1;
  assign index_next = at_end ? '0 : index + 1'b1;

  always_comb begin
    if (extensions_valid_i) from = addr_i;
    else if (index == '0) from = setup_i.base[AddrWidth-1:6];
    else if (back_q[channel]) from = addr_i;
    else from = addr_mem_q[channel];
  end
  // Up to the next descriptor, or to the extension.
  assign add  = extensions_valid_i ? part_q : setup_i.pitch;
  assign sum  = from + part_addr_t'(add) + 1'b1;
  assign addr = extensions_valid_i ? sum : from;

  if (WindowCheck) begin : gen_windows
    logic [Windows-1:0] lies;
    logic [AddrWidth-1:PageBits] page;
    assign page = addr[PartWidth-1:PageBits-6];
    for (genvar w = 0; w < Windows; w++) begin : gen_window
      window_t window;
      logic unused_window;
      assign window = window_i[channel][w];
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

  logic beyond;  // the address space
  assign beyond = (setup_i.base >> AddrWidth) != '0;
  always_comb begin
    error = LoadOk;
    if (extensions_valid_i) begin
      if (!permitted || !active_q[channel]) error = LoadListWindow;
    end else begin
      if (setup_i.base[5:0] != '0 || beyond) error = LoadListBase;
      else if (setup_i.count == '0) error = LoadListCount;
      else if (setup_i.ring && tail_i >= setup_i.count) error = LoadListTail;
      else if (!permitted) error = LoadListWindow;
    end
  end
  assign flawed = error inside {LoadListBase, LoadListCount, LoadListTail};
  assign exhausted = !flawed && (setup_i.ring ? index == tail_i : ended_q[channel]);

  // ---- What becomes of it -----------------------------------------------------------------------

  logic live;
  assign live = active_q[channel] && !stopped_q[channel];
  assign may_ask = (!arvalid_o || arready_i) && request_ready_i && !quiesce_i;
  assign base = pick_valid_q && may_ask && !extensions_valid_i;
  assign extension = may_ask && extensions_valid_i;
  assign fetches = base && live && !exhausted && room_i;
  assign fails = fetches && error != LoadOk;
  assign hit = set_t'(1) << channel;

  assign channel_o = channel;
  assign extensions_o = setup_i.pitch == 2'd3 ? 2'd2 : setup_i.pitch;
  assign extensions_ready_o = extension && request_o.final_part;
  assign request_valid_o = fetches || extension;
  assign addr_o = from;
  assign first_o = fetches && first;
  assign request_o = '{
          channel: 5'(channel),
          slot: extensions_valid_i ? extensions_i.slot : slot_i,
          part: extensions_valid_i ? part_q + 1'b1 : '0,
          final_part: part_q + 1'b1 == extensions_i.count || error != LoadOk,
          extensions: extensions_o,
          error: error
      };
  assign place_o = '{
          index: index,
          at_end: at_end,
          ring: setup_i.ring,
          extensions: extensions_o
      };

  always_ff @(posedge clk_i) begin
    if (!rst_ni) part_q <= '0;
    else if (extension) part_q <= request_o.final_part ? '0 : part_q + 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (fetches) begin
      index_mem_q[channel] <= index_next;
      addr_mem_q[channel]  <= sum;
    end
  end

  for (genvar c = 0; c < Channels; c++) begin : gen_channel
    logic fetched;  // a descriptor of this channel was asked for
    assign fetched = fetches && hit[c];
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
        maybe_q[c] <= wakes[c] || (maybe_q[c] && !(base && hit[c] && !(fetched && !fails)));
        stopped_q[c] <= !opens[c] && (stopped_q[c] || (fails && hit[c]));
        ended_q[c] <= !opens[c] && !again[c] &&
            (ended_q[c] || (fetched && at_end && !setup_i.ring));
        ahead_q[c] <= !opens[c] && (again[c] || (ahead_q[c] && !turned_i[c]));
        zero_q[c] <= zero_i[c] || (zero_q[c] && !fetched);
        fresh_q[c] <= opens[c] || (fresh_q[c] && !fetched);
        back_q[c] <= (!active_q[c] && !owed_i[c] && held_i[c]) || (back_q[c] && !fetched);
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
    if (!arvalid_o || arready_i) araddr_o <= addr;
  end

  logic unused_setup;
  assign unused_setup = ^{setup_i, extensions_i};

  `TSR_STABLE(ArStable, arvalid_o, arready_i, araddr_o)
  `TSR_ASSERT(OneStep, !(base && extension))

endmodule
