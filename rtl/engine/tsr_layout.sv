// Expands layout items into operations: what the data side does in one cycle.
//
// An operation is `lead` fill bytes, `data` bytes of one group of a bus word from byte `off` on, and
// `tail` fill bytes. The taker says with `take_i` how much of it it executes: all, the lead and the data,
// or the lead alone (the rest is offered again), or the first `bytes_i` bytes, whatever they are. It
// offers the sums that this decision needs.
//
// Contract: items and operations by valid/ready, in order. `kill_i` drops everything.
// Latency: 1 cycle from item to its first operation. Throughput: one operation a cycle.
`include "tsr_assert.svh"
module tsr_layout #(
  parameter  int unsigned DataBytes   = 8,
  parameter  int unsigned GroupBytes  = 8,
  parameter  int unsigned GroupsWidth = 30,
  parameter  int unsigned UserWidth   = 1,
  parameter  bit          Partial     = 1'b0,                // `take_i` may ask for `bytes_i`
  parameter  bit          SendFill    = 1'b1,
  localparam int unsigned OffWidth    = $clog2(DataBytes),
  localparam int unsigned GroupLog2   = $clog2(GroupBytes),
  localparam int unsigned SizeWidth   = GroupLog2 + 1,
  localparam int unsigned SumWidth    = GroupLog2 + 2
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   kill_i,
  // Items: see tsr_joiner.
  input  logic                   item_valid_i,
  output logic                   item_ready_o,
  input  logic                   item_set_i,
  input  logic [           63:0] item_value_i,
  input  logic                   item_fill_i,
  input  logic                   item_data_i,
  input  logic [GroupsWidth-1:0] item_groups_i,
  input  logic [  SizeWidth-1:0] item_lead_i,
  input  logic [   OffWidth-1:0] item_off_i,
  input  logic [  SizeWidth-1:0] item_end_i,
  input  logic [  SizeWidth-1:0] item_tail_i,
  input  logic                   item_shares_i,
  input  logic                   item_eot_i,
  input  logic                   item_flush_i,
  input  logic                   item_last_i,
  input  logic                   item_illegal_i,
  input  logic [  UserWidth-1:0] item_user_i,
  // Operations.
  output logic                   op_valid_o,
  output logic                   op_set_o,        // sets the fill value, moves nothing
  output logic [           63:0] op_value_o,
  output logic [  SizeWidth-1:0] op_lead_o,
  output logic [  SizeWidth-1:0] op_data_o,
  output logic [  SizeWidth-1:0] op_tail_o,
  output logic [   SumWidth-1:0] op_lead_data_o,  // lead + data
  output logic [   SumWidth-1:0] op_all_o,        // lead + data + tail
  output logic [   OffWidth-1:0] op_off_o,        // byte of the bus word where the data begins
  output logic                   op_word_end_o,   // its data is the word's last
  output logic                   op_final_o,      // nothing of the item is left after all of it
  output logic                   op_eot_o,        // ... nor of the transfer (with op_final_o)
  output logic                   op_flush_o,
  output logic                   op_last_o,
  output logic                   op_illegal_o,
  output logic [  UserWidth-1:0] op_user_o,
  input  logic                   take_i,          // executes ...
  input  logic                   take_data_i,     // ... lead and data at least
  input  logic                   take_all_i,      // ... all
  input  logic                   take_bytes_i,    // ... `bytes_i` bytes, less than all
  input  logic [   SumWidth-1:0] bytes_i
);

  typedef logic [SizeWidth-1:0] size_t;
  typedef logic [SumWidth-1:0] sum_t;

  localparam size_t Group = size_t'(GroupBytes);

  logic valid_q, fill_q, data_item_q, single_q, shares_q;
  logic eot_q, flush_q, last_q, illegal_q;
  logic [  UserWidth-1:0] user_q;
  logic [GroupsWidth-1:0] groups_q;  // groups after this one
  size_t end_q, last_tail_q;  // of the last group
  size_t lead_q, data_q, tail_q;
  sum_t lead_data_q, all_q;
  logic [OffWidth-1:0] off_q;

  logic load, advance, finished, free, set_here;
  size_t lead_d, data_d, tail_d, in_start;
  logic [OffWidth-1:0] off_d;
  logic next_is_last;
  sum_t into_data;  // bytes of the data that a partial step takes

  assign finished     = take_i && take_all_i && valid_q && single_q;
  assign advance      = take_i && take_all_i && valid_q && !single_q;
  assign set_here     = SendFill && item_set_i;
  assign free         = !valid_q || finished;
  assign item_ready_o = set_here ? !valid_q && take_i : free;
  assign load         = item_valid_i && free && !set_here;
  assign into_data    = bytes_i - sum_t'(lead_q);
  assign next_is_last = groups_q == GroupsWidth'(1);

  if (GroupLog2 == 0) begin : gen_byte
    assign in_start = '0;
  end else begin : gen_start
    assign in_start = size_t'(item_off_i[GroupLog2-1:0]);
  end

  logic unused_sum;
  assign unused_sum = ^into_data;

  // The operation after this cycle.
  always_comb begin
    lead_d = lead_q;
    data_d = data_q;
    tail_d = tail_q;
    off_d  = off_q;
    if (free) begin
      lead_d = !item_fill_i ? item_lead_i : (item_groups_i == '0 ? item_end_i : Group);
      off_d  = item_off_i;
      if (!item_data_i) begin
        data_d = '0;
        tail_d = item_tail_i;
      end else if (item_groups_i == '0) begin
        data_d = item_end_i - in_start;
        tail_d = item_tail_i;
      end else begin
        data_d = Group - in_start;
        tail_d = '0;
      end
    end else if (advance) begin
      lead_d = !fill_q ? '0 : (next_is_last ? end_q : Group);
      off_d  = (off_q & ~OffWidth'(GroupBytes - 1)) + OffWidth'(GroupBytes);
      data_d = '0;
      tail_d = '0;
      if (data_item_q) begin
        data_d = next_is_last ? end_q : Group;
        tail_d = next_is_last ? last_tail_q : '0;
      end
    end else if (take_i) begin
      if (Partial && take_bytes_i) begin
        if (bytes_i < sum_t'(lead_q)) begin
          lead_d = lead_q - size_t'(bytes_i);
        end else if (bytes_i < lead_data_q) begin
          lead_d = '0;
          data_d = size_t'(lead_data_q - bytes_i);
          off_d  = off_q + OffWidth'(into_data);
        end else begin
          lead_d = '0;
          data_d = '0;
          tail_d = size_t'(all_q - bytes_i);
        end
      end else begin
        lead_d = '0;
        if (take_data_i) data_d = '0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    lead_q      <= lead_d;
    data_q      <= data_d;
    tail_q      <= tail_d;
    off_q       <= off_d;
    lead_data_q <= sum_t'(lead_d) + sum_t'(data_d);
    all_q       <= sum_t'(lead_d) + sum_t'(data_d) + sum_t'(tail_d);
    if (free) begin
      fill_q      <= item_fill_i;
      data_item_q <= item_data_i;
      groups_q    <= item_groups_i;
      single_q    <= item_groups_i == '0;
      end_q       <= item_end_i;
      last_tail_q <= item_tail_i;
      shares_q    <= item_shares_i;
      eot_q       <= item_eot_i;
      flush_q     <= item_flush_i;
      last_q      <= item_last_i;
      illegal_q   <= item_illegal_i;
      user_q      <= item_user_i;
    end else if (advance) begin
      groups_q <= groups_q - 1'b1;
      single_q <= next_is_last;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || kill_i) valid_q <= 1'b0;
    else if (free) valid_q <= load;
  end

  // A fill value is not kept here: it is offered from the item when the operations before are done.
  assign op_valid_o     = valid_q || (item_valid_i && set_here);
  assign op_set_o       = !valid_q;
  assign op_value_o     = item_value_i;
  assign op_lead_o      = lead_q;
  assign op_data_o      = data_q;
  assign op_tail_o      = tail_q;
  assign op_lead_data_o = lead_data_q;
  assign op_all_o       = all_q;
  assign op_off_o       = off_q;
  assign op_word_end_o  = single_q ? !shares_q : (&(off_q | OffWidth'(GroupBytes - 1)));
  assign op_final_o     = single_q;
  assign op_eot_o       = eot_q && single_q;
  assign op_flush_o     = flush_q && single_q;
  assign op_last_o      = last_q && single_q;
  assign op_illegal_o   = illegal_q;
  assign op_user_o      = user_q;

  if (!Partial) begin : gen_whole
    logic unused_partial;
    assign unused_partial = ^{take_bytes_i, bytes_i};
  end

  `TSR_ASSERT(TakeOnlyValid, !take_i || op_valid_o)
  `TSR_ASSERT(DataFitsItsGroup, !valid_q || 32'(data_q) <= GroupBytes)

endmodule
