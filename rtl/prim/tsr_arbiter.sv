// Lets one of many channels through, fair by what each item costs.
//
// Every channel has an account. What is let through is charged to it, and a channel whose account is
// not overdrawn goes before those whose is; of equals the one with the lowest index. When all that ask
// are overdrawn the lowest goes all the same, and every account gets its weight: no cycle is lost.
// So the order inside a round is by index, and over rounds every channel that keeps asking gets costs
// in proportion to its weight.
//
// Contract: valid/ready; what is shown stays until taken. Nothing is chosen while `enable_i` is low.
// `taken_o`: something is chosen in this cycle; `fresh_o`: what is shown is shown for the first time.
// A weight of 0 counts as 1; weights may change at any time. An account stays between -2 Quantum
// and weight * Quantum, Quantum being twice the highest cost as a power of two: of two channels that
// keep asking neither is further ahead of its share than two rounds, and who asks waits for three.
// Latency: 1 cycle. Throughput: one item a cycle. Paths from valid_i, enable_i and ready_i to ready_o.
// Area: linear in channels.
//
// The alternative, smallest finish time first, holds shares to one item, but compares times of all
// channels in a cycle: four 13-bit compares in a row at 16 channels, 8 ns in the flow of scripts/clock.
// A matrix of who came last grows with the square of the channels and counts items, not bytes.
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

  localparam int unsigned Shift = $clog2(MaxCost) + 1;
  localparam int unsigned CreditWidth = WeightWidth + Shift + 1;
  localparam int unsigned Groups = (Channels + 3) / 4;

  typedef logic [CreditWidth-1:0] credit_t;
  typedef logic [WeightWidth:0] pay_t;

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

  // An item is charged two cycles after it was chosen, so that neither its cost nor any account stands in
  // the path of the choice: a channel may be overdrawn by three items before it is held back. A payment
  // makes solvent, before it is known by how much: `solvent_q` says so at once.
  logic payment, payment_q;
  logic [Channels-1:0] shown_q, charged_q;
  logic [Shift-1:0] charge_q;

  assign payment = taken_o && group_rich == '0;

  always_ff @(posedge clk_i) begin
    charge_q <= ~Shift'(out.cost);
    if (!rst_ni) begin
      shown_q   <= '0;
      charged_q <= '0;
      payment_q <= 1'b0;
    end else begin
      shown_q   <= ready_o & valid_i;
      charged_q <= shown_q;
      payment_q <= payment;
    end
  end

  // Weights are paid above bit `Shift`, costs are charged below it with a borrow from above: one addition
  // does both.
  for (genvar i = 0; i < Channels; i++) begin : gen_account
    credit_t credit_q, credit, kept;
    pay_t weight_q, less_q, paid;
    logic [Shift-1:0] charge;
    always_ff @(posedge clk_i) begin
      weight_q <= weight_i[i] == '0 ? pay_t'(1) : pay_t'(weight_i[i]);
      less_q   <= weight_i[i] == '0 ? '0 : pay_t'(weight_i[i]) - 1'b1;
    end
    // What was not used by the end of a round is not kept.
    assign kept = payment_q && !credit_q[CreditWidth-1] ? '0 : credit_q;
    assign paid = payment_q ? (charged_q[i] ? less_q : weight_q) : {WeightWidth + 1{charged_q[i]}};
    assign charge = charged_q[i] ? charge_q : '0;
    assign credit = kept + {paid, charge};
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        credit_q     <= '0;
        solvent_q[i] <= 1'b1;
      end else begin
        credit_q     <= credit;
        solvent_q[i] <= payment || !credit[CreditWidth-1];
      end
    end
    `TSR_ASSERT(AccountWithinReach, $signed(credit_q) >= -$signed(credit_t'(2 << Shift)))
  end

  `TSR_ASSERT(OneOfThoseThatAsk, $onehot0(chosen) && (chosen[Channels-1:0] & ~valid_i) == '0)
  `TSR_STABLE(OutStable, valid_o, ready_i, {data_o, index_o})

endmodule
