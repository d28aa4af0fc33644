// Loaders with descriptor RAM and the native decoder, of two shapes. tests/channel_units/loader_test.cpp has the same list.
module loader_top
  import tsr_pkg::*;
  import tsr_descriptor_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_list_pkg::*;
#(
  localparam int unsigned Cells = 2,
  localparam int unsigned Most  = 4   // channels
) (
  input  logic                             clk_i,
  input  logic                             rst_ni,
  input  logic [Cells-1:0][Most-1:0][15:0] request_i,       // 7:0 descriptor, 8 final turn
  input  logic [Cells-1:0][Most-1:0]       valid_i,
  output logic [Cells-1:0][Most-1:0]       ready_o,
  output logic [Cells-1:0][Most-1:0]       loaded_valid_o,
  // 31:0 side, 39:32 descriptor, 47:40 next, 53:48 error, 54 chained, 55 end of the task
  output logic [Cells-1:0][    63:0]       loaded_o,
  output logic [Cells-1:0][    63:0]       addr_o,          // of the transfer
  input  logic [Cells-1:0][    15:0]       guess_i,         // 7:0 descriptor, 8 valid
  // 50:0 descriptor_access_t, 51 valid
  input  logic [Cells-1:0][    63:0]       access_i,
  output logic [Cells-1:0]                 access_ready_o,
  output logic [Cells-1:0][    31:0]       access_data_o
);

  localparam int unsigned Channels[Cells] = '{4, 3};
  localparam int unsigned Descriptors[Cells] = '{16, 11};
  localparam bit Full[Cells] = '{1'b1, 1'b0};  // not dealt, with extensions, early

  for (genvar i = 0; i < Cells; i++) begin : gen_cell
    localparam int unsigned Count = Channels[i];
    load_request_t [Count-1:0] request;
    loaded_t loaded, decoded;
    transfer_t transfer;
    logic read, read_ready, read_hit, read_list, fill, drop, advance, written, has_iteration;
    logic unused_take, unused_error;
    logic [$clog2(Count)-1:0] unused_select;
    logic [63:0] unused_addr;
    logic [Count-1:0] unused_channel;
    descriptor_id_t read_id;
    descriptor_access_t access;
    logic [15:0] turns, turns_next;
    logic [DescriptorWords-1:0][31:0] base, bounds, walk;
    decode_t decode;
    descriptor_t descriptor;

    for (genvar c = 0; c < Most; c++) begin : gen_channel
      if (c < Count) begin : gen_used
        assign request[c] = '{
                descriptor: request_i[i][c][7:0],
                from_list: 1'b0,
                final_turn: request_i[i][c][8]
            };
      end else begin : gen_unused
        assign ready_o[i][c] = 1'b0;
        assign loaded_valid_o[i][c] = 1'b0;
      end
    end
    assign access = descriptor_access_t'(access_i[i][50:0]);
    assign loaded_o[i] = {
      8'b0,
      loaded.task_end,
      loaded.chained,
      loaded.error,
      loaded.next,
      loaded.descriptor,
      loaded.side
    };
    assign addr_o[i] = transfer.addr;

    tsr_loader #(
      .Channels   (Count),
      .Descriptors(Descriptors[i]),
      .Dealt      (!Full[i]),
      .Walk       (Full[i]),
      .Bounds     (Full[i]),
      .Early      (Full[i])
    ) u_dut (
      .clk_i,
      .rst_ni,
      .request_i       (request),
      .valid_i         (valid_i[i][Count-1:0]),
      .ready_o         (ready_o[i][Count-1:0]),
      .loaded_o        (loaded),
      .transfer_o      (transfer),
      .loaded_valid_o  (loaded_valid_o[i][Count-1:0]),
      .loaded_addr_o   (unused_addr),
      .list_open_i     ('0),
      .list_valid_i    ('0),
      .list_select_o   (unused_select),
      .list_part_i     ('0),
      .list_take_o     (unused_take),
      .read_o          (read),
      .read_ready_i    (read_ready),
      .read_hit_i      (read_hit),
      .guess_i         (guess_i[i][7:0]),
      .guess_valid_i   (guess_i[i][8]),
      .read_id_o       (read_id),
      .read_list_o     (read_list),
      .fill_o          (fill),
      .release_o       (drop),
      .advance_o       (advance),
      .decode_o        (decode),
      .decode_channel_o(unused_channel),
      .descriptor_i    (descriptor),
      .decoded_i       (decoded),
      .has_iteration_i (has_iteration)
    );

    tsr_descriptor_ram #(
      .Descriptors(Descriptors[i]),
      .Walk       (Full[i]),
      .Bounds     (Full[i])
    ) u_ram (
      .clk_i,
      .rst_ni,
      .read_i        (read),
      .read_ready_o  (read_ready),
      .hit_o         (read_hit),
      .read_id_i     (read_id),
      .read_list_i   (read_list),
      .fill_i        (fill),
      .fill_part_i   (PartBase),
      .fill_words_i  ('0),
      .release_i     (drop),
      .advance_i     (advance),
      .turns_i       (turns_next),
      .base_o        (base),
      .bounds_o      (bounds),
      .walk_o        (walk),
      .turns_o       (turns),
      .valid_o       (written),
      .access_i      (access),
      .access_valid_i(access_i[i][51]),
      .access_ready_o(access_ready_o[i]),
      .access_error_o(unused_error),
      .access_data_o (access_data_o[i])
    );

    tsr_native_descriptor #(
      .Locks  (10),
      .Walk   (Full[i]),
      .Bounds (Full[i]),
      .Headers(Full[i])
    ) u_decode (
      .written_i      (written),
      .base_i         (base),
      .bounds_i       (bounds),
      .walk_i         (walk),
      .turns_i        (turns),
      .decode_i       (decode),
      .descriptor_o   (descriptor),
      .loaded_o       (decoded),
      .has_iteration_o(has_iteration),
      .next_turn_o    (turns_next)
    );
  end

endmodule
