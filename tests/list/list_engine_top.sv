// Ports with lists, 1 + 1 and 4 + 4 channels side by side: tsr_dma_engine and tsr_list_unit joined.
// tests/list/list_engine_bench.h has the same list.
`include "tsr_port_types.svh"
module list_engine_top
  import tsr_port_pkg::*;
  import tsr_core_pkg::*;
  import tsr_program_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_register_pkg::*;
  import tsr_list_unit_pkg::*;
#(
  localparam int unsigned Cells        = 2,
  localparam int unsigned Most         = 8,
  localparam int unsigned Half         = 4,
  localparam type         ax_t         = `TSR_PORT_AX_T(64, 4),
  localparam type         r_t          = `TSR_PORT_R_T(8, 4),
  localparam type         w_t          = `TSR_PORT_W_T(8),
  localparam type         rd_t         = `TSR_PORT_RD_REQ_T(ax_t),
  localparam type         wr_t         = `TSR_PORT_WR_REQ_T(ax_t, w_t),
  localparam type         list_ax_t    = `TSR_PORT_AX_T(64, 2),
  localparam type         list_bus_r_t = `TSR_PORT_R_T(8, 2),
  localparam type         list_rd_t    = `TSR_PORT_RD_REQ_T(list_ax_t),
  localparam type         list_wr_t    = `TSR_PORT_WR_REQ_T(list_ax_t, w_t)
) (
  input  logic [Cells-1:0]       clk_i,                  // of each: who is not tested stands still
  input  logic                   rst_ni,
  input  logic                   cell_i,                 // whose pins show
  input  logic                   push_valid_i,
  input  logic [      4:0]       push_channel_i,
  input  logic [     28:0]       push_task_i,            // as register TASK
  input  logic [     31:0]       push_tag_i,
  output logic                   push_ready_o,
  input  logic [ Most-1:0]       reset_i,
  input  logic                   list_access_valid_i,
  input  logic [      4:0]       list_access_channel_i,
  input  logic [      3:0]       list_access_word_i,
  input  logic                   list_access_write_i,
  input  logic [     31:0]       list_access_data_i,
  output logic                   list_access_ready_o,
  output logic                   list_access_error_o,
  output logic [     31:0]       list_access_data_o,
  input  logic [      4:0]       read_channel_i,
  input  logic [      3:0]       read_word_i,
  output logic [     31:0]       read_o,
  input  logic                   pop_i,
  output logic [      4:0]       event_channel_o,
  output logic                   event_record_o,
  output logic                   event_refused_o,
  output logic [ Most-1:0]       halted_o,
  output logic [ Most-1:0]       in_reset_o,
  output logic                   refusal_valid_o,
  output logic [      4:0]       refusal_channel_o,
  output logic                   refusal_entry_o,
  output logic [     15:0]       refusal_index_o,
  output logic [      5:0]       refusal_reason_o,
  output logic [     63:0]       refusal_addr_o,
  // Data
  output logic                   ar_valid_o,
  output logic [     63:0]       ar_addr_o,
  output logic [      7:0]       ar_len_o,
  input  logic                   ar_ready_i,
  input  logic [     63:0]       r_data_i,
  input  logic                   r_valid_i,
  input  logic                   r_last_i,
  output logic                   r_ready_o,
  output logic                   aw_valid_o,
  output logic [     63:0]       aw_addr_o,
  output logic [      7:0]       aw_len_o,
  input  logic                   aw_ready_i,
  output logic [     63:0]       w_data_o,
  output logic [      7:0]       w_strobe_o,
  output logic                   w_last_o,
  output logic                   w_valid_o,
  input  logic                   w_ready_i,
  input  logic                   b_valid_i,
  output logic                   b_ready_o,
  output logic [ Half-1:0][63:0] m_data_o,
  output logic [ Half-1:0][ 7:0] m_keep_o,
  output logic [ Half-1:0]       m_last_o,
  output logic [ Half-1:0]       m_valid_o,
  input  logic [ Half-1:0]       m_ready_i,
  input  logic [ Half-1:0][63:0] s_data_i,
  input  logic [ Half-1:0][ 7:0] s_keep_i,
  input  logic [ Half-1:0]       s_last_i,
  input  logic [ Half-1:0]       s_valid_i,
  output logic [ Half-1:0]       s_ready_o,
  // Lists
  output logic                   list_ar_valid_o,
  output logic [     63:0]       list_ar_addr_o,
  input  logic                   list_ar_ready_i,
  input  logic [     63:0]       list_r_data_i,
  input  logic                   list_r_last_i,
  input  logic                   list_r_valid_i,
  output logic                   list_r_ready_o,
  output logic                   list_aw_valid_o,
  output logic [     63:0]       list_aw_addr_o,
  input  logic                   list_aw_ready_i,
  output logic [     63:0]       list_w_data_o,
  output logic                   list_w_last_o,
  output logic                   list_w_valid_o,
  input  logic                   list_w_ready_i,
  input  logic                   list_b_valid_i,
  output logic                   list_b_ready_o
);

  localparam int unsigned Pairs[Cells] = '{1, 4};
  localparam int unsigned Aheads[Cells] = '{16, 4};

  push_t push;
  list_access_t list_access;
  always_comb begin
    push = '0;
    push.channel = push_channel_i;
    push.item.endless = push_task_i[24];
    push.item.repeats = push_task_i[23:8];
    push.item.start = push_task_i[7:0];
    push.item.from_list = push_task_i[28];
    push.item.tag = push_tag_i;
    list_access = {
      list_access_channel_i, list_access_word_i, list_access_write_i, list_access_data_i, 4'hf
    };
  end

  typedef struct packed {
    logic push_ready, list_access_ready;
    list_answer_t answer;
    logic [31:0] read;
    sequencer_event_t happens;
    logic happens_valid;
    logic [Most-1:0] halted, in_reset;
    list_refusal_t refusal;
    logic refusal_valid;
    logic ar_valid, r_ready, aw_valid, w_last, w_valid, b_ready;
    logic [63:0] ar_addr, aw_addr, w_data;
    logic [7:0] ar_len, aw_len, w_strobe;
    logic [Half-1:0][63:0] m_data;
    logic [Half-1:0][7:0] m_keep;
    logic [Half-1:0] m_last, m_valid, s_ready;
    logic list_ar_valid, list_r_ready, list_aw_valid, list_w_last, list_w_valid, list_b_ready;
    logic [63:0] list_ar_addr, list_aw_addr, list_w_data;
  } out_t;
  out_t [Cells-1:0] outs;
  out_t out;

  for (genvar i = 0; i < Cells; i++) begin : gen_cell
    localparam int unsigned N = Pairs[i];
    localparam int unsigned C = 2 * N;
    out_t o;
    typedef struct packed {
      list_bus_r_t r;
      logic        r_valid;
    } list_r_t;
    rd_t rd;
    wr_t wr;
    list_rd_t list_rd;
    list_wr_t list_wr;
    list_r_t list_r;
    logic [N-1:0] sparse;
    always_comb
      for (int unsigned c = 0; c < N; c++)
        sparse[c] = s_keep_i[c] != '1 && s_keep_i[c] != '0 && !s_last_i[c];
    r_t r;
    port_state_t [1:0] unused_state;
    port_fault_t [1:0] unused_port_fault;
    port_event_t [1:0] unused_port;
    window_response_t [1:0] unused_window;
    channel_t [1:0] unused_attr;
    logic [C-1:0] unused_owed;
    sequencer_request_t request;
    sequencer_answer_t answer;
    always_comb begin
      request = '0;
      request.read_channel = read_channel_i;
      request.read_word = record_word_e'(read_word_i);
      request.pop = pop_i;
    end
    assign r = '{id: '0, data: r_data_i, resp: '0, last: r_last_i};
    assign list_r = '{
            r: '{id: '0, data: list_r_data_i, resp: '0, last: list_r_last_i},
            r_valid: list_r_valid_i
        };
    assign o.list_ar_valid = list_rd.ar_valid;
    assign o.list_ar_addr = list_rd.ar.addr;
    assign o.list_r_ready = list_rd.r_ready;
    assign o.list_aw_valid = list_wr.aw_valid;
    assign o.list_aw_addr = list_wr.aw.addr;
    assign o.list_w_data = list_wr.w.data;
    assign o.list_w_last = list_wr.w.last;
    assign o.list_w_valid = list_wr.w_valid;
    assign o.list_b_ready = list_wr.b_ready;
    assign o.read = answer.read;
    assign o.ar_addr = rd.ar.addr;
    assign o.ar_len = rd.ar.len;
    assign o.ar_valid = rd.ar_valid;
    assign o.r_ready = rd.r_ready;
    assign o.aw_addr = wr.aw.addr;
    assign o.aw_len = wr.aw.len;
    assign o.aw_valid = wr.aw_valid;
    assign o.w_data = wr.w.data;
    assign o.w_strobe = wr.w.strobe;
    assign o.w_last = wr.w.last;
    assign o.w_valid = wr.w_valid;
    assign o.b_ready = wr.b_ready;
    logic unused_token_valid, unused_access_ready, unused_access_error;
    lock_report_t unused_report;
    far_request_t unused_far;
    channel_t unused_stop_on, unused_token;
    channel_levels_t [C-1:0] levels;
    logic [C-1:0] unused_take;
    logic [N-1:0][0:0][2:0] unused_owner;
    logic [N-1:0] unused_takes;
    beside_t unused_beside;
    receive_control_t [C-1:0] unused_receive;
    logic unused_beside_valid;
    logic [31:0] cycles_q, unused_data;
    always_ff @(posedge clk_i[i]) cycles_q <= rst_ni ? cycles_q + 1'b1 : '0;

    orders_t [C-1:0] orders;
    logic [C-1:0] in_reset;
    list_order_t [C-1:0] list_order;
    list_state_t [C-1:0] list_state;
    list_row_t row;
    channel_t list_channel, unused_list_ar, unused_list_aw;
    list_head_t  head;
    list_entry_t entry;
    prepared_t   prepared;
    logic refused, entry_valid, entry_ready, row_valid, row_ready, prepared_valid;
    list_written_t unused_written;
    list_check_t   unused_check;
    logic unused_written_valid, unused_check_valid, unused_rests;
    tsr_fabric_pkg::fault_e unused_fault;
    always_comb begin
      for (int unsigned c = 0; c < C; c++) begin
        orders[c]       = '0;
        orders[c].reset = reset_i[c];
        in_reset[c]     = levels[c].in_reset;
      end
      o.halted   = '0;
      o.in_reset = '0;
      for (int unsigned c = 0; c < C; c++) o.halted[c] = levels[c].halted;
      for (int unsigned c = 0; c < C; c++) o.in_reset[c] = levels[c].in_reset;
    end

    job_t job;
    logic [127:0] shown;
    logic job_valid, job_ready, shown_valid, unused_go;
    channel_t unused_go_channel;
    tsr_dma_engine #(
      .Reads          (N),
      .Writes         (N),
      .ReadBufferBeats(N == 1 ? 32 : 64),
      .Guard          (1'b0),
      .Lists          (1'b1),
      .Places         (C * Aheads[i])
    ) u_engine (
      .clk_i            (clk_i[i]),
      .rst_ni,
      .cycles_i         (cycles_q),
      .push_i           (push),
      .push_valid_i,
      .push_ready_o     (o.push_ready),
      .program_i        (request),
      .program_o        (answer),
      .access_i         ('0),
      .access_valid_i   (1'b0),
      .access_ready_o   (unused_access_ready),
      .access_error_o   (unused_access_error),
      .access_data_o    (unused_data),
      .orders_i         (orders),
      .levels_o         (levels),
      .lock_report_o    (unused_report),
      .far_o            (unused_far),
      .far_i            ('0),
      .stop_on_channel_o(unused_stop_on),
      .stop_on_i        ('0),
      .event_o          (o.happens),
      .event_valid_o    (o.happens_valid),
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
      .list_o           (list_order),
      .list_i           (list_state),
      .list_channel_o   (list_channel),
      .list_head_i      (head),
      .list_refused_o   (refused),
      .entry_o          (entry),
      .entry_valid_o    (entry_valid),
      .entry_ready_i    (entry_ready),
      .row_i            (row),
      .row_valid_i      (row_valid),
      .row_ready_o      (row_ready),
      .prepared_o       (prepared),
      .prepared_valid_o (prepared_valid),
      .control_i        ('0),
      .state_o          (unused_state),
      .fault_o          (unused_port_fault),
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
      .m_data_o         (o.m_data[N-1:0]),
      .m_keep_o         (o.m_keep[N-1:0]),
      .m_last_o         (o.m_last[N-1:0]),
      .m_owner_o        (unused_owner),
      .m_valid_o        (o.m_valid[N-1:0]),
      .m_ready_i        (m_ready_i[N-1:0]),
      .s_data_i         (s_data_i[N-1:0]),
      .s_keep_i         (s_keep_i[N-1:0]),
      .s_sparse_i       (sparse),
      .s_last_i         (s_last_i[N-1:0]),
      .s_side_i         ('0),
      .s_valid_i        (s_valid_i[N-1:0]),
      .s_ready_o        (o.s_ready[N-1:0]),
      .s_takes_o        (unused_takes),
      .beside_o         (unused_beside),
      .beside_valid_o   (unused_beside_valid),
      .receive_o        (unused_receive)
    );
    if (N < Half) begin : gen_few
      assign o.m_data[Half-1:N]  = '0;
      assign o.m_keep[Half-1:N]  = '0;
      assign o.m_last[Half-1:N]  = '0;
      assign o.m_valid[Half-1:N] = '0;
      assign o.s_ready[Half-1:N] = '0;
    end

    tsr_list_unit #(
      .Channels(C),
      .Ahead   (Aheads[i])
    ) u_lists (
      .clk_i            (clk_i[i]),
      .rst_ni,
      .tick_i           (1'b1),
      .quiesce_i        (1'b0),
      .rests_o          (unused_rests),
      .access_i         (list_access),
      .access_valid_i   (list_access_valid_i),
      .access_ready_o   (o.list_access_ready),
      .answer_o         (o.answer),
      .in_reset_i       (in_reset),
      .give_up_i        ('0),
      .refusal_o        (o.refusal),
      .refusal_valid_o  (o.refusal_valid),
      .refusal_ready_i  (1'b1),
      .written_o        (unused_written),
      .written_valid_o  (unused_written_valid),
      .fault_o          (unused_fault),
      .check_o          (unused_check),
      .check_valid_o    (unused_check_valid),
      .check_ready_i    (1'b1),
      .check_permitted_i(1'b1),
      .list_i           (list_order),
      .list_o           (list_state),
      .head_channel_i   (list_channel),
      .head_o           (head),
      .refused_i        (refused),
      .entry_i          (entry),
      .entry_valid_i    (entry_valid),
      .entry_ready_o    (entry_ready),
      .row_o            (row),
      .row_valid_o      (row_valid),
      .row_ready_i      (row_ready),
      .prepared_i       (prepared),
      .prepared_valid_i (prepared_valid),
      .ar_channel_o     (unused_list_ar),
      .ar_attr_i        ('0),
      .rd_o             (list_rd),
      .rd_i             ({list_ar_ready_i, list_r}),
      .aw_channel_o     (unused_list_aw),
      .aw_attr_i        ('0),
      .wr_o             (list_wr),
      .wr_i             ({list_aw_ready_i, list_w_ready_i, 4'b0, list_b_valid_i})
    );
    assign outs[i] = o;
  end

  assign out = outs[cell_i];
  assign push_ready_o = out.push_ready;
  assign list_access_ready_o = out.list_access_ready;
  assign list_access_error_o = out.answer.error;
  assign list_access_data_o = out.answer.data;
  assign read_o = out.read;
  assign event_channel_o = out.happens.channel;
  assign event_record_o = out.happens_valid && out.happens.record;
  assign event_refused_o = out.happens_valid && out.happens.causes.load;
  assign halted_o = out.halted;
  assign in_reset_o = out.in_reset;
  assign refusal_valid_o = out.refusal_valid;
  assign {refusal_channel_o, refusal_entry_o, refusal_index_o, refusal_reason_o, refusal_addr_o} =
      out.refusal;
  assign ar_valid_o = out.ar_valid;
  assign ar_addr_o = out.ar_addr;
  assign ar_len_o = out.ar_len;
  assign r_ready_o = out.r_ready;
  assign aw_valid_o = out.aw_valid;
  assign aw_addr_o = out.aw_addr;
  assign aw_len_o = out.aw_len;
  assign w_data_o = out.w_data;
  assign w_strobe_o = out.w_strobe;
  assign w_last_o = out.w_last;
  assign w_valid_o = out.w_valid;
  assign b_ready_o = out.b_ready;
  assign m_data_o = out.m_data;
  assign m_keep_o = out.m_keep;
  assign m_last_o = out.m_last;
  assign m_valid_o = out.m_valid;
  assign s_ready_o = out.s_ready;
  assign list_ar_valid_o = out.list_ar_valid;
  assign list_ar_addr_o = out.list_ar_addr;
  assign list_r_ready_o = out.list_r_ready;
  assign list_aw_valid_o = out.list_aw_valid;
  assign list_aw_addr_o = out.list_aw_addr;
  assign list_w_data_o = out.list_w_data;
  assign list_w_last_o = out.list_w_last;
  assign list_w_valid_o = out.list_w_valid;
  assign list_b_ready_o = out.list_b_ready;

endmodule
