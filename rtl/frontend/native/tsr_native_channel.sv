// The registers of one channel, with what sets and shows them.
//
// Contract: as tsr_channel_regs. Words of the record read 0 while there is none. `data_o` is 0 unless
// `read_i`. What errors and interrupts are set by is one cycle long.
// Latency: 0 cycles to read, 1 to write. Throughput: one access a cycle.
`include "tsr_assert.svh"
module tsr_native_channel
  import tsr_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_register_pkg::*;
  import tsr_registers_pkg::*;
#(
  parameter int unsigned TaskDepth = 4
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  channel_word_e          word_i,
  input  logic                   write_i,
  input  logic            [31:0] data_i,
  input  logic            [ 3:0] strobe_i,
  output logic                   locked_o,
  input  channel_word_e          read_word_i,
  input  logic                   read_i,
  output logic            [31:0] data_o,
  output channel_setup_t         setup_o,
  input  channel_view_t          view_i,
  input  record_t                record_i,
  input  logic            [ 4:0] record_level_i,
  input  channel_events_t        events_i,
  input  error_causes_t          causes_i,        // of tsr_native_errors
  input  logic                   records_due_i,   // of tsr_native_coalesce
  input  logic                   entries_late_i,
  input  logic                   refused_i,       // a task was
  output logic                   missed_clear_o,
  output logic                   error_o,         // ERROR is not 0
  output logic                   irq_o
);

  channel_given_t given;
  channel_value_t value;
  logic [31:0] data;
  error_causes_t causes;
  logic missed_q, empty_q, works_q, empty, some_record, locked;

  assign empty       = view_i.room == 5'(TaskDepth);
  assign some_record = record_level_i != '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      missed_q <= 1'b0;
      empty_q  <= 1'b1;
      works_q  <= 1'b0;
    end else begin
      // One that is missed in the cycle of the clear is another one.
      missed_q <= view_i.trigger_missed && !missed_clear_o;
      empty_q  <= empty;
      works_q  <= view_i.busy || !view_i.state.idle;
    end
  end

  // Told once when all that CONTROL asks for is so, a cycle or more after it was asked for.
  typedef struct packed {logic pause, drain, aborts, resets;} asked_t;
  asked_t asked, asked_q;
  logic more, reached, pending_q, stuck_q;
  assign asked = {
    value.control.pause, value.control.drain, value.control.aborts, value.control.reset
  };
  assign more = (asked & ~asked_q) != '0;
  assign reached = pending_q && !more && (!asked.pause || view_i.state.paused) &&
      (!(asked.drain || asked.aborts) || view_i.state.idle) &&
      (!asked.resets || view_i.state.in_reset);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      asked_q   <= '0;
      pending_q <= 1'b0;
      stuck_q   <= 1'b0;
    end else begin
      asked_q   <= asked;
      pending_q <= more || (pending_q && !reached && asked != '0);
      stuck_q   <= view_i.state.stuck;
    end
  end

  always_comb begin
    causes                = causes_i;
    causes.denied         = causes_i.denied || events_i.denied;
    causes.lock_over      = causes_i.lock_over || events_i.lock_over;
    causes.lock_under     = causes_i.lock_under || events_i.lock_under;
    causes.task_refused   = causes_i.task_refused || refused_i;
    causes.trigger_missed = causes_i.trigger_missed || (view_i.trigger_missed && !missed_q);
  end

  always_comb begin
    given.status = '{
        waits: view_i.waits,
        next_waits: view_i.next_waits,
        lock_id: view_i.lock,
        busy: view_i.busy,
        running: view_i.running,
        idle: view_i.state.idle,
        paused: view_i.state.paused,
        in_reset: view_i.state.in_reset,
        stuck: view_i.state.stuck,
        halted: view_i.halted,
        faulted: view_i.state.faulted,
        room: view_i.room,
        trigger_missed: view_i.trigger_missed
    };
    given.current.descriptor = view_i.descriptor;
    given.error = causes;
    given.irq_status = '{
        task_done: events_i.task_done,
        transfer: events_i.interrupts,
        record: records_due_i,
        error: causes != '0,
        room: empty && !empty_q,
        entries: events_i.entries || entries_late_i,
        reached: reached && asked != '0,
        stuck: view_i.state.stuck && !stuck_q
    };
    given.record = '{
        descriptor: record_i.descriptor,
        waiting: record_level_i,
        status: record_i.status,
        task_end: record_i.task_end,
        last: record_i.last,
        valid: some_record
    };
    {given.record_bytes_high, given.record_bytes_low} = record_i.bytes;
    {given.record_dropped_high, given.record_dropped_low} = record_i.dropped;
    given.record_tag.tag = record_i.tag;
    given.record_side = record_i.side;
    given.record_stamp.stamp = record_i.stamp;
    {given.record_addr_high, given.record_addr_low} = record_i.addr;
  end

  tsr_channel_regs u_regs (
    .clk_i,
    .rst_ni,
    .word_i,
    .write_i,
    .data_i,
    .strobe_i,
    .locked_o(locked),
    .read_word_i,
    .data_o  (data),
    .given_i (given),
    .value_o (value)
  );

  // An address on show keeps its attributes.
  assign locked_o = locked || (word_i == ChannelStanding && works_q);

  // The words of the record are those from 0x40 on.
  assign data_o   = read_i && !(read_word_i >= ChannelRecord && !some_record) ? data : '0;

  always_comb begin
    setup_o.control.pause   = value.control.pause;
    setup_o.control.drain   = value.control.drain;
    setup_o.control.reset   = value.control.reset;
    setup_o.control.give_up = value.control.give_up;
    setup_o.control.stop_on = value.control.stop_on;
    setup_o.aborts          = value.control.aborts;
    setup_o.stop            = value.control.stop;
    setup_o.by_id           = value.control.by_id;
    setup_o.trigger_select  = trigger_select_t'(value.trigger.source);
    setup_o.weight          = value.standing.weight;
    setup_o.attr.qos        = value.standing.qos;
    setup_o.attr.cache      = value.standing.cache;
    setup_o.attr.prot       = value.standing.protection;
    setup_o.controller      = value.standing.controller;
  end

  assign missed_clear_o = write_i && word_i == ChannelError && strobe_i[1] && data_i[12];
  assign error_o        = value.error != '0;
  assign irq_o          = (value.irq_status & value.irq_enable) != '0;

  // What is left of them goes to tsr_native_errors and tsr_native_coalesce.
  logic unused_bits;
  assign unused_bits = ^{view_i, events_i.record, events_i.entry} ^
      ^{value.control.lock, value.standing.lock};

  `TSR_ASSERT(RoomFits, 32'(view_i.room) <= TaskDepth)

endmodule
