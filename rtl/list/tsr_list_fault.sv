// Watches a direction of the port of the lists: what the memory owes, faults, time-outs, and what
// is forgotten.
//
// Contract. `sent_i`: a burst has gone to the memory whole; `end_i`: it was answered. `wrong_i`, or
// `Silence` ticks with `waits_i` and without `moves_i`, are a fault: `fault_o` names it in one
// cycle, and the direction has `failed_o` from the next one on. It works again when nothing waits
// for an answer (`rests_i`), and the memory owes nothing and no list is open, or with `give_up`:
// what the memory owes is forgotten then, its answers belong to an older epoch. `epoch_o` is the ID
// of bursts; 2 ** IdWidth - 1 older ones are known.
// Latency: 1 cycle. Without Guard nothing is a fault.
`include "tsr_assert.svh"
module tsr_list_fault
  import tsr_descriptor_pkg::*;
  import tsr_list_unit_pkg::list_watch_t;
#(
  parameter bit          Guard       = 1'b1,
  parameter int unsigned Outstanding = 16,    // bursts
  parameter int unsigned Silence     = 4096,  // ticks, 2 and more
  parameter int unsigned IdWidth     = 2      // 1..8
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  list_watch_t               watch_i,
  input  logic                      rests_i,   // nothing waits for an answer, and no address shows
  input  logic                      sent_i,
  input  logic                      end_i,
  input  logic                      waits_i,   // an address or data that show, beside what is owed
  input  logic                      moves_i,   // an answer
  input  logic                      goes_i,    // an address or data have gone
  input  fault_e                    wrong_i,
  output logic                      owed_o,
  output logic                      failed_o,
  output fault_e                    fault_o,
  output logic        [IdWidth-1:0] epoch_o
);

  localparam int unsigned Width = $clog2(Outstanding + 1);
  logic [Width-1:0] owed_q;
  logic             clears;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clears) owed_q <= '0;
    else owed_q <= owed_q + Width'(sent_i) - Width'(end_i);
  end
  assign owed_o = owed_q != '0;

  if (Guard) begin : gen_guard
    logic failed_q, over, waits, moves;
    logic [IdWidth-1:0] epoch_q;
    // Answers that are due have to come, whatever else moves.
    assign waits = owed_o || waits_i;
    assign moves = moves_i || (!owed_o && goes_i);
    tsr_watchdog #(
      .Ticks(Silence)
    ) u_watchdog (
      .clk_i,
      .rst_ni,
      .tick_i (watch_i.tick),
      .waits_i(waits && !failed_q),
      .moves_i(moves),
      .over_o (over)
    );
    always_comb begin
      fault_o = FaultNone;
      if (!failed_q) fault_o = wrong_i != FaultNone ? wrong_i : over ? FaultBusTime : FaultNone;
    end
    assign clears = failed_q && rests_i && (watch_i.give_up || (!owed_o && watch_i.closed));
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        failed_q <= 1'b0;
        epoch_q  <= '0;
      end else begin
        failed_q <= fault_o != FaultNone || (failed_q && !clears);
        epoch_q  <= epoch_q + IdWidth'(clears && owed_o);
      end
    end
    assign failed_o = failed_q;
    assign epoch_o  = epoch_q;

    `TSR_STATIC_ASSERT(Silence, Silence >= 2, ("Silence = %0d; legal is 2 and more", Silence))
  end else begin : gen_none
    logic unused_in;
    assign unused_in = ^{watch_i, rests_i, waits_i, moves_i, goes_i, wrong_i};
    assign clears    = 1'b0;
    assign failed_o  = 1'b0;
    assign fault_o   = FaultNone;
    assign epoch_o   = '0;
  end

  `TSR_STATIC_ASSERT(IdWidth, IdWidth >= 1 && IdWidth <= 8,
                     ("IdWidth = %0d; legal is 1 to 8", IdWidth))
  `TSR_ASSERT(OwesWhatWasSent, !end_i || owed_o)
  `TSR_ASSERT(OwesNoMoreThanThat, !sent_i || end_i || 32'(owed_q) < Outstanding || failed_o)

endmodule
