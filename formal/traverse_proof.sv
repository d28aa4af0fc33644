// tsr_traverse: every tile of the traversal, in order, with its own address, bounds and place in it.
`include "proof.svh"

module traverse_proof
  import tsr_pkg::*;
#(
  parameter int unsigned AddrWidth = 4,
  parameter bit          Bounds    = 1'b1
) (
  input logic                                 clk_i,
  input logic                                 rst_ni,
  input logic                                 kill_i,
  // A transfer of small numbers, or of few bits at the top of its fields.
  input logic [ AddrWidth-1:0]                addr_i,
  input logic                                 has_walk_i,
  input logic [WalkLevels-1:0]                twice_i,     // else one turn
  input logic [WalkLevels-1:0][AddrWidth-1:0] stride_i,
  input logic [WalkLevels-1:0][          2:0] step_i,
  input logic [WalkLevels-1:0][          1:0] walk_dim_i,
  input logic [           3:0]                ahead_i,
  input logic [           3:0]                last_i,
  input logic                                 far_i,
  input logic                                 valid_i,
  input logic                                 ready_i,
  input logic                                 cut_i,
  input logic [           1:0]                dim_i        // any dimension
);

  `TSR_PROOF_RESET

  logic [4:0] far;  // so that a step has 32 bits
  assign far = far_i ? 5'd29 : 5'd0;
  transfer_t transfer_i;
  always_comb begin
    transfer_i          = '0;
    transfer_i.addr     = 64'(addr_i);
    transfer_i.has_walk = has_walk_i;
    for (int unsigned k = 0; k < WalkLevels; k++) begin
      transfer_i.walk[k].stride = 64'(stride_i[k]);
      transfer_i.walk[k].step   = 32'(signed'(step_i[k])) << far;
      transfer_i.walk[k].count  = 32'd1 + 32'(twice_i[k]);
      transfer_i.walk[k].dim    = walk_dim_i[k];
    end
    for (int unsigned d = 0; d < Dims; d++) begin
      transfer_i.dim[d].ahead = (IndexWidth'(signed'(ahead_i)) << far) + IndexWidth'(d);
      transfer_i.dim[d].last  = (IndexWidth'(signed'(last_i)) << far) + IndexWidth'(2 * d);
      transfer_i.dim[d].count = 32'(d) + 32'(addr_i);
    end
  end

  logic ready_o, valid_o, tile_first_o, tile_last_o;
  logic [WalkLevels-1:0] tile_turns_o;
  transfer_t tile_o;

  tsr_traverse #(
    .AddrWidth(AddrWidth),
    .Bounds   (Bounds)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .kill_i,
    .transfer_i,
    .valid_i,
    .ready_o,
    .tile_o,
    .tile_first_o,
    .tile_last_o,
    .tile_turns_o,
    .valid_o,
    .ready_i,
    .cut_i
  );

  // ---- What it relies on --------------------------------------------------------------------------

  logic begun_q, dim_known_q;  // tiles of the transfer were taken
  logic [1:0] dim_q;
  logic [WalkLevels*(AddrWidth+6)+AddrWidth+9:0] given, given_q;
  assign given = {
    addr_i, has_walk_i, twice_i, stride_i, step_i, walk_dim_i, ahead_i, last_i, far_i
  };
  logic waits_q;
  always_ff @(posedge clk_i) begin
    waits_q     <= rst_ni && valid_i && !ready_o && !kill_i;
    given_q     <= given;
    dim_q       <= dim_i;
    dim_known_q <= 1'b1;
  end
  `TSR_ASSUME(TransferStays, !waits_q || (valid_i && given == given_q))
  `TSR_ASSUME(OneDimension, !dim_known_q || dim_i == dim_q)
  `TSR_ASSUME(TakenOnlyWhenShown, !ready_i || valid_o || kill_i)
  `TSR_ASSUME(AKillTakesWhatHasBegun, !kill_i || ready_i == 1'b0 || begun_q)
  // ---- What it owes -------------------------------------------------------------------------------

  logic [WalkLevels-1:0] turn_q;  // of the tile shown; no level has more than two turns
  logic [WalkLevels-1:0] last, turns;
  logic over;
  always_comb begin
    for (int unsigned k = 0; k < WalkLevels; k++) begin
      last[k]  = !transfer_i.has_walk || 32'(turn_q[k]) + 32'd1 == transfer_i.walk[k].count;
      turns[k] = &last[k];
      for (int unsigned below = 0; below < k; below++) turns[k] = turns[k] && last[below];
    end
  end
  assign over = valid_o && ready_i && (tile_last_o || cut_i);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || kill_i || over) begin
      begun_q <= 1'b0;
      turn_q  <= '0;
    end else if (valid_o && ready_i) begin
      begun_q <= 1'b1;
      for (int unsigned k = 0; k < WalkLevels; k++) begin
        if (turns[k]) turn_q[k] <= 1'b0;
        else if (k == 0 || turns[k-1]) turn_q[k] <= 1'b1;
      end
    end
  end

  // All turns together move a start by what fits.
  logic [Dims-1:0] shift_fits;
  logic [Dims-1:0][35:0] least, most;
  always_comb begin
    least = '0;
    most  = '0;
    for (int unsigned k = 0; k < WalkLevels; k++) begin
      if (twice_i[k] && step_i[k][2]) begin
        least[walk_dim_i[k]] = least[walk_dim_i[k]] + 36'(signed'(transfer_i.walk[k].step));
      end else if (twice_i[k]) begin
        most[walk_dim_i[k]] = most[walk_dim_i[k]] + 36'(signed'(transfer_i.walk[k].step));
      end
    end
    for (int unsigned d = 0; d < Dims; d++) begin
      shift_fits[d] = (least[d] == '0 || (&least[d][35:32])) && most[d][35:32] == '0;
    end
  end
  `TSR_ASSUME(ShiftsFit, &shift_fits)

  logic [AddrWidth-1:0] addr;
  logic signed [IndexWidth-1:0] shift;
  logic signed [IndexWidth-1:0] ahead, final_one;
  always_comb begin
    addr  = AddrWidth'(transfer_i.addr);
    shift = '0;
    for (int k = WalkLevels - 1; k >= 0; k--) begin
      if (turn_q[k]) begin
        addr = addr + AddrWidth'(transfer_i.walk[k].stride);
        if (transfer_i.walk[k].dim == dim_i) begin
          shift = shift + IndexWidth'(signed'(transfer_i.walk[k].step));
        end
      end
    end
    ahead     = transfer_i.dim[dim_i].ahead;
    final_one = transfer_i.dim[dim_i].last;
    if (Bounds) begin
      ahead     = ahead - shift;
      final_one = final_one - shift;
    end
  end

  `TSR_ASSERT(OnlyOfATransfer, !valid_o || valid_i)
  `TSR_ASSERT(FirstComesFirst, !valid_o || tile_first_o == !begun_q)
  `TSR_ASSERT(ItsAddress, !valid_o || AddrWidth'(tile_o.addr) == addr)
  `TSR_ASSERT(ItsBounds,
              !valid_o || (tile_o.dim[dim_i].ahead == ahead && tile_o.dim[dim_i].last == final_one))
  `TSR_ASSERT(CountAsItCame, !valid_o || tile_o.dim[dim_i].count == transfer_i.dim[dim_i].count)
  `TSR_ASSERT(LengthAsItCame, !valid_o || tile_o.length == transfer_i.length)
  `TSR_ASSERT(TurnsThatEnd, !valid_o || tile_turns_o == turns)
  `TSR_ASSERT(LastComesLast, !valid_o || tile_last_o == turns[WalkLevels-1])
  `TSR_ASSERT(TakenWithItsLast, ready_o == (kill_i ? begun_q || ready_i : over))

  // A tile is there two cycles after the one before it was taken, at the latest.
  logic [1:0] late_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || kill_i || !valid_i || valid_o) late_q <= '0;
    else late_q <= late_q + 1'b1;
  end
  `TSR_ASSERT(NoLongWait, late_q < 2'd3)

  `TSR_COVER(BothLevels, valid_o && (&turn_q[1:0]) && tile_last_o)
  `TSR_COVER(CutInside, over && cut_i && begun_q)
  `TSR_COVER(KilledInside, kill_i && begun_q)
  `TSR_COVER(WithoutWalk, valid_o && !transfer_i.has_walk && ready_o)

endmodule
