// One channel that sends the contents of a ROM to a stream.
//
// Contract: as tsr_mover_read, without memory: `setup_i.base_addr` bytes are sent from word 0 on,
// and from word 0 again behind the last one. The last beat keeps as many lanes as there are bytes
// left, and has TLAST unless the rule is never.
// Latency: 2 cycles from `start_i` to the first beat. Throughput: a beat a cycle.
`include "tsr_assert.svh"
`include "tsr_types.svh"
module tsr_mover_rom
  import tsr_pkg::*;
  import tsr_mover_pkg::*;
#(
  parameter int unsigned Bytes = 8,  // of a beat, and of a word
  parameter int unsigned Words = 1,
  parameter logic [Words*8*Bytes-1:0] Contents = '0,  // word 0 lowest
  localparam type beat_t = `TSR_BEAT_T(Bytes)
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  logic                          start_i,
  input  logic         [CycleWidth-1:0] cycle_i,
  input  mover_setup_t                  setup_i,
  output mover_view_t                   view_o,
  output beat_t                         beat_o,
  output logic                          beat_valid_o,
  input  logic                          beat_ready_i
);

  localparam int unsigned PlaceBits = $clog2(Words < 2 ? 2 : Words);

  `TSR_STATIC_ASSERT(RomWords, Words >= 1 && Words <= 4096,
                     ("RomWords = %0d; legal is 0 to 4096", Words))

  logic [63:0] left_q;
  logic [PlaceBits-1:0] place_q;
  logic ends, taken;
  done_t done;
  mover_source_t source;
  logic unused_stop;

  assign ends         = left_q <= 64'(Bytes);
  assign taken        = beat_valid_o && beat_ready_i;
  assign beat_valid_o = left_q != '0;
  assign beat_o.last  = ends && setup_i.last != MoverLastNever;
  always_comb begin
    beat_o.data = '0;
    for (int unsigned n = 0; n < Words; n++) begin
      if (place_q == PlaceBits'(n)) beat_o.data = Contents[n*8*Bytes+:8*Bytes];
    end
    for (int unsigned n = 0; n < Bytes; n++) beat_o.keep[n] = 64'(n) < left_q;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) left_q <= '0;
    else if (start_i) left_q <= setup_i.base_addr;
    else if (taken) left_q <= ends ? '0 : left_q - 64'(Bytes);
  end
  always_ff @(posedge clk_i) begin
    if (start_i) place_q <= '0;
    else if (taken) place_q <= place_q == PlaceBits'(Words - 1) ? '0 : place_q + 1'b1;
  end

  // A beat counts as what the run follows.
  always_comb begin
    done       = '0;
    done.bytes = ends ? BytesWidth'(left_q) : BytesWidth'(Bytes);
    source     = '{ended: left_q == '0 && !start_i, error: MoverOk, addr: '0};
  end
  tsr_mover_run u_run (
    .clk_i,
    .rst_ni,
    .start_i,
    .cycle_i,
    .stop_o      (unused_stop),
    .view_o,
    .source_i    (source),
    .taken_i     (taken),
    .done_i      (done),
    .done_valid_i(taken),
    .beat_i      (taken)
  );

  logic unused_setup;
  assign unused_setup = ^setup_i;

  `TSR_ASSERT_NEXT(BeatStays, beat_valid_o && !beat_ready_i && !start_i, beat_valid_o && $stable
                   (place_q))

endmodule
