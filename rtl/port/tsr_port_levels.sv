// Says of each channel whether bursts of it are queued, on show or owed by the memory.
//
// Contract: bursts are claimed when the engine queues their address (`claim_i`) and are done in the
// same order when the engine has their answer (`done_i`). After a fault the engine gets its answers
// before the memory is through: with `hold_i` no level falls. `owed_o` rises a cycle after the
// claim and falls at most Channels + 2 cycles after the answer, never early. With one channel
// the level is that of a claim or of `busy_i`, a cycle later.
// How: bursts are numbered. The number of the last burst of each channel is in a memory, and one
// channel a cycle is looked at.
`include "tsr_assert.svh"
module tsr_port_levels
  import tsr_core_pkg::claim_t;
  import tsr_port_pkg::*;
#(
  parameter int unsigned Channels = 1,  // 1 .. 16
  parameter int unsigned Most     = 64  // bursts that are claimed and not done, at most
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  claim_t                claim_i,
  input  logic                  done_i,
  input  logic                  hold_i,
  input  logic                  busy_i,   // an address waits, is on show or has no answer
  output logic   [Channels-1:0] owed_o
);

  if (Channels == 1) begin : gen_one
    logic unused_claim;
    assign unused_claim = ^{claim_i, done_i, hold_i};
    always_ff @(posedge clk_i) owed_o <= rst_ni && (busy_i || claim_i.valid);
  end else begin : gen_many
    localparam int unsigned Index = $clog2(Channels);
    // A level falls within Channels + 2 cycles: until then its number is not used again.
    localparam int unsigned Width = $clog2(Most + Channels + 2) + 1;
    logic [Width-1:0] claimed_q, done_q, ahead;
    logic [Channels-1:0] owed_q, look_q;  // look_q: one of them
    logic [Index-1:0] look_at_q;
    // The last burst is done: kept, as numbers are used again while levels are held.
    logic [Channels-1:0] over, over_q;
    logic unused_busy;
    (* ram_style = "distributed" *) logic [Width-1:0] last_mem[Channels];
    assign unused_busy = busy_i;
    assign ahead = last_mem[look_at_q] - done_q;
    assign over = over_q | (look_q & {Channels{ahead[Width-1]}});
    assign owed_o = owed_q;
    always_ff @(posedge clk_i) begin
      if (claim_i.valid) last_mem[claim_i.channel[Index-1:0]] <= claimed_q;
      if (!rst_ni) begin
        claimed_q <= '0;
        done_q    <= '0;
        look_q    <= Channels'(1);
        look_at_q <= '0;
        owed_q    <= '0;
        over_q    <= '0;
      end else begin
        claimed_q <= claimed_q + Width'(claim_i.valid);
        done_q    <= done_q + Width'(done_i);
        look_q    <= {look_q[Channels-2:0], look_q[Channels-1]};
        look_at_q <= look_q[Channels-1] ? '0 : look_at_q + 1'b1;
        for (int unsigned i = 0; i < Channels; i++) begin
          owed_q[i] <= (claim_i.valid && claim_i.channel == 4'(i)) ||
              (owed_q[i] && (hold_i || !over[i]));
          over_q[i] <= owed_q[i] && over[i] && !(claim_i.valid && claim_i.channel == 4'(i));
        end
      end
    end
    logic [Width-1:0] open;
    assign open = claimed_q - done_q;
    `TSR_ASSERT(AtMost, 32'(open) <= Most)
    `TSR_ASSERT(ClaimedFirst, !done_i || open != '0)
  end

  `TSR_STATIC_ASSERT(Channels, Channels >= 1 && Channels <= 16,
                     ("Channels = %0d; legal is 1 to 16", Channels))

endmodule
