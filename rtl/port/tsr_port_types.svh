// Types of ports whose widths depend on the build. A module names one as a localparam type, from
// the parameters it is built with.
`ifndef TSR_PORT_TYPES_SVH
`define TSR_PORT_TYPES_SVH

// A burst of the engine: words - 1 in `len`; `first`: of its transfer.
`define TSR_PORT_BURST_T(AddrWidth)          \
  struct packed {                            \
    logic [3:0]           channel;           \
    logic                 first;             \
    logic [AddrWidth-1:0] addr;              \
    logic [7:0]           len;               \
  }

// AR and AW. AxSIZE is the width of the bus, AxBURST is INCR.
`define TSR_PORT_AX_T(AddrWidth, IdWidth)    \
  struct packed {                            \
    logic [IdWidth-1:0]        id;           \
    logic [AddrWidth-1:0]      addr;         \
    logic [7:0]                len;          \
    tsr_fabric_pkg::axi_attr_t attr;         \
  }

// R, and what the engine gets of it.
`define TSR_PORT_R_T(Lanes, IdWidth)         \
  struct packed {                            \
    logic [IdWidth-1:0]    id;               \
    logic [Lanes-1:0][7:0] data;             \
    logic [1:0]            resp;             \
    logic                  last;             \
  }
`define TSR_PORT_DATA_T(Lanes)               \
  struct packed {                            \
    logic [Lanes-1:0][7:0] data;             \
    logic [1:0]            resp;             \
  }

// W, of the engine and of the bus.
`define TSR_PORT_W_T(Lanes)                  \
  struct packed {                            \
    logic [Lanes-1:0][7:0] data;             \
    logic [Lanes-1:0]      strobe;           \
    logic                  last;             \
  }

// B.
`define TSR_PORT_B_T(IdWidth)                \
  struct packed {                            \
    logic [IdWidth-1:0] id;                  \
    logic [1:0]         resp;                \
  }

`endif
