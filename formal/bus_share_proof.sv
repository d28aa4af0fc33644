// tsr_bus_share: each request is answered once and in its own turn; none waits for more than one other.
`include "proof.svh"

module bus_share_proof
  import tsr_register_pkg::*;
(
  input logic               clk_i,
  input logic               rst_ni,
  input bus_request_t [1:0] request_i,
  input logic         [1:0] valid_i,
  input logic               ready_i
);

  `TSR_PROOF_RESET

  logic [1:0] ready_o;
  logic valid_o;
  bus_request_t request_o;

  tsr_bus_share u_dut (
    .clk_i,
    .rst_ni,
    .request_i,
    .valid_i,
    .ready_o,
    .request_o,
    .valid_o,
    .ready_i
  );

  for (genvar i = 0; i < 2; i++) begin : gen_master
    logic other_q;  // the other one was served while this one waited
    `TSR_ASSUME_STABLE(Stays, valid_i[i], ready_o[i], request_i[i])
    always_ff @(posedge clk_i) begin
      if (!rst_ni) other_q <= 1'b0;
      else other_q <= valid_i[i] && !ready_o[i] && (other_q || (valid_i[1-i] && ready_o[1-i]));
    end
    `TSR_ASSERT(OneOther, !(other_q && valid_i[1-i] && ready_o[1-i]))
    `TSR_ASSERT(Served,
                !(valid_i[i] && ready_o[i]) || (valid_o && ready_i && request_o == request_i[i]))
    `TSR_COVER(Waits, other_q)
  end
  `TSR_ASSERT(OneEach, valid_o == (valid_i != '0))
  `TSR_ASSERT(OneTaken, !(valid_o && ready_i) || $onehot(ready_o & valid_i))
  `TSR_ASSERT(NoneTaken, ready_i || ready_o == '0)

endmodule
