// Readers with 1, 4 and 16 channels side by side. tests/core/reader_bench.h has the same list.
`include "tsr_types.svh"
module reader_top
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
  output logic [Cells-1:0][127:0] end_o,  // bytes, then address
  output logic [Cells-1:0][7:0] end_status_o,  // channel in 3:0, slverr, decerr
  output logic [Cells-1:0] end_valid_o,
  input logic end_ready_i,
  input logic [Most-1:0] pause_i,
  input logic [Most-1:0] abort_i,
  output logic [Cells-1:0][Most-1:0] busy_o,
  input logic [Most-1:0][3:0] weight_i,
  output logic [Cells-1:0][63:0] ar_addr_o,
  output logic [Cells-1:0][7:0] ar_len_o,
  output logic [Cells-1:0] ar_valid_o,
  input logic ar_ready_i,
  input logic [Bytes-1:0][7:0] r_data_i,
  input logic [1:0] r_resp_i,
  input logic r_valid_i,
  output logic [Cells-1:0] r_ready_o,
  output logic [Cells-1:0][Most-1:0][Bytes-1:0][7:0] data_o,
  output logic [Cells-1:0][Most-1:0][Bytes-1:0] keep_o,
  output logic [Cells-1:0][Most-1:0] last_o,
  output logic [Cells-1:0][Most-1:0][7:0][3:0] owner_o,  // of each part of a beat
  output logic [Cells-1:0][Most-1:0] valid_o,
  input logic [Most-1:0] ready_i
);

  localparam int unsigned Channels[Cells] = '{1, 4, 16, 1, 4};
  localparam int unsigned Slots[Cells] = '{4, 4, 2, 2, 2};
  localparam int unsigned AddrWidth[Cells] = '{64, 64, 32, 40, 64};
  localparam int unsigned BusLog[Cells] = '{3, 3, 3, 2, 6};
  localparam int unsigned MaxBurst[Cells] = '{64, 16, 16, 16, 4};
  localparam int unsigned Parts[Cells] = '{1, 2, 8, 2, 4};
  localparam int unsigned BufferBeats[Cells] = '{16, 64, 64, 16, 16};

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
    localparam type beat_t = `TSR_READ_BEAT_T(Lanes, Parts[i], 4);
    beat_t [N-1:0] beat;
    end_t finished;
    localparam type burst_t = `TSR_PORT_BURST_T(AddrWidth[i]);
    freed_t freed;
    claim_t unused_claim;
    burst_t burst;
    assign {freed_o[i], freed_channel_o[i]} = freed;
    assign ar_addr_o[i] = 64'(burst.addr);
    assign ar_len_o[i] = burst.len;
    logic unused_burst;
    assign unused_burst = ^{burst.channel, burst.first};
    logic [AddrWidth[i]-1:0] unused_addr;
    logic [N-1:0] unused_cut;
    tsr_reader #(
      .Channels   (N),
      .Slots      (Slots[i]),
      .AddrWidth  (AddrWidth[i]),
      .BusLog     (BusLog[i]),
      .MaxBurst   (MaxBurst[i]),
      .Outstanding(64),
      .BufferBeats(BufferBeats[i]),
      .Flight     (16),
      .Side       (1'b1),
      .Parts      (Parts[i])
    ) u_dut (
      .clk_i      (clk_i[i]),
      .rst_ni,
      .contexts_i (contexts),
      .freed_o    (freed),
      .end_o      (finished),
      .end_valid_o(end_valid_o[i]),
      .end_ready_i,
      .pause_i    (pause_i[N-1:0]),
      .abort_i    (abort_i[N-1:0]),
      .busy_o     (busy_o[i][N-1:0]),
      .cut_o      (unused_cut),
      .weight_i   (weight_i[N-1:0]),
      .claim_o    (unused_claim),
      .r_addr_o   (unused_addr),
      .ar_o       (burst),
      .ar_valid_o (ar_valid_o[i]),
      .ar_ready_i,
      .r_i        ({r_data_i[Lanes-1:0], r_resp_i}),
      .r_valid_i,
      .r_ready_o  (r_ready_o[i]),
      .beat_o     (beat),
      .valid_o    (valid_o[i][N-1:0]),
      .ready_i    (ready_i[N-1:0])
    );
    if (N < Most) begin : gen_idle
      assign busy_o[i][Most-1:N] = '0;
    end
    assign end_o[i] = {finished.addr, 16'b0, finished.bytes};
    assign end_status_o[i] = {
      1'b0, finished.aborted, finished.decerr, finished.slverr, finished.channel
    };
    for (genvar c = 0; c < Most; c++) begin : gen_stream
      if (c < N) begin : gen_there
        assign data_o[i][c]  = (8 * Bytes)'(beat[c].data);
        assign keep_o[i][c]  = Bytes'(beat[c].keep);
        assign last_o[i][c]  = beat[c].last;
        assign owner_o[i][c] = 32'(beat[c].owner);
      end else begin : gen_absent
        assign data_o[i][c] = '0;
        assign keep_o[i][c] = '0;
        assign owner_o[i][c] = '0;
        assign {last_o[i][c], valid_o[i][c]} = '0;
      end
    end
  end

endmodule
