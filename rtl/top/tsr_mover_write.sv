// One write channel of a kernel: its list, or with Ranges its address and size, and its engine.
//
// Without UseKeep every beat of the stream is full, whatever its TKEEP is.
// Wiring only. Contract, latency, throughput: tsr_mover_list, tsr_mover_run, tsr_write_engine.
`include "tsr_assert.svh"
`include "tsr_types.svh"
module tsr_mover_write
  import tsr_pkg::*;
  import tsr_fabric_pkg::*;
  import tsr_mover_pkg::*;
#(
  parameter  fabric_config_t Config       = FabricDefaults,
  parameter  bit             Ranges       = 1'b0,
  parameter  int unsigned    ElementBytes = 8,
  parameter  int unsigned    ListDepth    = 128,
  parameter  int unsigned    ListBurst    = 16,
  parameter  bit             UseKeep      = 1'b0,
  localparam fabric_config_t ListConfig   = mover_list_config(Config.AddrWidth),
  localparam type            burst_t      = `TSR_BURST_T(Config),
  localparam type            w_t          = `TSR_W_T(Config),
  localparam type            list_req_t   = `TSR_READ_REQ_T(burst_t),
  localparam type            list_rsp_t   = `TSR_READ_RSP_T(ListConfig),
  localparam type            bus_req_t    = `TSR_WRITE_REQ_T(burst_t, w_t),
  localparam type            beat_t       = `TSR_BEAT_T(Config.StreamWidth / 8)
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
  input  write_rsp_t                    bus_i,
  input  beat_t                         beat_i,
  input  logic                          beat_valid_i,
  output logic                          beat_ready_o
);

  transfer_t transfer;
  mover_source_t source;
  done_t done;
  logic valid, ready, done_valid, stop, unused_clear, unused_idle;
  write_mark_t unused_marks;
  logic [7:0] unused_held;

  if (Ranges) begin : gen_range
    tsr_mover_range #(
      .AddrWidth(Config.AddrWidth)
    ) u_range (
      .clk_i,
      .rst_ni,
      .start_i,
      .setup_i,
      .stop_i    (stop),
      .source_o  (source),
      .transfer_o(transfer),
      .valid_o   (valid),
      .ready_i   (ready)
    );
    assign list_o = '0;
    logic unused_list;
    assign unused_list = ^list_i;
  end else begin : gen_list
    tsr_mover_list #(
      .AddrWidth   (Config.AddrWidth),
      .DataWidth   (Config.DataWidth),
      .ElementBytes(ElementBytes),
      .Patterns    (Config.Walk),
      .ListDepth   (ListDepth),
      .ListBurst   (ListBurst)
    ) u_list (
      .clk_i,
      .rst_ni,
      .start_i,
      .setup_i,
      .stop_i    (stop),
      .source_o  (source),
      .transfer_o(transfer),
      .valid_o   (valid),
      .ready_i   (ready),
      .araddr_o  (list_o.ar.addr),
      .arlen_o   (list_o.ar.len),
      .arvalid_o (list_o.ar_valid),
      .arready_i (list_i.ar_ready),
      .rdata_i   (list_i.r_data),
      .rresp_i   (list_i.r.resp),
      .rvalid_i  (list_i.r_valid),
      .rready_o  (list_o.r_ready)
    );
  end

  tsr_mover_run u_run (
    .clk_i,
    .rst_ni,
    .start_i,
    .cycle_i,
    .stop_o      (stop),
    .clear_o     (unused_clear),
    .view_o,
    .source_i    (source),
    .taken_i     (valid && ready),
    .done_i      (done),
    .done_valid_i(done_valid),
    .beat_i      (beat_valid_i && beat_ready_o)
  );

  // What the last beat of a range holds beyond its size belongs to nobody.
  // A beat that is partial needs TLAST.
  logic open, last, ends, engine_ready;
  logic [Config.StreamWidth/8-1:0] keep;
  if (Ranges) begin : gen_cut
    tsr_stream_cut #(
      .Bytes(Config.StreamWidth / 8)
    ) u_cut (
      .clk_i,
      .rst_ni,
      .start_i,
      .size_i (setup_i.base_addr),
      .taken_i(beat_valid_i && beat_ready_o),
      .keep_i (UseKeep ? beat_i.keep : '1),
      .keep_o (keep),
      .last_o (ends),
      .open_o (open)
    );
    assign last = ends || (UseKeep && beat_i.last);
  end else begin : gen_whole
    assign open = 1'b1;
    assign ends = 1'b0;
    assign last = beat_i.last;
    assign keep = UseKeep ? beat_i.keep : '1;
  end
  assign beat_ready_o = engine_ready && open;

  tsr_write_engine #(
    .AddrWidth  (Config.AddrWidth),
    .DataWidth  (Config.DataWidth),
    .StreamWidth(Config.StreamWidth),
    .MaxBurst   (Config.MaxBurst),
    .Outstanding(Config.Outstanding),
    .StoreBeats (Config.StoreBeats),
    .Walk       (Config.Walk),
    .Bounds     (Config.Bounds)
  ) u_engine (
    .clk_i,
    .rst_ni,
    .transfer_i  (transfer),
    .valid_i     (valid),
    .ready_o     (ready),
    .done_o      (done),
    .done_valid_o(done_valid),
    .done_ready_i(1'b1),
    .abort_i     (1'b0),
    .idle_o      (unused_idle),
    .held_o      (unused_held),
    .mark_o      (unused_marks),
    .awaddr_o    (bus_o.aw.addr),
    .awlen_o     (bus_o.aw.len),
    .awvalid_o   (bus_o.aw_valid),
    .awready_i   (bus_i.aw_ready),
    .wdata_o     (bus_o.w.data),
    .wstrb_o     (bus_o.w.strb),
    .wlast_o     (bus_o.w.last),
    .wvalid_o    (bus_o.w_valid),
    .wready_i    (bus_i.w_ready),
    .bresp_i     (bus_i.b_resp),
    .bvalid_i    (bus_i.b_valid),
    .bready_o    (bus_o.b_ready),
    .tdata_i     (beat_i.data),
    .tkeep_i     (keep),
    .tlast_i     (last),
    .tvalid_i    (beat_valid_i && open),
    .tready_o    (engine_ready)
  );

  logic unused_rest;
  assign unused_rest = ^{list_i.r.last, ends, beat_i.last, beat_i.keep};

  `TSR_ASSERT_NEXT(AwStays, bus_o.aw_valid && !bus_i.aw_ready, bus_o.aw_valid && $past(bus_o.aw)
                   == bus_o.aw)

endmodule
