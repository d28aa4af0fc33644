// Ends transfers of writes: takes responses in the order of the bursts and gathers their errors.
//
// Contract: a transfer ends when its last response has come, and after those before it. `end_o`
// stays until it is accepted, but for its bytes, which follow `bytes_i`. `gone_o`: the oldest burst, or end without a burst, is done with.
// Latency: 2 cycles from a response to the end. Throughput: a response a cycle, an end in 2 cycles;
// none while an end waits.
`include "tsr_assert.svh"
`include "tsr_core_types.svh"
module tsr_write_ends
  import tsr_core_pkg::*;
  import tsr_fabric_pkg::RespDecErr;
  import tsr_fabric_pkg::RespRefused;
  import tsr_fabric_pkg::RespSlvErr;
#(
  parameter  int unsigned Channels    = 1,
  parameter  int unsigned AddrWidth   = 64,
  parameter  int unsigned BusLog      = 3,
  parameter  int unsigned FlightLog   = 4,
  localparam int unsigned Index       = Channels > 1 ? $clog2(Channels) : 1,
  localparam int unsigned FlightIndex = $clog2(Channels * 2 ** FlightLog),
  localparam type         due_t       = `TSR_WRITE_DUE_T(AddrWidth - BusLog)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  due_t                   due_i,
  input  logic                   due_valid_i,
  output logic                   gone_o,
  input  logic [            1:0] resp_i,
  input  logic                   resp_valid_i,
  output logic                   resp_ready_o,
  output logic [FlightIndex-1:0] flight_o,      // transfer of the end, whose bytes are `bytes_i`
  input  logic [ BytesWidth-1:0] bytes_i,
  input  logic [           31:0] side_i,
  output end_t                   end_o,
  output logic                   end_valid_o,
  input  logic                   end_ready_i
);

  typedef struct packed {
    logic [Index-1:0]     channel;
    logic [FlightLog-1:0] flight;
    logic                 slverr,  decerr, denied, overlong, sparse, aborted, last;
  } held_t;
  held_t held_q;
  logic resp_valid, resp_ready, resp_valid_q, end_valid_q, ends, bad, known;
  logic [1:0] resp, resp_q;
  logic [Index-1:0] channel;
  logic [Channels-1:0] slverr_q, decerr_q, denied_q;
  logic [Channels-1:0][FlightLog-1:0] ended_q;
  (* ram_style = "distributed" *) logic [AddrWidth-BusLog-1:0] addr_mem[Channels];
  logic slverr, decerr, denied;
  tsr_skid #(
    .T(logic [1:0])
  ) u_resp (
    .clk_i,
    .rst_ni,
    .data_i (resp_i),
    .valid_i(resp_valid_i),
    .ready_o(resp_ready_o),
    .data_o (resp),
    .valid_o(resp_valid),
    .ready_i(resp_ready)
  );
  assign channel = due_i.channel[Index-1:0];
  assign resp_ready = !resp_valid_q || (due_valid_i && due_i.data && gone_o);
  assign gone_o = due_valid_i && (!due_i.data || resp_valid_q) && !end_valid_q;
  assign ends = gone_o && due_i.ends;
  assign bad = gone_o && due_i.data && resp_q != '0;
  assign known = slverr_q[channel] || decerr_q[channel] || denied_q[channel];
  assign slverr = slverr_q[channel] || (bad && resp_q == RespSlvErr);
  assign decerr = decerr_q[channel] || (bad && resp_q == RespDecErr);
  assign denied = denied_q[channel] || (bad && resp_q == RespRefused);
  assign end_valid_o = end_valid_q;

  // Bytes and address stay in their memories: nothing else ends before this has been accepted.
  always_ff @(posedge clk_i) begin
    if (resp_ready) resp_q <= resp;
    if (gone_o && !known) addr_mem[channel] <= due_i.addr;
    if (!rst_ni) begin
      resp_valid_q <= 1'b0;
      end_valid_q  <= 1'b0;
      slverr_q     <= '0;
      decerr_q     <= '0;
      denied_q     <= '0;
      ended_q      <= '0;
    end else begin
      if (resp_ready) resp_valid_q <= resp_valid;
      if (gone_o) begin
        slverr_q[channel] <= slverr && !due_i.ends;
        decerr_q[channel] <= decerr && !due_i.ends;
        denied_q[channel] <= denied && !due_i.ends;
        ended_q[channel]  <= ended_q[channel] + FlightLog'(due_i.ends);
      end
      end_valid_q <= ends || (end_valid_q && !end_ready_i);
    end
    if (ends) begin
      held_q <= '{
          channel: channel,
          flight: ended_q[channel],
          slverr: slverr,
          decerr: decerr,
          denied: denied,
          overlong: due_i.overlong,
          sparse: due_i.sparse,
          aborted: due_i.aborted,
          last: due_i.last
      };
    end
  end
  assign flight_o = FlightIndex'({held_q.channel, held_q.flight});
  assign end_o = '{
          channel: 4'(held_q.channel),
          slverr: held_q.slverr,
          decerr: held_q.decerr,
          denied: held_q.denied,
          overlong: held_q.overlong,
          sparse_keep: held_q.sparse,
          aborted: held_q.aborted,
          last: held_q.last,
          bytes: bytes_i,
          addr: 64'({addr_mem[held_q.channel], BusLog'(0)}),
          side: side_i
      };

  end_t steady;
  always_comb begin
    steady       = end_o;
    steady.bytes = '0;
  end
  `TSR_STABLE(EndStays, end_valid_o, end_ready_i, steady)

endmodule
