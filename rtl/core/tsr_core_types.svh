// Types of the core whose widths depend on the build.
//
// A module names one as a localparam type, from the parameters it is built with, so that two
// modules with the same parameters have the same layout.
`ifndef TSR_CORE_TYPES_SVH
`define TSR_CORE_TYPES_SVH

// Part of a row: data of memory, or fill. `first` and `ends` are of the row; `size` is bytes - 1;
// `big`: more than a burst.
`define TSR_SEGMENT_T(AddrWidth, SizeWidth)  \
  struct packed {                            \
    tsr_core_pkg::row_t   row;               \
    logic                 first;             \
    logic                 ends;              \
    logic                 data;              \
    logic [AddrWidth-1:0] addr;              \
    logic                 big;               \
    logic [SizeWidth-1:0] size;              \
  }

// Bytes of one segment that one burst moves; none if `empty`. `size` is bytes - 1, at most a burst.
// `start`, `final_`: the first and the last of its transfer; `last`: TLAST with its last byte;
// `flush`: that byte ends its beat; `rule`: `last` of flags_t.
`define TSR_PIECE_T(AddrWidth, SizeWidth)    \
  struct packed {                            \
    tsr_core_pkg::slot_t  slot;              \
    logic                 empty;             \
    logic                 data;              \
    logic                 start;             \
    logic                 final_;            \
    logic                 last;              \
    logic                 flush;             \
    logic                 rule;              \
    tsr_core_pkg::number_t number;           \
    logic [AddrWidth-1:0] addr;              \
    logic [SizeWidth-1:0] size;              \
  }

// A burst of reads, and the bytes of fill between bursts: how their words go to the stream of a
// channel. `lead_emits`: the first of several words completes a beat; `emits`: the last word does,
// which is full if `full`, and ends it otherwise; `more`: one more beat holds what a flush leaves
// over. `ends`: what comes behind it begins a beat.
`define TSR_READ_ITEM_T(BurstWords, LaneWidth) \
  struct packed {                            \
    logic [3:0]            channel;          \
    logic                  data;             \
    logic                  final_;           \
    logic                  last;             \
    logic                  closes;           \
    logic                  ends;             \
    logic                  lead_emits;       \
    logic                  emits;            \
    logic                  full;             \
    logic                  more;             \
    logic [BurstWords-1:0] words;            \
    logic [LaneWidth-1:0]  level;            \
    logic [LaneWidth-1:0]  turn;             \
    logic [LaneWidth-1:0]  keep;             \
  }

// A word of the bus, or of fill, on its way to the lanes of a stream: `turn` by so many lanes,
// lanes from `level` on belong to the open beat, those below to the next one. `emit`: the open beat
// is complete up to lane `keep`. `writes` is 0 where a beat is only completed. `place` is the address
// of the word, or the value of fill, which takes 64 bits.
`define TSR_READ_WORD_T(LaneWidth, PlaceWidth) \
  struct packed {                            \
    logic [3:0]            channel;          \
    logic                  data;             \
    logic                  writes;           \
    logic                  emit;             \
    logic                  final_;           \
    logic                  last;             \
    logic                  closes;           \
    logic                  ends;             \
    logic [LaneWidth-1:0]  level;            \
    logic [LaneWidth-1:0]  turn;             \
    logic [LaneWidth-1:0]  keep;             \
    logic [PlaceWidth-1:0] place;            \
  }

// What a word does to the buffer of its channel: see TSR_READ_WORD_T. `owner`: the number of its
// transfer.
`define TSR_READ_PUT_T(LaneWidth, RoomLog)   \
  struct packed {                            \
    logic [3:0]                   channel;   \
    logic                         writes;    \
    logic                         emit;      \
    logic                         last;      \
    logic                         closes;    \
    logic                         ends;      \
    tsr_core_pkg::owner_t         owner;     \
    logic [LaneWidth-1:0]         keep;      \
    logic [LaneWidth-1:0]         level;     \
    logic [RoomLog-1:0]           beat;      \
    logic [RoomLog-1:0]           beat_next; \
    logic [2**LaneWidth-1:0][7:0] lanes;     \
  }

// A piece in the queue of its channel; see TSR_PIECE_T. The upper bits of its address stay there.
`define TSR_WRITE_PIECE_T(SizeWidth)         \
  struct packed {                            \
    logic                 empty;             \
    logic                 data;              \
    logic                 final_;            \
    logic                 rule;              \
    tsr_core_pkg::number_t number;           \
    logic [SizeWidth-1:0] addr;              \
    logic [SizeWidth-1:0] size;              \
  }

// A beat of a stream that has null bytes or ends a packet.
`define TSR_MARK_T(LaneWidth, RoomLog)       \
  struct packed {                            \
    logic                    last;           \
    logic                    sparse;         \
    logic [RoomLog:0]        beat;           \
    logic [2**LaneWidth-1:0] keep;           \
  }

// How far the bytes of a channel are contiguous: to `place`, the number of a byte lane. If `valid`
// they end there, at null bytes or at the end of a packet (`last`), and go on at `resume`. `joint`:
// no byte is null; `bare`: the marked beat gives no byte before `place`; `left`: it gives more bytes;
// `sparse`: it must not have null bytes.
`define TSR_STOP_T(LaneWidth, RoomLog)       \
  struct packed {                            \
    logic                       valid;       \
    logic                       last;        \
    logic                       joint;       \
    logic                       bare;        \
    logic                       left;        \
    logic                       sparse;      \
    logic [RoomLog:0]           beat;        \
    logic [RoomLog+LaneWidth:0] place;       \
    logic [RoomLog+LaneWidth:0] resume;      \
  }

// Bytes of a channel are used up: from `place` on, `size` + 1 of them if `moves`, and beats below
// `free`. `data`: they go to memory in a burst; `drops`: they are behind the transfer; `saves`: the
// transfer has all its bytes, and what follows up to TLAST is dropped; `takes`: a beat without bytes
// that ends a packet, at `place`; `ends`: the transfer ends.
`define TSR_WRITE_MOVE_T(BurstLog, PlaceWidth) \
  struct packed {                            \
    logic                  data;             \
    logic                  moves;            \
    logic                  drops;            \
    logic                  saves;            \
    logic                  takes;            \
    logic                  ends;             \
    logic                  last;             \
    logic                  sparse;           \
    logic                  aborted;          \
    logic [BurstLog-1:0]   addr;             \
    logic [PlaceWidth-1:0] place;            \
    logic [PlaceWidth-1:0] size;             \
  }

// Words of a burst: `first` and `last` lane of memory that are written, the beat that lane `turn` of
// the buffer is read from first; beats below `free` are free afterwards. Without `data` only that.
`define TSR_WRITE_ITEM_T(Words, LaneWidth, RoomLog) \
  struct packed {                            \
    logic [3:0]           channel;           \
    logic                 data;              \
    logic [Words-1:0]     words;             \
    logic [LaneWidth-1:0] first;             \
    logic [LaneWidth-1:0] last;              \
    logic [LaneWidth-1:0] turn;              \
    logic [RoomLog:0]     beat;              \
    logic [RoomLog:0]     free;              \
  }

// What waits for a write response, or for those before it. `addr` is that of a word.
`define TSR_WRITE_DUE_T(WordAddrWidth)       \
  struct packed {                            \
    logic [3:0]               channel;       \
    logic                     data;          \
    logic                     ends;          \
    logic                     last;          \
    logic                     sparse;        \
    logic                     overlong;      \
    logic                     aborted;       \
    logic [WordAddrWidth-1:0] addr;          \
  }

`endif
