// Performance counters of a tile: each counts cycles from a start event to a stop event.
//
// Contract. A counter counts from the cycle of its start event on, up to that before its stop event; with one event for
// both it counts the cycles of that. One that is given another start event waits for that. Its reset event sets it
// to 0, and a count that reaches the value of its register shows in `reached_o` for a cycle. Event 0 never comes.
// Words: 0 and 1 start and stop, 2 reset, 8 to 11 the counters, 32 to 35 their values; two counters have 7 bits an
// event, four have 8.
// Latency: 0 cycles to read, 1 to write and to count.
`include "tsr_assert.svh"
module tsr_aieml_counters
  import tsr_aieml_pkg::*;
#(
  parameter int unsigned Counters = 2  // 2 or 4
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic [         5:0] word_i,
  input  logic                write_i,
  input  logic [        31:0] data_i,
  input  logic [         5:0] read_word_i,
  output logic [        31:0] data_o,
  input  logic [  Events-1:0] events_i,
  output logic [Counters-1:0] reached_o
);

  logic [1:0][31:0] control_q;  // start and stop of two counters each
  logic [31:0] reset_q;
  logic [Counters-1:0][31:0] count_q, value_q;
  logic [Counters-1:0] runs_q;

  function automatic logic happens(input logic [Events-1:0] set, input logic [7:0] id);
    return id != '0 && 32'(id) < Events && set[id];
  endfunction

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      control_q <= '0;
      reset_q   <= '0;
      value_q   <= '0;
    end else if (write_i) begin
      if (word_i == 6'd0) control_q[0] <= data_i & counter_bits(Counters, 6'd0);
      if (word_i == 6'd1 && Counters == 4) control_q[1] <= data_i;
      if (word_i == 6'd2) reset_q <= data_i & counter_bits(Counters, 6'd2);
      for (int unsigned n = 0; n < Counters; n++) begin
        if (word_i == 6'(32 + n)) value_q[n] <= data_i;
      end
    end
  end

  for (genvar n = 0; n < Counters; n++) begin : gen_counter
    logic [7:0] start_id, stop_id, reset_id, next_id;
    logic starts, stops, clears, counts, written, renamed;
    assign start_id = control_q[n/2][16*(n%2)+:8];
    assign stop_id  = control_q[n/2][16*(n%2)+8+:8];
    assign reset_id = reset_q[8*n+:8];
    assign starts   = happens(events_i, start_id);
    assign stops    = happens(events_i, stop_id);
    assign clears   = happens(events_i, reset_id);
    assign counts   = start_id == stop_id ? starts : (starts || runs_q[n]) && !stops;
    assign written  = write_i && word_i == unsigned'(6'(8 + n));
    assign next_id  = 8'((data_i & counter_bits(Counters, 6'd0)) >> (16 * (n % 2)));
    assign renamed  = write_i && word_i == unsigned'(6'(n / 2)) && next_id != start_id;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        count_q[n]   <= '0;
        runs_q[n]    <= 1'b0;
        reached_o[n] <= 1'b0;
      end else begin
        runs_q[n] <= (starts || runs_q[n]) && !stops && !renamed;
        if (written) count_q[n] <= data_i;
        else if (clears) count_q[n] <= '0;
        else if (counts) count_q[n] <= count_q[n] + 1'b1;
        reached_o[n] <= counts && !written && !clears && count_q[n] + 1'b1 == value_q[n];
      end
    end
  end

  always_comb begin
    data_o = '0;
    if (read_word_i == 6'd0) data_o = control_q[0];
    if (read_word_i == 6'd1) data_o = control_q[1];
    if (read_word_i == 6'd2) data_o = reset_q;
    for (int unsigned n = 0; n < Counters; n++) begin
      if (read_word_i == 6'(8 + n)) data_o = count_q[n];
      if (read_word_i == 6'(32 + n)) data_o = value_q[n];
    end
  end

  `TSR_STATIC_ASSERT(Counters, Counters == 2 || Counters == 4,
                     ("Counters = %0d; legal is 2 and 4", Counters))

endmodule
