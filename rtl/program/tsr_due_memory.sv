// Memory of what is due at the ends of transfers, from their load to their end.
//
// Contract: what is written for a channel and a place is read there until it is written again. Side
// information is 0 without Side, what lists need is 0 without Lists, and without Far locks are the own ones.
// Latency: 0 cycles to read. Throughput: a write of each kind and a read of each port a cycle.
`include "tsr_assert.svh"
module tsr_due_memory
  import tsr_channel_pkg::*;
  import tsr_program_pkg::*;
#(
  parameter  int unsigned Channels = 2,                                    // 1..32
  parameter  int unsigned Flight   = 8,                                    // transfers of a channel
  parameter  bit          Side     = 1'b0,
  parameter  bit          Lists    = 1'b0,
  parameter  bit          Far      = 1'b0,
  localparam int unsigned Index    = Channels > 1 ? $clog2(Channels) : 1,
  localparam int unsigned Place    = $clog2(Flight)
) (
  input  logic                       clk_i,
  input  loaded_t                    put_i,
  input  logic           [Index-1:0] view_channel_i,
  input  logic           [Place-1:0] view_place_i,
  output descriptor_id_t             view_o,          // the descriptor alone
  input  logic           [Index-1:0] channel_i,
  input  logic           [Place-1:0] place_i,
  output due_t                       due_o,
  output style_t                     style_o,
  output side_t                      side_o,
  output listed_t                    listed_o
);

  localparam int unsigned Depth = Flight * 2 ** Index;
  localparam int unsigned DueBits = $bits(due_t) - $bits(lock_side_e);

  (* ram_style = "distributed" *)logic [       DueBits-1:0] due_q  [Depth];
  (* ram_style = "distributed" *)logic [$bits(style_t)-1:0] style_q[Depth];
  (* ram_style = "distributed" *)logic [DescriptorBits-1:0] name_q [Depth];

  logic [Index+Place-1:0] put_at, at;
  lock_side_e side;
  assign put_at  = {Index'(put_i.channel), Place'(put_i.seat)};
  assign at      = {channel_i, place_i};
  assign due_o   = due_t'({side, due_q[at]});
  assign style_o = style_t'(style_q[at]);
  assign view_o  = name_q[{view_channel_i, view_place_i}];
  always_ff @(posedge clk_i) begin
    if (put_i.valid) begin
      due_q[put_at]   <= DueBits'(put_i.due);
      name_q[put_at]  <= put_i.due.descriptor;
      style_q[put_at] <= put_i.style;
    end
  end

  if (Side) begin : gen_side
    (* ram_style = "distributed" *) logic [31:0] side_q[Depth];
    always_ff @(posedge clk_i) if (put_i.valid) side_q[put_at] <= put_i.side;
    assign side_o = side_t'(side_q[at]);
  end else begin : gen_no_side
    assign side_o = '0;
  end

  if (Far) begin : gen_far
    (* ram_style = "distributed" *) logic [1:0] far_q[Depth];
    always_ff @(posedge clk_i) if (put_i.valid) far_q[put_at] <= put_i.due.side;
    assign side = lock_side_e'(far_q[at]);
  end else begin : gen_own
    assign side = LockOwn;
  end

  if (Lists) begin : gen_lists
    (* ram_style = "distributed" *) logic [$bits(listed_t)-1:0] listed_q[Depth];
    always_ff @(posedge clk_i) if (put_i.valid) listed_q[put_at] <= put_i.listed;
    assign listed_o = listed_t'(listed_q[at]);
  end else begin : gen_no_lists
    assign listed_o = '0;
  end
  logic unused_put;
  assign unused_put = ^put_i;

  `TSR_STATIC_ASSERT(Channels, Channels >= 1 && Channels <= 32,
                     ("Channels = %0d; legal is 1 to 32", Channels))

endmodule
