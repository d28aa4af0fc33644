// tsr_fill_lanes: each lane holds the byte of the value that belongs there, and gets it in 7 cycles.
`include "proof.svh"

module fill_lanes_proof #(
  parameter  int unsigned StreamBytes = 8,
  localparam int unsigned LaneWidth   = StreamBytes == 1 ? 1 : $clog2(StreamBytes)
) (
  input logic                 clk_i,
  input logic                 rst_ni,
  input logic                 kill_i,
  input logic                 set_i,
  input logic [         63:0] value_i,
  input logic [          2:0] level_i,
  input logic                 emit_i,
  input logic                 flush_i,
  input logic [LaneWidth-1:0] lane_i    // any lane
);

  `TSR_PROOF_RESET

  logic turning_o;
  logic [StreamBytes-1:0][7:0] now_o, over_o;

  tsr_fill_lanes #(
    .StreamBytes(StreamBytes)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .kill_i,
    .set_i,
    .value_i,
    .level_i,
    .emit_i,
    .flush_i,
    .turning_o,
    .now_o,
    .over_o
  );

  `TSR_ASSUME(LaneIsOne, 32'(lane_i) < StreamBytes)
  `TSR_ASSUME(NothingWhileItTurns, !turning_o || (!emit_i && !flush_i))
  `TSR_ASSUME(OneThingAtATime, !set_i || (!emit_i && !flush_i))
  `TSR_ASSUME(AFlushEndsABeat, !flush_i || emit_i)

  // Which byte of the value belongs to lane 0 of the beat in hand.
  logic has_q;
  logic [2:0] at_q, turned_q;
  logic [7:0][7:0] value_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || kill_i) begin
      has_q    <= 1'b0;
      turned_q <= '0;
    end else begin
      if (set_i) has_q <= 1'b1;
      turned_q <= turning_o && !set_i ? turned_q + 1'b1 : '0;
    end
    if (set_i) begin
      value_q <= value_i;
      at_q    <= -level_i;
    end else if (flush_i) begin
      at_q <= '0;
    end else if (emit_i) begin
      at_q <= at_q + 3'(StreamBytes);
    end
  end

  logic [2:0] here, over;
  assign here = at_q + 3'(lane_i);
  assign over = flush_i ? 3'(lane_i) : here + 3'(StreamBytes);  // behind a flush it begins anew
  `TSR_ASSERT(InItsLane, !has_q || turning_o || now_o[lane_i] == value_q[here])
  logic turns_back;  // the flush turns it back first
  assign turns_back = StreamBytes >= 8 && flush_i && at_q != '0;
  `TSR_ASSERT(AndInTheNextBeat,
              !has_q || turning_o || turns_back || over_o[lane_i] == value_q[over])
  `TSR_ASSERT(SoonInPlace, !turning_o || turned_q < 3'd7)
  `TSR_ASSERT(DoesNotTurnInVain, !has_q || !turning_o || StreamBytes >= 8)

  // What the claims rest on, so that they hold by induction.
  if (StreamBytes < 8) begin : gen_pick
    `TSR_ASSERT(PhaseIsThat, !has_q || u_dut.phase_q == at_q)
    `TSR_ASSERT(ValueStays, !has_q || u_dut.value_q == value_q)
  end else begin : gen_turn
    logic [2:0] turns;
    assign turns = u_dut.gen_turn.turns_q;
    `TSR_ASSERT(PhaseIsThat, !has_q || u_dut.phase_q == -at_q)
    `TSR_ASSERT(FewerTurnsLeft, !turning_o || 32'(turned_q) + 32'(turns) <= 7)
    for (genvar i = 0; i < 8; i++) begin : gen_byte
      logic [2:0] origin;
      assign origin = at_q + 3'(i) + turns;
      `TSR_ASSERT(OnItsWay, !has_q || u_dut.value_q[i] == value_q[origin])
    end
  end

  `TSR_COVER(BeginsInABeat, has_q && !turning_o && at_q == 3'd5)
  `TSR_COVER_NEXT(FlushedBack, has_q && at_q != '0 && flush_i, has_q)

endmodule
