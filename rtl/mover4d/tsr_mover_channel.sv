// Programs the engine of one channel: its list, or with Ranges its address and size, to contexts, and
// the run of the channel.
//
// Wiring. Contract, latency, throughput: tsr_mover_list, tsr_mover_range, tsr_mover_slots,
// tsr_mover_run.
`include "tsr_assert.svh"
`include "tsr_types.svh"
`include "tsr_port_types.svh"
module tsr_mover_channel
  import tsr_core_pkg::*;
  import tsr_mover_pkg::*;
#(
  parameter  mover_build_t Config     = MoverDefaults,
  parameter  bit           Receives   = 1'b0,                                 // stream to memory
  localparam type          ax_t       = `TSR_PORT_AX_T(Config.AddrWidth, 1),
  localparam type          list_req_t = `TSR_PORT_RD_REQ_T(ax_t),
  localparam type          list_r_t   = `TSR_PORT_R_T(8, 1),
  localparam type          list_rsp_t = `TSR_PORT_RD_RSP_T(list_r_t)
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  input  logic                           start_i,
  input  logic          [CycleWidth-1:0] cycle_i,
  input  mover_setup_t                   setup_i,
  output mover_view_t                    view_o,
  output list_req_t                      list_o,
  input  list_rsp_t                      list_i,
  // The engine
  output context_word_t                  word_o,
  output logic                           word_valid_o,
  output logic                           go_o,
  input  logic                           freed_i,
  input  end_t                           end_i,
  input  logic                           end_valid_i,
  // The stream: a beat is accepted, is shown, or waits for the rest of its bytes
  input  logic                           beat_i,
  input  logic                           shows_i,
  input  logic                           held_i,
  output logic                           flush_o,
  output logic                           hollow_o,      // the last context was empty
  output logic                           clear_o
);

  mover_source_t source;
  slot_t slot;
  logic begins, final_context, more, room, stop, drained, failed;

  if (Config.Ranges) begin : gen_range
    tsr_mover_range #(
      .AddrWidth(Config.AddrWidth),
      .Receives (Receives)
    ) u_range (
      .clk_i,
      .rst_ni,
      .start_i,
      .setup_i,
      .stop_i  (stop),
      .source_o(source),
      .slot_i  (slot),
      .room_i  (room),
      .begin_o (begins),
      .word_o,
      .word_valid_o,
      .go_o
    );
    assign final_context = 1'b1;
    assign more          = 1'b0;
    assign hollow_o      = 1'b0;
    assign list_o        = '0;
    logic unused_list;
    assign unused_list = ^list_i;
  end else begin : gen_list
    tsr_mover_list #(
      .AddrWidth   (Config.AddrWidth),
      .ElementBytes(Config.ElementBytes),
      .Receives    (Receives),
      .Patterns    (Config.Patterns),
      .ListDepth   (Config.ListDepth),
      .ListBurst   (Config.ListBurst)
    ) u_list (
      .clk_i,
      .rst_ni,
      .start_i,
      .setup_i,
      .stop_i   (stop),
      .source_o (source),
      .slot_i   (slot),
      .room_i   (room),
      .begin_o  (begins),
      .final_o  (final_context),
      .word_o,
      .word_valid_o,
      .go_o,
      .more_o   (more),
      .hollow_o,
      .araddr_o (list_o.ar.addr),
      .arlen_o  (list_o.ar.len),
      .arvalid_o(list_o.ar_valid),
      .arready_i(list_i.ar_ready),
      .rdata_i  (list_i.r.data),
      .rresp_i  (list_i.r.resp),
      .rvalid_i (list_i.r_valid),
      .rready_o (list_o.r_ready)
    );
    assign {list_o.ar.id, list_o.ar.attr} = '0;
    logic unused_rest;
    assign unused_rest = ^{list_i.r.id, list_i.r.last};
  end

  tsr_mover_slots #(
    .Flight(MoverFlight)
  ) u_slots (
    .clk_i,
    .rst_ni,
    .start_i,
    .clear_i(clear_o && !Receives),
    .begin_i(begins),
    .final_i(final_context),
    .go_i   (go_o),
    .freed_i,
    .ended_i(end_valid_i),
    .slot_o (slot),
    .room_o (room)
  );

  // Part of a beat goes out at the end of a run, but for one with an error.
  assign failed  = stop || source.error != MoverOk;
  assign flush_o = drained && !failed;
  tsr_mover_run u_run (
    .clk_i,
    .rst_ni,
    .start_i,
    .cycle_i,
    .stop_o   (stop),
    .drained_o(drained),
    .clear_o,
    .view_o,
    .source_i (source),
    .taken_i  (go_o && !more),
    .end_i,
    .end_valid_i,
    .held_i   (shows_i || (held_i && !failed)),
    .beat_i
  );

  `TSR_ASSERT(WordsComeInARun, !word_valid_o || view_o.busy)

endmodule
