// Keeps the fill value in place: the byte of it that belongs to each lane of the beat in hand.
//
// The value lies 8-byte periodic from where its transfer began: `level_i` bytes into a beat. A flush
// starts anew at lane 0. Beats of 8 bytes and more hold whole periods: the value is turned a byte a cycle
// to where it begins, and turned back by the flush; that is needed only by joined transfers. Narrower
// beats pick their part of it, also for what is held behind a flush.
//
// Contract: `turning_o` says that the value is not in place: nothing may be emitted or flushed.
// Latency: 1 cycle from `set_i`, and up to 7 while `turning_o`. Throughput: a beat a cycle.
`include "tsr_assert.svh"
module tsr_fill_lanes #(
  parameter int unsigned StreamBytes = 8
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  logic                        kill_i,
  input  logic                        set_i,
  input  logic [           63:0]      value_i,
  input  logic [            2:0]      level_i,    // bytes of the beat that lie before the value
  input  logic                        emit_i,     // the beat in hand is complete ...
  input  logic                        flush_i,    // ... and what follows begins anew
  output logic                        turning_o,
  output logic [StreamBytes-1:0][7:0] now_o,      // for the beat in hand
  output logic [StreamBytes-1:0][7:0] over_o      // for the beat after it
);

  logic [7:0][7:0] value_q;
  logic [2:0] phase_q;

  if (StreamBytes < 8) begin : gen_pick
    // The byte of the value that belongs to lane 0.
    always_ff @(posedge clk_i) begin
      if (set_i) phase_q <= -level_i;
      else if (flush_i) phase_q <= '0;
      else if (emit_i) phase_q <= phase_q + 3'(StreamBytes);
    end
    always_ff @(posedge clk_i) begin
      if (set_i) value_q <= value_i;
    end
    logic [2:0] over_phase;
    assign over_phase = flush_i ? '0 : phase_q + 3'(StreamBytes);
    for (genvar i = 0; i < StreamBytes; i++) begin : gen_lane
      logic [2:0] at, at_over;
      assign at        = phase_q + 3'(i);
      assign at_over   = over_phase + 3'(i);
      assign now_o[i]  = value_q[at];
      assign over_o[i] = value_q[at_over];
    end
    logic unused_kill;
    assign turning_o   = 1'b0;
    assign unused_kill = kill_i ^ rst_ni;
  end else begin : gen_turn
    logic [2:0] turns_q;  // still to do
    assign turning_o = turns_q != '0;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || kill_i) begin
        phase_q <= '0;
        turns_q <= '0;
      end else if (set_i) begin
        phase_q <= level_i;
        turns_q <= level_i;
      end else if (turning_o) begin
        turns_q <= turns_q - 1'b1;
      end else if (flush_i) begin
        phase_q <= '0;
        turns_q <= -phase_q;
      end
    end
    always_ff @(posedge clk_i) begin
      if (set_i) value_q <= value_i;
      else if (turning_o) value_q <= {value_q[6:0], value_q[7]};
    end
    for (genvar i = 0; i < StreamBytes; i++) begin : gen_lane
      assign now_o[i]  = value_q[i%8];
      assign over_o[i] = value_q[i%8];
    end
    logic unused_emit;
    assign unused_emit = emit_i;
  end

  `TSR_ASSERT(NothingWhileTurning, !turning_o || kill_i || !(emit_i || flush_i))

endmodule
