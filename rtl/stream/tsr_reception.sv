// The beginning of frames and the headers of packets of a stream that comes in. A part that the build leaves out is wires.
//
// Wiring, and a register for the marks. Contract, latency, throughput: tsr_frame_sync, tsr_header_pick. A frame whose packet has
// no whole header is none: the next mark is hunted for, in its place, until it is found or `clear` of the control. While headers choose
// a packet whose beginning a hunt has dropped is none either: its rest is dropped.
`include "tsr_assert.svh"
`include "tsr_types.svh"
module tsr_reception
  import tsr_channel_pkg::*;
#(
  parameter  int unsigned Bytes   = 8,                  // of a beat
  parameter  bit          Marks   = 1'b0,               // TUSER bit 0 may begin a frame
  parameter  bit          Headers = 1'b0,               // headers may choose descriptors
  localparam type         beat_t  = `TSR_BEAT_T(Bytes)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  receive_control_t control_i,
  output receive_state_t   state_o,
  input  side_t            side_i,
  input  beat_t            beat_i,
  input  logic             valid_i,
  output logic             ready_o,
  output side_t            side_o,
  output beat_t            beat_o,
  output logic             valid_o,
  input  logic             ready_i
);

  typedef struct packed {
    side_t side;
    beat_t beat;
  } item_t;
  item_t framed;
  logic framed_valid, framed_ready, short, skips, anew;

  // ---- Frames -----------------------------------------------------------------------------------

  if (Marks) begin : gen_marks
    logic [31:0] unused_dropped;
    logic found, awaits_q, lost_q, mark_q, taken, inside_q, headless_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || control_i.restart || control_i.clear || !control_i.marks ||
          !control_i.by_id) begin
        awaits_q <= 1'b0;
        lost_q   <= 1'b0;
      end else begin
        awaits_q <= (found || awaits_q) && !state_o.id_valid;
        lost_q   <= (awaits_q && short && !state_o.id_valid) || (lost_q && !found);
      end
      mark_q <= rst_ni && found && !lost_q;
    end
    // What of the stream's packet is not dropped before headers are looked for.
    assign taken = valid_i && ready_o && (beat_i.keep != '0 || beat_i.last);
    assign anew  = control_i.restart || lost_q;
    assign skips = headless_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) {inside_q, headless_q} <= '0;
      else begin
        if (taken) inside_q <= !beat_i.last;
        if (taken) headless_q <= !beat_i.last && (skips || (control_i.by_id && !framed_valid));
        else if (found) headless_q <= 1'b0;
        else if (anew) headless_q <= control_i.by_id && inside_q;
      end
    end
    tsr_frame_sync #(
      .T(item_t)
    ) u_sync (
      .clk_i,
      .rst_ni,
      .hunt_i   (control_i.hunt || lost_q),
      .hold_i   (control_i.marks),
      .shut_i   (control_i.restart),
      .clear_i  (1'b0),
      .mark_o   (found),
      .dropped_o(unused_dropped),
      .data_i   ({side_i, beat_i}),
      .marked_i (side_i.user[0]),
      .valid_i,
      .ready_o,
      .data_o   (framed),
      .valid_o  (framed_valid),
      .ready_i  (framed_ready)
    );
    assign state_o.mark = mark_q;
  end else begin : gen_no_marks
    logic unused_short;
    assign unused_short  = short;
    assign {anew, skips} = '0;
    assign state_o.mark  = 1'b0;
    assign framed        = {side_i, beat_i};
    assign framed_valid  = valid_i;
    assign ready_o       = framed_ready;
  end

  // ---- Headers ----------------------------------------------------------------------------------

  if (Headers) begin : gen_headers
    logic pick_ready;
    assign framed_ready = pick_ready || skips;
    tsr_header_pick #(
      .Bytes(Bytes)
    ) u_pick (
      .clk_i,
      .rst_ni    (rst_ni && !anew),
      .enable_i  (control_i.by_id),
      .clear_i   (control_i.clear),
      .id_o      (state_o.id),
      .id_valid_o(state_o.id_valid),
      .short_o   (short),
      .id_ready_i(control_i.take_id),
      .side_i    (framed.side),
      .beat_i    (framed.beat),
      .valid_i   (framed_valid && !skips),
      .ready_o   (pick_ready),
      .side_o,
      .beat_o,
      .valid_o,
      .ready_i
    );
  end else begin : gen_no_headers
    assign state_o.id                = '0;
    assign {state_o.id_valid, short} = '0;
    logic unused_packets;
    assign unused_packets   = ^{anew, skips};
    assign {side_o, beat_o} = framed;
    assign valid_o          = framed_valid;
    assign framed_ready     = ready_i;
  end

  logic unused_control;
  assign unused_control = ^{clk_i, rst_ni, control_i};

  `TSR_ASSERT(FramesAreAskedFor, Marks || !state_o.mark)

endmodule
