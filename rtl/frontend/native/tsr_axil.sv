// AXI4-Lite to the register bus, one access at a time.
//
// Contract: each accepted AW with its W, in whatever order they come, gets one B; each accepted AR one R.
// An access is on the bus in the cycle of the handshake that completes it if the bus and the response are
// free then: there are combinational paths from AW, W and AR to the bus, none from a ready to a ready. One
// of each can wait in front of an access that takes longer, so nothing of what the master holds back
// stands in the way of the rest. Writes and reads that both wait alternate. Errors answer SLVERR. AxPROT
// is ignored.
// Latency: 1 cycle from the bus's answer to the response. Throughput: an access in two cycles.
`include "tsr_assert.svh"
module tsr_axil
  import tsr_fabric_pkg::*;
  import tsr_register_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,
  input  axil_req_t    axil_i,
  output axil_rsp_t    axil_o,
  output bus_request_t request_o,
  output logic         valid_o,
  input  logic         ready_i,
  input  bus_answer_t  answer_i
);

  typedef struct packed {
    logic [31:0] data;
    logic [3:0]  strobe;
  } data_t;
  typedef logic [BusBits-1:2] word_t;

  word_t aw, ar;
  data_t w;
  logic aw_valid, w_valid, ar_valid, aw_ready, w_ready, ar_ready, write_done, read_done;
  logic bvalid_q, rvalid_q;

  tsr_skid #(
    .T(word_t)
  ) u_aw (
    .clk_i,
    .rst_ni,
    .data_i (axil_i.aw_addr[BusBits-1:2]),
    .valid_i(axil_i.aw_valid),
    .ready_o(aw_ready),
    .data_o (aw),
    .valid_o(aw_valid),
    .ready_i(write_done)
  );

  tsr_skid #(
    .T(data_t)
  ) u_w (
    .clk_i,
    .rst_ni,
    .data_i ({axil_i.w_data, axil_i.w_strb}),
    .valid_i(axil_i.w_valid),
    .ready_o(w_ready),
    .data_o (w),
    .valid_o(w_valid),
    .ready_i(write_done)
  );

  tsr_skid #(
    .T(word_t)
  ) u_ar (
    .clk_i,
    .rst_ni,
    .data_i (axil_i.ar_addr[BusBits-1:2]),
    .valid_i(axil_i.ar_valid),
    .ready_o(ar_ready),
    .data_o (ar),
    .valid_o(ar_valid),
    .ready_i(read_done)
  );

  // A write goes first: the cycle of its response is free for a read. What is on the bus stays there.
  logic can_write, can_read, write, held_q, write_q;
  assign can_write  = aw_valid && w_valid && !bvalid_q;
  assign can_read   = ar_valid && !rvalid_q;
  assign write      = held_q ? write_q : can_write;

  assign valid_o    = can_write || can_read;
  assign request_o  = '{write: write, word: write ? aw : ar, data: w.data, strobe: w.strobe};
  assign write_done = valid_o && ready_i && write;
  assign read_done  = valid_o && ready_i && !write;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      held_q   <= 1'b0;
      write_q  <= 1'b0;
      bvalid_q <= 1'b0;
      rvalid_q <= 1'b0;
    end else begin
      held_q <= valid_o && !ready_i;
      if (valid_o) write_q <= write;
      bvalid_q <= write_done || (bvalid_q && !axil_i.b_ready);
      rvalid_q <= read_done || (rvalid_q && !axil_i.r_ready);
    end
  end

  logic write_error_q, read_error_q;
  logic [31:0] rdata_q;
  logic [1:0] bresp, rresp;
  always_ff @(posedge clk_i) begin
    if (write_done) write_error_q <= answer_i.error;
    if (read_done) begin
      read_error_q <= answer_i.error;
      rdata_q <= answer_i.data;
    end
  end
  assign bresp = write_error_q ? RespSlvErr : '0;
  assign rresp = read_error_q ? RespSlvErr : '0;
  assign axil_o = '{
          aw_ready: aw_ready,
          w_ready: w_ready,
          b_resp: bresp,
          b_valid: bvalid_q,
          ar_ready: ar_ready,
          r_data: rdata_q,
          r_resp: rresp,
          r_valid: rvalid_q
      };

  // A word is what is accessed, whichever of its bytes the address names.
  logic unused_lanes;
  assign unused_lanes = ^{axil_i.aw_addr[1:0], axil_i.ar_addr[1:0]};

  `TSR_STABLE(BusStays, valid_o, ready_i, ({write, request_o.word, write ? w : '0}))
  `TSR_STABLE(WriteAnswerStays, bvalid_q, axil_i.b_ready, bresp)
  `TSR_STABLE(ReadAnswerStays, rvalid_q, axil_i.r_ready, ({rdata_q, rresp}))

endmodule
