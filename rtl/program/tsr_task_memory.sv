// Queues of tasks of all channels, in LUT memory.
//
// Contract: `push_ready_o` belongs to the channel of `push_i`; pushes are two cycles apart. `place_o` is the place of the oldest task of
// `pick_i`; its holder shows it again with its channel, and `head_o` is that task, undefined if there is none. A
// pop (`pop_valid_i`) removes the oldest task of a channel, or with
// `flush` all tasks of the channel; `left_o` says, for the pop, that tasks remain.
// Latency: 0 cycles from look to head; a push shows 2 cycles later, in `left_o` 1. Throughput: a push in two
// cycles, a pop a cycle.
`include "tsr_assert.svh"
module tsr_task_memory
  import tsr_channel_pkg::*;
  import tsr_program_pkg::*;
#(
  parameter  int unsigned Channels = 2,                                    // 1..32
  parameter  int unsigned Depth    = 4,                                    // a power of two, 2..16
  localparam int unsigned Index    = Channels > 1 ? $clog2(Channels) : 1,
  localparam int unsigned Place    = $clog2(Depth) + 1
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  sweep_t             sweep_i,
  input  push_t              push_i,
  input  logic               push_valid_i,
  output logic               push_ready_o,
  input  logic   [Index-1:0] pick_i,
  output logic   [Place-1:0] place_o,
  input  logic   [Index-1:0] look_i,
  input  logic   [Place-1:0] look_place_i,
  output task_t              head_o,        // `tag` is 0
  input  logic   [Index-1:0] pop_i,
  input  logic   [Place-1:0] pop_place_i,
  input  logic               pop_valid_i,
  input  logic               flush_i,
  output logic               left_o,
  output logic   [     31:0] tag_o,         // of the task of `pop_i`
  input  logic   [Index-1:0] view_i,
  output logic   [      4:0] room_o         // of the channel of `view_i`
);

  `TSR_STATIC_ASSERT(Depth, Depth >= 2 && Depth <= 16 && $onehot(Depth),
                     ("Depth = %0d; legal is 2, 4, 8 or 16", Depth))

  localparam int unsigned TagBits = 32;
  localparam int unsigned TaskBits = $bits(task_t) - TagBits;

  (* ram_style = "distributed" *) logic [TaskBits-1:0] task_q[Depth*2**Index];
  (* ram_style = "distributed" *) logic [TagBits-1:0] tag_q[Depth*2**Index];
  (* ram_style = "distributed" *) logic [Place-1:0] write_q[2**Index];
  (* ram_style = "distributed" *) logic [Place-1:0] read_q[2**Index];

  // A task is written a cycle later.
  logic [Index-1:0] channel, channel_q;
  logic [Place-1:0] push_place, push_read, place_q, behind;
  task_t item_q;
  logic  push_q;
  assign channel      = Index'(push_i.channel);
  assign push_place   = write_q[channel];
  assign push_read    = read_q[channel];
  assign push_ready_o = push_place != {~push_read[Place-1], push_read[Place-2:0]};
  always_ff @(posedge clk_i) begin
    push_q    <= rst_ni && push_valid_i && push_ready_o;
    channel_q <= channel;
    place_q   <= push_place;
    item_q    <= push_i.item;
    if (push_q) begin
      task_q[{channel_q, place_q[Place-2:0]}] <= item_q[$bits(task_t)-1:TagBits];
      tag_q[{channel_q, place_q[Place-2:0]}]  <= item_q.tag;
    end
    if (push_q || sweep_i.valid)
      write_q[sweep_i.valid?Index'(sweep_i.channel) : channel_q] <=
          sweep_i.valid ? '0 : place_q + 1'b1;
  end

  assign place_o = read_q[pick_i];
  assign head_o  = task_t'({task_q[{look_i, look_place_i[Place-2:0]}], TagBits'(0)});
  assign tag_o   = tag_q[{pop_i, pop_place_i[Place-2:0]}];
  assign behind  = write_q[pop_i];
  assign left_o  = behind != pop_place_i + 1'b1 || (push_q && channel_q == pop_i);
  assign room_o  = 5'(Depth) - 5'(Place'(write_q[view_i] - read_q[view_i]));

  always_ff @(posedge clk_i) begin
    if (pop_valid_i || sweep_i.valid)
      read_q[sweep_i.valid?Index'(sweep_i.channel) : pop_i] <=
          sweep_i.valid ? '0 : flush_i ? behind : pop_place_i + 1'b1;
  end

  logic unused_push;
  assign unused_push = ^{push_i, sweep_i, look_place_i};

  `TSR_ASSERT(PopsTheOldest,
              !pop_valid_i || flush_i || (pop_place_i == read_q[pop_i] && behind != pop_place_i))
  `TSR_ASSERT(PushesAreApart, !push_q || !push_valid_i)
  `TSR_ASSERT(NoPushIntoAFlush, !(pop_valid_i && flush_i && push_q && channel_q == pop_i))

endmodule
