// Broadcasts of several shapes, side by side. tests/fabric_streams/broadcast_test.cpp has the same list.
module broadcast_top #(
  localparam int unsigned Cells   = 4,
  localparam int unsigned Most    = 8,            // outputs of a cell
  localparam int unsigned Streams = Cells * Most
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic [Streams-1:0]         enable_i,
  input  logic [Streams-1:0]         isolate_i,
  output logic [Streams-1:0]         taker_o,
  input  logic [  Cells-1:0][1023:0] s_tdata,
  input  logic [  Cells-1:0][ 127:0] s_tkeep,
  input  logic [  Cells-1:0]         s_tlast,
  input  logic [  Cells-1:0]         s_tvalid,
  output logic [  Cells-1:0]         s_tready,
  output logic [Streams-1:0][1023:0] m_tdata,
  output logic [Streams-1:0][ 127:0] m_tkeep,
  output logic [Streams-1:0]         m_tlast,
  output logic [Streams-1:0]         m_tvalid,
  input  logic [Streams-1:0]         m_tready
);

  localparam int unsigned Widths[Cells] = '{8, 64, 1, 128};
  localparam int unsigned Counts[Cells] = '{4, 2, 8, 1};

  for (genvar i = 0; i < Cells; i++) begin : gen_cell
    localparam int unsigned Bytes = Widths[i];
    localparam int unsigned Outputs = Counts[i];
    logic [Outputs-1:0][Bytes-1:0][7:0] data;
    logic [Outputs-1:0][Bytes-1:0] keep;
    tsr_stream_broadcast #(
      .Bytes  (Bytes),
      .Outputs(Outputs)
    ) u_dut (
      .clk_i,
      .rst_ni,
      .enable_i (enable_i[i*Most+:Outputs]),
      .isolate_i(isolate_i[i*Most+:Outputs]),
      .taker_o  (taker_o[i*Most+:Outputs]),
      .tdata_i  (s_tdata[i][Bytes*8-1:0]),
      .tkeep_i  (s_tkeep[i][Bytes-1:0]),
      .tlast_i  (s_tlast[i]),
      .tvalid_i (s_tvalid[i]),
      .tready_o (s_tready[i]),
      .tdata_o  (data),
      .tkeep_o  (keep),
      .tlast_o  (m_tlast[i*Most+:Outputs]),
      .tvalid_o (m_tvalid[i*Most+:Outputs]),
      .tready_i (m_tready[i*Most+:Outputs])
    );
    for (genvar j = 0; j < Outputs; j++) begin : gen_output
      assign m_tdata[i*Most+j] = 1024'(data[j]);
      assign m_tkeep[i*Most+j] = 128'(keep[j]);
    end
  end

endmodule
