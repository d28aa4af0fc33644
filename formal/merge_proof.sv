// tsr_pkt_merge: what goes into an input comes out in packets of its own, in order, and nobody waits for
// more than one packet of each other input. Without headers: header_put_proof is about those.
`include "proof.svh"

module merge_proof
  import tsr_packet_pkg::*;
#(
  parameter  int unsigned Bytes     = 1,
  parameter  int unsigned Inputs    = 3,
  localparam int unsigned MarkWidth = $clog2(Bytes + 1)
) (
  input logic                                 clk_i,
  input logic                                 rst_ni,
  input logic [   Inputs-1:0]                 enable_i,
  input logic [   Inputs-1:0][Bytes-1:0][7:0] tdata_i,
  input logic [   Inputs-1:0][Bytes-1:0]      tkeep_i,
  input logic [   Inputs-1:0]                 tlast_i,
  input logic [   Inputs-1:0]                 tvalid_i,
  input logic                                 tready_i,
  input logic [MarkWidth-1:0]                 mark_i,
  input logic                                 mark_valid_i
);

  `TSR_PROOF_RESET

  header_t [Inputs-1:0] header;
  logic [Inputs-1:0] tready_o;
  logic [Bytes-1:0][7:0] tdata_o;
  logic [Bytes-1:0] tkeep_o;
  logic tlast_o, tvalid_o;

  assign header = '0;

  tsr_pkt_merge #(
    .Bytes (Bytes),
    .Inputs(Inputs),
    .Header(1'b0)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .header_i(header),
    .enable_i,
    .tdata_i,
    .tkeep_i,
    .tlast_i,
    .tvalid_i,
    .tready_o,
    .tdata_o,
    .tkeep_o,
    .tlast_o,
    .tvalid_o,
    .tready_i
  );

  // ---- One stream in: the inputs taken together, packets whole -----------------------------------

  logic [Inputs-1:0] take, open_q, done;
  assign take = tvalid_i & tready_o;
  assign done = take & tlast_i;

  logic [Bytes-1:0][7:0] in_data;
  logic [Bytes-1:0] in_keep;
  logic in_last;
  always_comb begin
    in_data = '0;
    in_keep = '0;
    in_last = 1'b0;
    for (int unsigned i = 0; i < Inputs; i++) begin
      if (take[i]) begin
        in_data = tdata_i[i];
        in_keep = tkeep_i[i];
        in_last = tlast_i[i];
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) open_q <= '0;
    else open_q <= (open_q | take) & ~done;
  end

  `TSR_ASSERT(OneAtATime, $onehot0(take))
  `TSR_ASSERT(NeverMixed, take == '0 || (open_q & ~take) == '0)

  // ---- Fairness ----------------------------------------------------------------------------------

  for (genvar i = 0; i < Inputs; i++) begin : gen_input
    `TSR_ASSUME_STABLE(InputStable, tvalid_i[i], tready_o[i], ({tdata_i[i], tkeep_i[i], tlast_i[i]
                       }))
    logic [2:0] waits_q;  // packets of others that ended while it waited for its turn
    always_ff @(posedge clk_i) begin
      if (!rst_ni || !tvalid_i[i] || !enable_i[i] || take[i]) waits_q <= '0;
      else if (done != '0) waits_q <= waits_q + 1'b1;
    end
    // The one that was under way when it came, and one of each other.
    `TSR_ASSERT(WaitsForOthersOnce, waits_q <= 3'(Inputs))
  end

  // ---- Bytes -------------------------------------------------------------------------------------

  stream_check #(
    .InBytes   (Bytes),
    .OutBytes  (Bytes),
    .CountWidth($clog2(6 * Bytes + 8)),
    .Patience  (3)
  ) u_check (
    .clk_i,
    .rst_ni,
    .mark_i,
    .mark_valid_i,
    .in_data_i  (in_data),
    .in_keep_i  (in_keep),
    .in_last_i  (in_last),
    .in_take_i  (take != '0),
    .out_data_i (tdata_o),
    .out_keep_i (tkeep_o),
    .out_last_i (tlast_o),
    .out_valid_i(tvalid_o),
    .out_ready_i(tready_i),
    .due_i      (u_check.inside_q != '0 && open_q == '0 && tready_i)
  );

  `TSR_COVER_NEXT(NoIdleBetweenInputs, done[0], done[1])
  `TSR_COVER(Everybody, done[Inputs-1] && tvalid_i == '1)
  logic [3:0] streak_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || take == '0) streak_q <= '0;
    else if (streak_q != 4'd8) streak_q <= streak_q + 1'b1;
  end
  `TSR_COVER(FullThroughput, streak_q == 4'd8)

endmodule
