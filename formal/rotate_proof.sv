// tsr_rotate: every byte goes to where the amount says.
`include "proof.svh"

module rotate_proof #(
  parameter  int unsigned Bytes       = 8,
  parameter  int unsigned AmountWidth = 3,
  parameter  int unsigned Unit        = 1,
  localparam int unsigned IndexWidth  = $clog2(Bytes)
) (
  input logic                        clk_i,
  input logic                        rst_ni,
  input logic [      Bytes-1:0][7:0] data_i,
  input logic [AmountWidth-1:0]      amount_i,
  input logic [ IndexWidth-1:0]      from_i     // any byte
);

  `TSR_PROOF_RESET

  logic [Bytes-1:0][7:0] data_o;
  logic [IndexWidth-1:0] to;

  tsr_rotate #(
    .Bytes      (Bytes),
    .AmountWidth(AmountWidth),
    .Unit       (Unit)
  ) u_dut (
    .data_i,
    .amount_i,
    .data_o
  );

  assign to = IndexWidth'(32'(from_i) + 32'(amount_i) * Unit);

  `TSR_ASSERT(GoesWhereTold, data_o[to] == data_i[from_i])

  `TSR_COVER(Stays, to == from_i && data_o != '0)
  `TSR_COVER(WrapsAround, to < from_i && data_o != data_i)
  `TSR_COVER(TurnsFarthest, &amount_i && data_o != data_i)

endmodule
