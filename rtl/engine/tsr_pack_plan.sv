// Places operations in stream beats: where the bytes of each go, what it completes.
//
// It counts the bytes that are held of the beat in hand. An operation is placed behind them and executed
// as far as it completes one beat. A flush whose beat is followed by a partial one takes a second
// step, which the next operation shares where it can.
//
// Contract: operations as tsr_layout offers them; placed operations by valid/ready, in order, each
// emitting at most one beat. A new fill value is taken when nothing that was placed is under way
// (`empty_i`), and while the fill is being turned (`turning_i`) nothing is placed. `kill_i` drops all.
// Latency: 0 cycles. Throughput: one operation a cycle.
`include "tsr_assert.svh"
module tsr_pack_plan #(
  parameter int unsigned DataBytes = 8,
  parameter int unsigned StreamBytes = 8,
  parameter int unsigned GroupBytes = 8,  // min(DataBytes, StreamBytes)
  parameter bit Bounds = 1'b1,  // there is fill
  localparam int unsigned OffWidth = $clog2(DataBytes),
  localparam int unsigned GroupLog2 = $clog2(GroupBytes),
  localparam int unsigned SizeWidth = GroupLog2 + 1,
  localparam int unsigned SumWidth = GroupLog2 + 2,
  localparam int unsigned TurnWidth = GroupLog2 == 0 ? 1 : GroupLog2,
  localparam int unsigned LevelWidth = $clog2(StreamBytes) + 2  // up to two beats
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  kill_i,
  // Operations.
  input  logic                  op_valid_i,
  input  logic                  op_set_i,
  input  logic [ SizeWidth-1:0] op_lead_i,
  input  logic [ SizeWidth-1:0] op_data_i,
  input  logic [  SumWidth-1:0] op_lead_data_i,
  input  logic [  SumWidth-1:0] op_all_i,
  input  logic [  OffWidth-1:0] op_off_i,
  input  logic                  op_word_end_i,
  input  logic                  op_eot_i,
  input  logic                  op_flush_i,
  input  logic                  op_last_i,
  input  logic                  op_illegal_i,
  input  logic                  op_packets_i,
  output logic                  take_o,
  output logic                  take_data_o,
  output logic                  take_all_o,
  // The fill value.
  input  logic                  empty_i,
  input  logic                  turning_i,
  output logic                  set_o,
  output logic [           2:0] level_o,         // bytes held, modulo 8
  // Placed operations.
  output logic                  valid_o,
  input  logic                  ready_i,
  output logic                  has_data_o,
  output logic                  pop_o,           // uses up its bus word
  output logic [  OffWidth-1:0] off_o,
  output logic [ TurnWidth-1:0] turn_o,
  output logic [LevelWidth-1:0] held_o,          // bytes of the beat that were there before
  output logic [LevelWidth-1:0] data_begin_o,    // of its data, counted from that beat's beginning
  output logic [LevelWidth-1:0] data_end_o,
  output logic [LevelWidth-1:0] total_o,
  output logic [  SumWidth-1:0] bytes_o,         // that it adds
  output logic                  emit_o,          // completes a beat
  output logic                  flush_o,         // ... which nothing may be added to
  output logic                  last_o,
  output logic                  eot_o,
  output logic                  behind_o,        // its bytes begin the beat after that one
  output logic                  illegal_o,
  output logic                  packets_o
);

  localparam int unsigned StreamLog2 = $clog2(StreamBytes);
  typedef logic [LevelWidth-1:0] level_t;
  typedef logic [TurnWidth-1:0] turn_t;
  localparam level_t Beat = level_t'(StreamBytes);

  level_t level_q;  // bytes held after the operations placed so far; a beat while flushing
  level_t tail_q;  // those of the beat that is to be ended
  logic   flushing_q;  // they end their beat next
  logic turned_q, unturn_q;  // fill is out of phase with the lanes; it has to be turned back
  logic in_phase, step;
  level_t after_lead, after_data, after_all, planned, total;
  logic fits_data, fits_all, use_op, apart, ends_within, ends, flushes, emits, more;

  assign after_lead  = level_q + level_t'(op_lead_i);
  assign after_data  = level_q + level_t'(op_lead_data_i);
  assign after_all   = level_q + level_t'(op_all_i);
  assign fits_data   = !after_data[LevelWidth-1];
  assign fits_all    = !after_all[LevelWidth-1];
  assign planned     = fits_all ? after_all : (fits_data ? after_data : after_lead);
  assign total       = use_op ? planned : level_q;
  assign ends        = use_op && fits_all && op_eot_i;
  assign flushes     = use_op && fits_all && op_flush_i;
  assign more        = flushes && planned > Beat;  // needs a second beat
  assign emits       = total[LevelWidth-2] || (flushes && total != '0);

  // While held bytes wait to end their beat the level is that of a full one: the next operation begins
  // behind it, in the same cycle, unless it ends a transfer as well, would fill a beat with its lead, or
  // fill has to be turned first. All of that is known without the level.
  assign ends_within = op_eot_i && level_t'(op_all_i) < Beat && (!op_flush_i || op_all_i == '0);
  assign apart       = ends_within || level_t'(op_lead_i) >= Beat || turned_q;
  assign use_op      = op_valid_i && !op_set_i && !(flushing_q && apart);

  assign in_phase    = !turning_i && !unturn_q;
  assign valid_o     = (flushing_q || use_op) && in_phase;
  assign step        = valid_o && ready_i;
  assign set_o       = op_valid_i && op_set_i && !flushing_q && empty_i && in_phase;
  assign take_o      = set_o || (use_op && in_phase && ready_i);
  assign take_data_o = fits_data;
  assign take_all_o  = op_set_i || fits_all;
  assign level_o     = 3'(level_q);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || kill_i) begin
      level_q    <= '0;
      flushing_q <= 1'b0;
    end else if (step) begin
      if (more) level_q <= Beat;
      else if (flushes) level_q <= '0;
      else level_q <= total[StreamLog2] ? total - Beat : total;
      flushing_q <= more;
    end
  end

  always_ff @(posedge clk_i) begin
    if (step) tail_q <= total - Beat;
  end

  // Fill is out of phase with the lanes from the beginning of a joined transfer to its first flush.
  if (Bounds && StreamBytes >= 8) begin : gen_phase
    logic ends_beat;
    assign ends_beat = step && (flushing_q || (flushes && !more));
    always_ff @(posedge clk_i) begin
      if (!rst_ni || kill_i) begin
        turned_q <= 1'b0;
        unturn_q <= 1'b0;
      end else begin
        if (set_o) turned_q <= level_q != '0;
        else if (ends_beat) turned_q <= 1'b0;
        if (ends_beat && turned_q) unturn_q <= 1'b1;
        else if (empty_i) unturn_q <= 1'b0;
      end
    end
  end else begin : gen_no_phase
    assign turned_q = 1'b0;
    assign unturn_q = 1'b0;
  end

  // Flags that belong to the end of an operation whose flush needs a second beat move to that beat.
  logic eot_moved_q, last_moved_q, illegal_moved_q, packets_moved_q;
  always_ff @(posedge clk_i) begin
    if (step) begin
      eot_moved_q     <= op_eot_i;
      last_moved_q    <= op_last_i;
      illegal_moved_q <= op_illegal_i;
      packets_moved_q <= op_packets_i;
    end
  end

  assign has_data_o   = use_op && fits_data && op_data_i != '0;
  assign pop_o        = op_word_end_i;
  assign off_o        = op_off_i;
  assign turn_o       = turn_t'(after_lead) - turn_t'(op_off_i);
  assign held_o       = flushing_q ? tail_q : level_q;
  assign data_begin_o = after_lead;
  assign data_end_o   = (fits_data && use_op) ? after_data : after_lead;
  assign total_o      = flushing_q ? tail_q : total;
  always_comb begin
    if (!use_op) bytes_o = '0;
    else bytes_o = fits_all ? op_all_i : (fits_data ? op_lead_data_i : SumWidth'(op_lead_i));
  end
  assign emit_o    = emits;
  assign flush_o   = flushing_q || (flushes && !more);
  assign last_o    = flushing_q ? last_moved_q : fits_all && op_last_i && !more;
  assign eot_o     = flushing_q ? eot_moved_q : ends && !more;
  assign behind_o  = flushing_q;
  assign illegal_o = flushing_q ? illegal_moved_q : op_illegal_i;
  assign packets_o = flushing_q ? packets_moved_q : op_packets_i;

  `TSR_ASSERT(HeldIsLessThanABeat, level_q < Beat || (flushing_q && level_q == Beat))

endmodule
