// Tells of each descriptor of a list whether everything it touches lies in the window, while its
// words come.
//
// Contract: `base_valid_i` begins a descriptor, with the address of its first position;
// `dim_valid_i` gives a dimension, four of them, with at least a cycle between one and the next.
// The results come in order, one a descriptor, by valid/ready; at most two may wait. A descriptor
// with a size of 0 has a result that means nothing. `addr_o` is an address outside if it does not
// lie in the window. `clear_i` forgets everything.
// Latency: 6 cycles from the last dimension. Throughput: a dimension in two cycles. One multiplier,
// of 32 bits.
//
// The way along a dimension is (size - 1) * stride: its upper half is multiplied before the lower.
// Ways forward are added to the last byte, ways back to the first.
`include "tsr_assert.svh"
module tsr_mover_reach
  import tsr_fabric_pkg::*;
#(
  parameter int unsigned AddrWidth    = 64,  // 32..64
  parameter int unsigned ElementBytes = 8
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    clear_i,
  input  window_t                 window_i,
  input  logic    [AddrWidth-1:0] base_i,
  input  logic                    beyond_i,      // the base is outside of the address space
  input  logic                    base_valid_i,
  input  logic    [AddrWidth-1:0] stride_i,      // bytes, signed
  input  logic    [         31:0] size_i,
  input  logic                    final_i,       // the last dimension
  input  logic                    dim_valid_i,
  output logic                    lies_o,
  output logic    [AddrWidth-1:0] addr_o,
  output logic                    valid_o,
  input  logic                    ready_i
);

  localparam int unsigned PageWidth = AddrWidth - PageBits;
  localparam int unsigned SumWidth = AddrWidth + 4;
  localparam logic [7:0] LastByte = 8'(ElementBytes - 32'd1);
  localparam int unsigned WayWidth = AddrWidth + 34;
  typedef logic signed [SumWidth-1:0] sum_t;
  typedef logic signed [WayWidth-1:0] way_t;
  typedef logic signed [33:0] digit_t;
  typedef logic signed [67:0] product_t;

  // What is in a stage: it follows its operands from the one to the next.
  typedef struct packed {
    logic base;   // the sums begin
    logic upper;  // half of the stride
    logic lower;
    logic ends;   // with `lower`: the last dimension
  } op_t;

  // ---- Factors and products ---------------------------------------------------------------------

  op_t op_in, op_factor_q, op_product_q, op_way_q, op_sum_q;
  logic final_q, base_late_q;
  logic [AddrWidth-1:0] base_q, stride_q;
  logic [31:0] factor_q;
  digit_t upper, lower, digit;
  product_t product_q, upper_q;
  way_t way_q;
  logic beyond_q;

  always_comb begin
    op_in       = '0;
    op_in.base  = base_late_q;
    op_in.upper = dim_valid_i;
    op_in.lower = op_factor_q.upper;
    op_in.ends  = op_factor_q.upper && final_q;
  end
  // The lower half comes a cycle after its dimension, and so does the base, to stay behind the
  // dimensions before it.
  always_ff @(posedge clk_i) begin
    base_late_q <= rst_ni && base_valid_i && !clear_i;
  end
  always_ff @(posedge clk_i) begin
    op_factor_q  <= op_in;
    op_product_q <= op_factor_q;
    op_way_q     <= op_product_q;
    op_sum_q     <= op_way_q;
    if (!rst_ni || clear_i) begin
      op_factor_q  <= '0;
      op_product_q <= '0;
      op_way_q     <= '0;
      op_sum_q     <= '0;
    end
  end

  if (AddrWidth == 32) begin : gen_narrow
    assign upper = {34{stride_q[31]}};
  end else begin : gen_wide
    assign upper = digit_t'($signed(stride_q[AddrWidth-1:32]));
  end
  assign lower = digit_t'({1'b0, stride_q[31:0]});
  assign digit = op_factor_q.upper ? upper : lower;

  always_ff @(posedge clk_i) begin
    if (base_valid_i) begin
      base_q   <= base_i;
      beyond_q <= beyond_i;
    end
    if (dim_valid_i) begin
      stride_q <= stride_i;
      factor_q <= size_i - 1'b1;
      final_q  <= final_i;
    end
    product_q <= product_t'(digit) * product_t'({1'b0, factor_q});
    if (op_product_q.upper) upper_q <= product_q;
    way_q <= (way_t'(upper_q) <<< 32) + way_t'(product_q);
  end

  // ---- Sums -------------------------------------------------------------------------------------

  sum_t first_q, last_q;
  logic far_q, far;
  assign far = way_q[WayWidth-1:AddrWidth] != '0 && way_q[WayWidth-1:AddrWidth] != '1;
  always_ff @(posedge clk_i) begin
    if (op_way_q.base) begin
      first_q <= sum_t'({1'b0, base_q});
      last_q  <= sum_t'({1'b0, base_q}) + sum_t'({1'b0, LastByte});
      far_q   <= beyond_q;
    end else if (op_way_q.lower) begin
      if (way_q < 0) first_q <= first_q + sum_t'(way_q);
      else last_q <= last_q + sum_t'(way_q);
      far_q <= far_q || far;
    end
  end

  // ---- The window -------------------------------------------------------------------------------

  typedef struct packed {
    logic                 lies;
    logic [AddrWidth-1:0] addr;
  } result_t;
  result_t result, shown;
  logic begins, ends, result_ready;
  assign begins = first_q[SumWidth-1:AddrWidth] == '0 &&
                  first_q[AddrWidth-1:PageBits] >= window_i.first[PageWidth-1:0];
  assign ends   = last_q[SumWidth-1:AddrWidth] == '0 &&
                  last_q[AddrWidth-1:PageBits] <= window_i.last[PageWidth-1:0];
  assign result = '{
          lies: begins && ends && !far_q,
          addr: begins ? last_q[AddrWidth-1:0] : first_q[AddrWidth-1:0]
      };

  tsr_fifo #(
    .Depth(2),
    .T    (result_t)
  ) u_results (
    .clk_i,
    .rst_ni,
    .flush_i(clear_i),
    .data_i (result),
    .valid_i(op_sum_q.ends),
    .ready_o(result_ready),
    .data_o (shown),
    .valid_o,
    .ready_i
  );
  assign lies_o = shown.lies;
  assign addr_o = shown.addr;

  logic unused_window;
  assign unused_window = ^window_i ^ ^upper_q ^ op_sum_q.base ^ op_sum_q.upper ^ op_sum_q.lower;

  `TSR_ASSERT(RoomForEveryResult, !op_sum_q.ends || result_ready)
  `TSR_ASSERT_NEXT(ACycleBetween, dim_valid_i, !dim_valid_i)

endmodule
