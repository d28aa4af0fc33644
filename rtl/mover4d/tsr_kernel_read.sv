// One read channel of a kernel, from memory, a ROM or a RAM, to a stream that goes out or to the
// check of one that comes in.
//
// Wiring only. Contract, latency, throughput: tsr_mover_read, tsr_mover_store, tsr_stream_check.
`include "tsr_assert.svh"
`include "tsr_types.svh"
`include "tsr_port_types.svh"
module tsr_kernel_read
  import tsr_fabric_pkg::*;
  import tsr_mover_pkg::*;
#(
  parameter mover_build_t Config = MoverDefaults,
  parameter bit Check = 1'b0,
  parameter int unsigned RomWords = 0,  // 0: from memory
  localparam int unsigned RomPlaces = RomWords == 0 ? 1 : RomWords,
  parameter logic [RomPlaces*Config.StreamWidth-1:0] RomContents = '0,
  parameter int unsigned RamWords = 0,  // 0: none
  localparam type ax_t = `TSR_PORT_AX_T(Config.AddrWidth, 1),
  localparam type bus_req_t = `TSR_PORT_RD_REQ_T(ax_t),
  localparam type r_t = `TSR_PORT_R_T(Config.DataWidth / 8, 1),
  localparam type bus_rsp_t = `TSR_PORT_RD_RSP_T(r_t),
  localparam type list_r_t = `TSR_PORT_R_T(8, 1),
  localparam type list_rsp_t = `TSR_PORT_RD_RSP_T(list_r_t),
  localparam type beat_t = `TSR_BEAT_T(Config.StreamWidth / 8)
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic                            start_i,
  input  logic           [CycleWidth-1:0] cycle_i,
  input  mover_setup_t                    setup_i,
  output mover_view_t                     view_o,
  output mover_check_t                    check_o,
  output mover_ram_rsp_t                  ram_o,
  output bus_req_t                        list_o,
  input  list_rsp_t                       list_i,
  output bus_req_t                        bus_o,
  input  bus_rsp_t                        bus_i,
  // The stream that goes out; with Check it rests.
  output beat_t                           beat_o,
  output logic                            beat_valid_o,
  input  logic                            beat_ready_i,
  // The stream that comes in; used with Check.
  input  beat_t                           beat_i,
  input  logic                            beat_valid_i,
  output logic                            beat_ready_o
);

  localparam int unsigned StreamBytes = Config.StreamWidth / 8;
  beat_t beat;
  logic valid, ready;

  if (RomWords != 0 || RamWords != 0) begin : gen_store
    localparam int unsigned Words = RomWords != 0 ? RomWords : RamWords;
    logic [$clog2(Words < 2 ? 2 : Words)-1:0] place;
    logic [Config.StreamWidth-1:0] data;
    logic read;
    if (RomWords != 0) begin : gen_rom
      tsr_mover_rom #(
        .Bytes   (StreamBytes),
        .Words   (Words),
        .Contents(RomContents)
      ) u_rom (
        .clk_i,
        .read_i (read),
        .place_i(place),
        .data_o (data)
      );
      assign ram_o = '{ready: 1'b1, default: '0};
    end else begin : gen_ram
      tsr_mover_ram #(
        .Bytes(StreamBytes),
        .Words(Words)
      ) u_ram (
        .clk_i,
        .rst_ni,
        .host_i (setup_i.ram),
        .host_o (ram_o),
        .read_i (read),
        .place_i(place),
        .data_o (data)
      );
    end
    tsr_mover_store #(
      .Bytes(StreamBytes),
      .Words(Words)
    ) u_channel (
      .clk_i,
      .rst_ni,
      .start_i,
      .cycle_i,
      .setup_i,
      .view_o,
      .read_o      (read),
      .place_o     (place),
      .data_i      (data),
      .beat_o      (beat),
      .beat_valid_o(valid),
      .beat_ready_i(ready)
    );
    logic unused_ports;
    assign list_o       = '0;
    assign bus_o        = '0;
    assign unused_ports = ^{list_i, bus_i};
  end else begin : gen_memory
    tsr_mover_read #(
      .Config(Config)
    ) u_channel (
      .clk_i,
      .rst_ni,
      .start_i,
      .cycle_i,
      .setup_i,
      .view_o,
      .list_o,
      .list_i,
      .bus_o,
      .bus_i,
      .beat_o      (beat),
      .beat_valid_o(valid),
      .beat_ready_i(ready)
    );
    assign ram_o = '{ready: 1'b1, default: '0};
  end

  if (Check) begin : gen_check
    tsr_stream_check #(
      .Bytes(StreamBytes)
    ) u_check (
      .clk_i,
      .rst_ni,
      .start_i,
      .view_i        (view_o),
      .wanted_i      (beat.data),
      .keep_i        (beat.keep),
      .wanted_valid_i(valid),
      .wanted_ready_o(ready),
      .data_i        (beat_i.data),
      .valid_i       (beat_valid_i),
      .ready_o       (beat_ready_o),
      .check_o
    );
    logic unused_beat;
    assign beat_o       = '0;
    assign beat_valid_o = 1'b0;
    assign unused_beat  = ^{beat.last, beat_i.last, beat_i.keep, beat_ready_i};
  end else begin : gen_send
    logic unused_beat;
    assign beat_o       = beat;
    assign beat_valid_o = valid;
    assign ready        = beat_ready_i;
    assign beat_ready_o = 1'b0;
    assign check_o      = '0;
    assign unused_beat  = ^{beat_i, beat_valid_i};
  end

  `TSR_ASSERT_NEXT(BeatStays, beat_valid_o && !beat_ready_i && !start_i, beat_valid_o)

endmodule
