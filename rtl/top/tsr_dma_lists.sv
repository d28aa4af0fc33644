// Lists of descriptors in memory, with their windows, for all channels of tessera_dma.
//
// Contract, latency, throughput: tsr_list_unit. What it reports goes on as an event of its channel when there is no other.
// `window_*` is the copy of the windows of channels that is kept for their lists. Without Lists nothing is built.
`include "tsr_assert.svh"
`include "tsr_port_types.svh"
module tsr_dma_lists
  import tsr_descriptor_pkg::*;
  import tsr_fabric_pkg::*;
  import tsr_port_pkg::*;
  import tsr_program_pkg::*;
  import tsr_list_unit_pkg::*;
  import tsr_cause_pkg::*;
  import tsr_dma_pkg::*;
#(
  parameter dma_config_t Config = DmaDefaults,
  parameter int unsigned ListWidth = 64,
  parameter int unsigned Ahead = 16,  // descriptors of a channel
  parameter int unsigned IdWidth = 4,
  localparam int unsigned Channels = Config.Reads + Config.Writes,
  localparam type ax_t = `TSR_PORT_AX_T(Config.AddrWidth, IdWidth),
  localparam type r_t = `TSR_PORT_R_T(ListWidth / 8, IdWidth),
  localparam type w_t = `TSR_PORT_W_T(ListWidth / 8),
  localparam type b_t = `TSR_PORT_B_T(IdWidth),
  localparam type rd_req_t = `TSR_PORT_RD_REQ_T(ax_t),
  localparam type rd_rsp_t = `TSR_PORT_RD_RSP_T(r_t),
  localparam type wr_req_t = `TSR_PORT_WR_REQ_T(ax_t, w_t),
  localparam type wr_rsp_t = `TSR_PORT_WR_RSP_T(b_t)
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic                            tick_i,
  input  logic                            quiesce_i,
  output rest_t                           rest_o,
  // Registers
  input  outer_request_t                  request_i,
  output outer_answer_t                   answer_o,
  input  window_request_t                 window_i,
  output window_response_t                window_o,
  input  logic             [Channels-1:0] in_reset_i,
  input  logic             [Channels-1:0] give_up_i,
  // Sequencer and preparation
  input  list_order_t      [Channels-1:0] list_i,
  output list_state_t      [Channels-1:0] list_o,
  input  to_lists_t                       lists_i,
  output from_lists_t                     lists_o,
  // What happens to channels: of the sequencer, and of all
  input  report_t                         report_i,
  output report_t                         report_o,
  // AXI4, with the attributes of its channel
  output channel_t                        attr_channel_o,
  input  axi_attr_t                       attr_i,
  output rd_req_t                         rd_o,
  input  rd_rsp_t                         rd_i,
  output wr_req_t                         wr_o,
  input  wr_rsp_t                         wr_i
);

  if (Config.Lists) begin : gen_lists
    list_check_t check;
    list_written_t written;
    list_refusal_t refusal;
    list_answer_t answer;
    list_permit_t permit;
    list_reset_t [Channels-1:0] resets;
    logic check_valid, refusal_valid, moves;
    assign attr_channel_o = check.channel;
    always_comb begin
      for (int unsigned c = 0; c < Channels; c++) resets[c] = {in_reset_i[c], give_up_i[c]};
    end
    tsr_list_unit #(
      .Channels (Channels),
      .AddrWidth(Config.AddrWidth),
      .ListWidth(ListWidth),
      .Ahead    (Ahead),
      .IdWidth  (IdWidth),
      .Guard    (Config.Guard != 0),
      .Silence  (Silence),
      .Walk     (Config.Walk),
      .Bounds   (Config.Bounds)
    ) u_lists (
      .clk_i,
      .rst_ni,
      .tick_i,
      .quiesce_i,
      .rests_o(rest_o.quiet),
      .access_i({
        request_i.lists,
        request_i.channel,
        request_i.bus.word[5:2],
        request_i.bus.write,
        request_i.bus.data,
        request_i.bus.strobe
      }),
      .answer_o(answer),
      .reset_i(resets),
      .refusal_o(refusal),
      .refusal_valid_o(refusal_valid),
      .refusal_ready_i(!report_i.event_valid),
      .written_o(written),
      .check_o(check),
      .check_valid_o(check_valid),
      .check_i(permit),
      .attr_i,
      .list_i,
      .list_o,
      .lists_i,
      .lists_o,
      .rd_o,
      .rd_i,
      .wr_o,
      .wr_i
    );
    assign answer_o = request_i.lists ? answer : '0;
    tsr_list_permit #(
      .Channels(Channels),
      .Windows (Config.Windows)
    ) u_permit (
      .clk_i,
      .rst_ni,
      .request_i  (window_i),
      .response_o (window_o),
      .check_i    (check),
      .valid_i    (check_valid),
      .ready_o    (permit.ready),
      .permitted_o(permit.permitted)
    );

    always_comb begin
      report_o = report_i;
      report_o.entry = '{
          valid: written.valid,
          channel: written.channel,
          interrupts: written.interrupts
      };
      if (!report_i.event_valid) begin
        report_o.event_valid               = refusal_valid;
        report_o.channel                   = '0;
        report_o.channel.channel           = refusal.channel;
        report_o.channel.descriptor        = refusal.index[7:0];
        report_o.channel.reason            = refusal.reason;
        report_o.channel.addr              = refusal.addr;
        report_o.channel.causes.load       = !refusal.entry;
        report_o.channel.causes.from_list  = !refusal.entry;
        report_o.channel.causes.write_back = refusal.entry;
      end
    end

    // Whether the memory lets a quiesce end.
    assign moves = (rd_o.ar_valid && rd_i.ar_ready) || (rd_i.r_valid && rd_o.r_ready) ||
        (wr_o.aw_valid && wr_i.aw_ready) || (wr_o.w_valid && wr_i.w_ready) ||
        (wr_i.b_valid && wr_o.b_ready);
    tsr_watchdog #(
      .Ticks(Silence)
    ) u_silence (
      .clk_i,
      .rst_ni,
      .tick_i,
      .waits_i(quiesce_i && !rest_o.quiet),
      .moves_i(moves),
      .over_o (rest_o.timed_out)
    );
    logic unused_bits;
    assign unused_bits = ^{request_i, refusal.index[15:8]};
  end else begin : gen_none
    assign {list_o, lists_o, rd_o, wr_o, attr_channel_o, answer_o, window_o} = '0;
    assign rest_o = '{quiet: 1'b1, timed_out: 1'b0};
    assign report_o = report_i;
    logic unused_lists;
    assign unused_lists = ^{tick_i, quiesce_i, request_i, window_i, in_reset_i, give_up_i} ^
        ^{list_i, lists_i, attr_i, rd_i, wr_i};
  end

  `TSR_ASSERT(NoEventIsLost, !report_i.event_valid || report_o.channel == report_i.channel)

endmodule
