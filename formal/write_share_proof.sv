// tsr_write_share: data follow in the order of the addresses, each of its own channel and whole; answers
// reach the channel that wrote; the port never waits for a channel, and the memory never for an answer
// to be taken.
`include "proof.svh"
`include "tsr_types.svh"

module write_share_proof
  import tsr_fabric_pkg::*;
#(
  parameter  bit          OneId       = 1'b0,
  parameter  bit          Cut         = 1'b0,
  localparam int unsigned Channels    = 2,
  localparam int unsigned MaxBurst    = 2,
  localparam int unsigned Outstanding = 2,
  localparam int unsigned Most        = Channels * Outstanding
) (
  input logic                     clk_i,
  input logic                     rst_ni,
  input logic [Channels-1:0][3:0] awaddr_i,
  input logic [Channels-1:0][7:0] awlen_i,
  input logic [Channels-1:0]      awvalid_i,
  input logic [Channels-1:0]      early_i,    // data before the address is taken
  input logic [Channels-1:0]      bready_i,
  input logic                     awready_i,
  input logic                     wready_i,
  input logic                     bid_i,
  input logic [         1:0]      bresp_i,
  input logic                     bvalid_i
);

  `TSR_PROOF_RESET

  logic [Channels-1:0] awready_o, wready_o, bvalid_o, wvalid_i, wlast_i;
  logic [Channels-1:0][7:0] wdata_i;
  logic [Channels-1:0][1:0] bresp_o;
  logic awid_o;
  logic [3:0] awaddr_o;
  logic [7:0] awlen_o, wdata_o;
  logic awvalid_o, wlast_o, wvalid_o, bready_o;

  function automatic fabric_config_t build();
    build              = FabricDefaults;
    build.AddrWidth    = 4;
    build.DataWidth    = 8;
    build.MaxBurst     = MaxBurst;
    build.Outstanding  = Outstanding;
    build.AheadBursts  = 2;
    build.OneId        = OneId;
    build.FlightBursts = 4;
    build.IdWidth      = 1;
    build.WeightWidth  = 1;
    build.Cut          = Cut;
  endfunction
  localparam fabric_config_t Config = build();
  localparam type burst_t = `TSR_BURST_T(Config);
  localparam type ax_t = `TSR_AX_T(Config);
  localparam type w_t = `TSR_W_T(Config);
  localparam type req_t = `TSR_WRITE_REQ_T(burst_t, w_t);
  localparam type port_req_t = `TSR_WRITE_PORT_REQ_T(ax_t, w_t);

  req_t [Channels-1:0] req;
  write_rsp_t [Channels-1:0] rsp;
  port_req_t port;
  bus_state_t [Channels-1:0] unused_state;
  logic unused_stray;
  for (genvar i = 0; i < Channels; i++) begin : gen_pins
    assign req[i] = '{
            aw: '{addr: awaddr_i[i], len: awlen_i[i]},
            aw_valid: awvalid_i[i],
            w: '{data: wdata_i[i], strb: '1, last: wlast_i[i]},
            w_valid: wvalid_i[i],
            b_ready: bready_i[i]
        };
    assign awready_o[i] = rsp[i].aw_ready;
    assign wready_o[i] = rsp[i].w_ready;
    assign bresp_o[i] = rsp[i].b_resp;
    assign bvalid_o[i] = rsp[i].b_valid;
  end
  assign awid_o    = port.aw.id;
  assign awaddr_o  = port.aw.addr;
  assign awlen_o   = port.aw.len;
  assign awvalid_o = port.aw_valid;
  assign wdata_o   = port.w.data;
  assign wlast_o   = port.w.last;
  assign wvalid_o  = port.w_valid;
  assign bready_o  = port.b_ready;

  tsr_write_share #(
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
    '{aw_ready: awready_i, w_ready: wready_i, b_id: bid_i, b_resp: bresp_i, b_valid: bvalid_i}
    )
  );

  // ---- The channels -----------------------------------------------------------------------------

  // A channel has the data of a burst when it asks, and offers them until it has given them.
  for (genvar i = 0; i < Channels; i++) begin : gen_channel
    logic [Outstanding:0][0:0] len_q;  // of bursts taken whose data are not all given
    logic [1:0] owed_q, flying_q;  // such bursts; bursts taken and not answered
    logic beat_q, taken, given, answered, len;
    assign taken       = awvalid_i[i] && awready_o[i];
    assign len         = owed_q != '0 ? len_q[0] : awlen_i[i][0];
    assign wvalid_i[i] = owed_q != '0 || (awvalid_i[i] && early_i[i]);
    assign wlast_i[i]  = beat_q == len;
    assign wdata_i[i]  = {7'(beat_q), 1'(i)};  // names its channel and its place
    assign given       = wvalid_i[i] && wready_o[i] && wlast_i[i];
    assign answered    = bvalid_o[i] && bready_i[i];
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        owed_q   <= '0;
        flying_q <= '0;
        beat_q   <= 1'b0;
      end else begin
        owed_q   <= owed_q + 2'(taken) - 2'(given);
        flying_q <= flying_q + 2'(taken) - 2'(answered);
        if (wvalid_i[i] && wready_o[i]) beat_q <= !wlast_i[i];
      end
    end
    always_ff @(posedge clk_i) begin
      if (given) len_q <= len_q >> 1;
      if (taken) len_q[owed_q-2'(given)] <= awlen_i[i][0];
    end
    `TSR_ASSUME(Named, awaddr_i[i][0] == 1'(i))
    `TSR_ASSUME(Length, 32'(awlen_i[i]) < MaxBurst)
    `TSR_ASSUME_STABLE(Asks, awvalid_i[i], awready_o[i], {awaddr_i[i], awlen_i[i]})
    `TSR_ASSUME(WithinOutstanding, !awvalid_i[i] || 32'(flying_q) < Outstanding)
    `TSR_ASSUME_NEXT(EarlyStays, early_i[i], early_i[i])
    `TSR_ASSERT(AnswersToWhatIsOpen, !bvalid_o[i] || flying_q != '0)
    `TSR_ASSERT(NoDataBeforeTheAddressIsTaken, !(wvalid_i[i] && wready_o[i]) || owed_q != '0)
  end

  // ---- The port ---------------------------------------------------------------------------------

  // Bursts whose address has been shown and that are not answered; 0 is the oldest. Data come in order.
  typedef struct packed {
    logic who;
    logic len;
    logic accepted;
    logic written;
  } open_t;
  open_t [Most:0] open_q, open_d, now;
  logic [2:0] count_q, count_d, count;
  logic [2:0] writes, answers;  // the burst whose data come; the one that is answered
  logic shown_q, writes_one, answers_one, w_beat_q, w, b;

  assign w = wvalid_o && wready_i;
  assign b = bvalid_i && bready_o;
  always_comb begin
    now   = open_q;
    count = count_q;
    if (awvalid_o && !shown_q) begin
      now[count] = '{who: awaddr_o[0], len: awlen_o[0], accepted: 1'b0, written: 1'b0};
      count = count + 1'b1;
    end
    writes      = '0;
    writes_one  = 1'b0;
    answers     = '0;
    answers_one = 1'b0;
    for (int unsigned n = 0; n <= Most; n++) begin
      if (!writes_one && n < 32'(count) && !now[n].written) begin
        writes     = 3'(n);
        writes_one = 1'b1;
      end
      if (!answers_one && n < 32'(count) && (OneId || now[n].who == bid_i)) begin
        answers     = 3'(n);
        answers_one = 1'b1;
      end
    end
    open_d  = now;
    count_d = count;
    if (awvalid_o && awready_i) open_d[count-1'b1].accepted = 1'b1;
    if (w && wlast_o) open_d[writes].written = 1'b1;
    if (b) begin
      for (int unsigned n = 0; n < Most; n++) begin
        if (n >= 32'(answers)) open_d[n] = open_d[n+1];
      end
      count_d = count_d - 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    open_q <= open_d;
    if (!rst_ni) begin
      count_q  <= '0;
      shown_q  <= 1'b0;
      w_beat_q <= 1'b0;
    end else begin
      count_q <= count_d;
      shown_q <= awvalid_o && !awready_i;
      if (w) w_beat_q <= !wlast_o;
    end
  end

  // The memory answers bursts that it has accepted and whose data it has.
  logic may_answer;
  assign may_answer = answers_one && 32'(answers) < 32'(count_q) && open_q[answers].accepted &&
      open_q[answers].written;
  `TSR_ASSUME(AnswersWhatItHas, !bvalid_i || may_answer)

  `TSR_ASSERT(DataOfABurstThatIsOut, !wvalid_o || writes_one)
  `TSR_ASSERT(DataOfTheRightChannel, !wvalid_o || wdata_o == {7'(w_beat_q), now[writes].who})
  `TSR_ASSERT(LastIsLast, !wvalid_o || wlast_o == (w_beat_q == now[writes].len))
  // The port waits for nobody: with an address out, data are there, with Cut a cycle later.
  logic owed_q;
  always_ff @(posedge clk_i) owed_q <= rst_ni && writes_one && !(w && wlast_o);
  `TSR_ASSERT(DataNeverWait, wvalid_o || !(Cut ? owed_q : writes_one))
  `TSR_ASSERT(AnswersAreTaken, bready_o)
  `TSR_ASSERT(IdIsTheChannel, !awvalid_o || awid_o == (OneId ? 1'b0 : awaddr_o[0]))

  // With no data owed and nothing shown (one ID: nothing unanswered), who asks is shown within 3 cycles.
  logic [2:0] waits_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || awvalid_o || awvalid_i == '0 || writes_one || (OneId && count_q != '0))
      waits_q <= '0;
    else waits_q <= waits_q + 1'b1;
  end
  `TSR_ASSERT(NobodyWaitsForNothing, waits_q <= 3)

  // An answer is there for its channel in the same cycle or behind others of the channel.
  logic [Channels-1:0] owner;
  logic [Channels-1:0][2:0] kept_q;
  assign owner = b ? Channels'(1) << now[answers].who : '0;
  for (genvar i = 0; i < Channels; i++) begin : gen_answers
    always_ff @(posedge clk_i) begin
      if (!rst_ni) kept_q[i] <= '0;
      else kept_q[i] <= kept_q[i] + 3'(owner[i]) - 3'(bvalid_o[i] && bready_i[i]);
    end
    `TSR_ASSERT(AnswersReachTheirChannel, bvalid_o[i] == (owner[i] || kept_q[i] != '0))
    `TSR_ASSERT(AnswerAsItIs, !(owner[i] && kept_q[i] == '0) || bresp_o[i] == bresp_i)
  end

  `TSR_COVER(DataBeforeTheAddressIsAccepted, w && wlast_o && awvalid_o && !awready_i)
  `TSR_COVER(BothKept, kept_q[0] == 2 && kept_q[1] == 2)
  `TSR_COVER(Alternate, w && now[writes].who && w_beat_q)
  if (!OneId) begin : gen_mixed
    `TSR_COVER(Overtakes, b && answers != '0)
  end

endmodule
