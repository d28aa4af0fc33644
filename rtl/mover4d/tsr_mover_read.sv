// One read channel of a kernel: its list, or with Ranges its address and size, its engine, and the
// width of its stream.
//
// Wiring, and TLAST at the end of a list. Contract, latency, throughput:
// tsr_mover_list, tsr_mover_run, tsr_reader, tsr_stream_width.
`include "tsr_assert.svh"
`include "tsr_types.svh"
`include "tsr_port_types.svh"
module tsr_mover_read
  import tsr_fabric_pkg::*;
  import tsr_core_pkg::*;
  import tsr_mover_pkg::*;
#(
  parameter  mover_build_t Config     = MoverDefaults,
  localparam type          ax_t       = `TSR_PORT_AX_T(Config.AddrWidth, 1),
  localparam type          bus_req_t  = `TSR_PORT_RD_REQ_T(ax_t),
  localparam type          r_t        = `TSR_PORT_R_T(Config.DataWidth / 8, 1),
  localparam type          bus_rsp_t  = `TSR_PORT_RD_RSP_T(r_t),
  localparam type          list_r_t   = `TSR_PORT_R_T(8, 1),
  localparam type          list_rsp_t = `TSR_PORT_RD_RSP_T(list_r_t),
  localparam type          beat_t     = `TSR_BEAT_T(Config.StreamWidth / 8)
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  logic                          start_i,
  input  logic         [CycleWidth-1:0] cycle_i,
  input  mover_setup_t                  setup_i,
  output mover_view_t                   view_o,
  output bus_req_t                      list_o,
  input  list_rsp_t                     list_i,
  output bus_req_t                      bus_o,
  input  bus_rsp_t                      bus_i,
  output beat_t                         beat_o,
  output logic                          beat_valid_o,
  input  logic                          beat_ready_i
);

  // ---- Contexts ---------------------------------------------------------------------------------

  context_word_t word;
  end_t ended;
  freed_t freed;
  logic word_valid, go, end_valid, clear, held, flush, hollow;

  tsr_mover_channel #(
    .Config  (Config),
    .Receives(1'b0)
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
    .beat_i      (beat_valid_o && beat_ready_i),
    .shows_i     (beat_valid_o),
    .held_i      (held),
    .flush_o     (flush),
    .hollow_o    (hollow),
    .clear_o     (clear)
  );

  // ---- Engine -----------------------------------------------------------------------------------

  localparam int unsigned BusBytes = Config.DataWidth / 8;
  localparam int unsigned Parts = BusBytes > Config.StreamWidth / 8 ?
      BusBytes * 8 / Config.StreamWidth : 1;
  localparam int unsigned Sides = BusBytes < Config.StreamWidth / 8 ?
      Config.StreamWidth / 8 / BusBytes : 1;
  logic rst_n;
  localparam type read_beat_t = `TSR_READ_BEAT_T(BusBytes, $clog2(MoverFlight));
  localparam type port_burst_t = `TSR_PORT_BURST_T(Config.AddrWidth);
  read_beat_t beat;
  port_burst_t burst;
  contexts_t contexts;
  claim_t unused_claim;
  logic valid, ready, marked, flushed_q, closes;
  logic [  Config.StreamWidth-1:0] wide_data;
  logic [Config.StreamWidth/8-1:0] wide_keep;
  logic unused_busy, unused_cut, unused_sparse;
  logic [Sides-1:0] unused_sides;
  assign rst_n = rst_ni && !clear;
  assign contexts = '{word_valid: word_valid, word: word, go_valid: go, go_channel: '0};
  assign bus_o.ar = '{id: '0, addr: burst.addr, len: burst.len, attr: '0};

  tsr_reader #(
    .Channels   (1),
    .Slots      (4),
    .AddrWidth  (Config.AddrWidth),
    .BusLog     ($clog2(BusBytes)),
    .MaxBurst   (Config.MaxBurst),
    .Outstanding(Config.Outstanding),
    .BufferBeats(32),
    .Flight     (MoverFlight),
    .WeightWidth(1),
    .Walk       (Config.Patterns),
    .Bounds     (1'b0)
  ) u_engine (
    .clk_i,
    .rst_ni     (rst_n),
    .contexts_i (contexts),
    .freed_o    (freed),
    .end_o      (ended),
    .end_valid_o(end_valid),
    .end_ready_i(1'b1),
    .pause_i    ('0),
    .abort_i    ('0),
    .busy_o     (unused_busy),
    .cut_o      (unused_cut),
    .weight_i   ('0),
    .claim_o    (unused_claim),
    .ar_o       (burst),
    .ar_valid_o (bus_o.ar_valid),
    .ar_ready_i (bus_i.ar_ready),
    .r_i        ({bus_i.r.data, bus_i.r.resp}),
    .r_valid_i  (bus_i.r_valid),
    .r_ready_o  (bus_o.r_ready),
    .beat_o     (beat),
    .valid_o    (valid),
    .ready_i    (ready)
  );

  tsr_stream_width #(
    .InBytes (BusBytes),
    .OutBytes(Config.StreamWidth / 8)
  ) u_width (
    .clk_i,
    .rst_ni  (rst_n),
    .flush_i (flush),
    .held_o  (held),
    .tdata_i (beat.data),
    .tkeep_i (beat.keep),
    .tlast_i (beat.last),
    .tends_i (1'b0),
    .side_i  ({Parts{1'b0}}),
    .tvalid_i(valid),
    .tready_o(ready),
    .tdata_o (wide_data),
    .tkeep_o (wide_keep),
    .tlast_o (marked),
    .side_o  (unused_sides),
    .sparse_o(unused_sparse),
    .tvalid_o(beat_valid_o),
    .tready_i(beat_ready_i)
  );

  // TLAST of a list is on its last bytes, that of an empty descriptor only on a beat that still
  // waits for bytes.
  always_ff @(posedge clk_i)
    flushed_q <= rst_n && ((flush && held) || (flushed_q && !beat_ready_i));
  assign closes = (marked || flushed_q) && setup_i.last != MoverLastNever &&
      !(setup_i.last == MoverLastList && hollow && wide_keep == '1);
  assign beat_o = '{last: closes, keep: wide_keep, data: wide_data};

  logic unused_bits;
  assign unused_bits = ^{bus_i.r.id, bus_i.r.last, beat.owner, beat.ends, burst, freed};

  `TSR_ASSERT_NEXT(BeatStays, beat_valid_o && !beat_ready_i, beat_valid_o)

endmodule
