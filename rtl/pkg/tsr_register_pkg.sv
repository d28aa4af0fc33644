// Types between registers and what they steer: the internal register bus, accesses to locks, events and
// errors of a channel, what a build has.
package tsr_register_pkg;
  import tsr_channel_pkg::*;

  // ---- The internal register bus ----------------------------------------------------------------

  localparam int unsigned BusBits = 20;  // of a byte address, of all front ends
  localparam int unsigned RegisterBits = 18;  // of tessera_dma; what is above them is 0

  // One access. Held with its valid until ready; the answer counts in the cycle of ready.
  typedef struct packed {
    logic               write;
    logic [BusBits-1:2] word;    // address / 4
    logic [31:0]        data;    // of a write; of a read anything, and it may change
    logic [3:0]         strobe;  // likewise
  } bus_request_t;

  typedef struct packed {
    logic        error;  // refused, and nothing has changed
    logic [31:0] data;   // of a read without error
  } bus_answer_t;

  // Where an address is; one bit, or none where nothing is mapped.
  typedef struct packed {
    logic globals;
    logic channel;
    logic lists;
    logic counters;
    logic count_lock;  // value and release of a lock
    logic try_lock;
    logic window;
    logic memory;      // descriptors
  } region_t;

  // What control packets may do. `first` and `last` are addresses / 4, both included.
  typedef struct packed {
    logic               enable;
    logic               check_last;
    logic [BusBits-1:2] first;
    logic [BusBits-1:2] last;
  } packet_setup_t;

  // ---- Locks ------------------------------------------------------------------------------------

  typedef enum logic [1:0] {
    LockRead    = 2'd0,
    LockSet     = 2'd1,  // to the low bits of `op.value`
    LockRelease = 2'd2,
    LockTry     = 2'd3   // acquires if it can be granted at once
  } lock_command_e;

  // Held with its valid until ready; the answer counts in the cycle of ready.
  typedef struct packed {
    lock_command_e command;
    lock_op_t      op;
  } lock_access_t;

  typedef struct packed {
    logic     granted;  // of LockTry
    lock_id_t value;    // of LockRead
  } lock_answer_t;

  // ---- AXI4-Lite --------------------------------------------------------------------------------

  // From the master, and back. Addresses are extended with 0.
  typedef struct packed {
    logic [BusBits-1:0] aw_addr;
    logic               aw_valid;
    logic [31:0]        w_data;
    logic [3:0]         w_strb;
    logic               w_valid;
    logic               b_ready;
    logic [BusBits-1:0] ar_addr;
    logic               ar_valid;
    logic               r_ready;
  } axil_req_t;

  typedef struct packed {
    logic        aw_ready;
    logic        w_ready;
    logic [1:0]  b_resp;
    logic        b_valid;
    logic        ar_ready;
    logic [31:0] r_data;
    logic [1:0]  r_resp;
    logic        r_valid;
  } axil_rsp_t;

  // ---- Counters ---------------------------------------------------------------------------------

  // A stream in a cycle; `last` and `bytes` of the beat that is valid.
  typedef struct packed {
    logic       valid;
    logic       ready;
    logic       last;
    logic [7:0] bytes;
  } stream_events_t;

  // A channel in a cycle, its stream and its port aside.
  typedef struct packed {
    logic busy;
    logic running;   // a transfer is in the engine
    logic lock;      // nothing runs: a lock is waited for
    logic transfer;  // done
  } activity_t;

endpackage
