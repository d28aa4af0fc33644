// Turns runs into rows, finds their addresses and cuts them into segments: lead, data, tail, or a
// whole row of fill.
//
// Contract: runs and segments keep their order. The address of a row is that of the row before plus
// a jump, which is a word of the context. `kill_i` drops all that is held; a run of `discard_i` goes on
// to its last row at once. `swap_i`, legal at any
// time, replaces the channel at work: `state_o` goes to memory, `state_i` is the state of the
// channel from the next cycle on, the cycle after is `refresh_i`.
// Latency: 3 cycles from a run to its first segment. Throughput: a segment a cycle.
`include "tsr_assert.svh"
`include "tsr_core_types.svh"
module tsr_rows
  import tsr_core_pkg::*;
#(
  parameter int unsigned Channels = 1,  // 1 .. 16
  parameter int unsigned Slots = 2,  // contexts of a channel, 2 or 4
  parameter int unsigned AddrWidth = 64,  // 32 .. 64
  parameter int unsigned SizeWidth = 35,  // of bytes of a segment - 1
  localparam int unsigned Index = Channels > 1 ? $clog2(Channels) : 1,
  localparam type segment_t = `TSR_SEGMENT_T(AddrWidth, SizeWidth),
  localparam type state_t = `TSR_ROWS_STATE_T(AddrWidth)
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  // Words of contexts; bit SizeWidth of a size is `big`
  input  logic                      word_valid_i,
  input  context_word_t             word_i,
  // The channel at work
  input  logic          [Index-1:0] channel_i,
  input  logic                      kill_i,
  input  discard_t                  discard_i,
  input  logic                      swap_i,
  input  logic                      refresh_i,
  input  state_t                    state_i,
  output state_t                    state_o,
  // Runs
  input  run_t                      run_i,
  input  logic                      run_valid_i,
  output logic                      run_ready_o,
  // Segments
  output segment_t                  segment_o,
  output logic                      segment_valid_o,
  input  logic                      segment_ready_i
);

  state_t s_q;

  // ---- Memories: jumps and first addresses, sizes of segments

  (* ram_style = "distributed" *) logic [AddrWidth-1:0] jump_mem[Channels*Slots*8];
  (* ram_style = "distributed" *) logic [SizeWidth:0] size_mem[Channels*Slots*4];
  localparam int unsigned SlotLog = $clog2(Slots);
  localparam int unsigned JumpIndex = $clog2(Channels * Slots * 8);
  localparam int unsigned SizeIndex = $clog2(Channels * Slots * 4);

  logic [AddrWidth-1:0] jump_q;
  logic [SizeWidth:0] size_q;
  logic [2:0] jump;
  logic [1:0] segment;
  logic [SlotLog-1:0] slot, jump_slot;
  logic row_take, jump_take, read_jump;
  logic [2:0] word_jump;
  assign jump_slot = SlotLog'(refresh_i ? s_q.jump_row.slot : s_q.run.row.slot);
  assign word_jump = {word_i.word[4], word_i.word[3:2]};

  always_ff @(posedge clk_i) begin
    if (word_valid_i && (word_i.word[4] ? word_i.word == WordAddr : word_i.word[1:0] == PhaseNone))
      jump_mem[JumpIndex'({
        word_i.channel[Index-1:0], word_i.slot[SlotLog-1:0], word_jump
      })] <= word_i.data[AddrWidth-1:0];
    if (word_valid_i && word_i.word[4:2] == WordLead[4:2])
      size_mem[SizeIndex'({
        word_i.channel[Index-1:0], word_i.slot[SlotLog-1:0], word_i.word[1:0]
      })] <= word_i.data[SizeWidth:0];
    if (read_jump) jump_q <= jump_mem[JumpIndex'({channel_i, jump_slot, jump})];
    size_q <= size_mem[SizeIndex'({channel_i, slot, segment})];
  end

  // ---- Runs to rows

  logic last_row, row_ready, jump_ready;
  row_t row;
  assign last_row    = !s_q.run.turns[CountWidth];
  assign run_ready_o = !s_q.run_valid || (row_take && last_row);
  assign row_take    = s_q.run_valid && jump_ready && !refresh_i;
  assign jump        = refresh_i ? s_q.jump : s_q.begun ? 3'd0 : s_q.run.first;
  assign read_jump   = refresh_i || row_take;

  always_comb begin
    row        = s_q.run.row;
    row.start  = s_q.run.row.start && !s_q.begun;
    row.packet = s_q.run.packets || (s_q.run.packet && last_row);
    row.final_ = s_q.run.row.final_ && last_row;
  end

  // ---- Address of a row, then its segments

  logic row_done;
  assign jump_ready = !s_q.jump_valid || jump_take;
  assign jump_take  = s_q.jump_valid && row_ready && !refresh_i;
  assign row_done   = s_q.segment[1] || (s_q.segment == 2'd1 && !s_q.row.tail) || s_q.row.empty;
  assign row_ready  = !s_q.row_valid || (segment_ready_i && row_done);

  function automatic logic [1:0] first_segment(logic in_bounds, logic lead);
    return !in_bounds ? 2'd3 : lead ? 2'd0 : 2'd1;
  endfunction

  // Of the next cycle.
  always_comb begin
    slot    = s_q.row.slot[SlotLog-1:0];
    segment = s_q.segment;
    if (!refresh_i && jump_take) begin
      slot    = s_q.jump_row.slot[SlotLog-1:0];
      segment = first_segment(s_q.jump_row.in_bounds, s_q.jump_row.lead);
    end else if (segment_valid_o && segment_ready_i) begin
      segment = s_q.segment + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      s_q.run_valid  <= 1'b0;
      s_q.jump_valid <= 1'b0;
      s_q.row_valid  <= 1'b0;
    end else if (swap_i) begin
      s_q <= state_i;
    end else begin
      if (run_ready_o) begin
        s_q.run_valid <= run_valid_i;
        s_q.run       <= run_i;
        s_q.begun     <= 1'b0;
      end else if (row_take) begin
        s_q.run.turns <= s_q.run.turns + 1'b1;
        s_q.begun     <= 1'b1;
      end
      if (!run_ready_o && discards(discard_i, s_q.run.row.number)) s_q.run.turns <= '0;
      if (jump_ready && !refresh_i) begin
        s_q.jump_valid <= s_q.run_valid;
        s_q.jump_row   <= row;
        s_q.jump       <= jump;
      end
      if (jump_take) begin
        s_q.row  <= s_q.jump_row;
        s_q.base <= jump_q + (s_q.jump[2] ? '0 : s_q.base);
      end
      if (row_ready && !refresh_i) s_q.row_valid <= s_q.jump_valid;
      s_q.segment <= segment;
      if (kill_i) begin
        s_q.run_valid  <= 1'b0;
        s_q.jump_valid <= 1'b0;
        s_q.row_valid  <= 1'b0;
      end
    end
  end

  assign segment_valid_o = s_q.row_valid && !refresh_i;
  assign segment_o = '{
          row: s_q.row,
          first: s_q.segment == first_segment(s_q.row.in_bounds, s_q.row.lead),
          data: s_q.segment == 2'd1 && !s_q.row.empty,
          ends: row_done,
          addr: s_q.base,
          big: size_q[SizeWidth],
          size: size_q[SizeWidth-1:0]
      };
  assign state_o = s_q;

  `TSR_ASSERT(SegmentHasARow, !segment_valid_o || !s_q.row.empty || row_done)

endmodule
