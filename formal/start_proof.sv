// tsr_start: after each reset the entries go to the bus once each, in order, whatever is refused; a refusal is told from then on.
`include "proof.svh"

module start_proof
  import tsr_register_pkg::*;
#(
  parameter int unsigned Writes = 5
) (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        ready_i,
  input bus_answer_t answer_i
);

  `TSR_PROOF_RESET

  function automatic logic [63:0] entry(input int unsigned number);
    return {32'h1004 + 32'(12 * number), 32'h9e3779b9 * 32'(number + 1)};
  endfunction
  function automatic logic [Writes*64-1:0] entries();
    for (int unsigned n = 0; n < Writes; n++) entries[64*n+:64] = entry(n);
  endfunction

  bus_request_t request_o;
  logic busy_o, refused_o, refused_q;
  logic [3:0] count_q;
  tsr_start #(
    .Writes (Writes),
    .Program(entries())
  ) u_dut (
    .*
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      count_q   <= '0;
      refused_q <= 1'b0;
    end else if (busy_o && ready_i) begin
      count_q   <= count_q + 1'b1;
      refused_q <= refused_q || answer_i.error;
    end
  end

  `TSR_ASSERT(EachOnce, busy_o == (32'(count_q) < Writes))
  `TSR_ASSERT(InOrder, !busy_o || {12'd0, request_o.word, 2'd0, request_o.data} == entry(count_q))
  `TSR_ASSERT(Whole, !busy_o || (request_o.write && request_o.strobe == '1))
  `TSR_ASSERT(TellsARefusal, refused_o == refused_q)
  `TSR_COVER(Ends, !busy_o && !refused_o)
  `TSR_COVER(EndsRefused, !busy_o && refused_o)

endmodule
