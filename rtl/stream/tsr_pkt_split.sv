// Sends each packet of a stream to one of several outputs, by the packet id of its header word.
//
// Contract: output i takes the ids that are `id_i[i]` where `mask_i[i]` has ones; of several the lowest.
// A packet goes whole to one output, in order; the table and `enable_i` are looked at when it begins.
// A packet that no enabled output takes, whose header is not whole, or (CheckParity) whose parity is
// wrong is taken and dropped, and `drop_o` pulses with its header and the reason. So it never holds up
// the others; an output that is not ready does: put a FIFO behind it. Beats and null beats: as
// tsr_header_take. Streams narrower than 4 bytes go through tsr_stream_width first.
// A beat shown stays; no path from ready to ready or from valid to valid.
// Latency: 1 cycle; 2 from the header with Strip. Throughput: one input beat a cycle.
`include "tsr_assert.svh"
module tsr_pkt_split
  import tsr_packet_pkg::*;
#(
  parameter int unsigned Bytes       = 8,     // 4, 8 .. 128
  parameter int unsigned Outputs     = 2,     // 1..16
  parameter bit          Strip       = 1'b1,  // take the header off
  parameter bit          CheckParity = 1'b0
) (
  input  logic                                  clk_i,
  input  logic                                  rst_ni,
  // The table.
  input  logic    [Outputs-1:0][      4:0]      id_i,
  input  logic    [Outputs-1:0][      4:0]      mask_i,
  input  logic    [Outputs-1:0]                 enable_i,
  // Packets that went nowhere.
  output logic                                  drop_o,
  output header_t                               drop_header_o,
  output logic                                  drop_short_o,   // the header was not whole
  output logic                                  drop_parity_o,  // the parity was wrong
  // Streams.
  input  logic    [  Bytes-1:0][      7:0]      tdata_i,
  input  logic    [  Bytes-1:0]                 tkeep_i,
  input  logic                                  tlast_i,
  input  logic                                  tvalid_i,
  output logic                                  tready_o,
  output logic    [Outputs-1:0][Bytes-1:0][7:0] tdata_o,
  output logic    [Outputs-1:0][Bytes-1:0]      tkeep_o,
  output logic    [Outputs-1:0]                 tlast_o,
  output logic    [Outputs-1:0]                 tvalid_o,
  input  logic    [Outputs-1:0]                 tready_i
);

  `TSR_STATIC_ASSERT(Outputs, Outputs >= 1 && Outputs <= 16,
                     ("Outputs = %0d; legal is 1 to 16", Outputs))

  typedef logic [Outputs-1:0] route_t;  // one bit, or none: drop
  typedef struct packed {
    logic [Bytes-1:0][7:0] data;
    logic [Bytes-1:0]      keep;
    logic                  last;
    route_t                route;
  } beat_t;

  header_t header;
  beat_t in, out;
  logic first, begins, in_valid, in_ready, slice_ready, out_valid, short, parity_wrong;

  tsr_header_take #(
    .Bytes(Bytes),
    .Strip(Strip)
  ) u_take (
    .clk_i,
    .rst_ni,
    .tdata_i,
    .tkeep_i,
    .tlast_i,
    .tvalid_i,
    .tready_o,
    .header_o(header),
    .short_o (short),
    .first_o (first),
    .begin_o (begins),
    .tdata_o (in.data),
    .tkeep_o (in.keep),
    .tlast_o (in.last),
    .tvalid_o(in_valid),
    .tready_i(in_ready)
  );

  // ---- Route: found when a packet begins, kept for the rest of it -------------------------------

  route_t match, route, route_q;
  assign parity_wrong = CheckParity && !parity_right(header);
  for (genvar i = 0; i < Outputs; i++) begin : gen_match
    assign match[i] = enable_i[i] && ((header.id ^ id_i[i]) & mask_i[i]) == '0;
  end
  assign route = (short || parity_wrong) ? '0 : match & (~match + 1'b1);

  always_ff @(posedge clk_i) begin
    if (begins) route_q <= route;
  end
  // Stripped, a packet's first beat comes after its header; else with it.
  assign in.route = (!Strip && first) ? route : route_q;

  logic drop_q, short_q, parity_q;
  header_t header_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) drop_q <= 1'b0;
    else drop_q <= begins && route == '0;
    header_q <= header;
    short_q  <= short;
    parity_q <= parity_wrong;
  end
  assign drop_o        = drop_q;
  assign drop_header_o = header_q;
  assign drop_short_o  = short_q;
  assign drop_parity_o = parity_q;

  // What is dropped does not wait.
  assign in_ready      = slice_ready || in.route == '0;

  // ---- Outputs ----------------------------------------------------------------------------------

  tsr_slice #(
    .T(beat_t)
  ) u_slice (
    .clk_i,
    .rst_ni,
    .data_i (in),
    .valid_i(in_valid && in.route != '0),
    .ready_o(slice_ready),
    .data_o (out),
    .valid_o(out_valid),
    .ready_i((out.route & tready_i) != '0)
  );

  for (genvar i = 0; i < Outputs; i++) begin : gen_output
    assign tdata_o[i]  = out.data;
    assign tkeep_o[i]  = out.keep;
    assign tlast_o[i]  = out.last;
    assign tvalid_o[i] = out_valid && out.route[i];
  end

  `TSR_ASSERT(OneOutput, $onehot0(tvalid_o))

endmodule
