// Takes the descriptors of one read and one write engine through preparation, launch and record.
//
// Contract. Each direction has a place in the list memory of the preparation. Rows of a descriptor are written
// while it is `open_o`; with `go_i` the transfer is accepted, and the place is closed until its last
// context is prepared. A direction is closed in an abort, too, and while Flight transfers have no record.
// Words of a context pass through a register, so that it is launched a cycle behind its last one. A descriptor that is
// refused is launched as an empty transfer, which moves nothing and ends the beat that is open, unless it
// joins; its record says `illegal`. What is prepared first in an abort is not launched; its record says `aborted`.
// Records come in the order of transfers, one each. `idle_o`: all transfers have theirs, and the engine is
// at rest; in an abort of reads it is reset then (`clear_o`), with the bytes that it holds for a joined transfer.
// Of pairs reads are 0, and so is their channel.
// With `dropped_o` bytes of a write's end are those that were dropped.
// Latency: 2 cycles from `go_i` to the job, 1 to the engine, 0 from an end to its record, 2 if overlong.
// Throughput: as the preparation.
`include "tsr_assert.svh"
module tsr_pair_control
  import tsr_pkg::*;
  import tsr_core_pkg::*;
  import tsr_program_pkg::*;
#(
  parameter int unsigned Slots  = 4,  // contexts of an engine, 2 or 4
  parameter int unsigned Flight = 8   // transfers of an engine, a power of two
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  // Descriptors
  output logic          [  1:0] open_o,
  input  logic          [  1:0] go_i,                  // with its last row
  input  logic                  task_end_i,
  // Preparation
  output job_t                  job_o,
  output logic                  job_valid_o,
  input  logic                  job_ready_i,
  input  channel_t              descriptor_channel_i,
  input  logic          [127:0] descriptor_i,          // words 12 to 15
  input  logic                  descriptor_valid_i,
  input  channel_t              word_channel_i,
  input  context_word_t         word_i,
  input  logic                  word_valid_i,
  input  prepared_t             prepared_i,
  input  logic                  prepared_valid_i,
  // Engines
  output context_word_t         word_o,
  output logic          [  1:0] word_valid_o,
  output logic          [  1:0] go_o,
  input  logic          [  1:0] freed_i,
  input  logic          [  1:0] cut_i,
  input  logic          [  1:0] busy_i,
  input  end_t          [  1:0] end_i,
  input  logic          [  1:0] end_valid_i,
  output logic          [  1:0] end_ready_o,
  output logic                  dropped_o,             // which bytes
  // Records
  input  logic          [  1:0] abort_i,
  output done_t         [  1:0] done_o,
  output logic          [  1:0] done_valid_o,
  input  logic          [  1:0] done_ready_i,
  output logic          [  1:0] idle_o,
  output logic                  clear_o
);

  localparam int unsigned Slot = $clog2(Slots);
  localparam int unsigned Count = $clog2(Flight);

  typedef enum logic [2:0] {
    PlaceOpen,
    PlaceFirst,    // its first job is due
    PlaceFurther,  // another context of its transfer is
    PlaceOffered,  // a job is offered, or at work
    PlaceMore      // the same, of a further context
  } place_e;
  // A transfer that has no record.
  typedef struct packed {
    logic       illegal;
    logic       aborted;  // it was not launched
    logic       finish;   // on TLAST
    logic [2:0] element;  // log2 of its bytes
  } open_t;

  // ---- Jobs: one that is offered stays -----------------------------------------------------------

  job_t job_q;
  logic offers_q, loads, pick, unused_words;
  logic [1:0] due, task_end_q, further;
  logic [1:0][Slot-1:0] slot_q;
  assign job_o        = job_q;
  assign job_valid_o  = offers_q;
  assign loads        = (!offers_q || job_ready_i) && due != '0;
  // The direction that is not at work comes first.
  assign pick         = due[!job_q.channel[0]] ? !job_q.channel[0] : job_q.channel[0];
  assign unused_words = ^descriptor_i ^ ^prepared_i ^ ^descriptor_channel_i ^ ^word_channel_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) offers_q <= 1'b0;
    else offers_q <= loads || (offers_q && !job_ready_i);
    if (loads) begin
      job_q <= '{
          channel: channel_t'(pick),
          slot: slot_t'(slot_q[pick]),
          receives: pick,
          from_list: 1'b1,
          descriptor: 8'(pick),
          final_turn: task_end_q[pick],
          continues: further[pick],
          cut: further[pick] && (abort_i[pick] || cut_i[pick])
      };
    end
    if (!rst_ni) job_q.channel <= '0;
  end

  // ---- Words of contexts ------------------------------------------------------------------------

  flags_t [1:0] hollow;  // flags of an empty transfer in place of one that is refused
  logic refused;
  assign refused = prepared_valid_i && prepared_i.bad;
  always_ff @(posedge clk_i) begin
    word_valid_o <= {2{rst_ni && (word_valid_i || refused)}} &
                    {word_channel_i[0], !word_channel_i[0]};
    word_o <= word_i;
    word_o.channel <= '0;
    if (refused) word_o.data[$bits(flags_t)-1:0] <= hollow[word_channel_i[0]];
  end

  assign clear_o = idle_o[0] && abort_i[0];

  // Bytes that were dropped are read before the record, where there are any.
  logic [1:0] looks;
  logic look_q, looked_q;
  logic [tsr_core_pkg::BytesWidth-1:0] dropped_q;
  assign looks     = {end_valid_i[1] && end_i[1].overlong && !looked_q, 1'b0};
  assign dropped_o = look_q;
  always_ff @(posedge clk_i) begin
    look_q   <= rst_ni && looks[1] && !look_q;
    looked_q <= rst_ni && (look_q || (looked_q && !end_ready_o[1]));
    if (look_q) dropped_q <= end_i[1].bytes;
  end

  for (genvar d = 0; d < 2; d++) begin : gen_direction
    place_e place_q;
    logic prepared, first, stopped, launches, closes, made, load;
    logic [Slot:0] used_q;
    logic [Count:0] count_q;
    logic [2:0] element_q;
    logic finish_q, go_q;
    logic [1:0] rule_q;
    logic join_q;

    // ---- The place --------------------------------------------------------------------------------

    assign prepared = prepared_valid_i && prepared_i.channel == channel_t'(d);
    assign first = place_q == PlaceOffered;
    assign stopped = first && abort_i[d];
    assign launches = prepared && !stopped;
    assign closes = prepared && !(launches && prepared_i.more);
    assign further[d] = place_q == PlaceFurther;
    assign due[d]     = (place_q == PlaceFirst || place_q == PlaceFurther) &&
                        used_q != (Slot + 1)'(Slots);
    assign load = loads && 32'(pick) == d;
    assign open_o[d] = place_q == PlaceOpen && !abort_i[d] && !count_q[Count];
    always_ff @(posedge clk_i) begin
      if (!rst_ni) place_q <= PlaceOpen;
      else if (go_i[d]) place_q <= PlaceFirst;
      else if (load) place_q <= further[d] ? PlaceMore : PlaceOffered;
      else if (closes) place_q <= PlaceOpen;
      else if (prepared) place_q <= PlaceFurther;
      if (go_i[d]) task_end_q[d] <= task_end_i;
    end

    // ---- Contexts ---------------------------------------------------------------------------------

    assign go_o[d] = go_q;
    always_ff @(posedge clk_i) begin
      go_q <= rst_ni && launches;
      if (!rst_ni || (d == 0 && clear_o)) begin
        slot_q[d] <= '0;
        used_q    <= '0;
      end else begin
        slot_q[d] <= slot_q[d] + Slot'(launches);
        used_q    <= used_q + (Slot + 1)'(load) - (Slot + 1)'(freed_i[d]) -
                     (Slot + 1)'(prepared && !launches);
      end
    end

    // ---- Transfers --------------------------------------------------------------------------------

    open_t oldest;
    logic oldest_valid, engine, taken, unused_ready;
    logic [6:0] odd;
    assign made  = prepared && first;
    assign taken = done_valid_o[d] && done_ready_i[d];
    always_ff @(posedge clk_i) begin
      if (descriptor_valid_i && descriptor_channel_i == channel_t'(d)) begin
        finish_q  <= descriptor_i[106];
        element_q <= descriptor_i[98:96];
        rule_q    <= descriptor_i[101:100];
        join_q    <= descriptor_i[105];
      end
      if (!rst_ni) count_q <= '0;
      else count_q <= count_q + (Count + 1)'(go_i[d]) - (Count + 1)'(taken);
    end
    tsr_fifo #(
      .Depth(Flight),
      .T    (open_t)
    ) u_open (
      .clk_i,
      .rst_ni,
      .flush_i(1'b0),
      .data_i ({refused && !stopped, stopped, finish_q, element_q}),
      .valid_i(made),
      .ready_o(unused_ready),
      .data_o (oldest),
      .valid_o(oldest_valid),
      .ready_i(taken)
    );

    // ---- Records ----------------------------------------------------------------------------------

    assign engine          = !oldest.aborted;
    assign odd             = end_i[d].bytes[6:0] & ~(7'h7f << oldest.element);
    assign done_valid_o[d] = oldest_valid && (!engine || (end_valid_i[d] && !looks[d]));
    assign end_ready_o[d]  = taken && engine;
    always_comb begin
      logic joins;
      joins           = join_q && !task_end_q[d];
      hollow[d]       = '0;
      hollow[d].empty = 1'b1;
      hollow[d].flush = !joins;
      hollow[d].last  = d == 0 && !joins && (rule_q[0] || (rule_q[1] && task_end_q[d]));
    end
    always_comb begin
      done_o[d] = '0;
      if (engine) begin
        done_o[d].bytes = end_i[d].bytes;
        done_o[d].last = end_i[d].last;
        done_o[d].status.slverr = end_i[d].slverr;
        done_o[d].status.decerr = end_i[d].decerr;
        done_o[d].status.overlong = end_i[d].overlong;
        done_o[d].status.sparse_keep = end_i[d].sparse_keep;
        done_o[d].status.aborted = end_i[d].aborted;
        done_o[d].status.partial_element = oldest.finish && end_i[d].last && !end_i[d].aborted &&
                                           odd != '0;
        if (end_i[d].overlong) done_o[d].dropped = dropped_q;
        if (end_i[d].slverr || end_i[d].decerr) done_o[d].addr = end_i[d].addr;
      end
      done_o[d].status.illegal = oldest.illegal;
      if (!engine) done_o[d].status.aborted = 1'b1;
    end
    // Bytes of the stream that a writer has wait for the next transfer, or for an abort.
    assign idle_o[d] = count_q == '0 && !(busy_i[d] && (d == 0 || abort_i[d]));

    logic unused_end;
    assign unused_end = ^end_i[d];

    `TSR_ASSERT(RowsWhileOpen, !go_i[d] || open_o[d])
    `TSR_ASSERT(UsedFits, 32'(used_q) <= Slots && !(freed_i[d] && used_q == '0))
    `TSR_ASSERT(AnEndHasATransfer, !end_valid_i[d] || count_q != '0)
    `TSR_ASSERT(PreparesWhatWasOffered,
                !prepared || place_q == PlaceOffered || place_q == PlaceMore)
  end

  `TSR_STATIC_ASSERT(Slots, Slots == 2 || Slots == 4, ("Slots = %0d; legal is 2 or 4", Slots))

endmodule
