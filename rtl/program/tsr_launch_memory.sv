// Memory of contexts between their job and their launch: locks, kind, refusals.
//
// Contract: an entry is read at its channel and slot until it is written again.
// Latency: 0 cycles to read. Throughput: an access of each kind a cycle.
`include "tsr_assert.svh"
module tsr_launch_memory
  import tsr_channel_pkg::*;
  import tsr_program_pkg::*;
#(
  parameter int unsigned Channels = 2,  // 1..32
  parameter int unsigned Slots = 2,  // 2 or 4
  parameter bit Ordered = 1'b0,  // `launch_i.ordered` counts
  parameter bit Far = 1'b0,  // `launch_i.acquire_side` counts
  localparam int unsigned Index = Channels > 1 ? $clog2(Channels) : 1,
  localparam int unsigned Slot = $clog2(Slots)
) (
  input  logic                       clk_i,
  input  launch_t                    launch_i,
  input  logic                       launch_valid_i,
  // The context that is prepared.
  input  prepared_t                  prepared_i,
  input  logic                       prepared_valid_i,
  output logic                       prepared_first_o,
  output logic                       prepared_waits_o,       // for its lock, or its turn
  output descriptor_id_t             prepared_descriptor_o,
  // The context to launch.
  input  logic           [Index-1:0] channel_i,
  input  logic           [ Slot-1:0] slot_i,
  output launch_gate_t               gate_o,
  input  logic           [Index-1:0] view_channel_i,
  input  logic           [ Slot-1:0] view_slot_i,
  output lock_id_t                   view_lock_o
);

  localparam int unsigned Depth = Slots * 2 ** Index;
  localparam int unsigned GateBits = $bits(launch_gate_t) - 4;

  (* ram_style = "distributed" *) logic [GateBits-1:0] gate_q[Depth];
  (* ram_style = "distributed" *) logic [DescriptorBits+1:0] prepared_q[Depth];
  (* ram_style = "distributed" *) logic [LockBits-1:0] view_lock_q[Depth];
  (* ram_style = "distributed" *) logic bad_q[Depth];

  logic [Index+Slot-1:0] launch_at, prepared_at, at;
  logic ordered, launch_waits;
  lock_side_e side;
  assign launch_at = {Index'(launch_i.channel), Slot'(launch_i.slot)};
  assign prepared_at = {Index'(prepared_i.channel), Slot'(prepared_i.slot)};
  assign at = {channel_i, slot_i};
  assign {prepared_first_o, prepared_waits_o, prepared_descriptor_o} = prepared_q[prepared_at];
  assign gate_o = launch_gate_t'({bad_q[at], ordered, side, gate_q[at]});
  assign view_lock_o = view_lock_q[{view_channel_i, view_slot_i}];
  assign launch_waits = launch_i.has_acquire || (Ordered && launch_i.ordered);
  if (Ordered) begin : gen_ordered
    (* ram_style = "distributed" *) logic ordered_q[Depth];
    always_ff @(posedge clk_i) if (launch_valid_i) ordered_q[launch_at] <= launch_i.ordered;
    assign ordered = ordered_q[at];
  end else begin : gen_not_ordered
    assign ordered = 1'b0;
  end
  if (Far) begin : gen_far
    (* ram_style = "distributed" *) logic [1:0] side_q[Depth];
    always_ff @(posedge clk_i) if (launch_valid_i) side_q[launch_at] <= launch_i.acquire_side;
    assign side = lock_side_e'(side_q[at]);
  end else begin : gen_own
    assign side = LockOwn;
  end
  always_ff @(posedge clk_i) begin
    if (launch_valid_i) begin
      gate_q[launch_at] <= {launch_i.first, launch_i.has_acquire, launch_i.acquire};
      prepared_q[launch_at] <= {launch_i.first, launch_waits, launch_i.descriptor};
      view_lock_q[launch_at] <= launch_i.acquire.id;
    end
    if (prepared_valid_i) bad_q[prepared_at] <= prepared_i.bad;
  end

  logic unused_in;
  assign unused_in = ^{launch_i, prepared_i};

  `TSR_STATIC_ASSERT(Slots, Slots == 2 || Slots == 4, ("Slots = %0d; legal is 2 or 4", Slots))

endmodule
