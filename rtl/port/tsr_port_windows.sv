// Windows of the channels of a port: their registers, and whether one of them permits a burst.
//
// A burst lies in one page and windows are whole pages, so that a page is compared. One window is in
// registers: that of the last burst. Another one is looked for in the memory: first the one that the
// channel matched last, then all of the channel.
// Contract, bursts: `known_o` when it is known of the burst that shows, with `refused_o`. A write of
// registers counts for bursts that are not `taken_i` yet.
// Contract, registers: a request stays until `ready`, two cycles later (after a reset when all words
// are 0). A write of the flags makes the window count, a write of another word makes it unused. A
// locked window refuses every write, a window that is not there every access.
// With Windows = 0 everything is permitted and every access is refused.
// Latency: 0 for the window of the burst before, 3 cycles more for that of the last burst of the
// channel, 3 for each other one that is looked at. An access to the registers holds this up by 2 cycles.
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
    localparam int unsigned PlaceLog = ChannelLog + NumberLog;
    typedef logic [PlaceLog-1:0] place_t;
    typedef logic [NumberLog-1:0] number_t;
    typedef struct packed {
      logic lock;
      logic write;
      logic read;
    } flags_t;

    typedef enum logic [1:0] {
      Compare,
      First,    // reads the first page of a window
      Last      // reads its last page
    } step_e;
    step_e step_q, step_d;

    // ---- The memory, read for the registers in cycles of their own, else for bursts: first and last
    // page of a window one after the other; a column a byte

    logic clear_q, access_q, ready_q, refused_q, write, is_flags;
    logic [PlaceLog:0] clear_at_q, at, access_at, write_at;
    place_t place;  // of the window for bursts
    logic [31:0] low, high, data_q;
    logic [1:0] halves;  // is_flags or: which half is accessed
    flags_t flags;
    assign is_flags = request_i.word == WindowFlags;
    assign access_at = (PlaceLog + 1)'({
      request_i.channel, request_i.number[NumberLog-1:0], request_i.word[1]
    });
    assign at = access_q ? access_at : {place, step_q == Last};
    assign write_at = clear_q ? clear_at_q : access_at;
    assign halves    = clear_q ? 2'b11 : is_flags || !write ? 2'b00 : {request_i.word[0], !request_i.word[0]};
    for (genvar i = 0; i < 4; i++) begin : gen_column
      localparam int unsigned Low = i == 1 ? PageBits : 8 * i;
      if (i > 0) begin : gen_low
        (* ram_style = "distributed" *) logic [8*i+7-Low:0] low_mem[2**(PlaceLog+1)];
        assign low[8*i+7:Low] = low_mem[at];
        always_ff @(posedge clk_i) begin
          if (halves[0] && (clear_q || request_i.strobe[i])) low_mem[write_at] <= data_q[8*i+7:Low];
        end
      end
      (* ram_style = "distributed" *) logic [7:0] high_mem[2**(PlaceLog+1)];
      assign high[8*i+:8] = high_mem[at];
      always_ff @(posedge clk_i) begin
        if (halves[1] && (clear_q || request_i.strobe[i])) high_mem[write_at] <= data_q[8*i+:8];
      end
    end
    assign low[PageBits-1:0] = '0;

    flags_t flags_next;
    (* ram_style = "distributed" *) logic [$bits(flags_t)-1:0] flags_mem[2**PlaceLog];
    assign flags = flags_t'(flags_mem[at[PlaceLog:1]]);
    always_comb begin
      flags_next = '0;
      if (is_flags && !clear_q) begin
        flags_next = flags;
        if (request_i.strobe[0]) {flags_next.write, flags_next.read} = data_q[1:0];
        if (request_i.strobe[3]) flags_next.lock = data_q[31];
      end
    end
    always_ff @(posedge clk_i) if (clear_q || write) flags_mem[write_at[PlaceLog:1]] <= flags_next;

    // ---- Registers

    assign write            = ready_q && request_i.write && !refused_q && request_i.strobe != '0;
    assign response_o.ready = ready_q;
    assign response_o.error = refused_q;
    always_comb begin
      response_o.data = request_i.word[0] ? high : low;
      if (is_flags) response_o.data = {flags.lock, 29'b0, flags.write, flags.read};
    end
    always_ff @(posedge clk_i) begin
      refused_q <= (request_i.write && flags.lock) || 32'(request_i.number) >= Windows ||
          32'(request_i.channel) >= Channels;
      data_q <= !rst_ni || clear_q ? '0 : request_i.data;
      if (!rst_ni) begin
        clear_q    <= 1'b1;
        clear_at_q <= '0;
        access_q   <= 1'b0;
        ready_q    <= 1'b0;
      end else begin
        if (clear_at_q == '1) clear_q <= 1'b0;
        clear_at_q <= clear_at_q + 1'b1;
        access_q   <= request_i.valid && !ready_q && !clear_q;
        ready_q    <= access_q && !ready_q;
      end
    end

    // ---- The window in registers, and the steps to another one

    logic loaded_q, permits_q, scan_q, same, hit, ends;
    logic [3:0] channel_q;
    number_t number_q, hint;
    logic [63-PageBits:0] first_q, last_q;
    assign same      = loaded_q && (Channels == 1 || channel_i == channel_q);
    assign hit       = same && permits_q && page_i >= first_q && page_i <= last_q;
    assign ends      = same && scan_q && 32'(number_q) == Windows - 1;
    assign known_o   = step_q == Compare && (hit || ends);
    assign refused_o = !hit;
    assign place     = place_t'({channel_q, number_q});

    always_comb begin
      step_d = step_q;
      unique case (step_q)
        Compare: if (valid_i && !(hit || ends)) step_d = First;
        First:   if (!access_q) step_d = Last;
        Last:    if (!access_q) step_d = Compare;
        default: step_d = Compare;
      endcase
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) step_q <= Compare;
      else step_q <= step_d;
      // A write may change the window in registers. A port that has failed takes bursts without a
      // look at them.
      if (!rst_ni || clear_q || write || (taken_i && step_q != Compare)) loaded_q <= 1'b0;
      else if (step_q == Compare && valid_i && !same) loaded_q <= 1'b1;
      if (step_q == Compare && valid_i) begin
        if (!same) begin
          channel_q <= channel_i;
          number_q  <= hint;
          scan_q    <= 1'b0;
        end else if (taken_i) begin
          scan_q <= 1'b0;
        end else if (!hit && !ends) begin
          number_q <= scan_q ? number_q + 1'b1 : '0;
          scan_q   <= 1'b1;
        end
      end
      if (step_q == First) first_q <= {high, low[31:PageBits]};
      if (step_q == Last) begin
        last_q    <= {high, low[31:PageBits]};
        permits_q <= Write ? flags.write : flags.read;
      end
    end

    if (Channels == 1) begin : gen_one
      assign hint = number_q;
    end else begin : gen_hints
      (* ram_style = "distributed" *) logic [NumberLog-1:0] hint_mem[2**ChannelLog];
      assign hint = hint_mem[channel_i[ChannelLog-1:0]];
      always_ff @(posedge clk_i) begin
        if (step_q == Compare && loaded_q) hint_mem[channel_q[ChannelLog-1:0]] <= number_q;
      end
    end

    logic unused_flags;
    assign unused_flags = ^flags;
    `TSR_ASSERT(OfItsChannel, !valid_i || !known_o || Channels == 1 || channel_i == channel_q)
  end

  `TSR_STATIC_ASSERT(Windows, Windows <= 16, ("Windows = %0d; legal is 0 to 16", Windows))

endmodule
