// Pairs of widths, side by side; the odd ones with Apart. tests/fabric_streams/width_test.cpp has the same list.
`include "tsr_assert.svh"
module width_top #(
  localparam int unsigned Pairs = 24
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  logic [Pairs-1:0]         flush_i,
  output logic [Pairs-1:0]         held_o,
  input  logic [Pairs-1:0][1023:0] s_tdata,
  input  logic [Pairs-1:0][ 127:0] s_tkeep,
  input  logic [Pairs-1:0]         s_tlast,
  input  logic [Pairs-1:0]         s_tvalid,
  output logic [Pairs-1:0]         s_tready,
  output logic [Pairs-1:0][1023:0] m_tdata,
  output logic [Pairs-1:0][ 127:0] m_tkeep,
  output logic [Pairs-1:0]         m_tlast,
  output logic [Pairs-1:0]         m_tvalid,
  input  logic [Pairs-1:0]         m_tready
);

  // Log2 of the bytes in and out.
  localparam int unsigned In[Pairs] = '{
      0,
      0,
      0,
      0,
      1,
      2,
      2,
      3,
      3,
      4,
      5,
      6,
      1,
      2,
      4,
      7,
      4,
      3,
      5,
      6,
      7,
      6,
      7,
      3
  };
  localparam int unsigned Out[Pairs] = '{
      1,
      2,
      4,
      7,
      4,
      3,
      5,
      4,
      6,
      7,
      6,
      7,
      0,
      0,
      0,
      0,
      1,
      2,
      2,
      3,
      3,
      5,
      6,
      3
  };

  for (genvar i = 0; i < Pairs; i++) begin : gen_pair
    localparam int unsigned InBytes = 1 << In[i];
    localparam int unsigned OutBytes = 1 << Out[i];
    logic [OutBytes-1:0][7:0] data;
    logic [OutBytes-1:0] keep;
    logic unused_sparse;
    // Beside each narrow beat goes its first byte.
    localparam int unsigned Narrow = InBytes < OutBytes ? InBytes : OutBytes;
    localparam int unsigned InSides = InBytes / Narrow;
    localparam int unsigned OutSides = OutBytes / Narrow;
    logic [ InSides-1:0][7:0] side_in;
    logic [OutSides-1:0][7:0] side;
    for (genvar n = 0; n < InSides; n++) begin : gen_side_in
      assign side_in[n] = s_tdata[i][8*n*Narrow+:8];
    end
    for (genvar n = 0; n < OutSides; n++) begin : gen_side
      `TSR_ASSERT(SideStaysWithItsBeat,
                  !m_tvalid[i] || keep[n*Narrow+:Narrow] == '0 || side[n] == data[n*Narrow])
      if (n > 0) begin : gen_behind
        `TSR_ASSERT(
            BehindTheLastIsItsSide,
            !m_tvalid[i] || (keep >> (n * Narrow)) != '0 || m_tlast[i] || side[n] == side[n-1])
      end
    end
    tsr_stream_width #(
      .InBytes (InBytes),
      .OutBytes(OutBytes),
      .Apart   (i % 2 == 1),
      .side_t  (logic [7:0])
    ) u_dut (
      .clk_i,
      .rst_ni,
      .flush_i (flush_i[i]),
      .held_o  (held_o[i]),
      .tdata_i (s_tdata[i][InBytes*8-1:0]),
      .tkeep_i (s_tkeep[i][InBytes-1:0]),
      .tlast_i (s_tlast[i]),
      .tends_i (1'b0),
      .side_i  (side_in),
      .tvalid_i(s_tvalid[i]),
      .tready_o(s_tready[i]),
      .tdata_o (data),
      .tkeep_o (keep),
      .tlast_o (m_tlast[i]),
      .sparse_o(unused_sparse),
      .side_o  (side),
      .tvalid_o(m_tvalid[i]),
      .tready_i(m_tready[i])
    );
    assign m_tdata[i] = 1024'(data);
    assign m_tkeep[i] = 128'(keep);
  end

endmodule
