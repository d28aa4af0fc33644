// Collects contributions to a bus word, with strobes exactly for the bytes that came.
//
// Contract: a contribution is taken in the cycle in which part_valid_i is high; that may only be when
// part_ready_o is. A word is shown when its last contribution has come and stays until taken.
// Latency: last contribution to word 1 cycle, 2 for groups of more than 16 bytes. Throughput: one
// contribution and one word a cycle.
`include "tsr_assert.svh"
module tsr_word_builder #(
  parameter  int unsigned DataBytes  = 8,
  parameter  int unsigned GroupBytes = 8,
  localparam int unsigned OffWidth   = $clog2(DataBytes),
  localparam int unsigned GroupLog2  = $clog2(GroupBytes),
  localparam int unsigned SizeWidth  = GroupLog2 + 1,
  localparam int unsigned TurnWidth  = GroupLog2 == 0 ? 1 : GroupLog2
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic                       part_valid_i,
  output logic                       part_ready_o,
  input  logic [GroupBytes-1:0][7:0] part_data_i,
  input  logic [ TurnWidth-1:0]      part_turn_i,
  input  logic [  OffWidth-1:0]      part_off_i,
  input  logic [ SizeWidth-1:0]      part_size_i,
  input  logic                       part_done_i,
  input  logic                       part_first_i,
  input  logic                       part_last_i,
  input  logic                       part_drop_i,   // the word so far is not wanted
  output logic [ DataBytes-1:0][7:0] word_data_o,
  output logic [ DataBytes-1:0]      word_strb_o,
  output logic                       word_first_o,
  output logic                       word_last_o,
  output logic                       word_valid_o,
  input  logic                       word_ready_i,
  output logic                       idle_o
);

  localparam bit TwoSteps = GroupBytes > 16;
  localparam int unsigned FineLog2 = TwoSteps ? 3 : 0;

  typedef struct packed {
    logic [GroupBytes-1:0][7:0] data;
    logic [2:0]                 turn;
    logic [DataBytes-1:0]       lanes;
    logic                       done;
    logic                       first;
    logic                       last;
  } part_t;

  part_t part, aligned;
  logic part_valid, fill_ready;
  logic [GroupBytes-1:0][7:0] turned;

  if (GroupBytes > 1) begin : gen_turn
    tsr_rotate #(
      .Bytes      (GroupBytes),
      .AmountWidth(GroupLog2 - FineLog2),
      .Unit       (1 << FineLog2)
    ) u_turn (
      .data_i  (part_data_i),
      .amount_i(part_turn_i[TurnWidth-1:FineLog2]),
      .data_o  (turned)
    );
  end else begin : gen_no_turn
    logic unused_turn;
    assign turned      = part_data_i;
    assign unused_turn = ^part_turn_i;
  end

  localparam int unsigned EndWidth = OffWidth + 1;
  logic [EndWidth-1:0] part_end;
  assign part_end = EndWidth'(part_off_i) + EndWidth'(part_size_i);

  always_comb begin
    part.data  = turned;
    part.turn  = TwoSteps ? 3'(part_turn_i) : '0;
    part.done  = part_done_i;
    part.first = part_first_i;
    part.last  = part_last_i;
    for (int unsigned i = 0; i < DataBytes; i++) begin
      part.lanes[i] = EndWidth'(i) >= EndWidth'(part_off_i) && EndWidth'(i) < part_end;
    end
  end

  logic [GroupBytes-1:0][7:0] fine;
  if (TwoSteps) begin : gen_two_steps
    part_t part_q;
    logic  part_valid_q;
    assign part_ready_o = !part_valid_q || fill_ready;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || part_drop_i) part_valid_q <= 1'b0;
      else if (part_ready_o) part_valid_q <= part_valid_i;
    end
    always_ff @(posedge clk_i) begin
      if (part_ready_o) part_q <= part;
    end
    assign aligned    = part_q;
    assign part_valid = part_valid_q;
    tsr_rotate #(
      .Bytes      (GroupBytes),
      .AmountWidth(3),
      .Unit       (1)
    ) u_fine (
      .data_i  (aligned.data),
      .amount_i(aligned.turn),
      .data_o  (fine)
    );
  end else begin : gen_one_step
    logic unused_turn;
    assign part_ready_o = fill_ready;
    assign aligned      = part;
    assign part_valid   = part_valid_i;
    assign fine         = aligned.data;
    assign unused_turn  = ^aligned.turn;
  end

  // ---- The word ---------------------------------------------------------------------------------

  logic [DataBytes-1:0][7:0] data_q;
  logic [DataBytes-1:0] strb_q;
  logic full_q, fresh_q, first_q, last_q, fill;

  assign fill_ready = !full_q || word_ready_i;
  assign fill       = part_valid && fill_ready;

  for (genvar i = 0; i < DataBytes; i++) begin : gen_lane
    always_ff @(posedge clk_i) begin
      if (fill && aligned.lanes[i]) data_q[i] <= fine[i%GroupBytes];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      full_q  <= 1'b0;
      fresh_q <= 1'b1;
    end else begin
      if (fill_ready) full_q <= fill && aligned.done;
      if (part_drop_i) fresh_q <= 1'b1;
      else if (fill) fresh_q <= aligned.done;
    end
  end
  always_ff @(posedge clk_i) begin
    if (fill) begin
      strb_q  <= (fresh_q ? '0 : strb_q) | aligned.lanes;
      first_q <= aligned.first;
      last_q  <= aligned.last;
    end
  end

  assign word_data_o  = data_q;
  assign word_strb_o  = strb_q;
  assign word_first_o = first_q;
  assign word_last_o  = last_q;
  assign word_valid_o = full_q;
  assign idle_o       = !full_q && fresh_q && !(TwoSteps && part_valid);

  `TSR_ASSERT(TakenWhenReady, !part_valid_i || part_ready_o)
  `TSR_STABLE(WordStable, word_valid_o, word_ready_i, {word_data_o, word_strb_o, word_last_o})

endmodule
