// Lets write bursts through that a window permits and takes the others itself, with DECERR.
//
// Contract: stands between a write engine and the bus. A burst that no window permits never reaches the
// bus: when everything before it has been answered, its data are accepted and dropped and the engine
// gets DECERR, so that its record names cause and address and the engine goes on as after any error
// response. `denied_o` tells of it once. Data reach the bus after their address. While `rests_i`, bursts
// that wait are held against the windows again.
// Latency: AW 1 cycle, W 1 after its address was accepted, else 0; B 0. Throughput: one burst, beat and
// answer a cycle; a burst that is denied waits for those before it.
`include "tsr_assert.svh"
`include "tsr_types.svh"
module tsr_write_window
  import tsr_fabric_pkg::*;
#(
  parameter  fabric_config_t Config  = FabricDefaults,
  localparam int unsigned    Windows = Config.Windows,
  localparam type            burst_t = `TSR_BURST_T(Config),
  localparam type            w_t     = `TSR_W_T(Config),
  localparam type            req_t   = `TSR_WRITE_REQ_T(burst_t, w_t)
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  window_t    [Windows-1:0] window_i,
  input  logic                     rests_i,   // the bus is at rest and asked for nothing
  output denied_t                  denied_o,
  // The engine.
  input  req_t                     req_i,
  output write_rsp_t               rsp_o,
  // The bus.
  output req_t                     req_o,
  input  write_rsp_t               rsp_i
);

  localparam int unsigned FlightWidth = $clog2(Config.Outstanding + 1);
  burst_t burst;
  logic valid, ready, permitted, asks, passes, passes_data, swallows, answers;
  logic [FlightWidth-1:0]
      flying_q, ahead_q;  // bursts on the bus; of these, those whose data are not
  logic swallowed_q;

  tsr_window_check #(
    .Config(Config),
    .Write (1'b1)
  ) u_check (
    .clk_i,
    .rst_ni,
    .window_i,
    .rests_i,
    .burst_i    (req_i.aw),
    .valid_i    (req_i.aw_valid),
    .ready_o    (rsp_o.aw_ready),
    .burst_o    (burst),
    .permitted_o(permitted),
    .valid_o    (valid),
    .ready_i    (ready)
  );

  assign asks = valid && permitted;
  assign passes = ahead_q != '0;
  assign passes_data = req_i.w_valid && passes;
  assign swallows = valid && !permitted && flying_q == '0 && !swallowed_q;
  assign answers = swallowed_q;
  assign ready = permitted ? rsp_i.aw_ready : answers && req_i.b_ready;

  assign req_o = '{
          aw: burst,
          aw_valid: asks,
          w: req_i.w,
          w_valid: passes_data,
          b_ready: req_i.b_ready
      };
  assign rsp_o.w_ready = passes ? rsp_i.w_ready : swallows;
  assign rsp_o.b_valid = answers || rsp_i.b_valid;
  assign rsp_o.b_resp = answers ? RespDecErr : rsp_i.b_resp;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      flying_q    <= '0;
      ahead_q     <= '0;
      swallowed_q <= 1'b0;
    end else begin
      flying_q <= flying_q + FlightWidth'(asks && rsp_i.aw_ready) -
          FlightWidth'(rsp_i.b_valid && req_i.b_ready);
      ahead_q  <= ahead_q + FlightWidth'(asks && rsp_i.aw_ready) -
          FlightWidth'(passes_data && rsp_i.w_ready && req_i.w.last);
      if (answers) swallowed_q <= !req_i.b_ready;
      else swallowed_q <= swallows && req_i.w_valid && req_i.w.last;
    end
  end

  assign denied_o = '{valid: answers && req_i.b_ready, addr: 64'(burst.addr)};

  `TSR_ASSERT(WithinOutstanding, 32'(flying_q) <= Config.Outstanding)
  `TSR_ASSERT(OneAnswers, !(answers && rsp_i.b_valid))
  `TSR_ASSERT_NEXT(AwStays, asks && !rsp_i.aw_ready && !rests_i, asks && $past(burst) == burst)

endmodule
