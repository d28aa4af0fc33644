// First steps of a visit: what it finds and does.
//
// Contract. A visit begins with `look_valid_i` while `free_o`. In the next cycle (`step_o.act`; a cycle
// later if the head of a list would be written beside a take) it does what it was for (`does_o`), by
// what is known of its channel: registers, places, numbers, the epoch of its entries. What needs an
// address becomes `item_o`.
// Latency: 1 cycle. Throughput: a visit in 2 cycles.
`include "tsr_assert.svh"
module tsr_list_visit
  import tsr_channel_pkg::*;
  import tsr_program_pkg::list_order_t;
  import tsr_list_unit_pkg::*;
#(
  parameter  int unsigned Channels  = 2,                                   // 1..32
  parameter  int unsigned AddrWidth = 64,                                  // 32..64
  localparam int unsigned Index     = Channels > 1 ? $clog2(Channels) : 1
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  visit_t                     look_i,
  input  logic                       look_valid_i,
  output logic                       free_o,
  output list_step_t                 step_o,
  output list_does_t                 does_o,
  // What is known of its channel.
  input  list_order_t [Channels-1:0] list_i,
  input  list_known_t                known_i,
  input  logic        [         1:0] epoch_i,
  output list_item_t                 item_o,
  output logic                       item_valid_o
);

  visit_t visit;
  visit_kind_e kind;
  list_setup_t setup;
  list_places_t places;
  list_number_t number;
  logic visit_valid_q, act, open, again, takes;
  logic [Index-1:0] channel;
  assign {setup, places, number} = known_i;
  always_comb begin
    takes = 1'b0;
    for (int unsigned c = 0; c < Channels; c++) takes = takes || list_i[c].take;
  end
  assign kind = visit.kind;
  assign channel = visit.channel[Index-1:0];
  assign open = list_i[channel].open;
  assign again = list_i[channel].again;
  assign act = visit_valid_q &&
      !(takes && (kind inside {VisitZero, VisitAccess, VisitOpen, VisitRefused}));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) visit_valid_q <= 1'b0;
    else visit_valid_q <= look_valid_i || (visit_valid_q && !act);
    if (look_valid_i) visit <= look_i;
  end
  assign free_o = !visit_valid_q;
  assign step_o = '{look: look_i, visit: visit, hold: visit_valid_q && !act, act: act};

  // ---- What it finds ----------------------------------------------------------------------------

  logic [1:0] lap;
  logic [3:0] code;
  logic wrong, exhausted, drops, entry, extension;
  assign lap = number.turns - places.turns;
  assign exhausted = setup.ring ? number.index == setup.tail : lap[1] || (lap[0] && !again);
  assign entry = kind == VisitEntry;
  assign extension = kind == VisitExtension;
  assign drops = visit.epoch != epoch_i || !setup.entries || setup.lost != '0;
  always_comb begin
    code = CodeNone;
    if (kind == VisitBase) begin
      if (places.flawed) code = CodeBase;
      else if (setup.empty) code = CodeCount;
      else if (setup.ring && setup.beyond) code = CodeTail;
    end
    wrong = code != CodeNone;
    if (entry) begin
      if (drops) code = 4'(EntryDropped);
      else if (setup.empty) code = 4'(EntryBase);
    end
  end
  always_comb begin
    does_o.zero = act && kind == VisitZero;
    does_o.clears = visit_valid_q && kind == VisitZero && visit.clears;
    does_o.asks    = visit_valid_q && kind == VisitBase && open && places.room &&
        (wrong || !exhausted);
    does_o.opens = act && kind == VisitOpen && open && !places.owed;
    does_o.numbers = visit_valid_q && entry && !drops;
    does_o.loses = visit_valid_q && kind == VisitLost && setup.lost == '0 && visit.epoch == epoch_i;
    does_o.rests   = act && ((kind == VisitBase && (!does_o.asks || places.last)) ||
                             kind == VisitOpen);
  end

  // ---- What needs an address --------------------------------------------------------------------

  logic high;  // the base is beyond the address space
  if (AddrWidth < 64) begin : gen_high
    assign high = setup.base[63:AddrWidth] != '0;
  end else begin : gen_all
    assign high = 1'b0;
  end

  // Pitch times index, of entries in quarters; an extension lies one or two units behind.
  logic [17:0] first;
  logic [15:0] other;
  logic [ 1:0] part;
  logic carry, quarters;
  assign quarters = entry || kind == VisitLost;
  always_comb begin
    part = !extension ? 2'd0 : visit.second ? 2'd2 : 2'd1;
    unique case (setup.pitch)
      2'd0: first = {2'd0, number.index};
      2'd3: first = {number.index, part};
      default: first = {1'b0, number.index, part != '0};
    endcase
    if (quarters) first = {4'd0, number.index[15:2]};
    other = setup.pitch == 2'd2 && !quarters ? number.index : '0;
    carry = part[1] && setup.pitch == 2'd2;
  end
  always_comb begin
    item_o = '{
        asks: does_o.asks || extension,
        enters: entry,
        opens: kind == VisitOpen,
        reports: kind == VisitRefused || kind == VisitLost,
        loses: kind == VisitLost,
        request: '{
            channel: visit.channel,
            slot: places.slot,
            parity: entry ? !number.turns[0] : places.parity,
            area: kind == VisitBase ? AreaBase : visit.walk ? AreaWalk : AreaBounds,
            last: visit.last,
            at_end: number.at_end,
            ring: setup.ring,
            pitch: setup.pitch,
            code: code
        },
        number: number.index,
        name: kind == VisitLost ? visit.name : number.index[7:0],
        reason: visit.reason,
        epoch: visit.epoch,
        interrupts: number.interrupts,
        misplaced: setup.base[5:0] != '0 || high,
        base: setup.base[63:4],
        offset: {first + 18'(other) + 18'(carry), quarters ? number.index[1:0] : 2'd0}
    };
  end
  assign item_valid_o = does_o.asks || does_o.opens || does_o.loses ||
      (visit_valid_q && (entry || extension)) || (act && kind == VisitRefused);

  logic unused_in;
  assign unused_in = ^{visit, setup, places, number};

  `TSR_STATIC_ASSERT(AddrWidth, AddrWidth >= 32 && AddrWidth <= 64,
                     ("AddrWidth = %0d; legal is 32 to 64", AddrWidth))
  `TSR_ASSERT(LooksWhileFree, !look_valid_i || !visit_valid_q)

endmodule
