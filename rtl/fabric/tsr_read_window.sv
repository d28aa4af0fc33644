// Lets read bursts through that a window permits and answers the others itself, with DECERR.
//
// Contract: stands between a read engine and the bus. A burst that no window permits never reaches the
// bus: when everything before it has been answered, the engine gets its beats with DECERR and garbage,
// so that its record names cause and address and the engine goes on as after any error response.
// `denied_o` tells of it once. While `rests_i`, bursts that wait are held against the windows again.
// Latency: AR 1 cycle; R 0. Throughput: one burst and one beat a cycle; a burst that is denied waits for
// those before it.
`include "tsr_assert.svh"
`include "tsr_types.svh"
module tsr_read_window
  import tsr_fabric_pkg::*;
#(
  parameter  fabric_config_t Config  = FabricDefaults,
  localparam int unsigned    Windows = Config.Windows,
  localparam type            burst_t = `TSR_BURST_T(Config),
  localparam type            req_t   = `TSR_READ_REQ_T(burst_t),
  localparam type            rsp_t   = `TSR_READ_RSP_T(Config)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  window_t [Windows-1:0] window_i,
  input  logic                  rests_i,   // the bus is at rest and asked for nothing
  output denied_t               denied_o,
  // The engine.
  input  req_t                  req_i,
  output rsp_t                  rsp_o,
  // The bus.
  output req_t                  req_o,
  input  rsp_t                  rsp_i
);

  localparam int unsigned FlightWidth = $clog2(Config.Outstanding + 1);
  burst_t burst;
  logic valid, ready, permitted, answers, answered, asks, last;
  logic [FlightWidth-1:0] flying_q;  // bursts on the bus
  logic [7:0] beat_q;

  tsr_window_check #(
    .Config(Config),
    .Write (1'b0)
  ) u_check (
    .clk_i,
    .rst_ni,
    .window_i,
    .rests_i,
    .burst_i    (req_i.ar),
    .valid_i    (req_i.ar_valid),
    .ready_o    (rsp_o.ar_ready),
    .burst_o    (burst),
    .permitted_o(permitted),
    .valid_o    (valid),
    .ready_i    (ready)
  );

  assign asks     = valid && permitted;
  assign answers  = valid && !permitted && flying_q == '0;
  assign last     = beat_q == burst.len;
  assign answered = answers && req_i.r_ready && last;
  assign ready    = permitted ? rsp_i.ar_ready : answered;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      flying_q <= '0;
      beat_q   <= '0;
    end else begin
      flying_q <= flying_q + FlightWidth'(asks && rsp_i.ar_ready) -
          FlightWidth'(rsp_i.r_valid && req_i.r_ready && rsp_i.r.last);
      if (answers && req_i.r_ready) beat_q <= answered ? '0 : beat_q + 1'b1;
    end
  end

  assign req_o         = '{ar: burst, ar_valid: asks, r_ready: req_i.r_ready};
  assign rsp_o.r_valid = answers || rsp_i.r_valid;
  assign rsp_o.r_data  = rsp_i.r_data;
  assign rsp_o.r       = answers ? '{resp: RespDecErr, last: last} : rsp_i.r;
  assign denied_o      = '{valid: answered, addr: 64'(burst.addr)};

  `TSR_ASSERT(WithinOutstanding, 32'(flying_q) <= Config.Outstanding)
  `TSR_ASSERT(OneAnswers, !(answers && rsp_i.r_valid))
  `TSR_ASSERT_NEXT(ArStays, asks && !rsp_i.ar_ready && !rests_i, asks && $past(burst) == burst)

endmodule
