// Places a row in the bounds of dimension 0: how many of its bytes come before, inside and after them.
//
// Contract: combinational. The row covers the bytes 0 .. size_i-1 of its turn, of which enter_i ..
// leave_i-1 are inside. lead + data + tail = size, unless `outside_o`: then none is inside. An empty row
// has to be `unbounded_i`.
// Latency: 0 cycles.
module tsr_place
  import tsr_pkg::*;
#(
  parameter int unsigned Width  = 32,   // of a row's size
  parameter bit          Bounds = 1'b1  // 0: everything is inside
) (
  input  logic        [     Width-1:0] size_i,
  input  logic signed [IndexWidth-1:0] enter_i,
  input  logic signed [IndexWidth-1:0] leave_i,
  input  logic                         unbounded_i,
  output logic        [     Width-1:0] lead_o,
  output logic        [     Width-1:0] data_o,
  output logic        [     Width-1:0] tail_o,
  output logic                         outside_o
);

  if (Bounds) begin : gen_bounds
    typedef logic signed [IndexWidth-1:0] index_t;
    localparam int unsigned Sign = IndexWidth - 1;

    // Three differences side by side; signs tell which of them, or of the inputs, are the answers.
    index_t size, behind, from_enter, between;
    logic
        nothing,
        late,
        early;  // none is inside; it begins before the bounds do, goes on up to their end or beyond
    logic unused_high;

    assign size        = index_t'({1'b0, size_i});
    assign behind      = size - leave_i;
    assign from_enter  = size - enter_i;
    assign between     = leave_i - enter_i;
    assign late        = !unbounded_i && !enter_i[Sign];
    assign early       = !unbounded_i && !behind[Sign];
    assign unused_high = ^{from_enter[Sign-1:Width], between[Sign-1:Width], behind[Sign-1:Width]};

    assign lead_o      = late ? enter_i[Width-1:0] : '0;
    assign tail_o      = early ? behind[Width-1:0] : '0;
    always_comb begin
      unique case ({
        late, early
      })
        2'b00:   data_o = size_i;
        2'b01:   data_o = leave_i[Width-1:0];
        2'b10:   data_o = from_enter[Width-1:0];
        2'b11:   data_o = between[Width-1:0];
        default: data_o = size_i;
      endcase
    end
    // Signs and equalities: nothing waits for a difference to be compared with 0.
    assign nothing   = leave_i[Sign] || leave_i == '0 || from_enter[Sign] || enter_i == size ||
                       between[Sign] || enter_i == leave_i;
    assign outside_o = !unbounded_i && nothing;
  end else begin : gen_none
    logic unused_ok;
    assign lead_o    = '0;
    assign data_o    = size_i;
    assign tail_o    = '0;
    assign outside_o = 1'b0;
    assign unused_ok = ^{enter_i, leave_i, unbounded_i};
  end

endmodule
