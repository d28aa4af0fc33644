// tsr_stream_guard: a partner that keeps to the rules and is quick enough makes no fault; one that takes
// back a beat, changes a bit of it or is silent too long makes one.
`include "proof.svh"

module stream_guard_proof
  import tsr_descriptor_pkg::*;
  import tsr_fabric_pkg::*;
#(
  parameter  bit          Incoming = 1'b1,
  localparam int unsigned Bits     = 11,
  localparam int unsigned Silence  = 4
) (
  input logic            clk_i,
  input logic            rst_ni,
  input logic            clear_i,
  input logic            tick_i,
  input logic            excuse_i,
  input logic            busy_i,
  input logic [Bits-1:0] beat_i,
  input logic            valid_i,
  input logic            ready_i
);

  `TSR_PROOF_RESET

  fault_e fault_o;

  tsr_stream_guard #(
    .Incoming(Incoming),
    .Bits    (Bits),
    .Silence (Silence)
  ) u_dut (
    .*
  );

  logic waits_q, kept, one_bit, late;
  logic [Bits-1:0] beat_q, changed;
  logic [3:0] silent_q;
  assign changed = beat_i ^ beat_q;
  assign kept    = !waits_q || excuse_i || (valid_i && changed == '0);
  assign one_bit = waits_q && !excuse_i && (!valid_i || $onehot(changed));
  assign late    = 32'(silent_q) >= Silence;
  always_ff @(posedge clk_i) begin
    beat_q <= beat_i;
    if (!rst_ni) waits_q <= 1'b0;
    else waits_q <= valid_i && !ready_i;
    if (!rst_ni || clear_i || (valid_i && ready_i) || !(Incoming ? ready_i && busy_i : valid_i))
      silent_q <= '0;
    else if (tick_i && silent_q != '1) silent_q <= silent_q + 1'b1;
  end

  `TSR_ASSERT_NEXT(NoFaultOfTheRight, (kept || !Incoming) && !late, fault_o == FaultNone)
  `TSR_ASSERT_NEXT(LateIsTold, 32'(silent_q) == Silence && !clear_i, fault_o != FaultNone)
  if (Incoming) begin : gen_incoming
    `TSR_ASSERT_NEXT(UnstableIsTold, one_bit && !clear_i, fault_o == FaultStream)
    `TSR_COVER(Unstable, fault_o == FaultStream)
  end

  `TSR_COVER(Late, fault_o == FaultStreamTime)
  `TSR_COVER_NEXT(Cleared, fault_o != FaultNone && clear_i, fault_o == FaultNone)

endmodule
