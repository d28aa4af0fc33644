// The instruction of the preparation, and what its parts pass to each other.
//
// An instruction is one cycle of one datapath: D is a row of the descriptor RAM, 128 bits or four
// words; A the last sum; P the last product; S a scratch word. Each cycle makes one sum X +- S.
package tsr_prep_pkg;
  import tsr_channel_pkg::*;

  // Rows of the RAM, four words each: those of a descriptor, and `turns` of its iteration. Behind
  // the turns lie three rows of the channel of that number: where it is in its traversal.
  // What is read for the instruction after the next one.
  typedef enum logic [5:0] {
    RNone = 6'b00_0000,
    RBase0 = 6'b01_0000,  // base, counts of 0 and 1
    RBase1 = 6'b01_0001,  // counts of 2 and 3, strides of 0 and 1
    RBase2 = 6'b01_0010,  // strides of 2 and 3, length, step of the iteration
    RBase3 = 6'b01_0011,  // locks, chain, side, control
    RStarts = 6'b01_0100,
    RBounds = 6'b01_0101,
    RFill = 6'b01_0110,  // fill, mask of the bounds
    RHighs = 6'b01_0111,  // high halves of the strides
    RTimes = 6'b01_1000,  // counts of the traversal
    RSteps = 6'b01_1001,
    RMoves = 6'b01_1010,  // dimensions of the traversal
    RTurns = 6'b01_1100,  // of the iteration
    RLeft = 6'b01_1101,  // of the channel: turns of the traversal that are left
    RWhere = 6'b01_1110,  // of the channel: starts of this tile
    RStack = 6'b01_1111,  // of the channel: what is left of the length, elements of a tile
    RHalf1 = 6'b11_0001,  // RBase1, its lower half alone: of the upper one the last row stays
    RCount = 6'b10_0000,  // the row with the count of the dimension at work
    RStride = 6'b10_0001,  // the row with its stride
    RNext3 = 6'b00_0001,  // RBase3 of the job that waits
    RNext0 = 6'b00_0010,  // RBase0 of the job that waits
    RNext3OrHighs = 6'b00_0011  // RNext3, or RHighs if there is more than strides and counts
  } row_e;

  // The word of D that is used.
  typedef enum logic [2:0] {
    W0    = 3'd0,
    W1    = 3'd1,
    W2    = 3'd2,
    W3    = 3'd3,
    WDim  = 3'd4,  // of the dimension at work, in rows of four dimensions
    WHalf = 3'd5   // of the dimension at work, in rows of counts and strides
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
    XTwice  = {2'b00, 2'd3, 2'd3},  // the lower half of P in both
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

  // The word of the context that the sum is.
  typedef enum logic [3:0] {
    ONone,
    OAddr,
    OLength,
    OFill8,   // unless an element has less than 8 bytes
    OFill4,   // unless it has more
    OLead,
    OData,
    OTail,
    OWhole,
    OJump,    // these four: if the dimension is a level
    OBefore,
    OInside,
    OBehind
  } out_e;

  // Operands of the product: P is theirs three cycles later.
  typedef enum logic [2:0] {
    MNone,
    MStride,  // a: a stride
    MSigned,  // a
    MCount,   // b, unsigned
    MStart,   // b, signed; 0 if dimension 0 is a row that begins before its bounds
    MTurns,   // b; 0 without iteration
    MFill     // both: the fill, and what repeats it
  } mul_e;

  // What is kept of D or of the sums.
  typedef enum logic [3:0] {
    KNone,
    KHeader,
    KCounts01,
    KCounts23,
    KStride,
    KHighs,
    KMask,
    KLength,
    KTurn,
    KRoom,      // signs of the room behind the start and of the start
    KBehind,
    KTotal,
    KInside,
    KParts,     // which parts the dimension has; the next one is at work
    KNext,      // the next dimension is at work
    KFirst      // dimension 0 is at work
  } keep_e;

  // What is written to the RAM: the sum of the instruction before, as a word of a row.
  typedef enum logic [1:0] {
    PNone,
    PTurns
  } put_e;

  // What comes behind the next instruction.
  typedef enum logic [3:0] {
    BNone,
    BGo,
    BFirst,   // ends if a row was all; else goes where the rest is made
    BEnd,     // ends; the next instruction is of the next job
    BSparse,  // goes if dimension 0 is no row
    BExtra,   // goes if there is more than strides and counts
    BPlain,   // goes unless there are bounds
    BOther,   // goes unless dimension 0 is a row with bounds
    BFree,    // goes if the dimension at work has no bounds
    BLoop,    // goes, but after dimension 3 to LSum
    BMore,    // goes unless the dimension at work is 3
    BWide     // goes if it is 3 and a stride has a high half
  } branch_e;

  // Lines of the program, in their order.
  typedef enum logic [6:0] {
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
    LHigh,
    LHigh1,
    LHigh2,
    LHigh3,
    LHigh4,
    LHigh5,
    LHigh6,
    LHigh7,
    LHigh8,
    LHigh9
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

  // A write of one word.
  typedef struct packed {
    logic             valid;
    logic [8:0]       index;
    descriptor_area_e area;
    logic [1:0]       row;
    logic [1:0]       word;
    logic [31:0]      data;
  } write_t;

  // What branches ask.
  typedef struct packed {
    logic       wrong;   // there is an error
    logic       extra;   // more than strides and counts
    logic       row;     // dimension 0 is one
    logic       outer;   // dimension 2 or 3 is a level
    logic       none;    // no level, if dimension 0 is a row
    logic       bounds;
    logic       padded;  // dimension 0 is a row with bounds
    logic       free;    // the dimension at work has no bounds
    logic       wide;    // a stride has a high half
    logic [1:0] dim;
  } state_t;

endpackage
