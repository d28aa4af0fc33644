// tsr_window_check: a queue of two bursts; each is judged by the windows of the cycle in which it comes,
// and of every cycle in which it waits while the bus rests; a judgement changes for nothing else.
`include "proof.svh"
`include "tsr_types.svh"

module window_check_proof
  import tsr_fabric_pkg::*;
#(
  localparam int unsigned AddrWidth = 14,  // four pages
  localparam int unsigned Windows   = 2,
  localparam int unsigned Settled   = 3
) (
  input logic                    clk_i,
  input logic                    rst_ni,
  input window_t [  Windows-1:0] window_i,
  input logic                    rests_i,
  input logic    [AddrWidth-1:0] addr_i,
  input logic                    valid_i,
  input logic                    ready_i
);

  `TSR_PROOF_RESET

  function automatic fabric_config_t build();
    build           = FabricDefaults;
    build.AddrWidth = AddrWidth;
    build.Windows   = Windows;
  endfunction
  localparam fabric_config_t Config = build();
  localparam type burst_t = `TSR_BURST_T(Config);

  burst_t burst_o;
  logic ready_o, permitted_o, valid_o;

  tsr_window_check #(
    .Config(Config)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .window_i,
    .rests_i,
    .burst_i('{addr: addr_i, len: '0}),
    .valid_i,
    .ready_o,
    .burst_o,
    .permitted_o,
    .valid_o,
    .ready_i
  );

  queue_check #(
    .Capacity(2),
    .T       (logic [AddrWidth-1:0])
  ) u_queue (
    .clk_i,
    .rst_ni,
    .flush_i    (1'b0),
    .in_data_i  (addr_i),
    .in_valid_i (valid_i),
    .in_ready_i (ready_o),
    .out_data_i (burst_o.addr),
    .out_valid_i(valid_o),
    .out_ready_i(ready_i)
  );

  function automatic logic permitted(input logic [AddrWidth-1:0] addr);
    permitted = 1'b0;
    for (int unsigned w = 0; w < Windows; w++) begin
      if (window_i[w].read && addr[13:12] >= window_i[w].first[1:0] &&
          addr[13:12] <= window_i[w].last[1:0])
        permitted = 1'b1;
    end
  endfunction

  // For so many cycles in a row the bus has been at rest since the windows are what they are.
  logic [1:0] still_q;
  window_t [Windows-1:0] window_q;
  always_ff @(posedge clk_i) begin
    window_q <= window_i;
    if (!rst_ni || window_q != window_i) still_q <= 2'(rests_i);
    else if (still_q != 2'(Settled)) still_q <= rests_i ? still_q + 2'd1 : '0;
  end
  logic still;
  assign still = still_q == 2'(Settled) && window_q == window_i;

  // Since the reset the windows have permitted an address in some cycle; in all of them.
  logic [AddrWidth-1:0] any_addr;
  logic some_q, all_q, mine;
  assign mine = valid_o && burst_o.addr == any_addr;
  always_ff @(posedge clk_i) begin
    any_addr <= any_addr;
    if (!rst_ni) begin
      some_q <= 1'b0;
      all_q  <= 1'b1;
    end else begin
      some_q <= some_q || permitted(any_addr);
      all_q  <= all_q && permitted(any_addr);
    end
  end

  `TSR_ASSUME(NothingGoesOutAtRest, !rests_i || !ready_i)

  `TSR_ASSERT(WhatHasNoWindowIsRefused, !still || !valid_o || !permitted_o || permitted(
              burst_o.addr))
  `TSR_ASSERT(WhatNeverHadAWindowIsRefused, !mine || some_q || !permitted_o)
  `TSR_ASSERT(WhatAlwaysHadAWindowIsPermitted, !mine || !all_q || permitted_o)
  `TSR_ASSERT_NEXT(AJudgementStays, valid_o && !ready_i && !rests_i, permitted_o == $past
                   (permitted_o))
  `TSR_ASSERT_NEXT(ARefusalStays, valid_o && !ready_i && !permitted_o, !permitted_o)

  `TSR_COVER_NEXT(AWindowGoes, valid_o && permitted_o, valid_o && !permitted_o)
  `TSR_COVER(TwoAreRefused, still && !ready_o && !permitted_o && !permitted(addr_i))

endmodule
