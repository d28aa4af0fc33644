// tsr_fifo_async with two free clocks: what is written comes out once and in order, nothing else does,
// and what is shown stays.
//
// In a step of the prover either clock, both or none may rise: that covers any ratio, phase and drift,
// and a bit of a Gray pointer that is caught while it changes too, for it is then read as if its clock
// had risen a little later. Items are numbered as they are written. Without resets the numbers come out
// in turn; with resets of either side at any time some may be missing, none comes twice or out of turn.
// Both sides begin running and clear; restart_proof is about how they come there.
`include "tsr_assert.svh"

module fifo_async_proof #(
  parameter int unsigned Depth  = 4,
  parameter bit          Resets = 1'b0
) (
  input logic wr_clk_i,
  input logic rd_clk_i,
  input logic wr_rst_ni,
  input logic rd_rst_ni,
  input logic wr_valid_i,
  input logic rd_ready_i
);

  localparam int unsigned Width = Resets ? 6 : $clog2(
      Depth
  ) + 2;  // more than can be inside or come

  typedef logic [Width-1:0] number_t;

  logic wr_rst_n, rd_rst_n;
  assign wr_rst_n = !Resets || wr_rst_ni;
  assign rd_rst_n = !Resets || rd_rst_ni;

  number_t wr_number_q, rd_number_q, rd_data;
  logic wr_ready, wr_run, rd_valid, rd_run;

  tsr_fifo_async #(
    .Depth(Depth),
    .T    (number_t)
  ) u_dut (
    .wr_clk_i,
    .wr_rst_ni (wr_rst_n),
    .wr_data_i (wr_number_q),
    .wr_valid_i,
    .wr_ready_o(wr_ready),
    .wr_run_o  (wr_run),
    .rd_clk_i,
    .rd_rst_ni (rd_rst_n),
    .rd_data_o (rd_data),
    .rd_valid_o(rd_valid),
    .rd_ready_i,
    .rd_run_o  (rd_run)
  );

  // The number of the next item to write, and one that must not be below the next to come out.
  always_ff @(posedge wr_clk_i) begin
    if (wr_rst_n && wr_valid_i && wr_ready) wr_number_q <= wr_number_q + 1'b1;
  end
  always_ff @(posedge rd_clk_i) begin
    if (rd_rst_n && rd_valid && rd_ready_i) rd_number_q <= rd_data + 1'b1;
  end

  if (Resets) begin : gen_resets
    InTurn :
    assert property (@(posedge rd_clk_i) disable iff (!rd_rst_n)
                     (!rd_valid || rd_data >= rd_number_q));
    Written :
    assert property (@(posedge rd_clk_i) disable iff (!rd_rst_n)
                     (!rd_valid || rd_data < wr_number_q));
    WritesAgain :
    cover property (@(posedge wr_clk_i) disable iff (!wr_rst_n) (wr_run));
  end else begin : gen_running
    InTurn :
    assert property (@(posedge rd_clk_i) disable iff (!rd_rst_n)
                     (!rd_valid || rd_data == rd_number_q));
    Full :
    cover property (@(posedge wr_clk_i) disable iff (!wr_rst_n) (wr_run && !wr_ready));
    Second :
    cover property (@(posedge rd_clk_i) disable iff (!rd_rst_n)
                    (rd_valid && rd_number_q == number_t'(2)));
  end
  Shown :
  assert property (@(posedge rd_clk_i) disable iff (!rd_rst_n) (!($past(
      rd_rst_n
  ) && $past(
      rd_valid && !rd_ready_i
  )) || rd_valid));

  logic unused;
  assign unused = ^{wr_rst_ni, rd_rst_ni, rd_run};

endmodule
