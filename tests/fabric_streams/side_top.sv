// tsr_send_side without headers, beside an engine that a test plays: it tells of beats by marks, and they
// show on the stream in that order.
module side_top
  import tsr_pkg::*;
  import tsr_channel_pkg::*;
#(
  localparam int unsigned Bytes = 4
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  // Transfers: TDEST stands for all that travels beside a beat.
  input  logic [7:0] dest_i,
  input  logic       offer_i,
  input  logic       accept_i,
  input  logic       ends_i,
  input  logic       beat_i,
  input  logic       close_i,
  // The stream.
  input  logic       valid_i,
  output logic       ready_o,
  output logic [7:0] dest_o,
  output logic       valid_o,
  input  logic       ready_i
);

  typedef struct packed {
    logic             last;
    logic [Bytes-1:0] keep;
    logic [31:0]      data;
  } beat_t;

  side_t side, side_out;
  beat_t unused_beat;
  logic  unused_idle;
  assign side   = '{dest: dest_i, default: '0};
  assign dest_o = side_out.dest;

  tsr_send_side #(
    .Bytes(Bytes)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .side_i  (side),
    .header_i('0),
    .offer_i,
    .accept_i,
    .mark_i  ('{ends: ends_i, beat: beat_i, close: close_i}),
    .beat_i  ('0),
    .valid_i,
    .ready_o,
    .side_o  (side_out),
    .beat_o  (unused_beat),
    .valid_o,
    .ready_i,
    .idle_o  (unused_idle)
  );

  logic unused_side;
  assign unused_side = ^{side_out.user, side_out.id};

endmodule
