// Counts and times records and completion entries of all channels, and says when they are worth an interrupt.
//
// Contract. One channel a cycle, `channel_i`. With COALESCE.count 0 or 1 (`each_o`) each record is worth one at
// once. Else records are counted, and a look at a channel (`poll_i`) finds them due when they are `count`, when
// the queue is full, or when `ticks` times 64 cycles have gone by since the first one. Completion entries that do
// not interrupt are late alike, unless one that does comes before. Time is counted in steps of 8 cycles.
// Latency: the wait for a look. Throughput: a record a cycle.
`include "tsr_assert.svh"
module tsr_coalesce
  import tsr_registers_pkg::*;
  import tsr_program_pkg::*;
  import tsr_cause_pkg::*;
#(
  parameter  int unsigned Channels = 2,                                   // 1..32
  parameter  bit          Lists    = 1'b0,                                // completion entries
  localparam int unsigned Index    = Channels > 1 ? $clog2(Channels) : 1
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  sweep_t                        sweep_i,
  input  logic              [Index-1:0] channel_i,
  input  logic                          record_i,
  output logic                          each_o,
  input  logic                          poll_i,
  input  logic                          full_i,     // its queue of records
  output logic                          due_o,      // with `poll_i`
  input  entry_event_t                  entry_i,
  output logic                          late_o,     // with `poll_i`
  input  logic                          write_i,
  input  logic              [     31:0] data_i,
  input  logic              [     31:0] mask_i,
  output channel_coalesce_t             setting_o
);

  localparam int unsigned Steps = 20;  // bits of a time: more than any `ticks`
  typedef struct packed {
    logic [15:0] ticks;
    logic [4:0]  count;
  } setting_t;
  typedef struct packed {
    logic [Steps-1:0] since;
    logic [4:0]       count;
  } waiting_t;
  (* ram_style = "distributed" *) setting_t setting_mem[2**Index];
  (* ram_style = "distributed" *) waiting_t waiting_mem[2**Index];

  logic [Index-1:0] at;
  assign at = sweep_i.valid ? Index'(sweep_i.channel) : channel_i;

  // ---- Setting ----------------------------------------------------------------------------------

  setting_t setting, written;
  channel_coalesce_t data, mask;
  assign setting = setting_mem[channel_i];
  assign setting_o = '{ticks: setting.ticks, reserved_5: '0, count: setting.count};
  assign data = data_i;
  assign mask = mask_i;
  assign written = '{
          ticks: (data.ticks & mask.ticks) | (setting.ticks & ~mask.ticks),
          count: (data.count & mask.count) | (setting.count & ~mask.count)
      };
  assign each_o = setting.count <= 5'd1;
  always_ff @(posedge clk_i) begin
    if (write_i || sweep_i.valid) setting_mem[at] <= sweep_i.valid ? '0 : written;
  end

  // ---- Time -------------------------------------------------------------------------------------

  logic [Steps+2:0] time_q;
  logic [Steps-1:0] now, limit;
  assign now   = time_q[Steps+2:3];
  assign limit = Steps'({setting.ticks, 3'b0});
  always_ff @(posedge clk_i) begin
    if (!rst_ni) time_q <= '0;
    else time_q <= time_q + 1'b1;
  end

  // ---- Records ----------------------------------------------------------------------------------

  waiting_t waiting, next;
  logic early;  // `since` is up to one step ahead
  assign waiting = waiting_mem[channel_i];
  assign early = waiting.since == now + 1'b1;
  assign due_o = poll_i && waiting.count != '0 && (waiting.count >= setting.count || full_i ||
      (setting.ticks != '0 && now - waiting.since >= limit && !early));
  always_comb begin
    next = waiting;
    if (record_i && !each_o) begin
      if (waiting.count == '0) next.since = now + 1'b1;
      if (waiting.count != '1) next.count = waiting.count + 1'b1;
    end
    if (due_o || sweep_i.valid) next = '0;
  end
  always_ff @(posedge clk_i) begin
    if (record_i || due_o || sweep_i.valid) waiting_mem[at] <= next;
  end

  // ---- Completion entries -----------------------------------------------------------------------

  if (Lists) begin : gen_entries
    (* ram_style = "distributed" *) logic [Steps-1:0] since_mem[2**Index];
    logic [Channels-1:0] waits_q, fresh_q;
    logic waits, fresh;
    assign waits = waits_q[channel_i];
    assign fresh = fresh_q[channel_i];
    assign late_o = poll_i && waits && !fresh && setting.ticks != '0 &&
        now - since_mem[channel_i] >= limit;
    always_ff @(posedge clk_i) begin
      if (poll_i && fresh) since_mem[channel_i] <= now;
      for (int unsigned c = 0; c < Channels; c++) begin
        if (!rst_ni) begin
          waits_q[c] <= 1'b0;
          fresh_q[c] <= 1'b0;
        end else if (entry_i.valid && 32'(entry_i.channel) == c) begin
          waits_q[c] <= !entry_i.interrupts;
          fresh_q[c] <= !waits_q[c] || fresh_q[c];
        end else if (poll_i && 32'(channel_i) == c) begin
          waits_q[c] <= waits_q[c] && !late_o;
          fresh_q[c] <= 1'b0;
        end
      end
    end
  end else begin : gen_no_entries
    logic unused_entry;
    assign unused_entry = ^entry_i;
    assign late_o = 1'b0;
  end

  logic unused_bits;
  assign unused_bits = ^{data.reserved_5, mask.reserved_5};

  `TSR_ASSERT(RecordOrLook, !(record_i && poll_i))

endmodule
