// Types between the registers and what they steer and show: of the whole, of channels, of their streams.
package tsr_cause_pkg;
  import tsr_channel_pkg::descriptor_id_t;
  import tsr_channel_pkg::trigger_select_t;
  import tsr_descriptor_pkg::error_causes_t;
  import tsr_descriptor_pkg::fault_e;
  import tsr_fabric_pkg::rest_t;
  import tsr_onchip_pkg::onchip_event_t;
  import tsr_program_pkg::channel_t;
  import tsr_program_pkg::lock_report_t;
  import tsr_program_pkg::sequencer_event_t;
  import tsr_register_pkg::bus_request_t;
  import tsr_register_pkg::packet_setup_t;
  import tsr_register_pkg::stream_events_t;
  import tsr_registers_pkg::channel_word_e;

  // An access to a register of a channel. A read stays until its data have come.
  typedef struct packed {
    channel_t      channel;
    channel_word_e word;
    logic          write;
    logic [31:0]   data;
  } channel_access_t;

  // What an access is; but for the first two, of a channel.
  typedef struct packed {
    logic sets;       // a register is written
    logic partial;    // some bytes of one are
    logic views;      // reads, or takes a record
    logic pops;
    logic pushes;
    logic lacks;      // the build has not what the task wants
    logic causes;
    logic coalesces;
    logic present;
    logic writable;
  } kind_t;

  // Errors that belong to a descriptor, which ERROR_INFO names.
  localparam error_causes_t NamedCauses = '{
      load: 1'b1,
      bus: 1'b1,
      overlong: 1'b1,
      partial_element: 1'b1,
      sparse_keep: 1'b1,
      illegal: 1'b1,
      aborted: 1'b1,
      denied: 1'b1,
      write_back: 1'b1,
      default: 1'b0
  };

  // Pulses of a channel that wait until it is looked at.
  typedef struct packed {
    logic lock_over;   // a release saturated
    logic lock_under;
    logic entries;     // completion entries that interrupt are in memory
    logic ordered;     // an order was given
  } slow_causes_t;

  // What software has asked of a channel, and how it stands.
  typedef struct packed {
    logic pause;
    logic drain;
    logic aborts;
    logic reset;
    logic paused;
    logic idle;
    logic in_reset;
    logic stuck;
    logic faulted;
  } order_state_t;

  // What a look at a channel finds.
  typedef struct packed {
    slow_causes_t slow;
    logic         faulted;
    fault_e       fault;    // another one than before
    logic         missed;   // a trigger, since ERROR was written
    logic         reached;  // orders are carried out
    logic         stuck;
  } found_t;

  typedef struct packed {
    logic           full;        // the queue of records
    descriptor_id_t descriptor;  // loaded last
  } poll_view_t;

  // A completion entry is in memory.
  typedef struct packed {
    logic     valid;
    channel_t channel;
    logic     interrupts;
  } entry_event_t;

  // Levels of software for a channel.
  typedef struct packed {
    trigger_select_t trigger;
    logic [3:0]      weight;   // of its share of the port, minus 1
    logic            hold;     // `stop_on` has DECERR: behind a refused burst nothing goes on
    logic            by_id;    // headers of packets choose the descriptors
    logic            stop;     // an endless task ends with its turn
    logic            give_up;  // a reset does not wait for the memory
    logic            reset;
    logic            aborts;
    logic            drain;
    logic            pause;
  } channel_orders_t;

  // What happened in a cycle, to channels and locks.
  typedef struct packed {
    lock_report_t     locks;
    logic             event_valid;
    sequencer_event_t channel;
    entry_event_t     entry;
  } report_t;

  // ---- Registers of channels that stand elsewhere -------------------------------------------------

  // An access, to one of them or to none. Held until the answer is ready.
  typedef struct packed {
    logic         windows;
    logic         counters;
    logic         lists;
    channel_t     channel;
    bus_request_t bus;
  } outer_request_t;

  // 0 without an access of its own.
  typedef struct packed {
    logic        ready;
    logic        error;  // refused, and nothing has changed
    logic [31:0] data;
  } outer_answer_t;

  // ---- The whole ----------------------------------------------------------------------------------

  typedef struct packed {
    logic [31:0]   cycles;
    logic          quiesce;
    logic          tick;          // the cycle counts for time-outs
    logic          freeze;        // of counters
    logic          clear;         // of counters; one cycle
    logic [15:0]   trigger;       // of software; one cycle
    packet_setup_t packets;
    logic [3:0]    packet_clear;  // of errors; one cycle
    logic [1:0]    inject;        // what is wrong with the next word of the on-chip buffer
    logic          irq;
  } global_orders_t;

  typedef struct packed {
    rest_t rest;
    logic [1:0][7:0] stray;  // of port p mod 8, reads and writes: an answer too many; one cycle
    logic misrouted;  // one cycle
    logic start_refused;
    logic [3:0] packet_errors;
    onchip_event_t onchip;
    logic injected;
  } global_state_t;

  // ---- Streams of channels ------------------------------------------------------------------------

  typedef struct packed {
    logic in_reset;
    logic dropping;
    logic reset;      // by software
    logic excused;    // it may be silent
    logic timed_out;  // the stream was silent for too long
  } stream_orders_t;

  typedef struct packed {
    fault_e         fault;   // one cycle
    logic           waits;   // a beat is missing, or is not taken
    logic           busy;    // beats have left the engine and not the channel
    stream_events_t events;  // a cycle late
  } stream_state_t;

endpackage
