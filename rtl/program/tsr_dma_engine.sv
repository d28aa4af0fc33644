// Programmed channels of all memory ports: descriptors, tasks and locks in, AXI4 and streams out.
//
// Wiring of sequencer, preparation and ports, with what joins the lists in memory. Channels count reads first, then writes; each port has an equal
// part of the reads and of the writes, in their order. Contract, latency, throughput: tsr_program_sequencer,
// tsr_preparation, tsr_engine_port. Ends of ports take turns at the sequencer.
`include "tsr_assert.svh"
`include "tsr_port_types.svh"
module tsr_dma_engine
  import tsr_core_pkg::*;
  import tsr_fabric_pkg::axi_attr_t;
  import tsr_port_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_register_pkg::*;
  import tsr_program_pkg::*;
#(
  parameter int unsigned Reads = 1,  // 1 .. 16
  parameter int unsigned Writes = 1,  // 1 .. 16
  parameter int unsigned Ports = 1,  // divides Reads and Writes
  parameter int unsigned AddrWidth = 64,  // 32 .. 64
  parameter int unsigned BusLog = 3,  // log2 of the bytes of the bus and of the streams, 2 .. 7
  parameter int unsigned MaxBurst = 16,  // words, a power of two; at most 4 KiB
  parameter int unsigned Outstanding = 64,  // bursts a direction, a power of two
  parameter int unsigned ReadBufferBeats = 32,
  parameter bit Reserve = 1'b0,  // room for reads, of one channel too
  parameter int unsigned WriteBufferBeats = 32,
  parameter int unsigned Slots = 4,  // contexts of a channel, 2 or 4
  parameter bit Walk = 1'b1,
  parameter bit Bounds = 1'b1,
  parameter int unsigned Descriptors = 16,  // 1 .. 256
  parameter int unsigned TaskDepth = 4,
  parameter int unsigned RecordDepth = 8,
  parameter int unsigned Locks = 16,
  parameter bit EqualTakes = 1'b0,
  parameter int unsigned Windows = 0,  // of a channel, 0 .. 16
  parameter bit Guard = 1'b1,
  parameter int unsigned Timeout = 4096,  // ticks
  parameter int unsigned IdWidth = 4,
  parameter bit Lists = 1'b0,
  parameter int unsigned Places = 0,  // of lists, 0 .. 128
  parameter bit Side = 1'b0,  // beside the streams
  parameter bit Kept = 1'b0,  // behind reads, see tsr_reader
  parameter bit Headers = 1'b0,  // packets that are sent may begin with one
  parameter bit OutOfOrder = 1'b0,
  parameter bit Marks = 1'b0,
  parameter bit Ordered = 1'b0,
  parameter bit Settles = Lists,  // a reset waits for lists or streams
  parameter bit Far = 1'b0,
  parameter int unsigned WriteParts = 1,  // of a beat, see tsr_writer
  localparam int unsigned Channels = Reads + Writes,
  localparam int unsigned Lanes = 2 ** BusLog,
  localparam type ax_t = `TSR_PORT_AX_T(AddrWidth, IdWidth),
  localparam type r_t = `TSR_PORT_R_T(Lanes, IdWidth),
  localparam type w_t = `TSR_PORT_W_T(Lanes),
  localparam type b_t = `TSR_PORT_B_T(IdWidth),
  localparam type rd_req_t = `TSR_PORT_RD_REQ_T(ax_t),
  localparam type rd_rsp_t = `TSR_PORT_RD_RSP_T(r_t),
  localparam type wr_req_t = `TSR_PORT_WR_REQ_T(ax_t, w_t),
  localparam type wr_rsp_t = `TSR_PORT_WR_RSP_T(b_t),
  localparam type read_beat_t = `TSR_READ_BEAT_T(Lanes, $clog2(RecordDepth)),
  localparam type write_beat_t = `TSR_WRITE_BEAT_T(Lanes, WriteParts)
) (
  input  logic                                   clk_i,
  input  logic                                   rst_ni,
  input  logic               [        31:0]      cycles_i,
  // Registers, and what surrounds the engine
  input  push_t                                  push_i,
  input  logic                                   push_valid_i,
  output logic                                   push_ready_o,
  input  sequencer_request_t                     program_i,
  output sequencer_answer_t                      program_o,
  input  descriptor_access_t                     access_i,
  input  logic                                   access_valid_i,
  output logic                                   access_ready_o,
  output logic                                   access_error_o,
  output logic               [        31:0]      access_data_o,
  input  orders_t            [Channels-1:0]      orders_i,
  output channel_levels_t    [Channels-1:0]      levels_o,
  output lock_report_t                           lock_report_o,
  output far_request_t                           far_o,
  input  far_answer_t                            far_i,
  output channel_t                               end_channel_o,
  input  logic               [         6:0]      stop_on_i,
  output sequencer_event_t                       event_o,
  output logic                                   event_valid_o,
  output logic               [Channels-1:0]      trigger_take_o,
  output logic                                   token_valid_o,
  // Jobs of the sequencer, and of the preparation: wires, unless something stands between them that writes places of the lists
  output job_t                                   job_o,
  output logic                                   job_valid_o,
  input  logic                                   job_ready_i,
  input  logic               [       127:0]      shown_i,
  input  logic                                   shown_ordered_i,
  input  logic                                   shown_valid_i,
  input  job_t                                   prepare_i,
  input  logic                                   prepare_valid_i,
  output logic                                   prepare_ready_o,
  output logic               [       127:0]      shown_o,
  output logic                                   shown_valid_o,
  output channel_t                               go_channel_o,     // a transfer is launched
  output logic                                   go_valid_o,
  // Lists: see tsr_program_sequencer, tsr_preparation
  output list_order_t        [Channels-1:0]      list_o,
  input  list_state_t        [Channels-1:0]      list_i,
  output to_lists_t                              lists_o,
  input  from_lists_t                            lists_i,
  // Ports: reads are 0, writes 1
  input  port_control_t      [   Ports-1:0][1:0] control_i,
  output port_state_t        [   Ports-1:0][1:0] state_o,
  output port_fault_t        [   Ports-1:0][1:0] fault_o,
  output port_event_t        [   Ports-1:0][1:0] port_event_o,
  output logic               [Channels-1:0]      owed_o,
  input  window_request_t    [   Ports-1:0][1:0] window_i,
  output window_response_t   [   Ports-1:0][1:0] window_o,
  output channel_t           [   Ports-1:0][1:0] attr_channel_o,
  input  axi_attr_t          [   Ports-1:0][1:0] attr_i,
  // AXI4
  output rd_req_t            [   Ports-1:0]      rd_o,
  input  rd_rsp_t            [   Ports-1:0]      rd_i,
  output wr_req_t            [   Ports-1:0]      wr_o,
  input  wr_rsp_t            [   Ports-1:0]      wr_i,
  // Streams
  output read_beat_t         [   Reads-1:0]      m_beat_o,
  output logic               [   Reads-1:0]      m_valid_o,
  input  logic               [   Reads-1:0]      m_ready_i,
  input  write_beat_t        [  Writes-1:0]      s_beat_i,
  input  logic               [  Writes-1:0]      s_valid_i,
  output logic               [  Writes-1:0]      s_ready_o,
  output logic               [  Writes-1:0]      s_takes_o,
  // Beside them: see tsr_program_sequencer
  output beside_t                                beside_o,
  output logic                                   beside_valid_o,
  output receive_control_t   [Channels-1:0]      receive_o
);

  // ---- Programming

  prepared_t prepared, sequenced;
  logic prepared_valid, go_valid, word_valid;
  channel_t go_channel, word_channel;
  context_word_t word;
  port_contexts_t contexts;
  logic word_valid_q;
  channel_t word_channel_q;
  context_word_t word_q;
  logic [Channels-1:0] freed, aborts;
  port_order_t [Channels-1:0] port_order;
  // An order to pause is a cycle on its way.
  for (genvar c = 0; c < Channels; c++) begin : gen_order
    logic pause_q;
    always_ff @(posedge clk_i) pause_q <= orders_i[c].pause;
    assign port_order[c] = '{pause: pause_q, hold: orders_i[c].hold, weight: orders_i[c].weight};
    assign aborts[c]     = levels_o[c].dropping;
  end
  engine_state_t [Channels-1:0] state;
  transfer_end_t ended;
  logic ended_valid, ended_ready;
  end_word_e ended_word;

  channel_t  unused_shown;
  assign lists_o.prepared       = prepared;
  assign lists_o.prepared_valid = prepared_valid;
  assign go_channel_o           = go_channel;
  assign go_valid_o             = go_valid;
  always_comb begin
    sequenced           = prepared;
    sequenced.from_list = Lists && prepared.from_list;
  end

  tsr_program_sequencer #(
    .Reads      (Reads),
    .Writes     (Writes),
    .TaskDepth  (TaskDepth),
    .RecordDepth(RecordDepth),
    .Slots      (Slots),
    .Locks      (Locks),
    .Lists      (Lists),
    .EqualTakes (EqualTakes),
    .Side       (Side),
    .OutOfOrder (OutOfOrder),
    .Marks      (Marks),
    .Walk       (Walk),
    .Ordered    (Ordered),
    .Settles    (Settles),
    .Far        (Far)
  ) u_sequencer (
    .clk_i,
    .rst_ni,
    .cycles_i,
    .push_i,
    .push_valid_i,
    .push_ready_o,
    .program_i,
    .program_o,
    .orders_i,
    .levels_o,
    .lock_report_o,
    .far_o,
    .far_i,
    .end_channel_o,
    .stop_on_i,
    .event_o,
    .event_valid_o,
    .job_o,
    .job_valid_o,
    .job_ready_i,
    .shown_i,
    .shown_ordered_i,
    .shown_valid_i,
    .prepared_i      (sequenced),
    .prepared_valid_i(prepared_valid),
    .go_channel_o    (go_channel),
    .go_valid_o      (go_valid),
    .freed_i         (freed),
    .engine_i        (state),
    .end_i           (ended),
    .end_valid_i     (ended_valid),
    .end_ready_o     (ended_ready),
    .end_word_o      (ended_word),
    .beside_o,
    .beside_valid_o,
    .receive_o,
    .trigger_take_o,
    .token_valid_o,
    .list_o,
    .list_i,
    .list_channel_o  (lists_o.head_channel),
    .list_head_i     (lists_i.head),
    .list_refused_o  (lists_o.refused),
    .entry_o         (lists_o.entry),
    .entry_valid_o   (lists_o.entry_valid),
    .entry_ready_i   (lists_i.entry_ready)
  );
  tsr_preparation #(
    .AddrWidth  (AddrWidth),
    .BusLog     (BusLog),
    .Channels   (Channels),
    .Descriptors(Descriptors),
    .Places     (Places),
    .Locks      (Locks),
    .Headers    (Headers),
    .Walk       (Walk),
    .Bounds     (Bounds)
  ) u_preparation (
    .clk_i,
    .rst_ni,
    .job_i               (prepare_i),
    .job_valid_i         (prepare_valid_i),
    .job_ready_o         (prepare_ready_o),
    .descriptor_channel_o(unused_shown),
    .descriptor_o        (shown_o),
    .descriptor_valid_o  (shown_valid_o),
    .word_channel_o      (word_channel),
    .word_o              (word),
    .word_valid_o        (word_valid),
    .prepared_o          (prepared),
    .prepared_valid_o    (prepared_valid),
    .list_i              (lists_i.row),
    .list_valid_i        (lists_i.row_valid),
    .list_ready_o        (lists_o.row_ready),
    .access_i,
    .access_valid_i,
    .access_ready_o,
    .access_error_o,
    .access_data_o
  );

  // ---- Ports

  // Registers: a context is launched a cycle behind its last word at the earliest.
  always_ff @(posedge clk_i) begin
    word_valid_q   <= rst_ni && word_valid;
    word_channel_q <= word_channel;
    word_q         <= word;
  end
  assign contexts = '{
          word_valid: word_valid_q,
          word_channel: word_channel_q,
          word: word_q,
          go_valid: go_valid,
          go_channel: go_channel
      };

  localparam int unsigned PortReads = Reads / Ports;
  localparam int unsigned PortWrites = Writes / Ports;
  transfer_end_t [Ports-1:0] port_end;
  logic [Ports-1:0] port_end_valid, port_end_ready;
  for (genvar p = 0; p < Ports; p++) begin : gen_port
    localparam int unsigned FirstRead = p * PortReads;
    localparam int unsigned FirstWrite = Reads + p * PortWrites;
    port_level_t [PortReads+PortWrites-1:0] level;
    tsr_engine_port #(
      .Reads           (PortReads),
      .Writes          (PortWrites),
      .FirstRead       (FirstRead),
      .FirstWrite      (FirstWrite),
      .AddrWidth       (AddrWidth),
      .BusLog          (BusLog),
      .MaxBurst        (MaxBurst),
      .Outstanding     (Outstanding),
      .ReadBufferBeats (ReadBufferBeats),
      .Reserve         (Reserve),
      .WriteBufferBeats(WriteBufferBeats),
      .Slots           (Slots),
      .Flight          (RecordDepth),
      .Side            (Side),
      .Kept            (Kept),
      .WriteParts      (WriteParts),
      .Walk            (Walk),
      .Bounds          (Bounds),
      .Windows         (Windows),
      .Guard           (Guard),
      .Timeout         (Timeout),
      .IdWidth         (IdWidth)
    ) u_port (
      .clk_i,
      .rst_ni,
      .contexts_i    (contexts),
      .orders_i      ({port_order[FirstWrite+:PortWrites], port_order[FirstRead+:PortReads]}),
      .abort_i       ({aborts[FirstWrite+:PortWrites], aborts[FirstRead+:PortReads]}),
      .levels_o      (level),
      .end_o         (port_end[p]),
      .end_valid_o   (port_end_valid[p]),
      .end_ready_i   (port_end_ready[p]),
      .end_word_i    (ended_word),
      .control_i     (control_i[p]),
      .state_o       (state_o[p]),
      .fault_o       (fault_o[p]),
      .window_i      (window_i[p]),
      .window_o      (window_o[p]),
      .attr_channel_o(attr_channel_o[p]),
      .attr_i        (attr_i[p]),
      .rd_o          (rd_o[p]),
      .rd_i          (rd_i[p]),
      .wr_o          (wr_o[p]),
      .wr_i          (wr_i[p]),
      .event_o       (port_event_o[p]),
      .m_beat_o      (m_beat_o[FirstRead+:PortReads]),
      .m_valid_o     (m_valid_o[FirstRead+:PortReads]),
      .m_ready_i     (m_ready_i[FirstRead+:PortReads]),
      .s_beat_i      (s_beat_i[p*PortWrites+:PortWrites]),
      .s_takes_o     (s_takes_o[p*PortWrites+:PortWrites]),
      .s_valid_i     (s_valid_i[p*PortWrites+:PortWrites]),
      .s_ready_o     (s_ready_o[p*PortWrites+:PortWrites])
    );
    for (genvar i = 0; i < PortReads + PortWrites; i++) begin : gen_state
      localparam int unsigned C = i < PortReads ? FirstRead + i : FirstWrite + i - PortReads;
      // Idle a cycle late: until then the sequencer has the transfer.
      logic idle_q;
      always_ff @(posedge clk_i) idle_q <= rst_ni && !level[i].busy;
      assign state[C]  = '{idle: idle_q, cut: level[i].cut};
      assign owed_o[C] = level[i].owed;
      assign freed[C]  = level[i].freed;
    end
  end

  // Ends of ports in turn; an end that waits stays.
  if (Ports == 1) begin : gen_end
    assign ended          = port_end[0];
    assign ended_valid    = port_end_valid[0];
    assign port_end_ready = ended_ready;
  end else begin : gen_ends
    logic [Ports-1:0] next, last_q;
    logic waits_q;
    tsr_round_robin #(
      .Channels(Ports)
    ) u_turns (
      .request_i(port_end_valid),
      .last_i   (last_q),
      .next_o   (next)
    );
    logic [Ports-1:0] pick;
    assign pick           = waits_q ? last_q : next;
    assign ended_valid    = port_end_valid != '0;
    assign port_end_ready = pick & {Ports{ended_ready}};
    always_comb begin
      ended = '0;
      for (int unsigned p = 0; p < Ports; p++) if (pick[p]) ended = ended | port_end[p];
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) last_q <= Ports'(1);
      else if (ended_valid) last_q <= pick;
      waits_q <= rst_ni && ended_valid && !ended_ready;
    end
  end

  `TSR_STATIC_ASSERT(Reads, Reads >= 1 && Reads <= 16, ("Reads = %0d; legal is 1 to 16", Reads))
  `TSR_STATIC_ASSERT(Writes, Writes >= 1 && Writes <= 16,
                     ("Writes = %0d; legal is 1 to 16", Writes))
  `TSR_STATIC_ASSERT(Ports, Ports >= 1 && Reads % Ports == 0 && Writes % Ports == 0,
                     ("Ports = %0d; legal is what divides Reads and Writes", Ports))
  `TSR_ASSERT(OneEnd, $onehot0(port_end_ready))

endmodule
