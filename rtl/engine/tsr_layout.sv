// Keeps layout items and expands them into operations: what the data side does in one cycle.
//
// An operation is `lead` fill bytes, `data` bytes of one group of a bus word from byte `off` on, and
// `tail` fill bytes. The taker says with `take_i` how much of it it executes: all, the lead and the data,
// or the lead alone; the rest is offered again. It offers the sums that this decision needs. `skip_i`
// drops what is left of the item.
//
// What comes next is known before the decision: the decision only selects it.
//
// Contract: items and operations by valid/ready, in order. `kill_i` drops everything.
// Latency: 2 cycles from item to its first operation. Throughput: one operation a cycle.
`include "tsr_assert.svh"
module tsr_layout #(
  parameter  int unsigned DataBytes   = 8,
  parameter  int unsigned GroupBytes  = 8,
  parameter  int unsigned GroupsWidth = 30,
  parameter  int unsigned UserWidth   = 1,
  parameter  int unsigned Depth       = 64,                  // items
  parameter  bit          Skips       = 1'b0,                // items can be dropped
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
  output logic [   SumWidth-1:0] op_lead_data_o,  // lead + data
  output logic [   SumWidth-1:0] op_all_o,        // lead + data + tail
  output logic [   OffWidth-1:0] op_off_o,        // byte of the bus word where the data begins
  output logic                   op_word_end_o,   // its data is the word's last
  output logic                   op_eot_o,        // all of it ends the transfer
  output logic                   op_item_eot_o,   // its item does
  output logic                   op_flush_o,
  output logic                   op_last_o,
  output logic                   op_illegal_o,
  output logic [  UserWidth-1:0] op_user_o,
  input  logic                   take_i,          // executes ...
  input  logic                   take_data_i,     // ... lead and data at least
  input  logic                   take_all_i,      // ... all
  input  logic                   skip_i
);

  typedef logic [SizeWidth-1:0] size_t;
  typedef logic [SumWidth-1:0] sum_t;
  typedef logic [OffWidth-1:0] off_t;

  localparam size_t Group = size_t'(GroupBytes);

  typedef struct packed {
    size_t lead;
    size_t data;
    size_t tail;
    sum_t  lead_data;
    sum_t  all;
    off_t  off;
  } op_t;

  // ---- Items ------------------------------------------------------------------------------------

  typedef struct packed {
    logic                   fill;
    logic                   data;
    logic                   single;   // one operation
    logic                   eot;
    logic                   flush;
    logic                   last;
    logic                   illegal;
    logic [UserWidth-1:0]   user;
    logic [GroupsWidth-1:0] groups;
    op_t                    first;
    size_t                  finish;   // bytes of the last group
    size_t                  tail;     // of the last group
  } item_t;

  // A new fill value travels in the place of the other fields.
  localparam int unsigned ItemWidth = (SendFill && $bits(item_t) < 64) ? 64 : $bits(item_t);
  typedef struct packed {
    logic                 is_set;
    logic [ItemWidth-1:0] payload;
  } entry_t;

  // Items rest a cycle, as they came, before their first operation is worked out.
  typedef struct packed {
    logic                   is_set;
    logic [63:0]            value;
    logic                   fill;
    logic                   data;
    logic                   single;
    logic                   eot;
    logic                   flush;
    logic                   last;
    logic                   illegal;
    logic [UserWidth-1:0]   user;
    logic [GroupsWidth-1:0] groups;
    size_t                  lead;
    off_t                   off;
    size_t                  finish;
    size_t                  tail;
  } raw_t;
  raw_t raw_q;
  logic raw_valid_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || kill_i) raw_valid_q <= 1'b0;
    else raw_valid_q <= item_valid_i && item_ready_o;
  end
  always_ff @(posedge clk_i) begin
    raw_q <= '{
        is_set: SendFill && item_set_i,
        value: SendFill ? item_value_i : '0,
        fill: item_fill_i,
        data: item_data_i,
        single: item_groups_i == '0,
        eot: item_eot_i,
        flush: item_flush_i,
        last: item_last_i,
        illegal: item_illegal_i,
        user: item_user_i,
        groups: item_groups_i,
        lead: item_lead_i,
        off: item_off_i,
        finish: item_end_i,
        tail: item_tail_i
    };
  end

  item_t item_in, item;
  entry_t entry_in, entry;
  logic entry_valid, pop, head_set, head_valid;
  size_t in_start, in_tail, in_bytes;  // in_bytes: where its bytes end in the group
  sum_t
      in_before,
      in_around;  // what lead and data have more than that, and with the tail; may be negative

  if (GroupLog2 == 0) begin : gen_byte
    assign in_start = '0;
  end else begin : gen_start
    assign in_start = size_t'(raw_q.off[GroupLog2-1:0]);
  end

  // Two sums side by side, for what there is in one group: neither waits for the other.
  // They are mod 4 * GroupBytes: a difference below 0 on the way does no harm if the result is 0 or more and
  // less than that. With data, in_bytes > in_start: the group ends behind where its data begins. So the
  // data are 1 to GroupBytes (DataFitsItsGroup); lead and tail are odd bytes, at most GroupBytes - 1. Lead and
  // data are at most 2 * GroupBytes - 1, with the tail 3 * GroupBytes - 2. Without data lead, start and tail
  // are 0, and both sums are in_bytes, at most GroupBytes.
  always_comb begin
    in_bytes = '0;
    if (raw_q.fill || raw_q.data) in_bytes = raw_q.single ? raw_q.finish : Group;
  end
  assign in_tail   = raw_q.single ? raw_q.tail : '0;
  assign in_before = sum_t'(raw_q.lead) - sum_t'(in_start);
  assign in_around = in_before + sum_t'(in_tail);
  always_comb begin
    item_in = '{
        fill: raw_q.fill,
        data: raw_q.data,
        single: raw_q.single,
        eot: raw_q.eot,
        flush: raw_q.flush,
        last: raw_q.last,
        illegal: raw_q.illegal,
        user: raw_q.user,
        groups: raw_q.groups,
        finish: raw_q.finish,
        tail: raw_q.tail,
        first: '{
            lead: raw_q.fill ? in_bytes : raw_q.lead,
            data: raw_q.data ? in_bytes - in_start : '0,
            tail: in_tail,
            lead_data: sum_t'(in_bytes) + in_before,
            all: sum_t'(in_bytes) + in_around,
            off: raw_q.off
        }
    };
    entry_in.is_set = SendFill && raw_q.is_set;
    entry_in.payload = ItemWidth'(item_in);
    if (SendFill && raw_q.is_set) entry_in.payload = ItemWidth'(raw_q.value);
  end

  logic unused_ready, freed_q;  // a slot, in the cycle before: it comes late in its cycle
  always_ff @(posedge clk_i) freed_q <= rst_ni && pop && entry_valid && !kill_i;

  tsr_fifo #(
    .Depth      (Depth),
    .T          (entry_t),
    .FallThrough(1'b1)
  ) u_items (
    .clk_i,
    .rst_ni,
    .flush_i(kill_i),
    .data_i (entry_in),
    .valid_i(raw_valid_q),
    .ready_o(unused_ready),
    .data_o (entry),
    .valid_o(entry_valid),
    .ready_i(pop)
  );

  tsr_room #(
    .Slots(Depth)
  ) u_room (
    .clk_i,
    .rst_ni,
    .flush_i(kill_i),
    .claim_i(item_valid_i && item_ready_o),
    .free_i (freed_q),
    .room_o (item_ready_o)
  );

  assign item       = item_t'(entry.payload[$bits(item_t)-1:0]);
  assign head_set   = SendFill && entry.is_set && entry_valid;
  assign head_valid = entry_valid && !(SendFill && entry.is_set);

  // ---- The operation ----------------------------------------------------------------------------

  logic valid_q, fill_q, data_q, single_q, next_last_q;
  logic eot_q, flush_q, last_q, illegal_q;
  logic eot_now_q, flush_now_q, last_now_q;  // the same in the item's last operation
  logic [  UserWidth-1:0] user_q;
  logic [GroupsWidth-1:0] groups_q;  // groups after this one
  size_t end_q, last_tail_q;  // of the last group
  op_t op_q, op_next, op_rest;
  logic finished, free, load, advance;

  assign finished = (take_i && take_all_i && valid_q && single_q) || (Skips && skip_i);
  assign advance  = take_i && take_all_i && valid_q && !single_q;
  assign free     = !valid_q || finished;
  assign load     = free && head_valid;
  assign pop      = load || (!valid_q && head_set && take_i);

  // After all of it: the next group of the item, or the next item. A group and a tail are at most
  // 2 * GroupBytes - 1. The byte of the word is mod DataBytes: behind its last group comes byte 0.
  size_t group_size, group_tail;
  assign group_size = next_last_q ? end_q : Group;
  assign group_tail = (data_q && next_last_q) ? last_tail_q : '0;
  always_comb begin
    op_next.lead      = fill_q ? group_size : '0;
    op_next.data      = data_q ? group_size : '0;
    op_next.tail      = group_tail;
    op_next.lead_data = sum_t'(group_size);
    op_next.all       = sum_t'(group_size) + sum_t'(group_tail);
    op_next.off       = (op_q.off & ~off_t'(GroupBytes - 1)) + off_t'(GroupBytes);
    if (single_q || !valid_q || (Skips && skip_i)) op_next = item.first;
  end

  // After some of it: data and tail, at most 2 * GroupBytes - 1.
  always_comb begin
    op_rest      = op_q;
    op_rest.lead = '0;
    if (take_data_i) op_rest.data = '0;
    op_rest.lead_data = sum_t'(op_rest.data);
    op_rest.all       = op_rest.lead_data + sum_t'(op_rest.tail);
  end

  always_ff @(posedge clk_i) begin
    if (!valid_q || finished || (take_i && take_all_i)) op_q <= op_next;
    else if (take_i) op_q <= op_rest;
    if (free) begin
      fill_q      <= item.fill;
      data_q      <= item.data;
      single_q    <= item.single;
      groups_q    <= item.groups;
      next_last_q <= item.groups == GroupsWidth'(1);
      end_q       <= item.finish;
      last_tail_q <= item.tail;
      eot_q       <= item.eot;
      flush_q     <= item.flush;
      last_q      <= item.last;
      illegal_q   <= item.illegal;
      user_q      <= item.user;
      eot_now_q   <= item.eot && item.single;
      flush_now_q <= item.flush && item.single;
      last_now_q  <= item.last && item.single;
    end else if (advance) begin
      eot_now_q   <= eot_q && next_last_q;
      flush_now_q <= flush_q && next_last_q;
      last_now_q  <= last_q && next_last_q;
      groups_q    <= groups_q - 1'b1;  // 1 at least: it is not 0 before single_q is set
      single_q    <= next_last_q;
      next_last_q <= groups_q == GroupsWidth'(2);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || kill_i) valid_q <= 1'b0;
    else if (free) valid_q <= load;
  end

  // A fill value is offered from its entry when the operations before are done.
  assign op_valid_o     = valid_q || head_set;
  assign op_set_o       = !valid_q;
  assign op_value_o     = 64'(entry.payload);
  assign op_lead_o      = op_q.lead;
  assign op_data_o      = op_q.data;
  assign op_lead_data_o = op_q.lead_data;
  assign op_all_o       = op_q.all;
  assign op_off_o       = op_q.off;
  assign op_word_end_o  = single_q || (&(op_q.off | off_t'(GroupBytes - 1)));
  assign op_eot_o       = eot_now_q;
  assign op_item_eot_o  = eot_q;
  assign op_flush_o     = flush_now_q;
  assign op_last_o      = last_now_q;
  assign op_illegal_o   = illegal_q;
  assign op_user_o      = user_q;

  if (!Skips) begin : gen_no_skips
    logic unused_skip;
    assign unused_skip = skip_i;
  end
  if (!SendFill) begin : gen_no_fill
    logic unused_fill;
    assign unused_fill = ^{item_set_i, item_value_i, entry.is_set, raw_q.is_set, raw_q.value};
  end

  `TSR_ASSERT(TakeOnlyValid, !take_i || op_valid_o)
  `TSR_ASSERT(DataFitsItsGroup, !valid_q || op_q.data < Group || op_q.data == Group)

endmodule
