// tsr_lists in several shapes, side by side, each with a table of windows. tests/lists/lists_bench.h has
// the same list of shapes, and the words of the pins.
`include "tsr_list_types.svh"
module lists_top
  import tsr_fabric_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_register_pkg::*;
  import tsr_list_pkg::*;
#(
  localparam int unsigned Cells    = 6,
  localparam int unsigned InWords  = 157,
  localparam int unsigned OutWords = 72
) (
  input  logic                                 clk_i,
  input  logic                                 rst_ni,
  input  logic [Cells-1:0][ InWords-1:0][31:0] in_i,
  output logic [Cells-1:0][OutWords-1:0][31:0] out_o
);

  localparam int unsigned ChannelsOf[Cells] = '{1, 2, 4, 16, 32, 3};
  localparam int unsigned AddrWidths[Cells] = '{64, 32, 48, 64, 64, 40};
  localparam int unsigned ListWidths[Cells] = '{64, 64, 128, 64, 512, 256};
  localparam int unsigned SlotsOf[Cells] = '{16, 8, 8, 8, 4, 32};
  localparam int unsigned Outstandings[Cells] = '{16, 16, 16, 32, 64, 8};
  localparam int unsigned WriteDepths[Cells] = '{8, 16, 4, 16, 16, 2};
  localparam bit WindowChecks[Cells] = '{1'b1, 1'b1, 1'b1, 1'b1, 1'b0, 1'b1};
  localparam bit Guards[Cells] = '{1'b0, 1'b1, 1'b0, 1'b1, 1'b0, 1'b1};

  for (genvar i = 0; i < Cells; i++) begin : gen_cell
    localparam int unsigned Channels = ChannelsOf[i];
    localparam int unsigned AddrWidth = AddrWidths[i];
    localparam int unsigned ListWidth = ListWidths[i];
    localparam int unsigned ChannelWidth = $clog2(Channels < 2 ? 2 : Channels);

    logic [InWords-1:0][31:0] in;
    logic [OutWords-1:0][31:0] out;
    logic [15:0][31:0] wdata;
    logic [31:0][15:0] heads;
    logic [31:0][3:0] write_errors;
    bus_request_t request;
    bus_answer_t answer;
    window_t set;
    window_t [Channels-1:0][1:0] window;
    list_state_t [Channels-1:0] state;
    list_state_t chosen;
    list_part_t part;
    list_done_t [Channels-1:0] done;
    logic [Channels-1:0] valid, busy, done_ready, interrupts;
    list_told_t [Channels-1:0] told;
    localparam type list_ax_t = `TSR_LIST_AX_T(AddrWidth);
    localparam type list_req_t = `TSR_LIST_REQ_T(list_ax_t, ListWidth);
    localparam type list_rsp_t = `TSR_LIST_RSP_T(ListWidth);
    axi_attr_t [Channels-1:0] attr;
    list_req_t req;
    list_rsp_t rsp;
    logic ready, refused, rests;

    assign in = in_i[i];
    assign out_o[i] = out;
    assign request = '{
            write: in[0][1],
            word: 18'(in[0][31:16]),
            data: in[1],
            strobe: in[0][5:2]
        };
    assign set = '{
            first: {in[8][19:0], in[7]},
            last: {in[10][19:0], in[9]},
            read: in[6][16],
            write: in[6][17],
            lock: 1'b0
        };
    assign rsp = '{
            ar_ready: in[12][0],
            r_data: ListWidth'(in[28:13]),
            r: '{resp: in[12][4:3], last: in[12][2]},
            r_valid: in[12][1],
            aw_ready: in[12][5],
            w_ready: in[12][6],
            b_resp: in[12][9:8],
            b_valid: in[12][7]
        };
    for (genvar c = 0; c < Channels; c++) begin : gen_channel
      // The attributes are the number of the channel.
      assign attr[c] = axi_attr_t'(c);
      assign interrupts[c] = told[c].interrupts;
      assign done[c] = '{
              tag: in[29+4*c],
              index: in[30+4*c][15:0],
              bytes: {in[30+4*c][31:16], in[31+4*c]},
              status: in[32+4*c][6:0],
              last: in[32+4*c][8],
              task_end: in[32+4*c][9],
              interrupts: in[32+4*c][10]
          };
    end
    always_comb begin
      heads        = '0;
      write_errors = '0;
      busy         = '0;
      for (int unsigned c = 0; c < Channels; c++) begin
        heads[c]        = state[c].head;
        write_errors[c] = 4'(state[c].write_error);
        busy[c]         = state[c].busy;
      end
    end

    tsr_window_table #(
      .Channels (Channels),
      .AddrWidth(AddrWidth),
      .Windows  (2)
    ) u_windows (
      .clk_i,
      .rst_ni,
      .set_i    ('{valid: in[6][0], channel: in[6][12:8], index: in[6][4:1], window: set}),
      .refused_o(refused),
      .window_o (window)
    );

    tsr_lists #(
      .Channels   (Channels),
      .AddrWidth  (AddrWidth),
      .ListWidth  (ListWidth),
      .Slots      (SlotsOf[i]),
      .Outstanding(Outstandings[i]),
      .WriteDepth (WriteDepths[i]),
      .Guard      (Guards[i]),
      .WindowCheck(WindowChecks[i]),
      .Windows    (2)
    ) u_dut (
      .clk_i,
      .rst_ni,
      .tick_i      (1'b1),
      .give_up_i   ('0),
      .quiesce_i   (1'b0),
      .rests_o     (rests),
      .request_i   (request),
      .valid_i     (in[0][0]),
      .channel_i   (in[0][12:8]),
      .ready_o     (ready),
      .answer_o    (answer),
      .attr_i      (attr),
      .window_i    (window),
      .open_i      (in[2][Channels-1:0]),
      .again_i     (in[3][Channels-1:0]),
      .clear_i     (in[4][Channels-1:0]),
      .state_o     (state),
      .valid_o     (valid),
      .select_i    (in[5][ChannelWidth-1:0]),
      .part_o      (part),
      .take_i      (in[5][8]),
      .done_i      (done),
      .done_valid_i(in[11][Channels-1:0]),
      .done_ready_o(done_ready),
      .told_o      (told),
      .memory_o    (req),
      .memory_i    (rsp)
    );

    assign wdata = 512'(req.w_data);
    assign out[0] = {28'd0, rests, refused, answer.error, ready};
    assign out[1] = answer.data;
    assign out[2] = 32'(valid);
    assign out[3] = 32'(busy);
    assign out[4] = 32'(done_ready);
    assign out[5] = 32'(interrupts);
    assign out[6] = {
      8'd0,
      req.aw.len,
      req.ar.len,
      2'd0,
      req.b_ready,
      req.w_last,
      req.w_valid,
      req.aw_valid,
      req.r_ready,
      req.ar_valid
    };
    assign {out[8], out[7]} = 64'(req.ar.addr);
    assign {out[10], out[9]} = 64'(req.aw.addr);
    assign out[26:11] = wdata;
    assign {out[28], out[27]} = 64'(req.w_strb);
    assign out[29] = {part.index, 6'd0, part.error, part.turn_end, part.final_part, part.part};
    assign {out[31], out[30]} = part.addr;
    assign out[47:32] = part.words;
    assign out[63:48] = heads;
    assign out[67:64] = write_errors;
    // Of the channel that is selected: the entry that could not be written.
    assign chosen = state[in[5][ChannelWidth-1:0]];
    assign out[68] = 32'(chosen.failed_index);
    assign {out[70], out[69]} = chosen.failed_addr;
    assign out[71] = {5'd0, req.aw.attr, 5'd0, req.ar.attr};
  end

endmodule
