// Sends each packet of a stream to the output that its TDEST names.
//
// Contract: TDEST of a packet's first beat counts for all of it; a packet goes whole to one output, in order.
// A packet that names no output is taken and dropped, and `drop_o` pulses when it begins. An output that is
// not ready holds up the others: put a FIFO behind it. Null beats are beats. A beat shown stays; no path from
// ready to ready or from valid to valid.
// Latency: 1 cycle. Throughput: one beat a cycle.
`include "tsr_assert.svh"
`include "tsr_types.svh"
module tsr_dest_split
  import tsr_channel_pkg::*;
#(
  parameter  int unsigned Bytes   = 8,
  parameter  int unsigned Outputs = 2,                  // 1..16
  localparam type         beat_t  = `TSR_BEAT_T(Bytes)
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  output logic                drop_o,
  input  side_t               side_i,
  input  beat_t               beat_i,
  input  logic                valid_i,
  output logic                ready_o,
  output side_t               side_o,   // with the beat of every output
  output beat_t               beat_o,
  output logic  [Outputs-1:0] valid_o,
  input  logic  [Outputs-1:0] ready_i
);

  `TSR_STATIC_ASSERT(Outputs, Outputs >= 1 && Outputs <= 16,
                     ("Outputs = %0d; legal is 1 to 16", Outputs))

  typedef logic [Outputs-1:0] route_t;  // one bit, or none: drop
  typedef struct packed {
    route_t route;
    side_t  side;
    beat_t  beat;
  } item_t;

  item_t in, out;
  route_t route, route_q;
  logic open_q, room, out_valid;

  for (genvar i = 0; i < Outputs; i++) begin : gen_route
    assign route[i] = 32'(side_i.dest) == i;
  end
  assign in      = '{route: open_q ? route_q : route, side: side_i, beat: beat_i};
  assign ready_o = room || in.route == '0;
  assign drop_o  = valid_i && !open_q && route == '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) open_q <= 1'b0;
    else if (valid_i && ready_o) open_q <= !beat_i.last;
    if (!open_q) route_q <= route;
  end

  tsr_slice #(
    .T(item_t)
  ) u_out (
    .clk_i,
    .rst_ni,
    .data_i (in),
    .valid_i(valid_i && in.route != '0),
    .ready_o(room),
    .data_o (out),
    .valid_o(out_valid),
    .ready_i((out.route & ready_i) != '0)
  );
  assign side_o  = out.side;
  assign beat_o  = out.beat;
  assign valid_o = out.route & {Outputs{out_valid}};

  `TSR_ASSERT(OneOutput, $onehot0(valid_o))

endmodule
