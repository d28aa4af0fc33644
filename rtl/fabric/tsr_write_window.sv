// Lets write bursts through that a window permits and takes the others itself, with DECERR.
//
// Contract: stands between a write engine and the bus. A burst that no window permits never reaches the
// bus: when everything before it has been answered, its data are taken and thrown away and the engine
// gets DECERR, so that its record names cause and address and the engine goes on as after any error
// response. `denied_o` tells of it once, with `denied_addr_o`. Data reach the bus after their address.
// Latency: AW 1 cycle, W 1 after its address was taken, else 0; B 0. Throughput: one burst, beat and
// answer a cycle; a burst that is denied waits for those before it.
`include "tsr_assert.svh"
module tsr_write_window
  import tsr_fabric_pkg::*;
#(
  parameter int unsigned AddrWidth = 64,
  parameter int unsigned Windows   = 2
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  window_t [  Windows-1:0] window_i,
  output logic                    denied_o,
  output logic    [AddrWidth-1:0] denied_addr_o,
  // The engine. Data do not pass through here.
  input  logic    [AddrWidth-1:0] awaddr_i,
  input  logic    [          7:0] awlen_i,
  input  logic                    awvalid_i,
  output logic                    awready_o,
  input  logic                    wlast_i,
  input  logic                    wvalid_i,
  output logic                    wready_o,
  output logic    [          1:0] bresp_o,
  output logic                    bvalid_o,
  input  logic                    bready_i,
  // The bus.
  output logic    [AddrWidth-1:0] awaddr_o,
  output logic    [          7:0] awlen_o,
  output logic                    awvalid_o,
  input  logic                    awready_i,
  output logic                    wvalid_o,
  input  logic                    wready_i,
  input  logic    [          1:0] bresp_i,
  input  logic                    bvalid_i,
  output logic                    bready_o
);

  logic valid, ready, permitted, passes, swallows, answers;
  logic [7:0] flying_q, ahead_q;  // bursts on the bus; of these, those whose data are not
  logic swallowed_q;

  tsr_window_check #(
    .AddrWidth(AddrWidth),
    .Windows  (Windows),
    .Write    (1'b1)
  ) u_check (
    .clk_i,
    .rst_ni,
    .window_i,
    .addr_i     (awaddr_i),
    .len_i      (awlen_i),
    .valid_i    (awvalid_i),
    .ready_o    (awready_o),
    .addr_o     (awaddr_o),
    .len_o      (awlen_o),
    .permitted_o(permitted),
    .valid_o    (valid),
    .ready_i    (ready)
  );

  assign awvalid_o = valid && permitted && flying_q != '1;
  assign passes    = ahead_q != '0;
  assign swallows  = valid && !permitted && flying_q == '0 && !swallowed_q;
  assign answers   = swallowed_q;
  assign ready     = permitted ? awready_i && flying_q != '1 : answers && bready_i;

  assign wvalid_o  = wvalid_i && passes;
  assign wready_o  = passes ? wready_i : swallows;
  assign bvalid_o  = answers || bvalid_i;
  assign bresp_o   = answers ? 2'b11 : bresp_i;
  assign bready_o  = bready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      flying_q    <= '0;
      ahead_q     <= '0;
      swallowed_q <= 1'b0;
    end else begin
      flying_q <= flying_q + 8'(awvalid_o && awready_i) - 8'(bvalid_i && bready_o);
      ahead_q  <= ahead_q + 8'(awvalid_o && awready_i) - 8'(wvalid_o && wready_i && wlast_i);
      if (answers) swallowed_q <= !bready_i;
      else swallowed_q <= swallows && wvalid_i && wlast_i;
    end
  end

  assign denied_o      = answers && bready_i;
  assign denied_addr_o = awaddr_o;

  `TSR_ASSERT(OneAnswers, !(answers && bvalid_i))
  `TSR_STABLE(AwStable, awvalid_o, awready_i, {awaddr_o, awlen_o})

endmodule
