// tsr_write_ends: each transfer ends once, with its last response, in the order of the bursts, and with the
// errors of its own bursts and no others.
`include "proof.svh"
`include "tsr_core_types.svh"

module write_ends_proof
  import tsr_core_pkg::*;
  import tsr_fabric_pkg::RespDecErr;
  import tsr_fabric_pkg::RespRefused;
  import tsr_fabric_pkg::RespSlvErr;
#(
  localparam int unsigned Channels  = 2,
  localparam int unsigned AddrWidth = 4,
  localparam int unsigned BusLog    = 1,
  localparam int unsigned FlightLog = 1,
  localparam type         due_t     = `TSR_WRITE_DUE_T(AddrWidth - BusLog)
) (
  input logic       clk_i,
  input logic       rst_ni,
  input due_t       due_i,
  input logic       due_valid_i,
  input logic [1:0] resp_i,
  input logic       resp_valid_i,
  input logic       end_ready_i
);

  `TSR_PROOF_RESET

  logic gone, resp_ready, end_valid;
  logic [1:0] flight;
  end_t end_made;
  tsr_write_ends #(
    .Channels (Channels),
    .AddrWidth(AddrWidth),
    .BusLog   (BusLog),
    .FlightLog(FlightLog)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .due_i,
    .due_valid_i,
    .gone_o      (gone),
    .resp_i,
    .resp_valid_i,
    .resp_ready_o(resp_ready),
    .flight_o    (flight),
    .bytes_i     ('0),
    .side_i      ('0),
    .end_o       (end_made),
    .end_valid_o (end_valid),
    .end_ready_i
  );

  `TSR_ASSUME(ChannelIsThere, due_i.channel < 4'(Channels))
  `TSR_ASSUME_STABLE(DueStays, due_valid_i, gone, due_i)
  `TSR_ASSUME_STABLE(ResponseStays, resp_valid_i, resp_ready, resp_i)

  // ---- Responses that were taken and not used: never more than the skid and the register hold

  logic [2:0] held_q;
  logic [2:0][1:0] resps_q;  // the oldest first
  logic comes, uses, good;
  assign comes = resp_valid_i && resp_ready;
  assign uses  = gone && due_i.data;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) held_q <= '0;
    else held_q <= held_q + 3'(comes) - 3'(uses);
    if (uses) resps_q <= resps_q >> 2;
    if (comes) resps_q[held_q-3'(uses)] <= resp_i;
  end
  `TSR_ASSERT(OneResponseABurst, !uses || held_q != '0)
  `TSR_ASSERT(NoneIsLost, held_q <= 3'd3)

  // ---- Ends, worked out here

  typedef struct packed {logic slverr, decerr, denied;} errors_t;
  errors_t [1:0] errors_q;
  errors_t errors, due_errors_q;
  due_t due_q;
  logic [1:0] ended_q;  // number of the transfer, of each channel
  logic due_end_q, number_q, channel;
  logic [AddrWidth-1:BusLog] addr_q;
  logic [1:0][AddrWidth-1:BusLog] first_q;
  assign channel = due_i.channel[0];
  always_comb begin
    errors = errors_q[channel];
    if (due_i.data) begin
      errors.slverr |= resps_q[0] == RespSlvErr;
      errors.decerr |= resps_q[0] == RespDecErr;
      errors.denied |= resps_q[0] == RespRefused;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      errors_q  <= '0;
      ended_q   <= '0;
      due_end_q <= 1'b0;
    end else begin
      if (gone) errors_q[channel] <= due_i.ends ? '0 : errors;
      if (gone && due_i.ends) ended_q[channel] <= !ended_q[channel];
      due_end_q <= (gone && due_i.ends) || (due_end_q && !end_ready_i);
    end
    if (gone && errors_q[channel] == '0) first_q[channel] <= due_i.addr;
    if (gone && due_i.ends) begin
      due_q        <= due_i;
      due_errors_q <= errors;
      number_q     <= ended_q[channel];
      addr_q       <= errors_q[channel] == '0 ? due_i.addr : first_q[channel];
    end
  end

  `TSR_ASSERT(EndsOnce, end_valid == due_end_q)
  `TSR_ASSERT(NothingBehindAnEnd, !(gone && end_valid))
  `TSR_ASSERT(ItsChannel, !end_valid || end_made.channel == due_q.channel)
  `TSR_ASSERT(ItsErrors,
              !end_valid || {end_made.slverr, end_made.decerr, end_made.denied} == due_errors_q)
  `TSR_ASSERT(ItsAddress,
              !end_valid || due_errors_q == '0 || end_made.addr[AddrWidth-1:BusLog] == addr_q)
  logic [3:0] marks;
  assign marks = {end_made.overlong, end_made.sparse_keep, end_made.aborted, end_made.last};
  `TSR_ASSERT(ItsMarks,
              !end_valid || marks == {due_q.overlong, due_q.sparse, due_q.aborted, due_q.last})
  `TSR_ASSERT(ItsBytes, !end_valid || flight == {due_q.channel[0], number_q})

  `TSR_COVER(ErrorOfASecondBurst,
             end_valid && end_made.slverr && end_made.addr[BusLog+:2] != due_q.addr[BusLog+:2])
  `TSR_COVER(EndsWithoutABurst, end_valid && !due_q.data && end_made.decerr)
  `TSR_COVER(BothBetween, end_valid && errors_q[0] != '0 && due_q.channel == 4'd1)

endmodule
