// Windows of the channels of a port: their registers, and whether one of them permits a burst.
//
// A burst lies in one page and windows are whole pages, so that a page is compared. One window is in
// registers: that of the last burst. Another one is looked for in the memory: first the one that the
// channel matched last, then all of the channel, one a cycle.
// Contract, bursts: `known_o` when it is known of the burst that shows, `refused_o` with it; a burst
// is `taken_i` only then. A write of registers counts for bursts that are not taken yet.
// Contract, registers: a request waits for `ready`, which comes in the next cycle (after a reset
// when all windows are cleared). A write of the flags makes the window count. A write of another word
// makes it unused. A locked window refuses every write, so does one that the build does not have.
// With Windows = 0 everything is permitted and every access is an error.
// Latency: 0 for the window of the burst before, 1 cycle for that of the last burst of the channel,
// up to Windows + 1 for the others and to refuse. A register access holds this up by a cycle.
`include "tsr_assert.svh"
module tsr_port_windows
  import tsr_fabric_pkg::*;
  import tsr_port_pkg::*;
#(
  parameter int unsigned Channels = 1,    // 1 .. 16
  parameter int unsigned Windows  = 4,    // of a channel, 0 .. 16
  parameter bit          Write    = 1'b0  // the direction that is permitted
) (
  input  logic                             clk_i,
  input  logic                             rst_ni,
  input  window_request_t                  request_i,
  output window_response_t                 response_o,
  input  logic             [          3:0] channel_i,
  input  logic             [63-PageBits:0] page_i,
  input  logic                             valid_i,
  input  logic                             taken_i,
  output logic                             known_o,
  output logic                             refused_o
);

  if (Windows == 0) begin : gen_open
    logic unused_pins;
    assign unused_pins = ^{clk_i, rst_ni, request_i, channel_i, page_i, valid_i, taken_i};
    assign response_o  = '{ready: request_i.valid, error: 1'b1, data: '0};
    assign known_o     = 1'b1;
    assign refused_o   = 1'b0;
  end else begin : gen_windows
    localparam int unsigned NumberLog = Windows > 1 ? $clog2(Windows) : 1;
    localparam int unsigned ChannelLog = Channels > 1 ? $clog2(Channels) : 0;
    localparam int unsigned Places = 2 ** (ChannelLog + NumberLog);
    localparam int unsigned LowBits = 32 - PageBits;
    typedef logic [ChannelLog+NumberLog-1:0] place_t;
    typedef logic [NumberLog-1:0] number_t;
    typedef struct packed {logic lock, write, read;} flags_t;

    (* ram_style = "distributed" *) logic [LowBits-1:0] first_low_mem[Places];
    (* ram_style = "distributed" *) logic [31:0] first_high_mem[Places];
    (* ram_style = "distributed" *) logic [LowBits-1:0] last_low_mem[Places];
    (* ram_style = "distributed" *) logic [31:0] last_high_mem[Places];
    (* ram_style = "distributed" *) logic [2:0] flags_mem[Places];

    // ---- The memory: read for the registers in a cycle of its own, else for bursts

    logic clear_q, access_q, locked, absent, write;
    place_t clear_at_q, at, access_at, write_at;
    number_t next;
    logic [31:0] first_high, last_high, word, merged;
    logic [LowBits-1:0] first_low, last_low;
    flags_t flags;
    assign access_at  = place_t'({request_i.channel, request_i.number[NumberLog-1:0]});
    assign at         = access_q ? access_at : place_t'({channel_i, next});
    assign first_low  = first_low_mem[at];
    assign first_high = first_high_mem[at];
    assign last_low   = last_low_mem[at];
    assign last_high  = last_high_mem[at];
    assign flags      = flags_t'(flags_mem[at]);

    always_comb begin
      case (request_i.word)
        WindowFirstLow:  word = {first_low, PageBits'(0)};
        WindowFirstHigh: word = first_high;
        WindowLastLow:   word = {last_low, PageBits'(0)};
        WindowLastHigh:  word = last_high;
        default:         word = {flags.lock, 29'b0, flags.write, flags.read};
      endcase
      for (int unsigned i = 0; i < 4; i++)
      merged[8*i+:8] = clear_q ? '0 : request_i.strobe[i] ? request_i.data[8*i+:8] : word[8*i+:8];
    end
    assign locked = request_i.write && flags.lock;
    assign absent = 32'(request_i.number) >= Windows || 32'(request_i.channel) >= Channels;
    assign response_o = '{ready: access_q, error: locked || absent, data: absent ? '0 : word};
    assign write = access_q && request_i.write && !locked && !absent && request_i.strobe != '0;
    assign write_at = clear_q ? clear_at_q : access_at;

    always_ff @(posedge clk_i) begin
      if (clear_q || (write && request_i.word == WindowFirstLow))
        first_low_mem[write_at] <= merged[31:PageBits];
      if (clear_q || (write && request_i.word == WindowFirstHigh))
        first_high_mem[write_at] <= merged;
      if (clear_q || (write && request_i.word == WindowLastLow))
        last_low_mem[write_at] <= merged[31:PageBits];
      if (clear_q || (write && request_i.word == WindowLastHigh)) last_high_mem[write_at] <= merged;
      if (clear_q || write)
        flags_mem[write_at] <= request_i.word == WindowFlags ? {merged[31], merged[1:0]} : '0;
      if (!rst_ni) begin
        clear_q    <= 1'b1;
        clear_at_q <= '0;
        access_q   <= 1'b0;
      end else begin
        if (clear_at_q == '1) clear_q <= 1'b0;
        clear_at_q <= clear_at_q + 1'b1;
        access_q   <= request_i.valid && !access_q && !clear_q;
      end
    end

    // ---- The window in registers

    logic valid_q, permits_q, scan_q, same, hit, ends, search;
    logic [3:0] channel_q;
    number_t number_q, hint;
    logic [63-PageBits:0] first_q, last_q;
    assign same = valid_q && (Channels == 1 || channel_i == channel_q);
    assign hit = same && permits_q && page_i >= first_q && page_i <= last_q;
    assign ends = same && scan_q && 32'(number_q) == Windows - 1;
    assign search = valid_i && !hit && !ends && !access_q;
    assign known_o = hit || ends;
    assign refused_o = !hit;
    always_comb begin
      next = hint;
      if (same) next = scan_q ? number_q + 1'b1 : '0;
    end

    if (Channels == 1) begin : gen_one
      assign hint = number_q;
    end else begin : gen_hints
      (* ram_style = "distributed" *) number_t hint_mem[2**ChannelLog];
      assign hint = hint_mem[channel_i[ChannelLog-1:0]];
      always_ff @(posedge clk_i)
        if (valid_i && hit)
          hint_mem[channel_i[ChannelLog-1:0]] <= number_q;
    end

    always_ff @(posedge clk_i) begin
      if (search) begin
        channel_q <= channel_i;
        number_q  <= next;
        first_q   <= {first_high, first_low};
        last_q    <= {last_high, last_low};
        permits_q <= Write ? flags.write : flags.read;
      end
      if (!rst_ni || clear_q || write) begin
        valid_q <= 1'b0;
        scan_q  <= 1'b0;
      end else begin
        if (search) valid_q <= 1'b1;
        if (taken_i) scan_q <= 1'b0;
        else if (search) scan_q <= same;
      end
    end

    `TSR_ASSERT(NeverBoth, !(hit && search) && !(ends && search))
  end

  `TSR_STATIC_ASSERT(Windows, Windows <= 16, ("Windows = %0d; legal is 0 to 16", Windows))

endmodule
