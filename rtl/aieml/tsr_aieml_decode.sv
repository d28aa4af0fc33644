// Who answers an offset of a tile.
//
// Contract: combinational. `region_o` has one bit, or none where nothing is; within its region a register
// is named by `channel_o` (MM2S first, then S2MM), or by the low bits of the word.
// Latency: 0 cycles.
`include "tsr_assert.svh"
module tsr_aieml_decode
  import tsr_register_pkg::*;
  import tsr_aieml_pkg::*;
#(
  parameter  int unsigned Image = ImageMemory,
  localparam image_t      Tile  = image_of(Image)
) (
  input  logic          [BusBits-1:2] word_i,
  output aieml_region_t               region_o,
  output logic          [        3:0] channel_o
);

  localparam int unsigned N = Tile.Channels;
  localparam bit Memory = Image == ImageMemory;

  logic [BusBits-1:0] at;
  assign at = {word_i, 2'b00};

  // Which of `count` registers from `first` on it is; all ones if none.
  function automatic logic inside_of(input logic [BusBits-1:0] offset,
                                     input logic [BusBits-1:0] first, input int unsigned bytes);
    return offset >= first && 32'(offset) - 32'(first) < bytes;
  endfunction
  function automatic logic [3:0] place(input logic [BusBits-1:0] offset,
                                       input logic [BusBits-1:0] first, input int unsigned pitch);
    return 4'((offset - first) >> pitch);
  endfunction

  logic in_s2mm, in_mm2s, in_s2mm_status, in_mm2s_status, in_count, in_fifo, in_lock;
  assign in_s2mm        = inside_of(at, Tile.S2mmControl, 8 * N);
  assign in_mm2s        = inside_of(at, Tile.Mm2sControl, 8 * N);
  assign in_s2mm_status = inside_of(at, Tile.S2mmStatus, 4 * N);
  assign in_mm2s_status = inside_of(at, Tile.Mm2sStatus, 4 * N);
  assign in_count       = inside_of(at, Tile.Count, 4 * N);
  assign in_fifo        = inside_of(at, Tile.Fifo, 4 * N);
  assign in_lock        = inside_of(at, Tile.Lock, 16 * Tile.Locks);

  // A compute tile has six of the eight words.
  logic in_descriptor, spare;
  assign in_descriptor = inside_of(at, Tile.Descriptor, 32 * Tile.Descriptors);
  assign spare         = Image == ImageCompute && at[4:3] == 2'd3;

  // Control of two counters a word, their reset, the counters, the values that they are compared with.
  logic in_counters;
  assign in_counters = inside_of(
      at, Tile.Events, 2 * Tile.Counters
  ) || inside_of(
      at, Tile.Events + 20'h8, 4
  ) || inside_of(
      at, Tile.Events + 20'h20, 4 * Tile.Counters
  ) || inside_of(
      at, Tile.Events + 20'h80, 4 * Tile.Counters
  );

  always_comb begin
    channel_o = '0;
    if (in_mm2s) channel_o = place(at, Tile.Mm2sControl, 3);
    if (in_mm2s_status) channel_o = place(at, Tile.Mm2sStatus, 2);
    if (in_s2mm) channel_o = place(at, Tile.S2mmControl, 3) + 4'(N);
    if (in_s2mm_status) channel_o = place(at, Tile.S2mmStatus, 2) + 4'(N);
    if (in_count) channel_o = place(at, Tile.Count, 2) + 4'(N);
    if (in_fifo) channel_o = place(at, Tile.Fifo, 2) + 4'(N);
  end

  always_comb begin
    region_o = '{
        descriptor: in_descriptor && !spare,
        control: (in_s2mm || in_mm2s) && !at[2],
        start: (in_s2mm || in_mm2s) && at[2],
        status: in_s2mm_status || in_mm2s_status,
        count: in_count,
        fifo: in_fifo,
        lock: in_lock && at[3:2] == '0,
        request: inside_of(at, Tile.LockRequest, 1024 * Tile.Locks),
        over: inside_of(at, Tile.LockOver, Memory ? 8 : 4),
        under: inside_of(at, Tile.LockUnder, Memory ? 8 : 4),
        counters: in_counters,
        ports: inside_of(at, Tile.Ports, 8),
        lock_events: inside_of(at, Tile.LockEvents, 4 * Tile.Selectors),
        event_channels: Memory && at == EventChannels,
        packets: at == Tile.Packets,
        page: at[BusBits-1:9] == Page[BusBits-1:9]
    };
  end

  `TSR_STATIC_ASSERT(Image, Image <= ImageCompute, ("Image = %0d; legal is 0 to 2", Image))

endmodule
