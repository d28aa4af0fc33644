// Sends beats of a ROM or a RAM: a channel of a kernel without memory outside.
//
// Contract: as tsr_mover_read, without memory: `setup_i.base_addr` bytes are sent from beat 0 on,
// and from beat 0 again behind the last one. The last beat keeps as many lanes as there are bytes
// left, and has TLAST unless the rule is never. `read_o` reads `place_o`; `data_i` is that from the
// next cycle to the next read.
// Latency: 2 cycles from `start_i` to the first beat. Throughput: a beat a cycle.
`include "tsr_assert.svh"
`include "tsr_types.svh"
module tsr_mover_store
  import tsr_core_pkg::BytesWidth;
  import tsr_core_pkg::end_t;
  import tsr_mover_pkg::*;
#(
  parameter  int unsigned Bytes     = 8,                              // of a beat
  parameter  int unsigned Words     = 1,                              // beats
  localparam int unsigned PlaceBits = $clog2(Words < 2 ? 2 : Words),
  localparam type         beat_t    = `TSR_BEAT_T(Bytes)
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  logic                          start_i,
  input  logic         [CycleWidth-1:0] cycle_i,
  input  mover_setup_t                  setup_i,
  output mover_view_t                   view_o,
  output logic                          read_o,
  output logic         [ PlaceBits-1:0] place_o,
  input  logic         [   8*Bytes-1:0] data_i,
  output beat_t                         beat_o,
  output logic                          beat_valid_o,
  input  logic                          beat_ready_i
);

  localparam int unsigned CountBits = $clog2(Bytes + 1);

  logic [63:0] left_q;  // bytes that are not read yet
  logic [PlaceBits-1:0] place_q;
  logic [CountBits-1:0] count_q;  // lanes of the beat that is shown
  logic valid_q, last_q, ends, read, taken;
  end_t ended;
  mover_source_t source;
  logic unused_stop, unused_drained, unused_clear;

  assign ends    = left_q <= 64'(Bytes);
  assign read    = left_q != '0 && (!valid_q || beat_ready_i);
  assign taken   = valid_q && beat_ready_i;
  assign read_o  = read;
  assign place_o = place_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      left_q  <= '0;
      valid_q <= 1'b0;
    end else begin
      valid_q <= read || (valid_q && !beat_ready_i);
      if (start_i) left_q <= setup_i.base_addr;
      else if (read) left_q <= ends ? '0 : left_q - 64'(Bytes);
    end
  end
  always_ff @(posedge clk_i) begin
    if (start_i) place_q <= '0;
    else if (read) place_q <= place_q == PlaceBits'(Words - 1) ? '0 : place_q + 1'b1;
    if (read) begin
      count_q <= ends ? CountBits'(left_q) : CountBits'(Bytes);
      last_q  <= ends && setup_i.last != MoverLastNever;
    end
  end

  assign beat_valid_o = valid_q;
  assign beat_o.data  = data_i;
  assign beat_o.last  = last_q;
  always_comb begin
    for (int unsigned n = 0; n < Bytes; n++) beat_o.keep[n] = CountBits'(n) < count_q;
  end

  // A beat counts as what the run follows.
  always_comb begin
    ended       = '0;
    ended.bytes = BytesWidth'(count_q);
    source      = '{ended: left_q == '0 && !start_i, error: MoverOk, addr: '0};
  end
  tsr_mover_run u_run (
    .clk_i,
    .rst_ni,
    .start_i,
    .cycle_i,
    .stop_o     (unused_stop),
    .drained_o  (unused_drained),
    .clear_o    (unused_clear),
    .view_o,
    .source_i   (source),
    .taken_i    (read),
    .end_i      (ended),
    .end_valid_i(taken),
    .held_i     (1'b0),
    .beat_i     (taken)
  );

  logic unused_setup;
  assign unused_setup = ^setup_i;

  `TSR_ASSERT_NEXT(BeatStays, beat_valid_o && !beat_ready_i, beat_valid_o && $stable(beat_o))

endmodule
