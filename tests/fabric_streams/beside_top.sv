// Channels with what travels beside their streams: two read channels, with so many bursts in flight, and a
// write channel. Each of their transfers is one word.
`include "tsr_types.svh"
module beside_top
  import tsr_pkg::*;
  import tsr_fabric_pkg::*;
  import tsr_channel_pkg::*;
#(
  localparam int unsigned Readers = 2
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  // Transfers to the readers: TDEST stands for all that travels beside a beat.
  input  logic [Readers-1:0][7:0] rd_dest_i,
  input  logic [Readers-1:0]      rd_valid_i,
  output logic [Readers-1:0]      rd_ready_o,
  output logic [Readers-1:0]      rd_faulted_o,
  output logic [Readers-1:0][3:0] rd_cause_o,
  output logic [Readers-1:0]      ar_valid_o,
  input  logic [Readers-1:0]      r_valid_i,
  output logic [Readers-1:0]      r_ready_o,
  output logic [Readers-1:0][7:0] m_dest_o,
  output logic [Readers-1:0]      m_valid_o,
  input  logic [Readers-1:0]      m_ready_i,
  // The writer.
  input  logic                    wr_valid_i,
  output logic                    wr_ready_o,
  output logic                    wr_done_valid_o,
  output logic [        7:0]      wr_done_dest_o,
  input  logic                    wr_done_ready_i,
  output logic                    w_valid_o,
  input  logic                    b_valid_i,
  output logic                    b_ready_o,
  input  logic [        7:0]      s_dest_i,
  input  logic                    s_valid_i,
  output logic                    s_ready_o
);

  localparam int unsigned Outstanding[Readers] = '{16, 64};

  function automatic fabric_config_t build(int unsigned outstanding);
    build               = FabricDefaults;
    build.AddrWidth     = 32;
    build.DataWidth     = 32;
    build.StreamWidth   = 32;
    build.MaxBurst      = 16;
    build.RoomBeats     = 64;
    build.StoreBeats    = 64;
    build.Outstanding   = outstanding;
    build.Control       = 1'b1;
    build.Guard         = 1'b1;
    build.StreamSilence = 400;
    build.Walk          = 1'b0;
    build.Bounds        = 1'b0;
    build.Side          = 1'b1;
    build.Headers       = 1'b1;
  endfunction

  transfer_t  transfer;
  bus_state_t rests;
  always_comb begin
    transfer           = '0;
    transfer.row       = 32'd4;
    transfer.single    = '1;
    transfer.addr      = 64'h1000;
    transfer.dense     = 1'b1;
    transfer.elem_log2 = 3'd2;
    transfer.last_rule = LastTransfer;
    for (int unsigned d = 0; d < Dims; d++) begin
      transfer.dim[d].count     = d == 0 ? 32'd4 : 32'd1;
      transfer.dim[d].stride    = 64'd1;
      transfer.dim[d].unbounded = 1'b1;
    end
    rests = '{idle: 1'b1, clearable: 1'b1, shows: 1'b0, fault: FaultNone};
  end

  for (genvar i = 0; i < Readers; i++) begin : gen_reader
    localparam fabric_config_t Config = build(Outstanding[i]);
    localparam type burst_t = `TSR_BURST_T(Config);
    localparam type req_t = `TSR_READ_REQ_T(burst_t);
    localparam type rsp_t = `TSR_READ_RSP_T(Config);
    localparam type beat_t = `TSR_BEAT_T(4);
    req_t req;
    rsp_t rsp;
    channel_status_t status;
    side_t side;
    done_t unused_done;
    denied_t unused_denied;
    bus_control_t unused_control;
    beat_t unused_beat;
    logic unused_done_valid;

    assign rsp = '{
            ar_ready: 1'b1,
            r_data: '0,
            r: '{resp: '0, last: 1'b1},
            r_valid: r_valid_i[i]
        };
    tsr_read_channel #(
      .Config(Config)
    ) u_dut (
      .clk_i,
      .rst_ni,
      .transfer_i  (transfer),
      .valid_i     (rd_valid_i[i]),
      .ready_o     (rd_ready_o[i]),
      .done_o      (unused_done),
      .done_valid_o(unused_done_valid),
      .done_ready_i(1'b1),
      .request_i   ('0),
      .status_o    (status),
      .denied_o    (unused_denied),
      .quiesce_i   (1'b0),
      .tick_i      (1'b1),
      .window_i    ('0),
      .control_o   (unused_control),
      .state_i     (rests),
      .bus_o       (req),
      .bus_i       (rsp),
      .side_i      ('{dest: rd_dest_i[i], default: '0}),
      .header_i    ('0),
      .side_o      (side),
      .beat_o      (unused_beat),
      .beat_valid_o(m_valid_o[i]),
      .beat_ready_i(m_ready_i[i])
    );
    assign ar_valid_o[i]   = req.ar_valid;
    assign r_ready_o[i]    = req.r_ready;
    assign rd_faulted_o[i] = status.state.faulted;
    assign rd_cause_o[i]   = status.state.cause;
    assign m_dest_o[i]     = side.dest;
    logic unused;
    assign unused = ^{req, side, status};
  end

  localparam fabric_config_t WriteConfig = build(Outstanding[1]);
  localparam type burst_t = `TSR_BURST_T(WriteConfig);
  localparam type w_t = `TSR_W_T(WriteConfig);
  localparam type req_t = `TSR_WRITE_REQ_T(burst_t, w_t);
  localparam type beat_t = `TSR_BEAT_T(4);
  req_t req;
  side_t side;
  channel_status_t unused_status;
  done_t unused_done;
  denied_t unused_denied;
  bus_control_t unused_control;

  tsr_write_channel #(
    .Config(WriteConfig)
  ) u_write (
    .clk_i,
    .rst_ni,
    .transfer_i  (transfer),
    .valid_i     (wr_valid_i),
    .ready_o     (wr_ready_o),
    .done_o      (unused_done),
    .done_valid_o(wr_done_valid_o),
    .done_ready_i(wr_done_ready_i),
    .request_i   ('0),
    .status_o    (unused_status),
    .denied_o    (unused_denied),
    .quiesce_i   (1'b0),
    .tick_i      (1'b1),
    .window_i    ('0),
    .control_o   (unused_control),
    .state_i     (rests),
    .bus_o       (req),
    .bus_i       ('{aw_ready: 1'b1, w_ready: 1'b1, b_resp: '0, b_valid: b_valid_i}),
    .side_i      ('{dest: s_dest_i, default: '0}),
    .done_side_o (side),
    .excuse_i    (1'b0),
    .beat_i      (beat_t'{last: 1'b1, keep: '1, data: '0}),
    .beat_valid_i(s_valid_i),
    .beat_ready_o(s_ready_o)
  );
  assign w_valid_o      = req.w_valid;
  assign b_ready_o      = req.b_ready;
  assign wr_done_dest_o = side.dest;
  logic unused;
  assign unused = ^{req, side};

endmodule
