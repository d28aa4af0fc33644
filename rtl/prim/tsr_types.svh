// Types between modules whose widths depend on the build, each declared once.
//
// A module that needs one names it in its parameter list, from the configuration or the width that it is
// built with; no type is handed down:
//   parameter fabric_config_t Config = FabricDefaults,
//   localparam type burst_t = `TSR_BURST_T(Config),
//   localparam type req_t = `TSR_READ_REQ_T(burst_t)
// Two modules with the same configuration have the same layout. `parameter type` was tried too: every tool
// reads both forms, but with it each type is repeated at each instance, and a module can be neither linted,
// proven nor measured without a wrapper. Two limits of tools: Verible reads no macro that stands for a whole
// parameter, and Verilator 5.006 stops at a port whose struct holds an unnamed struct, so that the outer
// types take the names of the inner ones.
`ifndef TSR_TYPES_SVH
`define TSR_TYPES_SVH

// ---- Build ----------------------------------------------------------------------------------------

// The configuration of a top whose parameters have the names of its fields.
// To Verilator 5.006 a parameter with the value of a literal has no width: + 32'd0.
`define TSR_FABRIC_CONFIG                    \
  '{                                         \
    Reads: Reads + 32'd0,                    \
    Writes: Writes + 32'd0,                  \
    Ports: Ports + 32'd0,                    \
    AddrWidth: AddrWidth + 32'd0,            \
    DataWidth: DataWidth + 32'd0,            \
    StreamWidth: StreamWidth + 32'd0,        \
    MaxBurst: MaxBurst + 32'd0,              \
    Outstanding: Outstanding + 32'd0,        \
    RoomBeats: RoomBeats + 32'd0,            \
    StoreBeats: StoreBeats + 32'd0,          \
    FlightBeats: FlightBeats + 32'd0,        \
    AheadBursts: AheadBursts + 32'd0,        \
    FlightBursts: FlightBursts + 32'd0,      \
    OneId: OneId,                            \
    Cut: Cut,                                \
    Control: Control,                        \
    Guard: Guard,                            \
    Silence: Silence + 32'd0,                \
    StreamSilence: StreamSilence + 32'd0,    \
    Windows: Windows + 32'd0,                \
    Walk: Walk,                              \
    Bounds: Bounds,                          \
    Side: Side,                              \
    Headers: Headers,                        \
    Column: Column,                          \
    Row: Row,                                \
    IdWidth: IdWidth + 32'd0,                \
    WeightWidth: WeightWidth + 32'd0,        \
    UserWidth: UserWidth + 32'd0             \
  }

// ---- Streams --------------------------------------------------------------------------------------

// A beat of a stream of so many bytes. Lane n is data[8*n+:8] with keep[n].
`define TSR_BEAT_T(Bytes)                    \
  struct packed {                            \
    logic               last;                \
    logic [Bytes-1:0]   keep;                \
    logic [8*Bytes-1:0] data;                \
  }

// ---- A channel and its way to the bus: one half of AXI4 without what is the same in every burst --------

// AR or AW of a channel.
`define TSR_BURST_T(Config)                  \
  struct packed {                            \
    logic [Config.AddrWidth-1:0] addr;       \
    logic [7:0]                  len;        \
  }

// W, of channel and port.
`define TSR_W_T(Config)                      \
  struct packed {                            \
    logic [Config.DataWidth-1:0]   data;     \
    logic [Config.DataWidth/8-1:0] strb;     \
    logic                          last;     \
  }

// From a read channel to the bus, and back.
`define TSR_READ_REQ_T(burst_t)              \
  struct packed {                            \
    burst_t ar;                              \
    logic   ar_valid;                        \
    logic   r_ready;                         \
  }
`define TSR_READ_RSP_T(Config)               \
  struct packed {                            \
    logic                        ar_ready;   \
    logic [Config.DataWidth-1:0] r_data;     \
    tsr_fabric_pkg::r_status_t   r;          \
    logic                        r_valid;    \
  }

// From a write channel to the bus; back: tsr_fabric_pkg::write_rsp_t.
`define TSR_WRITE_REQ_T(burst_t, w_t)        \
  struct packed {                            \
    burst_t aw;                              \
    logic   aw_valid;                        \
    w_t     w;                               \
    logic   w_valid;                         \
    logic   b_ready;                         \
  }

// How a channel stands on the bus, one direction. Constant while the channel is not idle.
`define TSR_STANDING_T(Config)               \
  struct packed {                            \
    logic [Config.WeightWidth-1:0] weight;   \
    tsr_fabric_pkg::axi_attr_t     attr;     \
    logic [Config.UserWidth-1:0]   user;     \
  }

// ---- A port: AXI4. AxSIZE is the full width, AxBURST is INCR --------------------------------------------

// AR or AW of a port.
`define TSR_AX_T(Config)                     \
  struct packed {                            \
    logic [Config.IdWidth-1:0]   id;         \
    logic [Config.AddrWidth-1:0] addr;       \
    logic [7:0]                  len;        \
    logic [2:0]                  size;       \
    logic [1:0]                  burst;      \
    tsr_fabric_pkg::axi_attr_t   attr;       \
    logic [Config.UserWidth-1:0] user;       \
  }

// The read half: from the fabric to the memory, and back.
`define TSR_READ_PORT_REQ_T(ax_t)            \
  struct packed {                            \
    ax_t  ar;                                \
    logic ar_valid;                          \
    logic r_ready;                           \
  }
`define TSR_READ_PORT_RSP_T(Config)          \
  struct packed {                            \
    logic                        ar_ready;   \
    logic [Config.IdWidth-1:0]   r_id;       \
    logic [Config.DataWidth-1:0] r_data;     \
    tsr_fabric_pkg::r_status_t   r;          \
    logic                        r_valid;    \
  }

// The write half.
`define TSR_WRITE_PORT_REQ_T(ax_t, w_t)      \
  struct packed {                            \
    ax_t  aw;                                \
    logic aw_valid;                          \
    w_t   w;                                 \
    logic w_valid;                           \
    logic b_ready;                           \
  }
`define TSR_WRITE_PORT_RSP_T(Config)         \
  struct packed {                            \
    logic                      aw_ready;     \
    logic                      w_ready;      \
    logic [Config.IdWidth-1:0] b_id;         \
    logic [1:0]                b_resp;       \
    logic                      b_valid;      \
  }

`endif
