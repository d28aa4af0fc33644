// Carries bits into another clock's domain: flops in a row.
//
// Contract: each bit arrives by itself, so neighbours that change together may arrive a cycle apart:
// send a Gray code, or one bit. `data_i` must be a register of the other clock. Reset sets the chain
// to `Init`: what was seen before it is forgotten.
// Latency: `Stages` cycles, one more or less. Constraints: constraints/tsr_fifo_async.xdc.
module tsr_sync #(
  parameter int unsigned             Width  = 1,
  parameter int unsigned             Stages = 2,  // 2..4
  parameter logic        [Width-1:0] Init   = '0
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [Width-1:0] data_i,
  output logic [Width-1:0] data_o
);

  (* ASYNC_REG = "TRUE" *) logic [Stages-1:0][Width-1:0] chain_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) chain_q <= {Stages{Init}};
    else chain_q <= {chain_q[Stages-2:0], data_i};
  end

  assign data_o = chain_q[Stages-1];

endmodule
