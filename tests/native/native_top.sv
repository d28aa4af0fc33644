// tsr_masters and tsr_dma_registers, of several builds, with pins that a test can read: what a channel
// shows and what it is set to are words. What the register bus does, and which channel is looked at, is on
// pins that begin with spy. tests/native/native_model.h has the same builds.
`include "tsr_pins.svh"
module native_top
  import tsr_fabric_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_register_pkg::*;
  import tsr_program_pkg::*;
  import tsr_cause_pkg::*;
  import tsr_list_unit_pkg::*;
  import tsr_dma_pkg::*;
#(
  localparam int unsigned Builds = 3,
  localparam int unsigned Most   = 32,  // channels
  localparam int unsigned Users  = 34   // of attributes
) (
  input logic clk_i,
  input logic rst_ni,
  input logic [1:0] build_i,
  input logic [17:0] s_axil_awaddr,
  input logic [2:0] s_axil_awprot,
  input logic s_axil_awvalid,
  output logic s_axil_awready,
  input logic [31:0] s_axil_wdata,
  input logic [3:0] s_axil_wstrb,
  input logic s_axil_wvalid,
  output logic s_axil_wready,
  output logic [1:0] s_axil_bresp,
  output logic s_axil_bvalid,
  input logic s_axil_bready,
  input logic [17:0] s_axil_araddr,
  input logic [2:0] s_axil_arprot,
  input logic s_axil_arvalid,
  output logic s_axil_arready,
  output logic [31:0] s_axil_rdata,
  output logic [1:0] s_axil_rresp,
  output logic s_axil_rvalid,
  input logic s_axil_rready,
  // The second master.
  input logic bus_write_i,
  input logic [17:0] bus_addr_i,
  input logic [31:0] bus_data_i,
  input logic [3:0] bus_strobe_i,
  input logic bus_valid_i,
  output logic bus_ready_o,
  // Tasks as TASK; records; locks; descriptor memory. `view_i`: sequencer_view_t.
  output logic [31:0] task_o,
  output logic [31:0] task_tag_o,
  output logic [4:0] task_channel_o,
  output logic task_valid_o,
  input logic task_ready_i,
  output logic [4:0] view_channel_o,
  input logic [47:0] view_i,
  output logic [4:0] record_channel_o,
  output logic [3:0] record_word_o,
  input logic [31:0] record_i,
  output logic record_pop_o,
  output logic lock_valid_o,
  output logic [1:0] lock_command_o,
  output logic [5:0] lock_id_o,
  output logic [6:0] lock_value_o,
  input logic lock_ready_i,
  input logic lock_granted_i,
  input logic [5:0] lock_value_i,
  output logic access_valid_o,
  output logic access_write_o,
  output logic [1:0] access_area_o,
  output logic [7:0] access_descriptor_o,
  output logic [3:0] access_word_o,
  output logic [31:0] access_data_o,
  output logic [3:0] access_strobe_o,
  input logic access_ready_i,
  input logic access_error_i,
  input logic [31:0] access_data_i,
  // What happens: lock_report_t, sequencer_event_t, entry_event_t, list_refusal_t.
  input logic [13:0] lock_report_i,
  input logic [39:0] event_i,
  input logic [63:0] event_addr_i,
  input logic event_valid_i,
  input logic [6:0] entry_i,
  input logic [27:0] refusal_i,
  input logic [63:0] refusal_addr_i,
  input logic refusal_valid_i,
  output logic refusal_ready_o,
  // Of a channel, from bit 0: channel_levels_t without three bits, port_view_t, a trigger was missed.
  input logic [Most-1:0][31:0] channel_i,
  output logic [Most-1:0] missed_clear_o,
  output logic [Most-1:0][31:0] setup_o,  // 6:0 orders, no `hold`, 11:8 weight, 18:12 trigger
  // By channel.
  input logic [4:0] stop_on_channel_i,
  output logic [6:0] stop_on_o,
  input logic [Users-1:0][31:0] attr_channel_i,
  output logic [Users-1:0][31:0] attr_o,  // qos, cache, prot
  input logic [4:0] token_channel_i,
  output logic [7:0] controller_o,
  // Others that answer.
  output logic extension_valid_o,
  output logic window_valid_o,
  output logic [4:0] other_channel_o,
  output logic other_write_o,
  output logic [19:0] other_addr_o,
  output logic [31:0] other_data_o,
  output logic [3:0] other_strobe_o,
  input logic extension_ready_i,
  input logic window_ready_i,
  input logic other_error_i,
  input logic [31:0] other_data_i,
  // Everything.
  output logic quiesce_o,
  output logic tick_o,
  input logic quiet_i,
  input logic timed_out_i,
  input logic misrouted_i,
  input logic [15:0] rd_stray_i,
  input logic [15:0] wr_stray_i,
  output logic [15:0] trigger_o,
  output logic [31:0] cycles_o,
  output logic freeze_o,
  output logic clear_o,
  output logic irq_o,
  output logic [Most-1:0] irq_channel_o,
  input logic start_refused_i,
  output logic [31:0] packet_control_o,  // as PACKET_CONTROL, without its lock
  output logic [17:0] packet_first_o,
  output logic [17:0] packet_last_o,
  input logic [3:0] packet_errors_i,
  output logic [3:0] packet_clear_o,
  // Its rise moves the counter of cycles.
  input logic jump_i,
  input logic [63:0] jump_to_i,
  output logic spy_valid_o,
  output logic spy_done_o,
  output logic spy_axil_o,  // the master is AXI4-Lite
  output logic spy_write_o,
  output logic [19:0] spy_addr_o,
  output logic [31:0] spy_data_o,
  output logic [3:0] spy_strobe_o,
  output logic spy_error_o,
  output logic [31:0] spy_answer_o,
  output logic spy_look_o,
  output logic [4:0] spy_channel_o,
  output logic spy_acts_o  // an access to causes has its effect
);

  // What comes of a build; the order is that of the assignment below.
  typedef struct packed {
    channel_orders_t [Most-1:0] orders;
    logic [Most-1:0][3:0] weight;
    trigger_select_t [Most-1:0] select;
    axi_attr_t [Users-1:0] attr;
    program_request_t programs;
    packet_setup_t packets;
    bus_request_t other;
    logic [Most-1:0] missed_clear, irq_channel;
    logic refusal_ready, extension, window, quiesce, tick, freeze, clear, irq, look, acts;
    channel_t other_channel, looked;
    logic [31:0] cycles;
    logic [15:0] trigger;
    logic [7:0] controller;
    logic [6:0] stop_on;
    logic [3:0] packet_clear;
  } pins_t;
  localparam int unsigned Rest = 151;
  pins_t [Builds-1:0] of_build;
  pins_t pins;
  logic [Builds-1:0] ready;
  bus_answer_t [Builds-1:0] answer;
  bus_request_t request, bus_request;
  logic valid;
  program_answer_t programs;
  sequencer_event_t happened;
  list_refusal_t refusal;
  rest_t rest;
  bus_answer_t other;

  assign pins = of_build[build_i];
  // From `missed_clear` on.
  assign {missed_clear_o, irq_channel_o, refusal_ready_o, extension_valid_o, window_valid_o,
          quiesce_o, tick_o, freeze_o, clear_o, irq_o, spy_look_o, spy_acts_o,
          other_channel_o, spy_channel_o, cycles_o,
          trigger_o, controller_o, stop_on_o, packet_clear_o} = Rest'(pins);
  assign bus_request = '{
          write: bus_write_i,
          word: 18'(bus_addr_i[17:2]),
          data: bus_data_i,
          strobe: bus_strobe_i
      };
  `TSR_AXIL_PINS
  logic unused_prot;
  assign unused_prot = ^{s_axil_awprot, s_axil_arprot};
  tsr_masters #(
    .Second(1'b1)
  ) u_masters (
    .clk_i,
    .rst_ni,
    .axil_i       (axil_req),
    .axil_o       (axil_rsp),
    .bus_request_i(bus_request),
    .bus_valid_i,
    .bus_ready_o,
    .request_o    (request),
    .valid_o      (valid),
    .ready_i      (ready[build_i]),
    .answer_i     (answer[build_i])
  );

  assign programs = '{
          push_ready: task_ready_i,
          sequencer: '{
              lock_ready: lock_ready_i,
              lock: '{granted: lock_granted_i, value: lock_value_i},
              read: record_i,
              view: sequencer_view_t'({view_i, 3'b0})
          },
          access_ready: access_ready_i,
          access_error: access_error_i,
          access_data: access_data_i
      };
  // Registers do not look at the rest of these.
  localparam int unsigned EventRest = $bits(sequencer_event_t) - 40 - 64;
  localparam int unsigned ReportRest = $bits(lock_report_t) - 14;
  assign happened = sequencer_event_t'({event_i, event_addr_i, {EventRest{1'b0}}});
  assign refusal = list_refusal_t'({refusal_i, refusal_addr_i});
  assign rest = '{quiet: quiet_i, timed_out: timed_out_i};
  assign other = '{error: other_error_i, data: other_data_i};

  localparam int unsigned ReadsOf[Builds] = '{3, 16, 1};
  localparam int unsigned WritesOf[Builds] = '{2, 16, 1};
  localparam int unsigned PortsOf[Builds] = '{2, 16, 1};
  localparam int unsigned LocksOf[Builds] = '{10, 64, 0};
  localparam int unsigned WindowsOf[Builds] = '{3, 16, 0};
  localparam int unsigned QueueOf[Builds] = '{16, 2, 8};
  localparam int unsigned GuardOf[Builds] = '{2, 0, 1};
  localparam logic [11:0] FeaturesOf[Builds] = '{12'hbfd, 12'h412, 12'hc25};  // as CAP_FEATURES
  for (genvar b = 0; b < Builds; b++) begin : gen_build
    localparam int unsigned Reads = ReadsOf[b];
    localparam int unsigned Ports = PortsOf[b];
    localparam int unsigned Channels = ReadsOf[b] + WritesOf[b];
    localparam logic [11:0] Has = FeaturesOf[b];
    localparam dma_config_t Config = '{
        Reads: ReadsOf[b] + 32'd0,
        Writes: WritesOf[b] + 32'd0,
        Ports: PortsOf[b] + 32'd0,
        AddrWidth: 48,
        DataWidth: 128,
        StreamWidth: 32,
        MaxBurst: 16,
        Outstanding: 24,
        Guard: GuardOf[b] + 32'd0,
        Windows: WindowsOf[b] + 32'd0,
        Walk: Has[0],
        Bounds: Has[1],
        Descriptors: 100,
        QueueDepth: QueueOf[b] + 32'd0,
        Locks: LocksOf[b] + 32'd0,
        Lists: Has[4],
        Triggers: Has[10],
        Counters: Has[3],
        Tokens: Has[5],
        ControlPackets: Has[6],
        Side: Has[7] ? 32'd2 : 32'(Has[11]),
        RouteDest: Has[9],
        SourceId: 5 * 32 + 9,
        default: '0
    };
    channel_levels_t [Channels-1:0] levels;
    port_view_t [Channels-1:0] ports;
    logic [Channels-1:0] missed, missed_clear, irq_channel;
    channel_orders_t [Channels-1:0] orders;
    logic [Channels-1:0][3:0] weight;
    trigger_select_t [Channels-1:0] select;
    axi_attr_t [2*Ports+1:0] attr;
    channel_t [2*Ports+1:0] attr_channel;
    for (genvar p = 0; p < 2 * Ports + 2; p++) begin : gen_attr_channel
      assign attr_channel[p] = attr_channel_i[p][4:0];
    end
    for (genvar c = 0; c < Channels; c++) begin : gen_channel
      assign levels[c] = channel_levels_t'({channel_i[c][6:0], 3'b0});
      assign ports[c]  = port_view_t'(channel_i[c][16:7]);
      assign missed[c] = channel_i[c][17];
    end
    logic [1:0] unused_inject;
    tsr_dma_registers #(
      .Config(Config)
    ) u_dut (
      .clk_i,
      .rst_ni,
      .request_i           (request),
      .valid_i             (valid && build_i == 2'(b)),
      .ready_o             (ready[b]),
      .answer_o            (answer[b]),
      .program_o           (of_build[b].programs),
      .program_i           (programs),
      .lock_report_i       (lock_report_t'({lock_report_i, {ReportRest{1'b0}}})),
      .event_i             (happened),
      .event_valid_i       (event_valid_i && build_i == 2'(b)),
      .levels_i            (levels),
      .stop_on_channel_i   (stop_on_channel_i),
      .stop_on_o           (of_build[b].stop_on),
      .orders_o            (orders),
      .weight_o            (weight),
      .trigger_select_o    (select),
      .missed_i            (missed),
      .missed_clear_o      (missed_clear),
      .port_i              (ports),
      .entry_i             (entry_event_t'(entry_i)),
      .list_refusal_i      (refusal),
      .list_refusal_valid_i(refusal_valid_i),
      .list_refusal_ready_o(of_build[b].refusal_ready),
      .attr_channel_i      (attr_channel),
      .attr_o              (attr),
      .token_channel_i     (token_channel_i),
      .controller_o        (of_build[b].controller),
      .extension_o         (of_build[b].other),
      .extension_channel_o (of_build[b].other_channel),
      .extension_valid_o   (of_build[b].extension),
      .extension_ready_i,
      .extension_i         (other),
      .window_valid_o      (of_build[b].window),
      .window_ready_i,
      .window_i            (other),
      .quiesce_o           (of_build[b].quiesce),
      .tick_o              (of_build[b].tick),
      .rest_i              (rest),
      .misrouted_i,
      .rd_stray_i          (rd_stray_i[Ports-1:0]),
      .wr_stray_i          (wr_stray_i[Ports-1:0]),
      .trigger_o           (of_build[b].trigger),
      .cycles_o            (of_build[b].cycles),
      .freeze_o            (of_build[b].freeze),
      .clear_o             (of_build[b].clear),
      .irq_o               (of_build[b].irq),
      .irq_channel_o       (irq_channel),
      .start_refused_i,
      .packets_o           (of_build[b].packets),
      .packet_errors_i,
      .packet_clear_o      (of_build[b].packet_clear),
      .onchip_event_i      ('0),
      .onchip_injected_i   (1'b0),
      .onchip_inject_o     (unused_inject)
    );
    assign of_build[b].orders       = ($bits(channel_orders_t) * Most)'(orders);
    assign of_build[b].weight       = (4 * Most)'(weight);
    assign of_build[b].select       = (7 * Most)'(select);
    assign of_build[b].missed_clear = Most'(missed_clear);
    assign of_build[b].irq_channel  = Most'(irq_channel);
    assign of_build[b].attr         = (11 * Users)'(attr);
    assign of_build[b].look         = u_dut.u_causes.poll_turn;
    assign of_build[b].acts         = u_dut.u_causes.access_turn;
    assign of_build[b].looked       = 5'(u_dut.u_causes.channel_q);
    always @(posedge jump_i) force u_dut.u_global.cycles_o = jump_to_i;
    always @(negedge jump_i) release u_dut.u_global.cycles_o;
  end

  task_t pushed;
  assign {task_channel_o, pushed} = pins.programs.push;
  assign task_o = {
    3'b0,
    pushed.from_list,
    pushed.paced,
    pushed.trigger,
    pushed.token,
    pushed.endless,
    pushed.repeats,
    pushed.start
  };
  assign task_tag_o = pushed.tag;
  assign task_valid_o = pins.programs.push_valid;
  assign view_channel_o = pins.programs.sequencer.view_channel;
  assign record_channel_o = pins.programs.sequencer.read_channel;
  assign record_word_o = pins.programs.sequencer.read_word;
  assign record_pop_o = pins.programs.sequencer.pop;
  assign lock_valid_o = pins.programs.sequencer.lock_valid;
  assign {lock_command_o, lock_id_o, lock_value_o} = pins.programs.sequencer.lock;
  assign access_valid_o = pins.programs.access_valid;
  assign {access_write_o, access_area_o, access_descriptor_o, access_word_o, access_data_o,
          access_strobe_o} = pins.programs.access;
  assign {other_write_o, other_addr_o[19:2], other_data_o, other_strobe_o} = pins.other;
  assign other_addr_o[1:0] = '0;
  assign {packet_control_o[0], packet_control_o[1], packet_first_o[17:2], packet_last_o[17:2]} =
      pins.packets;
  assign {packet_control_o[31:2], packet_first_o[1:0], packet_last_o[1:0]} = '0;
  for (genvar c = 0; c < Most; c++) begin : gen_setup
    assign setup_o[c] = 32'({pins.select[c], pins.weight[c], 1'b0, pins.orders[c][6:0]});
  end
  for (genvar p = 0; p < Users; p++) begin : gen_attr
    assign attr_o[p] = 32'(pins.attr[p]);
  end

  assign spy_valid_o  = valid;
  assign spy_done_o   = valid && ready[build_i];
  assign spy_axil_o   = u_masters.axil_ready;
  assign spy_write_o  = request.write;
  assign spy_addr_o   = {request.word, 2'b0};
  assign spy_data_o   = request.data;
  assign spy_strobe_o = request.strobe;
  assign spy_error_o  = answer[build_i].error;
  assign spy_answer_o = answer[build_i].data;

endmodule
