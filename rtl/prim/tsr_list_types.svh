// Types of the memory port of descriptor lists, as those in tsr_types.svh: a port without IDs.
`ifndef TSR_LIST_TYPES_SVH
`define TSR_LIST_TYPES_SVH

// AR and AW.
`define TSR_LIST_AX_T(AddrWidth)             \
  struct packed {                            \
    logic [AddrWidth-1:0]      addr;         \
    logic [7:0]                len;          \
    tsr_fabric_pkg::axi_attr_t attr;         \
  }

// From the lists to the memory, and back.
`define TSR_LIST_REQ_T(list_ax_t, ListWidth) \
  struct packed {                            \
    list_ax_t               ar;              \
    logic                   ar_valid;        \
    logic                   r_ready;         \
    list_ax_t               aw;              \
    logic                   aw_valid;        \
    logic [ListWidth-1:0]   w_data;          \
    logic [ListWidth/8-1:0] w_strb;          \
    logic                   w_last;          \
    logic                   w_valid;         \
    logic                   b_ready;         \
  }
`define TSR_LIST_RSP_T(ListWidth)            \
  struct packed {                            \
    logic                      ar_ready;     \
    logic [ListWidth-1:0]      r_data;       \
    tsr_fabric_pkg::r_status_t r;            \
    logic                      r_valid;      \
    logic                      aw_ready;     \
    logic                      w_ready;      \
    logic [1:0]                b_resp;       \
    logic                      b_valid;      \
  }

`endif
