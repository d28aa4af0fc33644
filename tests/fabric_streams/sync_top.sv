// Synchronisers of several shapes, side by side. tests/fabric_streams/sync_test.cpp has the same list.
module sync_top #(
  localparam int unsigned Cells = 3,
  localparam int unsigned Most  = 8   // bits of a cell
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic [Cells-1:0][Most-1:0] data_i,
  output logic [Cells-1:0][Most-1:0] data_o
);

  localparam int unsigned Widths[Cells] = '{1, 8, 5};
  localparam int unsigned Flops[Cells] = '{2, 3, 4};

  for (genvar i = 0; i < Cells; i++) begin : gen_cell
    localparam int unsigned Width = Widths[i];
    logic [Width-1:0] data;
    tsr_sync #(
      .Width (Width),
      .Stages(Flops[i])
    ) u_dut (
      .clk_i,
      .data_i(data_i[i][Width-1:0]),
      .data_o(data)
    );
    assign data_o[i] = Most'(data);
  end

  logic unused_pins;
  assign unused_pins = ^{rst_ni, data_i};

endmodule
