// The registers of all lists: what software has set, in memories with an entry a channel.
//
// Contract: one access at a time, held until `ready_o`, answered in that cycle; in the `Channels` cycles after a
// reset none is. A write to a list that is busy is refused, but for the tail; one that names no byte changes
// nothing. `doorbell_o`: a tail was written, and shows in the next cycle. `restart_o`: the list was set anew
// and begins at index 0; `write_restart_o`: so does its completion ring. `fetch_o`, `tail_o` belong to
// `fetch_channel_i`, and `write_o` to `write_channel_i`, in the same cycle.
// Latency: 0 cycles. Throughput: one access a cycle.
`include "tsr_assert.svh"
module tsr_list_registers
  import tsr_register_pkg::*;
  import tsr_list_pkg::*;
#(
  parameter  int unsigned Channels     = 2,
  localparam int unsigned ChannelWidth = $clog2(Channels < 2 ? 2 : Channels)
) (
  input  logic                                 clk_i,
  input  logic                                 rst_ni,
  input  bus_request_t                         request_i,
  input  logic                                 valid_i,
  input  logic              [             4:0] channel_i,
  output logic                                 ready_o,
  output bus_answer_t                          answer_o,
  input  logic              [    Channels-1:0] clear_i,
  input  list_state_t       [    Channels-1:0] state_i,
  output logic              [    Channels-1:0] doorbell_o,
  output logic              [    Channels-1:0] restart_o,
  output logic              [    Channels-1:0] write_restart_o,
  input  logic              [ChannelWidth-1:0] fetch_channel_i,
  output list_setup_t                          fetch_o,
  output list_index_t                          tail_o,
  input  logic              [ChannelWidth-1:0] write_channel_i,
  output list_write_setup_t                    write_o
);

  typedef enum logic [3:0] {
    RegBaseLow  = 4'd0,
    RegBaseHigh = 4'd1,
    RegCount    = 4'd2,
    RegTail     = 4'd3,
    RegHead     = 4'd4,
    RegControl  = 4'd5,
    RegDoneLow  = 4'd6,
    RegDoneHigh = 4'd7,
    RegStatus   = 4'd8
  } register_e;

  localparam logic [31:0] ControlMask = 32'h0000_ff33;
  localparam logic [31:0] IndexMask = 32'((33'd1 << ListIndexBits) - 1'b1);

  logic [ChannelWidth-1:0] channel, sweep_q;
  logic [3:0] number;
  logic sweeping_q, known, locked, stored, accepted, write;
  list_state_t state;

  assign channel = channel_i[ChannelWidth-1:0];
  assign number = request_i.word[5:2];
  assign state = state_i[channel];
  assign known = 32'(channel_i) < Channels && number <= RegStatus;
  assign stored = number != RegHead && number != RegStatus;
  assign locked = state.busy && number != RegTail;
  assign accepted = valid_i && ready_o && known && (!request_i.write || (stored && !locked));
  assign write = accepted && request_i.write && request_i.strobe != '0;
  assign ready_o = !sweeping_q;
  logic unused_state;
  assign unused_state = ^state;

  // After a reset all entries are set to 0, one channel a cycle.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      sweeping_q <= 1'b1;
      sweep_q    <= '0;
    end else if (sweeping_q) begin
      sweeping_q <= 32'(sweep_q) != Channels - 1;
      sweep_q    <= sweep_q + 1'b1;
    end
  end

  // ---- What is stored ---------------------------------------------------------------------------

  logic [8:0][31:0] old, fetch, entry;
  logic [31:0] merged;
  logic [Channels-1:0] zero_q, restart;  // of the tail
  logic [Channels-1:0] hit;

  for (genvar b = 0; b < 4; b++) begin : gen_byte
    assign merged[8*b+:8] = request_i.strobe[b] ? request_i.data[8*b+:8] : answer_o.data[8*b+:8];
  end

  for (genvar r = 0; r < 9; r++) begin : gen_register
    localparam int unsigned Width = r == RegCount || r == RegTail ? ListIndexBits :
        r == RegControl ? 16 : 32;
    if (r == RegHead || r == RegStatus) begin : gen_none
      assign old[r] = r == RegHead ? 32'(state.head) : {
          20'd0, state.fault, 1'b0, state.write_error, 3'd0, state.busy
      };
      assign fetch[r] = '0;
      assign entry[r] = '0;
    end else begin : gen_memory
      (* ram_style = "distributed" *)
      logic [Width-1:0] mem_q[Channels];
      localparam logic [31:0] Mask = r == RegControl ? ControlMask : Width < 32 ? IndexMask : '1;
      assign old[r]   = r == RegTail && zero_q[channel] ? '0 : 32'(mem_q[channel]);
      assign fetch[r] = 32'(mem_q[fetch_channel_i]);
      assign entry[r] = 32'(mem_q[write_channel_i]);
      always_ff @(posedge clk_i) begin
        if (sweeping_q) mem_q[sweep_q] <= '0;
        else if (write && number == 4'(r)) mem_q[channel] <= Width'(merged & Mask);
      end
    end
  end

  always_comb begin
    answer_o.error = !accepted;
    answer_o.data  = '0;
    for (int unsigned r = 0; r < 9; r++) if (known && number == 4'(r)) answer_o.data = old[r];
  end

  for (genvar c = 0; c < Channels; c++) begin : gen_channel
    assign hit[c] = write && channel == ChannelWidth'(c);
    assign doorbell_o[c] = hit[c] && number == RegTail;
    assign restart[c] = hit[c] && (number == RegBaseLow || number == RegBaseHigh ||
        number == RegCount || number == RegControl);
    assign write_restart_o[c] = hit[c] &&
        (number == RegCount || number == RegDoneLow || number == RegDoneHigh);
    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear_i[c] || restart[c]) zero_q[c] <= 1'b1;
      else if (doorbell_o[c]) zero_q[c] <= 1'b0;
    end
  end
  assign restart_o = restart;

  // ---- Who reads it -----------------------------------------------------------------------------

  logic unused_read;
  assign fetch_o = '{
          base: {fetch[RegBaseHigh], fetch[RegBaseLow]},
          count: fetch[RegCount][ListIndexBits-1:0],
          pitch: fetch[RegControl][5:4],
          ring: fetch[RegControl][0]
      };
  assign tail_o = zero_q[fetch_channel_i] ? '0 : fetch[RegTail][ListIndexBits-1:0];
  assign write_o = '{
          base: {entry[RegDoneHigh], entry[RegDoneLow]},
          count: entry[RegCount][ListIndexBits-1:0],
          enable: entry[RegControl][1],
          per: entry[RegControl][15:8]
      };
  assign unused_read = ^{fetch, entry, request_i.word, channel_i};

  `TSR_ASSERT(OnlyOneChannel, $onehot0(hit))

endmodule
