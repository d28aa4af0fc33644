// Keeps the order in which bursts of a port went to the external memory and to the on-chip buffer.
//
// Contract: a burst goes in with `valid_i` and `ready_o`. An answer (the last beat of data, or a response) belongs to the oldest burst,
// which is the buffer's with `from_buffer_o`; with the ID of the burst it ends the burst, with another it is of none. When the ID of a
// port changes, what the bursts with the old one still get is theirs no longer, for the port knows it by its ID: such
// a burst is `stale_o` for a cycle, in which no answer may be taken.
// Latency: 1 cycle from a burst to its turn. Throughput: a burst a cycle.
`include "tsr_assert.svh"
module tsr_onchip_turns #(
  parameter int unsigned IdWidth = 4,
  parameter int unsigned Depth   = 128  // bursts, a power of two
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               onchip_i,
  input  logic [IdWidth-1:0] id_i,
  input  logic               valid_i,
  output logic               ready_o,
  output logic               from_buffer_o,
  output logic               stale_o,
  input  logic [IdWidth-1:0] answer_id_i,
  input  logic               answer_i
);

  typedef struct packed {
    logic               onchip;
    logic [IdWidth-1:0] id;
  } burst_t;
  burst_t oldest;
  logic some;
  logic [IdWidth-1:0] id_q;
  tsr_fifo #(
    .Depth(Depth),
    .T    (burst_t)
  ) u_bursts (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .data_i ('{onchip: onchip_i, id: id_i}),
    .valid_i,
    .ready_o,
    .data_o (oldest),
    .valid_o(some),
    .ready_i(stale_o || (answer_i && answer_id_i == oldest.id))
  );
  always_ff @(posedge clk_i) begin
    if (valid_i && ready_o) id_q <= id_i;
  end
  assign stale_o       = some && oldest.id != id_q;
  assign from_buffer_o = some && oldest.onchip;

  `TSR_ASSERT(StaleTakesNothing, !(stale_o && answer_i))

endmodule
