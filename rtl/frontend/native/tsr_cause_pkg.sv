// Types between the registers of channels and what sets them.
package tsr_cause_pkg;
  import tsr_channel_pkg::descriptor_access_t;
  import tsr_channel_pkg::descriptor_id_t;
  import tsr_channel_pkg::sequencer_view_t;
  import tsr_descriptor_pkg::error_causes_t;
  import tsr_program_pkg::channel_t;
  import tsr_program_pkg::push_t;
  import tsr_program_pkg::record_word_e;
  import tsr_register_pkg::lock_access_t;
  import tsr_register_pkg::lock_answer_t;
  import tsr_registers_pkg::channel_word_e;

  // An access to a register of a channel. A read stays until its data have come.
  typedef struct packed {
    channel_t      channel;
    channel_word_e word;
    logic          write;
    logic [31:0]   data;
  } channel_access_t;

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

  // State of a channel when it was looked at last.
  typedef struct packed {
    logic pending;  // orders are not carried out
    logic stuck;
    logic missed;   // a trigger
  } looked_t;

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
    logic hold;     // `stop_on` has DECERR: behind a refused burst nothing goes on
    logic by_id;    // headers of packets choose the descriptors
    logic stop;     // an endless task ends with its turn
    logic give_up;  // a reset does not wait for the memory
    logic reset;
    logic aborts;
    logic drain;
    logic pause;
  } channel_orders_t;

endpackage
