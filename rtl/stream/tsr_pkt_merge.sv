// Puts the packets of several streams into one, each whole, in turns.
//
// Contract: packets of an input stay in order and are never mixed with others. Whoever is next is
// chosen while the packet before is on its way: of those that wait, the first after the current input,
// so an input waits for at most Inputs - 1 packets, and an input alone has every cycle. With `Header` a
// header word is put in front of each packet: `header_i[i]`, looked at when the packet begins, parity
// made here; beats as tsr_header_put. `enable_i` is looked at between packets. An input that stops
// inside a packet stops the others. A beat shown stays; no path from ready to ready or from valid to
// valid.
// Latency: 1 cycle, 2 with Header; 1 more if another input's turn was last. Throughput: one beat a cycle,
// also from packet to packet.
`include "tsr_assert.svh"
module tsr_pkt_merge
  import tsr_packet_pkg::*;
#(
  parameter int unsigned Bytes  = 8,    // 1, 2, 4 .. 128; at least 4 with Header
  parameter int unsigned Inputs = 2,    // 1..16
  parameter bit          Header = 1'b1
) (
  input  logic                                 clk_i,
  input  logic                                 rst_ni,
  input  header_t [Inputs-1:0]                 header_i,
  input  logic    [Inputs-1:0]                 enable_i,
  input  logic    [Inputs-1:0][Bytes-1:0][7:0] tdata_i,
  input  logic    [Inputs-1:0][Bytes-1:0]      tkeep_i,
  input  logic    [Inputs-1:0]                 tlast_i,
  input  logic    [Inputs-1:0]                 tvalid_i,
  output logic    [Inputs-1:0]                 tready_o,
  output logic    [ Bytes-1:0][      7:0]      tdata_o,
  output logic    [ Bytes-1:0]                 tkeep_o,
  output logic                                 tlast_o,
  output logic                                 tvalid_o,
  input  logic                                 tready_i
);

  `TSR_STATIC_ASSERT(Bytes, $onehot(Bytes) && Bytes <= 128,
                     ("Bytes = %0d; legal is 1, 2, 4, 8, 16, 32, 64 or 128", Bytes))
  `TSR_STATIC_ASSERT(Inputs, Inputs >= 1 && Inputs <= 16,
                     ("Inputs = %0d; legal is 1 to 16", Inputs))

  typedef logic [Inputs-1:0] set_t;
  typedef struct packed {
    logic [Bytes-1:0][7:0] data;
    logic [Bytes-1:0]      keep;
    logic                  last;
  } beat_t;
  typedef struct packed {
    header_t header;
    beat_t   beat;
  } item_t;

  // ---- Turns ------------------------------------------------------------------------------------

  set_t turn_q, next;  // one bit each
  logic open_q;  // inside a packet
  logic valid, ready, take;
  item_t item;

  assign valid    = (turn_q & tvalid_i & (enable_i | {Inputs{open_q}})) != '0;
  assign take     = valid && ready;
  assign tready_o = turn_q & {Inputs{ready}} & (enable_i | {Inputs{open_q}});

  tsr_round_robin #(
    .Channels(Inputs)
  ) u_turns (
    .request_i(tvalid_i & enable_i & ~turn_q),
    .last_i   (turn_q),
    .next_o   (next)
  );

  // Nobody's turn ends for nobody: an input that is alone loses no cycle.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      turn_q <= set_t'(1);
      open_q <= 1'b0;
    end else begin
      if (take) open_q <= !item.beat.last;
      if (next != '0 && (take ? item.beat.last : !open_q && !valid)) turn_q <= next;
    end
  end

  always_comb begin
    item = '0;
    for (int unsigned i = 0; i < Inputs; i++) begin
      if (turn_q[i]) item = item | {header_i[i], tdata_i[i], tkeep_i[i], tlast_i[i]};
    end
  end

  // ---- Header and output ------------------------------------------------------------------------

  beat_t out;
  if (Header) begin : gen_header
    item_t mid;
    beat_t put;
    logic mid_valid, mid_ready, put_valid, put_ready;

    tsr_slice #(
      .T(item_t)
    ) u_mid (
      .clk_i,
      .rst_ni,
      .data_i (item),
      .valid_i(valid),
      .ready_o(ready),
      .data_o (mid),
      .valid_o(mid_valid),
      .ready_i(mid_ready)
    );

    logic unused_tail;
    tsr_header_put #(
      .Bytes(Bytes)
    ) u_put (
      .clk_i,
      .rst_ni,
      .enable_i(1'b1),
      .header_i(mid.header),
      .tdata_i (mid.beat.data),
      .tkeep_i (mid.beat.keep),
      .tlast_i (mid.beat.last),
      .tends_i (1'b0),
      .tvalid_i(mid_valid),
      .tready_o(mid_ready),
      .tdata_o (put.data),
      .tkeep_o (put.keep),
      .tlast_o (put.last),
      .tail_o  (unused_tail),
      .tvalid_o(put_valid),
      .tready_i(put_ready)
    );

    tsr_slice #(
      .T(beat_t)
    ) u_out (
      .clk_i,
      .rst_ni,
      .data_i (put),
      .valid_i(put_valid),
      .ready_o(put_ready),
      .data_o (out),
      .valid_o(tvalid_o),
      .ready_i(tready_i)
    );
  end else begin : gen_no_header
    logic unused_header;
    assign unused_header = ^item.header;

    tsr_slice #(
      .T(beat_t)
    ) u_out (
      .clk_i,
      .rst_ni,
      .data_i (item.beat),
      .valid_i(valid),
      .ready_o(ready),
      .data_o (out),
      .valid_o(tvalid_o),
      .ready_i(tready_i)
    );
  end

  assign tdata_o = out.data;
  assign tkeep_o = out.keep;
  assign tlast_o = out.last;

  `TSR_ASSERT(OneTurn, $onehot(turn_q))

endmodule
