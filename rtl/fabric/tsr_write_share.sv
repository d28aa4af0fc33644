// Many write engines on the AW, W and B channels of one port.
//
// Contract: W data follow in the order of AW, bursts whole; a channel's bursts go out in its order. With
// OneId = 0 the channel is the ID and the memory may answer IDs in any order; an answer to an ID that is
// no channel is accepted and dropped. With OneId it answers in order and a queue of FlightBursts
// remembers the order of the channels. At most AheadBursts addresses are ahead of their data: further
// bursts wait here, where weights count.
// Isolation: the engines store a burst before they ask (StoreBeats), so that W never waits for a stream;
// BREADY is always high, for each channel has room for an answer to every burst it may have in flight
// (`Outstanding`, two bits each). An engine that asks with its first word (StoreBeats = 0) would hold up
// all when its stream waits. A buffer here instead of in the engine would be as large, and would need
// its own count of whole bursts.
// With Control a channel can be kept from the bus (`control_i.open`) and tells whether it has anything on
// it; with Guard faults of the memory stay with their channel (tsr_write_guard), or are told by `stray_o`
// if they belong to none; with OneId an answer out of place makes all that are due doubtful, and every
// channel that waits for one is at fault. Without Guard the memory is trusted.
// Latency: AW 1 cycle, W with it; with Cut AW 2, W 1 more; B 0. Throughput: one burst, one beat, one
// answer a cycle.
`include "tsr_assert.svh"
`include "tsr_types.svh"
module tsr_write_share
  import tsr_fabric_pkg::*;
#(
  parameter  int unsigned    Channels   = 4,                                 // 1..16
  parameter  fabric_config_t Config     = FabricDefaults,
  localparam type            standing_t = `TSR_STANDING_T(Config),
  localparam type            burst_t    = `TSR_BURST_T(Config),
  localparam type            w_t        = `TSR_W_T(Config),
  localparam type            req_t      = `TSR_WRITE_REQ_T(burst_t, w_t),
  localparam type            ax_t       = `TSR_AX_T(Config),
  localparam type            port_req_t = `TSR_WRITE_PORT_REQ_T(ax_t, w_t),
  localparam type            port_rsp_t = `TSR_WRITE_PORT_RSP_T(Config)
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  // The channels.
  input  standing_t    [Channels-1:0] standing_i,
  input  bus_control_t [Channels-1:0] control_i,   // with Control
  output bus_state_t   [Channels-1:0] state_o,
  input  req_t         [Channels-1:0] req_i,
  output write_rsp_t   [Channels-1:0] rsp_o,
  // The port.
  output logic                        stray_o,
  output port_req_t                   port_o,
  input  port_rsp_t                   port_i
);

  localparam int unsigned IndexWidth = $clog2(Channels < 2 ? 2 : Channels);

  `TSR_STATIC_ASSERT(Guard, Config.Control || !Config.Guard,
                     ("Guard = %0d; legal with Control is 0 or 1", Config.Guard))

  // ---- Addresses --------------------------------------------------------------------------------

  burst_t [Channels-1:0] burst;
  w_t [Channels-1:0] data;
  logic [IndexWidth-1:0] owner;
  ax_t aw;
  logic taken, fresh, ahead_room, order_room, aw_valid;
  logic [Channels-1:0] ask_valid, ask_ready, data_valid, data_ready, holds;
  logic [Channels-1:0][1:0] unused_kept;

  for (genvar i = 0; i < Channels; i++) begin : gen_burst
    assign burst[i] = req_i[i].aw;
    assign data[i]  = req_i[i].w;
  end

  tsr_address_share #(
    .Channels(Channels),
    .Config  (Config)
  ) u_address (
    .clk_i,
    .rst_ni,
    .standing_i,
    .burst_i (burst),
    .valid_i (ask_valid),
    .ready_o (ask_ready),
    .enable_i(ahead_room && order_room),
    .taken_o (taken),
    .fresh_o (fresh),
    .owner_o (owner),
    .holds_o (holds),
    .kept_o  (unused_kept),
    .ax_o    (aw),
    .valid_o (aw_valid),
    .ready_i (port_i.aw_ready)
  );

  // ---- Data -------------------------------------------------------------------------------------

  logic [IndexWidth-1:0] turn;
  w_t w;
  logic turn_valid, w_valid;

  tsr_turns #(
    .Depth     (Config.AheadBursts),
    .IndexWidth(IndexWidth),
    .Cut       (Config.Cut)
  ) u_ahead (
    .clk_i,
    .rst_ni,
    .room_o (ahead_room),
    .taken_i(taken),
    .put_i  (fresh),
    .index_i(owner),
    .turn_o (turn),
    .valid_o(turn_valid),
    .next_i (w_valid && port_i.w_ready && w.last)
  );

  assign w       = data[turn];
  assign w_valid = data_valid[turn] && turn_valid;
  for (genvar i = 0; i < Channels; i++) begin : gen_turn
    assign data_ready[i] = port_i.w_ready && turn_valid && turn == IndexWidth'(i);
  end

  // ---- Answers ----------------------------------------------------------------------------------

  logic b_ready;
  logic [Channels-1:0] mine, room, answer_valid;
  logic [Channels-1:0][1:0] answer_resp;

  tsr_answer_owner #(
    .Channels(Channels),
    .Config  (Config)
  ) u_owner (
    .clk_i,
    .rst_ni,
    .room_o (order_room),
    .taken_i(taken),
    .fresh_i(fresh),
    .owner_i(owner),
    .id_i   (port_i.b_id),
    .next_i (port_i.b_valid),
    .mine_o (mine)
  );

  for (genvar i = 0; i < Channels; i++) begin : gen_answers
    tsr_fifo #(
      .Depth      (1 << $clog2(Config.Outstanding < 2 ? 2 : Config.Outstanding)),
      .T          (logic [1:0]),
      .FallThrough(1'b1)
    ) u_answers (
      .clk_i,
      .rst_ni,
      .flush_i(Config.Control && control_i[i].clear),
      .data_i (answer_resp[i]),
      .valid_i(answer_valid[i]),
      .ready_o(room[i]),
      .data_o (rsp_o[i].b_resp),
      .valid_o(rsp_o[i].b_valid),
      .ready_i(req_i[i].b_ready)
    );
  end
  assign b_ready = 1'b1;
  assign port_o  = '{aw: aw, aw_valid: aw_valid, w: w, w_valid: w_valid, b_ready: b_ready};

  // ---- Faults of the memory, and bursts kept from it --------------------------------------------

  if (Config.Guard) begin : gen_guards
    logic [Channels-1:0] doubtful, doubtful_q;
    logic stalls;
    assign stalls = (aw_valid && !port_i.aw_ready) || (w_valid && !port_i.w_ready);
    for (genvar i = 0; i < Channels; i++) begin : gen_channel
      bus_state_t state;
      tsr_write_guard #(
        .Outstanding(Config.Outstanding),
        .Silence    (Config.Silence)
      ) u_guard (
        .clk_i,
        .rst_ni,
        .control_i (control_i[i]),
        .doubt_i   (Config.OneId && doubtful_q != '0),  // who told of it has failed already
        .state_o   (state),
        .stalls_i  (stalls),
        .aw_valid_i(req_i[i].aw_valid),
        .aw_ready_o(rsp_o[i].aw_ready),
        .w_last_i  (req_i[i].w.last),
        .w_valid_i (req_i[i].w_valid),
        .w_ready_o (rsp_o[i].w_ready),
        .b_resp_o  (answer_resp[i]),
        .b_valid_o (answer_valid[i]),
        .aw_valid_o(ask_valid[i]),
        .aw_ready_i(ask_ready[i]),
        .w_valid_o (data_valid[i]),
        .w_ready_i (data_ready[i]),
        .b_resp_i  (port_i.b_resp),
        .b_valid_i (port_i.b_valid && mine[i])
      );
      // A memory that answers wrongly may seem to have answered a burst that it has not seen yet.
      assign state_o[i] = '{
              idle: state.idle && !holds[i],
              clearable: state.clearable,
              shows: state.shows || holds[i],
              fault: state.fault
          };
      assign doubtful[i] = state.fault == FaultEarly || state.fault == FaultUnasked;
    end
    always_ff @(posedge clk_i) doubtful_q <= rst_ni ? doubtful : '0;
    assign stray_o = port_i.b_valid && mine == '0;
  end else begin : gen_trusted
    for (genvar i = 0; i < Channels; i++) begin : gen_channel
      logic unused_passes, unused_owes, gate_idle, idle;
      tsr_burst_gate #(
        .Limit  (Config.Outstanding),
        .Control(Config.Control)
      ) u_gate (
        .clk_i,
        .rst_ni,
        .open_i  (control_i[i].open),
        .forget_i(control_i[i].clear),
        .kept_i  ('0),
        .valid_i (req_i[i].aw_valid),
        .ready_o (rsp_o[i].aw_ready),
        .valid_o (ask_valid[i]),
        .ready_i (ask_ready[i]),
        .answer_i(answer_valid[i]),
        .passes_o(unused_passes),
        .idle_o  (gate_idle),
        .owes_o  (unused_owes)
      );
      assign idle = gate_idle && !(Config.Control && holds[i]);
      assign state_o[i] = '{
              idle: idle,
              clearable: idle,
              shows: Config.Control && holds[i],
              fault: FaultNone
          };
      assign data_valid[i] = req_i[i].w_valid;
      assign rsp_o[i].w_ready = data_ready[i];
      assign answer_resp[i] = port_i.b_resp;
      assign answer_valid[i] = port_i.b_valid && mine[i];
    end
    assign stray_o = 1'b0;
  end

  `TSR_ASSERT(AnswerHasRoom, (answer_valid & ~room) == '0)
  `TSR_STABLE(AwStable, aw_valid, port_i.aw_ready, aw)
  `TSR_STABLE(WStable, w_valid, port_i.w_ready, w)

endmodule
