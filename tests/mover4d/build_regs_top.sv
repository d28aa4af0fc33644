// tsr_mover_build_regs with pins for what no simulation of a kernel counts up to.
module build_regs_top
  import tsr_mover_registers_pkg::*;
(
  input  logic [ 5:0] word_i,
  input  logic [47:0] cycles_i,
  input  logic [31:0] errors_i,
  output logic [31:0] data_o
);

  mover_build_given_t given;
  always_comb begin
    given = '0;
    given.errors.channels = errors_i;
    given.cycles_low.cycles = cycles_i[31:0];
    given.cycles_high.cycles = cycles_i[47:32];
  end

  tsr_mover_build_regs u_dut (
    .read_word_i(mover_build_word_e'(word_i)),
    .data_o,
    .given_i    (given)
  );

endmodule
