// Compares a stream with what it should be, beat by beat.
//
// Contract: two beats are taken together, one of each side, and only during a run: lanes that the
// wanted beat keeps must be equal, the others do not count; TLAST does not count. `start_i` for one
// cycle forgets what was found; `check_o.pass` is high after a run that ended well with all beats as
// they should be. `first` is the place of the first wrong beat in the stream, in bytes.
// Latency: 1 cycle to the counters. Throughput: a beat a cycle.
`include "tsr_assert.svh"
module tsr_stream_check
  import tsr_mover_pkg::*;
#(
  parameter int unsigned Bytes = 8  // of a beat
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic                       start_i,
  input  mover_view_t                view_i,
  input  logic         [8*Bytes-1:0] wanted_i,
  input  logic         [  Bytes-1:0] keep_i,
  input  logic                       wanted_valid_i,
  output logic                       wanted_ready_o,
  input  logic         [8*Bytes-1:0] data_i,
  input  logic                       valid_i,
  output logic                       ready_o,
  output mover_check_t               check_o
);

  logic taken, wrong, ran_q;
  logic [Bytes-1:0] differs;
  logic [31:0] mismatches_q;
  logic [63:0] place_q, first_q;

  assign taken          = wanted_valid_i && valid_i;
  assign wanted_ready_o = valid_i;
  assign ready_o        = wanted_valid_i;

  always_comb begin
    for (int unsigned n = 0; n < Bytes; n++) begin
      differs[n] = keep_i[n] && wanted_i[8*n+:8] != data_i[8*n+:8];
    end
  end
  assign wrong = taken && differs != '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || start_i) begin
      ran_q        <= start_i && rst_ni;
      mismatches_q <= '0;
      place_q      <= '0;
      first_q      <= '1;
    end else begin
      if (taken) place_q <= place_q + 64'(Bytes);
      if (wrong && mismatches_q != '1) mismatches_q <= mismatches_q + 1'b1;
      if (wrong && mismatches_q == '0) first_q <= place_q;
    end
  end

  assign check_o = '{
          pass: ran_q && !view_i.busy && view_i.error == MoverOk && mismatches_q == '0,
          mismatches: mismatches_q,
          first: first_q
      };

  logic unused_view;
  assign unused_view = ^view_i;

  `TSR_ASSERT_NEXT(WrongIsCounted, wrong && !start_i, mismatches_q != '0)

endmodule
