// What stands between the incoming streams and the engines that write them: the choice of the channel, the
// beginning of frames, the headers of packets. A part that the build leaves out is wires.
//
// Wiring, and a register for the marks. Contract, latency, throughput: tsr_dest_split, tsr_frame_sync,
// tsr_header_pick. With Route all packets come on stream 0.
`include "tsr_assert.svh"
`include "tsr_types.svh"
module tsr_reception
  import tsr_channel_pkg::*;
#(
  parameter  int unsigned Writes  = 1,
  parameter  int unsigned Bytes   = 8,                  // of a beat
  parameter  bit          Route   = 1'b0,               // TDEST chooses the channel
  parameter  bit          Marks   = 1'b0,               // TUSER bit 0 may begin a frame
  parameter  bit          Headers = 1'b0,               // headers may choose descriptors
  localparam type         beat_t  = `TSR_BEAT_T(Bytes)
) (
  input logic clk_i,
  input logic rst_ni,
  // Streams in.
  input side_t [Writes-1:0] side_i,
  input beat_t [Writes-1:0] beat_i,
  input logic [Writes-1:0] valid_i,
  output logic [Writes-1:0] ready_o,
  output logic misrouted_o,  // a packet for no channel was dropped; one cycle
  // Channels.
  input receive_control_t [Writes-1:0] control_i,
  output receive_state_t [Writes-1:0] state_o,
  output side_t [Writes-1:0] side_o,
  output beat_t [Writes-1:0] beat_o,
  output logic [Writes-1:0] valid_o,
  input logic [Writes-1:0] ready_i
);

  typedef struct packed {
    side_t side;
    beat_t beat;
  } item_t;

  // ---- Channels ---------------------------------------------------------------------------------

  item_t [Writes-1:0] routed;
  logic [Writes-1:0] routed_valid, routed_ready;

  if (Route) begin : gen_route
    item_t all;
    logic  unused_streams;
    tsr_dest_split #(
      .Bytes  (Bytes),
      .Outputs(Writes)
    ) u_split (
      .clk_i,
      .rst_ni,
      .drop_o (misrouted_o),
      .side_i (side_i[0]),
      .beat_i (beat_i[0]),
      .valid_i(valid_i[0]),
      .ready_o(ready_o[0]),
      .side_o (all.side),
      .beat_o (all.beat),
      .valid_o(routed_valid),
      .ready_i(routed_ready)
    );
    assign routed = {Writes{all}};
    for (genvar i = 1; i < Writes; i++) begin : gen_closed
      assign ready_o[i] = 1'b0;
    end
    assign unused_streams = ^{side_i, beat_i, valid_i};
  end else begin : gen_direct
    for (genvar i = 0; i < Writes; i++) begin : gen_stream
      assign routed[i] = '{side: side_i[i], beat: beat_i[i]};
    end
    assign misrouted_o  = 1'b0;
    assign routed_valid = valid_i;
    assign ready_o      = routed_ready;
  end

  for (genvar i = 0; i < Writes; i++) begin : gen_channel
    item_t framed;
    logic framed_valid, framed_ready, mark, id_valid, short;
    logic [5:0] id;

    // ---- Frames ---------------------------------------------------------------------------------

    if (Marks) begin : gen_marks
      // A frame whose packet has no whole header is none: the next mark is hunted for, in its place.
      logic [31:0] unused_dropped;
      logic found, awaits_q, lost_q;
      always_ff @(posedge clk_i) begin
        if (!rst_ni || control_i[i].restart || !control_i[i].marks) begin
          awaits_q <= 1'b0;
          lost_q   <= 1'b0;
        end else begin
          awaits_q <= (found || awaits_q) && !id_valid;
          lost_q   <= (awaits_q && short) || (lost_q && !found);
        end
      end
      tsr_frame_sync #(
        .T(item_t)
      ) u_sync (
        .clk_i,
        .rst_ni,
        .hunt_i   (control_i[i].hunt || lost_q),
        .hold_i   (control_i[i].marks),
        .shut_i   (control_i[i].restart),
        .clear_i  (1'b0),
        .mark_o   (found),
        .dropped_o(unused_dropped),
        .data_i   (routed[i]),
        .marked_i (routed[i].side.user[0]),
        .valid_i  (routed_valid[i]),
        .ready_o  (routed_ready[i]),
        .data_o   (framed),
        .valid_o  (framed_valid),
        .ready_i  (framed_ready)
      );
      always_ff @(posedge clk_i) mark <= rst_ni && found && !lost_q;
    end else begin : gen_no_marks
      logic unused_short;
      assign unused_short    = short;
      assign mark            = 1'b0;
      assign framed          = routed[i];
      assign framed_valid    = routed_valid[i];
      assign routed_ready[i] = framed_ready;
    end

    // ---- Headers --------------------------------------------------------------------------------

    if (Headers) begin : gen_headers
      tsr_header_pick #(
        .Bytes(Bytes)
      ) u_pick (
        .clk_i,
        .rst_ni    (rst_ni && !control_i[i].restart),
        .enable_i  (control_i[i].by_id),
        .clear_i   (control_i[i].clear),
        .id_o      (id),
        .id_valid_o(id_valid),
        .short_o   (short),
        .id_ready_i(control_i[i].take_id),
        .side_i    (framed.side),
        .beat_i    (framed.beat),
        .valid_i   (framed_valid),
        .ready_o   (framed_ready),
        .side_o    (side_o[i]),
        .beat_o    (beat_o[i]),
        .valid_o   (valid_o[i]),
        .ready_i   (ready_i[i])
      );
    end else begin : gen_no_headers
      logic unused_id_take;
      assign unused_id_take = control_i[i].take_id;
      assign id             = '0;
      assign id_valid       = 1'b0;
      assign short          = 1'b0;
      assign side_o[i]      = framed.side;
      assign beat_o[i]      = framed.beat;
      assign valid_o[i]     = framed_valid;
      assign framed_ready   = ready_i[i];
    end

    assign state_o[i] = '{mark: mark, id_valid: id_valid, id: id};
  end

  logic unused_control;
  assign unused_control = ^{clk_i, rst_ni, control_i};

  `TSR_STATIC_ASSERT(Writes, Writes >= 1 && Writes <= 16,
                     ("Writes = %0d; legal is 1 to 16", Writes))

endmodule
