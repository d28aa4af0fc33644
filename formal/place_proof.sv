// tsr_place: any byte of the row placed last is where the parts say it is, and inside exactly between the
// bounds.
`include "proof.svh"

module place_proof
  import tsr_pkg::*;
#(
  parameter int unsigned Width      = 32,
  parameter int unsigned GroupBytes = 8,
  parameter bit          Bounds     = 1'b1
) (
  input logic                         clk_i,
  input logic                         rst_ni,
  input logic                         load_i,
  input logic        [     Width-1:0] size_i,
  input logic signed [IndexWidth-1:0] ahead_i,
  input logic signed [IndexWidth-1:0] last_i,
  input logic                         unbounded_i,
  input logic        [     Width-1:0] byte_i
);

  `TSR_PROOF_RESET

  typedef logic signed [IndexWidth:0] index_t;  // nothing here overflows it

  logic [Width-1:0] lead_o, data_o, tail_o;
  logic [2:0] early_lead_o;
  logic has_lead_o, has_tail_o, has_fill_o, outside_o;

  tsr_place #(
    .Width     (Width),
    .GroupBytes(GroupBytes),
    .Bounds    (Bounds)
  ) u_dut (
    .clk_i,
    .load_i,
    .size_i,
    .ahead_i,
    .last_i,
    .unbounded_i,
    .early_lead_o,
    .lead_o,
    .data_o,
    .tail_o,
    .has_lead_o,
    .has_tail_o,
    .has_fill_o,
    .outside_o
  );

  // The row that was placed in the cycle before; what is known of one that was placed earlier stays.
  logic placed_q, unbounded_q;
  logic [Width-1:0] size_q;
  logic [2:0] early_lead_q;
  logic signed [IndexWidth-1:0] ahead_q, last_q;
  always_ff @(posedge clk_i) begin
    placed_q <= rst_ni && load_i;
    if (load_i) begin
      size_q       <= size_i;
      ahead_q      <= ahead_i;
      last_q       <= last_i;
      unbounded_q  <= unbounded_i;
      early_lead_q <= early_lead_o;
    end
  end

  // Any bounds but that: the last index is not less than the one ahead of the first.
  index_t enter, leave, size, lead, data, tail, index;
  assign enter = index_t'(ahead_q) + 1'b1;
  assign leave = index_t'(last_q) + 1'b1;
  assign size  = index_t'({1'b0, size_q});
  assign lead  = index_t'({1'b0, lead_o});
  assign data  = index_t'({1'b0, data_o});
  assign tail  = index_t'({1'b0, tail_o});
  assign index = index_t'({1'b0, byte_i});
  `TSR_ASSUME(BoundsInOrder, unbounded_i || last_i >= ahead_i)

  logic in_row, valid, in_data;
  assign in_row  = index < size;
  assign valid   = !Bounds || unbounded_q || (index >= enter && index < leave);
  assign in_data = !outside_o && index >= lead && index < lead + data;

  `TSR_ASSERT(AddsUp, !placed_q || outside_o || lead + data + tail == size)
  `TSR_ASSERT(DataIsInside, !placed_q || !in_row || in_data == valid)
  `TSR_ASSERT(SomeDataUnlessOutside, !placed_q || outside_o || size_q == '0 || data_o != '0)
  `TSR_ASSERT(UnboundedIsAllData, !placed_q || !unbounded_q || (!outside_o && data_o == size_q))
  `TSR_ASSERT(LeadKnownEarly, !placed_q || outside_o || early_lead_q == 3'(lead_o))
  `TSR_ASSERT(HasLead, !placed_q || outside_o || has_lead_o == (32'(lead_o) >= GroupBytes))
  `TSR_ASSERT(HasTail, !placed_q || outside_o || has_tail_o == (32'(tail_o) >= GroupBytes))
  `TSR_ASSERT(HasFill, !placed_q || outside_o || has_fill_o == (lead_o != '0 || tail_o != '0))
  `TSR_ASSERT_NEXT(PlacedStays, !load_i, $stable({lead_o, data_o, tail_o, outside_o}))

  if (Bounds) begin : gen_bounds
    `TSR_COVER(AllThree, placed_q && !outside_o && lead_o != '0 && data_o != '0 && tail_o != '0)
    `TSR_COVER(Before, placed_q && outside_o && enter > size)
    `TSR_COVER(Behind, placed_q && outside_o && leave < 0)
    `TSR_COVER(NothingValid, placed_q && outside_o && enter == leave && enter > 0 && enter < size)
    `TSR_COVER(LastByteInside, placed_q && !outside_o && lead + 1 == size)
    `TSR_COVER(FirstByteInside, placed_q && !outside_o && tail + 1 == size && size > 1)
  end
  `TSR_COVER(AllData, placed_q && size_q == '1 && !outside_o && data_o == size_q)

endmodule
