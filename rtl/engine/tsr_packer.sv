// Packs read data and fill densely into stream beats.
//
// Operations (tsr_layout) say how fill and the bytes of bus words follow each other. Three stages:
//   plan   places an operation behind the bytes that are held, and says what it will emit
//   align  takes the bus word, turns its bytes to their place in the beat
//   merge  joins held bytes, data and fill to a beat; what is over is held
//
// Contract: one R beat is taken for each word that has data, when its last group has been used. Beats
// are full except where an operation flushes. A record is made with the last operation of a transfer.
// `kill_i` drops operations and held bytes; a beat already shown stays. No path from a ready to a ready.
// Latency: R beat to stream beat 2 cycles. Throughput: one operation a cycle; every operation emits a
// beat if it completes one, and none is lost to fill that shares a beat with data.
`include "tsr_assert.svh"
module tsr_packer
  import tsr_pkg::*;
#(
  parameter  int unsigned AddrWidth   = 64,
  parameter  int unsigned DataBytes   = 8,
  parameter  int unsigned StreamBytes = 8,
  parameter  int unsigned GroupBytes  = 8,                   // min(DataBytes, StreamBytes)
  parameter  bit          Bounds      = 1'b1,                // there is fill
  localparam int unsigned OffWidth    = $clog2(DataBytes),
  localparam int unsigned GroupLog2   = $clog2(GroupBytes),
  localparam int unsigned SizeWidth   = GroupLog2 + 1,
  localparam int unsigned SumWidth    = GroupLog2 + 2
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         kill_i,
  // Operations.
  input  logic                         op_valid_i,
  input  logic                         op_set_i,
  input  logic  [           63:0]      op_value_i,
  input  logic  [  SizeWidth-1:0]      op_lead_i,
  input  logic  [  SizeWidth-1:0]      op_data_i,
  input  logic  [   SumWidth-1:0]      op_lead_data_i,
  input  logic  [   SumWidth-1:0]      op_all_i,
  input  logic  [   OffWidth-1:0]      op_off_i,
  input  logic                         op_word_end_i,
  input  logic                         op_eot_i,
  input  logic                         op_flush_i,
  input  logic                         op_last_i,
  input  logic                         op_illegal_i,
  input  logic                         op_packets_i,
  output logic                         take_o,
  output logic                         take_data_o,
  output logic                         take_all_o,
  // Bus words.
  input  logic  [  DataBytes-1:0][7:0] rdata_i,
  input  logic  [            1:0]      rresp_i,
  input  logic                         rlast_i,
  input  logic                         rvalid_i,
  output logic                         rready_o,
  // A beat has been used: for finding the address of an error.
  output logic                         beat_o,
  output logic                         beat_last_o,
  input  logic  [  AddrWidth-1:0]      beat_addr_i,
  // Stream.
  output logic  [StreamBytes-1:0][7:0] tdata_o,
  output logic  [StreamBytes-1:0]      tkeep_o,
  output logic                         tlast_o,
  output logic                         tvalid_o,
  input  logic                         tready_i,
  // Abort: end an open packet, make a record for a transfer that was dropped.
  input  logic                         close_i,
  output logic                         closed_o,
  input  logic                         give_i,
  // Records.
  output logic                         recorded_o,
  output done_t                        done_o,
  output logic                         done_valid_o,
  input  logic                         done_ready_i,
  output logic                         idle_o
);

  localparam int unsigned StreamLog2 = $clog2(StreamBytes);
  localparam int unsigned LevelWidth = StreamLog2 + 2;  // up to two beats
  localparam int unsigned RotWidth = GroupLog2 == 0 ? 1 : GroupLog2;
  // Wide groups turn by units of 8 bytes in one stage and by single bytes in the next.
  localparam bit TwoSteps = GroupBytes > 16;
  localparam int unsigned FineLog2 = TwoSteps ? 3 : 0;

  typedef logic [LevelWidth-1:0] level_t;
  localparam level_t Beat = level_t'(StreamBytes);

  typedef logic [StreamBytes-1:0] lanes_t;
  typedef logic [StreamBytes-1:0][7:0] beat_t;
  typedef logic [2*StreamBytes-1:0] two_beats_t;

  // ---- Plan -------------------------------------------------------------------------------------

  level_t level_q;  // bytes held after the operations planned so far; a beat while flushing
  level_t tail_q;  // those of the beat that is to be ended
  logic   flushing_q;  // they end their beat next
  logic plan_ready, plan, set, op_valid_q;
  level_t after_lead, after_data, after_all, planned, total;
  logic fits_data, fits_all, use_op, apart, ends_here, ends, flushes, emits, more;
  logic turned_q;

  assign after_lead = level_q + level_t'(op_lead_i);
  assign after_data = level_q + level_t'(op_lead_data_i);
  assign after_all  = level_q + level_t'(op_all_i);
  assign fits_data  = !after_data[LevelWidth-1];
  assign fits_all   = !after_all[LevelWidth-1];
  assign planned    = fits_all ? after_all : (fits_data ? after_data : after_lead);
  assign total      = use_op ? planned : level_q;
  assign ends       = use_op && fits_all && op_eot_i;
  assign flushes    = use_op && fits_all && op_flush_i;
  assign more       = flushes && planned > Beat;  // needs a second beat
  assign emits      = total[LevelWidth-2] || (flushes && total != '0);

  // While held bytes wait to end their beat the level is that of a full one: the next operation begins
  // behind it, in the same cycle, unless it ends a transfer as well, would fill a beat with its lead, or
  // fill has to be turned first.
  assign ends_here  = fits_all && op_eot_i && !(op_flush_i && planned > Beat);
  assign apart      = ends_here || after_lead[LevelWidth-1] || turned_q;
  assign use_op     = op_valid_i && !op_set_i && !(flushing_q && apart);

  // The fill value changes between operations: those before it have to be through.
  logic set_now, align_valid_q;
  assign set         = op_valid_i && op_set_i && !flushing_q;
  assign set_now     = set && !op_valid_q && !align_valid_q;
  assign plan        = (flushing_q || use_op) && plan_ready;

  assign take_o      = set_now || (plan_ready && use_op);
  assign take_data_o = fits_data;
  assign take_all_o  = op_set_i || fits_all;

  // Flags that belong to the end of an operation whose flush needs a second beat move to that beat.
  logic eot_moved_q, last_moved_q, illegal_moved_q, packets_moved_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || kill_i) begin
      level_q    <= '0;
      flushing_q <= 1'b0;
    end else if (plan) begin
      if (more) level_q <= Beat;
      else if (flushes) level_q <= '0;
      else level_q <= total[StreamLog2] ? total - Beat : total;
      flushing_q <= more;
    end
  end

  always_ff @(posedge clk_i) begin
    if (plan) tail_q <= total - Beat;
  end

  // Fill is out of phase with the lanes from the beginning of a joined transfer to its first flush.
  if (Bounds && StreamBytes >= 8) begin : gen_phase
    always_ff @(posedge clk_i) begin
      if (!rst_ni || kill_i) turned_q <= 1'b0;
      else if (set_now) turned_q <= level_q != '0;
      else if (plan && (flushing_q || (flushes && !more))) turned_q <= 1'b0;
    end
  end else begin : gen_no_phase
    assign turned_q = Bounds;
  end

  always_ff @(posedge clk_i) begin
    if (plan) begin
      eot_moved_q     <= op_eot_i;
      last_moved_q    <= op_last_i;
      illegal_moved_q <= op_illegal_i;
      packets_moved_q <= op_packets_i;
    end
  end

  // ---- The planned operation --------------------------------------------------------------------

  typedef struct packed {
    logic                has_data;
    logic                pop;
    logic [OffWidth-1:0] off;
    logic [RotWidth-1:0] turn;
    level_t              held;        // bytes of the beat that were there before
    level_t              data_begin;  // where its data lies, counted from that beat's beginning
    level_t              data_end;
    level_t              total;
    logic [SumWidth-1:0] bytes;
    logic                emit;
    logic                flush;
    logic                last;
    logic                eot;
    logic                behind;      // its bytes begin the beat after the one that is emitted
    logic                illegal;
    logic                packets;
  } op_t;

  op_t op_d, op_q;
  logic align_ready, align;

  always_comb begin
    op_d            = '0;
    op_d.held       = flushing_q ? tail_q : level_q;
    op_d.data_begin = after_lead;
    op_d.data_end   = after_data;
    op_d.off        = op_off_i;
    op_d.turn       = RotWidth'(after_lead) - RotWidth'(op_off_i);
    op_d.total      = flushing_q ? tail_q : total;
    op_d.emit       = emits;
    op_d.flush      = flushing_q || (flushes && !more);
    if (use_op) begin
      op_d.has_data = fits_data && op_data_i != '0;
      op_d.pop      = op_word_end_i;
      op_d.bytes    = fits_all ? op_all_i : (fits_data ? op_lead_data_i : SumWidth'(op_lead_i));
    end
    if (!fits_data || !use_op) op_d.data_end = after_lead;
    if (flushing_q) begin
      op_d.last    = last_moved_q;
      op_d.eot     = eot_moved_q;
      op_d.behind  = 1'b1;
      op_d.illegal = illegal_moved_q;
      op_d.packets = packets_moved_q;
    end else begin
      op_d.last    = fits_all && op_last_i && !more;
      op_d.eot     = ends && !more;
      op_d.illegal = op_illegal_i;
      op_d.packets = op_packets_i;
    end
  end

  assign plan_ready = !op_valid_q || align;
  assign align      = op_valid_q && align_ready && (!op_q.has_data || rvalid_i);
  assign rready_o   = op_valid_q && align_ready && op_q.has_data && op_q.pop;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || kill_i) op_valid_q <= 1'b0;
    else if (plan_ready) op_valid_q <= plan;
  end
  always_ff @(posedge clk_i) begin
    if (plan_ready) op_q <= op_d;
  end

  // ---- Align ------------------------------------------------------------------------------------

  logic [GroupBytes-1:0][7:0] group, turned;
  if (DataBytes > GroupBytes) begin : gen_select
    logic [DataBytes/GroupBytes-1:0][GroupBytes*8-1:0] groups;
    assign groups = rdata_i;
    assign group  = groups[op_q.off[OffWidth-1:GroupLog2]];
  end else begin : gen_whole
    logic unused_off;
    assign group      = rdata_i;
    assign unused_off = ^op_q.off;
  end

  if (GroupBytes > 1) begin : gen_turn
    tsr_rotate #(
      .Bytes      (GroupBytes),
      .AmountWidth(GroupLog2 - FineLog2),
      .Unit       (1 << FineLog2)
    ) u_turn (
      .data_i  (group),
      .amount_i(op_q.turn[RotWidth-1:FineLog2]),
      .data_o  (turned)
    );
  end else begin : gen_no_turn
    assign turned = group;
  end

  // Lanes 0 .. n-1 of two beats.
  function automatic two_beats_t below(level_t n);
    for (int unsigned i = 0; i < 2 * StreamBytes; i++) below[i] = LevelWidth'(i) < n;
  endfunction

  two_beats_t data_lanes;
  assign data_lanes = below(op_q.data_end) & ~below(op_q.data_begin);

  typedef struct packed {
    logic [GroupBytes-1:0][7:0] data;
    logic [2:0]                 turn;
    lanes_t                     held;
    lanes_t                     now;      // lanes of this beat that are data
    lanes_t                     over;     // lanes of the next beat that are data
    lanes_t                     keep;
    logic [SumWidth-1:0]        bytes;
    logic                       emit;
    logic                       flush;
    logic                       last;
    logic                       eot;
    logic                       behind;
    logic                       illegal;
    logic                       packets;
    logic                       pop;
    logic [1:0]                 resp;
  } align_t;

  align_t align_d, align_q;
  always_comb begin
    align_d = '{
        data: turned,
        turn: '0,
        held: lanes_t'(below(op_q.held)),
        now: data_lanes[StreamBytes-1:0],
        over: data_lanes[2*StreamBytes-1:StreamBytes],
        keep: lanes_t'(below(op_q.total)),
        bytes: op_q.bytes,
        emit: op_q.emit,
        flush: op_q.flush,
        last: op_q.last,
        eot: op_q.eot,
        behind: op_q.behind,
        illegal: op_q.illegal,
        packets: op_q.packets,
        pop: op_q.has_data && op_q.pop,
        resp: rresp_i
    };
    if (TwoSteps) align_d.turn = 3'(op_q.turn);
  end

  logic merge, merge_ready, out_ready, record_ready;
  logic turning;  // the fill value is not in place yet
  assign merge       = align_valid_q && merge_ready;
  assign align_ready = !align_valid_q || merge_ready;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || kill_i) align_valid_q <= 1'b0;
    else if (align_ready) align_valid_q <= align;
  end
  always_ff @(posedge clk_i) begin
    if (align_ready) align_q <= align_d;
  end

  // ---- Merge ------------------------------------------------------------------------------------

  logic [GroupBytes-1:0][7:0] data;
  beat_t held_q, beat, rest, placed, fill_now, fill_over;

  if (TwoSteps) begin : gen_fine_turn
    tsr_rotate #(
      .Bytes      (GroupBytes),
      .AmountWidth(3),
      .Unit       (1)
    ) u_turn (
      .data_i  (align_q.data),
      .amount_i(align_q.turn),
      .data_o  (data)
    );
  end else begin : gen_turned
    logic unused_turn;
    assign data        = align_q.data;
    assign unused_turn = ^align_q.turn;
  end
  assign placed = {StreamBytes / GroupBytes{data}};

  if (Bounds) begin : gen_fill
    // Byte i of `fill_q` belongs to lane i modulo 8 of the beat that is being filled: the value, turned
    // to where its transfer began in a beat (`phase_q`). What follows a flush begins in lane 0. Turns
    // go a byte a cycle: only joined transfers with fill need them.
    localparam int unsigned Turn = StreamBytes % 8;
    logic [7:0][7:0] fill_q;
    logic [2:0] phase_q, turns_q;
    assign turning = turns_q != '0;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || kill_i) begin
        phase_q <= '0;
        turns_q <= '0;
      end else if (set_now) begin
        phase_q <= 3'(level_q);
        turns_q <= 3'(level_q);
      end else if (turning) begin
        turns_q <= turns_q - 1'b1;
      end else if (merge && align_q.flush) begin
        phase_q <= '0;
        turns_q <= 3'd0 - phase_q;
      end else if (merge && align_q.emit) begin
        phase_q <= phase_q - 3'(Turn);
      end
    end
    always_ff @(posedge clk_i) begin
      if (set_now) begin
        fill_q <= op_value_i;
      end else if (turning) begin
        fill_q <= {fill_q[6:0], fill_q[7]};
      end else if (Turn != 0 && merge && align_q.emit && !align_q.flush) begin
        for (int unsigned i = 0; i < 8; i++) fill_q[i] <= fill_q[(i+Turn)%8];
      end
    end
    for (genvar i = 0; i < StreamBytes; i++) begin : gen_lane
      assign fill_now[i]  = fill_q[i%8];
      assign fill_over[i] = fill_q[(i+StreamBytes)%8];
    end
  end else begin : gen_no_fill
    logic unused_fill;
    assign turning     = 1'b0;
    assign fill_now    = '0;
    assign fill_over   = '0;
    assign unused_fill = ^op_value_i;
  end

  for (genvar i = 0; i < StreamBytes; i++) begin : gen_merge
    assign beat[i] = align_q.held[i] ? held_q[i] : (align_q.now[i] ? placed[i] : fill_now[i]);
    assign rest[i] = align_q.emit ? (align_q.over[i] ? placed[i] : fill_over[i]) : beat[i];
  end

  always_ff @(posedge clk_i) begin
    if (merge) held_q <= rest;
  end

  typedef struct packed {
    beat_t  data;
    lanes_t keep;
    logic   last;
  } out_t;
  out_t out_d, out_q;
  logic close_beat, open_q, packets_q;

  // After a kill an open packet is closed by a null beat.
  assign close_beat = close_i && open_q && packets_q;
  assign closed_o = close_i && (!close_beat || out_ready);
  assign out_d = close_beat ?
      '{data: '0, keep: '0, last: 1'b1} :
      '{data: beat, keep: align_q.keep, last: align_q.last};

  always_ff @(posedge clk_i) begin
    if (!rst_ni || closed_o) open_q <= 1'b0;
    else if (merge && align_q.emit) open_q <= !align_q.last;
  end
  always_ff @(posedge clk_i) begin
    if (merge && align_q.emit) packets_q <= align_q.packets;
  end

  tsr_slice #(
    .T(out_t)
  ) u_out (
    .clk_i,
    .rst_ni,
    .data_i (out_d),
    .valid_i((merge && align_q.emit) || close_beat),
    .ready_o(out_ready),
    .data_o (out_q),
    .valid_o(tvalid_o),
    .ready_i(tready_i)
  );
  assign tdata_o = out_q.data;
  assign tkeep_o = out_q.keep;
  assign tlast_o = out_q.last;
  assign merge_ready = out_ready && record_ready && !turning;

  // ---- Records ----------------------------------------------------------------------------------

  typedef struct packed {
    logic [AddrWidth-1:0]  addr;
    logic [BytesWidth-1:0] bytes;
    logic                  last;
    logic                  illegal;
    logic                  aborted;
    logic                  decerr;
    logic                  slverr;
  } record_t;

  localparam int unsigned MarkWidth = 6;
  record_t record_d, record_q;
  logic [MarkWidth-1:0] emitted_q, emitted, unused_completed, unused_mark;
  logic [BytesWidth-1:0] bytes_q, bytes;
  logic [AddrWidth-1:0] error_addr_q, beat_addr_q;
  logic slverr_q, decerr_q, slverr, decerr, error, first_error;
  logic own, next_one;  // what merges belongs to the transfer of the record, to the one after
  logic record_valid, give, sends;
  level_t unsent_q;  // bytes merged but held

  assign beat_o      = align && op_q.has_data && op_q.pop;
  assign beat_last_o = rlast_i;
  always_ff @(posedge clk_i) begin
    if (beat_o) beat_addr_q <= beat_addr_i;
  end
  assign slverr       = merge && align_q.pop && align_q.resp == 2'b10;
  assign decerr       = merge && align_q.pop && align_q.resp == 2'b11;
  assign error        = slverr || decerr;
  assign first_error  = error && (next_one || (!slverr_q && !decerr_q));
  assign next_one     = merge && align_q.behind && align_q.eot;
  assign own          = merge && !next_one;
  assign bytes        = bytes_q + (own ? BytesWidth'(align_q.bytes) : '0);
  assign sends        = (merge && align_q.emit) || (close_beat && out_ready);
  assign emitted      = emitted_q + MarkWidth'(sends);
  assign give         = give_i && record_ready;
  assign record_valid = (merge && align_q.eot) || give;
  assign recorded_o   = record_valid;

  always_comb begin
    record_d = '{
        addr: (first_error && own) ? beat_addr_q : error_addr_q,
        bytes: bytes,
        last: align_q.last && align_q.emit,
        illegal: align_q.illegal,
        aborted: 1'b0,
        decerr: (decerr && own) || decerr_q,
        slverr: (slverr && own) || slverr_q
    };
    if (give) begin
      record_d.bytes   = bytes_q > BytesWidth'(unsent_q) ? bytes_q - BytesWidth'(unsent_q) : '0;
      record_d.last    = 1'b0;
      record_d.illegal = 1'b0;
      record_d.aborted = 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      emitted_q    <= '0;
      bytes_q      <= '0;
      slverr_q     <= 1'b0;
      decerr_q     <= 1'b0;
      error_addr_q <= '0;
      unsent_q     <= '0;
    end else begin
      emitted_q <= emitted;
      if (record_valid) begin
        // What came along with the last beat of a transfer begins the next one.
        bytes_q      <= next_one ? BytesWidth'(align_q.bytes) : '0;
        slverr_q     <= slverr && next_one;
        decerr_q     <= decerr && next_one;
        error_addr_q <= (error && next_one) ? beat_addr_q : '0;
      end else if (merge) begin
        bytes_q  <= bytes;
        slverr_q <= slverr || slverr_q;
        decerr_q <= decerr || decerr_q;
        if (first_error) error_addr_q <= beat_addr_q;
      end
      if (give) unsent_q <= '0;
      else if (merge && align_q.flush) unsent_q <= align_q.behind ? level_t'(align_q.bytes) : '0;
      else if (merge) begin
        unsent_q <= unsent_q + level_t'(align_q.bytes) -
                    (align_q.emit ? level_t'(StreamBytes) : '0);
      end
    end
  end

  tsr_retire #(
    .T        (record_t),
    .Depth    (8),
    .MarkWidth(MarkWidth)
  ) u_retire (
    .clk_i,
    .rst_ni,
    .record_i   (record_d),
    .mark_i     (emitted),
    .valid_i    (record_valid),
    .ready_o    (record_ready),
    .started_i  (emitted_q),
    .complete_i (tvalid_o && tready_i),
    .completed_o(unused_completed),
    .record_o   (record_q),
    .mark_o     (unused_mark),
    .valid_o    (done_valid_o),
    .ready_i    (done_ready_i)
  );

  assign done_o = '{
          addr: 64'(record_q.addr),
          bytes: record_q.bytes,
          dropped: '0,
          last: record_q.last,
          status: '{
              illegal: record_q.illegal,
              aborted: record_q.aborted,
              decerr: record_q.decerr,
              slverr: record_q.slverr,
              default: 1'b0
          }
      };

  assign idle_o = !op_valid_q && !align_valid_q && !tvalid_o;

  `TSR_ASSERT(HeldIsLessThanABeat, level_q < Beat || (flushing_q && level_q == Beat))
  `TSR_STABLE(StreamStable, tvalid_o, tready_i, {tdata_o, tkeep_o, tlast_o})

endmodule
