// Sends task-complete tokens: packets of one word on a stream of 32 bits.
//
// Contract. A channel asks with its controller id, stable until ready; ready puts the token into a queue
// of Depth, in turn over the channels. A full queue keeps ready low, and no token is ever lost. A word
// is: 7:0 controller, 15:8 0x60 plus the actor, 20:16 row, 27:21 column, 31 with Parity such that the
// number of ones is odd, others 0. TLAST is always set. The word stays until it is accepted.
// Latency: ready at once while the queue has room and nobody else asks (a path from valid to ready), the
// word in the next cycle. Throughput: a token a cycle; of N that ask each gets every N-th.
`include "tsr_assert.svh"
module tsr_tokens #(
  parameter int unsigned Channels = 2,    // 1..32
  parameter int unsigned Depth    = 4,    // a power of two, at least 2
  parameter bit          Parity   = 1'b1
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  // Constant.
  input  logic [         6:0]      column_i,
  input  logic [         4:0]      row_i,
  input  logic [Channels-1:0][4:0] actor_i,
  // Channels.
  input  logic [Channels-1:0][7:0] controller_i,
  input  logic [Channels-1:0]      valid_i,
  output logic [Channels-1:0]      ready_o,
  // Stream.
  output logic [        31:0]      tdata_o,
  output logic                     tlast_o,
  output logic                     tvalid_o,
  input  logic                     tready_i
);

  `TSR_STATIC_ASSERT(Channels, Channels >= 1 && Channels <= 32,
                     ("Channels = %0d; legal is 1 to 32", Channels))
  `TSR_STATIC_ASSERT(Depth, Depth >= 2 && $onehot(Depth),
                     ("Depth = %0d; legal is a power of two from 2 on", Depth))

  logic [Channels-1:0] next, last_q;
  logic room;
  logic [7:0] controller;
  logic [4:0] actor;
  logic [31:0] word;

  tsr_round_robin #(
    .Channels(Channels)
  ) u_turns (
    .request_i(valid_i),
    .last_i   (last_q),
    .next_o   (next)
  );
  assign ready_o = room ? next : '0;

  always_comb begin
    controller = '0;
    actor      = '0;
    for (int unsigned c = 0; c < Channels; c++) begin
      if (next[c]) controller = controller | controller_i[c];
      if (next[c]) actor = actor | actor_i[c];
    end
    word = {1'b0, 3'b000, column_i, row_i, 8'h60 + 8'(actor), controller};
    word[31] = Parity && !(^word);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) last_q <= Channels'(1);
    else if (room && next != '0) last_q <= next;
  end

  tsr_fifo #(
    .Depth(Depth),
    .T    (logic [31:0])
  ) u_queue (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .data_i (word),
    .valid_i(next != '0),
    .ready_o(room),
    .data_o (tdata_o),
    .valid_o(tvalid_o),
    .ready_i(tready_i)
  );
  assign tlast_o = 1'b1;

  `TSR_STABLE(WordStays, tvalid_o, tready_i, tdata_o)
  `TSR_ASSERT(OneAtATime, $onehot0(ready_o) && (ready_o & ~valid_i) == '0)

endmodule
