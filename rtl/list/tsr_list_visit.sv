// Steps of a visit: what it finds, the address, the check of the address.
//
// Contract. A visit begins with `look_valid_i` while `free_o`, one that needs an address while
// `item_free_o` too. In the next cycle (`act_o`; a cycle later if the head of a list would be
// written beside a take) it does what it was for. What has an address goes on: a sum, then the
// windows, and `check_valid_o` stays until `check_ready_i`. Then a descriptor or an extension is
// `request_o`, with a reason if it was not asked for; an entry is `sent_o`; a list is `opened_o`; a
// report is `refusal_o`. All in the order of the visits. While `quiesce_i` no address goes on.
// Latency: look to ARVALID 4 cycles. Throughput: a visit in 2 cycles.
`include "tsr_assert.svh"
module tsr_list_visit
  import tsr_program_pkg::channel_t;
  import tsr_channel_pkg::*;
  import tsr_list_unit_pkg::*;
#(
  parameter  int unsigned Channels  = 2,                                   // 1..32
  parameter  int unsigned AddrWidth = 64,                                  // 32..64
  localparam int unsigned Index     = Channels > 1 ? $clog2(Channels) : 1
) (
  input logic clk_i,
  input logic rst_ni,
  input logic quiesce_i,
  input visit_t look_i,
  input logic look_valid_i,
  output logic free_o,
  output logic item_free_o,
  // The visit, and what is known of its channel.
  output visit_t visit_o,
  output logic act_o,
  output logic clears_o,  // the sweep behind a reset
  output logic hold_o,  // what is known of it stays
  input logic takes_i,
  input logic [Channels-1:0] open_i,
  input logic [Channels-1:0] again_i,
  input logic [Channels-1:0] active_i,
  input list_setup_t setup_i,
  input logic [63:0] base_i,
  input logic [2:0] lost_i,
  input list_places_t places_i,
  input logic [3:0] slot_i,
  input logic parity_i,
  input logic [15:0] index_i,
  input logic [1:0] turns_i,
  input logic at_end_i,
  input logic interrupts_i,
  input logic [1:0] epoch_i,
  // What it finds.
  output logic asks_o,  // for a descriptor
  output logic opens_o,
  output logic numbers_o,  // an entry
  output logic rests_o,  // nothing more to do
  output logic loses_o,  // an entry is the first that was not written
  // Its end.
  output list_check_t check_o,
  output logic check_valid_o,
  input logic check_ready_i,
  input logic check_permitted_i,
  output channel_t opened_channel_o,
  output logic opened_o,
  output logic flawed_o,
  output list_request_t request_o,
  output logic request_valid_o,
  input logic request_ready_i,
  input logic read_failed_i,
  output list_sent_t sent_o,
  output logic sent_valid_o,
  input logic sent_ready_i,
  input logic bus_free_i,  // for an entry
  input logic write_failed_i,
  output logic [AddrWidth-1:4] addr_o,  // of what is sent
  output list_refusal_t refusal_o,
  output logic refusal_valid_o,
  input logic refusal_ready_i,
  // Bus.
  output channel_t ar_channel_o,
  output logic [AddrWidth-1:6] ar_addr_o,
  output logic ar_valid_o,
  input logic ar_ready_i
);

  // Between the steps.
  typedef struct packed {
    visit_kind_e kind;
    channel_t    channel;
    logic [3:0]  slot;
    logic        parity;
    logic [1:0]  area;
    logic        last;
    logic        at_end;
    logic        ring;
    logic [1:0]  pitch;
    logic [3:0]  code;        // of an entry its lower 3 bits
    logic [15:0] index;       // of the report, of the entry
    logic [5:0]  reason;
    logic [1:0]  epoch;
    logic        interrupts;
    logic        misplaced;   // the base
  } item_t;

  // ---- What a visit finds -----------------------------------------------------------------------

  visit_t visit_q;
  logic visit_valid_q, act, open, again, wrong, exhausted, drops, goes;
  logic [1:0] lap;
  logic [Index-1:0] channel;
  item_t found;
  assign channel = visit_q.channel[Index-1:0];
  assign open = open_i[channel];
  assign again = again_i[channel];
  assign act = visit_valid_q &&
      !(takes_i && (visit_q.kind inside {VisitZero, VisitAccess, VisitOpen, VisitRefused}));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) visit_valid_q <= 1'b0;
    else visit_valid_q <= look_valid_i || (visit_valid_q && !act);
    if (look_valid_i) visit_q <= look_i;
  end
  assign visit_o = visit_q;
  assign act_o = act;
  assign hold_o = visit_valid_q && !act;
  assign free_o = !visit_valid_q;
  assign clears_o = visit_valid_q && visit_q.kind == VisitZero && visit_q.clears;

  assign lap = turns_i - places_i.turns;
  assign exhausted = setup_i.ring ? index_i == setup_i.tail : lap[1] || (lap[0] && !again);
  logic high;  // the base is beyond the address space
  if (AddrWidth < 64) begin : gen_high
    assign high = base_i[63:AddrWidth] != '0;
  end else begin : gen_all
    assign high = 1'b0;
  end
  always_comb begin
    found = '{
        kind: visit_q.kind,
        channel: visit_q.channel,
        slot: slot_i,
        parity: parity_i,
        area: visit_q.kind == VisitBase ? AreaBase : visit_q.walk ? AreaWalk : AreaBounds,
        last: visit_q.last,
        at_end: at_end_i,
        ring: setup_i.ring,
        pitch: setup_i.pitch,
        code: CodeNone,
        index: visit_q.kind == VisitLost ? 16'(visit_q.name) : index_i,
        reason: visit_q.reason,
        epoch: visit_q.epoch,
        interrupts: interrupts_i,
        misplaced: base_i[5:0] != '0 || high
    };
    if (visit_q.kind == VisitBase) begin
      if (places_i.flawed) found.code = CodeBase;
      else if (setup_i.empty) found.code = CodeCount;
      else if (setup_i.ring && setup_i.beyond) found.code = CodeTail;
    end
    wrong = found.code != CodeNone;
    drops = visit_q.epoch != epoch_i || !setup_i.entries || lost_i != '0;
    if (visit_q.kind == VisitEntry) begin
      if (drops) found.code = 4'(EntryDropped);
      else if (setup_i.empty) found.code = 4'(EntryBase);
    end
  end
  assign asks_o = visit_valid_q && visit_q.kind == VisitBase && open && places_i.room &&
      (wrong || !exhausted);
  assign opens_o = act && visit_q.kind == VisitOpen && open && !places_i.owed;
  assign numbers_o = visit_valid_q && visit_q.kind == VisitEntry && !drops;
  assign loses_o = visit_valid_q && visit_q.kind == VisitLost && lost_i == '0 &&
      visit_q.epoch == epoch_i;
  assign rests_o = act && ((visit_q.kind == VisitBase && (!asks_o || places_i.last)) ||
                           visit_q.kind == VisitOpen);
  assign goes = asks_o || opens_o || loses_o ||
      (visit_valid_q && (visit_q.kind inside {VisitEntry, VisitExtension})) ||
      (act && visit_q.kind == VisitRefused);

  // Pitch times index, of entries in quarters; an extension lies one or two units behind.
  logic [17:0] first;
  logic [15:0] other;
  logic [19:0] offset;
  logic carry, quarters;
  assign quarters = visit_q.kind == VisitEntry || visit_q.kind == VisitLost;
  always_comb begin
    logic [1:0] part;
    part = visit_q.kind != VisitExtension ? 2'd0 : visit_q.second ? 2'd2 : 2'd1;
    unique case (setup_i.pitch)
      2'd0: first = {2'd0, index_i};
      2'd3: first = {index_i, part};
      default: first = {1'b0, index_i, part != '0};
    endcase
    if (quarters) first = {4'd0, index_i[15:2]};
    other  = setup_i.pitch == 2'd2 && !quarters ? index_i : '0;
    carry  = part[1] && setup_i.pitch == 2'd2;
    offset = {first + 18'(other) + 18'(carry), quarters ? index_i[1:0] : 2'd0};
  end

  // ---- Address ----------------------------------------------------------------------------------

  item_t sum_item_q, end_item_q;
  logic sum_valid_q, end_valid_q, ends, moves;
  logic is_request, is_sent, is_lost, is_report, clean_q;  // the item at the end
  logic [AddrWidth-1:4] base_q;
  logic [19:0] offset_q;
  logic [AddrWidth:4] sum_q;
  assign moves = sum_valid_q && !end_valid_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      sum_valid_q <= 1'b0;
      end_valid_q <= 1'b0;
    end else begin
      sum_valid_q <= goes || (sum_valid_q && !moves);
      end_valid_q <= moves || (end_valid_q && !ends);
    end
    if (goes) begin
      sum_item_q <= found;
      base_q     <= base_i[AddrWidth-1:4];
      offset_q   <= offset;
    end
    if (moves) begin
      end_item_q <= sum_item_q;
      if (sum_item_q.kind == VisitEntry && sum_item_q.code == CodeNone && sum_item_q.misplaced)
        end_item_q.code <= 4'(EntryBase);
      is_request <= sum_item_q.kind == VisitBase || sum_item_q.kind == VisitExtension;
      is_sent <= sum_item_q.kind == VisitEntry;
      is_lost <= sum_item_q.kind == VisitLost;
      is_report <= sum_item_q.kind == VisitRefused || sum_item_q.kind == VisitLost;
      clean_q    <= sum_item_q.code == CodeNone &&
          !(sum_item_q.kind == VisitEntry && sum_item_q.misplaced);
      sum_q <= {1'b0, base_q} + (AddrWidth - 3)'(offset_q);
    end
  end
  assign item_free_o = !sum_valid_q || !end_valid_q;

  // Its list has closed, or its direction has failed, by the cycle before.
  item_t next_item;
  logic  late_q;
  assign next_item = moves ? sum_item_q : end_item_q;
  always_ff @(posedge clk_i) begin
    late_q <= next_item.kind == VisitEntry ? write_failed_i :
        read_failed_i || !active_i[next_item.channel[Index-1:0]];
  end

  // ---- The end of a visit -----------------------------------------------------------------------

  logic ar_free, beyond, fine, checks, may_go;
  logic [3:0] code;
  logic [2:0] entry_code;
  assign ar_free = !ar_valid_o || ar_ready_i;
  assign beyond  = sum_q[AddrWidth];
  always_comb begin
    code = end_item_q.code;
    if (code == CodeNone && late_q) code = CodeFault;
    entry_code = end_item_q.code[2:0];
    if (entry_code == EntryNone) begin
      if (beyond) entry_code = EntryBase;
      else if (late_q) entry_code = EntryFault;
    end
  end
  assign fine = clean_q && !late_q && !(is_sent && beyond);
  assign checks = fine && (is_request ? request_ready_i && ar_free :
                           is_sent && sent_ready_i && bus_free_i);
  assign check_valid_o = end_valid_q && checks && !quiesce_i;
  assign may_go = check_valid_o && check_ready_i;
  assign ends = end_valid_q &&
      (is_request ? request_ready_i && (!fine || may_go) :
       is_sent ? sent_ready_i && (!fine || may_go) :
       !is_report || refusal_ready_i);
  assign check_o = '{
          channel: end_item_q.channel,
          write: is_sent,
          page: 52'(sum_q[AddrWidth-1:12])
      };
  assign request_valid_o = ends && is_request;
  assign request_o = '{
          channel: end_item_q.channel,
          slot: end_item_q.slot,
          parity: end_item_q.parity,
          area: end_item_q.area,
          last: end_item_q.last,
          at_end: end_item_q.at_end,
          ring: end_item_q.ring,
          pitch: end_item_q.pitch,
          code: code != CodeNone ? code : check_permitted_i ? CodeNone : CodeWindow
      };
  assign sent_valid_o = ends && is_sent;
  assign sent_o = '{
          channel: end_item_q.channel,
          number: end_item_q.index,
          name: '0,
          epoch: end_item_q.epoch,
          interrupts: end_item_q.interrupts,
          code: entry_code != EntryNone ? entry_code : check_permitted_i ? EntryNone : EntryWindow
      };
  assign addr_o = sum_q[AddrWidth-1:4];
  assign refusal_valid_o = end_valid_q && is_report;
  assign refusal_o = '{
          channel: end_item_q.channel,
          entry: is_lost,
          index: end_item_q.index,
          reason: end_item_q.reason,
          addr: 64'({sum_q[AddrWidth-1:6], is_lost ? sum_q[5:4] : 2'd0, 4'd0})
      };
  assign opened_o = end_valid_q && end_item_q.kind == VisitOpen;
  assign opened_channel_o = end_item_q.channel;
  assign flawed_o = end_item_q.misplaced || (beyond && sum_q[AddrWidth-1:6] != '0);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) ar_valid_o <= 1'b0;
    else if (ar_free) ar_valid_o <= request_valid_o && request_o.code == CodeNone;
    if (ar_free) begin
      ar_addr_o    <= sum_q[AddrWidth-1:6];
      ar_channel_o <= end_item_q.channel;
    end
  end

  logic unused_in;
  assign unused_in = ^{look_i, visit_q, setup_i, places_i, next_item};

  `TSR_STATIC_ASSERT(AddrWidth, AddrWidth >= 32 && AddrWidth <= 64,
                     ("AddrWidth = %0d; legal is 32 to 64", AddrWidth))
  `TSR_ASSERT(LooksWhileFree, !look_valid_i || !visit_valid_q)
  `TSR_ASSERT(GoesWhileFree, !goes || !sum_valid_q || moves)
  `TSR_STABLE(AddressStays, ar_valid_o, ar_ready_i, {ar_addr_o, ar_channel_o})

endmodule
