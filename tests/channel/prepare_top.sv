// tsr_prepare in several builds, side by side. tests/channel/prepare_test.cpp has the same list.
module prepare_top
  import tsr_pkg::*;
  import tsr_descriptor_pkg::*;
#(
  localparam int unsigned Builds = 6
) (
  input  logic                                clk_i,
  input  logic                                rst_ni,
  input  logic              [Builds-1:0][3:0] flush_i,
  input  descriptor_t       [Builds-1:0]      descriptor_i,
  input  logic              [Builds-1:0][1:0] tag_i,
  input  logic              [Builds-1:0]      valid_i,
  output logic              [Builds-1:0]      ready_o,
  output transfer_t         [Builds-1:0]      transfer_o,
  output descriptor_error_e [Builds-1:0]      error_o,
  output logic              [Builds-1:0][1:0] tag_o,
  output logic              [Builds-1:0]      valid_o,
  input  logic              [Builds-1:0]      ready_i
);

  localparam int unsigned AddrWidths[Builds] = '{32, 64, 40, 32, 64, 32};
  localparam int unsigned DataWidths[Builds] = '{64, 64, 1024, 32, 128, 512};
  localparam bit Walks[Builds] = '{0, 1, 1, 1, 0, 1};
  localparam bit HasBounds[Builds] = '{1, 1, 1, 0, 0, 1};

  for (genvar i = 0; i < Builds; i++) begin : gen_build
    tsr_prepare #(
      .AddrWidth(AddrWidths[i]),
      .DataWidth(DataWidths[i]),
      .TagWidth (2),
      .Walk     (Walks[i]),
      .Bounds   (HasBounds[i])
    ) u_dut (
      .clk_i,
      .rst_ni,
      .flush_i     (flush_i[i]),
      .descriptor_i(descriptor_i[i]),
      .tag_i       (tag_i[i]),
      .valid_i     (valid_i[i]),
      .ready_o     (ready_o[i]),
      .transfer_o  (transfer_o[i]),
      .error_o     (error_o[i]),
      .tag_o       (tag_o[i]),
      .valid_o     (valid_o[i]),
      .ready_i     (ready_i[i])
    );
  end

endmodule
