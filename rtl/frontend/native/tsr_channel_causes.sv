// Errors and interrupts of all channels: registers ERROR, ERROR_INFO, ERROR_ADDR, IRQ_ENABLE, IRQ_STATUS, writes of COALESCE.
//
// Contract. All words are kept in memories that change one channel a cycle, in the turns of tsr_channel_turn: events, accesses of
// software (`access_i` stays until `ready_o`; `data_o` counts then, a cycle behind the access, and is 0 else), and looks, which
// take what rises slowly: faults, saturated locks, missed triggers, orders that are carried out, records and completion
// entries that have waited for long. `view_i` and `fault_i` belong to the channel of `poll_o` two cycles ago. The data of
// `access_i` are 0 while the memories are swept.
// Latency: 3 cycles from an event to `error_o` and `irq_o`; each event, access or missing grant puts off a look by three.
// Throughput: an event a cycle.
`include "tsr_assert.svh"
module tsr_channel_causes
  import tsr_descriptor_pkg::*;
  import tsr_registers_pkg::*;
  import tsr_program_pkg::*;
  import tsr_cause_pkg::*;
#(
  parameter  int unsigned Channels = 2,                                   // 1..32
  parameter  bit          Lists    = 1'b0,                                // completion entries
  localparam int unsigned Index    = Channels > 1 ? $clog2(Channels) : 1
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  input  sweep_t                         sweep_i,
  input  logic            [         4:0] step_i,          // of the time of COALESCE
  // Software.
  input  channel_access_t                access_i,
  input  logic                           access_valid_i,
  input  logic                           refused_i,       // it is a task that was refused
  output logic                           ready_o,
  output logic            [        31:0] data_o,
  // Channels.
  input  report_t                        report_i,
  input  logic            [Channels-1:0] ordered_i,       // an order was given; one cycle
  input  order_state_t    [Channels-1:0] order_i,
  input  logic            [Channels-1:0] missed_i,        // a trigger, until `missed_clear_o`
  output logic            [Channels-1:0] missed_clear_o,
  input  fault_e                         fault_i,         // or none
  output logic            [   Index-1:0] poll_o,
  input  logic                           poll_grant_i,    // the view will be that of `poll_o`
  input  poll_view_t                     view_i,
  output logic            [Channels-1:0] error_o,         // ERROR is not 0
  output logic            [Channels-1:0] irq_o
);

  typedef logic [Index-1:0] index_t;

  // ---- Turns ------------------------------------------------------------------------------------

  index_t channel_q, look_at;
  logic event_turn, access_turn, poll_turn, turn;
  tsr_channel_turn #(
    .Channels(Channels)
  ) u_turn (
    .clk_i,
    .rst_ni,
    .sweep_i,
    .event_channel_i (index_t'(report_i.channel.channel)),
    .event_valid_i   (report_i.event_valid),
    .access_channel_i(index_t'(access_i.channel)),
    .access_valid_i,
    .ready_o,
    .poll_o,
    .poll_grant_i,
    .look_at_o       (look_at),
    .channel_o       (channel_q),
    .event_o         (event_turn),
    .access_o        (access_turn),
    .poll_turn_o     (poll_turn)
  );
  assign turn = event_turn || access_turn || poll_turn;
  sequencer_event_t event_q;
  always_ff @(posedge clk_i) event_q <= report_i.channel;

  // ---- Words of the channel ---------------------------------------------------------------------

  typedef struct packed {
    logic                      any;     // ERROR is not 0: known early
    channel_error_value_t      error;
    channel_irq_status_value_t status;
  } causes_t;
  (* ram_style = "distributed" *) causes_t causes_mem[2**Index];
  (* ram_style = "distributed" *) channel_irq_enable_value_t enable_mem[2**Index];

  causes_t old, next;
  channel_irq_enable_value_t enable, enable_next;
  error_causes_t clears;
  index_t at;
  logic writes_error, writes_status, writes_enable, writes_coalesce;
  assign at     = sweep_i.valid ? index_t'(sweep_i.channel) : channel_q;
  assign old    = causes_mem[channel_q];
  assign enable = enable_mem[channel_q];
  assign clears = access_i.data[$bits(error_causes_t)-1:0];
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

  poll_view_t view_q;
  found_t found;
  always_ff @(posedge clk_i) view_q <= view_i;
  tsr_channel_look #(
    .Channels(Channels)
  ) u_look (
    .clk_i,
    .rst_ni,
    .sweep_i,
    .next_i        (look_at),
    .channel_i     (channel_q),
    .look_i        (poll_turn),
    .clear_i       (writes_error),
    .missed_clear_i(clears.trigger_missed),
    .report_i,
    .ordered_i,
    .order_i,
    .missed_i,
    .fault_i,
    .found_o       (found)
  );

  // ---- What changes -----------------------------------------------------------------------------

  channel_error_value_t set;
  logic changed_q, error_q;
  index_t changed_at_q;
  channel_irq_status_value_t active_q;
  channel_irq_status_value_t irq;
  logic each, late, due;
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
      set.fault          = found.faulted;
      set.lock_over      = found.slow.lock_over;
      set.lock_under     = found.slow.lock_under;
      set.trigger_missed = found.missed;
      irq.record         = due;
      irq.entries        = late || found.slow.entries;
      irq.reached        = found.reached;
      irq.stuck          = found.stuck;
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
    if (turn || sweep_i.valid) causes_mem[at] <= next;
    if (writes_enable || sweep_i.valid)
      enable_mem[at] <= access_i.data[$bits(channel_irq_enable_value_t)-1:0];
    changed_q    <= rst_ni && turn;
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
  assign missed_clear_o = Channels'(writes_error && clears.trigger_missed) << channel_q;

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
    .fault_i      (found.fault),
    .fault_valid_i(poll_turn && found.faulted),
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
    .look_i   (look_at),
    .step_i,
    .record_i (event_turn && event_q.record),
    .each_o   (each),
    .poll_i   (poll_turn),
    .full_i   (view_q.full),
    .due_o    (due),
    .entry_i  (report_i.entry),
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
  assign unused_bits = ^access_i.data;

  `TSR_ASSUME(AccessExists, !access_valid_i || 32'(access_i.channel) < Channels)
  `TSR_ASSERT(EntriesOfLists,
              !report_i.entry.valid || (Lists && 32'(report_i.entry.channel) < Channels))
  `TSR_ASSERT(SweepsWithZeros, !sweep_i.valid || access_i.data == '0)
  `TSR_ASSERT(AnyIsTrue, !turn || old.any == (old.error != '0))
  `TSR_ASSERT(AccessStays, !access_turn || access_valid_i)

endmodule
