// Chooses the next visit: of channels that begin anew, software, reports, entries, extensions,
// descriptors.
//
// Contract. A visit begins with `look_valid_o`, if `free_i`; what may have an address was chosen
// while `item_free_i` too. What it is for is taken when it is chosen. Behind a reset all channels
// are swept; nothing else begins before, nor while a channel is to begin anew, but for the visits of
// descriptors that were refused, and of software, which they do not hold up.
// Latency: 1 cycle. Throughput: a visit in 2 cycles.
`include "tsr_assert.svh"
module tsr_list_select
  import tsr_program_pkg::channel_t;
  import tsr_program_pkg::prepared_t;
  import tsr_list_unit_pkg::*;
#(
  parameter  int unsigned Channels = 2,                                   // 1..32
  parameter  int unsigned Ahead    = 16,                                  // places of a channel
  parameter  int unsigned Wanted   = 32,                                  // a power of two
  localparam int unsigned Index    = Channels > 1 ? $clog2(Channels) : 1
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         free_i,
  input  logic                         item_free_i,
  output visit_t                       look_o,
  output logic                         look_valid_o,
  // What visits are for.
  input  logic          [Channels-1:0] zero_i,
  input  list_access_t                 access_i,       // until its visit acts
  input  prepared_t                    ended_i,
  input  logic                         refused_i,      // the job that has ended: finds room
  input  list_sent_t                   lost_i,
  input  logic                         lost_valid_i,
  output logic                         lost_ready_o,
  input  list_waiting_t                entry_i,
  input  logic                         entry_valid_i,
  output logic                         entry_ready_o,
  input  list_wanted_t                 wanted_i,       // finds room
  input  logic          [Channels-1:0] ask_i,
  input  logic          [Channels-1:0] active_i
);

  typedef logic [Index-1:0] index_t;
  localparam int unsigned Slot = $clog2(Ahead);

  list_refused_t refused;
  logic refused_valid, refused_ready, refused_room;

  // ---- Channels that begin anew -----------------------------------------------------------------

  logic [Index+1:0] scan_q;  // its upper bit: the sweep is done
  logic swept, zeroes, scans, chosen_valid_q;
  index_t at;
  assign swept = scan_q[Index+1];
  assign at = scan_q[Index-1:0];
  assign zeroes = !swept || (zero_i != '0 && !refused_valid);
  assign scans = zeroes && free_i && !chosen_valid_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) scan_q <= '0;
    else if (scans) scan_q <= {swept, {(Index + 1) {1'b0}}} | (scan_q + 1'b1);
  end

  // ---- Descriptors ------------------------------------------------------------------------------

  logic [Channels-1:0] picked;
  logic base_valid, base_take, active;
  index_t base, pick;
  tsr_pick #(
    .Inputs(Channels)
  ) u_pick (
    .clk_i,
    .rst_ni,
    .ask_i,
    .take_i (!base_valid || base_take),
    .hot_o  (picked),
    .index_o(pick)
  );
  always_ff @(posedge clk_i) begin
    if (!rst_ni) base_valid <= 1'b0;
    else if (!base_valid || base_take) base_valid <= picked != '0;
    if (!base_valid || base_take) base <= pick;
  end
  assign active = active_i[base];

  // ---- What waits -------------------------------------------------------------------------------

  // At most two jobs of a channel are refused before it has halted, none between the begin of its
  // reset and the end.
  tsr_fifo #(
    .Depth(2 * 2 ** Index),
    .T    (list_refused_t)
  ) u_refused (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .data_i ({ended_i.channel, 4'(ended_i.place[Slot-1:0]), ended_i.error}),
    .valid_i(refused_i),
    .ready_o(refused_room),
    .data_o (refused),
    .valid_o(refused_valid),
    .ready_i(refused_ready)
  );
  // No descriptor is asked for while extensions wait: those of all bases that are under way find
  // room here.
  list_wanted_t wanted;
  logic wanted_valid, wanted_ready, wanted_room;
  tsr_fifo #(
    .Depth(Wanted),
    .T    (list_wanted_t)
  ) u_wanted (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .data_i (wanted_i),
    .valid_i(wanted_i.valid),
    .ready_o(wanted_room),
    .data_o (wanted),
    .valid_o(wanted_valid),
    .ready_i(wanted_ready)
  );

  // ---- The choice -------------------------------------------------------------------------------

  // All but descriptors are chosen a cycle before.
  logic second_q, both, last, other, item, chooses, asks, stops, turn_q;
  visit_t choice, chosen_q;
  assign both  = wanted.bounds && wanted.walk;
  assign last  = !both || second_q;
  assign other = refused_valid || lost_valid_i || entry_valid_i || wanted_valid;
  // The sweep, and software, wait for no address. Behind an access it is the turn of others: it is
  // visited once.
  assign asks  = access_i.valid && !turn_q && (zero_i == '0 || refused_valid);
  assign stops = zeroes || asks;
  assign item  = !stops && free_i && item_free_i && !chosen_valid_q;
  always_comb begin
    choice         = '0;
    choice.kind    = VisitExtension;
    choice.channel = wanted.channel;
    choice.clears  = !swept;
    choice.high    = scan_q[Index];
    choice.slot    = refused_valid ? refused.slot : wanted.slot;
    choice.walk    = !wanted.bounds || second_q;
    choice.second  = second_q;
    choice.last    = last;
    choice.number  = lost_i.number;
    choice.name    = lost_i.name;
    choice.epoch   = lost_valid_i ? lost_i.epoch : entry_i.epoch;
    choice.reason  = refused_valid ? refused.reason : {3'b110, lost_i.code};
    if (entry_valid_i) begin
      choice.kind    = VisitEntry;
      choice.channel = entry_i.channel;
    end
    if (lost_valid_i) begin
      choice.kind    = VisitLost;
      choice.channel = lost_i.channel;
    end
    if (refused_valid) begin
      choice.kind    = VisitRefused;
      choice.channel = refused.channel;
    end
    if (asks) begin
      choice.kind    = VisitAccess;
      choice.channel = access_i.channel;
    end
    if (zeroes) begin
      choice.kind    = VisitZero;
      choice.channel = channel_t'(at);
    end
  end
  assign chooses = zeroes ? scans && (!swept || zero_i[at]) :
      asks ? !chosen_valid_q : item && other;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) chosen_valid_q <= 1'b0;
    else chosen_valid_q <= chooses || (chosen_valid_q && !free_i);
    if (chooses) chosen_q <= choice;
    turn_q <= rst_ni && ((chooses && choice.kind == VisitAccess) ||
                         (turn_q && !(free_i && !chosen_valid_q)));
  end
  always_comb begin
    look_o = chosen_q;
    if (!chosen_valid_q) begin
      look_o.kind    = active ? VisitBase : VisitOpen;
      look_o.channel = channel_t'(base);
    end
  end
  assign look_valid_o  = free_i && (chosen_valid_q || base_take);
  assign refused_ready = item;
  assign lost_ready_o  = item && !refused_valid;
  assign entry_ready_o = lost_ready_o && !lost_valid_i;
  assign wanted_ready  = entry_ready_o && !entry_valid_i && last;
  assign base_take     = item && !other && base_valid;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) second_q <= 1'b0;
    else if (entry_ready_o && !entry_valid_i && wanted_valid) second_q <= !last;
  end

  logic unused_in;
  assign unused_in = ^{lost_i, picked, refused, entry_i, wanted, access_i, ended_i};

  logic exists;
  assign exists = 32'(look_o.channel) < Channels || (look_o.kind inside {VisitAccess, VisitZero});
  `TSR_ASSERT(RefusedFindRoom, !refused_i || refused_room)
  `TSR_ASSERT(ExtensionsFindRoom, !wanted_i.valid || wanted_room)
  `TSR_ASSERT(OnlyWhatIsThere, !look_valid_o || exists)

endmodule
