// Completion entries that wait, word by word in a memory, and the burst of the one that is sent.
//
// Contract. The oldest entry is `next_o`; `pop_i` takes it off, with `sends_i` to the bus at `addr_i`,
// which `free_o` allows. `gone_o`: address and data of a burst have gone. With `failed_i` nothing is sent
// until none waits.
// Latency: 2 cycles from an entry to `next_valid_o`; AWVALID follows `pop_i` by 1, with WVALID if the
// words have been read. Throughput: an entry in 4 cycles to the queue, in as many as it has beats and 4
// to the bus.
`include "tsr_assert.svh"
`include "tsr_port_types.svh"
module tsr_list_queue
  import tsr_descriptor_pkg::*;
  import tsr_fabric_pkg::axi_attr_t;
  import tsr_program_pkg::list_entry_t;
  import tsr_list_unit_pkg::*;
#(
  parameter  int unsigned AddrWidth = 64,
  parameter  int unsigned ListWidth = 64,                           // 64, 128, 256, 512
  parameter  int unsigned Depth     = 8,                            // a power of two
  localparam type         w_t       = `TSR_PORT_W_T(ListWidth / 8)
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  list_entry_t                   entry_i,
  input  logic          [          1:0] epoch_i,
  input  logic                          entry_valid_i,
  output logic                          entry_ready_o,
  output list_waiting_t                 next_o,
  output logic                          next_valid_o,
  input  logic                          failed_i,       // none is sent any more
  input  logic                          pop_i,
  input  logic                          sends_i,
  input  logic                          phase_i,
  input  logic          [AddrWidth-1:4] addr_i,
  input  axi_attr_t                     attr_i,
  output logic                          free_o,
  output logic                          gone_o,
  output logic          [AddrWidth-1:0] aw_addr_o,
  output axi_attr_t                     aw_attr_o,
  output logic                          aw_valid_o,
  input  logic                          aw_ready_i,
  output w_t                            w_o,
  output logic                          w_valid_o,
  input  logic                          w_ready_i
);

  localparam int unsigned Ptr = $clog2(Depth);
  localparam int unsigned Words = ListWidth == 64 ? 2 : 4;  // of a beat

  (* ram_style = "distributed" *) logic [31:0] word_q[4*Depth];
  (* ram_style = "distributed" *) logic [$bits(list_waiting_t)-1:0] waiting_q[Depth];

  // Places with a lap: the next entry to come, to be taken off, to be read.
  logic [Ptr:0] put_q, next_q, next_d, read_q, last;
  logic shows_q, gone, next_valid_q;

  // ---- Into the memory: a word a cycle, and none of them waits ------------------------------------

  logic enters, writes_q, full;
  logic [1:0] write_word_q;
  logic [Ptr-1:0] write_at_q;
  list_entry_t entry_q;
  entry_row0_t words;
  // The words of the burst that shows are needed. After a fault it may show for ever, and those of
  // all others no longer are.
  assign last = failed_i ? next_q : read_q;
  assign full = put_q == {~last[Ptr], last[Ptr-1:0]};
  assign entry_ready_o = !full && (!writes_q || write_word_q == 2'd3);
  assign enters = entry_valid_i && entry_ready_o;
  always_comb begin
    words = '0;
    words.status = entry_status_t'(entry_q.status);
    words.status.last = entry_q.last;
    words.status.task_end = entry_q.task_end;
    words.bytes_high.index = entry_q.index;
    {words.bytes_high.bytes, words.bytes_low} = entry_q.bytes;
    words.tag = entry_q.tag;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      put_q        <= '0;
      writes_q     <= 1'b0;
      write_word_q <= '0;
    end else begin
      put_q        <= put_q + (Ptr + 1)'(enters);
      writes_q     <= enters || (writes_q && write_word_q != 2'd3);
      write_word_q <= write_word_q + 2'(writes_q);
    end
    if (enters) begin
      entry_q <= entry_i;
      write_at_q <= put_q[Ptr-1:0];
      waiting_q[put_q[Ptr-1:0]] <= {
        entry_i.channel, epoch_i, entry_i.interrupts, entry_i.index[7:0]
      };
    end
    if (writes_q && !(shows_q && write_at_q == read_q[Ptr-1:0]))
      word_q[{write_at_q, write_word_q}] <= words[32*write_word_q+:32];
  end

  // ---- The next one -----------------------------------------------------------------------------

  assign next_o       = list_waiting_t'(waiting_q[next_q[Ptr-1:0]]);
  assign next_valid_o = next_valid_q;
  assign next_d       = next_q + (Ptr + 1)'(pop_i);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      next_q       <= '0;
      next_valid_q <= 1'b0;
    end else begin
      next_q       <= next_d;
      next_valid_q <= next_d != put_q;  // its words are written ahead of those that are read
    end
  end

  // ---- Out of the memory: words of a beat, the first ones before the visit has ended --------------

  logic reads, skips, ready, last_beat, taken, address_q, data_q, beat_q, phase_q;
  logic [2:0] count_q;  // words that were read
  logic [AddrWidth-1:4] aw_addr_q;
  logic [Words-1:0][31:0] beat;
  assign skips = pop_i && !sends_i && !shows_q;
  assign reads = (shows_q || next_valid_q) && !count_q[2] && !(Words == 2 && count_q[1] && !beat_q);
  assign ready = Words == 2 && !beat_q ? count_q[1] : count_q[2];
  assign last_beat = Words == 4 || beat_q;
  assign taken = w_valid_o && w_ready_i;
  assign gone = shows_q && (address_q || aw_ready_i) && (data_q || (taken && last_beat));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) shows_q <= 1'b0;
    else shows_q <= sends_i || (shows_q && !gone);
    if (!rst_ni || gone || skips) begin
      count_q <= '0;
      beat_q  <= 1'b0;
    end else begin
      count_q <= count_q + 3'(reads);
      beat_q  <= beat_q || taken;
    end
    if (!rst_ni) read_q <= '0;
    else if (gone || !(shows_q || sends_i)) read_q <= next_d;
    if (reads) beat[count_q[$clog2(Words)-1:0]] <= word_q[{read_q[Ptr-1:0], count_q[1:0]}];
    if (!shows_q) begin
      aw_addr_q <= addr_i;
      aw_attr_o <= attr_i;
      phase_q   <= phase_i;
      address_q <= 1'b0;
      data_q    <= 1'b0;
    end else begin
      address_q <= address_q || aw_ready_i;
      data_q    <= data_q || (taken && last_beat);
    end
  end
  assign free_o     = !shows_q;
  assign gone_o     = gone;
  assign aw_valid_o = shows_q && !address_q;
  assign w_valid_o  = shows_q && !data_q && ready;

  if (ListWidth == 64) begin : gen_beats
    assign aw_addr_o = {aw_addr_q, 4'd0};
    assign w_o = '{
            data: {beat_q ? phase_q : beat[1][31], beat[1][30:0], beat[0]},
            strobe: '1,
            last: beat_q
        };
  end else begin : gen_lanes
    localparam int unsigned Lanes = ListWidth / 128;
    localparam int unsigned Lane = Lanes > 1 ? $clog2(Lanes) : 1;
    localparam int unsigned LowBits = $clog2(ListWidth / 8);
    logic [Lane-1:0] lane;
    assign lane = Lanes > 1 ? aw_addr_q[4+:Lane] : '0;
    assign aw_addr_o = {aw_addr_q[AddrWidth-1:LowBits], LowBits'(0)};
    assign w_o = '{
            data: {Lanes{phase_q, beat[3][30:0], beat[2:0]}},
            strobe: (ListWidth / 8)'(16'hffff) << (16 * lane),
            last: 1'b1
        };
  end

  logic unused_in;
  assign unused_in = ^{entry_q, beat};

  `TSR_STATIC_ASSERT(Depth, Depth >= 2 && Depth <= 16 && $onehot(Depth),
                     ("Depth = %0d; legal is 2, 4, 8 or 16", Depth))
  `TSR_ASSERT(OneEntryAtATime, !pop_i || (next_valid_q && (!sends_i || !shows_q)))
  `TSR_ASSERT(SendsWhatItPops, !sends_i || pop_i)
  `TSR_ASSERT(ReadsTheNext, shows_q || read_q == next_q)
  `TSR_STABLE(AddressStays, aw_valid_o, aw_ready_i, {aw_addr_o, aw_attr_o})
  `TSR_STABLE(DataStay, w_valid_o, w_ready_i, w_o)

endmodule
