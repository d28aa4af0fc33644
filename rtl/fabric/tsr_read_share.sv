// Many read engines on the AR and R channels of one port.
//
// Contract: a channel's bursts go out in its order and its data come back in it. With OneId = 0 the
// channel is the ID and the memory may answer IDs in any order, interleaved too; data of an ID that is
// no channel are accepted and dropped. With OneId the memory answers in order and a queue of
// FlightBursts remembers the order of the channels. Never more than FlightBeats are outstanding: further
// bursts wait here, where weights count, not in the memory. FlightBeats is enough if it covers the
// latency of the memory in cycles and two bursts. With Guard and IDs, beats that a channel has requested
// count as outstanding no longer when nothing of them has come for 2 * FlightBeats cycles: a silent channel
// keeps no other from the bus.
// Isolation: data go to their channel in the cycle in which they come, RREADY is that of their channel.
// Engines with RoomBeats are always ready, so that no channel ever holds up another; with RoomBeats = 0
// a channel whose stream waits holds up all, which costs no memory but all isolation.
// With Control a channel can be kept from the bus (`control_i.open`) and tells whether it has anything on
// it; with Guard faults of the memory stay with their channel (tsr_read_guard), or are told by `stray_o`
// if they belong to none; with OneId a wrong RLAST makes the order of all that is due doubtful, and every
// channel with something due is at fault. Without Guard the memory is trusted.
// Latency: AR 1 cycle, 2 with Cut; R 0. Throughput: one burst and one beat a cycle.
`include "tsr_assert.svh"
`include "tsr_types.svh"
module tsr_read_share
  import tsr_fabric_pkg::*;
#(
  parameter  int unsigned    Channels   = 4,                            // 1..16
  parameter  fabric_config_t Config     = FabricDefaults,
  localparam type            standing_t = `TSR_STANDING_T(Config),
  localparam type            burst_t    = `TSR_BURST_T(Config),
  localparam type            req_t      = `TSR_READ_REQ_T(burst_t),
  localparam type            rsp_t      = `TSR_READ_RSP_T(Config),
  localparam type            ax_t       = `TSR_AX_T(Config),
  localparam type            port_req_t = `TSR_READ_PORT_REQ_T(ax_t),
  localparam type            port_rsp_t = `TSR_READ_PORT_RSP_T(Config)
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  // The channels. Data are for all of them, valid for one.
  input  standing_t    [Channels-1:0] standing_i,
  input  bus_control_t [Channels-1:0] control_i,   // with Control
  output bus_state_t   [Channels-1:0] state_o,
  input  req_t         [Channels-1:0] req_i,
  output rsp_t         [Channels-1:0] rsp_o,
  // The port.
  output logic                        stray_o,
  output port_req_t                   port_o,
  input  port_rsp_t                   port_i
);

  localparam bit Guard = Config.Guard;
  localparam int unsigned MaxBurst = Config.MaxBurst;
  localparam int unsigned FlightBeats = Config.FlightBeats;
  localparam int unsigned IndexWidth = $clog2(Channels < 2 ? 2 : Channels);
  // Beats that are back in a cycle: one, but guards may all give at once.
  localparam int unsigned BackWidth = Guard ? $clog2(Channels + 1) : 1;
  // Guards may give beats back that are requested here, but not yet counted: with Cut two bursts a channel.
  localparam int unsigned Early = Guard ? (Config.Cut ? 2 * Channels + 1 : 1) * MaxBurst : 0;
  localparam int unsigned SpareWidth = $clog2(FlightBeats + Early + 1) + 1;

  `TSR_STATIC_ASSERT(FlightBeats, FlightBeats >= 2 * MaxBurst,
                     ("FlightBeats = %0d; legal is at least %0d", FlightBeats, 2 * MaxBurst))
  `TSR_STATIC_ASSERT(Guard, Config.Control || !Guard,
                     ("Guard = %0d; legal with Control is 0 or 1", Guard))

  // ---- Addresses --------------------------------------------------------------------------------

  burst_t [Channels-1:0] burst;
  logic [IndexWidth-1:0] owner;
  ax_t ar;
  logic taken, fresh, room_q, order_room, ar_valid, r_ready;
  logic [BackWidth-1:0] back, back_q;
  logic [Channels-1:0] ask_valid, ask_ready, mine, mine_ready, holds;
  logic [Channels-1:0][1:0] kept;
  logic [SpareWidth-1:0] spare_q, spare;

  // Beats that may still be requested, less two bursts: a burst is counted when it shows, the cycle after
  // it was chosen, so there must be room for one that is chosen and for one that is not counted yet.
  // Less than 0 is no room, one bit.
  assign spare = spare_q + (fresh ? ~SpareWidth'(ar.len) : '0) + SpareWidth'(back_q);
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
    .enable_i(room_q && order_room),
    .taken_o (taken),
    .fresh_o (fresh),
    .owner_o (owner),
    .holds_o (holds),
    .kept_o  (kept),
    .ax_o    (ar),
    .valid_o (ar_valid),
    .ready_i (port_i.ar_ready)
  );

  // ---- Data -------------------------------------------------------------------------------------

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
    .id_i   (port_i.r_id),
    .next_i (port_i.r_valid && r_ready && port_i.r.last),
    .mine_o (mine)
  );
  assign r_ready = (mine & ~mine_ready) == '0;
  assign port_o  = '{ar: ar, ar_valid: ar_valid, r_ready: r_ready};

  // ---- Faults of the memory, and bursts kept from it --------------------------------------------

  if (Guard) begin : gen_guards
    // With an order to keep no channel can overtake a late one.
    localparam int unsigned TwiceFlight = 2 * FlightBeats;
    localparam bit InTime = TwiceFlight + 2 <= Config.Silence;
    localparam int unsigned Late = Config.OneId || !InTime ? 0 : TwiceFlight;
    logic [Channels-1:0] given, doubtful, doubtful_q;
    for (genvar i = 0; i < Channels; i++) begin : gen_channel
      bus_state_t state;
      tsr_read_guard #(
        .Outstanding(Config.Outstanding),
        .Silence    (Config.Silence),
        .Late       (Late),
        .MostBeats  (FlightBeats + 2 * MaxBurst)
      ) u_guard (
        .clk_i,
        .rst_ni,
        .control_i (control_i[i]),
        .doubt_i   (Config.OneId && doubtful_q != '0),  // who told of it has failed already
        .state_o   (state),
        .back_o    (given[i]),
        .kept_i    (kept[i]),
        .stalls_i  (ar_valid && !port_i.ar_ready),
        .held_i    (port_i.r_valid && !r_ready),
        .ar_len_i  (req_i[i].ar.len),
        .ar_valid_i(req_i[i].ar_valid),
        .ar_ready_o(rsp_o[i].ar_ready),
        .r_o       (rsp_o[i].r),
        .r_valid_o (rsp_o[i].r_valid),
        .r_ready_i (req_i[i].r_ready),
        .ar_valid_o(ask_valid[i]),
        .ar_ready_i(ask_ready[i]),
        .r_i       (port_i.r),
        .r_valid_i (port_i.r_valid && mine[i]),
        .r_ready_o (mine_ready[i])
      );
      // A memory that answers wrongly may seem to have answered a burst that it has not seen yet.
      assign state_o[i] = '{
              idle: state.idle && !holds[i],
              clearable: state.clearable,
              shows: state.shows || holds[i],
              fault: state.fault
          };
      assign doubtful[i] = state.fault == FaultEarlyLast || state.fault == FaultLateLast;
    end
    always_comb begin
      back = '0;
      for (int unsigned n = 0; n < Channels; n++) back = back + BackWidth'(given[n]);
    end
    always_ff @(posedge clk_i) doubtful_q <= rst_ni ? doubtful : '0;
    assign stray_o = port_i.r_valid && mine == '0;
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
        .kept_i  (kept[i]),
        .valid_i (req_i[i].ar_valid),
        .ready_o (rsp_o[i].ar_ready),
        .valid_o (ask_valid[i]),
        .ready_i (ask_ready[i]),
        .answer_i(port_i.r_valid && mine[i] && mine_ready[i] && port_i.r.last),
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
      assign mine_ready[i] = req_i[i].r_ready;
      assign rsp_o[i].r = port_i.r;
      assign rsp_o[i].r_valid = port_i.r_valid && mine[i];
    end
    assign back    = port_i.r_valid && r_ready;
    assign stray_o = 1'b0;
  end

  for (genvar i = 0; i < Channels; i++) begin : gen_data
    assign burst[i]        = req_i[i].ar;
    assign rsp_o[i].r_data = port_i.r_data;
  end

  `TSR_ASSERT(WithinFlight, $signed(spare) >= -$signed(SpareWidth'(2 * MaxBurst)))
  `TSR_ASSERT(NothingUnasked, $signed(spare) <= $signed
              (SpareWidth'(FlightBeats + Early - 2 * MaxBurst)))
  `TSR_STABLE(ArStable, ar_valid, port_i.ar_ready, ar)

endmodule
