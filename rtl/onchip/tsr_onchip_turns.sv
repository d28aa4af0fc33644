// Keeps the order in which bursts of a port went to the external memory and to the on-chip buffer.
//
// Contract: a burst goes in with `valid_i` and `ready_o`. An answer (the last beat of data, or a response) belongs to the oldest burst,
// which is the buffer's with `from_buffer_o`; with the ID of the port it ends the burst, with another it is of none.
// A port that has failed (`failed_i`) counts answers and takes no data: they come in any order then, so that none waits for
// one that never comes. Behind that the port has another ID: what of the buffer has not that one is of a burst that the port
// has given up (`drop_o`), and belongs to no one.
// Latency: 1 cycle from a burst to its turn. Throughput: a burst a cycle. Path from the buffer's answer to both outputs.
`include "tsr_assert.svh"
module tsr_onchip_turns #(
  parameter int unsigned IdWidth = 4,
  parameter int unsigned Depth   = 128  // bursts, a power of two
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               failed_i,
  input  logic [IdWidth-1:0] id_i,            // of the port
  input  logic               onchip_i,
  input  logic [IdWidth-1:0] burst_id_i,
  input  logic               valid_i,
  output logic               ready_o,
  input  logic [IdWidth-1:0] buffer_id_i,
  input  logic               buffer_valid_i,
  output logic               drop_o,
  output logic               from_buffer_o,
  input  logic [IdWidth-1:0] answer_id_i,
  input  logic               answer_i
);

  logic oldest, some, failed_q;
  logic [IdWidth-1:0] id_q;
  always_ff @(posedge clk_i) begin
    failed_q <= failed_i;
    id_q     <= id_i;
  end
  tsr_fifo #(
    .Depth(Depth),
    .T    (logic)
  ) u_bursts (
    .clk_i,
    .rst_ni,
    .flush_i(failed_i || failed_q),
    .data_i (onchip_i),
    .valid_i(valid_i && burst_id_i == id_q),
    .ready_o,
    .data_o (oldest),
    .valid_o(some),
    .ready_i(answer_i && answer_id_i == id_q)
  );
  assign drop_o        = buffer_valid_i && buffer_id_i != id_q;
  assign from_buffer_o = failed_i ? buffer_valid_i && !drop_o : some && oldest;

  `TSR_ASSERT(BufferOwesWhatItGives, !buffer_valid_i || drop_o || failed_i || failed_q || some)

endmodule
