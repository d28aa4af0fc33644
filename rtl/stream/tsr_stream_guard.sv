// Watches what the partner does on one stream.
//
// Contract: watches only. `fault_o` says in a cycle that the partner kept it waiting for `Silence`
// ticks (of a stream that comes in: while `busy_i`, which is when it is needed), or that it took back
// or changed a beat before it was taken. Changes are seen by eight bits of parity: 255 of 256 changes
// at random, and every change of one bit. While `excuse_i` a beat may be taken back. With
// `clear_i` nothing is a fault.
// Latency: 1 cycle.
`include "tsr_assert.svh"
module tsr_stream_guard
  import tsr_descriptor_pkg::*;
  import tsr_fabric_pkg::*;
#(
  parameter bit          Incoming = 1'b0,  // the partner gives; else it takes
  parameter int unsigned Bits     = 73,    // of a beat
  parameter int unsigned Silence  = 0      // 0: it may wait for ever; else from 2 on
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              clear_i,
  input  logic              tick_i,    // the cycle counts for the time-out
  input  logic              busy_i,
  input  logic              excuse_i,  // a beat that is shown may be taken back
  input  logic   [Bits-1:0] beat_i,
  input  logic              valid_i,
  input  logic              ready_i,
  output fault_e            fault_o
);

  logic silent, unstable;

  if (Silence == 0) begin : gen_patient
    logic unused_waits;
    assign unused_waits = ^{valid_i, ready_i, busy_i, tick_i};
    assign silent       = 1'b0;
  end else begin : gen_silence
    logic [$clog2(Silence)-1:0] ticks_q;
    logic waits;
    assign waits = Incoming ? ready_i && busy_i && !valid_i : valid_i && !ready_i;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear_i || !waits) begin
        ticks_q <= '0;
        silent  <= 1'b0;
      end else if (tick_i) begin
        ticks_q <= ticks_q + 1'b1;
        silent  <= 32'(ticks_q) == Silence - 1;
      end
    end
  end

  if (Incoming) begin : gen_incoming
    logic [7:0] parity, parity_q;
    logic waits_q;
    always_comb begin
      parity = '0;
      for (int unsigned n = 0; n < Bits; n++) parity[n%8] = parity[n%8] ^ beat_i[n];
    end
    always_ff @(posedge clk_i) begin
      parity_q <= parity;
      if (!rst_ni) waits_q <= 1'b0;
      else waits_q <= valid_i && !ready_i;
    end
    assign unstable = waits_q && !excuse_i && (!valid_i || parity != parity_q);
  end else begin : gen_outgoing
    logic unused_beat;
    assign unused_beat = ^{beat_i, busy_i, excuse_i};
    assign unstable    = 1'b0;
  end

  always_ff @(posedge clk_i) begin
    fault_o <= unstable ? FaultStream : silent ? FaultStreamTime : FaultNone;
    if (!rst_ni || clear_i) fault_o <= FaultNone;
  end

  `TSR_STATIC_ASSERT(Silence, Silence != 1, ("Silence = 1; legal is 0, and 2 and more"))
  `TSR_ASSERT_NEXT(ClearedIsQuiet, clear_i, fault_o == FaultNone)

endmodule
