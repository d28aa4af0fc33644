// Makes the record of each stream-to-memory transfer from what happened to its bytes.
//
// Contract: `there_i` bytes, those held and those of the piece that joins them, are there for the
// transfer at hand; those not among `held_i` in the next cycle are its own. `dropped_i` bytes of its
// packet are too many. `end_i` ends it in this cycle, `early_i` before its length. `give_i` makes the
// record of a transfer that was aborted. Nobody refuses a record.
// Latency: 1 cycle, of `give_i` none. Throughput: one record a cycle.
`include "tsr_assert.svh"
module tsr_write_records
  import tsr_pkg::*;
#(
  parameter int unsigned PosWidth = 5
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  logic    [  PosWidth-1:0] there_i,
  input  logic    [  PosWidth-1:0] held_i,
  input  logic    [  PosWidth-1:0] dropped_i,
  input  logic                     sparse_i,     // a beat with null bytes and without TLAST
  input  logic                     end_i,
  input  logic                     last_i,       // ... and a packet
  input  logic                     early_i,
  input  logic                     illegal_i,    // the transfer is
  input  logic    [           2:0] elem_log2_i,
  input  logic                     give_i,
  output logic                     valid_o,
  output logic    [BytesWidth-1:0] bytes_o,
  output logic    [BytesWidth-1:0] dropped_o,
  output logic                     last_o,
  output status_t                  status_o
);

  typedef logic [PosWidth-1:0] pos_t;
  typedef logic [BytesWidth-1:0] bytes_t;

  logic ended_q, last_q, illegal_q, early_q, sparse_q, sparse_now_q;
  logic [2:0] elem_log2_q;
  pos_t there_q, dropped_now_q;
  bytes_t bytes_q, bytes, dropped_q, dropped;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) ended_q <= 1'b0;
    else ended_q <= end_i;
  end
  always_ff @(posedge clk_i) begin
    last_q        <= last_i;
    illegal_q     <= illegal_i;
    early_q       <= early_i;
    elem_log2_q   <= elem_log2_i;
    sparse_now_q  <= sparse_i;
    there_q       <= there_i;
    dropped_now_q <= dropped_i;
  end

  assign bytes   = bytes_q + bytes_t'(pos_t'(there_q - held_i));
  assign dropped = dropped_q + bytes_t'(dropped_now_q);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || valid_o) begin
      bytes_q   <= '0;
      dropped_q <= '0;
      sparse_q  <= 1'b0;
    end else begin
      bytes_q   <= bytes;
      dropped_q <= dropped;
      sparse_q  <= sparse_q || sparse_now_q;
    end
  end

  assign valid_o   = ended_q || give_i;
  assign bytes_o   = bytes;
  assign dropped_o = dropped;
  assign last_o    = !give_i && last_q;
  always_comb begin
    status_o                 = '0;
    status_o.sparse_keep     = sparse_q || sparse_now_q;
    status_o.overlong        = dropped != '0;
    status_o.partial_element = !give_i && early_q && (|(bytes[6:0] & ~(7'h7f << elem_log2_q)));
    status_o.illegal         = !give_i && illegal_q;
    status_o.aborted         = give_i;
  end

  `TSR_ASSERT_NEXT(NoneFromNowhere, 1'b1, held_i <= there_q)
  `TSR_ASSERT(OneAtATime, !(ended_q && give_i))

endmodule
