// tsr_read_share: every address goes out as it came, data reach the channel that asked and no other,
// never more is asked for than may be in flight, and nothing but room and its turn holds an address up.
`include "proof.svh"
`include "tsr_types.svh"

module read_share_proof
  import tsr_fabric_pkg::*;
#(
  parameter  int unsigned Channels = 3,
  parameter  bit          OneId    = 1'b0,
  parameter  bit          Cut      = 1'b0,
  localparam int unsigned MaxBurst = 2,
  localparam int unsigned Flight   = 4
) (
  input logic                     clk_i,
  input logic                     rst_ni,
  input logic [Channels-1:0][3:0] araddr_i,
  input logic [Channels-1:0][7:0] arlen_i,
  input logic [Channels-1:0]      arvalid_i,
  input logic [Channels-1:0]      rready_i,
  input logic                     arready_i,
  input logic [         1:0]      rid_i,
  input logic [         1:0]      rresp_i,
  input logic [         7:0]      rdata_i,
  input logic                     rlast_i,
  input logic                     rvalid_i
);

  `TSR_PROOF_RESET

  logic [Channels-1:0] arready_o, rvalid_o;
  logic [1:0] arid_o;
  logic [3:0] araddr_o;
  logic [7:0] arlen_o;
  logic arvalid_o, rready_o;

  function automatic fabric_config_t build();
    build              = FabricDefaults;
    build.AddrWidth    = 4;
    build.DataWidth    = 8;
    build.MaxBurst     = MaxBurst;
    build.FlightBeats  = Flight;
    build.OneId        = OneId;
    build.FlightBursts = 4;
    build.IdWidth      = 2;
    build.WeightWidth  = 1;
    build.Cut          = Cut;
  endfunction
  localparam fabric_config_t Config = build();
  localparam type burst_t = `TSR_BURST_T(Config);
  localparam type ax_t = `TSR_AX_T(Config);
  localparam type req_t = `TSR_READ_REQ_T(burst_t);
  localparam type rsp_t = `TSR_READ_RSP_T(Config);
  localparam type port_req_t = `TSR_READ_PORT_REQ_T(ax_t);

  req_t [Channels-1:0] req;
  rsp_t [Channels-1:0] rsp;
  port_req_t port;
  bus_state_t [Channels-1:0] unused_state;
  logic unused_stray;
  for (genvar i = 0; i < Channels; i++) begin : gen_pins
    assign req[i] = '{
            ar: '{addr: araddr_i[i], len: arlen_i[i]},
            ar_valid: arvalid_i[i],
            r_ready: rready_i[i]
        };
    assign arready_o[i] = rsp[i].ar_ready;
    assign rvalid_o[i] = rsp[i].r_valid;
    `TSR_ASSERT(DataAreThoseOfThePort, rsp[i].r_data == rdata_i && rsp[i].r == {rresp_i, rlast_i})
  end
  assign arid_o    = port.ar.id;
  assign araddr_o  = port.ar.addr;
  assign arlen_o   = port.ar.len;
  assign arvalid_o = port.ar_valid;
  assign rready_o  = port.r_ready;

  tsr_read_share #(
    .Channels(Channels),
    .Config  (Config)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .standing_i('0),
    .control_i({Channels{bus_control_t'{open: 1'b1, clear: 1'b0, tick: 1'b1}}}),
    .state_o(unused_state),
    .req_i(req),
    .rsp_o(rsp),
    .stray_o(unused_stray),
    .port_o(port),
    .port_i(
    '{
        ar_ready: arready_i,
        r_id: rid_i,
        r_data: rdata_i,
        r: '{resp: rresp_i, last: rlast_i},
        r_valid: rvalid_i
    }
    )
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
