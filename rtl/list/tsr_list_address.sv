// Last steps of a visit: its address, the check of the address, its end.
//
// Contract. An item (`item_valid_i` while `item_free_o`) goes through a sum and the windows:
// `check_valid_o` stays until `check_i.ready`. Then a descriptor or an extension is `request_o`, with a
// reason if it was not asked for; an entry is `sent_o`; a list is `opened_o`; a report is `refusal_o`.
// All in the order of the items. While `quiesce_i` no address goes to the bus. Attributes are those of
// the channel of `check_o`.
// Latency: 2 cycles to the end. Throughput: an item in 2 cycles.
`include "tsr_assert.svh"
module tsr_list_address
  import tsr_fabric_pkg::axi_attr_t;
  import tsr_list_unit_pkg::*;
#(
  parameter  int unsigned Channels  = 2,                                   // 1..32
  parameter  int unsigned AddrWidth = 64,                                  // 32..64
  localparam int unsigned Index     = Channels > 1 ? $clog2(Channels) : 1
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         quiesce_i,
  input  logic          [Channels-1:0] active_i,
  input  list_way_t                    read_i,
  input  list_way_t                    write_i,
  input  list_item_t                   item_i,
  input  logic                         item_valid_i,
  output logic                         item_free_o,
  output list_check_t                  check_o,
  output logic                         check_valid_o,
  input  list_permit_t                 check_i,
  input  axi_attr_t                    attr_i,
  // Its end.
  output list_opened_t                 opened_o,
  output list_request_t                request_o,
  output logic                         request_valid_o,
  output list_sent_t                   sent_o,
  output logic                         sent_valid_o,
  output list_target_t                 target_o,
  output list_refusal_t                refusal_o,
  output logic                         refusal_valid_o,
  input  logic                         refusal_ready_i
);

  // ---- The sum ----------------------------------------------------------------------------------

  list_item_t sum_item, end_item;
  logic sum_valid_q, end_valid_q, ends, moves, wrong, clean_q, begun_q;
  logic [AddrWidth:4] sum_q;
  assign moves = sum_valid_q && !end_valid_q;
  assign wrong = sum_item.enters && sum_item.misplaced;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      sum_valid_q <= 1'b0;
      end_valid_q <= 1'b0;
      begun_q     <= 1'b0;
    end else begin
      begun_q     <= !ends && (check_valid_o || begun_q);
      sum_valid_q <= item_valid_i || (sum_valid_q && !moves);
      end_valid_q <= moves || (end_valid_q && !ends);
    end
    if (item_valid_i) sum_item <= item_i;
    if (moves) begin
      end_item <= sum_item;
      if (wrong && sum_item.request.code == CodeNone) end_item.request.code <= 4'(EntryBase);
      clean_q <= sum_item.request.code == CodeNone && !wrong;
      sum_q   <= {1'b0, sum_item.base[AddrWidth-1:4]} + (AddrWidth - 3)'(sum_item.offset);
    end
  end
  assign item_free_o = !sum_valid_q || !end_valid_q;

  // Its list has closed, or its direction has failed, by the cycle before or since it is here.
  list_item_t next_item;
  logic late_q;
  assign next_item = moves ? sum_item : end_item;
  always_ff @(posedge clk_i) begin
    late_q <= (late_q && !moves) || (next_item.enters ? write_i.failed :
        read_i.failed || !active_i[next_item.request.channel[Index-1:0]]);
  end

  // ---- The end ----------------------------------------------------------------------------------

  logic beyond, fine, checks, may_go;
  logic [3:0] code;
  logic [2:0] entry_code;
  assign beyond = sum_q[AddrWidth];
  always_comb begin
    code = end_item.request.code;
    if (code == CodeNone && late_q) code = CodeFault;
    entry_code = end_item.request.code[2:0];
    if (entry_code == EntryNone) begin
      if (beyond) entry_code = EntryBase;
      else if (late_q) entry_code = EntryFault;
    end
  end
  // A check that has begun is waited for, though nothing goes out for what is late.
  assign fine = clean_q && (!late_q || begun_q) && !(end_item.enters && beyond);
  assign checks = fine && (end_item.asks ? read_i.ready && (read_i.free || late_q) :
                           end_item.enters && write_i.ready && (write_i.free || late_q));
  assign check_valid_o = end_valid_q && checks && (!quiesce_i || late_q);
  assign may_go = check_valid_o && check_i.ready;
  assign ends = end_valid_q &&
      (end_item.asks ? read_i.ready && (!fine || may_go) :
       end_item.enters ? write_i.ready && (!fine || may_go) :
       !end_item.reports || refusal_ready_i);
  assign check_o = '{
          channel: end_item.request.channel,
          write: end_item.enters,
          page: 52'(sum_q[AddrWidth-1:12])
      };
  assign request_valid_o = ends && end_item.asks;
  always_comb begin
    request_o = end_item.request;
    request_o.code = code != CodeNone ? code : check_i.permitted ? CodeNone : CodeWindow;
  end
  assign sent_valid_o = ends && end_item.enters;
  assign sent_o = '{
          channel: end_item.request.channel,
          number: end_item.number,
          name: '0,
          epoch: end_item.epoch,
          interrupts: end_item.interrupts,
          phase: end_item.request.parity,
          code: entry_code != EntryNone ? entry_code : check_i.permitted ? EntryNone : EntryWindow
      };
  assign target_o = '{addr: 60'(sum_q[AddrWidth-1:4]), attr: attr_i};
  assign refusal_valid_o = end_valid_q && end_item.reports;
  assign refusal_o = '{
          channel: end_item.request.channel,
          entry: end_item.loses,
          index: 16'(end_item.name),
          reason: end_item.reason,
          addr: 64'({sum_q[AddrWidth-1:6], end_item.loses ? sum_q[5:4] : 2'd0, 4'd0})
      };
  assign opened_o = '{
          valid: end_valid_q && end_item.opens,
          channel: end_item.request.channel,
          flawed: end_item.misplaced || (beyond && sum_q[AddrWidth-1:6] != '0)
      };

  logic unused_in;
  assign unused_in = ^{sum_item, end_item, next_item, read_i, write_i};

  logic checking;
  assign checking = check_valid_o || begun_q;
  `TSR_ASSERT_NEXT(CheckStays, checking && !may_go, end_valid_q && $stable(check_o))
  `TSR_ASSERT(GoesWhileFree, !item_valid_i || !sum_valid_q || moves)

endmodule
