// Record and event of a transfer that is retired.
//
// Contract: `word_i` chooses the word of the record (tsr_record_memory), for which `end_i` has the data; with
// `finish_i` the record is complete. The address of an event is that of its last word.
// Latency: 0 cycles.
`include "tsr_assert.svh"
module tsr_retire_report
  import tsr_pkg::status_t;
  import tsr_channel_pkg::*;
  import tsr_program_pkg::*;
(
  input  logic             [31:0] cycles_i,
  input  channel_t                channel_i,
  input  transfer_end_t           end_i,
  input  due_t                    due_i,
  input  style_t                  style_i,
  input  side_t                   side_i,
  input  status_t                 status_i,
  input  logic                    spoilt_i,
  input  logic                    records_i,
  input  logic             [ 1:0] word_i,
  input  logic                    written_i,
  input  logic                    finish_i,
  input  logic             [19:0] bytes_i,    // moved
  output record_put_t             put_o,
  output sequencer_event_t        event_o
);

  always_comb begin
    put_o = '{
        channel: channel_i,
        word: word_i,
        data: '0,
        written: written_i,
        push: finish_i && records_i,
        failed: status_i != '0,
        skip: finish_i && !records_i
    };
    unique case (word_i)
      2'd0: put_o.data = {16'b0, cycles_i, due_i.tag};
      2'd1:
      put_o.data = {
        16'b0, end_i.last, due_i.task_end, status_i[5:0], due_i.descriptor, end_i.data[47:0]
      };
      2'd2: put_o.data = {side_i, status_i.overlong ? end_i.data[47:0] : '0};
      default: put_o.data = {16'b0, status_i.slverr || status_i.decerr ? end_i.data : '0};
    endcase
    event_o                        = '0;
    event_o.channel                = channel_i;
    event_o.finished               = 1'b1;
    event_o.delivered              = !spoilt_i;
    event_o.task_done              = !spoilt_i && due_i.task_end;
    event_o.interrupts             = style_i.interrupts;
    event_o.record                 = records_i;
    event_o.causes.bus             = end_i.slverr || end_i.decerr;
    event_o.causes.denied          = end_i.denied;
    event_o.causes.overlong        = status_i.overlong;
    event_o.causes.partial_element = status_i.partial_element;
    event_o.causes.sparse_keep     = status_i.sparse_keep;
    event_o.causes.aborted         = status_i.aborted;
    event_o.descriptor             = due_i.descriptor;
    event_o.addr                   = end_i.data;
    event_o.status                 = status_i;
    event_o.bytes                  = bytes_i;
  end

  logic unused_in;
  assign unused_in = ^{end_i, due_i, style_i};

  localparam int unsigned StatusBits = $bits(status_t);
  `TSR_STATIC_ASSERT(StatusBits, StatusBits == 7, ("StatusBits = %0d; legal is 7", StatusBits))

endmodule
