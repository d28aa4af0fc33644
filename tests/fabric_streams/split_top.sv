// Splits of several shapes, side by side. tests/fabric_streams/split_test.cpp has the same list.
module split_top
  import tsr_packet_pkg::*;
#(
  localparam int unsigned Cells   = 7,
  localparam int unsigned Most    = 8,            // outputs of a cell
  localparam int unsigned Streams = Cells * Most
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  input  logic [  Cells-1:0][Most-1:0][7:0] id_i,
  input  logic [  Cells-1:0][Most-1:0][7:0] mask_i,
  input  logic [Streams-1:0]                enable_i,
  output logic [  Cells-1:0]                drop_o,
  output logic [  Cells-1:0][    31:0]      drop_header_o,
  output logic [  Cells-1:0]                drop_short_o,
  output logic [  Cells-1:0]                drop_parity_o,
  input  logic [  Cells-1:0][  1023:0]      s_tdata,
  input  logic [  Cells-1:0][   127:0]      s_tkeep,
  input  logic [  Cells-1:0]                s_tlast,
  input  logic [  Cells-1:0]                s_tvalid,
  output logic [  Cells-1:0]                s_tready,
  output logic [Streams-1:0][  1023:0]      m_tdata,
  output logic [Streams-1:0][   127:0]      m_tkeep,
  output logic [Streams-1:0]                m_tlast,
  output logic [Streams-1:0]                m_tvalid,
  input  logic [Streams-1:0]                m_tready
);

  localparam int unsigned Widths[Cells] = '{4, 4, 8, 16, 64, 128, 8};
  localparam int unsigned Counts[Cells] = '{4, 4, 3, 2, 8, 1, 2};
  localparam bit Strips[Cells] = '{1'b1, 1'b0, 1'b1, 1'b0, 1'b1, 1'b1, 1'b0};
  localparam bit Parities[Cells] = '{1'b0, 1'b1, 1'b1, 1'b0, 1'b0, 1'b0, 1'b0};

  for (genvar i = 0; i < Cells; i++) begin : gen_cell
    localparam int unsigned Bytes = Widths[i];
    localparam int unsigned Outputs = Counts[i];
    logic [Outputs-1:0][Bytes-1:0][7:0] data;
    logic [Outputs-1:0][Bytes-1:0] keep;
    logic [Outputs-1:0][4:0] id, mask;
    header_t header;
    tsr_pkt_split #(
      .Bytes      (Bytes),
      .Outputs    (Outputs),
      .Strip      (Strips[i]),
      .CheckParity(Parities[i])
    ) u_dut (
      .clk_i,
      .rst_ni,
      .id_i         (id),
      .mask_i       (mask),
      .enable_i     (enable_i[i*Most+:Outputs]),
      .drop_o       (drop_o[i]),
      .drop_header_o(header),
      .drop_short_o (drop_short_o[i]),
      .drop_parity_o(drop_parity_o[i]),
      .tdata_i      (s_tdata[i][Bytes*8-1:0]),
      .tkeep_i      (s_tkeep[i][Bytes-1:0]),
      .tlast_i      (s_tlast[i]),
      .tvalid_i     (s_tvalid[i]),
      .tready_o     (s_tready[i]),
      .tdata_o      (data),
      .tkeep_o      (keep),
      .tlast_o      (m_tlast[i*Most+:Outputs]),
      .tvalid_o     (m_tvalid[i*Most+:Outputs]),
      .tready_i     (m_tready[i*Most+:Outputs])
    );
    assign drop_header_o[i] = header;
    for (genvar j = 0; j < Outputs; j++) begin : gen_output
      assign id[j]             = id_i[i][j][4:0];
      assign mask[j]           = mask_i[i][j][4:0];
      assign m_tdata[i*Most+j] = 1024'(data[j]);
      assign m_tkeep[i*Most+j] = 128'(keep[j]);
    end
  end

endmodule
