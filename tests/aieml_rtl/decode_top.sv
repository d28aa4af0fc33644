// The decoders of tessera_aieml: of descriptors, in three images, as they are by default and with PadIncoming and without
// stages of streams; of offsets, and of the reserved bits of their registers.
module decode_top
  import tsr_descriptor_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_register_pkg::*;
  import tsr_aieml_pkg::*;
(
  // Of one descriptor: [Image] and, with the other parameters, [3 + Image].
  input  logic          [        7:0][31:0] words_i,
  input  decode_t                           decode_i,
  input  aieml_mode_t                       mode_i,
  output descriptor_t   [        5:0]       descriptor_o,
  output loaded_t       [        5:0]       loaded_o,
  output logic          [        5:0]       has_iteration_o,
  output logic          [        5:0][31:0] next_word_o,
  // Of one offset.
  input  logic          [BusBits-1:2]       word_i,
  output aieml_region_t [        2:0]       region_o,
  output logic          [        2:0][ 3:0] channel_o,
  output logic          [        2:0][31:0] reserved_o
);

  for (genvar n = 0; n < 6; n++) begin : gen_descriptor
    tsr_aieml_descriptor #(
      .Image      (n % 3),
      .PadIncoming(n >= 3),
      .Staged     (n < 3)
    ) u_dut (
      .words_i,
      .decode_i,
      .mode_i,
      .descriptor_o   (descriptor_o[n]),
      .loaded_o       (loaded_o[n]),
      .has_iteration_o(has_iteration_o[n]),
      .next_word_o    (next_word_o[n])
    );
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
