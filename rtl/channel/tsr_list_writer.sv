// Writes the completion entries of all lists to their rings in memory, posted.
//
// Entries of all channels wait in one queue, which they enter round robin. What leaves it is numbered,
// checked against the windows of its channel and written with one burst. An entry that may not be written
// and those that follow the first error of their channel are dropped: nothing waits for them.
//
// Contract: `done_i` valid/ready for each channel. `setup_i` belongs to `channel_o`. `clear_i` drops the
// entries of a channel that are not on the bus, forgets its error and begins its ring again, `restart_i`
// only that; a clear holds until `busy_o` is low. `failed_*_o` name the descriptor and the entry of
// `error_o`. `told_o` comes with the answer of the memory. `rests_o`: nothing is on the bus; while
// `quiesce_i` it stays so, and entries that may be written wait.
// Latency: 5 cycles from `done_i` to AWVALID. Throughput: an entry in two cycles.
`include "tsr_assert.svh"
module tsr_list_writer
  import tsr_fabric_pkg::*;
  import tsr_list_pkg::*;
#(
  parameter  int unsigned Channels     = 2,
  parameter  int unsigned AddrWidth    = 64,
  parameter  int unsigned ListWidth    = 64,
  parameter  int unsigned Depth        = 16,                                  // a power of two
  parameter  bit          WindowCheck  = 1'b1,
  parameter  int unsigned Windows      = 2,
  localparam int unsigned ChannelWidth = $clog2(Channels < 2 ? 2 : Channels)
) (
  input logic clk_i,
  input logic rst_ni,
  input logic quiesce_i,
  output logic rests_o,
  input axi_attr_t [Channels-1:0] attr_i,
  input window_t [Channels-1:0][Windows-1:0] window_i,
  input logic [Channels-1:0] clear_i,
  input logic [Channels-1:0] restart_i,
  output logic [Channels-1:0] busy_o,
  output list_write_error_e [Channels-1:0] error_o,
  output list_index_t [Channels-1:0] failed_index_o,
  output logic [Channels-1:0][63:0] failed_addr_o,
  output logic [ChannelWidth-1:0] channel_o,
  input list_write_setup_t setup_i,
  // Transfers that have their record.
  input list_done_t [Channels-1:0] done_i,
  input logic [Channels-1:0] done_valid_i,
  output logic [Channels-1:0] done_ready_o,
  output list_told_t [Channels-1:0] told_o,
  // The bus.
  output logic [AddrWidth-1:0] awaddr_o,
  output logic [7:0] awlen_o,
  output axi_attr_t awattr_o,
  output logic awvalid_o,
  input logic awready_i,
  output logic [ListWidth-1:0] wdata_o,
  output logic [ListWidth/8-1:0] wstrb_o,
  output logic wlast_o,
  output logic wvalid_o,
  input logic wready_i,
  input logic [1:0] bresp_i,
  input logic fault_i,  // of a port that has failed
  input logic bvalid_i,
  output logic bready_o
);

  localparam int unsigned Lanes = ListWidth / ListEntryBits;  // entries side by side on the bus
  localparam int unsigned PlaceWidth = AddrWidth - 4;
  localparam int unsigned CountWidth = $clog2(4 * Depth);
  typedef logic [Channels-1:0] set_t;
  typedef logic [ChannelWidth-1:0] channel_t;
  typedef logic [PlaceWidth-1:0] place_t;

  // ---- The queue --------------------------------------------------------------------------------

  typedef struct packed {
    channel_t   channel;
    list_done_t done;
  } waiting_t;

  set_t next, last_q, asks, clearing_q;
  waiting_t put, waiting;
  logic queue_ready, waiting_valid, step, dead;

  assign asks = done_valid_i & ~clearing_q;
  tsr_round_robin #(
    .Channels(Channels)
  ) u_round_robin (
    .request_i(asks),
    .last_i   (last_q),
    .next_o   (next)
  );
  always_comb begin
    put = '0;
    for (int unsigned c = 0; c < Channels; c++) begin
      if (next[c]) put = put | waiting_t'{channel: channel_t'(c), done: done_i[c]};
    end
  end
  assign done_ready_o = next & {Channels{queue_ready}};
  always_ff @(posedge clk_i) begin
    if (!rst_ni) last_q <= set_t'(1);
    else if (asks != '0 && queue_ready) last_q <= next;
  end

  tsr_fifo #(
    .Depth(Depth),
    .T    (waiting_t)
  ) u_queue (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .data_i (put),
    .valid_i(asks != '0),
    .ready_o(queue_ready),
    .data_o (waiting),
    .valid_o(waiting_valid),
    .ready_i(step)
  );

  // ---- Numbering --------------------------------------------------------------------------------

  // Place in the ring and phase, and entries since the last interrupt; of a channel with `zero_q` 0.
  (* ram_style = "distributed" *)
  logic [ListIndexBits:0] place_mem_q[Channels];
  (* ram_style = "distributed" *)
  logic [7:0] since_mem_q[Channels];

  typedef struct packed {
    channel_t    channel;
    list_entry_t entry;
    place_t      place;       // address / 16
    logic        flawed;
    logic        interrupts;
  } numbered_t;

  set_t zero_q, numbers;
  numbered_t numbered_d, numbered_q;
  list_index_t index;
  logic [7:0] since;
  logic round, turns, enough, hits, numbered_valid_q, keeps, flows;

  assign channel_o = waiting.channel;
  assign {round, index} = zero_q[waiting.channel] ? '0 : place_mem_q[waiting.channel];
  assign since = (zero_q[waiting.channel] ? '0 : since_mem_q[waiting.channel]) + 1'b1;
  assign turns = index == setup_i.count - 1'b1;
  assign enough = since >= setup_i.per;  // always without a number
  assign hits = setup_i.per != '0 && enough;
  assign dead = clearing_q[waiting.channel] || error_o[waiting.channel] != WriteOk;
  assign keeps = waiting_valid && setup_i.enable && !dead;
  assign step = flows || !numbered_valid_q;
  assign numbers = set_t'(keeps && step) << waiting.channel;

  // An entry lies in the address space, and so does the ring.
  logic beyond, flawed;
  place_t place;
  assign {beyond, place} = {1'b0, setup_i.base[AddrWidth-1:4]} + (PlaceWidth + 1)'(index);
  assign flawed = beyond || setup_i.base[5:0] != '0 || (setup_i.base >> AddrWidth) != '0 ||
      setup_i.count == '0;
  assign numbered_d = '{
          channel: waiting.channel,
          entry: '{
              phase: !round,
              task_end: waiting.done.task_end,
              last: waiting.done.last,
              status: waiting.done.status,
              index: waiting.done.index,
              bytes: waiting.done.bytes,
              tag: waiting.done.tag,
              default: '0
          },
          place: place,
          flawed: flawed,
          interrupts: hits || waiting.done.interrupts
      };

  // The next entry is numbered two cycles later, so the memories have a cycle of their own.
  list_index_t index_q;
  logic [7:0] since_q;
  logic turns_q, enough_q, new_q;
  always_ff @(posedge clk_i) begin
    if (step) begin
      numbered_q <= numbered_d;
      index_q    <= index;
      since_q    <= since;
      turns_q    <= turns;
      enough_q   <= enough;
    end
    if (new_q) begin
      place_mem_q[numbered_q.channel] <= turns_q ? {numbered_q.entry.phase, ListIndexBits'(0)}
          : {!numbered_q.entry.phase, index_q + 1'b1};
      since_mem_q[numbered_q.channel] <= enough_q ? '0 : since_q;
    end
    new_q <= rst_ni && keeps && step;
    if (!rst_ni) numbered_valid_q <= 1'b0;
    else if (step) numbered_valid_q <= keeps;
  end

  // ---- Windows ----------------------------------------------------------------------------------

  // The windows are compared in the first cycle of what was numbered.
  logic permitted, looked_q, spoilt, writable, goes, answered, answer_valid;

  if (WindowCheck) begin : gen_windows
    logic [Windows-1:0] lies;
    logic [AddrWidth-1:PageBits] page;
    assign page = numbered_q.place[PlaceWidth-1:PageBits-4];
    for (genvar w = 0; w < Windows; w++) begin : gen_window
      window_t window;
      logic unused_window;
      assign window = window_i[numbered_q.channel][w];
      assign lies[w] = window.write && page >= window.first[AddrWidth-PageBits-1:0] &&
          page <= window.last[AddrWidth-PageBits-1:0];
      assign unused_window = ^window;
    end
    always_ff @(posedge clk_i) permitted <= lies != '0;
  end else begin : gen_no_windows
    logic unused_windows;
    assign unused_windows = ^window_i;
    assign permitted = 1'b1;
  end

  typedef struct packed {
    channel_t    channel;
    list_index_t index;
    place_t      place;
    logic        interrupts;
  } sent_t;
  sent_t sent, leaves;

  logic bus_free, sent_ready;
  assign spoilt = clearing_q[numbered_q.channel] || error_o[numbered_q.channel] != WriteOk;
  assign writable = numbered_valid_q && !spoilt && !numbered_q.flawed && permitted;
  assign flows = bus_free && sent_ready && looked_q && !(writable && quiesce_i);
  always_ff @(posedge clk_i) looked_q <= rst_ni && numbered_valid_q && !step;
  assign goes = flows && writable;

  // ---- The bus ----------------------------------------------------------------------------------

  localparam int unsigned LastByte = ListWidth / 8 - 1;  // of a beat

  list_entry_t entry_q;
  place_t place_q;
  logic beat_q;

  assign bus_free = (!awvalid_o || awready_i) && (!wvalid_o || (wready_i && wlast_o));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      awvalid_o <= 1'b0;
      wvalid_o  <= 1'b0;
      beat_q    <= 1'b0;
    end else begin
      awvalid_o <= goes || (awvalid_o && !awready_i);
      wvalid_o  <= goes || (wvalid_o && !(wready_i && wlast_o));
      if (goes) beat_q <= 1'b0;
      else if (wvalid_o && wready_i) beat_q <= 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (bus_free) begin
      place_q  <= numbered_q.place;
      entry_q  <= numbered_q.entry;
      awattr_o <= attr_i[numbered_q.channel];
    end
  end
  // The address of the beat, and strobes for the entry in it.
  assign awaddr_o = {place_q, 4'd0} & ~AddrWidth'(LastByte);

  if (Lanes == 0) begin : gen_beats
    assign awlen_o = 8'd1;
    assign wdata_o = beat_q ? entry_q[127:64] : entry_q[63:0];
    assign wstrb_o = '1;
    assign wlast_o = beat_q;
  end else begin : gen_lanes
    logic unused_beat;
    localparam int unsigned LaneWidth = $clog2(Lanes < 2 ? 2 : Lanes);
    logic [LaneWidth-1:0] lane;
    assign lane    = Lanes < 2 ? '0 : place_q[LaneWidth-1:0];
    assign awlen_o = 8'd0;
    assign wdata_o = {Lanes{entry_q}};
    assign wstrb_o = (ListWidth / 8)'(16'hffff) << (16 * lane);
    assign wlast_o = 1'b1;
    assign unused_beat = beat_q;
  end

  // ---- Answers ----------------------------------------------------------------------------------

  assign leaves = '{
          channel: numbered_q.channel,
          index: numbered_q.entry.index,
          place: numbered_q.place,
          interrupts: numbered_q.interrupts
      };
  tsr_fifo #(
    .Depth(Depth),
    .T    (sent_t)
  ) u_sent (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .data_i (leaves),
    .valid_i(goes),
    .ready_o(sent_ready),
    .data_o (sent),
    .valid_o(answer_valid),
    .ready_i(bvalid_i)
  );
  assign bready_o = 1'b1;
  assign rests_o  = !awvalid_o && !wvalid_o && !answer_valid;
  assign answered = bvalid_i && answer_valid;

  // ---- Channels ---------------------------------------------------------------------------------

  for (genvar c = 0; c < Channels; c++) begin : gen_channel
    logic enters, drops, gone, answers, refused, written;
    logic [CountWidth-1:0] open_q;  // entries in the queue and on the bus
    list_write_error_e error_q;
    list_index_t failed_index_q;
    place_t failed_q;
    assign enters  = done_ready_o[c] && done_valid_i[c];
    assign drops   = waiting_valid && step && !keeps && waiting.channel == channel_t'(c);
    assign gone    = numbered_valid_q && flows && !goes && numbered_q.channel == channel_t'(c);
    assign answers = answered && sent.channel == channel_t'(c);
    assign refused = answers && bresp_i[1];
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        open_q        <= '0;
        clearing_q[c] <= 1'b0;
        zero_q[c]     <= 1'b1;
        error_q       <= WriteOk;
      end else begin
        open_q <= open_q + CountWidth'(enters) - CountWidth'(drops) - CountWidth'(gone) -
            CountWidth'(answers);
        clearing_q[c] <= clear_i[c] || (clearing_q[c] && busy_o[c]);
        zero_q[c] <= clear_i[c] || restart_i[c] || (zero_q[c] && !numbers[c]);
        if (clear_i[c] || clearing_q[c]) error_q <= WriteOk;
        else if (error_q == WriteOk && refused) begin
          error_q <= fault_i ? WriteFault : bresp_i[0] ? WriteDecErr : WriteSlvErr;
        end else if (error_q == WriteOk && gone) begin
          error_q <= numbered_q.flawed ? WriteBase : WriteWindow;
        end
      end
    end
    always_ff @(posedge clk_i) begin
      if (error_q == WriteOk && !clear_i[c]) begin
        failed_index_q <= refused ? sent.index : numbered_q.entry.index;
        failed_q <= refused ? sent.place : numbered_q.place;
      end
    end
    assign error_o[c] = error_q;
    assign failed_index_o[c] = failed_index_q;
    assign failed_addr_o[c] = 64'({failed_q, 4'd0});
    assign busy_o[c] = open_q != '0;
    assign written = answers && !bresp_i[1] && !clearing_q[c];
    assign told_o[c] = '{
            quiet: written && !sent.interrupts,
            interrupts: written && sent.interrupts
        };
    `TSR_ASSERT(AllAreCounted, busy_o[c] || !(drops || gone || answers))
  end

  `TSR_STABLE(AwStable, awvalid_o, awready_i, {awaddr_o, awlen_o, awattr_o})
  `TSR_STABLE(WStable, wvalid_o, wready_i, {wdata_o, wstrb_o, wlast_o})
  `TSR_ASSERT(NumbersHaveTwoCycles, !(new_q && keeps && step))

endmodule
