// The decoders of tessera_aieml: of descriptors, in three images, as they are by default and with PadIncoming and without
// stages of streams; of offsets, and of the reserved bits of their registers.
module decode_top
  import tsr_register_pkg::*;
  import tsr_aieml_pkg::*;
(
  // Of one descriptor: [Image] and, with the other parameters, [3 + Image].
  input logic [7:0][31:0] words_i,
  input logic [5:0] descriptor_i,
  input logic available_i,
  input aieml_mode_t mode_i,
  output logic [23:0][31:0] sequence_o,  // 4 words each
  output logic [167:0][31:0] rows_o,  // 28 words each, the base with its offset
  output logic [5:0] padded_o,
  output logic [5:0] chained_o,
  output logic [5:0] equal_o,
  output logic [5:0][31:0] header_o,
  output logic [5:0][31:0] words_o,
  output logic [5:0][1:0] stage_o,  // compressed, finish
  output logic [5:0][31:0] side_o,
  output logic [5:0][5:0] error_o,
  output logic [5:0] has_iteration_o,
  output logic [5:0][31:0] next_word_o,
  // Of one offset.
  input logic [BusBits-1:2] word_i,
  output aieml_region_t [2:0] region_o,
  output logic [2:0][3:0] channel_o,
  output logic [2:0][31:0] reserved_o
);

  for (genvar n = 0; n < 6; n++) begin : gen_descriptor
    logic [6:0][3:0][31:0] rows;
    logic [31:0] offset;
    logic [63:0] base;
    aieml_stage_t stage;
    aieml_side_t side;
    tsr_aieml_descriptor #(
      .Image      (n % 3),
      .PadIncoming(n >= 3),
      .Staged     (n < 3)
    ) u_dut (
      .words_i,
      .descriptor_i,
      .available_i,
      .mode_i,
      .place_i        ('{column: 7'd3, row: 5'd1}),
      .sequence_o     (sequence_o[4*n+:4]),
      .rows_o         (rows),
      .padded_o       (padded_o[n]),
      .offset_o       (offset),
      .chained_o      (chained_o[n]),
      .equal_o        (equal_o[n]),
      .stage_o        (stage),
      .side_o         (side),
      .error_o        (error_o[n]),
      .has_iteration_o(has_iteration_o[n]),
      .next_word_o    (next_word_o[n])
    );
    assign base             = {rows[0][1], rows[0][0]} + 64'(offset);
    assign rows_o[28*n+:28] = {rows[6:1], rows[0][3:2], base};
    assign header_o[n]      = stage.header;
    assign words_o[n]       = 32'(stage.words);
    assign stage_o[n]       = {stage.compressed, stage.finish};
    assign side_o[n]        = side;
  end

  for (genvar n = 0; n < 3; n++) begin : gen_offset
    tsr_aieml_decode #(
      .Image(n)
    ) u_dut (
      .word_i,
      .region_o (region_o[n]),
      .channel_o(channel_o[n])
    );

    tsr_aieml_reserved #(
      .Image(n)
    ) u_reserved (
      .word_i,
      .region_i (region_o[n]),
      .channel_i(channel_o[n]),
      .mask_o   (reserved_o[n])
    );
  end

endmodule
