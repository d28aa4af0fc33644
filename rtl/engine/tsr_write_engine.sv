// Stream to memory: executes transfers, one after the other without a gap.
//
// Contract: transfers by valid/ready, records in the same order by valid/ready, each after the last
// write response of its transfer. TREADY is low unless a transfer that runs needs a byte of the next
// beat, but for one beat that may be taken ahead. A burst is begun when its first word is complete
// (StoreBeats = 0) or put out when all its words are. Never more than `Outstanding` bursts in flight; none
// crosses 4 KiB. Abort: see tsr_halt; it also drops what was taken from the stream.
// BREADY is low while a record waits to be taken, from its second cycle on. `held_o` is two cycles late.
// Latency: beat to AWVALID 2 cycles, to WVALID 2 (3 for groups of more than 16 bytes); last B to record 1.
// Throughput: one row, one burst, one bus word and one stream beat a cycle.
`include "tsr_assert.svh"
module tsr_write_engine
  import tsr_pkg::*;
#(
  parameter int unsigned AddrWidth = 64,  // 32..64
  parameter int unsigned DataWidth = 64,  // 32..1024, a power of two
  parameter int unsigned StreamWidth = 64,  // 8..1024, a power of two
  parameter int unsigned MaxBurst = 64,  // beats, 1..256
  parameter int unsigned Outstanding = 64,  // bursts, 1..128
  parameter int unsigned StoreBeats = 0,  // 0, or a power of two, at least MaxBurst
  parameter bit Walk = 1'b1,
  parameter bit Bounds = 1'b1,
  localparam int unsigned DataBytes = DataWidth / 8,
  localparam int unsigned StreamBytes = StreamWidth < 8 ? 1 : StreamWidth / 8
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  transfer_t                     transfer_i,
  input  logic                          valid_i,
  output logic                          ready_o,
  output done_t                         done_o,
  output logic                          done_valid_o,
  input  logic                          done_ready_i,
  input  logic                          abort_i,
  output logic                          idle_o,
  output logic        [            7:0] held_o,
  output write_mark_t                   mark_o,
  output logic        [  AddrWidth-1:0] awaddr_o,
  output logic        [            7:0] awlen_o,
  output logic                          awvalid_o,
  input  logic                          awready_i,
  output logic        [  DataWidth-1:0] wdata_o,
  output logic        [  DataBytes-1:0] wstrb_o,
  output logic                          wlast_o,
  output logic                          wvalid_o,
  input  logic                          wready_i,
  input  logic        [            1:0] bresp_i,
  input  logic                          bvalid_i,
  output logic                          bready_o,
  input  logic        [StreamWidth-1:0] tdata_i,
  input  logic        [StreamBytes-1:0] tkeep_i,
  input  logic                          tlast_i,
  input  logic                          tvalid_i,
  output logic                          tready_o
);

  tsr_engine_params #(
    .AddrWidth  (AddrWidth),
    .DataWidth  (DataWidth),
    .StreamWidth(StreamWidth),
    .MaxBurst   (MaxBurst),
    .Outstanding(Outstanding),
    .BufferBeats(StoreBeats)
  ) u_params ();

  localparam int unsigned GroupBytes = DataBytes < StreamBytes ? DataBytes : StreamBytes;
  localparam int unsigned OffWidth = $clog2(DataBytes);
  localparam int unsigned WordAddrWidth = AddrWidth - OffWidth;
  localparam int unsigned SizeWidth = $clog2(GroupBytes) + 1;
  localparam int unsigned SumWidth = $clog2(GroupBytes) + 2;
  localparam int unsigned TurnWidth = GroupBytes == 1 ? 1 : $clog2(GroupBytes);
  localparam int unsigned ItemDepth = 32;
  localparam int unsigned PlanDepth = 4;
  localparam int unsigned TagWidth = $clog2(ItemDepth) + 1;
  // A record waits for its responses: one a burst in flight.
  localparam int unsigned RetireDepth = Outstanding < 8 ? 8 : 1 << $clog2(Outstanding);

  typedef logic [SizeWidth-1:0] size_t;
  typedef logic [SumWidth-1:0] sum_t;

  typedef struct packed {
    logic [WordAddrWidth-1:0] first;
    logic [7:0]               len;
    logic [TagWidth-1:0]      tag;
  } burst_t;

  logic kill, halted, give, owed, quiet, accept, recorded, drop_plan, cut;
  logic unused_close;

  // ---- Request side -----------------------------------------------------------------------------

  logic offered, plan_ready, finish_last, unused_packets;
  logic [2:0] elem_log2;
  burst_t burst_in, burst;
  logic
      burst_in_valid,
      burst_in_ready,
      burst_valid,
      burst_take,
      burst_stale,
      run_stale,
      window_dropped;
  logic op_valid, op_word_end, op_eot, op_item_eot, op_illegal, op_until_last;
  logic unused_op_set, unused_op_flush, unused_op_last;
  logic [63:0] unused_op_value;
  logic [ 2:0] op_elem_log2;
  logic op_take, skip, stale;
  logic [TagWidth-1:0] tag;
  size_t op_lead, op_data;
  sum_t op_lead_data, op_all;
  logic [OffWidth-1:0] op_off;

  assign accept    = valid_i && ready_o;
  assign offered   = valid_i && (!halted || kill);  // abort takes one that has begun
  assign ready_o   = plan_ready && (!halted || kill);
  assign drop_plan = kill || cut;

  // Bursts of a transfer of unknown length stay short: what they plan too much is sent without strobes.
  localparam int unsigned UnknownBurst = 16;

  tsr_planner #(
    .AddrWidth   (AddrWidth),
    .DataBytes   (DataBytes),
    .GroupBytes  (GroupBytes),
    .MaxBurst    (MaxBurst),
    .UnknownBurst(UnknownBurst),
    .UserWidth   (4),
    .Walk        (Walk),
    .Bounds      (Bounds),
    .SendFill    (1'b0),
    .Skips       (1'b1),
    .TagWidth    (TagWidth),
    .ItemDepth   (ItemDepth)
  ) u_planner (
    .clk_i,
    .rst_ni,
    .kill_i        (drop_plan),
    .drop_i        (stale),
    .drop_tag_i    (tag),
    .stale_o       (run_stale),
    .dropped_o     (window_dropped),
    .transfer_i,
    .valid_i       (offered),
    .ready_o       (plan_ready),
    .packets_o     (unused_packets),
    .finish_last_o (finish_last),
    .elem_log2_o   (elem_log2),
    .user_i        ({finish_last, elem_log2}),
    .op_valid_o    (op_valid),
    .op_set_o      (unused_op_set),
    .op_value_o    (unused_op_value),
    .op_lead_o     (op_lead),
    .op_data_o     (op_data),
    .op_lead_data_o(op_lead_data),
    .op_all_o      (op_all),
    .op_off_o      (op_off),
    .op_word_end_o (op_word_end),
    .op_eot_o      (op_eot),
    .op_item_eot_o (op_item_eot),
    .op_flush_o    (unused_op_flush),
    .op_last_o     (unused_op_last),
    .op_illegal_o  (op_illegal),
    .op_user_o     ({op_until_last, op_elem_log2}),
    .op_take_i     (op_take),
    .op_take_data_i(1'b1),
    .op_take_all_i (1'b1),
    .op_skip_i     (skip),
    .burst_valid_o (burst_in_valid),
    .burst_ready_i (burst_in_ready),
    .burst_first_o (burst_in.first),
    .burst_len_o   (burst_in.len),
    .burst_tag_o   (burst_in.tag)
  );

  tsr_fifo #(
    .Depth      (PlanDepth),
    .T          (burst_t),
    .ReadyMargin(2)
  ) u_plans (
    .clk_i,
    .rst_ni,
    .flush_i(drop_plan || window_dropped),
    .data_i (burst_in),
    .valid_i(burst_in_valid && burst_in_ready),
    .ready_o(burst_in_ready),
    .data_o (burst),
    .valid_o(burst_valid),
    .ready_i(burst_take || burst_stale)
  );
  assign burst_stale = stale && burst_valid && burst.tag == tag;

  // ---- Data side --------------------------------------------------------------------------------

  localparam int unsigned PosWidth = $clog2(StreamBytes) + 2;
  typedef logic [PosWidth-1:0] pos_t;
  typedef logic [StreamBytes-1:0][7:0] beat_t;

  logic
      piece_valid,
      piece_take,
      piece_has_bytes,
      piece_fresh,
      piece_low,
      piece_high,
      piece_last,
      piece_sparse,
      wanted_q;
  pos_t piece_first, piece_size;
  logic [7:0] held, piece_held;
  logic part_valid, part_done, part_first, part_last, part_drop, word_begun;
  beat_t part_data, part_data_before;
  logic [StreamBytes-1:0] part_before;
  pos_t part_begin;
  logic [TurnWidth-1:0] part_turn;
  logic [OffWidth-1:0] part_off;
  logic [OffWidth:0] part_end;
  logic may_start, room, unpack_idle;

  typedef struct packed {
    logic [BytesWidth-1:0] bytes;
    logic [BytesWidth-1:0] dropped;
    logic                  last;
    status_t               status;
  } record_t;
  record_t record_in, record;
  logic ends, record_room, give_record;
  assign give_record = give && record_room;

  // Beats are taken for transfers that are there.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) wanted_q <= 1'b0;
    else wanted_q <= (offered || owed) && !halted;
  end

  tsr_intake #(
    .StreamBytes(StreamBytes)
  ) u_intake (
    .clk_i,
    .rst_ni,
    .wanted_i     (wanted_q),
    .drop_i       (kill),
    .tdata_i,
    .tkeep_i,
    .tlast_i,
    .tvalid_i,
    .tready_o,
    .valid_o      (piece_valid),
    .take_i       (piece_take),
    .first_o      (piece_first),
    .size_o       (piece_size),
    .has_bytes_o  (piece_has_bytes),
    .low_o        (piece_low),
    .high_o       (piece_high),
    .last_o       (piece_last),
    .sparse_o     (piece_sparse),
    .fresh_o      (piece_fresh),
    .held_o       (piece_held),
    .data_o       (part_data),
    .data_before_o(part_data_before)
  );
  assign mark_o = '{uses: piece_take, ends: ends};

  logic [7:0] held_q;
  always_ff @(posedge clk_i) begin
    held_q <= held;
    held_o <= held_q + piece_held;
  end

  tsr_unpacker #(
    .DataBytes  (DataBytes),
    .StreamBytes(StreamBytes),
    .GroupBytes (GroupBytes),
    .TagWidth   (TagWidth)
  ) u_unpacker (
    .clk_i,
    .rst_ni,
    .kill_i           (kill),
    .room_i           (room && record_room),
    .op_valid_i       (op_valid),
    .op_lead_i        (op_lead),
    .op_data_i        (op_data),
    .op_lead_data_i   (op_lead_data),
    .op_all_i         (op_all),
    .op_off_i         (op_off),
    .op_word_end_i    (op_word_end),
    .op_eot_i         (op_eot),
    .op_item_eot_i    (op_item_eot),
    .op_illegal_i     (op_illegal),
    .op_until_last_i  (op_until_last),
    .op_elem_log2_i   (op_elem_log2),
    .op_take_o        (op_take),
    .op_skip_o        (skip),
    .piece_valid_i    (piece_valid),
    .piece_first_i    (piece_first),
    .piece_size_i     (piece_size),
    .piece_has_bytes_i(piece_has_bytes),
    .piece_fresh_i    (piece_fresh),
    .piece_low_i      (piece_low),
    .piece_high_i     (piece_high),
    .piece_last_i     (piece_last),
    .piece_sparse_i   (piece_sparse),
    .piece_take_o     (piece_take),
    .held_o           (held),
    .plan_valid_i     (burst_valid),
    .plan_len_i       (burst.len),
    .plan_take_o      (burst_take),
    .planned_i        (owed),
    .cut_o            (cut),
    .stale_o          (stale),
    .tag_o            (tag),
    .stale_plan_i     ((burst_stale && !window_dropped) || run_stale),
    .part_valid_o     (part_valid),
    .part_before_o    (part_before),
    .part_begin_o     (part_begin),
    .part_turn_o      (part_turn),
    .part_off_o       (part_off),
    .part_end_o       (part_end),
    .part_done_o      (part_done),
    .part_first_o     (part_first),
    .part_last_o      (part_last),
    .part_drop_o      (part_drop),
    .word_begun_o     (word_begun),
    .ends_o           (ends),
    .record_valid_o   (recorded),
    .record_bytes_o   (record_in.bytes),
    .record_dropped_o (record_in.dropped),
    .record_last_o    (record_in.last),
    .record_status_o  (record_in.status),
    .give_i           (give_record),
    .idle_o           (unpack_idle)
  );

  logic [DataBytes-1:0][7:0] word_data;
  logic [DataBytes-1:0] word_strb;
  logic word_first, word_last, word_valid, builder_idle;

  tsr_word_builder #(
    .DataBytes  (DataBytes),
    .StreamBytes(StreamBytes),
    .GroupBytes (GroupBytes)
  ) u_builder (
    .clk_i,
    .rst_ni,
    .part_valid_i      (part_valid),
    .part_data_i       (part_data),
    .part_data_before_i(part_data_before),
    .part_before_i     (part_before),
    .part_begin_i      (part_begin),
    .part_turn_i       (part_turn),
    .part_off_i        (part_off),
    .part_end_i        (part_end),
    .part_done_i       (part_done),
    .part_first_i      (part_first),
    .part_last_i       (part_last),
    .part_drop_i       (part_drop),
    .word_data_o       (word_data),
    .word_strb_o       (word_strb),
    .word_first_o      (word_first),
    .word_last_o       (word_last),
    .word_valid_o      (word_valid),
    .idle_o            (builder_idle)
  );

  // ---- Bus --------------------------------------------------------------------------------------

  logic [WordAddrWidth-1:0] aw_first, failed_first;
  logic in_flight_none, issue_idle, response, address_room, address_known;

  tsr_write_issue #(
    .WordAddrWidth(WordAddrWidth),
    .DataBytes    (DataBytes),
    .StoreBeats   (StoreBeats)
  ) u_issue (
    .clk_i,
    .rst_ni,
    .may_start_i  (may_start),
    .room_o       (room),
    .claim_i      (word_begun),
    .begin_valid_i(burst_take),
    .begin_first_i(burst.first),
    .begin_len_i  (burst.len),
    .word_valid_i (word_valid),
    .word_data_i  (word_data),
    .word_strb_i  (word_strb),
    .word_first_i (word_first),
    .word_last_i  (word_last),
    .aw_first_o   (aw_first),
    .aw_len_o     (awlen_o),
    .aw_valid_o   (awvalid_o),
    .aw_ready_i   (awready_i),
    .w_data_o     (wdata_o),
    .w_strb_o     (wstrb_o),
    .w_last_o     (wlast_o),
    .w_valid_o    (wvalid_o),
    .w_ready_i    (wready_i),
    .idle_o       (issue_idle)
  );
  assign awaddr_o = AddrWidth'(aw_first) << OffWidth;

  tsr_in_flight #(
    .Limit(Outstanding)
  ) u_in_flight (
    .clk_i,
    .rst_ni,
    .start_i(awvalid_o && awready_i),
    .end_i  (response),
    .room_o (may_start),
    .none_o (in_flight_none)
  );

  // ---- Responses and records --------------------------------------------------------------------

  // Bursts begun and not answered: in flight, or waiting for their address to go out.
  localparam int unsigned Unanswered = Outstanding + (StoreBeats == 0 ? 4 : StoreBeats);
  localparam int unsigned MarkWidth = $clog2(Unanswered + 4) + 2;
  logic take_q;  // counted a cycle late: it comes late in its cycle
  logic [MarkWidth-1:0] begun_q, begun, completed, mark, failed_burst_q, until_failed;
  logic slverr_q, decerr_q, failed, any_failed, own_failure, next_failed_q;
  logic untaken_q;
  logic [WordAddrWidth-1:0] failed_first_q;

  assign response = bvalid_i && bready_o;
  assign begun    = begun_q + MarkWidth'(take_q);

  tsr_fifo #(
    .Depth(1 << $clog2(Outstanding < 2 ? 2 : Outstanding)),
    .T    (logic [WordAddrWidth-1:0])
  ) u_addresses (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .data_i (aw_first),
    .valid_i(awvalid_o && awready_i),
    .ready_o(address_room),
    .data_o (failed_first),
    .valid_o(address_known),
    .ready_i(response)
  );

  // Errors are kept for one record: the first whose mark lies beyond the burst that failed. Others may
  // be due before it; once none is, the next to come is the one. With an error in hand a response is
  // taken only when no record is due, so that errors of two records never meet.
  assign failed = response && bresp_i[1];
  assign any_failed = slverr_q || decerr_q;
  assign until_failed = failed_burst_q - mark;
  assign own_failure = any_failed && (next_failed_q || until_failed[MarkWidth-1]);
  assign bready_o = any_failed ? !done_valid_o : !untaken_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      begun_q       <= '0;
      take_q        <= 1'b0;
      next_failed_q <= 1'b0;
      slverr_q      <= 1'b0;
      decerr_q      <= 1'b0;
      untaken_q     <= 1'b0;
    end else begin
      begun_q   <= begun;
      take_q    <= burst_take;
      untaken_q <= done_valid_o && !done_ready_i;
      if (failed) begin
        slverr_q <= slverr_q || !bresp_i[0];
        decerr_q <= decerr_q || bresp_i[0];
      end else if (done_valid_o && done_ready_i && own_failure) begin
        slverr_q      <= 1'b0;
        decerr_q      <= 1'b0;
        next_failed_q <= 1'b0;
      end
      if (any_failed && !done_valid_o) next_failed_q <= 1'b1;
    end
  end
  // Those of the response at hand, until one fails.
  always_ff @(posedge clk_i) begin
    if (!any_failed) begin
      failed_burst_q <= completed;
      failed_first_q <= failed_first;
    end
  end

  // A record waits some cycles longer than its bursts are in flight: with room for as many as bursts
  // the bus would idle.
  localparam int unsigned MadeDepth = 8;
  typedef struct packed {
    record_t              record;
    logic [MarkWidth-1:0] mark;
  } marked_t;
  marked_t made_in, made;
  logic made_valid, made_ready, made_room;
  assign made_in = '{record: record_in, mark: begun};

  tsr_room #(
    .Slots(RetireDepth + MadeDepth)
  ) u_record_room (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .claim_i(ends),
    .free_i (done_valid_o && done_ready_i),
    .room_o (record_room)
  );

  tsr_fifo #(
    .Depth(MadeDepth),
    .T    (marked_t)
  ) u_made (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .data_i (made_in),
    .valid_i(recorded),
    .ready_o(made_room),
    .data_o (made),
    .valid_o(made_valid),
    .ready_i(made_ready)
  );

  tsr_retire #(
    .T        (record_t),
    .Depth    (RetireDepth),
    .MarkWidth(MarkWidth)
  ) u_retire (
    .clk_i,
    .rst_ni,
    .record_i   (made.record),
    .mark_i     (made.mark),
    .valid_i    (made_valid),
    .ready_o    (made_ready),
    .started_i  (begun),
    .complete_i (response),
    .completed_o(completed),
    .record_o   (record),
    .mark_o     (mark),
    .valid_o    (done_valid_o),
    .ready_i    (done_ready_i)
  );

  always_comb begin
    done_o               = '0;
    done_o.addr          = own_failure ? 64'(failed_first_q) << OffWidth : '0;
    done_o.bytes         = record.bytes;
    done_o.dropped       = record.dropped;
    done_o.last          = record.last;
    done_o.status        = record.status;
    done_o.status.slverr = slverr_q && own_failure;
    done_o.status.decerr = decerr_q && own_failure;
  end

  // ---- Abort ------------------------------------------------------------------------------------

  // Transfers without a record that was taken: an item each in the queue of items, a record each in the queues of
  // records, and the rest in the stages of planner and unpacker.
  localparam int unsigned AtHand = 2 * ItemDepth + RetireDepth + 32;

  assign quiet = in_flight_none && issue_idle && builder_idle && unpack_idle;

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
    .close_o  (unused_close),
    .closed_i (1'b1),
    .give_o   (give),
    .owed_o   (owed),
    .idle_o
  );

  `TSR_ASSERT(RoomForTheAddress, !(awvalid_o && awready_i) || address_room)
  `TSR_ASSERT(ErrorsOfOneRecord, !(response && any_failed && done_valid_o))
  `TSR_ASSERT(AnswerOfABurst, !response || address_known)
  `TSR_ASSERT(RoomForTheRecord, !recorded || made_room)

endmodule
