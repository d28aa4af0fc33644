// Follows one run of a channel: how far it is, what went wrong first, how much and how long.
//
// Contract: `start_i` for one cycle while not busy. The run ends when the source has ended, every
// transfer that was taken has its end and the stream holds nothing (`held_i`). The first end with an
// error raises `stop_o` until the next start: no transfer is begun after that, those that were begun
// end as they do. `drained_o`: only what the stream holds keeps the run. `clear_o` is high in the
// cycle after a run that ended with an error: what a read engine holds of a beat is dropped.
// `view_o` stays after the end.
// Latency: 1 cycle. Throughput: an end a cycle.
`include "tsr_assert.svh"
module tsr_mover_run
  import tsr_core_pkg::*;
  import tsr_mover_pkg::*;
(
  input  logic                           clk_i,
  input  logic                           rst_ni,
  input  logic                           start_i,
  input  logic          [CycleWidth-1:0] cycle_i,      // since the start of the kernel
  output logic                           stop_o,
  output logic                           drained_o,
  output logic                           clear_o,
  output mover_view_t                    view_o,
  input  mover_source_t                  source_i,
  input  logic                           taken_i,      // a transfer
  input  end_t                           end_i,
  input  logic                           end_valid_i,
  input  logic                           held_i,
  input  logic                           beat_i        // of the stream
);

  logic busy_q, stop_q, clear_q, begun_q, failed, ends;
  logic [4:0] open_q;  // transfers without end
  mover_error_e error_q;
  logic [31:0] index_q, count_q;
  logic [63:0] addr_q;
  logic [BytesWidth-1:0] bytes_q;
  logic [CycleWidth-1:0] first_q, ended_q;

  assign failed    = end_valid_i && (end_i.slverr || end_i.decerr || end_i.sparse_keep);
  assign drained_o = busy_q && source_i.ended && open_q == '0;
  assign ends      = drained_o && !held_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q  <= 1'b0;
      stop_q  <= 1'b0;
      clear_q <= 1'b0;
      open_q  <= '0;
    end else begin
      busy_q  <= start_i || (busy_q && !ends);
      stop_q  <= !start_i && (stop_q || failed);
      clear_q <= ends && (stop_q || source_i.error != MoverOk);
      open_q  <= open_q + 5'(taken_i) - 5'(end_valid_i);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || start_i) begin
      error_q <= MoverOk;
      index_q <= '0;
      addr_q  <= '0;
      count_q <= '0;
      bytes_q <= '0;
      first_q <= '0;
      ended_q <= '0;
      begun_q <= 1'b0;
    end else begin
      begun_q <= begun_q || beat_i;
      if (beat_i && !begun_q) first_q <= cycle_i;
      if (ends) ended_q <= cycle_i;
      if (end_valid_i) begin
        count_q <= count_q + 1'b1;
        bytes_q <= bytes_q + end_i.bytes;
      end
      if (failed && !stop_q) begin
        index_q <= count_q;
        addr_q  <= end_i.addr;
        if (end_i.sparse_keep) error_q <= MoverStream;
        else error_q <= MoverBus;
      end else if (ends && error_q == MoverOk) begin
        error_q <= source_i.error;
        if (source_i.error != MoverOk) index_q <= count_q;
        addr_q <= source_i.addr;
      end
    end
  end

  assign stop_o = stop_q;
  assign clear_o = clear_q;
  assign view_o = '{
          busy: busy_q,
          error: error_q,
          index: index_q,
          addr: addr_q,
          count: count_q,
          bytes: bytes_q,
          first: first_q,
          ended: ended_q
      };

  logic unused_end;
  assign unused_end = ^end_i;

  `TSR_ASSERT(OneRun, !start_i || !busy_q)
  `TSR_ASSERT(NoEndWithoutATransfer, !end_valid_i || open_q != '0 || taken_i)
  `TSR_ASSERT(TransfersInARun, busy_q || !taken_i)

endmodule
