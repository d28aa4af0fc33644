// tsr_window_transfer: a transfer is offered to the engine only if one window permits everything between
// the edges that tsr_extent gave for it (which is everything that it touches: extent_proof), is refused
// only if none does, and has exactly one record then.
`include "proof.svh"

module window_transfer_proof
  import tsr_pkg::*;
  import tsr_fabric_pkg::*;
#(
  parameter  bit          Write     = 1'b0,
  localparam int unsigned AddrWidth = 14,    // four pages
  localparam int unsigned Windows   = 2
) (
  input logic                    clk_i,
  input logic                    rst_ni,
  input window_t   [Windows-1:0] window_i,
  input transfer_t               transfer_i,
  input logic                    valid_i,
  input logic                    done_ready_i,
  input logic                    ready_i,
  input done_t                   done_i,
  input logic                    done_valid_i,
  input logic                    abort_i,
  input logic                    idle_i
);

  `TSR_PROOF_RESET

  denied_t denied;
  logic denied_o, ready_o, done_valid_o, idle_o, valid_o, done_ready_o;
  done_t done_o;

  function automatic fabric_config_t build();
    build           = FabricDefaults;
    build.AddrWidth = AddrWidth;
    build.Windows   = Windows;
  endfunction
  localparam fabric_config_t Config = build();

  assign denied_o = denied.valid;
  tsr_window_transfer #(
    .Config(Config),
    .Write (Write)
  ) u_dut (
    .denied_o(denied),
    .*
  );

  // A window that changes while a transfer waits is for the check of bursts.
  `TSR_ASSUME_NEXT(WindowsStay, 1'b1, $stable(window_i))
  // An abort may take a transfer back, for a cycle at least.
  `TSR_ASSUME_NEXT(TransferStays, valid_i && !ready_o, !valid_i || $stable(transfer_i))
  `TSR_ASSUME_NEXT(ValidStays, valid_i && !ready_o && !abort_i, valid_i)
  `TSR_ASSUME_STABLE(RecordStays, done_valid_i, done_ready_o, done_i)
  `TSR_ASSUME(IdleHasNoRecord, !(idle_i && done_valid_i))

  // ---- What the windows permit of the extent -----------------------------------------------------

  logic [1:0] first_page, last_page;
  logic permitted, wanted_q, answered, looks, passes, refuses, tells;
  assign first_page = u_dut.first[13:12];
  assign last_page  = u_dut.last[13:12];
  always_comb begin
    permitted = u_dut.empty;
    for (int unsigned w = 0; w < Windows; w++) begin
      if (!u_dut.unknown && (Write ? window_i[w].write : window_i[w].read) &&
          window_i[w].first[1:0] <= first_page && first_page <= window_i[w].last[1:0] &&
          window_i[w].first[1:0] <= last_page && last_page <= window_i[w].last[1:0])
        permitted = 1'b1;
    end
  end
  assign looks    = u_dut.state_q == 2'd0;
  assign passes   = u_dut.state_q == 2'd1;
  assign refuses  = u_dut.state_q == 2'd2;
  assign tells    = u_dut.state_q == 2'd3;
  assign answered = valid_i && looks && u_dut.done;
  always_ff @(posedge clk_i) if (answered) wanted_q <= permitted;

  `TSR_ASSERT(OnlyWhatIsPermitted, !valid_o || wanted_q)
  `TSR_ASSERT(RefusedForAReason, !denied_o || !wanted_q)
  `TSR_ASSERT(OfferedOnceKnown, !valid_o || !looks)
  `TSR_ASSERT_NEXT(OfferStays, valid_o && !ready_i, valid_o || !valid_i)
  `TSR_ASSERT(TakenByOne, !(ready_o && valid_i) || (valid_o && ready_i) || denied_o)
  `TSR_ASSERT(WhatIsOfferedIsRefused, !denied_o || valid_i)
  `TSR_ASSERT(NotTakenTwice, !denied_o || (!valid_o && ready_o))
  `TSR_ASSERT_NEXT(ARecordForEach, denied_o,
                   done_valid_o && done_o.status.decerr && done_o.bytes == '0)
  `TSR_ASSERT_NEXT(RecordStaysUntilTaken, done_valid_o && !done_ready_i, done_valid_o)
  `TSR_ASSERT(InOrder, !tells || !done_ready_o)
  `TSR_ASSERT(OthersAsTheyAre, tells || (done_valid_o == done_valid_i && done_o == done_i))

  // What the induction leans on: the answer stays, and so do the windows that were looked at.
  logic [Windows-1:0] holds;
  always_comb begin
    for (int unsigned w = 0; w < Windows; w++) begin
      holds[w] = !u_dut.unknown && (Write ? window_i[w].write : window_i[w].read) &&
          window_i[w].first[1:0] <= first_page && first_page <= window_i[w].last[1:0] &&
          window_i[w].first[1:0] <= last_page && last_page <= window_i[w].last[1:0];
    end
  end
  `TSR_ASSERT(
      FirstWasLookedAt,
      !(looks && u_dut.index_q == 1'b1) || !valid_i || !u_dut.done || (!holds[0] && !u_dut.empty))
  `TSR_ASSERT(PassesWhatIsWanted, !passes || wanted_q)
  `TSR_ASSERT(RefusesWhatIsNot, !refuses || !wanted_q)

  `TSR_COVER(ThroughTheSecond, valid_o && u_dut.index_q == 1'b0 && $past(u_dut.index_q == 1'b1))
  `TSR_COVER(Denied, denied_o)
  `TSR_COVER(Told, tells && done_ready_i)

endmodule
