// Clock crossings of several shapes, side by side. tests/fabric_streams/cdc_test.cpp has the same list.
module cdc_top #(
  localparam int unsigned Cells = 7
) (
  input  logic                     s_clk_i,
  input  logic                     s_rst_ni,
  input  logic                     m_clk_i,
  input  logic                     m_rst_ni,
  output logic [Cells-1:0]         cut_o,
  output logic [Cells-1:0]         side_wrong_o,  // not that of the beat
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
  localparam int unsigned SideWidths[Cells] = '{8, 32, 0, 0, 0, 1, 8};
  localparam bit Asyncs[Cells] = '{1'b1, 1'b1, 1'b1, 1'b1, 1'b1, 1'b1, 1'b0};
  localparam bit Whole[Cells] = '{1'b1, 1'b1, 1'b1, 1'b0, 1'b1, 1'b1, 1'b1};

  for (genvar i = 0; i < Cells; i++) begin : gen_cell
    localparam int unsigned Bytes = Widths[i];
    logic [Bytes-1:0][7:0] data;
    logic [Bytes-1:0] keep;
    // Side information is the end of the data; a beat that ends a packet early repeats it.
    localparam int unsigned SideBits = SideWidths[i] == 0 ? 1 : SideWidths[i];
    logic [SideBits-1:0] side, held_q;
    always_ff @(posedge m_clk_i) begin
      if (m_tvalid[i] && m_tready[i]) held_q <= side;
    end
    assign side_wrong_o[i] = SideWidths[i] != 0 && m_tvalid[i] &&
        side != m_tdata[i][SideBits-1:0] &&
        !(m_tlast[i] && m_tkeep[i] == '0 && side == held_q);
    tsr_stream_cdc #(
      .Bytes    (Bytes),
      .Depth    (Depths[i]),
      .Stages   (Flops[i]),
      .Async    (Asyncs[i]),
      .Packets  (Whole[i]),
      .SideWidth(SideWidths[i])
    ) u_dut (
      .s_clk_i,
      .s_rst_ni,
      .tdata_i (s_tdata[i][Bytes*8-1:0]),
      .tkeep_i (s_tkeep[i][Bytes-1:0]),
      .tlast_i (s_tlast[i]),
      .tside_i (s_tdata[i][SideBits-1:0]),
      .tvalid_i(s_tvalid[i]),
      .tready_o(s_tready[i]),
      .m_clk_i,
      .m_rst_ni,
      .tdata_o (data),
      .tkeep_o (keep),
      .tlast_o (m_tlast[i]),
      .tside_o (side),
      .tvalid_o(m_tvalid[i]),
      .tready_i(m_tready[i]),
      .cut_o   (cut_o[i])
    );
    assign m_tdata[i] = 1024'(data);
    assign m_tkeep[i] = 128'(keep);
  end

endmodule
