// Counters of all channels: what of their engines, ports and streams is counted.
//
// Contract, latency, throughput: tsr_counter_bank. Without Counters nothing is built, and there are no accesses.
`include "tsr_assert.svh"
module tsr_dma_counters
  import tsr_fabric_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_port_pkg::*;
  import tsr_register_pkg::*;
  import tsr_program_pkg::*;
  import tsr_cause_pkg::*;
  import tsr_dma_pkg::*;
#(
  parameter  dma_config_t Config   = DmaDefaults,
  localparam int unsigned Reads    = Config.Reads,
  localparam int unsigned Writes   = Config.Writes,
  localparam int unsigned Ports    = Config.Ports,
  localparam int unsigned Channels = Reads + Writes
) (
  input  logic                                 clk_i,
  input  logic                                 rst_ni,
  input  outer_request_t                       request_i,
  output outer_answer_t                        answer_o,
  input  global_orders_t                       global_i,
  input  channel_levels_t  [Channels-1:0]      levels_i,
  input  stream_state_t    [Channels-1:0]      stream_i,
  input  port_event_t      [   Ports-1:0][1:0] port_i,
  input  sequencer_event_t                     event_i,
  input  logic                                 event_valid_i
);

  logic unused_bits;
  assign unused_bits = ^{request_i, global_i, levels_i, stream_i, port_i, event_i};

  if (Config.Counters) begin : gen_bank
    activity_t [Channels-1:0] activity;
    stream_events_t [Channels-1:0] stream;
    bus_events_t [Channels-1:0] bus;
    for (genvar c = 0; c < Channels; c++) begin : gen_channel
      localparam int unsigned D = c < Reads ? 0 : 1;
      localparam int unsigned At = D == 0 ? c : c - Reads;
      localparam int unsigned Count = (D == 0 ? Reads : Writes) / Ports;
      port_event_t port;
      logic here;
      assign port = port_i[At/Count][D];
      assign here = 32'(port.channel) == At % Count;
      assign bus[c] = '{burst: port.burst && here, blocked: port.blocked && here};
      assign stream[c] = stream_i[c].events;
      assign activity[c] = '{
              busy: levels_i[c].busy || stream_i[c].busy,
              running: levels_i[c].running || stream_i[c].busy,
              lock: levels_i[c].locked && !levels_i[c].running,
              transfer: event_valid_i && event_i.finished && 32'(event_i.channel) == c
          };
    end
    tsr_counter_bank #(
      .Reads (Reads),
      .Writes(Writes)
    ) u_bank (
      .clk_i,
      .rst_ni,
      .request_i (request_i.bus),
      .valid_i   (request_i.counters),
      .channel_i (request_i.channel),
      .ready_o   (answer_o.ready),
      .answer_o  ({answer_o.error, answer_o.data}),
      .freeze_i  (global_i.freeze),
      .clear_i   (global_i.clear),
      .cycles_i  (global_i.cycles),
      .activity_i(activity),
      .stream_i  (stream),
      .bus_i     (bus)
    );
  end else begin : gen_none
    assign answer_o = '0;
  end

  `TSR_ASSERT(AnEventHasAChannel, !event_valid_i || 32'(event_i.channel) < Channels)

endmodule
