// Turns runs into rows, finds their addresses and cuts them into segments: lead, data, tail, or a
// whole row of fill.
//
// Contract: runs and segments keep their order. The address of a row is that of the row before plus
// a jump, which is a word of the context. `kill_i` drops all that is held; a run of `discard_i`
// goes on to its last row at once. `swap_i`, legal at any time, replaces the channel at work:
// `state_o` goes to memory, `state_i` is the state of the channel from the next cycle on, the cycle
// after is `refresh_i`.
// Latency: 3 cycles from a run to its first segment. Throughput: a segment a cycle.
`include "tsr_assert.svh"
`include "tsr_core_types.svh"
module tsr_rows
  import tsr_core_pkg::*;
#(
  parameter int unsigned Channels = 1,  // 1 .. 16
  parameter int unsigned Slots = 2,  // contexts of a channel, 2 or 4
  parameter int unsigned AddrWidth = 64,  // 32 .. 64
  parameter int unsigned BurstLog = 9,  // log2 of the bytes of the longest burst
  parameter bit Walk = 1'b1,  // transfers have several contexts
  parameter bit Bounds = 1'b1,  // rows have several segments
  localparam int unsigned Index = Channels > 1 ? $clog2(Channels) : 1,
  localparam type segment_t = `TSR_SEGMENT_T(AddrWidth, SizeWidth)
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  // Words of contexts
  input  logic                      word_valid_i,
  input  context_word_t             word_i,
  // The channel at work
  input  logic          [Index-1:0] channel_i,
  input  logic                      kill_i,
  input  discard_t                  discard_i,
  input  logic                      swap_i,
  input  logic                      refresh_i,
  input  rows_state_t               state_i,
  output rows_state_t               state_o,
  // Runs
  input  run_t                      run_i,
  input  logic                      run_valid_i,
  output logic                      run_ready_o,
  // Segments
  output segment_t                  segment_o,
  output logic                      segment_valid_o,
  input  logic                      segment_ready_i
);

  rows_state_t s_q;

  // ---- What is kept of each channel

  typedef struct packed {
    logic [2:0] first;
    logic       packets, packet;
    row_t       row;
  } kept_t;
  kept_t run;
  row_t row, kept_row, jump_row, next_row;
  logic [ CountWidth:0] turns;
  logic [AddrWidth-1:0] base;
  logic run_write, turns_write, row_write, load, skip, skip_q;
  typedef struct packed {
    logic [2:0]               jump;
    logic [$clog2(Slots)-1:0] slot;
  } head_t;
  head_t newest, oldest, second;
  localparam int unsigned HeadIndex = $clog2(Channels * 2);
  (* ram_style = "distributed" *)logic [$bits(head_t)-1:0] head_mem[Channels*2];
  (* ram_style = "distributed" *)logic [ $bits(row_t)-1:0] row_mem [Channels*2];

  localparam int unsigned Sizes = Bounds ? 4 : 1;  // of a context

  // ---- Memories: jumps and first addresses, sizes of segments

  localparam int unsigned SlotLog = $clog2(Slots);
  localparam int unsigned JumpIndex = $clog2(Channels * Slots * 8);
  localparam int unsigned SizeIndex = $clog2(Channels * Slots * Sizes);

  logic [AddrWidth-1:0] jump_q;
  logic [SizeWidth:0] size_q;
  logic [2:0] jump;
  logic [1:0] segment, at_segment;
  logic [SlotLog-1:0] slot, jump_slot;
  logic row_take, row_ready, row_done, jump_take, word_big;
  logic [2:0] word_jump;
  logic [SizeIndex-1:0] word_at, size_at;
  if (Bounds) begin : gen_sizes
    assign word_at = SizeIndex'({
      word_i.channel[Index-1:0], word_i.slot[SlotLog-1:0], word_i.word[1:0]
    });
    assign size_at = SizeIndex'({channel_i, slot, segment});
  end else begin : gen_one_size
    assign word_at = SizeIndex'({word_i.channel[Index-1:0], word_i.slot[SlotLog-1:0]});
    assign size_at = SizeIndex'({channel_i, slot});
  end
  assign word_big  = |word_i.data[SizeWidth-1:BurstLog];
  assign word_jump = {word_i.word[4], word_i.word[3:2]};

  // What comes next is known early, whether it does comes late.
  tsr_memory #(
    .Depth(Channels * Slots * 8),
    .Width(AddrWidth),
    .Block(Channels > LutChannels)
  ) u_jumps (
    .clk_i,
    .write_i   (word_valid_i && (word_i.word[4] ? word_i.word == WordAddr :
                                                  word_i.word[1:0] == PhaseNone)),
    .write_at_i(JumpIndex'({word_i.channel[Index-1:0], word_i.slot[SlotLog-1:0], word_jump})),
    .data_i(word_i.data[AddrWidth-1:0]),
    .read_i(row_ready || s_q.jumps == '0 || refresh_i),
    .read_at_i(JumpIndex'({channel_i, jump_slot, jump})),
    .data_o(jump_q)
  );

  tsr_memory #(
    .Depth(Channels * Slots * Sizes),
    .Width(SizeWidth + 1),
    .Block(Channels > LutChannels)
  ) u_sizes (
    .clk_i,
    .write_i(word_valid_i &&
             (Bounds ? word_i.word[4:2] == WordLead[4:2] : word_i.word == WordData)),
    .write_at_i(word_at),
    .data_i({word_big, word_i.data[SizeWidth-1:0]}),
    .read_i(segment_ready_i || !s_q.row_valid || refresh_i),
    .read_at_i(size_at),
    .data_o(size_q)
  );

  tsr_by_channel #(
    .Channels(Channels),
    .T       (kept_t)
  ) u_run (
    .clk_i,
    .rst_ni,
    .channel_i,
    .write_i(run_write),
    .data_i ({run_i.first, run_i.packets, run_i.packet, run_i.row}),
    .data_o (run)
  );
  tsr_by_channel #(
    .Channels(Channels),
    .T       (logic [CountWidth:0])
  ) u_turns (
    .clk_i,
    .rst_ni,
    .channel_i,
    .write_i(turns_write),
    .data_i ((load ? run_i.turns : skip ? '0 : turns) + (CountWidth + 1)'(!load)),
    .data_o (turns)
  );
  tsr_by_channel #(
    .Channels(Channels),
    .T       (row_t)
  ) u_row (
    .clk_i,
    .rst_ni,
    .channel_i,
    .write_i(row_write),
    .data_i (jump_row),
    .data_o (kept_row)
  );
  tsr_by_channel #(
    .Channels(Channels),
    .T       (logic [AddrWidth-1:0])
  ) u_base (
    .clk_i,
    .rst_ni,
    .channel_i,
    .write_i(row_write),
    .data_i (jump_q + (oldest.jump[2] ? '0 : base)),
    .data_o (base)
  );

  // What a build does not have.
  function automatic row_t fold(row_t kept);
    fold = kept;
    if (!Walk) fold.more = 1'b0;
    if (!Bounds) {fold.in_bounds, fold.lead, fold.tail} = 3'b100;
  endfunction
  assign row      = fold(kept_row);
  assign jump_row = fold(row_t'(row_mem[HeadIndex'({channel_i, s_q.head})]));

  // ---- Runs to rows

  logic last_row;
  assign last_row    = !turns[CountWidth];
  assign run_ready_o = !s_q.run_valid || (row_take && last_row);
  assign row_take    = s_q.run_valid && !s_q.jumps[1] && !refresh_i;

  always_comb begin
    next_row        = run.row;
    next_row.start  = run.row.start && !s_q.begun;
    next_row.packet = run.packets || (run.packet && last_row);
    next_row.final_ = run.row.final_ && last_row;
  end
  assign load              = !s_q.run_valid || last_row;
  assign skip              = !load && skip_q;
  assign run_write         = run_ready_o && !swap_i;
  assign turns_write       = (run_ready_o || row_take || skip) && !swap_i;
  assign row_write         = jump_take && !swap_i;

  // ---- Two rows wait for their address, so that no ready passes through. The jump of a row is read
  // as it becomes the oldest one.

  assign newest            = '{jump: s_q.begun ? 3'd0 : run.first, slot: run.row.slot[SlotLog-1:0]};
  assign oldest            = head_t'(head_mem[HeadIndex'({channel_i, s_q.head})]);
  assign second            = head_t'(head_mem[HeadIndex'({channel_i, !s_q.head})]);
  assign {jump, jump_slot} = refresh_i ? oldest : s_q.jumps[1] ? second : newest;
  always_ff @(posedge clk_i) begin
    if (row_take && !swap_i) begin
      head_mem[HeadIndex'({channel_i, s_q.head^s_q.jumps[0]})] <= newest;
      row_mem[HeadIndex'({channel_i, s_q.head^s_q.jumps[0]})]  <= next_row;
    end
  end

  // ---- Address of a row, then its segments

  assign at_segment = Bounds ? s_q.segment : 2'd1;
  assign jump_take  = s_q.jumps != '0 && row_ready && !refresh_i;
  assign row_done   = at_segment[1] || (at_segment == 2'd1 && !row.tail) || row.empty;
  assign row_ready  = !s_q.row_valid || (segment_ready_i && row_done);

  function automatic logic [1:0] first_segment(logic in_bounds, logic lead);
    return !in_bounds ? 2'd3 : lead ? 2'd0 : 2'd1;
  endfunction

  // The next one.
  always_comb begin
    slot    = row.slot[SlotLog-1:0];
    segment = at_segment + 1'b1;
    if (refresh_i) begin
      segment = at_segment;
    end else if (!s_q.row_valid || row_done) begin
      slot    = jump_row.slot[SlotLog-1:0];
      segment = first_segment(jump_row.in_bounds, jump_row.lead);
    end
  end

  always_ff @(posedge clk_i) begin
    skip_q <= !run_ready_o && !swap_i && discards(discard_i, run.row.number);
    if (!rst_ni) begin
      s_q <= rows_state_t'(0);
    end else if (swap_i) begin
      s_q <= state_i;
    end else begin
      if (run_ready_o) begin
        s_q.run_valid <= run_valid_i;
        s_q.begun     <= 1'b0;
      end else if (row_take) begin
        s_q.begun <= 1'b1;
      end
      s_q.jumps <= s_q.jumps + 2'(row_take) - 2'(jump_take);
      s_q.head  <= s_q.head ^ jump_take;
      if (row_ready && !refresh_i) s_q.row_valid <= s_q.jumps != '0;
      if (segment_ready_i || !s_q.row_valid) s_q.segment <= segment;
      if (kill_i) begin
        s_q.run_valid <= 1'b0;
        s_q.jumps     <= '0;
        s_q.row_valid <= 1'b0;
      end
    end
    if (!Bounds) s_q.segment <= '0;
  end

  assign segment_valid_o = s_q.row_valid && !refresh_i;
  assign segment_o = '{
          row: row,
          first: at_segment == first_segment(row.in_bounds, row.lead),
          data: at_segment == 2'd1 && !row.empty,
          ends: row_done,
          addr: base,
          big: size_q[SizeWidth],
          size: size_q[SizeWidth-1:0]
      };
  assign state_o = s_q;

  `TSR_ASSERT(SegmentHasARow, !segment_valid_o || !row.empty || row_done)

endmodule
