// The images of AI Engine-ML tiles: what each has, where its registers are, and types between the modules
// of their front end.
//
// Offsets are bytes within the tile, which has a megabyte. Channels of a direction are numbered as in
// the tile; arrays over all channels hold MM2S first, then S2MM, as everywhere in this IP.
package tsr_aieml_pkg;
  import tsr_descriptor_pkg::*;
  import tsr_channel_pkg::*;

  // Values of the parameter Image.
  localparam int unsigned ImageMemory = 0;
  localparam int unsigned ImageShim = 1;
  localparam int unsigned ImageCompute = 2;

  localparam int unsigned Words = 8;  // of a descriptor; a compute tile has 6
  localparam int unsigned QueueDepth = 4;
  localparam int unsigned Unbounded = 2 ** 30 - 1;  // words: more than any length

  typedef struct packed {
    int unsigned Channels;     // of a direction
    int unsigned Descriptors;
    int unsigned Locks;
    int unsigned Counters;
    int unsigned AddrWidth;    // of the engines
    int unsigned Activity;     // event: the first channel starts a task
    int unsigned Selectors;    // of lock events
    logic [19:0] Descriptor;   // 32 bytes each
    logic [19:0] S2mmControl;  // control and queue, 8 bytes a channel
    logic [19:0] Mm2sControl;
    logic [19:0] S2mmStatus;   // 4 bytes a channel
    logic [19:0] Mm2sStatus;
    logic [19:0] Count;
    logic [19:0] Fifo;
    logic [19:0] Lock;         // 16 bytes each
    logic [19:0] LockEvents;   // 4 bytes each
    logic [19:0] LockOver;     // 4 bytes for 32 locks
    logic [19:0] LockUnder;
    logic [19:0] LockRequest;  // 1024 bytes each
    logic [19:0] Events;       // performance counters
    logic [19:0] Ports;        // monitored ports
    logic [19:0] Packets;      // errors of control packets
  } image_t;

  localparam logic [19:0] EventChannels = 20'ha06a0;  // of the memory tile
  localparam logic [19:0] Page = 20'hf8000;  // what the originals do not have

  function automatic image_t image_of(input int unsigned image);
    case (image)
      ImageMemory:
      return
      '{
          Channels: 6,
          Descriptors: 48,
          Locks: 64,
          Counters: 4,
          AddrWidth: 32,
          Activity: 21,
          Selectors: 8,
          Descriptor: 20'ha0000,
          S2mmControl: 20'ha0600,
          Mm2sControl: 20'ha0630,
          S2mmStatus: 20'ha0660,
          Mm2sStatus: 20'ha0680,
          Count: 20'ha06b0,
          Fifo: 20'ha06c8,
          Lock: 20'hc0000,
          LockEvents: 20'hc0400,
          LockOver: 20'hc0420,
          LockUnder: 20'hc0428,
          LockRequest: 20'hd0000,
          Events: 20'h91000,
          Ports: 20'hb0f00,
          Packets: 20'hb0f30
      }
      ;
      ImageShim:
      return
      '{
          Channels: 2,
          Descriptors: 16,
          Locks: 16,
          Counters: 2,
          AddrWidth: 48,
          Activity: 14,
          Selectors: 6,
          Descriptor: 20'h1d000,
          S2mmControl: 20'h1d200,
          Mm2sControl: 20'h1d210,
          S2mmStatus: 20'h1d220,
          Mm2sStatus: 20'h1d228,
          Count: 20'h1d230,
          Fifo: 20'h1d238,
          Lock: 20'h14000,
          LockEvents: 20'h14100,
          LockOver: 20'h14120,
          LockUnder: 20'h14128,
          LockRequest: 20'h40000,
          Events: 20'h31000,
          Ports: 20'h3ff00,
          Packets: 20'h3ff30
      }
      ;
      default:
      return
      '{
          Channels: 2,
          Descriptors: 16,
          Locks: 16,
          Counters: 2,
          AddrWidth: 32,
          Activity: 19,
          Selectors: 8,
          Descriptor: 20'h1d000,
          S2mmControl: 20'h1de00,
          Mm2sControl: 20'h1de10,
          S2mmStatus: 20'h1df00,
          Mm2sStatus: 20'h1df10,
          Count: 20'h1df18,
          Fifo: 20'h1df20,
          Lock: 20'h1f000,
          LockEvents: 20'h1f100,
          LockOver: 20'h1f120,
          LockUnder: 20'h1f128,
          LockRequest: 20'h40000,
          Events: 20'h11000,
          Ports: 20'h3ff00,
          Packets: 20'h3ff30
      }
      ;
    endcase
  endfunction

  // ---- Registers --------------------------------------------------------------------------------

  // Who answers; one bit, or none where nothing is.
  typedef struct packed {
    logic descriptor;
    logic control;
    logic start;           // the queue
    logic status;
    logic count;
    logic fifo;
    logic lock;
    logic request;         // of a lock, by address
    logic over;
    logic under;
    logic counters;
    logic ports;           // that are monitored
    logic lock_events;
    logic event_channels;
    logic packets;
    logic page;
  } aieml_region_t;

  // One access of the register port to the words of descriptors.
  typedef struct packed {
    logic        write;
    logic [5:0]  descriptor;
    logic [2:0]  word;
    logic [31:0] data;
  } aieml_access_t;

  // The page. Bits of channels: S2MM c is bit c, MM2S c is bit 16 + c.
  typedef enum logic [6:0] {
    PageId         = 7'h00,
    PageBuild      = 7'h01,
    PageErrors     = 7'h02,  // bits of page_errors_t, write 1 to clear
    PageAddress    = 7'h03,  // of the first access that was refused
    PageWest       = 7'h04,  // 2 words each: 0 present, 63:12 base
    PageLocal      = 7'h06,
    PageEast       = 7'h08,
    PagePlace      = 7'h0a,  // 27:21 column, 20:16 row, as in a token
    PageReset      = 7'h0c,
    PagePackets    = 7'h0d,  // 0 enable, 1 check TLAST
    PageTasks      = 7'h10,  // done, write 1 to clear
    PageFaults     = 7'h11,  // a channel has stopped or refused a task, write 1 to clear
    PageTasksMask  = 7'h12,  // those that interrupt
    PageFaultsMask = 7'h13,
    PageS2mm       = 7'h20,  // 16 words: page_channel_t
    PageMm2s       = 7'h30
  } page_word_e;

  function automatic logic page_only_read(input logic [6:0] word);
    return word == PageId || word == PageBuild || word == PageAddress || word[6:5] == 2'b01;
  endfunction

  typedef struct packed {
    logic reserved;  // a write of 1 to a bit that means nothing
    logic partial;   // a write of part of a word
    logic absent;    // no such register, or not to be read or written so
  } page_errors_t;

  typedef struct packed {
    logic [9:0] zero;
    logic       faulted;     // stopped by a transfer
    logic       halted;      // stopped by a descriptor
    wait_e      waits;
    logic [7:0] descriptor;  // that was not loaded
    logic [1:0] zero1;
    logic [5:0] reason;      // load_error_e, or descriptor_error_e
  } page_channel_t;

  localparam logic [31:0] PageMagic = 32'h5445_0100;  // and the image

  // Where the tile stands.
  typedef struct packed {
    logic [6:0] column;
    logic [4:0] row;
  } aieml_place_t;

  // Where in the address space of AXI a window of the local addresses is.
  typedef struct packed {
    logic [63:12] base;
    logic         present;
  } aieml_window_t;

  // Bits of the registers that mean something: the others read 0.
  function automatic logic [31:0] control_bits(input int unsigned image, input logic receives);
    if (image == ImageShim) return receives ? 32'h0003_ff0e : 32'h0000_ff06;
    return receives ? 32'h0003_ff1a : 32'h0000_ff12;
  endfunction
  localparam logic [31:0] PortBits = 32'h3f3f_3f3f;
  localparam logic [31:0] EventChannelBits = 32'h0707_0707;
  function automatic logic [31:0] lock_event_bits(input int unsigned image);
    return image == ImageMemory ? 32'h003f_003f : 32'h000f_003f;
  endfunction
  function automatic logic [31:0] counter_bits(input int unsigned counters, input logic [5:0] word);
    if (counters == 4 || word > 6'd2) return '1;
    return word == 6'd0 ? 32'h7f7f_7f7f : 32'h0000_7f7f;
  endfunction

  // ---- Events -----------------------------------------------------------------------------------

  localparam int unsigned Events = 160;
  localparam int unsigned EventTrue = 1;
  localparam int unsigned EventCounter = 5;  // the first counter has reached its value
  // Of channels, after Activity: two channels to memory, then two to streams.
  localparam int unsigned EventFinishedBd = 4;
  localparam int unsigned EventFinishedTask = 8;
  localparam int unsigned EventLock = 12;
  localparam int unsigned EventStream = 16;
  localparam int unsigned EventMemory = 20;
  localparam int unsigned EventSelector = 25;  // 4 each: equal, at least, release, value
  // Of monitored ports, 4 each: idle, running, stalled, TLAST.
  localparam int unsigned EventPortMemory = 79;
  localparam int unsigned EventPortShim = 77;

  // What a channel does in a cycle.
  typedef struct packed {
    logic starts;         // a task
    logic finished_bd;
    logic finished_task;
    logic lock;           // waits for one
    logic on_stream;      // waits for the stream
    logic on_memory;      // waits for memory, or its buffers are full
    logic fault;
    logic token;          // waits for room for a token
  } aieml_activity_t;

  // ---- Locks of neighbours ----------------------------------------------------------------------

  // The pins from a tile to one beside it; all but `up` and what goes with one of the others last a cycle.
  typedef struct packed {
    logic     up;        // out of reset
    logic     changed;   // a lock that this side was not granted
    logic     answers;   // what was asked is done
    logic     granted;   // ... and acquired
    logic     asks;
    logic     releases;  // what is asked: a release, else to acquire
    lock_op_t op;
  } aieml_beside_t;

  // ---- Descriptors ------------------------------------------------------------------------------

  // What travels beside a transfer, in the place of side information of streams.
  typedef struct packed {
    logic [17:0] zero;
    logic        compressed;
    logic [3:0]  smid;
    logic [3:0]  cache;
    logic [3:0]  qos;
    logic        secure;
  } aieml_side_t;

  // What the stages beside a stream have to know of a transfer.
  typedef struct packed {
    logic [31:0] header;      // 0: none
    logic        compressed;
    logic        finish;      // on TLAST
    logic [29:0] words;
  } aieml_stage_t;

  // How a channel stands when one of its descriptors is decoded.
  typedef struct packed {
    logic receives;    // S2MM
    logic odd;         // number of the channel
    logic finish;      // on TLAST
    logic counts;      // into its FIFO
    logic compresses;
    logic by_header;   // out of order
    logic west;        // reaches the locks there
    logic east;
  } aieml_mode_t;

endpackage
