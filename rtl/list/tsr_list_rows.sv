// Makes rows of 128 bits from the beats of the oldest request, and tells what went wrong.
//
// Contract. A request with a reason has one row, and so have all with `failed_i`; others have the four
// of their burst. A row is `row_valid_o` until `row_ready_i`; `ends_o` with its last: the request is
// done. `code_o`: the first error of its descriptor, also over extensions. Beats of another epoch are
// dropped; so are all with `failed_i`. `wrong_o` is a fault, in one cycle.
// Latency: none. Throughput: a beat a cycle up to 128 bits, a row a cycle above.
`include "tsr_assert.svh"
module tsr_list_rows
  import tsr_channel_pkg::*;
  import tsr_descriptor_pkg::*;
  import tsr_list_unit_pkg::*;
#(
  parameter int unsigned ListWidth = 64,   // 64, 128, 256, 512
  parameter bit          Guard     = 1'b1
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  list_request_t                 request_i,
  input  logic                          request_valid_i,
  input  logic                          failed_i,
  input  logic                          owed_i,           // a burst is on the bus
  output fault_e                        wrong_o,
  output logic                          end_o,            // a burst has ended
  input  logic                          mine_i,           // the beat is of this epoch
  input  logic          [ListWidth-1:0] data_i,
  input  logic          [          1:0] resp_i,
  input  logic                          last_i,
  input  logic                          valid_i,
  output logic                          ready_o,
  output logic          [        127:0] row_o,
  output logic          [          1:0] number_o,
  output logic          [          3:0] code_o,           // load_error_e - 32; 0: none
  output logic                          row_valid_o,
  input  logic                          row_ready_i,
  output logic                          ends_o
);

  logic refused, mine, beats, full, takes, last_row, wrong_last, loads;
  logic [1:0] row_q;
  logic [3:0] answer, code, code_q;
  assign refused  = request_i.code != CodeNone || failed_i;
  assign mine     = valid_i && mine_i;
  assign beats    = mine && request_valid_i && !refused && owed_i;
  assign last_row = row_q == 2'd3;
  if (ListWidth == 64) begin : gen_half
    logic [63:0] low_q;
    logic first_q;
    always_ff @(posedge clk_i) begin
      if (beats && !first_q) low_q <= data_i;
      if (!rst_ni || failed_i) first_q <= 1'b0;
      else if (takes) first_q <= !first_q;
    end
    assign row_o = {data_i, low_q};
    assign full  = first_q;  // the beat completes a row
    assign takes = beats && (!full || row_ready_i);
  end else begin : gen_whole
    // A beat stays until its last row is written.
    localparam int unsigned Rows = ListWidth / 128;
    localparam int unsigned Part = Rows > 1 ? $clog2(Rows) : 1;
    assign full = 1'b1;
    if (Rows == 1) begin : gen_one
      assign row_o = data_i;
      assign takes = beats && row_ready_i;
    end else begin : gen_rows
      assign row_o = data_i[128*row_q[Part-1:0]+:128];
      assign takes = beats && row_ready_i && row_q[Part-1:0] == '1;
    end
  end
  assign end_o = mine && owed_i && ready_o && last_i;
  // What nothing waits for is taken, too.
  assign ready_o = !mine_i || failed_i || !owed_i || takes;
  assign wrong_last = Guard && takes && last_i != (full && last_row);
  always_comb begin
    wrong_o = FaultNone;
    if (mine && !owed_i) wrong_o = FaultUnasked;
    else if (wrong_last) wrong_o = last_i ? FaultEarlyLast : FaultLateLast;
  end
  assign row_valid_o = request_valid_i && (refused || (beats && full && !wrong_last));
  assign loads       = row_valid_o && row_ready_i;
  assign ends_o      = refused || last_row;
  assign number_o    = row_q;

  always_comb begin
    answer = CodeNone;
    if (request_i.code != CodeNone) answer = request_i.code;
    else if (failed_i) answer = CodeFault;
    else if (resp_i[1]) answer = resp_i[0] ? CodeDecode : CodeFetch;
    code = code_q != CodeNone ? code_q : answer;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || failed_i) row_q <= '0;
    else if (loads && !refused) row_q <= row_q + 1'b1;
    if (!rst_ni || (loads && ends_o && (request_i.area == AreaBase || request_i.last)))
      code_q <= CodeNone;
    else if (takes || (loads && ends_o)) code_q <= code;
  end
  assign code_o = code;

  logic unused_in;
  assign unused_in = ^request_i;

  `TSR_STATIC_ASSERT(ListWidth, ListWidth inside {64, 128, 256, 512},
                     ("ListWidth = %0d; legal is 64, 128, 256, 512", ListWidth))
  `TSR_ASSERT(RowsInOrder, !row_valid_o || refused || !failed_i)

endmodule
