// Types of ports whose widths depend on the build. A module names one as a localparam type, from
// the parameters it is built with.
`ifndef TSR_PORT_TYPES_SVH
`define TSR_PORT_TYPES_SVH
`include "tsr_types.svh"

// AR and AW. AxSIZE is the width of the bus, AxBURST is INCR.
`define TSR_PORT_AX_T(AddrWidth, IdWidth)    \
  struct packed {                            \
    logic [IdWidth-1:0]        id;           \
    logic [AddrWidth-1:0]      addr;         \
    logic [7:0]                len;          \
    tsr_fabric_pkg::axi_attr_t attr;         \
  }

// AR and AW of any size and kind.
`define TSR_PORT_ANY_AX_T(AddrWidth, IdWidth) \
  struct packed {                            \
    logic [IdWidth-1:0]   id;                \
    logic [AddrWidth-1:0] addr;              \
    logic [7:0]           len;               \
    logic [2:0]           size;              \
    logic [1:0]           burst;             \
  }

// R.
`define TSR_PORT_R_T(Lanes, IdWidth)         \
  struct packed {                            \
    logic [IdWidth-1:0]    id;               \
    logic [Lanes-1:0][7:0] data;             \
    logic [1:0]            resp;             \
    logic                  last;             \
  }
// B.
`define TSR_PORT_B_T(IdWidth)                \
  struct packed {                            \
    logic [IdWidth-1:0] id;                  \
    logic [1:0]         resp;                \
  }

// Of the named types above: what an engine drives at a port, and what comes back.
`define TSR_PORT_RD_REQ_T(ax_t)              \
  struct packed {                            \
    ax_t  ar;                                \
    logic ar_valid;                          \
    logic r_ready;                           \
  }
`define TSR_PORT_RD_RSP_T(r_t)               \
  struct packed {                            \
    logic ar_ready;                          \
    r_t   r;                                 \
    logic r_valid;                           \
  }
`define TSR_PORT_WR_REQ_T(ax_t, w_t)         \
  struct packed {                            \
    ax_t  aw;                                \
    logic aw_valid;                          \
    w_t   w;                                 \
    logic w_valid;                           \
    logic b_ready;                           \
  }
`define TSR_PORT_WR_RSP_T(b_t)               \
  struct packed {                            \
    logic aw_ready;                          \
    logic w_ready;                           \
    b_t   b;                                 \
    logic b_valid;                           \
  }

`endif
