// Preparation: descriptors in a RAM, and a micro-programmed unit that makes contexts of them.
//
// Contract: a job stays until `job_ready_o`. Words of its context come out without
// backpressure, the flags last and with `prepared_o`, with an error none that counts.
// `descriptor_o` is row 3 of the descriptor (words 12 to 15) as it is read; with the acceptance
// of a job, or later if that is no further context. A descriptor may change while no job is at
// work: that is when software reads and writes it (tsr_prep_memory).
// Latency: job to prepared 6 cycles for a row, 10 for two dimensions, 17 for four.
// Throughput: a row in 4 cycles, two dimensions in 8, four in 15.
`include "tsr_assert.svh"
module tsr_preparation
  import tsr_core_pkg::*;
  import tsr_program_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_prep_pkg::*;
#(
  parameter int unsigned AddrWidth   = 64,    // 32 .. 64
  parameter int unsigned BusLog      = 3,     // log2 of the bytes of the bus, 2 .. 7
  parameter int unsigned Channels    = 2,     // of both directions, 1 .. 32
  parameter int unsigned Descriptors = 16,    // 1 .. 256
  parameter int unsigned Places      = 0,     // of lists, 0 .. 128
  parameter int unsigned Locks       = 16,    // 0 .. 64
  parameter bit          Headers     = 1'b0,
  parameter bit          Walk        = 1'b1,
  parameter bit          Bounds      = 1'b1
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // Jobs
  input  job_t                       job_i,
  input  logic                       job_valid_i,
  output logic                       job_ready_o,
  output channel_t                   descriptor_channel_o,
  output logic               [127:0] descriptor_o,
  output logic                       descriptor_valid_o,
  // Contexts
  output channel_t                   word_channel_o,        // instead of that of the word
  output context_word_t              word_o,
  output logic                       word_valid_o,
  output prepared_t                  prepared_o,
  output logic                       prepared_valid_o,
  // Parts of lists
  input  logic                       list_valid_i,
  output logic                       list_ready_o,
  input  list_row_t                  list_i,
  // Software
  input  descriptor_access_t         access_i,
  input  logic                       access_valid_i,
  output logic                       access_ready_o,
  output logic                       access_error_o,
  output logic               [ 31:0] access_data_o
);

  localparam int unsigned FlagBits = $bits(flags_t);

  read_t read;
  write_t put;
  logic [127:0] row;
  logic [3:0] zeros;
  logic [63:0] sum;
  logic written, access_waits, access_busy, grant;

  tsr_prep_memory #(
    .Descriptors(Descriptors),
    .Places     (Places),
    .Channels   (Channels),
    .Walk       (Walk),
    .Bounds     (Bounds)
  ) u_memory (
    .clk_i,
    .rst_ni,
    .read_i        (read),
    .row_o         (row),
    .zeros_o       (zeros),
    .written_o     (written),
    .put_i         (put),
    .sum_i         (sum),
    .list_valid_i,
    .list_ready_o,
    .list_i,
    .access_i,
    .access_valid_i,
    .access_ready_o,
    .access_error_o,
    .access_waits_o(access_waits),
    .access_busy_o (access_busy),
    .grant_i       (grant)
  );

  state_t state;
  keep_e  keep;
  job_t job, header_job;
  instruction_t instruction, next_instruction;
  logic [1:0] next_dim, next_move;
  logic header, shown, live, ends, next_row, last_look;
  logic [8:0] index;

  tsr_prep_control #(
    .Descriptors(Descriptors),
    .Walk       (Walk),
    .Bounds     (Bounds)
  ) u_control (
    .clk_i,
    .rst_ni,
    .job_i,
    .job_valid_i,
    .job_ready_o,
    .state_i       (state),
    .next_row_i    (next_row),
    .job_o         (job),
    .header_o      (header),
    .header_job_o  (header_job),
    .shown_o       (shown),
    .live_o        (live),
    .last_look_o   (last_look),
    .keep_o        (keep),
    .instruction_o (instruction),
    .next_o        (next_instruction),
    .end_o         (ends),
    .read_o        (read),
    .index_o       (index),
    .access_waits_i(access_waits),
    .access_busy_i (access_busy),
    .access_word_i (access_i.word[1:0]),
    .grant_o       (grant)
  );

  logic [63:0] product, data;
  logic [31:0] word;
  logic [ 1:0] dim;
  logic clamp, below, last_turn, ahead, inside_bounds, behind, high;
  attributes_t attributes;
  levels_t levels;
  word_e place;
  flags_t flags;
  logic [5:0] error;
  logic place_valid, wrong, begins, bad;
  assign dim  = instruction.loop ? state.dim : instruction.dim;
  assign high = attributes.bounds && AddrWidth > 32;

  tsr_prep_product u_product (
    .clk_i,
    .rst_ni,
    .operand_i(live ? instruction.mul : MNone),
    .word_i   (word),
    .high_i   (high),
    .clamp_i  (clamp),
    .padded_i (state.padded && !state.again),
    .still_i  (state.padded && state.move == 2'd0),
    .turns_i  (attributes.iterates),
    .product_o(product)
  );

  tsr_prep_sums #(
    .Width (Walk || Bounds ? 64 : AddrWidth > 34 ? AddrWidth : 34),
    .Bounds(Bounds)
  ) u_sums (
    .clk_i,
    .rst_ni,
    .live_i       (live),
    .instruction_i(instruction),
    .next_i       (next_instruction),
    .dim_i        (dim),
    .next_dim_i   (next_dim),
    .next_move_i  (next_move),
    .level_i      (state.level),
    .row_i        (state.row),
    .endless_i    (state.length && !state.walk),
    .high_i       (high),
    .row_word_i   (row),
    .product_i    (product),
    .word_o       (word),
    .sum_o        (sum),
    .below_o      (below),
    .before_o     (ahead),
    .inside_o     (inside_bounds),
    .behind_o     (behind)
  );

  tsr_prep_flags #(
    .AddrWidth(AddrWidth),
    .Walk     (Walk),
    .Bounds   (Bounds)
  ) u_flags (
    .clk_i,
    .rst_ni,
    .header_i    (header),
    .header_job_i(header_job),
    .end_i       (ends),
    .job_i       (job),
    .wrong_i     (wrong),
    .keep_i      (keep),
    .words_i     (row),
    .zeros_i     (zeros),
    .sum_i       (sum[16:0]),
    .below_i     (below),
    .before_i    (ahead),
    .inside_i    (inside_bounds),
    .behind_i    (behind),
    .state_o     (state),
    .next_row_o  (next_row),
    .next_dim_o  (next_dim),
    .next_move_o (next_move),
    .attributes_o(attributes),
    .levels_o    (levels),
    .clamp_o     (clamp),
    .last_turn_o (last_turn),
    .flags_o     (flags)
  );

  tsr_prep_errors #(
    .AddrWidth  (AddrWidth),
    .BusLog     (BusLog),
    .Descriptors(Descriptors),
    .Places     (Places),
    .Locks      (Locks),
    .Headers    (Headers),
    .Walk       (Walk),
    .Bounds     (Bounds)
  ) u_errors (
    .clk_i,
    .rst_ni,
    .header_i    (header),
    .job_i       (header_job),
    .written_i   (written),
    .keep_i      (keep),
    .last_look_i (last_look && !state.extra),
    .attributes_i(attributes),
    .row_i       (state.row),
    .words_i     (row),
    .bad_o       (bad),
    .error_o     (error),
    .wrong_o     (wrong)
  );

  // What every job begins with is in a slot that holds words of the transfer.
  assign begins = keep == KCounts23 || keep == KStride;
  tsr_prep_output #(
    .BusLog(BusLog)
  ) u_output (
    .clk_i,
    .rst_ni,
    .out_i   (live && !(state.held && begins) ? instruction.out : ONone),
    .dim_i   (dim),
    .levels_i(levels),
    .elem_i  (attributes.elem),
    .sum_i   (sum),
    .word_o  (place),
    .valid_o (place_valid),
    .data_o  (data)
  );

  tsr_prep_store #(
    .Walk(Walk)
  ) u_store (
    .clk_i,
    .rst_ni,
    .store_i     (live ? instruction.store : PNone),
    .channel_i   (job.channel),
    .index_i     (index),
    .state_i     (state),
    .attributes_i(attributes),
    .last_turn_i (last_turn),
    .high_sum_i  (sum[63:32]),
    .put_o       (put)
  );

  assign descriptor_channel_o = header_job.channel;
  assign descriptor_o = row;
  assign descriptor_valid_o = shown;
  assign word_channel_o = job.channel;
  assign word_o = '{
          channel: job.channel[3:0],
          slot: job.slot,
          word: ends ? WordFlags : place,
          data: {data[63:FlagBits], ends ? flags : data[FlagBits-1:0]}  // above flags: any
      };
  assign word_valid_o = ends ? !bad : place_valid;
  assign prepared_o = '{
          channel: job.channel,
          slot: job.slot,
          bad: bad,
          error: error,
          more: flags.more && !bad,
          from_list: job.from_list,
          place: job.descriptor
      };
  assign prepared_valid_o = ends;
  assign access_data_o = word & {1'b1 & !(access_i.area == AreaBase &&
                                          access_i.word == 4'd15 && !written), 31'h7fff_ffff};

  logic unused_job;
  assign unused_job = ^job;

  `TSR_ASSERT(OneWord, !(place_valid && ends && !bad && !job.cut))

endmodule
