// Descriptor RAMs of several shapes, side by side. tests/channel_units/descriptor_ram_test.cpp has the same list.
module descriptor_ram_top
  import tsr_channel_pkg::*;
  import tsr_list_pkg::*;
#(
  localparam int unsigned Cells = 4
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,
  // 0 read, 1 of a list, 2 release, 3 advance, 4 fill, 6:5 its part, 15:8 descriptor, 31:16 turns
  input  logic [Cells-1:0][31:0]             loader_i,
  input  logic [Cells-1:0][15:0][31:0]       fill_words_i,
  output logic [Cells-1:0][ 2:0][15:0][31:0] words_o,       // base, bounds, traversal
  // 0 ready to read, 1 hit, 2 valid, 3 access answered, 4 with an error, 31:16 turns
  output logic [Cells-1:0][31:0]             state_o,
  // 50:0 descriptor_access_t, 51 valid
  input  logic [Cells-1:0][63:0]             access_i,
  output logic [Cells-1:0][31:0]             access_data_o
);

  localparam int unsigned Descriptors[Cells] = '{16, 1, 5, 256};
  localparam bit Walk[Cells] = '{1'b1, 1'b0, 1'b1, 1'b0};
  localparam bit Bounds[Cells] = '{1'b1, 1'b1, 1'b0, 1'b0};
  localparam bit Lists[Cells] = '{1'b1, 1'b0, 1'b1, 1'b0};

  for (genvar i = 0; i < Cells; i++) begin : gen_cell
    descriptor_access_t access;
    assign access = descriptor_access_t'(access_i[i][50:0]);
    tsr_descriptor_ram #(
      .Descriptors(Descriptors[i]),
      .Walk       (Walk[i]),
      .Bounds     (Bounds[i]),
      .Lists      (Lists[i])
    ) u_dut (
      .clk_i,
      .rst_ni,
      .read_i        (loader_i[i][0]),
      .read_ready_o  (state_o[i][0]),
      .hit_o         (state_o[i][1]),
      .read_id_i     (loader_i[i][15:8]),
      .read_list_i   (loader_i[i][1]),
      .fill_i        (loader_i[i][4]),
      .fill_part_i   (list_part_e'(loader_i[i][6:5])),
      .fill_words_i  (fill_words_i[i]),
      .release_i     (loader_i[i][2]),
      .advance_i     (loader_i[i][3]),
      .turns_i       (loader_i[i][31:16]),
      .base_o        (words_o[i][0]),
      .bounds_o      (words_o[i][1]),
      .walk_o        (words_o[i][2]),
      .turns_o       (state_o[i][31:16]),
      .valid_o       (state_o[i][2]),
      .access_i      (access),
      .access_valid_i(access_i[i][51]),
      .access_ready_o(state_o[i][3]),
      .access_error_o(state_o[i][4]),
      .access_data_o (access_data_o[i])
    );
    assign state_o[i][15:5] = '0;
  end

endmodule
