// Types of the programming side: jobs of the preparation and what comes back of them.
package tsr_program_pkg;
  import tsr_core_pkg::*;

  // Channels of both directions: read channels first, then write channels.
  typedef logic [4:0] channel_t;

  // A context to prepare.
  typedef struct packed {
    channel_t   channel;
    slot_t      slot;
    logic       receives;    // stream to memory
    logic       from_list;   // `descriptor` is a place of the list memory
    logic [7:0] descriptor;
    logic       final_turn;  // the task ends with the chain
    logic       continues;   // the next tile of the traversal that the channel is in
    logic       cut;         // of `continues`: no further tile; the context is empty and the last
  } job_t;

  // The end of a job. Without an error all words of the context are written.
  typedef struct packed {
    channel_t   channel;
    slot_t      slot;
    logic [5:0] error;    // load_error_e, or a reason of the preparation; 0: none
    logic       more;     // the transfer has further tiles: a job with `continues` is due
  } prepared_t;

endpackage
