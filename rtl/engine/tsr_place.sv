// Places a row in the bounds of dimension 0: how many of its bytes come before, inside and after them.
//
// Contract: combinational. The row covers the indices 0 .. size_i-1, of which those above ahead_i up to
// last_i are inside; last_i is not less than ahead_i. lead + data + tail = size, unless `outside_o`: then none is inside.
// Latency: 0 cycles.
`include "tsr_assert.svh"
module tsr_place
  import tsr_pkg::*;
#(
  parameter int unsigned Width  = 32,   // of a row's size
  parameter bit          Bounds = 1'b1  // 0: everything is inside
) (
  input  logic        [     Width-1:0] size_i,
  input  logic signed [IndexWidth-1:0] ahead_i,
  input  logic signed [IndexWidth-1:0] last_i,
  input  logic                         unbounded_i,
  output logic        [     Width-1:0] lead_o,
  output logic        [     Width-1:0] data_o,
  output logic        [     Width-1:0] tail_o,
  output logic                         outside_o
);

  `TSR_STATIC_ASSERT(Width, Width < IndexWidth,
                     ("Width = %0d; legal is 1 to %0d", Width, IndexWidth - 1))

  if (Bounds) begin : gen_bounds
    typedef logic signed [IndexWidth-1:0] index_t;
    localparam int unsigned Sign = IndexWidth - 1;

    // All sums side by side; their signs tell which of them are the answers.
    index_t size, enter, leave, behind, from_enter, between;
    logic
        nothing,
        late,
        early;  // none is inside; it begins before the bounds do, goes on behind them
    logic unused_high;

    assign size = index_t'({1'b0, size_i});
    assign enter = ahead_i + 1'b1;
    assign leave = last_i + 1'b1;
    assign behind = size + ~last_i;  // size - leave
    assign from_enter = size + ~ahead_i;  // size - enter
    assign between = last_i - ahead_i;
    assign late = !unbounded_i && !ahead_i[Sign];
    assign early = !unbounded_i && !behind[Sign];
    assign unused_high = ^{from_enter[Sign-1:Width], between[Sign:Width], behind[Sign-1:Width],
                           enter[Sign:Width], leave[Sign:Width]};

    assign lead_o = late ? enter[Width-1:0] : '0;
    assign tail_o = early ? behind[Width-1:0] : '0;
    always_comb begin
      unique case ({
        late, early
      })
        2'b00:   data_o = size_i;
        2'b01:   data_o = leave[Width-1:0];
        2'b10:   data_o = from_enter[Width-1:0];
        2'b11:   data_o = between[Width-1:0];
        default: data_o = size_i;
      endcase
    end
    // Signs and equalities: nothing waits for a difference to be compared with 0.
    assign nothing   = last_i[Sign] || from_enter[Sign] || enter == size || ahead_i == last_i;
    assign outside_o = !unbounded_i && nothing;
  end else begin : gen_none
    logic unused_ok;
    assign lead_o    = '0;
    assign data_o    = size_i;
    assign tail_o    = '0;
    assign outside_o = 1'b0;
    assign unused_ok = ^{ahead_i, last_i, unbounded_i};
  end

endmodule
