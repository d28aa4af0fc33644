// Takes channels through abort and reset, and keeps their halts.
//
// Contract. An abort or a reset is carried through once it was asked for: `stop` stays until the
// channel was cleaned (`clean_i`) and the order has ended. `done` follows the clean; a reset that comes
// behind the clean of an abort cleans again. A reset whose order falls early lasts as long as `lasts_i` or
// `lasts` of the orders says, with Settles two cycles at least, in which they come. A reset that is
// cleaned clears `halted` and `faulted`; a fault or a lost entry that is seen while the channel is in
// reset is one of before. A refusal while the channel stops is no error. The engine is asked to abort
// (`aborts`) from the first cycle of `stop` to the clean.
// Latency: 1 cycle from an order to `stop`.
`include "tsr_assert.svh"
module tsr_channel_stop
  import tsr_program_pkg::*;
#(
  parameter int unsigned Channels = 2,    // 1..32
  parameter bit          Settles  = 1'b0
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  orders_t     [Channels-1:0] orders_i,
  input  logic        [Channels-1:0] clean_i,
  input  logic        [Channels-1:0] refused_i,
  input  logic        [Channels-1:0] lost_i,     // an entry was not written
  input  logic        [Channels-1:0] lasts_i,
  input  logic        [Channels-1:0] fault_i,    // a bit of `stop_on`
  output stop_state_t [Channels-1:0] state_o
);

  for (genvar c = 0; c < Channels; c++) begin : gen_channel
    logic stop_q, done_q, abort_q, reset_q, halted_q, faulted_q, asked, stop, done;
    logic again, clears, in_reset, lasts, settled;
    assign lasts = in_reset && (orders_i[c].lasts || lasts_i[c] || !settled);
    assign asked = orders_i[c].aborts || orders_i[c].reset || lasts;
    assign stop = asked || (stop_q && !done_q);
    assign again = orders_i[c].reset && !reset_q;
    assign done = stop && (done_q || clean_i[c]) && !again;
    assign clears = clean_i[c] && reset_q;
    assign in_reset = reset_q && done_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        stop_q    <= 1'b0;
        done_q    <= 1'b0;
        abort_q   <= 1'b0;
        reset_q   <= 1'b0;
        halted_q  <= 1'b0;
        faulted_q <= 1'b0;
      end else begin
        stop_q    <= stop;
        done_q    <= done;
        abort_q   <= stop && !done;
        reset_q   <= orders_i[c].reset || lasts || (reset_q && !done_q);
        halted_q  <= !clears && (halted_q || (lost_i[c] && !in_reset) || (refused_i[c] && !stop_q));
        faulted_q <= !clears && !in_reset && (faulted_q || fault_i[c]);
      end
    end
    if (Settles) begin : gen_settles
      logic settled_q;
      assign settled = settled_q;
      always_ff @(posedge clk_i) settled_q <= rst_ni && in_reset;
    end else begin : gen_settled
      assign settled = 1'b1;
    end
    assign state_o[c] = '{
            stop: stop_q,
            done: done_q,
            in_reset: in_reset,
            aborts: abort_q,
            halted: halted_q,
            faulted: faulted_q
        };

    logic unused_orders;
    assign unused_orders = ^orders_i[c];

    `TSR_ASSERT_NEXT(AbortIsCarriedThrough, stop_q && !done_q, stop_q)
    `TSR_ASSERT(AbortIsTrue, abort_q == (stop_q && !done_q))
    `TSR_ASSERT(CleansWhatStops, !clean_i[c] || stop_q)
  end

endmodule
