// Which bits of a register of a tile are reserved.
//
// Contract: combinational. `region_i` and `channel_i` are those of tsr_aieml_decode for `word_i`; a bit of
// `mask_o` that is 1 has no meaning in that register. Status words and counters that are only read have none here.
// Latency: 0 cycles.
`include "tsr_assert.svh"
module tsr_aieml_reserved
  import tsr_register_pkg::*;
  import tsr_aieml_pkg::*;
#(
  parameter  int unsigned Image = ImageMemory,
  localparam image_t      Tile  = image_of(Image)
) (
  input  logic          [BusBits-1:2] word_i,
  input  aieml_region_t               region_i,
  input  logic          [        3:0] channel_i,
  output logic          [       31:0] mask_o
);

  localparam bit Memory = Image == ImageMemory;
  localparam bit Shim = Image == ImageShim;
  localparam logic [31:0] Queue = Memory ? 32'h7f00_ffc0 : 32'h7f00_fff0;
  localparam logic [31:0] Locks = Memory ? 32'd0 : 32'hffff_0000;  // a bit a lock

  function automatic logic [31:0] of_descriptor(input logic [2:0] word);
    case (word)
      3'd0:    return Image == ImageCompute ? 32'hf000_0000 : '0;
      3'd1:    return Memory ? '0 : Shim ? 32'h0000_0003 : 32'h0000_ffff;
      3'd2:    return Memory ? 32'h7800_0000 : Shim ? 32'h8000_0000 : 32'hfc00_0000;
      3'd3:    return Memory ? '0 : Shim ? 32'h8000_0000 : 32'he000_0000;
      3'd4:    return Image == ImageCompute ? 32'hfe00_0000 : '0;
      3'd5:    return Image == ImageCompute ? 32'h0002_0010 : '0;
      3'd6:    return Memory ? 32'he000_0000 : '0;
      default: return Shim ? 32'h0002_0010 : '0;
    endcase
  endfunction

  always_comb begin
    mask_o = '0;
    if (region_i.descriptor) mask_o = of_descriptor(word_i[4:2]);
    if (region_i.control) mask_o = ~control_bits(Image, channel_i >= 4'(Tile.Channels));
    if (region_i.start) mask_o = Queue;
    if (region_i.lock) mask_o = ~32'h3f;
    if (region_i.over || region_i.under) mask_o = Locks;
    if (region_i.packets) mask_o = ~32'hf;
    if (region_i.ports) mask_o = ~PortBits;
    if (region_i.lock_events) mask_o = ~lock_event_bits(Image);
    if (region_i.event_channels) mask_o = ~EventChannelBits;
    if (region_i.counters) mask_o = ~counter_bits(Tile.Counters, word_i[7:2]);
  end

  logic unused_bits;
  assign unused_bits = ^{word_i, region_i, channel_i};

  `TSR_STATIC_ASSERT(Image, Image <= ImageCompute, ("Image = %0d; legal is 0 to 2", Image))

endmodule
