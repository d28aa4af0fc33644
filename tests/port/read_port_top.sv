// Read ports of several shapes side by side. tests/port/shapes.h has the same list.
`include "tsr_port_types.svh"
module read_port_top
  import tsr_descriptor_pkg::*;
  import tsr_fabric_pkg::*;
  import tsr_port_pkg::*;
#(
  localparam int unsigned Cells = 7,
  localparam int unsigned Most  = 16,
  localparam int unsigned Bytes = 64
) (
  input  logic [Cells-1:0]      clk_i,              // of each: the one that is tested
  input  logic                  rst_ni,
  input  logic [      3:0]      cell_i,             // that is seen at the outputs
  input  logic [      3:0]      control_i,          // clear, forget, quiesce, tick
  output logic [      4:0]      state_o,            // failed, stuck, quiet, timed out, stray
  output logic                  fault_valid_o,
  output logic [      3:0]      fault_cause_o,
  output logic [      5:0]      event_o,            // channel, burst, blocked
  output logic                  refusal_valid_o,
  output logic [      3:0]      refusal_channel_o,
  output logic [     63:0]      refusal_addr_o,
  output logic [ Most-1:0]      owed_o,
  input  logic                  window_valid_i,
  input  logic                  window_write_i,
  input  logic [      3:0]      window_channel_i,
  input  logic [      3:0]      window_number_i,
  input  logic [      2:0]      window_word_i,
  input  logic [     31:0]      window_data_i,
  input  logic [      3:0]      window_strobe_i,
  output logic                  window_ready_o,
  output logic                  window_error_o,
  output logic [     31:0]      window_data_o,
  input  logic                  claim_valid_i,
  input  logic [      3:0]      claim_channel_i,
  input  logic [ Most-1:0]      hold_i,
  input  logic [ Most-1:0]      abort_i,
  input  logic [      3:0]      burst_channel_i,
  input  logic                  burst_first_i,
  input  logic [     63:0]      burst_addr_i,
  input  logic [      7:0]      burst_len_i,
  input  logic [     10:0]      burst_attr_i,
  input  logic                  burst_valid_i,
  output logic                  burst_ready_o,
  output logic [Bytes-1:0][7:0] data_o,
  output logic [      1:0]      resp_o,
  output logic                  valid_o,
  input  logic                  ready_i,
  output logic [     15:0]      ax_id_o,
  output logic [     63:0]      ax_addr_o,
  output logic [      7:0]      ax_len_o,
  output logic [     10:0]      ax_attr_o,
  output logic                  ax_valid_o,
  input  logic                  ax_ready_i,
  input  logic [     15:0]      r_id_i,
  input  logic [Bytes-1:0][7:0] r_data_i,
  input  logic [      1:0]      r_resp_i,
  input  logic                  r_last_i,
  input  logic                  r_valid_i,
  output logic                  r_ready_o
);

  localparam int unsigned Channels[Cells] = '{1, 4, 16, 4, 4, 1, 3};
  localparam int unsigned AddrWidth[Cells] = '{64, 64, 32, 40, 64, 32, 64};
  localparam int unsigned BusLog[Cells] = '{3, 3, 2, 6, 3, 3, 4};
  localparam int unsigned MaxBurst[Cells] = '{16, 256, 16, 4, 16, 16, 2};
  localparam int unsigned Outstanding[Cells] = '{64, 16, 64, 8, 64, 16, 4};
  localparam int unsigned Windows[Cells] = '{0, 4, 16, 1, 2, 0, 3};
  localparam bit Guard[Cells] = '{1, 1, 1, 1, 0, 0, 1};
  localparam int unsigned IdWidth[Cells] = '{4, 1, 2, 3, 1, 4, 1};
  localparam int unsigned Timeout[Cells] = '{64, 50, 100, 64, 64, 64, 33};

  typedef struct packed {
    port_state_t           state;
    port_fault_t           fault;
    port_event_t           event_;
    logic                  refusal_valid;
    logic [3:0]            refusal_channel;
    logic [63:0]           refusal_addr;
    logic [Most-1:0]       owed;
    window_response_t      window;
    logic                  burst_ready;
    logic [Bytes-1:0][7:0] data;
    logic [1:0]            resp;
    logic                  valid;
    logic [15:0]           ax_id;
    logic [63:0]           ax_addr;
    logic [7:0]            ax_len;
    axi_attr_t             ax_attr;
    logic                  ax_valid;
    logic                  r_ready;
  } out_t;
  out_t [Cells-1:0] out;

  for (genvar i = 0; i < Cells; i++) begin : gen_cell
    localparam int unsigned N = Channels[i];
    localparam int unsigned Lanes = 2 ** BusLog[i];
    localparam type burst_t = `TSR_PORT_BURST_T(AddrWidth[i]);
    localparam type data_t = `TSR_PORT_DATA_T(Lanes);
    localparam type ax_t = `TSR_PORT_AX_T(AddrWidth[i], IdWidth[i]);
    localparam type r_t = `TSR_PORT_R_T(Lanes, IdWidth[i]);
    burst_t burst;
    data_t  data;
    localparam type req_t = `TSR_PORT_RD_REQ_T(ax_t);
    req_t bus;
    r_t r;
    logic [N-1:0] owed;
    assign burst = '{
            channel: burst_channel_i,
            first: burst_first_i,
            addr: burst_addr_i[AddrWidth[i]-1:0],
            len: burst_len_i
        };
    assign r = '{
            id: r_id_i[IdWidth[i]-1:0],
            data: r_data_i[Lanes-1:0],
            resp: r_resp_i,
            last: r_last_i
        };
    tsr_read_port #(
      .Channels   (N),
      .AddrWidth  (AddrWidth[i]),
      .BusLog     (BusLog[i]),
      .MaxBurst   (MaxBurst[i]),
      .Outstanding(Outstanding[i]),
      .Windows    (Windows[i]),
      .Guard      (Guard[i]),
      .Timeout    (Timeout[i]),
      .IdWidth    (IdWidth[i])
    ) u_dut (
      .clk_i(clk_i[i]),
      .rst_ni,
      .control_i(port_control_t'(control_i)),
      .state_o(out[i].state),
      .fault_o(out[i].fault),
      .event_o(out[i].event_),
      .owed_o(owed),
      .window_i(
      '{
          valid: window_valid_i,
          write: window_write_i,
          channel: window_channel_i,
          number: window_number_i,
          word: window_word_e'(window_word_i),
          data: window_data_i,
          strobe: window_strobe_i
      }
      ),
      .window_o(out[i].window),
      .hold_i(hold_i[N-1:0]),
      .abort_i(abort_i[N-1:0]),
      .claim_i('{valid: claim_valid_i, channel: claim_channel_i}),
      .burst_i(burst),
      .attr_i(axi_attr_t'(burst_attr_i)),
      .burst_valid_i,
      .burst_ready_o(out[i].burst_ready),
      .r_o(data),
      .r_valid_o(out[i].valid),
      .r_ready_i(ready_i),
      .bus_o(bus),
      .bus_i('{ar_ready: ax_ready_i, r: r, r_valid: r_valid_i})
    );
    assign out[i].ax_valid = bus.ar_valid;
    assign out[i].r_ready = bus.r_ready;
    assign out[i].owed    = Most'(owed);
    // A look inside: from this cycle on a burst is known to be refused.
    logic refused_q;
    always_ff @(posedge clk_i[i]) refused_q <= rst_ni && u_dut.refused;
    assign out[i].refusal_valid   = u_dut.refused && !refused_q;
    assign out[i].refusal_channel = u_dut.held.channel;
    assign out[i].refusal_addr    = 64'(u_dut.held.addr);
    assign out[i].data    = (8 * Bytes)'(data.data);
    assign out[i].resp    = data.resp;
    assign out[i].ax_id   = 16'(bus.ar.id);
    assign out[i].ax_addr = 64'(bus.ar.addr);
    assign out[i].ax_len  = bus.ar.len;
    assign out[i].ax_attr = bus.ar.attr;
  end

  out_t seen;
  assign seen = out[cell_i];
  assign state_o = seen.state;
  assign {fault_valid_o, fault_cause_o} = seen.fault;
  assign event_o = seen.event_;
  assign {refusal_valid_o, refusal_channel_o, refusal_addr_o} = {
    seen.refusal_valid, seen.refusal_channel, seen.refusal_addr
  };
  assign owed_o = seen.owed;
  assign {window_ready_o, window_error_o, window_data_o} = seen.window;
  assign burst_ready_o = seen.burst_ready;
  assign {data_o, resp_o, valid_o} = {seen.data, seen.resp, seen.valid};
  assign {ax_id_o, ax_addr_o, ax_len_o, ax_attr_o} = {
    seen.ax_id, seen.ax_addr, seen.ax_len, seen.ax_attr
  };
  assign {ax_valid_o, r_ready_o} = {seen.ax_valid, seen.r_ready};

endmodule
