// Counts and times records and completion entries of all channels, and says when they are worth an interrupt.
//
// Contract. One channel a cycle, `channel_i`. With COALESCE.count 0 or 1 (`each_o`) each record is worth one at
// once. Else records are counted, and a look at a channel (`poll_i`) finds them due when they are `count`, when
// the queue is full, or when more than `ticks` times 64 cycles have gone by since the first one. Completion entries
// that do not interrupt are late alike, from the look that found the first one on, unless one that does comes before. Time is counted in
// steps of 16 cycles, from look to look: the looks at a channel are less than 32 steps apart. A write of COALESCE
// begins the time anew. `data_i` is 0 while the memories are swept. `look_i` is the channel of the look of the
// next cycle, if there is one.
// Latency: the wait for two looks. Throughput: a record a cycle.
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
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  sweep_t                   sweep_i,
  input  logic         [Index-1:0] channel_i,
  input  logic         [Index-1:0] look_i,
  input  logic         [      4:0] step_i,     // of time
  input  logic                     record_i,
  output logic                     each_o,
  input  logic                     poll_i,
  input  logic                     full_i,     // its queue of records
  output logic                     due_o,      // with `poll_i`
  input  entry_event_t             entry_i,
  output logic                     late_o,     // with `poll_i`
  input  logic                     write_i,
  input  logic         [     31:0] data_i
);

  localparam int unsigned TimeBits = 18;  // steps of `ticks`
  typedef struct packed {
    logic        timed;  // `ticks` is not 0
    logic        late;   // `count` is 2 or more
    logic [15:0] ticks;
    logic [4:0]  count;
  } setting_t;
  typedef logic [4:0] waiting_t;  // records
  typedef logic [TimeBits-1:0] time_t;
  (* ram_style = "distributed" *) setting_t setting_mem[2**Index];
  (* ram_style = "distributed" *) waiting_t waiting_mem[2**Index];
  (* ram_style = "distributed" *) logic [4:0] step_mem[2**Index];
  (* ram_style = "distributed" *) time_t time_mem[2**Index];

  logic [Index-1:0] at;
  assign at = sweep_i.valid ? Index'(sweep_i.channel) : channel_i;

  // ---- Setting ----------------------------------------------------------------------------------

  setting_t setting;
  channel_coalesce_t data;
  assign setting = setting_mem[channel_i];
  assign data = data_i;
  assign each_o = !setting.late;
  always_ff @(posedge clk_i) begin
    if (write_i || sweep_i.valid)
      setting_mem[at] <= '{
          timed: data.ticks != '0,
          late: data.count > 5'd1,
          ticks: data.ticks,
          count: data.count
      };
  end

  // ---- Time: steps from look to look, up from a number that overflows when the time is over ------------

  logic [4:0] passed_q, step_q;
  time_t first, time_q;  // of the channel of the look
  always_ff @(posedge clk_i) begin
    passed_q <= step_i - step_mem[look_i];
    step_q   <= step_i;
    time_q   <= time_mem[look_i];
  end
  assign first = ~{write_i ? data.ticks : setting.ticks, 2'b00};

  // ---- Records ----------------------------------------------------------------------------------

  waiting_t waiting, next;
  time_t count;
  logic over, enough_q, begins, begun_q;
  assign waiting = waiting_mem[channel_i];
  assign begins = write_i || (record_i && !each_o && waiting == '0);
  assign {over, count} = {1'b0, time_q} + (TimeBits + 1)'(passed_q);
  // What comes in the cycle before a look is seen by the next one.
  always_ff @(posedge clk_i) enough_q <= waiting_mem[look_i] >= setting_mem[look_i].count;
  assign due_o = poll_i && waiting != '0 &&
      (enough_q || full_i || (setting.timed && over && !begun_q));
  always_comb begin
    next = waiting;
    if (record_i && !each_o && waiting != '1) next = waiting + 1'b1;
    if (due_o || sweep_i.valid) next = '0;
  end
  always_ff @(posedge clk_i) begin
    begun_q <= begins && channel_i == look_i;
    if (record_i || poll_i || sweep_i.valid) waiting_mem[at] <= next;
    if (begins || (poll_i && !begun_q)) begin
      time_mem[channel_i] <= begins ? first : count;
      step_mem[channel_i] <= step_q;
    end
  end

  // ---- Completion entries -----------------------------------------------------------------------

  if (Lists) begin : gen_entries
    (* ram_style = "distributed" *) time_t entry_time_mem[2**Index];
    (* ram_style = "distributed" *) logic [4:0] entry_step_mem[2**Index];
    logic [4:0] entry_passed_q;
    logic [Channels-1:0] waits_q, fresh_q;
    logic waits, fresh, entry_over;
    time_t entry_count;
    assign waits = waits_q[channel_i];
    assign fresh = fresh_q[channel_i];
    assign {entry_over, entry_count} =
        {1'b0, entry_time_mem[channel_i]} + (TimeBits + 1)'(entry_passed_q);
    assign late_o = poll_i && waits && setting.timed && entry_over && !fresh;
    // An entry in the cycle of a look comes behind it.
    logic [Channels-1:0] put, look, left;
    always_comb begin
      for (int unsigned c = 0; c < Channels; c++) begin
        put[c]  = entry_i.valid && 32'(entry_i.channel) == c;
        look[c] = poll_i && 32'(channel_i) == c;
        left[c] = waits_q[c] && !(look[c] && late_o);
      end
    end
    always_ff @(posedge clk_i) begin
      entry_passed_q <= step_i - entry_step_mem[look_i];
      if (poll_i) entry_time_mem[channel_i] <= fresh ? first : entry_count;
      if (poll_i) entry_step_mem[channel_i] <= step_q;
      for (int unsigned c = 0; c < Channels; c++) begin
        if (!rst_ni) begin
          waits_q[c] <= 1'b0;
          fresh_q[c] <= 1'b0;
        end else begin
          waits_q[c] <= put[c] ? !entry_i.interrupts : left[c];
          fresh_q[c] <= (put[c] && !left[c]) || (fresh_q[c] && !look[c]) ||
              (write_i && 32'(channel_i) == c);
        end
      end
    end
  end else begin : gen_no_entries
    logic unused_entry;
    assign unused_entry = ^entry_i;
    assign late_o = 1'b0;
  end

  logic unused_bits;
  assign unused_bits = ^{data.reserved_5, setting.count, rst_ni};

  `TSR_ASSERT(RecordOrLook, !(record_i && poll_i))

endmodule
