// Many read engines on the AR and R channels of one port.
//
// Contract: a channel's bursts go out in its order and its data come back in it. With OneId = 0 the
// channel is the ID and the memory may answer IDs in any order, interleaved too; data of an ID that is
// no channel are taken and go nowhere. With OneId the memory answers in order and a queue of
// FlightBursts remembers whose turn it is. Never more than FlightBeats are asked for and not back: what
// is beyond waits here, where weights count, not in the memory. FlightBeats is enough if it covers the
// latency of the memory in cycles and two bursts. With Guard and IDs, what a channel has asked for counts no
// more when nothing of it has come for 2 * FlightBeats cycles: a silent channel keeps no other from the bus.
// Isolation: data go to their channel in the cycle in which they come, RREADY is that of their channel.
// Engines with RoomBeats are always ready, so that no channel ever holds up another; with RoomBeats = 0
// a channel whose stream waits holds up all, which costs no memory but all isolation.
// With Control a channel can be kept from the bus (`open_i`) and tells whether it has anything on it; with
// Guard what the memory does wrong stays with its channel (tsr_read_guard), or is told by `stray_o` if it
// belongs to none; with OneId a wrong RLAST makes the order of all that is due doubtful, and every channel
// with something due is at fault. Without Guard the memory is trusted.
// Latency: AR 1 cycle, 2 with Cut; R 0. Throughput: one burst and one beat a cycle.
`include "tsr_assert.svh"
module tsr_read_share
  import tsr_fabric_pkg::*;
#(
  parameter int unsigned Channels     = 4,     // 1..16
  parameter int unsigned AddrWidth    = 64,
  parameter int unsigned MaxBurst     = 64,
  parameter int unsigned FlightBeats  = 256,   // at least twice MaxBurst
  parameter bit          OneId        = 1'b0,
  parameter int unsigned FlightBursts = 64,    // with OneId; a power of two
  parameter int unsigned IdWidth      = 4,
  parameter int unsigned WeightWidth  = 4,
  parameter int unsigned UserWidth    = 1,
  parameter bit          Cut          = 1'b0,
  parameter bit          Control      = 1'b0,
  parameter bit          Guard        = 1'b0,  // needs Control
  parameter int unsigned Outstanding  = 64,    // with Control: bursts a channel has in flight
  parameter int unsigned Silence      = 4096   // with Guard: cycles
) (
  input  logic                                       clk_i,
  input  logic                                       rst_ni,
  input  logic      [ Channels-1:0][WeightWidth-1:0] weight_i,
  input  axi_attr_t [ Channels-1:0]                  attr_i,
  input  logic      [ Channels-1:0][  UserWidth-1:0] user_i,
  // With Control: see tsr_read_guard.
  input  logic      [ Channels-1:0]                  open_i,
  input  logic      [ Channels-1:0]                  clear_i,
  output logic      [ Channels-1:0]                  none_o,
  output logic      [ Channels-1:0]                  calm_o,
  output fault_e    [ Channels-1:0]                  fault_o,
  output logic                                       stray_o,
  // The channels. Data are for all of them, valid for one.
  input  logic      [ Channels-1:0][  AddrWidth-1:0] araddr_i,
  input  logic      [ Channels-1:0][            7:0] arlen_i,
  input  logic      [ Channels-1:0]                  arvalid_i,
  output logic      [ Channels-1:0]                  arready_o,
  output logic      [ Channels-1:0][            1:0] rresp_o,
  output logic      [ Channels-1:0]                  rlast_o,
  output logic      [ Channels-1:0]                  rvalid_o,
  input  logic      [ Channels-1:0]                  rready_i,
  // The port. Data do not pass through here.
  output logic      [  IdWidth-1:0]                  arid_o,
  output logic      [AddrWidth-1:0]                  araddr_o,
  output logic      [          7:0]                  arlen_o,
  output axi_attr_t                                  arattr_o,
  output logic      [UserWidth-1:0]                  aruser_o,
  output logic                                       arvalid_o,
  input  logic                                       arready_i,
  input  logic      [  IdWidth-1:0]                  rid_i,
  input  logic      [          1:0]                  rresp_i,
  input  logic                                       rlast_i,
  input  logic                                       rvalid_i,
  output logic                                       rready_o
);

  localparam int unsigned IndexWidth = $clog2(Channels < 2 ? 2 : Channels);
  // Beats that are back in a cycle: one, but guards may all give at once.
  localparam int unsigned BackWidth = Guard ? $clog2(Channels + 1) : 1;
  // Guards may give what is asked for here, but not yet counted: with Cut two bursts a channel.
  localparam int unsigned Early = Guard ? (Cut ? 2 * Channels + 1 : 1) * MaxBurst : 0;
  localparam int unsigned SpareWidth = $clog2(FlightBeats + Early + 1) + 1;

  `TSR_STATIC_ASSERT(FlightBeats, FlightBeats >= 2 * MaxBurst,
                     ("FlightBeats = %0d; legal is at least %0d", FlightBeats, 2 * MaxBurst))
  `TSR_STATIC_ASSERT(IdWidth, OneId || IdWidth >= IndexWidth,
                     ("IdWidth = %0d; legal is at least %0d", IdWidth, IndexWidth))

  logic [IndexWidth-1:0] owner;
  logic taken, fresh, room_q, order_room;
  logic [BackWidth-1:0] back, back_q;
  logic [Channels-1:0] ask_valid, ask_ready, mine, mine_ready;
  logic [SpareWidth-1:0] spare_q, spare;

  // Beats that may still be asked for, less two bursts: a burst is counted when it shows, the cycle after
  // it was chosen, so there must be room for one that is chosen and for one that is not counted yet.
  // Less than 0 is no room, one bit.
  assign spare = spare_q + (fresh ? ~SpareWidth'(arlen_o) : '0) + SpareWidth'(back_q);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      spare_q <= SpareWidth'(FlightBeats - 2 * MaxBurst);
      room_q  <= 1'b1;
      back_q  <= '0;
    end else begin
      spare_q <= spare;
      room_q  <= !spare[SpareWidth-1];
      back_q  <= back;
    end
  end

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
    .addr_i  (araddr_i),
    .len_i   (arlen_i),
    .valid_i (ask_valid),
    .ready_o (ask_ready),
    .enable_i(room_q && order_room),
    .taken_o (taken),
    .fresh_o (fresh),
    .owner_o (owner),
    .holds_o (holds),
    .addr_o  (araddr_o),
    .len_o   (arlen_o),
    .attr_o  (arattr_o),
    .user_o  (aruser_o),
    .valid_o (arvalid_o),
    .ready_i (arready_i)
  );

  if (OneId) begin : gen_one_id
    logic [IndexWidth-1:0] turn;
    logic turn_valid, unused_ids;
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
      .turn_o (turn),
      .valid_o(turn_valid),
      .next_i (rvalid_i && rready_o && rlast_i)
    );
    for (genvar i = 0; i < Channels; i++) begin : gen_mine
      assign mine[i] = turn_valid && turn == IndexWidth'(i);
    end
    assign arid_o     = '0;
    assign unused_ids = ^rid_i;
  end else begin : gen_ids
    logic unused_order;
    for (genvar i = 0; i < Channels; i++) begin : gen_mine
      assign mine[i] = rid_i == IdWidth'(i);
    end
    assign order_room   = 1'b1;
    assign arid_o       = IdWidth'(owner);
    assign unused_order = ^{taken, rlast_i};
  end

  assign rready_o = (mine & ~mine_ready) == '0;

  // ---- What the memory does wrong, and what is kept from it --------------------------------------

  `TSR_STATIC_ASSERT(Guard, Control || !Guard, ("Guard = %0d; legal with Control is 0 or 1", Guard))

  if (Guard) begin : gen_guards
    // With an order to keep nobody can go before who is late.
    localparam int unsigned Late = OneId || 2 * FlightBeats + 2 > Silence ? 0 : 2 * FlightBeats;
    logic [Channels-1:0] given, doubtful, doubtful_q;
    for (genvar i = 0; i < Channels; i++) begin : gen_channel
      tsr_read_guard #(
        .Outstanding(Outstanding),
        .Silence    (Silence),
        .Late       (Late),
        .MostBeats  (FlightBeats + 2 * MaxBurst)
      ) u_guard (
        .clk_i,
        .rst_ni,
        .open_i   (open_i[i]),
        .clear_i  (clear_i[i]),
        .doubt_i  (OneId && (doubtful_q & ~(Channels'(1) << i)) != '0),
        .fault_o  (fault_o[i]),
        .none_o   (none[i]),
        .calm_o   (calm_o[i]),
        .back_o   (given[i]),
        .arlen_i  (arlen_i[i]),
        .arvalid_i(arvalid_i[i]),
        .arready_o(arready_o[i]),
        .rresp_o  (rresp_o[i]),
        .rlast_o  (rlast_o[i]),
        .rvalid_o (rvalid_o[i]),
        .rready_i (rready_i[i]),
        .arvalid_o(ask_valid[i]),
        .arready_i(ask_ready[i]),
        .rresp_i,
        .rlast_i,
        .rvalid_i (rvalid_i && mine[i]),
        .rready_o (mine_ready[i])
      );
      assign doubtful[i] = fault_o[i] == FaultEarlyLast || fault_o[i] == FaultLateLast;
    end
    always_comb begin
      back = '0;
      for (int unsigned n = 0; n < Channels; n++) back = back + BackWidth'(given[n]);
    end
    always_ff @(posedge clk_i) doubtful_q <= rst_ni ? doubtful : '0;
    assign stray_o = rvalid_i && mine == '0;
  end else begin : gen_trusted
    for (genvar i = 0; i < Channels; i++) begin : gen_channel
      assign rresp_o[i]  = rresp_i;
      assign rlast_o[i]  = rlast_i;
      assign rvalid_o[i] = rvalid_i && mine[i];
      assign fault_o[i]  = FaultNone;
      if (Control) begin : gen_gate
        logic unused_passes;
        tsr_burst_gate #(
          .Limit(Outstanding)
        ) u_gate (
          .clk_i,
          .rst_ni,
          .open_i  (open_i[i]),
          .forget_i(clear_i[i]),
          .valid_i (arvalid_i[i]),
          .ready_o (arready_o[i]),
          .valid_o (ask_valid[i]),
          .ready_i (ask_ready[i]),
          .answer_i(rvalid_o[i] && rready_i[i] && rlast_i),
          .passes_o(unused_passes),
          .none_o  (none[i])
        );
      end else begin : gen_open
        assign ask_valid[i] = arvalid_i[i];
        assign arready_o[i] = ask_ready[i];
        assign none[i]      = 1'b1;
      end
    end
    logic unused_control;
    assign unused_control = ^{open_i, clear_i};
    assign calm_o         = none_o;
    assign mine_ready     = rready_i;
    assign back           = rvalid_i && rready_o;
    assign stray_o        = 1'b0;
  end

  `TSR_ASSERT(WithinFlight, $signed(spare) >= -$signed(SpareWidth'(2 * MaxBurst)))
  `TSR_ASSERT(NothingUnasked, $signed(spare) <= $signed
              (SpareWidth'(FlightBeats + Early - 2 * MaxBurst)))
  `TSR_STABLE(ArStable, arvalid_o, arready_i, {arid_o, araddr_o, arlen_o, arattr_o, aruser_o})

endmodule
