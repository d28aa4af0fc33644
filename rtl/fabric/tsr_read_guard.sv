// Stands between a channel and what the memory may do wrong when it reads.
//
// Contract: the channel gets as many beats for a burst as it asked for, with RLAST on the last,
// whatever comes from the bus; the bus gets its addresses and nothing else. RLAST on another beat than
// the last, data nobody asked for, and `Silence` cycles without data while some are due are faults:
// `fault_o` says which, in one cycle. From then on no address goes to the bus (one that shows stays
// until it is taken), what the memory still sends is thrown away, and the guard answers every burst
// itself, with SLVERR: so the transfers in hand end at once, and their record says where. The beat
// whose RLAST was wrong has SLVERR too. `doubt_i` makes a fault of what is due. `open_i` low keeps new
// bursts back. `none_o`: no address shows and the memory owes nothing. `back_o`: one of the beats that
// were asked for on the bus need not be waited for any more: it has been given to the channel, or nothing
// has come for `Late` cycles; then all that are due are given back, one a cycle, and until the channel
// has them no new burst goes out, so that a silent channel keeps nobody from the bus. `clear_i`, with `open_i` low and while `calm_o`
// (the channel waits for nothing), is a reset: it ends a fault, and what the memory owes is forgotten.
// The channel is reset with it.
// Latency: 0. Throughput: one burst and one beat a cycle.
`include "tsr_assert.svh"
module tsr_read_guard
  import tsr_fabric_pkg::*;
#(
  parameter int unsigned Outstanding = 64,
  parameter int unsigned Silence     = 4096,
  parameter int unsigned Late        = 0,     // at most Silence - 2; 0: never
  parameter int unsigned MostBeats   = 256    // with Late: that may be due at once
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         open_i,
  input  logic         clear_i,
  input  logic         doubt_i,
  output fault_e       fault_o,
  output logic         none_o,
  output logic         calm_o,
  output logic         back_o,
  // The channel.
  input  logic   [7:0] arlen_i,
  input  logic         arvalid_i,
  output logic         arready_o,
  output logic   [1:0] rresp_o,
  output logic         rlast_o,
  output logic         rvalid_o,
  input  logic         rready_i,
  // The bus; address and data do not pass through here.
  output logic         arvalid_o,
  input  logic         arready_i,
  input  logic   [1:0] rresp_i,
  input  logic         rlast_i,
  input  logic         rvalid_i,
  output logic         rready_o
);

  localparam int unsigned Depth = 1 << $clog2(Outstanding < 2 ? 2 : Outstanding);

  typedef struct packed {
    logic       passed;  // it was asked for on the bus
    logic [7:0] len;
  } burst_t;
  burst_t burst;
  logic
      failed_q,
      passes,
      gate_ready,
      due,
      room,
      last,
      wrong,
      beat,
      settled,
      waits,
      moves,
      quiet,  // for `Late` cycles
      late,
      silent;
  logic [7:0] beat_q;

  // ---- Addresses --------------------------------------------------------------------------------

  tsr_burst_gate #(
    .Limit(Depth)
  ) u_gate (
    .clk_i,
    .rst_ni,
    .open_i  (open_i && !failed_q && !late),
    .forget_i(clear_i),
    .valid_i (arvalid_i),
    .ready_o (gate_ready),
    .valid_o (arvalid_o),
    .ready_i (arready_i),
    .answer_i(rvalid_i && rready_o && rlast_i),
    .passes_o(passes),
    .none_o
  );
  assign arready_o = gate_ready || (failed_q && !passes);

  // The bursts that the channel waits for. It never has more than `Outstanding`.
  tsr_fifo #(
    .Depth(Depth),
    .T    (burst_t)
  ) u_bursts (
    .clk_i,
    .rst_ni,
    .flush_i(clear_i),
    .data_i ('{passed: passes, len: arlen_i}),
    .valid_i(arvalid_i && arready_o),
    .ready_o(room),
    .data_o (burst),
    .valid_o(due),
    .ready_i(beat && last)
  );

  // ---- Data -------------------------------------------------------------------------------------

  assign last     = beat_q == burst.len;
  assign wrong    = rlast_i != last;
  assign beat     = rvalid_o && rready_i;
  assign rvalid_o = due && (rvalid_i || failed_q);
  assign rready_o = rready_i || failed_q || !due;
  assign rlast_o  = last;
  assign rresp_o  = failed_q || wrong || doubt_i ? RespSlvErr : rresp_i;
  assign settled  = beat && burst.passed;
  assign calm_o   = !due && !arvalid_o;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) beat_q <= '0;
    else if (beat) beat_q <= last ? '0 : beat_q + 1'b1;
  end

  // ---- Faults -----------------------------------------------------------------------------------

  assign waits = due || (arvalid_o && !arready_i);
  // Data that are due have to come, whatever else moves.
  assign moves = rvalid_i || clear_i || (!due && arvalid_o && arready_i);

  if (Late != 0) begin : gen_late
    localparam int unsigned Width = $clog2(MostBeats + 1);
    logic late_q;
    logic [Width-1:0] kept_q;  // beats that are due and not given back

    `TSR_STATIC_ASSERT(Late, Late + 2 <= Silence,
                       ("Late = %0d; legal is 0 to %0d", Late, Silence - 2))

    tsr_silence #(
      .Cycles(Late)
    ) u_late (
      .clk_i,
      .rst_ni,
      .waits_i(waits),
      .moves_i(moves),
      .over_o (quiet)
    );

    assign late   = late_q;
    assign back_o = late_q ? kept_q != '0 : settled;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        late_q <= 1'b0;
        kept_q <= '0;
      end else begin
        late_q <= (late_q || (quiet && kept_q != '0)) && !calm_o;
        kept_q <= kept_q + (arvalid_o && arready_i ? Width'(arlen_i) + 1'b1 : '0) - Width'(back_o);
      end
    end

    `TSR_ASSERT(KeepsWhatIsDue, !calm_o || kept_q == '0)
    `TSR_ASSERT(WithinMost, !(arvalid_o && arready_i) || 32'(kept_q) + 32'(arlen_i) < MostBeats)
  end else begin : gen_patient
    assign quiet  = 1'b1;
    assign late   = 1'b0;
    assign back_o = settled;
  end

  tsr_silence #(
    .Cycles(Silence - Late)
  ) u_silence (
    .clk_i,
    .rst_ni,
    .waits_i(waits && quiet),
    .moves_i(moves),
    .over_o (silent)
  );

  always_comb begin
    fault_o = FaultNone;
    if (!failed_q) begin
      if (rvalid_i && !due) fault_o = FaultUnasked;
      else if (rvalid_i && rready_i && wrong) fault_o = rlast_i ? FaultEarlyLast : FaultLateLast;
      else if (doubt_i && due) fault_o = FaultDoubt;
      else if (silent) fault_o = FaultBusTime;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) failed_q <= 1'b0;
    else if (fault_o != FaultNone) failed_q <= 1'b1;
  end

  `TSR_ASSERT(RoomForEveryBurst, !(arvalid_i && arready_o) || room)
  `TSR_ASSERT(ClearsWhatIsCalm, !clear_i || (!arvalid_o && !open_i))
  `TSR_STABLE(DataStable, rvalid_o && failed_q, rready_i, {rlast_o, rresp_o})

endmodule
