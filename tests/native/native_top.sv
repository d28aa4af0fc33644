// tsr_native and tsr_masters with pins that a test can read: structs of channels are words, laid out as the registers that
// show them. What the register bus does is on pins that begin with spy.
`include "tsr_pins.svh"
module native_top
  import tsr_pkg::*;
  import tsr_fabric_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_register_pkg::*;
  import tsr_dma_pkg::*;
#(
  localparam int unsigned Reads    = 3,
  localparam int unsigned Writes   = 2,
  localparam int unsigned Ports    = 2,
  localparam int unsigned Locks    = 10,
  localparam int unsigned Windows  = 3,
  localparam int unsigned Channels = Reads + Writes
) (
  input logic clk_i,
  input logic rst_ni,
  input logic [17:0] s_axil_awaddr,
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
  output logic bus_error_o,
  output logic [31:0] bus_data_o,
  // Setup: CONTROL, STANDING, TRIGGER.
  output logic [Channels-1:0][2:0][31:0] setup_o,
  output logic [31:0] task_o,  // as TASK
  output logic [31:0] task_tag_o,
  output logic [Channels-1:0] task_valid_o,
  input logic [Channels-1:0] task_ready_i,
  // STATUS; CURRENT, error 13:8, its descriptor 23:16, cause 27:24; address of the fault, low and high.
  input logic [Channels-1:0][4:0][31:0] view_i,
  // RECORD .. RECORD_ADDR_HIGH.
  input logic [Channels-1:0][9:0][31:0] record_i,
  output logic [Channels-1:0] record_pop_o,
  // Bits: task_done, interrupts, record, denied, lock_over, lock_under, entries, entry.
  input logic [Channels-1:0][7:0] events_i,
  // Causes; descriptor 7:0, reason 13:8; address, low and high.
  input logic [Channels-1:0][3:0][31:0] report_i,
  input logic [Channels-1:0] report_valid_i,
  output logic [Channels-1:0] report_ready_o,
  output logic [Channels-1:0] missed_clear_o,
  output logic extension_valid_o,
  output logic [4:0] extension_channel_o,
  output logic [19:0] extension_addr_o,
  input logic extension_ready_i,
  input logic extension_error_i,
  input logic [31:0] extension_data_i,
  output logic lock_valid_o,
  output logic [1:0] lock_command_o,
  output logic [5:0] lock_id_o,
  output logic [6:0] lock_value_o,
  input logic lock_ready_i,
  input logic lock_granted_i,
  input logic [5:0] lock_value_i,
  input logic [63:0] lock_over_i,
  input logic [63:0] lock_under_i,
  output logic [63:0] lock_over_clear_o,
  output logic [63:0] lock_under_clear_o,
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
  output logic window_valid_o,
  output logic [4:0] window_channel_o,
  output logic [3:0] window_index_o,
  output logic [63:0] window_first_o,  // addresses of pages
  output logic [63:0] window_last_o,
  output logic [2:0] window_flags_o,  // lock, write, read
  input logic window_refused_i,
  output logic quiesce_o,
  output logic tick_o,
  input logic quiet_i,
  input logic timed_out_i,
  input logic misrouted_i,
  input logic [Ports-1:0] rd_stray_i,
  input logic [Ports-1:0] wr_stray_i,
  output logic [15:0] trigger_o,
  output logic [31:0] cycles_o,
  output logic freeze_o,
  output logic clear_o,
  output logic irq_o,
  output logic [Channels-1:0] irq_channel_o,
  input logic start_refused_i,
  output logic [31:0] packet_control_o,  // as PACKET_CONTROL, without its lock
  output logic [17:0] packet_first_o,
  output logic [17:0] packet_last_o,
  input logic [3:0] packet_errors_i,
  output logic [3:0] packet_clear_o,
  // Its rise moves the counter of cycles.
  input logic jump_i,
  input logic [63:0] jump_to_i,
  output logic spy_done_o,
  output logic spy_axil_o,  // the master is AXI4-Lite
  output logic spy_write_o,
  output logic [19:0] spy_addr_o,
  output logic [31:0] spy_data_o,
  output logic [3:0] spy_strobe_o,
  output logic spy_error_o,
  output logic [31:0] spy_answer_o,
  output logic [4:0] spy_poll_o,
  output logic spy_visit_o
);

  channel_setup_t [Channels-1:0] setup;
  channel_view_t [Channels-1:0] view;
  record_t [Channels-1:0] record;
  channel_events_t [Channels-1:0] events;
  error_report_t [Channels-1:0] report;
  logic [Channels-1:0][4:0] level;
  task_t pushed;
  lock_access_t lock;
  lock_answer_t lock_answer;
  descriptor_access_t access;
  window_set_t window_set;
  bus_request_t bus_request, extension;
  bus_answer_t   bus_answer;
  packet_setup_t packets;

  for (genvar c = 0; c < Channels; c++) begin : gen_channel
    always_comb begin
      setup_o[c][0] = {
        9'b0,
        setup[c].control.stop_on,
        10'b0,
        setup[c].stop,
        setup[c].control.give_up,
        setup[c].control.reset,
        setup[c].aborts,
        setup[c].control.drain,
        setup[c].control.pause
      };
      setup_o[c][1] = {
        8'b0,
        setup[c].controller,
        1'b0,
        setup[c].attr.prot,
        setup[c].attr.cache,
        setup[c].attr.qos,
        setup[c].weight
      };
      setup_o[c][2] = {25'b0, setup[c].trigger_select};

      view[c] = '0;
      view[c].waits = wait_e'(view_i[c][0][3:0]);
      view[c].next_waits = wait_e'(view_i[c][0][7:4]);
      view[c].lock = view_i[c][0][13:8];
      view[c].busy = view_i[c][0][16];
      view[c].running = view_i[c][0][17];
      view[c].state.idle = view_i[c][0][18];
      view[c].state.paused = view_i[c][0][19];
      view[c].state.in_reset = view_i[c][0][20];
      view[c].state.stuck = view_i[c][0][21];
      view[c].halted = view_i[c][0][22];
      view[c].state.faulted = view_i[c][0][23];
      view[c].room = view_i[c][0][28:24];
      view[c].trigger_missed = view_i[c][0][29];
      view[c].state.named = view_i[c][0][30];
      view[c].descriptor = view_i[c][1][7:0];
      view[c].error = view_i[c][1][13:8];
      view[c].error_descriptor = view_i[c][1][23:16];
      view[c].oldest = view_i[c][4][7:0];
      view[c].state.cause = fault_e'(view_i[c][1][27:24]);
      view[c].state.addr = {view_i[c][3], view_i[c][2]};

      level[c] = record_i[c][0][12:8];
      record[c].descriptor = record_i[c][0][7:0];
      record[c].status = record_i[c][0][22:16];
      record[c].task_end = record_i[c][0][29];
      record[c].last = record_i[c][0][30];
      record[c].bytes = {record_i[c][2][15:0], record_i[c][1]};
      record[c].dropped = {record_i[c][4][15:0], record_i[c][3]};
      record[c].tag = record_i[c][5];
      record[c].side = record_i[c][6];
      record[c].stamp = record_i[c][7];
      record[c].addr = {record_i[c][9], record_i[c][8]};

      events[c].task_done = events_i[c][0];
      events[c].interrupts = events_i[c][1];
      events[c].record = events_i[c][2];
      events[c].denied = events_i[c][3];
      events[c].lock_over = events_i[c][4];
      events[c].lock_under = events_i[c][5];
      events[c].entries = events_i[c][6];
      events[c].entry = events_i[c][7];

      report[c].causes = report_i[c][0][14:0];
      report[c].descriptor = report_i[c][1][7:0];
      report[c].reason = report_i[c][1][13:8];
      report[c].addr = {report_i[c][3], report_i[c][2]};
    end
  end

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
  assign extension_addr_o = {extension.word, 2'b0};
  assign lock_command_o = lock.command;
  assign lock_id_o = lock.op.id;
  assign lock_value_o = lock.op.value;
  assign lock_answer = '{granted: lock_granted_i, value: lock_value_i};
  assign access_write_o = access.write;
  assign access_area_o = access.area;
  assign access_descriptor_o = access.descriptor;
  assign access_word_o = access.word;
  assign access_data_o = access.data;
  assign access_strobe_o = access.strobe;
  assign window_valid_o = window_set.valid;
  assign window_channel_o = window_set.channel;
  assign window_index_o = window_set.index;
  assign window_first_o = {window_set.window.first, 12'b0};
  assign window_last_o = {window_set.window.last, 12'b0};
  assign window_flags_o = {window_set.window.lock, window_set.window.write, window_set.window.read};
  assign bus_request = '{
          write: bus_write_i,
          word: 18'(bus_addr_i[17:2]),
          data: bus_data_i,
          strobe: bus_strobe_i
      };
  assign bus_error_o = bus_answer.error;
  assign bus_data_o = bus_answer.data;

  bus_request_t request;
  logic valid, ready;

  assign packet_control_o = {30'd0, packets.check_last, packets.enable};
  assign packet_first_o = {packets.first, 2'd0};
  assign packet_last_o = {packets.last, 2'd0};

  `TSR_AXIL_PINS

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
    .ready_i      (ready),
    .answer_i     (bus_answer)
  );

  localparam dma_config_t Config = '{
      Reads: Reads + 32'd0,
      Writes: Writes + 32'd0,
      Ports: Ports + 32'd0,
      AddrWidth: 48,
      DataWidth: 128,
      StreamWidth: 32,
      MaxBurst: 16,
      Outstanding: 24,
      Silence: 5000,
      StreamSilence: 6000,
      Windows: Windows + 32'd0,
      Descriptors: 100,
      TaskDepth: 8,
      RecordDepth: 16,
      Slots: DmaDefaults.Slots,
      Locks: Locks + 32'd0,
      ListWidth: DmaDefaults.ListWidth,
      ListSlots: DmaDefaults.ListSlots,
      TriggerStages: DmaDefaults.TriggerStages,
      Features: 17'b1_1011_1011_0111_1101,
      Column: 5,
      Row: 9
  };

  tsr_native #(
    .Config(Config)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .request_i          (request),
    .valid_i            (valid),
    .ready_o            (ready),
    .answer_o           (bus_answer),
    .setup_o            (setup),
    .task_o             (pushed),
    .task_valid_o,
    .task_ready_i,
    .view_i             (view),
    .record_i           (record),
    .record_level_i     (level),
    .record_pop_o,
    .events_i           (events),
    .report_i           (report),
    .report_valid_i,
    .report_ready_o,
    .missed_clear_o,
    .extension_request_o(extension),
    .extension_valid_o,
    .extension_channel_o,
    .extension_ready_i,
    .extension_answer_i ({extension_error_i, extension_data_i}),
    .lock_o             (lock),
    .lock_valid_o,
    .lock_ready_i,
    .lock_answer_i      (lock_answer),
    .lock_over_i,
    .lock_under_i,
    .lock_over_clear_o,
    .lock_under_clear_o,
    .access_o           (access),
    .access_valid_o,
    .access_ready_i,
    .access_error_i,
    .access_data_i,
    .window_set_o       (window_set),
    .window_refused_i,
    .quiesce_o,
    .tick_o,
    .quiet_i,
    .timed_out_i,
    .misrouted_i,
    .rd_stray_i,
    .wr_stray_i,
    .trigger_o,
    .cycles_o,
    .freeze_o,
    .clear_o,
    .irq_o,
    .irq_channel_o,
    .start_refused_i,
    .packets_o          (packets),
    .packet_errors_i,
    .packet_clear_o
  );

  always @(posedge jump_i) force u_dut.u_global.cycles_o = jump_to_i;
  always @(negedge jump_i) release u_dut.u_global.cycles_o;

  assign spy_done_o   = valid && ready;
  assign spy_axil_o   = u_masters.axil_ready;
  assign spy_write_o  = request.write;
  assign spy_addr_o   = {request.word, 2'b0};
  assign spy_data_o   = request.data;
  assign spy_strobe_o = request.strobe;
  assign spy_error_o  = bus_answer.error;
  assign spy_answer_o = bus_answer.data;
  assign spy_poll_o   = 5'(u_dut.u_channels.poll);
  assign spy_visit_o  = u_dut.u_channels.visit;

endmodule
