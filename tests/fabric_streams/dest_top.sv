// Splits by TDEST of several shapes, side by side. tests/fabric_streams/dest_test.cpp has the same list.
module dest_top
  import tsr_channel_pkg::*;
#(
  localparam int unsigned Cells   = 3,
  localparam int unsigned Most    = 16,           // outputs of a cell
  localparam int unsigned Streams = Cells * Most
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  output logic [  Cells-1:0]         drop_o,
  output logic [  Cells-1:0]         side_wrong_o,  // not that of the beat
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

  localparam int unsigned Widths[Cells] = '{4, 8, 64};
  localparam int unsigned Counts[Cells] = '{3, 16, 1};

  for (genvar i = 0; i < Cells; i++) begin : gen_cell
    localparam int unsigned Bytes = Widths[i];
    localparam int unsigned Outputs = Counts[i];
    typedef struct packed {
      logic               last;
      logic [Bytes-1:0]   keep;
      logic [8*Bytes-1:0] data;
    } beat_t;
    beat_t beat;
    side_t side;
    // The side information of a beat is its first bytes: TDEST is another one in every beat.
    tsr_dest_split #(
      .Bytes  (Bytes),
      .Outputs(Outputs)
    ) u_dut (
      .clk_i,
      .rst_ni,
      .drop_o (drop_o[i]),
      .side_i (side_t'(s_tdata[i][31:0])),
      .beat_i ({s_tlast[i], s_tkeep[i][Bytes-1:0], s_tdata[i][8*Bytes-1:0]}),
      .valid_i(s_tvalid[i]),
      .ready_o(s_tready[i]),
      .side_o (side),
      .beat_o (beat),
      .valid_o(m_tvalid[i*Most+:Outputs]),
      .ready_i(m_tready[i*Most+:Outputs])
    );
    assign side_wrong_o[i] = m_tvalid[i*Most+:Outputs] != '0 && side != side_t'(beat.data[31:0]);
    for (genvar j = 0; j < Most; j++) begin : gen_output
      assign m_tdata[i*Most+j] = 1024'(beat.data);
      assign m_tkeep[i*Most+j] = 128'(beat.keep);
      assign m_tlast[i*Most+j] = beat.last;
      if (j >= Outputs) begin : gen_none
        assign m_tvalid[i*Most+j] = 1'b0;
      end
    end
  end

endmodule
