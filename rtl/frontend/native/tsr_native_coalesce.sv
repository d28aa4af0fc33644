// Counts and times records of all channels, and times completion entries, one channel a cycle: says when they
// are worth an interrupt.
//
// Contract: with COALESCE.count 0 or 1 each record is (`due_o` in its cycle). Else a channel is looked at
// once in 64 cycles (`poll_i`, `visit_i`), and its records are due when they are `count`, when its queue is full
// (`full_i`: no more can come), or when `ticks` visits have gone by since the first look that saw one; then
// all of them count as told. A count that is full is told within 64 cycles. Entries (`entry_i`) are due (`late_o`)
// when `ticks` visits have gone by since the first look that saw one, unless `told_i` came before.
// Latency: 0 to 64 cycles. Throughput: a record of each channel a cycle.
`include "tsr_assert.svh"
module tsr_native_coalesce
  import tsr_registers_pkg::*;
#(
  parameter  int unsigned Channels   = 2,
  parameter  bit          Entries    = 1'b1,                                // there are any
  localparam int unsigned IndexWidth = Channels < 2 ? 1 : $clog2(Channels)
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,
  input  logic              [  Channels-1:0] record_i,
  input  logic              [  Channels-1:0] full_i,
  output logic              [  Channels-1:0] due_o,
  input  logic              [  Channels-1:0] entry_i,    // one that software was not told of
  input  logic              [  Channels-1:0] told_i,     // of all before
  output logic              [  Channels-1:0] late_o,
  input  logic              [IndexWidth-1:0] poll_i,
  input  logic                               visit_i,
  input  logic                               clear_i,    // with each poll, until all is 0
  // The register COALESCE of one channel.
  input  logic              [IndexWidth-1:0] channel_i,
  input  logic                               write_i,
  input  logic              [          31:0] data_i,
  input  logic              [          31:0] mask_i,
  output channel_coalesce_t                  setting_o
);

  localparam int unsigned CountBits = 5;
  typedef logic [CountBits-1:0] count_t;

  typedef struct packed {
    logic [15:0] ticks;
    count_t      count;
  } told_t;

  // Records since the last look; more than a count can be are as many as it can be.
  count_t [Channels-1:0] pending_q;
  logic   [Channels-1:0] each_q;
  channel_coalesce_t data, mask;
  told_t setting, written, limit, old, next;
  logic [CountBits:0] total;
  logic due;

  assign data      = data_i;
  assign mask      = mask_i;
  assign setting_o = '{ticks: setting.ticks, reserved_5: '0, count: setting.count};

  tsr_word_table #(
    .Depth(Channels),
    .Width($bits(told_t))
  ) u_setting (
    .clk_i,
    .rst_ni,
    .clear_i,
    .index_i (clear_i ? poll_i : channel_i),
    .write_i (write_i && !clear_i),
    .data_i  ({data.ticks, data.count}),
    .mask_i  ({mask.ticks, mask.count}),
    .data_o  (setting),
    .merged_o(written),
    .look_i  (poll_i),
    .look_o  (limit)
  );

  told_t unused_merged, unused_look;
  tsr_word_table #(
    .Depth(Channels),
    .Width($bits(told_t))
  ) u_told (
    .clk_i,
    .rst_ni,
    .clear_i,
    .index_i (poll_i),
    .write_i (visit_i && !clear_i),
    .data_i  (next),
    .mask_i  ('1),
    .data_o  (old),
    .merged_o(unused_merged),
    .look_i  (poll_i),
    .look_o  (unused_look)
  );

  assign total = {1'b0, old.count} + {1'b0, pending_q[poll_i]};
  assign due = total != '0 && (total >= {1'b0, limit.count} || full_i[poll_i]
      || (limit.ticks != '0 && old.ticks >= limit.ticks));
  // What is not due is below the limit, and fits. Without a limit everything is due.
  always_comb begin
    next.count = total[CountBits-1:0];
    next.ticks = total == '0 ? '0 : old.ticks + 16'd1;
    if (due) next = '0;
  end

  // ---- Completion entries -----------------------------------------------------------------------

  if (Entries) begin : gen_entries
    (* ram_style = "distributed" *)
    logic [15:0] age_mem_q[Channels];
    logic [Channels-1:0] waits_q, seen_q;  // `seen_q`: for as many visits as the memory says
    logic [15:0] age;
    logic late;
    assign age  = seen_q[poll_i] ? age_mem_q[poll_i] : '0;
    assign late = waits_q[poll_i] && limit.ticks != '0 && age >= limit.ticks;
    always_ff @(posedge clk_i) if (visit_i) age_mem_q[poll_i] <= age + 16'(age != '1);

    for (genvar c = 0; c < Channels; c++) begin : gen_channel
      logic here;
      assign here = poll_i == IndexWidth'(c) && visit_i && !clear_i;
      assign late_o[c] = here && late;
      always_ff @(posedge clk_i) begin
        if (!rst_ni) begin
          waits_q[c] <= 1'b0;
          seen_q[c]  <= 1'b0;
        end else begin
          waits_q[c] <= entry_i[c] || (waits_q[c] && !told_i[c] && !late_o[c]);
          seen_q[c]  <= waits_q[c] && !told_i[c] && !late_o[c] && (here || seen_q[c]);
        end
      end
    end
  end else begin : gen_no_entries
    logic unused_entries;
    assign unused_entries = ^{entry_i, told_i};
    assign late_o         = '0;
  end

  // ---- Records ----------------------------------------------------------------------------------

  for (genvar c = 0; c < Channels; c++) begin : gen_channel
    logic here, count;
    count_t since;
    assign here     = poll_i == IndexWidth'(c) && visit_i && !clear_i;
    assign due_o[c] = (each_q[c] && record_i[c]) || (here && due);
    assign count    = record_i[c] && !each_q[c];
    assign since    = here ? '0 : pending_q[c];
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        each_q[c]    <= 1'b1;
        pending_q[c] <= '0;
      end else begin
        if (write_i && channel_i == IndexWidth'(c)) each_q[c] <= written.count <= count_t'(1);
        if (count || here) pending_q[c] <= since == '1 ? since : since + count_t'(count);
      end
    end
  end

  logic unused_bits;
  assign unused_bits = ^{written.ticks, data.reserved_5, mask.reserved_5};

  `TSR_ASSERT(CountFits, due || !visit_i || clear_i || !total[CountBits])

endmodule
