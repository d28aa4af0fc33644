// One read engine and one write engine on the two halves of an AXI4 port: the smallest useful Tessera,
// and the top that the engine-level tests, the bench and the simulation library run.
//
// Descriptors come in as rows of four words; there is a place for one in each direction. `row_ready_o` is that of the
// direction `row_write_i` names: a row that is not taken may be withdrawn. `row_go_i` with a row begins the transfer;
// rows that are not written are those of the descriptor before. Contract of both directions: tsr_pair_control,
// tsr_reader, tsr_writer.
// With `Loopback` the stream of the read engine feeds the write engine (memory to memory) and both
// stream ports are idle. Wiring. Latency and throughput: as the modules.
`include "tsr_assert.svh"
`include "tsr_types.svh"
`include "tsr_port_types.svh"
`include "tsr_pins.svh"
module tsr_engine_pair
  import tsr_pkg::*;
  import tsr_core_pkg::*;
  import tsr_descriptor_pkg::fault_e;
  import tsr_port_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_prep_pkg::*;
  import tsr_program_pkg::*;
#(
  // Parameters: made by scripts/parameters.
  parameter int unsigned AddrWidth = 64,  // bits of an address; addresses wrap at 2^AddrWidth
  parameter int unsigned DataWidth = 64,  // bits of the AXI4 bus
  parameter int unsigned StreamWidth = 64,  // bits of the stream, independent of the bus
  parameter int unsigned MaxBurst = 64,  // beats of a burst, at most, and at most 4 KiB
  parameter int unsigned Outstanding = 64,  // bursts in flight, each way
  parameter bit Walk = 1'b1,  // outer traversal
  parameter bit Bounds = 1'b1,  // bounds, fill and drop
  parameter bit Loopback = 1'b0,  // the read engine's stream feeds the write engine
  // End of parameters.
  localparam int unsigned DataBytes = DataWidth / 8,
  localparam int unsigned StreamBytes = StreamWidth < 8 ? 1 : StreamWidth / 8
) (
  input logic aclk,
  input logic aresetn,
  // Descriptors, of both directions.
  input logic row_valid_i,
  output logic row_ready_o,
  input logic row_write_i,  // stream to memory
  input descriptor_area_e row_area_i,  // AreaBase, AreaBounds or AreaWalk
  input logic [1:0] row_i,  // words 4 * row_i and behind
  input logic [127:0] row_data_i,
  input logic row_go_i,  // the transfer begins
  input logic row_task_end_i,  // with row_go_i: it is the last of its task
  // Memory to stream: records, abort.
  output done_t rd_done_o,
  output logic rd_done_valid_o,
  input logic rd_done_ready_i,
  input logic rd_abort_i,
  output logic rd_idle_o,
  // Stream to memory.
  output done_t wr_done_o,
  output logic wr_done_valid_o,
  input logic wr_done_ready_i,
  input logic wr_abort_i,
  output logic wr_idle_o,
  // AXI4, one ID. ARSIZE and AWSIZE are the full width, ARBURST and AWBURST are INCR.
  output logic [AddrWidth-1:0] m_axi_araddr,
  output logic [7:0] m_axi_arlen,
  output logic [2:0] m_axi_arsize,
  output logic [1:0] m_axi_arburst,
  output logic m_axi_arvalid,
  input logic m_axi_arready,
  input logic [DataWidth-1:0] m_axi_rdata,
  input logic [1:0] m_axi_rresp,
  input logic m_axi_rlast,
  input logic m_axi_rvalid,
  output logic m_axi_rready,
  output logic [AddrWidth-1:0] m_axi_awaddr,
  output logic [7:0] m_axi_awlen,
  output logic [2:0] m_axi_awsize,
  output logic [1:0] m_axi_awburst,
  output logic m_axi_awvalid,
  input logic m_axi_awready,
  output logic [DataWidth-1:0] m_axi_wdata,
  output logic [DataBytes-1:0] m_axi_wstrb,
  output logic m_axi_wlast,
  output logic m_axi_wvalid,
  input logic m_axi_wready,
  input logic [1:0] m_axi_bresp,
  input logic m_axi_bvalid,
  output logic m_axi_bready,
  // AXI4-Stream.
  output logic [StreamWidth-1:0] m_axis_tdata,
  output logic [StreamBytes-1:0] m_axis_tkeep,
  output logic m_axis_tlast,
  output logic m_axis_tvalid,
  input logic m_axis_tready,
  input logic [StreamWidth-1:0] s_axis_tdata,
  input logic [StreamBytes-1:0] s_axis_tkeep,
  input logic s_axis_tlast,
  input logic s_axis_tvalid,
  output logic s_axis_tready
);

  localparam int unsigned BusLog = $clog2(DataBytes);
  localparam int unsigned Slots = 4;
  localparam int unsigned Flight = 16;
  // Between two engines that share a memory, data that was asked for must find room: then neither can hold up
  // the other. A reader of several channels asks only then; the second one is at rest.
  localparam int unsigned Reads = Loopback ? 2 : 1;
  localparam int unsigned LoopBeats = MaxBurst < 16 ? 64 : 4 * MaxBurst;
  localparam int unsigned StoreBeats = Loopback ? LoopBeats : MaxBurst < 16 ? 32 : 2 * MaxBurst;

  // ---- Descriptors to contexts ------------------------------------------------------------------

  logic [1:0] open, go, go_d, freed, cut, busy, end_valid, end_ready, idle;
  logic dropped;
  logic list_ready, takes, there;
  job_t job;
  prepared_t prepared;
  logic job_valid, job_ready, shown_valid, prepared_valid, prepared_word_valid, read_clear;
  logic [1:0] word_valid;
  channel_t shown_channel, word_channel;
  logic [127:0] shown;
  context_word_t prepared_word, word;
  end_t [1:0] ended;
  logic unused_access_ready, unused_access_error;
  logic [31:0] unused_access_data;

  assign row_ready_o = list_ready && open[row_write_i];
  assign takes = row_valid_i && open[row_write_i];
  // Rows that the build does not have go nowhere.
  assign there       = row_area_i == AreaBase || (row_area_i == AreaBounds && Bounds) ||
                       (row_area_i == AreaWalk && Walk);
  assign go_d = {row_write_i, !row_write_i} & {2{row_valid_i && row_ready_o && row_go_i}};

  tsr_preparation #(
    .AddrWidth  (AddrWidth),
    .BusLog     (BusLog),
    .Channels   (2),
    .Descriptors(1),
    .Places     (2),
    .Locks      (0),
    .Walk       (Walk),
    .Bounds     (Bounds)
  ) u_preparation (
    .clk_i               (aclk),
    .rst_ni              (aresetn),
    .job_i               (job),
    .job_valid_i         (job_valid),
    .job_ready_o         (job_ready),
    .descriptor_channel_o(shown_channel),
    .descriptor_o        (shown),
    .descriptor_valid_o  (shown_valid),
    .word_channel_o      (word_channel),
    .word_o              (prepared_word),
    .word_valid_o        (prepared_word_valid),
    .prepared_o          (prepared),
    .prepared_valid_o    (prepared_valid),
    .list_i              ({7'b0, row_write_i, row_area_i, row_i, row_data_i}),
    .list_valid_i        (takes && there),
    .list_ready_o        (list_ready),
    .access_i            ('0),
    .access_valid_i      (1'b0),
    .access_ready_o      (unused_access_ready),
    .access_error_o      (unused_access_error),
    .access_data_o       (unused_access_data)
  );

  tsr_pair_control #(
    .Slots (Slots),
    .Flight(Flight)
  ) u_control (
    .clk_i               (aclk),
    .rst_ni              (aresetn),
    .open_o              (open),
    .go_i                (go_d),
    .task_end_i          (row_task_end_i),
    .job_o               (job),
    .job_valid_o         (job_valid),
    .job_ready_i         (job_ready),
    .descriptor_channel_i(shown_channel),
    .descriptor_i        (shown),
    .descriptor_valid_i  (shown_valid),
    .prepared_i          (prepared),
    .prepared_valid_i    (prepared_valid),
    .word_channel_i      (word_channel),
    .word_i              (prepared_word),
    .word_valid_i        (prepared_word_valid),
    .word_o              (word),
    .word_valid_o        (word_valid),
    .go_o                (go),
    .freed_i             (freed),
    .cut_i               (cut),
    .busy_i              (busy),
    .end_i               (ended),
    .end_valid_i         (end_valid),
    .dropped_o           (dropped),
    .end_ready_o         (end_ready),
    .abort_i             ({wr_abort_i, rd_abort_i}),
    .done_o              ({wr_done_o, rd_done_o}),
    .done_valid_o        ({wr_done_valid_o, rd_done_valid_o}),
    .done_ready_i        ({wr_done_ready_i, rd_done_ready_i}),
    .idle_o              (idle),
    .clear_o             (read_clear)
  );

  // ---- Memory to stream -------------------------------------------------------------------------

  localparam type beat_t = `TSR_BEAT_T(StreamBytes);
  beat_t from, to;
  logic from_valid, from_ready, to_valid, to_ready;
  localparam int unsigned Parts = DataBytes > StreamBytes ? DataBytes / StreamBytes : 1;
  localparam type read_beat_t = `TSR_READ_BEAT_T(DataBytes, $clog2(Flight));
  localparam type port_burst_t = `TSR_PORT_BURST_T(AddrWidth);
  localparam type ax_t = `TSR_PORT_AX_T(AddrWidth, 1);
  localparam type r_t = `TSR_PORT_R_T(DataBytes, 1);
  localparam type w_t = `TSR_PORT_W_T(DataBytes);
  localparam type b_t = `TSR_PORT_B_T(1);
  localparam type rd_req_t = `TSR_PORT_RD_REQ_T(ax_t);
  localparam type rd_rsp_t = `TSR_PORT_RD_RSP_T(r_t);
  localparam type wr_req_t = `TSR_PORT_WR_REQ_T(ax_t, w_t);
  localparam type wr_rsp_t = `TSR_PORT_WR_RSP_T(b_t);
  rd_req_t rd_req;
  rd_rsp_t rd_rsp;
  wr_req_t wr_req;
  wr_rsp_t wr_rsp;
  read_beat_t [Reads-1:0] read_beat;
  port_burst_t read_burst;
  contexts_t read_contexts, write_contexts;
  logic [Reads-1:0] read_valid, read_ready, read_busy, read_cut;
  logic read_ready_0, read_rst_n;
  fault_e unused_read_fault;
  side_t  unused_read_side;
  freed_t read_freed, write_freed;
  claim_t unused_claim;

  tsr_reader #(
    .Channels   (Reads),
    .Slots      (Slots),
    .AddrWidth  (AddrWidth),
    .BusLog     (BusLog),
    .MaxBurst   (MaxBurst),
    .Outstanding(Outstanding),
    .BufferBeats(Loopback ? LoopBeats : 32),
    .Flight     (Flight),
    .WeightWidth(1),
    .Walk       (Walk),
    .Bounds     (Bounds)
  ) u_read (
    .clk_i      (aclk),
    .rst_ni     (read_rst_n),
    .contexts_i (read_contexts),
    .freed_o    (read_freed),
    .end_o      (ended[0]),
    .end_valid_o(end_valid[0]),
    .end_ready_i(end_ready[0]),
    .pause_i    ('0),
    .abort_i    (Reads'(rd_abort_i)),
    .busy_o     (read_busy),
    .cut_o      (read_cut),
    .weight_i   ('0),
    .claim_o    (unused_claim),
    .ar_o       (read_burst),
    .ar_valid_o (rd_req.ar_valid),
    .ar_ready_i (rd_rsp.ar_ready),
    .r_i        ({rd_rsp.r.data, rd_rsp.r.resp}),
    .r_valid_i  (rd_rsp.r_valid),
    .r_ready_o  (rd_req.r_ready),
    .beat_o     (read_beat),
    .valid_o    (read_valid),
    .ready_i    (read_ready)
  );
  assign read_contexts = '{
          word_valid: word_valid[0],
          word: word,
          go_valid: go[0],
          go_channel: '0
      };
  assign write_contexts = '{
          word_valid: word_valid[1],
          word: word,
          go_valid: go[1],
          go_channel: '0
      };
  assign freed = {write_freed.valid, read_freed.valid};
  assign rd_req.ar = '{id: '0, addr: read_burst.addr, len: read_burst.len, attr: '0};
  assign read_rst_n = aresetn && !read_clear;
  assign busy[0] = read_busy[0] || from_valid;
  assign cut[0] = read_cut[0];
  assign read_ready = Reads'(read_ready_0);

  assign rd_idle_o = idle[0];
  tsr_stream_out #(
    .InBytes  (DataBytes),
    .OutBytes (StreamBytes),
    .FlightLog($clog2(Flight)),
    .Guard    (1'b0)
  ) u_out (
    .clk_i         (aclk),
    .rst_ni        (read_rst_n),
    .clear_i       (1'b0),
    .cut_i         (1'b0),
    .tick_i        (1'b0),
    .fault_o       (unused_read_fault),
    .beside_i      ('0),
    .beside_valid_i(1'b0),
    .beat_i        (read_beat[0]),
    .valid_i       (read_valid[0]),
    .ready_o       (read_ready_0),
    .side_o        (unused_read_side),
    .beat_o        (from),
    .valid_o       (from_valid),
    .ready_i       (from_ready)
  );

  // ---- Stream to memory -------------------------------------------------------------------------

  localparam type write_beat_t = `TSR_WRITE_BEAT_T(DataBytes, Parts);
  write_beat_t write_beat;
  logic write_valid, write_ready;
  fault_e unused_write_fault;
  receive_state_t unused_receive;
  port_burst_t burst;
  w_t engine_w;
  claim_t claim;
  logic burst_valid, burst_ready, w_valid, w_ready, resp_valid, resp_ready;
  logic [1:0] resp;
  logic unused_takes, unused_owed;
  port_state_t unused_port_state;
  port_fault_t unused_port_fault;
  port_event_t unused_port_event;
  window_response_t unused_window;

  assign wr_idle_o = idle[1];
  tsr_stream_in #(
    .InBytes (StreamBytes),
    .OutBytes(DataBytes),
    .Guard   (1'b0)
  ) u_in (
    .clk_i    (aclk),
    .rst_ni   (aresetn),
    .clear_i  (1'b0),
    .busy_i   (1'b0),
    .tick_i   (1'b0),
    .fault_o  (unused_write_fault),
    .excuse_i (1'b0),
    .side_i   ('0),
    .beat_i   (to),
    .valid_i  (to_valid),
    .ready_o  (to_ready),
    .drop_i   (wr_abort_i),
    .control_i('0),
    .state_o  (unused_receive),
    .beat_o   (write_beat),
    .valid_o  (write_valid),
    .ready_i  (write_ready)
  );

  tsr_writer #(
    .Channels   (1),
    .Slots      (Slots),
    .AddrWidth  (AddrWidth),
    .BusLog     (BusLog),
    .MaxBurst   (MaxBurst),
    .Outstanding(Outstanding),
    .BufferBeats(StoreBeats),
    .Flight     (Flight),
    .WeightWidth(1),
    .Walk       (Walk),
    .Bounds     (Bounds),
    .Parts      (Parts)
  ) u_write (
    .clk_i      (aclk),
    .rst_ni     (aresetn),
    .contexts_i (write_contexts),
    .freed_o    (write_freed),
    .end_o      (ended[1]),
    .end_valid_o(end_valid[1]),
    .dropped_i  (dropped),
    .end_ready_i(end_ready[1]),
    .pause_i    ('0),
    .abort_i    (wr_abort_i),
    .busy_o     (busy[1]),
    .cut_o      (cut[1]),
    .weight_i   ('0),
    .claim_o    (claim),
    .aw_o       (burst),
    .aw_valid_o (burst_valid),
    .aw_ready_i (burst_ready),
    .w_o        (engine_w),
    .w_valid_o  (w_valid),
    .w_ready_i  (w_ready),
    .b_resp_i   (resp),
    .b_valid_i  (resp_valid),
    .b_ready_o  (resp_ready),
    .beat_i     (write_beat),
    .valid_i    (write_valid),
    .ready_o    (write_ready),
    .takes_o    (unused_takes)
  );

  // Data wait for their address.
  tsr_write_port #(
    .Channels   (1),
    .AddrWidth  (AddrWidth),
    .BusLog     (BusLog),
    .MaxBurst   (MaxBurst),
    .Outstanding(Outstanding),
    .Windows    (0),
    .Guard      (1'b0),
    .IdWidth    (1)
  ) u_port (
    .clk_i        (aclk),
    .rst_ni       (aresetn),
    .control_i    ('0),
    .state_o      (unused_port_state),
    .fault_o      (unused_port_fault),
    .event_o      (unused_port_event),
    .owed_o       (unused_owed),
    .window_i     ('0),
    .window_o     (unused_window),
    .hold_i       ('0),
    .abort_i      ('0),
    .claim_i      (claim),
    .burst_i      (burst),
    .attr_i       ('0),
    .burst_valid_i(burst_valid),
    .burst_ready_o(burst_ready),
    .w_i          (engine_w),
    .w_valid_i    (w_valid),
    .w_ready_o    (w_ready),
    .b_resp_o     (resp),
    .b_valid_o    (resp_valid),
    .b_ready_i    (resp_ready),
    .bus_o        (wr_req),
    .bus_i        (wr_rsp)
  );

  `TSR_AXI_RD_BARE(m_axi, 0,, DataBytes, rd_req, rd_rsp, 1'b0)
  `TSR_AXI_WR_BARE(m_axi, 0,, DataBytes, wr_req, wr_rsp, 1'b0)

  // ---- Streams ----------------------------------------------------------------------------------

  if (Loopback) begin : gen_loopback
    logic unused_streams;
    assign to = from;
    assign to_valid = from_valid;
    assign from_ready = to_ready;
    assign m_axis_tdata = '0;
    assign m_axis_tkeep = '0;
    assign m_axis_tlast = 1'b0;
    assign m_axis_tvalid = 1'b0;
    assign s_axis_tready = 1'b0;
    assign unused_streams = ^{m_axis_tready, s_axis_tdata, s_axis_tkeep, s_axis_tlast,
                              s_axis_tvalid};
  end else begin : gen_streams
    assign m_axis_tdata  = from.data;
    assign m_axis_tkeep  = from.keep;
    assign m_axis_tlast  = from.last;
    assign m_axis_tvalid = from_valid;
    assign from_ready    = m_axis_tready;
    assign to            = '{last: s_axis_tlast, keep: s_axis_tkeep, data: s_axis_tdata};
    assign to_valid      = s_axis_tvalid;
    assign s_axis_tready = to_ready;
  end

  logic unused_rest;
  assign unused_rest = ^{rd_rsp.r.id, rd_rsp.r.last, read_beat, read_burst, read_freed} ^
      ^{write_freed, read_valid, read_busy, read_cut, rd_req.ar, wr_req.aw};

  // Legal values: made by scripts/parameters.
  `TSR_STATIC_ASSERT(AddrWidth, AddrWidth >= 32 && AddrWidth <= 64,
                     ("AddrWidth = %0d; legal is an integer from 32 to 64", AddrWidth))
  `TSR_STATIC_ASSERT(DataWidth, DataWidth >= 32 && DataWidth <= 1024 && $onehot(DataWidth),
                     ("DataWidth = %0d; legal is one of 32, 64, 128, 256, 512, 1024", DataWidth))
  `TSR_STATIC_ASSERT(StreamWidth, StreamWidth >= 8 && StreamWidth <= 1024 && $onehot(StreamWidth),
                     ("StreamWidth = %0d; legal is a power of two from 8 to 1024", StreamWidth))
  `TSR_STATIC_ASSERT(MaxBurst, MaxBurst >= 2 && MaxBurst <= 256 && $onehot(MaxBurst),
                     ("MaxBurst = %0d; legal is one of 2, 4, 8, 16, 32, 64, 128, 256", MaxBurst))
  `TSR_STATIC_ASSERT(Outstanding, Outstanding >= 8 && Outstanding <= 128 && $onehot(Outstanding),
                     ("Outstanding = %0d; legal is one of 8, 16, 32, 64, 128", Outstanding))
  // End of legal values.

endmodule
