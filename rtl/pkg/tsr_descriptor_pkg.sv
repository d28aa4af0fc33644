// The readable descriptor: a transfer as the norm writes it (docs: "The transfer"), before anything has been
// worked out of it.
//
// Every front end decodes its format into `descriptor_t`; tsr_prepare makes the `transfer_t` of it that an
// engine takes, or tells with `descriptor_error_e` why there is none. Addresses and strides are 64 bits
// whatever the build; strides count modulo the address width. docs/prepare.md has the range of each field.
package tsr_descriptor_pkg;
  import tsr_pkg::*;

  // One dimension. Dimension 0 is the innermost.
  typedef struct packed {
    logic [63:0] stride;     // signed bytes between neighbouring coordinates
    logic [31:0] count;      // positions visited, in elements; 0 makes the transfer empty
    logic [31:0] start;      // signed coordinate of the first position
    logic [31:0] bound;      // valid coordinates: 0 .. bound-1
    logic        unbounded;  // every coordinate is valid; `bound` is ignored
  } descriptor_dim_t;

  // One level of the outer traversal. A level that is not used has step 0 and count 1.
  typedef struct packed {
    logic [31:0] step;   // signed coordinates of `dim` a turn
    logic [31:0] count;  // turns; 0 makes the transfer empty
    logic [1:0]  dim;
  } descriptor_walk_t;

  typedef struct packed {
    logic [63:0] base;  // of the element whose coordinates are all 0
    descriptor_dim_t [Dims-1:0] dim;
    logic has_walk;  // 0: `walk` is ignored
    descriptor_walk_t [WalkLevels-1:0] walk;  // level 0 turns fastest
    logic has_length;  // 0: the product of all counts
    logic [31:0] length;  // elements
    logic [2:0] elem_log2;  // log2 of the bytes of an element
    logic [63:0] fill;  // an element; bits above it are ignored
    logic has_iteration;  // 0: `turn` and `iteration_step` are ignored
    logic [15:0] turn;  // (current + executions) mod size
    logic [63:0] iteration_step;  // signed bytes a turn, added to `base`
    last_rule_e last_rule;
    logic [2:0] last_level;  // of LastLevel
    logic join_next;
    logic task_end;
    finish_e finish;
  } descriptor_t;

  // Why a descriptor has no transfer; of several reasons the first of this list.
  typedef enum logic [3:0] {
    ErrorNone   = 4'd0,
    ErrorElem   = 4'd1,  // an element is wider than the bus
    ErrorWalk   = 4'd2,  // a traversal, and the build has none
    ErrorBounds = 4'd3,  // a dimension with bounds, and the build has none
    ErrorBase   = 4'd4,  // `base` is beyond the address width
    ErrorRow    = 4'd5,  // a row of neighbours has 2^32 bytes or more
    ErrorLength = 4'd6,  // `length` is 2^32 bytes or more
    ErrorReach  = 4'd7   // a traversal moves a dimension with bounds too far
  } descriptor_error_e;

endpackage
