// tsr_read_share: every address goes out as it came, data reach the channel that asked and no other,
// never more is asked for than may be in flight, and nothing but room and its turn holds an address up.
`include "proof.svh"

module read_share_proof
  import tsr_fabric_pkg::*;
#(
  parameter  int unsigned Channels   = 3,
  parameter  bit          OneId      = 1'b0,
  parameter  bit          Cut        = 1'b0,
  localparam int unsigned MaxBurst   = 2,
  localparam int unsigned Flight     = 4,
  localparam int unsigned IndexWidth = 2
) (
  input logic                     clk_i,
  input logic                     rst_ni,
  input logic [Channels-1:0][3:0] araddr_i,
  input logic [Channels-1:0][7:0] arlen_i,
  input logic [Channels-1:0]      arvalid_i,
  input logic [Channels-1:0]      rready_i,
  input logic                     arready_i,
  input logic [         1:0]      rid_i,
  input logic                     rlast_i,
  input logic                     rvalid_i
);

  `TSR_PROOF_RESET

  logic [Channels-1:0] arready_o, rvalid_o;
  logic [1:0] arid_o;
  logic [3:0] araddr_o;
  logic [7:0] arlen_o;
  axi_attr_t unused_attr;
  logic unused_user, unused_stray;
  logic [Channels-1:0][1:0] unused_resp;
  logic [Channels-1:0] unused_last;
  logic [Channels-1:0] unused_none, unused_calm;
  fault_e [Channels-1:0] unused_fault;
  logic arvalid_o, rready_o;

  tsr_read_share #(
    .Channels    (Channels),
    .AddrWidth   (4),
    .MaxBurst    (MaxBurst),
    .FlightBeats (Flight),
    .OneId       (OneId),
    .FlightBursts(4),
    .IdWidth     (2),
    .WeightWidth (1),
    .UserWidth   (1),
    .Cut         (Cut)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .open_i  ('1),
    .clear_i ('0),
    .none_o  (unused_none),
    .calm_o  (unused_calm),
    .fault_o (unused_fault),
    .stray_o (unused_stray),
    .weight_i('0),
    .attr_i  ('0),
    .user_i  ('0),
    .araddr_i,
    .arlen_i,
    .arvalid_i,
    .arready_o,
    .rresp_o (unused_resp),
    .rlast_o (unused_last),
    .rvalid_o,
    .rready_i,
    .arid_o,
    .araddr_o,
    .arlen_o,
    .arattr_o(unused_attr),
    .aruser_o(unused_user),
    .arvalid_o,
    .arready_i,
    .rid_i,
    .rresp_i ('0),
    .rlast_i,
    .rvalid_i,
    .rready_o
  );

  // The low bits of an address name its channel.
  for (genvar i = 0; i < Channels; i++) begin : gen_channel
    `TSR_ASSUME(Named, araddr_i[i][1:0] == 2'(i))
    `TSR_ASSUME(Length, 32'(arlen_i[i]) < MaxBurst)
    `TSR_ASSUME_STABLE(Asks, arvalid_i[i], arready_o[i], {araddr_i[i], arlen_i[i]})
  end

  // Bursts that were accepted, in order; 0 is the oldest. `left`: beats that are to come.
  typedef struct packed {
    logic [1:0] left;
    logic [1:0] who;
  } open_t;
  open_t [Flight:0] open_q, open_d;
  logic [2:0] count_q, count_d;
  logic [2:0] serves;  // the burst that answers: the oldest, or the oldest of its ID
  logic serves_one, ar, beat;

  assign ar   = arvalid_o && arready_i;
  assign beat = rvalid_i && rready_o;
  always_comb begin
    serves     = '0;
    serves_one = 1'b0;
    for (int unsigned n = 0; n <= Flight; n++) begin
      if (!serves_one && n < 32'(count_q) && (OneId || open_q[n].who == rid_i)) begin
        serves     = 3'(n);
        serves_one = 1'b1;
      end
    end
    open_d  = open_q;
    count_d = count_q;
    if (beat) begin
      if (rlast_i) begin
        for (int unsigned n = 0; n < Flight; n++) begin
          if (n >= 32'(serves)) open_d[n] = open_q[n+1];
        end
        count_d = count_d - 1'b1;
      end else begin
        open_d[serves].left = open_q[serves].left - 1'b1;
      end
    end
    if (ar) begin
      open_d[count_d] = '{left: 2'(arlen_o) + 1'b1, who: araddr_o[1:0]};
      count_d = count_d + 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    open_q  <= open_d;
    count_q <= rst_ni ? count_d : '0;
  end

  // The memory answers what was asked.
  `TSR_ASSUME(AnswersWhatWasAsked, !rvalid_i || serves_one)
  `TSR_ASSUME(LastIsLast, !rvalid_i || rlast_i == (open_q[serves].left == 1))
  `TSR_ASSUME_STABLE(AnswerStable, rvalid_i, rready_o, {rid_i, rlast_i})

  logic [Channels-1:0] owner;
  assign owner = Channels'(1) << open_q[serves].who;
  `TSR_ASSERT(DataReachTheirChannel, rvalid_o == (rvalid_i ? owner : '0))
  `TSR_ASSERT(ReadyIsTheChannels, !rvalid_i || rready_o == ((owner & rready_i) != '0))
  `TSR_ASSERT(IdIsTheChannel, !arvalid_o || arid_o == (OneId ? '0 : araddr_o[1:0]))

  // Beats asked for and not come, those of the address that shows included.
  logic [3:0] flying_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) flying_q <= '0;
    else flying_q <= flying_q + (ar ? 4'(arlen_o) + 1'b1 : '0) - 4'(beat);
  end
  `TSR_ASSERT(NeverTooMuch, 32'(flying_q) + (arvalid_o ? 32'(arlen_o) + 1 : 0) <= Flight)
  `TSR_ASSERT(NeverTooMany, 32'(count_q) <= Flight)

  // With nothing in flight and nothing shown, who asks is shown within 3 cycles.
  logic [2:0] waits_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || arvalid_o || flying_q != '0 || arvalid_i == '0) waits_q <= '0;
    else waits_q <= waits_q + 1'b1;
  end
  `TSR_ASSERT(NobodyWaitsForNothing, waits_q <= 3)

  if (!Cut) begin : gen_as_it_came
    logic [Channels-1:0] taken;
    assign taken = arvalid_i & arready_o;
    for (genvar i = 0; i < Channels; i++) begin : gen_as
      `TSR_ASSERT_NEXT(AsItCame, taken[i], arvalid_o && {araddr_o, arlen_o} == $past(
                       {araddr_i[i], arlen_i[i]}))
    end
    `TSR_ASSERT_NEXT(ShownOnce, taken == '0 && arready_i, !arvalid_o)
  end

  `TSR_COVER(Full, 32'(flying_q) == Flight)
  `TSR_COVER(EveryChannel, beat && rlast_i && owner[Channels-1])
  if (!OneId) begin : gen_mixed
    `TSR_COVER(Overtakes, beat && serves != '0)
  end

endmodule
