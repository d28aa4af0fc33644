// tsr_send_side beside an engine that does anything legal: every beat that leaves has the side information
// of the transfer that it belongs to, however transfers without beats, joined and aborted ones follow.
`include "proof.svh"

module send_side_proof
  import tsr_pkg::*;
  import tsr_channel_pkg::*;
#(
  parameter  int unsigned Transfers  = 4,
  localparam int unsigned CountWidth = 5   // more than numbers of transfers have in the unit
) (
  input logic       clk_i,
  input logic       rst_ni,
  input side_t      side_i,
  input logic       offer_i,
  input logic       accept_i,
  input read_mark_t mark_i,
  input logic       retire_i,
  input logic       ready_i
);

  `TSR_PROOF_RESET

  typedef logic [CountWidth-1:0] count_t;
  typedef struct packed {
    logic       last;
    logic       keep;
    logic [7:0] data;
  } beat_t;

  // ---- The engine, as numbers --------------------------------------------------------------------

  count_t accepted_q, ended_q, retired_q, shown_q, owner;
  logic [4:0] used_q;  // beats in its queue
  logic [15:0][CountWidth-1:0] owner_q;  // of each, the oldest first
  side_t [2**CountWidth-1:0] side_q;  // of each transfer
  logic ready_o, valid, valid_o, taken, shown_some_q, stands_q, unused_idle;
  side_t side_o, stood_q;
  beat_t beat_o;

  assign valid = used_q != '0;
  assign taken = valid && ready_o;
  assign owner = mark_i.close ? shown_q : ended_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      accepted_q   <= '0;
      ended_q      <= '0;
      retired_q    <= '0;
      shown_q      <= '0;
      used_q       <= '0;
      shown_some_q <= 1'b0;
    end else begin
      accepted_q <= accepted_q + count_t'(accept_i);
      ended_q    <= ended_q + count_t'(mark_i.ends);
      retired_q  <= retired_q + count_t'(retire_i);
      used_q     <= used_q + 5'(mark_i.beat) - 5'(taken);
      if (mark_i.beat) shown_q <= owner;
      shown_some_q <= shown_some_q || mark_i.beat;
      for (int unsigned n = 0; n < 16; n++) begin
        if (mark_i.beat && 5'(n) == used_q - 5'(taken)) owner_q[n] <= owner;
        else if (taken && n < 15) owner_q[n] <= owner_q[n+1];
      end
      if (offer_i) side_q[accepted_q] <= side_i;
    end
    stands_q <= rst_ni && offer_i && !accept_i;
    stood_q  <= side_i;
  end

  // A record is taken when all beats of its transfer are, and a new transfer offered when there is room. A
  // transfer that has stood for a cycle may have beats.
  `TSR_ASSUME(RoomForTransfers, !offer_i || accepted_q - retired_q < count_t'(Transfers))
  `TSR_ASSUME(TakesWhatIsOffered, !accept_i || offer_i)
  `TSR_ASSUME(Stands, !stands_q || (offer_i && side_i == stood_q))
  `TSR_ASSUME(EndsWhatIsThere, !mark_i.ends || ended_q != accepted_q)
  `TSR_ASSUME(BeatsOfWhatIsThere, !mark_i.beat || mark_i.close || owner != accepted_q || stands_q)
  `TSR_ASSUME(RoomForBeats, !mark_i.beat || used_q < 5'd15)
  `TSR_ASSUME(CloseIsABeat, !mark_i.close || (mark_i.beat && !mark_i.ends && shown_some_q))
  `TSR_ASSUME(PlacesStay, !offer_i || !valid || accepted_q - owner_q[0] < count_t'(Transfers))
  `TSR_ASSUME(RetiresInOrder,
              !retire_i || (retired_q != ended_q && (!valid || owner_q[0] != retired_q)))

  tsr_send_side #(
    .Bytes    (1),
    .Transfers(Transfers)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .side_i,
    .header_i('0),
    .offer_i,
    .accept_i,
    .mark_i,
    .beat_i  ('0),
    .valid_i (valid),
    .ready_o,
    .side_o,
    .beat_o,
    .valid_o,
    .ready_i,
    .idle_o  (unused_idle)
  );

  `TSR_ASSERT(SideOfItsTransfer, !valid_o || side_o == side_q[owner_q[0]])
  `TSR_ASSERT(NoBeatIsLost, valid_o == valid && ready_o == ready_i)

  logic unused_beat;
  assign unused_beat = ^beat_o;

  `TSR_COVER(SixthTransfer, valid_o && owner_q[0] == count_t'(5) && ready_i)
  `TSR_COVER(BeatBeforeItIsTaken, valid_o && owner_q[0] == accepted_q && accepted_q != '0)
  `TSR_COVER(EndsWithItsBeat, mark_i.beat && mark_i.ends)
  `TSR_COVER(Closed, mark_i.close && used_q > 5'd1)
  // The packet that an abort closes may be of a transfer that has ended, with any number of others behind it.
  `TSR_COVER(ClosedBehindItsEnd, mark_i.close && shown_q != ended_q && ended_q != accepted_q)
  `TSR_COVER(ClosedFarBehind, mark_i.close && accepted_q - shown_q > count_t'(Transfers))

endmodule
