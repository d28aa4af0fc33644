// Lets transfers through that lie in a window, and answers the others itself, before any request.
//
// Contract: stands in the handshakes of transfers and records of an engine. A transfer is offered to the
// engine when one window permits all of it, from the least to the greatest byte it can touch (tsr_extent).
// One that none permits is taken when everything before it has its record, and gets the record `decerr`
// with no bytes and an address outside, of which `denied_o` tells; no byte of its stream moves.
// A transfer may be withdrawn before it is taken (an abort); it has no record then.
// With a window that permits the whole address space nothing is refused but what leaves that.
// Latency: a row of neighbours 2 cycles, the other transfers as tsr_extent says and 1 more; a window in
// which it does not lie 1 more. Throughput: a transfer in its latency and a cycle, beside the work of
// those before it.
`include "tsr_assert.svh"
module tsr_window_transfer
  import tsr_pkg::*;
  import tsr_fabric_pkg::*;
#(
  parameter  fabric_config_t Config  = FabricDefaults,
  parameter  bit             Write   = 1'b0,
  localparam int unsigned    Windows = Config.Windows
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  window_t   [Windows-1:0] window_i,
  output denied_t                 denied_o,
  // Outside.
  input  transfer_t               transfer_i,
  input  logic                    valid_i,
  output logic                    ready_o,
  output done_t                   done_o,
  output logic                    done_valid_o,
  input  logic                    done_ready_i,
  output logic                    idle_o,
  // The engine.
  output logic                    valid_o,
  input  logic                    ready_i,
  input  done_t                   done_i,
  input  logic                    done_valid_i,
  output logic                    done_ready_o,
  input  logic                    abort_i,
  input  logic                    idle_i
);

  localparam int unsigned AddrWidth = Config.AddrWidth;
  localparam int unsigned PageWidth = AddrWidth - PageBits;
  localparam int unsigned NumberWidth = $clog2(Windows < 2 ? 2 : Windows);

  typedef enum logic [1:0] {
    Look,
    Pass,
    Refuse,
    Tell
  } state_e;

  state_e state_q, state_d;
  logic done, empty, unknown, begins, ends, lies, begun_q, more;
  logic [AddrWidth-1:0] first, last, addr_q;
  logic [NumberWidth-1:0] index_q;
  window_t window;

  tsr_extent #(
    .AddrWidth(AddrWidth),
    .Walk     (Config.Walk),
    .Bounds   (Config.Bounds)
  ) u_extent (
    .clk_i,
    .rst_ni,
    .run_i    (valid_i && state_q == Look),
    .transfer_i,
    .done_o   (done),
    .empty_o  (empty),
    .unknown_o(unknown),
    .first_o  (first),
    .last_o   (last)
  );

  // ---- Windows, one a cycle ---------------------------------------------------------------------

  function automatic logic holds(input logic [2*PageWidth-1:0] pages,
                                 input logic [PageWidth-1:0] page);
    return page >= pages[2*PageWidth-1:PageWidth] && page <= pages[PageWidth-1:0];
  endfunction

  logic unused_window;
  logic [2*PageWidth-1:0] pages;
  assign window = window_i[index_q];
  assign pages = {window.first[PageWidth-1:0], window.last[PageWidth-1:0]};
  assign unused_window = ^window;
  assign begins = (Write ? window.write : window.read) && holds(pages, first[AddrWidth-1:PageBits]);
  assign ends = holds(pages, last[AddrWidth-1:PageBits]);
  assign lies = empty || (begins && ends && !unknown);
  assign more = 32'(index_q) != Windows - 1;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Look:    if (valid_i && done && (lies || !more)) state_d = lies ? Pass : Refuse;
      Pass:    if (ready_i || !valid_i) state_d = Look;
      Refuse: begin
        if (!valid_i) state_d = Look;
        else if (idle_i && !abort_i) state_d = Tell;
      end
      Tell:    if (done_ready_i) state_d = Look;
      default: state_d = Look;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) state_q <= Look;
    else state_q <= state_d;
  end

  always_ff @(posedge clk_i) begin
    if (state_q != Look || !done) begin
      index_q <= '0;
      begun_q <= 1'b0;
    end else if (more) begin
      index_q <= index_q + 1'b1;
      begun_q <= begun_q || begins;
    end
    if (state_q == Look) begin
      if (unknown) addr_q <= transfer_i.addr[AddrWidth-1:0];
      else addr_q <= begun_q || begins ? last : first;
    end
  end

  assign valid_o        = valid_i && state_q == Pass;
  assign ready_o        = state_q == Pass ? ready_i : state_q == Refuse && state_d == Tell;
  assign idle_o         = idle_i && state_q != Tell;
  assign denied_o.valid = state_q == Refuse && state_d == Tell;
  assign denied_o.addr  = 64'(addr_q);

  assign done_valid_o   = done_valid_i || state_q == Tell;
  assign done_ready_o   = done_ready_i && state_q != Tell;
  always_comb begin
    done_o = done_i;
    if (state_q == Tell) begin
      done_o               = '0;
      done_o.addr          = 64'(addr_q);
      done_o.status.decerr = 1'b1;
    end
  end

  `TSR_ASSERT_NEXT(WhatIsRefusedIsTold, denied_o.valid, done_valid_o && done_o.status.decerr)

endmodule
