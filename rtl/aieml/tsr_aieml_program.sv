// What of tessera_aieml lies between the register bus and the engine: registers, events, the decoder of descriptors, the
// attributes of the bus.
//
// Wiring only. Contract: arrays over channels hold MM2S first, then S2MM. The register bus as tsr_aieml_registers, jobs and
// rows as tsr_aieml_load, the rest of the sequencer as tsr_dma_engine.
`include "tsr_assert.svh"
module tsr_aieml_program
  import tsr_fabric_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_register_pkg::*;
  import tsr_program_pkg::*;
  import tsr_aieml_pkg::*;
#(
  parameter  int unsigned         Image       = ImageMemory,
  parameter  int unsigned         DataWidth   = 128,
  parameter  int unsigned         StreamWidth = 32,
  parameter  bit                  PadIncoming = 1'b0,
  parameter  int unsigned         Align       = 19,
  parameter  aieml_window_t [2:0] Windows     = '0,
  parameter  aieml_place_t        Place       = '0,
  localparam image_t              Tile        = image_of(Image),
  localparam int unsigned         N           = Tile.Channels,
  localparam int unsigned         Channels    = 2 * N
) (
  input logic clk_i,
  input logic rst_ni,
  // The register bus, and control packets beside it.
  input bus_request_t request_i,
  input logic valid_i,
  output logic ready_o,
  output bus_answer_t answer_o,
  input logic [3:0] packet_errors_i,
  output logic [3:0] packet_clear_o,
  output logic packets_o,
  output logic check_last_o,
  // Sequencer.
  output push_t push_o,
  output logic push_valid_o,
  input logic push_ready_i,
  output sequencer_request_t sequencer_o,
  input sequencer_answer_t sequencer_i,
  output orders_t [Channels-1:0] orders_o,
  input channel_levels_t [Channels-1:0] levels_i,
  input logic [Channels-1:0] rested_i,  // a reset is done
  input sequencer_event_t event_i,
  input logic event_valid_i,
  input channel_t token_channel_i,
  output logic [7:0] controller_o,
  input lock_report_t lock_report_i,
  input job_t job_i,
  input logic job_valid_i,
  output logic job_ready_o,
  output logic [127:0] shown_o,
  output logic shown_ordered_o,
  output logic shown_valid_o,
  // Preparation.
  output job_t prepare_o,
  output logic prepare_valid_o,
  input logic prepare_ready_i,
  output list_row_t row_o,
  output logic row_valid_o,
  input logic row_ready_i,
  // Channels.
  output logic [Channels-1:0] pause_o,
  output logic [Channels-1:0] pause_stream_o,
  output logic [Channels-1:0] resets_o,
  output logic [Channels-1:0] active_o,
  input logic [Channels-1:0] owed_i,
  input logic [Channels-1:0] stuck_i,
  input stream_events_t [Channels-1:0] stream_i,
  input logic [Channels-1:0][5:0] moved_i,  // words between stream and engine
  output aieml_stage_t stage_o,
  output logic [Channels-1:0] stage_valid_o,
  input channel_t go_channel_i,
  input logic go_valid_i,
  output axi_attr_t [Channels-1:0] attr_o,
  output logic [Channels-1:0][3:0] smid_o,
  // Memory, place, interrupt.
  output aieml_window_t [2:0] window_o,
  output aieml_place_t place_o,
  output logic irq_o
);

  localparam bit Staged = StreamWidth == 32;  // headers and compression are a word at a time

  // ---- Registers --------------------------------------------------------------------------------

  aieml_mode_t [Channels-1:0] mode, tile_mode;
  aieml_activity_t [Channels-1:0] activity;
  aieml_access_t access;
  logic access_valid, access_ready, events_valid;
  logic [31:0] access_data, events_data;
  logic [Channels-1:0] stalled, memory_waits;

  for (genvar c = 0; c < Channels; c++) begin : gen_waits
    // A buffer that is full, or empty while the stream waits.
    assign memory_waits[c] = c < N ?
        levels_i[c].running && !stream_i[c].valid && stream_i[c].ready :
        stream_i[c].valid && !stream_i[c].ready;
    assign stalled[c] = c < N ? stream_i[c].valid && !stream_i[c].ready :
        !stream_i[c].valid && stream_i[c].ready;
  end

  tsr_aieml_registers #(
    .Image      (Image),
    .StreamWidth(StreamWidth),
    .DataWidth  (DataWidth),
    .Align      (Align),
    .Windows    (Windows),
    .Place      (Place)
  ) u_registers (
    .clk_i,
    .rst_ni,
    .request_i,
    .valid_i,
    .ready_o,
    .answer_o,
    .push_o,
    .push_valid_o,
    .push_ready_i,
    .orders_o,
    .levels_i,
    .rested_i,
    .event_i,
    .event_valid_i,
    .view_channel_o(sequencer_o.view_channel),
    .view_i        (sequencer_i.view),
    .read_channel_o(sequencer_o.read_channel),
    .read_word_o   (sequencer_o.read_word),
    .read_i        (sequencer_i.read),
    .pop_o         (sequencer_o.pop),
    .token_channel_i,
    .controller_o,
    .mode_o        (mode),
    .pause_o,
    .pause_stream_o,
    .resets_o,
    .active_o,
    .activity_o    (activity),
    .owed_i,
    .stuck_i,
    .words_i       (moved_i),
    .stalled_i     (stalled),
    .memory_waits_i(memory_waits),
    .lock_o        (sequencer_o.lock),
    .lock_valid_o  (sequencer_o.lock_valid),
    .lock_ready_i  (sequencer_i.lock_ready),
    .lock_answer_i (sequencer_i.lock),
    .lock_report_i,
    .access_o      (access),
    .access_valid_o(access_valid),
    .access_ready_i(access_ready),
    .access_data_i (access_data),
    .events_valid_o(events_valid),
    .events_data_i (events_data),
    .packet_errors_i,
    .packet_clear_o,
    .packets_o,
    .check_last_o,
    .window_o,
    .place_o,
    .irq_o
  );

  tsr_aieml_events #(
    .Image(Image)
  ) u_events (
    .clk_i,
    .rst_ni,
    .word_i        (request_i.word),
    .valid_i       (events_valid),
    .write_i       (request_i.write),
    .data_i        (request_i.data),
    .data_o        (events_data),
    .activity_i    (activity),
    .stream_i,
    .lock_i        (lock_report_i),
    .packet_error_i(packet_errors_i != '0)
  );

  // ---- Descriptors ------------------------------------------------------------------------------

  // The first four channels of a direction reach the neighbours.
  always_comb begin
    tile_mode = mode;
    for (int unsigned c = 0; c < Channels; c++) begin
      tile_mode[c].west = window_o[0].present && c % N < 4;
      tile_mode[c].east = window_o[2].present && c % N < 4;
    end
  end

  channel_t stage_channel;
  logic [1:0] stage_slot;
  aieml_side_t side;
  logic stage_valid, changes;
  tsr_aieml_load #(
    .Image      (Image),
    .PadIncoming(PadIncoming),
    .Staged     (Staged)
  ) u_load (
    .clk_i,
    .rst_ni,
    .access_i      (access),
    .access_valid_i(access_valid),
    .access_ready_o(access_ready),
    .access_data_o (access_data),
    .place_i       (place_o),
    .job_i,
    .job_valid_i,
    .job_ready_o,
    .shown_o,
    .shown_ordered_o,
    .shown_valid_o,
    .job_o         (prepare_o),
    .job_valid_o   (prepare_valid_o),
    .job_ready_i   (prepare_ready_i),
    .row_valid_o,
    .row_ready_i,
    .row_o,
    .mode_i        (tile_mode),
    .channel_o     (stage_channel),
    .slot_o        (stage_slot),
    .stage_o,
    .side_o        (side),
    .stage_valid_o (stage_valid),
    .ordered_i     (changes)
  );
  always_comb begin
    for (int unsigned c = 0; c < Channels; c++) begin
      stage_valid_o[c] = stage_valid && 32'(stage_channel) == c;
    end
  end

  tsr_aieml_attributes #(
    .Enable  (Image == ImageShim),
    .Channels(Channels)
  ) u_attributes (
    .clk_i,
    .rst_ni,
    .load_channel_i(stage_channel),
    .load_slot_i   (stage_slot),
    .load_i        (side),
    .load_valid_i  (stage_valid),
    .changes_o     (changes),
    .go_channel_i,
    .go_valid_i,
    .attr_o,
    .smid_o
  );

  `TSR_ASSERT(OneStage, $onehot0(stage_valid_o))

endmodule
