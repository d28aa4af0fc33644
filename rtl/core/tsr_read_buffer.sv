// Buffers the beats of a stream: a memory a lane, each written at the open beat or the next, which
// merges what comes in parts.
//
// Contract: what is put for this channel is written; a beat goes out once it was emitted. Room is
// reserved elsewhere; with one channel `room_o` is low while six words or more have none. A beat
// stays until it is accepted. With `abort_i` all other beats are dropped, one a cycle; then a
// packet that is open is closed by a beat without bytes, if its last beat says `closes`; while that shows,
// nothing is written. With Kept, where cells behind keep bytes for more, one without TLAST `ends` what is open there.
// `busy_o`: there are beats. With Side `owner_o` is the number of the transfer that the last byte of the beat is of.
// Latency: 2 cycles from `put_valid_i` to `valid_o`. Throughput: a beat a cycle.
`include "tsr_assert.svh"
`include "tsr_core_types.svh"
module tsr_read_buffer #(
  parameter  int unsigned Channel   = 0,
  parameter  int unsigned BusLog    = 3,
  parameter  int unsigned RoomLog   = 6,                                // log2 of the beats
  parameter  int unsigned MarkLog   = RoomLog,                          // ... that are told apart
  parameter  bit          Side      = 1'b0,
  parameter  bit          Kept      = 1'b0,
  parameter  int unsigned FlightLog = 4,
  localparam int unsigned Lanes     = 2 ** BusLog,
  localparam type         put_t     = `TSR_READ_PUT_T(BusLog, RoomLog)
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic                      abort_i,
  output logic                      busy_o,
  input  put_t                      put_i,
  input  logic                      put_valid_i,
  output logic                      room_o,
  output logic                      pop_o,
  output logic [    MarkLog:0]      popped_o,     // beats that have left, modulo their number
  // The stream
  output logic [    Lanes-1:0][7:0] data_o,
  output logic [    Lanes-1:0]      keep_o,
  output logic                      last_o,
  output logic                      ends_o,       // what comes behind it begins a beat
  output logic [FlightLog-1:0]      owner_o,
  output logic                      valid_o,
  input  logic                      ready_i
);

  logic mine, emits, writes, valid_q, room_q;
  logic shown_q, open_q, kept_q, null_q;
  logic [RoomLog:0] used_q;
  logic [MarkLog:0] read_q;
  assign mine   = put_valid_i && put_i.channel == 4'(Channel);
  assign emits  = mine && put_i.emit;
  assign writes = mine && !null_q;

  for (genvar i = 0; i < Lanes; i++) begin : gen_lane
    (* ram_style = "distributed" *) logic [7:0] mem[2**RoomLog];
    logic [RoomLog-1:0] at;
    logic late;
    // The last lane is below no level.
    assign late = 32'(put_i.level) > i;
    assign at   = i < Lanes - 1 && late ? put_i.beat_next : put_i.beat;
    always_ff @(posedge clk_i) if (writes && put_i.writes) mem[at] <= put_i.lanes[i];
    assign data_o[i] = mem[read_q[RoomLog-1:0]];
  end

  // Written as the last lane, and by a word that only completes a beat.
  if (Side) begin : gen_side
    (* ram_style = "distributed" *) logic [FlightLog-1:0] mem[2**RoomLog];
    always_ff @(posedge clk_i) if (writes) mem[put_i.beat] <= put_i.owner[FlightLog-1:0];
    assign owner_o = mem[read_q[RoomLog-1:0]];
  end else begin : gen_no_side
    assign owner_o = '0;
  end
  logic unused_owner;
  assign unused_owner = ^put_i.owner;

  (* ram_style = "distributed" *) logic [BusLog+1:0] end_mem[2**RoomLog];
  // Apart, for most builds do not use it.
  (* ram_style = "distributed" *) logic ends_mem[2**RoomLog];
  logic [BusLog-1:0] keep;
  logic last, closes;
  always_ff @(posedge clk_i) begin
    if (emits) begin
      end_mem[put_i.beat]  <= {put_i.closes, put_i.last, put_i.keep};
      ends_mem[put_i.beat] <= put_i.ends;
    end
  end
  assign {closes, last, keep} = end_mem[read_q[RoomLog-1:0]];
  assign ends_o = ends_mem[read_q[RoomLog-1:0]] || null_q;
  assign last_o = null_q ? open_q : last;
  for (genvar i = 0; i < Lanes; i++) begin : gen_keep
    assign keep_o[i] = {1'b1, keep} >= (BusLog + 1)'(Lanes + i) && !null_q;
  end

  logic show, accepts, drops;
  assign show     = (valid_q && (!abort_i || shown_q)) || null_q;
  assign accepts  = show && ready_i;
  assign drops    = valid_q && abort_i && !shown_q && !null_q;
  assign valid_o  = show;
  assign pop_o    = (accepts && !null_q) || drops;
  assign popped_o = read_q;
  assign room_o   = room_q;
  assign busy_o   = valid_q || null_q || (abort_i && (open_q || kept_q));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      used_q  <= '0;
      read_q  <= '0;
      valid_q <= 1'b0;
      room_q  <= 1'b0;
      shown_q <= 1'b0;
      open_q  <= 1'b0;
      kept_q  <= 1'b0;
      null_q  <= 1'b0;
    end else begin
      used_q  <= used_q + (RoomLog + 1)'(emits) - (RoomLog + 1)'(pop_o);
      read_q  <= read_q + (MarkLog + 1)'(pop_o);
      valid_q <= emits || used_q > (RoomLog + 1)'(1'b1) || (used_q[0] && !pop_o);
      room_q  <= 32'(used_q) < 2 ** RoomLog - 5;
      shown_q <= valid_o && !ready_i;
      if (accepts) open_q <= !last_o && closes && !null_q;
      if (accepts) kept_q <= Kept && !last_o && !ends_o;
      null_q <= null_q ? !ready_i : abort_i && (open_q || kept_q) && !valid_q && !emits;
    end
  end

  `TSR_ASSERT(NeverTooMuch, !(emits && used_q[RoomLog]))

endmodule
