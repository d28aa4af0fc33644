// Collects the errors of all channels, one channel a cycle, and keeps what is known of the first.
//
// Contract: channel `poll_i` is looked at. Its report, or else a descriptor that was not loaded, or else a
// fault, sets bits of its ERROR (`causes_o`, for `poll_i`); the report is taken (`report_ready_o`). If its
// ERROR was 0 or had no such error yet (`known_q`), descriptor, reason, fault and address are kept. A fault that
// no record has named yet has no address, and the descriptor is that of the oldest transfer: the next report
// of a bus error gives both; and the other way round, a fault that comes behind the report of a bus error adds
// its number. The two levels of the view count once each time that they rise, and not if a
// report tells of the same.
// Latency: until the poll comes by. Throughput: one error a cycle.
`include "tsr_assert.svh"
module tsr_native_errors
  import tsr_fabric_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_register_pkg::*;
  import tsr_registers_pkg::*;
#(
  parameter  int unsigned Channels   = 2,
  localparam int unsigned IndexWidth = Channels < 2 ? 1 : $clog2(Channels)
) (
  input  logic                                 clk_i,
  input  logic                                 rst_ni,
  input  logic                [IndexWidth-1:0] poll_i,
  input  channel_view_t       [  Channels-1:0] view_i,
  input  error_report_t       [  Channels-1:0] report_i,
  input  logic                [  Channels-1:0] report_valid_i,
  output logic                [  Channels-1:0] report_ready_o,
  output error_causes_t       [  Channels-1:0] causes_o,
  input  logic                [  Channels-1:0] none_i,          // ERROR is 0
  // What is known of the first error of a channel; nothing without `known_o`.
  input  logic                [IndexWidth-1:0] channel_i,
  output logic                                 known_o,
  output logic                                 placed_o,        // with an address
  output channel_error_info_t                  info_o,
  output logic                [          63:0] addr_o
);

  typedef struct packed {
    descriptor_id_t descriptor;
    logic [5:0]     reason;
    logic [3:0]     fault;
    logic           placed;      // `addr` is one
    logic [63:0]    addr;
  } known_t;

  logic [Channels-1:0] known_q, load_q, fault_q;
  logic [Channels-1:0] bare_q;  // a fault is known, and not where
  logic [Channels-1:0] mute_q;  // a bus error is known, and no fault
  logic report, load, fault, fresh, keep, names, adds;
  channel_view_t view;
  error_causes_t causes;
  error_report_t told;
  known_t now, shown, mask;

  assign view   = view_i[poll_i];
  assign told   = report_i[poll_i];
  assign report = report_valid_i[poll_i];
  assign load   = !report && view.error != '0 && !load_q[poll_i];
  assign fault  = !report && !load && view.state.faulted && !fault_q[poll_i];
  assign fresh  = !known_q[poll_i] || none_i[poll_i];
  assign keep   = fresh && (report || load || fault);
  assign names  = report && told.causes.bus && bare_q[poll_i] && !none_i[poll_i];
  // The record of the transfer may have been reported before the fault that spoilt it.
  assign adds   = fault && mute_q[poll_i] && !none_i[poll_i];

  // Written in a way that needs few LUTs: `addr` is that of a report or of a fault, whatever happens.
  always_comb begin
    causes         = report ? told.causes : '0;
    causes.load    = causes.load || load;
    causes.fault   = causes.fault || fault;
    now.descriptor = report ? told.descriptor : load ? view.error_descriptor : view.oldest;
    now.reason     = report ? told.reason : load ? view.error : '0;
    now.fault      = fault ? view.state.cause : '0;
    now.addr       = report ? told.addr : view.state.addr;
    now.placed     = report || (fault && view.state.named);
    mask           = '1;
    if (names) begin
      mask.reason = '0;
      mask.fault  = '0;
    end
    if (adds) begin
      mask       = '0;
      mask.fault = '1;
    end
  end

  for (genvar c = 0; c < Channels; c++) begin : gen_channel
    logic here;
    assign here              = poll_i == IndexWidth'(c);
    assign report_ready_o[c] = here;
    assign causes_o[c]       = here ? causes : '0;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        known_q[c] <= 1'b0;
        load_q[c]  <= 1'b0;
        fault_q[c] <= 1'b0;
        bare_q[c]  <= 1'b0;
        mute_q[c]  <= 1'b0;
      end else begin
        known_q[c] <= (here && keep) || (known_q[c] && !none_i[c]);
        if (here && keep) bare_q[c] <= fault && !view.state.named;
        else if (none_i[c] || (here && names)) bare_q[c] <= 1'b0;
        if (here && keep) mute_q[c] <= report && told.causes.bus;
        else if (none_i[c] || (here && adds)) mute_q[c] <= 1'b0;
        // A level that falls and rises between two looks has risen again.
        load_q[c] <= view_i[c].error != '0 &&
            (load_q[c] || (here && (load || (report && told.causes.load))));
        fault_q[c] <= view_i[c].state.faulted && (fault_q[c] || (here && fault));
      end
    end
  end

  logic [$bits(known_t)-1:0] unused_old, unused_merged;
  tsr_word_table #(
    .Depth(Channels),
    .Width($bits(known_t))
  ) u_known (
    .clk_i,
    .rst_ni,
    .clear_i (1'b0),
    .index_i (poll_i),
    .write_i (keep || names || adds),
    .data_i  (now),
    .mask_i  (mask),
    .data_o  (unused_old),
    .merged_o(unused_merged),
    .look_i  (channel_i),
    .look_o  (shown)
  );

  assign known_o = known_q[channel_i] && !none_i[channel_i];
  assign info_o = '{
          reserved_20: '0,
          fault: shown.fault,
          reserved_14: '0,
          reason: shown.reason,
          descriptor: shown.descriptor
      };
  assign placed_o = known_o && shown.placed;
  assign addr_o = shown.addr;

  logic unused_view;
  assign unused_view = ^view;

  `TSR_ASSERT(OneKind, 32'(report) + 32'(load) + 32'(fault) <= 1)
  `TSR_ASSERT(NamesWhatIsKnown, !names || (known_q[poll_i] && !keep))

endmodule
