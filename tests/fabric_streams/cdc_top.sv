// Clock crossings of several shapes, side by side. tests/fabric_streams/cdc_test.cpp has the same list.
module cdc_top #(
  localparam int unsigned Cells = 7
) (
  input  logic                     s_clk_i,
  input  logic                     s_rst_ni,
  input  logic                     m_clk_i,
  input  logic                     m_rst_ni,
  output logic [Cells-1:0]         cut_o,
  input  logic [Cells-1:0][1023:0] s_tdata,
  input  logic [Cells-1:0][ 127:0] s_tkeep,
  input  logic [Cells-1:0]         s_tlast,
  input  logic [Cells-1:0]         s_tvalid,
  output logic [Cells-1:0]         s_tready,
  output logic [Cells-1:0][1023:0] m_tdata,
  output logic [Cells-1:0][ 127:0] m_tkeep,
  output logic [Cells-1:0]         m_tlast,
  output logic [Cells-1:0]         m_tvalid,
  input  logic [Cells-1:0]         m_tready
);

  localparam int unsigned Widths[Cells] = '{4, 8, 64, 1, 8, 128, 8};
  localparam int unsigned Depths[Cells] = '{8, 16, 4, 8, 64, 8, 8};
  localparam int unsigned Flops[Cells] = '{2, 3, 2, 2, 4, 2, 2};
  localparam bit Asyncs[Cells] = '{1'b1, 1'b1, 1'b1, 1'b1, 1'b1, 1'b1, 1'b0};
  localparam bit Whole[Cells] = '{1'b1, 1'b1, 1'b1, 1'b0, 1'b1, 1'b1, 1'b1};

  for (genvar i = 0; i < Cells; i++) begin : gen_cell
    localparam int unsigned Bytes = Widths[i];
    logic [Bytes-1:0][7:0] data;
    logic [Bytes-1:0] keep;
    tsr_stream_cdc #(
      .Bytes  (Bytes),
      .Depth  (Depths[i]),
      .Stages (Flops[i]),
      .Async  (Asyncs[i]),
      .Packets(Whole[i])
    ) u_dut (
      .s_clk_i,
      .s_rst_ni,
      .tdata_i (s_tdata[i][Bytes*8-1:0]),
      .tkeep_i (s_tkeep[i][Bytes-1:0]),
      .tlast_i (s_tlast[i]),
      .tvalid_i(s_tvalid[i]),
      .tready_o(s_tready[i]),
      .m_clk_i,
      .m_rst_ni,
      .tdata_o (data),
      .tkeep_o (keep),
      .tlast_o (m_tlast[i]),
      .tvalid_o(m_tvalid[i]),
      .tready_i(m_tready[i]),
      .cut_o   (cut_o[i])
    );
    assign m_tdata[i] = 1024'(data);
    assign m_tkeep[i] = 128'(keep);
  end

endmodule
