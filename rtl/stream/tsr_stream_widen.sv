// Makes a stream wider: neighbouring narrow beats share a wide one.
//
// Contract: kept bytes and ends of packets stay in order; lanes keep their places, a null lane stays
// null. A wide beat ends when it is full, with TLAST, with a narrow beat that has a null lane (so a
// stream contiguous from lane 0 stays so) or with `tends_i`, and by `flush_i`. A null beat without TLAST and `tends_i`
// vanishes; another one ends the bytes that are held, with its TLAST, or goes on as a null beat; with Apart one with
// TLAST always does, behind these bytes, so that a packet without bytes stays one. A narrow beat with
// a null lane that ends nothing has a wide beat of its own, with `sparse_o`. What is held
// (`held_o`) is lost by reset alone: aborting whoever sends or takes the stream leaves it here, until
// the rest of its beat, a TLAST or `flush_i` sends it on. A beat shown stays; no path from ready to
// ready or from valid to valid. `side_o` has what came beside the narrow beats in their places; a place behind the last
// one has that of the last one.
// Latency: 1 cycle from the narrow beat that ends a wide one. Throughput: one narrow beat a cycle.
`include "tsr_assert.svh"
module tsr_stream_widen #(
  parameter  int unsigned InBytes  = 4,                  // 1, 2, 4 .. 64
  parameter  int unsigned OutBytes = 8,                  // 2 * InBytes .. 128, a power of two
  parameter  bit          Apart    = 1'b0,
  parameter  type         side_t   = logic,
  localparam int unsigned Ratio    = OutBytes / InBytes
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic                      flush_i,
  output logic                      held_o,    // bytes wait for the rest of their beat
  input  logic  [ InBytes-1:0][7:0] tdata_i,
  input  logic  [ InBytes-1:0]      tkeep_i,
  input  logic                      tlast_i,
  input  logic                      tends_i,   // the wide beat ends with it
  input  side_t                     side_i,
  input  logic                      tvalid_i,
  output logic                      tready_o,
  output logic  [OutBytes-1:0][7:0] tdata_o,
  output logic  [OutBytes-1:0]      tkeep_o,
  output logic                      tlast_o,
  output logic                      sparse_o,
  output side_t [   Ratio-1:0]      side_o,
  output logic                      tvalid_o,
  input  logic                      tready_i
);

  `TSR_STATIC_ASSERT(InBytes, $onehot(InBytes) && InBytes <= 64,
                     ("InBytes = %0d; legal is 1, 2, 4, 8, 16, 32 or 64", InBytes))
  `TSR_STATIC_ASSERT(OutBytes, $onehot(OutBytes) && OutBytes > InBytes && OutBytes <= 128,
                     ("OutBytes = %0d; legal is a power of two above InBytes, up to 128", OutBytes))

  typedef struct packed {
    logic [InBytes-1:0][7:0] data;
    logic [InBytes-1:0]      keep;
    logic                    last;
    logic                    ends;
    side_t                   side;
  } beat_t;

  // The ready path is cut where the stream is narrow.
  beat_t beat;
  logic beat_valid, beat_ready;
  tsr_skid #(
    .T(beat_t)
  ) u_skid (
    .clk_i,
    .rst_ni,
    .data_i ({tdata_i, tkeep_i, tlast_i, tends_i, side_i}),
    .valid_i(tvalid_i),
    .ready_o(tready_o),
    .data_o (beat),
    .valid_o(beat_valid),
    .ready_i(beat_ready)
  );

  logic [Ratio-1:0][InBytes-1:0][7:0] data_q;
  logic [Ratio-1:0][InBytes-1:0] keep_q;
  side_t [Ratio-1:0] side_q;
  logic [Ratio-1:0] slot_q;  // where the next narrow beat goes, one bit
  logic open_q, valid_q, last_q, sparse_q;
  logic adds, ends, flush, sparse, empty, parts;

  assign sparse = beat.keep != '0 && beat.keep != '1 && !beat.last && !beat.ends;
  assign empty = beat.keep == '0 && beat.last;
  assign parts = beat_valid && (sparse || (Apart && empty)) && open_q;  // what is held goes first
  assign beat_ready = (!valid_q || tready_i) && !parts;
  assign adds = beat_valid && beat_ready && (beat.keep != '0 || beat.last || beat.ends);
  assign ends = adds && (slot_q[Ratio-1] || beat.keep != '1 || beat.last || beat.ends);
  assign flush = (flush_i || parts) && open_q && !adds;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      open_q  <= 1'b0;
      valid_q <= 1'b0;
      slot_q  <= Ratio'(1);
    end else begin
      open_q  <= adds ? !ends : open_q && !flush;
      valid_q <= ends || flush || (valid_q && !tready_i);
      if (ends || flush) slot_q <= Ratio'(1);
      else if (adds) slot_q <= slot_q << 1;
    end
  end

  // Lanes whose keep is 0 may take anything, so the wide enable hangs on few signals.
  for (genvar i = 0; i < Ratio; i++) begin : gen_slot
    always_ff @(posedge clk_i) begin
      if (beat_ready && slot_q[i]) data_q[i] <= beat.data;
      if (adds && slot_q[i]) keep_q[i] <= beat.keep;
      else if (adds && slot_q[0]) keep_q[i] <= '0;
      if (adds && slot_q[i:0] != '0) side_q[i] <= beat.side;
    end
  end
  always_ff @(posedge clk_i) begin
    if (adds) {last_q, sparse_q} <= {beat.last, sparse};
  end

  assign tdata_o  = data_q;
  assign tkeep_o  = keep_q;
  assign tlast_o  = last_q;
  assign sparse_o = sparse_q;
  assign side_o   = side_q;
  assign tvalid_o = valid_q;
  assign held_o   = open_q;

  `TSR_STABLE(OutputStable, tvalid_o, tready_i, ({tdata_o, tkeep_o, tlast_o, side_o}))
  `TSR_ASSERT(OneSlot, $onehot(slot_q))
  `TSR_ASSERT(OpenOrShown, !(open_q && valid_q))

endmodule
