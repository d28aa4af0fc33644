// Turns words into the lanes of a beat and says where they go: lanes from `level` on into the open
// beat, the others into the next.
//
// Contract: a word is taken when its data are there. Buffers write what `put_o` says in the same
// cycle; their room was reserved, or `room_i` holds words up that may still come. `mark_o`: all
// beats of the transfer that ends are below it. With Side words have the number of their transfer.
// Latency: 1 cycle from R to `put_valid_o`. Throughput: a word a cycle.
`include "tsr_assert.svh"
`include "tsr_core_types.svh"
module tsr_read_lanes
  import tsr_core_pkg::owner_t;
#(
  parameter int unsigned Channels = 1,  // 1 .. 16
  parameter int unsigned BusLog = 3,  // 2 .. 7
  parameter int unsigned RoomLog = 6,  // log2 of the beats of a buffer
  parameter int unsigned MarkLog = RoomLog,  // ... that are told apart
  parameter bit Bounds = 1'b1,  // there is fill
  parameter bit Side = 1'b0,
  parameter int unsigned PlaceWidth = 64,  // an address, or fill
  localparam int unsigned Index = Channels > 1 ? $clog2(Channels) : 1,
  localparam int unsigned Lanes = 2 ** BusLog,
  localparam type word_t = `TSR_READ_WORD_T(BusLog, PlaceWidth),
  localparam type put_t = `TSR_READ_PUT_T(BusLog, RoomLog)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  word_t                  word_i,
  input  logic                   word_valid_i,
  output logic                   word_ready_o,
  // R
  input  logic  [Lanes-1:0][7:0] data_i,
  input  logic                   data_valid_i,
  output logic                   data_ready_o,
  // Lanes
  input  logic                   room_i,
  output put_t                   put_o,
  output logic                   put_valid_o,
  // The end of a transfer
  output logic                   word_fire_o,
  output logic  [MarkLog:0]      mark_o
);

  logic fire;
  assign fire         = word_valid_i && room_i && (!word_i.data || data_valid_i);
  assign word_ready_o = fire;
  assign word_fire_o  = fire;
  assign data_ready_o = word_valid_i && room_i && word_i.data;

  // ---- Where the open beat of each channel is

  logic [MarkLog:0] beat, beat_next;
  owner_t owner, owner_next;
  assign beat_next  = beat + (MarkLog + 1)'(word_i.emit);
  assign owner_next = Side ? owner + owner_t'(word_i.final_) : '0;
  assign mark_o     = beat_next;
  if (Channels == 1) begin : gen_one
    logic [MarkLog:0] beat_q;
    owner_t owner_q;
    assign beat  = beat_q;
    assign owner = owner_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        beat_q  <= '0;
        owner_q <= '0;
      end else if (fire) begin
        beat_q  <= beat_next;
        owner_q <= owner_next;
      end
    end
  end else begin : gen_many
    (* ram_style = "distributed" *) logic [MarkLog+$bits(owner_t):0] mem[Channels];
    logic [Channels-1:0] known_q;
    logic [Index-1:0] channel;
    assign channel = word_i.channel[Index-1:0];
    assign {owner, beat} = known_q[channel] ? mem[channel] : '0;
    always_ff @(posedge clk_i) begin
      if (fire) mem[channel] <= {owner_next, beat_next};
      if (!rst_ni) known_q <= '0;
      else if (fire) known_q[channel] <= 1'b1;
    end
  end

  // ---- Turn

  localparam int unsigned FillLanes = Lanes < 8 ? Lanes : 8;
  logic [Lanes-1:0][7:0] source, turned;
  logic [63:0] fill;
  assign fill = 64'(word_i.place);
  always_comb begin
    for (int unsigned i = 0; i < Lanes; i++)
    source[i] = word_i.data || !Bounds ? data_i[i] : fill[8*(i%FillLanes)+:8];
  end
  tsr_turn_lanes #(
    .LanesLog(BusLog)
  ) u_turn (
    .lanes_i(source),
    .by_i   (word_i.turn),
    .lanes_o(turned)
  );

  always_ff @(posedge clk_i) begin
    put_valid_o <= rst_ni && fire;
    put_o <= '{
        channel: word_i.channel,
        writes: word_i.writes,
        emit: word_i.emit,
        last: word_i.last,
        closes: word_i.closes,
        ends: word_i.ends,
        owner: owner,
        keep: word_i.keep,
        level: word_i.level,
        beat: beat[RoomLog-1:0],
        beat_next: beat[RoomLog-1:0] + 1'b1,
        lanes: turned
    };
  end

  `TSR_ASSERT(DataHaveAWord, !(data_valid_i && data_ready_o) || fire)

endmodule
