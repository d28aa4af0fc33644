// Sends the fill value ahead of the transfers that need it.
//
// The data side keeps the last value. A new one is sent when a bounded transfer begins whose value
// differs, or that is joined to the one before: that begins in the middle of a beat, and the value with
// it. Whether it differs is known a cycle after the transfer has begun, in time to hold its first row. The
// value is kept already when it is offered: that it begins is known late.
//
// Contract: `hold_o` keeps the rows of the transfer that has begun back until its value has been
// accepted behind all that came before (`quiet_i`: none of that is left on the way). `kill_i` forgets
// the value.
// Latency: 1 cycle from the beginning, 1 to send.
`include "tsr_assert.svh"
module tsr_fill_value (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        kill_i,
  input  logic        offer_i,    // a transfer waits to begin; it stays until it does, with:
  input  logic        begin_i,    // ... and does
  input  logic [63:0] fill_i,
  input  logic        bounded_i,
  input  logic        joins_i,    // ... it joins the one after it
  input  logic        quiet_i,
  output logic        hold_o,
  output logic        valid_o,
  output logic [63:0] value_o,
  input  logic        ready_i
);

  logic known_q, joined_q, hold_q, keep, differs, differed_q;  // differed: when it was offered
  logic [63:0] value_q;

  assign hold_o  = hold_q;
  assign valid_o = hold_q && quiet_i;
  assign value_o = value_q;
  assign keep    = offer_i && bounded_i && !hold_q;
  assign differs = differed_q || fill_i != value_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || kill_i) begin
      known_q    <= 1'b0;
      joined_q   <= 1'b0;
      hold_q     <= 1'b0;
      differed_q <= 1'b0;
    end else if (begin_i) begin
      known_q    <= known_q || bounded_i;
      joined_q   <= joins_i;
      hold_q     <= bounded_i && (joined_q || !known_q || differs);
      differed_q <= 1'b0;
    end else begin
      if (valid_o && ready_i) hold_q <= 1'b0;
      if (keep) differed_q <= differs;
    end
  end
  always_ff @(posedge clk_i) begin
    if (keep) value_q <= fill_i;
  end

  `TSR_ASSERT(BeginsAsOffered, !begin_i || offer_i)
  `TSR_ASSERT(NothingBeginsWhileHeld, !(begin_i && hold_q))
  `TSR_ASSERT_NEXT(ValueStays, valid_o && !ready_i && !kill_i, $stable(value_o))

endmodule
