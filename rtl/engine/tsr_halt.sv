// Takes an engine through an abort: stop, drain, close, account for every transfer, be idle.
//
// Contract: `abort_i` high starts it in any cycle and is held until `idle_o`; `kill_o` is high in its
// first cycle. `halted_o` is high from then until `abort_i` falls. When `quiet_i` says that everything
// started on the bus has ended, `close_o` asks for the end of an open packet until `closed_i`, then
// `give_o` offers a record for each transfer that was accepted and has none.
// `idle_o`: no transfer in hand, nothing in flight.
`include "tsr_assert.svh"
module tsr_halt #(
  parameter int unsigned Transfers = 256,  // fewer are accepted whose records were not taken
  localparam int unsigned CountWidth = $clog2(Transfers)
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic abort_i,
  input  logic accept_i,   // a transfer has been accepted
  input  logic record_i,   // a record has been made (also those given here)
  input  logic retired_i,  // a record has been taken
  input  logic quiet_i,
  output logic kill_o,
  output logic halted_o,
  output logic close_o,
  input  logic closed_i,
  output logic give_o,
  output logic owed_o,     // a transfer was accepted and has no record
  output logic idle_o
);

  typedef enum logic [1:0] {
    Run,
    Drain,
    Close,
    Account
  } state_e;

  state_e state_q, state_d;
  logic running_q;  // state_q == Run
  logic accept_q;  // counted a cycle late: `accept_i` comes late in its cycle
  logic [CountWidth-1:0] owed_q, kept_q;  // records to make; transfers whose record was not taken

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Run:     if (abort_i) state_d = Drain;
      Drain:   if (quiet_i) state_d = Close;
      Close:   if (closed_i) state_d = Account;
      Account: if (owed_q == '0 && !abort_i) state_d = Run;
      default: state_d = Run;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= Run;
      running_q <= 1'b1;
      accept_q <= 1'b0;
      owed_q <= '0;
      kept_q <= '0;
    end else begin
      state_q <= state_d;
      running_q <= state_d == Run;
      accept_q <= accept_i;
      owed_q <= owed_q + CountWidth'(accept_q) - CountWidth'(record_i);
      kept_q <= kept_q + CountWidth'(accept_q) - CountWidth'(retired_i);
    end
  end

  logic rests;
  assign rests    = running_q ? !abort_i : state_q == Account;
  assign kill_o   = running_q && abort_i;
  assign halted_o = !running_q || abort_i;
  assign close_o  = state_q == Close;
  assign owed_o   = owed_q != '0;
  assign give_o   = state_q == Account && owed_q != '0;
  assign idle_o   = kept_q == '0 && !accept_q && quiet_i && rests;

  `TSR_ASSERT(RecordOfATransfer, !record_i || owed_q != '0 || accept_q)
  `TSR_ASSERT(RetiredWasKept, !retired_i || kept_q != '0 || accept_q)
  `TSR_ASSERT(TheCountFits, !accept_q || 32'(kept_q) != Transfers - 1)

endmodule
