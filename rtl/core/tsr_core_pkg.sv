// Context of a transfer: the words that the preparation writes and the planners read.
//
// A transfer is rows, nested in up to four levels. A row is `Data` bytes of memory with fill before
// it (`Lead`) and behind it (`Tail`), or, where any level is outside its bounds, `Whole` bytes of
// fill. The preparation decides: a row is dimension 0 where its elements are neighbors in memory,
// else a single element; each dimension with more than one position that is no row is a level,
// level 0 the innermost. So a plain copy has none.
package tsr_core_pkg;

  localparam int unsigned Levels = 4;
  localparam int unsigned LutChannels = 4;  // of more, block RAM keeps steps, counts, pieces
  localparam int unsigned CountWidth = 32;  // of positions of a level
  localparam int unsigned BytesWidth = 48;  // of the bytes of a transfer
  localparam int unsigned SizeWidth = 32;  // of the bytes of a row - 1, and of a length - 1

  // Parts of a level, in their order.
  typedef enum logic [1:0] {
    PhaseBefore,
    PhaseInside,
    PhaseBehind,
    PhaseNone
  } phase_e;

  // Contexts of a channel: one at work, others prepared or being prepared. A build has 2 or 4.
  typedef logic [1:0] slot_t;

  // Words of a context. Below 16: {level, word}.
  typedef enum logic [4:0] {
    WordBefore = 5'd0,   // positions before the bounds
    WordInside = 5'd1,   // in_bounds; all where there are no bounds
    WordBehind = 5'd2,   // behind them
    WordJump   = 5'd3,   // bytes to the first row of a turn of this level from the row before
    WordAddr   = 5'd16,  // address of the first byte of memory of the first row, were it inside
    WordLength = 5'd17,  // bytes of the transfer - 1, if has_length: that of its first context
    WordFill   = 5'd18,  // value of fill, 64 bits
    WordFlags  = 5'd19,  // flags_t
    WordLead   = 5'd20,  // bytes - 1 of a part of a row
    WordData   = 5'd21,
    WordTail   = 5'd22,
    WordWhole  = 5'd23
  } word_e;

  // Flags of a context. A transfer with a traversal is several contexts, one after the other.
  typedef struct packed {
    logic closes;  // reads: an abort behind a beat of it ends the packet
    logic more;  // another context of this transfer follows
    logic empty;  // no byte: other fields are ignored, but `more`, `packets`, `last` and `flush`
    logic outside;  // every row is fill
    logic [Levels-1:0] levels;  // that there are: a row of ones from bit 0 on
    logic [Levels-1:0][2:0] phases;  // with a position; of a level that is not there the middle one
    logic lead;  // a row inside begins with fill
    logic tail;  // and ends with fill
    logic has_length;  // ends after so many bytes, at most those of its rows
    logic packets;  // TLAST before turns of packet_level and above, and at the end of the context
    logic [2:0] packet_level;  // 4: only at the end of the context
    logic last;  // reads: TLAST at the end of the transfer; writes: TLAST ends the transfer
    logic flush;  // the end of the transfer ends a beat
  } flags_t;

  // Where a word goes.
  typedef struct packed {
    logic [3:0]  channel;
    slot_t       slot;
    word_e       word;
    logic [63:0] data;
  } context_word_t;

  // To an engine: a word, and the launch of the next context of a channel.
  typedef struct packed {
    logic          word_valid;
    context_word_t word;
    logic          go_valid;
    logic [3:0]    go_channel;
  } contexts_t;

  // From it: the oldest context of a channel has been read. An address of a channel was queued.
  typedef struct packed {
    logic       valid;
    logic [3:0] channel;
  } freed_t;
  typedef struct packed {
    logic       valid;
    logic [3:0] channel;
  } claim_t;

  // Number of a transfer of a channel, modulo more than a planner can be ahead of its pieces.
  typedef logic [4:0] number_t;

  // Transfers of which the rest is not wanted: their contexts end at once.
  typedef struct packed {
    logic    all;
    logic    one;
    number_t number;  // of the one
  } discard_t;
  function automatic logic discards(discard_t discard, number_t number);
    return discard.all || (discard.one && discard.number == number);
  endfunction

  // The same for the beats of a stream, modulo the transfers in flight: which one a beat is of.
  typedef logic [3:0] owner_t;

  // What a row passes on to its pieces.
  typedef struct packed {
    slot_t   slot;
    number_t number;
    logic    more;        // of flags_t
    logic    has_length;
    logic    empty;
    logic    in_bounds;
    logic    lead;
    logic    tail;
    logic    start;       // the first of its transfer
    logic    packet;      // its end ends a packet
    logic    final_;      // the last of its context
    logic    last;        // of flags_t
    logic    flush;
  } row_t;

  // Rows of one phase of level 0.
  typedef struct packed {
    logic [CountWidth:0] turns;  // 1 - rows
    logic [2:0] first;  // jump of the first row: 4 is the address of the transfer, else a level
    logic packets;  // every row ends a packet
    logic packet;  // the last row does
    row_t row;  // `start`, `packet` and `final_` are of its first, no and last row
  } run_t;

  // A transfer has ended.
  typedef struct packed {
    logic [3:0]            channel;
    logic                  slverr;
    logic                  decerr;       // of the memory
    logic                  denied;       // a burst was in no window
    logic                  overlong;     // bytes behind the transfer were dropped
    logic                  sparse_keep;
    logic                  aborted;
    logic                  last;         // TLAST was sent, or came, with the last byte
    logic [BytesWidth-1:0] bytes;        // moved, or with `dropped_i` dropped
    logic [63:0]           addr;         // of the first error response, if slverr, decerr or denied
    logic [31:0]           side;         // of writes: that of the beat with the last byte
  } end_t;

  // State of a channel in tsr_nest, beside the turns of its levels.
  typedef enum logic [2:0] {
    NestIdle,
    NestRun,
    NestMove,
    NestStep,
    NestPhase,
    NestTurn,
    NestWait
  } nest_e;
  typedef struct packed {
    nest_e               at;
    slot_t               slot;     // of the context at work; when idle of the next one
    number_t             number;   // of its transfer
    logic                goes_on;  // so did the context before: it had `more`
    logic [2:0]          first;    // jump of the next row
    phase_e [Levels-1:0] phase;
    logic [Levels-1:1]   fresh;    // in the first turn of their phase: nothing is kept of them
    logic [Levels-1:1]   last;     // in their last turn, or not there
  } nest_state_t;

  // State of a channel in tsr_rows, beside what it keeps of runs and rows.
  typedef struct packed {
    logic       run_valid;
    logic       begun;      // the run
    logic [1:0] jumps;      // rows that wait for their address, 0 .. 2
    logic       head;       // the oldest of them
    logic       row_valid;
    logic [1:0] segment;
  } rows_state_t;

  // State of a channel in tsr_pieces, beside what it keeps of a segment.
  typedef struct packed {
    logic valid;   // a segment
    logic armed;   // may fire: a segment, and not `begins`
    logic begins;  // a transfer: its length is read, a cycle later loaded
    logic loads;
    logic start;   // the next piece is the first of its transfer
    logic brief;   // and not longer than a word
    logic carry;   // the low part of the size is more than a burst
    logic big;     // another piece follows
    logic empty;
    logic data;
    logic ends;    // its row
    logic near_;   // the length ends in the next piece or the one behind it
  } pieces_state_t;

  // Which phase comes first, and which next: PhaseNone if none. Phases are those with a position.
  function automatic phase_e first_phase(logic has_before, logic has_inside);
    return has_before ? PhaseBefore : has_inside ? PhaseInside : PhaseBehind;
  endfunction
  function automatic phase_e next_phase(logic has_inside, logic has_behind, phase_e now);
    if (now == PhaseBefore && has_inside) return PhaseInside;
    if (now != PhaseBehind && has_behind) return PhaseBehind;
    return PhaseNone;
  endfunction

  // So long after a change of channel or mark nothing is certain about where the bytes of a writer stop.
  function automatic int unsigned stop_cycles(input int unsigned bus_log);
    return bus_log > 4 ? 4 : 3;
  endfunction

endpackage
