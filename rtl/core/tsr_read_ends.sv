// Ends transfers of reads: status and bytes of a transfer, once its last complete beat has been
// accepted.
//
// Contract: transfers of a channel end in their order, each once; at most Flight of them are
// between start and end. The bytes come with the last piece, marks and errors with the words.
// `end_o` stays until it is accepted.
// Latency: 3 cycles from the last beat, and up to Channels more. Throughput: an end in two cycles.
`include "tsr_assert.svh"
`include "tsr_core_types.svh"
module tsr_read_ends
  import tsr_core_pkg::*;
  import tsr_fabric_pkg::RespDecErr;
  import tsr_fabric_pkg::RespRefused;
  import tsr_fabric_pkg::RespSlvErr;
#(
  parameter int unsigned Channels = 1,
  parameter int unsigned AddrWidth = 64,
  parameter int unsigned BusLog = 3,
  parameter int unsigned MarkLog = 6,  // log2 of the beats that are told apart
  parameter int unsigned FlightLog = 4,  // log2 of the transfers of a channel in flight
  parameter int unsigned PlaceWidth = 64,  // of a word: an address, or fill
  localparam int unsigned Index = Channels > 1 ? $clog2(Channels) : 1,
  localparam type word_t = `TSR_READ_WORD_T(BusLog, PlaceWidth)
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  input  logic  [  Channels-1:0]            abort_i,
  // The last piece of a transfer
  input  logic  [     Index-1:0]            channel_i,
  input  logic                              planned_i,
  input  logic  [BytesWidth-1:0]            bytes_i,
  // Words
  input  word_t                             word_i,
  input  logic                              word_fire_i,
  input  logic  [     MarkLog:0]            mark_i,
  input  logic  [           1:0]            resp_i,
  // Beats that have left the buffers
  input  logic  [  Channels-1:0][MarkLog:0] popped_i,
  output end_t                              end_o,
  output logic                              end_valid_o,
  input  logic                              end_ready_i
);

  typedef logic [FlightLog:0] count_t;
  typedef struct packed {logic last, slverr, decerr, denied;} made_t;
  localparam int unsigned MemIndex = $clog2(Channels * 2 ** FlightLog);

  logic [Channels-1:0][FlightLog:0] planned_q, made_q, passed_q, ended_q;
  logic [Index-1:0] word_channel;
  assign word_channel = word_i.channel[Index-1:0];
  logic unused_word;
  assign unused_word = ^word_i;

  // ---- Errors of the transfer of each channel

  logic bad, known, slverr, decerr, denied;
  logic [Channels-1:0] slverr_q, decerr_q, denied_q;
  assign bad    = word_i.data && resp_i != '0;
  assign known  = slverr_q[word_channel] || decerr_q[word_channel] || denied_q[word_channel];
  assign slverr = slverr_q[word_channel] || (bad && resp_i == RespSlvErr);
  assign decerr = decerr_q[word_channel] || (bad && resp_i == RespDecErr);
  assign denied = denied_q[word_channel] || (bad && resp_i == RespRefused);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      slverr_q <= '0;
      decerr_q <= '0;
      denied_q <= '0;
    end else if (word_fire_i) begin
      slverr_q[word_channel] <= slverr && !word_i.final_;
      decerr_q[word_channel] <= decerr && !word_i.final_;
      denied_q[word_channel] <= denied && !word_i.final_;
    end
  end

  // ---- Transfers whose words are through

  (* ram_style = "distributed" *) logic [BytesWidth-1:0] bytes_mem[Channels*2**FlightLog];
  (* ram_style = "distributed" *) logic [$bits(made_t)-1:0] made_mem[Channels*2**FlightLog];
  (* ram_style = "distributed" *) logic [MarkLog:0] mark_mem[Channels*2**FlightLog];
  (* ram_style = "distributed" *) logic [AddrWidth-1:0] error_mem[Channels*2**FlightLog];
  logic made_valid_q, planned_valid_q, error_valid_q;
  logic [Index-1:0] made_channel_q, planned_channel_q;
  made_t made_in_q;
  logic [MarkLog:0] mark_in_q;
  logic [AddrWidth-1:0] error_in_q;
  logic [BytesWidth-1:0] bytes_q;
  logic [MemIndex-1:0] made_at;
  assign made_at = MemIndex'({made_channel_q, made_q[made_channel_q][FlightLog-1:0]});
  always_ff @(posedge clk_i) begin
    planned_valid_q <= rst_ni && planned_i;
    planned_channel_q <= channel_i;
    bytes_q <= bytes_i;
    made_valid_q <= rst_ni && word_fire_i && word_i.final_;
    made_channel_q <= word_channel;
    made_in_q <= '{
        last: word_i.last && word_i.emit,
        slverr: slverr,
        decerr: decerr,
        denied: denied
    };
    mark_in_q <= mark_i;
    // The first error of a transfer leaves its address.
    error_valid_q <= rst_ni && word_fire_i && bad && !known;
    error_in_q <= word_i.place[AddrWidth-1:0];
    if (planned_valid_q)
      bytes_mem[MemIndex'({
        planned_channel_q, planned_q[planned_channel_q][FlightLog-1:0]
      })] <= bytes_q;
    if (made_valid_q) begin
      made_mem[made_at] <= made_in_q;
      mark_mem[made_at] <= mark_in_q;
    end
    if (error_valid_q) error_mem[made_at] <= error_in_q;
    for (int unsigned i = 0; i < Channels; i++) begin
      if (!rst_ni) begin
        planned_q[i] <= '0;
        made_q[i]    <= '0;
      end else begin
        if (planned_valid_q && planned_channel_q == Index'(i)) planned_q[i] <= planned_q[i] + 1'b1;
        if (made_valid_q && made_channel_q == Index'(i)) made_q[i] <= made_q[i] + 1'b1;
      end
    end
  end

  // ---- A channel after the other: whether its next transfer has left the buffer. It is counted at once, however
  // long its end waits: later the marks would not tell.

  logic [Index-1:0] look_q, next_look, looked_q;
  logic open_q, waits_q, due, take, end_valid_q;
  logic [MarkLog:0] ahead, popped_q, mark_q;
  logic [MemIndex-1:0] held_q;  // the end that is offered
  made_t held;
  count_t passed, ended;
  logic [FlightLog-1:0] passed_at_q, ended_at_q;
  (* ram_style = "distributed" *) logic [0:0] aborted_mem[Channels*2**FlightLog];
  assign next_look = Channels == 1 || look_q == Index'(Channels - 1) ? '0 : look_q + 1'b1;
  assign ahead     = popped_q - mark_q;
  assign due       = open_q && !ahead[MarkLog];
  assign take      = (waits_q || due) && !end_valid_q;
  // Of several channels the next one that is looked at is another one.
  assign passed    = passed_q[look_q] + count_t'(Channels == 1 && due);
  assign ended     = ended_q[look_q] + count_t'(Channels == 1 && take);

  always_ff @(posedge clk_i) begin
    looked_q    <= look_q;
    passed_at_q <= passed[FlightLog-1:0];
    ended_at_q  <= ended[FlightLog-1:0];
    popped_q    <= popped_i[look_q];
    mark_q      <= mark_mem[MemIndex'({look_q, passed[FlightLog-1:0]})];
    if (due) aborted_mem[MemIndex'({looked_q, passed_at_q})] <= abort_i[looked_q];
    if (take) held_q <= MemIndex'({looked_q, ended_at_q});
    if (!rst_ni) begin
      look_q      <= '0;
      open_q      <= 1'b0;
      waits_q     <= 1'b0;
      end_valid_q <= 1'b0;
      passed_q    <= '0;
      ended_q     <= '0;
    end else begin
      look_q  <= next_look;
      open_q  <= made_q[look_q] != passed;
      waits_q <= passed != ended;
      if (due) passed_q[looked_q] <= passed_q[looked_q] + 1'b1;
      if (take) ended_q[looked_q] <= ended_q[looked_q] + 1'b1;
      end_valid_q <= take || (end_valid_q && !end_ready_i);
    end
  end
  assign end_valid_o = end_valid_q;
  assign held = made_t'(made_mem[held_q]);
  always_comb begin
    end_o         = '0;
    end_o.channel = 4'(32'(held_q) >> FlightLog);
    end_o.last    = held.last;
    end_o.slverr  = held.slverr;
    end_o.decerr  = held.decerr;
    end_o.denied  = held.denied;
    end_o.aborted = aborted_mem[held_q][0];
    end_o.bytes   = bytes_mem[held_q];
    end_o.addr    = 64'(error_mem[held_q]);
  end

  // Of any channel: the one that is looked at.
  count_t in_flight;
  assign in_flight = planned_q[look_q] - ended_q[look_q];
  `TSR_ASSERT(NotTooManyInFlight, in_flight <= count_t'(2 ** FlightLog))
  `TSR_STABLE(EndStays, end_valid_o, end_ready_i, end_o)

endmodule
