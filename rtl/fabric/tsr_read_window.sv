// Lets read bursts through that a window permits and answers the others itself, with DECERR.
//
// Contract: stands between a read engine and the bus. A burst that no window permits never reaches the
// bus: when everything before it has been answered, the engine gets its beats with DECERR and garbage,
// so that its record names cause and address and the engine goes on as after any error response.
// `denied_o` tells of it once, with `denied_addr_o`.
// Latency: AR 1 cycle; R 0. Throughput: one burst and one beat a cycle; a burst that is denied waits for
// those before it.
`include "tsr_assert.svh"
module tsr_read_window
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
  input  logic    [AddrWidth-1:0] araddr_i,
  input  logic    [          7:0] arlen_i,
  input  logic                    arvalid_i,
  output logic                    arready_o,
  output logic    [          1:0] rresp_o,
  output logic                    rlast_o,
  output logic                    rvalid_o,
  input  logic                    rready_i,
  // The bus.
  output logic    [AddrWidth-1:0] araddr_o,
  output logic    [          7:0] arlen_o,
  output logic                    arvalid_o,
  input  logic                    arready_i,
  input  logic    [          1:0] rresp_i,
  input  logic                    rlast_i,
  input  logic                    rvalid_i,
  output logic                    rready_o
);

  logic valid, ready, permitted, answers, answered;
  logic [7:0] flying_q, beat_q;

  tsr_window_check #(
    .AddrWidth(AddrWidth),
    .Windows  (Windows),
    .Write    (1'b0)
  ) u_check (
    .clk_i,
    .rst_ni,
    .window_i,
    .addr_i     (araddr_i),
    .len_i      (arlen_i),
    .valid_i    (arvalid_i),
    .ready_o    (arready_o),
    .addr_o     (araddr_o),
    .len_o      (arlen_o),
    .permitted_o(permitted),
    .valid_o    (valid),
    .ready_i    (ready)
  );

  // Bursts on the bus; 255 hold up the next.
  assign arvalid_o = valid && permitted && flying_q != '1;
  assign answers   = valid && !permitted && flying_q == '0;
  assign answered  = answers && rready_i && beat_q == arlen_o;
  assign ready     = permitted ? arready_i && flying_q != '1 : answered;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      flying_q <= '0;
      beat_q   <= '0;
    end else begin
      flying_q <= flying_q + 8'(arvalid_o && arready_i) - 8'(rvalid_i && rready_o && rlast_i);
      if (answers && rready_i) beat_q <= answered ? '0 : beat_q + 1'b1;
    end
  end

  assign rvalid_o      = answers || rvalid_i;
  assign rresp_o       = answers ? 2'b11 : rresp_i;
  assign rlast_o       = answers ? beat_q == arlen_o : rlast_i;
  assign rready_o      = rready_i;
  assign denied_o      = answered;
  assign denied_addr_o = araddr_o;

  `TSR_ASSERT(OneAnswers, !(answers && rvalid_i))
  `TSR_STABLE(ArStable, arvalid_o, arready_i, {araddr_o, arlen_o})

endmodule
