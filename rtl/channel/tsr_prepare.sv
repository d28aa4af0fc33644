// Makes of a readable descriptor the transfer that an engine takes, or tells why there is none.
//
// Contract: valid/ready on both sides, in order, a tag goes along. A descriptor that is shown stays until it
// is taken: it is read, not copied, while products are made of it. What an engine with these parameters
// would refuse, or what cannot be said at its pins, comes out with `error_o`; its transfer means nothing.
// `flush_i` has a bit for each tag, a level: a descriptor of that tag is not worked on and may be withdrawn
// or changed in the next cycle; one that is taken comes out no more; a transfer that is shown goes, taken or
// not. There is a combinational path from ready_i to ready_o.
// Latency: without products 1 cycle, else 5 and as tsr_prepare_sums says. The sum of the address is made while
// the transfer before waits at the output, the levels of a traversal when that has gone. Throughput: a
// descriptor without products a cycle.
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

  typedef logic [AddrWidth-1:0] addr_t;

  transfer_t fields;
  descriptor_error_e error, error_q;
  logic free, done, flush, level, reach, valid_q;
  logic [WalkLevels-1:0] put_step, put_stride;
  logic [CountWidth-1:0] step;
  addr_t offset, stride;
  logic [TagWidth-1:0] tag_q;

  tsr_prepare_fields #(
    .AddrWidth (AddrWidth),
    .DataWidth (DataWidth),
    .CountWidth(CountWidth),
    .Walk      (Walk),
    .Bounds    (Bounds)
  ) u_fields (
    .descriptor_i,
    .transfer_o(fields),
    .error_o   (error)
  );

  tsr_prepare_sums #(
    .AddrWidth (AddrWidth),
    .CountWidth(CountWidth),
    .DigitWidth(DigitWidth),
    .Walk      (Walk),
    .Bounds    (Bounds)
  ) u_sums (
    .clk_i,
    .rst_ni,
    .descriptor_i,
    .dense_i     (fields.dense),
    .elem_log2_i (fields.elem_log2),
    .valid_i,
    .flush_i     (flush),
    .free_i      (free),
    .done_o      (done),
    .offset_o    (offset),
    .level_o     (level),
    .reach_o     (reach),
    .put_step_o  (put_step),
    .step_o      (step),
    .put_stride_o(put_stride),
    .stride_o    (stride)
  );

  assign free    = ready_i || !valid_q;
  assign flush   = flush_i[tag_i];
  assign ready_o = free && done;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else if (free) valid_q <= valid_i && done && !flush;
    else if (flush_i[tag_q]) valid_q <= 1'b0;
  end

  // While there is room the output follows the descriptor, so that its many registers wait for nothing else.
  transfer_t fields_q;
  addr_t addr_q;
  logic [WalkLevels-1:0][CountWidth-1:0] step_q;
  addr_t [WalkLevels-1:0] stride_q;
  always_ff @(posedge clk_i) begin
    if (free) begin
      fields_q <= fields;
      tag_q <= tag_i;
      error_q <= error == ErrorNone && reach ? ErrorReach : error;
    end
    if (free && !level) addr_q <= addr_t'(descriptor_i.base) + offset;
  end
  // -start - 1 is ~start: it is kept as `start`, and whoever compares it inverts it for nothing. A dimension
  // without bounds holds 0.
  logic [Dims-1:0][IndexWidth-1:0] start_q, last_q;
  for (genvar d = 0; d < Dims; d++) begin : gen_dim
    always_ff @(posedge clk_i) begin
      if (free) begin
        if (fields.dim[d].unbounded) begin
          start_q[d] <= '1;
          last_q[d]  <= '0;
        end else begin
          start_q[d] <= ~fields.dim[d].ahead;
          last_q[d]  <= fields.dim[d].last;
        end
      end
    end
  end
  for (genvar k = 0; k < WalkLevels; k++) begin : gen_level
    always_ff @(posedge clk_i) begin
      if (free && !level) begin
        step_q[k]   <= '0;
        stride_q[k] <= '0;
      end else begin
        if (put_step[k]) step_q[k] <= step;
        if (put_stride[k]) stride_q[k] <= stride;
      end
    end
  end

  always_comb begin
    transfer_o      = fields_q;
    transfer_o.addr = 64'(addr_q);
    for (int unsigned d = 0; d < Dims; d++) begin
      transfer_o.dim[d].ahead = ~start_q[d];
      transfer_o.dim[d].last  = last_q[d];
    end
    for (int unsigned k = 0; Walk && k < WalkLevels; k++) begin
      transfer_o.walk[k].step   = Bounds ? 32'(signed'(step_q[k])) : '0;
      transfer_o.walk[k].stride = 64'(stride_q[k]);
    end
  end
  assign error_o = error_q;
  assign tag_o   = tag_q;
  assign valid_o = valid_q;

  `TSR_STATIC_ASSERT(AddrWidth, CountWidth < 32 || (AddrWidth >= 32 && AddrWidth <= 64),
                     ("AddrWidth = %0d; legal is 32 to 64", AddrWidth))
  `TSR_STATIC_ASSERT(TagWidth, TagWidth >= 1 && TagWidth <= 8,
                     ("TagWidth = %0d; legal is 1 to 8", TagWidth))
  // Vectors as wide as these cannot be sampled by old Verilators: their words are folded into one.
  localparam int unsigned DescriptorWords = ($bits(descriptor_t) + 31) / 32;
  localparam int unsigned TransferWords = ($bits(transfer_t) + 31) / 32;
  logic [DescriptorWords-1:0][31:0] descriptor_words;
  logic [  TransferWords-1:0][31:0] transfer_words;
  logic [31:0] descriptor_fold, transfer_fold;
  assign descriptor_words = (32 * DescriptorWords)'(descriptor_i);
  assign transfer_words   = (32 * TransferWords)'(transfer_o);
  always_comb begin
    descriptor_fold = 32'(tag_i);
    transfer_fold   = 32'({error_o, tag_o});
    for (int unsigned n = 0; n < DescriptorWords; n++) begin
      descriptor_fold = {descriptor_fold[30:0], descriptor_fold[31]} ^ descriptor_words[n];
    end
    for (int unsigned n = 0; n < TransferWords; n++) begin
      transfer_fold = {transfer_fold[30:0], transfer_fold[31]} ^ transfer_words[n];
    end
  end
  `TSR_ASSUME_NEXT(DescriptorStays, valid_i && !ready_o && !flush, valid_i && $stable
                   (descriptor_fold))
  `TSR_ASSERT_NEXT(TransferStays, valid_o && !ready_i && !flush_i[tag_o], valid_o && $stable
                   (transfer_fold))

endmodule
