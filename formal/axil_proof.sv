// tsr_axil: every accepted access has exactly one answer, the one that the bus gave; none comes
// without an access; a write and a read that can go wait for one access of the other at most.
`include "proof.svh"

module axil_proof
  import tsr_fabric_pkg::*;
  import tsr_register_pkg::*;
(
  input logic                           clk_i,
  input logic                           rst_ni,
  input logic        [RegisterBits-1:0] awaddr_i,
  input logic                           awvalid_i,
  input logic        [            31:0] wdata_i,
  input logic        [             3:0] wstrb_i,
  input logic                           wvalid_i,
  input logic                           bready_i,
  input logic        [RegisterBits-1:0] araddr_i,
  input logic                           arvalid_i,
  input logic                           rready_i,
  input logic                           ready_i,
  input bus_answer_t                    answer_i
);

  `TSR_PROOF_RESET

  logic awready_o, wready_o, bvalid_o, arready_o, rvalid_o, valid_o;
  logic [1:0] bresp_o, rresp_o;
  logic [31:0] rdata_o;
  bus_request_t request_o;

  axil_req_t axil_req;
  axil_rsp_t axil_rsp;
  assign axil_req = '{
          aw_addr: BusBits'(awaddr_i),
          aw_valid: awvalid_i,
          w_data: wdata_i,
          w_strb: wstrb_i,
          w_valid: wvalid_i,
          b_ready: bready_i,
          ar_addr: BusBits'(araddr_i),
          ar_valid: arvalid_i,
          r_ready: rready_i
      };
  assign awready_o = axil_rsp.aw_ready;
  assign wready_o = axil_rsp.w_ready;
  assign bresp_o = axil_rsp.b_resp;
  assign bvalid_o = axil_rsp.b_valid;
  assign arready_o = axil_rsp.ar_ready;
  assign rdata_o = axil_rsp.r_data;
  assign rresp_o = axil_rsp.r_resp;
  assign rvalid_o = axil_rsp.r_valid;

  tsr_axil u_dut (
    .clk_i,
    .rst_ni,
    .axil_i(axil_req),
    .axil_o(axil_rsp),
    .request_o,
    .valid_o,
    .ready_i,
    .answer_i
  );

  `TSR_ASSUME_STABLE(AwStays, awvalid_i, awready_o, awaddr_i)
  `TSR_ASSUME_STABLE(WStays, wvalid_i, wready_o, ({wdata_i, wstrb_i}))
  `TSR_ASSUME_STABLE(ArStays, arvalid_i, arready_o, araddr_i)

  // An access goes out once, when both of its parts are taken.
  logic b_q, r_q, b_error_q, r_error_q;
  logic [31:0] r_data_q;
  logic aw_take, w_take, ar_take, write_done, read_done;
  assign aw_take    = awvalid_i && awready_o;
  assign w_take     = wvalid_i && wready_o;
  assign ar_take    = arvalid_i && arready_o;
  assign write_done = valid_o && ready_i && request_o.write;
  assign read_done  = valid_o && ready_i && !request_o.write;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {b_q, r_q} <= '0;
    end else begin
      b_q <= write_done || (b_q && !bready_i);
      r_q <= read_done || (r_q && !rready_i);
    end
    if (write_done) b_error_q <= answer_i.error;
    if (read_done) {r_error_q, r_data_q} <= {answer_i.error, answer_i.data};
  end
  `TSR_ASSERT(AwIsTakenWithIt, aw_take == write_done)
  `TSR_ASSERT(WIsTakenWithIt, w_take == write_done)
  `TSR_ASSERT(ArIsTakenWithIt, ar_take == read_done)
  `TSR_ASSERT(WriteIsToThat, !write_done || request_o.word == awaddr_i[RegisterBits-1:2])
  `TSR_ASSERT(WriteIsOfThat,
              !write_done || {request_o.data, request_o.strobe} == {wdata_i, wstrb_i})
  `TSR_ASSERT(ReadIsThat, !read_done || request_o.word == araddr_i[RegisterBits-1:2])

  // One answer an access, and it stays until it is taken.
  `TSR_ASSERT(AnswerToWrite, bvalid_o == b_q)
  `TSR_ASSERT(AnswerToRead, rvalid_o == r_q)
  `TSR_ASSERT(NoWriteBeforeItsAnswer, !(write_done && b_q))
  `TSR_ASSERT(NoReadBeforeItsAnswer, !(read_done && r_q))
  `TSR_ASSERT(WriteAnswerIsThat, !bvalid_o || bresp_o == (b_error_q ? RespSlvErr : 2'b00))
  `TSR_ASSERT(ReadAnswerIsThat,
              !rvalid_o || (rresp_o == (r_error_q ? RespSlvErr : 2'b00) && rdata_o == r_data_q))

  // Nothing is held on the bus from the cycle before.
  logic bus_free_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) bus_free_q <= 1'b1;
    else bus_free_q <= !valid_o || ready_i;
  end

  // No hang: while the bus answers at once, what can go goes now or in the next cycle.
  logic can_write, can_read;
  assign can_write = awvalid_i && wvalid_i && !b_q;
  assign can_read  = arvalid_i && !r_q;
  `TSR_ASSERT(OnlyWhatCan, !valid_o || can_write || can_read)
  `TSR_ASSERT(BothAtOnce, valid_o || !(can_write && can_read))
  `TSR_ASSERT_NEXT(SomethingGoes, !valid_o && (can_write || can_read), valid_o)
  `TSR_ASSERT_NEXT(WriteGoes, can_write && ready_i && !write_done && bus_free_q,
                   !ready_i || write_done || !bus_free_q)
  `TSR_ASSERT_NEXT(ReadGoes, can_read && ready_i && !read_done && bus_free_q,
                   !ready_i || read_done || !bus_free_q)

  `TSR_COVER(Write, write_done)
  `TSR_COVER(Refused, bvalid_o && bready_i && bresp_o == RespSlvErr)
  `TSR_COVER(ReadBehindWrite, read_done && b_q)
  `TSR_COVER(BothHeldBack, b_q && r_q && awvalid_i && wvalid_i && arvalid_i)
  `TSR_COVER_NEXT(WriteAfterRead, read_done, write_done)

endmodule
