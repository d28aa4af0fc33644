// Finds how far the bytes of the channel at work are contiguous.
//
// Contract: of the marks of a channel that at `mark_i` is the next one; bytes of its beat below
// lane `from_i` are gone. The answer is of three cycles before: who changes channel, `mark_i` or
// `from_i` waits so long. New beats only make the stop go on, until there is one at a mark.
`include "tsr_assert.svh"
`include "tsr_core_types.svh"
module tsr_write_stop #(
  parameter  int unsigned Channels = 1,
  parameter  int unsigned BusLog   = 3,
  parameter  int unsigned RoomLog  = 5,
  localparam int unsigned Index    = Channels > 1 ? $clog2(Channels) : 1,
  localparam int unsigned Lanes    = 2 ** BusLog,
  localparam type         mark_t   = `TSR_MARK_T(BusLog, RoomLog),
  localparam type         stop_t   = `TSR_STOP_T(BusLog, RoomLog)
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

  logic [Lanes-1:0] gone, ends, rest;
  logic [BusLog:0] run_end, next;
  logic [RoomLog:0] after;
  always_comb begin
    for (int unsigned i = 0; i < Lanes; i++) gone[i] = BusLog'(i) < from_i;
    ends    = ~mark_q.keep & ~gone;
    run_end = (BusLog + 1)'(Lanes);
    for (int unsigned i = Lanes; i > 0; i--) if (ends[i-1]) run_end = (BusLog + 1)'(i - 1);
    for (int unsigned i = 0; i < Lanes; i++) rest[i] = mark_q.keep[i] && (BusLog + 1)'(i) > run_end;
    next = (BusLog + 1)'(Lanes);
    for (int unsigned i = Lanes; i > 0; i--) if (rest[i-1]) next = (BusLog + 1)'(i - 1);
  end
  assign after = mark_q.beat + 1'b1;

  stop_t stop_q;
  always_ff @(posedge clk_i) begin
    stop_q <= '{
        valid: rst_ni && marked_q,
        last: mark_q.last && rest == '0,
        joint: run_end[BusLog],
        bare: run_end == '0,
        left: rest != '0,
        sparse: mark_q.sparse,
        beat: mark_q.beat,
        place: {run_end[BusLog] ? after : mark_q.beat, run_end[BusLog-1:0]},
        resume: {next[BusLog] ? after : mark_q.beat, next[BusLog-1:0]}
    };
    if (!marked_q) stop_q.place <= {beats_q, BusLog'(0)};
  end
  assign stop_o = stop_q;

  `TSR_ASSERT(StopsBeforeItGoesOn, !stop_q.valid || stop_q.joint == (stop_q.place == stop_q.resume))

endmodule
