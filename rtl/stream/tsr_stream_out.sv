// Sends the beats of one read channel: with their side information, with headers of packets, in the width of the
// stream, under watch.
//
// Contract: what is beside a transfer is written by its number before its beats come, and is not written again while
// beats of it wait at the input. A beat of the stream has the side information of the transfer that the last byte of the
// engine's beat is of, for only that one is surely under way; the beat that closes the packet of an aborted transfer has
// that of the beat before it. With Headers a packet whose first transfer asks for a header has it in front; a transfer
// that goes on with the packet of others adds none. A beat that `ends` leaves nothing behind here. With `cut_i` all beats are dropped, shown ones too. `fault_o`: see tsr_stream_guard, for which `clear_i` is.
// Latency: 0 cycles, 1 more where the width changes, 1 more with Headers. Throughput: a beat of the narrower
// side a cycle; a header as tsr_header_put.
`include "tsr_assert.svh"
`include "tsr_types.svh"
module tsr_stream_out
  import tsr_descriptor_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_fabric_pkg::*;
  import tsr_packet_pkg::*;
  import tsr_program_pkg::*;
#(
  parameter int unsigned InBytes = 8,
  parameter int unsigned OutBytes = 8,  // with Headers at least 4
  parameter int unsigned FlightLog = 3,  // log2 of the numbers of transfers
  parameter bit Side = 1'b0,
  parameter bit Headers = 1'b0,  // needs Side
  parameter logic [6:0] Column = '0,  // of headers: where the packets come from
  parameter logic [4:0] Row = '0,
  parameter bit Guard = 1'b1,
  parameter int unsigned Silence = 0,  // 0: the stream may wait for ever
  localparam int unsigned Parts = InBytes > OutBytes ? InBytes / OutBytes : 1,
  localparam type read_beat_t = `TSR_READ_BEAT_T(InBytes, FlightLog),
  localparam type beat_t = `TSR_BEAT_T(OutBytes)
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       clear_i,
  input  logic       cut_i,
  input  logic       tick_i,
  output fault_e     fault_o,
  // What is beside a transfer.
  input  beside_t    beside_i,
  input  logic       beside_valid_i,  // it is of this channel
  // The engine.
  input  read_beat_t beat_i,
  input  logic       valid_i,
  output logic       ready_o,
  // The stream.
  output side_t      side_o,
  output beat_t      beat_o,
  output logic       valid_o,
  input  logic       ready_i
);

  typedef struct packed {
    header_request_t header;
    side_t           side;
  } entry_t;
  localparam int unsigned Sides = OutBytes > InBytes ? OutBytes / InBytes : 1;

  logic rst_n, ready, wide_valid, wide_ready, show_valid;
  assign rst_n   = rst_ni && !cut_i;
  assign ready_o = ready || cut_i;

  logic unused_beside_bits;
  assign unused_beside_bits = ^beside_i;

  // ---- Transfers, by number ---------------------------------------------------------------------

  typedef struct packed {
    logic   ends;   // what comes behind it begins a beat
    entry_t entry;
  } part_t;
  entry_t entry;
  part_t [Parts-1:0] part;
  // The last of its parts that is kept ends.
  always_comb begin
    for (int unsigned i = 0; i < Parts; i++) begin
      part[i].entry = entry;
      part[i].ends  = beat_i.ends && (beat_i.keep >> ((i + 1) * InBytes / Parts)) == '0;
    end
  end
  if (Side) begin : gen_side
    localparam int unsigned Bits = $bits(entry_t);
    (* ram_style = "distributed" *) logic [Bits-1:0] entry_mem[2**FlightLog];
    entry_t last_q;
    always_ff @(posedge clk_i) begin
      if (beside_valid_i)
        entry_mem[beside_i.number[FlightLog-1:0]] <= {
          Headers ? beside_i.header : '0, beside_i.side
        };
    end
    assign entry = beat_i.keep == '0 ? last_q : entry_t'(entry_mem[beat_i.owner]);
    always_ff @(posedge clk_i) if (valid_i && ready_o) last_q <= entry;
  end else begin : gen_no_side
    logic unused_side;
    assign unused_side = ^{beat_i.owner, beside_i, beside_valid_i};
    assign entry       = '0;
  end

  // ---- Width ------------------------------------------------------------------------------------

  beat_t wide, show;
  part_t [Sides-1:0] beside;
  side_t show_side;
  logic unused_held, unused_sparse, unused_beside;
  assign unused_beside = ^beside;
  tsr_stream_width #(
    .InBytes (InBytes),
    .OutBytes(OutBytes),
    .side_t  (part_t)
  ) u_width (
    .clk_i,
    .rst_ni  (rst_n),
    .flush_i (1'b0),
    .held_o  (unused_held),
    .tdata_i (beat_i.data),
    .tkeep_i (beat_i.keep),
    .tlast_i (beat_i.last),
    .tends_i (beat_i.ends),
    .side_i  (part),
    .tvalid_i(valid_i),
    .tready_o(ready),
    .tdata_o (wide.data),
    .tkeep_o (wide.keep),
    .tlast_o (wide.last),
    .side_o  (beside),
    .sparse_o(unused_sparse),
    .tvalid_o(wide_valid),
    .tready_i(wide_ready)
  );

  // ---- Headers ----------------------------------------------------------------------------------

  if (Headers) begin : gen_headers
    typedef struct packed {
      side_t side;
      beat_t beat;
    } item_t;
    part_t now;
    header_request_t first;  // of the packet
    assign first = beside[0].entry.header;
    item_t put, out_q;
    side_t   side_q;
    header_t header;
    logic put_valid, put_ready, tail;
    assign now = beside[Sides-1];
    assign header = '{
            column: Column,
            row: Row,
            kind: first.kind,
            bd: first.bd,
            id: first.id,
            default: '0
        };
    tsr_header_put #(
      .Bytes(OutBytes)
    ) u_put (
      .clk_i,
      .rst_ni  (rst_n),
      .enable_i(first.enable),
      .header_i(header),
      .tdata_i (wide.data),
      .tkeep_i (wide.keep),
      .tlast_i (wide.last),
      .tends_i (now.ends),
      .tvalid_i(wide_valid),
      .tready_o(wide_ready),
      .tdata_o (put.beat.data),
      .tkeep_o (put.beat.keep),
      .tlast_o (put.beat.last),
      .tail_o  (tail),
      .tvalid_o(put_valid),
      .tready_i(put_ready)
    );

    // Bytes that a header displaced come after their beat was taken.
    always_ff @(posedge clk_i) if (wide_valid && wide_ready) side_q <= now.entry.side;
    assign put.side  = tail ? side_q : now.entry.side;
    assign put_ready = !show_valid || ready_i;
    always_ff @(posedge clk_i) begin
      show_valid <= rst_n && (put_valid || !put_ready);
      if (put_ready) out_q <= put;
    end
    assign show      = out_q.beat;
    assign show_side = out_q.side;
    `TSR_ASSERT_NEXT(OutStays, show_valid && !ready_i && !cut_i, show_valid && $stable(out_q))
  end else begin : gen_no_headers
    assign show      = wide;
    assign show_side = beside[Sides-1].entry.side;
    // A beat that only ends what a wider one keeps, and found nothing there.
    logic nothing;
    assign nothing    = Sides > 1 && !wide.keep[0] && !wide.last;
    assign show_valid = wide_valid && !nothing;
    assign wide_ready = ready_i || nothing;
  end
  assign beat_o  = show;
  assign side_o  = show_side;
  assign valid_o = show_valid && !cut_i;

  // ---- Watch ------------------------------------------------------------------------------------

  if (Guard) begin : gen_guard
    tsr_stream_guard #(
      .Incoming(1'b0),
      .Bits    (1),
      .Silence (Silence)
    ) u_guard (
      .clk_i,
      .rst_ni,
      .clear_i,
      .tick_i,
      .busy_i  (1'b1),
      .excuse_i(1'b0),
      .beat_i  (1'b0),
      .valid_i (valid_o),
      .ready_i,
      .fault_o
    );
  end else begin : gen_trusted
    logic unused_watch;
    assign unused_watch = ^{clear_i, tick_i};
    assign fault_o      = FaultNone;
  end

  `TSR_STATIC_ASSERT(Headers, !Headers || (Side && OutBytes >= 4),
                     ("Headers = %0d; legal is 0 without Side and below 4 bytes", Headers))
  `TSR_ASSERT(NothingOfAnother, !cut_i || !valid_o)

endmodule
