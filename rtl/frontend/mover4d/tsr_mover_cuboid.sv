// Decodes a descriptor of 9 words, one word a cycle: bias, then stride and size of dimensions 1 to
// 4, all in elements.
//
// Contract: words are taken while no descriptor is shown, or in the cycle in which it is taken; it
// stays until then. `error_o` goes with it: what cannot be said to an engine, or a word with a
// fault. A descriptor with a size of 0 moves nothing and has no error but a fault. Strides and bias
// are signed, sizes are not. Whether it lies in the window comes by a handshake of its own, for
// each descriptor, in order (tsr_mover_reach).
// Latency: 1 cycle from the last word, 6 to the window. Throughput: a descriptor in 9 cycles.
// Outputs are registers.
`include "tsr_assert.svh"
module tsr_mover_cuboid
  import tsr_pkg::*;
  import tsr_fabric_pkg::*;
  import tsr_descriptor_pkg::*;
  import tsr_mover_pkg::*;
#(
  parameter int unsigned AddrWidth    = 64,
  parameter int unsigned ElementBytes = 8
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         clear_i,       // forgets what was begun
  input  logic         [         63:0] base_i,        // address of element 0
  input  window_t                      window_i,
  input  logic         [         63:0] word_i,
  input  logic                         fault_i,
  input  logic                         valid_i,
  output logic                         ready_o,
  output descriptor_t                  descriptor_o,
  output mover_error_e                 error_o,
  output logic                         valid_o,
  input  logic                         ready_i,
  // Whether it lies in the window; an address outside if not.
  output logic                         lies_o,
  output logic         [AddrWidth-1:0] outside_o,
  output logic                         lies_valid_o,
  input  logic                         lies_ready_i
);

  localparam int unsigned ElemLog2 = $clog2(ElementBytes);
  localparam int unsigned WideBits = 64 + ElemLog2 + 2;
  typedef logic signed [WideBits-1:0] wide_t;

  logic [3:0] place_q;  // of the next word; CuboidWords: complete
  logic push, complete;
  logic [AddrWidth-1:0] base_q;
  logic [Dims-1:0][AddrWidth-1:0] stride_q;
  logic [Dims-1:0][31:0] size_q;
  logic [Dims-1:0] none_q, one_q, long_q, far_q;
  logic fault_q;

  assign complete = place_q == 4'(CuboidWords);
  assign valid_o  = complete;
  assign ready_o  = !complete || ready_i;
  assign push     = valid_i && ready_o;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) place_q <= '0;
    else if (push) place_q <= complete ? 4'd1 : place_q + 1'b1;
    else if (ready_i && complete) place_q <= '0;
  end

  // A word in bytes, and what is too much for an address or for the way between two.
  wide_t bytes, base;
  logic far, beyond;
  assign bytes  = wide_t'(signed'(word_i)) <<< ElemLog2;
  assign base   = wide_t'({1'b0, base_i}) + bytes;
  assign far    = bytes[WideBits-1:AddrWidth-1] != '0 && bytes[WideBits-1:AddrWidth-1] != '1;
  assign beyond = base[WideBits-1:AddrWidth] != '0;

  logic first;  // word of a descriptor
  assign first = complete || place_q == '0;
  always_ff @(posedge clk_i) begin
    if (push && first) begin
      base_q  <= base[AddrWidth-1:0];
      fault_q <= fault_i;
    end else if (push) begin
      fault_q <= fault_q || fault_i;
    end
  end
  for (genvar d = 0; d < Dims; d++) begin : gen_dim
    always_ff @(posedge clk_i) begin
      if (push && place_q == 4'(2 * d + 1)) begin
        stride_q[d] <= bytes[AddrWidth-1:0];
        far_q[d]    <= far;
      end
      if (push && place_q == 4'(2 * d + 2)) begin
        size_q[d] <= word_i[31:0];
        long_q[d] <= word_i[63:32] != '0;
        none_q[d] <= word_i == '0;
        one_q[d]  <= word_i == 64'd1;
      end
    end
  end

  // Dimension d is complete with its size, which comes after its stride.
  logic sized;
  logic [1:0] sized_dim;
  assign sized     = push && !first && !place_q[0];
  assign sized_dim = 2'(place_q[3:1] - 1'b1);

  tsr_mover_reach #(
    .AddrWidth   (AddrWidth),
    .ElementBytes(ElementBytes)
  ) u_reach (
    .clk_i,
    .rst_ni,
    .clear_i,
    .window_i,
    .base_i      (base[AddrWidth-1:0]),
    .beyond_i    (beyond),
    .base_valid_i(push && first),
    .stride_i    (stride_q[sized_dim]),
    .size_i      (word_i[31:0]),
    .final_i     (sized_dim == 2'd3),
    .dim_valid_i (sized),
    .lies_o,
    .addr_o      (outside_o),
    .valid_o     (lies_valid_o),
    .ready_i     (lies_ready_i)
  );

  always_comb begin
    descriptor_o           = '0;
    descriptor_o.base      = 64'(base_q);
    descriptor_o.elem_log2 = 3'(ElemLog2);
    for (int unsigned d = 0; d < Dims; d++) begin
      descriptor_o.dim[d].stride    = 64'(stride_q[d]);
      descriptor_o.dim[d].count     = size_q[d];
      descriptor_o.dim[d].unbounded = 1'b1;
    end
  end

  always_comb begin
    error_o = MoverOk;
    if (fault_q) error_o = MoverListFetch;
    else if (none_q == '0) begin
      if (long_q != '0) error_o = MoverSize;
      else if ((far_q & ~one_q) != '0) error_o = MoverStride;
    end
  end

  `TSR_ASSERT_NEXT(DescriptorStays, valid_o && !ready_i && !clear_i, valid_o && $stable(base_q))

endmodule
