// Read and write engine of one memory port, with the channels of each and the ports to the bus.
//
// Contract: tsr_reader, tsr_writer, tsr_read_port, tsr_write_port. Of pairs the read side is 0. Channels count the reads of the port first, then its writes. Numbers of
// channels at contexts, launches and ends are those of the whole: FirstRead and FirstWrite are the
// first of the port. Ends of reads and writes take turns.
// Latency and throughput: as the engines.
`include "tsr_assert.svh"
`include "tsr_port_types.svh"
module tsr_engine_port
  import tsr_core_pkg::*;
  import tsr_fabric_pkg::axi_attr_t;
  import tsr_port_pkg::*;
  import tsr_program_pkg::*;
#(
  parameter int unsigned Reads = 1,  // 1 .. 16
  parameter int unsigned Writes = 1,  // 1 .. 16
  parameter int unsigned FirstRead = 0,
  parameter int unsigned FirstWrite = 1,
  parameter int unsigned AddrWidth = 64,  // 32 .. 64
  parameter int unsigned BusLog = 3,  // log2 of the bytes of the bus and of the streams, 2 .. 7
  parameter int unsigned MaxBurst = 16,  // words, a power of two; at most 4 KiB
  parameter int unsigned Outstanding = 64,  // bursts a direction, a power of two
  parameter int unsigned ReadBufferBeats = 32,
  parameter bit Reserve = 1'b0,  // room for reads, of one channel too
  parameter int unsigned WriteBufferBeats = 32,
  parameter int unsigned Slots = 4,  // contexts of a channel, 2 or 4
  parameter int unsigned Flight = 8,  // transfers of a channel in flight, a power of two
  parameter bit Side = 1'b0,
  parameter bit Kept = 1'b0,  // behind reads, see tsr_reader
  parameter int unsigned WriteParts = 1,
  parameter bit Walk = 1'b1,
  parameter bit Bounds = 1'b1,
  parameter int unsigned Windows = 0,  // of a channel, 0 .. 16
  parameter bit Guard = 1'b1,
  parameter int unsigned Timeout = 4096,  // ticks
  parameter int unsigned IdWidth = 4,
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
  localparam type read_beat_t = `TSR_READ_BEAT_T(Lanes, $clog2(Flight)),
  localparam type write_beat_t = `TSR_WRITE_BEAT_T(Lanes, WriteParts)
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  // Contexts, launches, ends
  input  port_contexts_t                  contexts_i,
  input  port_order_t      [Channels-1:0] orders_i,
  input  logic             [Channels-1:0] abort_i,
  output port_level_t      [Channels-1:0] levels_o,
  output transfer_end_t                   end_o,
  output logic                            end_valid_o,
  input  logic                            end_ready_i,
  input  end_word_e                       end_word_i,
  // Ports
  input  port_control_t    [         1:0] control_i,
  output port_state_t      [         1:0] state_o,
  output port_fault_t      [         1:0] fault_o,
  output port_event_t      [         1:0] event_o,
  input  window_request_t  [         1:0] window_i,
  output window_response_t [         1:0] window_o,
  output channel_t         [         1:0] attr_channel_o,
  input  axi_attr_t        [         1:0] attr_i,
  // AXI4
  output rd_req_t                         rd_o,
  input  rd_rsp_t                         rd_i,
  output wr_req_t                         wr_o,
  input  wr_rsp_t                         wr_i,
  // Streams
  output read_beat_t       [   Reads-1:0] m_beat_o,
  output logic             [   Reads-1:0] m_valid_o,
  input  logic             [   Reads-1:0] m_ready_i,
  input  write_beat_t      [  Writes-1:0] s_beat_i,
  input  logic             [  Writes-1:0] s_valid_i,
  output logic             [  Writes-1:0] s_ready_o,
  output logic             [  Writes-1:0] s_takes_o
);

  // ---- Contexts to their engine, ends back

  typedef logic [3:0] local_t;  // number in its engine
  contexts_t read_contexts, write_contexts;
  freed_t read_freed, write_freed;
  logic [Channels-1:0] pause, hold, busy, cuts, owed;
  logic [Channels-1:0][3:0] weight;
  function automatic logic has(input channel_t channel, input int unsigned first,
                               input int unsigned count);
    return 32'(channel) >= first && 32'(channel) < first + count;
  endfunction
  always_comb begin
    read_contexts = '{
        word_valid: contexts_i.word_valid && has(contexts_i.word_channel, FirstRead, Reads),
        word: contexts_i.word,
        go_valid: contexts_i.go_valid && has(contexts_i.go_channel, FirstRead, Reads),
        go_channel: local_t'(contexts_i.go_channel - channel_t'(FirstRead))
    };
    write_contexts = '{
        word_valid: contexts_i.word_valid && has(contexts_i.word_channel, FirstWrite, Writes),
        word: contexts_i.word,
        go_valid: contexts_i.go_valid && has(contexts_i.go_channel, FirstWrite, Writes),
        go_channel: local_t'(contexts_i.go_channel - channel_t'(FirstWrite))
    };
    read_contexts.word.channel = local_t'(contexts_i.word_channel - channel_t'(FirstRead));
    write_contexts.word.channel = local_t'(contexts_i.word_channel - channel_t'(FirstWrite));
  end
  for (genvar c = 0; c < Channels; c++) begin : gen_channel
    assign {pause[c], hold[c], weight[c]} = orders_i[c];
    assign levels_o[c] = '{
            freed:
            c
            <
            Reads
            ?
            read_freed.valid && 32'(read_freed.channel) == c
            :
            write_freed.valid
            && 32'(
            write_freed.channel
            ) ==
            c
            -
            Reads,
            busy: busy[c],
            cut: cuts[c],
            owed: owed[c]
        };
  end

  end_t read_end, write_end, first;
  logic read_end_valid, write_end_valid, writes_q;
  assign first       = writes_q ? write_end : read_end;
  assign end_valid_o = writes_q ? write_end_valid : read_end_valid;
  always_comb begin
    end_o             = '0;
    end_o.channel     = channel_t'(first.channel) + channel_t'(writes_q ? FirstWrite : FirstRead);
    end_o.slverr      = first.slverr;
    end_o.decerr      = first.decerr;
    end_o.denied      = first.denied;
    end_o.overlong    = first.overlong;
    end_o.sparse_keep = first.sparse_keep;
    end_o.aborted     = first.aborted;
    end_o.last        = first.last;
    end_o.side        = first.side;
    end_o.data        = end_word_i == WordAddress ? first.addr : 64'(first.bytes);
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) writes_q <= 1'b0;
    else if (end_ready_i || !end_valid_o) writes_q <= writes_q ? !read_end_valid : write_end_valid;
  end

  // ---- Engines

  localparam type burst_t = `TSR_PORT_BURST_T(AddrWidth);
  localparam type data_t = `TSR_PORT_DATA_T(Lanes);
  burst_t read_burst, write_burst;
  data_t read_data;
  w_t write_data;
  claim_t read_claim, write_claim;
  logic read_burst_valid, read_burst_ready, read_data_valid, read_data_ready;
  logic write_burst_valid, write_burst_ready, write_data_valid, write_data_ready;
  logic [1:0] response;
  logic response_valid, response_ready;
  assign attr_channel_o[0] = channel_t'(read_burst.channel) + channel_t'(FirstRead);
  assign attr_channel_o[1] = channel_t'(write_burst.channel) + channel_t'(FirstWrite);

  tsr_reader #(
    .Channels   (Reads),
    .Slots      (Slots),
    .AddrWidth  (AddrWidth),
    .BusLog     (BusLog),
    .MaxBurst   (MaxBurst),
    .Outstanding(Outstanding),
    .BufferBeats(ReadBufferBeats),
    .Reserve    (Reserve || Reads > 1),
    .Flight     (Flight),
    .Walk       (Walk),
    .Bounds     (Bounds),
    .Side       (Side),
    .Kept       (Kept),
    .Firsts     (Windows != 0)
  ) u_reader (
    .clk_i,
    .rst_ni,
    .contexts_i (read_contexts),
    .freed_o    (read_freed),
    .end_o      (read_end),
    .end_valid_o(read_end_valid),
    .end_ready_i(end_ready_i && !writes_q),
    .pause_i    (pause[Reads-1:0]),
    .abort_i    (abort_i[Reads-1:0]),
    .busy_o     (busy[Reads-1:0]),
    .cut_o      (cuts[Reads-1:0]),
    .weight_i   (weight[Reads-1:0]),
    .claim_o    (read_claim),
    .ar_o       (read_burst),
    .ar_valid_o (read_burst_valid),
    .ar_ready_i (read_burst_ready),
    .r_i        (read_data),
    .r_valid_i  (read_data_valid),
    .r_ready_o  (read_data_ready),
    .beat_o     (m_beat_o),
    .valid_o    (m_valid_o),
    .ready_i    (m_ready_i)
  );

  tsr_writer #(
    .Channels   (Writes),
    .Slots      (Slots),
    .AddrWidth  (AddrWidth),
    .BusLog     (BusLog),
    .MaxBurst   (MaxBurst),
    .Outstanding(Outstanding),
    .BufferBeats(WriteBufferBeats),
    .Flight     (Flight),
    .Walk       (Walk),
    .Bounds     (Bounds),
    .Side       (Side),
    .Firsts     (Windows != 0),
    .Parts      (WriteParts)
  ) u_writer (
    .clk_i,
    .rst_ni,
    .contexts_i (write_contexts),
    .freed_o    (write_freed),
    .end_o      (write_end),
    .end_valid_o(write_end_valid),
    .dropped_i  (end_word_i == WordDropped),
    .end_ready_i(end_ready_i && writes_q),
    .pause_i    (pause[Channels-1:Reads]),
    .abort_i    (abort_i[Channels-1:Reads]),
    .busy_o     (busy[Channels-1:Reads]),
    .cut_o      (cuts[Channels-1:Reads]),
    .weight_i   (weight[Channels-1:Reads]),
    .claim_o    (write_claim),
    .aw_o       (write_burst),
    .aw_valid_o (write_burst_valid),
    .aw_ready_i (write_burst_ready),
    .w_o        (write_data),
    .w_valid_o  (write_data_valid),
    .w_ready_i  (write_data_ready),
    .b_resp_i   (response),
    .b_valid_i  (response_valid),
    .b_ready_o  (response_ready),
    .beat_i     (s_beat_i),
    .valid_i    (s_valid_i),
    .ready_o    (s_ready_o),
    .takes_o    (s_takes_o)
  );

  // ---- Ports

  tsr_read_port #(
    .Channels   (Reads),
    .AddrWidth  (AddrWidth),
    .BusLog     (BusLog),
    .MaxBurst   (MaxBurst),
    .Outstanding(Outstanding),
    .Windows    (Windows),
    .Guard      (Guard),
    .Timeout    (Timeout),
    .IdWidth    (IdWidth)
  ) u_read_port (
    .clk_i,
    .rst_ni,
    .control_i    (control_i[0]),
    .state_o      (state_o[0]),
    .fault_o      (fault_o[0]),
    .event_o      (event_o[0]),
    .owed_o       (owed[Reads-1:0]),
    .window_i     (window_i[0]),
    .window_o     (window_o[0]),
    .hold_i       (hold[Reads-1:0]),
    .abort_i      (abort_i[Reads-1:0]),
    .claim_i      (read_claim),
    .burst_i      (read_burst),
    .attr_i       (attr_i[0]),
    .burst_valid_i(read_burst_valid),
    .burst_ready_o(read_burst_ready),
    .r_o          (read_data),
    .r_valid_o    (read_data_valid),
    .r_ready_i    (read_data_ready),
    .bus_o        (rd_o),
    .bus_i        (rd_i)
  );
  tsr_write_port #(
    .Channels   (Writes),
    .AddrWidth  (AddrWidth),
    .BusLog     (BusLog),
    .MaxBurst   (MaxBurst),
    .Outstanding(Outstanding),
    .Windows    (Windows),
    .Guard      (Guard),
    .Timeout    (Timeout),
    .IdWidth    (IdWidth)
  ) u_write_port (
    .clk_i,
    .rst_ni,
    .control_i    (control_i[1]),
    .state_o      (state_o[1]),
    .fault_o      (fault_o[1]),
    .event_o      (event_o[1]),
    .owed_o       (owed[Channels-1:Reads]),
    .window_i     (window_i[1]),
    .window_o     (window_o[1]),
    .hold_i       (hold[Channels-1:Reads]),
    .abort_i      (abort_i[Channels-1:Reads]),
    .claim_i      (write_claim),
    .burst_i      (write_burst),
    .attr_i       (attr_i[1]),
    .burst_valid_i(write_burst_valid),
    .burst_ready_o(write_burst_ready),
    .w_i          (write_data),
    .w_valid_i    (write_data_valid),
    .w_ready_o    (write_data_ready),
    .b_resp_o     (response),
    .b_valid_o    (response_valid),
    .b_ready_i    (response_ready),
    .bus_o        (wr_o),
    .bus_i        (wr_i)
  );

  `TSR_STATIC_ASSERT(FirstWrite, FirstWrite >= FirstRead + Reads && FirstWrite + Writes <= 32,
                     ("FirstWrite = %0d; legal is behind the reads, up to 32", FirstWrite))
  `TSR_ASSERT(AnEndHasAnEngine, !end_valid_o || (writes_q ? write_end_valid : read_end_valid))

endmodule
