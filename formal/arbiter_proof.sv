// tsr_arbiter: one of those that ask goes through in every cycle in which any may, as it is; who asks
// waits for a few payments at most; two that keep asking get costs in proportion to their weights.
`include "proof.svh"

module arbiter_proof #(
  parameter int unsigned Channels = 2,
  parameter int unsigned MaxCost = 1,
  parameter int unsigned WeightWidth = 2,
  parameter bit Waits = 1'b1,  // check how long a channel waits
  parameter bit Shares = 1'b1,  // and the shares
  localparam int unsigned CostWidth = $clog2(MaxCost < 2 ? 2 : MaxCost),
  localparam int unsigned IndexWidth = $clog2(Channels)
) (
  input logic                                   clk_i,
  input logic                                   rst_ni,
  input logic [  Channels-1:0][WeightWidth-1:0] weight_i,
  input logic [  Channels-1:0][            1:0] data_i,
  input logic [  Channels-1:0][  CostWidth-1:0] cost_i,
  input logic [  Channels-1:0]                  valid_i,
  input logic                                   enable_i,
  input logic                                   ready_i,
  input logic [IndexWidth-1:0]                  watched_i
);

  `TSR_PROOF_RESET

  logic [Channels-1:0] ready_o;
  logic [1:0] data_o;
  logic [IndexWidth-1:0] index_o;
  logic taken_o, fresh_o, valid_o;

  tsr_arbiter #(
    .Channels   (Channels),
    .T          (logic [1:0]),
    .MaxCost    (MaxCost),
    .WeightWidth(WeightWidth)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .weight_i,
    .data_i,
    .cost_i,
    .valid_i,
    .ready_o,
    .enable_i,
    .taken_o,
    .fresh_o,
    .data_o,
    .index_o,
    .valid_o,
    .ready_i
  );

  localparam int unsigned Pay = 1 << (2 * (($clog2(MaxCost) + 1) / 2));  // for the highest cost
  localparam int unsigned Wide = 9;
  localparam int unsigned MaxWeight = (1 << WeightWidth) - 1;

  logic taken, free;
  logic [2+CostWidth+IndexWidth-1:0] chosen, chosen_q;
  logic [Channels-1:0] granted;
  assign free    = !valid_o || ready_i;
  assign taken   = granted != '0;
  assign granted = ready_o & valid_i;
  always_comb begin
    chosen = '0;
    for (int unsigned i = 0; i < Channels; i++) begin
      if (granted[i]) chosen = chosen | {data_i[i], cost_i[i], IndexWidth'(i)};
    end
  end

  for (genvar i = 0; i < Channels; i++) begin : gen_channel
    `TSR_ASSUME(CostInRange, 32'(cost_i[i]) < MaxCost)
    `TSR_ASSUME_STABLE(Asks, valid_i[i], ready_o[i], {data_i[i], cost_i[i]})
  end
  `TSR_ASSUME(IsChannel, 32'(watched_i) < Channels)
  `TSR_ASSUME_NEXT(Constant, 1'b1, $stable({weight_i, watched_i}))

  always_ff @(posedge clk_i) chosen_q <= taken ? chosen : chosen_q;

  `TSR_ASSERT(NoCycleIsLost, taken == (enable_i && free && valid_i != '0))
  `TSR_ASSERT(OneIsGranted, $onehot0(granted) && taken_o == taken)
  `TSR_ASSERT_NEXT(ShowsWhatWasTaken, taken, valid_o && fresh_o)
  `TSR_ASSERT_NEXT(ShowsItOnce, !taken && free, !valid_o && !fresh_o)
  logic [1:0] data_was;
  logic [IndexWidth-1:0] index_was;
  assign data_was  = chosen_q[IndexWidth+CostWidth+:2];
  assign index_was = chosen_q[IndexWidth-1:0];
  `TSR_ASSERT(AsItIs, !valid_o || (data_o == data_was && index_o == index_was))
  `TSR_STABLE(Stays, valid_o, ready_i, {data_o, index_o})

  // ---- Nobody starves ---------------------------------------------------------------------------

  logic [CostWidth-1:0] cost;
  assign cost = chosen[IndexWidth+:CostWidth];

  // What others got while the watched one asks: what they had, and what they are paid until it is solvent.
  localparam int unsigned Longest = (Channels - 1) * 6 * (4 * MaxWeight * Pay + 4 * MaxCost);
  logic [Wide-1:0] others_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !valid_i[watched_i] || granted[watched_i]) others_q <= '0;
    else if (taken) others_q <= others_q + Wide'(cost) + 1'b1;
  end
  if (Waits) begin : gen_waits
    `TSR_ASSERT(WaitEnds, 32'(others_q) <= Longest)
  end

  // ---- Shares -----------------------------------------------------------------------------------

  // Channels 0 and 1, what each got times the weight of the other, while both keep asking; counted when
  // it counts, three cycles after the grant.
  if (Shares) begin : gen_shares
    localparam int Weight0 = (1 << WeightWidth) - 1;
    localparam int Weight1 = 1;
    localparam int Overdraft = (Weight0 + Weight1) * int'(MaxCost);
    localparam int Most = 4 * (2 * Weight0 * Weight1 * int'(Pay) + Overdraft);
    logic [1:0] first_q, second_q, third_q;
    logic [CostWidth-1:0] first_cost_q, second_cost_q, third_cost_q;
    logic signed [Wide-1:0] ahead_q, got;
    assign got = Wide'(third_cost_q) + 1'b1;
    always_ff @(posedge clk_i) begin
      first_cost_q  <= cost;
      second_cost_q <= first_cost_q;
      third_cost_q  <= second_cost_q;
      if (!rst_ni) begin
        first_q  <= '0;
        second_q <= '0;
        third_q  <= '0;
        ahead_q  <= '0;
      end else begin
        first_q  <= granted[1:0];
        second_q <= first_q;
        third_q  <= second_q;
        if (third_q[0]) ahead_q <= ahead_q + Wide'(got * Weight1);
        if (third_q[1]) ahead_q <= ahead_q - Wide'(got * Weight0);
      end
    end
    `TSR_ASSUME(BothKeepAsking, valid_i[0] && valid_i[1])
    `TSR_ASSUME(Weights, 32'(weight_i[0]) == Weight0 && 32'(weight_i[1]) == Weight1)
    `TSR_ASSERT(SharesAreWeights, 32'(ahead_q) <= Most && 32'(ahead_q) >= -Most)
    `TSR_COVER(Leads, ahead_q > 1)
    `TSR_COVER(Trails, ahead_q < 0)
    // What the proof leans on: the lead is in the accounts.
    logic signed [Wide-1:0] credit0, credit1;
    assign credit0 = Wide'($signed(u_dut.gen_account[0].credit_q));
    assign credit1 = Wide'($signed(u_dut.gen_account[1].credit_q));
    `TSR_ASSERT(LeadIsInTheAccounts, ahead_q == Wide'(credit1 * Weight0) - Wide'(credit0 * Weight1))
  end

  logic [3:0] streak_q;
  always_ff @(posedge clk_i) streak_q <= rst_ni && taken ? streak_q + 1'b1 : '0;
  `TSR_COVER(EveryCycle, streak_q == 4'd10)
  `TSR_COVER(HighestIndex, granted[Channels-1] && valid_i == '1)
  `TSR_COVER(Waited, others_q == Wide'(3))
  `TSR_COVER(Asleep, valid_i != '0 && free && !taken)

endmodule
