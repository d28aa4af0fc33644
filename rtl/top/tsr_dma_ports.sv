// Memory ports and the channels on them: faults and their causes, state for registers, resets of ports, registers of windows.
//
// Contract: a fault of a port stops the channels that wait for it, one of a stream its channel: `fault_o`, in the cycle of
// the fault. A channel keeps the first cause until its reset. A fault of a port may end once any of its channels is
// in reset, and what the memory owes is forgotten if that channel gives up. Of ports the read side is 0.
// A channel has windows at its port, where channels are counted from 0 on, and with Lists a copy for its list: an access goes
// to the copy first. It stays until it is answered.
// Latency: 1 cycle; `fault_o` and `stray_o` 0; windows as tsr_port_windows, for each copy.
`include "tsr_assert.svh"
module tsr_dma_ports
  import tsr_descriptor_pkg::*;
  import tsr_fabric_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_port_pkg::*;
  import tsr_cause_pkg::*;
  import tsr_dma_pkg::*;
#(
  parameter  dma_config_t Config   = DmaDefaults,
  localparam int unsigned Reads    = Config.Reads,
  localparam int unsigned Ports    = Config.Ports,
  localparam int unsigned Channels = Reads + Config.Writes
) (
  input logic clk_i,
  input logic rst_ni,
  input logic tick_i,
  input logic quiesce_i,
  input channel_orders_t [Channels-1:0] setting_i,
  input channel_levels_t [Channels-1:0] levels_i,
  output logic [Channels-1:0] fault_o,
  output logic [Channels-1:0] in_reset_o,
  output logic [Channels-1:0] give_up_o,  // the channel is in reset, and does not wait
  output port_view_t [Channels-1:0] view_o,
  output stream_orders_t [Channels-1:0] stream_o,
  input stream_state_t [Channels-1:0] stream_i,
  // Ports
  output port_control_t [Ports-1:0][1:0] control_o,
  input port_state_t [Ports-1:0][1:0] state_i,
  input port_fault_t [Ports-1:0][1:0] fault_i,
  input logic [Channels-1:0] owed_i,
  input rest_t lists_i,
  output rest_t rest_o,  // of all ports and of the lists
  output logic [1:0][7:0] stray_o,  // of port p mod 8
  // Windows
  input outer_request_t request_i,
  output outer_answer_t answer_o,
  output window_request_t [Ports-1:0][1:0] window_o,
  input window_response_t [Ports-1:0][1:0] window_i,
  output window_request_t copy_o,
  input window_response_t copy_i
);

  localparam int unsigned PortReads = Reads / Ports;
  localparam int unsigned PortWrites = Config.Writes / Ports;

  // The copy of the windows.
  localparam bit Copies = Config.Lists && Config.Windows != 0;
  logic copied, copied_q;
  assign copied = copied_q || !Copies;
  always_ff @(posedge clk_i)
    copied_q <= rst_ni && request_i.windows && !answer_o.ready &&
        (copied_q || (Copies && copy_i.ready));
  assign copy_o = '{
          valid: request_i.windows && !copied,
          write: request_i.bus.write,
          channel: request_i.channel,
          number: request_i.bus.word[8:5],
          word: window_word_e'(request_i.bus.word[4:2]),
          data: request_i.bus.data,
          strobe: request_i.bus.strobe
      };

  for (genvar p = 0; p < Ports; p++) begin : gen_port
    for (genvar d = 0; d < 2; d++) begin : gen_side
      localparam int unsigned First = d == 0 ? p * PortReads : Reads + p * PortWrites;
      localparam int unsigned Count = d == 0 ? PortReads : PortWrites;
      logic clear_q, forget_q;
      logic [4:0] place;
      assign place = request_i.channel - 5'(First);
      assign window_o[p][d] = '{
              valid: request_i.windows && copied && 32'(place) < Count,
              write: copy_o.write,
              channel: place,
              number: copy_o.number,
              word: copy_o.word,
              data: copy_o.data,
              strobe: copy_o.strobe
          };
      for (genvar c = First; c < First + Count; c++) begin : gen_channel
        logic give_up_q, struck_q, waits_q, busy_q, resets, asked_q;
        fault_e cause_q;
        assign fault_o[c] = (fault_i[p][d].valid && owed_i[c]) || stream_i[c].fault != FaultNone;
        always_ff @(posedge clk_i) begin
          // A reset gives up once that was asked for.
          give_up_q <= rst_ni && (setting_i[c].reset || levels_i[c].in_reset) &&
              ((setting_i[c].reset && setting_i[c].give_up) || give_up_q);
          struck_q <= rst_ni && !levels_i[c].in_reset &&
              (fault_o[c] || (struck_q && levels_i[c].faulted));
          if (!struck_q)
            cause_q <= stream_i[c].fault != FaultNone ? stream_i[c].fault : fault_i[p][d].cause;
          waits_q <= stream_i[c].waits && (d == 0 || !owed_i[c]);
          busy_q  <= stream_i[c].busy;
        end
        // Without guards a memory that does not answer keeps the engine from coming to rest.
        assign resets = Config.Guard != 0 ? levels_i[c].in_reset : asked_q && owed_i[c];
        always_ff @(posedge clk_i)
          asked_q <= rst_ni && Config.Guard == 0 &&
              (setting_i[c].reset || (asked_q && levels_i[c].dropping));
        assign in_reset_o[c] = levels_i[c].in_reset;
        assign give_up_o[c] = levels_i[c].in_reset && give_up_q;
        assign view_o[c] = '{
                owed: owed_i[c],
                failed: state_i[p][d].failed,
                faulted: struck_q,
                fault: cause_q,
                stuck: state_i[p][d].stuck && resets,
                waits: waits_q,
                busy: busy_q
            };
        assign stream_o[c] = '{
                in_reset: levels_i[c].in_reset,
                dropping: levels_i[c].dropping,
                reset: setting_i[c].reset,
                excused: setting_i[c].pause || quiesce_i || owed_i[c],
                timed_out: struck_q && cause_q == FaultStreamTime
            };
      end
      always_ff @(posedge clk_i) begin
        clear_q  <= rst_ni && in_reset_o[First+:Count] != '0;
        forget_q <= give_up_o[First+:Count] != '0;
      end
      assign control_o[p][d] = '{
              clear: clear_q,
              forget: forget_q,
              quiesce: quiesce_i,
              tick: tick_i
          };
    end
  end

  rest_t rest;
  always_comb begin
    rest = lists_i;
    rest.quiet &= quiesce_i;
    stray_o  = '0;
    answer_o = '0;
    for (int unsigned p = 0; p < Ports; p++) begin
      for (int unsigned d = 0; d < 2; d++) begin
        rest.quiet &= state_i[p][d].quiet;
        rest.timed_out |= state_i[p][d].timed_out;
        stray_o[d][p%8] |= state_i[p][d].stray;
        if (window_o[p][d].valid) answer_o |= window_i[p][d];
      end
    end
  end
  always_ff @(posedge clk_i) rest_o <= rst_ni ? rest : '0;

  logic unused_bits;
  assign unused_bits = ^{setting_i, levels_i, fault_i, stream_i, request_i, copy_i};

  `TSR_ASSERT(GivesUpInReset, (give_up_o & ~in_reset_o) == '0)

endmodule
