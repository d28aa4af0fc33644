// Types of the lists in memory: what the unit of all channels shares with registers, windows and
// inside.
package tsr_list_unit_pkg;
  import tsr_program_pkg::channel_t;
  import tsr_descriptor_pkg::*;
  import tsr_fabric_pkg::axi_attr_t;

  // ---- Registers and lists ----------------------------------------------------------------------

  // One access to a word LIST_*; word 0 is at offset 0x80 of the channel.
  typedef struct packed {
    logic        valid;
    channel_t    channel;
    logic [3:0]  word;
    logic        write;
    logic [31:0] data;
    logic [3:0]  strobe;
  } list_access_t;

  typedef struct packed {
    logic        ready;  // the access is done
    logic        error;
    logic [31:0] data;
  } list_answer_t;

  // Of a channel.
  typedef struct packed {
    logic in_reset;
    logic give_up;
  } list_reset_t;

  // A descriptor that was not loaded, or an entry that was not written.
  typedef struct packed {
    channel_t    channel;
    logic        entry;    // ERROR.write_back; else ERROR.load and ERROR.list
    logic [15:0] index;    // of the descriptor: its low 8 bits
    logic [5:0]  reason;   // load_error_e
    logic [63:0] addr;     // of the descriptor, of the entry
  } list_refusal_t;

  // A completion entry is in memory.
  typedef struct packed {
    logic     valid;
    channel_t channel;
    logic     interrupts;  // for those before it, too
  } list_written_t;

  // May this page be accessed?
  typedef struct packed {
    channel_t     channel;
    logic         write;
    logic [63:12] page;
  } list_check_t;

  typedef struct packed {
    logic ready;
    logic permitted;
  } list_permit_t;

  // ---- Inside -----------------------------------------------------------------------------------

  // What a visit of a channel is for.
  typedef enum logic [2:0] {
    VisitZero,       // its list begins anew
    VisitAccess,     // software
    VisitRefused,    // the address of a descriptor that was refused
    VisitLost,       // the address of an entry that was not written
    VisitEntry,      // the next entry
    VisitExtension,  // bounds or traversal of a descriptor
    VisitBase,       // the next descriptor
    VisitOpen        // its list opens
  } visit_kind_e;

  typedef struct packed {
    visit_kind_e kind;
    channel_t    channel;
    logic        clears;   // of VisitZero: the sweep behind a reset, and
    logic        high;     // which half of it
    logic [3:0]  slot;     // of VisitRefused, VisitExtension
    logic        walk;     // of VisitExtension: the traversal
    logic        second;   // ... behind bounds
    logic        last;     // ... nothing follows
    logic [15:0] number;   // of VisitLost: of the entry
    logic [7:0]  name;     // ... low bits of the index of its descriptor
    logic [1:0]  epoch;    // of VisitEntry
    logic [5:0]  reason;   // of VisitRefused, VisitLost
    logic        quiet;    // of VisitEntry: no interrupt of its own
  } visit_t;

  // What all that is known of channels is looked at for.
  typedef struct packed {
    visit_t look;   // begins,
    visit_t visit;  // is in its second step,
    logic   hold;   // and stays there, with what is known of its channel
    logic   act;    // does what it was for
  } list_step_t;

  // What a visit does.
  typedef struct packed {
    logic zero;     // its list begins anew,
    logic clears;   // in the sweep behind a reset
    logic asks;     // for a descriptor
    logic opens;
    logic numbers;  // an entry
    logic loses;    // an entry is the first that was not written
    logic rests;    // and finds nothing more to do
  } list_does_t;

  // Registers of a list.
  typedef struct packed {
    logic [63:0] base;     // of descriptors; for an entry that of entries
    logic [2:0]  lost;     // first error of an entry
    logic        empty;    // no places
    logic        beyond;   // the tail is
    logic [15:0] count;
    logic [15:0] tail;
    logic [7:0]  per;      // entries from one interrupt to the next
    logic [1:0]  pitch;
    logic        entries;
    logic        ring;
  } list_setup_t;

  // Where the places of a channel are.
  typedef struct packed {
    logic [15:0] head;    // index of the next descriptor to be handed on
    logic [1:0]  turns;   // of an array: that of what was handed on last
    logic        room;    // for a descriptor,
    logic        last;    // and for no other
    logic        owed;    // something that was asked for has not come
    logic        flawed;  // the list is not aligned, or not in the address space
    logic [3:0]  slot;    // the place that is asked for, or to which the visit belongs
    logic        parity;  // of what comes there
  } list_places_t;

  // Numbers of a channel.
  typedef struct packed {
    logic [15:0] index;       // what the address is made of
    logic [15:0] behind;      // what is kept
    logic [1:0]  turns;       // how often the array was fetched, the ring of entries written
    logic        at_end;      // number 0 follows
    logic        interrupts;  // enough entries since the last interrupt
  } list_number_t;

  // A burst that was asked for, or is known to be refused.
  typedef struct packed {
    channel_t   channel;
    logic [3:0] slot;
    logic       parity;   // of its place
    logic [1:0] area;     // descriptor_area_e
    logic       last;     // the descriptor is complete
    logic       at_end;   // index 0 follows
    logic       ring;
    logic [1:0] pitch;
    logic [3:0] code;     // load_error_e - 32; 0: none
  } list_request_t;

  // All that is known of the channel of a visit, but the epoch of its entries.
  typedef struct packed {
    list_setup_t  setup;
    list_places_t places;
    list_number_t number;
  } list_known_t;

  // A direction of the port.
  typedef struct packed {
    logic   ready;   // has room for a request, an entry,
    logic   free;    // and the bus is free for it
    logic   failed;
    logic   rests;   // nothing is on the bus
    fault_e fault;   // in one cycle
  } list_way_t;

  // Where a burst goes.
  typedef struct packed {
    logic [63:4] addr;
    axi_attr_t   attr;
  } list_target_t;

  // An entry that waits for its visit.
  typedef struct packed {
    channel_t   channel;
    logic [1:0] epoch;
    logic       interrupts;
    logic [7:0] name;        // low bits of the index of its descriptor
  } list_waiting_t;

  // What a visit has found, on its way to its end.
  typedef struct packed {
    logic asks;  // a descriptor, an extension
    logic enters;  // an entry
    logic opens;  // a list
    logic reports;  // what was refused, an entry
    logic loses;  // that was lost
    list_request_t request;  // its parity: of an entry the phase; its code: of an entry in 3 bits
    logic [15:0] number;  // of an entry
    logic [7:0] name;  // of a report: low bits of the index of the descriptor
    logic [5:0] reason;
    logic [1:0] epoch;
    logic interrupts;
    logic misplaced;  // the base
    logic [63:4] base;
    logic [19:0] offset;  // in units of 16 bytes
  } list_item_t;

  // A list has opened.
  typedef struct packed {
    logic     valid;
    channel_t channel;
    logic     flawed;
  } list_opened_t;

  // Extensions that a base has asked for.
  typedef struct packed {
    logic       valid;
    channel_t   channel;
    logic [3:0] slot;
    logic       bounds;
    logic       walk;
  } list_wanted_t;

  // A base or a whole descriptor has come.
  typedef struct packed {
    logic       base;            // the first 64 bytes
    logic       whole;
    logic       spoilt;          // by a fault
    logic       coming;          // of this channel, in the next cycle but one, perhaps
    channel_t   coming_channel;
    channel_t   channel;
    logic [3:0] slot;
    logic       parity;
    logic       bad;
    logic       turn_end;
    logic       at_end;
  } list_came_t;

  // What the watch over a direction of the port is told.
  typedef struct packed {
    logic tick;
    logic closed;   // no list is open
    logic give_up;
  } list_watch_t;

  // What was refused by the preparation.
  typedef struct packed {
    channel_t   channel;
    logic [3:0] slot;
    logic [5:0] reason;
  } list_refused_t;

  // An entry whose answer is due.
  typedef struct packed {
    channel_t    channel;
    logic [15:0] number;
    logic [7:0]  name;
    logic [1:0]  epoch;
    logic        interrupts;
    logic        phase;
    logic [2:0]  code;        // 0: on the bus; EntryDropped; else load_error_e - 48
  } list_sent_t;

  // Codes of requests and entries: low bits of the reason.
  localparam logic [3:0] CodeNone = 4'(LoadNone);
  localparam logic [3:0] CodeFetch = 4'(LoadListFetch);
  localparam logic [3:0] CodeWindow = 4'(LoadListWindow);
  localparam logic [3:0] CodeDecode = 4'(LoadListDecode);
  localparam logic [3:0] CodeBase = 4'(LoadListBase);
  localparam logic [3:0] CodeCount = 4'(LoadListCount);
  localparam logic [3:0] CodeTail = 4'(LoadListTail);
  localparam logic [3:0] CodePitch = 4'(LoadListPitch);
  localparam logic [3:0] CodeFault = 4'(LoadListFault);
  localparam logic [2:0] EntryNone = 3'(LoadNone);
  localparam logic [2:0] EntryBase = 3'(LoadEntryBase);
  localparam logic [2:0] EntryWindow = 3'(LoadEntryWindow);
  localparam logic [2:0] EntrySlvErr = 3'(LoadEntrySlverr);
  localparam logic [2:0] EntryDecErr = 3'(LoadEntryDecerr);
  localparam logic [2:0] EntryFault = 3'(LoadEntryFault);
  localparam logic [2:0] EntryDropped = 3'd7;

endpackage
