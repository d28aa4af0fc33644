// Queues of completion records of all channels, in one memory.
//
// Contract. A record is four words: tag and stamp; state and bytes; dropped bytes and side information;
// address. Words are written at the end of the queue of their channel; `push` makes them a record. A record that has
// not `failed` has no dropped bytes and no address: they read as 0. Each transfer takes a seat of its
// channel when it is loaded, and gives it back with the pop of its record, or with `skip` if it leaves
// none; `given_o` counts these for `look_i`. So a record always has room. `skip` waits while `pop_i`.
// A pop of an empty queue does nothing.
// Latency: a word of the oldest record of `read_i` comes 2 cycles after its number; a push shows 1 cycle
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
  input  logic         [Index-1:0] pop_channel_i,
  input  logic                     pop_i,
  input  logic         [Index-1:0] view_i,
  output logic         [      4:0] level_o,        // of the channel of `view_i`
  // Seats.
  input  logic         [Index-1:0] look_i,
  output logic         [ Seat-1:0] given_o
);

  `TSR_STATIC_ASSERT(Depth, Depth >= 2 && Depth <= 16 && $onehot(Depth),
                     ("Depth = %0d; legal is 2, 4, 8 or 16", Depth))

  localparam int unsigned Width = Side ? 80 : 64;

  (* ram_style = "distributed" *) logic failed_q[Depth*2**Index];
  (* ram_style = "distributed" *) logic [Seat-1:0] write_q[2**Index];
  (* ram_style = "distributed" *) logic [Seat-1:0] oldest_q[2**Index];
  (* ram_style = "distributed" *) logic [Seat-1:0] given_q[2**Index];

  // ---- Ends of the queues -----------------------------------------------------------------------

  logic [Index-1:0] channel, given_at, swept_at;
  logic [Seat-1:0] place, popped, given;
  logic [Seat-2:0] oldest;
  logic pops, skips;
  assign channel  = Index'(put_i.channel);
  assign swept_at = Index'(sweep_i.channel);
  assign place    = write_q[channel];
  assign oldest   = (Seat - 1)'(oldest_q[read_i]);
  assign popped   = oldest_q[pop_channel_i];
  assign pops     = pop_i && popped != write_q[pop_channel_i];
  assign skips    = put_i.skip && !pop_i;
  assign given_at = pop_i ? pop_channel_i : channel;
  assign given    = given_q[given_at];
  assign given_o  = given_q[look_i];
  assign level_o  = 5'(Seat'(write_q[view_i] - oldest_q[view_i]));
  always_ff @(posedge clk_i) begin
    if (put_i.push || sweep_i.valid)
      write_q[sweep_i.valid?swept_at : channel] <= sweep_i.valid ? '0 : place + 1'b1;
    if (pops || sweep_i.valid)
      oldest_q[sweep_i.valid?swept_at : pop_channel_i] <= sweep_i.valid ? '0 : popped + 1'b1;
    if (pops || skips || sweep_i.valid)
      given_q[sweep_i.valid?swept_at : given_at] <= sweep_i.valid ? '0 : given + 1'b1;
  end

  // ---- Words ------------------------------------------------------------------------------------

  typedef enum logic [1:0] {
    PartLow,
    PartHigh,
    PartShort,  // 16 bits of the upper half
    PartHead
  } part_e;
  logic [1:0] word;
  part_e part, part_q;
  logic absent, absent_q;  // words that a record without an error does not have
  logic [Width-1:0] data_q;
  always_comb begin
    word = 2'd1;
    part = PartLow;
    unique case (read_word_i)
      RecordBytesLow:            ;
      RecordBytesHigh:           part = PartShort;
      RecordTag:                 word = 2'd0;
      RecordStamp: begin
        word = 2'd0;
        part = PartHigh;
      end
      RecordDropLow, RecordSide: word = 2'd2;
      RecordDropHigh: begin
        word = 2'd2;
        part = PartShort;
      end
      RecordAddrLow:             word = 2'd3;
      RecordAddrHigh: begin
        word = 2'd3;
        part = PartHigh;
      end
      default:                   part = PartHead;
    endcase
    absent = word[1] && !failed_q[{read_i, oldest}];
  end
  always_ff @(posedge clk_i) begin
    if (put_i.push) failed_q[{channel, place[Seat-2:0]}] <= put_i.failed;
    part_q   <= part;
    absent_q <= absent;
  end

  logic [Index+Seat:0] put_at, read_at;
  assign put_at  = {channel, place[Seat-2:0], put_i.word};
  assign read_at = {read_i, oldest, word};
  tsr_memory #(
    .Depth(4 * Depth * 2 ** Index),
    .Width(Width),
    .Block(Channels > 2)
  ) u_words (
    .clk_i,
    .write_i   (put_i.written),
    .write_at_i(put_at),
    .data_i    (put_i.data[Width-1:0]),
    .read_i    (1'b1),
    .read_at_i (read_at),
    .data_o    (data_q)
  );

  logic [31:0] read;
  always_comb begin
    unique case (part_q)
      PartLow:   read = data_q[31:0];
      PartHigh:  read = data_q[63:32];
      PartShort: read = {16'b0, data_q[47:32]};
      default:   read = {1'b0, data_q[63:62], 7'b0, data_q[61:56], 8'b0, data_q[55:48]};
    endcase
    if (absent_q) read = '0;
  end
  logic side_q;
  always_ff @(posedge clk_i) side_q <= read_word_i == RecordSide;
  if (Side) begin : gen_side
    always_ff @(posedge clk_i) read_o <= side_q ? data_q[Width-1:Width-32] : read;
  end else begin : gen_no_side
    always_ff @(posedge clk_i) read_o <= side_q ? '0 : read;
  end

  logic unused_put;
  assign unused_put = ^{put_i, sweep_i, rst_ni};

  `TSR_ASSERT(RecordHasRoom, !put_i.push || Seat'(place - oldest_q[channel]) < Seat'(Depth))

endmodule
