// Programmed ports side by side, with and without bounds and traversals.
// tests/program/dma_engine_bench.h has the same list.
`include "tsr_port_types.svh"
module dma_engine_top
  import tsr_port_pkg::*;
  import tsr_core_pkg::*;
  import tsr_program_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_register_pkg::*;
#(
  localparam int unsigned Cells = 6,
  localparam int unsigned Most  = 8,
  localparam int unsigned Half  = 4,
  localparam type         r_t   = `TSR_PORT_R_T(8, 4),
  localparam type         w_t   = `TSR_PORT_W_T(8)
) (
  input logic [Cells-1:0] clk_i,  // of each: who is not tested stands still
  input logic rst_ni,
  input logic push_valid_i,
  input logic [4:0] push_channel_i,
  input logic [7:0] push_start_i,
  input logic [15:0] push_repeats_i,
  input logic [31:0] push_tag_i,
  output logic [Cells-1:0] push_ready_o,
  input logic access_valid_i,
  input logic [1:0] access_area_i,
  input logic [7:0] access_descriptor_i,
  input logic [3:0] access_word_i,
  input logic [31:0] access_data_i,
  output logic [Cells-1:0] access_ready_o,
  output logic [Cells-1:0] access_error_o,
  input logic [4:0] read_channel_i,
  input logic [3:0] read_word_i,
  output logic [Cells-1:0][31:0] read_o,
  input logic pop_i,
  output logic [Cells-1:0][4:0] event_channel_o,
  output logic [Cells-1:0] event_record_o,
  output logic [Cells-1:0] ar_valid_o,
  output logic [Cells-1:0][63:0] ar_addr_o,
  output logic [Cells-1:0][7:0] ar_len_o,
  input logic ar_ready_i,
  input logic [63:0] r_data_i,
  input logic r_valid_i,
  input logic r_last_i,
  output logic [Cells-1:0] r_ready_o,
  output logic [Cells-1:0] aw_valid_o,
  output logic [Cells-1:0][63:0] aw_addr_o,
  output logic [Cells-1:0][7:0] aw_len_o,
  input logic aw_ready_i,
  output logic [Cells-1:0][63:0] w_data_o,
  output logic [Cells-1:0][7:0] w_strobe_o,
  output logic [Cells-1:0] w_last_o,
  output logic [Cells-1:0] w_valid_o,
  input logic w_ready_i,
  input logic b_valid_i,
  output logic [Cells-1:0] b_ready_o,
  output logic [Cells-1:0][Half-1:0][63:0] m_data_o,
  output logic [Cells-1:0][Half-1:0][7:0] m_keep_o,
  output logic [Cells-1:0][Half-1:0] m_last_o,
  output logic [Cells-1:0][Half-1:0] m_valid_o,
  input logic [Half-1:0] m_ready_i,
  input logic [Half-1:0][63:0] s_data_i,
  input logic [Half-1:0][7:0] s_keep_i,
  input logic [Half-1:0] s_last_i,
  input logic [Half-1:0] s_valid_i,
  output logic [Cells-1:0][Half-1:0] s_ready_o
);

  localparam int unsigned Pairs[Cells] = '{1, 4, 1, 2, 1, 2};
  localparam int unsigned Addr[Cells] = '{64, 64, 32, 40, 64, 32};
  localparam bit Walk[Cells] = '{1'b1, 1'b1, 1'b0, 1'b0, 1'b1, 1'b0};
  localparam bit Bounds[Cells] = '{1'b1, 1'b1, 1'b0, 1'b0, 1'b0, 1'b1};

  push_t push;
  sequencer_request_t request;
  descriptor_access_t access;
  always_comb begin
    push = '0;
    push.channel = push_channel_i;
    push.item.start = push_start_i;
    push.item.repeats = push_repeats_i;
    push.item.tag = push_tag_i;
    request = '0;
    request.read_channel = read_channel_i;
    request.read_word = record_word_e'(read_word_i);
    request.pop = pop_i;
    access = '{
        write : 1'b1,
        area : descriptor_area_e'(access_area_i),
        descriptor : access_descriptor_i,
        word : access_word_i,
        data : access_data_i,
        strobe : '1
    };
  end

  for (genvar i = 0; i < Cells; i++) begin : gen_cell
    localparam int unsigned N = Pairs[i];
    localparam type ax_t = `TSR_PORT_AX_T(Addr[i], 4);
    sequencer_event_t happens;
    localparam type rd_t = `TSR_PORT_RD_REQ_T(ax_t);
    localparam type wr_t = `TSR_PORT_WR_REQ_T(ax_t, w_t);
    rd_t rd;
    wr_t wr;
    logic [N-1:0] sparse;
    always_comb
      for (int unsigned c = 0; c < N; c++)
        sparse[c] = s_keep_i[c] != '1 && s_keep_i[c] != '0 && !s_last_i[c];
    r_t r;
    port_state_t [1:0] unused_state;
    port_fault_t [1:0] unused_fault;
    port_event_t [1:0] unused_port;
    window_response_t [1:0] unused_window;
    channel_t [1:0] unused_attr;
    logic [2 * N - 1:0] unused_owed;
    assign r = '{id: '0, data: r_data_i, resp: '0, last: r_last_i};
    assign ar_addr_o[i] = 64'(rd.ar.addr);
    assign ar_len_o[i] = rd.ar.len;
    assign aw_addr_o[i] = 64'(wr.aw.addr);
    assign aw_len_o[i] = wr.aw.len;
    assign w_data_o[i] = wr.w.data;
    assign w_strobe_o[i] = wr.w.strobe;
    assign w_last_o[i] = wr.w.last;
    assign ar_valid_o[i] = rd.ar_valid;
    assign r_ready_o[i] = rd.r_ready;
    assign aw_valid_o[i] = wr.aw_valid;
    assign w_valid_o[i] = wr.w_valid;
    assign b_ready_o[i] = wr.b_ready;
    assign read_o[i] = answer.read;
    list_order_t [2 * N - 1:0] unused_list_order;
    sequencer_answer_t answer;
    channel_t unused_list;
    list_entry_t unused_entry;
    prepared_t unused_prepared;
    logic unused_refused, unused_entry_valid, unused_list_ready, unused_prepared_valid;
    logic happens_valid, unused_token_valid;
    lock_report_t unused_report;
    far_request_t unused_far;
    channel_t unused_stop_on, unused_token;
    channel_levels_t [2 * N - 1:0] unused_levels;
    logic [2 * N - 1:0] unused_take;
    logic [N-1:0][0:0][2:0] unused_owner;
    logic [N-1:0] unused_takes;
    beside_t unused_beside;
    receive_control_t [2 * N - 1:0] unused_receive;
    logic unused_beside_valid;
    logic [31:0] cycles_q, unused_data;
    always_ff @(posedge clk_i[i]) cycles_q <= rst_ni ? cycles_q + 1'b1 : '0;
    job_t job;
    logic [127:0] shown;
    logic job_valid, job_ready, shown_valid, unused_go;
    channel_t unused_go_channel;
    tsr_dma_engine #(
      .Reads          (N),
      .Writes         (N),
      .Guard          (1'b0),
      .AddrWidth      (Addr[i]),
      .Walk           (Walk[i]),
      .Bounds         (Bounds[i]),
      .Locks          (Walk[i] || Bounds[i] ? 16 : 0),
      .ReadBufferBeats(N == 1 ? 32 : 64)
    ) u_dut (
      .clk_i            (clk_i[i]),
      .rst_ni,
      .cycles_i         (cycles_q),
      .push_i           (push),
      .push_valid_i,
      .push_ready_o     (push_ready_o[i]),
      .program_i        (request),
      .program_o        (answer),
      .access_i         (access),
      .access_valid_i,
      .access_ready_o   (access_ready_o[i]),
      .access_error_o   (access_error_o[i]),
      .access_data_o    (unused_data),
      .orders_i         ('0),
      .levels_o         (unused_levels),
      .lock_report_o    (unused_report),
      .far_o            (unused_far),
      .far_i            ('0),
      .stop_on_channel_o(unused_stop_on),
      .stop_on_i        ('0),
      .event_o          (happens),
      .event_valid_o    (happens_valid),
      .trigger_take_o   (unused_take),
      .token_channel_o  (unused_token),
      .token_valid_o    (unused_token_valid),
      .job_o            (job),
      .job_valid_o      (job_valid),
      .job_ready_i      (job_ready),
      .shown_i          (shown),
      .shown_ordered_i  (1'b0),
      .shown_valid_i    (shown_valid),
      .prepare_i        (job),
      .prepare_valid_i  (job_valid),
      .prepare_ready_o  (job_ready),
      .shown_o          (shown),
      .shown_valid_o    (shown_valid),
      .go_channel_o     (unused_go_channel),
      .go_valid_o       (unused_go),
      .list_o           (unused_list_order),
      .list_i           ('0),
      .list_channel_o   (unused_list),
      .list_head_i      ('0),
      .list_refused_o   (unused_refused),
      .entry_o          (unused_entry),
      .entry_valid_o    (unused_entry_valid),
      .entry_ready_i    (1'b1),
      .row_i            ('0),
      .row_valid_i      (1'b0),
      .row_ready_o      (unused_list_ready),
      .prepared_o       (unused_prepared),
      .prepared_valid_o (unused_prepared_valid),
      .control_i        ('0),
      .state_o          (unused_state),
      .fault_o          (unused_fault),
      .port_event_o     (unused_port),
      .owed_o           (unused_owed),
      .window_i         ('0),
      .window_o         (unused_window),
      .attr_channel_o   (unused_attr),
      .attr_i           ('0),
      .rd_o             (rd),
      .rd_i             ({ar_ready_i, r, r_valid_i}),
      .wr_o             (wr),
      .wr_i             ({aw_ready_i, w_ready_i, 6'd0, b_valid_i}),
      .m_data_o         (m_data_o[i][N-1:0]),
      .m_keep_o         (m_keep_o[i][N-1:0]),
      .m_last_o         (m_last_o[i][N-1:0]),
      .m_owner_o        (unused_owner),
      .m_valid_o        (m_valid_o[i][N-1:0]),
      .m_ready_i        (m_ready_i[N-1:0]),
      .s_data_i         (s_data_i[N-1:0]),
      .s_keep_i         (s_keep_i[N-1:0]),
      .s_sparse_i       (sparse),
      .s_last_i         (s_last_i[N-1:0]),
      .s_side_i         ('0),
      .s_valid_i        (s_valid_i[N-1:0]),
      .s_ready_o        (s_ready_o[i][N-1:0]),
      .s_takes_o        (unused_takes),
      .beside_o         (unused_beside),
      .beside_valid_o   (unused_beside_valid),
      .receive_o        (unused_receive)
    );
    assign event_channel_o[i] = happens.channel;
    assign event_record_o[i]  = happens_valid && happens.record;
    if (N < Half) begin : gen_few
      assign m_data_o[i][Half-1:N]  = '0;
      assign m_keep_o[i][Half-1:N]  = '0;
      assign m_last_o[i][Half-1:N]  = '0;
      assign m_valid_o[i][Half-1:N] = '0;
      assign s_ready_o[i][Half-1:N] = '0;
    end
  end

endmodule
