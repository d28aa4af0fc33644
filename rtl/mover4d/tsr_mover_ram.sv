// A RAM of beats that software fills and a channel sends.
//
// Contract: while `host_i.running` is low, `host_o` shows a word of 32 bits at a place that
// `host_i.seek` sets; a write, by bytes, or a read goes on to the next place, and behind the last to
// 0. They come only while `host_o.ready`, and `host_o.there`. While it is high, `read_i` takes beat
// `place_i`, which `data_o` shows from the next cycle to the next read. What was never written is
// unknown.
// Latency: 1 cycle. Throughput: a beat a cycle; of software an access in two cycles.
`include "tsr_assert.svh"
module tsr_mover_ram
  import tsr_mover_pkg::*;
#(
  parameter  int unsigned Bytes     = 8,                             // of a beat
  parameter  int unsigned Words     = 1024,                          // beats
  localparam int unsigned PlaceBits = $clog2(Words < 2 ? 2 : Words)
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  input  mover_ram_req_t                 host_i,
  output mover_ram_rsp_t                 host_o,
  input  logic                           read_i,
  input  logic           [PlaceBits-1:0] place_i,
  output logic           [  8*Bytes-1:0] data_o
);

  localparam int unsigned Parts = Bytes < 4 ? 1 : Bytes / 4;  // words of software in a beat
  localparam int unsigned PartBits = $clog2(Parts);

  `TSR_STATIC_ASSERT(RamWords, Words >= 1 && Words <= 65536,
                     ("RamWords = %0d; legal is 0 to 65536", Words))
  `TSR_STATIC_ASSERT(StreamWidth, Bytes >= 4 && Bytes <= 128 && $onehot(Bytes),
                     ("StreamWidth = %0d; legal is 32 to 1024 with a RAM", 8 * Bytes))

  logic [RamPlaceBits-1:0] next_q;
  logic [PlaceBits-1:0] beat;
  logic [8*Bytes-1:0] data_q;
  logic [Parts-1:0] part;
  logic moves, shown_q;

  assign beat  = PlaceBits'(next_q >> PartBits);
  assign moves = host_i.write || host_i.read;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      next_q  <= '0;
      shown_q <= 1'b0;
    end else begin
      shown_q <= !host_i.running && !moves && !host_i.seek;
      if (moves) begin
        next_q <= next_q == RamPlaceBits'(Words * Parts - 1) ? '0 : next_q + 1'b1;
      end
      for (int unsigned b = 0; b < RamPlaceBits / 8; b++) begin
        if (host_i.seek && host_i.strobe[b]) next_q[8*b+:8] <= host_i.data[8*b+:8];
      end
    end
  end

  always_comb begin
    for (int unsigned n = 0; n < Parts; n++) begin
      part[n] = (next_q & RamPlaceBits'(Parts - 1)) == RamPlaceBits'(n);
    end
  end

  // A memory for each word of a beat, written by bytes.
  logic [PlaceBits-1:0] place;
  logic show;
  assign place = host_i.running ? place_i : beat;
  assign show  = !host_i.running || read_i;
  for (genvar n = 0; n < Parts; n++) begin : gen_part
    logic [31:0] mem_q[Words];
    always_ff @(posedge clk_i) begin
      for (int unsigned b = 0; b < 4; b++) begin
        if (host_i.write && host_i.strobe[b] && part[n]) begin
          mem_q[beat][8*b+:8] <= host_i.data[8*b+:8];
        end
      end
      if (show) data_q[32*n+:32] <= mem_q[place];
    end
  end

  assign data_o = data_q;
  always_comb begin
    host_o = '{
        ready: shown_q,
        there: next_q < RamPlaceBits'(Words * Parts),
        place: next_q,
        data: '0
    };
    for (int unsigned n = 0; n < Parts; n++) begin
      if (part[n]) host_o.data = host_o.data | data_q[32*n+:32];
    end
  end

  `TSR_ASSERT(SoftwareRests, !host_i.running || !(moves || host_i.seek))
  `TSR_ASSERT(SoftwareWaits, !moves || (shown_q && host_o.there))
  `TSR_ASSERT_NEXT(ShowsThePlace, host_i.running || moves || host_i.seek, !shown_q)
  `TSR_ASSERT(ChannelRests, host_i.running || !read_i)
  `TSR_ASSERT(ReadsWhatIsThere, !read_i || 32'(place_i) < Words)

endmodule
