// Loads descriptors of a tile: for each job of the sequencer it reads the words, and writes them into a place of the
// preparation as a native descriptor.
//
// Contract: stands between the jobs of the sequencer and those of the preparation, whose writes of places it has to itself. A
// job is accepted with what the sequencer has to know of its descriptor (`shown_*`), and with that come
// `stage_o`, `side_o` of its channel and slot, unless the descriptor has an error. Then the rows go into the
// place, one a cycle, each before the preparation reads it, and the job follows behind the first. Of the
// four places the preparation works on one, one waits, and one is written. With `ordered_i` or an acquire of an equal value the
// transfer waits until those before it are done. Iteration_Current goes on unless there is an error.
// `access_*`: see tsr_aieml_ram.
// Latency: 2 cycles from a job to that of the preparation. Throughput: a descriptor in 4 cycles, with padding in 8.
`include "tsr_assert.svh"
module tsr_aieml_load
  import tsr_channel_pkg::*;
  import tsr_program_pkg::*;
  import tsr_aieml_pkg::*;
#(
  parameter  int unsigned Image       = ImageMemory,
  parameter  bit          PadIncoming = 1'b0,
  parameter  bit          Staged      = 1'b1,
  localparam image_t      Tile        = image_of(Image),
  localparam int unsigned Channels    = 2 * Tile.Channels
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  // Registers.
  input  aieml_access_t                access_i,
  input  logic                         access_valid_i,
  output logic                         access_ready_o,
  output logic          [        31:0] access_data_o,
  input  aieml_place_t                 place_i,          // of headers
  // Sequencer.
  input  job_t                         job_i,
  input  logic                         job_valid_i,
  output logic                         job_ready_o,
  output logic          [       127:0] shown_o,
  output logic                         shown_ordered_o,
  output logic                         shown_valid_o,
  // Preparation.
  output job_t                         job_o,
  output logic                         job_valid_o,
  input  logic                         job_ready_i,
  output list_row_t                    row_o,
  output logic                         row_valid_o,
  input  logic                         row_ready_i,
  // Channels.
  input  aieml_mode_t   [Channels-1:0] mode_i,
  output channel_t                     channel_o,        // of what follows
  output logic          [         1:0] slot_o,
  output aieml_stage_t                 stage_o,
  output aieml_side_t                  side_o,
  output logic                         stage_valid_o,
  input  logic                         ordered_i
);

  localparam bit Bounds = Image == ImageMemory;

  // ---- A job with its words ---------------------------------------------------------------------

  job_t job_q;
  aieml_mode_t mode, mode_q;
  logic works_q, read, read_ready, first, final_row, padded, chained, equal, room;
  logic [1:0] place_q;
  logic available, has_iteration;
  logic [2:0] step_q;
  logic [Words-1:0][31:0] words;
  logic [31:0] next_word, offset, offset_q;
  logic [3:0][31:0] sequenced;
  logic [6:0][3:0][31:0] rows;
  logic [5:0] error;

  assign first     = works_q && step_q == '0;
  assign final_row = works_q && (Bounds && padded ? step_q == 3'd7 : step_q == 3'd3);
  assign read      = job_valid_i && (!works_q || (final_row && !first)) && room && row_ready_i;
  always_comb begin
    mode = '0;
    for (int unsigned c = 0; c < Channels; c++) begin
      if (32'(job_i.channel) == c) mode = mode | mode_i[c];
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      works_q <= 1'b0;
      step_q  <= '0;
    end else begin
      works_q <= (read && read_ready) || (works_q && !final_row);
      step_q  <= works_q && !final_row ? step_q + 1'b1 : '0;
    end
    if (read && read_ready) begin
      job_q  <= job_i;
      mode_q <= mode;
    end
  end
  assign available = 32'(job_q.descriptor) < Tile.Descriptors;

  tsr_aieml_ram #(
    .Descriptors(Tile.Descriptors),
    .Used       (Image == ImageCompute ? 6 : 8),
    .Iteration  (Image == ImageCompute ? 4 : 6)
  ) u_words (
    .clk_i,
    .rst_ni,
    .read_i      (read),
    .read_ready_o(read_ready),
    .read_id_i   (job_i.descriptor),
    .release_i   (final_row),
    .advance_i   (has_iteration && error == '0),
    .next_word_i (next_word),
    .words_o     (words),
    .access_i,
    .access_valid_i,
    .access_ready_o,
    .access_data_o
  );

  tsr_aieml_descriptor #(
    .Image      (Image),
    .PadIncoming(PadIncoming),
    .Staged     (Staged)
  ) u_decode (
    .words_i        (words),
    .descriptor_i   (job_q.descriptor[5:0]),
    .available_i    (available),
    .mode_i         (mode_q),
    .place_i,
    .sequence_o     (sequenced),
    .rows_o         (rows),
    .padded_o       (padded),
    .offset_o       (offset),
    .chained_o      (chained),
    .equal_o        (equal),
    .stage_o,
    .side_o,
    .error_o        (error),
    .has_iteration_o(has_iteration),
    .next_word_o    (next_word)
  );

  // ---- To the sequencer -------------------------------------------------------------------------

  assign job_ready_o     = first;
  assign shown_o         = sequenced;
  assign shown_ordered_o = equal || ordered_i;
  assign shown_valid_o   = first;
  assign channel_o       = job_q.channel;
  assign slot_o          = job_q.slot;
  assign stage_valid_o   = first && error == '0;

  // ---- To the preparation, in the order in which it reads ---------------------------------------

  logic [63:0] base;
  assign base        = {rows[0][1], rows[0][0]} + 64'(offset_q);
  assign row_valid_o = works_q;
  always_comb begin
    row_o.place = 8'(place_q);
    row_o.area  = step_q[2] ? AreaBounds : AreaBase;
    unique case (step_q)
      3'd0:    {row_o.row, row_o.data} = {2'd3, rows[3]};
      3'd1:    {row_o.row, row_o.data} = {2'd0, rows[0][3:2], 16'd0, base[47:0]};
      3'd2:    {row_o.row, row_o.data} = {2'd1, rows[1]};
      3'd3:    {row_o.row, row_o.data} = {2'd2, rows[2]};
      3'd4:    {row_o.row, row_o.data} = {2'd3, 128'd0};  // high halves of strides
      3'd5:    {row_o.row, row_o.data} = {2'd2, rows[6]};
      3'd6:    {row_o.row, row_o.data} = {2'd0, rows[4]};
      default: {row_o.row, row_o.data} = {2'd1, rows[5]};
    endcase
  end

  typedef struct packed {
    job_t       job;
    logic [1:0] place;
  } offer_t;
  offer_t offer, head;
  always_comb begin
    offer = '{job: job_q, place: place_q};
    offer.job.final_turn = job_q.final_turn && !chained;
  end
  tsr_fifo #(
    .Depth(2),
    .T    (offer_t)
  ) u_offers (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .data_i (offer),
    .valid_i(first),
    .ready_o(room),
    .data_o (head),
    .valid_o(job_valid_o),
    .ready_i(job_ready_i)
  );
  always_ff @(posedge clk_i) begin
    offset_q <= offset;
    if (!rst_ni) place_q <= '0;
    else if (final_row) place_q <= place_q + 1'b1;
  end
  always_comb begin
    job_o            = head.job;
    job_o.from_list  = 1'b1;
    job_o.descriptor = 8'(head.place);
    job_o.continues  = 1'b0;
    job_o.cut        = 1'b0;
  end

  logic unused_bits;
  assign unused_bits = ^{base, head, job_q};

  `TSR_ASSERT(RowsGoAtOnce, !row_valid_o || row_ready_i)
  `TSR_ASSERT(JobHasRoom, !first || room)
  `TSR_STABLE(JobStays, job_valid_o, job_ready_i, job_o)

endmodule
