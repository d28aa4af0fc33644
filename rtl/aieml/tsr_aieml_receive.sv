// What stands between the stream of an S2MM channel and its engine: headers of packets, decompression.
//
// Contract: `push_i` tells of each transfer when it first shows to the engine, in order, with how many words it
// has, and whether TLAST ends it; at most Depth have words to come. No word passes before its transfer
// has been told. With `by_header_i` each transfer begins with a header: it is taken while `wants_i`
// and nothing is open, and the id of a descriptor in it is shown until `id_take_i`. `clear_i`, with the reset of the
// engine, drops everything.
// Latency: 0 cycles, with a path from valid to valid and from ready to ready. Throughput: a word a cycle;
// compressed as tsr_aieml_decompress.
`include "tsr_assert.svh"
module tsr_aieml_receive
  import tsr_aieml_pkg::*;
#(
  parameter int unsigned Depth = 32  // a power of two
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                clear_i,
  input  aieml_stage_t        push_i,
  input  logic                push_valid_i,
  // Headers.
  input  logic                by_header_i,
  input  logic                wants_i,
  output logic         [ 5:0] id_o,
  output logic                id_valid_o,
  input  logic                id_take_i,
  // The stream.
  input  logic         [31:0] data_i,
  input  logic                last_i,
  input  logic                valid_i,
  output logic                ready_o,
  // The engine.
  output logic         [31:0] data_o,
  output logic                keep_o,        // 0: a null word
  output logic                last_o,
  output logic                valid_o,
  input  logic                ready_i
);

  aieml_stage_t head;
  logic head_valid, room, pop, empty, raw, expands, take, ends;
  logic wide_ready, wide_valid, wide_keep, wide_last, wide_done;
  logic [31:0] wide_data;
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

  assign empty = head.words == '0;
  // Open: from a header to the end of its transfer.
  logic open_q, id_valid_q, takes_header;
  logic [5:0] id_q;
  assign takes_header = by_header_i && wants_i && !open_q && valid_i;
  assign id_o         = id_q;
  assign id_valid_o   = id_valid_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      open_q     <= 1'b0;
      id_valid_q <= 1'b0;
    end else begin
      open_q     <= takes_header || (open_q && !pop);
      id_valid_q <= takes_header || (id_valid_q && !id_take_i);
    end
    if (takes_header) id_q <= data_i[10:5];
  end

  assign raw     = head_valid && !empty && !head.compressed;
  assign expands = head_valid && !empty && head.compressed;
  assign take    = raw && valid_i && ready_i;
  // A packet that goes on past its transfer is the matter of the engine: it drops the rest.
  assign ends    = head.finish ? last_i : count_q + 1'b1 == head.words;
  assign pop     = head_valid && (empty || (take && ends) || wide_done);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i || pop) count_q <= '0;
    else if (take) count_q <= count_q + 1'b1;
  end

  tsr_aieml_decompress u_decompress (
    .clk_i,
    .rst_ni,
    .clear_i (clear_i),
    .enable_i(expands),
    .finish_i(head.finish),
    .words_i (head.words),
    .done_o  (wide_done),
    .data_i,
    .last_i,
    .valid_i (valid_i && expands),
    .ready_o (wide_ready),
    .data_o  (wide_data),
    .keep_o  (wide_keep),
    .last_o  (wide_last),
    .valid_o (wide_valid),
    .ready_i
  );

  assign valid_o = raw ? valid_i : wide_valid;
  assign data_o  = raw ? data_i : wide_data;
  assign keep_o  = raw || wide_keep;
  assign last_o  = raw ? last_i : wide_last;
  assign ready_o = takes_header || (raw ? ready_i : wide_ready);

  logic unused_head;
  assign unused_head = ^head;

  `TSR_ASSERT(EveryTransferHasRoom, !push_valid_i || room)

endmodule
