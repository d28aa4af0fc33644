// The registers of the on-chip buffer: its counters, and what is stored wrong on purpose.
//
// Contract: `data_o` is 0 for other words; a write of any other word changes nothing here. `inject_o` holds until
// `injected_i`.
// Latency: 0 cycles to read, 1 to write. Throughput: one access a cycle.
`include "tsr_assert.svh"
module tsr_native_onchip
  import tsr_registers_pkg::*;
  import tsr_onchip_pkg::*;
(
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  global_word_e         word_i,
  input  logic                 write_i,
  input  logic          [31:0] data_i,
  output logic          [31:0] data_o,
  input  logic                 freeze_i,
  input  logic                 clear_i,
  input  onchip_event_t        event_i,
  input  logic                 injected_i,
  output logic          [ 1:0] inject_o,
  output logic                 lost_o       // some word was
);

  logic [31:0] conflicts_q;
  logic [15:0] corrected_q, lost_q;
  always_comb begin
    case (word_i)
      GlobalOnchipConflicts: data_o = conflicts_q;
      GlobalOnchipErrors:    data_o = {lost_q, corrected_q};
      GlobalOnchipTest:      data_o = 32'(inject_o);
      default:               data_o = '0;
    endcase
  end
  assign lost_o = lost_q != '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) {conflicts_q, corrected_q, lost_q} <= '0;
    else begin
      conflicts_q <= conflicts_q + 32'(event_i.conflict && !freeze_i);
      corrected_q <= corrected_q + 16'(event_i.corrected && corrected_q != '1);
      lost_q      <= lost_q + 16'(event_i.lost && lost_q != '1);
    end
    // A write in the cycle of another word is for the next one.
    if (!rst_ni) inject_o <= '0;
    else if (write_i && word_i == GlobalOnchipTest) inject_o <= data_i[1:0];
    else if (injected_i) inject_o <= '0;
  end

  logic unused_data;
  assign unused_data = ^data_i;

  `TSR_ASSERT_NEXT(LostIsKept, lost_o && !clear_i, lost_o)

endmodule
