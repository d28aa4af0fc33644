// Windows of the channels of a port: their registers, and whether one of them permits a burst.
//
// A burst lies in one page and windows are whole pages, so that a page is compared. One window is
// in registers: that of the last burst. Another one is looked for in the memory: first the one that
// the channel used last, then all of the channel.
// Contract, bursts: a burst is compared when it is loaded (`load_i`); if that does not permit it,
// the memory is searched for it as the held one. `permitted_o` or `refused_o` follow, and stay
// until the next load; `drop_i` ends the search. Behind a burst that was refused all of its transfer are,
// without a search: up to the next `first_i` of the channel, and those behind it too if `hold_i` of the
// channel was and is 1, until `abort_i` of the channel falls.
// Contract, registers: a request stays until `ready`, two cycles later (after a reset when all
// words are 0). A write of the flags makes the window count, a write of another word makes it
// unused. A locked window refuses every write, a window that is not there every access. A write
// counts for all bursts that are not permitted yet. With Windows = 0 everything is permitted and
// every access is refused.
// Latency: 1 cycle for the window of the burst before; else 1 more, and 7 for each window looked
// at. An access to the registers takes 2 of them.
`include "tsr_assert.svh"
module tsr_port_windows
  import tsr_descriptor_pkg::*;
  import tsr_fabric_pkg::*;
  import tsr_port_pkg::*;
#(
  parameter int unsigned Channels = 1,  // 1 .. 32
  parameter int unsigned Windows  = 4   // of a channel, 0 .. 16
) (
  input  logic                             clk_i,
  input  logic                             rst_ni,
  input  window_request_t                  request_i,
  output window_response_t                 response_o,
  input  logic                             write_i,         // of burst and held burst
  input  logic             [          4:0] channel_i,
  input  logic             [63-PageBits:0] page_i,
  input  logic                             first_i,         // of its transfer
  input  logic                             load_i,
  input  logic             [          4:0] held_channel_i,
  input  logic             [63-PageBits:0] held_page_i,
  input  logic                             drop_i,
  input  logic             [ Channels-1:0] hold_i,
  input  logic             [ Channels-1:0] abort_i,
  output logic                             permitted_o,
  output logic                             refused_o
);

  if (Windows == 0) begin : gen_open
    logic unused_pins;
    assign unused_pins = ^{clk_i, rst_ni, request_i, write_i, channel_i, page_i, load_i} ^
        ^{held_channel_i, held_page_i, drop_i, first_i, hold_i, abort_i};
    assign response_o = '{ready: request_i.valid, error: 1'b1, data: '0};
    assign permitted_o = 1'b1;
    assign refused_o = 1'b0;
  end else begin : gen_windows
    localparam int unsigned NumberLog = Windows > 1 ? $clog2(Windows) : 1;
    localparam int unsigned ChannelLog = Channels > 1 ? $clog2(Channels) : 0;
    localparam int unsigned PlaceLog = ChannelLog + NumberLog;
    typedef logic [PlaceLog-1:0] place_t;
    typedef logic [NumberLog-1:0] number_t;
    typedef struct packed {
      logic lock;
      logic write;
      logic read;
    } flags_t;

    typedef enum logic [2:0] {
      FirstLow,   // words are read
      FirstHigh,
      LastLow,
      LastHigh,
      Compare,
      Verdict,
      Number      // of the next window
    } step_e;
    step_e step_q, step_d;

    // ---- The memory: four words a window, a column a byte. Registers have cycles of their own

    logic clear_q, access_q, ready_q, refused_q, write, write_word, is_flags;
    logic [PlaceLog+1:0] clear_at_q, at, access_at, write_at;
    place_t place;  // of the window for bursts
    logic [31:0] word, data_q, response_q;
    flags_t flags, flags_next;
    window_flags_t new_flags;
    assign new_flags = data_q;
    assign is_flags = request_i.word == WindowFlags;
    assign access_at = (PlaceLog + 2)'({
      request_i.channel, request_i.number[NumberLog-1:0], request_i.word[1:0]
    });
    assign at = access_q ? access_at : {place, step_q[1:0]};
    assign write_at = clear_q ? clear_at_q : access_at;
    assign write = ready_q && request_i.write && !refused_q && request_i.strobe != '0;
    assign write_word = write && !is_flags;
    for (genvar i = 0; i < 4; i++) begin : gen_column
      (* ram_style = "distributed" *) logic [7:0] mem[2**(PlaceLog+2)];
      assign word[8*i+:8] = mem[at];
      always_ff @(posedge clk_i) begin
        if (clear_q || (write_word && request_i.strobe[i])) mem[write_at] <= data_q[8*i+:8];
      end
    end

    (* ram_style = "distributed" *) logic [$bits(flags_t)-1:0] flags_mem[2**PlaceLog];
    assign flags = flags_t'(flags_mem[at[PlaceLog+1:2]]);
    always_comb begin
      flags_next = '0;
      if (is_flags && !clear_q) begin
        flags_next = flags;
        if (request_i.strobe[0])
          {flags_next.write, flags_next.read} = {new_flags.write, new_flags.read};
        if (request_i.strobe[3]) flags_next.lock = new_flags.lock;
      end
    end
    always_ff @(posedge clk_i)
      if (clear_q || write)
        flags_mem[write_at[PlaceLog+1:2]] <= flags_next;

    // ---- Registers: read in one cycle, answered and written in the next

    assign response_o = '{ready: ready_q, error: refused_q, data: response_q};
    always_ff @(posedge clk_i) begin
      refused_q <= (request_i.write && flags.lock) || 32'(request_i.number) >= Windows ||
          32'(request_i.channel) >= Channels;
      data_q <= request_i.data;
      if (!is_flags && !request_i.word[0]) data_q[PageBits-1:0] <= '0;
      if (clear_q) data_q <= '0;
      response_q <= word;
      if (is_flags)
        response_q <= window_flags_t'{
            lock: flags.lock,
            write: flags.write,
            read: flags.read,
            default: '0
        };
      if (!rst_ni) begin
        clear_q    <= 1'b1;
        clear_at_q <= '0;
        access_q   <= 1'b0;
        ready_q    <= 1'b0;
        data_q     <= '0;
      end else begin
        if (clear_at_q == '1) clear_q <= 1'b0;
        clear_at_q <= clear_at_q + 1'b1;
        access_q   <= request_i.valid && !ready_q && !clear_q;
        ready_q    <= access_q && !ready_q;
      end
    end

    // ---- The window in registers

    logic loaded_q, permits, busy_q, permitted_q, refused_burst_q, new_q, hit_q, hit, changes;
    logic bar, bar_q, outside;
    logic [1:0] permits_q;  // write, read
    logic [4:0] channel_q;
    logic [63-PageBits:0] first_q, last_q;
    // A window of this channel: it may be the one in registers, or one that was looked at.
    assign changes = write && (Channels == 1 || request_i.channel == channel_q);
    assign permits = permits_q[write_i];
    assign hit = loaded_q && (Channels == 1 || channel_i == channel_q) && permits &&
        page_i >= first_q && page_i <= last_q;
    assign permitted_o = new_q ? hit_q : permitted_q;
    assign refused_o = refused_burst_q;

    // ---- Search: the pages of a window are compared one after the other, by one comparator

    logic scan_q, at_first_q, above_q, beyond_q, found, ends, beyond;
    logic [63-PageBits:0] word_q;
    number_t number_q, hint;
    assign place  = place_t'({channel_q, number_q});
    // The page is at or behind the first page, or behind the last page.
    assign beyond = {held_page_i, at_first_q} >= {word_q, 1'b1};
    assign found  = above_q && !beyond_q && permits;
    assign ends   = scan_q && 32'(number_q) == Windows - 1;

    always_comb begin
      step_d = step_q;
      unique case (step_q)
        Number:    if (busy_q) step_d = FirstLow;
        FirstLow:  if (!access_q) step_d = FirstHigh;
        FirstHigh: if (!access_q) step_d = LastLow;
        LastLow:   if (!access_q) step_d = LastHigh;
        LastHigh:  if (!access_q) step_d = Compare;
        Compare:   step_d = Verdict;
        default:   step_d = Number;
      endcase
      if (drop_i || changes) step_d = Number;
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        step_q          <= Number;
        busy_q          <= 1'b0;
        permitted_q     <= 1'b0;
        refused_burst_q <= 1'b0;
      end else begin
        step_q <= step_d;
        if (drop_i) busy_q <= 1'b0;
        else if (new_q) busy_q <= !hit_q && !bar_q;
        else if (step_q == Verdict) busy_q <= !found && !ends;
        if (new_q) permitted_q <= hit_q;
        else if (step_q == Verdict) permitted_q <= found;
        if (load_i || drop_i) refused_burst_q <= 1'b0;
        else if (new_q) refused_burst_q <= bar_q;
        else if (step_q == Verdict) refused_burst_q <= outside;
      end
      new_q <= rst_ni && load_i;
      hit_q <= hit && !bar;
      bar_q <= bar;
      if (load_i) scan_q <= 1'b0;
      if (!rst_ni || clear_q || changes) begin
        loaded_q <= 1'b0;
        scan_q   <= 1'b0;
      end else if (busy_q && step_q == Number) begin
        loaded_q <= 1'b0;
        scan_q   <= loaded_q && (Channels == 1 || held_channel_i == channel_q);
      end else if (step_q == Verdict) begin
        loaded_q <= 1'b1;
      end
      if (busy_q && step_q == Number) begin
        channel_q <= held_channel_i;
        if (!loaded_q || (Channels > 1 && held_channel_i != channel_q)) number_q <= hint;
        else number_q <= scan_q ? number_q + 1'b1 : '0;
      end
      if (!access_q) begin
        if (step_q[0]) word_q[63-PageBits:32-PageBits] <= word;
        else word_q[31-PageBits:0] <= word[31:PageBits];
      end
      if (step_q == LastLow) begin
        first_q   <= word_q;
        above_q   <= beyond;
        permits_q <= {flags.write, flags.read};
      end
      if (step_q == Compare) last_q <= word_q;
      at_first_q <= step_d == LastLow;
      beyond_q   <= beyond;
    end

    // ---- Channels whose transfer has left the windows

    logic [Channels-1:0] barred_q, held_q, abort_q;
    assign outside = !found && ends;
    always_comb begin
      bar = 1'b0;
      for (int unsigned c = 0; c < Channels; c++) begin
        if (32'(channel_i) == c) bar = barred_q[c] && (!first_i || (held_q[c] && hold_i[c]));
      end
    end
    always_ff @(posedge clk_i) begin
      abort_q <= rst_ni ? abort_i : '0;
      for (int unsigned c = 0; c < Channels; c++) begin
        if (!rst_ni || (abort_q[c] && !abort_i[c])) begin
          barred_q[c] <= 1'b0;
        end else if (step_q == Verdict && !drop_i && 32'(held_channel_i) == c) begin
          barred_q[c] <= barred_q[c] || outside;
          held_q[c]   <= hold_i[c];
        end else if (load_i && 32'(channel_i) == c) begin
          barred_q[c] <= bar;
        end
      end
    end

    if (Channels == 1) begin : gen_one
      assign hint = number_q;
    end else begin : gen_hints
      (* ram_style = "distributed" *) logic [NumberLog-1:0] hint_mem[2**ChannelLog];
      assign hint = hint_mem[held_channel_i[ChannelLog-1:0]];
      always_ff @(posedge clk_i) begin
        if (clear_q) hint_mem[clear_at_q[PlaceLog+1-:ChannelLog]] <= '0;
        else if (loaded_q) hint_mem[channel_q[ChannelLog-1:0]] <= number_q;
      end
    end

    logic unused_flags;
    assign unused_flags = ^{flags, new_flags};
    `TSR_ASSERT(NotBoth, !permitted_q || !refused_burst_q)
    `TSR_ASSERT(LoadsWhenDone, !load_i || (!busy_q && (!new_q || hit_q)))
  end

  `TSR_STATIC_ASSERT(Windows, Windows <= 16, ("Windows = %0d; legal is 0 to 16", Windows))

endmodule
