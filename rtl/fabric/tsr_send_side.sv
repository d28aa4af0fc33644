// Gives each beat of a read engine what travels beside it: TDEST, TID, TUSER of its transfer, and packets
// their headers.
//
// Contract: `side_i` and `header_i` are those of the transfer that is offered to the engine, which may send
// beats of it before `accept_i` takes it; `mark_i` is what the engine tells. A beat has the side information of
// its transfer; a beat in which transfers join has that of the later one. With Headers a packet whose first
// transfer asks for a header has it in front; a transfer that goes on with a packet of others adds none, and
// each packet of a transfer has one. The beat that closes the packet of an aborted transfer has that of the beat
// before it. A transfer without beats leaves no trace. There are at most Transfers from that of the beat that
// shows to the one that is offered. With Headers beats may wait here when the engine rests: a reset comes when
// both do.
// Latency: 0 cycles; 1 with Headers. Throughput: one beat a cycle; a header as tsr_header_put.
`include "tsr_assert.svh"
`include "tsr_types.svh"
module tsr_send_side
  import tsr_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_packet_pkg::*;
#(
  parameter int unsigned Bytes = 8,  // of a beat; with Headers at least 4
  parameter bit Headers = 1'b0,
  parameter logic [6:0] Column = '0,  // of headers: where the packets come from
  parameter logic [4:0] Row = '0,
  parameter int unsigned Transfers = 32,  // a power of two
  localparam type beat_t = `TSR_BEAT_T(Bytes)
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  // The engine.
  input  side_t           side_i,
  input  header_request_t header_i,
  input  logic            offer_i,
  input  logic            accept_i,
  input  read_mark_t      mark_i,
  input  beat_t           beat_i,
  input  logic            valid_i,
  output logic            ready_o,
  // The stream.
  output side_t           side_o,
  output beat_t           beat_o,
  output logic            valid_o,
  input  logic            ready_i,
  output logic            idle_o     // nothing of the engine waits here
);

  localparam int unsigned TagWidth = $clog2(Transfers);
  localparam int unsigned QueueBeats = 16;  // as the queue of the engine, with which this one moves
  typedef logic [TagWidth-1:0] tag_t;
  typedef struct packed {
    header_request_t header;
    side_t           side;
  } entry_t;

  // ---- Transfers, by number ---------------------------------------------------------------------

  logic [$bits(entry_t)-1:0] entry_q[Transfers];
  tag_t accepted_q, ended_q, tag;
  logic tag_room, tag_valid, closes, taken;
  entry_t entry;
  side_t side, side_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      accepted_q <= '0;
      ended_q    <= '0;
    end else begin
      accepted_q <= accepted_q + tag_t'(accept_i);
      ended_q    <= ended_q + tag_t'(mark_i.ends);
    end
    if (offer_i) entry_q[accepted_q] <= {Headers ? header_i : '0, side_i};
  end

  tsr_fifo #(
    .Depth(QueueBeats),
    .T    (logic [TagWidth:0])
  ) u_tags (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .data_i ({mark_i.close, ended_q}),
    .valid_i(mark_i.beat),
    .ready_o(tag_room),
    .data_o ({closes, tag}),
    .valid_o(tag_valid),
    .ready_i(valid_i && ready_o)
  );
  assign entry = entry_t'(entry_q[tag]);

  // Whatever was begun since: what closes a packet goes on with it.
  assign taken = valid_i && ready_o;
  assign side  = closes ? side_q : entry.side;
  always_ff @(posedge clk_i) if (taken) side_q <= side;

  // ---- Headers ----------------------------------------------------------------------------------

  if (Headers) begin : gen_headers
    typedef struct packed {
      side_t side;
      beat_t beat;
    } item_t;
    item_t put, out;
    logic put_valid, put_ready, over_q;
    header_t header;
    assign header = '{
            column: Column,
            row: Row,
            kind: entry.header.kind,
            bd: entry.header.bd,
            id: entry.header.id,
            default: '0
        };

    tsr_header_put #(
      .Bytes(Bytes)
    ) u_put (
      .clk_i,
      .rst_ni,
      .enable_i(entry.header.enable),
      .header_i(header),
      .tdata_i (beat_i.data),
      .tkeep_i (beat_i.keep),
      .tlast_i (beat_i.last),
      .tvalid_i(valid_i),
      .tready_o(ready_o),
      .tdata_o (put.beat.data),
      .tkeep_o (put.beat.keep),
      .tlast_o (put.beat.last),
      .tvalid_o(put_valid),
      .tready_i(put_ready)
    );

    // Bytes that a header displaced come after their beat was taken.
    always_ff @(posedge clk_i) begin
      if (!rst_ni) over_q <= 1'b0;
      else if (put_valid && put_ready) over_q <= taken && beat_i.last && !put.beat.last;
    end
    assign put.side = over_q ? side_q : side;

    tsr_slice #(
      .T(item_t)
    ) u_out (
      .clk_i,
      .rst_ni,
      .data_i (put),
      .valid_i(put_valid),
      .ready_o(put_ready),
      .data_o (out),
      .valid_o(valid_o),
      .ready_i(ready_i)
    );
    assign beat_o = out.beat;
    assign side_o = out.side;
    assign idle_o = !valid_o && !put_valid;
  end else begin : gen_no_headers
    logic unused_header;
    assign unused_header = ^entry.header;
    assign beat_o        = beat_i;
    assign side_o        = side;
    assign valid_o       = valid_i;
    assign ready_o       = ready_i;
    assign idle_o        = 1'b1;
  end

  `TSR_STATIC_ASSERT(Transfers, Transfers >= 2 && $onehot(Transfers),
                     ("Transfers = %0d; legal is a power of two, at least 2", Transfers))
  `TSR_ASSERT(EveryBeatHasItsNumber, valid_i == tag_valid && (!mark_i.beat || tag_room))
  `TSR_STABLE(OutStays, valid_o, ready_i, ({side_o, beat_o}))

endmodule
