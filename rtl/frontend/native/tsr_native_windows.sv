// The registers of windows: holds what software wrote, word by word, and sets a window when its flags come.
//
// Contract: one access at a time, answered in its cycle. A write of the flags (word 4) offers the whole
// window on `window_o`; refused there, it is refused here, and nothing has changed. One that names no byte
// offers nothing. A window whose lock was
// written refuses every write. `index_i` is the channel's place times 16 plus the window.
// Latency: 0 cycles. Throughput: one access a cycle.
`include "tsr_assert.svh"
module tsr_native_windows
  import tsr_fabric_pkg::*;
#(
  parameter int unsigned Channels = 2,
  parameter int unsigned Windows = 1,  // 1..16
  localparam int unsigned IndexWidth = $clog2(
      Channels * Windows
  ) < 1 ? 1 : $clog2(
      Channels * Windows
  )
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  logic                     clear_i,
  input  logic    [IndexWidth-1:0] clear_index_i,
  input  logic    [           4:0] channel_i,
  input  logic    [           3:0] number_i,
  input  logic    [           2:0] word_i,
  input  logic                     write_i,
  input  logic    [          31:0] data_i,
  input  logic    [          31:0] mask_i,
  output logic    [          31:0] data_o,
  output logic                     error_o,
  output logic                     window_valid_o,
  output window_t                  window_o,
  input  logic                     window_refused_i
);

  localparam int unsigned HighBits = 32;
  localparam int unsigned LowBits = 32 - PageBits;

  typedef struct packed {
    logic lock;
    logic write;
    logic read;
  } flags_t;

  // Windows lie close together, whatever their number is.
  logic [IndexWidth-1:0] index;
  assign index = clear_i ? clear_index_i : IndexWidth'(32'(channel_i) * Windows + 32'(number_i));

  logic [1:0][HighBits-1:0] high;
  logic [1:0][ LowBits-1:0] low;
  flags_t flags, next_flags;
  logic write;
  assign write = write_i && !error_o && !clear_i;

  for (genvar i = 0; i < 2; i++) begin : gen_page
    logic [LowBits-1:0] unused_low, unused_low_look;
    logic [HighBits-1:0] unused_high, unused_high_look;
    tsr_word_table #(
      .Depth(Channels * Windows),
      .Width(LowBits)
    ) u_low (
      .clk_i,
      .rst_ni,
      .clear_i,
      .index_i (index),
      .write_i (write && word_i == 3'(2 * i)),
      .data_i  (data_i[31:PageBits]),
      .mask_i  (mask_i[31:PageBits]),
      .data_o  (low[i]),
      .merged_o(unused_low),
      .look_i  (index),
      .look_o  (unused_low_look)
    );
    tsr_word_table #(
      .Depth(Channels * Windows),
      .Width(HighBits)
    ) u_high (
      .clk_i,
      .rst_ni,
      .clear_i,
      .index_i (index),
      .write_i (write && word_i == 3'(2 * i + 1)),
      .data_i,
      .mask_i,
      .data_o  (high[i]),
      .merged_o(unused_high),
      .look_i  (index),
      .look_o  (unused_high_look)
    );
  end

  flags_t unused_look;
  tsr_word_table #(
    .Depth(Channels * Windows),
    .Width($bits(flags_t))
  ) u_flags (
    .clk_i,
    .rst_ni,
    .clear_i,
    .index_i (index),
    .write_i (write && word_i == 3'd4),
    .data_i  ({data_i[31], data_i[1:0]}),
    .mask_i  ({mask_i[31], mask_i[1:0]}),
    .data_o  (flags),
    .merged_o(next_flags),
    .look_i  (index),
    .look_o  (unused_look)
  );

  assign window_valid_o = write_i && word_i == 3'd4 && mask_i != '0 && !flags.lock;
  assign window_o = '{
          first: {high[0], low[0]},
          last: {high[1], low[1]},
          read: next_flags.read,
          write: next_flags.write,
          lock: next_flags.lock
      };
  assign error_o = write_i && (flags.lock || (window_valid_o && window_refused_i));

  always_comb begin
    case (word_i)
      3'd0: data_o = {low[0], PageBits'(0)};
      3'd1: data_o = high[0];
      3'd2: data_o = {low[1], PageBits'(0)};
      3'd3: data_o = high[1];
      default: data_o = {flags.lock, 29'b0, flags.write, flags.read};
    endcase
  end

  `TSR_ASSERT(LockedStays, !(window_valid_o && flags.lock))

endmodule
