// First error of each channel that belongs to a descriptor: registers ERROR_INFO and ERROR_ADDR.
//
// Contract. One channel a cycle, `channel_i`; `none_i`: its ERROR is 0, so that nothing is known. An event with
// such an error is kept if nothing is known. A fault is kept alike, with the descriptor of the
// oldest transfer and without an address: the next bus error gives both. A fault that comes behind a bus error
// adds its number. `data_o` is word `word_i` of the channel, 0 where nothing is known.
// Latency: 1 cycle. Throughput: an event or a fault a cycle.
`include "tsr_assert.svh"
module tsr_error_info
  import tsr_descriptor_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_fabric_pkg::*;
  import tsr_register_pkg::*;
  import tsr_registers_pkg::*;
  import tsr_program_pkg::*;
  import tsr_cause_pkg::*;
#(
  parameter  int unsigned Channels = 2,                                   // 1..32
  localparam int unsigned Index    = Channels > 1 ? $clog2(Channels) : 1
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  sweep_t                       sweep_i,
  input  logic             [Index-1:0] channel_i,
  input  sequencer_event_t             event_i,
  input  logic                         event_valid_i,
  input  fault_e                       fault_i,
  input  logic                         fault_valid_i,
  input  descriptor_id_t               descriptor_i,   // of the oldest transfer
  input  logic                         none_i,
  input  channel_word_e                word_i,
  output logic             [     31:0] data_o
);

  typedef struct packed {
    logic known;
    logic bare;   // a fault is known, and not where
    logic mute;   // a bus error is known, and no fault
  } flags_t;
  typedef struct packed {
    descriptor_id_t descriptor;
    logic [63:0]    addr;
  } place_t;
  typedef struct packed {
    logic       placed;  // with an address
    logic [5:0] reason;
  } cause_t;
  (* ram_style = "distributed" *)flags_t flags_mem[2**Index];
  (* ram_style = "distributed" *)place_t place_mem[2**Index];
  (* ram_style = "distributed" *)cause_t cause_mem[2**Index];
  (* ram_style = "distributed" *)fault_e fault_mem[2**Index];

  flags_t flags, next;
  place_t place;
  cause_t cause;
  logic names_one, fresh, keep, names, adds, placed;
  assign flags = flags_mem[channel_i];
  assign place = place_mem[channel_i];
  assign cause = cause_mem[channel_i];
  assign names_one = event_valid_i && (event_i.causes & NamedCauses) != '0;
  assign fresh = !flags.known || none_i;
  assign keep = fresh && (names_one || fault_valid_i);
  assign names = !fresh && flags.bare && names_one && event_i.causes.bus;
  assign adds = !fresh && flags.mute && fault_valid_i;
  assign placed    = !fault_valid_i &&
      (event_i.causes.bus || event_i.causes.denied || event_i.causes.from_list ||
       event_i.causes.write_back);
  always_comb begin
    next = flags;
    if (none_i) next = '0;
    if (names) next.bare = 1'b0;
    if (adds) next.mute = 1'b0;
    if (keep) begin
      next.known = 1'b1;
      next.bare  = fault_valid_i;
      next.mute  = !fault_valid_i && event_i.causes.bus;
    end
  end

  logic [Index-1:0] at;
  assign at = sweep_i.valid ? Index'(sweep_i.channel) : channel_i;
  always_ff @(posedge clk_i) begin
    // What was known is forgotten with ERROR, in front of errors that leave nothing here.
    if (event_valid_i || fault_valid_i || none_i || sweep_i.valid)
      flags_mem[at] <= sweep_i.valid ? '0 : next;
    if (keep || names)
      place_mem[channel_i] <= '{
          descriptor: fault_valid_i ? descriptor_i : event_i.descriptor,
          addr: event_i.addr
      };
    if (keep || names)
      cause_mem[channel_i] <= '{
          placed: placed,
          reason: fault_valid_i || names ? '0 : event_i.reason
      };
    if (keep || adds) fault_mem[channel_i] <= fault_valid_i ? fault_i : FaultNone;
  end

  channel_error_info_t info;
  assign info = '{
          reserved_20: '0,
          fault: fault_mem[channel_i],
          reserved_14: '0,
          reason: cause.reason,
          descriptor: place.descriptor
      };
  always_comb begin
    data_o = info;
    if (word_i == ChannelErrorAddrLow) data_o = place.addr[31:0];
    if (word_i == ChannelErrorAddrHigh) data_o = place.addr[63:32];
    if (fresh || (word_i != ChannelErrorInfo && !cause.placed)) data_o = '0;
  end

  logic unused_event;
  assign unused_event = ^{event_i, rst_ni};

  `TSR_ASSERT(OneAtATime, !(event_valid_i && fault_valid_i))

endmodule
