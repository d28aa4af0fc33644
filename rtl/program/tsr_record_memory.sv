// Queues of completion records of all channels, in one memory.
//
// Contract. A record is four words: tag and stamp; state and bytes; dropped bytes and side information;
// address. Words are written at the end of the queue of their channel; `push` makes them a record. A record that has
// not `failed` has no dropped bytes and no address: they read as 0. Each transfer takes a seat of its
// channel when it is loaded, and gives it back with the pop of its record, or with `skip` if it leaves
// none; `given_o` counts these for `look_i`. So a record always has room. `skip` waits while `pop_i`.
// A pop of an empty queue does nothing.
// Latency: a word of the oldest record of `read_i` comes 1 cycle after its number; a push shows 1 cycle
// later. Throughput: a word in and a word out a cycle.
`include "tsr_assert.svh"
module tsr_record_memory
  import tsr_channel_pkg::*;
  import tsr_program_pkg::*;
#(
  parameter  int unsigned Channels = 2,                                    // 1..32
  parameter  int unsigned Depth    = 8,                                    // a power of two, 2..16
  parameter  bit          Side     = 1'b0,
  localparam int unsigned Index    = Channels > 1 ? $clog2(Channels) : 1,
  localparam int unsigned Seat     = $clog2(Depth) + 1
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  sweep_t                   sweep_i,
  input  record_put_t              put_i,
  // Registers.
  input  logic         [Index-1:0] read_i,
  input  record_word_e             read_word_i,
  output logic         [     31:0] read_o,
  input  logic                     pop_i,        // of the channel of `read_i`
  input  logic         [Index-1:0] view_i,
  output logic         [      4:0] level_o,      // of the channel of `view_i`
  // Seats.
  input  logic         [Index-1:0] look_i,
  output logic         [ Seat-1:0] given_o
);

  `TSR_STATIC_ASSERT(Depth, Depth >= 2 && Depth <= 16 && $onehot(Depth),
                     ("Depth = %0d; legal is 2, 4, 8 or 16", Depth))

  localparam int unsigned Width = Side ? 80 : 64;

  logic [Width-1:0] memory_q[4*Depth*2**Index];
  (* ram_style = "distributed" *) logic failed_q[Depth*2**Index];
  (* ram_style = "distributed" *) logic [Seat-1:0] write_q[2**Index];
  (* ram_style = "distributed" *) logic [Seat-1:0] oldest_q[2**Index];
  (* ram_style = "distributed" *) logic [Seat-1:0] given_q[2**Index];

  // ---- Ends of the queues -----------------------------------------------------------------------

  logic [Index-1:0] channel, given_at, swept_at;
  logic [Seat-1:0] place, oldest, given;
  logic pops, skips;
  assign channel  = Index'(put_i.channel);
  assign swept_at = Index'(sweep_i.channel);
  assign place    = write_q[channel];
  assign oldest   = oldest_q[read_i];
  assign pops     = pop_i && oldest != write_q[read_i];
  assign skips    = put_i.skip && !pop_i;
  assign given_at = pop_i ? read_i : channel;
  assign given    = given_q[given_at];
  assign given_o  = given_q[look_i];
  assign level_o  = 5'(Seat'(write_q[view_i] - oldest_q[view_i]));
  always_ff @(posedge clk_i) begin
    if (put_i.push || sweep_i.valid)
      write_q[sweep_i.valid?swept_at : channel] <= sweep_i.valid ? '0 : place + 1'b1;
    if (pops || sweep_i.valid)
      oldest_q[sweep_i.valid?swept_at : read_i] <= sweep_i.valid ? '0 : oldest + 1'b1;
    if (pops || skips || sweep_i.valid)
      given_q[sweep_i.valid?swept_at : given_at] <= sweep_i.valid ? '0 : given + 1'b1;
  end

  // ---- Words ------------------------------------------------------------------------------------

  logic [1:0] word;
  record_word_e word_q;
  logic failed_read_q;
  logic [Width-1:0] data_q;
  always_comb begin
    unique case (read_word_i)
      RecordTag, RecordStamp:                    word = 2'd0;
      RecordDropLow, RecordDropHigh, RecordSide: word = 2'd2;
      RecordAddrLow, RecordAddrHigh:             word = 2'd3;
      default:                                   word = 2'd1;
    endcase
  end
  always_ff @(posedge clk_i) begin
    if (put_i.written) memory_q[{channel, place[Seat-2:0], put_i.word}] <= put_i.data[Width-1:0];
    if (put_i.push) failed_q[{channel, place[Seat-2:0]}] <= put_i.failed;
    data_q        <= memory_q[{read_i, oldest[Seat-2:0], word}];
    failed_read_q <= failed_q[{read_i, oldest[Seat-2:0]}];
    word_q        <= read_word_i;
  end
  always_comb begin
    unique case (word_q)
      RecordHead: read_o = {1'b0, data_q[63:62], 7'b0, data_q[61:56], 8'b0, data_q[55:48]};
      RecordBytesLow, RecordTag: read_o = data_q[31:0];
      RecordBytesHigh: read_o = {16'b0, data_q[47:32]};
      RecordStamp: read_o = data_q[63:32];
      RecordDropLow, RecordAddrLow: read_o = failed_read_q ? data_q[31:0] : '0;
      RecordDropHigh: read_o = failed_read_q ? {16'b0, data_q[47:32]} : '0;
      RecordAddrHigh: read_o = failed_read_q ? data_q[63:32] : '0;
      RecordSide: read_o = Side ? 32'(data_q[Width-1:Width-32]) : '0;
      default: read_o = '0;
    endcase
  end

  logic unused_put;
  assign unused_put = ^{put_i, sweep_i, rst_ni};

  `TSR_ASSERT(RecordHasRoom, !put_i.push || Seat'(place - oldest_q[channel]) < Seat'(Depth))

endmodule
