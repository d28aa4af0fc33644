// Where descriptors of the native front end come from: the RAM that software writes, the lists in memory,
// and the loader that makes transfers of both.
//
// Contract: as tsr_descriptor_ram (`access_*`), tsr_lists (registers, `list_*`, `listed_*`, memory) and
// tsr_loader (`load_*`, `loaded_*`). Without Lists nothing of them is built: their registers answer with an
// error at once, nothing is listed, and the memory port stays silent.
// Latency: 2 cycles from `load_i` to `loaded_o`, 1 after a right guess. Throughput: a descriptor in two cycles,
// if it needs no product.
`include "tsr_assert.svh"
`include "tsr_list_types.svh"
module tsr_descriptors
  import tsr_pkg::*;
  import tsr_descriptor_pkg::*;
  import tsr_fabric_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_register_pkg::*;
  import tsr_list_pkg::*;
  import tsr_dma_pkg::*;
#(
  parameter int unsigned Channels = 2,  // 2..32
  parameter int unsigned Descriptors = DmaDefaults.Descriptors,
  parameter bit Dealt = 1'b0,
  parameter int unsigned Locks = DmaDefaults.Locks,
  parameter int unsigned AddrWidth = DmaDefaults.AddrWidth,
  parameter int unsigned DataWidth = DmaDefaults.DataWidth,
  parameter bit Walk = 1'b1,
  parameter bit Bounds = 1'b1,
  parameter bit Headers = 1'b1,
  parameter bit Side = 1'b1,
  parameter bit Lists = 1'b0,
  parameter bit Early = 1'b1,  // as tsr_loader
  parameter int unsigned ListWidth = DmaDefaults.ListWidth,
  parameter int unsigned ListSlots = DmaDefaults.ListSlots,
  parameter bit Guard = DmaDefaults.Features.guard,  // of the memory of the lists
  parameter int unsigned Silence = DmaDefaults.Silence,
  parameter int unsigned Windows = DmaDefaults.Windows,
  localparam int unsigned ListWindows = Windows == 0 ? 1 : Windows,
  localparam type list_ax_t = `TSR_LIST_AX_T(AddrWidth),
  localparam type list_req_t = `TSR_LIST_REQ_T(list_ax_t, ListWidth),
  localparam type list_rsp_t = `TSR_LIST_RSP_T(ListWidth)
) (
  input  logic                                               clk_i,
  input  logic                                               rst_ni,
  input  logic                                               tick_i,          // for time-outs
  input  logic               [Channels-1:0]                  give_up_i,       // on its list
  input  logic                                               quiesce_i,       // the lists
  output logic                                               rests_o,
  // Registers: descriptor RAM.
  input  descriptor_access_t                                 access_i,
  input  logic                                               access_valid_i,
  output logic                                               access_ready_o,
  output logic                                               access_error_o,
  output logic               [        31:0]                  access_data_o,
  // Registers: lists.
  input  bus_request_t                                       request_i,
  input  logic                                               valid_i,
  input  logic               [         4:0]                  channel_i,
  output logic                                               ready_o,
  output bus_answer_t                                        answer_o,
  // Channels: what they load.
  input  load_request_t      [Channels-1:0]                  load_i,
  input  logic               [Channels-1:0]                  load_valid_i,
  input  descriptor_id_t                                     guess_i,
  input  logic                                               guess_valid_i,
  output logic               [Channels-1:0]                  load_ready_o,
  output loaded_t                                            loaded_o,
  output transfer_t                                          transfer_o,
  output logic               [Channels-1:0]                  loaded_valid_o,
  output logic               [        63:0]                  loaded_addr_o,
  // Channels: their lists.
  input  axi_attr_t          [Channels-1:0]                  attr_i,
  input  window_t            [Channels-1:0][ListWindows-1:0] window_i,
  input  logic               [Channels-1:0]                  clear_i,
  input  logic               [Channels-1:0]                  list_open_i,
  input  logic               [Channels-1:0]                  list_again_i,
  output list_state_t        [Channels-1:0]                  list_state_o,
  output list_told_t         [Channels-1:0]                  list_told_o,
  input  list_done_t         [Channels-1:0]                  listed_i,
  input  logic               [Channels-1:0]                  listed_valid_i,
  output logic               [Channels-1:0]                  listed_ready_o,
  // Memory of the lists.
  output list_req_t                                          memory_o,
  input  list_rsp_t                                          memory_i
);

  logic read, read_ready, read_hit, release_words, advance, written, read_list, fill, list_take;
  descriptor_id_t read_id;
  logic [15:0] turns_next, turns;
  logic [DescriptorWords-1:0][31:0] base_words, bounds_words, walk_words;
  logic [Channels-1:0] list_valid;
  logic [$clog2(Channels)-1:0] list_select;
  list_part_t list_part;
  decode_t decode;
  descriptor_t descriptor;
  loaded_t decoded;
  logic has_iteration;
  logic [Channels-1:0] unused_channel;

  tsr_descriptor_ram #(
    .Descriptors(Descriptors),
    .Walk       (Walk),
    .Bounds     (Bounds),
    .Lists      (Lists)
  ) u_descriptors (
    .clk_i,
    .rst_ni,
    .read_i        (read),
    .read_ready_o  (read_ready),
    .hit_o         (read_hit),
    .read_id_i     (read_id),
    .read_list_i   (read_list),
    .fill_i        (fill),
    .fill_part_i   (list_part.part),
    .fill_words_i  (list_part.words),
    .release_i     (release_words),
    .advance_i     (advance),
    .turns_i       (turns_next),
    .base_o        (base_words),
    .bounds_o      (bounds_words),
    .walk_o        (walk_words),
    .turns_o       (turns),
    .valid_o       (written),
    .access_i      (access_i),
    .access_valid_i(access_valid_i),
    .access_ready_o(access_ready_o),
    .access_error_o(access_error_o),
    .access_data_o (access_data_o)
  );

  tsr_loader #(
    .Channels   (Channels),
    .Descriptors(Descriptors),
    .Dealt      (Dealt),
    .AddrWidth  (AddrWidth),
    .DataWidth  (DataWidth),
    .Walk       (Walk),
    .Bounds     (Bounds),
    .Lists      (Lists),
    .Early      (Early)
  ) u_loader (
    .clk_i,
    .rst_ni,
    .request_i       (load_i),
    .valid_i         (load_valid_i),
    .ready_o         (load_ready_o),
    .loaded_o        (loaded_o),
    .transfer_o      (transfer_o),
    .loaded_valid_o  (loaded_valid_o),
    .loaded_addr_o,
    .list_open_i     (list_open_i),
    .list_valid_i    (list_valid),
    .list_select_o   (list_select),
    .list_part_i     (list_part),
    .list_take_o     (list_take),
    .read_o          (read),
    .read_ready_i    (read_ready),
    .read_hit_i      (read_hit),
    .guess_i         (guess_i),
    .guess_valid_i   (guess_valid_i),
    .read_id_o       (read_id),
    .read_list_o     (read_list),
    .fill_o          (fill),
    .release_o       (release_words),
    .advance_o       (advance),
    .decode_o        (decode),
    .decode_channel_o(unused_channel),
    .descriptor_i    (descriptor),
    .decoded_i       (decoded),
    .has_iteration_i (has_iteration)
  );

  tsr_native_descriptor #(
    .Locks  (Locks),
    .Walk   (Walk),
    .Bounds (Bounds),
    .Headers(Headers),
    .Side   (Side)
  ) u_decode (
    .written_i      (written),
    .base_i         (base_words),
    .bounds_i       (bounds_words),
    .walk_i         (walk_words),
    .turns_i        (turns),
    .decode_i       (decode),
    .descriptor_o   (descriptor),
    .loaded_o       (decoded),
    .has_iteration_o(has_iteration),
    .next_turn_o    (turns_next)
  );

  if (Lists) begin : gen_lists
    tsr_lists #(
      .Channels   (Channels),
      .AddrWidth  (AddrWidth),
      .ListWidth  (ListWidth),
      .Slots      (ListSlots),
      .Guard      (Guard),
      .Silence    (Silence),
      .WindowCheck(Windows != 0),
      .Windows    (ListWindows)
    ) u_lists (
      .clk_i,
      .rst_ni,
      .tick_i,
      .give_up_i,
      .quiesce_i,
      .rests_o,
      .request_i   (request_i),
      .valid_i     (valid_i),
      .channel_i   (channel_i),
      .ready_o     (ready_o),
      .answer_o    (answer_o),
      .attr_i,
      .window_i    (window_i),
      .open_i      (list_open_i),
      .again_i     (list_again_i),
      .clear_i     (clear_i),
      .state_o     (list_state_o),
      .valid_o     (list_valid),
      .select_i    (list_select),
      .part_o      (list_part),
      .take_i      (list_take),
      .done_i      (listed_i),
      .done_valid_i(listed_valid_i),
      .done_ready_o(listed_ready_o),
      .told_o      (list_told_o),
      .memory_o,
      .memory_i
    );
  end else begin : gen_no_lists
    logic unused_lists, unused_port;
    assign unused_lists = ^{request_i, channel_i, window_i, clear_i, list_again_i, list_select} ^
        ^{list_take, listed_i, listed_valid_i, quiesce_i, tick_i, give_up_i};
    assign unused_port = ^{attr_i, memory_i};
    assign rests_o = 1'b1;
    assign ready_o = valid_i;
    assign answer_o = '{error: 1'b1, data: '0};
    assign list_state_o = '0;
    assign list_valid = '0;
    assign list_part = '0;
    assign listed_ready_o = '0;
    assign list_told_o = '0;
    assign memory_o = '0;
  end

  `TSR_ASSERT(OneIsLoaded, $onehot0(loaded_valid_o))

endmodule
