// Turns items of writes into words of the bus: reads the lanes of a buffer, turns them, sets
// strobes.
//
// Contract: items come when all their bytes are in the buffers. `at_o` is where each lane of every
// buffer is read, one cycle later `lanes_i` of the channel goes on. `free_o`: beats below are free.
// A word that is not accepted holds all those behind it. Path from ready_i to item_ready_o.
// Latency: 3 cycles from an item to `at_o`, 2 more to a word, 3 with more than 4 channels.
// Throughput: a word a cycle.
`include "tsr_assert.svh"
`include "tsr_core_types.svh"
module tsr_write_words #(
  parameter  int unsigned Channels = 1,
  parameter  int unsigned BusLog   = 3,
  parameter  int unsigned Words    = 4,
  parameter  int unsigned RoomLog  = 5,
  localparam int unsigned Index    = Channels > 1 ? $clog2(Channels) : 1,
  localparam int unsigned Lanes    = 2 ** BusLog,
  localparam type         item_t   = `TSR_WRITE_ITEM_T(Words, BusLog, RoomLog)
) (
  input  logic                                   clk_i,
  input  logic                                   rst_ni,
  input  item_t                                  item_i,
  input  logic                                   item_valid_i,
  output logic                                   item_ready_o,
  // Buffers
  output logic  [   Lanes-1:0][RoomLog-1:0]      at_o,
  input  logic  [Channels-1:0][  Lanes-1:0][7:0] lanes_i,
  output logic  [   RoomLog:0]                   free_o,
  output logic  [Channels-1:0]                   free_valid_o,
  // Words
  output logic  [   Lanes-1:0][        7:0]      data_o,
  output logic  [   Lanes-1:0]                   strobe_o,
  output logic                                   last_o,
  output logic                                   valid_o,
  input  logic                                   ready_i
);

  typedef struct packed {
    logic              last;
    logic [BusLog-1:0] turn, first, end_;
  } word_t;

  logic go;  // of all words
  assign go = !valid_o || ready_i;

  // ---- Items to words

  item_t i_q;
  logic valid_q, run_q, single_q, last_q, step, last;
  logic [Words-1:0] left_q;
  logic [RoomLog:0] beat_q, beat, beat_next;
  assign last         = run_q ? last_q : single_q;
  assign step         = valid_q && go;
  assign item_ready_o = !valid_q || (go && last);
  assign beat         = run_q ? beat_q : i_q.beat;
  assign beat_next    = beat + 1'b1;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      run_q   <= 1'b0;
    end else begin
      if (item_ready_o) valid_q <= item_valid_i;
      if (step) run_q <= !last;
    end
    if (item_ready_o) begin
      i_q      <= item_i;
      single_q <= item_i.words == '0 || !item_i.data;
    end
    if (step) begin
      left_q <= run_q ? left_q - 1'b1 : i_q.words - 1'b1;
      last_q <= (run_q ? left_q : i_q.words) == Words'(1'b1);
      beat_q <= beat_next;
    end
  end

  // ---- Where lanes are read

  word_t a_q;
  logic a_valid_q;
  logic [Index-1:0] a_channel_q;
  logic [Channels-1:0] free_valid_q;
  assign free_valid_o = free_valid_q & {Channels{go}};
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      a_valid_q    <= 1'b0;
      free_valid_q <= '0;
    end else if (go) begin
      a_valid_q <= step && i_q.data;
      for (int unsigned c = 0; c < Channels; c++) free_valid_q[c] <= step && i_q.channel == 4'(c);
    end
    if (go) begin
      a_channel_q <= i_q.channel[Index-1:0];
      a_q <= '{
          last: last,
          turn: i_q.turn,
          first: run_q ? '0 : i_q.first,
          end_: last ? i_q.last : '1
      };
      free_o <= last ? i_q.free : beat_next;
      for (int unsigned i = 0; i < Lanes; i++)
      at_o[i] <= BusLog'(i) >= i_q.turn ? beat[RoomLog-1:0] : beat_next[RoomLog-1:0];
    end
  end

  // ---- One channel of them

  word_t x_q;
  logic  x_valid_q;
  logic [Lanes-1:0][7:0] x_lanes_q, turned;
  if (Channels <= 4) begin : gen_one
    always_ff @(posedge clk_i) begin
      if (!rst_ni) x_valid_q <= 1'b0;
      else if (go) x_valid_q <= a_valid_q;
      if (go) begin
        x_lanes_q <= lanes_i[a_channel_q];
        x_q       <= a_q;
      end
    end
  end else begin : gen_two
    localparam int unsigned Groups = (Channels + 3) / 4;
    logic [Groups-1:0][Lanes-1:0][7:0] m_lanes_q;
    logic [Index-3:0] m_group_q;
    logic m_valid_q;
    word_t m_q;
    logic [4*Groups-1:0][Lanes-1:0][7:0] all;
    assign all = (32 * Groups * Lanes)'(lanes_i);
    always_ff @(posedge clk_i) begin
      if (!rst_ni) {m_valid_q, x_valid_q} <= '0;
      else if (go) {m_valid_q, x_valid_q} <= {a_valid_q, m_valid_q};
      if (go) begin
        for (int unsigned g = 0; g < Groups; g++) m_lanes_q[g] <= all[4*g+32'(a_channel_q[1:0])];
        m_group_q <= a_channel_q[Index-1:2];
        m_q       <= a_q;
        x_lanes_q <= m_lanes_q[m_group_q];
        x_q       <= m_q;
      end
    end
  end

  // ---- Turned

  tsr_turn_lanes #(
    .LanesLog(BusLog)
  ) u_turn (
    .lanes_i(x_lanes_q),
    .by_i   (BusLog'(0) - x_q.turn),
    .lanes_o(turned)
  );
  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_o <= 1'b0;
    else if (go) valid_o <= x_valid_q;
    if (go) begin
      last_o <= x_q.last;
      data_o <= turned;
      for (int unsigned i = 0; i < Lanes; i++)
      strobe_o[i] <= BusLog'(i) >= x_q.first && BusLog'(i) <= x_q.end_;
    end
  end

  `TSR_ASSERT(AWordHasAByte, !x_valid_q || x_q.first <= x_q.end_)

endmodule
