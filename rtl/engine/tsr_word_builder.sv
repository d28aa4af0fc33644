// Turns stream bytes to their place in a bus word and collects words, with strobes for what came.
//
// Contract: contributions as tsr_unpacker gives them, one a cycle at most; a word is given out in the
// cycle in which its last contribution has been turned, and not kept: there is no ready on either side.
// `part_drop_i` forgets the word so far.
// Latency: 0 cycles, 1 for groups of more than 16 bytes. Throughput: one contribution a cycle.
`include "tsr_assert.svh"
module tsr_word_builder #(
  parameter  int unsigned DataBytes   = 8,
  parameter  int unsigned StreamBytes = 8,
  parameter  int unsigned GroupBytes  = 8,
  localparam int unsigned OffWidth    = $clog2(DataBytes),
  localparam int unsigned GroupLog2   = $clog2(GroupBytes),
  localparam int unsigned TurnWidth   = GroupLog2 == 0 ? 1 : GroupLog2,
  localparam int unsigned PosWidth    = $clog2(StreamBytes) + 2
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  logic                        part_valid_i,
  input  logic [StreamBytes-1:0][7:0] part_data_i,
  input  logic [StreamBytes-1:0][7:0] part_data_before_i,
  input  logic [StreamBytes-1:0]      part_before_i,
  input  logic [   PosWidth-1:0]      part_begin_i,
  input  logic [  TurnWidth-1:0]      part_turn_i,
  input  logic [   OffWidth-1:0]      part_off_i,
  input  logic [     OffWidth:0]      part_end_i,
  input  logic                        part_done_i,
  input  logic                        part_first_i,
  input  logic                        part_last_i,
  input  logic                        part_drop_i,
  output logic [  DataBytes-1:0][7:0] word_data_o,
  output logic [  DataBytes-1:0]      word_strb_o,
  output logic                        word_first_o,
  output logic                        word_last_o,
  output logic                        word_valid_o,
  output logic                        idle_o
);

  localparam bit TwoSteps = GroupBytes > 16;
  localparam int unsigned FineLog2 = TwoSteps ? 3 : 0;

  // ---- The group of bytes, turned ---------------------------------------------------------------

  logic [StreamBytes-1:0][7:0] window;
  logic [GroupBytes-1:0][7:0] group, turned;
  for (genvar i = 0; i < StreamBytes; i++) begin : gen_window
    assign window[i] = part_before_i[i] ? part_data_before_i[i] : part_data_i[i];
  end

  if (StreamBytes > GroupBytes) begin : gen_fold
    // Of the lanes that are equal modulo a group, the one that holds a byte of the data.
    localparam int unsigned Groups = StreamBytes / GroupBytes;
    localparam int unsigned SelWidth = $clog2(Groups);
    logic [Groups-1:0][GroupBytes-1:0][7:0] groups;
    logic [SelWidth-1:0] sel;
    assign groups = window;
    assign sel    = part_begin_i[GroupLog2+:SelWidth];
    for (genvar j = 0; j < GroupBytes; j++) begin : gen_lane
      logic later;
      if (GroupLog2 == 0) begin : gen_byte
        assign later = 1'b0;
      end else begin : gen_group
        assign later = PosWidth'(j) < PosWidth'(part_begin_i[GroupLog2-1:0]);
      end
      logic [SelWidth-1:0] at;
      assign at = sel + SelWidth'(later);
      assign group[j] = groups[at][j];
    end
    logic unused_begin;
    assign unused_begin = ^part_begin_i;
  end else begin : gen_direct
    logic unused_begin;
    assign group        = window;
    assign unused_begin = ^part_begin_i;
  end

  if (GroupBytes > 1) begin : gen_turn
    tsr_rotate #(
      .Bytes      (GroupBytes),
      .AmountWidth(GroupLog2 - FineLog2),
      .Unit       (1 << FineLog2)
    ) u_turn (
      .data_i  (group),
      .amount_i(part_turn_i[TurnWidth-1:FineLog2]),
      .data_o  (turned)
    );
  end else begin : gen_no_turn
    logic unused_turn;
    assign turned      = group;
    assign unused_turn = ^part_turn_i;
  end

  // ---- Its lanes --------------------------------------------------------------------------------

  localparam int unsigned EndWidth = OffWidth + 1;
  logic [DataBytes-1:0] part_lanes;
  always_comb begin
    for (int unsigned i = 0; i < DataBytes; i++) begin
      part_lanes[i] = EndWidth'(i) >= EndWidth'(part_off_i) && EndWidth'(i) < part_end_i;
    end
  end

  logic valid, drop, done, first, last, waiting;
  logic [GroupBytes-1:0][7:0] data;
  logic [DataBytes-1:0] lanes;
  if (TwoSteps) begin : gen_two_steps
    logic valid_q, drop_q, done_q, first_q, last_q;
    logic [GroupBytes-1:0][7:0] turned_q;
    logic [2:0] fine_q;
    logic [DataBytes-1:0] lanes_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) valid_q <= 1'b0;
      else valid_q <= part_valid_i;
    end
    always_ff @(posedge clk_i) begin
      drop_q   <= part_drop_i;
      done_q   <= part_done_i;
      first_q  <= part_first_i;
      last_q   <= part_last_i;
      turned_q <= turned;
      fine_q   <= part_turn_i[2:0];
      lanes_q  <= part_lanes;
    end
    tsr_rotate #(
      .Bytes      (GroupBytes),
      .AmountWidth(3),
      .Unit       (1)
    ) u_fine (
      .data_i  (turned_q),
      .amount_i(fine_q),
      .data_o  (data)
    );
    assign valid   = valid_q;
    assign drop    = drop_q;
    assign done    = done_q;
    assign first   = first_q;
    assign last    = last_q;
    assign lanes   = lanes_q;
    assign waiting = valid_q;
  end else begin : gen_one_step
    assign valid   = part_valid_i;
    assign drop    = part_drop_i;
    assign done    = part_done_i;
    assign first   = part_first_i;
    assign last    = part_last_i;
    assign data    = turned;
    assign lanes   = part_lanes;
    assign waiting = 1'b0;
  end

  // ---- The word ---------------------------------------------------------------------------------

  logic [DataBytes-1:0][7:0] data_q;
  logic [DataBytes-1:0] strb_q;

  for (genvar i = 0; i < DataBytes; i++) begin : gen_lane
    assign word_data_o[i] = lanes[i] ? data[i%GroupBytes] : data_q[i];
    always_ff @(posedge clk_i) begin
      if (valid) data_q[i] <= word_data_o[i];
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || drop || (valid && done)) strb_q <= '0;
    else if (valid) strb_q <= word_strb_o;
  end

  assign word_strb_o  = strb_q | lanes;
  assign word_first_o = first;
  assign word_last_o  = last;
  assign word_valid_o = valid && done;
  assign idle_o       = strb_q == '0 && !waiting;

  `TSR_ASSERT(WithinTheWord, !part_valid_i || 32'(part_end_i) <= DataBytes)
  `TSR_ASSERT(EachByteOnce, !valid || drop || (strb_q & lanes) == '0)

endmodule
