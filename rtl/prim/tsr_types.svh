// Types between modules whose widths depend on the build, each declared once.
//
// A module that needs one names it in its parameter list, from the configuration or the width that it is
// built with; no type is handed down:
//   parameter int unsigned AddrWidth = 64,
//   parameter int unsigned IdWidth = 4,
//   localparam type ax_t = `TSR_PORT_AX_T(AddrWidth, IdWidth)
// Two modules with the same parameters have the same layout. `parameter type` was tried too: every tool
// reads both forms, but with it each type is repeated at each instance, and a module can be neither linted,
// proven nor measured without a wrapper. Two limits of tools: Verible reads no macro that stands for a whole
// parameter, and Verilator 5.006 stops at a port whose struct holds an unnamed struct, so that the outer
// types take the names of the inner ones.
`ifndef TSR_TYPES_SVH
`define TSR_TYPES_SVH

// ---- Streams --------------------------------------------------------------------------------------

// A beat of a stream of so many bytes. Lane n is data[8*n+:8] with keep[n].
`define TSR_BEAT_T(Bytes)                    \
  struct packed {                            \
    logic               last;                \
    logic [Bytes-1:0]   keep;                \
    logic [8*Bytes-1:0] data;                \
  }

// ---- Between an engine and its streams, and its port --------------------------------------------------

// A beat to a stream, with the number of the last transfer in it, of OwnerBits. `ends`: what comes behind it begins a
// beat of the stream.
`define TSR_READ_BEAT_T(Lanes, OwnerBits) \
  struct packed {                         \
    logic [OwnerBits-1:0]  owner;         \
    logic                  ends;          \
    logic                  last;          \
    logic [Lanes-1:0]      keep;          \
    logic [Lanes-1:0][7:0] data;          \
  }

// A beat of a stream. `sparse`: it has null bytes where none may be.
`define TSR_WRITE_BEAT_T(Lanes, Parts)           \
  struct packed {                                \
    logic [Parts-1:0][31:0] side;                \
    logic                   sparse;              \
    logic                   last;                \
    logic [Lanes-1:0]       keep;                \
    logic [Lanes-1:0][7:0]  data;                \
  }

// A burst of the engine: words - 1 in `len`; `first`: of its transfer.
`define TSR_PORT_BURST_T(AddrWidth)          \
  struct packed {                            \
    logic [3:0]           channel;           \
    logic                 first;             \
    logic [AddrWidth-1:0] addr;              \
    logic [7:0]           len;               \
  }

// What it gets of R.
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

`endif
