// The masters of the registers of tessera_dma: AXI4-Lite, control packets, the start program.
//
// Contract: `request_o` is held with its valid until ready; the answer counts in that cycle. The start program
// goes first, and the others wait for its end; then they take turns. Without ControlPackets the stream is taken
// and dropped; without a start program nothing of it is built.
// Latency, throughput: tsr_masters, tsr_control_packets, tsr_start.
`include "tsr_assert.svh"
module tsr_dma_front
  import tsr_register_pkg::*;
#(
  parameter  bit                               ControlPackets = 1'b0,
  parameter  logic        [               6:0] Column         = '0,
  parameter  logic        [               4:0] Row            = '0,
  parameter  int unsigned                      StartWrites    = 0,
  localparam int unsigned                      StartPlaces    = StartWrites == 0 ? 1 : StartWrites,
  parameter  logic        [StartPlaces*64-1:0] StartProgram   = '0
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  axil_req_t            axil_i,
  output axil_rsp_t            axil_o,
  // Control packets, and their responses.
  input  logic          [31:0] s_axis_control_tdata,
  input  logic                 s_axis_control_tlast,
  input  logic                 s_axis_control_tvalid,
  output logic                 s_axis_control_tready,
  output logic          [31:0] m_axis_response_tdata,
  output logic                 m_axis_response_tlast,
  output logic                 m_axis_response_tvalid,
  input  logic                 m_axis_response_tready,
  input  packet_setup_t        packets_i,
  output logic          [ 3:0] packet_errors_o,
  input  logic          [ 3:0] packet_clear_i,
  output logic                 start_refused_o,
  // Registers.
  output bus_request_t         request_o,
  output logic                 valid_o,
  input  logic                 ready_i,
  input  bus_answer_t          answer_i
);

  bus_request_t packet_request, masters_request;
  logic packet_valid, packet_ready, masters_valid, masters_ready, starts;

  tsr_masters #(
    .Second(ControlPackets)
  ) u_masters (
    .clk_i,
    .rst_ni,
    .axil_i,
    .axil_o,
    .bus_request_i(packet_request),
    .bus_valid_i  (packet_valid && !starts),
    .bus_ready_o  (packet_ready),
    .request_o    (masters_request),
    .valid_o      (masters_valid),
    .ready_i      (masters_ready),
    .answer_i
  );

  if (ControlPackets) begin : gen_packets
    tsr_control_packets u_packets (
      .clk_i,
      .rst_ni,
      .enable_i    (packets_i.enable),
      .check_last_i(packets_i.check_last),
      .column_i    (Column),
      .row_i       (Row),
      .first_i     (18'(packets_i.first)),
      .last_i      (18'(packets_i.last)),
      .errors_o    (packet_errors_o),
      .clear_i     (packet_clear_i),
      .tdata_i     (s_axis_control_tdata),
      .tlast_i     (s_axis_control_tlast),
      .tvalid_i    (s_axis_control_tvalid),
      .tready_o    (s_axis_control_tready),
      .tdata_o     (m_axis_response_tdata),
      .tlast_o     (m_axis_response_tlast),
      .tvalid_o    (m_axis_response_tvalid),
      .tready_i    (m_axis_response_tready),
      .bus_o       (packet_request),
      .bus_valid_o (packet_valid),
      .bus_ready_i (packet_ready),
      .bus_i       (answer_i)
    );
  end else begin : gen_no_packets
    assign packet_errors_o        = '0;
    assign s_axis_control_tready  = 1'b1;
    assign m_axis_response_tdata  = '0;
    assign m_axis_response_tlast  = 1'b0;
    assign m_axis_response_tvalid = 1'b0;
    assign packet_request         = '0;
    assign packet_valid           = 1'b0;
    logic unused_packets;
    assign unused_packets = ^{s_axis_control_tdata, s_axis_control_tlast, s_axis_control_tvalid} ^
        ^{m_axis_response_tready, packets_i, packet_clear_i, packet_ready};
  end

  // What a packet may reach can change until the start program has ended: it does not ask before.
  if (StartWrites != 0) begin : gen_start
    bus_request_t start_request;
    tsr_start #(
      .Writes (StartWrites),
      .Program(StartProgram)
    ) u_start (
      .clk_i,
      .rst_ni,
      .request_o(start_request),
      .busy_o   (starts),
      .ready_i,
      .answer_i,
      .refused_o(start_refused_o)
    );
    assign request_o     = starts ? start_request : masters_request;
    assign valid_o       = starts || masters_valid;
    assign masters_ready = ready_i && !starts;
  end else begin : gen_no_start
    assign starts          = 1'b0;
    assign start_refused_o = 1'b0;
    assign request_o       = masters_request;
    assign valid_o         = masters_valid;
    assign masters_ready   = ready_i;
    logic unused_start;
    assign unused_start = ^StartProgram;
  end

  `TSR_STABLE(RequestStays, valid_o, ready_i, ({request_o.write, request_o.word}))

endmodule
