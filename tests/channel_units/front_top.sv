// Start programs of 5 writes and of 1, side by side.
module front_top
  import tsr_register_pkg::*;
#(
  localparam int unsigned Programs = 2
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  // Programs of 5 writes and of 1: write i is of (i + 1) * 0x9e3779b9 to 0x1004 + 12 * i.
  output logic [Programs-1:0][31:0] start_address_o,
  output logic [Programs-1:0][31:0] start_data_o,
  output logic [Programs-1:0]       start_whole_o,    // a write of all bytes
  output logic [Programs-1:0]       start_busy_o,
  output logic [Programs-1:0]       start_refused_o,
  input  logic [Programs-1:0]       start_ready_i,
  input  logic [Programs-1:0]       start_error_i
);

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

endmodule
