// Gives bursts and their words to the bus, the address of a burst not after its first word.
//
// With StoreBeats = 0 an address goes out as soon as its burst has been begun. Else words are stored
// and an address goes out when the last word of its burst is there, so that a burst on the bus never
// waits for the stream.
//
// Contract: `begin_valid_i` tells of a burst that is begun; its words follow, none is refused. Who gives
// them takes room first: `claim_i` for each word, when `room_o`, and begins a burst only when `room_o`.
// Towards the bus valid/ready; what is shown stays until taken.
// Latency: begun to AWVALID 1 cycle; word to WVALID 0 cycles (1 with StoreBeats, and the burst).
// Throughput: one burst and one word a cycle.
`include "tsr_assert.svh"
module tsr_write_issue #(
  parameter int unsigned WordAddrWidth = 61,
  parameter int unsigned DataBytes     = 8,
  parameter int unsigned StoreBeats    = 0    // a power of two, at least the longest burst
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  logic                          may_start_i,    // a burst may go out; stays until one does
  output logic                          room_o,
  input  logic                          claim_i,
  input  logic                          begin_valid_i,
  input  logic [WordAddrWidth-1:0]      begin_first_i,
  input  logic [              7:0]      begin_len_i,
  input  logic                          word_valid_i,
  input  logic [    DataBytes-1:0][7:0] word_data_i,
  input  logic [    DataBytes-1:0]      word_strb_i,
  input  logic                          word_first_i,
  input  logic                          word_last_i,
  output logic [WordAddrWidth-1:0]      aw_first_o,
  output logic [              7:0]      aw_len_o,
  output logic                          aw_valid_o,
  input  logic                          aw_ready_i,
  output logic [  DataBytes*8-1:0]      w_data_o,
  output logic [    DataBytes-1:0]      w_strb_o,
  output logic                          w_last_o,
  output logic                          w_valid_o,
  input  logic                          w_ready_i,
  output logic                          idle_o
);

  typedef struct packed {
    logic [WordAddrWidth-1:0] first;
    logic [7:0]               len;
  } burst_t;

  typedef struct packed {
    logic [DataBytes-1:0][7:0] data;
    logic [DataBytes-1:0]      strb;
    logic                      first;
    logic                      last;
  } word_t;

  // Without a store: what is under way, and enough to keep a word a cycle going.
  localparam int unsigned Words = StoreBeats == 0 ? 16 : StoreBeats;
  localparam int unsigned Bursts = StoreBeats == 0 ? 4 : StoreBeats;  // a burst has a word
  localparam int unsigned AheadWidth = $clog2(Words) + 2;

  burst_t begun, burst_in, burst;
  logic burst_in_valid;
  word_t word_in, word;
  logic burst_valid, burst_out, word_valid, may_send, aw_taken, w_taken, w_begun;
  logic begin_ready, word_room, unused_word_ready;
  logic signed [AheadWidth-1:0] ahead_q;  // addresses taken minus bursts whose first word was taken

  assign word_in = '{data: word_data_i, strb: word_strb_i, first: word_first_i, last: word_last_i};

  assign begun   = '{first: begin_first_i, len: begin_len_i};
  if (StoreBeats == 0) begin : gen_late
    // What is begun comes late in its cycle.
    logic   begin_q;
    burst_t begun_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin_q <= 1'b0;
      else begin_q <= begin_valid_i;
    end
    always_ff @(posedge clk_i) begun_q <= begun;
    assign burst_in_valid = begin_q;
    assign burst_in       = begun_q;
  end else begin : gen_at_once
    assign burst_in_valid = begin_valid_i;
    assign burst_in       = begun;
  end

  tsr_fifo #(
    .Depth      (Bursts),
    .T          (burst_t),
    .FallThrough(StoreBeats == 0),
    .ReadyMargin(StoreBeats == 0 ? 3 : 0)
  ) u_aw (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .data_i (burst_in),
    .valid_i(burst_in_valid),
    .ready_o(begin_ready),
    .data_o (burst),
    .valid_o(burst_valid),
    .ready_i(aw_taken)
  );

  tsr_fifo #(
    .Depth      (Words),
    .T          (word_t),
    .FallThrough(StoreBeats == 0)
  ) u_w (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .data_i (word_in),
    .valid_i(word_valid_i),
    .ready_o(unused_word_ready),
    .data_o (word),
    .valid_o(word_valid),
    .ready_i(w_ready_i && may_send)
  );

  tsr_room #(
    .Slots(Words)
  ) u_room (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .claim_i,
    .free_i (w_taken),
    .room_o (word_room)
  );
  assign room_o = begin_ready && word_room;

  if (StoreBeats == 0) begin : gen_through
    assign burst_out = burst_valid;
  end else begin : gen_store
    // Bursts that are in the store to their last word and whose address is not out yet.
    localparam int unsigned WholeWidth = $clog2(Words + 1);
    logic [WholeWidth-1:0] whole_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) whole_q <= '0;
      else begin
        whole_q <= whole_q + WholeWidth'(word_valid_i && word_last_i) - WholeWidth'(aw_taken);
      end
    end
    assign burst_out = burst_valid && whole_q != '0;
  end

  assign aw_first_o = burst.first;
  assign aw_len_o = burst.len;
  assign aw_valid_o = burst_out && may_start_i;
  assign aw_taken = aw_valid_o && aw_ready_i;

  // The first word of a burst waits until its address is out or on its way.
  assign may_send = !word.first || ahead_q > 0 || (ahead_q == 0 && aw_valid_o);
  assign w_valid_o = word_valid && may_send;
  assign w_taken = w_valid_o && w_ready_i;
  assign w_begun = w_taken && word.first;
  assign w_data_o = word.data;
  assign w_strb_o = word.strb;
  assign w_last_o = word.last;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) ahead_q <= '0;
    else ahead_q <= ahead_q + AheadWidth'(aw_taken) - AheadWidth'(w_begun);
  end

  assign idle_o = !burst_valid && !word_valid;

  `TSR_ASSERT(RoomForTheBurst, StoreBeats == 0 || !begin_valid_i || begin_ready)
  `TSR_ASSERT(RoomWasClaimed, !word_valid_i || unused_word_ready)
  `TSR_STABLE(AwStable, aw_valid_o, aw_ready_i, {aw_first_o, aw_len_o})
  `TSR_STABLE(WStable, w_valid_o, w_ready_i, {w_data_o, w_strb_o, w_last_o})

endmodule
