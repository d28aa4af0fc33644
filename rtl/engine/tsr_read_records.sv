// Makes the record of each memory-to-stream transfer from what its operations did.
//
// Contract: `merge_i` tells of one operation: the bytes it added, whether a bus word with `resp_i` was
// used up, whether it ended a transfer (`eot_i`). With `behind_i` its bytes belong to the transfer after
// the one that it ends. `give_i` makes the record of a transfer that was aborted. Records leave by
// valid/ready when all beats of their transfer have been accepted. `ready_o` comes from registers: who
// lets at most three more operations come when it is low loses no record.
// Latency: 1 cycle from the last beat. Throughput: one record a cycle.
`include "tsr_assert.svh"
module tsr_read_records
  import tsr_pkg::*;
#(
  parameter int unsigned AddrWidth   = 64,
  parameter int unsigned BytesBits   = 5,   // of `bytes_i`
  parameter int unsigned LevelWidth  = 5,
  parameter int unsigned Depth       = 16,  // of the queue of records
  parameter int unsigned ReadyMargin = 5    // of tsr_fifo
) (
  input logic clk_i,
  input logic rst_ni,
  input logic merge_i,
  input logic [BytesBits-1:0] bytes_i,
  input logic pop_i,
  input logic [1:0] resp_i,
  input logic [AddrWidth-1:0] addr_i,  // of that word
  input logic eot_i,
  input logic flush_i,
  input logic behind_i,
  input logic illegal_i,
  input logic emit_i,  // completed a beat ...
  input logic last_i,  // ... with TLAST
  input logic close_i,  // a null beat was sent
  input logic gone_i,  // what was held is: after an abort, before records are given
  input logic [LevelWidth-1:0] beat_bytes_i,  // of a full beat
  input logic accepted_i,  // a beat has been accepted
  output logic ready_o,
  input logic give_i,
  output logic recorded_o,
  output done_t done_o,
  output logic done_valid_o,
  input logic done_ready_i
);

  typedef struct packed {
    logic [AddrWidth-1:0]  addr;
    logic [BytesWidth-1:0] bytes;
    logic                  last;
    logic                  illegal;
    logic                  aborted;
    logic                  decerr;
    logic                  slverr;
  } record_t;

  typedef logic [BytesWidth-1:0] bytes_t;

  localparam int unsigned MarkWidth = 6;
  record_t record_d, record_q;
  logic [MarkWidth-1:0] emitted_q, emitted, unused_completed, unused_mark;
  bytes_t bytes_q, bytes, added;
  logic [ LevelWidth:0] unsent_q;  // bytes merged but held ...
  logic                 sent_q;  // ... of the transfer alone: a beat was completed since it began
  logic [ LevelWidth:0] own_unsent;
  logic [AddrWidth-1:0] error_addr_q;
  logic slverr_q, decerr_q, slverr, decerr, error, first_error;
  logic own, next_one;  // what merges belongs to the transfer of the record, to the one after
  logic record_valid, give;

  assign slverr      = merge_i && pop_i && resp_i == 2'b10;
  assign decerr      = merge_i && pop_i && resp_i == 2'b11;
  assign error       = slverr || decerr;
  assign next_one    = merge_i && behind_i && eot_i;
  assign own         = merge_i && !next_one;
  assign first_error = error && (next_one || (!slverr_q && !decerr_q));
  assign own_unsent  = sent_q ? unsent_q : bytes_q[LevelWidth:0];
  // One sum for what a transfer has moved and for what an aborted one has sent.
  always_comb begin
    added = own ? bytes_t'(bytes_i) : '0;
    if (give) added = ~bytes_t'(own_unsent);
  end
  assign bytes        = bytes_q + added + bytes_t'(give);
  assign emitted      = emitted_q + MarkWidth'((merge_i && emit_i) || close_i);
  assign give         = give_i && ready_o;
  assign record_valid = (merge_i && eot_i) || give;
  assign recorded_o   = record_valid;

  always_comb begin
    record_d = '{
        addr: (first_error && own) ? addr_i : error_addr_q,
        bytes: bytes,
        last: last_i && emit_i,
        illegal: illegal_i,
        aborted: 1'b0,
        decerr: (decerr && own) || decerr_q,
        slverr: (slverr && own) || slverr_q
    };
    if (give) begin
      record_d.last    = 1'b0;
      record_d.illegal = 1'b0;
      record_d.aborted = 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      emitted_q    <= '0;
      bytes_q      <= '0;
      slverr_q     <= 1'b0;
      decerr_q     <= 1'b0;
      error_addr_q <= '0;
      unsent_q     <= '0;
      sent_q       <= 1'b0;
    end else begin
      emitted_q <= emitted;
      if (record_valid) begin
        // What came along with the last beat of a transfer begins the next one.
        bytes_q      <= next_one ? bytes_t'(bytes_i) : '0;
        slverr_q     <= slverr && next_one;
        decerr_q     <= decerr && next_one;
        error_addr_q <= (error && next_one) ? addr_i : '0;
      end else if (merge_i) begin
        bytes_q  <= bytes;
        slverr_q <= slverr || slverr_q;
        decerr_q <= decerr || decerr_q;
        if (first_error) error_addr_q <= addr_i;
      end
      if (record_valid) sent_q <= 1'b0;
      else if (merge_i && emit_i) sent_q <= 1'b1;
      if (give || (gone_i && !sent_q)) unsent_q <= '0;
      else if (merge_i && flush_i) unsent_q <= behind_i ? (LevelWidth + 1)'(bytes_i) : '0;
      else if (merge_i) begin
        unsent_q <= unsent_q + (LevelWidth + 1)'(bytes_i) -
                    (emit_i ? (LevelWidth + 1)'(beat_bytes_i) : '0);
      end
    end
  end

  tsr_retire #(
    .T          (record_t),
    .Depth      (Depth),
    .MarkWidth  (MarkWidth),
    .ReadyMargin(ReadyMargin)
  ) u_retire (
    .clk_i,
    .rst_ni,
    .record_i   (record_d),
    .mark_i     (emitted),
    .valid_i    (record_valid),
    .ready_o,
    .started_i  (emitted_q),
    .complete_i (accepted_i),
    .completed_o(unused_completed),
    .record_o   (record_q),
    .mark_o     (unused_mark),
    .valid_o    (done_valid_o),
    .ready_i    (done_ready_i)
  );

  assign done_o = '{
          addr: 64'(record_q.addr),
          bytes: record_q.bytes,
          dropped: '0,
          last: record_q.last,
          status: '{
              illegal: record_q.illegal,
              aborted: record_q.aborted,
              decerr: record_q.decerr,
              slverr: record_q.slverr,
              default: 1'b0
          }
      };

  `TSR_ASSERT(GivesWhenNothingMerges, !(give_i && merge_i))

endmodule
