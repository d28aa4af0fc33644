// What a stream cell that holds up to `Capacity` items must do, whatever it is made of: the same items
// in the same order, nothing lost or made up, ready exactly while there is room, valid exactly while
// there is something to show. With FallThrough an item shows in the cycle in which it comes.
`include "proof.svh"

module queue_check #(
  parameter int unsigned Capacity    = 4,
  parameter type         T           = logic,
  parameter bit          FallThrough = 1'b0
) (
  input logic clk_i,
  input logic rst_ni,
  input logic flush_i,
  // The cell's input.
  input T     in_data_i,
  input logic in_valid_i,
  input logic in_ready_i,
  // The cell's output.
  input T     out_data_i,
  input logic out_valid_i,
  input logic out_ready_i
);

  localparam int unsigned CountWidth = $clog2(Capacity + 2);

  // Items [0, count) are held; 0 is the oldest.
  T [Capacity:0] queue_q, queue_d;
  logic [CountWidth-1:0] count_q, count_d;
  logic push, pop;

  assign push = in_valid_i && in_ready_i;
  assign pop  = out_valid_i && out_ready_i;

  always_comb begin
    queue_d = queue_q;
    count_d = count_q;
    if (push) begin
      queue_d[count_d] = in_data_i;
      count_d = count_d + 1'b1;
    end
    if (pop) begin
      queue_d = queue_d >> $bits(T);
      count_d = count_d - 1'b1;
    end
    if (flush_i) count_d = '0;
  end

  always_ff @(posedge clk_i) begin
    queue_q <= queue_d;
    count_q <= rst_ni ? count_d : '0;
  end

  `TSR_ASSUME_STABLE(InputStable, in_valid_i, in_ready_i || flush_i, in_data_i)

  `TSR_ASSERT(WithinCapacity, count_q <= Capacity)
  `TSR_ASSERT(ReadyWhileRoom, in_ready_i == (count_q != Capacity))
  `TSR_ASSERT(ValidWhileHeld, out_valid_i == (count_q != 0 || (FallThrough && in_valid_i)))
  `TSR_ASSERT(Oldest, !out_valid_i || out_data_i == (count_q != 0 ? queue_q[0] : in_data_i))
  `TSR_STABLE(OutputStable, out_valid_i, out_ready_i || flush_i, out_data_i)

  // An item every cycle without ever stopping, for longer than the cell could buffer.
  logic [7:0] streak_q;
  always_ff @(posedge clk_i) streak_q <= (rst_ni && push && pop) ? streak_q + 8'd1 : 8'd0;
  `TSR_COVER(FullThroughput, streak_q == 8'(Capacity + 2))
  `TSR_COVER(Full, !in_ready_i)
  logic was_full_q;
  always_ff @(posedge clk_i) was_full_q <= rst_ni && !flush_i && (was_full_q || !in_ready_i);
  `TSR_COVER(DrainedAfterFull, was_full_q && count_q == 0)
  if (FallThrough) begin : gen_fall_through
    `TSR_COVER(LatencyZero, count_q == 0 && push && pop)
  end else begin : gen_registered
    `TSR_COVER_NEXT(LatencyOne, count_q == 0 && push && !flush_i, pop)
  end

endmodule
