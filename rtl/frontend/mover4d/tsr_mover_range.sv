// Turns an address and a size in bytes into transfers: what a kernel without a list moves.
//
// Contract: as tsr_mover_list, with `setup_i.list_addr` the first byte and `setup_i.base_addr` the
// number of bytes. One transfer for each piece of 2^31 bytes, dense on the stream; TLAST stands at
// the end of all of it, unless the rule is never. No bytes are no transfer. A range that leaves the
// window is MoverOutside, of which `addr` is the last byte.
// Latency: 3 cycles from `start_i` to the transfer. Throughput: a transfer in two cycles.
`include "tsr_assert.svh"
module tsr_mover_range
  import tsr_pkg::*;
  import tsr_fabric_pkg::*;
  import tsr_mover_pkg::*;
#(
  parameter int unsigned AddrWidth = 64
) (
  input  logic          clk_i,
  input  logic          rst_ni,
  input  logic          start_i,
  input  mover_setup_t  setup_i,
  input  logic          stop_i,
  output mover_source_t source_o,
  output transfer_t     transfer_o,
  output logic          valid_o,
  input  logic          ready_i
);

  localparam int unsigned PageWidth = AddrWidth - PageBits;
  localparam logic [31:0] Piece = 32'h8000_0000;

  typedef enum logic [1:0] {
    Rest,
    Check,
    Move
  } state_e;

  state_e state_q;
  logic [63:0] next_q, left_q;
  logic [64:0] last;
  logic shown_q, outside, lies, ends, gone;
  logic [31:0] bytes;
  mover_error_e error_q;
  logic [63:0] outside_q;

  assign last = {1'b0, next_q} + {1'b0, left_q} - 1'b1;
  assign outside = (last >> AddrWidth) != '0;
  assign lies    = !outside && last[AddrWidth-1:PageBits] <= setup_i.window.last[PageWidth-1:0] &&
                   next_q[AddrWidth-1:PageBits] >= setup_i.window.first[PageWidth-1:0];

  assign ends = left_q <= 64'(Piece);
  assign bytes = ends ? left_q[31:0] : Piece;
  assign valid_o = state_q == Move && (!stop_i || shown_q);
  assign gone = valid_o && ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= Rest;
      shown_q <= 1'b0;
    end else begin
      shown_q <= valid_o && !ready_i;
      unique case (state_q)
        Rest:    if (start_i) state_q <= Check;
        Check:   state_q <= left_q != '0 && lies ? Move : Rest;
        Move:    if ((gone && ends) || (stop_i && !shown_q)) state_q <= Rest;
        default: state_q <= Rest;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == Rest && start_i) begin
      next_q    <= setup_i.list_addr;
      left_q    <= setup_i.base_addr;
      error_q   <= MoverOk;
      outside_q <= '0;
    end else if (state_q == Check && left_q != '0 && !lies) begin
      error_q   <= MoverOutside;
      outside_q <= last[63:0];
    end else if (gone) begin
      next_q <= next_q + 64'(bytes);
      left_q <= left_q - 64'(bytes);
    end
  end

  always_comb begin
    transfer_o         = '0;
    transfer_o.addr    = next_q;
    transfer_o.dense   = 1'b1;
    transfer_o.row     = bytes;
    transfer_o.single  = '1;
    transfer_o.pair[0] = bytes == 32'd2;
    for (int unsigned d = 0; d < Dims; d++) begin
      transfer_o.dim[d].count     = 32'd1;
      transfer_o.dim[d].unbounded = 1'b1;
    end
    transfer_o.dim[0].count  = bytes;
    transfer_o.dim[0].stride = 64'd1;
    for (int unsigned k = 0; k < WalkLevels; k++) transfer_o.walk[k].count = 32'd1;
    transfer_o.last_rule = setup_i.last == MoverLastNever ? LastNever : LastTask;
    transfer_o.join_next = !ends;
    transfer_o.task_end  = ends;
    transfer_o.finish    = FinishLength;
  end

  assign source_o = '{ended: state_q == Rest && !start_i, error: error_q, addr: outside_q};

  logic unused_setup;
  assign unused_setup = ^setup_i;

  `TSR_ASSERT_NEXT(TransferStays, valid_o && !ready_i, valid_o && $stable(next_q))

endmodule
