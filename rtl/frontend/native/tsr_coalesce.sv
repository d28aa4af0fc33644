// Counts and times records and completion entries of all channels, and says when they are worth an interrupt.
//
// Contract. One channel a cycle, `channel_i`. With COALESCE.count 0 or 1 (`each_o`) each record is worth one at
// once. Else records are counted, and a look (`poll_i`) of a channel once in 64 cycles, a visit, finds them
// due when they are `count`, when the queue is full, or when `ticks` visits have gone by since the first visit
// that saw one. Completion entries that do not interrupt are late alike, unless one that does comes before.
// Latency: up to 64 cycles and the wait for a look. Throughput: a record a cycle.
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

  typedef struct packed {
    logic [15:0] ticks;
    logic [4:0]  count;
  } count_t;
  (* ram_style = "distributed" *) count_t setting_mem[2**Index];
  (* ram_style = "distributed" *) count_t waiting_mem[2**Index];

  logic [Index-1:0] at;
  assign at = sweep_i.valid ? Index'(sweep_i.channel) : channel_i;

  // ---- Setting ----------------------------------------------------------------------------------

  count_t setting, written;
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

  // ---- Visits -----------------------------------------------------------------------------------

  logic [5:0] time_q;
  logic [Channels-1:0] visit_q;
  logic visit;
  assign visit = poll_i && visit_q[channel_i];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      time_q  <= '0;
      visit_q <= '0;
    end else begin
      time_q <= time_q + 1'b1;
      for (int unsigned c = 0; c < Channels; c++) begin
        visit_q[c] <= time_q == '0 || (visit_q[c] && !(poll_i && 32'(channel_i) == c));
      end
    end
  end

  // ---- Records ----------------------------------------------------------------------------------

  count_t waiting, next;
  assign waiting = waiting_mem[channel_i];
  assign due_o = visit && waiting.count != '0 && (waiting.count >= setting.count || full_i ||
      (setting.ticks != '0 && waiting.ticks >= setting.ticks));
  always_comb begin
    next = waiting;
    if (record_i && !each_o && waiting.count != '1) next.count = waiting.count + 1'b1;
    if (visit) next.ticks = waiting.count == '0 ? '0 : waiting.ticks + 1'b1;
    if (due_o || sweep_i.valid) next = '0;
  end
  always_ff @(posedge clk_i) begin
    if (record_i || visit || sweep_i.valid) waiting_mem[at] <= next;
  end

  // ---- Completion entries -----------------------------------------------------------------------

  if (Lists) begin : gen_entries
    (* ram_style = "distributed" *) logic [15:0] age_mem[2**Index];
    logic [Channels-1:0] waits_q, fresh_q;
    logic [15:0] age;
    assign age    = fresh_q[channel_i] ? '0 : age_mem[channel_i];
    assign late_o = visit && waits_q[channel_i] && setting.ticks != '0 && age >= setting.ticks;
    always_ff @(posedge clk_i) begin
      if (visit) age_mem[channel_i] <= age + 16'(age != '1);
      for (int unsigned c = 0; c < Channels; c++) begin
        if (!rst_ni) begin
          waits_q[c] <= 1'b0;
          fresh_q[c] <= 1'b0;
        end else if (entry_i.valid && 32'(entry_i.channel) == c) begin
          waits_q[c] <= !entry_i.interrupts;
          fresh_q[c] <= !waits_q[c] || fresh_q[c];
        end else if (visit && 32'(channel_i) == c) begin
          waits_q[c] <= waits_q[c] && !late_o;
          fresh_q[c] <= fresh_q[c] && !waits_q[c];
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
