// Makes of a readable descriptor the transfer that an engine takes, or tells why there is none: without a
// register at its output, for who keeps the transfer.
//
// Contract: a descriptor that is shown with `valid_i` stays until it is taken, with `valid_o` and `ready_i`, or
// until `flush_i`. The transfer is there with `valid_o`; with `error_o` it means nothing. There is a
// combinational path from the descriptor to the transfer, none from `ready_i`.
// Latency: without products 0 cycles, else 4 and as tsr_prepare_sums says.
`include "tsr_assert.svh"
module tsr_prepare_transfer
  import tsr_pkg::*;
  import tsr_descriptor_pkg::*;
#(
  parameter int unsigned AddrWidth  = 64,
  parameter int unsigned DataWidth  = 64,    // of the engine's bus: limits elements
  parameter bit          Walk       = 1'b1,
  parameter bit          Bounds     = 1'b1,
  parameter int unsigned CountWidth = 32,    // bits of counts and coordinates; proofs take fewer
  parameter int unsigned DigitWidth = 16     // of the multiplier, CountWidth times this
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              flush_i,
  input  descriptor_t       descriptor_i,
  input  logic              valid_i,
  output transfer_t         transfer_o,
  output descriptor_error_e error_o,
  output logic              valid_o,
  input  logic              ready_i
);

  typedef logic [AddrWidth-1:0] addr_t;

  transfer_t fields;
  descriptor_error_e error;
  logic done, level, reach, taken;
  logic [WalkLevels-1:0] put_step, put_stride;
  logic [CountWidth-1:0] step;
  addr_t offset, stride;

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
    .flush_i,
    .take_i      (ready_i),
    .done_o      (done),
    .offset_o    (offset),
    .level_o     (level),
    .reach_o     (reach),
    .put_step_o  (put_step),
    .step_o      (step),
    .put_stride_o(put_stride),
    .stride_o    (stride)
  );

  assign taken   = done && ready_i;
  assign valid_o = valid_i && done;
  assign error_o = error == ErrorNone && reach ? ErrorReach : error;

  // The sum goes on with the levels: the address is kept.
  addr_t addr, addr_q;
  assign addr = addr_t'(descriptor_i.base) + offset;
  always_ff @(posedge clk_i) begin
    if (!level) addr_q <= addr;
  end

  // What moves nothing stays 0.
  logic [WalkLevels-1:0][CountWidth-1:0] step_q;
  addr_t [WalkLevels-1:0] stride_q, strides;
  for (genvar k = 0; k < WalkLevels; k++) begin : gen_level
    always_ff @(posedge clk_i) begin
      if (!rst_ni || taken || flush_i) begin
        step_q[k]   <= '0;
        stride_q[k] <= '0;
      end else begin
        if (put_step[k]) step_q[k] <= step;
        if (put_stride[k]) stride_q[k] <= stride;
      end
    end
    // The last one may be made in the cycle in which the transfer is shown.
    assign strides[k] = stride_q[k] | (put_stride[k] ? stride : '0);
  end

  always_comb begin
    transfer_o      = fields;
    transfer_o.addr = level ? 64'(addr_q) : 64'(addr);
    for (int unsigned d = 0; d < Dims; d++) begin
      if (fields.dim[d].unbounded) begin
        transfer_o.dim[d].ahead = '0;
        transfer_o.dim[d].last  = '0;
      end
    end
    for (int unsigned k = 0; Walk && k < WalkLevels; k++) begin
      transfer_o.walk[k].step   = Bounds ? 32'(signed'(step_q[k])) : '0;
      transfer_o.walk[k].stride = 64'(strides[k]);
    end
  end

  // Vectors as wide as these cannot be sampled by old Verilators: their words are folded into one.
  localparam int unsigned FoldWords = ($bits(descriptor_t) + 31) / 32;
  logic [FoldWords-1:0][31:0] descriptor_words;
  logic [31:0] descriptor_fold;
  assign descriptor_words = (32 * FoldWords)'(descriptor_i);
  always_comb begin
    descriptor_fold = '0;
    for (int unsigned n = 0; n < FoldWords; n++) begin
      descriptor_fold = {descriptor_fold[30:0], descriptor_fold[31]} ^ descriptor_words[n];
    end
  end
  `TSR_ASSERT(LevelsBeforeTheEnd, level || (put_step == '0 && put_stride == '0))
  `TSR_ASSUME_NEXT(DescriptorStays, valid_i && !(valid_o && ready_i) && !flush_i,
                   valid_i && $stable(descriptor_fold))

endmodule
