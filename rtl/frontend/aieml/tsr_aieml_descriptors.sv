// The descriptors of a tile: the words that software writes, and the loader that makes transfers of them.
//
// Wiring only. Contract, latency, throughput: tsr_aieml_ram (`access_*`), tsr_loader (`load_*`, `loaded_*`),
// tsr_aieml_descriptor (`mode_i`).
`include "tsr_assert.svh"
module tsr_aieml_descriptors
  import tsr_pkg::*;
  import tsr_descriptor_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_list_pkg::*;
  import tsr_aieml_pkg::*;
#(
  parameter  int unsigned Image       = ImageMemory,
  parameter  bit          PadIncoming = 1'b0,
  parameter  bit          Staged      = 1'b1,
  parameter  bit          Early       = 1'b1,              // as tsr_loader
  parameter  int unsigned DataWidth   = 128,
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
  // Channels.
  input  aieml_mode_t   [Channels-1:0] mode_i,
  input  load_request_t [Channels-1:0] load_i,
  input  logic          [Channels-1:0] load_valid_i,
  output logic          [Channels-1:0] load_ready_o,
  output loaded_t                      loaded_o,
  output transfer_t                    transfer_o,
  output logic          [Channels-1:0] loaded_valid_o
);

  localparam bit Walk = 1'b0;
  localparam bit Bounds = Image == ImageMemory;

  logic read, read_ready, release_words, advance, has_iteration;
  descriptor_id_t read_id;
  logic [Words-1:0][31:0] words;
  logic [31:0] next_word;
  logic [Channels-1:0] channel;
  decode_t decode;
  descriptor_t descriptor;
  loaded_t decoded;
  aieml_mode_t mode;

  tsr_aieml_ram #(
    .Descriptors(Tile.Descriptors),
    .Used       (Image == ImageCompute ? 6 : 8),
    .Iteration  (Image == ImageCompute ? 4 : 6)
  ) u_words (
    .clk_i,
    .rst_ni,
    .read_i      (read),
    .read_ready_o(read_ready),
    .read_id_i   (read_id),
    .release_i   (release_words),
    .advance_i   (advance),
    .next_word_i (next_word),
    .words_o     (words),
    .access_i,
    .access_valid_i,
    .access_ready_o,
    .access_data_o
  );

  always_comb begin
    mode = '0;
    for (int unsigned c = 0; c < Channels; c++) begin
      if (channel[c]) mode = mode | mode_i[c];
    end
  end

  tsr_aieml_descriptor #(
    .Image      (Image),
    .PadIncoming(PadIncoming),
    .Staged     (Staged)
  ) u_decode (
    .words_i        (words),
    .decode_i       (decode),
    .mode_i         (mode),
    .descriptor_o   (descriptor),
    .loaded_o       (decoded),
    .has_iteration_o(has_iteration),
    .next_word_o    (next_word)
  );

  logic unused_list, unused_fill, unused_take;
  logic [63:0] unused_addr;
  logic [$clog2(Channels)-1:0] unused_select;
  tsr_loader #(
    .Channels   (Channels),
    .Descriptors(Tile.Descriptors),
    .AddrWidth  (Tile.AddrWidth),
    .DataWidth  (DataWidth),
    .Walk       (Walk),
    .Bounds     (Bounds),
    .Early      (Early)
  ) u_loader (
    .clk_i,
    .rst_ni,
    .request_i       (load_i),
    .valid_i         (load_valid_i),
    .ready_o         (load_ready_o),
    .loaded_o,
    .transfer_o,
    .loaded_valid_o,
    .loaded_addr_o   (unused_addr),
    .list_open_i     ('0),
    .list_valid_i    ('0),
    .list_select_o   (unused_select),
    .list_part_i     (list_part_t'('0)),
    .list_take_o     (unused_take),
    .read_o          (read),
    .read_ready_i    (read_ready),
    .read_hit_i      (1'b0),
    .guess_i         ('0),
    .guess_valid_i   (1'b1),
    .read_id_o       (read_id),
    .read_list_o     (unused_list),
    .fill_o          (unused_fill),
    .release_o       (release_words),
    .advance_o       (advance),
    .decode_o        (decode),
    .decode_channel_o(channel),
    .descriptor_i    (descriptor),
    .decoded_i       (decoded),
    .has_iteration_i (has_iteration)
  );

  `TSR_ASSERT(OneIsDecoded, $onehot0(loaded_valid_o))

endmodule
