// Small parts of the native front end: tables of words, start programs, coalescing of records.
module front_top
  import tsr_register_pkg::*;
#(
  localparam int unsigned Tables   = 3,
  localparam int unsigned Programs = 2,
  localparam int unsigned Channels = 3
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  // Tables of 5, 2 and 1 words of 32, 21 and 7 bits.
  input  logic [  Tables-1:0]       clear_i,
  input  logic [  Tables-1:0]       write_i,
  input  logic [  Tables-1:0][ 7:0] index_i,
  input  logic [  Tables-1:0][ 7:0] look_i,
  input  logic [  Tables-1:0][31:0] data_i,
  input  logic [  Tables-1:0][31:0] mask_i,
  output logic [  Tables-1:0][31:0] data_o,
  output logic [  Tables-1:0][31:0] merged_o,
  output logic [  Tables-1:0][31:0] look_o,
  // Programs of 5 writes and of 1: write i is of (i + 1) * 0x9e3779b9 to 0x1004 + 12 * i.
  output logic [Programs-1:0][31:0] start_address_o,
  output logic [Programs-1:0][31:0] start_data_o,
  output logic [Programs-1:0]       start_whole_o,     // a write of all bytes
  output logic [Programs-1:0]       start_busy_o,
  output logic [Programs-1:0]       start_refused_o,
  input  logic [Programs-1:0]       start_ready_i,
  input  logic [Programs-1:0]       start_error_i,
  // Coalescing.
  input  logic [Channels-1:0]       record_i,
  input  logic [Channels-1:0]       full_i,
  output logic [Channels-1:0]       due_o,
  input  logic [Channels-1:0]       entry_i,
  input  logic [Channels-1:0]       told_i,
  output logic [Channels-1:0]       late_o,
  input  logic [         7:0]       poll_i,
  input  logic                      visit_i,
  input  logic                      coalesce_clear_i,
  input  logic [         7:0]       channel_i,
  input  logic                      setting_write_i,
  input  logic [        31:0]       setting_data_i,
  input  logic [        31:0]       setting_mask_i,
  output logic [        31:0]       setting_o
);

  localparam int unsigned Depth[Tables] = '{5, 2, 1};
  localparam int unsigned Width[Tables] = '{32, 21, 7};
  for (genvar i = 0; i < Tables; i++) begin : gen_table
    localparam int unsigned Bits = Width[i];
    localparam int unsigned IndexBits = Depth[i] < 2 ? 1 : $clog2(Depth[i]);
    logic [Bits-1:0] data, merged, look;
    tsr_word_table #(
      .Depth(Depth[i]),
      .Width(Bits)
    ) u_table (
      .clk_i,
      .rst_ni,
      .clear_i (clear_i[i]),
      .index_i (IndexBits'(index_i[i])),
      .write_i (write_i[i]),
      .data_i  (data_i[i][Bits-1:0]),
      .mask_i  (mask_i[i][Bits-1:0]),
      .data_o  (data),
      .merged_o(merged),
      .look_i  (IndexBits'(look_i[i])),
      .look_o  (look)
    );
    assign data_o[i]   = 32'(data);
    assign merged_o[i] = 32'(merged);
    assign look_o[i]   = 32'(look);
  end

  localparam int unsigned Writes[Programs] = '{5, 1};
  localparam logic [5*64-1:0] Program = {
    {32'h1034, 32'h9e3779b9 * 32'd5},
    {32'h1028, 32'h9e3779b9 * 32'd4},
    {32'h101c, 32'h9e3779b9 * 32'd3},
    {32'h1010, 32'h9e3779b9 * 32'd2},
    {32'h1004, 32'h9e3779b9}
  };
  for (genvar i = 0; i < Programs; i++) begin : gen_start
    bus_request_t request;
    bus_answer_t  answer;
    assign answer = '{error: start_error_i[i], data: '0};
    tsr_start #(
      .Writes (Writes[i]),
      .Program(Program[64*Writes[i]-1:0])
    ) u_start (
      .clk_i,
      .rst_ni,
      .request_o(request),
      .busy_o   (start_busy_o[i]),
      .ready_i  (start_ready_i[i]),
      .answer_i (answer),
      .refused_o(start_refused_o[i])
    );
    assign start_address_o[i] = 32'({request.word, 2'b00});
    assign start_data_o[i]    = request.data;
    assign start_whole_o[i]   = request.write && request.strobe == '1;
  end

  tsr_native_coalesce #(
    .Channels(Channels),
    .Entries (1'b1)
  ) u_coalesce (
    .clk_i,
    .rst_ni,
    .record_i,
    .full_i,
    .due_o,
    .entry_i,
    .told_i,
    .late_o,
    .poll_i   (2'(poll_i)),
    .visit_i,
    .clear_i  (coalesce_clear_i),
    .channel_i(2'(channel_i)),
    .write_i  (setting_write_i),
    .data_i   (setting_data_i),
    .mask_i   (setting_mask_i),
    .setting_o(setting_o)
  );

endmodule
