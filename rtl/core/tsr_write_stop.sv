// Finds how far the bytes of the channel at work are contiguous.
//
// Contract: of the marks of a channel that at `mark_i` is the next one; bytes of its beat below
// lane `from_i` are gone. The answer is of StopCycles - 1 cycles before: who changes channel, `mark_i`
// or `from_i` waits so long. New beats only make the stop go on, until there is one at a mark.
`include "tsr_assert.svh"
`include "tsr_core_types.svh"
module tsr_write_stop
  import tsr_core_pkg::stop_cycles;
#(
  parameter  int unsigned Channels   = 1,
  parameter  int unsigned BusLog     = 3,
  parameter  int unsigned RoomLog    = 5,
  localparam int unsigned Index      = Channels > 1 ? $clog2(Channels) : 1,
  localparam int unsigned Lanes      = 2 ** BusLog,
  localparam int unsigned StopCycles = stop_cycles(BusLog),
  localparam type         mark_t     = `TSR_MARK_T(BusLog, RoomLog),
  localparam type         stop_t     = `TSR_STOP_T(BusLog, RoomLog)
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic  [   Index-1:0]            channel_i,
  input  logic  [   RoomLog:0]            mark_i,
  input  logic  [  BusLog-1:0]            from_i,
  input  logic  [Channels-1:0][RoomLog:0] beats_i,
  input  logic  [Channels-1:0][RoomLog:0] marks_i,
  input  mark_t [Channels-1:0]            mark_of_i,  // at mark_i
  output stop_t                           stop_o
);

  mark_t mark_q;
  logic [RoomLog:0] beats_q;
  logic marked_q;
  always_ff @(posedge clk_i) begin
    mark_q   <= mark_of_i[channel_i];
    beats_q  <= beats_i[channel_i];
    marked_q <= marks_i[channel_i] != mark_i;
  end

  // ---- The run of bytes that is next: from the first that is not null to the first that is

  // Number of the lowest bit that is set, Lanes if none is: a tree, two and two.
  function automatic logic [BusLog:0] lowest(input logic [Lanes-1:0] set);
    logic [Lanes-1:0] some;
    logic [Lanes-1:0][BusLog-1:0] lane;
    some = set;
    for (int unsigned n = 0; n < Lanes; n++) lane[n] = BusLog'(n);
    for (int unsigned level = 0; level < BusLog; level++) begin
      for (int unsigned n = 0; n < Lanes >> (level + 1); n++) begin
        lane[n] = some[2*n] ? lane[2*n] : lane[2*n+1];
        some[n] = some[2*n] || some[2*n+1];
      end
    end
    return some[0] ? {1'b0, lane[0]} : (BusLog + 1)'(Lanes);
  endfunction

  logic [Lanes-1:0] gone, below, rest;
  logic [BusLog:0] run_end, run, next;
  logic [RoomLog:0] after, beats;
  logic  marked;
  mark_t mark;
  always_comb begin
    for (int unsigned i = 0; i < Lanes; i++) below[i] = BusLog'(i) < from_i;
  end
  assign run_end = lowest(~mark_q.keep & ~gone);
  if (StopCycles > 3) begin : gen_wide
    always_ff @(posedge clk_i) begin
      gone   <= below;
      run    <= run_end;
      mark   <= mark_q;
      beats  <= beats_q;
      marked <= marked_q;
    end
  end else begin : gen_narrow
    assign gone   = below;
    assign run    = run_end;
    assign mark   = mark_q;
    assign beats  = beats_q;
    assign marked = marked_q;
  end
  always_comb begin
    for (int unsigned i = 0; i < Lanes; i++) rest[i] = mark.keep[i] && (BusLog + 1)'(i) > run;
  end
  assign next  = lowest(rest);
  assign after = mark.beat + 1'b1;

  stop_t stop_q;
  always_ff @(posedge clk_i) begin
    stop_q <= '{
        valid: rst_ni && marked,
        last: mark.last && next[BusLog],
        joint: run[BusLog],
        bare: run == '0,
        left: !next[BusLog],
        sparse: mark.sparse,
        beat: mark.beat,
        place: {run[BusLog] ? after : mark.beat, run[BusLog-1:0]},
        resume: {next[BusLog] ? after : mark.beat, next[BusLog-1:0]}
    };
    if (!marked) stop_q.place <= {beats, BusLog'(0)};
  end
  assign stop_o = stop_q;

  `TSR_ASSERT(StopsBeforeItGoesOn, !stop_q.valid || stop_q.joint == (stop_q.place == stop_q.resume))

endmodule
