// Writers with 1, 4 and 16 channels side by side. tests/core/writer_bench.h has the same list.
`include "tsr_types.svh"
module writer_top
  import tsr_core_pkg::*;
#(
  localparam int unsigned Cells = 5,
  localparam int unsigned Most  = 16,
  localparam int unsigned Bytes = 64
) (
  input logic [Cells-1:0] clk_i,  // of each: who is not tested stands still
  input logic rst_ni,
  input logic word_valid_i,
  input logic [3:0] word_channel_i,
  input slot_t word_slot_i,
  input logic [4:0] word_index_i,
  input logic [63:0] word_data_i,
  input logic go_valid_i,
  output logic [Cells-1:0] freed_o,
  output logic [Cells-1:0][3:0] freed_channel_o,
  output logic [Cells-1:0][191:0] end_o,  // bytes, dropped, address
  output logic [Cells-1:0][31:0] end_side_o,
  output logic [Cells-1:0][15:0] end_status_o,  // channel in 3:0, then bits
  output logic [Cells-1:0] end_valid_o,
  input logic end_ready_i,
  input logic [Most-1:0] pause_i,
  input logic [Most-1:0] abort_i,
  output logic [Cells-1:0][Most-1:0] busy_o,
  input logic [Most-1:0][3:0] weight_i,
  output logic [Cells-1:0][63:0] aw_addr_o,
  output logic [Cells-1:0][7:0] aw_len_o,
  output logic [Cells-1:0] aw_valid_o,
  input logic aw_ready_i,
  output logic [Cells-1:0][Bytes-1:0][7:0] w_data_o,
  output logic [Cells-1:0][Bytes-1:0] w_strobe_o,
  output logic [Cells-1:0] w_last_o,
  output logic [Cells-1:0] w_valid_o,
  input logic w_ready_i,
  input logic [1:0] b_resp_i,
  input logic b_valid_i,
  output logic [Cells-1:0] b_ready_o,
  input logic [Most-1:0][Bytes-1:0][7:0] data_i,
  input logic [Most-1:0][Bytes-1:0] keep_i,
  input logic [Most-1:0] last_i,
  input logic [Most-1:0][7:0][31:0] side_i,  // of each part of a beat
  input logic [Most-1:0] valid_i,
  output logic [Cells-1:0][Most-1:0] ready_o
);

  localparam int unsigned Channels[Cells] = '{1, 4, 16, 1, 4};
  localparam int unsigned Slots[Cells] = '{4, 4, 2, 2, 2};
  localparam int unsigned AddrWidth[Cells] = '{64, 64, 32, 40, 64};
  localparam int unsigned BusLog[Cells] = '{3, 3, 3, 2, 6};
  localparam int unsigned MaxBurst[Cells] = '{64, 16, 16, 16, 4};
  localparam int unsigned BufferBeats[Cells] = '{128, 32, 32, 32, 8};
  localparam int unsigned Parts[Cells] = '{1, 2, 4, 1, 8};
  localparam int unsigned Queue[Cells] = '{16, 16, 16, 16, 8};

  contexts_t contexts;
  assign contexts = '{
          word_valid: word_valid_i,
          word: '{
              channel: word_channel_i,
              slot: word_slot_i,
              word: word_e'(word_index_i),
              data: word_data_i
          },
          go_valid: go_valid_i,
          go_channel: word_channel_i
      };

  for (genvar i = 0; i < Cells; i++) begin : gen_cell
    localparam int unsigned N = Channels[i];
    localparam int unsigned Lanes = 2 ** BusLog[i];
    localparam type beat_t = `TSR_WRITE_BEAT_T(Lanes, Parts[i]);
    localparam type w_t = `TSR_PORT_W_T(Lanes);
    beat_t [N-1:0] beat;
    w_t w;
    assign w_data_o[i]   = (8 * Bytes)'(w.data);
    assign w_strobe_o[i] = Bytes'(w.strobe);
    assign w_last_o[i]   = w.last;
    logic [N-1:0] unused_takes;
    localparam type burst_t = `TSR_PORT_BURST_T(AddrWidth[i]);
    freed_t freed;
    claim_t unused_claim;
    burst_t burst;
    assign {freed_o[i], freed_channel_o[i]} = freed;
    assign aw_addr_o[i] = 64'(burst.addr);
    assign aw_len_o[i] = burst.len;
    logic unused_burst;
    assign unused_burst = ^{burst.channel, burst.first};
    logic [AddrWidth[i]-1:0] unused_addr;
    logic [N-1:0] unused_cut;
    end_t finished;
    logic finish, looked_q;  // bytes moved, then those that were dropped
    logic [BytesWidth-1:0] bytes_q;
    assign end_valid_o[i] = finish && looked_q;
    always_ff @(posedge clk_i[i]) begin
      looked_q <= rst_ni && finish && !(looked_q && end_ready_i);
      if (!looked_q) bytes_q <= finished.bytes;
    end
    for (genvar c = 0; c < N; c++) begin : gen_stream
      assign beat[c] = '{
              side: side_i[c][Parts[i]-1:0],
              sparse: keep_i[c][Lanes-1:0] != '1 && keep_i[c][Lanes-1:0] != '0 && !last_i[c],
              last: last_i[c],
              keep: keep_i[c][Lanes-1:0],
              data: data_i[c][Lanes-1:0]
          };
    end
    tsr_writer #(
      .Channels   (N),
      .Slots      (Slots[i]),
      .AddrWidth  (AddrWidth[i]),
      .BusLog     (BusLog[i]),
      .MaxBurst   (MaxBurst[i]),
      .Outstanding(64),
      .BufferBeats(BufferBeats[i]),
      .Queue      (Queue[i]),
      .Flight     (16),
      .Side       (1'b1),
      .Parts      (Parts[i])
    ) u_dut (
      .clk_i      (clk_i[i]),
      .rst_ni,
      .contexts_i (contexts),
      .freed_o    (freed),
      .end_o      (finished),
      .end_valid_o(finish),
      .dropped_i  (looked_q),
      .end_ready_i(end_ready_i && looked_q),
      .pause_i    (pause_i[N-1:0]),
      .abort_i    (abort_i[N-1:0]),
      .busy_o     (busy_o[i][N-1:0]),
      .cut_o      (unused_cut),
      .weight_i   (weight_i[N-1:0]),
      .claim_o    (unused_claim),
      .b_addr_o   (unused_addr),
      .aw_o       (burst),
      .aw_valid_o (aw_valid_o[i]),
      .aw_ready_i,
      .w_o        (w),
      .w_valid_o  (w_valid_o[i]),
      .w_ready_i,
      .b_resp_i,
      .b_valid_i,
      .b_ready_o  (b_ready_o[i]),
      .beat_i     (beat),
      .valid_i    (valid_i[N-1:0]),
      .ready_o    (ready_o[i][N-1:0]),
      .takes_o    (unused_takes)
    );
    if (N < Most) begin : gen_few
      assign ready_o[i][Most-1:N] = '0;
      assign busy_o[i][Most-1:N]  = '0;
    end
    assign end_o[i] = {finished.addr, 16'b0, finished.bytes, 16'b0, bytes_q};
    assign end_side_o[i] = finished.side;
    assign end_status_o[i] = {
      6'b0,
      finished.aborted,
      finished.last,
      finished.sparse_keep,
      finished.overlong,
      finished.decerr,
      finished.slverr,
      finished.channel
    };
  end

endmodule
