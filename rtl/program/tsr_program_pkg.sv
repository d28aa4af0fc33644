// Types of the programming side: jobs of the preparation and what comes back of them.
package tsr_program_pkg;
  import tsr_pkg::status_t;
  import tsr_core_pkg::slot_t;
  import tsr_channel_pkg::descriptor_id_t;
  import tsr_channel_pkg::descriptor_area_e;
  import tsr_channel_pkg::lock_id_t;
  import tsr_core_pkg::context_word_t;
  import tsr_channel_pkg::lock_op_t;
  import tsr_channel_pkg::side_t;
  import tsr_channel_pkg::header_request_t;
  import tsr_channel_pkg::task_t;
  import tsr_descriptor_pkg::error_causes_t;
  import tsr_descriptor_pkg::wait_e;
  import tsr_descriptor_pkg::descriptor_row3_t;
  import tsr_channel_pkg::descriptor_access_t;
  import tsr_channel_pkg::receive_state_t;
  import tsr_channel_pkg::sequencer_view_t;
  import tsr_register_pkg::lock_access_t;
  import tsr_register_pkg::lock_answer_t;
  import tsr_register_pkg::lock_command_e;

  // Channels of both directions: read channels first, then write channels.
  typedef logic [4:0] channel_t;

  // A context to prepare.
  typedef struct packed {
    channel_t   channel;
    slot_t      slot;
    logic       receives;    // stream to memory
    logic       from_list;   // `descriptor` is a place of the list memory
    logic [7:0] descriptor;
    logic       final_turn;  // the task ends with the chain, or with this one of a list
    logic       continues;   // the next tile of the traversal that the channel is in
    logic       cut;         // of `continues`: no further tile; the context is empty and the last
  } job_t;

  // The end of a job. Without an error all words of the context are written.
  typedef struct packed {
    channel_t   channel;
    slot_t      slot;
    logic       bad;
    logic [5:0] error;      // of a bad one: load_error_e, or a reason of the preparation
    logic       more;       // the transfer has further tiles: a job with `continues` is due
    logic       from_list;  // without `more` its place is free
    logic [7:0] place;      // of the list memory, or the descriptor
  } prepared_t;

  // ---- Registers and the sequencer --------------------------------------------------------------

  // A task for a channel.
  typedef struct packed {
    channel_t channel;
    task_t    item;
  } push_t;

  // Levels for a channel: of software, as in its register CONTROL, and of what surrounds the engine. Quiesce
  // counts as `drain`.
  typedef struct packed {
    logic pause;  // nothing new goes on the bus
    logic drain;  // no transfer is started
    logic aborts;
    logic reset;
    logic stop;  // an endless task ends with its turn
    logic by_id;  // headers of packets choose descriptors
    logic marks;  // its trigger is the frame mark of its stream
    logic hold;  // behind a refused burst all of the channel is refused
    logic [3:0] weight;  // of its share of the port, minus 1
    logic fault;  // the channel stops until it is reset
    logic lasts;  // a reset: its port has not recovered, or its stream not taken all
    logic trigger;  // is pending
    logic token_waits;  // a token of the channel is not sent
    receive_state_t receive;
  } orders_t;

  // Levels of the engine for a channel.
  typedef struct packed {
    logic idle;  // at rest: no transfer, and the memory owes nothing
    logic cut;  // the rest of the transfer at work is discarded; while another context of it is due
  } engine_state_t;

  // What happened to a channel, one a cycle.
  typedef struct packed {
    channel_t       channel;
    logic           finished;    // a transfer
    logic           delivered;   // a transfer with its data, for triggers of others
    logic           task_done;   // a task, with the data of its last transfer
    logic           interrupts;  // a descriptor with `interrupt`
    logic           record;      // a record went into the queue
    logic           empty;       // the task queue has become empty
    error_causes_t  causes;      // of an error
    descriptor_id_t descriptor;  // with `causes`
    logic [5:0]     reason;      // of a refused descriptor
    logic [63:0]    addr;        // of a bus error
    status_t        status;      // of a transfer that finished
    logic [19:0]    bytes;       // low bits of what it moved
  } sequencer_event_t;

  // A 32-bit word of the oldest record of a channel.
  typedef enum logic [3:0] {
    RecordHead      = 4'd0,  // register RECORD without bit 31 and the level
    RecordBytesLow  = 4'd1,
    RecordBytesHigh = 4'd2,
    RecordDropLow   = 4'd3,
    RecordDropHigh  = 4'd4,
    RecordTag       = 4'd5,
    RecordSide      = 4'd6,
    RecordStamp     = 4'd7,
    RecordAddrLow   = 4'd8,
    RecordAddrHigh  = 4'd9
  } record_word_e;

  // From registers to the sequencer beside tasks, and back. A record is read and popped at `read_channel`.
  typedef struct packed {
    lock_access_t lock;
    logic         lock_valid;
    channel_t     read_channel;
    record_word_e read_word;
    logic         pop;
    channel_t     view_channel;
  } sequencer_request_t;

  typedef struct packed {
    logic            lock_ready;
    lock_answer_t    lock;
    logic [31:0]     read;
    sequencer_view_t view;
  } sequencer_answer_t;

  // With more channels an arbiter of the sequencer has a cycle of its own.
  localparam int unsigned PicksAtOnce = 4;
  localparam int unsigned ReadsAtOnce = 8;  // with more, memories are read at the winner later

  // From registers to the sequencer and the preparation, and back. The program `tessera` sees views in them.
  typedef struct packed {
    push_t                      push;
    logic                       push_valid;
    descriptor_access_t access;
    logic                       access_valid;
    sequencer_request_t         sequencer;
  } program_request_t;

  typedef struct packed {
    logic              push_ready;    // of the channel of `push`
    logic              access_ready;
    logic              access_error;
    logic [31:0]       access_data;
    sequencer_answer_t sequencer;
  } program_answer_t;

  // To the engines of a port: words and launches of contexts; orders of channels; and back.
  typedef struct packed {
    logic          word_valid;
    channel_t      word_channel;
    context_word_t word;
    logic          go_valid;
    channel_t      go_channel;
  } port_contexts_t;

  typedef struct packed {
    logic       pause;
    logic       hold;
    logic [3:0] weight;
  } port_order_t;

  typedef struct packed {
    logic freed;  // its oldest context
    logic busy;
    logic cut;
    logic owed;   // by the memory
  } port_level_t;

  // ---- The engine and the sequencer -------------------------------------------------------------

  // What `data` of the end of a transfer is.
  typedef enum logic [1:0] {
    WordBytes,    // moved
    WordDropped,  // bytes of an overlong packet
    WordAddress   // of the first error response
  } end_word_e;

  // The end of a transfer.
  typedef struct packed {
    channel_t    channel;
    logic        slverr;
    logic        decerr;       // of the memory
    logic        denied;       // a burst was in no window
    logic        overlong;
    logic        sparse_keep;
    logic        aborted;
    logic        last;         // TLAST with the last byte
    logic [63:0] data;         // by end_word_e
    side_t       side;         // of the packet, with Side
  } transfer_end_t;

  // What goes beside the beats of a transfer that was loaded. `number`: of the transfer in its channel, modulo those
  // in flight.
  typedef struct packed {
    channel_t        channel;
    logic [3:0]      number;
    side_t           side;
    header_request_t header;
  } beside_t;

  // ---- Lists and the sequencer ------------------------------------------------------------------

  // A channel and its list, and back.
  typedef struct packed {
    logic open;   // a task takes its descriptors from the list,
    logic again;  // and goes on behind this turn
    logic take;   // the next descriptor: it was handed on in the cycle before
  } list_order_t;

  typedef struct packed {
    logic ready;   // the next descriptor has come
    logic coming;  // `ready` follows in two cycles, or not
    logic halt;    // an entry was not written
    logic zeroes;  // it is to begin anew: the reset of its channel lasts
  } list_state_t;

  // A row of a descriptor of a list, for the RAM of the preparation.
  typedef struct packed {
    logic [7:0]       place;
    descriptor_area_e area;
    logic [1:0]       row;
    logic [127:0]     data;
  } list_row_t;

  // The next descriptor of the list of a channel.
  typedef struct packed {
    logic [7:0]  place;     // in the list memory
    logic [15:0] index;     // in the list
    logic        turn_end;  // the last one of the turn
  } list_head_t;

  // A completion entry that is due.
  typedef struct packed {
    channel_t    channel;
    logic [31:0] tag;
    logic [15:0] index;
    logic [47:0] bytes;
    logic [6:0]  status;
    logic        last;
    logic        task_end;
    logic        interrupts;
  } list_entry_t;

  // All of the engine to the lists, and back, beside orders and states of channels.
  typedef struct packed {
    channel_t    head_channel;
    logic        refused;         // the job of `prepared`: the channel halts
    list_entry_t entry;
    logic        entry_valid;
    logic        row_ready;
    prepared_t   prepared;
    logic        prepared_valid;
  } to_lists_t;

  typedef struct packed {
    list_head_t head;         // of head_channel
    logic       entry_ready;
    list_row_t  row;
    logic       row_valid;
  } from_lists_t;

  // ---- Inside of the sequencer ------------------------------------------------------------------

  // Whose lock it is; neighbours are those of memory tiles of AI Engine-ML.
  typedef enum logic [1:0] {
    LockOwn,
    LockWest,
    LockEast
  } lock_side_e;

  // Memories begin with 0: a sweep writes them after reset.
  typedef struct packed {
    logic     valid;
    channel_t channel;
  } sweep_t;

  // A transfer on its way to the engine, or another context of it.
  typedef struct packed {
    channel_t       channel;
    slot_t          slot;
    descriptor_id_t descriptor;
    logic           first;         // context of its transfer
    logic           ordered;       // waits until all transfers before it are done
    logic           has_acquire;
    lock_op_t       acquire;
    lock_side_e     acquire_side;
  } launch_t;

  // From words 12 and 13: due at the end of a transfer.
  typedef struct packed {
    lock_side_e     side;        // of the lock of `drop`
    descriptor_id_t descriptor;
    logic           task_end;
    logic           token;
    lock_op_t       drop;        // the release; value 0: none
    logic [31:0]    tag;
  } due_t;

  // From words 14 and 15.
  typedef struct packed {
    logic       interrupts;
    logic       no_record;
    logic       finish;      // on TLAST
    logic [2:0] element;     // log2 of its bytes
  } style_t;

  // Of a descriptor of a list.
  typedef struct packed {
    logic        from_list;
    logic [15:0] index;
  } listed_t;

  // Abort, reset and halt of a channel.
  typedef struct packed {
    logic stop;      // an abort or a reset
    logic done;      // what it drops is gone
    logic in_reset;  // ... and it is a reset
    logic aborts;    // the engine is to abort
    logic halted;    // by a refused descriptor
    logic faulted;
  } stop_state_t;

  // A transfer that was loaded: what is due at its end, what goes beside its stream.
  typedef struct packed {
    logic            valid;
    channel_t        channel;
    logic [4:0]      seat;     // counts the transfers of the channel
    due_t            due;
    listed_t         listed;
    style_t          style;
    side_t           side;
    header_request_t header;
  } loaded_t;

  // Words 12 to 15 of the descriptor of a job.
  typedef struct packed {
    logic             valid;
    logic             ordered;  // the transfer waits until those before it are done
    descriptor_row3_t row;
  } shown_t;

  // A channel as the walk of tasks sees it.
  typedef struct packed {
    logic       ask;         // may be picked
    logic       open;        // neither halted nor stopping, nor in a transfer of several contexts
    logic       due;         // a further context of its transfer is due
    logic       clean;       // its abort may end
    logic       cut;         // of further contexts
    logic       stop;        // of an endless task
    logic       trigger;     // is pending
    logic       tokens;      // a token may be sent
    logic       list_ready;  // the next descriptor of its list has come
    logic       frames;      // each turn with a trigger is a frame
    logic       by_id;       // headers choose the first descriptor of a turn
    logic       id_valid;    // the next one has come
    logic [5:0] id;
    logic       seat;        // a seat of its records becomes free in this cycle
  } walk_channel_t;

  // What a channel that receives does at present.
  typedef struct packed {
    logic by_id;         // headers choose its descriptors
    logic held;          // no task begins
    logic hold_trigger;  // its trigger does not count
  } receive_turn_t;

  // A channel as others see its walk.
  typedef struct packed {
    logic  wants;    // has a task in its queue
    logic  loading;  // a descriptor is read or prepared
    wait_e waits;    // of the walk
    logic  begun;    // a task
    logic  empty;    // its queue has become empty, a cycle ago
    logic  take;     // the trigger
    logic  take_id;  // the header of a packet
  } walk_flag_t;

  // What a look has found.
  typedef struct packed {
    wait_e waits;       // WaitTask with a job; WaitReset: to be repeated
    logic  take;        // with the trigger
    logic  take_id;     // with the header
    logic  list_open;   // its task takes descriptors from the list,
    logic  list_again;  // and goes on behind this turn
  } walk_found_t;

  // A step of the job of the walk.
  typedef struct packed {
    slot_t slot;
    logic  accepted;
    logic  further;   // ... is a further context
    logic  tiled;     // the job is a transfer of several contexts
    logic  cleaned;
    logic  popped;    // a task
    logic  empty;     // ... the last one of the queue
  } walk_step_t;

  // Where the walk of a channel is in its task.
  typedef struct packed {
    logic           chained;  // `next` follows in the turn
    logic           later;    // not the first turn of the task
    descriptor_id_t next;
    logic [15:0]    turns;    // done
  } walk_state_t;

  // Of the transfer that was loaded last.
  typedef struct packed {
    logic [7:0]     descriptor;  // or place of the list
    descriptor_id_t name;        // of a list: low bits of its index
    logic           from_list;
    logic           final_turn;
  } walk_current_t;

  // What others know of the channel at a look.
  typedef struct packed {
    task_t      head;         // of its queue
    list_head_t next;         // of its list
    logic [4:0] given;        // transfers and records that are gone
    logic [4:0] ended;        // transfers that have ended
    slot_t      launch_slot;  // next to the engine
  } walk_view_t;

  // What the walk keeps of a channel, and changes of it.
  typedef struct packed {
    walk_state_t   state;
    logic [4:0]    seat;     // transfers that were loaded
    slot_t         slot;     // of the next context
    walk_current_t current;
  } walk_place_t;

  typedef struct packed {
    logic           state_valid;    // and seat
    logic           slot_valid;
    logic           current_valid;
    descriptor_id_t name;           // of `current`, for software
    walk_place_t    place;
  } walk_save_t;

  // A job with what its end needs, or the end of an abort.
  typedef struct packed {
    channel_t      channel;
    slot_t         slot;
    logic          clean;     // drops what the channel has
    logic          further;   // another context of the transfer
    logic          cut;
    logic          token;
    logic          turn_end;  // of a list
    logic [15:0]   index;     // in a list
    logic [15:0]   turns;
    logic [4:0]    place;     // of its task in the queue
    logic [4:0]    seat;      // number of its transfer
    walk_current_t current;   // its final_turn with `same` only
    logic [3:0]    same;      // turns are its repeats, by four bits each
  } walk_work_t;

  // A prepared context as its launch sees it.
  typedef struct packed {
    logic       bad;      // refused
    logic       ordered;  // waits until all transfers before it are done
    lock_side_e side;     // of the lock
    logic       first;    // context of its transfer
    logic       locks;
    lock_op_t   acquire;
  } launch_gate_t;

  // A refused descriptor.
  typedef struct packed {
    channel_t       channel;
    descriptor_id_t descriptor;
    logic [5:0]     reason;
  } refusal_t;

  // A channel as the launch of its contexts sees it.
  typedef struct packed {
    logic closed;   // no transfer is started
    logic stop;     // an abort or a reset: what was acquired is given back
    logic clean;    // what was prepared is forgotten
    logic running;  // a transfer was launched and is not retired
  } launch_channel_t;

  // And back.
  typedef struct packed {
    logic [2:0] made;    // contexts that wait for the engine
    logic       quiet;   // nothing to give back
    logic       locked;  // waits for its lock
  } launch_state_t;

  // A word of a record on its way into the memory.
  typedef struct packed {
    channel_t    channel;
    logic [1:0]  word;
    logic [79:0] data;     // without Side of 64 bits
    logic        written;
    logic        push;     // the record is complete
    logic        failed;   // ... and has words 2 and 3
    logic        skip;     // instead: a transfer without a record
  } record_put_t;

  // An access to the bank of locks.
  typedef struct packed {
    lock_command_e command;
    lock_op_t      op;
    logic          withdraw;  // instead: `channel` leaves the line
    channel_t      channel;
    logic          queues;    // of a channel: a counting acquire waits in line
    logic          queued;    // it does already
    logic          visits;    // of a channel of a neighbour: granted whoever waits in line
  } bank_access_t;

  typedef struct packed {
    logic     granted;
    logic     queued;   // waits in line
    lock_id_t value;
  } bank_answer_t;

  // From the locks to those of the neighbours.
  typedef struct packed {
    logic       valid;     // an access to a lock of `side`, until `done`
    lock_side_e side;
    logic       releases;  // else acquires if it can be granted at once
    lock_op_t   op;
    logic       visited;   // that of a neighbour is accepted: its report comes 2 cycles later
  } far_request_t;

  // And back.
  typedef struct packed {
    logic     done;
    logic     granted;
    logic     changed;   // a lock that was not granted
    logic     visits;    // a neighbour has an access to a lock here, until `visited`
    logic     releases;
    lock_op_t op;
  } far_answer_t;

  // An access to a lock was carried out: what did not fit, what was granted, what the lock becomes.
  typedef struct packed {
    logic     over;        // of a release
    logic     under;
    lock_id_t id;
    logic     by_channel;  // else by registers
    channel_t channel;
    logic     equal;       // an acquire of an equal value was granted
    logic     least;       // a counting one was
    logic     drop;        // a release
    logic     changed;     // the lock is `value`
    lock_id_t value;
  } lock_report_t;

  // A lock has changed.
  typedef struct packed {
    logic     changed;  // its value has
    logic     remote;   // that of one of a neighbour has
    logic     wake;     // `channel` is the first in line and may try
    channel_t channel;
  } lock_wake_t;

endpackage
