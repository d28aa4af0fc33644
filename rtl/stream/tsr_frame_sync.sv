// Brings a stream into memory to the beginning of a frame: drops what comes before the mark.
//
// Contract. Without `hunt_i` the stream passes. With it beats without a mark are taken and dropped, and
// counted in `dropped_o` (modulo 2**32); the first beat with a mark stays in front, `mark_o` pulses, and
// the beat passes when hunt falls. A mark is TUSER bit 0 with the first beat of a frame; in any other beat it
// counts as well. A beat that is shown when hunt begins stays until it is accepted; so does what the
// engine has taken before: hunt when the channel has no transfer in hand. `clear_i` sets the count to 0.
// With `hold_i` a marked beat passes only when a hunt has found it: then nothing of a frame is taken ahead of
// its trigger, and a hunt takes back a beat that is shown. With `shut_i` nothing passes and nothing is dropped.
// Latency: 0 cycles, paths from valid and data to valid and data and from ready to ready; `mark_o` in
// the first cycle of the marked beat. Throughput: a beat a cycle, dropped or not.
`include "tsr_assert.svh"
module tsr_frame_sync #(
  parameter type T = logic
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        hunt_i,
  input  logic        hold_i,
  input  logic        shut_i,     // with hold_i; takes back a beat that is shown
  input  logic        clear_i,
  output logic        mark_o,
  output logic [31:0] dropped_o,
  input  T            data_i,
  input  logic        marked_i,   // of the beat
  input  logic        valid_i,
  output logic        ready_o,
  output T            data_o,
  output logic        valid_o,
  input  logic        ready_i
);

  logic offered_q, found, found_q, released_q, hunts, drop, holds;

  assign hunts   = hunt_i && !shut_i && (!offered_q || hold_i);
  assign holds   = hold_i && marked_i && !released_q && !found_q && !offered_q;
  assign found   = hunts && valid_i && marked_i;
  assign drop    = hunts && valid_i && !marked_i;
  assign data_o  = data_i;
  assign valid_o = valid_i && !hunts && !holds && !shut_i;
  assign ready_o = hunts ? !marked_i : ready_i && !holds && !shut_i;
  assign mark_o  = found && !found_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      offered_q  <= 1'b0;
      found_q    <= 1'b0;
      released_q <= 1'b0;
      dropped_o  <= '0;
    end else begin
      offered_q  <= valid_o && !ready_i;
      found_q    <= found;
      released_q <= !hunts && (found_q || released_q) && !(valid_o && ready_i);
      dropped_o  <= clear_i ? '0 : dropped_o + 32'(drop);
    end
  end

  // A partner that takes a beat back breaks the rules itself: the guard of the stream tells of it.
  `TSR_ASSERT_NEXT(OutStays, valid_o && !ready_i && !hold_i,
                   hold_i || valid_o || !valid_i || !$stable(data_i))
  `TSR_ASSERT(ShutIsOfThoseThatHold, !shut_i || hold_i)
  `TSR_ASSERT(MarkedIsNotDropped, !(hunts && valid_i && ready_o) || !marked_i)

endmodule
