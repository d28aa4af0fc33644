// Types of descriptor lists in memory: what registers say of a list, what the loader gets of it, what is
// written back of a transfer.
package tsr_list_pkg;
  import tsr_pkg::*;
  import tsr_fabric_pkg::*;
  import tsr_channel_pkg::*;

  localparam int unsigned ListIndexBits = 16;
  localparam int unsigned ListPartBytes = 64;  // a descriptor without extensions, or an extension
  localparam int unsigned ListPartBits = 8 * ListPartBytes;
  localparam int unsigned ListEntryBytes = 16;  // of the completion ring
  localparam int unsigned ListEntryBits = 8 * ListEntryBytes;

  typedef logic [ListIndexBits-1:0] list_index_t;

  // The registers of a channel's list. They are locked while the list is busy.
  typedef struct packed {
    logic [63:0] base;   // of descriptor 0, a multiple of 64
    list_index_t count;  // descriptors of an array, places of a ring
    logic [1:0]  pitch;  // from a descriptor to the next: multiples of 64 bytes, minus 1
    logic        ring;   // 0: an array
  } list_setup_t;

  typedef struct packed {
    logic [63:0] base;    // of entry 0 of the completion ring, a multiple of 64
    list_index_t count;   // its entries: as many as the list has places
    logic        enable;  // an entry for each descriptor
    logic [7:0]  per;     // entries from one interrupt to the next; 0: none
  } list_write_setup_t;

  // An entry is in memory; each is one cycle long.
  typedef struct packed {
    logic quiet;       // it does not interrupt
    logic interrupts;  // it does, for those before it too
  } list_told_t;

  // What went wrong with a completion entry.
  typedef enum logic [2:0] {
    WriteOk     = 3'd0,
    WriteBase   = 3'd1,  // the ring is not aligned, not in the address space, or has no entries
    WriteWindow = 3'd2,  // no window of the channel permits it
    WriteSlvErr = 3'd3,
    WriteDecErr = 3'd4,
    WriteFault  = 3'd5   // the memory broke the rules of its port, or is silent
  } list_write_error_e;

  // What a list says of itself, level by level.
  typedef struct packed {
    list_index_t head;  // next descriptor to be handed to the channel
    logic busy;  // open, or fetching, or entries are on their way
    list_write_error_e write_error;  // the first; stays until the channel is cleared
    list_index_t failed_index;  // of the descriptor whose entry that was
    logic [63:0] failed_addr;  // of that entry
    fault_e fault;  // the last one of the port; stays until the channel is cleared
  } list_state_t;

  // What 64 bytes of a descriptor are.
  typedef enum logic [1:0] {
    PartBase      = 2'd0,
    PartBounds    = 2'd1,
    PartTraversal = 2'd2
  } list_part_e;

  // A part of the descriptor that is next in its list. Base, bounds and traversal follow each other; of a
  // part with an error the words mean nothing.
  typedef struct packed {
    logic [15:0][31:0] words;
    list_part_e        part;
    logic              final_part;  // of the descriptor
    list_index_t       index;       // of the descriptor
    logic [63:0]       addr;        // of the descriptor
    logic              turn_end;    // the last descriptor of a turn of the task
    load_error_e       error;       // ends the descriptor, and the list until it is closed
  } list_part_t;

  // What the completion entry of a transfer says.
  typedef struct packed {
    logic [31:0]           tag;
    list_index_t           index;
    logic [BytesWidth-1:0] bytes;
    status_t               status;
    logic                  last;
    logic                  task_end;
    logic                  interrupts;  // also interrupts when it is in memory, whatever `per`
  } list_done_t;

  // The entry in memory, word 0 lowest. `phase` is 1 the first time round the ring, then 0, and so on.
  typedef struct packed {
    logic                  phase;     // word 3, bit 31
    logic [20:0]           zero;
    logic                  task_end;  // 9
    logic                  last;      // 8
    logic                  reserved;  // 7
    status_t               status;    // 6:0
    list_index_t           index;     // word 2, 31:16
    logic [BytesWidth-1:0] bytes;     // word 1, and 15:0 of word 2
    logic [31:0]           tag;       // word 0
  } list_entry_t;

  // ---- Inside the fetcher -----------------------------------------------------------------------

  // A part that was asked for, or that is known to be refused.
  typedef struct packed {
    logic [4:0]  channel;
    logic [4:0]  slot;        // of the base
    logic [1:0]  part;        // 0: the base
    logic        final_part;  // of those that were asked for after the base
    logic [1:0]  extensions;  // that the pitch has room for
    load_error_e error;       // it was not asked for
  } list_request_t;

  // What is kept of a descriptor beside its words.
  typedef struct packed {
    list_index_t index;
    logic        at_end;      // index 0 follows
    logic        ring;
    logic [1:0]  extensions;  // that the pitch has room for
  } list_place_t;

  // Extensions that a base asks for.
  typedef struct packed {
    logic [4:0] channel;
    logic [4:0] slot;
    logic [1:0] count;
  } list_extensions_t;

endpackage
