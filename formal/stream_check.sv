// What a stream owes that goes through a cell: the same kept bytes and the same ends of packets in the
// same order, none lost, made up or moved from one packet to another; what is shown stays.
//
// A stream is read as a sequence of items: each kept byte, lowest lane first, and each TLAST behind its
// bytes. One item of the input, any one, is followed: `mark_i` chooses it. It must come out behind
// exactly those that went in before it. One bit of a byte is looked at: bytes move whole.
`include "proof.svh"

module stream_check #(
  parameter  int unsigned InBytes    = 1,
  parameter  int unsigned OutBytes   = 1,
  parameter  int unsigned CountWidth = 4,                   // for all items that can be inside
  parameter  int unsigned Patience   = 0,                   // 0: no promise to come out
  localparam int unsigned MarkWidth  = $clog2(InBytes + 1)
) (
  input logic                      clk_i,
  input logic                      rst_ni,
  input logic [MarkWidth-1:0]      mark_i,        // a lane, or InBytes for the TLAST
  input logic                      mark_valid_i,
  input logic [  InBytes-1:0][7:0] in_data_i,
  input logic [  InBytes-1:0]      in_keep_i,
  input logic                      in_last_i,
  input logic                      in_take_i,
  input logic [ OutBytes-1:0][7:0] out_data_i,
  input logic [ OutBytes-1:0]      out_keep_i,
  input logic                      out_last_i,
  input logic                      out_valid_i,
  input logic                      out_ready_i,
  // No item stays inside for ever: while this holds, something shows within `Patience` cycles.
  input logic                      due_i
);

  typedef logic [CountWidth-1:0] count_t;

  count_t inside_q, ahead_q, in_items, out_items, in_before;
  logic marked_q, end_q, value_q, mark, found, found_end, found_value, out_take;

  assign out_take = out_valid_i && out_ready_i;

  always_comb begin
    in_items  = '0;
    in_before = '0;
    mark      = 1'b0;
    for (int unsigned i = 0; i < InBytes; i++) begin
      if (mark_i == MarkWidth'(i)) begin
        in_before = in_items;
        mark      = in_keep_i[i];
      end
      in_items = in_items + count_t'(in_keep_i[i]);
    end
    if (mark_i == MarkWidth'(InBytes)) begin
      in_before = in_items;
      mark      = in_last_i;
    end
    in_items = in_items + count_t'(in_last_i);
    if (!mark_valid_i || !in_take_i || marked_q) mark = 1'b0;
  end

  always_comb begin
    out_items   = '0;
    found       = 1'b0;
    found_end   = 1'b0;
    found_value = 1'b0;
    for (int unsigned i = 0; i < OutBytes; i++) begin
      if (out_keep_i[i] && out_items == ahead_q) begin
        found       = 1'b1;
        found_value = out_data_i[i][0];
      end
      out_items = out_items + count_t'(out_keep_i[i]);
    end
    if (out_last_i && out_items == ahead_q) begin
      found     = 1'b1;
      found_end = 1'b1;
    end
    out_items = out_items + count_t'(out_last_i);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      inside_q <= '0;
      marked_q <= 1'b0;
    end else begin
      inside_q <= inside_q + (in_take_i ? in_items : '0) - (out_take ? out_items : '0);
      marked_q <= mark || (marked_q && !(out_take && found));
    end
    if (mark) begin
      end_q   <= mark_i == MarkWidth'(InBytes);
      value_q <= mark_i == MarkWidth'(InBytes) ? 1'b0 : in_data_i[mark_i][0];
      ahead_q <= inside_q + in_before - (out_take ? out_items : '0);
    end else if (out_take) begin
      ahead_q <= ahead_q - out_items;
    end
  end

  `TSR_ASSERT(NoneMadeUp, !out_valid_i || out_items <= inside_q)
  `TSR_ASSERT(InOrder,
              !(out_valid_i && marked_q && found) || (found_end == end_q && found_value == value_q))
  `TSR_STABLE(OutputStable, out_valid_i, out_ready_i, ({out_data_i, out_keep_i, out_last_i}))

  if (Patience != 0) begin : gen_patience
    logic [$clog2(Patience + 2)-1:0] wait_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || out_valid_i || !due_i) wait_q <= '0;
      else wait_q <= wait_q + 1'b1;
    end
    `TSR_ASSERT(NothingStays, wait_q <= $bits(wait_q)'(Patience))
  end else begin : gen_no_patience
    logic unused_due;
    assign unused_due = due_i;
  end

  `TSR_COVER(MarkedComesOut, marked_q && out_take && found)
  `TSR_COVER(EndComesOut, marked_q && out_take && found && found_end && inside_q > count_t'(2))

endmodule
