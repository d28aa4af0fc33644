// Merges of several shapes, side by side. tests/fabric_streams/merge_test.cpp has the same list.
module merge_top
  import tsr_packet_pkg::*;
#(
  localparam int unsigned Cells   = 7,
  localparam int unsigned Most    = 8,            // inputs of a cell
  localparam int unsigned Streams = Cells * Most
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic [Streams-1:0][  31:0] header_i,
  input  logic [Streams-1:0]         enable_i,
  input  logic [Streams-1:0][1023:0] s_tdata,
  input  logic [Streams-1:0][ 127:0] s_tkeep,
  input  logic [Streams-1:0]         s_tlast,
  input  logic [Streams-1:0]         s_tvalid,
  output logic [Streams-1:0]         s_tready,
  output logic [  Cells-1:0][1023:0] m_tdata,
  output logic [  Cells-1:0][ 127:0] m_tkeep,
  output logic [  Cells-1:0]         m_tlast,
  output logic [  Cells-1:0]         m_tvalid,
  input  logic [  Cells-1:0]         m_tready
);

  localparam int unsigned Widths[Cells] = '{4, 8, 8, 64, 1, 128, 16};
  localparam int unsigned Counts[Cells] = '{4, 3, 3, 8, 4, 2, 1};
  localparam bit Headers[Cells] = '{1'b1, 1'b1, 1'b0, 1'b1, 1'b0, 1'b1, 1'b1};

  for (genvar i = 0; i < Cells; i++) begin : gen_cell
    localparam int unsigned Bytes = Widths[i];
    localparam int unsigned Inputs = Counts[i];
    logic [Inputs-1:0][Bytes-1:0][7:0] data_in;
    logic [Inputs-1:0][Bytes-1:0] keep_in;
    logic [Bytes-1:0][7:0] data;
    logic [Bytes-1:0] keep;
    header_t [Inputs-1:0] header;
    for (genvar j = 0; j < Inputs; j++) begin : gen_input
      assign data_in[j] = s_tdata[i*Most+j][Bytes*8-1:0];
      assign keep_in[j] = s_tkeep[i*Most+j][Bytes-1:0];
      assign header[j]  = header_i[i*Most+j];
    end
    tsr_pkt_merge #(
      .Bytes (Bytes),
      .Inputs(Inputs),
      .Header(Headers[i])
    ) u_dut (
      .clk_i,
      .rst_ni,
      .header_i(header),
      .enable_i(enable_i[i*Most+:Inputs]),
      .tdata_i (data_in),
      .tkeep_i (keep_in),
      .tlast_i (s_tlast[i*Most+:Inputs]),
      .tvalid_i(s_tvalid[i*Most+:Inputs]),
      .tready_o(s_tready[i*Most+:Inputs]),
      .tdata_o (data),
      .tkeep_o (keep),
      .tlast_o (m_tlast[i]),
      .tvalid_o(m_tvalid[i]),
      .tready_i(m_tready[i])
    );
    assign m_tdata[i] = 1024'(data);
    assign m_tkeep[i] = 128'(keep);
  end

endmodule
