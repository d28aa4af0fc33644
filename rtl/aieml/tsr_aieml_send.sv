// What stands between the engine of an MM2S channel and its stream: packet headers, compression.
//
// Contract: `push_i` tells of each transfer when it first shows to the engine, in order, with how many words it has; at
// most Depth have words to come. A header goes before the first word of a transfer, not compressed. A transfer
// without words has neither header nor TLAST. A null beat, with which an engine that is aborted
// closes its packet, is taken and goes no further. `clear_i`, with the reset of the engine, drops
// everything but units that are complete; `empty_o`: none of a unit is held.
// Latency: 0 cycles, with a path from valid to valid and from ready to ready; compressed as
// tsr_aieml_compress. Throughput: a word a cycle, and a cycle for a header; compressed as tsr_aieml_compress.
`include "tsr_assert.svh"
module tsr_aieml_send
  import tsr_aieml_pkg::*;
#(
  parameter bit          Compression = 1'b1,
  parameter int unsigned Depth       = 32     // a power of two
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                clear_i,
  input  aieml_stage_t        push_i,
  input  logic                push_valid_i,
  // The engine.
  input  logic         [31:0] data_i,
  input  logic                keep_i,        // 0: a null beat
  input  logic                last_i,
  input  logic                valid_i,
  output logic                ready_o,
  // The stream.
  output logic         [31:0] data_o,
  output logic                last_o,
  output logic                valid_o,
  input  logic                ready_i,
  output logic                empty_o
);

  aieml_stage_t head;
  logic head_valid, room, pop, headed_q, shows_header, empty, first, ends, raw, valid, take;
  logic packed_ready, packed_valid, packed_last, packed_empty;
  logic [31:0] packed_data;
  logic [29:0] count_q;

  tsr_fifo #(
    .Depth(Depth),
    .T    (aieml_stage_t)
  ) u_transfers (
    .clk_i,
    .rst_ni,
    .flush_i(clear_i),
    .data_i (push_i),
    .valid_i(push_valid_i),
    .ready_o(room),
    .data_o (head),
    .valid_o(head_valid),
    .ready_i(pop)
  );

  assign valid = valid_i && keep_i;
  assign empty_o = packed_empty;
  assign empty = head.words == '0;
  assign first = count_q == '0;
  assign ends = count_q + 1'b1 == head.words;
  // What is left of a compressed transfer goes out before anything of the next one.
  assign shows_header = head_valid && !empty && head.header != '0 && first && !headed_q &&
      valid && packed_empty;
  assign raw = head_valid && !empty && !head.compressed && packed_empty &&
      (head.header == '0 || headed_q);
  assign take = valid && ready_o;
  assign pop = head_valid && (empty || (take && ends));

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      count_q  <= '0;
      headed_q <= 1'b0;
    end else if (pop) begin
      count_q  <= '0;
      headed_q <= 1'b0;
    end else begin
      if (take) count_q <= count_q + 1'b1;
      if (shows_header && ready_i) headed_q <= 1'b1;
    end
  end

  if (Compression) begin : gen_compress
    logic feeds;
    assign feeds = head_valid && !empty && head.compressed && (head.header == '0 || headed_q);
    tsr_aieml_compress u_compress (
      .clk_i,
      .rst_ni,
      .clear_i,
      .data_i,
      .end_i  (ends),
      .last_i,
      .valid_i(valid && feeds),
      .ready_o(packed_ready),
      .data_o (packed_data),
      .last_o (packed_last),
      .valid_o(packed_valid),
      .ready_i(ready_i),
      .empty_o(packed_empty)
    );
    assign ready_o = !keep_i || (raw ? ready_i : feeds && packed_ready);
  end else begin : gen_raw
    assign {packed_ready, packed_data, packed_last, packed_valid} = '0;
    assign packed_empty = 1'b1;
    assign ready_o = !keep_i || (raw && ready_i);
  end

  always_comb begin
    valid_o = shows_header || (raw && valid);
    data_o  = shows_header ? head.header : data_i;
    last_o  = !shows_header && last_i;
    if (packed_valid) begin
      valid_o = 1'b1;
      data_o  = packed_data;
      last_o  = packed_last;
    end
  end

  logic unused_head;
  assign unused_head = ^{head, packed_ready};

  `TSR_ASSERT(EveryTransferHasRoom, !push_valid_i || room)

endmodule
