// Whose turn it is at the words of channels: events of the sequencer, accesses of software, looks at each channel.
//
// Contract. A turn a cycle, for `channel_o`: an event goes first, then an access, which stays until `ready_o`, then a look at the
// next channel. `poll_o` is that channel, from which its view is asked: it is looked at two cycles after a cycle with
// `poll_grant_i`. A look that gives way is repeated, and goes before the next access, so that software that reads all the time
// holds nothing up. `look_at_o` is the channel of the look of the next cycle, if there is one.
// Latency: 1 cycle from an event or an access. A channel is looked at once in 8 to 32 cycles, in up to 64 while software
// reads all the time.
`include "tsr_assert.svh"
module tsr_channel_turn
  import tsr_program_pkg::sweep_t;
#(
  parameter  int unsigned Channels = 2,                                   // 1..32
  localparam int unsigned Index    = Channels > 1 ? $clog2(Channels) : 1
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  sweep_t             sweep_i,           // no turns
  input  logic   [Index-1:0] event_channel_i,
  input  logic               event_valid_i,
  input  logic   [Index-1:0] access_channel_i,
  input  logic               access_valid_i,
  output logic               ready_o,
  output logic   [Index-1:0] poll_o,
  input  logic               poll_grant_i,
  output logic   [Index-1:0] look_at_o,
  output logic   [Index-1:0] channel_o,
  output logic               event_o,
  output logic               access_o,
  output logic               poll_turn_o
);

  // 8 cycles between looks at least.
  localparam int unsigned PollBits = Index < 3 ? Index + 2 : Index;
  logic [PollBits-1:0] poll_q, asked_q, look_q;
  logic asked_valid_q, look_valid_q, polls, accesses, repeats;
  logic yielded_q;  // a look gave way: the next one goes before an access
  assign poll_o = 32'(poll_q[Index-1:0]) < Channels ? poll_q[Index-1:0] : '0;
  assign look_at_o = look_q[Index-1:0];
  assign polls = look_valid_q && 32'(look_q) < Channels;
  assign accesses =
      !event_valid_i && access_valid_i && !access_o && !ready_o && !(polls && yielded_q);
  // The view of a channel comes two cycles after its number.
  assign repeats = polls && (event_valid_i || accesses);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      poll_q        <= '0;
      asked_valid_q <= 1'b0;
      look_valid_q  <= 1'b0;
      yielded_q     <= 1'b0;
    end else begin
      asked_valid_q <= poll_grant_i && !repeats;
      look_valid_q  <= asked_valid_q && !repeats;
      yielded_q     <= repeats || (yielded_q && !polls);
      if (repeats) poll_q <= look_q;
      else if (poll_grant_i) poll_q <= poll_q + 1'b1;
    end
    asked_q     <= poll_q;
    look_q      <= asked_q;
    event_o     <= rst_ni && !sweep_i.valid && event_valid_i;
    access_o    <= rst_ni && !sweep_i.valid && accesses;
    poll_turn_o <= rst_ni && !sweep_i.valid && polls && !repeats;
    ready_o     <= rst_ni && access_o;
    channel_o   <= event_valid_i ? event_channel_i : accesses ? access_channel_i : look_at_o;
  end

  logic unused_sweep;
  assign unused_sweep = ^sweep_i.channel;

  `TSR_ASSERT(GivesWayToOneAccess, !(polls && yielded_q && accesses))
  `TSR_ASSERT(OneTurn, $onehot0({event_o, access_o, poll_turn_o}))

endmodule
