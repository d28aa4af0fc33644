// tsr_write_window: what reaches the bus lies in a window that permits writing, data of other bursts
// never do, and every burst is answered in order: by the bus if permitted, with DECERR if not.
`include "proof.svh"
`include "tsr_types.svh"

module write_window_proof
  import tsr_fabric_pkg::*;
#(
  localparam int unsigned AddrWidth = 14,  // four pages
  localparam int unsigned Windows   = 2,
  localparam int unsigned Most      = 3    // no power of two: a narrow counter wraps
) (
  input logic                    clk_i,
  input logic                    rst_ni,
  input window_t [  Windows-1:0] window_i,
  input logic                    rests_i,
  input logic    [AddrWidth-1:0] awaddr_i,
  input logic    [          7:0] awlen_i,
  input logic                    awvalid_i,
  input logic    [          7:0] wdata_i,
  input logic                    wstrb_i,
  input logic                    wlast_i,
  input logic                    wvalid_i,
  input logic                    bready_i,
  input logic                    awready_i,
  input logic                    wready_i,
  input logic    [          1:0] bresp_i,
  input logic                    bvalid_i
);

  `TSR_PROOF_RESET

  logic denied_o, awready_o, wready_o, bvalid_o, awvalid_o, wvalid_o, bready_o;
  logic [AddrWidth-1:0] denied_addr_o, awaddr_o;
  logic [1:0] bresp_o;
  logic [7:0] awlen_o;

  function automatic fabric_config_t build();
    build             = FabricDefaults;
    build.AddrWidth   = AddrWidth;
    build.DataWidth   = 8;
    build.Windows     = Windows;
    build.Outstanding = Most;
  endfunction
  localparam fabric_config_t Config = build();
  localparam type burst_t = `TSR_BURST_T(Config);
  localparam type w_t = `TSR_W_T(Config);
  localparam type req_t = `TSR_WRITE_REQ_T(burst_t, w_t);

  req_t req;
  write_rsp_t rsp;
  denied_t refused;
  assign denied_o      = refused.valid;
  assign denied_addr_o = refused.addr[AddrWidth-1:0];
  assign awaddr_o      = req.aw.addr;
  assign awlen_o       = req.aw.len;
  assign awvalid_o     = req.aw_valid;
  assign wvalid_o      = req.w_valid;
  assign bready_o      = req.b_ready;
  assign awready_o     = rsp.aw_ready;
  assign wready_o      = rsp.w_ready;
  assign bresp_o       = rsp.b_resp;
  assign bvalid_o      = rsp.b_valid;

  tsr_write_window #(
    .Config(Config)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .window_i,
    .rests_i,
    .denied_o(refused),
    .req_i(
    '{
        aw: '{addr: awaddr_i, len: awlen_i},
        aw_valid: awvalid_i,
        w: '{data: wdata_i, strb: wstrb_i, last: wlast_i},
        w_valid: wvalid_i,
        b_ready: bready_i
    }
    ),
    .rsp_o(rsp),
    .req_o(req),
    .rsp_i('{aw_ready: awready_i, w_ready: wready_i, b_resp: bresp_i, b_valid: bvalid_i})
  );

  `TSR_ASSERT(DataPass, req.w == {wdata_i, wstrb_i, wlast_i})

  function automatic logic permitted(input logic [AddrWidth-1:0] addr);
    permitted = 1'b0;
    for (int unsigned w = 0; w < Windows; w++) begin
      if (window_i[w].write && addr[13:12] >= window_i[w].first[1:0] &&
          addr[13:12] <= window_i[w].last[1:0])
        permitted = 1'b1;
    end
  endfunction

  `TSR_ASSUME_NEXT(WindowsStay, 1'b1, $stable(window_i))
  `TSR_ASSUME(Short, awlen_i < 8'd2)
  `TSR_ASSUME_STABLE(Asks, awvalid_i, awready_o, {awaddr_i, awlen_i})
  `TSR_ASSUME_STABLE(Gives, wvalid_i, wready_o, wlast_i)

  `TSR_ASSERT(NothingOutside, !awvalid_o || permitted(awaddr_o))

  // Bursts of the engine that are not answered, 0 the oldest; `written` of them have their data.
  typedef struct packed {
    logic                 permitted;
    logic                 len;
    logic [AddrWidth-1:0] addr;
  } open_t;
  open_t [Most:0] open_q, open_d;
  logic [2:0] count_q, count_d, written_q;
  logic beat_q, w, b;
  logic [2:0] bus_q, bus_written_q;  // bursts on the bus without answer; of these, with data

  assign w = wvalid_i && wready_o;
  assign b = bvalid_o && bready_i;
  always_comb begin
    open_d  = open_q;
    count_d = count_q;
    if (b) begin
      open_d  = open_d >> $bits(open_t);
      count_d = count_d - 1'b1;
    end
    if (awvalid_i && awready_o) begin
      open_d[count_d] = '{permitted: permitted(awaddr_i), len: awlen_i[0], addr: awaddr_i};
      count_d = count_d + 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    open_q <= open_d;
    if (!rst_ni) begin
      count_q       <= '0;
      written_q     <= '0;
      bus_q         <= '0;
      bus_written_q <= '0;
      beat_q        <= 1'b0;
    end else begin
      count_q <= count_d;
      written_q <= written_q + 3'(w && wlast_i) - 3'(b);
      bus_q <= bus_q + 3'(awvalid_o && awready_i) - 3'(bvalid_i && bready_o);
      bus_written_q <= bus_written_q + 3'(wvalid_o && wready_i && wlast_i) -
          3'(bvalid_i && bready_o);
      if (w) beat_q <= !wlast_i;
    end
  end

  // The engine gives data of bursts it has asked for.
  `TSR_ASSUME(FewOpen, !awvalid_i || count_q < 3'(Most))
  `TSR_ASSUME(DataOfABurst, !wvalid_i || written_q < count_q)
  `TSR_ASSUME(DataWhole, !wvalid_i || wlast_i == (beat_q == open_q[written_q].len))
  `TSR_ASSUME(BusAnswersWhatItHas, !bvalid_i || bus_written_q != '0)

  `TSR_ASSERT(DataOfTheRestStay, !wvalid_o || open_q[written_q].permitted)
  `TSR_ASSERT(DataAfterTheirAddress, !wvalid_o || bus_written_q < bus_q)
  `TSR_ASSERT(AnswersWhatIsWritten, !bvalid_o || written_q != '0)
  `TSR_ASSERT(TheBusAnswersWhatIsPermitted, !bvalid_o || bvalid_i == open_q[0].permitted)
  `TSR_ASSERT(TheRestIsDecerr, !bvalid_o || bresp_o == (open_q[0].permitted ? bresp_i : 2'b11))
  `TSR_ASSERT(ToldOnce, denied_o == (b && !open_q[0].permitted))
  `TSR_ASSERT(ToldWhere, !denied_o || denied_addr_o == open_q[0].addr)
  // The oldest, if denied, has its data taken, and then its answer.
  logic denied, stuck;
  assign denied = count_q != '0 && !open_q[0].permitted;
  assign stuck  = denied && (written_q == '0 ? !wready_o : !bvalid_o);
  `TSR_ASSERT(NotStuck, !stuck)

  `TSR_COVER(Denied, denied_o)
  `TSR_COVER(PermittedBehindDenied, denied_o && count_q == 3'd2 && open_q[1].permitted)

endmodule
