// Why the preparation makes no context of a descriptor.
package tsr_descriptor_pkg;

  // Of several reasons the first of this list.
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
