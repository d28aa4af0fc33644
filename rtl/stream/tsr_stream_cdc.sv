// Takes a stream into another clock's domain; a wire with `Async` = 0.
//
// Contract: beats, null ones too, come out as they went in, in order. Either side may be reset by
// itself: what is inside is lost, and with `Packets` the damage stays with the packets it hit. A packet
// of which a part has come out is ended by one null beat with TLAST (`cut_o` pulses with it); of one of
// which a part is lost the rest, up to its TLAST, is taken and dropped. So neither side ever sees a
// half packet grow together with another. Set `Packets` = 0 for streams without TLAST. TVALID never
// falls before TREADY because the other side was reset. Side information (TDEST, TID, TUSER as one
// vector) goes with its beat; the beat that ends a packet early repeats that of the beat before.
// Latency and throughput: as tsr_fifo_async.
// Constraints: constraints/tsr_fifo_async.tcl.
`include "tsr_assert.svh"
module tsr_stream_cdc #(
  parameter  int unsigned Bytes     = 8,                              // 1, 2, 4 .. 128
  parameter  int unsigned Depth     = 8,                              // a power of two, 4..64
  parameter  int unsigned Stages    = 2,                              // synchroniser flops, 2..4
  parameter  bit          Async     = 1'b1,                           // 0: one clock, no hardware
  parameter  bit          Packets   = 1'b1,
  parameter  int unsigned SideWidth = 0,                              // bits of side information
  localparam int unsigned SideBits  = SideWidth == 0 ? 1 : SideWidth
) (
  input  logic                     s_clk_i,
  input  logic                     s_rst_ni,
  input  logic [   Bytes-1:0][7:0] tdata_i,
  input  logic [   Bytes-1:0]      tkeep_i,
  input  logic                     tlast_i,
  input  logic [SideBits-1:0]      tside_i,   // unused without side information
  input  logic                     tvalid_i,
  output logic                     tready_o,
  input  logic                     m_clk_i,
  input  logic                     m_rst_ni,
  output logic [   Bytes-1:0][7:0] tdata_o,
  output logic [   Bytes-1:0]      tkeep_o,
  output logic                     tlast_o,
  output logic [SideBits-1:0]      tside_o,
  output logic                     tvalid_o,
  input  logic                     tready_i,
  output logic                     cut_o      // the packet that ends here is not whole
);

  `TSR_STATIC_ASSERT(Bytes, Bytes == 1 << $clog2(Bytes) && Bytes <= 128,
                     ("Bytes = %0d; legal is a power of two up to 128", Bytes))

  if (Async) begin : gen_async
    typedef struct packed {
      logic [Bytes-1:0][7:0] data;
      logic [Bytes-1:0]      keep;
      logic                  last;
      logic                  first;
    } beat_t;
    localparam int unsigned BeatWidth = $bits(beat_t);
    typedef logic [BeatWidth+SideWidth-1:0] word_t;

    beat_t beat;
    word_t in_word, out_word;
    logic [SideBits-1:0] side;
    logic first, in_valid, in_ready, in_run, out_valid, out_ready, out_run;

    tsr_fifo_async #(
      .Depth (Depth),
      .T     (word_t),
      .Stages(Stages)
    ) u_fifo (
      .wr_clk_i  (s_clk_i),
      .wr_rst_ni (s_rst_ni),
      .wr_data_i (in_word),
      .wr_valid_i(in_valid),
      .wr_ready_o(in_ready),
      .wr_run_o  (in_run),
      .rd_clk_i  (m_clk_i),
      .rd_rst_ni (m_rst_ni),
      .rd_data_o (out_word),
      .rd_valid_o(out_valid),
      .rd_ready_i(out_ready),
      .rd_run_o  (out_run)
    );

    assign beat = out_word[BeatWidth-1:0];
    if (SideWidth != 0) begin : gen_side
      assign in_word = {tside_i, tdata_i, tkeep_i, tlast_i, first};
      assign side    = out_word[BeatWidth+:SideWidth];
    end else begin : gen_no_side
      logic unused_side;
      assign unused_side = ^tside_i;
      assign in_word     = {tdata_i, tkeep_i, tlast_i, first};
      assign side        = '0;
    end

    if (Packets) begin : gen_packets
      // Source side: after a restart in the middle of a packet its rest is dropped.
      logic in_open_q, drop_q;
      assign first    = !in_open_q;
      assign in_valid = tvalid_i && !drop_q;
      assign tready_o = in_ready || drop_q;
      always_ff @(posedge s_clk_i) begin
        if (!s_rst_ni) begin
          in_open_q <= 1'b0;
          drop_q    <= 1'b0;
        end else begin
          if (tvalid_i && tready_o) in_open_q <= !tlast_i;
          if (!drop_q) drop_q <= !in_run && in_open_q;
          else if (tvalid_i && tlast_i) drop_q <= 1'b0;
        end
      end

      // Sink side: a packet that is open when another begins, or when after a restart all that had come
      // has been taken, is not whole.
      logic open_q, restarted_q, close;
      assign close     = open_q && (out_valid ? beat.first : restarted_q);
      assign out_ready = tready_i && !close;
      assign tdata_o   = beat.data;
      assign tkeep_o   = close ? '0 : beat.keep;
      assign tlast_o   = close || beat.last;
      assign tvalid_o  = close || out_valid;
      assign cut_o     = close && tready_i;
      if (SideWidth != 0) begin : gen_held
        logic [SideWidth-1:0] held_q;  // of the open packet
        always_ff @(posedge m_clk_i) begin
          if (out_valid && out_ready) held_q <= side;
        end
        assign tside_o = close ? held_q : side;
      end else begin : gen_none
        assign tside_o = side;
      end
      always_ff @(posedge m_clk_i) begin
        if (!m_rst_ni) begin
          open_q      <= 1'b0;
          restarted_q <= 1'b0;
        end else begin
          if (tvalid_o && tready_i) open_q <= !tlast_o;
          if (!out_run) restarted_q <= 1'b1;
          else if (tready_i && (close || (out_valid && beat.first))) restarted_q <= 1'b0;
        end
      end
    end else begin : gen_bytes
      logic unused_run;
      assign unused_run                            = ^{in_run, out_run, beat.first};
      assign first                                 = 1'b0;
      assign in_valid                              = tvalid_i;
      assign tready_o                              = in_ready;
      assign {tdata_o, tkeep_o, tlast_o, tvalid_o} = {beat.data, beat.keep, beat.last, out_valid};
      assign out_ready                             = tready_i;
      assign tside_o                               = side;
      assign cut_o                                 = 1'b0;
    end
  end else begin : gen_wire
    logic unused_clocks;
    assign unused_clocks = ^{s_clk_i, s_rst_ni, m_clk_i, m_rst_ni};
    assign tdata_o       = tdata_i;
    assign tkeep_o       = tkeep_i;
    assign tlast_o       = tlast_i;
    assign tside_o       = tside_i;
    assign tvalid_o      = tvalid_i;
    assign tready_o      = tready_i;
    assign cut_o         = 1'b0;
  end

endmodule
