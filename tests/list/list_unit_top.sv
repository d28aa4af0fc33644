// Lists in several shapes side by side; pins show the one that `cell_i` names. Attributes of a burst are the
// number of its channel. tests/list/list_bench.h has the
// same list of shapes.
`include "tsr_port_types.svh"
module list_unit_top
  import tsr_descriptor_pkg::*;
  import tsr_fabric_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_program_pkg::*;
  import tsr_list_unit_pkg::*;
#(
  localparam int unsigned Cells = 6,
  localparam int unsigned Most  = 32
) (
  input  logic [Cells-1:0] clk_i,                 // of each: who is not tested stands still
  input  logic             rst_ni,
  input  logic [      2:0] cell_i,
  input  logic             tick_i,
  input  logic             quiesce_i,
  output logic             rests_o,
  input  logic [      4:0] access_channel_i,
  input  logic [      3:0] access_word_i,
  input  logic             access_write_i,
  input  logic [     31:0] access_data_i,
  input  logic [      3:0] access_strobe_i,
  input  logic             access_valid_i,
  output logic             access_ready_o,
  output logic             access_error_o,
  output logic [     31:0] access_data_o,
  input  logic [ Most-1:0] in_reset_i,
  input  logic [ Most-1:0] give_up_i,
  output logic [      4:0] refusal_channel_o,
  output logic             refusal_entry_o,
  output logic [     15:0] refusal_index_o,
  output logic [      5:0] refusal_reason_o,
  output logic [     63:0] refusal_addr_o,
  output logic             refusal_valid_o,
  input  logic             refusal_ready_i,
  output logic [      4:0] written_channel_o,
  output logic             written_interrupts_o,
  output logic             written_valid_o,
  output logic [      3:0] fault_o,
  output logic [      4:0] check_channel_o,
  output logic             check_write_o,
  output logic [     63:0] check_addr_o,
  output logic             check_valid_o,
  input  logic             check_ready_i,
  input  logic             check_permitted_i,
  input  logic [ Most-1:0] open_i,
  input  logic [ Most-1:0] again_i,
  output logic [ Most-1:0] ready_o,
  input  logic [      4:0] head_channel_i,
  output logic [      7:0] head_place_o,
  output logic [     15:0] head_index_o,
  output logic             head_turn_end_o,
  input  logic [ Most-1:0] take_i,
  output logic [ Most-1:0] halt_o,
  input  logic             refused_i,
  input  logic [      4:0] entry_channel_i,
  input  logic [     31:0] entry_tag_i,
  input  logic [     15:0] entry_index_i,
  input  logic [     63:0] entry_bytes_i,
  input  logic [      6:0] entry_status_i,
  input  logic [      2:0] entry_flags_i,         // last, task end, interrupts
  input  logic             entry_valid_i,
  output logic             entry_ready_o,
  output logic             row_valid_o,
  input  logic             row_ready_i,
  output logic [      7:0] row_place_o,
  output logic [      1:0] row_area_o,
  output logic [      1:0] row_o,
  output logic [    127:0] row_data_o,
  input  logic [      4:0] prepared_channel_i,
  input  logic [      5:0] prepared_error_i,
  input  logic             prepared_more_i,
  input  logic             prepared_list_i,
  input  logic [      7:0] prepared_place_i,
  input  logic             prepared_valid_i,
  output logic [      4:0] ar_channel_o,
  output logic [      1:0] ar_id_o,
  output logic [     63:0] ar_addr_o,
  output logic [      7:0] ar_len_o,
  output logic             ar_valid_o,
  input  logic             ar_ready_i,
  input  logic [      1:0] r_id_i,
  input  logic [    511:0] r_data_i,
  input  logic [      1:0] r_resp_i,
  input  logic             r_last_i,
  input  logic             r_valid_i,
  output logic             r_ready_o,
  output logic [      4:0] aw_channel_o,
  output logic [      1:0] aw_id_o,
  output logic [     63:0] aw_addr_o,
  output logic [      7:0] aw_len_o,
  output logic             aw_valid_o,
  input  logic             aw_ready_i,
  output logic [    511:0] w_data_o,
  output logic [     63:0] w_strb_o,
  output logic             w_last_o,
  output logic             w_valid_o,
  input  logic             w_ready_i,
  input  logic [      1:0] b_id_i,
  input  logic [      1:0] b_resp_i,
  input  logic             b_valid_i,
  output logic             b_ready_o
);

  localparam int unsigned ChannelsOf[Cells] = '{1, 2, 16, 32, 3, 4};
  localparam int unsigned AddrWidths[Cells] = '{64, 32, 64, 48, 40, 64};
  localparam int unsigned ListWidths[Cells] = '{64, 64, 64, 512, 128, 256};
  localparam int unsigned Aheads[Cells] = '{16, 8, 8, 4, 4, 16};
  localparam int unsigned Outstandings[Cells] = '{16, 16, 16, 32, 8, 4};
  localparam int unsigned EntriesOf[Cells] = '{16, 16, 16, 16, 2, 4};
  localparam bit Walks[Cells] = '{1'b1, 1'b1, 1'b1, 1'b1, 1'b0, 1'b1};
  localparam bit Boundses[Cells] = '{1'b1, 1'b1, 1'b1, 1'b0, 1'b0, 1'b1};

  list_access_t access;
  list_entry_t entry;
  prepared_t prepared;
  assign access = {
    access_valid_i, access_channel_i, access_word_i, access_write_i, access_data_i, access_strobe_i
  };
  assign entry = {
    entry_channel_i, entry_tag_i, entry_index_i, entry_bytes_i[47:0], entry_status_i, entry_flags_i
  };
  assign prepared = {
    prepared_channel_i,
    2'd0,
    prepared_error_i != '0,
    prepared_error_i,
    prepared_more_i,
    prepared_list_i,
    prepared_place_i
  };
  to_lists_t to_lists;
  assign to_lists = '{
          head_channel: head_channel_i,
          refused: refused_i,
          entry: entry,
          entry_valid: entry_valid_i,
          row_ready: row_ready_i,
          prepared: prepared,
          prepared_valid: prepared_valid_i
      };

  typedef struct packed {
    logic            rests;
    list_answer_t    answer;
    list_refusal_t   refusal;
    logic            refusal_valid;
    list_written_t   written;
    fault_e          fault;
    list_check_t     check;
    logic            check_valid;
    logic [Most-1:0] ready,         halt;
    list_head_t      head;
    logic            entry_ready,   row_valid;
    logic [7:0]      row_place;
    logic [1:0]      row_area,      row;
    logic [127:0]    row_data;
    channel_t        ar_channel,    aw_channel;
    logic [1:0]      ar_id,         aw_id;
    logic [63:0]     ar_addr,       aw_addr;
    logic [7:0]      ar_len,        aw_len;
    logic            ar_valid,      r_ready,    aw_valid, w_last, w_valid, b_ready;
    logic [511:0]    w_data;
    logic [63:0]     w_strb;
  } out_t;
  out_t [Cells-1:0] outs;
  out_t out;

  for (genvar i = 0; i < Cells; i++) begin : gen_cell
    localparam int unsigned N = ChannelsOf[i];
    localparam int unsigned Lw = ListWidths[i];
    localparam int unsigned Aw = AddrWidths[i];
    localparam type ax_t = `TSR_PORT_AX_T(Aw, 2);
    localparam type r_t = `TSR_PORT_R_T(Lw / 8, 2);
    localparam type w_t = `TSR_PORT_W_T(Lw / 8);
    localparam type rd_req_t = `TSR_PORT_RD_REQ_T(ax_t);
    localparam type wr_req_t = `TSR_PORT_WR_REQ_T(ax_t, w_t);
    rd_req_t rd;
    wr_req_t wr;
    r_t r;
    assign r = '{id: r_id_i, data: r_data_i[Lw-1:0], resp: r_resp_i, last: r_last_i};
    list_order_t [N-1:0] order;
    list_reset_t [N-1:0] resets;
    list_state_t [N-1:0] state;
    from_lists_t from_lists;
    list_refusal_t refusal;
    list_written_t written;
    list_check_t check;
    list_answer_t answer;
    fault_e fault;
    assign fault = u_dut.u_known.fault;
    logic [Most-1:0] ready, halt;
    logic rests, refusal_valid, check_valid;
    for (genvar c = 0; c < N; c++) begin : gen_channel
      assign order[c]  = '{open: open_i[c], again: again_i[c], take: take_i[c]};
      assign resets[c] = '{in_reset: in_reset_i[c], give_up: give_up_i[c]};
      assign ready[c]  = state[c].ready;
      assign halt[c]   = state[c].halt;
    end
    tsr_list_unit #(
      .Channels   (N),
      .AddrWidth  (Aw),
      .ListWidth  (Lw),
      .Ahead      (Aheads[i]),
      .Outstanding(Outstandings[i]),
      .Entries    (EntriesOf[i]),
      .Silence    (300),
      .Walk       (Walks[i]),
      .Bounds     (Boundses[i])
    ) u_dut (
      .clk_i          (clk_i[i]),
      .rst_ni,
      .tick_i,
      .quiesce_i,
      .rests_o        (rests),
      .access_i       (access),
      .answer_o       (answer),
      .reset_i        (resets),
      .refusal_o      (refusal),
      .refusal_valid_o(refusal_valid),
      .refusal_ready_i,
      .written_o      (written),
      .check_o        (check),
      .check_valid_o  (check_valid),
      .check_i        ({check_ready_i, check_permitted_i}),
      .attr_i         (axi_attr_t'(check.channel)),
      .list_i         (order),
      .list_o         (state),
      .lists_i        (to_lists),
      .lists_o        (from_lists),
      .rd_o           (rd),
      .rd_i           ({ar_ready_i, r, r_valid_i}),
      .wr_o           (wr),
      .wr_i           ({aw_ready_i, w_ready_i, b_id_i, b_resp_i, b_valid_i})
    );
    if (N < Most) begin : gen_few
      assign {ready[Most-1:N], halt[Most-1:N]} = '0;
    end
    always_comb begin
      outs[i] = '{
          rests: rests,
          answer: answer,
          refusal: refusal,
          refusal_valid: refusal_valid,
          written: written,
          fault: fault,
          check: check,
          check_valid: check_valid,
          ready: ready,
          halt: halt,
          head: from_lists.head,
          entry_ready: from_lists.entry_ready,
          row_valid: from_lists.row_valid,
          row_place: from_lists.row.place,
          row_area: from_lists.row.area,
          row: from_lists.row.row,
          row_data: from_lists.row.data,
          ar_channel: channel_t'(rd.ar.attr),
          aw_channel: channel_t'(wr.aw.attr),
          ar_id: rd.ar.id,
          aw_id: wr.aw.id,
          ar_addr: 64'(rd.ar.addr),
          aw_addr: 64'(wr.aw.addr),
          ar_len: rd.ar.len,
          aw_len: wr.aw.len,
          ar_valid: rd.ar_valid,
          r_ready: rd.r_ready,
          aw_valid: wr.aw_valid,
          w_last: wr.w.last,
          w_valid: wr.w_valid,
          b_ready: wr.b_ready,
          w_data: 512'(wr.w.data),
          w_strb: 64'(wr.w.strobe)
      };
    end
  end

  assign out = outs[cell_i];
  assign rests_o = out.rests;
  assign access_ready_o = out.answer.ready;
  assign access_error_o = out.answer.error;
  assign access_data_o = out.answer.data;
  assign {refusal_channel_o, refusal_entry_o, refusal_index_o, refusal_reason_o,
          refusal_addr_o} = out.refusal;
  assign refusal_valid_o = out.refusal_valid;
  assign {written_valid_o, written_channel_o, written_interrupts_o} = out.written;
  assign fault_o = out.fault;
  assign check_channel_o = out.check.channel;
  assign check_write_o = out.check.write;
  assign check_addr_o = {out.check.page, 12'd0};
  assign check_valid_o = out.check_valid;
  assign ready_o = out.ready;
  assign {head_place_o, head_index_o, head_turn_end_o} = out.head;
  assign halt_o = out.halt;
  assign entry_ready_o = out.entry_ready;
  assign row_valid_o = out.row_valid;
  assign row_place_o = out.row_place;
  assign row_area_o = out.row_area;
  assign row_o = out.row;
  assign row_data_o = out.row_data;
  assign ar_channel_o = out.ar_channel;
  assign ar_id_o = out.ar_id;
  assign ar_addr_o = out.ar_addr;
  assign ar_len_o = out.ar_len;
  assign ar_valid_o = out.ar_valid;
  assign r_ready_o = out.r_ready;
  assign aw_channel_o = out.aw_channel;
  assign aw_id_o = out.aw_id;
  assign aw_addr_o = out.aw_addr;
  assign aw_len_o = out.aw_len;
  assign aw_valid_o = out.aw_valid;
  assign w_data_o = out.w_data;
  assign w_strb_o = out.w_strb;
  assign w_last_o = out.w_last;
  assign w_valid_o = out.w_valid;
  assign b_ready_o = out.b_ready;

endmodule
