// tsr_planner: the bursts of a transfer are exactly the words of its rows, in order: nothing outside of
// what it addresses, each word once a row, but once for two rows that touch in it; none crosses 4 KiB or
// is longer than its limit. That all of them come is covered, not proven.
//
// One transfer after reset, of at most three rows without a traversal, whose addresses and sizes are
// multiples of 64 bytes in an address space of two pages; its operations are taken at once, its bursts
// at any time. Bounded: the first `depth` cycles.
`include "proof.svh"

module planner_proof
  import tsr_pkg::*;
#(
  parameter  bit          Bounds    = 1'b1,
  localparam int unsigned AddrWidth = 13,
  localparam int unsigned DataBytes = 128,
  localparam int unsigned MaxBurst  = 4,
  localparam int unsigned UnitLog2  = 6,
  localparam int unsigned Rows      = 3
) (
  input logic              clk_i,
  input logic              rst_ni,
  input logic              burst_ready_i,
  input logic signed [6:0] addr_i,         // all in units of 64 bytes
  input logic signed [6:0] stride_i,
  input logic        [2:0] size_i,
  input logic        [2:0] enter_i,
  input logic        [2:0] leave_i,
  input logic        [1:0] count_i,
  input logic signed [2:0] ahead_i,        // of the rows
  input logic signed [2:0] last_i
);

  `TSR_PROOF_RESET

  typedef logic [6:0] unit_t;
  typedef logic [5:0] word_t;

  // ---- The transfer -----------------------------------------------------------------------------

  transfer_t transfer;
  always_comb begin
    transfer = '0;
    transfer.addr = 64'(addr_i) << UnitLog2;
    transfer.dense = 1'b1;
    for (int d = 0; d < Dims; d++) begin
      transfer.dim[d].count     = 32'd1;
      transfer.dim[d].unbounded = 1'b1;
    end
    transfer.dim[0].stride    = 64'd1;
    transfer.dim[0].count     = 32'(size_i) << UnitLog2;
    transfer.dim[0].ahead     = (IndexWidth'(enter_i) << UnitLog2) - 1'b1;
    transfer.dim[0].last      = (IndexWidth'(leave_i) << UnitLog2) - 1'b1;
    transfer.dim[0].unbounded = !Bounds;
    transfer.dim[1].stride    = 64'(stride_i) << UnitLog2;
    transfer.dim[1].count     = 32'(count_i);
    transfer.dim[1].ahead     = IndexWidth'(ahead_i);
    transfer.dim[1].last      = IndexWidth'(last_i);
    transfer.dim[1].unbounded = !Bounds;
    transfer.last_rule        = LastTransfer;
    transfer.row              = transfer.dim[0].count;
    for (int d = 0; d < Dims; d++) begin
      transfer.single[d] = d == 0 || transfer.dim[d].count == 32'd1;
      transfer.pair[d]   = transfer.dim[d].count == 32'd2;
    end
  end

  logic [7+7+3+3+3+2+3+3-1:0] fixed, fixed_q;
  assign fixed = {addr_i, stride_i, size_i, enter_i, leave_i, count_i, ahead_i, last_i};
  always_ff @(posedge clk_i) fixed_q <= fixed;
  `TSR_ASSUME(OneTransfer, !started_q || fixed == fixed_q)
  `TSR_ASSUME(NotEmpty, size_i != '0 && count_i != '0)
  `TSR_ASSUME(BoundsInOrder, enter_i <= leave_i && ahead_i <= last_i)
  StaysOut :
  assume property (@(posedge clk_i) !started_q || rst_ni);

  logic valid_q, ready_o, burst_valid_o, op_valid_o;
  word_t burst_first_o;
  logic [7:0] burst_len_o;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b1;
    else if (ready_o) valid_q <= 1'b0;
  end

  tsr_planner #(
    .AddrWidth(AddrWidth),
    .DataBytes(DataBytes),
    .MaxBurst (MaxBurst),
    .Walk     (1'b0),
    .Bounds   (Bounds),
    .SendFill (1'b0),
    .ItemDepth(16)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .kill_i        (1'b0),
    .drop_i        (1'b0),
    .drop_tag_i    ('0),
    .transfer_i    (transfer),
    .valid_i       (valid_q),
    .ready_o,
    .packets_o     (),
    .finish_last_o (),
    .elem_log2_o   (),
    .user_i        (1'b0),
    .op_valid_o,
    .op_set_o      (),
    .op_value_o    (),
    .op_lead_o     (),
    .op_data_o     (),
    .op_lead_data_o(),
    .op_all_o      (),
    .op_off_o      (),
    .op_word_end_o (),
    .op_eot_o      (),
    .op_item_eot_o (),
    .op_flush_o    (),
    .op_last_o     (),
    .op_illegal_o  (),
    .op_user_o     (),
    .op_take_i     (op_valid_o),
    .op_take_data_i(op_valid_o),
    .op_take_all_i (op_valid_o),
    .op_skip_i     (1'b0),
    .burst_valid_o,
    .burst_ready_i,
    .burst_first_o,
    .burst_len_o,
    .burst_tag_o   ()
  );

  // ---- Its words, row by row --------------------------------------------------------------------

  // Of a row without those that it shares with the one before: the first, how many.
  word_t [Rows-1:0] first;
  unit_t [Rows-1:0] words, ahead;
  unit_t begins, ends, base, base_prior, all;
  logic valid, valid_prior, whole, touches;
  always_comb begin
    begins = '0;
    ends   = unit_t'(size_i);
    if (Bounds) begin
      begins = unit_t'(enter_i);
      if (leave_i < size_i) ends = unit_t'(leave_i);
    end
    whole       = begins == '0 && ends == unit_t'(size_i);
    all         = '0;
    valid_prior = 1'b0;
    base_prior  = '0;
    for (int r = 0; r < int'(Rows); r++) begin
      base  = unit_t'(addr_i) + unit_t'(r) * unit_t'(stride_i);
      valid = r < int'(count_i) && begins < ends;
      if (Bounds && (r <= int'(ahead_i) || r > int'(last_i))) valid = 1'b0;
      touches = whole && valid_prior && base == base_prior + unit_t'(size_i) && base[0];
      first[r] = word_t'((base + begins) >> 1) + word_t'(touches);
      words[r] = valid ? ((((base + begins) & unit_t'(1)) + ends - begins + unit_t'(1)) >> 1) -
                 unit_t'(touches) : '0;
      ahead[r] = all;
      all += words[r];
      valid_prior = valid;
      base_prior  = base;
    end
  end

  function automatic word_t word_at(unit_t at);
    word_at = first[0] + word_t'(at);
    for (int r = 1; r < int'(Rows); r++) begin
      if (at >= ahead[r]) word_at = first[r] + word_t'(at - ahead[r]);
    end
  endfunction

  unit_t given_q, last_given;  // words of the bursts before
  logic take;
  assign take       = burst_valid_o && burst_ready_i;
  assign last_given = given_q + unit_t'(burst_len_o);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) given_q <= '0;
    else if (take) given_q <= last_given + 1'b1;
  end

  `TSR_ASSERT(NothingElse, !burst_valid_o || last_given < all)
  `TSR_ASSERT(BeginsWhereItShould, !burst_valid_o || burst_first_o == word_at(given_q))
  `TSR_ASSERT(EndsWhereItShould, !burst_valid_o || burst_first_o + word_t'(burst_len_o) == word_at(
              last_given))
  `TSR_ASSERT(InOnePage, !burst_valid_o || 9'(burst_first_o[4:0]) + 9'(burst_len_o) < 9'd32)
  `TSR_ASSERT(WithinLimit, !burst_valid_o || burst_len_o < 8'(MaxBurst))

  logic final_one;
  assign final_one = take && last_given + 1'b1 == all && count_i == 2'd3;
  `TSR_COVER(Crosses, take && burst_first_o[4:0] == '1 && last_given + 1'b1 < all)
  `TSR_COVER(ThreeRows, final_one && words[0] != '0 && words[1] != '0 && words[2] != '0)
  `TSR_COVER(TouchInAWord, final_one && whole && stride_i == 7'(size_i) && size_i == 3'd3)

endmodule
