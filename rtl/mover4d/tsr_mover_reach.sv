// Products of a descriptor: the way along each dimension, and whether all that it touches lies in
// the window.
//
// Contract: `base_valid_i` begins a descriptor: the address of its first position is on `stride_i` in
// the next cycle. `dim_valid_i` gives a dimension, a cycle at least after the base and between one and
// the next. There is no backpressure. `way_o` is (size - 1) * stride. A size of 0 means nothing.
// `first_o` is the base 5 and 6 cycles after it. `addr_o` is a byte that does not lie in the window if
// one does not.
// Latency: 4 cycles from a dimension to its way, 6 from the last one to the window; both outputs are
// of that cycle alone. Throughput: a dimension in two cycles. One multiplier, of 64 by 17 bits.
//
// The upper digit of a size is multiplied before the lower one. Ways forward are added to the last
// byte, ways back to the first. The base goes the same way, as a dimension with two positions that
// counts for both.
`include "tsr_assert.svh"
module tsr_mover_reach
  import tsr_fabric_pkg::*;
#(
  parameter int unsigned AddrWidth    = 64,        // 32..64
  parameter int unsigned ElementBytes = 8,
  parameter int unsigned OutWidth     = AddrWidth  // of a way, up to AddrWidth + 32
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  window_t                 window_i,
  input  logic                    base_valid_i,
  input  logic    [AddrWidth-1:0] stride_i,      // bytes, signed
  input  logic    [         31:0] size_i,
  input  logic                    dim_valid_i,
  output logic    [AddrWidth-1:0] stride_o,      // of the dimension two cycles before
  output logic    [ OutWidth-1:0] way_o,
  output logic    [AddrWidth-1:0] first_o,
  output logic                    lies_o,
  output logic    [AddrWidth-1:0] addr_o
);

  localparam int unsigned PageWidth = 64 - PageBits;  // of the window
  localparam int unsigned SumWidth = AddrWidth + 4;
  localparam int unsigned DigitBits = 16;
  localparam int unsigned WayWidth = AddrWidth + 2 * DigitBits;
  typedef logic signed [SumWidth-1:0] sum_t;
  typedef logic signed [WayWidth-1:0] way_t;
  typedef logic signed [DigitBits:0] digit_t;

  logic [4:1] dim_q, base_q;  // so many cycles ago
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      dim_q  <= '0;
      base_q <= '0;
    end else begin
      dim_q  <= {dim_q[3:1], dim_valid_i};
      base_q <= {base_q[3:1], base_valid_i};
    end
  end

  // ---- Products ---------------------------------------------------------------------------------

  // A stride in parts that a multiplier takes. Products of every second part do not overlap, so that
  // one sum joins all.
  localparam int unsigned PartBits = 17;
  localparam int unsigned Parts = 2 * ((AddrWidth + 2 * PartBits - 1) / (2 * PartBits));
  localparam int unsigned ProductWidth = AddrWidth + DigitBits;
  typedef logic signed [ProductWidth-1:0] product_t;
  typedef logic signed [2*PartBits-1:0] part_t;

  logic [AddrWidth-1:0] stride_q;
  logic [31:0] steps_q;
  logic signed [PartBits*Parts-1:0] wide;
  product_t product, upper_q;
  way_t way_q;
  digit_t digit;
  part_t [Parts-1:0] part_q;
  logic [PartBits*(Parts+1)-1:0] even, odd;
  assign wide  = (PartBits * Parts)'($signed(stride_q));
  assign digit = digit_t'({1'b0, dim_q[1] ? steps_q[31:DigitBits] : steps_q[DigitBits-1:0]});
  for (genvar n = 0; n < Parts; n++) begin : gen_part
    logic signed [PartBits:0] factor;
    assign factor = signed'({n == Parts - 1 && wide[PartBits*(n+1)-1], wide[PartBits*n+:PartBits]});
    always_ff @(posedge clk_i) part_q[n] <= part_t'(factor) * part_t'(digit);
  end
  for (genvar n = 0; n < Parts; n += 2) begin : gen_pair
    assign even[PartBits*n+:2*PartBits] = unsigned'(part_q[n]);
    assign odd[PartBits*(n+1)+:2*PartBits] = unsigned'(part_q[n+1]);
  end
  assign even[PartBits*(Parts+1)-1:PartBits*Parts] = '0;
  assign odd[PartBits-1:0] = '0;
  assign product = product_t'(even + odd);
  always_ff @(posedge clk_i) begin
    if (dim_valid_i || base_q[1]) stride_q <= stride_i;
    if (base_q[1]) steps_q <= 32'd1;
    else if (dim_valid_i) steps_q <= size_i - 1'b1;
    if (base_q[2]) upper_q <= '0;
    else upper_q <= product;
    way_q <= (way_t'(upper_q) <<< DigitBits) + way_t'(product);
  end
  assign stride_o = stride_q;
  assign way_o    = unsigned'(way_q[OutWidth-1:0]);

  // ---- The first byte and the last one ----------------------------------------------------------

  // A base is not signed.
  localparam logic [31:0] LastByte = 32'(ElementBytes) - 32'd1;
  sum_t first_q, last_q, way;
  logic far_q, far;
  assign far = way_q[WayWidth-1:AddrWidth] != '0 && way_q[WayWidth-1:AddrWidth] != '1;
  assign way = sum_t'({{4{way_q[AddrWidth] && !base_q[4]}}, way_q[AddrWidth-1:0]});
  always_ff @(posedge clk_i) begin
    if (base_q[4] || (dim_q[4] && way_q < 0)) first_q <= way + (base_q[4] ? sum_t'(0) : first_q);
    if (base_q[4] || (dim_q[4] && way_q >= 0))
      last_q <= way + (base_q[4] ? sum_t'(LastByte) : last_q);
    if (base_q[4]) far_q <= 1'b0;
    else if (dim_q[4]) far_q <= far_q || far;
  end
  assign first_o = unsigned'(first_q[AddrWidth-1:0]);

  // ---- The window -------------------------------------------------------------------------------

  logic begins, ends, lies_q;
  logic [AddrWidth-1:0] addr_q;
  assign begins = first_q[SumWidth-1:AddrWidth] == '0 &&
                  PageWidth'(unsigned'(first_q[AddrWidth-1:PageBits])) >= window_i.first;
  assign ends   = last_q[SumWidth-1:AddrWidth] == '0 &&
                  PageWidth'(unsigned'(last_q[AddrWidth-1:PageBits])) <= window_i.last;
  always_ff @(posedge clk_i) begin
    lies_q <= begins && ends && !far_q;
    addr_q <= unsigned'(begins ? last_q[AddrWidth-1:0] : first_q[AddrWidth-1:0]);
  end
  assign lies_o = lies_q;
  assign addr_o = addr_q;

  logic unused_window;
  assign unused_window = ^window_i;

  `TSR_ASSERT_NEXT(ACycleBetween, dim_valid_i, !dim_valid_i)
  `TSR_ASSERT_NEXT(ACycleBehindTheBase, base_valid_i, !dim_valid_i)
  `TSR_ASSERT(OneAtATime, !(base_q[4] && dim_q[4]))

endmodule
