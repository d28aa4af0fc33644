// One write channel of a kernel: its list, or with Ranges its address and size, the width of its
// stream, its engine and its port.
//
// Without UseKeep every beat of the stream is full, whatever its TKEEP is.
// Wiring. Contract, latency, throughput: tsr_mover_list, tsr_mover_run, tsr_stream_in, tsr_writer, tsr_write_port.
`include "tsr_assert.svh"
`include "tsr_types.svh"
`include "tsr_port_types.svh"
module tsr_mover_write
  import tsr_descriptor_pkg::*;
  import tsr_fabric_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_core_pkg::*;
  import tsr_mover_pkg::*;
  import tsr_port_pkg::*;
#(
  parameter  mover_build_t Config     = MoverDefaults,
  parameter  bit           UseKeep    = 1'b0,
  localparam type          ax_t       = `TSR_PORT_AX_T(Config.AddrWidth, 1),
  localparam type          w_t        = `TSR_PORT_W_T(Config.DataWidth / 8),
  localparam type          list_req_t = `TSR_PORT_RD_REQ_T(ax_t),
  localparam type          list_r_t   = `TSR_PORT_R_T(8, 1),
  localparam type          list_rsp_t = `TSR_PORT_RD_RSP_T(list_r_t),
  localparam type          b_t        = `TSR_PORT_B_T(1),
  localparam type          bus_req_t  = `TSR_PORT_WR_REQ_T(ax_t, w_t),
  localparam type          bus_rsp_t  = `TSR_PORT_WR_RSP_T(b_t),
  localparam type          beat_t     = `TSR_BEAT_T(Config.StreamWidth / 8)
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  logic                          start_i,
  input  logic         [CycleWidth-1:0] cycle_i,
  input  mover_setup_t                  setup_i,
  output mover_view_t                   view_o,
  output list_req_t                     list_o,
  input  list_rsp_t                     list_i,
  output bus_req_t                      bus_o,
  input  bus_rsp_t                      bus_i,
  input  beat_t                         beat_i,
  input  logic                          beat_valid_i,
  output logic                          beat_ready_o
);

  // ---- Contexts ---------------------------------------------------------------------------------

  context_word_t word;
  end_t ended;
  freed_t freed;
  logic word_valid, go, end_valid, unused_clear, unused_flush, unused_hollow;

  tsr_mover_channel #(
    .Config  (Config),
    .Receives(1'b1)
  ) u_channel (
    .clk_i,
    .rst_ni,
    .start_i,
    .cycle_i,
    .setup_i,
    .view_o,
    .list_o,
    .list_i,
    .word_o      (word),
    .word_valid_o(word_valid),
    .go_o        (go),
    .freed_i     (freed.valid),
    .end_i       (ended),
    .end_valid_i (end_valid),
    .beat_i      (beat_valid_i && beat_ready_o),
    .shows_i     (1'b0),
    .held_i      (1'b0),
    .flush_o     (unused_flush),
    .hollow_o    (unused_hollow),
    .clear_o     (unused_clear)
  );

  // ---- Stream -----------------------------------------------------------------------------------

  // What the last beat of a range holds beyond its size is dropped.
  // A beat that is partial needs TLAST.
  localparam int unsigned StreamBytes = Config.StreamWidth / 8;
  localparam int unsigned BusBytes = Config.DataWidth / 8;
  localparam int unsigned Parts = BusBytes > StreamBytes ? BusBytes / StreamBytes : 1;
  beat_t beat;
  logic open, ends, stream_ready;
  assign beat.data = beat_i.data;
  if (Config.Ranges) begin : gen_cut
    tsr_stream_cut #(
      .Bytes(StreamBytes)
    ) u_cut (
      .clk_i,
      .rst_ni,
      .start_i,
      .size_i (setup_i.base_addr),
      .taken_i(beat_valid_i && beat_ready_o),
      .keep_i (UseKeep ? beat_i.keep : '1),
      .keep_o (beat.keep),
      .last_o (ends),
      .open_o (open)
    );
    assign beat.last = ends || (UseKeep && beat_i.last);
  end else begin : gen_whole
    assign open      = 1'b1;
    assign ends      = 1'b0;
    assign beat.last = beat_i.last;
    assign beat.keep = UseKeep ? beat_i.keep : '1;
  end
  assign beat_ready_o = stream_ready && open;

  localparam type write_beat_t = `TSR_WRITE_BEAT_T(BusBytes, Parts);
  write_beat_t write_beat;
  logic valid, ready;
  fault_e unused_fault;
  receive_state_t unused_state;
  tsr_stream_in #(
    .InBytes (StreamBytes),
    .OutBytes(BusBytes),
    .Guard   (1'b0)
  ) u_stream (
    .clk_i,
    .rst_ni,
    .clear_i  (1'b0),
    .busy_i   (1'b0),
    .tick_i   (1'b0),
    .fault_o  (unused_fault),
    .excuse_i (1'b0),
    .side_i   ('0),
    .beat_i   (beat),
    .valid_i  (beat_valid_i && open),
    .ready_o  (stream_ready),
    .drop_i   (1'b0),
    .control_i('0),
    .state_o  (unused_state),
    .beat_o   (write_beat),
    .valid_o  (valid),
    .ready_i  (ready)
  );

  // ---- Engine -----------------------------------------------------------------------------------

  localparam type port_burst_t = `TSR_PORT_BURST_T(Config.AddrWidth);
  port_burst_t burst;
  w_t engine_w;
  claim_t claim;
  logic burst_valid, burst_ready, w_valid, w_ready, resp_valid, resp_ready;
  logic [1:0] resp;
  logic unused_busy, unused_cut, unused_takes;
  contexts_t contexts;
  assign contexts = '{word_valid: word_valid, word: word, go_valid: go, go_channel: '0};
  tsr_writer #(
    .Channels   (1),
    .Slots      (4),
    .AddrWidth  (Config.AddrWidth),
    .BusLog     ($clog2(BusBytes)),
    .MaxBurst   (Config.MaxBurst),
    .Outstanding(Config.Outstanding),
    .BufferBeats(2 * Config.MaxBurst),
    .Flight     (MoverFlight),
    .WeightWidth(1),
    .Walk       (Config.Patterns),
    .Bounds     (1'b0),
    .Parts      (Parts)
  ) u_engine (
    .clk_i,
    .rst_ni,
    .contexts_i (contexts),
    .freed_o    (freed),
    .end_o      (ended),
    .end_valid_o(end_valid),
    .dropped_i  (1'b0),
    .end_ready_i(1'b1),
    .pause_i    ('0),
    .abort_i    ('0),
    .busy_o     (unused_busy),
    .cut_o      (unused_cut),
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
    .valid_i    (valid),
    .ready_o    (ready),
    .takes_o    (unused_takes)
  );

  // Data wait for their address.
  port_state_t unused_port_state;
  port_fault_t unused_port_fault;
  port_event_t unused_event;
  window_response_t unused_window;
  logic unused_owed;
  tsr_write_port #(
    .Channels   (1),
    .AddrWidth  (Config.AddrWidth),
    .BusLog     ($clog2(BusBytes)),
    .MaxBurst   (Config.MaxBurst),
    .Outstanding(Config.Outstanding),
    .Windows    (0),
    .Guard      (1'b0),
    .IdWidth    (1)
  ) u_port (
    .clk_i,
    .rst_ni,
    .control_i    ('0),
    .state_o      (unused_port_state),
    .fault_o      (unused_port_fault),
    .event_o      (unused_event),
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
    .bus_o,
    .bus_i
  );

  logic unused_rest;
  assign unused_rest = ^{ends, beat_i.last, beat_i.keep} ^ ^freed;

  `TSR_ASSERT_NEXT(AwStays, bus_o.aw_valid && !bus_i.aw_ready, bus_o.aw_valid && $past(bus_o.aw)
                   == bus_o.aw)

endmodule
