// Keeps a value for each channel in a memory that is read without a clock; with one channel in a
// register.
//
// Contract: `data_o` is the value of `channel_i`; `write_i` replaces it at the end of the cycle.
// Nothing is known of a value before it is written.
`include "tsr_assert.svh"
module tsr_by_channel #(
  parameter  int unsigned Channels = 4,                                   // 1 .. 16
  parameter  type         T        = logic,
  localparam int unsigned Index    = Channels > 1 ? $clog2(Channels) : 1
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [Index-1:0] channel_i,
  input  logic             write_i,
  input  T                 data_i,
  output T                 data_o
);

  if (Channels == 1) begin : gen_one
    T data_q;
    logic unused_channel;
    assign unused_channel = ^channel_i;
    assign data_o = data_q;
    always_ff @(posedge clk_i) if (write_i) data_q <= data_i;
  end else begin : gen_many
    (* ram_style = "distributed" *) logic [$bits(T)-1:0] mem[Channels];
    assign data_o = T'(mem[channel_i]);
    always_ff @(posedge clk_i) if (write_i) mem[channel_i] <= data_i;
  end

  `TSR_ASSERT(ChannelIsThere, 32'(channel_i) < Channels)

endmodule
