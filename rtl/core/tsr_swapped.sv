// Holds a value for each channel; that of the channel at work is in a register.
//
// Contract: `data_i` replaces the value at work in every cycle. In `refresh_i`, the first cycle of
// another channel at work, `data_i` still belongs to the channel before, goes to memory, and the
// value of the new channel comes. A channel begins with ResetValue. With one channel it is a
// register.
// Latency: the value of a new channel is there in the cycle after `refresh_i`.
`include "tsr_assert.svh"
module tsr_swapped #(
  parameter  int unsigned Channels   = 4,                                   // 1 .. 16
  parameter  type         T          = logic,
  parameter  T            ResetValue = '0,
  localparam int unsigned Index      = Channels > 1 ? $clog2(Channels) : 1
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [Index-1:0] channel_i,
  input  logic             refresh_i,
  input  T                 data_i,
  output T                 data_o
);

  T data_q;
  assign data_o = data_q;

  if (Channels == 1) begin : gen_one
    logic unused_swap;
    assign unused_swap = ^{channel_i, refresh_i};
    always_ff @(posedge clk_i) begin
      if (!rst_ni) data_q <= ResetValue;
      else data_q <= data_i;
    end
  end else begin : gen_many
    (* ram_style = "distributed" *) logic [$bits(T)-1:0] mem[Channels];
    logic [Index-1:0] before_q;
    logic [Channels-1:0] kept_q;
    always_ff @(posedge clk_i) begin
      before_q <= channel_i;
      if (refresh_i) mem[before_q] <= unsigned'(data_i);
      if (!rst_ni) begin
        kept_q <= '0;
        data_q <= ResetValue;
      end else if (refresh_i) begin
        kept_q[before_q] <= 1'b1;
        data_q <= kept_q[channel_i] ? T'(mem[channel_i]) : ResetValue;
      end else begin
        data_q <= data_i;
      end
    end
  end

  `TSR_ASSERT(OneChannelNeverSwaps, Channels > 1 || !refresh_i)

endmodule
