// tsr_stream_broadcast: each taker gets every byte of every packet that it takes, once and in order;
// who takes one is decided when it begins; who is not a taker holds nobody up; what nobody takes is dropped.
`include "proof.svh"

module broadcast_proof #(
  parameter  int unsigned Bytes     = 1,
  parameter  int unsigned Outputs   = 2,
  parameter  bit          NoTaker   = 1'b0,
  localparam int unsigned MarkWidth = $clog2(Bytes + 1)
) (
  input logic                      clk_i,
  input logic                      rst_ni,
  input logic [  Outputs-1:0]      enable_i,
  input logic [  Outputs-1:0]      isolate_i,
  input logic [    Bytes-1:0][7:0] tdata_i,
  input logic [    Bytes-1:0]      tkeep_i,
  input logic                      tlast_i,
  input logic                      tvalid_i,
  input logic [  Outputs-1:0]      tready_i,
  input logic [MarkWidth-1:0]      mark_i,
  input logic                      mark_valid_i
);

  `TSR_PROOF_RESET

  logic [Outputs-1:0][Bytes-1:0][7:0] tdata_o;
  logic [Outputs-1:0][Bytes-1:0] tkeep_o;
  logic [Outputs-1:0] tlast_o, tvalid_o, taker_o;
  logic tready_o;

  tsr_stream_broadcast #(
    .Bytes  (Bytes),
    .Outputs(Outputs)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .enable_i,
    .isolate_i,
    .taker_o,
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

  `TSR_ASSUME_STABLE(InputStable, tvalid_i, tready_o, ({tdata_i, tkeep_i, tlast_i}))

  if (NoTaker) begin : gen_none
    `TSR_ASSUME(Nobody, enable_i == '0)
    `TSR_ASSERT(Dropped, tready_o && tvalid_o == '0)
    `TSR_COVER(PacketGone, tvalid_i && tlast_i)
  end else begin : gen_takers
    // Output 0 takes everything: all that goes in comes out of it, once and in order.
    `TSR_ASSUME(ZeroTakesAll, enable_i[0] && !isolate_i[0])
    stream_check #(
      .InBytes   (Bytes),
      .OutBytes  (Bytes),
      .CountWidth($clog2(3 * Bytes + 6)),
      .Patience  (1)
    ) u_check (
      .clk_i,
      .rst_ni,
      .mark_i,
      .mark_valid_i,
      .in_data_i  (tdata_i),
      .in_keep_i  (tkeep_i),
      .in_last_i  (tlast_i),
      .in_take_i  (tvalid_i && tready_o),
      .out_data_i (tdata_o[0]),
      .out_keep_i (tkeep_o[0]),
      .out_last_i (tlast_o[0]),
      .out_valid_i(tvalid_o[0]),
      .out_ready_i(tready_i[0]),
      // Nothing stays for those that do not take part.
      .due_i      (u_check.inside_q != '0 && ((tready_i | ~taker_o | isolate_i) == '1))
    );

    `TSR_ASSERT_NEXT(LatencyOne, tvalid_i && tready_o && tvalid_o == '0, tvalid_o[0])

    // The others, against output 0: they take the same beats, each once, the packets whole.
    logic [7:0] seen_q;  // beats that output 0 has taken, modulo 256
    logic zero_take, zero_open_q, zero_first_q, begins;
    assign zero_take = tvalid_o[0] && tready_i[0];
    assign begins = tvalid_o[0] ? !zero_open_q : zero_first_q;  // the beat on show begins a packet
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        seen_q      <= '0;
        zero_open_q <= 1'b0;
      end else if (zero_take) begin
        seen_q      <= seen_q + 1'b1;
        zero_open_q <= !tlast_o[0];
      end
      if (zero_take) zero_first_q <= !zero_open_q;
    end
    for (genvar i = 1; i < Outputs; i++) begin : gen_other
      // `ahead_q`: it has taken a beat that output 0 has not; `behind_q`: the other way round.
      logic take, ahead_q, behind_q, open_q;
      assign take = tvalid_o[i] && tready_i[i];
      always_ff @(posedge clk_i) begin
        if (!rst_ni) begin
          ahead_q  <= 1'b0;
          behind_q <= 1'b0;
          open_q   <= 1'b0;
        end else begin
          if (isolate_i[i]) open_q <= 1'b0;
          else if (take) open_q <= !tlast_o[i];
          ahead_q <= (ahead_q || take) && !zero_take && !(behind_q && take);
          behind_q <= (behind_q || (zero_take && taker_o[i] && !ahead_q)) && !take && !isolate_i[i];
        end
      end
      logic was_out_q;  // isolated inside a packet, and not a taker since
      always_ff @(posedge clk_i)
        was_out_q <= rst_ni && !take && (was_out_q || (isolate_i[i] && open_q));
      logic waits;
      assign waits = tvalid_o[i] && !tready_i[i];
      `TSR_ASSERT_NEXT(OutputStable, waits, isolate_i[i] || (tvalid_o[i] && $stable(
                       {tdata_o[i], tkeep_o[i], tlast_o[i]})))
      `TSR_ASSERT(OncePerBeat, !(ahead_q && tvalid_o[i]))
      `TSR_ASSERT(NobodyGoesOnWithout, !(behind_q && tvalid_o[0]))
      `TSR_ASSERT(Same,
                  !(tvalid_o[i] && tvalid_o[0]) ||
                  {tdata_o[i], tkeep_o[i], tlast_o[i]} == {tdata_o[0], tkeep_o[0], tlast_o[0]})
      `TSR_ASSERT(WholePackets, !open_q || taker_o[i])
      `TSR_ASSERT(BeginsWithAPacket, !tvalid_o[i] || open_q || begins)
      `TSR_COVER(BackAfterIsolation, was_out_q && take)
      `TSR_COVER(OtherFirst, ahead_q)
      `TSR_COVER(ZeroFirst, behind_q)
      `TSR_COVER_NEXT(Isolated, waits, isolate_i[i] && !tvalid_o[i])
      `TSR_COVER(NoTaker, zero_take && !taker_o[i])
    end

    logic [3:0] streak_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || tvalid_o != '1 || tready_i != '1) streak_q <= '0;
      else if (streak_q != 4'd8) streak_q <= streak_q + 1'b1;
    end
    `TSR_COVER(FullThroughput, streak_q == 4'd8)
  end

endmodule
