// Queue of task-complete tokens: packets of one word on a stream of 32 bits.
//
// Contract. A token comes with the controller id of its channel and is always taken: `waits_o` tells of each
// channel that one of its tokens has not gone out, and a channel that waits starts no task with a token. So a
// channel has `Flight` tokens here at most. A word is: 7:0 controller, 15:8 0x60 plus the actor, 20:16 row,
// 27:21 column, 31 odd parity, others 0. The actor of write channel k is k + Receiver, of read channel k it is
// k + Sender. TLAST is always set.
// Latency: 1 cycle. Throughput: a token a cycle.
`include "tsr_assert.svh"
module tsr_token_queue
  import tsr_program_pkg::channel_t;
#(
  parameter  int unsigned       Reads    = 1,                    // 1..16
  parameter  int unsigned       Writes   = 1,                    // 1..16
  parameter  int unsigned       Flight   = 8,                    // transfers of a channel
  parameter  logic        [6:0] Column   = '0,
  parameter  logic        [4:0] Row      = '0,
  parameter  int unsigned       Sender   = Writes > 6 ? 16 : 6,  // actor of the first read channel
  parameter  int unsigned       Receiver = 0,                    // and of the first write channel
  localparam int unsigned       Channels = Reads + Writes
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  channel_t                channel_i,
  input  logic     [         7:0] controller_i,
  input  logic                    valid_i,
  output logic     [Channels-1:0] waits_o,
  output logic     [        31:0] tdata_o,
  output logic                    tlast_o,
  output logic                    tvalid_o,
  input  logic                    tready_i
);

  localparam int unsigned Depth = 2 ** $clog2(Channels * Flight);
  typedef struct packed {
    channel_t   channel;
    logic [7:0] controller;
  } token_t;
  token_t head;
  logic   room;
  tsr_fifo #(
    .Depth(Depth),
    .T    (token_t)
  ) u_queue (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .data_i ('{channel: channel_i, controller: controller_i}),
    .valid_i,
    .ready_o(room),
    .data_o (head),
    .valid_o(tvalid_o),
    .ready_i(tready_i)
  );

  logic [ 4:0] actor;
  logic [31:0] word;
  assign actor = 32'(head.channel) < Reads ? 5'(head.channel) + 5'(Sender) :
      5'(head.channel) - 5'(Reads) + 5'(Receiver);
  assign word = {4'b0, Column, Row, 8'h60 + 8'(actor), head.controller};
  assign tdata_o = {!(^word), word[30:0]};
  assign tlast_o = 1'b1;

  // Tokens of each channel.
  for (genvar c = 0; c < Channels; c++) begin : gen_channel
    logic [$clog2(Flight):0] count_q;
    logic comes, goes;
    assign comes = valid_i && 32'(channel_i) == c;
    assign goes  = tvalid_o && tready_i && 32'(head.channel) == c;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) count_q <= '0;
      else count_q <= count_q + ($clog2(Flight) + 1)'(comes) - ($clog2(Flight) + 1)'(goes);
    end
    assign waits_o[c] = count_q != '0;
  end

  `TSR_STATIC_ASSERT(Channels, Channels <= 32, ("Reads + Writes = %0d; legal is 2 to 32", Channels))
  `TSR_STABLE(WordStays, tvalid_o, tready_i, tdata_o)
  `TSR_ASSERT(TakesEach, !valid_i || room)

endmodule
