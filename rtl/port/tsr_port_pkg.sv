// Types at the edges of the ports of an engine.
package tsr_port_pkg;

  import tsr_descriptor_pkg::*;
  import tsr_fabric_pkg::*;

  // Levels, from the control of channels.
  typedef struct packed {
    logic clear;    // a channel of this port is in reset and waits for the port: a fault may end
    logic forget;   // with clear: also while the memory owes answers
    logic quiesce;  // show no new address
    logic tick;     // this cycle counts for time-outs
  } port_control_t;

  typedef struct packed {
    logic failed;     // level: from a fault on, until it is cleared
    logic stuck;      // level: asked to clear, and the bus does not move
    logic quiet;      // level: the memory owes nothing, and no address or write data is on show
    logic timed_out;  // level: quiesce, and the bus does not move
    logic stray;      // one cycle: an answer that belongs to no burst was dropped
  } port_state_t;

  // A fault, for one cycle. `owed_o` of this cycle says which channels wait for the memory.
  typedef struct packed {
    logic   valid;
    fault_e cause;  // EarlyLast, LateLast, Unasked, Early or BusTime
  } port_fault_t;

  // What happens to the address on show.
  typedef struct packed {
    logic [3:0] channel;
    logic       burst;    // the memory takes it
    logic       blocked;  // it waits
  } port_event_t;


  // Registers of windows. A request stays until `ready`.
  typedef struct packed {
    logic         valid;
    logic         write;
    logic [4:0]   channel;
    logic [3:0]   number;
    window_word_e word;
    logic [31:0]  data;
    logic [3:0]   strobe;
  } window_request_t;
  typedef struct packed {
    logic        ready;  // for one cycle
    logic        error;  // nothing has been written
    logic [31:0] data;
  } window_response_t;

endpackage
