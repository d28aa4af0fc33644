// Errors and interrupts of all channels: registers ERROR, ERROR_INFO, ERROR_ADDR, IRQ_ENABLE, IRQ_STATUS, writes of COALESCE.
//
// Contract. All words are kept in memories that change one channel a cycle: an event of the sequencer goes first,
// then an access of software (`access_i` stays until `ready_o`; `data_o` counts then, a cycle behind the access, and is 0 else), then a look at
// the next channel in turn (`poll_o`), which takes what rises slowly: faults, saturated locks,
// missed triggers, orders that are carried out, records and completion entries that have waited for long.
// `view_i` and `fault_i` belong to the channel of `poll_o` two cycles ago. The data of
// `access_i` are 0 while the memories are swept.
// A look that gave way goes before the next access, so that software that reads all the time holds nothing up.
// Latency: 3 cycles from an event to `error_o` and `irq_o`; a channel is looked at once in 8 to 32 cycles, and each event,
// access or missing grant puts that off by three. Throughput: an event a cycle.
`include "tsr_assert.svh"
module tsr_channel_causes
  import tsr_descriptor_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_fabric_pkg::*;
  import tsr_register_pkg::*;
  import tsr_registers_pkg::*;
  import tsr_program_pkg::*;
  import tsr_cause_pkg::*;
#(
  parameter  int unsigned Channels = 2,                                   // 1..32
  parameter  bit          Lists    = 1'b0,                                // completion entries
  localparam int unsigned Index    = Channels > 1 ? $clog2(Channels) : 1
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  sweep_t                          sweep_i,
  input  logic             [         4:0] step_i,          // of the time of COALESCE
  // Software.
  input  channel_access_t                 access_i,
  input  logic                            access_valid_i,
  input  logic                            refused_i,       // it is a task that was refused
  output logic                            ready_o,
  output logic             [        31:0] data_o,
  // Sequencer.
  input  sequencer_event_t                event_i,
  input  logic                            event_valid_i,
  // Channels.
  input  slow_causes_t     [Channels-1:0] slow_i,          // pulses
  input  order_state_t     [Channels-1:0] order_i,
  input  logic             [Channels-1:0] missed_i,        // a trigger, until `missed_clear_o`
  output logic             [Channels-1:0] missed_clear_o,
  input  fault_e                          fault_i,         // or none
  output logic             [   Index-1:0] poll_o,
  input  logic                            poll_grant_i,    // the view will be that of `poll_o`
  input  poll_view_t                      view_i,
  input  entry_event_t                    entry_i,         // of completion entries
  output logic             [Channels-1:0] error_o,         // ERROR is not 0
  output logic             [Channels-1:0] irq_o
);

  // 8 cycles between looks at least.
  localparam int unsigned PollBits = Index < 3 ? Index + 2 : Index;
  typedef logic [Index-1:0] index_t;

  // ---- Turns ------------------------------------------------------------------------------------

  typedef enum logic [1:0] {
    TurnNone,
    TurnEvent,
    TurnAccess,
    TurnPoll
  } turn_e;
  turn_e turn_q, turn;
  index_t channel_q, channel;
  sequencer_event_t event_q;
  logic named_q;  // one of its causes belongs to a descriptor
  logic [PollBits-1:0] poll_q, asked_q, looked_at_q;
  logic asked_valid_q, look_valid_q, polls;
  logic yielded_q;  // a look gave way: the next one goes before an access
  assign poll_o = 32'(poll_q[Index-1:0]) < Channels ? poll_q[Index-1:0] : '0;
  assign polls  = look_valid_q && 32'(looked_at_q) < Channels;
  always_comb begin
    turn    = TurnNone;
    channel = looked_at_q[Index-1:0];
    if (event_valid_i) begin
      turn    = TurnEvent;
      channel = index_t'(event_i.channel);
    end else if (access_valid_i && turn_q != TurnAccess && !ready_o && !(polls && yielded_q)) begin
      turn    = TurnAccess;
      channel = index_t'(access_i.channel);
    end else if (polls) begin
      turn = TurnPoll;
    end
  end
  // A look that gives way is repeated: the view of a channel comes two cycles after its number.
  logic repeats;
  assign repeats = look_valid_q && turn != TurnPoll && polls;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      turn_q        <= TurnNone;
      poll_q        <= '0;
      asked_valid_q <= 1'b0;
      look_valid_q  <= 1'b0;
      yielded_q     <= 1'b0;
    end else begin
      turn_q        <= sweep_i.valid ? TurnNone : turn;
      asked_valid_q <= poll_grant_i && !repeats;
      look_valid_q  <= asked_valid_q && !repeats;
      yielded_q     <= repeats || (yielded_q && !polls);
      if (repeats) poll_q <= looked_at_q;
      else if (poll_grant_i) poll_q <= poll_q + 1'b1;
    end
    asked_q     <= poll_q;
    looked_at_q <= asked_q;
    channel_q   <= channel;
    event_q     <= event_i;
    named_q     <= (event_i.causes & NamedCauses) != '0;
  end
  always_ff @(posedge clk_i) ready_o <= rst_ni && turn_q == TurnAccess;

  // ---- Words of the channel ---------------------------------------------------------------------

  typedef struct packed {
    logic                      any;     // ERROR is not 0: known early
    channel_error_value_t      error;
    channel_irq_status_value_t status;
  } causes_t;
  (* ram_style = "distributed" *) causes_t causes_mem[2**Index];
  (* ram_style = "distributed" *) channel_irq_enable_value_t enable_mem[2**Index];
  (* ram_style = "distributed" *) looked_t looked_mem[2**Index];

  causes_t old, next;
  channel_irq_enable_value_t enable, enable_next;
  looked_t seen, looked;
  error_causes_t clears;
  index_t at;
  logic event_turn, access_turn, poll_turn;
  logic writes_error, writes_status, writes_enable, writes_coalesce;
  assign at          = sweep_i.valid ? index_t'(sweep_i.channel) : channel_q;
  assign old         = causes_mem[channel_q];
  assign enable      = enable_mem[channel_q];
  assign seen        = looked_mem[channel_q];
  assign clears      = access_i.data[$bits(error_causes_t)-1:0];
  assign event_turn  = turn_q == TurnEvent;
  assign access_turn = turn_q == TurnAccess;
  assign poll_turn   = turn_q == TurnPoll;
  // The access was there a cycle ago.
  logic [3:0] writes_q;
  always_ff @(posedge clk_i) begin
    writes_q <= {4{access_i.write}} & {
      access_i.word == ChannelError,
      access_i.word == ChannelIrqStatus,
      access_i.word == ChannelIrqEnable,
      access_i.word == ChannelCoalesce
    };
  end
  assign {writes_error, writes_status, writes_enable, writes_coalesce} =
      writes_q & {4{access_turn}};

  // ---- What a look finds ------------------------------------------------------------------------

  slow_causes_t [Channels-1:0] slow_q;
  slow_causes_t slow;
  order_state_t order;
  fault_e fault_q;
  // One that comes again is another one. What the next look finds is known a cycle early.
  logic [Channels-1:0] fault_told_q, fault_told;
  logic faulted_q;
  logic [3:0] orders;
  logic reached, missed, late, due, stuck;
  poll_view_t view_q;
  always_ff @(posedge clk_i) begin
    fault_q <= fault_i;
    view_q  <= view_i;
    for (int unsigned c = 0; c < Channels; c++) begin
      if (!rst_ni) slow_q[c] <= '0;
      else slow_q[c] <= slow_i[c] | (poll_turn && 32'(channel_q) == c ? '0 : slow_q[c]);
      fault_told_q[c] <= rst_ni && fault_told[c];
    end
  end
  always_comb begin
    for (int unsigned c = 0; c < Channels; c++) begin
      fault_told[c] = order_i[c].faulted &&
          (fault_told_q[c] || (poll_turn && faulted_q && 32'(channel_q) == c));
    end
  end
  always_ff @(posedge clk_i)
    faulted_q <= rst_ni && fault_i != FaultNone && !fault_told[looked_at_q[Index-1:0]];
  assign slow = slow_q[channel_q];
  assign order = order_i[channel_q];
  assign orders = {order.pause, order.drain, order.aborts, order.reset};
  assign reached = seen.pending && !slow.ordered && orders != '0 &&
      (!order.pause || order.paused) && (!(order.drain || order.aborts) || order.idle) &&
      (!order.reset || order.in_reset);
  assign missed = missed_i[channel_q] && !seen.missed;
  assign stuck = order.stuck && !seen.stuck;
  always_comb begin
    looked = '{
        pending: orders != '0 && (slow.ordered || (seen.pending && !reached)),
        stuck: order.stuck,
        missed: missed_i[channel_q]
    };
    // A trigger that is missed while ERROR is cleared is another one.
    if (!poll_turn) begin
      looked        = seen;
      looked.missed = seen.missed && !clears.trigger_missed;
    end
  end

  // ---- What changes -----------------------------------------------------------------------------

  channel_error_value_t set;
  logic changed_q, error_q;
  index_t changed_at_q;
  channel_irq_status_value_t active_q;
  channel_irq_status_value_t irq;
  logic each;
  always_comb begin
    set = '0;
    irq = '0;
    if (event_turn) begin
      set           = event_q.causes;
      irq.task_done = event_q.task_done;
      irq.transfer  = event_q.interrupts;
      irq.room      = event_q.empty;
      irq.record    = event_q.record && each;
    end
    if (access_turn && refused_i) set.task_refused = 1'b1;
    if (poll_turn) begin
      set.fault          = faulted_q;
      set.lock_over      = slow.lock_over;
      set.lock_under     = slow.lock_under;
      set.trigger_missed = missed;
      irq.record         = due;
      irq.entries        = late || slow.entries;
      irq.reached        = reached;
      irq.stuck          = stuck;
    end
    irq.error = set != '0;
    next = '{any: old.any || irq.error, error: old.error | set, status: old.status | irq};
    enable_next = enable;
    if (writes_error) begin
      next.error = old.error & ~clears;
      next.any   = next.error != '0;
    end
    if (writes_status)
      next.status = old.status & ~access_i.data[$bits(channel_irq_status_value_t)-1:0];
    if (writes_enable) enable_next = access_i.data[$bits(channel_irq_enable_value_t)-1:0];
    if (sweep_i.valid) next = '0;
  end
  always_ff @(posedge clk_i) begin
    if (turn_q != TurnNone || sweep_i.valid) causes_mem[at] <= next;
    if (writes_enable || sweep_i.valid)
      enable_mem[at] <= access_i.data[$bits(channel_irq_enable_value_t)-1:0];
    if (poll_turn || writes_error || sweep_i.valid) looked_mem[at] <= sweep_i.valid ? '0 : looked;
    changed_q    <= rst_ni && turn_q != TurnNone;
    changed_at_q <= channel_q;
    error_q      <= next.any;
    active_q     <= next.status & enable_next;
    for (int unsigned c = 0; c < Channels; c++) begin
      if (!rst_ni) begin
        error_o[c] <= 1'b0;
        irq_o[c]   <= 1'b0;
      end else if (changed_q && 32'(changed_at_q) == c) begin
        error_o[c] <= error_q;
        irq_o[c]   <= active_q != '0;
      end
    end
  end
  always_comb begin
    for (int unsigned c = 0; c < Channels; c++) begin
      missed_clear_o[c] = writes_error && clears.trigger_missed && 32'(channel_q) == c;
    end
  end

  // ---- The first error, and times ---------------------------------------------------------------

  logic [31:0] info_data;
  tsr_error_info #(
    .Channels(Channels)
  ) u_info (
    .clk_i,
    .rst_ni,
    .sweep_i,
    .channel_i    (channel_q),
    .event_i      (event_q),
    .event_valid_i(event_turn),
    .event_named_i(named_q),
    .fault_i      (fault_q),
    .fault_valid_i(poll_turn && faulted_q),
    .descriptor_i (view_q.descriptor),
    .none_i       (!old.any),
    .word_i       (access_i.word),
    .data_o       (info_data)
  );
  tsr_coalesce #(
    .Channels(Channels),
    .Lists   (Lists)
  ) u_coalesce (
    .clk_i,
    .rst_ni,
    .sweep_i,
    .channel_i(channel_q),
    .look_i   (looked_at_q[Index-1:0]),
    .step_i,
    .record_i (event_turn && event_q.record),
    .each_o   (each),
    .poll_i   (poll_turn),
    .full_i   (view_q.full),
    .due_o    (due),
    .entry_i,
    .late_o   (late),
    .write_i  (writes_coalesce),
    .data_i   (access_i.data)
  );
  always_ff @(posedge clk_i) begin
    unique case (access_i.word)
      ChannelError:     data_o <= 32'(old.error);
      ChannelIrqEnable: data_o <= 32'(enable);
      ChannelIrqStatus: data_o <= 32'(old.status);
      default:          data_o <= info_data;
    endcase
    if (!access_turn) data_o <= '0;
  end

  logic unused_bits;
  assign unused_bits = ^{access_i.data, order.faulted};

  `TSR_ASSUME(AccessExists, !access_valid_i || 32'(access_i.channel) < Channels)
  `TSR_ASSERT(SweepsWithZeros, !sweep_i.valid || access_i.data == '0)
  `TSR_ASSERT(AnyIsTrue, turn_q == TurnNone || old.any == (old.error != '0))
  `TSR_ASSERT(AccessStays, turn_q != TurnAccess || access_valid_i)

endmodule
