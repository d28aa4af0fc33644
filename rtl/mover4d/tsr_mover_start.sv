// The block that Vitis HLS gives a kernel: start, done, idle, ready, automatic restart, interrupt.
//
// Contract: `run_o` for one cycle starts everything, `done_i` for one cycle ends it, never in the
// same cycle. `word_i`, `write_i` and `read_i` are accesses of words 0 to 3; `data_o` is of the
// word that is read. Bits that a read clears are shown by it. A start that is written during a run
// is the one that runs: only with `auto_restart` another follows. One that is written in the cycle
// of `done_i` is another. An event in the cycle in which its bit is cleared or toggled wins.
// Latency: 1 cycle from the write to `run_o`; 1 from `done_i` to the line, and to `run_o` with
// automatic restart.
`include "tsr_assert.svh"
module tsr_mover_start
  import tsr_mover_registers_pkg::*;
(
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  mover_control_word_e        word_i,
  input  logic                       write_i,
  input  logic                       read_i,
  input  logic                [31:0] data_i,
  input  logic                [ 3:0] strobe_i,
  output logic                [31:0] data_o,
  output logic                       run_o,
  output logic                       running_o,
  input  logic                       done_i,
  output logic                       irq_o
);

  mover_control_value_t value;
  mover_control_ap_ctrl_t control;
  mover_control_isr_t status;
  logic [31:0] data;

  tsr_mover_control_regs u_regs (
    .clk_i,
    .rst_ni,
    .word_i,
    .write_i    (write_i && mover_control_writable(word_i)),
    .data_i,
    .strobe_i,
    .read_word_i(word_i),
    .data_o     (data),
    .value_o    (value)
  );

  logic start_q, restart_q, running_q, done_q, ready_q, isr_done_q, isr_ready_q, irq_q;
  logic control_write, control_read, toggle;
  assign control_write = write_i && word_i == MoverControlApCtrl && strobe_i[0];
  assign control_read  = read_i && word_i == MoverControlApCtrl;
  assign toggle        = write_i && word_i == MoverControlIsr && strobe_i[0];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      start_q     <= 1'b0;
      restart_q   <= 1'b0;
      running_q   <= 1'b0;
      done_q      <= 1'b0;
      ready_q     <= 1'b0;
      isr_done_q  <= 1'b0;
      isr_ready_q <= 1'b0;
      irq_q       <= 1'b0;
    end else begin
      start_q <= (done_i ? restart_q : start_q) || (control_write && data_i[0]);
      if (control_write) restart_q <= data_i[7];
      running_q   <= run_o || (running_q && !done_i);
      done_q      <= done_i || (done_q && !control_read);
      ready_q     <= done_i || (ready_q && !control_read);
      isr_done_q  <= (done_i && value.ier.done) || (isr_done_q ^ (toggle && data_i[0]));
      isr_ready_q <= (done_i && value.ier.ready) || (isr_ready_q ^ (toggle && data_i[1]));
      irq_q       <= value.gie.enable && (isr_done_q || isr_ready_q);
    end
  end

  assign run_o     = start_q && !running_q;
  assign running_o = running_q;
  assign irq_o     = irq_q;

  always_comb begin
    control              = '0;
    control.start        = start_q;
    control.done         = done_q;
    control.idle         = !start_q && !running_q;
    control.ready        = ready_q;
    control.auto_restart = restart_q;
    control.interrupts   = irq_q;
    status               = '0;
    status.done          = isr_done_q;
    status.ready         = isr_ready_q;
    case (word_i)
      MoverControlApCtrl: data_o = control;
      MoverControlIsr:    data_o = status;
      default:            data_o = data;
    endcase
  end

  `TSR_ASSERT(EndsWhatRuns, !done_i || running_q)
  `TSR_ASSERT_NEXT(DoneIsTold, done_i, done_q)

endmodule
