// tsr_read_window: what reaches the bus lies in a window that permits reading; every burst is answered
// with its beats, in order: by the bus if it was permitted, with DECERR if not.
`include "proof.svh"
`include "tsr_types.svh"

module read_window_proof
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
  input logic    [AddrWidth-1:0] araddr_i,
  input logic    [          7:0] arlen_i,
  input logic                    arvalid_i,
  input logic                    rready_i,
  input logic                    arready_i,
  input logic    [          1:0] rresp_i,
  input logic    [          7:0] rdata_i,
  input logic                    rlast_i,
  input logic                    rvalid_i
);

  `TSR_PROOF_RESET

  logic denied_o, arready_o, rlast_o, rvalid_o, arvalid_o, rready_o;
  logic [AddrWidth-1:0] denied_addr_o, araddr_o;
  logic [1:0] rresp_o;
  logic [7:0] arlen_o;

  function automatic fabric_config_t build();
    build             = FabricDefaults;
    build.AddrWidth   = AddrWidth;
    build.DataWidth   = 8;
    build.Windows     = Windows;
    build.Outstanding = Most;
  endfunction
  localparam fabric_config_t Config = build();
  localparam type burst_t = `TSR_BURST_T(Config);
  localparam type req_t = `TSR_READ_REQ_T(burst_t);
  localparam type rsp_t = `TSR_READ_RSP_T(Config);

  req_t req;
  rsp_t rsp;
  denied_t denied;
  assign denied_o      = denied.valid;
  assign denied_addr_o = denied.addr[AddrWidth-1:0];
  assign araddr_o      = req.ar.addr;
  assign arlen_o       = req.ar.len;
  assign arvalid_o     = req.ar_valid;
  assign rready_o      = req.r_ready;
  assign arready_o     = rsp.ar_ready;
  assign rresp_o       = rsp.r.resp;
  assign rlast_o       = rsp.r.last;
  assign rvalid_o      = rsp.r_valid;

  tsr_read_window #(
    .Config(Config)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .window_i,
    .rests_i,
    .denied_o(denied),
    .req_i('{ar: '{addr: araddr_i, len: arlen_i}, ar_valid: arvalid_i, r_ready: rready_i}),
    .rsp_o(rsp),
    .req_o(req),
    .rsp_i(
    '{
        ar_ready: arready_i,
        r_data: rdata_i,
        r: '{resp: rresp_i, last: rlast_i},
        r_valid: rvalid_i
    }
    )
  );

  `TSR_ASSERT(DataPass, !rvalid_i || rsp.r_data == rdata_i)

  function automatic logic permitted(input logic [AddrWidth-1:0] addr);
    permitted = 1'b0;
    for (int unsigned w = 0; w < Windows; w++) begin
      if (window_i[w].read && addr[13:12] >= window_i[w].first[1:0] &&
          addr[13:12] <= window_i[w].last[1:0])
        permitted = 1'b1;
    end
  endfunction

  `TSR_ASSUME_NEXT(WindowsStay, 1'b1, $stable(window_i))
  `TSR_ASSUME(Short, arlen_i < 8'd2)
  `TSR_ASSUME_STABLE(Asks, arvalid_i, arready_o, {araddr_i, arlen_i})

  `TSR_ASSERT(NothingOutside, !arvalid_o || permitted(araddr_o))

  // Bursts of the engine that are not answered, 0 the oldest.
  typedef struct packed {
    logic                 permitted;
    logic                 len;
    logic [AddrWidth-1:0] addr;
  } open_t;
  open_t [Most:0] open_q, open_d;
  logic [2:0] count_q, count_d;
  logic beat_q, last;
  logic [1:0] bus_q;  // bursts on the bus that are not answered

  assign last = rvalid_o && rready_i && rlast_o;
  always_comb begin
    open_d  = open_q;
    count_d = count_q;
    if (last) begin
      open_d  = open_d >> $bits(open_t);
      count_d = count_d - 1'b1;
    end
    if (arvalid_i && arready_o) begin
      open_d[count_d] = '{permitted: permitted(araddr_i), len: arlen_i[0], addr: araddr_i};
      count_d = count_d + 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    open_q <= open_d;
    if (!rst_ni) begin
      count_q <= '0;
      bus_q   <= '0;
      beat_q  <= 1'b0;
    end else begin
      count_q <= count_d;
      bus_q   <= bus_q + 2'(arvalid_o && arready_i) - 2'(rvalid_i && rready_o && rlast_i);
      if (rvalid_o && rready_i) beat_q <= !rlast_o;
    end
  end

  `TSR_ASSUME(FewOpen, !arvalid_i || count_q < 3'(Most))
  `TSR_ASSUME(FewOnTheBus, !arready_i || bus_q < 2'd2)
  `TSR_ASSUME(BusAnswersWhatWasAsked, !rvalid_i || bus_q != '0)
  `TSR_ASSUME(BusAnswersWhole, !rvalid_i || rlast_i == (beat_q == open_q[0].len))

  `TSR_ASSERT(AnswersWhatWasAsked, !rvalid_o || count_q != '0)
  `TSR_ASSERT(AnswersWhole, !rvalid_o || rlast_o == (beat_q == open_q[0].len))
  `TSR_ASSERT(TheBusAnswersWhatIsPermitted, !rvalid_o || rvalid_i == open_q[0].permitted)
  `TSR_ASSERT(TheRestIsDecerr, !rvalid_o || rresp_o == (open_q[0].permitted ? rresp_i : 2'b11))
  `TSR_ASSERT(ToldOnce, denied_o == (last && !open_q[0].permitted))
  `TSR_ASSERT(ToldWhere, !denied_o || denied_addr_o == open_q[0].addr)
  // What is denied and the oldest is answered at once.
  logic stuck;
  assign stuck = count_q != '0 && !open_q[0].permitted && !rvalid_o;
  `TSR_ASSERT(NotStuck, !stuck)

  `TSR_COVER(Denied, denied_o)
  `TSR_COVER(PermittedBehindDenied, denied_o && count_q == 3'd2 && open_q[1].permitted)

endmodule
