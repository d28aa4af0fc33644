// Memory to stream: executes transfers, one after the other without a gap.
//
// Contract: transfers by valid/ready, records in the same order by valid/ready. Never more than
// `Outstanding` bursts in flight; none crosses 4 KiB. With RoomBeats = 0 read data waits on the bus
// while the stream does (RREADY low); else it is asked for only when RoomBeats of buffer can take it,
// and RREADY is never low. Abort: see tsr_halt.
// Latency: transfer to ARVALID 4 cycles; RVALID to TVALID 2 (one more with RoomBeats).
// Throughput: one row, one burst, one bus word and one stream beat a cycle.
`include "tsr_assert.svh"
module tsr_read_engine
  import tsr_pkg::*;
#(
  parameter int unsigned AddrWidth = 64,  // 32..64
  parameter int unsigned DataWidth = 64,  // 32..1024, a power of two
  parameter int unsigned StreamWidth = 64,  // 8..1024, a power of two
  parameter int unsigned MaxBurst = 64,  // beats, 1..256
  parameter int unsigned Outstanding = 64,  // bursts, 1..128
  parameter int unsigned RoomBeats = 0,  // 0, or a power of two, at least MaxBurst
  parameter bit Walk = 1'b1,
  parameter bit Bounds = 1'b1,
  localparam int unsigned DataBytes = DataWidth / 8,
  localparam int unsigned StreamBytes = StreamWidth < 8 ? 1 : StreamWidth / 8
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  transfer_t                    transfer_i,
  input  logic                         valid_i,
  output logic                         ready_o,
  output done_t                        done_o,
  output logic                         done_valid_o,
  input  logic                         done_ready_i,
  input  logic                         abort_i,
  output logic                         idle_o,
  output read_mark_t                   mark_o,
  output logic       [  AddrWidth-1:0] araddr_o,
  output logic       [            7:0] arlen_o,
  output logic                         arvalid_o,
  input  logic                         arready_i,
  input  logic       [  DataWidth-1:0] rdata_i,
  input  logic       [            1:0] rresp_i,
  input  logic                         rlast_i,
  input  logic                         rvalid_i,
  output logic                         rready_o,
  output logic       [StreamWidth-1:0] tdata_o,
  output logic       [StreamBytes-1:0] tkeep_o,
  output logic                         tlast_o,
  output logic                         tvalid_o,
  input  logic                         tready_i
);

  tsr_engine_params #(
    .AddrWidth  (AddrWidth),
    .DataWidth  (DataWidth),
    .StreamWidth(StreamWidth),
    .MaxBurst   (MaxBurst),
    .Outstanding(Outstanding),
    .BufferBeats(RoomBeats)
  ) u_params ();

  localparam int unsigned GroupBytes = DataBytes < StreamBytes ? DataBytes : StreamBytes;
  localparam int unsigned OffWidth = $clog2(DataBytes);
  localparam int unsigned WordAddrWidth = AddrWidth - OffWidth;
  localparam int unsigned SizeWidth = $clog2(GroupBytes) + 1;
  localparam int unsigned SumWidth = $clog2(GroupBytes) + 2;
  // An item a burst in flight, and some that wait.
  localparam int unsigned ItemDepth = Outstanding < 8 ? 8 : 1 << $clog2(Outstanding);

  typedef logic [SizeWidth-1:0] size_t;
  typedef logic [SumWidth-1:0] sum_t;

  logic kill, halted, close, closed, give, quiet, drained, accept, recorded;

  // ---- Request side -----------------------------------------------------------------------------

  logic
      offered,
      plan_ready,
      packets,
      unused_finish_last,
      unused_item_eot,
      unused_stale,
      unused_dropped,
      unused_tag,
      unused_owed;
  logic [2:0] unused_elem;
  logic op_valid, op_set, op_word_end, op_eot, op_flush, op_last, op_illegal, op_packets;
  logic take, take_data, take_all;
  logic [63:0] op_value;
  size_t op_lead, op_data;
  sum_t op_lead_data, op_all;
  logic [OffWidth-1:0] op_off;
  logic burst_valid, burst_ready;
  logic [WordAddrWidth-1:0] burst_first;
  logic [7:0] burst_len;

  assign accept  = valid_i && ready_o;
  assign offered = valid_i && (!halted || kill);  // an abort takes a transfer that has begun
  assign ready_o = plan_ready && (!halted || kill);

  tsr_planner #(
    .AddrWidth (AddrWidth),
    .DataBytes (DataBytes),
    .GroupBytes(GroupBytes),
    .MaxBurst  (MaxBurst),
    .UserWidth (1),
    .Walk      (Walk),
    .Bounds    (Bounds),
    .SendFill  (1'b1),
    .ItemDepth (ItemDepth)
  ) u_planner (
    .clk_i,
    .rst_ni,
    .kill_i        (kill),
    .drop_i        (1'b0),
    .drop_tag_i    (1'b0),
    .stale_o       (unused_stale),
    .dropped_o     (unused_dropped),
    .transfer_i,
    .valid_i       (offered),
    .ready_o       (plan_ready),
    .packets_o     (packets),
    .finish_last_o (unused_finish_last),
    .elem_log2_o   (unused_elem),
    .user_i        (packets),
    .op_valid_o    (op_valid),
    .op_set_o      (op_set),
    .op_value_o    (op_value),
    .op_lead_o     (op_lead),
    .op_data_o     (op_data),
    .op_lead_data_o(op_lead_data),
    .op_all_o      (op_all),
    .op_off_o      (op_off),
    .op_word_end_o (op_word_end),
    .op_eot_o      (op_eot),
    .op_item_eot_o (unused_item_eot),
    .op_flush_o    (op_flush),
    .op_last_o     (op_last),
    .op_illegal_o  (op_illegal),
    .op_user_o     (op_packets),
    .op_take_i     (take),
    .op_take_data_i(take_data),
    .op_take_all_i (take_all),
    .op_skip_i     (1'b0),
    .burst_valid_o (burst_valid),
    .burst_ready_i (burst_ready),
    .burst_first_o (burst_first),
    .burst_len_o   (burst_len),
    .burst_tag_o   (unused_tag)
  );

  // ---- Address channel --------------------------------------------------------------------------

  typedef struct packed {
    logic [WordAddrWidth-1:0] first;
    logic [7:0]               len;
  } burst_t;
  burst_t ar;
  logic skid_ready, may_start, credit, start, in_flight_none, burst_end;

  assign start       = burst_valid && burst_ready;
  assign burst_ready = skid_ready && may_start && credit;
  assign burst_end   = rvalid_i && rready_o && rlast_i;

  tsr_skid #(
    .T(burst_t)
  ) u_ar (
    .clk_i,
    .rst_ni,
    .data_i ('{first: burst_first, len: burst_len}),
    .valid_i(burst_valid && may_start && credit),
    .ready_o(skid_ready),
    .data_o (ar),
    .valid_o(arvalid_o),
    .ready_i(arready_i)
  );
  assign araddr_o = AddrWidth'(ar.first) << OffWidth;
  assign arlen_o  = ar.len;

  tsr_in_flight #(
    .Limit(Outstanding)
  ) u_in_flight (
    .clk_i,
    .rst_ni,
    .start_i(start),
    .end_i  (burst_end),
    .room_o (may_start),
    .none_o (in_flight_none)
  );

  // ---- Read data --------------------------------------------------------------------------------

  typedef struct packed {
    logic [DataWidth-1:0] data;
    logic [1:0]           resp;
    logic                 last;
  } word_t;
  word_t word_in, word;
  logic word_valid, word_ready;

  assign word_in = '{data: rdata_i, resp: rresp_i, last: rlast_i};

  if (RoomBeats != 0) begin : gen_room
    localparam int unsigned RoomWidth = $clog2(RoomBeats + 1);
    logic [RoomWidth-1:0] reserved_q;
    logic room_ready;
    logic taken;
    assign taken  = word_valid && word_ready;
    assign credit = reserved_q <= RoomWidth'(RoomBeats - MaxBurst);
    always_ff @(posedge clk_i) begin
      if (!rst_ni) reserved_q <= '0;
      else begin
        reserved_q <= reserved_q + (start ? RoomWidth'(burst_len) + 1'b1 : '0) - RoomWidth'(taken);
      end
    end
    tsr_fifo #(
      .Depth(RoomBeats),
      .T    (word_t)
    ) u_room (
      .clk_i,
      .rst_ni,
      .flush_i(1'b0),
      .data_i (word_in),
      .valid_i(rvalid_i),
      .ready_o(room_ready),
      .data_o (word),
      .valid_o(word_valid),
      .ready_i(word_ready)
    );
    assign rready_o = 1'b1;
    assign drained  = in_flight_none && !word_valid;
    `TSR_ASSERT(RoomWasKept, !rvalid_i || room_ready)
  end else begin : gen_direct
    assign credit     = 1'b1;
    assign word       = word_in;
    assign word_valid = rvalid_i;
    assign rready_o   = word_ready;
    assign drained    = in_flight_none;
  end

  // ---- Data side --------------------------------------------------------------------------------

  logic [AddrWidth-1:0] beat_addr;
  logic pack_rready, beat, beat_last, pack_idle;

  // While aborting, what still comes is taken and thrown away.
  assign word_ready = pack_rready || halted;

  tsr_packer #(
    .AddrWidth  (AddrWidth),
    .DataBytes  (DataBytes),
    .StreamBytes(StreamBytes),
    .GroupBytes (GroupBytes),
    .Bounds     (Bounds)
  ) u_packer (
    .clk_i,
    .rst_ni,
    .kill_i        (kill),
    .op_valid_i    (op_valid),
    .op_set_i      (op_set),
    .op_value_i    (op_value),
    .op_lead_i     (op_lead),
    .op_data_i     (op_data),
    .op_lead_data_i(op_lead_data),
    .op_all_i      (op_all),
    .op_off_i      (op_off),
    .op_word_end_i (op_word_end),
    .op_eot_i      (op_eot),
    .op_flush_i    (op_flush),
    .op_last_i     (op_last),
    .op_illegal_i  (op_illegal),
    .op_packets_i  (op_packets),
    .take_o        (take),
    .take_data_o   (take_data),
    .take_all_o    (take_all),
    .rdata_i       (word.data),
    .rresp_i       (word.resp),
    .rlast_i       (word.last),
    .rvalid_i      (word_valid),
    .rready_o      (pack_rready),
    .beat_o        (beat),
    .beat_last_o   (beat_last),
    .beat_addr_i   (beat_addr),
    .tdata_o,
    .tkeep_o,
    .tlast_o,
    .tvalid_o,
    .tready_i,
    .close_i       (close),
    .closed_o      (closed),
    .give_i        (give),
    .mark_o,
    .recorded_o    (recorded),
    .done_o,
    .done_valid_o,
    .done_ready_i,
    .idle_o        (pack_idle)
  );

  // Bursts whose beats have not all been used: in flight, or in the room that was kept for them.
  localparam int unsigned AddressDepth = RoomBeats != 0 ? RoomBeats : Outstanding;

  tsr_error_addr #(
    .AddrWidth(AddrWidth),
    .DataBytes(DataBytes),
    .Depth    (AddressDepth)
  ) u_error_addr (
    .clk_i,
    .rst_ni,
    .flush_i      (halted),
    .burst_first_i(burst_first),
    .burst_valid_i(start),
    .beat_i       (beat),
    .beat_last_i  (beat_last),
    .addr_o       (beat_addr)
  );

  // ---- Abort ------------------------------------------------------------------------------------

  // Transfers without a record that was taken: an item each in the queue of items, a record each in the queue of
  // records (16), and the rest in the stages of planner and packer.
  localparam int unsigned AtHand = 2 * ItemDepth + 32;

  assign quiet = drained && !arvalid_o && pack_idle;

  tsr_halt #(
    .Transfers(AtHand)
  ) u_halt (
    .clk_i,
    .rst_ni,
    .abort_i,
    .accept_i (accept),
    .record_i (recorded),
    .retired_i(done_valid_o && done_ready_i),
    .quiet_i  (quiet),
    .kill_o   (kill),
    .halted_o (halted),
    .close_o  (close),
    .closed_i (closed),
    .give_o   (give),
    .owed_o   (unused_owed),
    .idle_o
  );

  `TSR_STABLE(ArStable, arvalid_o, arready_i, {araddr_o, arlen_o})

endmodule
