// tsr_place: any byte of a row is where the parts say it is, and inside exactly between the bounds.
`include "proof.svh"

module place_proof
  import tsr_pkg::*;
#(
  parameter int unsigned Width  = 32,
  parameter bit          Bounds = 1'b1
) (
  input logic                         clk_i,
  input logic                         rst_ni,
  input logic        [     Width-1:0] size_i,
  input logic signed [IndexWidth-1:0] ahead_i,
  input logic signed [IndexWidth-1:0] last_i,
  input logic                         unbounded_i,
  input logic        [     Width-1:0] byte_i
);

  `TSR_PROOF_RESET

  typedef logic signed [IndexWidth:0] index_t;  // nothing here overflows it

  logic [Width-1:0] lead_o, data_o, tail_o;
  logic outside_o;

  tsr_place #(
    .Width (Width),
    .Bounds(Bounds)
  ) u_dut (
    .size_i,
    .ahead_i,
    .last_i,
    .unbounded_i,
    .lead_o,
    .data_o,
    .tail_o,
    .outside_o
  );

  // A bound is at most 2**31, and a start is a coordinate of 32 bits moved by another.
  index_t enter, leave, size, lead, data, tail, index;
  assign enter = index_t'(ahead_i) + 1'b1;
  assign leave = index_t'(last_i) + 1'b1;
  assign size  = index_t'({1'b0, size_i});
  assign lead  = index_t'({1'b0, lead_o});
  assign data  = index_t'({1'b0, data_o});
  assign tail  = index_t'({1'b0, tail_o});
  assign index = index_t'({1'b0, byte_i});
  `TSR_ASSUME(BoundFits, unbounded_i || (leave >= enter && leave - enter <= 35'sh0_8000_0000))
  `TSR_ASSUME(StartFits, unbounded_i || (enter >= -35'sh1_0000_0000 && enter < 35'sh1_0000_0000))

  logic in_row, valid, in_data;
  assign in_row  = index < size;
  assign valid   = !Bounds || unbounded_i || (index >= enter && index < leave);
  assign in_data = !outside_o && index >= lead && index < lead + data;

  `TSR_ASSERT(AddsUp, outside_o || lead + data + tail == size)
  `TSR_ASSERT(DataIsInside, !in_row || in_data == valid)
  `TSR_ASSERT(SomeDataUnlessOutside, outside_o || size_i == '0 || data_o != '0)
  `TSR_ASSERT(UnboundedIsAllData, !unbounded_i || (!outside_o && data_o == size_i))

  if (Bounds) begin : gen_bounds
    `TSR_COVER(AllThree, !outside_o && lead_o != '0 && data_o != '0 && tail_o != '0)
    `TSR_COVER(Before, outside_o && enter > size)
    `TSR_COVER(Behind, outside_o && leave < 0)
    `TSR_COVER(NothingValid, outside_o && enter == leave && enter > 0 && enter < size)
    `TSR_COVER(LastByteInside, !outside_o && lead + 1 == size)
    `TSR_COVER(FirstByteInside, !outside_o && tail + 1 == size && size > 1)
  end
  `TSR_COVER(AllData, size_i == '1 && !outside_o && data_o == size_i)

endmodule
