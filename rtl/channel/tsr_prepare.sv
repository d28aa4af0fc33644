// Makes of a readable descriptor the transfer that an engine takes, or tells why there is none.
//
// Contract: valid/ready on both sides, in order, a tag goes along. A descriptor that is shown stays until it
// is taken: it is read, not copied, while products are made of it. What an engine with these parameters
// would refuse, or what cannot be said at its pins, comes out with `error_o`; its transfer means nothing.
// `flush_i` has a bit for each tag, a level: a descriptor of that tag is not worked on and may be withdrawn
// or changed in the next cycle; one that is taken comes out no more; a transfer that is shown goes, taken or
// not. There is a combinational path from ready_i to ready_o.
// Latency: a cycle more than tsr_prepare_transfer, which works while the transfer before waits at the output.
// Throughput: a descriptor without products a cycle.
`include "tsr_assert.svh"
module tsr_prepare
  import tsr_pkg::*;
  import tsr_descriptor_pkg::*;
#(
  parameter int unsigned AddrWidth  = 64,
  parameter int unsigned DataWidth  = 64,    // of the engine's bus: limits elements
  parameter int unsigned TagWidth   = 1,
  parameter bit          Walk       = 1'b1,
  parameter bit          Bounds     = 1'b1,
  parameter int unsigned CountWidth = 32,    // bits of counts and coordinates; proofs take fewer
  parameter int unsigned DigitWidth = 16     // of the multiplier, CountWidth times this
) (
  input  logic                                clk_i,
  input  logic                                rst_ni,
  input  logic              [2**TagWidth-1:0] flush_i,
  input  descriptor_t                         descriptor_i,
  input  logic              [   TagWidth-1:0] tag_i,
  input  logic                                valid_i,
  output logic                                ready_o,
  output transfer_t                           transfer_o,
  output descriptor_error_e                   error_o,
  output logic              [   TagWidth-1:0] tag_o,
  output logic                                valid_o,
  input  logic                                ready_i
);

  transfer_t transfer, transfer_q;
  descriptor_error_e error, error_q;
  logic free, flush, done, valid_q;
  logic [TagWidth-1:0] tag_q;

  assign free    = ready_i || !valid_q;
  assign flush   = flush_i[tag_i];
  assign ready_o = free && done;

  tsr_prepare_transfer #(
    .AddrWidth (AddrWidth),
    .DataWidth (DataWidth),
    .Walk      (Walk),
    .Bounds    (Bounds),
    .CountWidth(CountWidth),
    .DigitWidth(DigitWidth)
  ) u_transfer (
    .clk_i,
    .rst_ni,
    .flush_i   (flush),
    .descriptor_i,
    .valid_i,
    .transfer_o(transfer),
    .error_o   (error),
    .valid_o   (done),
    .ready_i   (free)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else if (free) valid_q <= done && !flush;
    else if (flush_i[tag_q]) valid_q <= 1'b0;
  end

  // While there is room the output follows the descriptor, so that its many registers wait for nothing else.
  always_ff @(posedge clk_i) begin
    if (free) begin
      transfer_q <= transfer;
      tag_q      <= tag_i;
      error_q    <= error;
    end
  end
  assign transfer_o = transfer_q;
  assign error_o    = error_q;
  assign tag_o      = tag_q;
  assign valid_o    = valid_q;

  `TSR_STATIC_ASSERT(AddrWidth, CountWidth < 32 || (AddrWidth >= 32 && AddrWidth <= 64),
                     ("AddrWidth = %0d; legal is 32 to 64", AddrWidth))
  `TSR_STATIC_ASSERT(TagWidth, TagWidth >= 1 && TagWidth <= 8,
                     ("TagWidth = %0d; legal is 1 to 8", TagWidth))
  // Vectors as wide as this cannot be sampled by old Verilators: its words are folded into one.
  localparam int unsigned TransferWords = ($bits(transfer_t) + 31) / 32;
  logic [TransferWords-1:0][31:0] transfer_words;
  logic [31:0] transfer_fold;
  assign transfer_words = (32 * TransferWords)'(transfer_o);
  always_comb begin
    transfer_fold = 32'({error_o, tag_o});
    for (int unsigned n = 0; n < TransferWords; n++) begin
      transfer_fold = {transfer_fold[30:0], transfer_fold[31]} ^ transfer_words[n];
    end
  end
  `TSR_ASSUME_NEXT(TagStays, valid_i && !ready_o && !flush, $stable(tag_i))
  `TSR_ASSERT_NEXT(TransferStays, valid_o && !ready_i && !flush_i[tag_o], valid_o && $stable
                   (transfer_fold))

endmodule
