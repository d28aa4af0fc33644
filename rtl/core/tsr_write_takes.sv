// Says which channels take beats of their stream: from the launch of a transfer until all transfers have their bytes.
//
// Contract: an abort stops a channel at once.
// Latency: 2 cycles from a launch or an end, 1 from an abort.
`include "tsr_assert.svh"
module tsr_write_takes
  import tsr_core_pkg::*;
#(
  parameter int unsigned Channels  = 1,  // 1 .. 16
  parameter int unsigned FlightLog = 4   // log2 of the transfers of a channel in flight
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  contexts_t                contexts_i,
  input  freed_t                   planned_i,   // a context, to its end
  input  logic      [Channels-1:0] started_i,   // a transfer has its first piece
  input  logic      [Channels-1:0] ended_i,     // a transfer has all its bytes
  input  logic      [Channels-1:0] abort_i,
  output logic      [Channels-1:0] takes_o
);

  for (genvar i = 0; i < Channels; i++) begin : gen_channel
    logic [2:0] contexts_q;  // launched, and not planned to their end
    logic [FlightLog:0] open_q;  // transfers with pieces that have not ended
    logic launched, planned;
    assign launched = contexts_i.go_valid && 32'(contexts_i.go_channel) == i;
    assign planned  = planned_i.valid && 32'(planned_i.channel) == i;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        contexts_q <= '0;
        open_q     <= '0;
        takes_o[i] <= 1'b0;
      end else begin
        contexts_q <= contexts_q + 3'(launched) - 3'(planned);
        open_q     <= open_q + (FlightLog + 1)'(started_i[i]) - (FlightLog + 1)'(ended_i[i]);
        takes_o[i] <= !abort_i[i] && (contexts_q != '0 || open_q != '0);
      end
    end
    `TSR_ASSERT(EndsWhatIsOpen, !ended_i[i] || open_q != '0)
  end

  logic unused_contexts;
  assign unused_contexts = ^contexts_i;

endmodule
