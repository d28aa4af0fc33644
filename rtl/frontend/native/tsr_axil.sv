// AXI4-Lite to the register bus, one access at a time.
//
// Contract: AW and W are taken together, with the bus's answer, and get one B; AR gets one R. A write stands on
// the bus while both of its parts are valid and its response is free, a read alike, from the second cycle on:
// there are combinational paths from AW, W and AR to the bus, and from the bus's ready to theirs. Writes go
// first; a read that waits is next, while the response of the write is on its way. Errors answer SLVERR.
// AxPROT is ignored.
// Latency: 1 cycle from the bus's answer to the response. Throughput: a write in two cycles, a read in three.
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

  logic write_done, read_done, bvalid_q, rvalid_q;

  // The turn is a register: which address is on the bus does not depend on what is valid. The cycle of the
  // response of a write is free for a read.
  logic can_write, can_read, write, reads_q;
  assign can_write = axil_i.aw_valid && axil_i.w_valid && !bvalid_q;
  assign can_read = axil_i.ar_valid && !rvalid_q;
  assign write = !reads_q;

  assign valid_o = write ? can_write : can_read;
  assign request_o = '{
          write: write,
          word: write ? axil_i.aw_addr[BusBits-1:2] : axil_i.ar_addr[BusBits-1:2],
          data: axil_i.w_data,
          strobe: axil_i.w_strb
      };
  assign write_done = valid_o && ready_i && write;
  assign read_done = valid_o && ready_i && !write;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      reads_q  <= 1'b0;
      bvalid_q <= 1'b0;
      rvalid_q <= 1'b0;
    end else begin
      if (!valid_o || ready_i) reads_q <= write && can_read;
      bvalid_q <= write_done || (bvalid_q && !axil_i.b_ready);
      rvalid_q <= read_done || (rvalid_q && !axil_i.r_ready);
    end
  end

  logic write_error_q, read_error_q;
  logic [31:0] rdata_q;
  logic [1:0] bresp, rresp;
  always_ff @(posedge clk_i) begin
    // Until the response is valid: what is done comes late in its cycle.
    if (!bvalid_q) write_error_q <= answer_i.error;
    if (!rvalid_q) begin
      read_error_q <= answer_i.error;
      rdata_q <= answer_i.data;
    end
  end
  assign bresp = write_error_q ? RespSlvErr : '0;
  assign rresp = read_error_q ? RespSlvErr : '0;
  assign axil_o = '{
          aw_ready: write_done,
          w_ready: write_done,
          b_resp: bresp,
          b_valid: bvalid_q,
          ar_ready: read_done,
          r_data: rdata_q,
          r_resp: rresp,
          r_valid: rvalid_q
      };

  // A word is what is accessed, whichever of its bytes the address names.
  logic unused_lanes;
  assign unused_lanes = ^{axil_i.aw_addr[1:0], axil_i.ar_addr[1:0]};

  `TSR_STABLE(BusStays, valid_o, ready_i, ({write, request_o.word,
                                            write ? {request_o.data, request_o.strobe} : '0}))
  `TSR_STABLE(WriteAnswerStays, bvalid_q, axil_i.b_ready, bresp)
  `TSR_STABLE(ReadAnswerStays, rvalid_q, axil_i.r_ready, ({rdata_q, rresp}))

endmodule
