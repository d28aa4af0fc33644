// The masters of the registers: AXI4-Lite, control packets, the start program.
//
// Contract: `request_o` is held with its valid until ready; the answer counts in that cycle. The start program
// goes first, and the others wait for its end; then they take turns, so that neither waits for more than one access of the
// other. Without ControlPackets the stream is taken and dropped; without a start program nothing of it is built.
// Latency: AW and W, or AR, to the bus 0 cycles; the bus to B or R 1 cycle; others as tsr_control_packets, tsr_start.
// Throughput: an access in two cycles of one master, one a cycle of both.
`include "tsr_assert.svh"
module tsr_dma_front
  import tsr_register_pkg::*;
#(
  parameter bit ControlPackets = 1'b0,
  parameter bit Headed = 1'b1,  // see tsr_control_packets
  parameter bit WriteIncrements = 1'b1,
  parameter int unsigned AddrBits = RegisterBits,
  parameter int unsigned StartWrites = 0,
  localparam int unsigned StartPlaces = StartWrites == 0 ? 1 : StartWrites,
  parameter logic [StartPlaces*64-1:0] StartProgram = '0
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
  input  logic          [11:0] place_i,                 // column and row, for responses
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

  bus_request_t axil_request, masters_request;
  logic axil_valid, axil_ready, masters_valid, masters_ready, starts;

  tsr_axil u_axil (
    .clk_i,
    .rst_ni,
    .axil_i,
    .axil_o,
    .request_o(axil_request),
    .valid_o  (axil_valid),
    .ready_i  (axil_ready),
    .answer_i
  );

  if (ControlPackets) begin : gen_packets
    bus_request_t packet_request;
    logic packet_valid, packet_ready;
    tsr_control_packets #(
      .Headed         (Headed),
      .WriteIncrements(WriteIncrements),
      .AddrBits       (AddrBits)
    ) u_packets (
      .clk_i,
      .rst_ni,
      .enable_i    (packets_i.enable),
      .check_last_i(packets_i.check_last),
      .column_i    (place_i[11:5]),
      .row_i       (place_i[4:0]),
      .first_i     (packets_i.first),
      .last_i      (packets_i.last),
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
    // What a packet may reach can change until the start program has ended: it does not ask before.
    tsr_bus_share u_share (
      .clk_i,
      .rst_ni,
      .request_i({packet_request, axil_request}),
      .valid_i  ({packet_valid && !starts, axil_valid}),
      .ready_o  ({packet_ready, axil_ready}),
      .request_o(masters_request),
      .valid_o  (masters_valid),
      .ready_i  (masters_ready)
    );
  end else begin : gen_no_packets
    assign packet_errors_o        = '0;
    assign s_axis_control_tready  = 1'b1;
    assign m_axis_response_tdata  = '0;
    assign m_axis_response_tlast  = 1'b0;
    assign m_axis_response_tvalid = 1'b0;
    assign masters_request        = axil_request;
    assign masters_valid          = axil_valid;
    assign axil_ready             = masters_ready;
    logic unused_packets;
    assign unused_packets = ^{s_axis_control_tdata, s_axis_control_tlast, s_axis_control_tvalid} ^
        ^{m_axis_response_tready, place_i, packets_i, packet_clear_i, starts};
  end

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
