// Carries bits into another clock's domain: flops in a row.
//
// Contract: each bit arrives by itself, so neighbours that change together may arrive a cycle apart:
// send a Gray code, or single bits. `data_i` must be a register of the other clock. No reset: a chain
// that forgot what it saw would tell what never was.
// In simulation by Verilator each bit is delayed by a cycle at random: a crossing that is not Gray fails.
// Latency: `Stages` cycles, one more or less. Constraints: constraints/tsr_fifo_async.tcl.
`include "tsr_assert.svh"
module tsr_sync #(
  parameter int unsigned Width  = 1,
  parameter int unsigned Stages = 2   // 2..4
) (
  input  logic             clk_i,
  input  logic [Width-1:0] data_i,
  output logic [Width-1:0] data_o
);

  `TSR_STATIC_ASSERT(Stages, Stages >= 2 && Stages <= 4, ("Stages = %0d; legal is 2 to 4", Stages))

  (* ASYNC_REG = "TRUE" *) logic [Stages-1:0][Width-1:0] chain_q;
  logic [Width-1:0] sampled;

`ifdef VERILATOR
  // Metastability in simulation: a bit that changes is seen at once or a cycle late, each bit by itself.
  logic [Width-1:0] before_q, late_q;
  always_ff @(posedge clk_i) begin
    before_q <= data_i;
    for (int unsigned b = 0; b < Width; b++) late_q[b] <= 1'($urandom);
  end
  assign sampled = (data_i & ~late_q) | (before_q & late_q);
`else
  assign sampled = data_i;
`endif

  always_ff @(posedge clk_i) begin
    chain_q <= {chain_q[Stages-2:0], sampled};
  end

  assign data_o = chain_q[Stages-1];

endmodule
