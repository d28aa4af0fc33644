// Stands between the lists of all channels and what their memory may do wrong.
//
// Contract: as tsr_read_guard for the fetches and tsr_write_guard for the completion entries, of which one
// at a time is on its way to the bus. `rd_failed_o`, `wr_failed_o`: from the answer on that a fault has
// spoilt, all are the guard's own. A direction works again when its memory has answered everything and no list
// is open (`closed_i`), or with `give_up_i` as soon as the lists have their answers: what the memory owes is
// forgotten then. `fault_o` names a fault, in one cycle. `idle_o`: nothing is on the bus.
// With Guard = 0 it is wires, and an address of a list that waits for its data never ends.
// Latency: 0 cycles for reads; 1 for the address of an entry, and its data go one cycle after it. Throughput: a
// burst and a beat a cycle for reads; two cycles for the address of an entry, one for each of its beats.
`include "tsr_assert.svh"
`include "tsr_list_types.svh"
module tsr_list_guard
  import tsr_fabric_pkg::*;
  import tsr_dma_pkg::*;
#(
  parameter  bit          Guard       = DmaDefaults.Features.guard,
  parameter  int unsigned AddrWidth   = 64,
  parameter  int unsigned Outstanding = 16,                          // fetches
  parameter  int unsigned Entries     = 16,                          // without their answers
  parameter  int unsigned Silence     = FabricDefaults.Silence,
  localparam type         list_ax_t   = `TSR_LIST_AX_T(AddrWidth)
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            tick_i,       // the cycle counts for time-outs
  input  logic            closed_i,
  input  logic            give_up_i,
  output fault_e          fault_o,
  output logic            idle_o,
  // The fetcher.
  input  logic      [7:0] arlen_i,
  input  logic            arvalid_i,
  output logic            arready_o,
  output logic      [1:0] rresp_o,
  output logic            rvalid_o,
  input  logic            rready_i,
  output logic            rd_failed_o,
  // The writer; address and data stay until they are taken.
  input  list_ax_t        aw_i,
  input  logic            awvalid_i,
  output logic            awready_o,
  input  logic            wlast_i,
  input  logic            wvalid_i,
  output logic            wready_o,
  output logic      [1:0] bresp_o,
  output logic            bvalid_o,
  output logic            wr_failed_o,
  // The bus; address and data of fetches and data of entries do not pass through here.
  output logic            arvalid_o,
  input  logic            arready_i,
  input  r_status_t       r_i,
  input  logic            rvalid_i,
  output logic            rready_o,
  output list_ax_t        aw_o,
  output logic            awvalid_o,
  input  logic            awready_i,
  output logic            wvalid_o,
  input  logic            wready_i,
  input  logic      [1:0] bresp_i,
  input  logic            bvalid_i
);

  if (Guard) begin : gen_guard
    bus_state_t rd_state, wr_state;
    bus_control_t rd_control, wr_control;
    logic rd_failed_q, wr_failed_q, rd_clear_q, wr_clear_q;

    // ---- Fetches --------------------------------------------------------------------------------

    r_status_t r;
    logic fetch_ready, back, unused_bits;

    // In the cycle of a clear nothing is asked for: what comes in it would be forgotten with the rest.
    always_ff @(posedge clk_i) begin
      rd_clear_q <= rst_ni && rd_failed_q && rd_state.clearable && !arvalid_i && !rd_clear_q &&
          (give_up_i || (rd_state.idle && closed_i));
    end
    assign rd_control = '{open: !rd_failed_q, clear: rd_clear_q, tick: tick_i};
    assign rd_failed_o = rd_failed_q || rd_state.fault != FaultNone;
    assign rresp_o = r.resp;

    tsr_read_guard #(
      .Outstanding(Outstanding),
      .Silence    (Silence)
    ) u_read (
      .clk_i,
      .rst_ni,
      .control_i (rd_control),
      .doubt_i   (1'b0),
      .state_o   (rd_state),
      .back_o    (back),
      .kept_i    ('0),
      .stalls_i  (1'b1),
      .held_i    (1'b0),
      .ar_len_i  (arlen_i),
      .ar_valid_i(arvalid_i && !rd_clear_q),
      .ar_ready_o(fetch_ready),
      .r_o       (r),
      .r_valid_o (rvalid_o),
      .r_ready_i (rready_i),
      .ar_valid_o(arvalid_o),
      .ar_ready_i(arready_i),
      .r_i,
      .r_valid_i (rvalid_i),
      .r_ready_o (rready_o)
    );
    assign arready_o   = fetch_ready && !rd_clear_q;
    assign unused_bits = ^{back, r.last, rd_state.shows, wr_state.shows};

    // ---- Entries --------------------------------------------------------------------------------

    logic address_valid, entry_ready, data_due_q, data_ready;

    always_ff @(posedge clk_i) begin
      wr_clear_q <= rst_ni && wr_failed_q && wr_state.clearable && !awvalid_i && !data_due_q &&
          !wr_clear_q && (give_up_i || (wr_state.idle && closed_i));
    end
    assign wr_control  = '{open: !wr_failed_q, clear: wr_clear_q, tick: tick_i};
    assign wr_failed_o = wr_failed_q || wr_state.fault != FaultNone;

    tsr_write_guard #(
      .Outstanding(Entries),
      .Silence    (Silence)
    ) u_write (
      .clk_i,
      .rst_ni,
      .control_i (wr_control),
      .doubt_i   (1'b0),
      .state_o   (wr_state),
      .stalls_i  (1'b1),
      .aw_valid_i(awvalid_i && !wr_clear_q),
      .aw_ready_o(entry_ready),
      .w_last_i  (wlast_i),
      .w_valid_i (wvalid_i && data_due_q),
      .w_ready_o (data_ready),
      .b_resp_o  (bresp_o),
      .b_valid_o (bvalid_o),
      .aw_valid_o(address_valid),
      .aw_ready_i(!awvalid_o),
      .w_valid_o (wvalid_o),
      .w_ready_i (wready_i),
      .b_resp_i  (bresp_i),
      .b_valid_i (bvalid_i)
    );
    assign awready_o = entry_ready && !wr_clear_q;
    assign wready_o  = data_ready && data_due_q;

    // Data follow their address into the guard, and so come with it or later. A memory may want to see
    // them before it takes the address.
    always_ff @(posedge clk_i) begin
      if (!rst_ni) data_due_q <= 1'b0;
      else if (awvalid_i && awready_o) data_due_q <= 1'b1;
      else if (wvalid_i && wready_o && wlast_i) data_due_q <= 1'b0;
    end

    // An address has left before the next one is taken.
    always_ff @(posedge clk_i) begin
      if (!rst_ni) awvalid_o <= 1'b0;
      else awvalid_o <= awvalid_o ? !awready_i : address_valid;
      if (!awvalid_o) aw_o <= aw_i;
    end

    // ---- Faults ---------------------------------------------------------------------------------

    assign fault_o = rd_state.fault != FaultNone ? rd_state.fault : wr_state.fault;
    assign idle_o  = rd_state.idle && wr_state.idle && !awvalid_o;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        rd_failed_q <= 1'b0;
        wr_failed_q <= 1'b0;
      end else begin
        rd_failed_q <= rd_failed_o && !rd_clear_q;
        wr_failed_q <= wr_failed_o && !wr_clear_q;
      end
    end

    `TSR_ASSERT(OneEntryAtATime, !(awvalid_i && awready_o && data_due_q) || (wready_o && wlast_i))
    `TSR_ASSERT(FailsUntilItIsClear, rd_failed_q || !rd_clear_q)
  end else begin : gen_wires
    logic unused_guard;
    assign unused_guard = ^{clk_i, rst_ni, tick_i, closed_i, give_up_i, arlen_i, wlast_i, r_i.last};
    assign fault_o = FaultNone;
    assign idle_o = 1'b1;
    assign arready_o = arready_i;
    assign rresp_o = r_i.resp;
    assign rvalid_o = rvalid_i;
    assign rd_failed_o = 1'b0;
    assign awready_o = awready_i;
    assign wready_o = wready_i;
    assign bresp_o = bresp_i;
    assign bvalid_o = bvalid_i;
    assign wr_failed_o = 1'b0;
    assign arvalid_o = arvalid_i;
    assign rready_o = rready_i;
    assign aw_o = aw_i;
    assign awvalid_o = awvalid_i;
    assign wvalid_o = wvalid_i;
  end

  `TSR_STABLE(ArStable, arvalid_o, arready_i, arlen_i)
  `TSR_STABLE(AwStable, awvalid_o, awready_i, aw_o)
  `TSR_STABLE(WStable, wvalid_o, wready_i, wlast_i)

endmodule
