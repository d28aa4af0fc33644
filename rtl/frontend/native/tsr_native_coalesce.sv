// Counts and times records of all channels, one channel a cycle, and says when they are worth an interrupt.
//
// Contract: with COALESCE.count 0 or 1 each record is (`due_o` in its cycle). Else a channel is looked at
// once in 64 cycles (`poll_i`, `visit_i`), and its records are due when they are `count`, or when `ticks`
// visits have gone by since the first look that saw one; then all of them count as told. A count that is full
// is told within 64 cycles.
// Latency: 0 to 64 cycles. Throughput: a record of each channel a cycle.
`include "tsr_assert.svh"
module tsr_native_coalesce
  import tsr_registers_pkg::*;
#(
  parameter  int unsigned Channels   = 2,
  localparam int unsigned IndexWidth = Channels < 2 ? 1 : $clog2(Channels)
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,
  input  logic              [  Channels-1:0] record_i,
  output logic              [  Channels-1:0] due_o,
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

  typedef struct packed {
    logic [15:0] ticks;
    logic [15:0] count;
  } told_t;

  // Since the last look there are no more records than cycles.
  logic [Channels-1:0][6:0] pending_q;
  logic [Channels-1:0] each_q;
  channel_coalesce_t written, limit;
  told_t old, next;
  logic [16:0] total;
  logic due;

  tsr_word_table #(
    .Depth(Channels),
    .Width(32)
  ) u_setting (
    .clk_i,
    .rst_ni,
    .clear_i,
    .index_i (clear_i ? poll_i : channel_i),
    .write_i (write_i && !clear_i),
    .data_i,
    .mask_i,
    .data_o  (setting_o),
    .merged_o(written),
    .look_i  (poll_i),
    .look_o  (limit)
  );

  logic [31:0] unused_merged, unused_look;
  tsr_word_table #(
    .Depth(Channels),
    .Width(32)
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

  assign total = 17'(old.count) + 17'(pending_q[poll_i]);
  assign due = total != '0 && (total >= {1'b0, limit.count}
      || (limit.ticks != '0 && old.ticks >= limit.ticks));
  always_comb begin
    next.count = total[15:0];
    next.ticks = total == '0 || limit.ticks == '0 ? '0 : old.ticks + 16'd1;
    if (due || each_q[poll_i]) next = '0;
  end

  for (genvar c = 0; c < Channels; c++) begin : gen_channel
    logic here;
    assign here     = poll_i == IndexWidth'(c) && visit_i;
    assign due_o[c] = each_q[c] ? record_i[c] : here && due;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        each_q[c]    <= 1'b1;
        pending_q[c] <= '0;
      end else begin
        if (write_i && channel_i == IndexWidth'(c)) each_q[c] <= written.count <= 16'd1;
        pending_q[c] <= (here ? '0 : pending_q[c]) + 7'(record_i[c]);
      end
    end
    `TSR_ASSERT(PendingFits, pending_q[c] <= 7'd64)
  end

  logic unused_ticks;
  assign unused_ticks = ^written.ticks;

endmodule
