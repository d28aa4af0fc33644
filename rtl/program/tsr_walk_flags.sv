// Flags of channels that decide which one the walk of tasks may pick.
//
// Contract. A channel may be picked if it has a task, a free slot, and what it was found to wait for has
// come, or if a further context of its transfer is due and a slot is free, or if its abort may end: nothing of it
// runs or is being prepared, and the engine is at rest. A further context is due until the preparation says that
// there is no more; no other descriptor of the channel is loaded before.
// With `turn_i.held` no task begins. `begun`: a task has.
// Latency: 1 cycle from an event to `channel_o`.
`include "tsr_assert.svh"
module tsr_walk_flags
  import tsr_core_pkg::slot_t;
  import tsr_descriptor_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_program_pkg::*;
#(
  parameter int unsigned Channels = 2,  // 1..32
  parameter int unsigned Slots = 2,  // 2 or 4
  parameter bit Lists = 1'b0,
  parameter bit Walk = 1'b1,  // transfers of several contexts
  parameter bit OutOfOrder = 1'b0,  // headers of packets may choose descriptors
  localparam int unsigned Index = Channels > 1 ? $clog2(Channels) : 1
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  // The walk.
  output walk_channel_t [Channels-1:0] channel_o,
  input  logic          [Channels-1:0] look_hot_i,
  input  walk_found_t                  found_i,           // of the channel of `look_hot_i`
  input  logic          [Channels-1:0] job_hot_i,         // has a job, or a step of it
  input  logic          [Channels-1:0] step_hot_i,
  input  walk_step_t                   step_i,            // of the channel of `step_hot_i`
  // Events.
  input  logic          [Channels-1:0] pushed_i,
  input  logic          [Channels-1:0] seat_i,            // one is free again
  input  prepared_t                    prepared_i,
  input  logic                         prepared_valid_i,
  input  logic          [Channels-1:0] freed_i,
  // Levels.
  input  launch_state_t [Channels-1:0] launch_i,
  input  logic          [Channels-1:0] running_i,
  input  stop_state_t   [Channels-1:0] stop_i,
  input  engine_state_t [Channels-1:0] engine_i,
  input  orders_t       [Channels-1:0] orders_i,
  input  list_state_t   [Channels-1:0] list_i,
  input  receive_turn_t [Channels-1:0] turn_i,
  // What follows.
  output logic          [Channels-1:0] clean_o,           // its abort ends
  output walk_flag_t    [Channels-1:0] flag_o,
  output list_order_t   [Channels-1:0] list_o
);

  localparam int unsigned Count = $clog2(Slots) + 1;
  typedef logic [Count-1:0] count_t;

  // Slot of the last job of each channel: the only one that can have more contexts.
  (* ram_style = "distributed" *) logic [$clog2(Slots)-1:0] last_q[2**Index];
  logic latest;
  logic [Index-1:0] job_channel, prepared_channel;
  always_comb begin
    job_channel = '0;
    for (int unsigned c = 0; c < Channels; c++) begin
      if (step_hot_i[c]) job_channel = job_channel | Index'(c);
    end
  end
  assign prepared_channel = Index'(prepared_i.channel);
  assign latest = slot_t'(last_q[prepared_channel]) == prepared_i.slot;
  always_ff @(posedge clk_i) begin
    if (step_i.accepted) last_q[job_channel] <= $clog2(Slots)'(step_i.slot);
  end

  for (genvar c = 0; c < Channels; c++) begin : gen_channel
    logic want_q, tiled_q, due_q, room_q, trigger_q, token_q, empty_q, held, header_waits;
    logic begun, take_id;
    logic [1:0] stopped_q;
    count_t used_q;
    logic
        look,
        job,
        continued,
        clean,
        free,
        rests,
        rests_q,
        cleans,
        cleans_q,
        prepared,
        accepted,
        list_waits;
    assign look = look_hot_i[c];
    assign job = step_hot_i[c];
    assign accepted = job && step_i.accepted;
    assign continued = accepted && step_i.further;
    assign clean = job && step_i.cleaned;
    assign prepared = prepared_valid_i && 32'(prepared_i.channel) == c;
    assign free = !used_q[$clog2(Slots)];
    // What changes rarely is registered; a look checks it again.
    assign rests = !stop_i[c].halted && !stop_i[c].stop && !tiled_q && !room_q &&
        !(trigger_q && !orders_i[c].trigger) && !(token_q && orders_i[c].token_waits) &&
        !list_waits && !held && !header_waits;
    // Once an abort may end nothing of the channel moves any more.
    assign cleans = &stopped_q && stop_i[c].stop && !stop_i[c].done && !running_i[c] &&
        launch_i[c].quiet && 3'(used_q) == launch_i[c].made && engine_i[c].idle && !job_hot_i[c];
    always_ff @(posedge clk_i) begin
      rests_q   <= rst_ni && rests;
      cleans_q  <= rst_ni && cleans;
      stopped_q <= {stopped_q[0], stop_i[c].stop};  // until what was picked before is seen
    end
    assign channel_o[c] = '{
            ask: (((want_q && rests_q) || due_q) && free) || cleans_q,
            open: !stop_i[c].halted && !stop_i[c].stop && !tiled_q && !held,
            due: due_q,
            clean: cleans_q,
            cut: stop_i[c].stop || engine_i[c].cut,
            stop: orders_i[c].stop,
            trigger: orders_i[c].trigger,
            tokens: !orders_i[c].token_waits,
            list_ready: list_i[c].ready,
            frames: orders_i[c].marks,
            by_id: OutOfOrder && turn_i[c].by_id,
            id_valid: orders_i[c].receive.id_valid,
            id: orders_i[c].receive.id,
            seat: seat_i[c]
        };
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        want_q <= 1'b0;
        used_q <= '0;
        due_q  <= 1'b0;
      end else begin
        want_q <= pushed_i[c] || (want_q && !(job && step_i.empty) && !clean);
        used_q <= clean ? '0 : used_q + count_t'(accepted) - count_t'(freed_i[c]);
        due_q  <= !clean && ((Walk && prepared && prepared_i.more) || (due_q && !continued));
      end
      if (!rst_ni || clean) begin
        tiled_q   <= 1'b0;
        room_q    <= 1'b0;
        trigger_q <= 1'b0;
        token_q   <= 1'b0;
      end else begin
        tiled_q <= (job && step_i.tiled) || (tiled_q && !(prepared && latest && !prepared_i.more));
        room_q  <= !seat_i[c] && (look ? found_i.waits == WaitRecord : room_q);
        if (look) trigger_q <= found_i.waits == WaitTrigger;
        if (look) token_q <= found_i.waits == WaitToken;
      end
    end

    if (OutOfOrder) begin : gen_header
      logic begun_q, header_q;
      always_ff @(posedge clk_i) begin
        if (!rst_ni || clean) begin
          begun_q  <= 1'b0;
          header_q <= 1'b0;
        end else begin
          begun_q <= ((accepted && !step_i.further) || begun_q) && !(job && step_i.popped);
          if (look) header_q <= found_i.waits == WaitHeader;
        end
      end
      assign begun        = begun_q;
      assign held         = turn_i[c].held && !begun_q;
      assign header_waits = header_q && turn_i[c].by_id && !orders_i[c].receive.id_valid;
      assign take_id      = look && found_i.take_id;
    end else begin : gen_no_header
      assign {begun, held, header_waits, take_id} = '0;
    end

    if (Lists) begin : gen_list
      // While headers choose no list is open, and the task waits until they do not.
      logic by_id;
      assign by_id = OutOfOrder && turn_i[c].by_id;

      logic open_q, again_q, waits_q;
      always_ff @(posedge clk_i) begin
        if (!rst_ni || clean || (job && step_i.popped)) open_q <= 1'b0;
        else open_q <= open_q || (look && found_i.list_open);
        // Of the turn of the descriptor that was handed on last; the first one when the list opens.
        if (look && found_i.list_open && (!open_q || found_i.waits == WaitTask))
          again_q <= found_i.list_again;
        if (!rst_ni || clean) waits_q <= 1'b0;
        else if (look) waits_q <= found_i.waits == WaitList;
      end
      // A look comes two cycles after this.
      assign list_waits = waits_q && (by_id || (open_q && !list_i[c].ready && !list_i[c].coming));
      assign list_o[c].open = open_q;
      assign list_o[c].again = again_q;
      assign list_o[c].take = look && found_i.list_open && found_i.waits == WaitTask;
    end else begin : gen_no_list
      assign list_waits      = 1'b0;
      assign list_o[c].open  = 1'b0;
      assign list_o[c].again = 1'b0;
      assign list_o[c].take  = 1'b0;
    end

    always_ff @(posedge clk_i) empty_q <= rst_ni && job && step_i.empty && !pushed_i[c];
    assign clean_o[c] = clean;
    always_comb begin
      flag_o[c] = '{
          wants: want_q,
          loading: job_hot_i[c] || tiled_q || (3'(used_q) != launch_i[c].made),
          waits: WaitLoad,
          begun: begun,
          empty: empty_q,
          take: look && found_i.take,
          take_id: take_id
      };
      if (stop_i[c].halted) flag_o[c].waits = WaitFault;
      else if (stop_i[c].stop) flag_o[c].waits = WaitReset;
      else if (!want_q) flag_o[c].waits = WaitTask;
      else if (room_q) flag_o[c].waits = WaitRecord;
      else if (trigger_q && !orders_i[c].trigger) flag_o[c].waits = WaitTrigger;
      else if (token_q && orders_i[c].token_waits) flag_o[c].waits = WaitToken;
      else if (list_waits) flag_o[c].waits = WaitList;
      else if (header_waits) flag_o[c].waits = WaitHeader;
    end

    logic unused_levels;
    assign unused_levels = ^{orders_i[c], stop_i[c], launch_i[c].locked, turn_i[c]};

    `TSR_ASSERT(UsedFits,
                32'(used_q) <= Slots && !(accepted && used_q == count_t'(Slots)) &&
                !(freed_i[c] && used_q == '0))
    `TSR_ASSERT(OneMore, !(prepared && prepared_i.more) || (latest && tiled_q))
  end

  logic unused_in;
  assign unused_in = ^{step_i, found_i, list_i, prepared_i};

endmodule
