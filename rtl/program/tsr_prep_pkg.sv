// The instruction of the preparation, and what its parts pass to each other.
//
// An instruction is one cycle of one datapath: D is a row of the descriptor RAM, 128 bits or four
// words; A the last sum; P the last product; S a scratch word. Each cycle makes one sum X +- S.
package tsr_prep_pkg;
  import tsr_channel_pkg::*;

  // Rows of the RAM, four words each: those of a descriptor, and `turns` of its iteration. Behind
  // the turns lie three rows of the channel of that number: where it is in its traversal.
  // What is read for the instruction after the next one: of the channel, kind, area, row.
  typedef enum logic [1:0] {
    RowSpecial,  // area[0] and row[1] are decoded, of RowNext too
    RowNext,     // of the job that waits; two of them only if the descriptor has no such row
    RowDim,      // of a dimension, or a level
    RowPlain
  } row_kind_e;
  typedef struct packed {
    logic       channel;
    row_kind_e  kind;
    logic [1:0] area;
    logic [1:0] row;
  } row_code_t;
  typedef enum logic [6:0] {
    RNone = 7'b0_00_0000,
    RStarts = 7'b0_00_0100,  // of a further tile RWhere
    RNextOrFill = 7'b0_00_0110,  // RNext0, of a further tile RFill
    RNext0 = 7'b0_01_0000,  // RBase0 of the job that waits
    RNext3 = 7'b0_01_0011,  // RBase3 of the job that waits
    RBounds = 7'b0_01_0101,  // RNext3 if there are none
    RNext3OrHighs = 7'b0_01_0111,  // RNext3, or RHighs if there is more than strides and counts
    RCount = 7'b0_10_0000,  // the row with the count of the dimension at work
    RStride = 7'b0_10_0001,  // the row with its stride
    RMoved = 7'b0_10_0101,  // the row with the stride of the dimension that moves
    RStack = 7'b1_10_1111,  // of the channel: RNear, or RFar if the level that moves is there
    RBase0 = 7'b0_11_0000,  // base, counts of 0 and 1
    RBase1 = 7'b0_11_0001,  // counts of 2 and 3, strides of 0 and 1
    RBase2 = 7'b0_11_0010,  // strides of 2 and 3, length, step of the iteration
    RBase3 = 7'b0_11_0011,  // locks, chain, side, control
    RFill = 7'b0_11_0110,  // fill, mask of the bounds
    RHighs = 7'b0_11_0111,  // high halves of the strides
    RTimes = 7'b0_11_1000,  // counts of the traversal
    RSteps = 7'b0_11_1001,
    RMoves = 7'b0_11_1010,  // dimensions of the traversal
    RTurns = 7'b0_11_1100,  // of the iteration
    RFar = 7'b1_11_1011,  // of the channel: addresses of levels 2 and 3
    RRest = 7'b1_11_1100,  // of the channel: length that is left, elements of a tile, slots
    RLeft = 7'b1_11_1101,  // of the channel: turns of the traversal that are left
    RWhere = 7'b1_11_1110,  // of the channel: starts of the tile
    RNear = 7'b1_11_1111  // of the channel: addresses of levels 0 and 1
  } row_e;

  // The word of D that is used: from where its number comes, and what inverts its upper bit.
  typedef enum logic [3:0] {
    W0        = 4'b00_00,
    W1        = 4'b00_01,
    W2        = 4'b00_10,
    W3        = 4'b00_11,
    WDim      = 4'b01_00,  // of the dimension at work, in rows of four dimensions
    WHalf     = 4'b01_10,  // of the dimension at work, in rows of counts and strides
    WMove     = 4'b10_00,  // of the dimension that the level at work moves, likewise
    WMoveHalf = 4'b10_10,
    WStackLo  = 4'b11_00,  // of the address of the level that moves
    WStackHi  = 4'b11_01
  } word_sel_e;

  // X: signed only without high halves, signed, upper half, lower half.
  typedef enum logic [5:0] {
    XZero   = {2'b00, 2'd0, 2'd0},
    XWord   = {2'b00, 2'd0, 2'd1},
    XSigned = {2'b01, 2'd0, 2'd1},
    XStride = {2'b11, 2'd0, 2'd1},  // the sign extended, unless strides have high halves
    XPair   = {2'b00, 2'd1, 2'd1},  // words 1 and 0
    XProd   = {2'b00, 2'd2, 2'd3},
    XProdHi = {2'b00, 2'd3, 2'd0},  // the lower half of P as the upper one
    XSum    = {2'b00, 2'd0, 2'd2},  // the lower half of A
    XSumHi  = {2'b01, 2'd3, 2'd0}   // the same as the upper half
  } x_e;

  // What is added to X: S or A, 1, inverted.
  typedef enum logic [3:0] {
    YNone  = 4'b0000,
    YOne   = 4'b0010,  // 1
    YMinus = 4'b0001,  // -1
    YAdd   = 4'b1000,  // S
    YSub   = 4'b1011,  // -S
    YLess  = 4'b1001,  // -S - 1
    YAddA  = 4'b0100,
    YSubA  = 4'b0111
  } y_e;

  // Signs of the parts of a dimension decide what a sum takes: end of dimension 3, positions before
  // the bounds, inside, behind.
  typedef enum logic [3:0] {
    GNone   = 4'b0000,
    GCount  = 4'b1000,  // of a dimension without end all ones instead of the word
    GBehind = 4'b1001,  // no S if there is no room behind the start
    GInside = 4'b1010,  // A instead of the word if the start is negative; no S if none is behind
    GBefore = 4'b1100   // the word alone if all lies before, else S alone
  } gate_e;

  // Scratch.
  typedef enum logic [3:0] {
    SAddr,
    SStart,
    SRest,             // room behind the start, then positions behind the bounds
    SWhole,            // elements of a row - 1
    SHighJump,         // of high halves
    SHighBack,
    SJump     = 4'd8,  // the four jumps: of dimension 0, or of the one at work
    SJump1,
    SJump2,
    SJump3
  } scratch_e;

  // The word of the context that the sum is: see tsr_prep_output.
  typedef enum logic [3:0] {
    ONone,
    OFill,           // against the order of word_e
    OLength,
    OAddr,
    OLead   = 4'd4,  // in the order of word_e
    OData,
    OTail,
    OWhole,
    OBefore = 4'd8,  // these four: if the dimension is a level; in the order of word_e
    OInside,
    OBehind,
    OJump
  } out_e;

  // Operands of the product: P is theirs three cycles later.
  typedef enum logic [3:0] {
    MNone,
    MStride,    // a: signed only without high halves
    MSigned,    // a
    MHigh,      // a: a high half, 0 if there are none
    MUnsigned,  // a
    MCount,     // b
    MStart,     // b, signed; 0 if the address has it, or it is that of a row before its bounds
    MStep,      // b, signed
    MPad,       // b: the start of a row in its bounds, of the first tile; else 0
    MTurns      // b; 0 without iteration
  } mul_e;

  // What is kept of D or of the sums.
  typedef enum logic [4:0] {
    KNone,
    KHeader,
    KCounts01,
    KCounts23,
    KStride,
    KHighs,
    KMask,
    KLength,
    KRoom,      // signs of the room behind the start and of the start
    KBehind,
    KTotal,
    KInside,
    KParts,     // which parts the dimension has; the next one is at work
    KNext,      // the next dimension is at work
    KFirst,     // dimension 0 is at work
    KLeft,      // which levels of the traversal are in their last turn
    KMoves,     // what they move; the level that moves is at work
    KTimes,     // which levels have one turn, and so which are in their last one now
    KMore       // whether the length leaves something
  } keep_e;

  // Where in the RAM the sum goes.
  typedef enum logic [3:0] {
    PNone,
    PTurns,
    PLeft,    // turns of the level at work
    PWhere,   // start of the dimension that it moves
    PStart,   // start of the dimension at work
    POrigin,  // PNear, of the first tile alone
    PNear,    // addresses of the level that moves and those below: 0 and 1
    PFar,     // 2 and 3
    PElems,   // elements of a tile, at most 2 ** 32 - 1
    PLength
  } put_e;

  // What comes behind the next instruction.
  typedef enum logic [4:0] {
    BNone,
    BGo,
    BSparse,             // goes if dimension 0 is no row
    BDense,              // goes if it is one
    BExtra,              // goes if there is more than strides and counts
    BPlain,              // goes unless there are bounds
    BOther,              // goes unless dimension 0 is a row with bounds
    BStarts,             // goes to the dimensions if there are bounds
    BFree,               // goes if the dimension at work has no bounds
    BLoop,               // goes, but after the last dimension to the sum
    BMore,               // goes unless the dimension at work is 3
    BWide,               // goes if it is 3 and a stride has a high half
    BWalk,               // goes if there is a traversal
    BFinish,             // goes to the end of all transfers, or that of a tile
    BAgain,              // goes if this is not the first tile
    BShort,              // goes unless there is a length
    BBottom,             // goes if level 0 moves
    BLower,              // goes unless the level at work is the one below the one that moved
    BHeld,               // goes if the slot holds words of this transfer
    BMoved,              // goes unless there is a length; with BBottom and BHeld to what has moved
    BEnd    = 5'b11110,  // ends; the next instruction is of the next job
    BFirst  = 5'b11111   // ends if a row was all; else goes where the rest is made
  } branch_e;

  // Lines of the program, in their order. Builds without bounds or traversals do not reach the last
  // ones.
  typedef enum logic [7:0] {
    LFirst,
    LBase,
    LRow,
    LStep,
    LEndRow,
    LPlane,
    LPlane1,
    LEndPlane,
    LSparse,
    LSparse1,
    LSparse2,
    LSparse3,
    LSparse4,
    LSparse5,
    LSparse6,
    LSparse7,
    LSparse8,
    LLevels,
    LLevels1,
    LLevels2,
    LLevels3,
    LLevels4,
    LLevels5,
    LLevels6,
    LLevels7,
    LLevels8,
    LEndLevels,
    LNoLevels,
    LNoLevels1,
    LExtra,
    LExtra1,
    LExtra2,
    LExtra3,
    LExtra4,
    LExtra5,
    LPad,
    LPad1,
    LPad2,
    LPad3,
    LPad4,
    LPad5,
    LPad6,
    LPad7,
    LDim,
    LDim1,
    LDim2,
    LDim3,
    LDim4,
    LDim5,
    LDim6,
    LFree,
    LFree1,
    LPlain,
    LPlain1,
    LSum,
    LSum1,
    LEnd,
    LAccess,
    LAccess1,
    LAccess2,
    LAccess3,
    LHigh,
    LHigh1,
    LHigh2,
    LHigh3,
    LHigh4,
    LHigh5,
    LHigh6,
    LHigh7,
    LHigh8,
    LHigh9,
    LTile,
    LTile1,
    LTile2,
    LTile3,
    LTile4,
    LTile5,
    LTile6,
    LTile7,
    LTile8,
    LTile9,
    LUpper,
    LUpper1,
    LUpper2,
    LUpper3,
    LUpper4,
    LUpper5,
    LUpper6,
    LUpper7,
    LTile10,
    LTile11,
    LTile12,
    LTile13,
    LTile14,
    LTile15,
    LTile16,
    LTile17,
    LMoved,
    LMoved1,
    LReset,
    LReset1,
    LReset2,
    LReset3,
    LReset4,
    LReset5,
    LReset6,
    LReset7,
    LReset8,
    LReady,
    LReady1,
    LAgain,
    LAgain1,
    LAgain2,
    LHeld,
    LHeld1,
    LHeld2,
    LTileSum,
    LFirstTile,
    LFirstTile1,
    LFirstTile2,
    LFirstTile3,
    LFirstTile4,
    LFirstTile5,
    LFirstTile6,
    LFirstTile7,
    LFirstTile8,
    LFirstTile9,
    LElems,
    LElems1,
    LElems2,
    LElems3,
    LElems4,
    LElems5,
    LElems6,
    LElems7,
    LElems8,
    LElems9,
    LElems10,
    LElems11,
    LElems12,
    LElems13,
    LRest,
    LRest1,
    LRest2,
    LRest3,
    LRest4,
    LInside,
    LInside1,
    LInside2,
    LInside3,
    LInside4,
    LInside5,
    LInside6,
    LInside7
  } line_e;

  typedef struct packed {
    row_e           row;
    word_sel_e      word;
    x_e             x;
    y_e             y;
    gate_e          gate;
    scratch_e from;          // S
    logic           put;     // the sum goes to `to`
    scratch_e       to;
    out_e           out;
    logic           loop;    // the dimension at work instead of `dim`
    logic [1:0]     dim;
    mul_e           mul;
    keep_e          keep;
    put_e           store;
    branch_e        br;
    line_e          target;
  } instruction_t;

  // A read of the RAM. `index`: a descriptor, a place of the lists behind them, or a channel.
  typedef struct packed {
    logic             valid;
    logic             half;   // the upper half of D stays
    logic [8:0]       index;
    descriptor_area_e area;
    logic [1:0]       row;
  } read_t;

  // A write: words of a row, of the sum that is in A.
  typedef struct packed {
    logic             valid;
    logic [8:0]       index;
    descriptor_area_e area;
    logic [1:0]       row;
    logic [3:0]       words;
    logic             pair;   // both halves of the sum; else each word is the lower half,
    logic             clear;  // or 0,
    logic             full;   // or all ones
  } write_t;

  // What a job and its control word say.
  typedef struct packed {
    logic       receives;
    logic       again;       // a further tile
    logic       cut;
    logic       task_end;
    logic [2:0] elem;        // log2 of its bytes
    logic       has_length;
    logic [1:0] rule;        // of TLAST
    logic [2:0] level;
    logic       join_next;
    logic       finish;
    logic       bounds;
    logic       walk;
    logic       iterates;
  } attributes_t;

  // Which dimensions are levels, and which level each would be.
  typedef struct packed {
    logic [3:0]      there;
    logic [3:0][1:0] at;
    logic [2:0]      count;
  } levels_t;

  // What branches ask, and where the program is.
  typedef struct packed {
    logic       wrong;    // there is an error
    logic       special;  // more than strides and counts
    logic       extra;    // `special` of the cycle before
    logic       alone;    // nothing but a row, if dimension 0 is one
    logic       row;      // dimension 0 is one
    logic       outer;    // dimension 2 or 3 is a level
    logic       none;     // no level, if dimension 0 is a row
    logic       bounds;
    logic       padded;   // dimension 0 is a row with bounds
    logic       free;     // the dimension at work has no bounds
    logic       wide;     // a stride has a high half
    logic       length;
    logic       walk;
    logic       held;     // the slot holds words of this transfer
    logic       final_;   // the dimension at work is the last
    logic       again;    // a further tile
    logic [1:0] dim;      // at work
    logic [1:0] move;     // the dimension that the level at work moves
    logic [1:0] level;    // of the traversal that moves
  } state_t;

endpackage
