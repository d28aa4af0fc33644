// Header pickers of several shapes, side by side. tests/fabric_streams/pick_test.cpp has the same list.
module pick_top
  import tsr_channel_pkg::*;
#(
  localparam int unsigned Cells = 3
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  logic [Cells-1:0]         enable_i,
  input  logic [Cells-1:0]         clear_i,
  output logic [Cells-1:0][   7:0] id_o,
  output logic [Cells-1:0]         id_valid_o,
  input  logic [Cells-1:0]         id_ready_i,
  output logic [Cells-1:0]         short_o,
  input  logic [Cells-1:0][1023:0] s_tdata,
  input  logic [Cells-1:0][ 127:0] s_tkeep,
  input  logic [Cells-1:0]         s_tlast,
  input  logic [Cells-1:0]         s_tvalid,
  output logic [Cells-1:0]         s_tready,
  output logic [Cells-1:0][1023:0] m_tdata,
  output logic [Cells-1:0][ 127:0] m_tkeep,
  output logic [Cells-1:0]         m_tlast,
  output logic [Cells-1:0][  31:0] m_side,
  output logic [Cells-1:0]         m_tvalid,
  input  logic [Cells-1:0]         m_tready
);

  localparam int unsigned Widths[Cells] = '{4, 8, 64};
  localparam int unsigned Depths[Cells] = '{4, 2, 4};

  for (genvar i = 0; i < Cells; i++) begin : gen_cell
    localparam int unsigned Bytes = Widths[i];
    typedef struct packed {
      logic               last;
      logic [Bytes-1:0]   keep;
      logic [8*Bytes-1:0] data;
    } beat_t;
    beat_t beat;
    logic [5:0] id;
    side_t side;
    tsr_header_pick #(
      .Bytes  (Bytes),
      .Headers(Depths[i]),
      .Beats  (8)
    ) u_dut (
      .clk_i,
      .rst_ni,
      .enable_i(enable_i[i]),
      .clear_i(clear_i[i]),
      .id_o(id),
      .id_valid_o(id_valid_o[i]),
      .short_o(short_o[i]),
      .id_ready_i(id_ready_i[i]),
      .side_i(side_t'(s_tdata[i][31:0])),  // of a packet's first beat the header
      .beat_i({s_tlast[i], s_tkeep[i][Bytes-1:0], s_tdata[i][8*Bytes-1:0]}),
      .valid_i(s_tvalid[i]),
      .ready_o(s_tready[i]),
      .side_o(side),
      .beat_o(beat),
      .valid_o(m_tvalid[i]),
      .ready_i(m_tready[i])
    );
    assign id_o[i]    = 8'(id);
    assign m_tdata[i] = 1024'(beat.data);
    assign m_tkeep[i] = 128'(beat.keep);
    assign m_tlast[i] = beat.last;
    assign m_side[i]  = side;
  end

endmodule
