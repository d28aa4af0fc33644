// Types of a programmed channel: tasks, what is loaded of a descriptor, locks, completion records, and
// what registers say to a channel and a channel says to registers.
//
// Widths that software sees are fixed here; a build with fewer descriptors or locks refuses the numbers
// that it does not have.
package tsr_channel_pkg;
  import tsr_descriptor_pkg::*;

  localparam int unsigned DescriptorBits = 8;  // number of a descriptor
  localparam int unsigned LockBits = 6;  // number of a lock, and its value

  typedef logic [DescriptorBits-1:0] descriptor_id_t;
  typedef logic [LockBits-1:0] lock_id_t;
  typedef logic signed [LockBits:0] lock_amount_t;

  // ---- Descriptor RAM ---------------------------------------------------------------------------

  typedef enum logic [1:0] {
    AreaBase   = 2'd0,
    AreaBounds = 2'd1,
    AreaWalk   = 2'd2,
    AreaTurns  = 2'd3   // one word: turns done of the iteration
  } descriptor_area_e;

  // One access of a register port.
  typedef struct packed {
    logic             write;
    descriptor_area_e area;
    descriptor_id_t   descriptor;
    logic [3:0]       word;
    logic [31:0]      data;
    logic [3:0]       strobe;
  } descriptor_access_t;

  // ---- Tasks ------------------------------------------------------------------------------------

  // A chain of descriptors and how often it is executed. Set by software with one write.
  typedef struct packed {
    logic           endless;    // until `stop`; `repeats` is ignored
    logic           token;      // a task-complete token at its end
    logic           trigger;    // waits for the trigger before its first turn
    logic           paced;      // waits for the trigger before each turn
    logic [15:0]    repeats;    // turns, minus 1
    descriptor_id_t start;      // first descriptor of the chain; ignored by a list
    logic           from_list;  // the descriptors come from memory
    logic [31:0]    tag;        // any number, for the record
  } task_t;

  // ---- Locks ------------------------------------------------------------------------------------

  // Acquire with a negative value: waits for lock >= -value and subtracts -value. Else waits for
  // lock == value and leaves it as it is. A release adds its value.
  typedef struct packed {
    lock_id_t     id;
    lock_amount_t value;
  } lock_op_t;

  // ---- A descriptor on its way ------------------------------------------------------------------

  typedef descriptor_side_t side_t;  // what travels beside the beats of a transfer

  typedef struct packed {
    logic       enable;  // a header word goes before the data
    logic [2:0] kind;
    logic [5:0] bd;
    logic [4:0] id;
  } header_request_t;

  // ---- Triggers ---------------------------------------------------------------------------------

  // Kind of the event that a channel waits for; a number chooses within the kind.
  typedef enum logic [2:0] {
    TriggerOwn       = 3'd0,  // 0: none, 1: the frame mark of the channel's own stream
    TriggerPin       = 3'd1,
    TriggerSoftware  = 3'd2,
    TriggerReadDone  = 3'd4,  // a transfer of a read channel
    TriggerWriteDone = 3'd5,
    TriggerReadTask  = 3'd6,  // a task of a read channel
    TriggerWriteTask = 3'd7
  } trigger_kind_e;

  typedef struct packed {
    trigger_kind_e kind;
    logic [3:0]    number;
  } trigger_select_t;

  // ---- Registers and channels -------------------------------------------------------------------

  // From a channel that writes memory to what stands in front of its engine.
  typedef struct packed {
    logic by_id;    // takes the headers of packets off; changes behind a cycle with `clear`
    logic clear;    // forgets what has been taken of packets
    logic marks;    // frames begin with a mark and wait for their trigger
    logic hunt;     // a trigger is waited for, no transfer is in hand, and nothing was taken ahead
    logic restart;  // before a hunt: what was taken ahead is forgotten, nothing is taken
    logic retakes;  // a beat that is shown to the engine may be taken back
    logic take_id;  // the header that was shown is used
    logic forget;   // the engine has no transfer, and drops what it has taken ahead
    logic anew;     // ... for a frame: the stream begins anew
  } receive_control_t;

  // And back.
  typedef struct packed {
    logic       mark;      // the beginning of a frame has been found; one cycle
    logic       id_valid;  // until it is taken
    logic [5:0] id;        // of the next packet
  } receive_state_t;

  // Levels of a channel for registers.
  typedef struct packed {
    logic idle;  // nothing is in the engine; after an abort or a reset: done
    logic in_reset;  // a reset is done and still asked for
    logic halted;  // a descriptor was refused
    logic faulted;  // a record had a bit of `stop_on`
    logic busy;  // a task or a transfer is not finished
    logic running;  // a transfer was launched and has not ended
    logic locked;  // the next transfer waits for its lock
    logic tasks;  // a task has descriptors that are not loaded
    logic full;  // nothing is loaded: no room for a record, or a token is not sent
    logic dropping;  // beats of the channel are dropped: an abort, or a new beginning of its stream
  } channel_levels_t;

  // State of the channel that registers look at.
  typedef struct packed {
    wait_e           waits;       // of the channel; the engine knows more of WaitMemory
    wait_e           next_waits;  // of the next transfer
    lock_id_t        lock;        // that the next transfer waits for
    descriptor_id_t  descriptor;  // loaded last
    descriptor_id_t  oldest;      // of the transfer that ends next; without one as `descriptor`
    logic [4:0]      room;        // of the task queue
    logic [4:0]      records;     // that wait
    logic            in_task;     // a task has begun and its last descriptor is not loaded
    channel_levels_t levels;
  } sequencer_view_t;

  // A channel on its port and its stream.
  typedef struct packed {
    logic   owed;     // an address is on its way, or the memory has not answered all
    logic   failed;   // the port has a fault
    logic   faulted;  // the channel was at work when it came
    fault_e fault;
    logic   stuck;    // a reset waits for answers that do not come
    logic   waits;    // for the stream
    logic   busy;     // beats have left the engine and not the channel
  } port_view_t;

endpackage
