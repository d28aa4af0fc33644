// tsr_place against a walk over the bytes of the row, each asked whether it is inside.
`include "proof.svh"

module place_proof #(
  parameter  int unsigned Width     = 4,
  parameter  bit          Bounds    = 1'b1,
  localparam int unsigned SizeLimit = 1 << Width
) (
  input logic                    clk_i,
  input logic                    rst_ni,
  input logic signed [  Width:0] coord_i,
  input logic        [Width-1:0] size_i,
  input logic        [Width-1:0] bound_i,
  input logic                    unbounded_i,
  input logic                    outside_i
);

  `TSR_PROOF_RESET

  logic [Width-1:0] lead_o, data_o, tail_o, skip_o;
  logic plain_o;

  tsr_place #(
    .Width (Width),
    .Bounds(Bounds)
  ) u_dut (
    .coord_i,
    .size_i,
    .bound_i,
    .unbounded_i,
    .outside_i,
    .lead_o,
    .data_o,
    .tail_o,
    .skip_o,
    .plain_o
  );

  // Bytes before the first that is inside, inside, and after the last.
  logic [Width-1:0] lead, data, tail;
  always_comb begin
    lead = '0;
    data = '0;
    tail = '0;
    for (int b = 0; b < int'(SizeLimit); b++) begin
      if (b < int'(size_i)) begin
        if (!Bounds || (!outside_i && (unbounded_i ||
            (int'(coord_i) + b >= 0 && int'(coord_i) + b < int'(bound_i))))) begin
          data += 1'b1;
        end else if (data == '0) begin
          lead += 1'b1;
        end else begin
          tail += 1'b1;
        end
      end
    end
  end

  `TSR_ASSERT(
      AddsUp,
      (Width + 2)'(lead_o) + (Width + 2)'(data_o) + (Width + 2)'(tail_o) == (Width + 2)'(size_i))
  `TSR_ASSERT(Lead, lead_o == lead)
  `TSR_ASSERT(Data, data_o == data)
  `TSR_ASSERT(Tail, tail_o == tail)
  `TSR_ASSERT(SkipsTheLead, data == '0 || skip_o == lead)
  `TSR_ASSERT(PlainIsAllData, size_i == '0 || plain_o == (data == size_i))

  if (Bounds) begin : gen_bounds
    `TSR_COVER(AllThree, lead_o != '0 && data_o != '0 && tail_o != '0)
    `TSR_COVER(NoData, size_i != '0 && data_o == '0 && !outside_i)
    `TSR_COVER(Outside, size_i != '0 && outside_i)
    `TSR_COVER(LastByteInside, lead_o != '0 && data_o == 1)
  end
  `TSR_COVER(AllData, size_i == '1 && plain_o)

endmodule
