// Many write engines on the AW, W and B channels of one port.
//
// Contract: W data follow in the order of AW, bursts whole; a channel's bursts go out in its order. With
// OneId = 0 the channel is the ID and the memory may answer IDs in any order; an answer to an ID that is
// no channel is taken and goes nowhere. With OneId it answers in order and a queue of FlightBursts
// remembers whose turn it is. At most AheadBursts addresses are out whose data are not: what is beyond
// waits here, where weights count.
// Isolation: the engines store a burst before they ask (StoreBeats), so that W never waits for a stream;
// BREADY is always high, for each channel has room for an answer to every burst it may have in flight
// (`Outstanding`, two bits each). An engine that asks with its first word (StoreBeats = 0) would hold up
// all when its stream waits. A buffer here instead of in the engine would be as large, and would need
// its own count of whole bursts.
// With Control a channel can be kept from the bus (`open_i`) and tells whether it has anything on it; with
// Guard what the memory does wrong stays with its channel (tsr_write_guard), or is told by `stray_o` if it
// belongs to none; with OneId an answer out of place makes all that are due doubtful, and every channel that
// waits for one is at fault. Without Guard the memory is trusted.
// Latency: AW 1 cycle, W with it; with Cut AW 2, W 1 more; B 0. Throughput: one burst, one beat, one
// answer a cycle.
`include "tsr_assert.svh"
module tsr_write_share
  import tsr_fabric_pkg::*;
#(
  parameter  int unsigned Channels     = 4,             // 1..16
  parameter  int unsigned AddrWidth    = 64,
  parameter  int unsigned DataWidth    = 64,
  parameter  int unsigned MaxBurst     = 64,
  parameter  int unsigned Outstanding  = 64,            // bursts a channel has in flight at most
  parameter  int unsigned AheadBursts  = 4,             // a power of two
  parameter  bit          OneId        = 1'b0,
  parameter  int unsigned FlightBursts = 64,            // with OneId; a power of two
  parameter  int unsigned IdWidth      = 4,
  parameter  int unsigned WeightWidth  = 4,
  parameter  int unsigned UserWidth    = 1,
  parameter  bit          Cut          = 1'b0,
  parameter  bit          Control      = 1'b0,
  parameter  bit          Guard        = 1'b0,          // needs Control
  parameter  int unsigned Silence      = 4096,          // with Guard: cycles
  localparam int unsigned DataBytes    = DataWidth / 8
) (
  input  logic                                       clk_i,
  input  logic                                       rst_ni,
  input  logic      [ Channels-1:0][WeightWidth-1:0] weight_i,
  input  axi_attr_t [ Channels-1:0]                  attr_i,
  input  logic      [ Channels-1:0][  UserWidth-1:0] user_i,
  // With Control: see tsr_write_guard.
  input  logic      [ Channels-1:0]                  open_i,
  input  logic      [ Channels-1:0]                  clear_i,
  output logic      [ Channels-1:0]                  none_o,
  output logic      [ Channels-1:0]                  calm_o,
  output fault_e    [ Channels-1:0]                  fault_o,
  output logic                                       stray_o,
  // The channels.
  input  logic      [ Channels-1:0][  AddrWidth-1:0] awaddr_i,
  input  logic      [ Channels-1:0][            7:0] awlen_i,
  input  logic      [ Channels-1:0]                  awvalid_i,
  output logic      [ Channels-1:0]                  awready_o,
  input  logic      [ Channels-1:0][  DataWidth-1:0] wdata_i,
  input  logic      [ Channels-1:0][  DataBytes-1:0] wstrb_i,
  input  logic      [ Channels-1:0]                  wlast_i,
  input  logic      [ Channels-1:0]                  wvalid_i,
  output logic      [ Channels-1:0]                  wready_o,
  output logic      [ Channels-1:0][            1:0] bresp_o,
  output logic      [ Channels-1:0]                  bvalid_o,
  input  logic      [ Channels-1:0]                  bready_i,
  // The port.
  output logic      [  IdWidth-1:0]                  awid_o,
  output logic      [AddrWidth-1:0]                  awaddr_o,
  output logic      [          7:0]                  awlen_o,
  output axi_attr_t                                  awattr_o,
  output logic      [UserWidth-1:0]                  awuser_o,
  output logic                                       awvalid_o,
  input  logic                                       awready_i,
  output logic      [DataWidth-1:0]                  wdata_o,
  output logic      [DataBytes-1:0]                  wstrb_o,
  output logic                                       wlast_o,
  output logic                                       wvalid_o,
  input  logic                                       wready_i,
  input  logic      [  IdWidth-1:0]                  bid_i,
  input  logic      [          1:0]                  bresp_i,
  input  logic                                       bvalid_i,
  output logic                                       bready_o
);

  localparam int unsigned IndexWidth = $clog2(Channels < 2 ? 2 : Channels);

  `TSR_STATIC_ASSERT(IdWidth, OneId || IdWidth >= IndexWidth,
                     ("IdWidth = %0d; legal is at least %0d", IdWidth, IndexWidth))

  // ---- Addresses --------------------------------------------------------------------------------

  logic [IndexWidth-1:0] owner;
  logic taken, fresh, ahead_room, order_room;
  logic [Channels-1:0] ask_valid, ask_ready, data_valid, data_ready;

  // A memory that answers wrongly may seem to have answered what it has not been asked yet.
  logic [Channels-1:0] none, holds;
  assign none_o = none & ~(Control ? holds : '0);

  tsr_address_share #(
    .Channels   (Channels),
    .AddrWidth  (AddrWidth),
    .MaxBurst   (MaxBurst),
    .WeightWidth(WeightWidth),
    .UserWidth  (UserWidth),
    .Cut        (Cut)
  ) u_address (
    .clk_i,
    .rst_ni,
    .weight_i,
    .attr_i,
    .user_i,
    .addr_i  (awaddr_i),
    .len_i   (awlen_i),
    .valid_i (ask_valid),
    .ready_o (ask_ready),
    .enable_i(ahead_room && order_room),
    .taken_o (taken),
    .fresh_o (fresh),
    .owner_o (owner),
    .holds_o (holds),
    .addr_o  (awaddr_o),
    .len_o   (awlen_o),
    .attr_o  (awattr_o),
    .user_o  (awuser_o),
    .valid_o (awvalid_o),
    .ready_i (awready_i)
  );

  // ---- Data -------------------------------------------------------------------------------------

  logic [IndexWidth-1:0] turn;
  logic turn_valid;

  tsr_turns #(
    .Depth     (AheadBursts),
    .IndexWidth(IndexWidth),
    .Cut       (Cut)
  ) u_ahead (
    .clk_i,
    .rst_ni,
    .room_o (ahead_room),
    .taken_i(taken),
    .put_i  (fresh),
    .index_i(owner),
    .turn_o (turn),
    .valid_o(turn_valid),
    .next_i (wvalid_o && wready_i && wlast_o)
  );

  assign wdata_o  = wdata_i[turn];
  assign wstrb_o  = wstrb_i[turn];
  assign wlast_o  = wlast_i[turn];
  assign wvalid_o = data_valid[turn] && turn_valid;
  for (genvar i = 0; i < Channels; i++) begin : gen_turn
    assign data_ready[i] = wready_i && turn_valid && turn == IndexWidth'(i);
  end

  // ---- Answers ----------------------------------------------------------------------------------

  logic [Channels-1:0] mine, room, answer_valid;
  logic [Channels-1:0][1:0] answer_resp;

  if (OneId) begin : gen_one_id
    logic [IndexWidth-1:0] asker;
    logic asker_valid, unused_ids;
    tsr_turns #(
      .Depth     (FlightBursts),
      .IndexWidth(IndexWidth),
      .Cut       (1'b1)
    ) u_order (
      .clk_i,
      .rst_ni,
      .room_o (order_room),
      .taken_i(taken),
      .put_i  (fresh),
      .index_i(owner),
      .turn_o (asker),
      .valid_o(asker_valid),
      .next_i (bvalid_i)
    );
    for (genvar i = 0; i < Channels; i++) begin : gen_mine
      assign mine[i] = asker_valid && asker == IndexWidth'(i);
    end
    assign awid_o     = '0;
    assign unused_ids = ^bid_i;
  end else begin : gen_ids
    for (genvar i = 0; i < Channels; i++) begin : gen_mine
      assign mine[i] = bid_i == IdWidth'(i);
    end
    assign order_room = 1'b1;
    assign awid_o     = IdWidth'(owner);
  end

  for (genvar i = 0; i < Channels; i++) begin : gen_answers
    tsr_fifo #(
      .Depth      (1 << $clog2(Outstanding < 2 ? 2 : Outstanding)),
      .T          (logic [1:0]),
      .FallThrough(1'b1)
    ) u_answers (
      .clk_i,
      .rst_ni,
      .flush_i(Control && clear_i[i]),
      .data_i (answer_resp[i]),
      .valid_i(answer_valid[i]),
      .ready_o(room[i]),
      .data_o (bresp_o[i]),
      .valid_o(bvalid_o[i]),
      .ready_i(bready_i[i])
    );
  end
  assign bready_o = 1'b1;

  // ---- What the memory does wrong, and what is kept from it --------------------------------------

  `TSR_STATIC_ASSERT(Guard, Control || !Guard, ("Guard = %0d; legal with Control is 0 or 1", Guard))

  if (Guard) begin : gen_guards
    logic [Channels-1:0] doubtful, doubtful_q;
    for (genvar i = 0; i < Channels; i++) begin : gen_channel
      tsr_write_guard #(
        .Outstanding(Outstanding),
        .Silence    (Silence)
      ) u_guard (
        .clk_i,
        .rst_ni,
        .open_i   (open_i[i]),
        .clear_i  (clear_i[i]),
        .doubt_i  (OneId && (doubtful_q & ~(Channels'(1) << i)) != '0),
        .fault_o  (fault_o[i]),
        .none_o   (none[i]),
        .calm_o   (calm_o[i]),
        .awvalid_i(awvalid_i[i]),
        .awready_o(awready_o[i]),
        .wlast_i  (wlast_i[i]),
        .wvalid_i (wvalid_i[i]),
        .wready_o (wready_o[i]),
        .bresp_o  (answer_resp[i]),
        .bvalid_o (answer_valid[i]),
        .awvalid_o(ask_valid[i]),
        .awready_i(ask_ready[i]),
        .wvalid_o (data_valid[i]),
        .wready_i (data_ready[i]),
        .bresp_i,
        .bvalid_i (bvalid_i && mine[i])
      );
      assign doubtful[i] = fault_o[i] == FaultEarly || fault_o[i] == FaultUnasked;
    end
    always_ff @(posedge clk_i) doubtful_q <= rst_ni ? doubtful : '0;
    assign stray_o = bvalid_i && mine == '0;
  end else begin : gen_trusted
    for (genvar i = 0; i < Channels; i++) begin : gen_channel
      assign data_valid[i]   = wvalid_i[i];
      assign wready_o[i]     = data_ready[i];
      assign answer_resp[i]  = bresp_i;
      assign answer_valid[i] = bvalid_i && mine[i];
      assign fault_o[i]      = FaultNone;
      if (Control) begin : gen_gate
        logic unused_passes;
        tsr_burst_gate #(
          .Limit(Outstanding)
        ) u_gate (
          .clk_i,
          .rst_ni,
          .open_i  (open_i[i]),
          .forget_i(clear_i[i]),
          .valid_i (awvalid_i[i]),
          .ready_o (awready_o[i]),
          .valid_o (ask_valid[i]),
          .ready_i (ask_ready[i]),
          .answer_i(answer_valid[i]),
          .passes_o(unused_passes),
          .none_o  (none[i])
        );
      end else begin : gen_open
        assign ask_valid[i] = awvalid_i[i];
        assign awready_o[i] = ask_ready[i];
        assign none[i]      = 1'b1;
      end
    end
    logic unused_control;
    assign unused_control = ^{open_i, clear_i};
    assign calm_o         = none_o;
    assign stray_o        = 1'b0;
  end

  `TSR_ASSERT(AnswerHasRoom, (answer_valid & ~room) == '0)
  `TSR_STABLE(AwStable, awvalid_o, awready_i, {awid_o, awaddr_o, awlen_o, awattr_o, awuser_o})
  `TSR_STABLE(WStable, wvalid_o, wready_i, {wdata_o, wstrb_o, wlast_o})

endmodule
