// Buffers a stream: a memory a lane, so that each lane is read at a beat of its own. Marks beats
// that have null bytes or end a packet.
//
// Contract: a beat is counted by `beats_o` in the cycle after it was accepted, its mark by
// `marks_o` in the same. A beat without bytes and TLAST is dropped. Beats below `free_i` are free.
// Lanes and marks are read at any time, with Side also what came beside a beat, a cycle behind its number.
// Latency: 1 cycle. Throughput: a beat a cycle.
`include "tsr_assert.svh"
`include "tsr_core_types.svh"
module tsr_write_buffer #(
  parameter  int unsigned BusLog  = 3,
  parameter  int unsigned RoomLog = 5,                            // log2 of the beats
  parameter  bit          Side    = 1'b0,
  parameter  int unsigned Parts   = 1,                            // of a beat, a power of two
  localparam int unsigned Lanes   = 2 ** BusLog,
  localparam type         mark_t  = `TSR_MARK_T(BusLog, RoomLog)
) (
  input  logic                             clk_i,
  input  logic                             rst_ni,
  // The stream
  input  logic  [  Lanes-1:0][        7:0] data_i,
  input  logic  [  Lanes-1:0]              keep_i,
  input  logic                             last_i,
  input  logic                             sparse_i,      // null bytes where none may be
  input  logic  [  Parts-1:0][       31:0] side_i,        // of each part
  input  logic                             valid_i,
  output logic                             ready_o,
  // Beats
  output logic  [  RoomLog:0]              beats_o,
  output logic                             busy_o,        // some are not free
  input  logic  [  Lanes-1:0][RoomLog-1:0] at_i,
  output logic  [  Lanes-1:0][        7:0] lanes_o,
  input  logic                             free_valid_i,
  input  logic  [  RoomLog:0]              free_i,
  // Marks
  output logic  [  RoomLog:0]              marks_o,
  input  logic  [RoomLog-1:0]              mark_at_i,
  output mark_t                            mark_o,
  // Side
  input  logic  [RoomLog-1:0]              side_at_i,
  output logic  [  Parts-1:0][       31:0] side_o
);

  logic [RoomLog:0] beats_q, marks_q, free_q, used;
  logic ready_q, put, whole;
  assign whole   = &keep_i;
  assign put     = valid_i && ready_q && (keep_i != '0 || last_i);
  assign used    = beats_q - free_q;
  assign ready_o = ready_q;
  assign beats_o = beats_q;
  assign busy_o  = used != '0;
  assign marks_o = marks_q;

  for (genvar i = 0; i < Lanes; i++) begin : gen_lane
    (* ram_style = "distributed" *) logic [7:0] mem[2**RoomLog];
    always_ff @(posedge clk_i) if (put) mem[beats_q[RoomLog-1:0]] <= data_i[i];
    assign lanes_o[i] = mem[at_i[i]];
  end

  // In LUTs or a block, as the tool likes.
  if (Side) begin : gen_side
    logic [32*Parts-1:0] side_mem[2**RoomLog];
    always_ff @(posedge clk_i) begin
      if (put) side_mem[beats_q[RoomLog-1:0]] <= side_i;
      side_o <= side_mem[side_at_i];
    end
  end else begin : gen_no_side
    logic unused_side;
    assign unused_side = ^{side_i, side_at_i};
    assign side_o      = '0;
  end

  // No more marks than beats.
  (* ram_style = "distributed" *) logic [$bits(mark_t)-1:0] mark_mem[2**RoomLog];
  mark_t mark;
  assign mark   = '{last: last_i, sparse: sparse_i, beat: beats_q, keep: keep_i};
  assign mark_o = mark_t'(mark_mem[mark_at_i]);

  always_ff @(posedge clk_i) begin
    if (put) mark_mem[marks_q[RoomLog-1:0]] <= mark;
    if (!rst_ni) begin
      beats_q <= '0;
      marks_q <= '0;
      free_q  <= '0;
      ready_q <= 1'b0;
    end else begin
      beats_q <= beats_q + (RoomLog + 1)'(put);
      marks_q <= marks_q + (RoomLog + 1)'(put && (last_i || !whole || sparse_i));
      if (free_valid_i) free_q <= free_i;
      ready_q <= 32'(used) < 2 ** RoomLog - 1;
    end
  end

  `TSR_ASSERT(NeverTooMuch, used <= (RoomLog + 1)'(2 ** RoomLog))

endmodule
