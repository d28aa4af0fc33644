// Keeps the operation at hand and measures it against the bytes that are held and the piece in front.
//
// An operation drops `lead` bytes, writes `data` bytes from byte `off` of a word on, and drops the rest of
// `all`. What is kept is how far the bytes held reach beyond the end of its lead, of its data and of
// all: less than nothing if they do not. A piece adds its bytes to these numbers and the next operation
// takes its own from them; what is executed of an operation changes none of them.
//
// Contract: `load_i` takes the operation that is offered: when none is at hand, or when all of it is
// executed. `run_i` comes late; with it, what the others say happens. If the bytes held reach the end of
// the operation, all of it is executed; else `span_i`: as much as they reach with the piece; `short_i`:
// as much as they reach. `join_i`: the bytes of the piece join those held; only with an operation at
// hand. `clear_i` forgets the operation and the bytes. A piece without bytes may make a part without
// bytes.
// Latency: 1 cycle. Throughput: one operation a cycle.
`include "tsr_assert.svh"
module tsr_portion #(
  parameter  int unsigned DataBytes   = 8,
  parameter  int unsigned StreamBytes = 8,
  parameter  int unsigned GroupBytes  = 8,
  localparam int unsigned OffWidth    = $clog2(DataBytes),
  localparam int unsigned GroupLog2   = $clog2(GroupBytes),
  localparam int unsigned SizeWidth   = GroupLog2 + 1,
  localparam int unsigned SumWidth    = GroupLog2 + 2,
  localparam int unsigned TurnWidth   = GroupLog2 == 0 ? 1 : GroupLog2,
  localparam int unsigned PosWidth    = $clog2(StreamBytes) + 2,
  localparam int unsigned ReachWidth  = PosWidth + 1
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   clear_i,
  // The operation that is offered.
  input  logic                   load_i,
  input  logic [  SizeWidth-1:0] op_lead_i,
  input  logic [  SizeWidth-1:0] op_data_i,
  input  logic [   SumWidth-1:0] op_lead_data_i,
  input  logic [   SumWidth-1:0] op_all_i,
  input  logic [   OffWidth-1:0] op_off_i,
  // What happens.
  input  logic                   run_i,
  input  logic                   span_i,
  input  logic                   short_i,
  input  logic                   join_i,
  input  logic [   PosWidth-1:0] size_i,            // of the piece
  input  logic [   PosWidth-1:0] lane_i,            // of the last byte held, modulo lanes
  // The operation at hand.
  output logic                   valid_o,
  output logic                   nothing_o,         // has no bytes at all
  output logic                   writes_o,          // has data that are not executed
  output logic                   reached_o,         // the bytes held reach its end
  output logic                   level_o,           // ... and end there
  output logic                   joined_reached_o,  // they reach its end with the piece
  output logic                   joined_level_o,    // ... and end there
  output logic [   PosWidth-1:0] left_o,            // bytes behind it, if they reach its end
  // Of what is executed in this cycle.
  output logic                   part_o,            // it has data
  output logic                   data_done_o,       // ... the last
  output logic [   OffWidth-1:0] part_off_o,        // byte of the word where they begin
  output logic [     OffWidth:0] part_end_o,        // byte behind the last
  output logic [  TurnWidth-1:0] part_turn_o,       // from their lane to their byte
  output logic [   PosWidth-1:0] part_begin_o,      // lane of the first of its data, modulo lanes
  output logic [StreamBytes-1:0] part_held_o        // lanes that come from the bytes held
);

  typedef logic [PosWidth-1:0] pos_t;
  typedef logic signed [ReachWidth-1:0] reach_t;
  typedef logic [OffWidth:0] end_t;

  logic valid_q, nothing_q, writes_q;
  // How far the bytes held reach beyond the operation's lead, less 1; its data; all of it. Without an
  // operation `all_q` is the number of bytes held.
  reach_t first_q, data_q, all_q, first, data, all, size;
  logic [OffWidth-1:0] next_off_q;  // where those of its data begin that are not executed
  end_t end_q;  // behind its data

  reach_t joined_first, joined_data, joined_all;
  logic reached, all_done, has_data;
  assign size = reach_t'({1'b0, size_i});
  assign joined_first = first_q + size;
  assign joined_data = data_q + size;
  assign joined_all = all_q + size;
  assign first = join_i ? joined_first : first_q;
  assign data = join_i ? joined_data : data_q;
  assign all = join_i ? joined_all : all_q;

  // What reaches the end of all reaches the end of the data.
  assign reached = !all_q[ReachWidth-1];
  assign all_done = span_i ? !joined_all[ReachWidth-1] : reached;
  logic step;
  assign step        = reached || short_i;
  assign data_done_o = span_i ? !joined_data[ReachWidth-1] : step && !data_q[ReachWidth-1];
  assign has_data    = span_i ? !joined_first[ReachWidth-1] : step && !first_q[ReachWidth-1];

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      valid_q <= 1'b0;
      all_q   <= '0;
    end else begin
      valid_q <= load_i || (valid_q && !(run_i && all_done));
      if (load_i || run_i) all_q <= load_i ? all - reach_t'({1'b0, op_all_i}) : all;
    end
  end
  always_ff @(posedge clk_i) begin
    if (load_i || run_i) begin
      first_q <= load_i ? all + ~reach_t'({1'b0, op_lead_i}) : first;
      data_q  <= load_i ? all - reach_t'({1'b0, op_lead_data_i}) : data;
    end
    if (load_i) begin
      nothing_q  <= op_all_i == '0;
      writes_q   <= op_data_i != '0;
      end_q      <= end_t'(op_off_i) + end_t'(op_data_i);
      next_off_q <= op_off_i;
    end else if (run_i) begin
      if (data_done_o) writes_q <= 1'b0;
      next_off_q <= OffWidth'(part_end_o);
    end
  end

  assign valid_o   = valid_q;
  assign nothing_o = nothing_q;
  assign writes_o  = writes_q;
  assign reached_o = reached;
  assign level_o   = all_q == '0;
  assign left_o    = pos_t'(all);

  // Whether a sum is 0, without its carries: each bit pair differs just where the pair below has a 1.
  reach_t differ, carried;
  assign differ           = all_q ^ size;
  assign carried          = (all_q | size) << 1;
  assign joined_reached_o = !joined_all[ReachWidth-1];
  assign joined_level_o   = differ == carried;

  assign part_o           = run_i && writes_q && has_data;
  assign part_off_o       = next_off_q;
  assign part_begin_o     = lane_i - pos_t'(first_q);
  if (GroupLog2 == 0) begin : gen_no_turn
    assign part_turn_o = '0;
  end else begin : gen_turn
    logic [TurnWidth-1:0] off_q;
    always_ff @(posedge clk_i) begin
      if (load_i) off_q <= TurnWidth'(op_off_i);
    end
    assign part_turn_o = off_q + TurnWidth'(first_q) - TurnWidth'(lane_i);
  end
  always_comb begin
    part_end_o = end_t'(next_off_q);
    if (valid_q && data_done_o) part_end_o = end_q;
    else if (valid_q && has_data)
      part_end_o = end_q + (span_i ? end_t'(joined_data) : end_t'(data_q));
  end

  for (genvar i = 0; i < StreamBytes; i++) begin : gen_held
    assign part_held_o[i] = first_q >= reach_t'(StreamBytes - 1 - i);
  end

  `TSR_ASSERT(LoadsWhenFree, !load_i || !valid_q || (run_i && all_done))
  `TSR_ASSERT(AllIsReached, !(run_i && all_done) || !all[ReachWidth-1])

endmodule
