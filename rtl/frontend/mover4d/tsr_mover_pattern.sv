// Decodes a tile pattern of 24 words of 32 bits, two a cycle: buffer_dim, offset, tiling,
// dim_index, stride and wrap, of four dimensions each, all in elements.
//
// Contract: as tsr_mover_cuboid. The strides of dimensions 2 and 3 are products of buffer_dim, the
// fourth of which is not used; level k of the traversal turns dimension dim_index[k], by its stride
// and wrap, level 0 fastest. Offset and stride are signed.
// Latency: 1 cycle from the last word. Throughput: a pattern in 12 cycles. One multiplier of 64 by
// 16 bits.
`include "tsr_assert.svh"
module tsr_mover_pattern
  import tsr_pkg::*;
  import tsr_descriptor_pkg::*;
  import tsr_mover_pkg::*;
#(
  parameter int unsigned AddrWidth    = 64,
  parameter int unsigned ElementBytes = 8
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                clear_i,
  input  logic         [63:0] base_i,
  input  logic         [63:0] word_i,
  input  logic                fault_i,
  input  logic                valid_i,
  output logic                ready_o,
  output descriptor_t         descriptor_o,
  output mover_error_e        error_o,
  output logic                valid_o,
  input  logic                ready_i
);

  localparam int unsigned ElemLog2 = $clog2(ElementBytes);
  typedef logic [Dims-1:0][31:0] four_t;

  // ---- Words ------------------------------------------------------------------------------------

  logic [3:0] place_q, place;
  logic push, complete, fault_q;
  logic [2:0][31:0] size_q;  // of the buffer; that of dimension 3 says nothing
  four_t offset_q, tiling_q, step_q, wrap_q;
  logic [Dims-1:0][1:0] index_q;
  logic index_wrong_q;

  assign complete = place_q == 4'(PatternWords);
  assign place    = complete ? '0 : place_q;
  assign valid_o  = complete;
  assign ready_o  = !complete || ready_i;
  assign push     = valid_i && ready_o;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) place_q <= '0;
    else if (push) place_q <= place + 1'b1;
    else if (ready_i && complete) place_q <= '0;
  end

  logic wrong;  // a dimension that is not there
  assign wrong = word_i[31:2] != '0 || word_i[63:34] != '0;
  always_ff @(posedge clk_i) begin
    if (push) begin
      fault_q <= fault_i || (place != '0 && fault_q);
      case (place)
        4'd0:    size_q[1:0] <= word_i;
        4'd1:    size_q[2] <= word_i[31:0];
        4'd2:    offset_q[1:0] <= word_i;
        4'd3:    offset_q[3:2] <= word_i;
        4'd4:    tiling_q[1:0] <= word_i;
        4'd5:    tiling_q[3:2] <= word_i;
        4'd6:    index_q[1:0] <= {word_i[33:32], word_i[1:0]};
        4'd7:    index_q[3:2] <= {word_i[33:32], word_i[1:0]};
        4'd8:    step_q[1:0] <= word_i;
        4'd9:    step_q[3:2] <= word_i;
        4'd10:   wrap_q[1:0] <= word_i;
        default: wrap_q[3:2] <= word_i;
      endcase
      if (place == 4'd6) index_wrong_q <= wrong;
      if (place == 4'd7) index_wrong_q <= index_wrong_q || wrong;
    end
  end

  // ---- Products ---------------------------------------------------------------------------------

  // Two digits of the second factor, the higher one first; first d0 * d1, then that by d2. They
  // begin with the third word and end before the last one, however fast words come.
  localparam int unsigned FactorBits = 64;
  localparam int unsigned SumBits = FactorBits + 33;
  logic [3:0] turn_q;
  logic [1:0][FactorBits-1:0] product_q;  // d0 * d1, and by d2
  logic [FactorBits-1:0] factor_q;
  logic [15:0] digit_q;
  logic [FactorBits+15:0] part_q;
  logic [SumBits-1:0] sum, sum_q;
  logic wide_q;  // the second product does not fit

  assign sum = (sum_q << 16) + SumBits'(part_q);
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) turn_q <= '0;
    else if (push && place == 4'd1) turn_q <= 4'd1;
    else if (turn_q != '0) turn_q <= turn_q == 4'd9 ? '0 : turn_q + 1'b1;
  end
  always_ff @(posedge clk_i) begin
    // Factors in turns 1 and 2, 5 and 6; sums two cycles later.
    factor_q <= turn_q < 4'd4 ? FactorBits'(size_q[0]) : product_q[0];
    case (turn_q)
      4'd1:    digit_q <= size_q[1][31:16];
      4'd2:    digit_q <= size_q[1][15:0];
      4'd5:    digit_q <= size_q[2][31:16];
      default: digit_q <= size_q[2][15:0];
    endcase
    part_q <= factor_q * digit_q;
    if (turn_q == 4'd3 || turn_q == 4'd7) sum_q <= SumBits'(part_q);
    if (turn_q == 4'd4) product_q[0] <= sum[FactorBits-1:0];
    if (turn_q == 4'd8) begin
      product_q[1] <= sum[FactorBits-1:0];
      wide_q       <= sum[SumBits-1:FactorBits] != '0;
    end
  end

  // ---- The descriptor ---------------------------------------------------------------------------

  logic [Dims-1:0][AddrWidth-1:0] stride;  // bytes
  logic [Dims-1:0] far;
  logic empty;
  for (genvar d = 0; d < Dims; d++) begin : gen_dim
    logic [FactorBits+ElemLog2-1:0] bytes;
    if (d == 0) begin : gen_one
      assign bytes = (FactorBits + ElemLog2)'(1) << ElemLog2;
    end else if (d == 1) begin : gen_size
      assign bytes = (FactorBits + ElemLog2)'(size_q[0]) << ElemLog2;
    end else begin : gen_product
      assign bytes = (FactorBits + ElemLog2)'(product_q[d-2]) << ElemLog2;
    end
    assign stride[d] = bytes[AddrWidth-1:0];
    assign far[d]    = bytes[FactorBits+ElemLog2-1:AddrWidth-1] != '0 || (d == 3 && wide_q);
  end

  always_comb begin
    empty = 1'b0;
    descriptor_o = '0;
    descriptor_o.base = 64'(base_i[AddrWidth-1:0]);
    descriptor_o.elem_log2 = 3'(ElemLog2);
    descriptor_o.has_walk = 1'b1;
    for (int unsigned d = 0; d < Dims; d++) begin
      descriptor_o.dim[d].stride    = 64'(stride[d]);
      descriptor_o.dim[d].count     = tiling_q[d];
      descriptor_o.dim[d].start     = offset_q[d];
      descriptor_o.dim[d].unbounded = 1'b1;
      descriptor_o.walk[d].dim      = index_q[d];
      descriptor_o.walk[d].step     = step_q[index_q[d]];
      descriptor_o.walk[d].count    = wrap_q[index_q[d]];
      empty                         = empty || tiling_q[d] == '0 || wrap_q[index_q[d]] == '0;
    end
  end

  always_comb begin
    error_o = MoverOk;
    if (fault_q) error_o = MoverListFetch;
    else if (index_wrong_q) error_o = MoverFormat;
    else if (!empty) begin
      if (far != '0) error_o = MoverStride;
      else if (base_i[63:0] != 64'(base_i[AddrWidth-1:0])) error_o = MoverOutside;
    end
  end

  `TSR_ASSERT(ProductsInTime, !complete || turn_q == '0)
  `TSR_ASSERT_NEXT(DescriptorStays, valid_o && !ready_i && !clear_i, valid_o && $stable(offset_q))

endmodule
