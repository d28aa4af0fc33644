// Types shared by every module: the transfer an engine executes and the record it returns.
//
// A transfer is one execution of one buffer descriptor (docs: "The transfer"), in the form that needs
// the least work of an engine: whoever decodes a descriptor has multiplied, shifted and subtracted.
// Addresses and strides are 64 bits here whatever the build; an engine uses its low `AddrWidth` bits. A
// field of a feature that the build leaves out must hold its neutral value, or the transfer is refused
// with `illegal`.
package tsr_pkg;
  import tsr_descriptor_pkg::last_rule_e;

  localparam int unsigned Dims = 4;
  localparam int unsigned WalkLevels = 4;
  localparam int unsigned BytesWidth = 48;  // counts of bytes in a record

  localparam int unsigned IndexWidth = 34;  // of what is compared with indices; signed

  // One dimension of the pattern. Dimension 0 is the innermost. Positions are elements; those of
  // dimension 0 are bytes if the transfer is dense. A position with index i (from 0) is inside the bounds
  // if ahead < i <= last: with a start and a bound in positions, ahead is -start - 1 and last is
  // bound - start - 1. What is less or more than an index can be may be cut to what the width holds, but for
  // a dimension that a traversal moves: there both, less the moves of any turn, are still farther and fit
  // their width, and the moves fit ShiftWidth. In elements they do if coordinates have 32 bits. Where they do
  // not in bytes, the transfer must not say that it is dense.
  typedef struct packed {
    logic [63:0] stride;  // signed bytes between neighbouring coordinates
    logic [31:0] count;  // positions visited; 0 makes the transfer empty
    logic signed [IndexWidth-1:0] ahead;
    logic signed [IndexWidth-1:0] last;  // not less than ahead
    logic unbounded;  // every position is inside; ahead and last are ignored
  } dim_t;

  // One level of the outer traversal. Turn t moves the start of dimension `dim` by t * step.
  typedef struct packed {
    logic [63:0] stride;  // bytes a turn: step * stride of `dim`
    logic [31:0] step;    // signed positions of `dim` a turn
    logic [31:0] count;   // turns; 0 makes the transfer empty
    logic [1:0]  dim;
  } walk_t;

  // When a stream-to-memory transfer ends.
  typedef enum logic {
    FinishLength = 1'b0,  // when every position has been taken; TLAST is ignored
    FinishLast   = 1'b1   // with TLAST, which must come with the last position or before
  } finish_e;

  typedef struct packed {
    // What follows from the others: an engine has no time to work it out.
    logic [31:0]     row;      // bytes of a row: count[0] if dense, else of an element
    logic [Dims-1:0] single;   // count is 1; also set for dimension 0 of a dense transfer
    logic [Dims-1:0] pair;     // count is 2
    logic            one_row;  // has_length, and length is a row
    logic            empty;    // a count, of walk levels too if has_walk, or the length is 0

    logic [63:0]            addr;        // of the first position, inside the bounds or not
    dim_t [Dims-1:0]        dim;
    logic                   dense;       // stride[0] is one element: dimension 0 is a row
    logic                   has_walk;    // 0: `walk` is ignored
    walk_t [WalkLevels-1:0] walk;        // level 0 turns fastest
    logic                   has_length;  // 0: the product of all counts
    logic [31:0]            length;      // bytes; of a dense transfer at least count[0]
    logic [2:0]             elem_log2;   // log2 of the bytes of an element, at most the bus width
    logic [63:0]            fill;        // value of a fill element, repeated to 64 bits
    last_rule_e             last_rule;
    logic [2:0]             last_level;  // 0..3: turns of a dimension; 4..7: of a walk level
    logic                   join_next;   // the last beat stays open for the next transfer
    logic                   task_end;    // the last transfer of its task: overrides `join_next`
    finish_e                finish;
  } transfer_t;

  // What went wrong; none set is success.
  typedef struct packed {
    logic illegal;          // the transfer asks for what the build does not have; nothing was moved
    logic aborted;          // cut short by abort
    logic sparse_keep;      // a beat without TLAST had some, not all, of its bytes null
    logic partial_element;  // the packet ended inside an element
    logic overlong;         // the packet went on past the transfer; `dropped` tells how far
    logic decerr;           // a bus response was DECERR, or a burst was in no window
    logic slverr;           // a bus response was SLVERR
  } status_t;

  // The record of a transfer, in the order of the transfers.
  typedef struct packed {
    logic [63:0]           addr;     // bus address of the first error response, else 0
    logic [BytesWidth-1:0] bytes;    // stream bytes moved for positions of the transfer
    logic [BytesWidth-1:0] dropped;  // stream bytes of the packet beyond the transfer
    logic                  last;     // a TLAST was sent (read) or seen (write) with the last byte
    status_t               status;
  } done_t;

  // ---- What engines tell beside their streams: which transfer a beat belongs to --------------------

endpackage
