// Lets one of many channels through, fair by what each item costs.
//
// Every channel has an account. What is let through is charged to it, and a channel whose account is
// not overdrawn goes before those whose is; of equals the one with the lowest index. When all that ask
// are overdrawn the lowest goes all the same, and every account that is overdrawn is paid its weight
// times the cost (rounded up to a power of four): no cycle is lost, and channels that keep asking get
// costs in proportion to their weights.
//
// Contract: valid/ready; what is shown stays until taken. Nothing is chosen while `enable_i` is low.
// `taken_o`: something is chosen in this cycle; `fresh_o`: what is shown is shown for the first time.
// A weight of 0 counts as 1; weights may change at any time. An account is overdrawn by four items at
// most and holds four payments at most: so much a channel may be ahead of its share or behind it, and so
// much of others one that asks waits for. A channel that does not ask loses its turn, not its account.
// Latency: 1 cycle. Throughput: one item a cycle. Paths from valid_i, enable_i and ready_i to ready_o.
// Area: linear in channels.
//
// The alternative, smallest finish time first, holds shares to one item, but compares times of all
// channels in a cycle: four 13-bit compares in a row at 16 channels, 8 ns in the flow of scripts/clock.
// Paying a whole round in advance needs no product of weight and cost, but a channel that misses its
// turn for a cycle then loses a round to the others. A matrix of who came last grows with the square of the
// channels and counts items, not bytes.
`include "tsr_assert.svh"
module tsr_arbiter #(
  parameter  int unsigned Channels    = 4,                                   // 1..16
  parameter  type         T           = logic,
  parameter  int unsigned MaxCost     = 64,                                  // of an item
  parameter  int unsigned WeightWidth = 4,
  localparam int unsigned CostWidth   = $clog2(MaxCost < 2 ? 2 : MaxCost),
  localparam int unsigned IndexWidth  = $clog2(Channels < 2 ? 2 : Channels)
) (
  input  logic                                   clk_i,
  input  logic                                   rst_ni,
  input  logic [  Channels-1:0][WeightWidth-1:0] weight_i,
  input  T     [  Channels-1:0]                  data_i,
  input  logic [  Channels-1:0][  CostWidth-1:0] cost_i,    // minus 1
  input  logic [  Channels-1:0]                  valid_i,
  output logic [  Channels-1:0]                  ready_o,
  input  logic                                   enable_i,
  output logic                                   taken_o,
  output logic                                   fresh_o,
  output T                                       data_o,
  output logic [IndexWidth-1:0]                  index_o,
  output logic                                   valid_o,
  input  logic                                   ready_i
);

  `TSR_STATIC_ASSERT(Channels, Channels >= 1 && Channels <= 16,
                     ("Channels = %0d; legal is 1 to 16", Channels))

  localparam int unsigned Groups = (Channels + 3) / 4;

  typedef struct packed {
    T                     data;
    logic [CostWidth-1:0] cost;
    logic [1:0]           lane;
  } item_t;

  // ---- Choice -----------------------------------------------------------------------------------

  // The lowest of four that ask and are solvent, or else of those that ask; then the same of groups.
  // Each group keeps the item of its winner, so that what is left of the choice of data, one of four,
  // comes after the registers.
  function automatic logic [3:0] lowest(input logic [3:0] ask, input logic [3:0] rich);
    logic [3:0] want;
    want = rich != '0 ? rich : ask;
    return want & (~want + 1'b1);
  endfunction

  logic [4*Groups-1:0] ask, rich, winner, chosen;
  logic [Channels-1:0] solvent_q;
  logic [3:0] group_ask, group_rich, group_winner;
  logic [1:0] group_d, group_q;
  item_t [4*Groups-1:0] item;
  item_t [Groups-1:0] item_d, item_q;
  item_t out;
  logic  out_free;

  always_comb begin
    ask        = '0;
    rich       = '0;
    item       = '0;
    group_ask  = '0;
    group_rich = '0;
    group_d    = '0;
    item_d     = '0;
    for (int unsigned i = 0; i < Channels; i++) begin
      ask[i]  = valid_i[i];
      rich[i] = valid_i[i] && solvent_q[i];
      item[i] = '{data: data_i[i], cost: cost_i[i], lane: 2'(i)};
    end
    for (int unsigned g = 0; g < Groups; g++) begin
      group_ask[g]   = ask[4*g+:4] != '0;
      group_rich[g]  = rich[4*g+:4] != '0;
      winner[4*g+:4] = lowest(ask[4*g+:4], rich[4*g+:4]);
    end
    group_winner = lowest(group_ask, group_rich);
    for (int unsigned g = 0; g < Groups; g++) begin
      for (int unsigned l = 0; l < 4; l++) begin
        chosen[4*g+l] = winner[4*g+l] && group_winner[g];
        if (winner[4*g+l]) item_d[g] = item_d[g] | item[4*g+l];
      end
      if (group_winner[g]) group_d = group_d | 2'(g);
    end
  end

  assign out_free = !valid_o || ready_i;
  assign taken_o  = group_ask != '0 && enable_i && out_free;
  assign ready_o  = chosen[Channels-1:0] & {Channels{enable_i && out_free}};

  always_ff @(posedge clk_i) begin
    if (out_free) begin
      item_q  <= item_d;
      group_q <= group_d;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_o <= 1'b0;
      fresh_o <= 1'b0;
    end else begin
      if (out_free) valid_o <= group_ask != '0 && enable_i;
      fresh_o <= taken_o;
    end
  end

  if (Groups == 1) begin : gen_group
    logic unused_group;
    assign out = item_q[0];
    assign unused_group = ^group_q;
  end else begin : gen_groups
    assign out = item_q[group_q[$clog2(Groups)-1:0]];
  end
  assign data_o  = out.data;
  assign index_o = IndexWidth'({group_q, out.lane});

  // ---- Accounts ---------------------------------------------------------------------------------

  // What is chosen in one cycle is weighed in the next, charged and paid for in the third, and counts in
  // the fourth, so that neither its cost nor an account stands in the path of the choice: a channel may
  // be overdrawn by four items before it is held back.
  localparam int unsigned Steps = ($clog2(MaxCost) + 1) / 2;
  localparam int unsigned Step = $clog2(Steps + 2);
  localparam int unsigned CreditWidth = WeightWidth + 2 * Steps + 3;
  typedef logic [CreditWidth-1:0] credit_t;

  logic payment;
  logic [Channels-1:0] shown_q, poor_q, charged_q, paid_q;
  logic [CostWidth-1:0] cost_q;
  logic [Step-1:0]
      step, step_q;  // a payment is the weight times 4**step, which is at least the cost

  assign payment = taken_o && group_rich == '0;
  always_comb begin
    step = '0;
    for (int unsigned n = 0; n < Steps; n++) begin
      if (out.cost >> (2 * n) != '0) step = Step'(n + 1);
    end
  end

  always_ff @(posedge clk_i) begin
    cost_q <= out.cost;
    step_q <= step;
    if (!rst_ni) begin
      shown_q   <= '0;
      poor_q    <= '0;
      charged_q <= '0;
      paid_q    <= '0;
    end else begin
      shown_q   <= ready_o & valid_i;
      poor_q    <= ~solvent_q & {Channels{payment}};
      charged_q <= shown_q;
      paid_q    <= poor_q;
    end
  end

  for (genvar i = 0; i < Channels; i++) begin : gen_account
    credit_t credit_q, credit, weight, paid, change_q;
    assign weight = weight_i[i] == '0 ? credit_t'(1) : credit_t'(weight_i[i]);
    always_comb begin
      paid = '0;
      for (int unsigned n = 0; n <= Steps; n++) begin
        if (paid_q[i] && step_q == Step'(n)) paid = paid | weight << (2 * n);
      end
    end
    assign credit = credit_q + change_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        change_q     <= '0;
        credit_q     <= '0;
        solvent_q[i] <= 1'b1;
      end else begin
        change_q     <= paid - (charged_q[i] ? credit_t'(cost_q) + 1'b1 : '0);
        credit_q     <= credit;
        solvent_q[i] <= !credit[CreditWidth-1];
      end
    end
    `TSR_ASSERT(AccountWithinReach, $signed(credit_q) >= -$signed(credit_t'(4 * MaxCost)))
  end

  `TSR_ASSERT(OneOfThoseThatAsk, $onehot0(chosen) && (chosen[Channels-1:0] & ~valid_i) == '0)
  `TSR_STABLE(OutStable, valid_o, ready_i, {data_o, index_o})

endmodule
