// Preparations in several shapes side by side. tests/program/preparation_bench.h has the same list.
module preparation_top
  import tsr_core_pkg::*;
  import tsr_program_pkg::*;
  import tsr_channel_pkg::*;
#(
  localparam int unsigned Cells = 4
) (
  input logic [Cells-1:0] clk_i,  // of each: who is not tested stands still
  input logic rst_ni,
  input logic job_valid_i,
  input logic [4:0] job_channel_i,
  input slot_t job_slot_i,
  input logic job_receives_i,
  input logic job_from_list_i,
  input logic [7:0] job_descriptor_i,
  input logic job_final_turn_i,
  input logic job_continues_i,
  input logic job_cut_i,
  output logic [Cells-1:0] job_ready_o,
  output logic [Cells-1:0] descriptor_valid_o,
  output logic [Cells-1:0][4:0] descriptor_channel_o,
  output logic [Cells-1:0][3:0][31:0] descriptor_o,
  output logic [Cells-1:0] word_valid_o,
  output logic [Cells-1:0][15:0] word_index_o,  // channel, slot, word: five, three, eight bits
  output logic [Cells-1:0][63:0] word_data_o,
  output logic [Cells-1:0] prepared_valid_o,
  output logic [Cells-1:0][15:0] prepared_o,  // error, more, channel, slot
  input logic list_valid_i,
  output logic [Cells-1:0] list_ready_o,
  input logic [7:0] list_place_i,
  input logic [1:0] list_area_i,
  input logic [1:0] list_row_i,
  input logic [3:0][31:0] list_data_i,
  input logic access_valid_i,
  input logic access_write_i,
  input logic [1:0] access_area_i,
  input logic [7:0] access_descriptor_i,
  input logic [3:0] access_word_i,
  input logic [31:0] access_data_i,
  input logic [3:0] access_strobe_i,
  output logic [Cells-1:0] access_ready_o,
  output logic [Cells-1:0] access_error_o,
  output logic [Cells-1:0][31:0] access_data_o
);

  localparam int unsigned AddrWidth[Cells] = '{64, 32, 40, 64};
  localparam int unsigned BusLog[Cells] = '{3, 2, 7, 3};
  localparam int unsigned Channels[Cells] = '{4, 2, 32, 2};
  localparam int unsigned Descriptors[Cells] = '{16, 5, 16, 3};
  localparam int unsigned Places[Cells] = '{4, 3, 16, 0};
  localparam int unsigned Locks[Cells] = '{16, 64, 5, 0};
  localparam bit Headers[Cells] = '{1'b1, 1'b0, 1'b1, 1'b0};
  localparam bit Walk[Cells] = '{1'b1, 1'b1, 1'b1, 1'b0};
  localparam bit Bounds[Cells] = '{1'b1, 1'b1, 1'b1, 1'b0};

  job_t job;
  assign job = '{
          channel: job_channel_i,
          slot: job_slot_i,
          receives: job_receives_i,
          from_list: job_from_list_i,
          descriptor: job_descriptor_i,
          final_turn: job_final_turn_i,
          continues: job_continues_i,
          cut: job_cut_i
      };
  descriptor_access_t access;
  assign access = '{
          write: access_write_i,
          area: descriptor_area_e'(access_area_i),
          descriptor: access_descriptor_i,
          word: access_word_i,
          data: access_data_i,
          strobe: access_strobe_i
      };

  for (genvar i = 0; i < Cells; i++) begin : gen_cell
    context_word_t word;
    prepared_t prepared;
    logic [4:0] word_channel;
    tsr_preparation #(
      .AddrWidth  (AddrWidth[i]),
      .BusLog     (BusLog[i]),
      .Channels   (Channels[i]),
      .Descriptors(Descriptors[i]),
      .Places     (Places[i]),
      .Locks      (Locks[i]),
      .Headers    (Headers[i]),
      .Walk       (Walk[i]),
      .Bounds     (Bounds[i])
    ) u_dut (
      .clk_i               (clk_i[i]),
      .rst_ni,
      .job_i               (job),
      .job_valid_i,
      .job_ready_o         (job_ready_o[i]),
      .descriptor_channel_o(descriptor_channel_o[i]),
      .descriptor_o        (descriptor_o[i]),
      .descriptor_valid_o  (descriptor_valid_o[i]),
      .word_channel_o      (word_channel),
      .word_o              (word),
      .word_valid_o        (word_valid_o[i]),
      .prepared_o          (prepared),
      .prepared_valid_o    (prepared_valid_o[i]),
      .list_valid_i,
      .list_ready_o        (list_ready_o[i]),
      .list_i              ({list_place_i, list_area_i, list_row_i, list_data_i}),
      .access_i            (access),
      .access_valid_i,
      .access_ready_o      (access_ready_o[i]),
      .access_error_o      (access_error_o[i]),
      .access_data_o       (access_data_o[i])
    );
    assign word_index_o[i] = {word_channel, 1'b0, word.slot, 3'b0, word.word};
    assign word_data_o[i] = word.data;
    assign prepared_o[i] = {
      1'b0, prepared.error & {6{prepared.bad}}, prepared.more, 1'b0, prepared.channel, prepared.slot
    };
  end

endmodule
