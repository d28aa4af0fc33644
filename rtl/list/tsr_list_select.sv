// Chooses the next visit: of channels that begin anew, software, reports, entries, extensions, descriptors.
//
// Contract. A visit begins with `look_valid_o`, if `free_i`, and what may have an address if `item_free_i` too; what
// it is for is taken in the same cycle. Behind a reset all channels are swept; nothing else begins before, nor while
// a channel is to begin anew.
// Latency: 0 cycles; of descriptors, with more than 8 channels, 1. Throughput: a visit a cycle.
`include "tsr_assert.svh"
module tsr_list_select
  import tsr_program_pkg::channel_t;
  import tsr_list_unit_pkg::*;
#(
  parameter  int unsigned Channels = 2,                                   // 1..32
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
  input  channel_t                     access_channel_i,
  input  logic                         access_valid_i,
  input  list_refused_t                refused_i,
  input  logic                         refused_valid_i,
  output logic                         refused_ready_o,
  input  list_sent_t                   lost_i,
  input  logic                         lost_valid_i,
  output logic                         lost_ready_o,
  input  channel_t                     entry_channel_i,
  input  logic          [         1:0] entry_epoch_i,
  input  logic                         entry_valid_i,
  output logic                         entry_ready_o,
  input  list_wanted_t                 wanted_i,
  input  logic                         wanted_valid_i,
  output logic                         wanted_ready_o,
  input  logic          [Channels-1:0] ask_i,
  input  logic          [Channels-1:0] active_i
);

  typedef logic [Index-1:0] index_t;

  // ---- Channels that begin anew -----------------------------------------------------------------

  logic [Index+1:0] scan_q;  // its upper bit: the sweep is done
  logic swept, zeroes;
  index_t at;
  assign swept = scan_q[Index+1];
  assign at = scan_q[Index-1:0];
  assign zeroes = !swept || zero_i != '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) scan_q <= '0;
    else if (zeroes && free_i) scan_q <= {swept, {(Index + 1) {1'b0}}} | (scan_q + 1'b1);
  end

  // ---- Descriptors ------------------------------------------------------------------------------

  logic [Channels-1:0] picked;
  logic base_valid, base_take, active;
  index_t base;
  if (Channels > 8) begin : gen_late
    index_t pick, pick_q;
    logic pick_valid_q;
    tsr_pick #(
      .Inputs(Channels)
    ) u_pick (
      .clk_i,
      .rst_ni,
      .ask_i,
      .take_i (!pick_valid_q || base_take),
      .hot_o  (picked),
      .index_o(pick)
    );
    always_ff @(posedge clk_i) begin
      if (!rst_ni) pick_valid_q <= 1'b0;
      else if (!pick_valid_q || base_take) pick_valid_q <= picked != '0;
      if (!pick_valid_q || base_take) pick_q <= pick;
    end
    assign base       = pick_q;
    assign base_valid = pick_valid_q;
  end else begin : gen_early
    tsr_pick #(
      .Inputs(Channels)
    ) u_pick (
      .clk_i,
      .rst_ni,
      .ask_i,
      .take_i (base_take),
      .hot_o  (picked),
      .index_o(base)
    );
    assign base_valid = picked != '0;
  end
  assign active = active_i[base];

  // ---- The choice -------------------------------------------------------------------------------

  logic second_q, both, last, item, starts;
  assign both   = wanted_i.bounds && wanted_i.walk;
  assign last   = !both || second_q;
  assign item   = refused_valid_i || lost_valid_i || entry_valid_i || wanted_valid_i || base_valid;
  assign starts = free_i && item_free_i && !zeroes && !access_valid_i;
  always_comb begin
    look_o        = '0;
    look_o.kind   = active ? VisitBase : VisitOpen;
    look_o.clears = !swept;
    look_o.high   = scan_q[Index];
    look_o.slot   = refused_valid_i ? refused_i.slot : wanted_i.slot;
    look_o.walk   = !wanted_i.bounds || second_q;
    look_o.second = second_q;
    look_o.last   = last;
    look_o.number = lost_i.number;
    look_o.name   = lost_i.name;
    look_o.epoch  = entry_epoch_i;
    look_o.reason = refused_valid_i ? refused_i.reason : {3'b110, lost_i.code};
    look_o.channel = channel_t'(base);
    if (wanted_valid_i) begin
      look_o.kind    = VisitExtension;
      look_o.channel = wanted_i.channel;
    end
    if (entry_valid_i) begin
      look_o.kind    = VisitEntry;
      look_o.channel = entry_channel_i;
    end
    if (lost_valid_i) begin
      look_o.kind    = VisitLost;
      look_o.channel = lost_i.channel;
    end
    if (refused_valid_i) begin
      look_o.kind    = VisitRefused;
      look_o.channel = refused_i.channel;
    end
    if (access_valid_i) begin
      look_o.kind    = VisitAccess;
      look_o.channel = access_channel_i;
    end
    if (zeroes) begin
      look_o.kind    = VisitZero;
      look_o.channel = channel_t'(at);
    end
    look_valid_o = free_i && (zeroes ? !swept || zero_i[at] : access_valid_i || (starts && item));
  end
  assign refused_ready_o = starts;
  assign lost_ready_o    = starts && !refused_valid_i;
  assign entry_ready_o   = lost_ready_o && !lost_valid_i;
  assign wanted_ready_o  = entry_ready_o && !entry_valid_i && last;
  assign base_take       = entry_ready_o && !entry_valid_i && !wanted_valid_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) second_q <= 1'b0;
    else if (entry_ready_o && !entry_valid_i && wanted_valid_i) second_q <= !last;
  end

  logic unused_in;
  assign unused_in = ^{lost_i, picked};

  `TSR_ASSERT(OnlyWhatIsThere, 32'(look_o.channel) < Channels || !look_valid_o || !swept ||
                               look_o.kind == VisitAccess)

endmodule
